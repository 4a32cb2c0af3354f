"""The record form of Burraco: quick for pairs, two heaps once one of three plays alone."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.matches import Match
from tests.browser.phones import Model

pytestmark = pytest.mark.browser

TWO, THREE, FOUR = ("Ada", "Bea"), ("Ada", "Bea", "Ciro"), ("Ada", "Bea", "Ciro", "Dora")
SCROLLED = "document.documentElement.scrollHeight - innerHeight"


def asked(take: Take, names: Sequence[str], model: Model, rules: str = "to-2005") -> Actor:
    """Give a phone that asks for the first deal of a match."""
    match = Match(Actor(take(model)), "burraco", rules, names)
    match.begin()
    match.actor.open(f"{match.actor.page.url}record")
    return match.actor


def boxes(actor: Actor, question: str) -> Locator:
    return actor.group(question).get_by_role("textbox")


def test_deal_of_pairs_takes_seven_taps_and_ten_digits(take: Take) -> None:
    actor = asked(take, FOUR, Model(390, 844), "semi-clean")
    taps, digits = 0, 0

    def tap(target: Locator) -> None:
        nonlocal taps
        taps += 1
        actor.tap(target)

    tap(actor.group("Went out").get_by_role("radio").nth(0))
    for question, side in (
        ("Clean burrachi", 0),
        ("Semi-clean burrachi", 1),
        ("Dirty burrachi", 0),
    ):
        tap(actor.group(question).get_by_role("button", name="One more").nth(side))
    tap(actor.group("Pot not taken").get_by_role("checkbox").nth(1))
    tap(boxes(actor, "Cards melded").nth(0))
    for number in ("420", "310", "35", "65"):
        digits += len(number)
        actor.page.keyboard.type(number)
        actor.page.keyboard.press("Enter") if number != "65" else None
    expect(actor.preview()).not_to_have_attribute("data-stale", "")
    tap(actor.save_button())
    actor.wait_for_session()

    assert (taps, digits) == (7, 10)
    paid = actor.balances(FOUR)
    assert paid == {"Ada": 785, "Bea": 295, "Ciro": 785, "Dora": 295}


def test_one_who_plays_alone_has_a_heap_and_the_two_others_have_one(take: Take) -> None:
    actor = asked(take, THREE, Model(390, 844, "it"))
    assert actor.page.evaluate(SCROLLED) <= 0
    actor.tap(actor.group("Played alone").get_by_role("radio", name="Bea"))
    assert actor.page.evaluate(SCROLLED) <= 0
    expect(boxes(actor, "Cards melded")).to_have_count(2)
    expect(boxes(actor, "Cards melded").first).to_have_accessible_name(
        "Ada Ciro " + actor.phone.say("Cards melded")
    )
    more = actor.group("Clean burrachi").get_by_role("button", name="Ada · Ciro: ")
    expect(more).to_have_count(2)
    actor.tap(actor.group("Went out").get_by_role("radio", name="Ada"))
    boxes(actor, "Cards melded").nth(0).fill("305")
    boxes(actor, "Cards melded").nth(1).fill("120")
    actor.group("Clean burrachi").get_by_role("textbox").nth(0).fill("1")
    actor.group("Cards in hand").get_by_role("textbox").nth(0).fill("10")
    actor.tap(actor.group("Pot not taken").get_by_role("checkbox", name="Bea"))
    actor.save()
    actor.wait_for_session()

    assert actor.balances(THREE) == {"Ada": 298, "Bea": 20, "Ciro": 298}
    deal = f"{actor.page.url.partition('?')[0].partition('#')[0]}deals/1/"
    actor.open(deal)
    yes, no = actor.phone.say("yes"), actor.phone.say("no")
    taken = actor.page.locator("dd", has_text=f"Ada: {yes} · Bea: {no} · Ciro: {yes}")
    expect(taken).to_have_count(1)
    actor.open(f"{deal}amend")
    expect(boxes(actor, "Cards melded")).to_have_count(2)
    actor.tap(actor.group("Played alone").get_by_role("radio").nth(3))
    expect(boxes(actor, "Cards melded")).to_have_count(3)
    expect(boxes(actor, "Cards melded").nth(2)).to_have_value("")


def test_form_follows_who_plays_alone_and_who_closed_and_names_the_box_that_is_empty(
    take: Take,
) -> None:
    three = asked(take, THREE, Model(360, 640))
    for place, number in enumerate(("305", "120", "60")):
        boxes(three, "Cards melded").nth(place).fill(number)
    pots = three.group("Pot not taken").get_by_role("checkbox")
    for side in (0, 1):
        three.tap(pots.nth(side))
    three.tap(three.group("Played alone").get_by_role("radio").nth(0))
    expect(boxes(three, "Cards melded").nth(1)).to_have_value("180")
    assert [pot.is_checked() for pot in pots.all()] == [True, False]

    two = asked(take, TWO, Model(360, 640))
    bar = two.page.locator("[data-headline]")
    first = two.page.locator("#preview").get_attribute("data-first")
    expect(bar).to_have_text(first or "")
    pots = two.group("Pot not taken").get_by_role("checkbox")
    boxes(two, "Cards melded").nth(0).fill("35")
    expect(bar).to_have_text("Went out")
    boxes(two, "Cards in hand").nth(0).fill("35")
    two.tap(pots.nth(0))
    two.tap(two.group("Went out").get_by_role("radio").nth(0))
    expect(bar).to_have_text("Cards melded: Bea")
    expect(pots.nth(0)).not_to_be_checked()
    assert [box.is_enabled() for box in boxes(two, "Cards in hand").all()] == [False, True]
    assert boxes(two, "Cards in hand").nth(0).input_value() == ""
    assert [pot.is_enabled() for pot in pots.all()] == [False, True]
