"""Writing down: what is said of a deal is read, paid, and put at the end of the session's chain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scorer.errors import InvalidError
from scorer.rules.game import Outcome, read_penalty
from scorer.rules.seats import Seat
from scorer.rules.sheet import write as written_sheet
from scorer.services.circles import Holder
from scorer.services.clock import now
from scorer.services.lines import one_line
from scorer.services.open_table import NUMBERS
from scorer.storage import chain, models, queries, write, write_plain

if TYPE_CHECKING:
    from uuid import UUID

    from scorer.rules.game import Game, Table
    from scorer.services.open_table import OpenTable

OFFENDER = "offender"


@dataclass(frozen=True, slots=True)
class Written:
    """A sound sheet ready to be stored: what it says, what it pays whom, and who was what.

    ``answers`` is the sheet itself, of a deal that was just read.
    """

    outcome: Outcome
    sits_out: tuple[int, ...]
    sheet: dict[str, Any] | None = None
    payouts: Mapping[Seat, int] = field(default_factory=dict)
    roles: Mapping[Seat, str] = field(default_factory=dict)
    bid: str | None = None
    made: bool | None = None
    answers: Any = None


@dataclass(frozen=True, slots=True)
class Act:
    """What somebody does to a deal, on which phone, and why; ``change`` when it follows on one."""

    name: str
    by: Holder
    reason: str = ""
    change: int | None = None


def write_down(
    game: Game[Any, Any], table: Table[Any], outcome: Outcome, sheet: Any, *, times: int = 1
) -> Written:
    """Read what was written for a deal and pay it; raise InvalidError with every problem.

    ``times`` is how often a deal that is played counts, where its sheet doesn't say.
    """
    wrong = game.wrong_count(table.active, table.rules, "")
    if wrong is not None:
        raise InvalidError([wrong])
    sits_out = tuple(seat for seat in table.order if seat not in table.active)
    if outcome is Outcome.PENALTY:
        return _penalty(game, table, sheet, sits_out)
    if outcome is not Outcome.PLAYED:
        return Written(outcome, sits_out)
    answers, problems = game.read_sheet(game.with_times(sheet, times), table)
    if problems:
        raise InvalidError(problems)
    score = game.score(answers, table)
    return Written(
        outcome,
        sits_out,
        game.write_sheet(answers, NUMBERS),
        score.payouts,
        game.roles(answers),
        game.bid(answers),
        score.made,
        answers,
    )


def _penalty(
    game: Game[Any, Any], table: Table[Any], data: Any, sits_out: tuple[int, ...]
) -> Written:
    sheet, problems = read_penalty(data, table)
    if sheet is None:
        raise InvalidError(problems)
    payouts, roles = game.penalty(sheet.offender, table).payouts, {sheet.offender: OFFENDER}
    return Written(Outcome.PENALTY, sits_out, written_sheet(sheet, NUMBERS), payouts, roles)


def put_down(here: OpenTable, key: UUID, dealer: Seat, written: Written, by: Holder) -> None:
    """Write the next deal of a session whose row is locked."""
    row = here.row
    deal = models.Deal(
        circle_id=row.circle_id,
        deal_id=key,
        session_id=row.session_id,
        number=row.next_number,
        outcome=written.outcome,
        dealer=dealer,
        bid=written.bid,
        made=written.made,
        recorded_at=now(),
    )
    write(deal, _version(here, deal, Act("record", by), written))
    _pay(deal, written)
    row.next_number += 1
    row.version += 1


def rewrite(here: OpenTable, deal: models.Deal, act: Act, written: Written) -> None:
    """Write the next version of a deal; what it paid before, it pays no longer."""
    deal.version += 1
    deal.outcome, deal.bid, deal.made = written.outcome.value, written.bid, written.made
    write(_version(here, deal, act, written))
    queries.drop_payouts(deal.circle_id, deal.session_id, deal.number)
    if not deal.voided:
        _pay(deal, written)


def as_it_stands(here: OpenTable, deal: models.Deal, stands: queries.DealRow) -> Written:
    """Give what a deal says already, to be written once more."""
    payouts = {Seat(seat): amount for seat, amount in stands.payouts.items()}
    return Written(
        Outcome(stands.outcome),
        stands.sits_out,
        stands.sheet,
        payouts,
        _roles(here, stands),
        deal.bid,
        deal.made,
    )


def _roles(here: OpenTable, stands: queries.DealRow) -> Mapping[Seat, str]:
    sheet = here.sheet_of(stands)
    if sheet is not None:
        return here.game.roles(sheet)
    offender = (stands.sheet or {}).get(OFFENDER)
    return {} if offender is None else {Seat(int(offender)): OFFENDER}


def _version(here: OpenTable, deal: models.Deal, act: Act, written: Written) -> models.DealVersion:
    """Make the next version of a deal, at the end of the session's chain."""
    version = models.DealVersion(
        circle_id=deal.circle_id,
        deal_id=deal.deal_id,
        version=deal.version,
        act=act.name,
        outcome=written.outcome,
        dealer=deal.dealer,
        voided=deal.voided,
        sheet=written.sheet,
        sits_out=list(written.sits_out),
        payouts={NUMBERS[seat]: amount for seat, amount in written.payouts.items()},
        phone_id=act.by.phone_id,
        written_by=act.by.player,
        reason=one_line(act.reason) or None,
        change=act.change,
        at=now(),
    )
    chain.append(here.row, deal, version)
    return version


def _pay(deal: models.Deal, written: Written) -> None:
    of = {"circle_id": deal.circle_id, "session_id": deal.session_id, "number": deal.number}
    paid = [
        {**of, "seat": seat, "amount": amount, "role": written.roles.get(seat, "")}
        for seat, amount in written.payouts.items()
    ]
    write_plain(models.Payout, paid)
