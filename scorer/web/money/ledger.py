"""Pages about money: the ledger of a circle, and how an evening is paid."""

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from types import MappingProxyType
from typing import Any
from uuid import UUID, uuid4

from babel.numbers import get_currency_name
from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import get_locale, gettext
from werkzeug.datastructures import MultiDict

from scorer.errors import InvalidError
from scorer.ledger import Transfer
from scorer.routes import Routes
from scorer.services.base.roles import Holder, Role, may_void
from scorer.services.circle import players
from scorer.services.circle.phones import speaks_for_player
from scorer.services.money import ledger
from scorer.services.money.evenings import (
    USUAL_CURRENCY,
    Amount,
    DealByDeal,
    EveningMoney,
    PayTerms,
    Way,
    deal_by_deal,
    evening_money,
    post_evening,
)
from scorer.services.money.ledger import (
    CURRENCIES,
    PAGE,
    EntryRow,
    EntrySearch,
    ledger_page,
)
from scorer.texts import Text, point_count, say
from scorer.web.base.access import current_holder, may, zone_here
from scorer.web.base.fields import typed_amount
from scorer.web.base.filters import money
from scorer.web.base.forms import PageForm
from scorer.web.base.pages import CIRCLE, SESSION
from scorer.web.money.forms import PAID, CostForm, CurrencyForm, LedgerForm, PayForm, PaymentForm

LAST_PAGE = 10_000

pages = Routes("ledger", __name__)


@pages.get(f"{CIRCLE}/ledger", least=Role.SPECTATOR)
def show(circle_id: UUID) -> ResponseReturnValue:
    """Show the accounts, the proposal that settles them, and the entries."""
    form = LedgerForm(request.args, players.names(circle_id))
    if "" in request.args.values():
        return redirect(_url(circle_id, form.criteria), HTTPStatus.SEE_OTHER)
    sound = form.validate()
    return _page(circle_id, form), HTTPStatus.OK if sound else HTTPStatus.UNPROCESSABLE_ENTITY


def _page(
    circle_id: UUID,
    search: LedgerForm,
    sent: Mapping[str, PageForm] = MappingProxyType({}),
) -> str:
    """Show the page; ``sent`` is a form that was refused, by its name in the template."""
    valid = None if search.problems else search
    at = min(max(request.args.get("page", 1, type=int), 1), LAST_PAGE) if valid else 1
    page = ledger_page(
        circle_id,
        valid.sought if valid else EntrySearch(),
        banker=valid.banker.key if valid else None,
        skip=(at - 1) * PAGE,
        zone=zone_here(),
    )
    address = partial(_url, circle_id, search.criteria)
    forms: dict[str, Any] = {
        "payment": PaymentForm(None, page.people, key=uuid4()),
        "cost": CostForm(None, page.people, key=uuid4()),
        "currency_form": _currency_form(),
    }
    return render_template(
        "money/ledger.html",
        ledger=page,
        form=search,
        mine=page.account((valid and valid.sought.player) or current_holder().player_id),
        here=current_holder(),
        may_write=partial(_may_write, current_holder()),
        may_void=partial(may_void, current_holder()),
        may_confirm=partial(_may_confirm, current_holder(), speaks_for_player(current_holder())),
        new_key=uuid4,
        typed=typed_amount,
        address=address,
        paid=_paid,
        reminder=_reminder(page.proposal),
        older=address(page=at + 1) if page.more else None,
        newest=address() if at > 1 else None,
        sent=sent,
        **{**forms, **sent},
    )


def _url(circle_id: UUID, criteria: Mapping[str, str] = MappingProxyType({}), **other: Any) -> str:
    """Return the address of the page for a search, with other criteria."""
    return url_for("ledger.show", circle_id=circle_id, **{**criteria, **other})


def _may_write(by: Holder, *people: UUID) -> bool:
    """Whether a phone may write down what these people paid or got."""
    if by.role.reaches(Role.SCOREKEEPER):
        return True
    return may("ledger.pay") and by.player_id in people


def _may_confirm(by: Holder, speaks: bool, payer: UUID, payee: UUID) -> bool:  # noqa: FBT001  # bound
    """Whether to offer that a phone confirms a payment; ``speaks`` is for its own player."""
    return ledger.may_confirm(by, payer, payee) and (speaks or by.player_id != payee)


def _reminder(proposal: list[Transfer[Amount]]) -> str:
    """Format the proposal as lines for a chat."""
    return "\n".join(
        f"{transfer.payer.name} → {transfer.payee.name}: {money(transfer.cents)}"
        for transfer in proposal
    )


def _paid(row: EntryRow) -> Text:
    return Text(PAID[Way(row.way)].template, {"stake": money(row.stake_cents)})


def _currency_form() -> CurrencyForm:
    form = CurrencyForm(request.form if request.method == "POST" else None)
    locale = get_locale()
    names = [(code, f"{get_currency_name(code, locale=locale)} ({code})") for code in CURRENCIES]
    form.currency.choices += names
    if request.method != "POST":
        form.currency.data = USUAL_CURRENCY
    return form


@pages.post(f"{CIRCLE}/ledger/payments", least=Role.PLAYER, limit="money")
def pay(circle_id: UUID) -> ResponseReturnValue:
    form = PaymentForm(request.form, players.everybody(circle_id))
    note = partial(ledger.note_payment, circle_id, by=current_holder())
    return _sent(circle_id, "payment", form, lambda: note(form.payment))


@pages.post(f"{CIRCLE}/ledger/costs", least=Role.PLAYER, limit="money")
def share(circle_id: UUID) -> ResponseReturnValue:
    form = CostForm(request.form, players.everybody(circle_id))
    note = partial(ledger.share_cost, circle_id, by=current_holder())
    return _sent(circle_id, "cost", form, lambda: note(form.cost))


@pages.post(f"{CIRCLE}/ledger/currency", least=Role.OWNER, logged="currency-chosen")
def choose_currency(circle_id: UUID) -> ResponseReturnValue:
    form = _currency_form()
    choose = partial(ledger.choose_currency, circle_id, by=current_holder())
    return _sent(circle_id, "currency_form", form, lambda: choose(form.currency.data))


def _sent(
    circle_id: UUID, name: str, form: PageForm, keep: Callable[[], None]
) -> ResponseReturnValue:
    """Store a form, or show the page again with its problems."""
    try:
        if form.validate():
            keep()
            return redirect(_url(circle_id), HTTPStatus.SEE_OTHER)
    except InvalidError as error:
        form.refuse(error.problems)
    search = LedgerForm(MultiDict(), players.names(circle_id))
    return _page(circle_id, search, {name: form}), HTTPStatus.UNPROCESSABLE_ENTITY


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
    """Show what an evening is worth, how it is paid, and for one player deal by deal."""
    return _evening_page(circle_id, session_id, player_id=request.args.get("player", type=UUID))


@pages.post(f"{SESSION}/money", least=Role.SCOREKEEPER)
def evening_sent(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Post an evening that has ended, pay it another way, or preview that."""
    form = PayForm(request.form)
    try:
        if form.validate():
            if form.look.data:
                return _evening_page(circle_id, session_id, form)
            post_evening(circle_id, session_id, form.pay, by=current_holder())
            return redirect(_url(circle_id), HTTPStatus.SEE_OTHER)
    except InvalidError as error:
        form.refuse(error.problems)
    return _evening_page(circle_id, session_id, form), HTTPStatus.UNPROCESSABLE_ENTITY


def _evening_page(
    circle_id: UUID,
    session_id: UUID,
    form: PayForm | None = None,
    *,
    player_id: UUID | None = None,
) -> str:
    tried = form.pay if form and not form.problems else None
    evening = evening_money(circle_id, session_id, tried)
    followed = deal_by_deal(evening, player_id) if player_id and evening.pay else None
    return render_template(
        "money/evening.html",
        card_session=evening.state.row,
        evening=evening,
        followed=followed,
        explained=_explained(followed) if followed else None,
        form=form or _as_it_is(evening),
        tried=tried,
    )


def _explained(share: DealByDeal) -> Text:
    """Explain in a sentence how the points of the deals become the amount."""
    stake, way, first = money(share.pay.stake_cents), share.pay.way, share.place == 1
    if way is Way.NOTHING:
        return say("No money for this one")
    if way is Way.POINTS:
        return say("Each point of a deal is %(stake)s.", stake=stake)
    if way is Way.POT:
        return _into_the_pot(share, stake)
    if first:
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


def _into_the_pot(share: DealByDeal, stake: str) -> Text:
    if not share.bought:
        return say("Into the pot: %(stake)s. The first takes it.", stake=stake)
    return say(
        "Into the pot: %(stake)s, and %(fee)s for each time bought in (%(times)s). "
        "The first takes it.",
        stake=stake,
        fee=money(share.pay.fee_cents),
        times=share.bought,
    )


def _as_it_is(evening: EveningMoney) -> PayForm:
    """Return the form filled in by how an evening is paid, or would be by its stake."""
    pay = evening.pay or PayTerms(Way.POINTS, evening.state.row.stake_cents or 0)
    return PayForm(
        way=pay.way.value,
        stake=pay.stake_cents or None,
        fee=pay.fee_cents or None,
    )
