import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.actor import FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model, Phone
from tests.browser.seeding import Scribe, Sheet

pytestmark = pytest.mark.browser

#: Longer than a page waits before it asks whether something was written.
A_WHILE = 10_000
#: Longer than a big screen stays bright where nothing is written.
DIMS = 5 * 60_000 + 1_000


@pytest.fixture
def bea(take: Take) -> Actor:
    """Looks at a session that has just begun."""
    phone = take(Model(390, 844))
    phone.page.goto(Scribe(phone).start("Friday").path)
    return Actor(phone)


@pytest.fixture
def sheet(bea: Actor) -> Sheet:
    """What Bea writes down, when nothing is to be seen on her own phone."""
    return Sheet(Scribe(bea.phone), urlsplit(bea.page.url).path)


@pytest.fixture
def ezio(take: Take, bea: Actor, sheet: Sheet) -> Actor:
    """Looks at the same session, and hears of what is written."""
    phone = take(Model(360, 640, "it"))
    code = Scribe(bea.phone).link(sheet.path.partition("sessions/")[0])
    Scribe(phone).post("/join", {"code": code})
    with phone.page.expect_response("**/events*"):
        phone.page.goto(sheet.path)
    return Actor(phone)


def join_by_link(bea: Actor, phone: Phone) -> Actor:
    """Let a phone in by a link, whose secret is posted once and stands in no address."""
    session = bea.page.url
    bea.send(bea.button("Let another phone in"))
    bea.arrive("/share")
    link = bea.page.get_by_role("textbox", name="The link", exact=True).input_value()
    secret = link.partition("#")[2]
    ezio, asked = Actor(phone), list[tuple[str, str, str]]()
    ezio.page.on("request", lambda one: asked.append((one.method, one.url, one.post_data or "")))
    ezio.open(link)
    ezio.arrive(re.compile(r"/who\?session="))
    ezio.tap(ezio.button("Ezio"))
    ezio.arrive(session)

    assert len(secret) >= 22
    joined = [(method, data) for method, url, data in asked if url.endswith("/join")]
    assert [method for method, _ in joined] == ["GET", "POST"]
    assert parse_qs(joined[1][1])["code"] == [secret]
    assert secret not in "".join(url for _, url, _ in asked)
    for _ in range(2):
        ezio.page.go_back()
        assert "#" not in ezio.page.url
    ezio.open(session)
    assert ezio.balances() == dict.fromkeys(FIVE, 0)
    return ezio


def test_link_lets_a_phone_in_that_is_seen_and_takes_the_pen_in_two_taps(
    take: Take, bea: Actor, sheet: Sheet
) -> None:
    ezio = join_by_link(bea, take(Model(360, 640)))
    fulvia = Actor(take(Model(360, 640)))
    player = Scribe(bea.phone).link(sheet.path.partition("sessions/")[0], "player")
    Scribe(fulvia.phone).post("/join", {"code": player})
    for actor in (bea, fulvia):
        actor.open(sheet.path)
    writing = ezio.page.locator("#writing")
    expect(ezio.page.locator("#presence li")).to_have_count(3)

    ezio.page.get_by_role("link").first.focus()
    bea.open_entry(bea.record_link())
    expect(writing).to_have_text("Phone 1 is writing deal 1")
    expect(ezio.page.get_by_role("link").first).to_be_focused()
    bea.page.go_back()
    expect(writing).to_be_empty()

    fold = bea.page.locator("#presence details")
    bea.tap(fold.locator("summary"))
    bea.send(fold.get_by_role("button", name="Ezio"))
    expect(ezio.page.locator("[data-said]")).to_have_text("This phone has the pen now.")
    expect(ezio.record_link()).to_be_visible()
    ezio.tap(ezio.page.locator("#presence details summary"))
    ezio.send(ezio.page.locator("#presence details").get_by_role("button").last)
    expect(ezio.page.locator("#presence details")).to_have_count(0)
    expect(fulvia.record_link()).to_be_visible()


def test_pages_take_in_what_changed_lose_nothing_and_tell_of_another_winner(
    sheet: Sheet, ezio: Actor
) -> None:
    sheet.record()
    page = ezio.page
    expect(ezio.row(1)).to_be_visible()
    fold = page.locator("details[data-key=naming]")
    ezio.unfold("more")
    ezio.tap(fold.locator("summary"))
    page.get_by_role("textbox").fill("Half a ti")
    page.keyboard.press("Escape")
    page.get_by_role("link", name=re.compile(r"\b1\b")).first.focus()
    page.evaluate("document.body.dataset.same = 'yes'; scrollTo(0, 200)")

    sheet.record(partner="3", card_points="54")

    expect(ezio.row(2)).to_be_visible()
    assert page.locator("body").get_attribute("data-same") == "yes"
    expect(fold).to_have_attribute("open", "")
    expect(page.locator("[name=title]")).to_have_value("Half a ti")
    expect(ezio.row(1).get_by_role("link")).to_be_focused()
    expect(page.locator("[data-said]")).to_have_text(
        ezio.phone.say("Deal %(number)s was recorded.", number=2)
    )
    assert ezio.balances()["Ada"] == 0

    told = page.locator("[data-said]")
    sheet.amend(1, 1, "Ricontati", card_points="73")
    expect(told).to_have_text(ezio.phone.say("Deal %(number)s was amended.", number=1))
    expect(told).to_have_class("sr")
    sheet.amend(1, 2, "Ricontati", card_points="20")
    expect(told).to_have_class("notice")
    turned = page.locator("[data-key=turned-1]")
    expect(turned).to_be_visible()
    expect(told).to_have_text(turned.inner_text())

    with page.expect_response("**/events?*"):
        page.goto(page.url.partition("sessions/")[0])
    card = page.locator(".session-card").first
    before = card.inner_text()
    sheet.record()
    expect(card).not_to_have_text(before, use_inner_text=True)
    expect(page.locator("[data-said]")).to_have_text(
        ezio.phone.say("Deal %(number)s was recorded.", number=3)
    )
    page.goto(sheet.path)
    record_what_another_wrote_meanwhile(sheet, ezio, 4)


def record_what_another_wrote_meanwhile(sheet: Sheet, actor: Actor, number: int) -> None:
    """The form says that another phone wrote its deal, and goes on with the answers."""
    answers = {"caller": "Ada", "bid": "K", "partner": "Dora", "card_points": 80}
    actor.open_entry(actor.record_link())
    actor.answer(answers)
    sheet.record()
    heard = actor.page.locator("[data-heard]")
    expect(heard).to_be_visible()

    actor.tap(heard.get_by_role("button"))

    expect(actor.page.locator("#record [name=number]")).to_have_value(str(number + 1))
    actor.save()
    actor.wait_for_session()
    expect(actor.row(number + 1)).to_have_count(1)


def test_page_asks_where_streams_are_refused_and_the_big_screen_dims_where_nothing_comes(
    take: Take, sheet: Sheet, ezio: Actor
) -> None:
    ezio.page.route("**/events*", lambda route: route.fulfill(status=503))
    ezio.phone.watch.tolerate("503")
    ezio.page.clock.install()
    ezio.page.reload()
    penalty = ezio.page.get_by_text(ezio.phone.say("Penalty"), exact=True)
    ezio.unfold("deal-more")
    ezio.tap(penalty)
    sheet.record()
    ezio.page.clock.run_for(A_WHILE)
    expect(ezio.group("Whose fault?")).to_be_visible()
    expect(ezio.row(1)).to_have_count(0)
    ezio.tap(penalty)
    ezio.page.clock.run_for(A_WHILE)
    expect(ezio.row(1)).to_be_visible()

    phone = take(Model(1024, 768), ezio.phone.context.storage_state())
    phone.page.clock.install()
    phone.page.goto(f"{sheet.path}tv")
    body, rows = phone.page.locator("body"), phone.page.locator(".board li")
    expect(rows.first).to_contain_text("Ada")
    phone.page.clock.run_for(DIMS)
    expect(body).to_have_class(re.compile("resting"))
    sheet.record()
    expect(phone.page.locator(".told")).to_contain_text("Deal 2")
    expect(body).not_to_have_class(re.compile("resting"))
