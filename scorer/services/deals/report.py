"""The report of one deal: its sheet, what it pays and why, its reviews and every version."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from uuid import UUID

from scorer.errors import InvalidError
from scorer.evening import JudgedDeal, proposals
from scorer.evening.acts import VERSIONS, Act, is_on_other_side, is_other_side, review_act
from scorer.evening.deal import Deal, Review, Version
from scorer.evening.judging import OUTCOME_WORDS
from scorer.evening.session_acts import unsigned
from scorer.evening.terms import TermsChange
from scorer.roles import Holder
from scorer.rules.game import Fact, Outcome
from scorer.rules.options import Description
from scorer.rules.seats import Seat
from scorer.services.base.journal import as_author
from scorer.services.session.state import SessionState, load_state
from scorer.texts import Text, listed, say

NOT_ANSWERED = "–"


class AnswerChange(NamedTuple):
    """One answer of two versions of a sheet."""

    label: Text
    old: Text | str
    new: Text | str


@dataclass(frozen=True, slots=True)
class DealEvent:
    """A version of a deal or a review of it; its row says who wrote it, when, and why.

    Of a version, ``because`` names the change of rules or seats that caused it, ``changes`` are the
    answers that differ from the version before, ``moved`` is what it added to the balances. Of a
    review, ``proposal`` is its proposal.
    """

    act: type[Act]
    row: Version | Review
    because: Text | None = None
    changes: tuple[AnswerChange, ...] = ()
    moved: Mapping[Seat, int] = field(default_factory=dict)
    proposal: Text | None = None


class DealQuestion(NamedTuple):
    """The question whether a deal is right.

    ``confirms`` is true if this phone may confirm the deal, which nobody has.
    """

    state: SessionState
    deal: Deal
    confirms: bool

    @property
    def answers(self) -> tuple[Text, ...]:
        """The quick answers to what is wrong."""
        return tuple(fact.label for fact in facts(self.deal.entry))

    @property
    def right(self) -> tuple[proposals.RightAnswer, ...]:
        """The questions what is right."""
        return proposals.right_answers(self.state.evening, self.deal)


class ProposalReport(NamedTuple):
    """A dispute's proposal beside the deal as it stands, or why it is impossible now."""

    text: Text
    changes: tuple[AnswerChange, ...]
    payouts: Mapping[Seat, int]
    refusal: Text | None


class DealReport(NamedTuple):
    """A deal as its page shows it."""

    state: SessionState
    deal: Deal

    @property
    def headline(self) -> Text:
        entry = self.deal.entry
        if entry.played is None:
            return entry.text
        return entry.game.headline(entry.played, replace(entry.table, paid=entry.paid))

    @property
    def facts(self) -> tuple[Fact, ...]:
        return tuple(facts(self.deal.entry))

    @property
    def unconfirmed(self) -> bool:
        return self.deal.number in self.state.evening.waiting

    @property
    def total(self) -> int:
        return sum(self.deal.paid.values())

    @property
    def dispute(self) -> Review | None:
        return self.deal.open_disputes[-1] if self.deal.disputed else None

    @property
    def proposal(self) -> ProposalReport | None:
        """What the deal as it stands would become and pay by the dispute's proposal."""
        state, deal, dispute = self.state, self.deal, self.dispute
        if dispute is None or dispute.proposal is None:
            return None
        text = proposals.proposal_text(state.evening, dispute.proposal)
        try:
            entry = proposals.proposed_entry(state.evening, deal, dispute.proposal)
        except InvalidError as error:
            return ProposalReport(text, (), {}, error.problems[0].message)
        compared = compare_facts(self.facts, facts(entry))
        changes = tuple(change for change in compared if change.old != change.new)
        refusal = None if changes else say("The deal already says so.")
        return ProposalReport(text, changes, entry.paid, refusal)

    def proposed(self, review: Review) -> dict[str, Any] | None:
        """Return the proposal of a review for its version, with the players' names."""
        if review.proposal is None or proposals.OUTCOME in review.proposal:
            return review.proposal
        disputed = next(
            version for version in self.deal.versions if version.version == review.version
        )
        stored = {**(disputed.stored or {}), **review.proposal}
        entry = self.state.evening.entry_at(disputed._replace(stored=stored))
        answers = entry.answers(self.state.names) or {}
        return {name: answers.get(name, answer) for name, answer in review.proposal.items()}

    @property
    def previous(self) -> int | None:
        return self.deal.number - 1 if self.deal.number > 1 else None

    @property
    def next(self) -> int | None:
        return self.deal.number + 1 if self.deal.number < self.state.row.next_number - 1 else None

    @property
    def history(self) -> list[DealEvent]:
        """Versions and reviews, newest first; in time a review follows its version."""
        events, before = [], None
        for row in self.deal.versions:
            events.append(version_event(self.state, row, before))
            events += [
                self._review_event(place)
                for place, review in enumerate(self.deal.reviews)
                if review.version == row.version
            ]
            before = row
        return events[::-1]

    def _review_event(self, place: int) -> DealEvent:
        review = self.deal.reviews[place]
        proposed = review.proposal and proposals.proposal_text(self.state.evening, review.proposal)
        act = review_act(self.deal.reviews[:place], review)
        return DealEvent(act=act, row=review, proposal=proposed or None)

    def question(self, by: Holder) -> DealQuestion | None:
        """Return the question for a phone; None when it is not asked, or wrote the deal."""
        deal = self.deal
        if deal.voided or deal.disputed or deal.current.phone_id == by.phone_id:
            return None
        other_side = is_other_side(self.state.evening, deal, as_author(by))
        confirms = self.unconfirmed and other_side
        return DealQuestion(self.state, deal, confirms=confirms)


class Signing(NamedTuple):
    """How the result of a table is signed: by this phone, or by players whom it is handed to.

    ``seen`` is what was written by then.
    """

    seen: int
    by_phone: bool
    players: list[str]


def signing(state: SessionState, by: Holder) -> Signing | None:
    """Return how the result of a session that is over is signed.

    None before, once it is signed, while a deal is disputed, and for who sits elsewhere.
    """
    evening, waiting = state.evening, unsigned(state.evening)
    ended = evening.over or evening.ended is not None
    elsewhere = by.player is not None and by.player not in evening.names
    if not ended or not waiting or elsewhere or any(deal.disputed for deal in waiting):
        return None
    author = as_author(by)
    return Signing(
        seen=evening.written,
        by_phone=all(is_other_side(evening, deal, author) for deal in waiting),
        players=[
            name
            for name in evening.names
            if all(is_on_other_side(evening, deal, name) for deal in waiting)
        ],
    )


def deal_report(circle_id: UUID, session_id: UUID, number: int) -> DealReport:
    """Return a deal with all its versions, the oldest first; raise NotFoundError."""
    state = load_state(circle_id, session_id)
    return DealReport(state, state.evening.deal(number))


def facts(entry: JudgedDeal) -> list[Fact]:
    """List the recorded answers of a deal with any outcome."""
    if entry.played is not None:
        return entry.game.facts(entry.sheet, entry.table)
    written = [Fact(say("What happened"), OUTCOME_WORDS[entry.outcome])]
    if entry.outcome is Outcome.AGREED:
        written.append(Fact(say("Reason"), entry.sheet.reason))
    elif entry.sheet is not None:
        written.append(Fact(say("Offender"), entry.table.seats[entry.sheet.offender]))
    return written


def version_event(state: SessionState, row: Version, old: Version | None) -> DealEvent:
    counted, counts = _counting(old), _counting(row)
    seats, changes = sorted(counted.keys() | counts.keys()), list[AnswerChange]()
    if old is not None and row.act == "amend":
        changes = compare_facts(_all_facts(state, old), _all_facts(state, row))
    return DealEvent(
        act=VERSIONS[row.act],
        row=row,
        because=cause(state, row.change),
        changes=tuple(change for change in changes if change.old != change.new),
        moved={Seat(seat): counts.get(seat, 0) - counted.get(seat, 0) for seat in seats},
    )


def _counting(row: Version | None) -> Mapping[Seat, int]:
    return {} if row is None or row.voided else row.payouts


def compare_facts(before: Iterable[Fact], after: Iterable[Fact]) -> list[AnswerChange]:
    """List every answer of two sheets, whether they differ in it or not."""
    old = {str(fact.label): fact for fact in before}
    new = {str(fact.label): fact for fact in after}
    return [
        AnswerChange(
            (new.get(key) or old[key]).label,
            old[key].value if key in old else NOT_ANSWERED,
            new[key].value if key in new else NOT_ANSWERED,
        )
        for key in dict.fromkeys([*old, *new])
    ]


def _all_facts(state: SessionState, version: Version) -> list[Fact]:
    out = ", ".join(state.names[seat] for seat in version.sits_out) or NOT_ANSWERED
    dealer = state.names[version.dealer]
    return [
        *facts(state.evening.entry_at(version)),
        Fact(say("Dealer"), dealer),
        Fact(say("Sat out"), out),
    ]


class RulesPeriod(NamedTuple):
    """The rules of the deals from ``first`` to ``last``, None for no end.

    ``rule_set`` names the version, if they are the circle's own rules; ``preset`` says whether they
    are a preset.
    """

    first: int
    last: int | None
    rules: Any
    table: Description
    rule_set: tuple[UUID, int] | None
    preset: bool


class ChangeLine(NamedTuple):
    """A change of rules or seats from a deal on."""

    number: int
    text: Text
    row: TermsChange


def session_changes(state: SessionState) -> dict[int, list[ChangeLine]]:
    """List the changes of rules and seats by first deal, without those replaced from there on."""
    lines: dict[int, list[ChangeLine]] = {}
    newest = {row.from_number: row for row in state.changes if row.rules is not None}
    for period in rules_periods(state)[1:] if newest else []:
        if (number := period.first) in newest:
            table = _named(period.table, period.rule_set)
            text = say("From deal %(number)s: %(what)s", number=number, what=table)
            lines[number] = [ChangeLine(number, text, newest[number])]
    for change in seats_changes(state):
        lines.setdefault(change.number, []).append(change)
    return lines


def rules_periods(state: SessionState) -> list[RulesPeriod]:
    """List the rules of the deals so far and of the next one, in order."""
    periods: list[RulesPeriod] = []
    for number in [border for border in state.borders if border <= state.row.next_number]:
        terms, last = state.terms(number), periods[-1] if periods else None
        if last and (last.rules, last.rule_set) == (terms.rules, terms.rule_set):
            continue
        if last:
            periods[-1] = last._replace(last=number - 1)
        period = RulesPeriod(
            first=number,
            last=None,
            rules=terms.rules,
            table=state.game.describe(terms.rules),
            rule_set=terms.rule_set,
            preset=state.game.presets.get(terms.rules.slug) == terms.rules,
        )
        periods.append(period)
    return periods


def seats_changes(state: SessionState) -> Iterator[ChangeLine]:
    """Yield the deals whose seats differ from those of the deal before, in order.

    Of several changes that begin or end with a deal the last one is named.
    """
    for number in state.borders[1:]:
        before, order = state.terms(number - 1).order, state.terms(number).order
        parts = list(_parts(state.names, before, order))
        if parts:
            (*_, change) = (c for c in state.changes if c.order and number in c.borders)
            what = listed(parts, "; ")
            text = say("From deal %(number)s: %(what)s", number=number, what=what)
            yield ChangeLine(number, text, change)


def _parts(
    names: tuple[str, ...], before: tuple[Seat, ...], now: tuple[Seat, ...]
) -> Iterator[Text]:
    """Name who came and between whom, who left, and the order of play where the others moved."""
    came = [seat for seat in now if seat not in before]
    if _around([seat for seat in before if seat in now]) != _around(
        [seat for seat in now if seat in before]
    ):
        yield say("in order of play %(names)s", names=", ".join(names[seat] for seat in now))
        came = []
    for seat in came:
        place = now.index(seat)
        yield say(
            "%(name)s sits between %(one)s and %(other)s",
            name=names[seat],
            one=names[now[place - 1]],
            other=names[now[(place + 1) % len(now)]],
        )
    for seat in before:
        if seat not in now:
            yield say("%(name)s leaves", name=names[seat])


def _around(order: list[Seat]) -> list[Seat]:
    first = order.index(min(order)) if order else 0
    return order[first:] + order[:first]


def _named(table: Description, rule_set: tuple[UUID, int] | None) -> Text:
    """Name rules, with their version where they are the circle's own."""
    if rule_set is None:
        return table.name
    return say("%(table)s, version %(version)s", table=table.name, version=rule_set[1])


def cause(state: SessionState, serial: int | None) -> Text | None:
    """Name the act that caused a deal to be rewritten, by the rows that follow ``serial``."""
    by_serial = {change.serial: change for change in state.changes}
    act: list[TermsChange] = []
    while serial is not None and serial + len(act) in by_serial:
        act.append(by_serial[serial + len(act)])
    if not act:
        return None
    first, last = act[0].from_number, act[0].until_number
    if last is None:
        deals = say("from deal %(number)s on", number=first)
    elif first == last:
        deals = say("for deal %(number)s", number=first)
    else:
        deals = say("for deals %(first)s to %(last)s", first=first, last=last)
    what = say("Seats changed")
    rules = next((part for part in act if part.rules is not None), None)
    if rules is not None:
        table = _named(state.game.describe(rules.rules), rules.rule_set)
        what = say("Rules changed to %(table)s", table=table)
        if any(part.order for part in act):
            what = say("Rules (%(table)s) and seats changed", table=table)
    return say("%(what)s, %(deals)s", what=what, deals=deals)
