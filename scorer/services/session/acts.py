"""Acts on a session as a whole; repeated requests are ignored."""

from dataclasses import replace
from uuid import UUID

from scorer.evening import Evening
from scorer.evening.deal import Version
from scorer.evening.session_acts import Change, SessionAct
from scorer.services.base.journal import Author, as_author
from scorer.services.circle.players import names
from scorer.services.session.settling import settle
from scorer.services.session.state import SessionState, lock_state, written
from scorer.services.session.writing import save
from scorer.storage import models
from scorer.typed_text import looks, one_line


def do(circle_id: UUID, session_id: UUID, act: SessionAct, *, by: Author = None) -> int:
    """Do something to a session; return how many deals it wrote anew. Raise as the act does."""

    def work() -> tuple[int, SessionState]:
        with lock_state(circle_id, session_id) as state:
            after = do_within(state, act, by)
            facts = after.evening.facts_since(state.evening.written)
            return sum(isinstance(fact, Version) for fact in facts), after

    return written(work)


def do_within(state: SessionState, act: SessionAct, by: Author) -> SessionState:
    """Do something to a locked session; return it as it is then, itself if that was done before."""
    evening = applied(state, act, by)
    if evening is state.evening:
        return state
    after = save(state, evening, by, act.noted)
    settle(after, by, anew=after.evening.over and not state.evening.over)
    return after


def applied(state: SessionState, act: SessionAct, by: Author) -> Evening:
    """Return the evening after an act, with guests by the names that the circle has for them."""
    if isinstance(act, Change):
        act = replace(act, most=models.MOST_AT_TABLE)
        if act.seats is not None and act.seats.guests:
            known = {looks(name): name for name in names(state.circle_id).values()}
            guests = [
                replace(guest, name=known.get(looks(one_line(guest.name)), guest.name))
                for guest in act.seats.guests
            ]
            act = replace(act, seats=act.seats._replace(guests=guests))
    return act.apply(state.evening, as_author(by))
