import io
import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Page

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe, Sheet

pytestmark = pytest.mark.browser

#: The deals before the one that is written down in the pictures.
DEALS = (
    {"caller": "1", "bid_rank": "K", "suit": "C", "partner": "3", "card_points": "78"},
    {"caller": "0", "bid_rank": "7", "suit": "B", "partner": "2", "card_points": "55"},
    {"caller": "4", "bid_rank": "Q", "suit": "S", "partner": "alone", "card_points": "66"},
    {"caller": "2", "bid_rank": "J", "suit": "D", "partner": "0", "card_points": "91"},
    {"caller": "3", "bid_rank": "2", "bid_points": "65", "suit": "C", "partner": "1"}
    | {"card_points": "70"},
    {"caller": "1", "bid_rank": "A", "suit": "S", "partner": "4", "card_points": "58"},
)
LAST = {"caller": "Dora", "bid": "K", "called_card": "KB", "partner": "Ada", "card_points": 82}
LARGEST = 60_000
PICTURES_ARE_THERE = """() => [...document.images].every((image) =>
  image.naturalWidth > 0 || !image.checkVisibility() ||
  image.getBoundingClientRect().top > innerHeight)"""


def keep_picture(page: Page, path: Path) -> None:
    """Write what the phone shows as a small WebP; what it says of the last tap is put away."""
    page.evaluate("document.activeElement.blur()")
    page.evaluate("document.querySelector('[data-toast]')?.remove()")
    page.wait_for_function(PICTURES_ARE_THERE)
    shot = Image.open(io.BytesIO(page.screenshot()))
    shot.convert("RGB").save(path, quality=62, method=6)
    assert path.stat().st_size < LARGEST


#: `make picture` takes those of both.
LANGUAGES = ["en", "it"] if "PICTURES" in os.environ else ["it"]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_of_an_evening_can_be_taken_for_the_documents(
    language: str, take: Take, tmp_path: Path
) -> None:
    folder = Path(os.environ.get("PICTURES", tmp_path))
    phone = take(Model(390, 844, language, scale=2))
    actor, page = Actor(phone), phone.page

    actor.choose_players_and_rules()
    page.evaluate("scrollTo(0, 0)")
    keep_picture(page, folder / f"{language}-1-begin.webp")
    actor.tap(actor.button("Start playing"))
    actor.wait_for_session()

    sheet = Sheet(Scribe(phone), urlsplit(page.url).path)
    for deal in DEALS:
        sheet.record(**deal)
    actor.open(sheet.path)
    actor.send(actor.button("Ada"))
    actor.open_entry(actor.record_link())
    actor.answer(LAST)
    actor.wait_for_preview()
    keep_picture(page, folder / f"{language}-2-record.webp")
    actor.save()
    actor.wait_for_session()

    actor.open(sheet.path)
    page.set_viewport_size({"width": 390, "height": 1140})
    keep_picture(page, folder / f"{language}-3-session.webp")
    page.set_viewport_size({"width": 390, "height": 844})
    actor.open(f"{sheet.path}deals/7/")
    keep_picture(page, folder / f"{language}-4-deal.webp")
    sheet.end()
    actor.open(sheet.path)
    actor.tap(actor.link("It is over: see the last page"))
    actor.arrive("/last")
    keep_picture(page, folder / f"{language}-5-last-page.webp")
