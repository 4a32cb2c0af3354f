from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

if TYPE_CHECKING:
    from playwright.sync_api import Route

    from tests.browser.conftest import Take

pytestmark = pytest.mark.browser

SAVING = "**/record"
DEAL = {"caller": "Ada", "bid": "K", "partner": "Ciro", "card_points": 66}
NOT_SAVED = (
    "No network: not saved yet. Everything is kept on this page; it will be sent again by itself."
)
SLOW = "The network is slow. Nothing is lost: keep this page open."


@pytest.fixture
def person(take: Take) -> Person:
    phone = take(Model(), new=True)
    sheet = Scribe(phone).start("Friday")
    phone.page.clock.install()
    phone.page.goto(f"{sheet.path}record")
    return Person(phone)


def expect_one_deal(person: Person) -> None:
    person.wait_for_session()
    expect(person.row(1)).to_be_visible()
    expect(person.row(2)).to_have_count(0)


def test_slow_network_is_told_and_the_deal_arrives(person: Person) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    person.page.route(SAVING, hold)
    person.answer(DEAL)

    person.save()
    person.page.clock.fast_forward(5_000)
    expect(person.page.get_by_role("alert")).to_have_text(SLOW)
    held[0].continue_()

    expect_one_deal(person)
    assert len(held) == 1


def test_deal_saved_without_a_network_arrives_once_when_it_is_back(person: Person) -> None:
    person.phone.watch.tolerate("ERR_INTERNET_DISCONNECTED")
    person.phone.context.set_offline(offline=True)

    person.answer(DEAL)
    expect(person.preview()).to_contain_text("No network: the payouts will show once it is back.")
    person.save()
    expect(person.page.get_by_role("alert")).to_have_text(NOT_SAVED)
    expect(person.chip("Caller", "Ada")).to_be_checked()
    person.phone.context.set_offline(offline=False)

    expect_one_deal(person)


def lose_the_answer(person: Person) -> None:
    person.phone.watch.tolerate("ERR_CONNECTION_RESET")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort("connectionreset")

    person.page.route(SAVING, lose, times=1)


def test_deal_whose_answer_was_lost_is_sent_again_and_is_one_deal(person: Person) -> None:
    lose_the_answer(person)
    person.answer(DEAL)

    person.save()
    expect(person.page.get_by_role("alert")).to_have_text(NOT_SAVED)
    person.page.clock.fast_forward(5_000)

    expect_one_deal(person)


def test_deal_changed_after_a_lost_answer_is_not_taken_for_the_same(person: Person) -> None:
    lose_the_answer(person)
    person.answer(DEAL)

    person.save()
    expect(person.page.get_by_role("alert")).to_have_text(NOT_SAVED)
    person.answer({"partner": "Ezio"})
    person.save()

    expect(person.heading("Deal %(number)s, twice", number=1)).to_be_visible()


def test_answers_outlive_a_page_that_was_closed_by_mistake(person: Person) -> None:
    person.answer(DEAL)
    person.wait_for_preview()

    person.page.reload()

    assert person.foretold()["Ada"] == 2
    person.save()
    expect_one_deal(person)
