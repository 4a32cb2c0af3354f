"""Col monte on a phone: what was laid aside is tapped, shown, taken up again, or left unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.browser.phones import Model
from tests.browser.seeding import ASIDE, BY_POINTS, Scribe, in_tricks
from tests.browser.test_tricks import card, expect_cards, expect_said, grid, phone_and_another, play

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Take

pytestmark = pytest.mark.browser

PLAYED = [code for trick in in_tricks(ASIDE) for code in trick]
LAID = "Aside %(count)s/%(monte)s"
SHOWN = "Called card shown: %(name)s is the partner"


def begun(person: Person) -> str:
    """Start a deal whose caller takes the monte; give its path."""
    sheet = Scribe(person.phone).start("Col monte", "monte-5", first_dealer="4")
    sheet.begin(**BY_POINTS)
    return f"{sheet.path}deals/1/tricks/"


def laid(person: Person) -> Locator:
    """What lies aside, face up."""
    return person.page.locator(".laid [class*=suit-]")


@pytest.fixture
def person(take: Take) -> Person:
    """Give somebody at 360x640 who looks at the grid of a deal col monte."""
    person = Person(take(Model(360, 640)))
    person.open(begun(person))
    return person


def lay(person: Person, codes: list[str]) -> None:
    for code in codes:
        person.tap(card(person, code))


def test_whole_deal_is_tapped_with_what_was_laid_aside_a_mistake_and_the_card_shown(
    person: Person,
) -> None:
    person.tap(person.button(LAID, count=0, monte=5))
    expect_said(person, "Tap the cards laid aside.")
    lay(person, ["KC", "AB", "7B", "6B", "AC"])
    expect_said(person, "%(name)s leads.", name="Ada")
    expect(person.button(LAID, count=5, monte=5)).to_be_visible()

    person.tap(person.button("Undo"))
    expect(laid(person)).to_have_count(4)
    expect(card(person, "AC")).to_be_enabled()
    person.tap(person.button(SHOWN, name="Bea"))
    expect(person.button(SHOWN, name="Bea")).to_have_attribute("aria-pressed", "true")
    lay(person, ["5B"])
    expect(card(person, "5B")).to_be_hidden()
    expect(person.page.locator("[data-seat='1'] [data-part]")).to_have_text("partner")

    play(person, PLAYED)

    words = "%(name)s takes trick %(trick)s: %(points)s, and the cards laid aside: %(aside)s."
    expect_said(person, words, name="Ada", trick=7, points=9, aside=15)
    expect(
        person.heading(
            "%(name)s with %(partner)s: %(result)s",
            name="Ada",
            partner="Bea",
            result="made, 120 of 75",
        )
    ).to_be_visible()
    person.tap(person.button("Save deal %(number)s as the cards show it", number=1))
    person.wait_for_session()
    person.open(person.page.url.split("?")[0] + "deals/1/")
    expect(person.page.get_by_text("Ada showed it, so Bea is the partner").first).to_be_visible()


def test_button_of_the_called_card_shows_whether_it_was_shown(take: Take) -> None:
    person = Person(take(Model()))
    person.open(begun(person))
    person.tap(person.button(LAID, count=0, monte=5))
    icons = person.button(SHOWN, name="Bea").locator(".icon")
    eye, check = icons.first, icons.last
    expect(eye).to_be_visible()
    expect(check).to_be_hidden()

    person.tap(person.button(SHOWN, name="Bea"))

    expect(check).to_be_visible()
    expect(eye).to_be_hidden()


def test_undo_takes_a_card_played_or_one_laid_aside_whichever_was_last(person: Person) -> None:
    play(person, PLAYED[:2])
    person.tap(person.button(LAID, count=0, monte=5))
    lay(person, ["KC", "AB"])
    person.tap(person.button("Undo"))
    expect(laid(person)).to_have_count(1)
    person.tap(person.button(LAID, count=1, monte=5))
    play(person, PLAYED[2:3])
    person.tap(person.button("Undo"))

    expect_said(person, "%(name)s plays.", name="Ciro")
    expect(person.button(LAID, count=1, monte=5)).to_be_visible()


def test_what_was_laid_aside_is_not_known_after_all(person: Person) -> None:
    person.tap(person.button(LAID, count=0, monte=5))
    lay(person, list(ASIDE))
    expect_cards(person, 0)
    person.tap(person.button(LAID, count=5, monte=5))
    expect_said(person, "All the cards laid aside are known.")

    person.tap(person.button("Not known"))

    expect_said(person, "%(name)s leads.", name="Ada")
    expect(grid(person).get_by_role("button")).to_have_count(40)


def test_after_a_forgotten_trick_what_was_laid_aside_is_told_at_the_end(person: Person) -> None:
    person.tap(person.button("Trick forgotten"))
    person.tap(person.button("%(name)s leads.", name="Ada"))
    play(person, PLAYED[5:])
    page = person.page
    expect(
        page.get_by_role("button", name=person.phone.say(LAID, count=0, monte=5))
    ).to_be_visible()
    expect(person.link("Fill in the sheet yourself")).to_be_visible()

    person.tap(person.button(LAID, count=0, monte=5))
    lay(person, list(ASIDE))

    words = "%(name)s takes trick %(trick)s: %(points)s, and the cards laid aside: %(aside)s."
    expect_said(person, words, name="Ada", trick=7, points=9, aside=15)


def test_cards_are_laid_aside_by_keys(take: Take) -> None:
    person = Person(take(Model(language="it", touch=False)))
    person.open(begun(person))
    page, keys = person.page, person.page.keyboard
    person.button(LAID, count=0, monte=5).focus()

    keys.press("Enter")
    page.get_by_role("button", name="Asso di coppe", exact=True).focus()
    keys.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Scartata: Asso di coppe.")).to_be_visible()
    expect(page.get_by_role("button", name="Tre di coppe", exact=True)).to_be_focused()
    keys.press("Space")

    expect(laid(person)).to_have_count(2)


def test_what_is_laid_aside_without_a_network_is_kept_and_sent_when_it_is_back(take: Take) -> None:
    person = Person(take(Model(360, 640), new=True))
    person.open(begun(person))
    person.phone.watch.tolerate("ERR_INTERNET_DISCONNECTED")
    person.phone.context.set_offline(offline=True)
    person.tap(person.button(LAID, count=0, monte=5))
    lay(person, list(ASIDE))
    expect_said(person, "No connection: the cards are kept here and sent when it is back.")
    address = person.page.url
    person.page.close(run_before_unload=False)
    person.phone.context.set_offline(offline=False)

    page = person.phone.context.new_page()
    page.goto(address)

    expect(page.get_by_role("button", name="Aside 5/5")).to_be_visible()
    page.wait_for_load_state("networkidle")
    text = person.phone.context.request.get(f"{address}text").text()
    assert f"discards: {' '.join(ASIDE)}\n" in text


def test_two_phones_with_other_cards_laid_aside_are_asked(take: Take) -> None:
    person, address, other = phone_and_another(take, begun)
    for one in (person, other):
        one.open(address)
    other.tap(other.button(LAID, count=0, monte=5))
    lay(other, list(ASIDE))
    expect_said(other, "%(name)s leads.", name="Ada")
    other.page.wait_for_load_state("networkidle")

    person.tap(person.button(LAID, count=0, monte=5))
    lay(person, ["AC", "AD", "AS", "AB", "3C"])

    said = "Yours lie above, %(ours)s cards; there are %(theirs)s of theirs."
    expect(person.page.get_by_text(person.phone.say(said, ours=5, theirs=5))).to_be_visible()
