"""A club evening of eight pairs at burraco, from the list of names to the podium."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.browser.actor import Actor
from tests.browser.base.test_picture import LANGUAGES, keep_picture
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: The better a pair, the earlier it stands here.
PAIRS = (
    *("Ada, Bea", "Ciro, Dora", "Ezio, Fulvia", "Gino, Ines"),
    *("Lea, Mara", "Nora, Olga", "Pia, Quinto", "Rita, Sara"),
)
#: With whom and against whom the phones of the players sit in the first turn.
SEATED = {
    "Bea": ("Ada", "Ciro, Dora"),
    "Ciro": ("Dora", "Ada, Bea"),
    "Rita": ("Sara", "Pia, Quinto"),
}
TURNS = 3
DONE = "This table is done. Your next one is shown here once it is published."
WIDER = "document.documentElement.scrollWidth > innerWidth"


@dataclass(slots=True)
class Club:
    """The phones of an evening, and the address of its tournament."""

    director: Actor
    players: Mapping[str, Actor]
    screen: Actor
    url: str = ""

    def turn(self) -> dict[str, Any]:
        """Read the turn that was published last, as the file of the tournament has it."""
        file = self.director.phone.context.request.get(f"{self.url}/file")
        *_, turn = json.loads(file.text())["rounds"]
        return dict(turn)

    def write(self, but: int = 0) -> None:
        """Let the tables write their deals: the earlier a pair stands, the more it melds."""
        scribe = Scribe(self.director.phone)
        circle = self.url.partition("tournaments")[0]
        for table in self.turn()["tables"]:
            if table["table"] != but and table["scores"] is None:
                melded = {f"melded-{n}": melds(side) for n, side in enumerate(table["sides"])}
                sheet = {"key": str(uuid4()), "number": "1", "closed": "nobody", **melded}
                scribe.post(f"{circle}sessions/{table['session']}/record", sheet)


def melds(entry: str) -> str:
    return str(500 - 35 * int(entry))


@pytest.fixture
def club(take: Take, request: pytest.FixtureRequest) -> Club:
    """Give a circle that has met before, and the phones of tonight."""
    language = request.param
    director = Actor(take(Model(390, 720, language, scale=2)))
    before = Scribe(director.phone).start(
        "Last week", people=("Ada", "Bea", "Ciro", "Dora", "Rita")
    )
    before.end()
    circle = before.path.partition("sessions/")[0]
    dark, light = Model(360, 640, language, theme="dark"), Model(360, 640, language)
    players = {}
    for name, model in {"Bea": dark, "Ciro": light, "Rita": dark}.items():
        role = "scorekeeper" if name == "Bea" else "player"
        player = Actor(take(model))
        player.open(f"/join#{Scribe(director.phone).link(circle, role)}")
        player.tap(player.page.get_by_role("button", name=name, exact=True))
        player.arrive(circle)
        players[name] = player
    screen = Actor(take(Model(1920, 1080, language, touch=False)))
    Scribe(screen.phone).post("/join", {"code": Scribe(director.phone).link(circle, "spectator")})
    director.open(circle)
    return Club(director, players, screen)


@dataclass(frozen=True, slots=True)
class Album:
    """The folder that the pictures of the documents are kept in."""

    folder: Path

    def keep(self, actor: Actor, name: str) -> None:
        """Keep what a phone or the screen shows."""
        language = actor.phone.model.language
        keep_picture(actor.page, self.folder / f"{language}-club-{name}.webp")


def make(club: Club, album: Album) -> None:
    """Make the tournament: from the circle to its page."""
    director = club.director
    director.tap(director.link("More"))
    director.tap(director.page.get_by_role("link", name=director.phone.say("Tournaments")))
    director.tap(director.link("New tournament"))
    director.tap(director.text("Other games"))
    director.tap(director.page.get_by_role("link", name="Burraco", exact=True))
    director.field("Deals at each table (empty: as the rules say)").fill("1")
    director.field("Names").fill("\n".join(PAIRS))
    plan = director.radio("Danish: neighbours in the standings meet, and nobody twice")
    director.tap(plan.locator("xpath=.."))
    director.field("Turns (empty: as many as fit)").fill(str(TURNS))
    lot = director.page.get_by_role(
        "checkbox", name=director.phone.say("Seats by lot, not in the order of the list")
    )
    director.tap(lot.locator("xpath=.."))
    director.page.locator("#name").fill("Tuesday")
    director.field("Names").evaluate("(names) => names.scrollIntoView({ block: 'center' })")
    album.keep(director, "1-make")
    director.tap(director.button("Make the tournament"))
    director.arrive(re.compile(r"/tournaments/[0-9a-f-]+$"))
    club.url = director.page.url


def draw(director: Actor, turn: int) -> None:
    """Draw a turn, and look at it."""
    director.tap(director.button("Draw turn %(number)s", number=turn))
    expect(director.heading("Turn %(number)s, drawn", number=turn)).to_be_visible()


def publish(director: Actor, turn: int) -> None:
    """Publish the turn that was drawn."""
    director.tap(director.button("Publish turn %(number)s", number=turn))
    expect(director.heading("Tables that still play")).to_be_visible()


def write_and_sign(club: Club) -> None:
    """Let Bea write down the deal of her table, and Ciro, who sits there too, sign it."""
    bea, ciro = club.players["Bea"], club.players["Ciro"]
    for player in (bea, ciro):
        player.tap(player.link("To the score sheet"))
        player.wait_for_session()
    bea.open_entry(bea.record_link())
    bea.tap(bea.group("Went out").get_by_role("radio").last)
    for box, number in enumerate((melds("1"), melds("2"))):
        bea.group("Cards melded").get_by_role("textbox").nth(box).fill(number)
    bea.save()
    bea.arrive("/last")
    bea.tap(bea.link("Back to the tournament"))
    ciro.tap(ciro.button("Right"))
    expect(ciro.button("Right")).to_have_count(0)
    ciro.tap(ciro.link("Back to the tournament"))
    for player in (bea, ciro):
        expect(player.text(DONE)).to_be_visible()


@pytest.mark.parametrize("club", LANGUAGES, indirect=True)
def test_evening_of_eight_pairs_is_played_to_the_podium(club: Club, tmp_path: Path) -> None:
    director, screen = club.director, club.screen
    album = Album(Path(os.environ.get("PICTURES", tmp_path)))
    make(club, album)
    draw(director, 1)
    album.keep(director, "2-drawn")
    publish(director, 1)
    for name, (partner, others) in SEATED.items():
        player = club.players[name]
        under_way = re.compile(re.escape(player.phone.say("tournament under way")))
        player.tap(player.page.get_by_role("link", name=under_way))
        player.arrive(club.url)
        where = player.phone.say("with %(names)s", names=partner)
        against = player.phone.say("against %(names)s", names=others)
        expect(player.page.get_by_text(f"{where}, {against}")).to_be_visible()
    album.keep(club.players["Ciro"], "3-seat")
    write_and_sign(club)
    club.write(but=4)
    expect(director.heading("Tables that still play")).to_be_visible()
    expect(director.link("Table %(number)s", number=2)).to_have_count(0)
    expect(director.link("Table %(number)s", number=4)).to_be_visible()
    director.page.evaluate("scrollTo(0, 0)")
    album.keep(director, "4-direct")
    screen.open(f"{club.url}/tv")
    expect(screen.page.get_by_role("listitem").first).to_contain_text("Ada")
    album.keep(screen, "5-screen")
    club.write()

    draw(director, 2)
    publish(director, 2)
    expect(club.players["Bea"].heading("Table %(number)s", number=1)).to_be_visible()
    club.write()
    draw(director, 3)
    publish(director, 3)
    club.write()
    expect(director.heading("All turns are played")).to_be_visible()
    director.tap(director.button("End the tournament"))

    for actor in [director, *club.players.values()]:
        expect(actor.heading("The end")).to_be_visible()
        assert not actor.page.evaluate(WIDER)
    album.keep(director, "6-end")
    screen.open(f"{club.url}/tv")
    expect(screen.words("over")).to_be_visible()
    expect(screen.page.get_by_role("listitem").first).to_contain_text("Ada")
    assert not screen.page.evaluate(WIDER)
