"""Deals on the phone: recorded, previewed, started, finished, amended, voided, undone."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from flask import Flask

from scorer.services.base import clock
from tests.data.rows import rows as rows_of
from tests.services.evenings import FIVE
from tests.web.pages import Form, Page
from tests.web.phones import JSON, Phone
from tests.web.rows import balances, deal_count, rows

LONG = "ò" * 10_000


def test_keys_pass_over_card_points_that_cannot_be(phone: Phone) -> None:
    assert 'data-skip="1 119"' in phone.start().page("record").source


def test_deal_that_is_said_fills_the_form_and_keeps_what_was_not_understood(phone: Phone) -> None:
    page = phone.start().page("record?said=Gino,+70,+con+Bea,+ottanta")
    asks, record = (form for form in page.forms if form.action.endswith("/record"))

    assert "Not understood: Gino" in page.words
    assert asks["said"] == "Gino"
    assert (record["bid_points"], record["partner"], record["card_points"]) == ("70", "1", "80")
    page = phone.page(f"record?{urlencode(asks.sends(said='Ada'))}")
    *_, record = (form for form in page.forms if form.action.endswith("/record"))
    assert (record["caller"], record["bid_points"], record["partner"]) == ("0", "70", "1")
    assert deal_count(phone) == 0


def test_script_is_answered_as_json(phone: Phone) -> None:
    form = phone.start().deal()

    saved = phone.post("record", form, headers=JSON)
    again = phone.post("record", form, headers=JSON)
    faulty = phone.deal(2, partner="0", card_points="119")
    refused = phone.post("record", faulty, headers=JSON)
    preview = phone.post("record/preview", faulty)

    paid = {"0": 2, "1": 1, "2": -1, "3": -1, "4": -1}
    assert saved.status_code == 200
    assert saved.get_json() == {"ok": True, "next": phone.url, "paid": paid}
    assert again.get_json() == saved.get_json()
    for answer in (refused, preview):
        assert (answer.status_code, answer.get_json()["ok"]) == (422, False)
        problems = answer.get_json()["problems"]
        assert {problem["field"] for problem in problems} == {"partner", "card_points"}
        assert all(problem["message"] for problem in problems)
    assert phone.post("record", phone.deal(1, partner="alone"), headers=JSON).status_code == 409
    seen = {"key": faulty["key"], "version": "1", "seen": "0"}
    for path, sent, field in (
        ("deals/1/void", seen | {"reason": "x" * 999}, "reason"),
        ("deals/1/dispute", seen, "reason"),
        ("deals/1/confirm", seen, ""),  # on the phone that wrote
        ("outcome", seen | {"number": "2", "outcome": "penalty"}, "offender"),
    ):
        answer = phone.post(path, sent, headers=JSON)
        assert answer.status_code == 422, path
        assert [problem["field"] for problem in answer.get_json()["problems"]] == [field]


def test_preview_says_what_saving_would_pay_and_writes_nothing(app: Flask, phone: Phone) -> None:
    phone.start(rules="ladder-bands")
    form = phone.deal(1, bid_rank="2", bid_points="82", card_points="120", tricks_won="8")
    before = rows(app)

    shown = phone.post("record/preview", form).get_json()

    assert rows(app) == before
    assert (shown["ok"], shown["made"]) == (True, True)
    assert "Ada" in shown["headline"]
    assert [paid["text"] for paid in shown["payouts"]] == ["+12", "+6", "−6", "−6", "−6"]
    assert len(shown["notes"]) == 2
    phone.post("record", form)
    assert balances(phone) == [12, 6, -6, -6, -6]


def test_deal_is_started_for_everybody_and_who_cancels_it_may_undo_that_for_some_seconds(
    app: Flask, phone: Phone
) -> None:
    played, cancelled = "Deal 1 is being played", "The start of deal 1 is cancelled."
    other = phone.start(rules="ladder-bands").let_in(Phone(app))
    asked = phone.page("record?step=start")
    assert '<div class="played" data-played hidden>' in asked.source
    form = asked.form("/record/start")
    phone.post("record/start", form.sends(caller="2", bid_rank="K", suit="C"))
    assert played in other.page().words
    phone.post("record/forget", phone.page().form("/record/forget").sends())
    told = []
    for seconds in (10, 21):
        with clock.at(datetime.now(UTC) + timedelta(seconds=seconds)):
            told += [cancelled in one.page().words for one in (phone, other)]
    page = phone.page()

    assert told == [True, False, False, False]
    assert played not in page.words
    phone.post("record/resume", page.form("/record/resume").sends())
    words = phone.page().words
    assert (played in words, cancelled in words) == (True, False)
    finish = other.page("record").form("/record")
    assert (finish["caller"], finish["bid_rank"], finish["suit"]) == ("2", "K", "C")
    other.post("record", finish.sends(partner="alone", card_points="30"))
    assert balances(phone) == [1, 1, -4, 1, 1]
    assert played not in phone.page().words


@rows_of(__file__, "answers")
def test_answers_are_paid_and_shown_again_when_the_deal_is_amended(
    phone: Phone, rules: str, answers: dict[str, str], paid: int, shown: dict[str, str]
) -> None:
    answer = phone.start(rules=rules).record(1, **{"card_points": "", **answers})

    assert answer.status_code == 303
    half = paid // 2
    assert balances(phone) == [paid, half, -half, -half, -half]
    amend = dict(phone.page("deals/1/amend").form("/amend").fields)
    assert amend | shown == amend


def test_ended_session_says_so_and_takes_no_deal(phone: Phone) -> None:
    phone.start().post("end")

    asked, sent = phone.get("record"), phone.sent("record", phone.deal(1))
    for_a_script = phone.post("record/start", phone.deal(1), headers=JSON)
    phone.outcome(1, "misdeal")

    assert asked.location == phone.url
    assert (sent.status, for_a_script.status_code) == (422, 422)
    assert sent.problems[""]
    assert "Play on first" in phone.page().words
    assert deal_count(phone) == 0


def test_outcome_of_a_deal_that_was_recorded_meanwhile_is_not_written(phone: Phone) -> None:
    phone.start().record(1)

    page, unlawful = Page(phone.outcome(1, "misdeal")), phone.deal(1, bid_points="7")
    shown = phone.sent("record", unlawful)

    assert (page.status, shown.status, deal_count(phone)) == (409, 409, 1)
    assert shown.form("/record")["bid_points"] == "7"
    assert "has just recorded deal 1 too" in page.words
    again = page.form("/outcome")
    assert [phone.post(again.action, again.sends()).status_code for _ in range(2)] == [303, 303]
    assert deal_count(phone) == 2


def test_undo_is_offered_for_some_seconds_to_the_phone_that_wrote_and_takes_the_deal_back(
    app: Flask, phone: Phone
) -> None:
    def undos(page: Page) -> list[Form]:
        return [form for form in page.forms if form.action.endswith("/undo")]

    other = phone.start().let_in(Phone(app))
    phone.record(1)
    mark = phone.client.get_cookie("undo")

    (form,) = undos(phone.page())
    assert undos(other.page()) == []
    phone.post(form.action, form.sends())

    assert mark is not None
    assert mark.max_age == 20
    assert balances(phone) == [0, 0, 0, 0, 0]
    after = phone.page()
    assert "Deal 1 no longer counts." in after.words
    assert undos(after) == []
    phone.record(2)
    phone.client.delete_cookie("undo")
    assert undos(phone.page()) == []


def test_phone_carries_away_what_it_needs_to_go_on_and_to_put_deals_right(phone: Phone) -> None:
    phone.start().record(1)
    phone.post("outcome", phone.deal(2) | {"outcome": "misdeal"})
    phone.post("deals/1/void", {"version": "1", "reason": "Twice"})

    page = phone.page()
    known = phone.get("ahead").get_json()
    first, misdeal = known["deals"]
    (terms,) = known["terms"]
    assert str(known["version"]) in re.findall(r'data-version="(\d+)"', page.source)
    assert (known["number"], known["last"]["dealer"], known["names"]) == (1, 4, [*FIVE])
    assert known["balances"] == dict.fromkeys("01234", 0)
    assert (known["played"], terms["ends"]["target"], known["sides"]["4"]) == (0, 15, "Ezio")
    assert (misdeal["number"], misdeal["values"], misdeal["paid"]) == (2, None, {})
    assert (misdeal["outcome"], known["closed"]) == ("misdeal", False)
    said = {"voided": True, "version": 2, "seen": 0, "active": [0, 1, 2, 3, 4]}
    assert first.items() >= said.items()
    assert first["paid"] == {"0": 2, "1": 1, "2": -1, "3": -1, "4": -1}
    assert first["values"].items() >= {"caller": "0", "partner": "1", "card_points": "70"}.items()
    phone.post("end")
    assert phone.get("ahead").get_json()["closed"]
