import re

import pytest
from playwright.sync_api import expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import WITH_AND_WITHOUT_SCRIPTS, Model
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser


@WITH_AND_WITHOUT_SCRIPTS
def test_founder_says_who_she_is_and_keeps_a_way_back(take: Take, *, scripts: bool) -> None:
    bea = Actor(take(Model(360, 640, "it", scripts=scripts), new=True))
    sheet = Scribe(bea.phone).start("Friday")
    sheet.record()
    bea.open(sheet.path)

    undo = bea.page.locator("[action$='/undo'] button")
    for seen in (bea.button("Bea"), bea.button("Not now"), undo):
        expect(seen).to_be_in_viewport(ratio=1)
    bea.tap(bea.button("Bea"))
    expect(bea.heading("Which of them are you?")).to_have_count(0)
    expect(undo).to_be_in_viewport(ratio=1)

    sheet.end()
    bea.open(sheet.path)
    bea.tap(bea.button("Make a recovery link"))
    link = bea.page.get_by_role("textbox").input_value()
    assert re.search(r"/join#[\w-]{22}$", link)
    expect(
        bea.page.get_by_role("img", name=bea.phone.say("QR code of the link below"))
    ).to_be_visible()
    mail = bea.link("Send it to myself").get_attribute("href") or ""
    assert mail.startswith("mailto:?subject=")
    assert link.partition("#")[2] in mail

    bea.open(sheet.path)
    expect(bea.heading("When this phone is lost")).to_have_count(0)
    bea.open("/mine")
    bea.tap(bea.page.locator("main .links a"))
    expect(bea.heading("This phone")).to_be_visible()
    bea.tap(bea.page.locator("main summary"))
    bea.tap(bea.page.locator("[action$='/leave'] button"))
    expect(bea.page.locator("main .problem:visible")).to_have_count(1)
