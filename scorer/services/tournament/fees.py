"""The entry fees of a tournament, in the circle's ledger.

A fee is a cost that its collector paid for those who take part: from then on everybody owes their
share, until a payment says that they handed it over.
"""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple
from uuid import UUID, uuid5

from scorer.errors import InvalidError, existing
from scorer.rules.questions import Ask
from scorer.services.base.journal import Author
from scorer.services.circle import players
from scorer.services.money import ledger
from scorer.services.money.ledger import WHO, Cents, Cost, Payer, Payment
from scorer.storage import models, queries
from scorer.texts import say


@dataclass(frozen=True, slots=True)
class EntryFee:
    """A fee in cents for each who takes part and owes none yet."""

    collector: Annotated[
        UUID | None, Ask(say("Who collects it?"), none=WHO, needed=True, player=True)
    ]
    amount: Cents


class FeeLine(NamedTuple):
    """What somebody owes as a fee, and how much of that is paid, in cents."""

    player_id: UUID
    name: str
    due: int
    paid: int


class Fees(NamedTuple):
    """The fees of a tournament; the last one was of ``amount`` for each, for the ``collector``.

    ``written`` counts the entries of the ledger about them, the voided ones too.
    """

    lines: list[FeeLine]
    collector: UUID | None
    amount: int
    written: int

    @property
    def due(self) -> int:
        return sum(line.due for line in self.lines)

    @property
    def paid(self) -> int:
        return sum(line.paid for line in self.lines)


def tournament_fees(circle_id: UUID, tournament_id: UUID) -> Fees:
    """Return who owes the fee and who has paid; the collector's own is in hand already."""
    rows = queries.money.entries_of_tournament(circle_id, tournament_id)
    moved = queries.money.postings(circle_id, [row.entry_id for row in rows]) if rows else {}
    due, paid = Counter[UUID](), Counter[UUID]()
    collector, amount = None, 0
    for row in rows:
        (payer, cents), *others = moved[row.entry_id]
        if row.voided_at is not None:
            continue
        if row.kind == "payment":
            paid[payer] += cents
            continue
        collector, amount = payer, -others[0][1]
        for who, owed in others:
            due[who] -= owed
            paid[payer] -= owed if who == payer else 0
    names = players.names(circle_id)
    entered = queries.tournament.entered_players(circle_id, tournament_id)
    everybody = dict.fromkeys([*(player.player_id for player in entered), *due, *paid])
    lines = [FeeLine(who, names[who], due[who], paid[who]) for who in everybody]
    return Fees(lines, collector, amount, len(rows))


def charge_fee(circle_id: UUID, tournament_id: UUID, fee: EntryFee, *, by: Author = None) -> None:
    """Charge a fee to everybody who takes part and owes none; raise InvalidError."""
    row = existing(queries.find(models.TournamentRow, circle_id, tournament_id))
    fees = tournament_fees(circle_id, tournament_id)
    among = {line.player_id: 1 for line in fees.lines if not line.due}
    if not among:
        message = say("Everybody who plays owes the fee already.")
        raise InvalidError.of("nobody", "amount", message)
    shared = Cost(
        key=uuid5(tournament_id, f"fee {fees.written}"),
        payer=fee.collector,
        amount=None if fee.amount is None else fee.amount * len(among),
        among=among,
        note=row.name,
    )
    try:
        ledger.share_cost(circle_id, shared, by=by, tournament_id=tournament_id)
    except InvalidError as error:
        fields = {"payer": "collector"}
        problems = [replace(one, field=fields.get(one.field, one.field)) for one in error.problems]
        raise InvalidError(problems) from error


def note_fee_paid(
    circle_id: UUID, tournament_id: UUID, player: Payer, *, by: Author = None
) -> None:
    """Write down that somebody handed the fee to its collector; raise NotFoundError."""
    row = existing(queries.find(models.TournamentRow, circle_id, tournament_id))
    fees = tournament_fees(circle_id, tournament_id)
    line = existing(next((line for line in fees.lines if line.player_id == player), None))
    if line.due <= line.paid:
        return
    payment = Payment(
        key=uuid5(tournament_id, f"{line.player_id} {fees.written}"),
        payer=line.player_id,
        payee=fees.collector,
        amount=line.due - line.paid,
        note=row.name,
    )
    ledger.note_payment(circle_id, payment, by=by, tournament_id=tournament_id)
