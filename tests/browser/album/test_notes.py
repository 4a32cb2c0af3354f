"""A photo and a note of an evening: taken on one phone, seen on another, taken back."""

from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe
from tests.data.photos import MAKER, of_a_phone

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: What a form would send as the photo.
CHOSEN = """async () => {
  const [file] = document.querySelector("#note-photo").files;
  return [file.name, ...new Uint8Array(await file.arrayBuffer())];
}"""


def test_photo_and_note_go_to_another_phone_and_are_taken_back(take: Take) -> None:
    model = Model(360, 640, "it")
    keeper, player = take(model), take(model)
    sheet = Scribe(keeper).start("Friday")
    circle = sheet.path.partition("sessions/")[0]
    Scribe(player).post("/join", {"code": Scribe(keeper).link(circle, "player")})
    ada, bea = Actor(player), Actor(keeper)
    bea.open(sheet.path)
    bea.tap(bea.link("Photos and notes"))
    bea.arrive("/notes/")

    # What follows the photo may be as long as it likes: the page sends it smaller.
    sent = of_a_phone() + bytes(8_100_000)
    ada.open(f"{sheet.path}notes/")
    label = ada.page.locator("label[for=note-photo]").first
    assert "2 MB" not in label.inner_text()
    file: FilePayload = {"name": "IMG_1.jpg", "mimeType": "image/jpeg", "buffer": sent}
    ada.page.locator("#note-photo").set_input_files(file)
    expect(ada.page.locator("canvas")).to_be_visible()
    expect(ada.page.locator("#note-photo + .face")).to_have_text("IMG_1.jpg")
    name, *chosen = ada.page.evaluate(CHOSEN)
    drawn = Image.open(BytesIO(bytes(chosen)))
    assert (name, drawn.size) == ("photo.jpg", (1200, 1600))
    assert not drawn.getexif()
    assert MAKER.encode() not in bytes(chosen)
    ada.page.locator("#note-text").fill("Il tavolo")
    ada.send(ada.button("Add it"))

    photo = bea.page.get_by_role("img", name="Il tavolo")
    expect(photo).to_be_visible()
    arrived = bea.page.request.get(str(photo.locator("..").get_attribute("href"))).body()
    opened = Image.open(BytesIO(arrived))
    assert (opened.size, len(opened.getexif())) == ((1200, 1600), 0)
    assert len(arrived) < len(sent)

    ada.open(f"{sheet.path}notes/")
    ada.tap(ada.page.locator(".photos summary"))
    ada.send(ada.button("Delete the photo"))
    expect(photo).to_have_count(0)
