import pytest
from playwright.sync_api import expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model, hold
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

SAVING = "**/record"
DEAL = {"caller": "Ada", "bid": "K", "partner": "Ciro", "card_points": 66}
#: The names of the answers that are kept in the browser.
KEPT = "JSON.parse(Object.values(sessionStorage)[0]).map(([name]) => name)"
#: Send the form as a browser without scripts does, with an answer that no script has seen.
SEND_PLAINLY = """
const form = document.querySelector("#record");
form.elements.card_points.value = "122";
form.submit();
"""
SLOW = "The network is slow. Nothing is lost: keep this page open."


@pytest.fixture
def actor(take: Take) -> Actor:
    phone = take(Model(), new=True)
    sheet = Scribe(phone).start("Friday")
    phone.page.clock.install()
    phone.page.goto(f"{sheet.path}record")
    return Actor(phone)


def expect_one_deal(actor: Actor) -> None:
    actor.wait_for_session()
    expect(actor.row(1)).to_be_visible()
    expect(actor.row(2)).to_have_count(0)


def test_slow_network_is_told_and_a_second_tap_sends_nothing(actor: Actor) -> None:
    held = hold(actor.page, SAVING)
    actor.answer(DEAL)
    button = actor.page.locator("button.big[name=action]")

    with actor.page.expect_request(SAVING):
        actor.tap(button)
    expect(button).to_have_attribute("aria-disabled", "true")
    button.dispatch_event("click")
    actor.page.clock.fast_forward(5_000)
    expect(actor.page.get_by_role("alert")).to_have_text(SLOW)
    held[0].continue_()

    expect_one_deal(actor)
    assert len([route for route in held if route.request.method == "POST"]) == 1


def test_answers_outlive_a_page_that_was_closed_but_those_that_the_server_shows_are_newer(
    actor: Actor,
) -> None:
    actor.answer(DEAL)
    actor.wait_for_preview()
    kept = set(actor.page.evaluate(KEPT))

    actor.page.reload()

    assert "caller" in kept
    assert not kept & {"csrf_token", "number", "version"}
    assert actor.foretold()["Ada"] == 2
    actor.count(121)
    actor.page.evaluate(SEND_PLAINLY)
    expect(actor.problem("Card points")).to_contain_text("120")
    expect(actor.box("Card points", "of 120")).to_have_value("122")
    actor.count(66)
    actor.save()
    expect_one_deal(actor)
