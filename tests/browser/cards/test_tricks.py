import re
import time
from dataclasses import replace

import pytest
from playwright.sync_api import Locator, expect

from scorer.languages import translate
from scorer.rules.cards import DECKS, Card, card_name
from scorer.texts import Text
from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import PATIENCE, Model
from tests.browser.seeding import ASIDE, BY_POINTS, Scribe, Sheet, in_tricks
from tests.samples import RECORD

pytestmark = pytest.mark.browser

TRICKS: list[list[str]] = RECORD["tricks"]
CARDS = [card for trick in TRICKS for card in trick]
DECK = DECKS["italian-40"]
TRICKS_URL = re.compile(r"/deals/1/tricks/$")
#: Ciro had the king of cups, and they took 72: the sheet says otherwise.
WRONG = {"caller": "1", "bid_rank": "K", "suit": "C", "partner": "3", "card_points": "74"}
THUMB = 44
#: Buttons that are too small, not seen whole or covered, and how far the page goes on below.
OUT_OF_REACH = """
([where, thumb]) => {
  const root = document.documentElement;
  const seen = (one) => one.checkVisibility({ checkVisibilityCSS: true });
  const keys = [...document.querySelectorAll(where)].filter(seen);
  const out = keys.filter((one) => {
    const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
    const whole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return !whole || Math.min(width, height) < thumb || !one.contains(above);
  });
  const below = root.scrollHeight - innerHeight;
  return [...out.map((one) => one.textContent.trim()), ...(below > 0 ? [below] : [])];
}
"""
TRICK = re.compile(r"^\d+\. .*$", re.MULTILINE)
CUPS = ("Asso", "Tre", "Re", "Cavallo", "Sei", "Cinque")
CARD = re.compile(r"\b\w+[CDSB]\b")


def deal_of(actor: Actor) -> str:
    """Record a deal of which nobody has written the cards down; give its path."""
    sheet = Scribe(actor.phone).start("Friday", first_dealer="4")
    sheet.record(**WRONG)
    return f"{sheet.path}deals/1/"


def card(actor: Actor, code: str) -> Locator:
    name: Text = card_name(Card.parse(code), DECK)
    said = translate(name, actor.phone.model.language)
    return grid(actor).get_by_role("button", name=said, exact=True)


def grid(actor: Actor) -> Locator:
    return actor.page.get_by_role("region", name=actor.phone.say("Cards not played yet"))


def play(actor: Actor, cards: list[str]) -> None:
    for code in cards:
        actor.tap(card(actor, code))


def expect_said(actor: Actor, template: str, /, **values: object) -> None:
    words = actor.phone.say(template, **values)
    expect(actor.page.get_by_role("status").filter(has_text=words)).to_be_visible()


def expect_cards(actor: Actor, count: int) -> None:
    """Ask the server how many cards are written down; look again till they are."""
    text = re.split("tricks/|#", actor.page.url)[0] + "tricks/text"
    written: list[str] = []
    until = time.monotonic() + PATIENCE / 1000
    while len(written) != count:
        assert time.monotonic() < until, f"{len(written)} cards were written down"
        actor.page.wait_for_timeout(100)
        told = TRICK.findall(actor.phone.context.request.get(text).text())
        written = CARD.findall("\n".join(told))


def expect_in_reach(actor: Actor) -> None:
    """However the phone is held, every card is as big as a thumb, and seen without scrolling."""
    assert grid(actor).get_by_role("button").count() == 40
    for width, height in ((390, 844), (640, 360), (844, 390), (360, 640)):
        actor.page.set_viewport_size({"width": width, "height": height})
        assert actor.page.evaluate(OUT_OF_REACH, [".grid button", THUMB]) == [], (width, height)


def play_by_keys(actor: Actor) -> None:
    """Arrows lead from card to card, also over those that are gone; both are taken back."""
    cards = actor.page.get_by_role("region", name=actor.phone.say("Cards not played yet"))
    named = {
        name: cards.get_by_role("button", name=f"{name} di coppe", exact=True) for name in CUPS
    }
    named["Asso"].focus()
    for key, name in (
        *(("ArrowRight", "Tre"), ("ArrowRight", "Re"), ("Enter", "Cavallo"), ("ArrowLeft", "Tre")),
        *(("ArrowDown", "Sei"), ("Space", "Cinque"), ("ArrowUp", "Tre")),
    ):
        actor.page.keyboard.press(key)
        expect(named[name]).to_be_focused()
    expect_said(actor, "%(name)s: %(card)s.", name="Bea", card="Sei di coppe")
    for _ in range(2):
        actor.tap(actor.button("Undo"))


def test_deal_is_written_down_with_a_mistake_and_a_break_and_the_sheet_is_amended(
    take: Take,
) -> None:
    actor = Actor(take(Model(360, 640, "it")))
    deal = deal_of(actor)
    actor.open(deal)
    actor.tap(actor.page.get_by_role("link", name=actor.phone.say("Write down the cards")))
    actor.arrive(TRICKS_URL)
    expect_in_reach(actor)
    play_by_keys(actor)

    play(actor, CARDS[:4])
    play(actor, ["QB"])
    expect_said(
        actor, "%(name)s takes trick %(trick)s: %(points)s.", name="Ezio", trick=1, points=7
    )
    actor.tap(actor.button("Undo"))
    expect_said(actor, "%(name)s plays.", name="Ezio")
    play(actor, CARDS[4:7])
    actor.tap(actor.button("Stop here"))
    expect(actor.link("Go on writing")).to_be_visible()
    expect_cards(actor, 7)
    Sheet(Scribe(actor.phone), deal.removesuffix("deals/1/")).lay(1, TRICKS[:7])
    actor.tap(actor.link("Go on writing"))
    expect(card(actor, "7B")).to_be_hidden()
    play(actor, TRICKS[7])

    expect(actor.heading("The cards say otherwise")).to_be_in_viewport()
    said = actor.words("The sheet says that %(name)s was the partner.", name="Dora")
    expect(said.first).to_be_visible()
    actor.tap(actor.button("Correct the sheet"))
    expect(actor.words("The cards agree with the sheet.")).to_be_visible()


def test_taps_before_the_script_came_and_without_a_network_are_kept_and_sent_when_it_is_back(
    take: Take,
) -> None:
    actor = Actor(take(Model()))
    actor.phone.watch.tolerate("ERR_INTERNET_DISCONNECTED")
    address = f"{deal_of(actor)}tricks/"
    actor.page.route("**/tricks.js", lambda _: None, times=1)
    actor.page.goto(address, wait_until="commit")
    card(actor, CARDS[0]).click()
    expect_said(actor, "%(name)s plays.", name="Bea")
    actor.page.wait_for_load_state()
    actor.tap(actor.button("Stop here"))
    actor.tap(actor.link("Go on writing"))
    actor.arrive(TRICKS_URL)
    play(actor, CARDS[1:5])
    expect_cards(actor, 5)
    actor.phone.context.set_offline(offline=True)

    play(actor, CARDS[5:12])
    expect_said(actor, "No connection: the cards wait here and are sent once it is back.")
    actor.tap(actor.button("Stop here"))
    expect(actor.page).to_have_url(TRICKS_URL)
    actor.phone.context.set_offline(offline=False)

    actor.tap(actor.link("Go on writing"))
    actor.arrive(TRICKS_URL)
    expect(grid(actor).get_by_role("button")).to_have_count(28)

    actor.phone.context.set_offline(offline=True)
    play(actor, CARDS[12:14])
    actor.tap(actor.button("Undo"))
    actor.page.close(run_before_unload=False)
    actor.phone.context.set_offline(offline=False)
    later = Actor(replace(actor.phone, page=actor.phone.context.new_page()))
    later.open(address)
    expect(grid(later).get_by_role("button")).to_have_count(27)
    expect_cards(later, 13)


@pytest.mark.slow
def test_taps_that_never_arrived_are_not_dropped_because_others_have_written(
    take: Take,
) -> None:
    actor, other = (Actor(take(Model())) for _ in range(2))
    address = f"{deal_of(actor)}tricks/"
    secret = Scribe(actor.phone).link(address.partition("sessions/")[0])
    Scribe(other.phone).post("/join", {"code": secret})
    actor.open(address)
    actor.page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError()); }")
    play(actor, CARDS[:6])
    expect_said(actor, "No connection: the cards wait here and are sent once it is back.")
    actor.page.goto("about:blank")
    other.open(address)
    play(other, CARDS[:10])
    expect_cards(other, 10)

    actor.open(address)

    said = "Yours lie above. Cards: %(ours)s of yours, %(theirs)s of theirs."
    expect(actor.page.get_by_text(actor.phone.say(said, ours=6, theirs=10))).to_be_visible()
    actor.tap(actor.link("Go on with theirs"))
    expect(grid(actor).get_by_role("button")).to_have_count(30)


def test_cards_are_laid_aside_shown_and_taken_up_again_whichever_came_last(take: Take) -> None:
    actor = Actor(take(Model(390, 844)))  # smaller ones show no icons
    sheet = Scribe(actor.phone).start("Col monte", "monte-5", first_dealer="4")
    sheet.begin(**BY_POINTS)
    actor.open(f"{sheet.path}deals/1/tricks/")
    played = [code for trick in in_tricks(ASIDE) for code in trick]
    shown = actor.button("Called card shown: %(name)s is the partner", name="Bea")
    eye, check = (shown.locator(".icon").nth(place) for place in (0, 1))
    all_laid = actor.button("Aside %(count)s/%(monte)s", count=5, monte=5)

    play(actor, played[:2])
    actor.tap(actor.button("Aside %(count)s/%(monte)s", count=0, monte=5))
    expect_said(actor, "Tap the cards laid aside.")
    play(actor, ["KC", "AB", "7B", "6B", "2S"])
    expect(all_laid).to_be_visible()
    actor.tap(actor.button("Undo"))
    expect(actor.page.locator(".laid [class*=suit-]")).to_have_count(4)
    expect(card(actor, "2S")).to_be_enabled()
    expect(eye).to_be_visible()
    expect(check).to_be_hidden()
    actor.tap(shown)
    expect(shown).to_have_attribute("aria-pressed", "true")
    expect(check).to_be_visible()
    expect(eye).to_be_hidden()
    play(actor, ["5B"])
    expect(card(actor, "5B")).to_be_hidden()
    expect(actor.page.locator("[data-seat='1'] [data-role]")).to_have_text("partner")

    play(actor, played[2:3])
    actor.tap(actor.button("Undo"))
    expect_said(actor, "%(name)s plays.", name="Ciro")
    expect(all_laid).to_be_visible()
