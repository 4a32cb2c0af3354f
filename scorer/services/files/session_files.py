"""A session as a file (contract.md): export, preview by the replay operation, import.

If the rules or the order of play changed within the session, the first deal of each change has
``rules`` and ``seats``; changes after the last deal are in ``next``. The cards of a deal are its
``play``, as they were written down last.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from scorer.cards import games
from scorer.cards.card_records import write_play
from scorer.documents import decode_object
from scorer.errors import InvalidError, Problem, refuse
from scorer.evening import Evening
from scorer.evening.deal import Author, Deal
from scorer.evening.document import write_document
from scorer.evening.session_acts import Change, End
from scorer.operations.requests import first_problems
from scorer.operations.scoring import played
from scorer.roles import Holder
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.services.base import clock
from scorer.services.base.circle_limits import CircleLimit, refuse_full
from scorer.services.base.journal import as_author
from scorer.services.cards.tricks import insert_play, written_cards
from scorer.services.circle.names import given_title
from scorer.services.session.sessions import CheckedSession, NewSession, begin, check_session
from scorer.services.session.state import SessionState, load_state, load_states, lock_state
from scorer.services.session.writing import save
from scorer.storage import queries, transaction
from scorer.storage.models import CardSession
from scorer.texts import say
from scorer.typed_text import REASON, one_line

LONGEST_FILE = 400_000
#: So many deals are played again in a few seconds.
MOST_DEALS = 5_000
NEEDED = {"game", "seats", "deals"}
IN_DEAL = re.compile(r"deals\[(\d+)\]")
#: A file knows the day of a session, not its hour.
NOON = time(12, tzinfo=UTC)


def session_file(state: SessionState) -> dict[str, Any]:
    """Return a session with the deals that are not voided."""
    circle_id, session_id = state.circle_id, state.session_id
    row, names = state.row, state.names
    standing = [deal for deal in state.deals if not deal.voided]
    with_cards = games.supports_cards(state.game)
    stored = queries.deals.session_plays(circle_id, session_id) if with_cards else {}
    plays = {deal.number: _play(state, deal, stored) for deal in standing if deal.deal_id in stored}
    heading = {"title": given_title(row.title), "date": row.started_at.date().isoformat()}
    opening = {names[seat]: balance for seat, balance in state.opening.items()}
    written = write_document(
        replace(state.evening, heading=heading),
        standing,
        opening,
        {number: play for number, play in plays.items() if play is not None},
    )
    return written | {"rules": row.rules}


def exported_session(circle_id: UUID, session_id: UUID) -> dict[str, Any]:
    """Return a session as a document, with its key, next deal's number, end and hash.

    A stored file is a witness: `scorer verify --against` compares it.
    """
    state = load_state(circle_id, session_id)
    row = state.row
    of = {
        "id": str(session_id),
        "version": row.version,
        "next_number": row.next_number,
        "ended_at": row.ended_at and clock.moment(row.ended_at),
        "hash": state.witness,
    }
    return session_file(state) | of


def _play(
    state: SessionState, deal: Deal, plays: Mapping[UUID, dict[str, Any]]
) -> dict[str, Any] | None:
    """The cards of a deal, where they were written down and can be read beside its sheet."""
    board = written_cards(state, deal, plays)
    if board is None:
        return None
    stored = plays[deal.deal_id]
    note = {"note": stored["note"]} if "note" in stored else {}
    return {**write_play(games.row_of(board), board, board.table.seats), **note}


class SessionPreview(NamedTuple):
    """A valid session file; ``following`` changed after its last deal, ``odd`` are warnings."""

    document: str
    agreed: CheckedSession
    seats: tuple[str, ...]
    deals: list[dict[str, Any]]
    following: dict[str, Any]
    evening: Evening
    odd: list[Problem]

    @property
    def played(self) -> int:
        return sum(Outcome(deal.get("outcome", Outcome.PLAYED)).counts for deal in self.deals)

    @property
    def others(self) -> int:
        return len(self.deals) - self.played

    @property
    def plays(self) -> int:
        return sum(bool(deal.get("play")) for deal in self.deals)


def preview_session(text: bytes | str, key: UUID, circle_id: UUID) -> SessionPreview:
    """Read a session file and play it again; raise InvalidError with every problem."""
    if len(text) > LONGEST_FILE:
        raise InvalidError.of("too-long", "", say("This file is too long."))
    document = _decoded(text)
    if isinstance(document["deals"], list) and len(document["deals"]) > MOST_DEALS:
        message = say("A session file has at most %(most)s deals.", most=MOST_DEALS)
        raise InvalidError.of("too-many-deals", "deals", message)
    evening, problems, warnings = played(document)
    if evening is None:
        raise InvalidError(first_problems(problems))
    agreed = _agreed(document, evening, key, circle_id)
    notes = [(deal.get("play") or {}).get("note") or "" for deal in document["deals"]]
    refuse(
        problem
        for index, note in enumerate(notes)
        for problem in REASON.problems(note, f"deals[{index}].play.note")
    )
    return SessionPreview(
        document=json.dumps(document),
        agreed=agreed,
        seats=tuple(document["seats"]),
        deals=document["deals"],
        following=document.get("next") or {},
        evening=evening,
        odd=first_problems(warnings),
    )


def _decoded(text: bytes | str) -> dict[str, Any]:
    """Read a file that is one of a session, whatever may be wrong inside."""
    document = decode_object(text) or {}
    if not document.keys() >= NEEDED:
        message = say(
            "This is not the file of a session. Choose one that came from “Download” beside a "
            "session: its name ends in .json."
        )
        raise InvalidError.of("no-session-file", "", message)
    return document


def _agreed(
    document: dict[str, Any], evening: Evening, key: UUID, circle_id: UUID
) -> CheckedSession:
    seats = tuple(document["seats"])
    opening, started_at = document.get("opening") or {}, clock.now()
    if day := document.get("date"):
        try:
            started_at = datetime.combine(date.fromisoformat(day), NOON)
        except ValueError:
            message = say("A date like 2026-11-20 is needed.")
            raise InvalidError.of("bad-date", "date", message) from None
    return check_session(
        NewSession(
            key=key,
            circle_id=circle_id,
            game=document["game"],
            rules=document.get("rules"),
            players=seats,
            first_dealer=evening.deals[0].turn.dealer if evening.deals else Seat(0),
            title=one_line(document.get("title") or ""),
            opening={Seat(seat): opening.get(name, 0) for seat, name in enumerate(seats)},
            started_at=started_at,
        )
    )


def kept_before(preview: SessionPreview, circle_id: UUID) -> list[CardSession]:
    """List the sessions of a circle that are this one, at this or another time.

    They are of the same game and day, and pay the same deal by deal as far as both go.
    """
    game = preview.agreed.game.slug
    day = (preview.agreed.new.started_at or clock.now()).date()
    same_day = [
        session.session_id
        for session in queries.deals.sessions_in_order(circle_id)
        if (session.game, session.started_at.date()) == (game, day)
    ]
    alike = []
    for state in load_states(circle_id, same_day).values():
        standing = (deal for deal in state.deals if not deal.voided)
        deals = zip(preview.evening.deals, standing, strict=False)
        paid = [ours.payouts == theirs.payouts for ours, theirs in deals]
        if paid and all(paid):
            alike.append(state.row)
    return alike


def write_down(preview: SessionPreview, by: Holder) -> UUID:
    """Write the session with its deals, as one that has ended; the same key again is the same.

    The deals are written as the replay judged them, each after the changes made with it.
    """
    started = begin(preview.agreed, by)
    with lock_state(started.circle_id, started.session_id) as state:
        if state.row.written == 0 and state.row.ended_at is None:
            refuse_full(CircleLimit.DEALS, by.circle_id, len(preview.deals))
            evening, who = replace(state.evening, over=True), as_author(by)
            for given, deal in zip(preview.deals, preview.evening.deals, strict=True):
                evening = _as_changed(preview, evening, given, who)
                key = uuid5(state.session_id, str(deal.number - 1))
                evening.write(deal.entry, deal.turn, who, key=key)
            evening = _as_changed(preview, evening, preview.following, who)
            after = save(state, evening, by, End.noted)
            for deal in preview.evening.deals:
                if deal.play and deal.entry.played is not None:
                    begun = games.begin(state.game, deal.entry.table, deal.turn.dealer)
                    key = uuid5(state.session_id, str(deal.number - 1))
                    insert_play(after, key, deal.play, begun, deal.entry.sheet, by=by)
            state.row.finished_number = preview.evening.ended
    return started.session_id


keep = transaction(write_down)


def _as_changed(
    preview: SessionPreview, evening: Evening, deal: dict[str, Any], by: Author
) -> Evening:
    """Return an evening with the changes of rules and seats made with the next deal."""
    rules, seats = deal.get("rules"), deal.get("seats")
    if rules is None and seats is None:
        return evening
    order = None if seats is None else tuple(Seat(preview.seats.index(name)) for name in seats)
    change = Change(next_number=evening.number, rules=rules, seats=order)
    return change.next_terms(evening, by)


def deal_of(problem: Problem) -> int | None:
    """Return the number of the deal that a problem is in, if it is in one."""
    match = IN_DEAL.match(problem.field)
    return int(match[1]) + 1 if match else None
