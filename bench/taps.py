"""The time of a tap on the grid of the cards, in a browser made as slow as a cheap phone."""

from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from bench.figures import Bar, Times, p50
from tests import chromium
from tests.browser.phones import Model, unpack
from tests.browser.seeding import Scribe
from tests.samples import RECORD
from tests.serving import serving

#: How many times slower than this machine.
SLOWER = 4
ROUNDS = 10
CARD, UNDO = "a card of the grid is tapped", "a card is taken back"
#: Every tap with what it draws; the last card is left out, because after it one goes elsewhere.
TAP = """
(cards) => {
  const timed = (button) => {
    const began = performance.now();
    button.click();
    document.body.getBoundingClientRect();
    return (performance.now() - began) / 1000;
  };
  const played = cards.map((card) => timed(document.querySelector(`.grid [value="${card}"]`)));
  return [played, cards.map(() => timed(document.querySelector("[value=back]")))];
}
"""


def measure(instance: Path) -> dict[str, Times]:
    """Play a deal and take it back, card by card, with a server of its own."""
    path = chromium.find_chromium()
    with serving(instance) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
        taken = _tapped(browser, site)
        browser.close()
    return taken


def _tapped(browser: Browser, site: str) -> dict[str, Times]:
    phone = unpack(browser, site, Model(), None)
    sheet = Scribe(phone).start("Taps", first_dealer="4")
    sheet.begin()
    phone.page.goto(f"{sheet.path}deals/1/tricks/")
    wire = phone.context.new_cdp_session(phone.page)
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    cards = [card for trick in RECORD["tricks"] for card in trick][:-1]
    taken: dict[str, Times] = {CARD: [], UNDO: []}
    for _ in range(ROUNDS):
        for name, times in zip(taken, phone.page.evaluate(TAP, cards), strict=True):
            taken[name] += times
    return taken


def bars(taken: dict[str, Times]) -> list[Bar]:
    """Hold a tap, with all that it draws, to what nobody feels."""
    return [
        Bar(f"{name}, {SLOWER} times slower", 1_000 * p50(times), 50, " ms")
        for name, times in taken.items()
    ]
