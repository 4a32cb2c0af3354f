"""The forms about money: a payment, a shared cost, the currency, how an evening is paid."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time
from uuid import UUID

from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, StringField
from wtforms.validators import InputRequired

from scorer.services.base.clock import now
from scorer.services.money.evenings import WAYS, PayTerms, Way
from scorer.services.money.ledger import MEANS, Cost, EntrySearch, Payment
from scorer.storage.models import Player
from scorer.texts import say
from scorer.web.base.access import zone_here
from scorer.web.base.fields import (
    ANYBODY,
    AmountField,
    ChoiceField,
    DayField,
    ManyField,
    PlayerField,
    PrefixedField,
    UUIDField,
    whole,
)
from scorer.web.base.forms import DatesForm, PageForm

WHO = lazy_gettext("choose")
NOON = time(12)
#: How an evening is paid, in the list of entries.
PAID = {
    Way.POINTS: say("%(stake)s a point"),
    Way.DIFFERENCE: say("%(stake)s for each point behind the first"),
    Way.PLACE: say("%(stake)s for each place behind the first"),
    Way.POT: say("%(stake)s each into the pot"),
    Way.NOTHING: say("without money"),
}


class MoneyForm(PageForm):
    """The fields of payments and costs: who paid, how much and when."""

    key = UUIDField(validators=[InputRequired()])
    payer = PlayerField(lazy_gettext("Who paid?"), WHO)
    amount = AmountField(lazy_gettext("Amount"))
    day = DayField(lazy_gettext("When? Today, if left empty"))

    def __init__(
        self, sent: MultiDict[str, str] | None, people: Sequence[Player], key: UUID | None = None
    ) -> None:
        super().__init__(sent, data={"key": key})
        self.people = [(str(player.player_id), player.name) for player in people]
        self.payer.choices += self.people

    @property
    def at(self) -> datetime | None:
        """Noon of the day that was chosen; None for today."""
        day, zone = self.day.data, zone_here()
        if day is None or day == now().astimezone(zone).date():
            return None
        return datetime.combine(day, NOON, zone).astimezone(UTC)


class PaymentForm(MoneyForm):
    """A payment from one player to another."""

    payee = PlayerField(lazy_gettext("Who got it?"), WHO)
    means = ChoiceField(lazy_gettext("How?"), None, MEANS, default="cash")
    note = StringField(lazy_gettext("Note"), default="")

    def __init__(
        self, sent: MultiDict[str, str] | None, people: Sequence[Player], key: UUID | None = None
    ) -> None:
        super().__init__(sent, people, key)
        self.payee.choices += self.people

    @property
    def payment(self) -> Payment:
        return Payment(
            key=self.key.data or UUID(int=0),
            payer=self.payer.key,
            payee=self.payee.key,
            cents=self.amount.data,
            at=self.at,
            means=self.means.chosen,
            note=self.note.data or "",
        )


class CostForm(MoneyForm):
    """A cost that several share; `among` are ticked, `parts` are the parts of each."""

    payer = PlayerField(lazy_gettext("Who paid?"), WHO, id="cost-payer")
    amount = AmountField(lazy_gettext("Amount"), id="cost-amount")
    day = DayField(lazy_gettext("When? Today, if left empty"), id="cost-day")
    note = StringField(lazy_gettext("What for?"), default="", id="cost-note")
    among = ManyField(lazy_gettext("For whom?"))
    parts = PrefixedField(lazy_gettext("Parts"))

    @property
    def cost(self) -> Cost:
        """The cost, by default in one part each."""
        ticked = [key for key, _ in self.people if key in (self.among.data or ())]
        return Cost(
            key=self.key.data or UUID(int=0),
            payer=self.payer.key,
            cents=self.amount.data,
            parts={UUID(key): self._part(key) for key in ticked},
            at=self.at,
            note=self.note.data or "",
        )

    def _part(self, key: str) -> int:
        part = whole(self.parts.data.get(key, "1"))
        return -1 if part is None else part


class CurrencyForm(PageForm):
    """The currency of a circle."""

    currency = ChoiceField(lazy_gettext("Currency"), None)


class PayForm(PageForm):
    """How an evening is paid."""

    way = ChoiceField(lazy_gettext("How is it paid?"), None, WAYS, default=Way.POINTS)
    stake = AmountField(lazy_gettext("How much: a point, a place, or each into the pot"))
    fee = AmountField(lazy_gettext("Into the pot for each time somebody bought in"))
    #: Sent by the button that previews the result.
    look = BooleanField("")

    @property
    def pay(self) -> PayTerms:
        way = Way(self.way.chosen or Way.POINTS)
        if way is Way.NOTHING:
            return PayTerms(way)
        fee = self.fee.data if way is Way.POT else 0
        return PayTerms(way, self.stake.data or 0, fee or 0)


FEWEST = lazy_gettext("with as few payments as possible")


class LedgerForm(DatesForm):
    """The search of the ledger, and the banker."""

    player = PlayerField(lazy_gettext("Who"), ANYBODY)
    banker = PlayerField(lazy_gettext("Who pays whom?"), FEWEST)

    def __init__(self, args: MultiDict[str, str], people: Mapping[UUID, str]) -> None:
        super().__init__(args)
        offered = [(str(key), name) for key, name in people.items()]
        self.player.choices += offered
        through = lazy_gettext("everybody through %(name)s")
        self.banker.choices += [(key, through % {"name": name}) for key, name in offered]

    @property
    def sought(self) -> EntrySearch:
        return EntrySearch(player=self.player.key, **self.moments)
