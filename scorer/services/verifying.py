"""Verifying: every stored deal is paid again, and what must always hold is looked at.

Session by session, each seen at one moment, so that a server may go on writing meanwhile. What is
found is said in English, for whoever looks after the server.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from typing import Any
from typing import NamedTuple
from typing import TypeVar
from uuid import UUID

from sqlalchemy.exc import SQLAlchemyError

from scorer.errors import Problem
from scorer.errors import ScorerError
from scorer.games import find_game
from scorer.rules.game import Outcome
from scorer.rules.game import Table
from scorer.rules.game import read_penalty
from scorer.rules.seats import Seat
from scorer.rules.seats import all_seats
from scorer.services.lines import one_line
from scorer.services.session_file import session_file
from scorer.services.sessions import NUMBERS
from scorer.storage import chain
from scorer.storage import damages
from scorer.storage import models
from scorer.storage import one_moment
from scorer.storage import queries
from scorer.storage import transfer
from scorer.storage.queries import SeatRow
from scorer.texts import say
from scorer.texts import signed
from scorer.verbs import replay
from scorer.verbs.replaying import NOT_PLAYED

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator
    from collections.abc import Mapping

    from scorer.rules.game import Game

AnySeat = TypeVar("AnySeat", bound=int)

DAMAGE = (ArithmeticError, AttributeError, LookupError, ScorerError, TypeError, ValueError)
#: Which act may follow on what: whether the deal was voided before (None: there was none), and is.
LAWFUL: dict[str, set[tuple[bool | None, bool]]] = {
    "record": {(None, False)},
    "amend": {(False, False), (True, True)},
    "void": {(False, True)},
    "restore": {(True, False)},
}
COPYING = {"void", "restore"}


@dataclass(slots=True)
class Count:
    """What was looked at, and how much of it differs."""

    circles: int = 0
    sessions: int = 0
    deals: int = 0
    versions: int = 0
    findings: int = 0

    def __str__(self) -> str:
        looked_at = (f"{self.circles} circles, {self.sessions} sessions, {self.deals} deals, "
                     f"{self.versions} versions")  # fmt: skip
        return f"{looked_at}: {self.findings or 'nothing'} to look at."


class Setting(NamedTuple):
    """By which game and rules a session is paid, at how many seats."""

    game: Game[Any, Any]
    rules: Any
    seats: int


@dataclass(frozen=True, slots=True)
class Kept:
    """A session as it is stored."""

    row: models.CardSession
    seats: list[SeatRow]
    deals: list[models.Deal]
    versions: dict[UUID, list[models.DealVersion]]
    paid: dict[int, dict[int, int]]

    def versions_of(self, deal: models.Deal) -> list[models.DealVersion]:
        """The versions of a deal, oldest first."""
        return self.versions.get(deal.deal_id, [])

    def said(self, payouts: Mapping[AnySeat, int]) -> str:
        """Tell payouts in a few words."""
        names = {seat.seat: seat.name for seat in self.seats}
        told = (f"{names.get(seat, seat)} {signed(n)}" for seat, n in sorted(payouts.items()))
        return ", ".join(told) or "nobody"


class Again(NamedTuple):
    """What the game pays now, or why it can't, and whether the table is labelled zero-sum."""

    pays: Mapping[Seat, int]
    problems: list[Problem]
    zero_sum: bool


class Finding(NamedTuple):
    """Something that differs: in which deal, if in one, and what."""

    number: int | None
    what: str


def verify(tell: Callable[[str], None]) -> Count:
    """Look at everything that is stored; ``tell`` takes each finding as a line."""
    count = Count()

    def found(where: str, what: str) -> None:
        count.findings += 1
        tell(one_line(f"{where}: {what}"))

    for what in _readable(_database_findings):
        found("database", what)
    try:
        with one_moment():
            circle_ids = queries.circle_ids()
        for circle_id in circle_ids:
            _verify_circle(circle_id, count, found)
    except (*DAMAGE, SQLAlchemyError) as error:
        found("database", f"cannot be read: {error!r}")
    return count


def _database_findings() -> Iterator[str]:
    """What SQLite finds broken in its file, rows that nobody wrote, and rows of nothing."""
    yield from damages()
    with one_moment():
        yield from transfer.unreadable()
        for stray in queries.strays():
            yield f"{stray.rows} rows of {stray.table} name a {stray.named} that is not there"


def _readable(findings: Callable[[], Iterator[str]]) -> Iterator[str]:
    """Give findings for as long as they can be looked for: the last one is that they can't."""
    try:
        yield from findings()
    except (*DAMAGE, SQLAlchemyError) as error:
        yield f"cannot be read: {error!r}"


def circle_findings(circle_id: UUID) -> Iterator[str]:
    """Say what differs in the sessions of one circle, as the transaction under way sees them."""
    for session_id in queries.session_ids(circle_id):
        title, findings = _verify_session(circle_id, session_id, Count())
        for number, what in findings:
            yield one_line(_where(title, number) + f": {what}")


def _where(title: str, number: int | None) -> str:
    return title if number is None else f"{title} · deal {number}"


def _verify_circle(circle_id: UUID, count: Count, found: Callable[[str, str], None]) -> None:
    with one_moment():
        circle = queries.circle(circle_id)
        name = circle.name if circle else str(circle_id)
        session_ids = queries.session_ids(circle_id)
    count.circles += 1
    for session_id in session_ids:
        count.sessions += 1
        with one_moment():
            title, findings = _verify_session(circle_id, session_id, count)
        for number, what in findings:
            found(f"{name} · {_where(title, number)}", what)


def _verify_session(circle_id: UUID, session_id: UUID, count: Count) -> tuple[str, list[Finding]]:
    """Look at one session; give its title and what differs."""
    title, findings = str(session_id), list[Finding]()
    try:
        row = queries.session(circle_id, session_id)
        if row is not None:
            title = row.title
            kept = _kept(row)
            count.deals += len(kept.deals)
            count.versions += sum(map(len, kept.versions.values()))
            findings += _session_findings(kept)
    except (*DAMAGE, SQLAlchemyError) as error:
        findings.append(Finding(None, f"cannot be read: {error!r}"))
    return title, findings


def _kept(row: models.CardSession) -> Kept:
    circle_id, session_id = row.circle_id, row.session_id
    return Kept(
        row,
        queries.seats(circle_id, session_id),
        queries.stored_deals(circle_id, session_id),
        queries.stored_versions(circle_id, session_id),
        queries.payout_matrix(circle_id, session_id),
    )


def _session_findings(kept: Kept) -> Iterator[Finding]:
    yield from _numbers(kept)
    try:
        setting = _setting(kept)
    except DAMAGE as error:
        setting = None
        yield Finding(None, f"the rules cannot be read: {error!r}")
    for deal in kept.deals:
        yield from (Finding(deal.number, what) for what in _deal_findings(kept, deal, setting))
    yield from _chain_findings(kept)
    if setting is not None:
        yield from (Finding(None, what) for what in _replay_findings(kept))


def _setting(kept: Kept) -> Setting:
    """Read the rules of a session as they are stored; raise one of DAMAGE."""
    game = find_game(kept.row.game)
    rules, problems = game.rules_from(kept.row.rules)
    if problems:
        raise ValueError(_said(problems))
    if [seat.seat for seat in kept.seats] != list(range(len(kept.seats))):
        raise ValueError(f"seats {[seat.seat for seat in kept.seats]}")
    if len(kept.seats) not in game.seat_counts(rules):
        raise ValueError(f"{len(kept.seats)} seats")
    return Setting(game, rules, len(kept.seats))


def _said(problems: list[Problem]) -> str:
    return "; ".join(f"{problem.field}: {problem.message}" for problem in problems)


def _numbers(kept: Kept) -> Iterator[Finding]:
    """The deals are numbered from 1 without gaps, and the next number is the one after."""
    numbers = [deal.number for deal in kept.deals]
    if numbers != list(range(1, len(numbers) + 1)):
        yield Finding(None, f"the deals are numbered {numbers}")
    if kept.row.next_number != len(numbers) + 1:
        yield Finding(None, f"deal {kept.row.next_number} is said to be the next of {len(numbers)}")
    for number in sorted(kept.paid.keys() - set(numbers)):
        yield Finding(number, "is paid but not there")
    started = queries.started_deal(kept.row.circle_id, kept.row.session_id)
    if started is not None and started.number != kept.row.next_number:
        yield Finding(started.number, f"is under way, but the next is {kept.row.next_number}")


def _deal_findings(kept: Kept, deal: models.Deal, setting: Setting | None) -> Iterator[str]:
    versions = kept.versions_of(deal)
    try:
        yield from _links(deal, versions)
        yield from _acts(versions)
        yield from _rows(kept, deal, versions)
        if setting is not None:
            for version in versions:
                yield from _payment(kept, version, setting)
    except DAMAGE as error:
        yield f"cannot be read: {error!r}"


def _chain_findings(kept: Kept) -> Iterator[Finding]:
    """What was written is what was chained, in that order, and nothing is missing at the end."""
    written = [(deal, version) for deal in kept.deals for version in kept.versions_of(deal)]
    written.sort(key=lambda one: one[1].serial)
    serials = [version.serial for _, version in written]
    missing = sorted(set(range(1, kept.row.written + 1)) - set(serials))
    if missing:
        yield Finding(None, f"of {kept.row.written} versions the chain misses {missing}")
    before = chain.START
    for deal, version in written:
        if not _is_chained(before, deal, version):
            yield Finding(deal.number, f"version {version.version} is not as it was chained")
        before = version.chain
    if (before, len(serials)) != (kept.row.chain, kept.row.written):
        yield Finding(None, "the chain of its versions does not end where it should")


def _is_chained(before: str, deal: models.Deal, version: models.DealVersion) -> bool:
    try:
        return version.chain == chain.link(before, deal, version)
    except DAMAGE:
        return False


def _links(deal: models.Deal, versions: list[models.DealVersion]) -> Iterator[str]:
    """The versions are numbered from 1 without gaps, and the deal says what its newest one says."""
    numbers = [version.version for version in versions]
    if numbers != list(range(1, len(numbers) + 1)) or not numbers:
        yield f"its versions are numbered {numbers}"
    if numbers and deal.version != numbers[-1]:
        yield f"version {deal.version} is said to stand, but the newest is {numbers[-1]}"
    for name in ("voided", "outcome", "dealer") if versions else ():
        stands, newest = getattr(deal, name), getattr(versions[-1], name)
        if stands != newest:
            yield f"{name} is {stands}, but {newest} in its newest version"
    if deal.amended != any(version.act == "amend" for version in versions):
        yield f"amended is {deal.amended}, but its versions say otherwise"


def _acts(versions: list[models.DealVersion]) -> Iterator[str]:
    """Recorded first, voided only while it stands, restored only while voided."""
    befores: list[models.DealVersion | None] = [None, *versions]
    for before, after in zip(befores, versions, strict=False):
        voided = None if before is None else before.voided
        if (voided, after.voided) not in LAWFUL.get(after.act, set()):
            yield f"version {after.version} cannot be of the kind {after.act}"
        if before is not None and after.act in COPYING and _content(before) != _content(after):
            yield f"version {after.version} changes more than {after.act} can"
        if before is not None and before.dealer != after.dealer:
            yield f"version {after.version} has another dealer"


def _content(version: models.DealVersion) -> tuple[Any, ...]:
    return version.outcome, version.sits_out, version.sheet, version.payouts


def _rows(kept: Kept, deal: models.Deal, versions: list[models.DealVersion]) -> Iterator[str]:
    """What counts is what the newest version pays, or nothing while the deal is voided."""
    counts = kept.paid.get(deal.number, {})
    pays = _by_seat(versions[-1]) if versions and not deal.voided else {}
    if counts != pays:
        yield f"counts {kept.said(counts)}, but pays {kept.said(pays)}"


def _by_seat(version: models.DealVersion) -> dict[int, int]:
    return {int(seat): amount for seat, amount in version.payouts.items()}


def _payment(kept: Kept, version: models.DealVersion, setting: Setting) -> Iterator[str]:
    """Pay a version again, by the rules of the session and the program as it is now."""
    game, rules, count = setting
    name = f"version {version.version}"
    active = tuple(seat for seat in all_seats(count) if seat not in version.sits_out)
    if len(active) != len(game.active(Seat(version.dealer), all_seats(count), rules)):
        yield f"{name} has {len(active)} players"
    pays = _by_seat(version)
    again = _paid_again(version, game, Table(rules, NUMBERS[:count], active))
    if again.problems:
        yield f"{name} is not lawful: {_said(again.problems)}"
    elif again.pays != pays:
        yield f"{name} pays {kept.said(pays)}, but by its rules {kept.said(again.pays)}"
    if again.zero_sum and sum(pays.values()) != 0:
        yield f"{name} does not sum to zero: {kept.said(pays)}"


def _paid_again(version: models.DealVersion, game: Game[Any, Any], table: Table[Any]) -> Again:
    outcome = Outcome(version.outcome)
    if outcome is Outcome.PENALTY:
        penalty, problems = read_penalty(version.sheet, table)
        score = game.penalty(penalty.offender, table) if penalty else NOT_PLAYED
        return Again(score.payouts, problems, zero_sum=True)
    if outcome is not Outcome.PLAYED:
        return Again({}, _no_sheet(version), zero_sum=True)
    sheet, problems = game.read_sheet(version.sheet, table)
    if sheet is None:
        return Again({}, problems, zero_sum=False)
    labels = game.balance_checks(table.rules).get("zero_sum", {})
    kind = "alone" if "alone" in game.roles(sheet).values() else "partnered"
    return Again(game.score(sheet, table).payouts, [], zero_sum=labels.get(kind, False))


def _no_sheet(version: models.DealVersion) -> list[Problem]:
    if version.sheet is None:
        return []
    return [Problem("unexpected-sheet", "sheet", say("A deal that was not played has no sheet."))]


def _replay_findings(kept: Kept) -> Iterator[str]:
    """The session's file, played again by the verb, comes to the same balances and the same end."""
    circle_id, session_id = kept.row.circle_id, kept.row.session_id
    try:
        answer = replay(session_file(circle_id, session_id))
    except DAMAGE as error:
        yield f"cannot be exported: {error!r}"
        return
    if not answer["ok"]:
        yield f"cannot be replayed: {answer['problems'][0]['field']}"
        return
    names = {seat.name: seat.seat for seat in kept.seats}
    replayed = {names[line["player"]]: line["balance"] for line in answer["standings"]}
    stored = queries.balances(circle_id, session_id)
    if replayed != stored:
        yield f"balances are {kept.said(stored)}, but replayed {kept.said(replayed)}"
    ended = _replayed_end(kept, answer)
    if ended != kept.row.finished_number:
        yield f"deal {kept.row.finished_number} is said to end it, but replayed deal {ended}"


def _replayed_end(kept: Kept, answer: dict[str, Any]) -> int | None:
    """The deal at which the replay came to the end: what followed was played on."""
    standing = [deal.number for deal in kept.deals if not deal.voided]
    played_on = sum(warning["code"] == "played-on" for warning in answer["warnings"])
    return standing[-1 - played_on] if answer["finished"] else None
