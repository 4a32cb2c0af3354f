"""An evening by seats: deal after deal, whose turn it is, who plays, and the balances.

All code that goes through an evening uses this: a replayed session file, a stored session, a change
of its rules, a what-if, the check of a database.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

from scorer.errors import InvalidError, Problem
from scorer.evening.judging import NOTHING, JudgedDeal, judged, judged_again
from scorer.evening.terms import Terms, TermsChange, changed, first_turn, terms_of, turn_of
from scorer.ledger import Standing, standings
from scorer.rules.game import Game, Outcome, Table, Turn
from scorer.rules.match import UNDECIDED, Progress, Tally
from scorer.rules.seats import Seat
from scorer.texts import counted, say

#: Of a deal where it does not matter who played.
NO_TABLE: Table[Any] = Table(None, (), ())
NO_PROBLEMS: Sequence[Problem] = ()


LATER_DEAL = Problem(
    "later-deal",
    "",
    say("A later deal depends on the balances before it. Void that deal first."),
)


class Deal(NamedTuple):
    """A line of the score sheet: its turn, its judged answers, and, once booked, the balances.

    ``terms`` are those that it was booked by, ``totals`` the balances after it by seat. ``play``
    are its cards as a session file has them.
    """

    number: int
    turn: Turn
    entry: JudgedDeal
    voided: bool = False
    terms: Terms | None = None
    totals: Mapping[Seat, int] = NOTHING
    play: Any = None

    def __repr__(self) -> str:
        counts = "voided" if self.voided else self.payouts
        return f"<Deal {self.number}, dealt by {self.dealer}, {self.outcome}: {counts}>"

    @property
    def paid(self) -> Mapping[Seat, int]:
        """Return its payouts by seat; none while it is voided."""
        return NOTHING if self.voided else self.entry.paid

    @property
    def payouts(self) -> dict[str, int]:
        """Return its payouts by name; none while it is voided."""
        names = self.entry.table.seats
        return {names[seat]: amount for seat, amount in self.paid.items()}

    @property
    def won(self) -> list[str]:
        """Return the names of who won it; nobody while it is voided."""
        return [] if self.voided else [self.entry.table.seats[seat] for seat in self.entry.won]

    @property
    def dealer(self) -> str:
        return self.entry.table.seats[self.turn.dealer]

    @property
    def outcome(self) -> Outcome:
        return self.entry.outcome


def depends_on_earlier(written: Deal, booked: Deal, wrong: Sequence[Problem]) -> bool:
    """Return whether a deal that is not voided became impossible, or would pay otherwise.

    ``booked`` is the same deal, judged again after others were changed.
    """
    return not booked.voided and (bool(wrong) or booked.paid != written.paid)


@dataclass(slots=True, repr=False)
class Walk:
    """An evening that goes on deal by deal; ``terms`` are those of deal ``number``, the next one.

    ``names`` has everybody who ever sat at the table, by seat. ``totals`` are the balances before
    the next deal, empty if not needed, and ``last`` is the deal before it that is not voided.
    ``ended`` is the number of the deal that ended the evening by the rules, and ``result`` says
    how. ``first`` is who deals first, if that was chosen.
    """

    game: Game[Any, Any]
    names: tuple[str, ...]
    began: Terms
    totals: Mapping[Seat, int]
    first: Seat | None = None
    changes: Sequence[TermsChange] = ()
    heading: Mapping[str, Any] = field(default_factory=dict)
    number: int = 1
    played: int = 0
    last: Deal | None = None
    result: Progress = UNDECIDED
    ended: int | None = None
    deals: list[Deal] = field(default_factory=list)
    terms: Terms = field(init=False)
    _borders: set[int] = field(init=False)
    _here: Terms | None = field(init=False)

    def __post_init__(self) -> None:
        """Take up the terms of the next deal; a copy has a list of deals of its own."""
        self.deals = list(self.deals)
        self._borders = {number for change in self.changes for number in change.borders}
        self.go_to(self.number)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.slug}, {counted(len(self.deals), 'deal')}>"

    @property
    def here(self) -> Terms:
        """The terms for those who are not out by their balances."""
        if self._here is None:
            terms = self._here = self.terms
            if self.game.eliminates and self.totals:
                order = self.game.still_in(terms.order, self.totals, terms.rules)
                self._here = terms if order == terms.order else replace(terms, order=order)
        return self._here

    @property
    def out(self) -> dict[Seat, int]:
        """Return who is out, and the last deal that put them out: 0 before the first.

        Whoever has left the table is out since then. In most games nobody is ever out.
        """
        if not self.game.eliminates:
            return {}
        booked, totals = {deal.number: deal.totals for deal in self.deals}, self.begun().totals
        since = dict.fromkeys(totals, 0)
        for number in range(self.number):
            totals = booked.get(number, totals)
            terms = terms_of(number + 1, self.began, self.changes)
            inside = self.game.still_in(terms.order, totals, terms.rules)
            since |= dict.fromkeys(inside, number + 1)
        return {seat: number for seat, number in since.items() if number < self.number}

    def ranked(self) -> list[Standing]:
        """Return everybody's place before the next deal, the leader first (contract.md)."""
        lowest = self.game.leads_lowest(self.terms.rules)
        return standings(self.totals, lowest_first=lowest, out=self.out)

    @property
    def turn(self) -> Turn:
        """Return who deals by the rules, and how often the deal counts."""
        here, last = self.here, self.last
        if last is None:
            return first_turn(here.order[0] if self.first is None else self.first, self.began, here)
        before, sheet = last.terms or self.terms, last.entry.played
        return turn_of(self.game, (last.turn, last.entry.outcome), before, here, sheet)

    def table(
        self, dealer: Seat, sits_out: Sequence[Seat] | None = None, here: Terms | None = None
    ) -> Table[Any]:
        """Return the people of the next deal for a dealer; without ``sits_out`` the turn decides.

        ``here`` are the terms with those who may play, by default with those who are not out.
        """
        here, terms = here or self.here, self.terms
        if sits_out is None:
            active = here.active(self.game, dealer)
        else:
            active = tuple(seat for seat in here.order if seat not in sits_out)
        totals, first = self.totals or None, self.played == 0
        return Table(terms.rules, self.names, active, terms.order, totals, first)

    def judge(
        self,
        turn: Turn,
        answers: Any,
        outcome: Outcome = Outcome.PLAYED,
        sits_out: Sequence[Seat] | None = None,
    ) -> JudgedDeal:
        """Judge the next deal; raise InvalidError with all its problems."""
        table = self.table_by_turn(turn.dealer, sits_out)
        return judged(self.game, table, outcome, answers, times=turn.times)

    def table_by_turn(self, dealer: Seat, sits_out: Sequence[Seat] | None) -> Table[Any]:
        """Return the table of the next deal; raise InvalidError if the dealer is not there."""
        if dealer not in self.here.order:
            raise InvalidError([self.no_dealer(dealer, "dealer")])
        return self.table(dealer, sits_out)

    def no_dealer(self, seat: Seat, path: str) -> Problem:
        message = say("%(name)s is not at the table.", name=self.names[seat])
        return Problem("not-at-the-table", path, message)

    def book(
        self, entry: JudgedDeal, turn: Turn, *, voided: bool = False, play: Any = None
    ) -> Deal:
        """Book the next deal as it was judged; the one after it is the next then."""
        number, terms = self.number, self.terms
        if not voided:
            self.totals = totals = dict(self.totals)
            for seat, amount in entry.paid.items():
                totals[seat] += amount
            self.played += entry.outcome is Outcome.PLAYED
            if self.ended is None:
                tally = Tally(totals, self.played, entry.played, terms.order)
                self.result = self.game.progress(tally, terms.rules)
                self.ended = number if self.result.finished else None
        deal = Deal(number, turn, entry, voided, terms, self.totals, play)
        self.deals.append(deal)
        self.last = self.last if voided else deal
        self.number, self._here = number + 1, None
        if self.number in self._borders or (terms.dealer is not None and not voided):
            self.go_to(self.number)
        return deal

    def again(
        self,
        deals: Iterable[Deal],
        anew: Callable[[int], bool] | None = None,
        *,
        follow: bool = False,
        as_played: bool = False,
        names: Callable[[int], tuple[str, ...]] | None = None,
    ) -> Iterator[tuple[Deal, Sequence[Problem]]]:
        """Book deals again, each with its problems; those that ``anew`` selects are judged again.

        With ``follow`` the turn decides who deals and sits out; ``as_played`` keeps those in who
        played, even if they would be out by now. ``names`` gives other people for the sheet of a
        deal. An impossible deal keeps its payouts.
        """
        for deal in deals:
            if deal.number != self.number:
                self.go_to(deal.number)
            entry, turn, wrong = deal.entry, deal.turn, NO_PROBLEMS
            judging = anew is not None and anew(deal.number)
            if (judging and follow) or entry.outcome is not Outcome.PLAYED:
                turn = self.turn if judging and follow else turn._replace(times=self.turn.times)
            if judging:
                try:
                    people = names(deal.number) if names else self.names
                    if follow or not as_played:
                        out = None if follow else entry.sits_out
                        table = self.table_by_turn(turn.dealer, out)
                    else:
                        table = self.table(turn.dealer, entry.sits_out, self.terms)
                    entry = judged_again(entry, table, people)
                except InvalidError as error:
                    wrong = error.problems
            yield self.book(entry, turn, voided=deal.voided, play=deal.play), wrong

    def book_again(self, deals: Iterable[Deal], anew: Callable[[int], bool] | None = None) -> None:
        """Book deals again as `again` does, whatever is wrong with them."""
        for _ in self.again(deals, anew):
            pass

    def pass_over(self, turn: Turn, outcome: Outcome, sheet: Any = None) -> None:
        """Pass a deal whose payouts don't matter, or are unknown."""
        entry = JudgedDeal(self.game, outcome, NO_TABLE, sheet)
        self.last = Deal(self.number, turn, entry, terms=self.terms)
        self.played += outcome is Outcome.PLAYED
        self.go_to(self.number + 1)

    def go_to(self, number: int) -> None:
        """Go to deal ``number``; those between are voided or not needed."""
        last = 0 if self.last is None else self.last.number
        after = last if last < number else None
        self.number, self._here = number, None
        self.terms = terms_of(number, self.began, self.changes, after=after)

    def go_on(self, change: TermsChange) -> None:
        """Use other terms for the next deal and those after it."""
        last = 0 if self.last is None else self.last.number
        self.changes = [*self.changes, change]
        self.terms, self._here = changed(self.terms, change, last), None

    def ahead(
        self, most: int, *, everybody: bool = False
    ) -> Iterator[tuple[Turn, tuple[Seat, ...]]]:
        """Yield the dealer and the players of the next deals, as if all were played.

        With ``everybody`` those who are out deal and play, too.
        """
        coming = replace(self, totals={}) if everybody else replace(self)
        for _ in range(most):
            turn = coming.turn
            yield turn, coming.here.active(coming.game, turn.dealer)
            coming.pass_over(turn, Outcome.PLAYED)

    def begun(self, *more: TermsChange, names: tuple[str, ...] = ()) -> Self:
        """Return the evening before its first deal, with all its changes, and ``more`` of them.

        More ``names`` come after those that are there.
        """
        everybody = (*self.names, *names)
        totals = {Seat(seat): self.totals.get(Seat(seat), 0) for seat in range(len(everybody))}
        for deal in self.deals:
            for seat, amount in deal.paid.items():
                totals[seat] -= amount
        return type(self)(
            game=self.game,
            names=everybody,
            began=self.began,
            totals=totals,
            first=self.first,
            changes=(*self.changes, *more),
            heading=self.heading,
        )
