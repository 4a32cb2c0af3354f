"""The slips of a tournament: a phone that comes by one writes at its table and nowhere else."""

import re
from datetime import UTC, datetime

import pytest
from flask import Flask

from scorer.services.base import clock
from scorer.services.journal.journal_page import journal_page
from scorer.services.journal.verify import verify
from scorer.storage import queries
from scorer.web.circle.sharing import MOST_WRONG
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.rows import phone_ids
from tests.web.tournament.test_tournaments import by_hand, club, publish, tap

__all__ = ["club"]

SECRET = re.compile(r"/table#([\w-]+)<")


@pytest.fixture
def slips(owner: Phone, club: str) -> list[str]:
    """Give the secrets on the slips of the first turn."""
    publish(owner, club)
    return SECRET.findall(owner.page(f"{club}/paper").source)


def record(phone: Phone, number: int = 1) -> int:
    return phone.enter(number, winner="0", outcome="played").status_code


def sit_down(phone: Phone, secret: str) -> str:
    """Open the address on a slip; give the address of the table's sheet."""
    answer = phone.post("/table", {"code": f"http://localhost/table#{secret}"})
    assert answer.status_code == 303, Page(answer).problems
    phone.url = str(answer.headers["Location"])
    return phone.url


def test_phone_writes_at_the_table_of_its_slip(
    app: Flask, owner: Phone, club: str, slips: list[str]
) -> None:
    first, other = Phone(app), Phone(app)
    tables = [sit_down(first, slips[0]), sit_down(other, slips[1])]

    assert first.get("/table").status_code == 200
    assert [record(first), record(other)] == [303, 303]
    assert first.get(f"{first.circle_url}token").status_code == 200
    assert first.post(f"{first.circle_url}seen").status_code == 204
    elsewhere = club, tables[1], f"{first.url}table", first.circle_url, f"{first.circle_url}phones"
    assert {first.get(path).status_code for path in elsewhere} == {404}
    assert first.page("/").told.count("Tuesday") == 0
    assert "Phone 2" not in owner.page(f"{owner.circle_url}phones").told
    with app.app_context():
        assert verify(print).findings == 0
        lines = [str(line.text) for line in journal_page(owner.keys[0]).lines]
    assert any("writes at the table “Tuesday · 1/1”, by its slip." in line for line in lines)


def test_slip_ends_with_its_turn_and_the_next_one_lets_the_same_phone_in(
    app: Flask, owner: Phone, club: str, slips: list[str]
) -> None:
    phone = Phone(app)
    before = sit_down(phone, slips[0])
    by_hand(owner, club)
    publish(owner, club)

    assert phone.get(before).status_code == 404
    refused = phone.sent("/table", {"code": slips[0]})
    assert (refused.status, bool(refused.problems["code"])) == (422, True)
    (later, _) = SECRET.findall(owner.page(f"{club}/paper").source)
    assert sit_down(phone, later) != before
    assert sit_down(phone, later) == phone.url
    assert record(phone) == 303
    assert len(phone_ids(owner)) == 2
    by_hand(owner, club, "2", tables="2")
    tap(owner, club, "close")
    assert phone.get().status_code == 404
    assert "/table#" not in owner.page(f"{club}/paper").source


def test_phone_of_the_circle_stays_what_it_is_there(
    app: Flask, owner: Phone, club: str, slips: list[str]
) -> None:
    player = owner.let_in(Phone(app), "player").hold("Bea")
    other = sorted(link for link in player.page(club).links if "/sessions/" in link)
    own = sit_down(player, slips[0])

    assert record(player) == 303
    assert player.page(club).status == 200
    assert "/table#" not in player.page(f"{club}/paper").source
    (elsewhere,) = {*other} - {own}
    assert player.get(f"{elsewhere}record").status_code == 403
    owner.post(f"{owner.circle_url}phones/{phone_ids(owner)[1]}/away")
    assert player.get(own).status_code == 404


def test_slip_sent_twice_is_one_phone(app: Flask, owner: Phone, slips: list[str]) -> None:
    phone = Phone(app)
    phone.get("/table")
    cookies = dict(phone.client._cookies or {})
    sit_down(phone, slips[0])
    phone.client._cookies = cookies
    sit_down(phone, slips[0])

    assert len(phone_ids(owner)) == 2
    with app.app_context():
        assert len(queries.journal.stored_rows(owner.keys[0], "table_phone")) == 1


def test_other_side_signs_on_the_phone_of_the_slip_or_on_its_own(
    app: Flask, owner: Phone, club: str, slips: list[str]
) -> None:
    phone, player = Phone(app), owner.let_in(Phone(app), "player")
    tables = [sit_down(phone, slip) for slip in slips[::-1]]
    assert not any(form.action.endswith("/sign") for form in phone.page().forms)
    record(phone)
    assert "Table 1 · not signed" in owner.page(club).told

    page = phone.page()
    form = page.form("/sign")
    stale = phone.post(form.action, form.sends(seen="0", signer="Ciro"), follow_redirects=True)
    answer = phone.post(form.action, form.sends(signer="Ciro"))

    assert "Hand this phone over" in page.told
    assert "Somebody was quicker." in Page(stale).told
    assert answer.location == tables[1]
    assert not any(form.action.endswith("/sign") for form in phone.page().forms)
    assert "Table 1 · not signed" not in owner.page(club).told
    assert "Confirmed" in owner.page(f"{tables[1]}deals/1/").told
    sit_down(phone, slips[1])
    record(phone)
    own = player.page(tables[0])
    assert "Hand this phone over" not in own.told
    sent = own.form("/sign")
    assert player.post(sent.action, sent.sends()).status_code == 303
    assert "not signed" not in owner.page(club).told


def test_wrong_slip_is_a_guess_and_a_right_one_is_not(app: Flask, slips: list[str]) -> None:
    with clock.at(datetime(2026, 11, 24, 20, tzinfo=UTC)):
        phone = Phone(app)
        for _ in range(2):
            sit_down(phone, slips[0])
        wrong = [phone.post("/table", {"code": "x"}).status_code for _ in range(MOST_WRONG + 1)]
        join = phone.post("/join", {"code": "x"}).status_code

    assert wrong == [422] * MOST_WRONG + [429]
    assert join == 429
