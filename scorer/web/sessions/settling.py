"""The session in money: what a balance is worth, and who hands what to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from flask import flash
from flask_babel import gettext

from scorer.ledger import settlement
from scorer.texts import say, signed
from scorer.web.filters import money
from scorer.web.views import SeatView

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorer.rules.game import Game
    from scorer.rules.seats import Seat
    from scorer.services.score_sheet import ScoreSheet
    from scorer.texts import Text


class Payment(NamedTuple):
    """Somebody hands cents to somebody."""

    payer: SeatView
    payee: SeatView
    cents: int


class Settlement(NamedTuple):
    """Who hands what to whom, and what is left over where the balances don't cancel."""

    transfers: list[Payment]
    leftover: Text | None


def settlement_view(sheet: ScoreSheet) -> Settlement | None:
    """Say who hands what to whom, where a stake was agreed on and something was played."""
    stake = sheet.stake
    if not stake or not sheet.deal_count:
        return None
    names, totals = sheet.state.names, sheet.totals
    transfers = [
        Payment(_seat(names, one.payer), _seat(names, one.payee), one.cents)
        for one in settlement(totals, stake)
    ]
    return Settlement(transfers, _leftover(sum(totals.values()) * stake))


def _seat(names: Sequence[str], seat: Seat) -> SeatView:
    return SeatView(seat, names[seat])


def _leftover(cents: int) -> Text | None:
    if cents > 0:
        return say(
            "The balances don’t cancel out: %(amount)s of what was won is owed by nobody. "
            "Who won shares what there is.",
            amount=money(cents),
        )
    if cents < 0:
        return say(
            "The balances don’t cancel out: %(amount)s of what was lost goes to nobody. "
            "Who lost shares what is to be paid.",
            amount=money(-cents),
        )
    return None


def warn_of_openings(game: Game[Any, Any], opening: Iterable[int], stake: int | None) -> None:
    """Say of balances brought in that they don't cancel out, where they will be paid in money."""
    total = sum(opening)
    if total and stake and not game.lowest_leads:
        flash(
            gettext(
                "The balances brought in make %(sum)s together, not 0: when you settle up, "
                "that much is owed by nobody or goes to nobody.",
                sum=signed(total),
            ),
            "problem",
        )
