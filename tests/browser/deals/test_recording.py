import pytest
from playwright.sync_api import Locator, expect

from tests.browser.actor import ENTRY_URL, FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model, hold
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

CAPPOTTO = "Cappotto: who took everything?"
#: A box that takes letters or digits brings the keyboard up over half of the screen.
NOTE_THE_KEYBOARD = """
addEventListener("focusin", ({ target }) => {
  if (target.matches("input:not([type=radio], [type=checkbox]), textarea, select"))
    sessionStorage.setItem("keyboard", target.name);
});
"""
KEYBOARD = "sessionStorage.getItem('keyboard')"
FREE = "innerHeight - document.documentElement.scrollHeight"


def expect_no_scrolling(actor: Actor) -> None:
    """Neither on a small phone nor on a larger one."""
    for width, height in ((390, 844), (360, 640)):
        actor.page.set_viewport_size({"width": width, "height": height})
        expect(actor.save_button()).to_be_in_viewport(ratio=1)
        assert actor.page.evaluate(FREE) >= 0
        assert actor.page.evaluate("scrollY") == 0


def test_first_deal_from_nothing_takes_nine_taps_and_the_next_six_and_no_keyboard(
    take: Take,
) -> None:
    actor = Actor(take(Model(360, 640, "it"), new=True))
    actor.page.add_init_script(NOTE_THE_KEYBOARD)
    taps = 0

    def tap(target: Locator) -> None:
        nonlocal taps
        taps += 1
        actor.tap(target)

    def record() -> None:
        tap(actor.record_link())
        actor.arrive(ENTRY_URL)
        tap(actor.chip("Caller", "Ada"))
        tap(actor.key("Bid", 65))
        tap(actor.chip("Partner", "Ciro"))
        tap(actor.chip("Card points", actor.phone.say("Made")))
        actor.wait_for_preview()
        expect_no_scrolling(actor)
        tap(actor.save_button())
        actor.wait_for_session()

    actor.open("/")
    tap(actor.link("New session"))
    tap(actor.page.locator("[name=player]").first)
    for name in FIVE:
        actor.page.keyboard.type(name)
        if name != FIVE[-1]:
            actor.page.keyboard.press("Enter")
    tap(actor.button("Start playing"))
    actor.wait_for_session()
    record()
    first, taps = taps, 0
    actor.page.evaluate("sessionStorage.removeItem('keyboard')")
    record()

    assert (first, taps) == (9, 6)
    assert actor.payouts(2)["Ada"] == 2
    assert actor.page.evaluate(KEYBOARD) is None


def test_answers_that_exclude_each_other_are_never_given_together(take: Take) -> None:
    actor = Actor(take(Model()))
    actor.open(f"{Scribe(actor.phone).start('Friday').path}record")
    ada = actor.chip("Caller", "Ada").locator("xpath=..").bounding_box()
    assert ada
    for checked in (True, False):  # a second tap takes it back
        actor.page.touchscreen.tap(ada["x"] + ada["width"] / 2, ada["y"] + ada["height"] / 2)
        expect(actor.chip("Caller", "Ada")).to_be_checked(checked=checked)
    actor.answer({"caller": "Ada", "partner": "Bea"})
    box, missed = actor.box("Card points", "of 120"), actor.chip("Card points", "Missed")

    actor.tap(actor.chip("Caller", "Bea"))
    expect(actor.page.locator("[name=partner]:checked")).to_have_count(0)
    actor.count(70)
    actor.tap(missed)
    expect(box).to_have_value("")
    expect(missed).to_be_checked()
    box.fill("40")
    expect(missed).not_to_be_checked()

    actor.tap(actor.page.locator("summary", has_text="Cappotto"))
    caller, others = (actor.chip(CAPPOTTO, side) for side in ("The caller’s side", "The others"))
    for side, points in ((others, "0"), (caller, "120")):
        actor.tap(side)
        expect(box).to_have_value(points)
    box.fill("80")
    expect(caller).not_to_be_checked()
    actor.tap(others)
    actor.tap(actor.chip("Card points", "Made"))
    expect(others).not_to_be_checked()
    expect(box).to_have_value("")
    count_a_pile(actor)
    actor.answer({"bid": "K", "partner": "Ciro"})
    answer_before_the_script_came(actor)


def count_a_pile(actor: Actor) -> None:
    """Count by cards the pile that the box has no number of, and take the other one."""
    actor.tap(actor.button("Count the cards"))
    dialog = actor.page.get_by_role("dialog")

    for card in ("Ace of cups", "Three of swords", "King of coins", "Jack of batons"):
        actor.tap(dialog.get_by_role("button", name=card))
    expect(dialog.get_by_role("status")).to_contain_text("27")
    expect(dialog.get_by_role("status")).to_contain_text("93")
    actor.tap(dialog.get_by_role("button", name="It is the other pile"))

    expect(dialog).to_be_hidden()
    expect(actor.box("Card points", "of 120")).to_have_value("27")
    expect(actor.group("Card points")).to_contain_text("the caller’s side 93")


def answer_before_the_script_came(actor: Actor) -> None:
    """What is answered then stands over an older draft."""
    late = hold(actor.page, "**/record.js")
    actor.page.reload(wait_until="commit")

    actor.page.locator("label.chip:has([name=caller][value='2'])").click()
    actor.page.locator("[name=card_points]").fill("70")
    late[0].continue_()
    actor.page.wait_for_load_state()

    expect(actor.chip("Caller", "Ciro")).to_be_checked()
    expect(actor.chip("Bid", "K")).to_be_checked()
    expect(actor.page.locator("[name=partner]:checked")).to_have_count(0)
    expect(actor.box("Card points", "of 120")).to_have_value("70")
