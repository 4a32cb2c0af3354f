import re
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Request, StorageState, expect

from tests.browser.actor import FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model, Shelf
from tests.browser.seeding import Scribe, Sheet

pytestmark = pytest.mark.browser

#: Longer than a page waits before it asks whether something was written.
A_WHILE = 10_000
#: Longer than a big screen stays bright where nothing is written.
DIMS = 5 * 60_000 + 1_000
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
#: Let others be there, by their names.
HERE = """(names) => {
  const list = document.querySelector("[data-present]"), item = list.firstElementChild;
  list.replaceChildren(...names.map((name) => {
    const copy = item.cloneNode(true);
    copy.querySelector("span").textContent = name;
    return copy;
  }));
}"""
LONG = ("Giovambattista", "Maria Grazia", "Pierfrancesco", "Ezio", "Ada")


class Pair(NamedTuple):
    """A circle of two phones, and their cookies."""

    circle: str
    bea: StorageState
    ezio: StorageState


@pytest.fixture(scope="module")
def pair(shelf: Shelf) -> Pair:
    bea, ezio = shelf.take(Model()), shelf.take(Model())
    circle = Scribe(bea).start("Before").path.partition("sessions/")[0]
    Scribe(ezio).post("/join", {"code": Scribe(bea).link(circle)})
    cookies = bea.context.storage_state(), ezio.context.storage_state()
    assert shelf.put_down() == []
    return Pair(circle, *cookies)


@pytest.fixture
def bea(take: Take, pair: Pair) -> Actor:
    """Looks at a session that has just begun."""
    phone = take(Model(390, 844), pair.bea)
    sheet = Scribe(phone).start("Friday", circle=pair.circle.split("/")[2])
    phone.page.goto(sheet.path)
    return Actor(phone)


@pytest.fixture
def ezio(take: Take, pair: Pair, bea: Actor) -> Actor:
    """Looks at the same session."""
    phone = take(Model(360, 640, "it"), pair.ezio)
    phone.page.goto(bea.page.url)
    return Actor(phone)


@pytest.fixture
def sheet(bea: Actor) -> Sheet:
    """What Bea writes down, when nothing is to be seen on her own phone."""
    return Sheet(Scribe(bea.phone), urlsplit(bea.page.url).path)


def make_link(actor: Actor) -> str:
    actor.send(actor.button("Let another phone in"))
    actor.arrive("/share")
    return actor.page.get_by_role("textbox", name="The link", exact=True).input_value()


def test_link_lets_a_phone_in_and_its_secret_is_posted_once(take: Take, bea: Actor) -> None:
    session = bea.page.url
    link = make_link(bea)
    secret = link.partition("#")[2]
    ezio = Actor(take(Model(360, 640, "it")))
    asked: list[Request] = []

    def note(request: Request) -> None:
        asked.append(request)

    ezio.page.on("request", note)

    ezio.open(link)
    ezio.arrive(re.compile(r"/who\?session="))
    ezio.tap(ezio.button("Ezio"))
    ezio.arrive(session)

    assert len(secret) >= 22
    posted = [request for request in asked if request.url.endswith("/join")]
    assert [request.method for request in posted] == ["GET", "POST"]
    assert parse_qs(posted[1].post_data or "")["code"] == [secret]
    assert secret not in "".join(request.url for request in asked)
    for _ in range(2):
        ezio.page.go_back()
        assert "#" not in ezio.page.url
    ezio.open(session)
    assert ezio.balances() == dict.fromkeys(FIVE, 0)


def test_page_asks_where_streams_are_refused_but_waits_while_somebody_answers_on_it(
    sheet: Sheet, ezio: Actor
) -> None:
    ezio.page.route("**/events*", lambda route: route.fulfill(status=503))
    ezio.phone.watch.tolerate("503")
    ezio.page.reload()
    sheet.record()
    expect(ezio.row(1)).to_be_visible()
    ezio.page.unroute("**/events*")
    expect(ezio.page.locator("[data-said]")).to_have_text(
        ezio.phone.say("Deal %(number)s was recorded.", number=1)
    )

    ezio.page.clock.install()
    ezio.page.reload()
    penalty = ezio.page.get_by_text(ezio.phone.say("Penalty"), exact=True)
    ezio.unfold("deal-more")
    ezio.tap(penalty)

    sheet.record()
    ezio.page.clock.run_for(A_WHILE)
    expect(ezio.group("Whose fault?")).to_be_visible()
    ezio.tap(penalty)
    ezio.page.clock.run_for(A_WHILE)

    expect(ezio.row(2)).to_be_visible()


@pytest.fixture
def quiet(ezio: Actor) -> Actor:
    """Looks on, and hears of what is written."""
    with ezio.page.expect_response("**/events*"):
        ezio.page.reload()
    return ezio


def test_pages_take_in_what_changed_lose_nothing_and_tell_of_another_winner(
    sheet: Sheet, quiet: Actor
) -> None:
    sheet.record()
    page = quiet.page
    expect(quiet.row(1)).to_be_visible()
    fold = page.locator("details[data-key=naming]")
    quiet.unfold("more")
    quiet.tap(fold.locator("summary"))
    page.get_by_role("textbox").fill("Half a ti")
    page.keyboard.press("Escape")
    page.get_by_role("link", name=re.compile(r"\b1\b")).first.focus()
    page.evaluate("document.body.dataset.same = 'yes'; scrollTo(0, 200)")

    sheet.record(partner="3", card_points="54")

    expect(quiet.row(2)).to_be_visible()
    assert page.locator("body").get_attribute("data-same") == "yes"
    expect(fold).to_have_attribute("open", "")
    expect(page.locator("[name=title]")).to_have_value("Half a ti")
    expect(quiet.row(1).get_by_role("link")).to_be_focused()
    expect(page.locator("[data-said]")).to_have_text(
        quiet.phone.say("Deal %(number)s was recorded.", number=2)
    )
    assert quiet.balances()["Ada"] == 0

    told = page.locator("[data-said]")
    sheet.amend(1, 1, "Ricontati", card_points="73")
    expect(told).to_have_text(quiet.phone.say("Deal %(number)s was amended.", number=1))
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
        quiet.phone.say("Deal %(number)s was recorded.", number=3)
    )
    page.goto(sheet.path)
    record_what_another_wrote_meanwhile(sheet, quiet, 4)


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


def test_big_screen_takes_in_what_is_written_and_dims_where_nothing_is(
    take: Take, pair: Pair, sheet: Sheet
) -> None:
    phone = take(Model(1024, 768), pair.ezio)
    phone.page.clock.install()
    phone.page.goto(f"{sheet.path}tv")
    body, rows = phone.page.locator("body"), phone.page.locator(".board li")
    expect(rows.first).to_contain_text("0")

    phone.page.clock.run_for(DIMS)
    expect(body).to_have_class(re.compile("resting"))
    sheet.record()
    expect(phone.page.locator(".told")).to_contain_text("Deal 1")
    expect(rows.first).to_contain_text("Ada")

    expect(body).not_to_have_class(re.compile("resting"))


def test_page_tells_who_is_here_and_writes_and_the_pen_is_passed_in_two_taps(take: Take) -> None:
    bea, quiet, fulvia = (Actor(take(Model(360, 640))) for _ in range(3))
    sheet = Scribe(bea.phone).start("Friday")
    circle = sheet.path.partition("sessions/")[0]
    for actor, role in ((quiet, "scorekeeper"), (fulvia, "player")):
        Scribe(actor.phone).post("/join", {"code": Scribe(bea.phone).link(circle, role)})
    for actor in (bea, fulvia, quiet):
        actor.open(sheet.path)
    people = quiet.page.locator("#presence li")
    writing = quiet.page.locator("#writing")
    expect(people).to_have_count(3)
    assert quiet.page.evaluate(CUT) == []

    quiet.page.get_by_role("link").first.focus()
    bea.open_entry(bea.record_link())
    expect(writing).to_have_text("Phone 1 is writing deal 1")
    expect(quiet.page.get_by_role("link").first).to_be_focused()
    bea.page.go_back()
    expect(writing).to_be_empty()

    fold = quiet.page.locator("#presence details")
    quiet.tap(fold.locator("summary"))
    quiet.send(fold.get_by_role("button"))
    expect(fold).to_have_count(0)
    expect(fulvia.page.locator("[data-said]")).to_have_text("This phone has the pen now.")
    expect(fulvia.record_link()).to_be_visible()
    expect(bea.page.locator("#presence details")).to_be_visible()
    bea.page.evaluate(HERE, LONG)
    for width in (360, 390, 1280):
        bea.page.set_viewport_size({"width": width, "height": 800})
        assert bea.page.evaluate(CUT) == []
