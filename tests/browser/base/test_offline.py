"""An evening that goes on while the network is away: nothing is lost, nothing is twice."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.actor import FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.evening import Evening
from tests.browser.phones import Model
from tests.browser.seeding import Scribe, Sheet

pytestmark = pytest.mark.browser

RECORDING = "**/record"
#: Keep a deal of a circle, and count what is kept.
KEEP = """async (circle) => (await import("/static/any/base/queue.js")).keep(
  { circle, session: "s", kind: "record", title: "Deal 1", facts: [], body: [], names: {}, said: "",
    state: "", foretold: null, number: 1, key: "k", action: "/", times: 1 })"""
RECKON_WRONG = """async (circle) => {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const { keep, waiting } = await import(loaded.find((name) => name.endsWith("/queue.js")));
  const [act] = await waiting(circle);
  await keep({ ...act, foretold: { ...act.foretold, 0: 9 } });
}"""
COUNT = """() => new Promise((resolve) => {
  indexedDB.open("scorer").onsuccess = ({ target }) => {
    const asked = target.result.transaction("acts").objectStore("acts").count();
    asked.onsuccess = () => resolve(asked.result);
  };
})"""
FULL = """() => {
  IDBObjectStore.prototype.put = () => { throw new DOMException("no room", "QuotaExceededError"); };
  Storage.prototype.setItem = () => { throw new DOMException("no room", "QuotaExceededError"); };
}"""
AWAY = re.compile(r'action="([^"]+/away)"')
SIX = (*FIVE, "Fulvia")
#: The colour of what is to be seen at once, of the page, and of one element.
RED = """() => {
  const probe = document.body.appendChild(document.createElement("p"));
  probe.className = "big";
  const { backgroundColor } = getComputedStyle(probe);
  probe.remove();
  return backgroundColor;
}"""
PAPER = "getComputedStyle(document.documentElement).backgroundColor"
BACKGROUND = "(one) => getComputedStyle(one).backgroundColor"
TWICE = "A choice is needed: another phone wrote deal 1 too"
CHANGED = "A choice is needed: another phone changed deal 1 meanwhile"
GONE = "ERR_INTERNET_DISCONNECTED"


def deal(number: int) -> dict[str, object]:
    """Give a deal among the five whose payouts differ from one to the next."""
    names = FIVE[number % 5 :] + FIVE[: number % 5]
    return {"caller": names[0], "bid": "K", "partner": names[2], "card_points": 40 + 4 * number}


def unsent(actor: Actor) -> Locator:
    return actor.page.locator("#unsent")


def expect_deal(actor: Actor, number: int) -> None:
    """Wait until the form asks for a deal."""
    expect(actor.page.get_by_role("heading", level=1)).to_have_text(f"Deal {number}")


def expect_choice(actor: Actor, words: str, way: str = "Look at both") -> None:
    """Wait until the page asks by itself, in red, with the way to what is to be chosen."""
    panel, line = unsent(actor), unsent(actor).locator("summary").first
    expect(line).to_have_text(words)
    expect(panel.locator("details").first).to_have_attribute("open", "")
    red, paper = actor.page.evaluate(RED), actor.page.evaluate(PAPER)
    assert line.evaluate(BACKGROUND) == red != paper
    expect(panel.get_by_role("button", name=way)).to_be_in_viewport()


def begin(take: Take, people: Sequence[str] = FIVE) -> tuple[Actor, str]:
    phone = take(Model(), new=True)
    phone.watch.tolerate(GONE)
    sheet = Scribe(phone).start("Friday", people=people)
    phone.page.goto(f"{sheet.path}record")
    return Actor(phone), sheet.path


def test_next_deals_are_asked_for_without_a_network_and_arrive_in_order(take: Take) -> None:
    actor, path = begin(take)
    actor.phone.context.set_offline(offline=True)

    for number in (1, 2):
        expect_deal(actor, number)
        actor.answer(deal(number))
        actor.save()
    expect_deal(actor, 3)
    expect(unsent(actor)).to_contain_text("2 deals not sent yet")
    expect(actor.page.locator("header.top")).to_contain_text("Ciro deals")
    actor.phone.context.set_offline(offline=False)

    actor.wait_for_session()
    expect(actor.row(2)).to_be_visible()
    expect(actor.row(3)).to_have_count(0)
    assert actor.page.url.endswith(path)


def test_result_that_the_tricks_contradict_does_not_wait_to_be_sent(take: Take) -> None:
    actor, _ = begin(take)
    actor.phone.context.set_offline(offline=True)
    actor.answer({"caller": "Ada", "bid": "K", "partner": "Bea", "made": True})
    actor.tap(actor.page.locator(".tools > .tool-more:not(.tool-asks) > summary"))
    tricks = actor.page.get_by_label("Tricks of the caller’s side")
    tricks.fill("0")

    expect(actor.problem("Card points")).to_contain_text("contradict each other")
    expect(actor.preview()).to_contain_text("contradict each other")
    actor.save()
    expect_deal(actor, 1)
    tricks.fill("9")
    expect(actor.page.get_by_text("A deal has only 8 tricks.").first).to_be_visible()
    actor.save()
    assert actor.page.evaluate(COUNT) == 0
    tricks.fill("5")
    expect(actor.preview()).to_contain_text("worked out on this phone")
    actor.save()

    expect_deal(actor, 2)
    expect(unsent(actor)).to_contain_text("1 deal not sent yet")


def join(take: Take, owner: Actor, path: str) -> Actor:
    """Let another phone in, that may be cut off."""
    actor = Actor(take(Model(), new=True))
    actor.phone.watch.tolerate(GONE)
    code = Scribe(owner.phone).link(path.partition("sessions")[0])
    Scribe(actor.phone).post("/join", {"code": code})
    return actor


def on_page(actor: Actor, page: Page) -> Actor:
    return Actor(replace(actor.phone, page=page))


@pytest.mark.slow
def test_evening_of_12_deals_with_the_network_away_from_3_to_9_and_the_page_closed_at_6(
    take: Take,
) -> None:
    actor, path = begin(take)
    evening = Evening(actor)
    evening.deals = [{"sheet": deal(number)} for number in range(1, 13)]
    for number in (1, 2):
        actor.open(f"{path}record")
        actor.answer(deal(number))
        actor.save()
        actor.wait_for_session()
    first, second = (on_page(actor, actor.phone.context.new_page()) for _ in range(2))
    for one in (first, second):
        one.open(f"{path}record")
    actor.phone.context.set_offline(offline=True)
    for number in range(3, 7):
        expect_deal(first, number)
        first.answer(deal(number))
        first.save()
    expect_deal(first, 7)
    first.page.close()
    for number in range(7, 10):
        expect_deal(second, number)
        second.answer(deal(number))
        second.save()
    expect(unsent(second)).to_contain_text("7 deals not sent yet")
    actor.phone.context.set_offline(offline=False)
    second.wait_for_session()
    for number in range(10, 13):
        second.record(deal(number))

    Evening(second, evening.deals).check()
    expect(second.row(12)).to_be_visible()
    expect(second.row(13)).to_have_count(0)


def test_deal_is_started_and_finished_and_the_next_one_a_misdeal_without_a_network(
    take: Take,
) -> None:
    actor, _ = begin(take)
    actor.phone.context.set_offline(offline=True)

    actor.tap(actor.link("Not over yet?"))
    expect(actor.group("Partner")).to_be_hidden()
    expect(unsent(actor)).to_be_hidden()
    actor.answer({"caller": "Ada", "bid": "K"})
    actor.tap(actor.button("Start deal %(number)s", number=1))
    expect(actor.chip("Caller", "Ada")).to_be_checked()
    actor.answer({"partner": "Bea", "card_points": 70})
    actor.save()
    expect_deal(actor, 2)
    expect(actor.page.locator("header.top")).to_contain_text("Bea deals")
    actor.tap(actor.page.locator("summary").filter(has_text="Not played"))
    actor.tap(actor.button("Misdeal"))
    expect_deal(actor, 3)
    expect(actor.page.locator("header.top")).to_contain_text("Bea deals")
    expect(unsent(actor)).to_contain_text("2 deals not sent yet")
    actor.phone.context.set_offline(offline=False)

    actor.wait_for_session()
    expect(actor.row(2)).to_contain_text("Misdeal")
    expect(actor.row(3)).to_have_count(0)
    assert actor.balances() == {"Ada": 2, "Bea": 1, "Ciro": -1, "Dora": -1, "Ezio": -1}


def test_act_on_a_deal_waits_and_ends_on_the_page_of_both_where_it_was_changed(take: Take) -> None:
    actor, path = begin(take)
    actor.answer(deal(1))
    actor.save()
    actor.wait_for_session()
    actor.open(f"{path}deals/1/")
    actor.phone.context.set_offline(offline=True)

    void = actor.page.locator("summary").filter(has_text="Void")
    act = unsent(actor).get_by_role("listitem")
    for delete in (True, False):
        actor.tap(void)
        actor.tap(actor.button("Wrong points"))
        expect(unsent(actor)).to_contain_text("Not sent yet: 1")
        if delete:
            unsent(actor).locator("summary").first.tap()
        act.locator("summary").tap()
        expect(act).to_contain_text("Void it, because: Wrong points".replace(": ", ":"))
        if delete:
            act.get_by_role("button", name="Delete").tap()
            act.get_by_role("button", name="Really delete it?").tap()
            expect(unsent(actor)).to_be_hidden()
            actor.tap(void)
    other = Sheet(Scribe(actor.phone), path, deals=[str(uuid4())])
    other.amend(1, 1, "Counted again", caller="0", partner="1", bid_rank="K", card_points="70")
    actor.phone.context.set_offline(offline=False)

    expect_choice(actor, CHANGED)
    act.get_by_role("button", name="Look at both").tap()
    expect(actor.heading("Deal %(number)s, changed meanwhile", number=1)).to_be_visible()
    actor.tap(actor.page.get_by_role("button", name="All the same: Void deal 1"))
    actor.wait_for_session()
    expect(actor.row(1)).to_contain_text("voided")
    expect(unsent(actor)).to_be_hidden()


def dispute(actor: Actor) -> None:
    actor.tap(actor.page.locator("summary").filter(has_text="Wrong?"))
    actor.page.locator("#dispute-reason").fill("72")
    actor.tap(actor.button("Dispute deal %(number)s", number=1))


def amend(actor: Actor) -> None:
    actor.answer({"card_points": 70})
    actor.tap(actor.page.locator("button.big[name=action]"))


def start(actor: Actor) -> None:
    actor.answer({"caller": "Ada", "bid": "K"})
    actor.tap(actor.button("Start deal %(number)s", number=1))


@pytest.mark.parametrize(
    ("page", "do", "words"),
    [
        pytest.param("record?step=start", start, TWICE, id="start"),
        pytest.param("deals/1/amend", amend, CHANGED, id="amend"),
        pytest.param("deals/1/", dispute, CHANGED, id="dispute"),
    ],
)
def test_act_that_another_phone_crossed_asks_by_itself_before_and_after_a_reload(
    take: Take, page: str, do: Callable[[Actor], None], words: str
) -> None:
    owner, path = begin(take)
    sheet = Sheet(Scribe(owner.phone), path)
    actor = join(take, owner, path)
    if words == CHANGED:
        sheet.record()
    actor.page.set_viewport_size({"width": 360, "height": 640})
    actor.open(path + page)
    actor.phone.context.set_offline(offline=True)
    do(actor)
    expect(unsent(actor).locator("summary").first).to_contain_text("ot sent yet")

    if words == CHANGED:
        sheet.amend(1, 1, "Counted again", card_points="68")
    else:
        sheet.begin(caller="1")
    actor.phone.context.set_offline(offline=False)

    expect_choice(actor, words)
    actor.page.reload()
    expect_choice(actor, words)
    unsent(actor).locator("summary").first.tap()
    actor.page.evaluate("document.dispatchEvent(new Event('unsent'))")
    expect(unsent(actor).locator("details").first).not_to_have_attribute("open", "")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_deal_that_the_server_refuses_asks_by_itself(
    take: Take, theme: Literal["light", "dark"]
) -> None:
    actor, _ = begin(take)
    actor.page.emulate_media(color_scheme=theme)
    actor.phone.context.set_offline(offline=True)
    actor.answer(deal(1))
    actor.save()
    expect_deal(actor, 2)
    said = {"ok": False, "problems": [{"field": "", "message": "The session has 120 deals."}]}
    actor.page.route(RECORDING, lambda route: route.fulfill(status=422, json=said))
    actor.phone.context.set_offline(offline=False)

    expect_choice(actor, "An answer is needed: the server did not take deal 1", way="Delete")
    expect(unsent(actor)).to_contain_text("120")


def accept_without_a_network(actor: Actor, path: str) -> None:
    """Write a deal, contest it, and accept what was proposed, on a phone that is cut off."""
    actor.answer(deal(1))
    actor.save()
    actor.wait_for_session()
    wrong = {"version": "1", "seen": "0", "reason": "", "right-card_points": "72"}
    Scribe(actor.phone).post(f"{path}deals/1/dispute", wrong)
    actor.open(f"{path}deals/1/")
    actor.phone.context.set_offline(offline=True)
    actor.tap(actor.button("Accept the proposal"))
    expect(unsent(actor)).to_contain_text("Not sent yet: 1")


def test_proposal_is_accepted_without_a_network(take: Take) -> None:
    actor, path = begin(take)
    accept_without_a_network(actor, path)
    actor.phone.context.set_offline(offline=False)

    expect(actor.page.locator("form[data-act=accept]")).to_have_count(0)
    expect(unsent(actor)).to_be_hidden()
    actor.open(path)
    expect(actor.row(1).get_by_label("amended")).to_be_visible()


def test_page_that_is_being_left_is_not_loaded_anew(take: Take) -> None:
    actor, path = begin(take)
    accept_without_a_network(actor, path)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    for address in ("**/token", f"**{path}"):
        actor.page.route(address, hold)
    with actor.page.expect_request("**/token"):
        actor.phone.context.set_offline(offline=False)
    with actor.page.expect_request(f"**{path}"):
        actor.page.locator(f'a[href="{path}"]').first.tap(no_wait_after=True)

    with actor.page.expect_response(f"**{path}deals/1/**"):
        held[0].continue_()
    actor.page.wait_for_timeout(200)
    held[-1].continue_()

    actor.wait_for_session()
    expect(actor.row(1).get_by_label("amended")).to_be_visible()


def test_cancelled_start_waits_and_what_needs_the_network_says_so(take: Take) -> None:
    actor, path = begin(take)
    Sheet(Scribe(actor.phone), path).begin()
    actor.open(path)
    actor.phone.context.set_offline(offline=True)

    actor.tap(actor.button("Cancel the start"))
    expect(unsent(actor)).to_contain_text("Not sent yet: 1")
    actor.tap(actor.page.locator("form.end").get_by_role("button"))
    expect(actor.page.locator("[data-told]:visible")).to_contain_text(
        ["Kept on this phone", "No network: this can be sent once it is back."]
    )
    actor.page.close()
    actor.phone.context.set_offline(offline=False)

    later = on_page(actor, actor.phone.context.new_page())
    later.open(path)
    expect(later.page.get_by_text("is being played")).to_have_count(0)
    expect(unsent(later)).to_be_hidden()
    expect(later.record_link()).to_be_visible()


def test_phone_that_was_sent_away_keeps_its_deals_to_be_read(take: Take) -> None:
    owner, path = begin(take)
    circle = path.split("sessions")[0]
    actor = join(take, owner, path)
    actor.open(f"{path}record")
    actor.phone.context.set_offline(offline=True)
    actor.answer(deal(1))
    actor.save()
    expect_deal(actor, 2)
    *_, away = AWAY.findall(owner.phone.context.request.get(f"{circle}share").text())
    Scribe(owner.phone).post(away, {})
    actor.phone.context.set_offline(offline=False)

    unsent(actor).locator("summary").first.tap()
    expect(unsent(actor)).to_contain_text("This phone is no longer in the circle.")
    act = unsent(actor).get_by_role("listitem")
    act.locator("summary").tap()
    expect(act).to_contain_text("Caller")
    expect(act).to_contain_text("Bea")


def test_full_disk_is_said_and_the_form_keeps_what_was_typed(take: Take) -> None:
    actor, _ = begin(take)
    actor.page.evaluate(FULL)
    actor.phone.context.set_offline(offline=True)

    actor.answer(deal(1))
    actor.save()

    expect(actor.page.locator("[data-notice]")).to_contain_text("no room on this phone")
    expect(actor.chip("Caller", "Bea")).to_be_checked()
    actor.phone.context.set_offline(offline=False)
    actor.wait_for_session()
    expect(actor.row(1)).to_be_visible()


def test_payouts_without_a_network_are_marked_as_reckoned_here(take: Take) -> None:
    actor, _ = begin(take)
    actor.phone.context.set_offline(offline=True)

    actor.answer(deal(1))

    assert actor.foretold()["Bea"] == -2
    expect(actor.preview()).to_contain_text("worked out on this phone")


def test_who_sits_out_goes_round_without_a_network(take: Take) -> None:
    actor, _ = begin(take, SIX)
    phone = actor.phone
    phone.context.set_offline(offline=True)

    expect(phone.page.locator("header.top")).to_contain_text("Ada deals · Ada out")
    actor.answer({"caller": "Bea", "bid": "K", "partner": "Fulvia", "card_points": 70})
    actor.save()

    expect(phone.page.locator("header.top")).to_contain_text("Bea deals · Bea out")
    actor.answer({"caller": "Ada", "bid": "K", "partner": "Fulvia", "card_points": 40})
    actor.save()
    phone.context.set_offline(offline=False)
    actor.wait_for_session()
    expect(actor.row(2)).to_be_visible()


def test_deal_that_waits_is_amended_and_another_deleted_before_they_go(take: Take) -> None:
    actor, _ = begin(take)
    actor.phone.context.set_offline(offline=True)
    for number in (1, 2, 3):
        actor.answer(deal(number))
        actor.save()
        expect_deal(actor, number + 1)

    unsent(actor).locator("summary").first.tap()
    second, third = (
        unsent(actor).get_by_role("listitem").nth(1),
        unsent(actor).get_by_role("listitem").nth(2),
    )
    second.locator("summary").tap()
    second.get_by_role("button", name="Amend").tap()
    expect_deal(actor, 2)
    expect(actor.chip("Caller", "Ciro")).to_be_checked()
    actor.answer({"caller": "Ada"})
    actor.save()
    expect_deal(actor, 4)
    third.locator("summary").tap()
    third.get_by_role("button", name="Delete").tap()
    third.get_by_role("button", name="Really delete it?").tap()
    expect(unsent(actor)).to_contain_text("2 deals not sent yet")
    actor.phone.context.set_offline(offline=False)

    actor.wait_for_session()
    expect(actor.row(2)).to_contain_text("Ada")
    expect(actor.row(3)).to_have_count(0)


def test_two_phones_with_the_same_deal_end_on_the_page_of_both(take: Take) -> None:
    actor, path = begin(take)
    other = take(Model(), actor.phone.context.storage_state(), new=True)
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
    expect_choice(theirs, TWICE)
    expect(unsent(theirs)).to_contain_text("2 deals not sent yet")
    theirs.page.reload()
    expect_choice(theirs, TWICE)
    expect(unsent(theirs)).to_contain_text("2 deals not sent yet")
    unsent(theirs).get_by_role("button", name="Look at both").tap()
    expect(theirs.heading("Deal %(number)s, twice", number=1)).to_be_visible()
    theirs.tap(theirs.button("Mine is another deal: record it as deal %(number)s", number=2))

    theirs.wait_for_session()
    expect(theirs.row(3)).to_be_visible()
    expect(theirs.row(4)).to_have_count(0)
    expect(unsent(theirs)).to_be_hidden()


def test_deal_that_meets_a_fault_of_the_server_waits_and_is_sent_again(take: Take) -> None:
    actor, _ = begin(take)
    actor.phone.watch.tolerate("status 500")
    actor.phone.watch.tolerate("a status of 500")
    actor.phone.context.set_offline(offline=True)
    actor.answer(deal(1))
    actor.save()
    expect_deal(actor, 2)

    actor.page.route(RECORDING, lambda route: route.fulfill(status=500), times=1)
    with actor.page.expect_response(lambda reply: reply.status == 500):
        actor.phone.context.set_offline(offline=False)
    expect(unsent(actor)).to_contain_text("1 deal not sent yet")
    expect(unsent(actor)).not_to_contain_text("The server did not take it.")

    actor.wait_for_session()
    expect(actor.row(1)).to_be_visible()
    expect(unsent(actor)).to_be_hidden()


def test_what_the_server_pays_otherwise_is_said(take: Take) -> None:
    actor, path = begin(take)
    actor.phone.context.set_offline(offline=True)
    actor.answer(deal(1))
    actor.save()
    expect_deal(actor, 2)
    actor.page.evaluate(RECKON_WRONG, path.split("/")[2])
    actor.phone.context.set_offline(offline=False)

    expect(unsent(actor)).to_contain_text("Sent, and the server pays otherwise")
    unsent(actor).locator("summary").first.tap()
    expect(unsent(actor)).to_contain_text("The server pays, and this stands: Ada +1 · Bea −2")


def test_leaving_the_circle_forgets_what_waits(take: Take) -> None:
    owner, path = begin(take)
    circle = path.split("sessions")[0]
    actor = Actor(take(Model(), new=True))
    Scribe(actor.phone).post("/join", {"code": Scribe(owner.phone).link(circle)})
    actor.open(path)
    actor.phone.context.route("**/token", lambda route: route.abort())
    actor.phone.watch.tolerate("token")
    actor.phone.watch.tolerate("ERR_FAILED")
    actor.page.evaluate(KEEP, circle.split("/")[2])
    actor.open(f"{circle}own")
    expect(unsent(actor)).to_contain_text("1 deal not sent yet")

    actor.tap(actor.page.locator("summary.danger"))
    actor.tap(actor.page.locator("form[data-wipes] button"))
    actor.page.wait_for_url("/")

    assert actor.page.evaluate(COUNT) == 0
