"""An evening by seats: deal after deal, whose turn it is, who plays, and the balances.

All code that goes through an evening uses this: a replayed session file, a stored session, a change
of its rules, a what-if, the check of a database.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self
from uuid import UUID

from scorer.errors import InvalidError, NotFoundError, Problem
from scorer.evening.deal import Author, Deal, Fact, Review, Started, Timer, Version
from scorer.evening.judging import WITH_SHEET, JudgedDeal, StoredDeal, judged, judged_again
from scorer.evening.terms import Terms, TermsChange, changed, first_turn, terms_of, turn_of
from scorer.ledger import Standing, standings
from scorer.rules.game import Game, Outcome, Table, Turn
from scorer.rules.match import UNDECIDED, Progress, Tally
from scorer.rules.seats import Seat
from scorer.texts import counted, say
from scorer.typed_text import one_line

#: Of a deal where it does not matter who played.
NO_TABLE: Table[Any] = Table(None, (), ())
NO_PROBLEMS: Sequence[Problem] = ()
NOBODY_KNOWN, NO_KEY = Author(), UUID(int=0)
LATER_DEAL = Problem(
    "later-deal",
    "",
    say("A later deal depends on the balances before it. Void that deal first."),
)


@dataclass(slots=True, repr=False)
class Walk:
    """An evening that goes on deal by deal; ``terms`` are those of deal ``number``, the next one.

    ``names`` has everybody who ever sat at the table, by seat. ``totals`` are the balances before
    the next deal, empty if not needed, and ``last`` is the deal before it that is not voided.
    ``ended`` is the number of the deal that ended the evening by the rules, and ``result`` says
    how. ``first`` is who deals first, if that was chosen. ``written`` is the serial of the last
    fact, ``over`` says that it was ended by hand, and ``started`` is the deal under way. ``timer``
    is that of the turn.

    A stored evening is kept and shared: it is never changed in place, `take` returns another one.
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
    written: int = 0
    over: bool = False
    started: Started | None = None
    timer: Timer | None = None
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
    def since(self) -> dict[Seat, int]:
        """Return the last standing deal in which each was at the table and not out; 0 if none."""
        totals = self.begun().totals
        since = dict.fromkeys(totals, 0)
        for deal in self.deals:
            if not deal.voided:
                terms = self.terms_of(deal.number)
                inside = self.game.still_in(terms.order, totals, terms.rules)
                since |= dict.fromkeys(inside, deal.number)
            totals = deal.totals
        return since

    @property
    def out(self) -> dict[Seat, int]:
        """Return who is out, and the last deal before that: 0 before the first.

        Whoever has left the table is out since then; a voided deal puts nobody out. In most games
        nobody is ever out.
        """
        if not self.game.eliminates:
            return {}
        inside = self.here.order
        return {seat: number for seat, number in self.since.items() if seat not in inside}

    @property
    def behind(self) -> dict[Seat, int]:
        """Return who stands behind the others: who is out, or all but who won it outright."""
        out, result = self.out, self.result
        if not (self.game.eliminates and result.outright):
            return out
        others = (seat for seat in self.totals if seat not in result.winners)
        return {seat: out.get(seat, self.number) for seat in others}

    @property
    def last_played(self) -> Deal | None:
        """The newest deal that counts among the deals and is not voided."""
        deals = (deal for deal in reversed(self.deals) if not deal.voided)
        return next((deal for deal in deals if deal.outcome.counts), None)

    @property
    def waiting(self) -> dict[int, int]:
        """The deals that nobody has confirmed or played on after, with their number of reviews."""
        if self.over or not self.deals:
            return {}
        recorded = self.deals[-1].versions[0].serial
        newest = (deal for deal in reversed(self.deals) if deal.current.serial >= recorded)
        return {
            deal.number: len(deal.reviews)
            for deal in newest
            if not (deal.voided or deal.disputed or deal.confirmed)
        }

    def ranked(self) -> list[Standing]:
        """Return everybody's place before the next deal, the leader first (contract.md)."""
        lowest = self.game.leads_lowest(self.terms.rules)
        return standings(self.totals, lowest_first=lowest, out=self.behind)

    @property
    def turn(self) -> Turn:
        """Return who deals by the rules, and how often the deal counts."""
        here, last = self.here, self.last
        if last is None:
            return first_turn(here.order[0] if self.first is None else self.first, self.began, here)
        before, sheet = last.terms or self.terms, last.entry.played
        return turn_of(self.game, (last.turn, last.entry.outcome), before, here, sheet)

    @property
    def next_table(self) -> Table[Any]:
        return self.table(self.turn.dealer)

    @property
    def resting(self) -> tuple[Seat, ...]:
        """Return those at the table who are out, in games that eliminate."""
        return tuple(seat for seat in self.terms.order if seat not in self.here.order)

    def terms_of(self, number: int) -> Terms:
        return terms_of(number, self.began, self.changes)

    def has_key(self, key: UUID) -> bool:
        return any(deal.deal_id == key for deal in self.deals)

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

    def book(self, entry: JudgedDeal, turn: Turn, like: Deal | None = None) -> Deal:
        """Book the next deal as it was judged; the one after it is the next then.

        ``like`` has the rest of it: whether it is voided, its cards, versions and reviews.
        """
        number, terms = self.number, self.terms
        if like is None or not like.voided:
            self.totals = totals = dict(self.totals)
            for seat, amount in entry.paid.items():
                totals[seat] += amount
            self.played += entry.outcome.counts
            if self.ended is None:
                sheet = entry.played if self.game.last_sheet_counts else None
                before = (deal.totals for deal in self.deals)
                tally = Tally(totals, self.played, sheet, terms.order, before)
                self.result = self.game.progress(tally, terms.rules)
                self.ended = number if self.result.finished else None
        blank = like or Deal(number, turn, entry)
        deal = blank._replace(
            number=number, turn=turn, entry=entry, terms=terms, totals=self.totals
        )
        self.deals.append(deal)
        self.last = self.last if deal.voided else deal
        self.number, self._here = number + 1, None
        if self.number in self._borders or (terms.dealer is not None and not deal.voided):
            self.go_to(self.number)
        return deal

    def again(
        self,
        deals: Iterable[Deal],
        anew: Callable[[int], bool] | None = None,
        *,
        follow: bool = False,
        names: Callable[[int], tuple[str, ...]] | None = None,
    ) -> Iterator[tuple[Deal, Sequence[Problem]]]:
        """Book deals again, each with its problems; those that ``anew`` selects are judged again.

        With ``follow`` the turn decides who deals and sits out. ``names`` gives other people for
        the sheet of a deal. An impossible deal keeps its payouts.
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
                    out = None if follow else entry.sits_out
                    table = self.table_by_turn(turn.dealer, out)
                    entry = judged_again(entry, table, people)
                except InvalidError as error:
                    wrong = error.problems
            yield self.book(entry, turn, deal), wrong

    def book_again(self, deals: Iterable[Deal], anew: Callable[[int], bool] | None = None) -> None:
        """Book deals again as `again` does, whatever is wrong with them."""
        for _ in self.again(deals, anew):
            pass

    def go_to(self, number: int) -> None:
        """Go to deal ``number``; those between are voided or not needed."""
        last = 0 if self.last is None else self.last.number
        after = last if last < number else None
        self.number, self._here = number, None
        self.terms = terms_of(number, self.began, self.changes, after=after)

    def go_on(self, change: TermsChange) -> None:
        """Use other terms for the next deal and those after it."""
        self.written = change.serial
        last = 0 if self.last is None else self.last.number
        self.changes = [*self.changes, change]
        self.terms, self._here = changed(self.terms, change, last), None

    def ahead(self, most: int) -> Iterator[tuple[Turn, tuple[Seat, ...]]]:
        """Yield the dealer and the players of the next deals, as if all were played."""
        coming, played = replace(self), JudgedDeal(self.game, Outcome.PLAYED, NO_TABLE)
        for _ in range(most):
            turn = coming.turn
            yield turn, coming.here.active(coming.game, turn.dealer)
            coming.last = Deal(coming.number, turn, played, terms=coming.terms)
            coming.go_to(coming.number + 1)

    def back_to(self, number: int, *more: TermsChange) -> Self:
        """Return the evening as it was before a deal, with all its changes, and ``more``."""
        if number == self.number and not more:
            return replace(self)
        kept = self.deals[: number - 1]
        then = self.begun(*more) if not kept or more else replace(self, number=number, deals=kept)
        if more:
            then.book_again(kept)
        elif kept:
            stands = [deal for deal in kept if not deal.voided]
            then.last = stands[-1] if stands else None
            then.totals = kept[-1].totals
            then.played = sum(deal.outcome.counts for deal in stands)
            if self.ended is not None and self.ended >= number:
                then.ended, then.result = None, UNDECIDED
            then.go_to(number)
        return then

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
            written=self.written,
            over=self.over,
            started=self.started,
            timer=self.timer,
        )

    def deal(self, number: int) -> Deal:
        """Find a deal; raise NotFoundError."""
        if not 1 <= number <= len(self.deals):
            raise NotFoundError
        return self.deals[number - 1]

    def write(
        self,
        entry: JudgedDeal,
        turn: Turn,
        by: Author = NOBODY_KNOWN,
        *,
        key: UUID = NO_KEY,
        play: Any = None,
    ) -> Deal:
        """Book the next deal, with its first version."""
        version = self.version_of(entry, "record", by, key=key, dealer=turn.dealer)
        self.written = version.serial
        deal = Deal(self.number, turn, entry, play=play, versions=(version,))
        return self.book(entry, turn, deal)

    def version_of(
        self,
        entry: JudgedDeal,
        act: str,
        by: Author,
        *,
        deal: Deal | None = None,
        key: UUID = NO_KEY,
        dealer: Seat | None = None,
        voided: bool | None = None,
        reason: str = "",
        change: int | None = None,
    ) -> Version:
        """Return the next version of a deal, or the first one of the next deal."""
        return Version(
            deal_id=deal.deal_id if deal else key,
            version=deal.version + 1 if deal else 1,
            number=deal.number if deal else self.number,
            act=act,
            outcome=entry.outcome,
            dealer=deal.turn.dealer if deal and dealer is None else Seat(dealer or 0),
            sits_out=list(entry.sits_out),
            stored=entry.stored,
            voided=bool(deal and deal.voided) if voided is None else voided,
            payouts=entry.paid,
            serial=self.written + 1,
            reason=one_line(reason) or None,
            change=change,
            **by._asdict(),
        )

    def take(self, *facts: Fact) -> Self:
        """Return the evening with what was written next, in its order."""
        versions, reviews = defaultdict[int, list[Version]](list), list[Review]()
        changes = [fact for fact in facts if isinstance(fact, TermsChange)]
        for fact in facts:
            if isinstance(fact, Version):
                versions[fact.number].append(fact)
            elif isinstance(fact, Review):
                reviews.append(fact)
        touched = min([*versions, *(change.from_number for change in changes)], default=self.number)
        after = self.back_to(touched, *changes)
        for number in range(touched, max([self.number - 1, *versions]) + 1):
            after.book_versions(self.deals[number - 1 : number], versions[number])
        for review in reviews:
            deal = after.deals[review.number - 1]
            after.deals[review.number - 1] = deal._replace(reviews=(*deal.reviews, review))
        after.written = max([self.written, *(fact.serial for fact in facts)])
        return after

    def book_versions(self, before: Sequence[Deal], more: Sequence[Version]) -> None:
        """Book the next deal as its newest version says; ``before`` has it as it was, if it was."""
        old = before[0] if before else None
        versions = (*(old.versions if old else ()), *more)
        newest = versions[-1]
        # Of a deal that nobody played, who is out by now was not in it.
        here = self.terms if newest.outcome in WITH_SHEET else None
        table = self.table(newest.dealer, newest.sits_out, here)
        entry = StoredDeal(self.game, newest.outcome, table, newest.stored, newest.payouts)
        times = entry.times if newest.outcome is Outcome.PLAYED else self.turn.times
        turn = Turn(newest.dealer, times)
        deal = Deal(self.number, turn, entry, newest.voided, versions=versions)
        if old is not None:
            play = old.play if old.entry.stored == entry.stored else None
            deal = deal._replace(play=play, reviews=old.reviews)
        self.book(entry, turn, deal)

    def facts_since(self, serial: int) -> list[Fact]:
        """List in their order the facts that were written after one of them."""
        facts: list[Fact] = [*self.changes]
        for deal in self.deals:
            facts += deal.versions
            facts += deal.reviews
        since = (fact for fact in facts if fact.serial > serial)
        return sorted(since, key=lambda fact: fact.serial)

    def decided_since(self, serial: int) -> list[int]:
        """List the serials after one of them of versions and changes, which decide the evening."""
        facts = (fact for fact in self.facts_since(serial) if not isinstance(fact, Review))
        return [fact.serial for fact in facts]

    def entry_at(self, fact: Version) -> JudgedDeal:
        """Return a version as it was judged; of the newest one its deal knows more."""
        terms = terms_of(fact.number, self.began, self.changes, written=fact.serial)
        active = tuple(seat for seat in terms.order if seat not in fact.sits_out)
        first = fact.number == 1 or None
        table = Table(terms.rules, self.names, active, terms.order, None, first)
        return StoredDeal(self.game, fact.outcome, table, fact.stored, fact.payouts)

    def times_of(self, deal: Deal) -> int:
        """Return the multiplier of a deal, or the one that it would have if it were played."""
        if deal.outcome is Outcome.PLAYED:
            return deal.entry.times
        later = (other for other in self.deals[deal.number :] if not other.voided)
        if any(other.outcome.counts for other in later):
            return 1
        return self.back_to(deal.number).turn.times

    def joined(self, guests: Mapping[str, int]) -> Self:
        """Return the evening with more people, who bring in these balances."""
        after = self.begun(names=tuple(guests))
        brought = enumerate(guests.values(), start=len(self.names))
        after.totals = {**after.totals, **{Seat(seat): balance for seat, balance in brought}}
        for deal in self.deals:
            after.book_versions([deal], ())
        return after
