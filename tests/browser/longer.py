"""A language of longer words on a page: every word but names gets accents and more letters."""

from playwright.sync_api import Page

from tests.browser.seeding import SIX

#: A language of long words needs two fifths more than English; Italian needs a twentieth more.
MORE = 1.4 / 1.05
#: What people typed, and what is the same in every language.
KEPT = (*" ".join(SIX).split(),)
LENGTHEN = """
([kept, more]) => {
  const accented = (letter) => `${letter}\u0301`.normalize("NFC");
  const longer = (word) => {
    if (kept.includes(word) || word.length < 4) return word;
    const end = /[aeiou]/i.exec(word)?.[0].toLowerCase() ?? "o";
    const said = word + end.repeat(Math.round(word.length * (more - 1)));
    return said.replace(/[aeiou]/gi, accented);
  };
  document.documentElement.lang = "hr";
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.parentElement.closest("script, style, template, textarea, svg")) continue;
    text.data = text.data.replace(/\\p{L}+/gu, longer);
  }
}
"""
#: What holds words and cuts off what doesn't fit into it; a title that people typed may be cut.
CUT = """[...document.body.querySelectorAll("*")].filter((box) => {
  const { overflowX, overflowY, display } = getComputedStyle(box);
  if (!box.checkVisibility() || display === "inline") return false;
  if (box.closest(".sr, svg, select, .tv .top") || !box.textContent.trim()) return false;
  const cut = (kind) => kind === "hidden" || kind === "clip";
  const wide = box.scrollWidth > box.clientWidth + 1;
  const high = box.scrollHeight > box.clientHeight + 1;
  return (wide && cut(overflowX)) || (high && cut(overflowY));
}).map((box) => `${box.className || box.tagName}: ${box.textContent.trim().slice(0, 60)}`)"""


def cut_off(page: Page) -> list[str]:
    """Say what is cut off, or makes a page too wide, once the words on it are longer."""
    page.evaluate(LENGTHEN, [KEPT, MORE])
    cut, width = page.evaluate(f"[{CUT}, document.documentElement.scrollWidth]")
    return [*cut, *([f"{width} wide"] if width > 360 else [])]
