"""Every page in every state, by name, and how to get there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, cast

from playwright.sync_api import BrowserContext, Cookie, expect

from scorer.texts import say
from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model, Phone
from tests.browser.seeding import BY_POINTS, SIX, Past, Scribe, Sheet
from tests.samples import RECORD

Way = Callable[[Actor, Past], None]

ADDRESSES = Path(__file__).parents[1] / "data/page_states.txt"
SOUND = {"caller": "Ada", "bid": "K", "partner": "Ciro", "card_points": 72}


class PageState(NamedTuple):
    """A page in a state, and which phone goes there: the keeper has the pen.

    ``reloads`` says that whoever loads the page again is in the same state.
    """

    name: str
    go: Way
    whose: str = "keeper"
    main: bool = False
    reloads: bool = False


PAGE_STATES: list[PageState] = []


def visit(take: Take, past: Past, state: PageState, model: Model) -> Phone:
    """Bring a page into a state, on the phone that is meant."""
    phone = take(model, past.cookies.get(state.whose))
    state.go(Actor(phone), past)
    return phone


def _opening(path: str) -> Way:
    return lambda actor, past: actor.open(path.format_map(past.paths))


for _line in ADDRESSES.read_text(encoding="utf-8").splitlines():
    if not _line.startswith("#"):
        _name, _whose, _path = map(str.strip, _line.split("|"))
        _known = PageState(_name.removeprefix("* "), _opening(_path), _whose or "keeper")
        PAGE_STATES.append(_known._replace(main=_name.startswith("*"), reloads=True))


def reaches(name: str, whose: str = "keeper", *, main: bool = False) -> Callable[[Way], Way]:
    """Register a state that one walks to."""

    def register(go: Way) -> Way:
        PAGE_STATES.append(PageState(name, go, whose, main))
        return go

    return register


def swap_cookies(context: BrowserContext, cookies: list[Cookie]) -> list[Cookie]:
    """Make a phone another one; return its cookies."""
    before = context.cookies()
    context.clear_cookies()
    context.add_cookies(cast("Any", cookies))
    return before


# Sessions


@reaches("new session with problems", "stranger")
def start_without_players(actor: Actor, _past: Past) -> None:
    actor.open("/sessions/new")
    actor.tap(actor.page.get_by_role("radio", name=actor.phone.say("At a target")))
    actor.field("Balance to reach").fill("x")
    actor.tap(actor.button("Start playing"))
    actor.sees("A whole number is needed.")


@reaches("session right after saving")
def save_a_deal(actor: Actor, _past: Past) -> None:
    sheet = Scribe(actor.phone).start("A deal ago")
    sheet.record()
    actor.open(sheet.path)
    actor.sees("Deal %(number)s is saved.", number=1)


@reaches("session with a penalty to give")
def unfold_penalty(actor: Actor, past: Past) -> None:
    actor.open(past.paths["empty"])
    actor.tap(actor.text("Penalty"))
    expect(actor.group("Whose fault?")).to_be_visible()


@reaches("session with how often each sat out")
def unfold_turns(actor: Actor, past: Past) -> None:
    actor.open(past.paths["many"])
    actor.tap(actor.text("How often so far?"))


@reaches("stake that is none")
def set_no_stake(actor: Actor, past: Past) -> None:
    actor.open(past.paths["empty"])
    actor.tap(actor.page.get_by_role("heading", name=actor.phone.say("Stake")))
    actor.page.locator("[name=stake]").fill("x")
    actor.tap(actor.button("Set the stake"))
    expect(actor.page.locator("#problem-stake")).to_be_visible()


@reaches("session with a dispute to write", "player")
def unfold_dispute(actor: Actor, past: Past) -> None:
    actor.open(past.paths["disputed"])
    actor.tap(actor.text("Wrong?"))
    expect(actor.group("What is wrong?")).to_be_visible()


@reaches("dispute without a reason", "player")
def dispute_without_a_reason(actor: Actor, past: Past) -> None:
    unfold_dispute(actor, past)
    actor.field("In your own words (may stay empty)").fill(" ")
    actor.tap(actor.button("Dispute deal %(number)s", number=3))
    expect(actor.problem("What is wrong?")).to_be_visible()


# Seats


@reaches("who is at the table, too few")
def let_three_leave(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['many']}table")
    for box in actor.page.locator("[name=here]:checked").all()[:3]:
        actor.tap(box)
    with actor.page.expect_navigation():
        actor.tap(actor.button("Save, from deal %(number)s on", number=4))
    too_few = "These rules are for %(wanted)s players, not for %(count)s."
    words = actor.phone.say(too_few, wanted="5", count=4)
    expect(actor.page.get_by_text(words).filter(visible=True).first).to_be_visible()


def let_deal(actor: Actor, past: Past, since: int, name: str) -> None:
    """Look at what changes if somebody else dealt."""
    actor.open(f"{past.paths['many']}table?since={since}")
    dealer = actor.phone.say("%(name)s deals", name=name)
    actor.tap(actor.page.get_by_role("radio", name=dealer))
    actor.tap(actor.button("Look at what changes"))


@reaches("what a repair of the seats changes")
def repair_seats(actor: Actor, past: Past) -> None:
    let_deal(actor, past, 3, SIX[3])
    expect(actor.heading("This is what changes")).to_be_visible()


@reaches("repair of the seats that cannot be")
def repair_with_the_caller_out(actor: Actor, past: Past) -> None:
    let_deal(actor, past, 1, SIX[1])
    actor.sees("These deals can’t have been played so. Nothing was written.")


# Deals


@reaches("record, all answered")
def answer_all(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['empty']}record")
    actor.answer(SOUND)
    actor.wait_for_preview()


@reaches("record with problems", main=True)
def save_with_problems(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['empty']}record")
    actor.answer({"caller": "Ada", "bid": "K", "card_points": 121})
    actor.save()
    expect(actor.problem("Partner")).to_be_visible()


@reaches("record with the card counter")
def count_a_pile(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['empty']}record")
    actor.tap(actor.button("Count the cards"))
    for card in actor.page.get_by_role("dialog").get_by_role("button").all()[1:4]:
        actor.tap(card)


@reaches("record with more questions")
def unfold_seldom_asked(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['empty']}record")
    for fold in actor.page.locator("form details > summary").filter(visible=True).all():
        actor.tap(fold)


@reaches("record with cards to tap")
def tap_cards_in_hand(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['scala-quaranta']}record")
    actor.tap(actor.button("Count the cards of %(name)s", name=SIX[1]))
    dialog = actor.page.get_by_role("dialog")
    for card in dialog.get_by_role("button").all()[1:4]:
        actor.tap(card)
    expect(dialog.get_by_role("status")).to_have_text("46")


@reaches("record with everything unfolded and refused")
def unfold_all_and_save(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['tressette']}record")
    for fold in actor.page.get_by_role("main").locator("summary").filter(visible=True).all():
        actor.tap(fold)
    boxes = actor.group("Hand points").get_by_role("textbox")
    boxes.last.fill("9")
    boxes.first.fill("12")
    actor.save()
    expect(actor.problem("Hand points")).to_be_visible()


@reaches("amend", main=True)
def amend_a_deal(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['mixed']}deals/2/amend")
    actor.wait_for_preview()


@reaches("deal about to be voided")
def unfold_void(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['mixed']}deals/1/")
    actor.tap(actor.text("Void"))


@reaches("conflict")
def record_what_another_phone_recorded(actor: Actor, _past: Past) -> None:
    sheet = Scribe(actor.phone).start("Two phones")
    actor.open(f"{sheet.path}record")
    actor.answer(SOUND)
    sheet.record(card_points="60")
    actor.save()
    expect(actor.heading("Deal %(number)s, twice", number=1)).to_be_visible()


@reaches("conflict of two starts")
def start_what_another_phone_started(actor: Actor, _past: Past) -> None:
    context, sheet = actor.phone.context, Scribe(actor.phone).start("Two phones that start")
    secret, first = sheet.scribe.link(sheet.path.partition("sessions/")[0]), context.cookies()
    context.clear_cookies()
    Scribe(actor.phone).post("/join", {"code": secret})
    actor.open(f"{sheet.path}record?step=start")
    actor.answer({"caller": "Ezio", "bid": "A"})
    second = swap_cookies(context, first)
    sheet.begin()
    swap_cookies(context, second)
    actor.tap(actor.button("Start deal %(number)s", number=1))
    expect(actor.heading("Deal %(number)s, started twice", number=1)).to_be_visible()


@reaches("past deals looked for")
def unfold_search(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['circle']}deals/?result=made&state=stands")
    actor.tap(actor.text("Look for others"))
    expect(actor.button("Show")).to_be_visible()


# Cards


@reaches("cards as text, refused")
def paste_no_cards(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['cards']}deals/3/tricks/")
    actor.tap(actor.link("As text"))
    actor.field("A line for each trick: 7B 2D 4S KS JB").fill("7B 8X")
    actor.tap(actor.button("Take this text"))
    actor.sees("There is no card %(card)s in this deck.", card="8X")


@reaches("cards laid aside")
def lay_cards_aside(actor: Actor, _past: Past) -> None:
    sheet = Scribe(actor.phone).start("Under way", "monte-5")
    sheet.begin(**BY_POINTS)
    actor.open(f"{sheet.path}deals/1/tricks/")
    actor.tap(actor.button("Aside %(count)s/%(monte)s", count=0, monte=5))
    for code in ("KC", "7B"):
        actor.tap(actor.page.locator(f".grid [value='{code}']"))
    actor.tap(actor.page.locator(".shows"))
    expect(actor.group("Cards laid aside")).to_be_visible()


@reaches("cards of two phones")
def write_other_cards(actor: Actor, _past: Past) -> None:
    context, sheet = actor.phone.context, Scribe(actor.phone).start("Two phones, one deal")
    secret, first = sheet.scribe.link(sheet.path.partition("sessions/")[0]), context.cookies()
    sheet.begin()
    actor.open(f"{sheet.path}deals/1/tricks/")
    actor.page.wait_for_load_state("networkidle")
    context.clear_cookies()
    Scribe(actor.phone).post("/join", {"code": secret})
    Sheet(Scribe(actor.phone), sheet.path).lay(1, RECORD["tricks"][:3])
    swap_cookies(context, first)
    for name in ("Three", "King", "Seven", "Six", "Five"):
        rank = say(name)
        actor.tap(actor.button("%(rank)s of %(suit)s", rank=rank, suit=say("coins")))
    expect(actor.heading("Another phone has written down other cards meanwhile")).to_be_visible()


@reaches("cards of several deals that were looked at")
def look_at_cards(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['cards']}cards")
    text = "smazzate: 1\ngame: briscola-chiamata\n\ndeal: 1\n7B 2D\n"
    actor.page.locator("textarea").fill(text)
    actor.tap(actor.button("Look at it"))
    expect(actor.heading("What was understood")).to_be_visible()


# The circle


@reaches("notebook that was looked at")
def look_at_notebook(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['circle']}notebook")
    text = "Data;Ada;Bea;Zia Pina\n3/4/2024;2;-2;boh\n10/4/2024;1;-1;\n"
    actor.page.locator("textarea").fill(text)
    actor.tap(actor.button("Look at it"))
    expect(actor.heading("What was understood")).to_be_visible()


@reaches("share with a fresh link")
def make_link(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['circle']}share")
    with actor.page.expect_navigation():
        actor.tap(actor.page.locator("[action$='/links'] button").first)
    expect(actor.page.get_by_label(actor.phone.say("The link"), exact=True)).to_be_visible()


@reaches("share with a phone to change")
def unfold_phone(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['circle']}share")
    actor.tap(actor.page.get_by_role("main").locator("details summary").first)
    actor.sees("Send it away")


@reaches("share with a link to revoke")
def unfold_revoking(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['circle']}share")
    actor.tap(actor.page.locator("details:has([action$='/revoke']) summary").first)
    actor.sees("Out with it go:")


@reaches("join with a wrong code", "stranger")
def join_with_a_wrong_code(actor: Actor, _past: Past) -> None:
    actor.open("/join")
    actor.field("The link or code you were given").fill("wrong")
    actor.tap(actor.button("Join"))
    actor.sees(
        "This code opens nothing: it was mistyped or taken back, it ran out, "
        "or it was for one phone."
    )


@reaches("player, only to look at", "watcher")
@reaches("player", main=True)
def open_player(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['circle']}players/")
    actor.tap(actor.link("Ezio"))
    expect(actor.heading("Ezio")).to_be_visible()


@reaches("player's evenings")
def open_numbers(actor: Actor, past: Past) -> None:
    open_player(actor, past)
    actor.tap(actor.link("The same numbers as a table"))
    expect(actor.heading("Sessions")).to_be_visible()


@reaches("players to be merged")
def compare_players(actor: Actor, past: Past) -> None:
    open_player(actor, past)
    actor.tap(actor.link("Here twice, under two names?"))
    actor.tap(actor.link("Ciro"))
    expect(actor.heading("Choose another name")).to_be_visible()


def rename(actor: Actor, players: str, before: str, after: str) -> None:
    actor.open(players)
    actor.tap(actor.link(before))
    actor.page.locator("#name").fill(after)
    actor.tap(actor.button("Rename"))


@reaches("player who had another name")
def rename_player(actor: Actor, _past: Past) -> None:
    sheet = Scribe(actor.phone).start("Two who change names")
    rename(actor, f"{sheet.path.partition('sessions/')[0]}players/", "Ada", "Zed")
    expect(actor.heading("Zed")).to_be_visible()


@reaches("name that another had")
def take_former_name(actor: Actor, past: Past) -> None:
    rename_player(actor, past)
    players = actor.page.get_by_role("banner").get_by_role("link").get_attribute("href")
    rename(actor, str(players), "Bea", "ada")
    expect(actor.page.locator("#problem-name")).to_contain_text("Zed")


# House rules


@reaches("table being edited", main=True)
def edit_table(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['table']}edit")
    for fold in actor.page.locator("form details > summary").all():
        actor.tap(fold)
    actor.page.get_by_role("button", name=actor.phone.say("Another row")).first.tap()
    actor.sees("With cappotto, where the points allow it")


@reaches("table with problems")
def keep_table_in_disorder(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['circle']}rules/new?from=ladder-bands")
    actor.field("What the table is called").fill("")
    column = actor.phone.say("Lowest bid")
    actor.field("%(column)s, row %(number)s", column=column, number=3).fill("5")
    actor.tap(actor.button("Keep this table"))
    actor.sees("Correct what is marked, and the table appears here.")


def bring(actor: Actor, document: str) -> None:
    actor.open("/bring")
    actor.field("The link or the text of a table").fill(document)
    actor.tap(actor.button("Look at it").first)


@reaches("table for a stranger", "stranger")
@reaches("table that was brought")
def bring_table(actor: Actor, _past: Past) -> None:
    name = "From the neighbours"
    bring(actor, f'{{"preset": "ladder-bands", "name": "{name}", "score": {{"partner": 2}}}}')
    expect(actor.page.get_by_role("heading", name=name)).to_be_visible()


@reaches("no table")
def bring_no_table(actor: Actor, _past: Past) -> None:
    bring(actor, '{"floor": 200, "flor": 1}')
    expect(actor.heading("This table cannot be used")).to_be_visible()
