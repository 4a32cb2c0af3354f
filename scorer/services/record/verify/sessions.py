"""What differs in a session: its numbers and deals, what they pay, its chain, and its replay."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

from scorer.errors import Problem, ScorerError
from scorer.evening.entry import NOT_PLAYED
from scorer.games import find_game
from scorer.operations import replay
from scorer.rules.game import Game, Outcome, Table, read_penalty
from scorer.rules.seats import Seat
from scorer.services.book.state import NUMBERS, SessionState, state_of
from scorer.services.book.writing import OFFENDER
from scorer.services.deals.reviews import DISPUTE, open_disputes
from scorer.services.files.session_file import ending_deal, session_file
from scorer.storage import chain, models, queries
from scorer.storage.queries.book import SeatRow
from scorer.texts import say, signed

#: What reading a damaged row may raise; out of a generator StopIteration comes as a RuntimeError.
DAMAGE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RuntimeError,
    ScorerError,
    StopIteration,
    TypeError,
    ValueError,
)
#: Which act may follow on what: whether the deal was voided before (None: there was none), and is.
LAWFUL: dict[str, set[tuple[bool | None, bool]]] = {
    "record": {(None, False)},
    "amend": {(False, False), (True, True)},
    "void": {(False, True)},
    "restore": {(True, False)},
}
COPYING = {"void", "restore"}
#: How many missing entries are named: a damaged count may be any number.
MOST_NAMED = 10


class SessionFinding(NamedTuple):
    """Something that differs: in which deal, if in one, and what."""

    number: int | None
    what: str


@dataclass(frozen=True, slots=True)
class StoredSession:
    """All rows of a session, versions and reviews by the key of their deal, oldest first.

    ``paid`` and ``roles`` are by the number of the deal and by seat.
    ``start`` is the hash of the journal entry that started it, where there is one.
    """

    row: models.CardSession
    seats: list[SeatRow]
    deals: list[models.Deal]
    versions: defaultdict[UUID, list[models.DealVersion]]
    reviews: defaultdict[UUID, list[models.Review]]
    changes: list[models.SessionChange]
    tricks: list[models.TrickRecord]
    started: models.StartedDeal | None
    start: str | None
    paid: dict[int, dict[int, int]]
    roles: dict[int, dict[int, str]]

    def balances_before(self, number: int) -> dict[Seat, int]:
        """Return everybody's balance before a deal."""
        balances = {Seat(seat.seat): seat.opening for seat in self.seats}
        for counted, payouts in self.paid.items():
            for seat, amount in payouts.items() if counted < number else ():
                balances[Seat(seat)] += amount
        return balances

    def payouts_text(self, payouts: Mapping[Seat, int] | Mapping[int, int]) -> str:
        """Format payouts as names with figures."""
        names = {seat.seat: seat.name for seat in self.seats}
        texts = (f"{names.get(seat, seat)} {signed(n)}" for seat, n in sorted(payouts.items()))
        return ", ".join(texts) or "nobody"


class Rescored(NamedTuple):
    """What the game pays for a version now, or why it can't; whether that should sum to zero.

    ``roles``, ``bid`` and ``made`` are what the tables keep beside the sheet.
    """

    pays: Mapping[Seat, int]
    problems: list[Problem]
    zero_sum: bool
    roles: Mapping[Seat, str] = MappingProxyType({})
    bid: str | None = None
    made: bool | None = None


def read_session(row: models.CardSession) -> StoredSession:
    """Read everything that is stored of a session."""
    circle_id, session_id = row.circle_id, row.session_id
    paid: dict[int, dict[int, int]] = {}
    roles: dict[int, dict[int, str]] = {}
    for payout in queries.record.stored_payouts(circle_id, session_id):
        paid.setdefault(payout.number, {})[payout.seat] = payout.amount
        roles.setdefault(payout.number, {})[payout.seat] = payout.role
    started = queries.record.entries_about(circle_id, "card_session", str(session_id))
    return StoredSession(
        row=row,
        seats=queries.book.seats(circle_id, session_id),
        deals=queries.record.stored_deals(circle_id, session_id),
        versions=queries.record.stored_versions(circle_id, session_id),
        reviews=queries.record.stored_reviews(circle_id, session_id),
        changes=queries.book.session_changes(circle_id, session_id),
        tricks=queries.record.stored_tricks(circle_id, session_id),
        started=queries.book.started_deal(circle_id, session_id),
        start=started[0].chain if started else None,
        paid=paid,
        roles=roles,
    )


def session_findings(stored: StoredSession) -> Iterator[SessionFinding]:
    """Check a session: numbers, rules, every deal, the chain, and the balances by a replay."""
    yield from _number_findings(stored)
    try:
        state = _open(stored)
    except DAMAGE as error:
        state = None
        yield SessionFinding(None, f"the rules cannot be read: {error!r}")
    for deal in stored.deals:
        yield from (
            SessionFinding(deal.number, what) for what in _deal_findings(stored, deal, state)
        )
    row, start = stored.row, stored.start or ""
    yield from chain_findings(chain_entries(stored), start, count=row.written, end=row.chain)
    if len(stored.changes) != row.changes:
        counted = f"{len(stored.changes)} changes, but {row.changes} are counted"
        yield SessionFinding(None, f"there are {counted}")
    if state is not None:
        yield from _started_findings(stored, state)
        yield from (SessionFinding(None, what) for what in _replay_findings(stored))


def _number_findings(stored: StoredSession) -> Iterator[SessionFinding]:
    """The deals are numbered from 1 without gaps, and the next number is the one after."""
    numbers, following = [deal.number for deal in stored.deals], stored.row.next_number
    if numbers != list(range(1, len(numbers) + 1)):
        yield SessionFinding(None, f"the deals are numbered {numbers}")
    if following != len(numbers) + 1:
        yield SessionFinding(None, f"deal {following} is said to be the next of {len(numbers)}")
    for number in sorted(stored.paid.keys() - set(numbers)):
        yield SessionFinding(number, "is paid but not there")
    if stored.started is not None and stored.started.number != following:
        what = f"is under way, but the next is {following}"
        yield SessionFinding(stored.started.number, what)


def _started_findings(stored: StoredSession, state: SessionState) -> Iterator[SessionFinding]:
    """The deal under way is dealt by whose turn it is."""
    started, dealer = stored.started, state.turn.dealer
    if started is not None and started.dealer != dealer:
        yield SessionFinding(started.number, f"is dealt by {started.dealer}, but {dealer} deals")


def _open(stored: StoredSession) -> SessionState:
    """Open a session whose rules can be read; raise one of DAMAGE."""
    game = find_game(stored.row.game)
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
        raise ValueError(f"{len(began)} seats")
    return state_of(stored.row)


def problem_texts(problems: Sequence[Problem]) -> str:
    """Format problems on one line."""
    return "; ".join(f"{problem.field}: {problem.message}" for problem in problems)


def _deal_findings(
    stored: StoredSession, deal: models.Deal, state: SessionState | None
) -> Iterator[str]:
    versions = stored.versions[deal.deal_id]
    try:
        yield from _current_findings(deal, versions)
        yield from _act_findings(versions)
        yield from _payout_findings(stored, deal, versions)
        yield from _review_findings(deal, versions, stored.reviews[deal.deal_id])
        if state is not None:
            yield from _score_findings(stored, deal, versions, state)
    except DAMAGE as error:
        yield f"cannot be read: {error!r}"


def _current_findings(deal: models.Deal, versions: list[models.DealVersion]) -> Iterator[str]:
    """The versions are numbered from 1 without gaps, and the deal says what its newest one says."""
    numbers = [version.version for version in versions]
    if numbers != list(range(1, len(numbers) + 1)) or not numbers:
        yield f"its versions are numbered {numbers}"
    if numbers and deal.version != numbers[-1]:
        yield f"version {deal.version} is said to stand, but the newest is {numbers[-1]}"
    for name in ("voided", "outcome", "dealer") if versions else ():
        current, newest = getattr(deal, name), getattr(versions[-1], name)
        if current != newest:
            yield f"{name} is {current}, but {newest} in its newest version"
    if versions and deal.recorded_at != versions[0].at:
        yield f"it was recorded at {deal.recorded_at}, but its first version at {versions[0].at}"
    if deal.amended != any(version.act == "amend" for version in versions):
        yield f"amended is {deal.amended}, but its versions say otherwise"


def _act_findings(versions: list[models.DealVersion]) -> Iterator[str]:
    """Recorded first, voided only while it stands, restored only while voided."""
    befores: list[models.DealVersion | None] = [None, *versions]
    for before, after in zip(befores, versions, strict=False):
        voided = None if before is None else before.voided
        if (voided, after.voided) not in LAWFUL.get(after.act, set()):
            yield f"version {after.version} cannot be of the kind {after.act}"
        if before is not None and after.act in COPYING and _content(before) != _content(after):
            yield f"version {after.version} changes more than {after.act} can"
        if before is not None and before.dealer != after.dealer and after.change is None:
            yield f"version {after.version} has another dealer"


def _content(version: models.DealVersion) -> tuple[Any, ...]:
    return version.outcome, version.sits_out, version.sheet, version.payouts


def _payout_findings(
    stored: StoredSession, deal: models.Deal, versions: list[models.DealVersion]
) -> Iterator[str]:
    """What counts is what the newest version pays, or nothing while the deal is voided."""
    counts = stored.paid.get(deal.number, {})
    pays = _by_seat(versions[-1]) if versions and not deal.voided else {}
    if counts != pays:
        yield f"counts {stored.payouts_text(counts)}, but pays {stored.payouts_text(pays)}"


def _by_seat(version: models.DealVersion) -> dict[int, int]:
    return {int(seat): amount for seat, amount in version.payouts.items()}


def _review_findings(
    deal: models.Deal, versions: list[models.DealVersion], reviews: list[models.Review]
) -> Iterator[str]:
    """Each review is of a version that counted, in their order; the deal knows what is open."""
    serials = [review.serial for review in reviews]
    if serials != list(range(1, len(serials) + 1)):
        yield f"its reviews are numbered {serials}"
    voided = {version.version: version.voided for version in versions}
    for before, review in zip([None, *reviews], reviews, strict=False):
        name = f"review {review.serial}"
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


def _score_findings(
    stored: StoredSession,
    deal: models.Deal,
    versions: list[models.DealVersion],
    state: SessionState,
) -> Iterator[str]:
    """Score every version again, by the rules it was written by and the program as it is now."""
    rescored = Rescored({}, [], zero_sum=False)
    # Where it counts who was out, what others wrote since has changed that for an older version.
    for version in versions[-1:] if state.game.eliminates else versions:
        table = _table(stored, state, deal, version)
        if len(table.active) not in state.game.seating(table.rules).playing:
            yield f"version {version.version} has {len(table.active)} players"
        rescored = _rescore(version, state.game, table)
        yield from _version_findings(stored, version, rescored)
    if not rescored.problems:
        yield from _history_findings(stored, deal, rescored)


def _table(
    stored: StoredSession, state: SessionState, deal: models.Deal, version: models.DealVersion
) -> Table[Any]:
    terms = state.terms(deal.number, version.serial)
    active = tuple(seat for seat in terms.order if seat not in version.sits_out)
    balances = stored.balances_before(deal.number) if state.game.eliminates else None
    return Table(terms.rules, NUMBERS[: len(state.names)], active, terms.order, balances)


def _rescore(version: models.DealVersion, game: Game[Any, Any], table: Table[Any]) -> Rescored:
    outcome = Outcome(version.outcome)
    if outcome is Outcome.PENALTY:
        penalty, problems = read_penalty(version.sheet, table)
        score = game.penalty(penalty.offender, table) if penalty else NOT_PLAYED
        roles = {penalty.offender: OFFENDER} if penalty else {}
        return Rescored(score.payouts, problems, zero_sum=True, roles=roles)
    if outcome is not Outcome.PLAYED:
        message = say("A deal that was not played has no sheet.")
        unexpected = (
            [] if version.sheet is None else [Problem("unexpected-sheet", "sheet", message)]
        )
        return Rescored({}, unexpected, zero_sum=True)
    sheet, problems = game.read_sheet(version.sheet, table)
    if sheet is None:
        return Rescored({}, problems, zero_sum=False)
    labels, roles = game.balance_checks(table.rules).get("zero_sum", {}), game.roles(sheet)
    zero_sum = labels.get("alone" if "alone" in roles.values() else "partnered", False)
    score = game.score(sheet, table)
    return Rescored(score.payouts, [], zero_sum, roles, game.bid(sheet), score.made)


def _version_findings(
    stored: StoredSession, version: models.DealVersion, rescored: Rescored
) -> Iterator[str]:
    name, pays = f"version {version.version}", _by_seat(version)
    text = stored.payouts_text(pays)
    if rescored.problems:
        yield f"{name} is not lawful: {problem_texts(rescored.problems)}"
    elif rescored.pays != pays:
        yield f"{name} pays {text}, but by its rules {stored.payouts_text(rescored.pays)}"
    if rescored.zero_sum and sum(pays.values()) != 0:
        yield f"{name} does not sum to zero: {text}"


def _history_findings(
    stored: StoredSession, deal: models.Deal, rescored: Rescored
) -> Iterator[str]:
    """Bid, made and roles, which the history asks for, are those of the newest version."""
    if (deal.bid, deal.made) != (rescored.bid, rescored.made):
        current, newest = f"{deal.bid}, {deal.made}", f"{rescored.bid}, {rescored.made}"
        yield f"bid and made are {current}, but {newest} in its newest version"
    seats = () if deal.voided else rescored.pays
    roles = {int(seat): rescored.roles.get(seat, "") for seat in seats}
    if stored.roles.get(deal.number, {}) != roles:
        yield "its payouts tell other roles than its newest version"


@dataclass(frozen=True, slots=True)
class ChainEntry:
    """Something that was written: its place in the chain, its hash, and its canonical text."""

    number: int | None
    name: str
    serial: int
    chain: str
    canonical: Callable[[], str]


def chain_findings(
    entries: Iterable[ChainEntry], start: str, *, count: int, end: str
) -> Iterator[SessionFinding]:
    """What was written is what was chained, in that order, and nothing is missing at the end."""
    entries = sorted(entries, key=lambda one: one.serial)
    serials = {one.serial for one in entries}
    if (missing := count - sum(1 <= serial <= count for serial in serials)) > 0:
        first = islice((n for n in range(1, count + 1) if n not in serials), MOST_NAMED)
        names = ", ".join(map(str, first))
        more = f" and {missing - MOST_NAMED} more" if missing > MOST_NAMED else ""
        yield SessionFinding(None, f"of {count} entries the chain misses {names}{more}")
    before = start
    for one in entries:
        if not _is_chained(before, one):
            yield SessionFinding(one.number, f"{one.name} is not as it was chained")
        before = one.chain
    if (before, len(entries)) != (end, count):
        yield SessionFinding(None, "its chain does not end where it should")


def chain_entries(stored: StoredSession) -> Iterator[ChainEntry]:
    """Give all that was written in a session, in no order; a deal under way has no number yet."""
    for deal in stored.deals:
        for version in stored.versions[deal.deal_id]:
            text = partial(chain.canonical, deal, version)
            name = f"version {version.version}"
            yield ChainEntry(deal.number, name, version.serial, version.chain, text)
        for review in stored.reviews[deal.deal_id]:
            text = partial(chain.canonical_review, deal.session_id, review)
            name = f"review {review.serial}"
            yield ChainEntry(deal.number, name, review.chained, review.chain, text)
    for change in stored.changes:
        text = partial(chain.canonical_change, change)
        name = f"the change from deal {change.from_number} on"
        yield ChainEntry(None, name, change.serial, change.chain, text)
    numbers = {deal.deal_id: deal.number for deal in stored.deals}
    for tricks in stored.tricks:
        text, number = partial(chain.canonical_tricks, tricks), numbers.get(tricks.deal_id)
        name = f"version {tricks.version} of the cards"
        yield ChainEntry(number, name, tricks.chained, tricks.chain, text)


def _is_chained(before: str, one: ChainEntry) -> bool:
    try:
        return one.chain == chain.link(before, one.canonical())
    except DAMAGE:
        return False


def _replay_findings(stored: StoredSession) -> Iterator[str]:
    """The session's file, replayed, comes to the same balances and the same end."""
    circle_id, session_id = stored.row.circle_id, stored.row.session_id
    try:
        answer = replay(session_file(circle_id, session_id))
    except DAMAGE as error:
        yield f"cannot be exported: {error!r}"
        return
    if not answer["ok"]:
        yield f"cannot be replayed: {answer['problems'][0]['field']}"
        return
    names = {seat.name: seat.seat for seat in stored.seats}
    replayed = {names[line["player"]]: line["balance"] for line in answer["standings"]}
    balances = queries.book.balances(circle_id, session_id)
    if replayed != balances:
        text = stored.payouts_text(balances)
        yield f"balances are {text}, but replayed {stored.payouts_text(replayed)}"
    ended = _replayed_end(stored, answer)
    if ended != stored.row.finished_number:
        yield f"deal {stored.row.finished_number} is said to end it, but replayed deal {ended}"


def _replayed_end(stored: StoredSession, answer: dict[str, Any]) -> int | None:
    """The deal at which the replay came to the end: what followed was played on."""
    standing = [deal.number for deal in stored.deals if not deal.voided]
    place = ending_deal(answer, len(standing))
    return None if place is None else standing[place - 1]
