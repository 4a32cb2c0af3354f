from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Take
    from tests.browser.seeding import Past

pytestmark = pytest.mark.browser

TAPS = 6
#: A box that takes letters or digits brings the keyboard up over half of the screen.
NOTE_THE_KEYBOARD = """
addEventListener("focusin", ({ target }) => {
  if (target.matches("input:not([type=radio], [type=checkbox]), textarea, select"))
    sessionStorage.setItem("keyboard", target.name);
});
"""
KEYBOARD = "sessionStorage.getItem('keyboard')"
FREE = "innerHeight - document.documentElement.scrollHeight"
LADDER = {"caller": "Ada", "bid": "2@72", "partner": "Ciro", "card_points": 80}
POINTS = {"caller": "Ada", "bid": "75", "partner": "Ciro", "card_points": 80}


def at_the_table(
    take: Take, model: Model, rules: str = "ladder-bands", *, new: bool = False
) -> Person:
    phone = take(model, new=new)
    sheet = Scribe(phone).start("Friday", rules)
    phone.page.goto(sheet.path)
    return Person(phone)


def free_height(page: Page) -> int:
    free: int = page.evaluate(FREE)
    return free


@pytest.mark.parametrize(
    ("rules", "bid"),
    [pytest.param("ladder-bands", "K", id="a rank"), pytest.param("classic", "65", id="points")],
)
def test_ordinary_deal_takes_six_taps_and_no_keyboard(take: Take, rules: str, bid: str) -> None:
    person = at_the_table(take, Model(390, 844), rules, new=True)
    person.page.add_init_script(NOTE_THE_KEYBOARD)
    taps = [
        person.chip("Caller", "Ada"),
        person.key("Bid", 65) if bid == "65" else person.chip("Bid", bid),
        person.chip("Partner", "Ciro"),
        person.chip("Card points", "Made"),
        person.save_button(),
    ]

    person.open_entry(person.record_link())
    for target in taps:
        person.tap(target)
    person.wait_for_session()

    assert 1 + len(taps) <= TAPS
    assert person.payouts(1)["Ada"] == 2
    assert person.page.evaluate(KEYBOARD) is None


@pytest.mark.parametrize("size", [(390, 844), (360, 640)], ids=["390", "360"])
@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize(
    ("rules", "answers"),
    [
        pytest.param("ladder-bands", LADDER, id="ranks, then points"),
        pytest.param("classic", POINTS, id="points"),
    ],
)
def test_record_screen_of_five_needs_no_scrolling(
    take: Take, rules: str, answers: dict[str, object], language: str, size: tuple[int, int]
) -> None:
    person = at_the_table(take, Model(*size, language), rules)
    person.open_entry(person.record_link())
    expect(person.save_button()).to_be_in_viewport(ratio=1)
    before = free_height(person.page)

    person.answer(answers)
    person.wait_for_preview()

    assert before >= 0
    assert free_height(person.page) >= 0
    assert person.page.evaluate("scrollY") == 0


@pytest.mark.parametrize("language", ["en", "it"])
def test_small_record_screen_cuts_neither_who_deals_nor_the_solo(
    take: Take, past: Past, language: str
) -> None:
    phone = take(Model(360, 640, language), past.keeper)
    person = Person(phone)
    person.open(f"{past.many}record")

    person.tap(person.page.locator("[name=caller]").first)

    assert person.page.locator("h1").evaluate("e => e.getClientRects().length") == 1
    for place in (".under", ".alone span span"):
        assert person.page.locator(place).evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.parametrize(
    ("rules", "sheets"),
    [
        pytest.param("ladder-bands", [
            LADDER, {**LADDER, "partner": None, "card_points": 40},
            {"caller": "Ezio", "bid": "A", "partner": "Ada", "made": False},
        ], id="ladder-bands"),
        pytest.param("classic", [
            POINTS, {**POINTS, "card_points": 120}, {**POINTS, "card_points": 74}], id="classic"),
    ],
)  # fmt: skip
def test_what_is_foretold_is_what_is_then_paid(
    take: Take, rules: str, sheets: list[dict[str, object]]
) -> None:
    person = at_the_table(take, Model(360, 640), rules)

    for number, sheet in enumerate(sheets, start=1):
        person.open_entry(person.record_link())
        person.answer(sheet)
        foretold = person.foretold()
        person.save()
        person.wait_for_session()
        assert person.payouts(number) == foretold
        assert any(foretold.values())


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("language", ["en", "it"])
def test_problem_stands_beside_its_question_and_what_was_typed_is_kept(
    take: Take, language: str, *, scripts: bool
) -> None:
    person = at_the_table(take, Model(360, 640, language, scripts=scripts))
    person.open_entry(person.record_link())
    person.answer({"caller": "Ezio", "bid": "K", "called_card": "KC", "card_points": 121})
    person.save()

    expect(person.problem("Partner")).to_be_visible()
    missing = re.compile(re.escape(person.phone.say("This answer is missing.")))
    expect(person.group("Partner")).to_have_accessible_description(missing)
    expect(person.problem("Card points")).to_contain_text("120")
    expect(person.problem("Caller")).to_have_count(0)
    expect(person.chip("Caller", "Ezio")).to_be_checked()
    expect(person.chip("Bid", person.phone.say("K"))).to_be_checked()
    expect(person.box("Card points", "of 120")).to_have_value("121")

    person.answer({"partner": "Ada", "card_points": 64})
    person.save()
    person.wait_for_session()

    expect(person.row(1)).to_be_visible()
    expect(person.row(2)).to_have_count(0)


def test_second_tap_on_an_answer_takes_it_back(take: Take) -> None:
    person = at_the_table(take, Model())
    person.open_entry(person.record_link())
    chip = person.chip("Caller", "Ada")
    box = chip.bounding_box()
    assert box

    for checked in (True, False):
        person.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(chip).to_be_checked(checked=checked)


def test_card_counter_counts_a_pile(take: Take) -> None:
    person = at_the_table(take, Model())
    person.open_entry(person.record_link())
    person.tap(person.button("Count the cards"))
    dialog = person.page.get_by_role("dialog")

    for card in ("Ace of cups", "Three of swords", "King of coins", "Jack of batons"):
        person.tap(dialog.get_by_role("button", name=card))
    expect(dialog.get_by_role("status")).to_contain_text("27")
    expect(dialog.get_by_role("status")).to_contain_text("93")
    person.tap(dialog.get_by_role("button", name="It is the other pile"))

    expect(dialog).to_be_hidden()
    expect(person.box("Card points", "of 120")).to_have_value("27")
    expect(person.group("Card points")).to_contain_text("the caller’s side 93")


def test_same_as_last_time_is_two_taps(take: Take) -> None:
    person = at_the_table(take, Model(360, 640))
    person.open("/")

    person.tap(person.page.get_by_role("link", name="Same as last time"))
    person.tap(person.button("Start playing"))
    person.wait_for_session()

    expect(person.page.get_by_role("region", name="Standings")).to_contain_text("Dora")
