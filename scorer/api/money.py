"""The money of a circle for programs: payments, costs, how an evening is paid, the currency."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from flask import url_for

from scorer.api.answers import Authored, Page, listed
from scorer.api.circles import CountedEntry
from scorer.api.routes import SESSION, CircleRoutes, Query
from scorer.roles import Role
from scorer.services.circle import players
from scorer.services.money import evenings, ledger
from scorer.services.session import settling
from scorer.shapes import Points, Shape, gives
from scorer.texts import say

blueprint = CircleRoutes("api_money", __name__)
LEDGER = "/<uuid:circle>/ledger"
MONEY: dict[str, Any] = {"least": Role.PLAYER, "limit": ("money",)}


def everybody(args: Mapping[str, UUID], _: object) -> dict[str, UUID]:
    """Return the keys of a circle's players by their names, which a body may have."""
    return {player.name: player.player_id for player in players.everybody(args["circle"])}


OF_PEOPLE: dict[str, Any] = {"then": ledger.whole_ledger, "names": everybody, **MONEY}
blueprint.writes("post", f"{LEDGER}/payments", body=ledger.Payment, **OF_PEOPLE)(
    ledger.note_payment
)
blueprint.writes("post", f"{LEDGER}/costs", body=ledger.Cost, **OF_PEOPLE)(ledger.share_cost)


class ListedEntry(Authored, CountedEntry):
    """An entry of the ledger."""

    id: UUID = gives("The key of the entry.", "row.entry_id")
    means: str | None = gives("How somebody paid.", lambda line: line.row.means or None)
    confirmed_at: datetime | None = gives("When the payee confirmed it.", "row.confirmed_at")
    voided_at: datetime | None = gives("When it was voided.", "row.voided_at")


BEFORE_ENTRY = Query(
    "before",
    UUID,
    "The last entry of the page before.",
    wanted=say("The key of an entry is needed."),
)


@blueprint.reads(f"{LEDGER}/entries", listed("entries", ListedEntry), BEFORE_ENTRY)
def ledger_entries(circle: UUID, before: UUID | None) -> Page:
    """Return a page of the entries of the ledger, newest first, the voided ones too."""
    lines, more = ledger.entry_page(circle, before)
    last = lines[-1].row.entry_id if more else None
    return Page(lines, url_for(".ledger_entries", circle=circle, before=last) if last else None)


ENTRY = f"{LEDGER}/entries/<uuid:entry>"
OF_ENTRY: dict[str, Any] = {"then": ledger.whole_ledger, **MONEY}
blueprint.writes("post", f"{ENTRY}/confirm", **OF_ENTRY)(ledger.confirm_payment)
blueprint.writes("post", f"{ENTRY}/void", **OF_ENTRY)(ledger.void_entry)


blueprint.writes(
    "put", f"{LEDGER}/currency", ledger.whole_ledger, least=Role.OWNER, logged="currency-chosen"
)(ledger.choose_currency)


class SessionMoney(Shape):
    """How the ledger pays a session; all null where it doesn't yet."""

    way: settling.Way | None = gives("How it is paid.", lambda money: money.pay and money.pay.way)
    stake: int | None = gives(
        "Cents for a point, a place or a person.", lambda money: money.pay and money.pay.stake
    )
    fee: int | None = gives(
        "Cents into the pot for each time somebody bought in.",
        lambda money: money.pay and money.pay.fee,
    )
    amounts: Points = gives(
        "Cents by name.", lambda money: {share.name: share.cents for share in money.shares}
    )


blueprint.reads(f"{SESSION}/money", SessionMoney, name="session_money")(evenings.evening_money)
PAY: dict[str, Any] = {"body": settling.PayTerms, "least": Role.SCOREKEEPER, "name": "pay_session"}
blueprint.writes("put", f"{SESSION}/money", evenings.evening_money, **PAY)(settling.post_evening)
