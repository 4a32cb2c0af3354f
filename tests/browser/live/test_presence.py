"""Who is here: the names are whole."""

import pytest
from playwright.sync_api import expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Past

pytestmark = pytest.mark.browser

#: What of the names is not to be seen: beyond its list, the section or below what stands beside it.
CUT = """() => {
  const section = document.querySelector("#presence");
  const list = section.querySelector("[data-present]");
  const around = section.getBoundingClientRect();
  const beside = section.querySelector("summary").getBoundingClientRect();
  const parts = [section.querySelector("h2"), ...list.children];
  const isCut = ({ left, right, top, bottom }) => left < around.left || right > around.right
    || right > beside.left && bottom > beside.top && top < beside.bottom;
  return [...parts.filter((part) => isCut(part.getBoundingClientRect())
    || part.scrollWidth > part.clientWidth), ...(list.scrollWidth > list.clientWidth ? [list] : [])]
    .map((part) => part.textContent.trim());
}"""
HERE = """(names) => {
  const list = document.querySelector("[data-present]"), item = list.firstElementChild;
  list.replaceChildren(...names.map((name) => {
    const copy = item.cloneNode(true);
    copy.querySelector("span").textContent = name;
    return copy;
  }));
}"""


def test_names_of_who_is_here_are_whole_beside_the_way_to_pass_the_pen(
    take: Take, past: Past
) -> None:
    keeper = Actor(take(Model(360, 640, "it"), past.cookies["keeper"]))
    others = [Actor(take(Model(), past.cookies[whose])) for whose in ("player", "watcher")]
    for actor in (*others, keeper):
        actor.open(past.paths["mixed"])
    expect(keeper.page.locator("#presence details")).to_be_visible()
    expect(keeper.page.locator("[data-present] li")).to_have_count(3)

    assert keeper.page.evaluate(CUT) == []
    keeper.page.evaluate(HERE, ["Giovambattista", "Maria Grazia", "Pierfrancesco", "Ezio", "Ada"])
    for width in (360, 390, 1280):
        keeper.page.set_viewport_size({"width": width, "height": 800})
        assert keeper.page.evaluate(CUT) == []
