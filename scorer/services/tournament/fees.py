"""The entry fees of a tournament, in the circle's ledger.

A fee is a cost that its collector paid for those who take part: from then on everybody owes their
share, until a payment says that they handed it over.
"""

from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Annotated, NamedTuple
from uuid import UUID, uuid5

from scorer.errors import InvalidError, existing
from scorer.rules.questions import Ask
from scorer.services.base.journal import Author
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


def charged_fees(circle_id: UUID, tournament_id: UUID) -> Fees:
    """Return who owes the fee and who has paid; the collector's own is in hand already."""
    due, paid, names = Counter[UUID](), Counter[UUID](), dict[UUID, str]()
    collector, amount, written = None, 0, 0
    postings = queries.money.fee_postings(circle_id, tournament_id)
    for _, moved in groupby(postings, lambda posting: posting.entry_id):
        first, *others = moved
        written += 1
        if first.voided_at is not None:
            continue
        if first.kind == "payment":
            names[first.player_id] = first.name
            paid[first.player_id] += first.cents
            continue
        collector, amount = first.player_id, -others[0].cents
        for share in others:
            names[share.player_id] = share.name
            due[share.player_id] -= share.cents
            paid[collector] -= share.cents if share.player_id == collector else 0
    lines = [FeeLine(who, name, due[who], paid[who]) for who, name in names.items()]
    return Fees(lines, collector, amount, written)


def tournament_fees(circle_id: UUID, tournament_id: UUID) -> Fees:
    """Return the fees of everybody who takes part, also of those who owe none yet."""
    fees = charged_fees(circle_id, tournament_id)
    entered = queries.tournament.entered_players(circle_id, tournament_id)
    lines = {player.player_id: FeeLine(player.player_id, player.name, 0, 0) for player in entered}
    lines |= {line.player_id: line for line in fees.lines}
    return fees._replace(lines=[*lines.values()])


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
    """Write down that somebody handed what they owe to its collector; raise NotFoundError."""
    row = existing(queries.find(models.TournamentRow, circle_id, tournament_id))
    fees = charged_fees(circle_id, tournament_id)
    line = next((line for line in fees.lines if line.player_id == player), None)
    if line is None or line.due <= line.paid:
        return
    payment = Payment(
        key=uuid5(tournament_id, f"{line.player_id} {fees.written}"),
        payer=line.player_id,
        payee=fees.collector,
        amount=line.due - line.paid,
        note=row.name,
    )
    ledger.note_payment(circle_id, payment, by=by, tournament_id=tournament_id)
