"""House rules on a phone: copied, changed by typing, played by, and changed in the middle."""

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import EITHER_LANGUAGE_AND_WAY, WITH_AND_WITHOUT_SCRIPTS, Model
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

KING = {"caller": "Ada", "bid": "K", "partner": "Ciro", "card_points": 72}
HIGH = {"caller": "Bea", "bid": "2@85", "partner": "Dora", "card_points": 90}


def circle_of(actor: Actor) -> str:
    """Begin a circle with a session in it; give the path of its page."""
    return Scribe(actor.phone).start("An evening before").path.partition("sessions/")[0]


def cell(actor: Actor, column: str, row: int) -> Locator:
    label = actor.phone.say(
        "%(column)s, row %(number)s", column=actor.phone.say(column), number=row
    )
    return actor.page.get_by_label(label, exact=True)


def look(actor: Actor) -> None:
    """Without scripts what follows from the typing has to be asked for."""
    if not actor.phone.model.scripts:
        actor.tap(actor.button("Look"))


def badge(actor: Actor, template: str, **values: object) -> Locator:
    words = actor.phone.say(template, who=actor.phone.say("with a partner"), **values)
    return actor.page.get_by_role("listitem").filter(has_text=words)


@EITHER_LANGUAGE_AND_WAY
def test_table_is_copied_changed_and_played_by(take: Take, *, scripts: bool, language: str) -> None:
    actor = Actor(take(Model(390, 844, language, scripts=scripts)))
    actor.open(circle_of(actor))
    actor.tap(actor.page.get_by_role("link", name=actor.phone.say("House rules")))
    name = actor.phone.say("Ranks, then points")
    actor.tap(actor.page.get_by_role("link", name=re.compile(f"^{re.escape(name)}")))
    expect(badge(actor, "%(who)s: what the winners get, the others pay")).to_be_visible()

    cell(actor, "Worth", 3).fill("7")
    partner = actor.page.get_by_label(actor.phone.say("Partner"), exact=True).first
    partner.fill("2")
    look(actor)
    expect(badge(actor, "%(who)s: winnings and losses leave %(sum)s", sum="+1")).to_be_visible()
    partner.fill("1")
    look(actor)
    expect(badge(actor, "%(who)s: what the winners get, the others pay")).to_be_visible()
    expect(actor.page.get_by_role("cell", name="+14", exact=True).first).to_be_visible()

    actor.page.get_by_label(actor.phone.say("What the table is called")).fill("Our sevens")
    actor.tap(actor.button("Keep this table"))
    expect(actor.page.get_by_role("heading", name="Our sevens", level=1)).to_be_visible()
    actor.tap(actor.link("Play by this table"))
    for number, who in enumerate(("Ada", "Bea", "Ciro", "Dora", "Ezio"), start=1):
        box = actor.phone.say("Player %(number)s", number=number)
        actor.page.get_by_label(box, exact=True).fill(who)
    actor.tap(actor.button("Start playing"))
    actor.wait_for_session()
    expect(actor.page.get_by_role("banner")).to_contain_text("Our sevens")
    actor.record(HIGH)
    assert actor.payouts(1) == {"Ada": -7, "Bea": 14, "Ciro": -7, "Dora": 7, "Ezio": -7}


def test_what_is_typed_before_the_script_came_counts_too(take: Take) -> None:
    """On a slow network the form is there, and typed in, before what makes it quick."""
    actor = Actor(take(Model(360, 640)))
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    actor.page.route("**/rules.js", hold)
    actor.page.goto(f"{circle_of(actor)}rules/new?from=ladder-bands", wait_until="commit")
    cell(actor, "Worth", 3).fill("7")
    expect(badge(actor, "%(who)s: what the winners get, the others pay")).to_be_visible()
    late[0].continue_()
    expect(actor.page.get_by_role("cell", name="+14", exact=True).first).to_be_visible()


def test_rows_come_and_go_by_a_tap_and_problems_stand_beside_them(take: Take) -> None:
    actor = Actor(take(Model(360, 640)))
    actor.open(f"{circle_of(actor)}rules/new?from=classic")

    actor.tap(actor.button("Another row"))
    expect(cell(actor, "Lowest bid", 2)).to_be_focused()
    cell(actor, "Lowest bid", 2).fill("0")
    cell(actor, "Worth", 2).fill("3")
    problem = actor.page.get_by_text("Row 2: Each band begins above the one before.")
    expect(problem).to_be_visible()
    expect(cell(actor, "Lowest bid", 2)).to_have_value("0")
    cell(actor, "Lowest bid", 2).fill("90")
    expect(problem).to_be_hidden()
    expect(actor.page.get_by_role("rowheader", name="90–120", exact=True)).to_be_visible()

    actor.tap(actor.button("Take row %(number)s out", number=2))
    expect(cell(actor, "Lowest bid", 2)).to_have_count(0)
    expect(actor.page.get_by_role("rowheader", name="Any bid", exact=True)).to_be_visible()


def test_example_deal_is_paid_by_the_table_as_it_is_typed(take: Take) -> None:
    actor = Actor(take(Model(360, 640)))
    actor.open(f"{circle_of(actor)}rules/new?from=classic")
    example = actor.page.get_by_role("group", name="An example deal")

    example.get_by_label("Partner").select_option(label="Alone")
    expect(example).to_contain_text("+4")
    actor.page.get_by_label("Caller alone").first.fill("9")
    expect(example).to_contain_text("+9")
    expect(example).to_contain_text("Together that makes +5: not zero.")
    example.get_by_label("Card points").fill("40")
    expect(example).to_contain_text("−9")
    expect(example.get_by_label("Card points")).to_be_focused()


def test_table_goes_from_one_phone_to_another_by_its_link(take: Take) -> None:
    giver, taker = Actor(take(Model())), Actor(take(Model(360, 640), new=True))
    odd = {"preset": "ladder-bands", "score": {"partner": 2}}
    table = Scribe(giver.phone).keep_table(circle_of(giver), "Of the club", odd)
    circle_of(taker)
    giver.open(f"{table}share")
    link = giver.page.get_by_label(giver.phone.say("Link to the table"), exact=True).input_value()

    taker.open(link[link.index("/bring") :])
    expect(taker.page.get_by_role("heading", name="Of the club")).to_be_visible()
    expect(taker.page.get_by_text("with a partner: winnings and losses leave +1")).to_be_visible()
    taker.tap(taker.page.get_by_role("button", name=re.compile("^Keep it in")))

    expect(taker.page.get_by_role("heading", name="Of the club", level=1)).to_be_visible()


@WITH_AND_WITHOUT_SCRIPTS
def test_rules_are_changed_in_the_middle_of_an_evening(take: Take, *, scripts: bool) -> None:
    actor = Actor(take(Model(390, 844, scripts=scripts)))
    scribe = Scribe(actor.phone)
    circle = circle_of(actor)
    doubled = {"preset": "ladder-bands", "score": {"bands": [[0, 2]]}}
    scribe.keep_table(circle, "Double", doubled)
    sheet = scribe.start("Friday", circle=circle.split("/")[2])
    for _ in range(3):
        sheet.record()
    actor.open(sheet.path)
    before = actor.balances()

    actor.tap(actor.page.get_by_role("heading", name="Rules of the session"))
    actor.tap(actor.link("Change the rules"))
    actor.page.get_by_label("By which table do you go on?").select_option(index=1)
    actor.page.get_by_label(re.compile("From which deal on")).fill("3")
    actor.tap(actor.button("Show what that changes"))
    effect = actor.page.get_by_role("region", name="From deal 3: Double")
    expect(effect).to_contain_text("1 deal is paid anew.")
    actor.page.get_by_label("Why? It is written into the sheet.").fill("As last year")
    actor.tap(actor.button("Play by this table from deal %(number)s on", number=3))
    actor.wait_for_session()

    after = actor.balances()
    assert {name: after[name] - n for name, n in before.items()} == {
        "Ada": 2,
        "Bea": -1,
        "Ciro": 1,
        "Dora": -1,
        "Ezio": -1,
    }
    line = actor.page.get_by_role("cell", name=re.compile("From deal 3: Double, version 1"))
    expect(line).to_contain_text("As last year")
    actor.open(f"{sheet.path}what-if?rules=ladder-bands")
    expect(actor.page.get_by_role("row", name=re.compile("^Ada"))).to_contain_text("−2")


def test_what_was_typed_is_there_after_going_back_and_forward(take: Take) -> None:
    actor = Actor(take(Model(360, 640)))
    actor.open(f"{circle_of(actor)}rules/new?from=ladder-bands")
    cell(actor, "Worth", 3).fill("7")
    before = actor.page.locator("[data-row]").count()
    actor.tap(actor.button("Another row").first)
    expect(actor.page.locator("[data-row]")).to_have_count(before + 1)

    kept = set(actor.page.evaluate("history.state.typed.map(([name]) => name)"))

    actor.open("/rules/")
    actor.page.go_back()

    assert "name" in kept
    assert not kept & {"csrf_token", "key", "version", "game"}

    expect(cell(actor, "Worth", 3)).to_have_value("7")
    expect(actor.page.locator("[data-row]")).to_have_count(before + 1)
