"""A deal replayed on a phone: by buttons, by keys, by swipes, from a link, and by whom."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Past
from tests.samples import RECORD

pytestmark = pytest.mark.browser

EACH = len(RECORD["tricks"][0])
LAST = EACH * len(RECORD["tricks"])
SWIPE = """
([from, to]) => {
  const touch = ([clientX, clientY]) =>
    new Touch({ identifier: 1, target: document.body, clientX, clientY });
  const tell = (kind, touches, changedTouches) =>
    document.body.dispatchEvent(new TouchEvent(kind, { bubbles: true, touches, changedTouches }));
  tell("touchstart", [touch(from)], [touch(from)]);
  tell("touchend", [], [touch(to)]);
}
"""
#: What is on the table, seat by seat, as the page says it.
TABLE = """
() => [...document.querySelectorAll(".at")].map((seat) => [
  seat.querySelector("[data-code]")?.dataset.code ?? "",
  seat.querySelector("[data-slot]").dataset.order ?? "",
  seat.querySelector("[data-points]").textContent,
  seat.querySelector("[data-role]").textContent.trim(),
  seat.classList.contains("turn"), seat.classList.contains("winner"),
]).concat(
  [...document.querySelectorAll("[data-said], [data-bounds], [data-trick=''], .going b")]
    .map((one) => one.textContent.trim()),
  document.querySelector("[data-bounds]").dataset.status,
  document.querySelector("[aria-current]")?.dataset.trick ?? "",
  [...document.querySelectorAll(".going [data-to]")]
    .map((link) => link.href ? new URL(link.href).search : "nowhere"))
"""
#: Where the mark of the card that turned the deal lies on it.
MARK = """(turning) => {
  const [around, card] = [turning, turning.firstElementChild].map((one) => one.offsetHeight);
  const { bottom, height } = getComputedStyle(turning, "::after");
  const low = parseFloat(bottom);
  return { around, card, bottom: low, top: low + parseFloat(height) };
}"""


class Watcher:
    """Somebody who looks at a replay, and at which step it is."""

    def __init__(self, take: Take, past: Past, where: str = "", **model: Any) -> None:
        self.phone = take(Model(360, 640, **model), past.cookies["watcher"])
        self.page.goto(f"{past.paths['cards']}deals/1/tricks/replay{where}")

    @property
    def page(self) -> Page:
        """What is looked at."""
        return self.phone.page

    def link(self, name: str) -> Locator:
        """Find one of the four ways to go."""
        return self.page.get_by_role("link", name=self.phone.say(name), exact=True)

    def reaches(self, step: int) -> bool:
        """Wait until the page is at a step, in its words and in its address."""
        expect(self.page.locator(".going small")).to_have_text(f"{step} / {LAST}")
        return not step or self.page.url.endswith(f"?step={step}")


def test_steps_are_gone_by_buttons_and_swipes_and_look_as_the_server_draws_them(
    take: Take, past: Past
) -> None:
    """Every ninth step is at another place of its trick than the one before."""
    watcher, drawn = Watcher(take, past), Watcher(take, past, scripts=False)
    ways = [
        ("Next card", 1),
        ("Next trick", EACH),
        ("Next card", EACH + 1),
        ("Trick before", EACH),
        ("Card before", EACH - 1),
        ("Trick before", 0),
    ]
    swipes = [((300, 200), (100, 210), 1), ((100, 200), (300, 190), 0), ((200, 500), (190, 100), 0),
              ((200, 300), (120, 400), 0), ((200, 300), (190, 300), 0)]  # fmt: skip

    assert watcher.reaches(0)
    for name, step in ways:
        watcher.phone.tap(watcher.link(name))
        assert watcher.reaches(step)
    for start, end, step in swipes:
        watcher.page.evaluate(SWIPE, [start, end])
        assert watcher.reaches(step)
    for step in range(0, LAST + 1, 9):
        for _ in range(9 * bool(step)):
            watcher.page.keyboard.press("ArrowRight")
        assert watcher.reaches(step)
        drawn.page.goto(f"{past.paths['cards']}deals/1/tricks/replay?step={step}")
        assert watcher.page.evaluate(TABLE) == drawn.page.evaluate(TABLE), step


def test_keys_go_by_cards_and_tricks_ask_for_nothing_and_the_focus_stays_to_the_very_end(
    take: Take, past: Past
) -> None:
    watcher = Watcher(take, past, "?step=7", touch=False)
    watcher.page.goto(f"{past.paths['cards']}deals/1/")
    watcher.page.goto(f"{past.paths['cards']}deals/1/tricks/replay?step=7")
    assert watcher.reaches(7)
    asked: list[str] = []
    watcher.page.on("request", lambda request: asked.append(request.url))
    keys = [
        ("ArrowRight", 8),
        ("ArrowLeft", 7),
        ("Shift+ArrowRight", 10),
        ("Shift+ArrowLeft", 5),
        *(("Shift+ArrowRight", step) for step in range(10, LAST + 1, EACH)),
        ("ArrowLeft", LAST - 1),
    ]
    for key, step in keys:
        watcher.page.keyboard.press(key)
        assert watcher.reaches(step)

    on = watcher.link("Next card")
    on.focus()
    for _ in range(2):
        watcher.page.keyboard.press("Enter")
        assert watcher.reaches(LAST)
        expect(on).to_be_focused()
    expect(on).to_have_attribute("aria-disabled", "true")
    watcher.page.keyboard.press("ArrowLeft")
    expect(on).to_be_focused()
    expect(on).not_to_have_attribute("aria-disabled", "true")
    assert [url for url in asked if "/static/" not in url] == []
    watcher.page.go_back()
    expect(watcher.page).to_have_url(re.compile("deals/1/$"))


def test_trick_of_the_list_is_one_tap_away_and_the_deal_is_copied_and_saved_as_text(
    take: Take, past: Past
) -> None:
    watcher = Watcher(take, past, language="it")
    moving = "getComputedStyle(document.querySelector('.slot .lying')).animationName"

    watcher.phone.tap(watcher.page.locator(".all-tricks .cover").nth(3))

    assert watcher.reaches(4 * EACH)
    expect(watcher.page.locator("[aria-current=step]")).to_have_attribute("data-trick", "4")
    expect(watcher.page.locator(".stage")).to_be_in_viewport(ratio=1)
    winner = watcher.page.locator(".at.winner")
    expect(winner).to_have_count(1)
    name, *_ = winner.inner_text().split()
    expect(watcher.page.locator("[data-said]")).to_contain_text(name)
    assert watcher.page.evaluate(moving) == "none"
    watcher.page.emulate_media(reduced_motion="no-preference")
    assert watcher.page.evaluate(moving) == "laid"
    watcher.page.emulate_media(reduced_motion="reduce")

    watcher.phone.tap(watcher.page.locator(".as-text summary"))
    text = watcher.page.get_by_label(watcher.phone.say("The deal as text")).input_value()

    watcher.phone.tap(watcher.page.get_by_role("button", name=watcher.phone.say("Copy")))

    expect(watcher.page.locator("[data-copy]")).to_have_text(watcher.phone.say("Copied"))
    assert text.splitlines()[-1].startswith("8. AC 2C 2B FD 4C")
    with watcher.page.expect_download() as saved:
        watcher.phone.tap(watcher.link("Save as a file"))
    assert saved.value.suggested_filename.endswith("1.txt")
    assert saved.value.path().read_text(encoding="utf-8") == text


def test_page_tells_how_far_a_deal_is_thought_over_and_shows_by_itself_what_was_found(
    take: Take, past: Past
) -> None:
    actor = Actor(take(Model(360, 640), past.cookies["keeper"]))
    page, told = actor.page, {"waiting": True, "progress": "12 of 40 cards"}
    actor.open(f"{past.paths['cards']}deals/1/tricks/replay")
    mark = page.locator(".turning").evaluate(MARK)
    assert mark["around"] == mark["card"]
    assert 0 < mark["bottom"] < mark["top"] < mark["card"]

    def tell(route: Route) -> None:
        """Answer for the process that thinks, which takes its time."""
        if route.request.method == "GET":
            route.fulfill(json=told)
        else:
            route.continue_()

    page.route("**/tricks/analysis", tell)
    actor.open(f"{past.paths['cards']}deals/2/tricks/replay")
    progress = page.locator("[data-thinking]")

    actor.send(actor.button("Think the whole deal over"))
    expect(progress).to_have_text("12 of 40 cards")
    page.evaluate("document.body.dataset.old = ''")
    told["waiting"] = False
    expect(page.locator("body:not([data-old])")).to_be_attached()
    told["waiting"] = True
    actor.send(actor.button("Stop thinking"))

    expect(progress).to_have_count(0)
