from collections.abc import Sequence

import pytest
from playwright.sync_api import expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.matches import Match
from tests.browser.phones import Model

pytestmark = pytest.mark.browser

#: The record form and its scripts were fetched.
IN_MEMORY = """() => performance.getEntriesByType("resource")
  .some(({ name }) => name.endsWith("/derived_sums.js"))"""

TWO, THREE, FOUR = ("Ada", "Bea"), ("Ada", "Bea", "Ciro"), ("Ada", "Bea", "Ciro", "Dora")
SIX = ("Ada", "Bea", "Pierfrancesco", "Dora", "Ezio", "Giovambattista")
#: How far down each item of a list begins, and whether all that it says is within its own width.
ROWS = """(list) => [...list.children].map((item) => {
  const said = document.createRange();
  said.selectNodeContents(item.querySelector("b"));
  return [Math.round(item.getBoundingClientRect().top),
    said.getBoundingClientRect().width <= item.clientWidth];
})"""
#: In how many lines a name stands.
LINES = """(name) => {
  const said = document.createRange();
  said.selectNodeContents(name);
  return said.getClientRects().length;
}"""
#: Choose also what another choice has ruled out, as it may come back in a form.
CHOOSE_ANYWAY = """
(list, label) => {
  list.selectedIndex = [...list.options].findIndex((one) => one.label === label);
  list.dispatchEvent(new Event("input", { bubbles: true }));
}
"""


def asked(take: Take, game: str, rules: str, names: Sequence[str]) -> Match:
    """Give a match whose first deal is asked for."""
    match = Match(Actor(take(Model(360, 640))), game, rules, names)
    match.begin()
    match.actor.open(f"{match.actor.page.url}record")
    return match


def test_six_payouts_stand_in_a_row_and_who_is_out_has_a_whole_name(take: Take) -> None:
    match = Match(Actor(take(Model(360, 640))), "scala-quaranta", "to-101", SIX)
    match.begin()
    page, open_page = match.actor.page, match.actor.open
    session = page.url
    hands = {"Bea": 60, "Pierfrancesco": 104, "Dora": 100, "Ezio": 99, "Giovambattista": 41}
    match.record({"closed": "Ada", "hands": hands})

    for address, name in (
        (session.split("sessions/")[0], "seats"),
        (f"{session}deals/1/", "named"),
    ):
        open_page(address)
        rows = page.locator(f"ul.{name}").first.evaluate(ROWS)
        assert len(rows) == len(SIX)
        assert {*map(tuple, rows)} == {(rows[0][0], True)}
    open_page(f"{session}table")
    assert page.locator(".who > span", has_text="Pierfrancesco").evaluate(LINES) == 1


def test_cards_are_counted_on_from_what_stands_in_the_box(take: Take) -> None:
    actor = asked(take, "burraco", "to-505", TWO).actor
    count = actor.group("Cards in hand").get_by_role(
        "button", name=actor.phone.say("Count the cards of %(name)s", name="Bea")
    )
    box = actor.group("Cards in hand").get_by_role("textbox").nth(1)
    panel = actor.page.get_by_role("dialog")

    actor.tap(count)
    for card in (*["Joker: 30"] * 5, "Ace: 15", "Two: 20"):
        actor.tap(panel.get_by_role("button", name=card))
    expect(panel.get_by_role("button", name="Joker: 30")).to_contain_text("×4")
    actor.tap(panel.get_by_role("button", name="One back"))
    actor.tap(panel.get_by_role("button", name="Use 135"))

    expect(panel).to_be_hidden()
    expect(box).to_have_value("135")
    box.fill("300")
    actor.tap(count)
    expect(panel.locator("[data-times]").filter(has_text="×")).to_have_count(0)
    actor.tap(panel.get_by_role("button", name="One back"))
    for card in ("A heap of cards: 100", "Ace: 15"):
        actor.tap(panel.get_by_role("button", name=card))
    actor.tap(panel.get_by_role("button", name="Use 415"))
    expect(box).to_have_value("415")


def test_card_that_one_side_declares_is_no_other_side_s(take: Take) -> None:
    match = asked(take, "tressette", "to-21", FOUR)
    match.actor.tap(match.actor.page.locator("summary", has_text="Declarations"))
    lists = match.actor.group("Declarations").get_by_role("combobox")
    suits, aces, other_suits, other_aces = (lists.nth(place) for place in (0, 1, 4, 5))

    suits.select_option(label="coins")

    off = "list => [...list.options].filter(one => one.disabled).map(one => one.label)"
    with_coins = other_suits.evaluate(off)
    assert len(with_coins) == 8
    assert all("coins" in label for label in with_coins)
    assert "four" in other_aces.evaluate(off)
    assert "three, all but coins" not in other_aces.evaluate(off)
    assert aces.evaluate(off) == []

    suits.select_option(index=0)
    assert other_suits.evaluate(off) == []

    for both in (suits, other_suits):
        both.evaluate(CHOOSE_ANYWAY, "coins")
    assert "coins" not in other_suits.evaluate(off)


def record_who_may_come_back(match: Match) -> None:
    """Only whoever is out by then may."""
    back = match.actor.group("Back in").get_by_role("checkbox")
    match.answer({"closed": "Ada", "hands": {"Bea": 120, "Ciro": 40}})
    expect(match.actor.page.get_by_text("120, out")).to_be_visible()
    assert [chip.is_enabled() for chip in back.all()] == [False, True, False]
    match.answer({"buy_in": ["Bea"]})
    match.answer({"hands": {"Bea": 20}})
    expect(back.nth(1)).not_to_be_checked()
    assert [chip.is_enabled() for chip in back.all()] == [False, False, False]
    match.answer({"hands": {"Bea": 120}})
    match.actor.save()
    match.actor.wait_for_session()


def test_who_falls_out_comes_back_in_with_one_tap_also_without_a_network(take: Take) -> None:
    match = asked(take, "scala-quaranta", "buy-in", THREE)
    actor, phone = match.actor, match.actor.phone
    phone.watch.tolerate("ERR_INTERNET_DISCONNECTED")
    record_who_may_come_back(match)
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
    expect(actor.page.locator(".bar .dealer:visible")).to_have_text("Bea deals")
    actor.tap(actor.record_link())
    expect(actor.page.locator("[data-row]:visible")).to_have_count(3)
    match.answer({"closed": "Ada", "hands": {"Bea": 20, "Ciro": 5}})
    expect(actor.preview()).to_contain_text("worked out on this phone")
    actor.save()
    expect(actor.page.locator("#unsent")).to_contain_text("Not sent yet: 2")
    phone.context.set_offline(offline=False)

    actor.wait_for_session()
    expect(actor.row(2)).to_be_visible()
    expect(bea).to_contain_text("60")
    expect(actor.page.locator("#unsent")).to_be_hidden()
