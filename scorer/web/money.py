"""Pages about money: the ledger of a circle, and how an evening is paid."""

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

from babel.numbers import get_currency_name
from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import get_locale, gettext, lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, Field, SelectMultipleField

from scorer.roles import Role
from scorer.routes import Routes
from scorer.services.base.journal import may_void
from scorer.services.circle import players
from scorer.services.circle.phones import speaks_for_player
from scorer.services.money import evenings, ledger
from scorer.services.session import settling
from scorer.services.session.settling import PayTerms, Way
from scorer.texts import Text, point_count, say
from scorer.web.base import fields
from scorer.web.base.access import current_holder, may, zone_here
from scorer.web.base.filters import money
from scorer.web.base.forms import BodyForm, DatesForm, PageForm, PeopleForm
from scorer.web.base.pages import CIRCLE, SESSION

LAST_PAGE = 10_000

pages = Routes("ledger", __name__)

#: How an evening is paid, in the list of entries.
PAID = {
    Way.POINTS: say("%(stake)s a point"),
    Way.DIFFERENCE: say("%(stake)s for each point behind the first"),
    Way.PLACE: say("%(stake)s for each place behind the first"),
    Way.POT: say("%(stake)s each into the pot"),
    Way.NOTHING: say("without money"),
}


class PaymentForm(PeopleForm):
    """A payment from one player to another."""

    body_type = ledger.Payment
    means = fields.ChoiceField(lazy_gettext("How?"), None, ledger.MEANS, default="cash")


class CostForm(PeopleForm):
    """A cost that several share; `among` are ticked, `parts` are the parts of each."""

    body_type, ids = ledger.Cost, "cost-"
    among = SelectMultipleField(lazy_gettext("For whom?"), validate_choice=False)
    parts = fields.PrefixedField(lazy_gettext("Parts"))

    def value(self, field: Field) -> Any:
        """Return the answer of a field: of ``among`` by default one part for each."""
        if field is not self.among:
            return super().value(field)
        ticked = [key for key, _ in self.people if key in (self.among.data or ())]
        parts = {key: fields.whole(self.parts.data.get(key, "1")) for key in ticked}
        return {UUID(key): -1 if part is None else part for key, part in parts.items()}


class CurrencyForm(PageForm):
    """The currency of a circle."""

    currency = fields.ChoiceField(lazy_gettext("Currency"), None)

    def __init__(self, sent: MultiDict[str, str] | None = None, **values: Any) -> None:
        """Offer the currencies by their names in the reader's language."""
        super().__init__(sent, **values)
        locale = get_locale()
        self.currency.choices += [
            (code, f"{get_currency_name(code, locale=locale)} ({code})")
            for code in ledger.CURRENCIES
        ]


class PayForm(BodyForm):
    """How an evening is paid."""

    body_type = PayTerms
    way: fields.ChoiceField
    #: Sent by the button that previews the result.
    look = BooleanField("")

    @property
    def pay(self) -> PayTerms:
        pay: PayTerms = self.body.meant
        return pay


FEWEST = lazy_gettext("with as few payments as possible")


class LedgerForm(DatesForm):
    """The search of the ledger, and the banker."""

    player = fields.PlayerField(lazy_gettext("Who"), fields.ANYBODY)
    banker = fields.PlayerField(lazy_gettext("All through one person?"), FEWEST)

    def __init__(self, args: MultiDict[str, str], people: Mapping[UUID, str]) -> None:
        super().__init__(args)
        offered = [(str(key), name) for key, name in people.items()]
        self.player.choices += offered
        through = lazy_gettext("everybody through %(name)s")
        self.banker.choices += [(key, through % {"name": name}) for key, name in offered]

    @property
    def sought(self) -> dict[str, Any]:
        """The criteria of the entries, and the banker."""
        return {"player": self.player.key, "banker": self.banker.key, **self.moments}


@pages.get(f"{CIRCLE}/ledger", least=Role.SPECTATOR)
def show(circle_id: UUID) -> ResponseReturnValue:
    """Show the accounts, the proposal that settles them, and the entries."""
    form = LedgerForm(request.args, players.names(circle_id))
    if "" in request.args.values():
        return redirect(_url(circle_id, **form.criteria), HTTPStatus.SEE_OTHER)
    sound = form.validate()
    return _page(circle_id, form), HTTPStatus.OK if sound else HTTPStatus.UNPROCESSABLE_ENTITY


def _page(circle_id: UUID, search: LedgerForm, **sent: PageForm) -> str:
    """Show the page; ``sent`` is a form that was refused, by its name in the template."""
    valid = None if search.problems else search
    at = min(max(request.args.get("page", 1, type=int), 1), LAST_PAGE) if valid else 1
    page = ledger.ledger_page(
        circle_id,
        skip=(at - 1) * ledger.SHOWN,
        zone=zone_here(),
        **(valid.sought if valid else {}),
    )
    address = partial(_url, circle_id, **search.criteria)
    forms: dict[str, Any] = {
        "payment": PaymentForm(None, page.people, key=uuid4()),
        "cost": CostForm(None, page.people, key=uuid4()),
        "currency_form": CurrencyForm(currency=settling.USUAL_CURRENCY),
    }
    here = current_holder()
    speaks = speaks_for_player(here)

    def may_write(*people: UUID) -> bool:
        """Whether this phone may record what these people paid or got."""
        return here.role.reaches(Role.SCOREKEEPER) or (
            may("ledger.pay") and here.player_id in people
        )

    def may_confirm(payer: UUID, payee: UUID) -> bool:
        return ledger.may_confirm(here, payer, payee) and (speaks or here.player_id != payee)

    reminder = "\n".join(
        f"{transfer.payer.name} → {transfer.payee.name}: {money(transfer.cents)}"
        for transfer in page.proposal
    )
    return render_template(
        "money/ledger.html",
        ledger=page,
        form=search,
        mine=page.account((valid and valid.player.key) or here.player_id),
        here=here,
        may_write=may_write,
        may_void=partial(may_void, here),
        may_confirm=may_confirm,
        new_key=uuid4,
        typed=fields.typed_amount,
        address=address,
        paid=_paid,
        reminder=reminder,
        older=address(page=at + 1) if page.more else None,
        newest=address() if at > 1 else None,
        sent=sent,
        **{**forms, **sent},
    )


def _url(circle_id: UUID, **criteria: Any) -> str:
    return url_for("ledger.show", circle_id=circle_id, **criteria)


def _paid(line: ledger.LedgerLine) -> Text:
    return Text(PAID[Way(line.row.way)].template, {"stake": money(line.row.stake_cents)})


@pages.post(f"{CIRCLE}/ledger/payments", least=Role.PLAYER, limit="money")
def pay(circle_id: UUID) -> ResponseReturnValue:
    form = PaymentForm(request.form, players.everybody(circle_id))
    note = partial(ledger.note_payment, circle_id, by=current_holder())
    return _sent(circle_id, "payment", form, lambda: note(form.body))


@pages.post(f"{CIRCLE}/ledger/costs", least=Role.PLAYER, limit="money")
def share(circle_id: UUID) -> ResponseReturnValue:
    form = CostForm(request.form, players.everybody(circle_id))
    note = partial(ledger.share_cost, circle_id, by=current_holder())
    return _sent(circle_id, "cost", form, lambda: note(form.body))


@pages.post(f"{CIRCLE}/ledger/currency", least=Role.OWNER, logged="currency-chosen")
def choose_currency(circle_id: UUID) -> ResponseReturnValue:
    form = CurrencyForm(request.form)
    choose = partial(ledger.choose_currency, circle_id, by=current_holder())
    return _sent(circle_id, "currency_form", form, lambda: choose(form.currency.data))


def _sent(
    circle_id: UUID, name: str, form: PageForm, keep: Callable[[], None]
) -> ResponseReturnValue:
    if form.validate() and form.attempt(keep):
        return redirect(_url(circle_id), HTTPStatus.SEE_OTHER)
    search = LedgerForm(MultiDict(), players.names(circle_id))
    return _page(circle_id, search, **{name: form}), HTTPStatus.UNPROCESSABLE_ENTITY


@pages.post(f"{CIRCLE}/ledger/<uuid:entry_id>/confirm", least=Role.PLAYER, limit="money")
def confirm(circle_id: UUID, entry_id: UUID) -> ResponseReturnValue:
    ledger.confirm_payment(circle_id, entry_id, by=current_holder())
    return redirect(_url(circle_id), HTTPStatus.SEE_OTHER)


@pages.post(f"{CIRCLE}/ledger/<uuid:entry_id>/void", least=Role.PLAYER, limit="money")
def void(circle_id: UUID, entry_id: UUID) -> ResponseReturnValue:
    ledger.void_entry(circle_id, entry_id, by=current_holder())
    flash(gettext("It counts no more. It stays in the list, struck through."), "ok")
    return redirect(_url(circle_id), HTTPStatus.SEE_OTHER)


@pages.get(f"{SESSION}/money", least=Role.SPECTATOR)
def evening(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show the money of an evening: amounts, how it is paid, and for one player deal by deal."""
    return _evening_page(circle_id, session_id, player_id=request.args.get("player", type=UUID))


@pages.post(f"{SESSION}/money", least=Role.SCOREKEEPER)
def evening_sent(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Post an evening that has ended, pay it another way, or preview that."""
    form, by = PayForm(request.form), current_holder()
    if form.validate():
        if form.look.data:
            return _evening_page(circle_id, session_id, form)
        if form.attempt(lambda: settling.post_evening(circle_id, session_id, form.pay, by=by)):
            return redirect(_url(circle_id), HTTPStatus.SEE_OTHER)
    return _evening_page(circle_id, session_id, form), HTTPStatus.UNPROCESSABLE_ENTITY


def _evening_page(
    circle_id: UUID,
    session_id: UUID,
    form: PayForm | None = None,
    *,
    player_id: UUID | None = None,
) -> str:
    tried = form.pay if form and not form.problems else None
    evening = evenings.evening_money(circle_id, session_id, tried)
    followed = evenings.deal_by_deal(evening, player_id) if player_id and evening.pay else None
    pay = evening.offered
    form = form or PayForm(way=pay.way, stake=pay.stake or None, fee=pay.fee or None)
    if not evening.by_points and pay.way is not Way.POINTS:
        form.way.choices = [choice for choice in form.way.choices if choice[0] != Way.POINTS]
    return render_template(
        "money/evening.html",
        card_session=evening.state.row,
        evening=evening,
        followed=followed,
        explained=_explained(followed) if followed else None,
        form=form,
        tried=tried,
    )


def _explained(share: evenings.DealByDeal) -> Text:
    """Explain in a sentence how the amount results from the points of the deals."""
    stake, way = money(share.pay.stake), share.pay.way
    if way is Way.NOTHING:
        return say("No money for this one")
    if way is Way.POINTS:
        return say("Each point of a deal is %(stake)s.", stake=stake)
    if way is Way.POT and share.bought:
        return say(
            "Into the pot: %(stake)s, and %(fee)s for each time bought in (%(times)s). "
            "The first takes it.",
            stake=stake,
            fee=money(share.pay.fee),
            times=share.bought,
        )
    if way is Way.POT:
        return say("Into the pot: %(stake)s. The first takes it.", stake=stake)
    if share.place == 1:
        return say("First in the end: gets what the others pay.")
    if way is Way.PLACE:
        return say(
            "Place %(place)s in the end: %(stake)s for each place behind the first.",
            place=share.place,
            stake=stake,
        )
    return say(
        "%(points)s behind the first: %(stake)s for each of them.",
        points=point_count(share.behind),
        stake=stake,
    )
