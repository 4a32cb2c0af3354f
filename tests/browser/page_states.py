"""Every page in every state, by name, and how to get there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from playwright.sync_api import BrowserContext, Cookie, expect

from scorer.texts import say
from tests.browser.actor import GAME, Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model, Phone
from tests.browser.seeding import BY_POINTS, OTHERS, SIX, Past, Scribe, Sheet
from tests.samples import RECORD

Way = Callable[[Actor, Past], None]

SOUND = {"caller": "Ada", "bid": "K", "partner": "Ciro", "card_points": 72}


@dataclass(frozen=True, slots=True)
class At:
    """Reach a state by its address: whoever loads the page again is in the same state."""

    path: Callable[[Past], str]

    def __call__(self, actor: Actor, past: Past) -> None:
        """Open the page."""
        actor.open(self.path(past))


@dataclass(frozen=True, slots=True)
class PageState:
    """A page in a state; the phone that keeps the score goes there, unless another is meant."""

    name: str
    go: Way
    whose: Literal["keeper", "player", "watcher", "stranger"] = "keeper"


def visit(take: Take, past: Past, state: PageState, model: Model) -> Phone:
    """Bring a page into a state, on the phone that is meant."""
    cookies = {"keeper": past.keeper, "player": past.player, "watcher": past.watcher}
    phone = take(model, cookies.get(state.whose))
    state.go(Actor(phone), past)
    return phone


def pasting(actor: Actor, past: Past) -> None:
    """Paste a text that is none."""
    actor.open(f"{past.cards}deals/3/tricks/")
    actor.tap(actor.link("As text"))
    label = actor.phone.say("A line for each trick: 7B 2D 4S KS JB")
    actor.page.get_by_label(label).fill("7B 8X")
    actor.tap(actor.button("Take this text"))
    said = actor.phone.say("There is no card %(card)s in this deck.", card="8X")
    expect(actor.page.get_by_text(said)).to_be_visible()


def laying(actor: Actor, _past: Past) -> None:
    """Lay two cards aside, and show the called one."""
    sheet = Scribe(actor.phone).start("Under way", "monte-5")
    sheet.begin(**BY_POINTS)
    actor.open(f"{sheet.path}deals/1/tricks/")
    actor.tap(actor.button("Aside %(count)s/%(monte)s", count=0, monte=5))
    for code in ("KC", "7B"):
        actor.tap(actor.page.locator(f".grid [value='{code}']"))
    actor.tap(actor.page.locator(".shows"))
    expect(
        actor.page.get_by_role("group", name=actor.phone.say("Cards laid aside"))
    ).to_be_visible()


def other_cards(actor: Actor, _past: Past) -> None:
    """Play a card of a deal that another phone has written down."""
    context, sheet = actor.phone.context, Scribe(actor.phone).start("Two phones, one deal")
    secret, first = sheet.scribe.link(sheet.path.partition("sessions/")[0]), context.cookies()
    sheet.begin()
    actor.open(f"{sheet.path}deals/1/tricks/")
    actor.page.wait_for_load_state("networkidle")
    context.clear_cookies()
    Scribe(actor.phone).post("/join", {"code": secret})
    Sheet(Scribe(actor.phone), sheet.path).lay(1, RECORD["tricks"][:3])
    _change(context, first)
    for name in ("Three", "King", "Seven", "Six", "Five"):
        card = actor.phone.say("%(rank)s of %(suit)s", rank=say(name), suit=say("coins"))
        actor.tap(actor.page.get_by_role("button", name=card, exact=True))
    words = actor.phone.say("Another phone has written down other cards meanwhile")
    expect(actor.page.get_by_role("heading", name=words)).to_be_visible()


def new_session_refused(actor: Actor, _past: Past) -> None:
    """Start playing without players, to a target that is none."""
    actor.open("/sessions/new")
    actor.tap(actor.page.get_by_role("radio", name=actor.phone.say("At a target")))
    actor.page.get_by_label(actor.phone.say("Balance to reach")).fill("x")
    actor.tap(actor.button("Start playing"))
    expect(actor.page.get_by_text(actor.phone.say("A whole number is needed."))).to_be_visible()


def just_saved(actor: Actor, _past: Past) -> None:
    """Look at the session right after a deal was saved."""
    sheet = Scribe(actor.phone).start("A deal ago")
    sheet.record()
    actor.open(sheet.path)
    words = actor.phone.say("Deal %(number)s is saved.", number=1)
    expect(actor.page.get_by_text(words)).to_be_visible()


def filled(actor: Actor, past: Past) -> None:
    """Answer every question and read what that will pay."""
    actor.open(f"{past.empty}record")
    actor.answer(SOUND)
    actor.wait_for_preview()


def record_refused(actor: Actor, past: Past) -> None:
    """Save a deal without a partner and with too many points."""
    actor.open(f"{past.empty}record")
    actor.answer({"caller": "Ada", "bid": "K", "card_points": 121})
    actor.save()
    expect(actor.problem("Partner")).to_be_visible()


def counting(actor: Actor, past: Past) -> None:
    """Count the cards of a pile."""
    actor.open(f"{past.empty}record")
    actor.tap(actor.button("Count the cards"))
    dialog = actor.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    for card in dialog.get_by_role("button").all()[1:4]:
        actor.tap(card)


def record_of(game: str) -> Way:
    """Ask for a deal of another game."""
    return At(lambda past: f"{past.games[game]}record")


def tapping(actor: Actor, past: Past) -> None:
    """Count what somebody was left with by tapping the cards."""
    record_of("scala-quaranta")(actor, past)
    actor.tap(actor.button("Count the cards of %(name)s", name=SIX[1]))
    dialog = actor.page.get_by_role("dialog")
    for card in dialog.get_by_role("button").all()[1:4]:
        actor.tap(card)
    expect(dialog.get_by_role("status")).to_have_text("46")


def unfolded(actor: Actor, past: Past) -> None:
    """Unfold what most deals of Tressette don't need, and save too many points."""
    record_of("tressette")(actor, past)
    for fold in actor.page.get_by_role("main").locator("summary").filter(visible=True).all():
        actor.tap(fold)
    boxes = actor.group("Hand points").get_by_role("textbox")
    boxes.last.fill("9")
    boxes.first.fill("12")
    actor.save()
    expect(actor.problem("Hand points")).to_be_visible()


def more_questions(actor: Actor, past: Past) -> None:
    """Unfold the questions that are seldom asked."""
    actor.open(f"{past.empty}record")
    for fold in actor.page.locator("form details > summary").filter(visible=True).all():
        actor.tap(fold)


def penalty(actor: Actor, past: Past) -> None:
    """Unfold the question of whose fault it was."""
    actor.open(past.empty)
    actor.tap(actor.page.get_by_text(actor.phone.say("Penalty"), exact=True))
    expect(actor.group("Whose fault?")).to_be_visible()


def resting(actor: Actor, past: Past) -> None:
    """Unfold how often each has sat out."""
    actor.open(past.many)
    actor.tap(actor.page.get_by_text(actor.phone.say("How often so far?")))


def too_few(actor: Actor, past: Past) -> None:
    """Let three people leave at once, and save."""
    actor.open(f"{past.many}table")
    for box in actor.page.locator("[name=here]:checked").all()[:3]:
        actor.tap(box)
    with actor.page.expect_navigation():
        actor.tap(actor.page.get_by_role("button", name=save_from(actor, 4)))
    words = actor.phone.say(
        "These rules are for %(wanted)s players, not for %(count)s.", wanted="5", count=4
    )
    expect(actor.page.get_by_text(words).filter(visible=True).first).to_be_visible()


def save_from(actor: Actor, number: int) -> str:
    """Name the button that saves who is at the table."""
    return actor.phone.say("Save, from deal %(number)s on", number=number)


def repairing(actor: Actor, past: Past) -> None:
    """Look at what would change if somebody else had dealt."""
    actor.open(f"{past.many}table?since=3")
    dealer = actor.phone.say("%(name)s deals", name=SIX[3])
    actor.tap(actor.page.get_by_role("radio", name=dealer))
    actor.tap(actor.button("Look at what changes"))
    expect(actor.heading("This is what changes")).to_be_visible()


def impossible(actor: Actor, past: Past) -> None:
    """Say that whoever called had sat out."""
    actor.open(f"{past.many}table?since=1")
    dealer = actor.phone.say("%(name)s deals", name=SIX[1])
    actor.tap(actor.page.get_by_role("radio", name=dealer))
    actor.tap(actor.button("Look at what changes"))
    words = actor.phone.say("These deals can’t have been played so. Nothing was written.")
    expect(actor.page.get_by_text(words)).to_be_visible()


def amending(actor: Actor, past: Past) -> None:
    """Look at a deal's answers again, and at what they pay."""
    actor.open(f"{past.mixed}deals/2/amend")
    actor.wait_for_preview()


def voiding(actor: Actor, past: Past) -> None:
    """Unfold the question of why a deal does not count."""
    actor.open(f"{past.mixed}deals/1/")
    actor.tap(actor.page.get_by_text(actor.phone.say("Void"), exact=True))


def disputing(actor: Actor, past: Past) -> None:
    """Unfold the question of what is wrong with the last deal."""
    actor.open(past.disputed)
    actor.tap(actor.page.get_by_text(actor.phone.say("Wrong?"), exact=True))
    expect(actor.group("What is wrong?")).to_be_visible()


def dispute_refused(actor: Actor, past: Past) -> None:
    """Dispute a deal without saying why."""
    disputing(actor, past)
    actor.page.get_by_label(actor.phone.say("In your own words (may stay empty)")).fill(" ")
    actor.tap(actor.button("Dispute deal %(number)s", number=3))
    expect(actor.problem("What is wrong?")).to_be_visible()


def conflict(actor: Actor, _past: Past) -> None:
    """Record a deal that another phone has just recorded."""
    sheet = Scribe(actor.phone).start("Two phones")
    actor.open(f"{sheet.path}record")
    actor.answer(SOUND)
    sheet.record(card_points="60")
    actor.save()
    words = actor.phone.say("Deal %(number)s, twice", number=1)
    expect(actor.page.get_by_role("heading", name=words)).to_be_visible()


def started_twice(actor: Actor, _past: Past) -> None:
    """Start a deal that another phone has just started."""
    context, sheet = actor.phone.context, Scribe(actor.phone).start("Two phones that start")
    secret, first = sheet.scribe.link(sheet.path.partition("sessions/")[0]), context.cookies()
    context.clear_cookies()
    Scribe(actor.phone).post("/join", {"code": secret})
    actor.open(f"{sheet.path}record?step=start")
    actor.answer({"caller": "Ezio", "bid": "A"})
    second = context.cookies()
    _change(context, first)
    sheet.begin()
    _change(context, second)
    actor.tap(actor.button("Start deal %(number)s", number=1))
    words = actor.phone.say("Deal %(number)s, started twice", number=1)
    expect(actor.page.get_by_role("heading", name=words)).to_be_visible()


def _change(context: BrowserContext, cookies: Sequence[Cookie]) -> None:
    context.clear_cookies()
    context.add_cookies(cast("Any", cookies))


def fresh_link(actor: Actor, past: Past) -> None:
    """Make a link for another phone."""
    actor.open(f"{past.circle}share")
    with actor.page.expect_navigation():
        actor.tap(actor.page.locator("[action$='/links'] button").first)
    expect(actor.page.get_by_label(actor.phone.say("The link"), exact=True)).to_be_visible()


def phone_to_change(actor: Actor, past: Past) -> None:
    """Open what an owner may do with a phone."""
    actor.open(f"{past.circle}share")
    actor.tap(actor.page.get_by_role("main").locator("details summary").first)
    expect(actor.page.get_by_text(actor.phone.say("Send it away")).first).to_be_visible()


def link_to_revoke(actor: Actor, past: Past) -> None:
    """Ask what revoking a link takes along."""
    actor.open(f"{past.circle}share")
    actor.tap(actor.page.locator("details:has([action$='/revoke']) summary").first)
    expect(actor.page.get_by_text(actor.phone.say("Out with it go:")).first).to_be_visible()


def looking(actor: Actor, past: Past) -> None:
    """Unfold the questions about past deals."""
    actor.open(f"{past.circle}deals/?result=made&state=stands")
    actor.tap(actor.page.get_by_text(actor.phone.say("Look for others"), exact=True))
    expect(actor.button("Show")).to_be_visible()


def one_player(actor: Actor, past: Past) -> None:
    """Look at a player."""
    actor.open(f"{past.circle}players/")
    actor.tap(actor.link("Ezio"))
    expect(actor.heading("Ezio")).to_be_visible()


def renamed(actor: Actor, _past: Past) -> None:
    """Look at somebody who was called otherwise."""
    sheet = Scribe(actor.phone).start("Two who change names")
    _rename(actor, f"{sheet.path.partition('sessions/')[0]}players/", "Ada", "Zed")
    expect(actor.heading("Zed")).to_be_visible()


def former_name(actor: Actor, past: Past) -> None:
    """Give somebody the name that another one has just given up."""
    renamed(actor, past)
    players = actor.page.get_by_role("banner").get_by_role("link").get_attribute("href")
    _rename(actor, str(players), "Bea", "ada")
    expect(actor.page.locator("#problem-name")).to_contain_text("Zed")


def _rename(actor: Actor, players: str, before: str, after: str) -> None:
    actor.open(players)
    actor.tap(actor.link(before))
    actor.page.locator("#name").fill(after)
    actor.tap(actor.button("Rename"))


def stake_refused(actor: Actor, past: Past) -> None:
    """Play for a stake that is none."""
    actor.open(past.empty)
    actor.tap(actor.page.get_by_role("heading", name=actor.phone.say("Stake")))
    actor.page.locator("[name=stake]").fill("x")
    actor.tap(actor.button("Set the stake"))
    expect(actor.page.locator("#problem-stake")).to_be_visible()


def evenings_of_one(actor: Actor, past: Past) -> None:
    """Look at the numbers of the chart of a player."""
    one_player(actor, past)
    actor.tap(actor.link("The same numbers as a table"))
    expect(actor.heading("Sessions")).to_be_visible()


def merging(actor: Actor, past: Past) -> None:
    """Look at two players who cannot be one, side by side."""
    one_player(actor, past)
    actor.tap(actor.link("Here twice, under two names?"))
    actor.tap(actor.link("Ciro"))
    expect(actor.heading("Choose another name")).to_be_visible()


def join_refused(actor: Actor, _past: Past) -> None:
    """Try a code that opens nothing."""
    actor.open("/join")
    actor.page.get_by_label(actor.phone.say("The link or code you were given")).fill("wrong")
    actor.tap(actor.button("Join"))
    expect(actor.page.get_by_role("main")).to_contain_text(
        actor.phone.say(
            "This code opens nothing: it was mistyped or taken back, it ran out, "
            "or it was for one phone."
        )
    )


def editing(actor: Actor, past: Past) -> None:
    """Make a table odd, and see what it pays."""
    actor.open(f"{past.table}edit")
    for fold in actor.page.locator("form details > summary").all():
        actor.tap(fold)
    actor.page.get_by_role("button", name=actor.phone.say("Another row")).first.tap()
    words = actor.phone.say("With cappotto, where the points allow it")
    expect(actor.page.get_by_text(words)).to_be_visible()


def editing_refused(actor: Actor, past: Past) -> None:
    """Save a table whose bands are in disorder, under no name."""
    actor.open(f"{past.circle}rules/new?from=ladder-bands")
    actor.page.get_by_label(actor.phone.say("What the table is called")).fill("")
    column = actor.phone.say("Lowest bid")
    label = actor.phone.say("%(column)s, row %(number)s", column=column, number=3)
    actor.page.get_by_label(label).fill("5")
    actor.tap(actor.button("Keep this table"))
    words = actor.phone.say("Put right what is marked, and the table appears here.")
    expect(actor.page.get_by_text(words)).to_be_visible()


def brought(actor: Actor, _past: Past) -> None:
    """Open the link of a table."""
    actor.open("/bring")
    box = actor.page.get_by_label(actor.phone.say("The link or the text of a table"))
    box.fill('{"preset": "ladder-bands", "name": "From the neighbours", "score": {"partner": 2}}')
    actor.tap(actor.button("Look at it").first)
    expect(actor.page.get_by_role("heading", name="From the neighbours")).to_be_visible()


def brought_in_vain(actor: Actor, _past: Past) -> None:
    """Paste something that is no table."""
    actor.open("/bring")
    box = actor.page.get_by_label(actor.phone.say("The link or the text of a table"))
    box.fill('{"floor": 200, "flor": 1}')
    actor.tap(actor.button("Look at it").first)
    expect(actor.heading("This table cannot be used")).to_be_visible()


#: One of each kind, for `make test`.
def look_at_notebook(actor: Actor, past: Past) -> None:
    """Paste an evening with something in it that isn't understood."""
    actor.open(f"{past.circle}notebook")
    actor.page.locator("textarea").fill(
        "Data;Ada;Bea;Zia Pina\n3/4/2024;2;-2;boh\n10/4/2024;1;-1;\n"
    )
    actor.tap(actor.button("Look at it"))
    expect(actor.heading("What was understood")).to_be_visible()


def look_at_cards(actor: Actor, past: Past) -> None:
    """Paste a file of deals: other cards than are written down."""
    actor.open(f"{past.cards}cards")
    text = "smazzate: 1\ngame: briscola-chiamata\n\ndeal: 1\n7B 2D\n"
    actor.page.locator("textarea").fill(text)
    actor.tap(actor.button("Look at it"))
    expect(actor.heading("What was understood")).to_be_visible()


MAIN = {
    "home",
    "new session",
    "session with deals",
    "last page of an evening",
    "record",
    "record with problems",
    "deal that was amended",
    "amend",
    "cards of a deal",
    "replay",
    "circle",
    "share",
    "journal",
    "player",
    "join",
    "table being edited",
}
PAGE_STATES = (
    PageState("home without a circle", At(lambda _: "/"), whose="stranger"),
    PageState("home", At(lambda _: "/")),
    PageState("new session", At(lambda _: "/sessions/new"), whose="stranger"),
    PageState(
        "new session of the circle",
        At(
            lambda past: (
                f"/sessions/new?circle={past.circle.split('/')[2]}&like={past.six.split('/')[4]}"
            )
        ),
    ),
    PageState("new session with problems", new_session_refused, whose="stranger"),
    PageState("session without deals", At(lambda past: past.empty)),
    PageState("session with deals", At(lambda past: past.mixed)),
    PageState("session with many deals", At(lambda past: past.long)),
    PageState("session with many deals, older", At(lambda past: f"{past.long}?before=4")),
    PageState("session with balances", At(lambda past: f"{past.mixed}?show=balances")),
    PageState("session with a deal under way", At(lambda past: past.started)),
    PageState("big screen", At(lambda past: f"{past.mixed}tv"), whose="watcher"),
    PageState("big screen of a deal under way", At(lambda past: f"{past.started}tv")),
    PageState("big screen of people who come and go", At(lambda past: f"{past.many}tv")),
    PageState("session that has ended", At(lambda past: past.ended)),
    PageState("last page of an evening", At(lambda past: f"{past.ended}last")),
    PageState("last page at the target", At(lambda past: f"{past.reached}last"), whose="watcher"),
    PageState("last page of pairs", At(lambda past: f"{past.won}last")),
    PageState("last page with somebody out", At(lambda past: f"{past.out}last")),
    PageState("score sheet on paper", At(lambda past: f"{past.mixed}sheet")),
    PageState("session at its target", At(lambda past: past.reached)),
    PageState("match that pairs have won", At(lambda past: past.won)),
    PageState("match that is level", At(lambda past: past.level)),
    PageState("match with somebody out", At(lambda past: past.out)),
    PageState("who is at the table, somebody out", At(lambda past: f"{past.out}table")),
    PageState("deal of pairs", At(lambda past: f"{past.won}deals/2/")),
    PageState("session of six", At(lambda past: past.six)),
    PageState("session right after saving", just_saved),
    PageState("session with a penalty to give", penalty),
    PageState("session of people who come and go", At(lambda past: past.many)),
    PageState("session with how often each sat out", resting),
    PageState("who is at the table", At(lambda past: f"{past.many}table")),
    PageState("who is at the table, too few", too_few),
    PageState("how they sat since a deal", At(lambda past: f"{past.many}table?since=3")),
    PageState("what a repair of the seats changes", repairing),
    PageState("repair of the seats that cannot be", impossible),
    PageState("record", At(lambda past: f"{past.empty}record")),
    PageState("record by points", At(lambda past: f"{past.points}record")),
    PageState("record of six", At(lambda past: f"{past.six}record")),
    PageState("record of four", At(lambda past: f"{past.four}record")),
    PageState("record, all answered", filled),
    PageState("record with problems", record_refused),
    PageState("record with the card counter", counting),
    PageState("record with more questions", more_questions),
    *(PageState(f"record of {game}", record_of(game)) for game, _, _ in OTHERS),
    PageState("record with cards to tap", tapping),
    PageState("record with everything unfolded and refused", unfolded),
    PageState("start", At(lambda past: f"{past.empty}record?step=start")),
    PageState("finish", At(lambda past: f"{past.started}record")),
    PageState("amend", amending),
    PageState("deal", At(lambda past: f"{past.mixed}deals/1/")),
    PageState("deal that was amended", At(lambda past: f"{past.mixed}deals/2/")),
    PageState("misdeal", At(lambda past: f"{past.mixed}deals/3/")),
    PageState("deal that was voided", At(lambda past: f"{past.mixed}deals/4/")),
    PageState("deal that was restored", At(lambda past: f"{past.mixed}deals/5/")),
    PageState("deal about to be voided", voiding),
    PageState("session with a dispute", At(lambda past: past.disputed)),
    PageState(
        "session with a dispute, asked about its last deal",
        At(lambda past: past.disputed),
        whose="player",
    ),
    PageState("session with a dispute to write", disputing, whose="player"),
    PageState("dispute without a reason", dispute_refused, whose="player"),
    PageState("deal that was disputed", At(lambda past: f"{past.disputed}deals/2/")),
    PageState(
        "deal that was disputed, only to look at",
        At(lambda past: f"{past.disputed}deals/2/"),
        whose="watcher",
    ),
    PageState("deal that was upheld", At(lambda past: f"{past.disputed}deals/1/"), whose="player"),
    PageState("deal whose cards agree", At(lambda past: f"{past.cards}deals/1/")),
    PageState("deal whose cards say otherwise", At(lambda past: f"{past.cards}deals/2/")),
    PageState(
        "deal of which some cards are known",
        At(lambda past: f"{past.cards}deals/3/"),
        whose="player",
    ),
    PageState("replay", At(lambda past: f"{past.cards}deals/1/tricks/replay"), whose="watcher"),
    PageState(
        "replay in the middle of a trick",
        At(lambda past: f"{past.cards}deals/1/tricks/replay?step=13"),
    ),
    PageState(
        "replay of what is known", At(lambda past: f"{past.cards}deals/3/tricks/replay?step=99")
    ),
    PageState("conflict", conflict),
    PageState("conflict of two starts", started_twice),
    PageState("cards of a deal", At(lambda past: f"{past.started}deals/2/tricks/")),
    PageState("cards, asked who leads", At(lambda past: f"{past.cards}deals/3/tricks/")),
    PageState(
        "cards of a deal whose called card is asked",
        At(lambda past: f"{past.points}deals/1/tricks/"),
    ),
    PageState("cards as text, refused", pasting),
    PageState("cards, all played", At(lambda past: f"{past.cards}deals/1/tricks/")),
    PageState("cards, all played, to be saved", At(lambda past: f"{past.cards}deals/4/tricks/")),
    PageState("cards of two phones", other_cards),
    PageState("cards of several deals", At(lambda past: f"{past.cards}cards")),
    PageState("cards of several deals that were looked at", look_at_cards),
    PageState("cards laid aside", laying),
    PageState("cards col monte, all played", At(lambda past: f"{past.monte}deals/1/tricks/")),
    PageState("deal col monte, the called card shown", At(lambda past: f"{past.monte}deals/1/")),
    PageState("replay col monte", At(lambda past: f"{past.monte}deals/1/tricks/replay?step=35")),
    PageState("cards with a dead hand", At(lambda past: f"{past.dead}deals/1/tricks/")),
    PageState("deal without a partner", At(lambda past: f"{past.dead}deals/1/")),
    PageState(
        "replay with a dead hand", At(lambda past: f"{past.dead}deals/1/tricks/replay?step=5")
    ),
    PageState("circle", At(lambda past: past.circle)),
    PageState("notebooks", At(lambda past: f"{past.circle}notebook")),
    PageState("notebook that was looked at", look_at_notebook),
    PageState(
        "circle, from one day to another",
        At(lambda past: f"{past.circle}?span=dates&from=2026-01-01&to=2026-13-01"),
    ),
    PageState("share", At(lambda past: f"{past.circle}share")),
    PageState("share with a fresh link", fresh_link),
    PageState("share with a phone to change", phone_to_change),
    PageState("share with a link to revoke", link_to_revoke),
    PageState("who holds this phone", At(lambda past: f"{past.circle}who")),
    PageState("circle to be deleted", At(lambda past: f"{past.circle}delete")),
    PageState("evenings", At(lambda past: f"{past.circle}evenings/")),
    PageState("feed", At(lambda past: f"{past.circle}feed")),
    PageState("past deals", At(lambda past: f"{past.circle}deals/")),
    PageState("past deals looked for", looking),
    PageState(
        "past deals with problems",
        At(lambda past: f"{past.circle}deals/?role=dealer&from=2026-13-01&part=alone&bid=x"),
    ),
    PageState("journal", At(lambda past: f"{past.circle}journal")),
    PageState("journal looked through", At(lambda past: f"{past.circle}journal?kind=phones")),
    PageState(
        "journal with problems",
        At(lambda past: f"{past.circle}journal?player=x&from=2026-13-01&kind=y"),
    ),
    PageState(
        "journal without anything",
        At(lambda past: f"{past.circle}journal?to=2020-01-01"),
        whose="watcher",
    ),
    PageState("stake that is none", stake_refused),
    PageState("player who had another name", renamed),
    PageState("name that another had", former_name),
    PageState("players", At(lambda past: f"{past.circle}players/")),
    PageState("photos and notes", At(lambda past: f"{past.ended}notes/")),
    PageState(
        "photos and notes, only to look at", At(lambda past: f"{past.ended}notes/"), whose="watcher"
    ),
    PageState("deal with a photo", At(lambda past: f"{past.ended}deals/1/")),
    PageState("seasons", At(lambda past: f"{past.circle}seasons/")),
    PageState("rating", At(lambda past: f"{past.circle}rating")),
    PageState("player", one_player),
    PageState("player's evenings", evenings_of_one),
    PageState("players to be merged", merging),
    PageState("player, only to look at", one_player, whose="watcher"),
    PageState("join", At(lambda _: "/join"), whose="stranger"),
    PageState("join with a wrong code", join_refused, whose="stranger"),
    PageState("house rules", At(lambda past: f"{past.circle}rules/")),
    PageState("table of the circle", At(lambda past: past.table)),
    PageState("older version of a table", At(lambda past: f"{past.table}?version=1")),
    PageState("table to send", At(lambda past: f"{past.table}share")),
    PageState("new table", At(lambda past: f"{past.circle}rules/new")),
    PageState(
        "new table of another game",
        At(lambda past: f"{past.circle}rules/new?game=burraco&from=four-deals"),
    ),
    PageState("table being edited", editing),
    PageState("table with problems", editing_refused),
    PageState("table that was brought", brought),
    PageState("table for a stranger", brought, whose="stranger"),
    PageState("no table", brought_in_vain),
    PageState("house rules, only to look at", At(lambda past: past.table), whose="watcher"),
    PageState("session with other rules", At(lambda past: past.changed)),
    PageState("rules of a session", At(lambda past: f"{past.changed}rules")),
    PageState("rules to be changed", At(lambda past: f"{past.changed}rules/change")),
    PageState(
        "change of rules to confirm",
        At(lambda past: f"{past.mixed}rules/change?rules=decades&from=1"),
    ),
    PageState(
        "change of rules that can't be",
        At(lambda past: f"{past.mixed}rules/change?rules=monte-6&from=2"),
    ),
    PageState("evening by another table", At(lambda past: f"{past.long}what-if?rules=volata")),
    PageState("rules", At(lambda _: "/rules/"), whose="stranger"),
    PageState("rules of a game", At(lambda _: f"/rules/{GAME}/"), whose="stranger"),
    PageState("rules of a table", At(lambda _: f"/rules/{GAME}/ladder-bands/"), whose="stranger"),
    PageState(
        "rules of an odd table",
        At(lambda _: f"/rules/{GAME}/rulebook-literal/"),
        whose="stranger",
    ),
    PageState("session, only to look at", At(lambda past: past.mixed), whose="watcher"),
    PageState("deal, only to look at", At(lambda past: f"{past.mixed}deals/2/"), whose="watcher"),
    PageState("phones, only to look at", At(lambda past: f"{past.circle}share"), whose="watcher"),
    PageState("circle, only to look at", At(lambda past: past.circle), whose="watcher"),
    PageState("record, refused", At(lambda past: f"{past.empty}record"), whose="watcher"),
    PageState("nothing here", At(lambda _: "/nothing/here"), whose="stranger"),
)
