"""A deal replayed on a phone: by buttons, by keys, by swipes, and without scripts."""

import re

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


class Watcher:
    """Somebody who looks at a replay, and at which step it is."""

    def __init__(self, take: Take, past: Past, *, scripts: bool = True) -> None:
        self.phone = take(Model(360, 640, scripts=scripts), past.cookies["watcher"])
        self.page.goto(f"{past.paths['cards']}deals/1/tricks/replay")

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


def go_by_buttons_swipes_and_the_list(watcher: Watcher) -> None:
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
    watcher.phone.tap(watcher.page.locator(".all-tricks .cover").nth(3))
    assert watcher.reaches(4 * EACH)
    expect(watcher.page.locator("[aria-current=step]")).to_have_attribute("data-trick", "4")
    expect(watcher.page.locator(".stage")).to_be_in_viewport(ratio=1)


def go_by_keys(watcher: Watcher) -> None:
    """By cards and by tricks; the focus stays on a way that ends."""
    for key, step in (
        *(("ArrowRight", 4 * EACH + 1), ("ArrowLeft", 4 * EACH), ("ArrowLeft", 4 * EACH - 1)),
        *(("Shift+ArrowRight", 4 * EACH), ("Shift+ArrowLeft", 3 * EACH)),
        *(("Shift+ArrowRight", step) for step in range(4 * EACH, LAST + 1, EACH)),
        ("ArrowLeft", LAST - 1),
    ):
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


def test_deal_is_replayed_as_without_scripts_asks_for_nothing_and_shows_what_was_thought(
    take: Take, past: Past
) -> None:
    """Every ninth step is at another place of its trick than the one before."""
    watcher, drawn = Watcher(take, past), Watcher(take, past, scripts=False)
    replay = watcher.page.url
    watcher.page.goto(replay.removesuffix("tricks/replay"))
    watcher.page.goto(replay)
    asked: list[str] = []
    watcher.page.on("request", lambda request: asked.append(request.url))
    go_by_buttons_swipes_and_the_list(watcher)
    go_by_keys(watcher)
    assert [url for url in asked if "/static/" not in url] == []
    watcher.page.go_back()
    expect(watcher.page).to_have_url(re.compile("deals/1/$"))

    watcher.page.goto(replay)
    for step in range(0, LAST + 1, 9):
        for _ in range(9 * bool(step)):
            watcher.page.keyboard.press("ArrowRight")
        assert watcher.reaches(step)
        drawn.page.goto(f"{replay}?step={step}")
        assert watcher.page.evaluate(TABLE) == drawn.page.evaluate(TABLE), step
    watcher.phone.tap(watcher.page.locator(".as-text summary"))
    watcher.phone.tap(watcher.page.get_by_role("button", name="Copy"))
    expect(watcher.page.locator("[data-copy]")).to_have_text("Copied")
    think_a_deal_over(Actor(take(Model(360, 640), past.cookies["keeper"])), past)


def think_a_deal_over(actor: Actor, past: Past) -> None:
    """The page tells how far it is thought over, and shows by itself what was found."""
    page, told = actor.page, {"waiting": True, "progress": "12 of 40 cards"}

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
