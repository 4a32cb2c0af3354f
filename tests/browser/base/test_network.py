"""The form of a deal that is refused, closed, and sent over a slow network."""

import pytest
from playwright.sync_api import expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model, hold
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

SAVING = "**/record"
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


def refuse_and_correct(actor: Actor) -> None:
    """What is said of an answer is gone with the next one."""
    actor.answer({"bid": "K"})
    actor.save()
    for question in ("Caller", "Partner"):
        expect(actor.problem(question)).to_be_visible()
    actor.answer({"caller": "Ada"})
    expect(actor.problem("Caller")).to_have_count(0)
    expect(actor.problem("Partner")).to_be_visible()
    actor.answer({"partner": "Ciro", "card_points": 121})
    expect(actor.problem("Partner")).to_have_count(0)
    expect(actor.problem("Card points")).to_be_visible()
    actor.box("Card points", "of 120").fill("66")
    expect(actor.problem("Card points")).to_have_count(0)


def leave_and_come_back(actor: Actor) -> None:
    """Answers outlive a page that was closed, but those that the server shows are newer."""
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


def test_answers_are_kept_and_sent_once_however_slow_the_network_is(actor: Actor) -> None:
    refuse_and_correct(actor)
    leave_and_come_back(actor)
    held = hold(actor.page, SAVING)
    button = actor.page.locator("button.big[name=action]")

    with actor.page.expect_request(SAVING):
        actor.tap(button)
    expect(button).to_have_attribute("aria-disabled", "true")
    button.dispatch_event("click")
    actor.page.clock.fast_forward(5_000)
    expect(actor.page.get_by_role("alert")).to_have_text(SLOW)
    held[0].continue_()

    actor.wait_for_session()
    expect(actor.row(1)).to_be_visible()
    expect(actor.row(2)).to_have_count(0)
    assert len([route for route in held if route.request.method == "POST"]) == 1
