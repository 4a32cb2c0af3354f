"""Differences in a session: between its rows and the evening that they make, and in its chain."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple
from uuid import UUID

from scorer.errors import Problem
from scorer.evening import Evening, JudgedDeal, judge, judged_formerly
from scorer.evening.acts import KINDS, VERSIONS, Act
from scorer.evening.deal import DISPUTE, Deal
from scorer.evening.judging import NUMBERS
from scorer.games import stored_game
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.services.journal.verify import chains
from scorer.services.session.sessions import next_session
from scorer.services.session.state import read_anew, stored_rules
from scorer.services.session.writing import standing
from scorer.storage import models, queries
from scorer.storage.queries.session import SeatRow
from scorer.texts import counted, signed

FORMERLY = "paid by the rules of 0.3"
NOT_INSTALLED = "is not installed: its rules and sheets were not checked"


class StoredSession(NamedTuple):
    """All rows of a session, versions and reviews by the key of their deal, oldest first.

    ``paid`` and ``roles`` are by the number of the deal and by seat.
    ``start`` is the hash of the journal entry that started it, where there is one.
    """

    row: models.CardSession
    seats: list[SeatRow]
    deals: list[models.DealRow]
    versions: defaultdict[UUID, list[models.DealVersion]]
    reviews: defaultdict[UUID, list[models.ReviewRow]]
    changes: list[models.SessionChange]
    tricks: list[models.Play]
    started: models.StartedDeal | None
    start: str | None
    paid: dict[int, dict[int, int]]
    roles: dict[int, dict[int, str]]

    def payouts_text(self, payouts: Mapping[Seat, int] | Mapping[int, int]) -> str:
        names = {seat.seat: seat.name for seat in self.seats}
        texts = (f"{names.get(seat, seat)} {signed(n)}" for seat, n in sorted(payouts.items()))
        return ", ".join(texts) or "nobody"


def read_session(row: models.CardSession) -> StoredSession:
    circle_id, session_id = row.circle_id, row.session_id
    paid: dict[int, dict[int, int]] = {}
    roles: dict[int, dict[int, str]] = {}
    for payout in queries.journal.stored(circle_id, session_id, models.Payout):
        paid.setdefault(payout.number, {})[payout.seat] = payout.amount
        roles.setdefault(payout.number, {})[payout.seat] = payout.role
    started = queries.journal.entries_about(circle_id, "card_session", str(session_id))
    return StoredSession(
        row=row,
        seats=queries.session.seats(circle_id, session_id),
        deals=queries.journal.stored(circle_id, session_id, models.DealRow, models.DealRow.number),
        versions=queries.journal.stored_by_deal(circle_id, session_id, models.DealVersion),
        reviews=queries.journal.stored_by_deal(circle_id, session_id, models.ReviewRow),
        changes=queries.session.changes_since(circle_id, [session_id], 0).get(session_id, []),
        tricks=queries.journal.stored(circle_id, session_id, models.Play),
        started=queries.find(models.StartedDeal, circle_id, session_id),
        start=started[0].chain if started else None,
        paid=paid,
        roles=roles,
    )


def session_findings(
    stored: StoredSession, former: list[chains.Discrepancy]
) -> Iterator[chains.Discrepancy]:
    """Check a session: numbers, rules, every deal, the chain, and the evening that its rows make.

    Versions of deals that were paid by the rules of 0.3 are right: they are added to ``former``, as
    is that a session's game is not installed, so that its rules and sheets can't be checked.
    """
    yield from _number_findings(stored)
    row, start, damaged = stored.row, stored.start or "", "the rules cannot be read"
    evening: Evening | None = None
    if stored_game(row.game).missing:
        former.append(chains.Discrepancy(None, f"{row.game} {NOT_INSTALLED}"))
    try:
        _check_begun(stored)
        damaged = "cannot be read"
        evening = read_anew(row.circle_id, row.session_id).evening
    except chains.DAMAGE as error:
        yield chains.Discrepancy(None, f"{damaged}: {error!r}")
    deals = {} if evening is None else {deal.deal_id: deal for deal in evening.deals}
    for deal_row in stored.deals:
        deal = deals.get(deal_row.deal_id)
        for what in _deal_findings(stored, deal_row, evening, deal, former):
            yield chains.Discrepancy(deal_row.number, what)
    if row.went_on_from and row.session_id != next_session(row.went_on_from):
        yield chains.Discrepancy(None, "went on from another session")
    yield from chains.chain_findings(chain_entries(stored), start, count=row.written, end=row.chain)
    if len(stored.changes) != row.changes:
        stands = counted(len(stored.changes), "change")
        yield chains.Discrepancy(None, f"it has {stands}, and counts {row.changes}")
    if evening is not None:
        yield from _evening_findings(stored, evening)


def _number_findings(stored: StoredSession) -> Iterator[chains.Discrepancy]:
    """Check that deals are numbered from 1 without gaps, up to the next number."""
    numbers, following = [deal.number for deal in stored.deals], stored.row.next_number
    if numbers != list(range(1, len(numbers) + 1)):
        yield chains.Discrepancy(None, f"the deals are numbered {numbers}")
    if following != len(numbers) + 1:
        yield chains.Discrepancy(None, f"deal {following} is stored as the next of {len(numbers)}")
    for number in sorted(stored.paid.keys() - set(numbers)):
        yield chains.Discrepancy(number, "is paid but not there")
    if stored.started is not None and stored.started.number != following:
        what = f"is under way, but the next is {following}"
        yield chains.Discrepancy(stored.started.number, what)


def _check_begun(stored: StoredSession) -> None:
    """Raise one of DAMAGE if the rules can't be read, or seats are missing."""
    game = stored_game(stored.row.game)
    rules = stored_rules(game, stored.row.rules)
    if [seat.seat for seat in stored.seats] != list(range(len(stored.seats))):
        raise ValueError(f"seats {[seat.seat for seat in stored.seats]}")
    began = [seat for seat in stored.seats if not seat.joined]
    if len(began) < min(game.seating(rules).playing):
        raise ValueError(counted(len(began), "seat"))


def _evening_findings(stored: StoredSession, evening: Evening) -> Iterator[chains.Discrepancy]:
    """Check who deals the deal under way, the balances, and which deal was the last."""
    row, started = stored.row, stored.started
    try:
        dealer = evening.turn.dealer
    except chains.DAMAGE as error:
        yield chains.Discrepancy(None, f"cannot be read: {error!r}")
        return
    known = not evening.game.missing
    if known and started is not None and started.dealer != dealer:
        what = f"is dealt by {started.dealer}, but {dealer} deals"
        yield chains.Discrepancy(started.number, what)
    balances = queries.session.balances(row.circle_id, row.session_id)
    if evening.totals != balances:
        text, replayed = stored.payouts_text(balances), stored.payouts_text(evening.totals)
        yield chains.Discrepancy(None, f"balances are {text}, but replayed {replayed}")
    if known and evening.ended != row.finished_number:
        last, replayed = row.finished_number, f"replayed deal {evening.ended}"
        yield chains.Discrepancy(None, f"deal {last} is stored as the last, but {replayed}")


def problem_texts(problems: Sequence[Problem]) -> str:
    return "; ".join(f"{problem.field}: {problem.message}" for problem in problems)


def _deal_findings(
    stored: StoredSession,
    row: models.DealRow,
    evening: Evening | None,
    deal: Deal | None,
    former: list[chains.Discrepancy],
) -> Iterator[str]:
    versions, reviews = stored.versions[row.deal_id], stored.reviews[row.deal_id]
    try:
        yield from _belonging_findings(row, versions, reviews)
        yield from _act_findings(stored, versions)
        yield from _review_findings(versions, reviews)
        if evening is not None and deal is not None:
            if not evening.game.missing:
                yield from _rules_findings(stored, deal, evening, former)
            yield from _row_findings(stored, row, deal)
    except chains.DAMAGE as error:
        yield f"cannot be read: {error!r}"


def _belonging_findings(
    deal: models.DealRow, versions: list[models.DealVersion], reviews: list[models.ReviewRow]
) -> Iterator[str]:
    """Check that versions and reviews repeat the number and session of their deal."""
    named: list[tuple[str, models.DealVersion | models.ReviewRow]]
    named = [(f"version {version.version}", version) for version in versions]
    for name, row in [*named, *((f"review {review.review}", review) for review in reviews)]:
        if (row.session_id, row.number) != (deal.session_id, deal.number):
            yield f"{name} was chained as one of deal {row.number}"


def _act_findings(stored: StoredSession, versions: list[models.DealVersion]) -> Iterator[str]:
    """Check that versions are numbered from 1 without gaps, and that each act was possible then."""
    seats = {seat.seat for seat in stored.seats}
    numbers = [version.version for version in versions]
    if numbers != list(range(1, len(numbers) + 1)) or not numbers:
        yield f"its versions are numbered {numbers}"
    contents = [_content(version) for version in versions]
    for place, after in enumerate(versions):
        before = versions[place - 1] if place else None
        act, voided = VERSIONS.get(after.act, Act), None if before is None else before.voided
        if (voided, after.voided) not in act.follows:
            yield f"version {after.version} cannot be an act {after.act}"
        if before is not None and act.copies and contents[place - 1] != contents[place]:
            yield f"version {after.version} changes more than {after.act} can"
        if before is not None and before.dealer != after.dealer and after.change is None:
            yield f"version {after.version} has another dealer"
        paid = contents[place][-1]
        if not paid.keys() <= seats:
            yield f"version {after.version} pays {stored.payouts_text(paid)}: not all have a seat"


def _content(version: models.DealVersion) -> tuple[Any, ...]:
    paid = {int(seat): amount for seat, amount in version.payouts.items()}
    return version.outcome, [int(seat) for seat in version.sits_out], version.stored, paid


def _review_findings(
    versions: list[models.DealVersion], reviews: list[models.ReviewRow]
) -> Iterator[str]:
    """Check that each review is of a version current then, in order."""
    numbers = [review.review for review in reviews]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"its reviews are numbered {numbers}"
    voided = {version.version: version.voided for version in versions}
    for before, review in zip([None, *reviews], reviews, strict=False):
        name = f"review {review.review}"
        if review.kind not in KINDS:
            yield f"{name} is of no kind that is known: {review.kind}"
        if review.version not in voided:
            yield f"{name} is of version {review.version}, which is not there"
        elif voided[review.version]:
            yield f"{name} is of version {review.version}, which was voided"
        if before is not None and before.version > review.version:
            yield f"{name} is of an older version than the one before"
        if review.kind == DISPUTE and not (review.reason or review.proposal):
            yield f"{name} disputes it without a reason"


def _rules_findings(
    stored: StoredSession, deal: Deal, evening: Evening, former: list[chains.Discrepancy]
) -> Iterator[str]:
    """Judge each version by the rules of its time."""
    game, numbers = evening.game, NUMBERS[: len(evening.names)]
    # What others wrote since has changed the balances, and who was out, for an older version.
    for version in deal.versions[-1:] if game.eliminates else deal.versions:
        name = f"version {version.version}"
        then = deal.entry if version is deal.current else evening.entry_at(version)
        table = replace(then.table, seats=numbers)
        if len(table.active) not in game.seating(table.rules).playing:
            yield f"{name} has {counted(len(table.active), 'player')}"
        entry, problems = judge(game, table, version.outcome, version.stored)
        if version.outcome is Outcome.PLAYED and (entry is None or entry.paid != version.payouts):
            before_today = judged_formerly(game, table, version.stored)
            if before_today is not None and before_today.paid == version.payouts:
                entry = before_today
                former.append(chains.Discrepancy(deal.number, f"{name} is {FORMERLY}"))
        paid = stored.payouts_text(version.payouts)
        if entry is None:
            yield f"{name} breaks the rules: {problem_texts(problems)}"
        elif entry.paid != version.payouts:
            yield f"{name} pays {paid}, but by its rules {stored.payouts_text(entry.paid)}"
        if sum(version.payouts.values()) != 0 and _sums_to_zero(version.outcome, entry):
            yield f"{name} does not sum to zero: {paid}"


def _sums_to_zero(outcome: Outcome, entry: JudgedDeal | None) -> bool:
    """Whether the payouts of a deal always do by its rules."""
    if entry is not None and outcome is Outcome.AGREED:
        return entry.game.cancels(entry.table.rules)
    if entry is not None and outcome is Outcome.PLAYED:
        labels = entry.game.balance_checks(entry.table.rules).get("zero_sum", {})
        alone = "alone" in entry.roles.values()
        return bool(labels.get("alone" if alone else "partnered", False))
    return not outcome.counts


def _row_findings(stored: StoredSession, row: models.DealRow, deal: Deal) -> Iterator[str]:
    """Check that what searches and figures read of a deal is what its versions come to."""
    counts = stored.paid.get(row.number, {})
    if counts != deal.paid:
        yield f"counts {stored.payouts_text(counts)}, but pays {stored.payouts_text(deal.paid)}"
    stands = {"recorded_at": deal.versions[0].at, **standing(deal)}
    unknown = {"bid", "made", "roles"} if deal.entry.game.missing else set()
    for name, value in stands.items():
        if name not in unknown and getattr(row, name) != value:
            yield f"{name} is {getattr(row, name)}, but {value} by its versions and reviews"
    roles = {int(seat): deal.entry.roles.get(seat, "") for seat in deal.paid}
    if "roles" not in unknown and stored.roles.get(row.number, {}) != roles:
        yield "its payouts have other roles than its newest version"


def chain_entries(stored: StoredSession) -> Iterator[chains.ChainEntry]:
    """Yield all rows of a session's chain, unordered; a deal under way has no number yet."""
    numbers = {deal.deal_id: deal.number for deal in stored.deals}
    of_deals = chain(*stored.versions.values(), *stored.reviews.values(), stored.tricks)
    for row in chain(stored.changes, of_deals):
        name, column = chains.CHAINED[row.__tablename__]
        number = numbers.get(row.deal_id) if hasattr(row, "deal_id") else None
        yield chains.ChainEntry(number, name.format(getattr(row, column)), row)
