"""Every page in every state, by name, and how to get there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from playwright.sync_api import expect

from scorer.texts import say
from tests.browser.person import GAME, Person
from tests.browser.seeding import BY_POINTS, OTHERS, SIX, Scribe, Sheet
from tests.samples import RECORD

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playwright.sync_api import BrowserContext, Cookie, Page

    from tests.browser.conftest import Take
    from tests.browser.phones import Model
    from tests.browser.seeding import Past

    Way = Callable[[Person, Past], None]

SOUND = {"caller": "Ada", "bid": "K", "partner": "Ciro", "card_points": 72}


@dataclass(frozen=True, slots=True)
class Place:
    """A page in a state; the phone that keeps the score goes there, unless another is meant."""

    name: str
    go: Way
    whose: Literal["keeper", "player", "watcher", "stranger"] = "keeper"


def visit(take: Take, past: Past, place: Place, model: Model) -> Page:
    """Go to a place with the phone that is meant."""
    cookies = {"keeper": past.keeper, "player": past.player, "watcher": past.watcher}
    phone = take(model, cookies.get(place.whose))
    place.go(Person(phone), past)
    return phone.page


def pasting(person: Person, past: Past) -> None:
    """Paste a text that is none."""
    person.open(f"{past.cards}deals/3/tricks/")
    person.tap(person.link("As text"))
    label = person.phone.say("A line for each trick: 7B 2D 4S KS JB")
    person.page.get_by_label(label).fill("7B 8X")
    person.tap(person.button("Take this text"))
    said = person.phone.say("There is no card %(card)s in this deck.", card="8X")
    expect(person.page.get_by_text(said)).to_be_visible()


def laying(person: Person, _past: Past) -> None:
    """Lay two cards aside, and show the called one."""
    sheet = Scribe(person.phone).start("Under way", "monte-5")
    sheet.begin(**BY_POINTS)
    person.open(f"{sheet.path}deals/1/tricks/")
    person.tap(person.button("Aside %(count)s/%(monte)s", count=0, monte=5))
    for code in ("KC", "7B"):
        person.tap(person.page.locator(f".grid [value='{code}']"))
    person.tap(person.page.locator(".shows"))
    expect(
        person.page.get_by_role("group", name=person.phone.say("Cards laid aside"))
    ).to_be_visible()


def other_cards(person: Person, _past: Past) -> None:
    """Play a card of a deal that another phone has written down."""
    context, sheet = person.phone.context, Scribe(person.phone).start("Two phones, one deal")
    secret, first = sheet.scribe.link(sheet.path.partition("sessions/")[0]), context.cookies()
    sheet.begin()
    person.open(f"{sheet.path}deals/1/tricks/")
    person.page.wait_for_load_state("networkidle")
    context.clear_cookies()
    Scribe(person.phone).post("/join", {"code": secret})
    Sheet(Scribe(person.phone), sheet.path).lay(1, RECORD["tricks"][:3])
    _change(context, first)
    for name in ("Three", "King", "Seven", "Six", "Five"):
        card = person.phone.say("%(rank)s of %(suit)s", rank=say(name), suit=say("coins"))
        person.tap(person.page.get_by_role("button", name=card, exact=True))
    words = person.phone.say("Another phone has written down other cards meanwhile")
    expect(person.page.get_by_role("heading", name=words)).to_be_visible()


def page(path: Callable[[Past], str]) -> Way:
    """Go there by its address."""

    def go(person: Person, past: Past) -> None:
        person.open(path(past))

    return go


def new_session_refused(person: Person, _past: Past) -> None:
    """Start playing without players, to a target that is none."""
    person.open("/sessions/new")
    person.tap(person.page.get_by_role("radio", name=person.phone.say("At a target")))
    person.page.get_by_label(person.phone.say("Balance to reach")).fill("x")
    person.tap(person.button("Start playing"))
    expect(person.page.get_by_text(person.phone.say("A number is needed."))).to_be_visible()


def just_saved(person: Person, _past: Past) -> None:
    """Look at the session right after a deal was saved."""
    sheet = Scribe(person.phone).start("A deal ago")
    sheet.record()
    person.open(sheet.path)
    words = person.phone.say("Deal %(number)s is saved.", number=1)
    expect(person.page.get_by_text(words)).to_be_visible()


def filled(person: Person, past: Past) -> None:
    """Answer every question and read what that will pay."""
    person.open(f"{past.empty}record")
    person.answer(SOUND)
    person.wait_for_preview()


def record_refused(person: Person, past: Past) -> None:
    """Save a deal without a partner and with too many points."""
    person.open(f"{past.empty}record")
    person.answer({"caller": "Ada", "bid": "K", "card_points": 121})
    person.save()
    expect(person.problem("Partner")).to_be_visible()


def counting(person: Person, past: Past) -> None:
    """Count the cards of a pile."""
    person.open(f"{past.empty}record")
    person.tap(person.button("Count the cards"))
    dialog = person.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    for card in dialog.get_by_role("button").all()[1:4]:
        person.tap(card)


def record_of(game: str) -> Way:
    """Ask for a deal of another game."""
    return page(lambda past: f"{past.games[game]}record")


def tapping(person: Person, past: Past) -> None:
    """Count what somebody was left with by tapping the cards."""
    record_of("scala-quaranta")(person, past)
    person.tap(person.button("Count the cards of %(name)s", name=SIX[1]))
    dialog = person.page.get_by_role("dialog")
    for card in dialog.get_by_role("button").all()[1:4]:
        person.tap(card)
    expect(dialog.get_by_role("status")).to_have_text("46")


def unfolded(person: Person, past: Past) -> None:
    """Unfold what most deals of Tressette don't need, and save too many points."""
    record_of("tressette")(person, past)
    for fold in person.page.get_by_role("main").locator("summary").all():
        person.tap(fold)
    boxes = person.group("Hand points").get_by_role("textbox")
    boxes.last.fill("9")
    boxes.first.fill("12")
    person.save()
    expect(person.problem("Hand points")).to_be_visible()


def more_questions(person: Person, past: Past) -> None:
    """Unfold the questions that are seldom asked."""
    person.open(f"{past.empty}record")
    person.tap(person.page.get_by_role("main").locator("summary"))


def penalty(person: Person, past: Past) -> None:
    """Unfold the question of whose fault it was."""
    person.open(past.empty)
    person.tap(person.page.get_by_text(person.phone.say("Penalty"), exact=True))
    expect(person.group("Whose fault?")).to_be_visible()


def resting(person: Person, past: Past) -> None:
    """Unfold how often each has sat out."""
    person.open(past.many)
    person.tap(person.page.get_by_text(person.phone.say("How often so far?")))


def too_few(person: Person, past: Past) -> None:
    """Let three people leave at once, and save."""
    person.open(f"{past.many}table")
    for box in person.page.locator("[name=here]:checked").all()[:3]:
        person.tap(box)
    person.tap(person.page.get_by_role("button", name=save_from(person, 4)))
    words = person.phone.say(
        "These rules are for %(wanted)s players; there are %(count)s.", wanted="5", count=4
    )
    expect(person.page.get_by_text(words).filter(visible=True).first).to_be_visible()


def save_from(person: Person, number: int) -> str:
    """Name the button that saves who is at the table."""
    return person.phone.say("Save, from deal %(number)s on", number=number)


def repairing(person: Person, past: Past) -> None:
    """Look at what would change if somebody else had dealt."""
    person.open(f"{past.many}table?since=3")
    dealer = person.phone.say("%(name)s deals", name=SIX[3])
    person.tap(person.page.get_by_role("radio", name=dealer))
    person.tap(person.button("Look at what changes"))
    expect(person.heading("This is what changes")).to_be_visible()


def impossible(person: Person, past: Past) -> None:
    """Say that whoever called had sat out."""
    person.open(f"{past.many}table?since=1")
    dealer = person.phone.say("%(name)s deals", name=SIX[1])
    person.tap(person.page.get_by_role("radio", name=dealer))
    person.tap(person.button("Look at what changes"))
    words = person.phone.say("These deals can’t have been played so. Nothing was written.")
    expect(person.page.get_by_text(words)).to_be_visible()


def amending(person: Person, past: Past) -> None:
    """Look at a deal's answers again, and at what they pay."""
    person.open(f"{past.mixed}deals/2/amend")
    person.wait_for_preview()


def voiding(person: Person, past: Past) -> None:
    """Unfold the question of why a deal does not count."""
    person.open(f"{past.mixed}deals/1/")
    person.tap(person.page.get_by_text(person.phone.say("Void"), exact=True))


def disputing(person: Person, past: Past) -> None:
    """Unfold the question of what is wrong with the last deal."""
    person.open(past.disputed)
    person.tap(person.page.get_by_text(person.phone.say("Wrong?"), exact=True))
    expect(person.group("What is wrong?")).to_be_visible()


def dispute_refused(person: Person, past: Past) -> None:
    """Dispute a deal without saying why."""
    disputing(person, past)
    person.page.get_by_label(person.phone.say("In your own words (may stay empty)")).fill(" ")
    person.tap(person.button("Dispute deal %(number)s", number=3))
    expect(person.problem("What is wrong?")).to_be_visible()


def conflict(person: Person, _past: Past) -> None:
    """Record a deal that another phone has just recorded."""
    sheet = Scribe(person.phone).start("Two phones")
    person.open(f"{sheet.path}record")
    person.answer(SOUND)
    sheet.record(card_points="60")
    person.save()
    words = person.phone.say("Deal %(number)s, twice", number=1)
    expect(person.page.get_by_role("heading", name=words)).to_be_visible()


def started_twice(person: Person, _past: Past) -> None:
    """Start a deal that another phone has just started."""
    context, sheet = person.phone.context, Scribe(person.phone).start("Two phones that start")
    secret, first = sheet.scribe.link(sheet.path.partition("sessions/")[0]), context.cookies()
    context.clear_cookies()
    Scribe(person.phone).post("/join", {"code": secret})
    person.open(f"{sheet.path}record?step=start")
    person.answer({"caller": "Ezio", "bid": "A"})
    second = context.cookies()
    _change(context, first)
    sheet.begin()
    _change(context, second)
    person.tap(person.button("Start deal %(number)s", number=1))
    words = person.phone.say("Deal %(number)s, started twice", number=1)
    expect(person.page.get_by_role("heading", name=words)).to_be_visible()


def _change(context: BrowserContext, cookies: Sequence[Cookie]) -> None:
    context.clear_cookies()
    context.add_cookies(cast("Any", cookies))


def fresh_link(person: Person, past: Past) -> None:
    """Make a link for another phone."""
    person.open(f"{past.circle}share")
    person.tap(person.page.locator("[action$='/links'] button").first)
    expect(person.page.get_by_label(person.phone.say("The link"), exact=True)).to_be_visible()


def phone_to_change(person: Person, past: Past) -> None:
    """Open what an owner may do with a phone."""
    person.open(f"{past.circle}share")
    person.tap(person.page.locator("details summary").first)
    expect(person.page.get_by_text(person.phone.say("Send it away")).first).to_be_visible()


def link_to_revoke(person: Person, past: Past) -> None:
    """Ask what revoking a link takes along."""
    person.open(f"{past.circle}share")
    person.tap(person.page.locator("details:has([action$='/revoke']) summary").first)
    expect(person.page.get_by_text(person.phone.say("Out with it go:")).first).to_be_visible()


def looking(person: Person, past: Past) -> None:
    """Unfold the questions about past deals."""
    person.open(f"{past.circle}deals/?result=made&state=stands")
    person.tap(person.page.get_by_text(person.phone.say("Look for others"), exact=True))
    expect(person.button("Show")).to_be_visible()


def one_player(person: Person, past: Past) -> None:
    """Look at a player."""
    person.open(f"{past.circle}players/")
    person.tap(person.link("Ezio"))
    expect(person.heading("Ezio")).to_be_visible()


def evenings_of_one(person: Person, past: Past) -> None:
    """Look at the numbers of the chart of a player."""
    one_player(person, past)
    person.tap(person.link("The same numbers as a table"))
    expect(person.heading("Evenings")).to_be_visible()


def merging(person: Person, past: Past) -> None:
    """Look at two players who cannot be one, side by side."""
    one_player(person, past)
    person.tap(person.link("Here twice, under two names?"))
    person.tap(person.link("Ciro"))
    expect(person.heading("Choose another name")).to_be_visible()


def join_refused(person: Person, _past: Past) -> None:
    """Try a code that opens nothing."""
    person.open("/join")
    person.page.get_by_label(person.phone.say("The link or code you were given")).fill("wrong")
    person.tap(person.button("Join"))
    expect(person.page.get_by_role("main")).to_contain_text(
        person.phone.say("This code opens nothing: it was mistyped, or it was taken back.")
    )


def editing(person: Person, past: Past) -> None:
    """Make a table odd, and see what it pays."""
    person.open(f"{past.table}edit")
    for fold in person.page.locator("details > summary").all():
        person.tap(fold)
    person.page.get_by_role("button", name=person.phone.say("Another row")).first.tap()
    words = person.phone.say("With cappotto, where the points allow it")
    expect(person.page.get_by_text(words)).to_be_visible()


def editing_refused(person: Person, past: Past) -> None:
    """Save a table whose bands are in disorder, under no name."""
    person.open(f"{past.circle}rules/new?from=ladder-bands")
    person.page.get_by_label(person.phone.say("What the table is called")).fill("")
    column = person.phone.say("Lowest bid")
    label = person.phone.say("%(column)s, row %(number)s", column=column, number=3)
    person.page.get_by_label(label).fill("5")
    person.tap(person.button("Keep this table"))
    words = person.phone.say("Put right what is marked, and the table appears here.")
    expect(person.page.get_by_text(words)).to_be_visible()


def brought(person: Person, _past: Past) -> None:
    """Open the link of a table."""
    person.open("/bring")
    box = person.page.get_by_label(person.phone.say("The link or the text of a table"))
    box.fill('{"preset": "ladder-bands", "name": "From the neighbours", "score": {"partner": 2}}')
    person.tap(person.button("Look at it").first)
    expect(person.page.get_by_role("heading", name="From the neighbours")).to_be_visible()


def brought_in_vain(person: Person, _past: Past) -> None:
    """Paste something that is no table."""
    person.open("/bring")
    box = person.page.get_by_label(person.phone.say("The link or the text of a table"))
    box.fill('{"floor": 200, "flor": 1}')
    person.tap(person.button("Look at it").first)
    expect(person.heading("This table cannot be used")).to_be_visible()


PLACES = (
    Place("home without a circle", page(lambda _: "/"), whose="stranger"),
    Place("home", page(lambda _: "/")),
    Place("new session", page(lambda _: "/sessions/new"), whose="stranger"),
    Place(
        "new session of the circle",
        page(
            lambda past: (
                f"/sessions/new?circle={past.circle.split('/')[2]}&like={past.six.split('/')[4]}"
            )
        ),
    ),
    Place("new session with problems", new_session_refused, whose="stranger"),
    Place("session without deals", page(lambda past: past.empty)),
    Place("session with deals", page(lambda past: past.mixed)),
    Place("session with many deals", page(lambda past: past.long)),
    Place("session with many deals, older", page(lambda past: f"{past.long}?before=4")),
    Place("session with balances", page(lambda past: f"{past.mixed}?show=balances")),
    Place("session with a deal under way", page(lambda past: past.started)),
    Place("session that has ended", page(lambda past: past.ended)),
    Place("session at its target", page(lambda past: past.reached)),
    Place("match that pairs have won", page(lambda past: past.won)),
    Place("match that is level", page(lambda past: past.level)),
    Place("match with somebody out", page(lambda past: past.out)),
    Place("who is at the table, somebody out", page(lambda past: f"{past.out}table")),
    Place("deal of pairs", page(lambda past: f"{past.won}deals/2/")),
    Place("session of six", page(lambda past: past.six)),
    Place("session right after saving", just_saved),
    Place("session with a penalty to give", penalty),
    Place("session of people who come and go", page(lambda past: past.many)),
    Place("session with how often each sat out", resting),
    Place("who is at the table", page(lambda past: f"{past.many}table")),
    Place("who is at the table, too few", too_few),
    Place("how they sat since a deal", page(lambda past: f"{past.many}table?since=3")),
    Place("what a repair of the seats changes", repairing),
    Place("repair of the seats that cannot be", impossible),
    Place("record", page(lambda past: f"{past.empty}record")),
    Place("record by points", page(lambda past: f"{past.points}record")),
    Place("record of six", page(lambda past: f"{past.six}record")),
    Place("record of four", page(lambda past: f"{past.four}record")),
    Place("record, all answered", filled),
    Place("record with problems", record_refused),
    Place("record with the card counter", counting),
    Place("record with more questions", more_questions),
    *(Place(f"record of {game}", record_of(game)) for game, _, _ in OTHERS),
    Place("record with cards to tap", tapping),
    Place("record with everything unfolded and refused", unfolded),
    Place("start", page(lambda past: f"{past.empty}record?step=start")),
    Place("finish", page(lambda past: f"{past.started}record")),
    Place("amend", amending),
    Place("deal", page(lambda past: f"{past.mixed}deals/1/")),
    Place("deal that was amended", page(lambda past: f"{past.mixed}deals/2/")),
    Place("misdeal", page(lambda past: f"{past.mixed}deals/3/")),
    Place("deal that was voided", page(lambda past: f"{past.mixed}deals/4/")),
    Place("deal that was restored", page(lambda past: f"{past.mixed}deals/5/")),
    Place("deal about to be voided", voiding),
    Place("session with a dispute", page(lambda past: past.disputed)),
    Place(
        "session with a dispute, asked about its last deal",
        page(lambda past: past.disputed),
        whose="player",
    ),
    Place("session with a dispute to write", disputing, whose="player"),
    Place("dispute without a reason", dispute_refused, whose="player"),
    Place("deal that was disputed", page(lambda past: f"{past.disputed}deals/2/")),
    Place(
        "deal that was disputed, only to look at",
        page(lambda past: f"{past.disputed}deals/2/"),
        whose="watcher",
    ),
    Place("deal that was upheld", page(lambda past: f"{past.disputed}deals/1/"), whose="player"),
    Place("deal whose cards agree", page(lambda past: f"{past.cards}deals/1/")),
    Place("deal whose cards say otherwise", page(lambda past: f"{past.cards}deals/2/")),
    Place(
        "deal of which some cards are known",
        page(lambda past: f"{past.cards}deals/3/"),
        whose="player",
    ),
    Place("replay", page(lambda past: f"{past.cards}deals/1/tricks/replay"), whose="watcher"),
    Place(
        "replay in the middle of a trick",
        page(lambda past: f"{past.cards}deals/1/tricks/replay?step=13"),
    ),
    Place(
        "replay of what is known", page(lambda past: f"{past.cards}deals/3/tricks/replay?step=99")
    ),
    Place("conflict", conflict),
    Place("conflict of two starts", started_twice),
    Place("cards of a deal", page(lambda past: f"{past.started}deals/2/tricks/")),
    Place("cards, asked who leads", page(lambda past: f"{past.cards}deals/3/tricks/")),
    Place(
        "cards of a deal whose called card is asked",
        page(lambda past: f"{past.points}deals/1/tricks/"),
    ),
    Place("cards as text, refused", pasting),
    Place("cards, all played", page(lambda past: f"{past.cards}deals/1/tricks/")),
    Place("cards, all played, to be saved", page(lambda past: f"{past.cards}deals/4/tricks/")),
    Place("cards of two phones", other_cards),
    Place("cards laid aside", laying),
    Place("cards col monte, all played", page(lambda past: f"{past.monte}deals/1/tricks/")),
    Place("deal col monte, the called card shown", page(lambda past: f"{past.monte}deals/1/")),
    Place("replay col monte", page(lambda past: f"{past.monte}deals/1/tricks/replay?step=35")),
    Place("cards with a dead hand", page(lambda past: f"{past.dead}deals/1/tricks/")),
    Place("deal without a partner", page(lambda past: f"{past.dead}deals/1/")),
    Place("replay with a dead hand", page(lambda past: f"{past.dead}deals/1/tricks/replay?step=5")),
    Place("circle", page(lambda past: past.circle)),
    Place(
        "circle, from one day to another",
        page(lambda past: f"{past.circle}?span=dates&from=2026-01-01&to=2026-13-01"),
    ),
    Place("share", page(lambda past: f"{past.circle}share")),
    Place("share with a fresh link", fresh_link),
    Place("share with a phone to change", phone_to_change),
    Place("share with a link to revoke", link_to_revoke),
    Place("who holds this phone", page(lambda past: f"{past.circle}who")),
    Place("circle to be deleted", page(lambda past: f"{past.circle}delete")),
    Place("evenings", page(lambda past: f"{past.circle}evenings/")),
    Place("past deals", page(lambda past: f"{past.circle}deals/")),
    Place("past deals looked for", looking),
    Place(
        "past deals with problems",
        page(lambda past: f"{past.circle}deals/?role=dealer&from=2026-13-01&part=alone&bid=x"),
    ),
    Place("players", page(lambda past: f"{past.circle}players/")),
    Place("player", one_player),
    Place("player's evenings", evenings_of_one),
    Place("players to be merged", merging),
    Place("player, only to look at", one_player, whose="watcher"),
    Place("join", page(lambda _: "/join"), whose="stranger"),
    Place("join with a wrong code", join_refused, whose="stranger"),
    Place("house rules", page(lambda past: f"{past.circle}rules/")),
    Place("table of the circle", page(lambda past: past.table)),
    Place("older version of a table", page(lambda past: f"{past.table}?version=1")),
    Place("table to send", page(lambda past: f"{past.table}share")),
    Place("new table", page(lambda past: f"{past.circle}rules/new")),
    Place(
        "new table of another game",
        page(lambda past: f"{past.circle}rules/new?game=burraco&from=four-deals"),
    ),
    Place("table being edited", editing),
    Place("table with problems", editing_refused),
    Place("table that was brought", brought),
    Place("table for a stranger", brought, whose="stranger"),
    Place("no table", brought_in_vain),
    Place("house rules, only to look at", page(lambda past: past.table), whose="watcher"),
    Place("session with other rules", page(lambda past: past.changed)),
    Place("rules of a session", page(lambda past: f"{past.changed}rules")),
    Place("rules to be changed", page(lambda past: f"{past.changed}rules/change")),
    Place(
        "change of rules to confirm",
        page(lambda past: f"{past.mixed}rules/change?rules=decades&from=1"),
    ),
    Place(
        "change of rules that can't be",
        page(lambda past: f"{past.mixed}rules/change?rules=monte-6&from=2"),
    ),
    Place("evening by another table", page(lambda past: f"{past.long}what-if?rules=volata")),
    Place("rules", page(lambda _: "/rules/"), whose="stranger"),
    Place("rules of a game", page(lambda _: f"/rules/{GAME}/"), whose="stranger"),
    Place("rules of a table", page(lambda _: f"/rules/{GAME}/ladder-bands/"), whose="stranger"),
    Place(
        "rules of an odd table",
        page(lambda _: f"/rules/{GAME}/rulebook-literal/"),
        whose="stranger",
    ),
    Place("session, only to look at", page(lambda past: past.mixed), whose="watcher"),
    Place("deal, only to look at", page(lambda past: f"{past.mixed}deals/2/"), whose="watcher"),
    Place("phones, only to look at", page(lambda past: f"{past.circle}share"), whose="watcher"),
    Place("circle, only to look at", page(lambda past: past.circle), whose="watcher"),
    Place("record, refused", page(lambda past: f"{past.empty}record"), whose="watcher"),
    Place("nothing here", page(lambda _: "/nothing/here"), whose="stranger"),
)
