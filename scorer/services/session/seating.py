"""Who sits where, by lot or from a deal on, who sits out, and how many can be at the table."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from scorer.evening.session_acts import Change
from scorer.evening.terms import SatOut, times_out, to_change, to_the_good
from scorer.roles import Holder
from scorer.rules.seats import Seat, wrong_count
from scorer.services.session.state import SessionState, load_state
from scorer.services.session.writing import do
from scorer.storage import models, queries
from scorer.texts import Text, joined, say
from scorer.tournaments.facts import by_lot, digest


class Sitter(NamedTuple):
    """Anybody who ever sat at the table: the typed place, whether still there, whether out."""

    seat: int
    name: str
    place: str
    here: bool
    out: bool


class SeatingPlan(NamedTuple):
    """The seating from deal ``since`` on, those who are there in order of play first.

    ``until`` is the last deal before the next change of seats; None if there is none.
    """

    since: int
    people: tuple[Sitter, ...]
    dealer: int
    until: int | None


def seating_since(state: SessionState, since: int) -> SeatingPlan:
    following = state.row.next_number
    since = since if 1 <= since < following else following
    order, out = state.terms(since).order, state.out if since == following else ()
    here = [
        Sitter(seat, state.names[seat], str(place), here=True, out=seat in out)
        for place, seat in enumerate(order, 1)
    ]
    left = [
        Sitter(seat.seat, seat.name, "", here=False, out=False)
        for seat in state.seats
        if seat.seat not in order
    ]
    deal = state.deals[since - 1] if since < following else None
    borders = (number for number in state.borders if since < number <= following)
    moved = (number for number in borders if state.terms(number).order != order)
    return SeatingPlan(
        since=since,
        people=(*here, *left),
        dealer=state.evening.turn.dealer if deal is None else deal.turn.dealer,
        until=next((number - 1 for number in moved), None),
    )


def head_counts(state: SessionState, rules: Any) -> list[tuple[int, Text, bool]]:
    """Describe for every number of people how they play by these rules, and whether they can."""
    counts, seating = [], state.game.seating(rules)
    for number in range(1, models.MOST_AT_TABLE + 1):
        wrong = wrong_count(number, seating.playing)
        refused = wrong if not seating.fits(number) else None
        if refused is not None:
            text = refused.message
        elif state.out:
            text = say("Whoever is out waits for the next match.")
        else:
            everybody = say("%(count)s at the table: everybody plays.", count=number)
            text = state.game.who_sits_out(number, rules) or everybody
        counts.append((number, text, refused is None))
    return counts


class SittingOut(NamedTuple):
    """Who sits out the next deal, and the state of the rota.

    ``following`` sit out the deal after it, if it is played. ``times`` counts how often each at the
    table has sat out, ``ahead`` how often more than their turns. ``offered`` is a swap that evens
    this out: a player ahead, and one to sit out instead. ``rule`` describes the turn.
    """

    names: tuple[str, ...]
    out: tuple[Seat, ...]
    playing: tuple[Seat, ...]
    by_turn: tuple[Seat, ...]
    following: tuple[Seat, ...]
    times: dict[Seat, int]
    ahead: dict[Seat, int]
    offered: tuple[Seat, Seat] | None
    rule: Text | None

    @property
    def chosen(self) -> bool:
        return set(self.out) != set(self.by_turn)

    @property
    def why(self) -> Text | None:
        if not self.chosen:
            return self.rule
        return say(
            "Chosen for this deal. By turn it would be %(names)s.", names=self._named(self.by_turn)
        )

    @property
    def back(self) -> Text:
        return say("Back to the turn: %(names)s", names=self._named(self.by_turn))

    @property
    def then(self) -> Text:
        return say("then %(names)s", names=self._named(self.following))

    @property
    def owed(self) -> list[Text]:
        owed = []
        for seat, count in self.ahead.items():
            name = self.names[seat]
            if count == 1:
                owed.append(say("%(name)s is one turn ahead.", name=name))
            elif count == -1:
                owed.append(say("%(name)s owes a turn.", name=name))
            elif count > 0:
                owed.append(say("%(name)s is %(count)s turns ahead.", name=name, count=count))
            else:
                owed.append(say("%(name)s owes %(count)s turns.", name=name, count=-count))
        return owed

    @property
    def offer(self) -> tuple[Text, Text] | None:
        if self.offered is None:
            return None
        pair = {"name": self.names[self.offered[0]], "other": self.names[self.offered[1]]}
        return (
            say("%(name)s has sat out for another before, and %(other)s owes a turn.", **pair),
            say("Let %(other)s sit out for %(name)s", **pair),
        )

    def _named(self, seats: Sequence[Seat]) -> Text:
        return joined([self.names[seat] for seat in seats])


def sitting_out(state: SessionState) -> SittingOut | None:
    """Return who sits out the next deal; None if all who are not out play."""
    if state.game.eliminates:
        return None
    table = state.table()
    active, out = table.active, table.sits_out
    if not out:
        return None
    past = [
        SatOut(deal.entry.sits_out, state.terms(deal.number).by_turn(state.game, deal.turn.dealer))
        for deal in state.deals
        if deal.outcome.counts and not deal.voided
    ]
    times, ahead = times_out(past), to_the_good(past)
    by_turn = state.evening.terms.by_turn(state.game, state.evening.turn.dealer)
    _, (then, _) = state.evening.ahead(2)
    following = state.terms(state.row.next_number + 1).by_turn(state.game, then.dealer)
    return SittingOut(
        names=state.names,
        out=out,
        playing=active,
        by_turn=by_turn,
        following=following,
        times={seat: times[seat] for seat in state.order},
        ahead={seat: ahead[seat] for seat in state.order if seat in ahead},
        offered=to_change(out, active, ahead) if set(out) == set(by_turn) else None,
        rule=state.game.who_sits_out(len(state.order), state.rules),
    )


def choose(
    session_id: UUID,
    number: int,
    seen: int,
    by: Holder,
    *,
    chosen: int | None,
    instead: int | None,
) -> None:
    """Choose who sits out the next deal, ``instead`` of another; with None the turn decides again.

    ``seen`` is the state of the session that the phone saw. Raise ConflictError if something was
    written meanwhile, InvalidError if that is impossible.
    """
    state = load_state(by.circle_id, session_id)
    out = None
    if chosen is not None:
        staying = {*state.table().active, instead}
        out = (*(seat for seat in state.order if seat not in staying), Seat(chosen))
    change = Change(
        seen=seen,
        next_number=number,
        until_number=number,
        seats=state.order,
        sits_out=out,
        dealer=state.evening.terms.dealer,
    )
    do(by.circle_id, session_id, change, by=by)


#: How a seed is written: the beginning of a hash or key, and which lot it is.
SEED = re.compile(r"[0-9a-f]{12}/([1-9][0-9]{0,3})")
BEGINNING = 12


class Lots(NamedTuple):
    """What came of a seed: the names in order of play, and who deals first."""

    seed: str
    seats: tuple[str, ...]
    dealer: str

    @property
    def number(self) -> str:
        """Which lot it is of this table."""
        return self.seed.partition("/")[2]

    @property
    def hashes(self) -> list[tuple[str, str]]:
        """Return everybody with the beginning of the hash that gave the place."""
        return [(name, digest(self.seed, name)[:BEGINNING]) for name in self.seats]


def draw_lots(names: list[str], seed: str) -> Lots:
    """Sort names by the hashes of the seed and each name; another hash says who deals.

    >>> draw_lots(["Ada", "Bea", "Ciro"], "8be082b3a1f0/1")[1:]
    (('Bea', 'Ciro', 'Ada'), 'Ciro')
    """
    return Lots(seed, tuple(by_lot(names, seed)), by_lot(names, seed, "dealer")[0])


def next_seed(circle_id: UUID | None, key: UUID, before: str) -> str:
    """Return the seed after another one: the end of the circle's journal, and which lot it is.

    Where no circle is yet, the key of the page takes the place of the journal.
    """
    circle = queries.find(models.Circle, circle_id) if circle_id else None
    beginning = circle.chain if circle else key.hex
    drawn = SEED.fullmatch(before)
    return f"{beginning[:BEGINNING]}/{int(drawn[1]) + 1 if drawn else 1}"


def kept_seed(seed: str, names: list[str], dealer: int) -> str:
    """Return a seed if everybody sits as it says, else nothing."""
    if not (names and SEED.fullmatch(seed)):
        return ""
    lots = draw_lots(names, seed)
    return seed if (list(lots.seats), lots.dealer) == (names, names[dealer]) else ""
