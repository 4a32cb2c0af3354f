"""The page of a circle's money: who stands how, payments, shared costs, how an evening is paid."""

from urllib.parse import parse_qsl, urlencode, urlsplit
from uuid import uuid4

import pytest
from babel.numbers import get_currency_precision
from flask import Flask, g

from scorer.ledger.money import read_amount
from scorer.services.money.ledger import CURRENCIES
from scorer.services.session.settling import MOST_CENTS
from scorer.web.base.fields import typed_amount
from scorer.web.base.filters import decimals, money
from tests.web.pages import Page
from tests.web.phones import Phone


def played(phone: Phone) -> Phone:
    """Play an evening at half a euro a point, and end it."""
    phone.start(stake="0.50")
    phone.record(1)
    phone.post("end")
    return phone


@pytest.fixture
def ended(phone: Phone) -> Phone:
    return played(phone)


@pytest.fixture(scope="module")
def counted(app: Flask) -> Phone:
    """Give such an evening, that tests only read."""
    return played(Phone(app))


def ledger(phone: Phone, asked: str = "") -> Page:
    return phone.page(f"{phone.circle_url}ledger{asked}")


def payment(phone: Phone, payer: str, payee: str, **other: str) -> dict[str, str]:
    people = {"payer": phone.player(payer), "payee": phone.player(payee)}
    return {"key": str(uuid4()), "amount": "0.50", "means": "cash", **people, **other}


def test_payment_is_noted_by_the_button_of_a_proposal(ended: Phone) -> None:
    proposed = next(form for form in ledger(ended).forms if form.action.endswith("/payments"))

    answer = ended.post(proposed.action, proposed.sends(means="bank"))

    assert answer.status_code == 303
    page = ledger(ended)
    assert "· bank or app ·" in page.told
    assert "Ezio paid Ada €0.50" in page.told or "Ciro paid Ada €0.50" in page.told
    assert sum(form.action.endswith("/payments") for form in page.forms) == 3


@pytest.mark.parametrize(
    ("currency", "lowest", "highest"),
    [("EUR", "0.01", "10000.00"), ("JPY", "1", "1000000"), ("TND", "0.001", "1000.000")],
)
def test_bounds_of_an_amount_are_written_as_the_form_reads_them(
    ended: Phone, currency: str, lowest: str, highest: str
) -> None:
    ended.post(f"{ended.circle_url}ledger/currency", {"currency": currency})
    sent = payment(ended, "Ciro", "Ada", amount="0")

    refused = ended.sent(f"{ended.circle_url}ledger/payments", sent)

    assert f"An amount from {lowest} to {highest}." in refused.told
    read = [read_amount(amount, get_currency_precision(currency)) for amount in (lowest, highest)]
    assert read == [1, MOST_CENTS]


@pytest.mark.parametrize("language", ["en", "it"])
def test_amount_in_a_form_is_read_back_as_it_is(app: Flask, language: str) -> None:
    with app.test_request_context(headers={"Accept-Language": language}):
        for currency in CURRENCIES:
            g.currency = currency
            for cents in (0, 1, 9, 10, 99, 100, 1000, 99_999, 100_000, 1_000_000, 123_456_789):
                assert read_amount(typed_amount(cents), decimals()) == cents, currency


def test_cost_is_shared_by_parts(ended: Phone) -> None:
    ada, bea, ciro = (ended.player(name) for name in ("Ada", "Bea", "Ciro"))
    sent = {
        "key": str(uuid4()), "payer": ada, "amount": "10", "note": "Pizza",
        "among": [ada, bea, ciro], f"parts-{bea}": "2",
    }  # fmt: skip

    assert ended.post(f"{ended.circle_url}ledger/costs", sent).status_code == 303

    assert "Ada paid €10.00 for all: Pizza Ada +€7.50 Ciro −€2.50 Bea −€5.00" in ledger(ended).told


def test_who_got_the_money_says_so_and_it_is_taken_back(app: Flask, ended: Phone) -> None:
    ada = ended.let_in(Phone(app), "player").hold("Ada")
    ended.post(f"{ended.circle_url}ledger/payments", payment(ended, "Ciro", "Ada"))

    ada.post(ledger(ada).form("/confirm").action)
    assert "confirmed by Ada" in ledger(ended).told
    assert "Only mine" in ledger(ada).words
    ada_sees = [form.action for form in ledger(ada).forms]
    assert not any(action.endswith(("/confirm", "/void")) for action in ada_sees)
    ended.post(ledger(ended).form("/void").action)

    assert "Ciro paid Ada €0.50 taken back" in ledger(ended).told
    assert "Ciro is to pay −€0.50" in ledger(ended).told


def test_banker_and_search_keep_each_other(counted: Phone) -> None:
    ada, ezio = counted.player("Ada"), counted.player("Ezio")
    asked = {"player": ada, "from": "2020-01-01", "to": "2099-12-31", "banker": ezio}
    page = ledger(counted, f"?{urlencode(asked)}")

    by_banker, by_search = [form for form in page.forms if form.action.endswith("/ledger")]

    assert by_banker.sends() | {"banker": ezio} == asked == by_search.sends() | {"player": ada}
    assert "No way needs fewer" not in page.told
    assert "Ciro → Ezio: €0.50" in page.told
    everybody = next(link for link in page.links if "player" not in link and "banker" in link)
    assert dict(parse_qsl(urlsplit(everybody).query)) == {
        k: v for k, v in asked.items() if k != "player"
    }


def test_euro_is_followed_from_its_entry_down_to_its_deals(counted: Phone) -> None:
    session, page = counted.page(), ledger(counted)
    assert f"{counted.url}money" in session.links
    assert f"{counted.circle_url}ledger" in counted.page(counted.circle_url).links
    for shown in ("Ada is to get +€1.00", "Ciro is to pay −€0.50", "€0.50 a point"):
        assert shown in page.told
    (entry,) = {link for link in page.links if link.endswith("/money")}
    followed = f"player={counted.player('Ciro')}"

    page = counted.page(next(link for link in counted.page(entry).links if followed in link))
    assert "Deal 1 −1−1 −€0.50 In all −1 −€0.50" in page.told
    assert f"{counted.url}deals/1/" in page.links
    statuses = [counted.get(f"money?player={who}").status_code for who in ("nonsense", "0" * 32)]
    assert statuses == [200, 404]


def test_list_goes_on_on_the_next_page(ended: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorer.services.money.ledger.SHOWN", 2)
    sent = payment(ended, "Ciro", "Ada")
    for _ in range(2):
        ended.post(f"{ended.circle_url}ledger/payments", {**sent, "key": str(uuid4())})

    page = ledger(ended)

    (older,) = {link for link in page.links if "page=2" in link}
    assert "Friday" in ended.page(older).told


def test_evening_is_paid_another_way_after_a_look(ended: Phone) -> None:
    form = {"way": "pot", "stake": "2", "fee": ""}

    tried = ended.sent("money", {**form, "look": "1"})
    assert "Nothing is saved yet" in tried.told
    assert "Ada +€8.00" in tried.told
    assert "Ada is to get +€1.00" in ledger(ended).told
    assert ended.post("money", form).status_code == 303

    assert "Ada is to get +€8.00" in ledger(ended).told
    assert "€2.00 each into the pot" in ledger(ended).told
    assert ended.post("money", {"way": "nothing", "stake": ""}).status_code == 303
    assert "Nobody owes anything." in ledger(ended).told


def test_session_that_reached_its_end_is_offered_to_be_ended_and_counted(phone: Phone) -> None:
    phone.start(stake="0.50", end="deals", deals="1")
    phone.record(1)
    offered = ledger(phone)
    last, money_page = phone.page("last"), phone.page("money")

    assert f"{phone.url}money" in offered.links
    assert "It is counted" in last.words
    phone.post(money_page.form("/end").action)

    assert "Ada is to get +€1.00" in ledger(phone).told
    assert 'id="unposted"' not in ledger(phone).source


def test_currency_is_chosen_once_and_has_its_own_decimals(app: Flask, ended: Phone) -> None:
    choose = f"{ended.circle_url}ledger/currency"
    assert "€0.50 a point" in ended.page().told
    assert ended.sent(choose, {"currency": "XXX"}).status == 422

    assert ended.post(choose, {"currency": "JPY"}).status_code == 303

    page = ledger(ended)
    assert "¥50 a point" in ended.page().told
    assert "Ada is to get +¥100" in page.told
    assert not any(form.action.endswith("/currency") for form in page.forms)
    assert ended.sent(choose, {"currency": "EUR"}).status == 422
    ended.post(f"{ended.circle_url}ledger/payments", payment(ended, "Ciro", "Ada", amount="50"))
    assert "Ciro is even ¥0" in ledger(ended).told
    with app.test_request_context():
        assert money(5) == "€0.05"
