"""Differences in a session: its numbers and deals, its payouts, its chain, its replay."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple
from uuid import UUID

from scorer.errors import Problem
from scorer.evening import Evening, JudgedDeal, judge, judged_formerly
from scorer.evening.acts import VERSIONS, Act
from scorer.evening.deal import DISPUTE, open_disputes
from scorer.evening.judging import NUMBERS
from scorer.games import stored_game
from scorer.operations.scoring import played
from scorer.rules.game import Outcome, Table
from scorer.rules.seats import Seat
from scorer.services.files.session_files import session_file
from scorer.services.journal.verify import chains
from scorer.services.session.sessions import next_session
from scorer.services.session.state import SessionState, read_anew, without_deals
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
    """Check a session: numbers, rules, every deal, the chain and, by a replay, the balances.

    Versions of deals that were paid by the rules of 0.3 are right: they are added to ``former``, as
    is that a session's game is not installed, so that its rules and sheets can't be checked.
    """
    yield from _number_findings(stored)
    missing, state = stored_game(stored.row.game).missing, None
    if missing:
        former.append(chains.Discrepancy(None, f"{stored.row.game} {NOT_INSTALLED}"))
    try:
        state = None if missing else _open(stored)
    except chains.DAMAGE as error:
        yield chains.Discrepancy(None, f"the rules cannot be read: {error!r}")
    balances = {seat.seat: seat.opening for seat in stored.seats}
    for deal in stored.deals:
        yield from (
            chains.Discrepancy(deal.number, what)
            for what in _deal_findings(stored, deal, state, balances, former=former)
        )
        for seat, amount in stored.paid.get(deal.number, {}).items():
            balances[seat] = balances.get(seat, 0) + amount
    row, start = stored.row, stored.start or ""
    if row.went_on_from and row.session_id != next_session(row.went_on_from):
        yield chains.Discrepancy(None, "went on from another session")
    yield from chains.chain_findings(chain_entries(stored), start, count=row.written, end=row.chain)
    if len(stored.changes) != row.changes:
        stands = counted(len(stored.changes), "change")
        yield chains.Discrepancy(None, f"it has {stands}, and counts {row.changes}")
    if state is not None:
        numbers = {deal.number for deal in former if deal.number}
        yield from _whole_findings(stored, numbers)


def _whole_findings(stored: StoredSession, former: Collection[int]) -> Iterator[chains.Discrepancy]:
    """Check the session as its pages read it: the deal under way, and by a replay the balances."""
    try:
        state = read_anew(stored.row.circle_id, stored.row.session_id)
        started, dealer = stored.started, state.evening.turn.dealer
    except chains.DAMAGE as error:
        yield chains.Discrepancy(None, f"cannot be exported: {error!r}")
        return
    if started is not None and started.dealer != dealer:
        yield chains.Discrepancy(
            started.number, f"is dealt by {started.dealer}, but {dealer} deals"
        )
    yield from (chains.Discrepancy(None, what) for what in _replay_findings(stored, state, former))


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


def _open(stored: StoredSession) -> SessionState:
    """Open a session whose rules can be read; raise one of DAMAGE."""
    game = stored_game(stored.row.game)
    changed: list[Any] = [change.rules for change in stored.changes if change.rules is not None]
    for document in (stored.row.rules, *changed):
        _, problems = game.rules_from(document)
        if problems:
            raise ValueError(problem_texts(problems))
    if [seat.seat for seat in stored.seats] != list(range(len(stored.seats))):
        raise ValueError(f"seats {[seat.seat for seat in stored.seats]}")
    rules, _ = game.rules_from(stored.row.rules)
    began = [seat for seat in stored.seats if not seat.joined]
    if len(began) < min(game.seating(rules).playing):
        raise ValueError(counted(len(began), "seat"))
    return without_deals(stored.row)


def problem_texts(problems: Sequence[Problem]) -> str:
    return "; ".join(f"{problem.field}: {problem.message}" for problem in problems)


def _deal_findings(
    stored: StoredSession,
    deal: models.DealRow,
    state: SessionState | None,
    balances: Mapping[int, int],
    *,
    former: list[chains.Discrepancy],
) -> Iterator[str]:
    versions = stored.versions[deal.deal_id]
    try:
        yield from _belonging_findings(deal, versions, stored.reviews[deal.deal_id])
        yield from _current_findings(deal, versions)
        yield from _act_findings(versions)
        counts = stored.paid.get(deal.number, {})
        pays = _paid(versions[-1]) if versions and not deal.voided else {}
        if counts != pays:
            yield f"counts {stored.payouts_text(counts)}, but pays {stored.payouts_text(pays)}"
        yield from _review_findings(deal, versions, stored.reviews[deal.deal_id])
        if state is not None:
            yield from _rules_findings(stored, deal, versions, state, balances, former=former)
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


def _current_findings(deal: models.DealRow, versions: list[models.DealVersion]) -> Iterator[str]:
    """Check that versions are numbered from 1 without gaps, and the deal agrees with its newest."""
    numbers = [version.version for version in versions]
    if numbers != list(range(1, len(numbers) + 1)) or not numbers:
        yield f"its versions are numbered {numbers}"
    if numbers and deal.version != numbers[-1]:
        yield f"version {deal.version} is stored as current, but the newest is {numbers[-1]}"
    for name in ("voided", "outcome", "dealer") if versions else ():
        current, newest = getattr(deal, name), getattr(versions[-1], name)
        if current != newest:
            yield f"{name} is {current}, but {newest} in its newest version"
    if versions and deal.recorded_at != versions[0].at:
        yield f"it was recorded at {deal.recorded_at}, but its first version at {versions[0].at}"
    if deal.amended != any(version.act == "amend" for version in versions):
        yield f"amended is {deal.amended}, but its versions say otherwise"


def _act_findings(versions: list[models.DealVersion]) -> Iterator[str]:
    """Check that a deal was recorded first, and that each act was possible then."""
    befores: list[models.DealVersion | None] = [None, *versions]
    for before, after in zip(befores, versions, strict=False):
        act, voided = VERSIONS.get(after.act, Act), None if before is None else before.voided
        if (voided, after.voided) not in act.follows:
            yield f"version {after.version} cannot be an act {after.act}"
        if before is not None and act.copies and _content(before) != _content(after):
            yield f"version {after.version} changes more than {after.act} can"
        if before is not None and before.dealer != after.dealer and after.change is None:
            yield f"version {after.version} has another dealer"


def _content(version: models.DealVersion) -> tuple[Any, ...]:
    return version.outcome, version.sits_out, version.stored, version.payouts


def _review_findings(
    deal: models.DealRow, versions: list[models.DealVersion], reviews: list[models.ReviewRow]
) -> Iterator[str]:
    """Check that each review is of a version current then, in order, and the open disputes."""
    numbers = [review.review for review in reviews]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"its reviews are numbered {numbers}"
    voided = {version.version: version.voided for version in versions}
    for before, review in zip([None, *reviews], reviews, strict=False):
        name = f"review {review.review}"
        if review.version not in voided:
            yield f"{name} is of version {review.version}, which is not there"
        elif voided[review.version]:
            yield f"{name} is of version {review.version}, which was voided"
        if before is not None and before.version > review.version:
            yield f"{name} is of an older version than the one before"
        if review.kind == DISPUTE and not (review.reason or review.proposal):
            yield f"{name} disputes it without a reason"
    disputed = not deal.voided and bool(open_disputes(versions, reviews))
    if deal.disputed != disputed:
        yield f"disputed is {deal.disputed}, but its reviews and versions say otherwise"


def _rules_findings(
    stored: StoredSession,
    deal: models.DealRow,
    versions: list[models.DealVersion],
    state: SessionState,
    balances: Mapping[int, int],
    *,
    former: list[chains.Discrepancy],
) -> Iterator[str]:
    """Judge each version by the rules of its time; ``balances`` are those before the deal."""
    entry: JudgedDeal | None = None
    names = NUMBERS[: len(state.names)]
    before = {Seat(seat): n for seat, n in balances.items()} if state.game.balances_count else None
    # What others wrote since has changed the balances, and who was out, for an older version.
    for version in versions[-1:] if state.game.eliminates else versions:
        terms = state.evening.terms_at(deal.number, version.serial)
        active = tuple(seat for seat in terms.order if seat not in version.sits_out)
        balances_then = before if version is versions[-1] else None
        table = Table(terms.rules, names, active, terms.order, balances_then)
        if len(active) not in state.game.seating(table.rules).playing:
            yield f"version {version.version} has {counted(len(active), 'player')}"
        entry, problems = judge(state.game, table, Outcome(version.outcome), version.stored)
        pays = _paid(version)
        if version.outcome == Outcome.PLAYED and (entry is None or entry.paid != pays):
            before_today = judged_formerly(state.game, table, version.stored)
            if before_today is not None and before_today.paid == pays:
                entry, what = before_today, f"version {version.version} is {FORMERLY}"
                former.append(chains.Discrepancy(deal.number, what))
        yield from _version_findings(stored, version, entry, problems)
    if entry is None:
        return
    if (deal.bid, deal.made) != (entry.bid, entry.made):
        current, newest = f"{deal.bid}, {deal.made}", f"{entry.bid}, {entry.made}"
        yield f"bid and made are {current}, but {newest} in its newest version"
    roles = {int(seat): entry.roles.get(seat, "") for seat in (() if deal.voided else entry.paid)}
    if stored.roles.get(deal.number, {}) != roles:
        yield "its payouts have other roles than its newest version"


def _version_findings(
    stored: StoredSession,
    version: models.DealVersion,
    entry: JudgedDeal | None,
    problems: Sequence[Problem],
) -> Iterator[str]:
    name, pays = f"version {version.version}", _paid(version)
    text = stored.payouts_text(pays)
    if entry is None:
        yield f"{name} breaks the rules: {problem_texts(problems)}"
    elif entry.paid != pays:
        yield f"{name} pays {text}, but by its rules {stored.payouts_text(entry.paid)}"
    outcome = Outcome(version.outcome)
    sums_to_zero = not outcome.counts
    if entry is not None and outcome is Outcome.AGREED:
        sums_to_zero = entry.game.cancels(entry.table.rules)
    elif entry is not None and outcome is Outcome.PLAYED:
        labels = entry.game.balance_checks(entry.table.rules).get("zero_sum", {})
        alone = "alone" in entry.roles.values()
        sums_to_zero = bool(labels.get("alone" if alone else "partnered", False))
    if sum(pays.values()) != 0 and sums_to_zero:
        yield f"{name} does not sum to zero: {text}"


def chain_entries(stored: StoredSession) -> Iterator[chains.ChainEntry]:
    """Yield all rows of a session's chain, unordered; a deal under way has no number yet."""
    numbers = {deal.deal_id: deal.number for deal in stored.deals}
    of_deals = chain(*stored.versions.values(), *stored.reviews.values(), stored.tricks)
    for row in chain(stored.changes, of_deals):
        name, column = chains.CHAINED[row.__tablename__]
        number = numbers.get(row.deal_id) if hasattr(row, "deal_id") else None
        yield chains.ChainEntry(number, name.format(getattr(row, column)), row)


def _replay_findings(
    stored: StoredSession, state: SessionState, former: Collection[int]
) -> Iterator[str]:
    """Check that the session's file, replayed, comes to the same balances and end.

    ``former`` deals are not in a replay as they were paid: with one, the deals are booked again.
    """
    circle_id, session_id = stored.row.circle_id, stored.row.session_id
    try:
        document = session_file(state)
        evening, problems = _booked(state, former) if former else played(document)[:2]
    except chains.DAMAGE as error:
        yield f"cannot be exported: {error!r}"
        return
    if evening is None:
        yield f"cannot be replayed: {problems[0].field}"
        return
    balances = queries.session.balances(circle_id, session_id)
    if evening.totals != balances:
        text = stored.payouts_text(balances)
        yield f"balances are {text}, but replayed {stored.payouts_text(evening.totals)}"
    standing = [deal.number for deal in stored.deals if not deal.voided]
    ended = evening.ended
    if ended is not None and not former:
        ended = standing[ended - 1]
    if ended != stored.row.finished_number:
        yield f"deal {stored.row.finished_number} is stored as the last, but replayed deal {ended}"


def _booked(state: SessionState, former: Collection[int]) -> tuple[Evening, Sequence[Problem]]:
    """Book the deals again as they are paid, each judged anew but those ``former`` ones."""
    evening = state.evening.begun()
    standing = (deal for deal in state.deals if not deal.voided)
    evening.book_again(standing, anew=lambda number: number not in former)
    return evening, ()


def _paid(version: models.DealVersion) -> dict[Seat, int]:
    return {Seat(int(seat)): amount for seat, amount in version.payouts.items()}
