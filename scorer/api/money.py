"""The money of a circle for programs: payments, costs, how an evening is paid, the currency."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from flask import url_for

from scorer.api.answers import Authored, Page, listed
from scorer.api.circles import EntryKind
from scorer.api.circles import ledger as ledger_of
from scorer.api.routes import SESSION, CircleRoutes, Query
from scorer.roles import Holder, Role
from scorer.rules.sheet import Ask
from scorer.services.circle import players
from scorer.services.money import evenings, ledger
from scorer.services.session import settling
from scorer.shapes import Points, Shape, gives
from scorer.texts import say

blueprint = CircleRoutes("api_money", __name__)
LEDGER = "/<uuid:circle>/ledger"
MONEY: dict[str, Any] = {"least": Role.PLAYER, "limit": ("money",)}


def _names(args: Mapping[str, UUID], _: object) -> dict[str, UUID]:
    return {player.name: player.player_id for player in players.everybody(args["circle"])}


OF_PEOPLE: dict[str, Any] = {"then": ledger_of, "names": _names, **MONEY}
blueprint.writes("post", f"{LEDGER}/payments", ledger.Payment, **OF_PEOPLE)(ledger.note_payment)
blueprint.writes("post", f"{LEDGER}/costs", ledger.Cost, **OF_PEOPLE)(ledger.share_cost)


class ListedEntry(Authored):
    """An entry of the ledger."""

    id: UUID = gives("The key of the entry.", "row.entry_id")
    kind: EntryKind = gives("What it is.", "row.kind")
    amounts: Points = gives(
        "Cents by name; they sum to zero.",
        lambda line: {amount.name: amount.cents for amount in line.amounts},
    )
    session: UUID | None = gives("The session that it pays.", "row.session_id")
    means: str | None = gives("How somebody paid.", lambda line: line.row.means or None)
    note: str | None = gives("What was noted beside it.", lambda line: line.row.note or None)
    confirmed_at: datetime | None = gives("When the payee confirmed it.", "row.confirmed_at")
    voided_at: datetime | None = gives("When it was voided.", "row.voided_at")


BEFORE_ENTRY = Query(
    "before",
    UUID,
    "The last entry of the page before.",
    wanted=say("The key of an entry is needed."),
)


@blueprint.reads(f"{LEDGER}/entries", listed("entries", ListedEntry), BEFORE_ENTRY)
def ledger_entries(circle: UUID) -> Page:
    """Return a page of the entries of the ledger, newest first, the voided ones too."""
    lines, more = ledger.entry_page(circle, BEFORE_ENTRY.value())
    last = lines[-1].row.entry_id if more else None
    return Page(lines, url_for(".ledger_entries", circle=circle, before=last) if last else None)


ENTRY = f"{LEDGER}/entries/<uuid:entry>"
blueprint.writes("post", f"{ENTRY}/confirm", None, ledger_of, **MONEY)(ledger.confirm_payment)
blueprint.writes("post", f"{ENTRY}/void", None, ledger_of, **MONEY)(ledger.void_entry)


@dataclass(frozen=True, slots=True)
class Currency:
    """The currency of a circle by its ISO code."""

    currency: Annotated[str, Ask("The ISO code")]


blueprint.writes(
    "put", f"{LEDGER}/currency", Currency, ledger_of, least=Role.OWNER, logged="currency-chosen"
)(ledger.choose_currency)


@dataclass(frozen=True, slots=True)
class EveningPay:
    """How a session is paid: ``stake`` and, into the pot for buying in, ``fee`` in cents."""

    way: Annotated[settling.Way, Ask("How it is paid")]
    stake: Annotated[int, Ask("Cents for a point, a place or a person")] = 0
    fee: Annotated[int, Ask("Cents into the pot for each time somebody bought in")] = 0


class SessionMoney(Shape):
    """How the ledger pays a session; all null where it doesn't yet."""

    way: settling.Way | None = gives("How it is paid.", lambda money: money.pay and money.pay.way)
    stake: int | None = gives(
        "Cents for a point, a place or a person.", lambda money: money.pay and money.pay.stake_cents
    )
    fee: int | None = gives(
        "Cents into the pot for each time somebody bought in.",
        lambda money: money.pay and money.pay.fee_cents,
    )
    amounts: Points = gives(
        "Cents by name.", lambda money: {share.name: share.cents for share in money.shares}
    )


@blueprint.reads(f"{SESSION}/money", SessionMoney)
def session_money(circle: UUID, session: UUID) -> evenings.EveningMoney:
    """Return how the ledger pays a session, and everybody's amount."""
    return evenings.evening_money(circle, session)


@blueprint.writes("put", f"{SESSION}/money", EveningPay, session_money, least=Role.SCOREKEEPER)
def pay_session(circle: UUID, session: UUID, body: EveningPay, by: Holder) -> None:
    """Post a session that has ended, or pay it another way."""
    stake = 0 if body.way is settling.Way.NOTHING else body.stake
    pay = settling.PayTerms(body.way, stake, body.fee if body.way is settling.Way.POT else 0)
    settling.post_evening(circle, session, pay, by=by)
