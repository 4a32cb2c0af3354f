"""The end of an evening on a phone: closed, shown around, printed."""

from collections.abc import Sequence
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import expect
from pypdf import PageObject, PdfReader

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import BY_POINTS, SIX, Scribe

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: What a browser that can send files is like; what was sent is kept.
SENDS = """
navigator.canShare = () => true;
navigator.share = async (said) => {
  const bytes = new Uint8Array(await said.files[0].arrayBuffer());
  globalThis.sent = { text: said.text, type: said.files[0].type, bytes: [...bytes] };
  document.documentElement.dataset.sent = "";
};
"""


#: A deal of pairs that nobody closed.
MELDED = {"closed": "nobody"} | {f"{name}-{side}": number for side in range(2)
          for name, number in (("melded", "210"), ("clean", "2"))}  # fmt: skip


def test_evening_is_closed_shown_around_and_printed(take: Take) -> None:
    phone = take(Model(360, 640, "it"))
    phone.context.add_init_script(SENDS)
    actor, sheet = Actor(phone), Scribe(phone).start("Friday", "monte-6", SIX, stake="0.10")
    for _ in range(3):
        sheet.record(**BY_POINTS)
    actor.open(sheet.path)
    actor.unfold("more")
    actor.tap(actor.button("End the session"))
    actor.arrive("/last")

    actor.unfold("more")
    actor.tap(actor.text("Public page"))
    actor.tap(actor.button("Make a public page"))
    actor.arrive("#public")
    expect(phone.page.locator("#page-1")).to_be_in_viewport()
    public = phone.page.locator("#page-1").input_value()
    actor.tap(actor.link("Send to WhatsApp"))
    phone.page.wait_for_selector("html[data-sent]", state="attached")
    sent = phone.page.evaluate("globalThis.sent")

    picture = Image.open(BytesIO(bytes(sent["bytes"])))
    assert (sent["type"], picture.format, picture.size) == ("image/png", "PNG", (1080, 1350))
    assert len(picture.convert("RGB").getcolors(1350 * 1080) or []) > 10
    assert sent["text"].startswith("Friday. ")
    assert public in sent["text"]

    actor.open(f"{sheet.path}sheet")
    pages = printed(actor)
    words = " ".join(pages[0].extract_text().split())
    wide = pages[0].mediabox.width > pages[0].mediabox.height
    assert (len(pages), wide) == (1, True)  # up to five stand upright
    for name in SIX:
        assert words.count(name) >= 2, words
    assert phone.say("Seal of this session:") in words
    for button in ("Print", "Home", "Rules"):
        assert phone.say(button) not in words.split()

    pairs = Scribe(phone).start("Pairs", "three-deals", SIX[:4], game="burraco", end="rules")
    for _ in range(3):
        pairs.record(**MELDED)
    actor.open(f"{pairs.path}sheet")
    assert actor.page.evaluate("document.documentElement.scrollWidth") == 360
    (slip,) = printed(actor)
    assert [round(side / 72 * 25.4) for side in slip.mediabox[2:]] == [148, 210]  # A5


def printed(actor: Actor) -> Sequence[PageObject]:
    """Print the page."""
    return PdfReader(BytesIO(actor.page.pdf(prefer_css_page_size=True))).pages
