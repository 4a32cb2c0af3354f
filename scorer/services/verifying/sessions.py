"""What differs in a session: its numbers and deals, what they pay, what replaying them gives."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.errors import Problem
from scorer.rules.game import Outcome, Table, read_penalty
from scorer.services.open_table import NUMBERS
from scorer.services.session_file import session_file
from scorer.services.verifying.chains import chain_findings
from scorer.services.verifying.kept import DAMAGE, Finding, opened, said
from scorer.services.verifying.said import opinion_findings
from scorer.services.writing import OFFENDER
from scorer.storage import queries
from scorer.texts import say
from scorer.verbs import replay
from scorer.verbs.replaying import NOT_PLAYED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scorer.rules.game import Game
    from scorer.rules.seats import Seat
    from scorer.services.open_table import OpenTable
    from scorer.services.verifying.kept import Kept
    from scorer.storage import models

#: Which act may follow on what: whether the deal was voided before (None: there was none), and is.
LAWFUL: dict[str, set[tuple[bool | None, bool]]] = {
    "record": {(None, False)},
    "amend": {(False, False), (True, True)},
    "void": {(False, True)},
    "restore": {(True, False)},
}
COPYING = {"void", "restore"}


class Again(NamedTuple):
    """What the game pays now, or why it can't; whether the table is labelled zero-sum.

    With it comes what is kept beside the sheet: who was what, what was bid, and whether it was
    made.
    """

    pays: Mapping[Seat, int]
    problems: list[Problem]
    zero_sum: bool
    roles: Mapping[Seat, str] = MappingProxyType({})
    bid: str | None = None
    made: bool | None = None


def session_findings(kept: Kept) -> Iterator[Finding]:
    """Look at one session from all sides."""
    yield from _numbers(kept)
    try:
        here = opened(kept)
    except DAMAGE as error:
        here = None
        yield Finding(None, f"the rules cannot be read: {error!r}")
    for deal in kept.deals:
        yield from (Finding(deal.number, what) for what in _deal_findings(kept, deal, here))
    yield from chain_findings(kept)
    if here is not None:
        yield from (Finding(None, what) for what in _replay_findings(kept))


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


def _deal_findings(kept: Kept, deal: models.Deal, here: OpenTable | None) -> Iterator[str]:
    versions = kept.versions_of(deal)
    try:
        yield from _links(deal, versions)
        yield from _acts(versions)
        yield from _rows(kept, deal, versions)
        yield from opinion_findings(deal, versions, kept.opinions_of(deal))
        if here is not None:
            yield from _payments(kept, deal, versions, here)
    except DAMAGE as error:
        yield f"cannot be read: {error!r}"


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
        if before is not None and before.dealer != after.dealer and after.change is None:
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


def _payments(
    kept: Kept, deal: models.Deal, versions: list[models.DealVersion], here: OpenTable
) -> Iterator[str]:
    """Pay every version again, by the rules it was written by and the program as it is now."""
    again = Again({}, [], zero_sum=False)
    # Where it counts who was out, what others wrote since has changed that for an older version.
    for version in versions[-1:] if here.game.eliminates else versions:
        table = _table(kept, here, deal, version)
        if not here.game.plays(len(table.active), table.rules):
            yield f"version {version.version} has {len(table.active)} players"
        again = _paid_again(version, here.game, table)
        yield from _payment(kept, version, again)
    if not again.problems:
        yield from _asked(kept, deal, again)


def _table(
    kept: Kept, here: OpenTable, deal: models.Deal, version: models.DealVersion
) -> Table[Any]:
    stretch = here.stretch(deal.number, version.serial)
    active = tuple(seat for seat in stretch.order if seat not in version.sits_out)
    balances = kept.balances_before(deal.number) if here.game.eliminates else None
    return Table(stretch.rules, NUMBERS[: len(here.names)], active, stretch.order, balances)


def _payment(kept: Kept, version: models.DealVersion, again: Again) -> Iterator[str]:
    name, pays = f"version {version.version}", _by_seat(version)
    if again.problems:
        yield f"{name} is not lawful: {said(again.problems)}"
    elif again.pays != pays:
        yield f"{name} pays {kept.said(pays)}, but by its rules {kept.said(again.pays)}"
    if again.zero_sum and sum(pays.values()) != 0:
        yield f"{name} does not sum to zero: {kept.said(pays)}"


def _asked(kept: Kept, deal: models.Deal, again: Again) -> Iterator[str]:
    """What the history asks for is what the newest version says."""
    if (deal.bid, deal.made) != (again.bid, again.made):
        stands, newest = f"{deal.bid}, {deal.made}", f"{again.bid}, {again.made}"
        yield f"bid and made are {stands}, but {newest} in its newest version"
    seats = () if deal.voided else again.pays
    roles = {int(seat): again.roles.get(seat, "") for seat in seats}
    if kept.roles.get(deal.number, {}) != roles:
        yield "its payouts tell other roles than its newest version"


def _paid_again(version: models.DealVersion, game: Game[Any, Any], table: Table[Any]) -> Again:
    outcome = Outcome(version.outcome)
    if outcome is Outcome.PENALTY:
        penalty, problems = read_penalty(version.sheet, table)
        score = game.penalty(penalty.offender, table) if penalty else NOT_PLAYED
        roles = {penalty.offender: OFFENDER} if penalty else {}
        return Again(score.payouts, problems, zero_sum=True, roles=roles)
    if outcome is not Outcome.PLAYED:
        return Again({}, _no_sheet(version), zero_sum=True)
    sheet, problems = game.read_sheet(version.sheet, table)
    if sheet is None:
        return Again({}, problems, zero_sum=False)
    labels = game.balance_checks(table.rules).get("zero_sum", {})
    kind = "alone" if "alone" in game.roles(sheet).values() else "partnered"
    score, zero_sum = game.score(sheet, table), labels.get(kind, False)
    return Again(score.payouts, [], zero_sum, game.roles(sheet), game.bid(sheet), score.made)


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
