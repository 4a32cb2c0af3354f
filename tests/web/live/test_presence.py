"""Who is at a session, on its pages and its big screen, and who has the pen; what a page asks."""

import pytest
from flask import Flask

from scorer.services.live.presence import NOT_YOURS
from scorer.services.live.streams import hub_of
from tests.web.phones import JSON, Phone
from tests.web.rows import phone_ids

DEAL = {"kind": "deal", "number": 1}


@pytest.fixture
def owner(phone: Phone) -> Phone:
    return phone.start().hold("Ada")


@pytest.fixture
def bea(app: Flask, owner: Phone) -> Phone:
    return owner.let_in(Phone(app), "player").hold("Bea")


def come(owner: Phone, number: int, writes: int = 0) -> None:
    """Let a phone, by its place in the list of phones, be at the session."""
    key = *owner.keys, phone_ids(owner)[number]
    hub_of(owner.app).presence.enter(key, writes)


def part(phone: Phone) -> str:
    return phone.get().text.partition('id="presence"')[2].partition("</section>")[0]


def test_page_shows_who_is_here_who_has_the_pen_and_who_writes(owner: Phone, bea: Phone) -> None:
    assert "Ada" in part(owner)
    assert "Bea" not in part(owner)
    come(owner, 1)

    assert "<li><span>Bea</span></li>" in part(owner)
    assert '<li><span>Ada</span><svg class="icon" role="img"' not in part(bea)
    come(owner, 0)
    assert '<li><span>Ada</span><svg class="icon" role="img"' in part(bea)
    come(owner, 1, writes=8)
    assert "Bea is writing deal 8" in part(owner)
    assert "Bea is writing deal 8" in owner.get("tv").text


def test_big_screen_shows_the_last_deal_unless_it_was_voided_and_who_deals(
    app: Flask, owner: Phone
) -> None:
    owner.record(1)
    watcher = owner.let_in(Phone(app), "spectator")

    page = watcher.page("tv")

    assert "Ada deals" in page.words
    assert "theme=dark" in page.source
    assert 'http-equiv="refresh"' in page.source
    assert f"{owner.url}tv" in watcher.page().links
    assert "last deal" in page.words
    owner.post("deals/1/void", {"version": "1", "reason": "!"})
    voided = watcher.page("tv").words
    assert "last deal" not in voided
    assert "voided" in voided


def test_pen_is_offered_who_is_here_the_red_button_goes_with_it_and_comes_back_by_one_tap(
    app: Flask, owner: Phone, bea: Phone
) -> None:
    giver = owner.let_in(Phone(app))
    record = f"{owner.url}record"
    come(owner, 1)
    assert f'value="{phone_ids(owner)[1]}"' in part(giver)
    assert f'value="{phone_ids(owner)[2]}"' not in part(owner)
    assert "Pass the pen" not in part(bea)
    giver.post("pen", {"phone_id": phone_ids(owner)[1]})

    passed = giver.page()
    assert record not in passed.links
    assert record in bea.page().links
    form = passed.form("/pen/back")
    giver.post(form.action, form.sends(phone_id=str(phone_ids(owner)[1])))

    assert record in giver.page().links
    assert record not in bea.page().links
    assert giver.post(form.action, form.sends(phone_id=str(phone_ids(owner)[1]))).status_code == 303
    assert str(NOT_YOURS) in giver.page().words


def test_page_that_asks_is_told_what_was_written_last_and_its_role(owner: Phone) -> None:
    before = owner.get(f"{owner.circle_url}version", headers=JSON).get_json()["version"]
    owner.record()
    owner.post(f"{owner.circle_url}rename", {"name": "Another"})
    after = owner.get(f"{owner.circle_url}version", headers=JSON).get_json()["version"]
    assert before + 1 < after
    assert f'data-version="{after}"' in owner.get(owner.circle_url).text
    now = {"version": 2, "role": "owner"}

    for asked, told in (("", now), ("?after=2", now), ("?after=1", now | DEAL)):
        assert owner.get(f"version{asked}", headers=JSON).get_json() == told
