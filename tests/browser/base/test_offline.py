"""An evening that goes on while the network is away: nothing is lost, nothing is twice."""

import re
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from scorer.settings import CHECKOUT
from tests.browser.actor import FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model, hold
from tests.browser.seeding import Scribe, Sheet

pytestmark = pytest.mark.browser

#: Let a deal of a circle wait.
KEEP = """async (circle) => (await import("/static/any/base/queue.js")).keep(
  { circle, session: "s", kind: "record", title: "Deal 1", facts: [], body: [], names: {}, said: "",
    state: "", foretold: null, number: 1, key: circle, action: "/" })"""
#: How many acts wait.
WAITING = """async () =>
  (await (await import("/static/any/base/queue.js")).everyAct()).length"""
TWICE = "A choice is needed: another phone wrote deal 1 too"
CHANGED = "A choice is needed: another phone changed deal 1 meanwhile"
CLOSED = "No network: this page opens once it is back."
LATER = "No network: this can be sent once it is back."
#: The form and its scripts were fetched, and what the page goes by without a network.
IN_MEMORY = """() => {
  const names = performance.getEntriesByType("resource").map(({ name }) => name);
  return ["deals/record", "deals/pays", "deals/saving", "deals/next_deal", "deals/preview",
    "deals/put_right", "live/evening", "live/writing", "base/stepper", "base/acts"]
    .map((script) => `/${script}.js`).concat("/ahead")
    .every((end) => names.some((name) => name.endsWith(end)));
}"""
GONE = "ERR_INTERNET_DISCONNECTED"
#: Pairs of what is said above the button that lie over each other.
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll("#away, .toast, .next, #record")]
    .map((one) => one.getBoundingClientRect()).filter(({ height }) => height);
  return boxes.filter((one, at) => boxes.some((other, place) =>
    place > at && one.bottom > other.top + 1 && other.bottom > one.top + 1)).length;
}"""
TOP = "document.querySelector('#record').getBoundingClientRect().top"
#: After so many milliseconds without a beat, and without an answer to a question, it is away.
WAITS = ((r"const SILENCE = ([\d_]+)", "live/session.js"), (r"\bSHORT = ([\d_]+)", "base/away.js"))


def deal(number: int) -> dict[str, object]:
    """Give a deal among the five whose payouts differ from one to the next."""
    names = FIVE[number % 5 :] + FIVE[: number % 5]
    return {"caller": names[0], "bid": "K", "partner": names[2], "card_points": 40 + 4 * number}


def unsent(actor: Actor) -> Locator:
    return actor.page.locator("#unsent")


def expect_deal(actor: Actor, number: int) -> None:
    """Wait until the form asks for a deal."""
    expect(actor.page.get_by_role("heading", level=1)).to_have_text(f"Deal {number}")


def expect_choice(actor: Actor, words: str = TWICE) -> None:
    """Wait until the page asks by itself, with the way to what is to be chosen."""
    panel, line = unsent(actor), unsent(actor).locator("summary").first
    expect(line).to_have_text(words)
    expect(panel.locator("details").first).to_have_attribute("open", "")
    expect(panel.get_by_role("button", name="Look at both")).to_be_in_viewport()


def begin(take: Take) -> tuple[Actor, str]:
    """Start a session, and open the form of its first deal."""
    phone = take(Model())
    phone.watch.tolerate(GONE)
    sheet = Scribe(phone).start("Friday")
    phone.page.goto(f"{sheet.path}record")
    return Actor(phone), sheet.path


def on_page(actor: Actor, page: Page) -> Actor:
    return Actor(replace(actor.phone, page=page))


def start_and_finish_a_deal(actor: Actor) -> None:
    actor.tap(actor.link("Not over yet?"))
    expect(actor.group("Partner")).to_be_hidden()
    expect(unsent(actor)).to_be_hidden()
    actor.answer({"caller": "Ada", "bid": "K"})
    actor.tap(actor.button("Start deal %(number)s", number=1))
    expect(actor.chip("Caller", "Ada")).to_be_checked()
    actor.answer({"partner": "Bea", "card_points": 70})
    actor.save()


def deal_wrongly(actor: Actor) -> None:
    """Write a misdeal down; the same dealer deals again."""
    expect(actor.page.locator("header.top")).to_contain_text("Bea deals")
    actor.tap(actor.page.locator("summary").filter(has_text="Not played"))
    actor.tap(actor.button("Misdeal"))
    expect_deal(actor, 3)
    expect(actor.page.locator("header.top")).to_contain_text("Bea deals")


def put_right_what_waits(actor: Actor) -> None:
    """Amend the third deal and delete the fourth."""
    unsent(actor).locator("summary").first.tap()
    third, fourth = (unsent(actor).get_by_role("listitem").nth(place) for place in (-2, -1))
    third.locator("summary").tap()
    third.get_by_role("button", name="Amend").tap()
    expect_deal(actor, 3)
    expect(actor.chip("Caller", "Ciro")).to_be_checked()
    actor.answer({"caller": "Ada"})
    actor.save()
    expect_deal(actor, 5)
    fourth.locator("summary").tap()
    actor.page.set_viewport_size({"width": 320, "height": 640})
    assert actor.page.evaluate("document.documentElement.scrollWidth") <= 320
    fourth.get_by_role("button", name="Delete").tap()
    actor.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # it tries again
    fourth.get_by_role("button", name="Really delete it?").tap()
    expect(unsent(actor)).to_contain_text("3 deals not sent yet")


def look_round_from_memory(actor: Actor) -> None:
    """Go from the session to its form and back; other pages, and other acts, say what they need."""
    actor.tap(actor.record_link())
    expect_deal(actor, 4)
    actor.answer({**deal(1), "caller": "Ada", "partner": "Bea"})
    actor.save()
    expect_deal(actor, 5)
    actor.tap(actor.page.locator("header.top a.round"))
    expect(actor.page.locator("tr.pending")).to_have_count(1)
    expect(actor.page.locator(".standings:visible")).to_contain_text("−2")
    expect(actor.record_link()).to_have_text("Record deal 5")
    actor.unfold("more")
    actor.tap(actor.button("End the session"))
    expect(actor.page.locator("[data-told]:visible")).to_contain_text(LATER)
    actor.page.keyboard.press("Escape")
    actor.tap(actor.page.locator("header.top a.round").first)
    expect(actor.page.locator("#away")).to_have_text(CLOSED)
    actor.tap(actor.record_link())
    expect_deal(actor, 5)


def test_evening_goes_on_without_a_network_and_from_memory_where_no_worker_keeps_pages(
    take: Take,
) -> None:
    actor, _ = begin(take)
    actor.phone.context.set_offline(offline=True)
    start_and_finish_a_deal(actor)
    expect_deal(actor, 2)
    deal_wrongly(actor)
    expect(unsent(actor)).to_contain_text("2 deals not sent yet")
    for number in (3, 4):
        actor.answer(deal(number - 1))
        actor.save()
        expect_deal(actor, number + 1)
    put_right_what_waits(actor)
    actor.phone.context.set_offline(offline=False)

    actor.wait_for_session()
    expect(actor.row(2)).to_contain_text("Misdeal")
    expect(actor.row(3)).to_contain_text("Ada")
    expect(actor.row(4)).to_have_count(0)
    assert actor.balances() == {"Ada": 0, "Bea": 2, "Ciro": 0, "Dora": 0, "Ezio": -2}

    actor.page.wait_for_function(IN_MEMORY)
    actor.phone.context.set_offline(offline=True)
    look_round_from_memory(actor)
    actor.phone.context.set_offline(offline=False)
    actor.wait_for_session()
    expect(actor.row(4)).to_be_visible()
    expect(actor.page.locator("[data-pending]")).to_have_count(0)
    assert actor.balances() == {"Ada": -2, "Bea": 1, "Ciro": 1, "Dora": 1, "Ezio": -1}


def test_act_on_a_deal_waits_and_ends_on_the_page_of_both_where_it_was_changed(take: Take) -> None:
    actor, path = begin(take)
    sheet = Sheet(Scribe(actor.phone), path).record()
    actor.open(f"{path}deals/1/")
    actor.phone.context.set_offline(offline=True)
    actor.unfold("more")
    actor.tap(actor.page.locator("summary").filter(has_text="Void"))
    actor.tap(actor.button("Wrong points"))
    expect(unsent(actor)).to_contain_text("Not sent yet: 1")
    sheet.amend(1, 1, "Counted again", card_points="70")
    actor.phone.context.set_offline(offline=False)

    expect_choice(actor, CHANGED)
    unsent(actor).get_by_role("button", name="Look at both").tap()
    expect(actor.heading("Deal %(number)s, changed meanwhile", number=1)).to_be_visible()
    actor.tap(actor.page.get_by_role("button", name="All the same: Void deal 1"))
    actor.wait_for_session()
    expect(actor.row(1)).to_contain_text("voided")
    expect(unsent(actor)).to_be_hidden()


def test_two_phones_with_the_same_deal_end_on_the_page_of_both(take: Take) -> None:
    actor, path = begin(take)
    other = take(Model(), actor.phone.context.storage_state())
    other.watch.tolerate(GONE)
    theirs = Actor(other)
    theirs.open(f"{path}record")
    other.context.set_offline(offline=True)
    theirs.answer(deal(1))
    theirs.save()
    expect_deal(theirs, 2)
    theirs.answer(deal(2))
    theirs.save()
    expect_deal(theirs, 3)

    actor.answer(deal(3))
    actor.save()
    actor.wait_for_session()
    other.context.set_offline(offline=False)
    expect_choice(theirs)
    expect(unsent(theirs)).to_contain_text("2 deals not sent yet")
    line, fold = unsent(theirs).locator("summary").first, unsent(theirs).locator("details").first
    line.tap()
    theirs.page.evaluate("document.dispatchEvent(new Event('unsent'))")
    expect(fold).not_to_have_attribute("open", "")
    line.tap()
    unsent(theirs).get_by_role("button", name="Look at both").tap()
    expect(theirs.heading("Deal %(number)s, twice", number=1)).to_be_visible()
    theirs.tap(theirs.button("Mine is another deal: record it as deal %(number)s", number=2))

    theirs.wait_for_session()
    expect(theirs.row(3)).to_be_visible()
    expect(theirs.row(4)).to_have_count(0)
    expect(unsent(theirs)).to_be_hidden()


def figures(card: Locator) -> dict[str, str]:
    """Give the balances on a session's card as they are seen."""
    return dict(row.inner_text().split() for row in card.locator(".seats:visible > li").all())


def keep_two_deals(actor: Actor) -> None:
    """Record two deals of Ada and Bea without a network, and close the page."""
    actor.phone.context.set_offline(offline=True)
    for number in (1, 2):
        expect_deal(actor, number)
        actor.answer({**deal(number), "caller": "Ada", "partner": "Bea"})
        actor.save()
    expect_deal(actor, 3)
    expect(unsent(actor).locator("[data-standings]")).to_contain_text("Ciro +2 · ")
    actor.page.close()


SUMS = {"Ciro": "+2", "Dora": "+2", "Ezio": "+2", "Bea": "−2", "Ada": "−4"}


def test_pages_that_list_sessions_show_what_waits_home_sends_it_and_who_forgets_is_told(
    take: Take,
) -> None:
    actor, path = begin(take)
    circle = path.partition("sessions")[0]
    Scribe(actor.phone).start("Thursday", circle=circle.split("/")[2]).record().end()
    keep_two_deals(actor)
    phone = actor.phone
    phone.watch.tolerate("ERR_FAILED")
    phone.context.set_offline(offline=False)
    phone.context.route("**/token", lambda route: route.abort())
    later = on_page(actor, phone.context.new_page())
    card = later.page.locator(".session-card")
    note = card.get_by_role("link", name="2 deals not sent yet")

    for page in (circle, "/"):
        later.open(page)
        expect(note).to_be_visible()
        expect(card).to_contain_text("With what is not sent yet")
        assert figures(card) == SUMS
    assert urlsplit(str(note.get_attribute("href"))).path == path
    later.open(f"{circle}standings")
    of_all = later.page.locator(".lifelong ~ .unsent-note")
    expect(of_all).to_have_text("Not counted here: 2 deals not sent yet")
    later.open("/")
    expect(note).to_be_visible()
    phone.context.unroute_all()
    with later.page.expect_navigation():
        later.page.evaluate("dispatchEvent(new Event('online'))")

    expect(card).to_be_visible()
    expect(note).to_have_count(0)
    expect(card.locator("[data-pending]")).to_have_count(0)
    assert figures(card) == SUMS
    forget_with_what_waits(later, path)


def test_who_leaves_a_circle_forgets_what_waits_there_alone(take: Take) -> None:
    owner, path = begin(take)
    circle, phone = path.split("sessions")[0], take(Model())
    actor, own = Actor(phone), Scribe(phone).start("Friday").path
    Scribe(phone).post("/join", {"code": Scribe(owner.phone).link(circle)})
    phone.context.route("**/token", lambda route: route.abort())
    phone.watch.tolerate("token")
    phone.watch.tolerate("ERR_FAILED")
    actor.open(f"{circle}own")
    for one in (path, own):
        actor.page.evaluate(KEEP, one.split("/")[2])

    actor.tap(actor.page.locator("summary.danger"))
    actor.tap(actor.page.locator("form[data-wipes] button"))
    expect(actor.page).to_have_url("/")
    assert actor.page.evaluate(WAITING) == 1


def forget_with_what_waits(actor: Actor, path: str) -> None:
    """Who forgets everything here is told what was not sent, and asked once more."""
    actor.open(f"{path}record")
    actor.phone.context.route("**/token", lambda route: route.abort())
    actor.phone.context.set_offline(offline=True)
    actor.answer(deal(3))
    actor.save()
    expect_deal(actor, 4)
    actor.phone.context.set_offline(offline=False)
    actor.open("/mine")
    actor.tap(actor.page.locator("summary.danger"))
    expect(actor.page.locator("[data-unsent]")).to_contain_text("lost for good: Deal 3")
    actor.tap(actor.button("Yes, forget everything here"))
    actor.tap(actor.button("Forget it with what was not sent"))
    expect(actor.page.locator(".flash")).to_contain_text("has forgotten all circles")
    assert actor.page.evaluate(WAITING) == 0
    assert actor.phone.context.request.get(path).status == 404


def test_silent_network_is_told_within_three_seconds_and_nothing_moves(take: Take) -> None:
    actor, path = begin(take)
    actor.answer(deal(1))
    for silent in ("**/events*", "**/health/live"):
        hold(actor.page, silent)
    actor.save()
    actor.wait_for_session()
    actor.page.wait_for_function(IN_MEMORY)
    before = actor.page.evaluate(TOP)

    notice = actor.page.locator("#away")
    expect(notice).to_contain_text("No network: this is the page as of")
    texts = [(CHECKOUT / "static" / script).read_text(encoding="utf-8") for _, script in WAITS]
    waits = [re.findall(each, text) for (each, _), text in zip(WAITS, texts, strict=True)]
    assert sum(int(number) for (number,) in waits) < 2_500
    assert actor.page.evaluate(OVERLAPS) == 0
    assert actor.page.evaluate(TOP) == before
    actor.tap(actor.page.locator("header.top a.round"))
    expect(notice).to_have_text(CLOSED)
    assert actor.page.evaluate(TOP) == before
    actor.tap(actor.record_link())
    expect_deal(actor, 2)
    actor.page.go_back()
    expect(notice).to_contain_text("No network: this is the page as of")
    actor.page.unroute_all()

    expect(notice).to_have_count(0)
    assert actor.page.url.endswith(path)
