"""Forms of other games: what is answered opens, closes and fills in what is asked besides."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

SIX = ("Ada", "Bea", "Pierfrancesco", "Dora", "Ezio", "Giovambattista")
TWO, THREE, FOUR = ("Ada", "Bea"), ("Ada", "Bea", "Ciro"), ("Ada", "Bea", "Ciro", "Dora")
#: The record form and its scripts were fetched.
IN_MEMORY = """() => performance.getEntriesByType("resource")
  .some(({ name }) => name.endsWith("/derived_sums.js"))"""
#: How far down each item of a list begins, and whether all that it says is within its own width.
ROWS = """(list) => [...list.children].map((item) => {
  const said = document.createRange();
  said.selectNodeContents(item.querySelector("b"));
  return [Math.round(item.getBoundingClientRect().top),
    said.getBoundingClientRect().width <= item.clientWidth];
})"""
SCROLLED = "document.documentElement.scrollHeight - innerHeight"
OFF = "list => [...list.options].filter(one => one.disabled).map(one => one.label)"


def asked(actor: Actor, game: str, rules: str, names: Sequence[str]) -> None:
    """Ask for the first deal of a match."""
    sheet = Scribe(actor.phone).start("", rules, names, game=game, end="rules")
    actor.open(f"{sheet.path}record")


def boxes(actor: Actor, question: str) -> Locator:
    return actor.group(question).get_by_role("textbox")


def chips(actor: Actor, question: str) -> Locator:
    return actor.group(question).get_by_role("radio")


def burraco_follows_who_plays_alone_and_who_closed(actor: Actor) -> None:
    asked(actor, "burraco", "to-2005", THREE)
    assert actor.page.evaluate(SCROLLED) <= 0
    melded, pots = (
        boxes(actor, "Cards melded"),
        actor.group("Pot not taken").get_by_role("checkbox"),
    )
    for place, number in enumerate(("305", "120", "60")):
        melded.nth(place).fill(number)
    for side in (0, 1):
        actor.tap(pots.nth(side))
    actor.tap(chips(actor, "Played alone").nth(0))
    expect(melded).to_have_count(2)
    expect(melded.nth(1)).to_have_value("180")
    assert [pot.is_checked() for pot in pots.all()] == [True, False]
    actor.tap(chips(actor, "Played alone").nth(3))
    expect(melded).to_have_count(3)
    expect(melded.nth(2)).to_have_value("")

    asked(actor, "burraco", "to-2005", TWO)
    bar, hands = actor.page.locator("[data-headline]"), boxes(actor, "Cards in hand")
    expect(bar).to_have_text(actor.page.locator("#preview").get_attribute("data-first") or "")
    melded.nth(0).fill("35")
    expect(bar).to_have_text("Went out")
    count_on(actor, hands.nth(1))
    hands.nth(0).fill("35")
    actor.tap(pots.nth(0))
    actor.tap(chips(actor, "Went out").nth(0))
    expect(bar).to_have_text("Cards melded: Bea")
    expect(pots.nth(0)).not_to_be_checked()
    assert [box.is_enabled() for box in hands.all()] == [False, True]
    assert hands.nth(0).input_value() == ""
    assert [pot.is_enabled() for pot in pots.all()] == [False, True]


def count_on(actor: Actor, box: Locator) -> None:
    """Cards are counted, and on from what stands in the box."""
    count = actor.group("Cards in hand").get_by_role("button", name="Count the cards of Bea")
    panel = actor.page.get_by_role("dialog")
    box.fill("300")
    actor.tap(count)
    for card in (*["Joker: 30"] * 5, "A heap of cards: 100", "Two: 20"):
        actor.tap(panel.get_by_role("button", name=card))
    expect(panel.get_by_role("button", name="Joker: 30")).to_contain_text("×4")
    actor.tap(panel.get_by_role("button", name="One back"))
    actor.tap(panel.get_by_role("button", name="Use 520"))
    expect(panel).to_be_hidden()
    expect(box).to_have_value("520")


def answer(actor: Actor, closed: str, **hands: int) -> None:
    """Say who closed, and what the others have in their hands."""
    group = actor.group("Who closed, and the others’ hands")
    actor.tap(group.get_by_role("radio", name=closed))
    for name, points in hands.items():
        group.get_by_role("textbox", name=name).fill(str(points))


def record_who_may_come_back(actor: Actor) -> None:
    """Only whoever is out by then may."""
    back = actor.group("Back in").get_by_role("checkbox")
    answer(actor, "Ada", Bea=120, Ciro=40)
    expect(actor.page.get_by_text("120, out")).to_be_visible()
    assert [chip.is_enabled() for chip in back.all()] == [False, True, False]
    actor.tap(back.nth(1))
    boxes(actor, "Who closed").nth(1).fill("20")
    expect(back.nth(1)).not_to_be_checked()
    assert [chip.is_enabled() for chip in back.all()] == [False, False, False]
    boxes(actor, "Who closed").nth(1).fill("120")
    actor.save()
    actor.wait_for_session()


def test_six_payouts_stand_in_a_row(take: Take) -> None:
    actor = Actor(take(Model(360, 640)))
    asked(actor, "scala-quaranta", "to-101", SIX)
    answer(actor, "Ada", Bea=60, Pierfrancesco=104, Dora=100, Ezio=99, Giovambattista=41)
    actor.save()
    actor.wait_for_session()
    session = actor.page.url.partition("?")[0]

    for address, name in (
        (session.split("sessions/")[0], "seats"),
        (f"{session}deals/1/", "named"),
    ):
        actor.open(address)
        rows = actor.page.locator(f"ul.{name}").first.evaluate(ROWS)
        assert len(rows) == len(SIX)
        assert {*map(tuple, rows)} == {(rows[0][0], True)}


def what_another_side_declared_is_off(actor: Actor) -> None:
    asked(actor, "tressette", "to-21", FOUR)
    actor.tap(actor.page.locator("summary", has_text="Declarations"))
    lists = actor.group("Declarations").get_by_role("combobox")
    suits, other_suits, other_aces = (lists.nth(place) for place in (0, 4, 5))
    suits.select_option(label="coins")
    assert len(other_suits.evaluate(OFF)) == 8
    assert all("coins" in label for label in other_suits.evaluate(OFF))
    assert "four" in other_aces.evaluate(OFF)
    assert "three, all but coins" not in other_aces.evaluate(OFF)
    suits.select_option(index=0)
    assert other_suits.evaluate(OFF) == []


def test_forms_follow_what_is_answered_and_who_is_out_comes_back_without_a_network(
    take: Take,
) -> None:
    phone = take(Model(390, 844))
    phone.watch.tolerate("ERR_INTERNET_DISCONNECTED")
    actor = Actor(phone)
    burraco_follows_who_plays_alone_and_who_closed(actor)
    what_another_side_declared_is_off(actor)

    asked(actor, "scala-quaranta", "buy-in", THREE)
    record_who_may_come_back(actor)
    back, out = actor.button("Bea comes back in"), actor.button("Bea stays out")
    bea = actor.page.locator(".standings:visible > li").filter(has_text="Bea")
    actor.tap(back)
    expect(out).to_be_visible()
    expect(bea).to_contain_text("40")
    actor.tap(out)
    expect(back).to_be_visible()
    expect(bea.locator(".badge")).to_be_visible()
    actor.page.wait_for_function(IN_MEMORY)
    phone.context.set_offline(offline=True)
    actor.tap(back)
    expect(bea).to_contain_text("40")
    expect(bea.locator(".badge")).to_have_count(0)
    actor.tap(actor.record_link())
    expect(actor.page.locator("[data-row]:visible")).to_have_count(3)
    answer(actor, "Ada", Bea=20, Ciro=5)
    expect(actor.preview()).to_contain_text("worked out on this phone")
    actor.save()
    expect(actor.page.locator("#unsent")).to_contain_text("Not sent yet: 2")
    phone.context.set_offline(offline=False)

    actor.wait_for_session()
    expect(actor.row(2)).to_be_visible()
    expect(bea).to_contain_text("60")
    expect(actor.page.locator("#unsent")).to_be_hidden()
