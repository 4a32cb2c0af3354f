"""Six at a table for five: who sits out, a guest who joins, and seats put right since deal 4."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import expect

from scorer.operations import replay
from tests.browser.actor import FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.phones import LATER, Model
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

SIX = (*FIVE, "Fulvia")
DASH = "–"


@dataclass(slots=True)
class Table:
    """An evening of many, compared with its own file after every act."""

    actor: Actor
    names: list[str] = field(default_factory=lambda: list(SIX))
    recorded: int = 0

    def begin(self) -> None:
        """Sit down, all six."""
        self.actor.start_session(SIX, "ladder-bands")

    def record(self, caller: str, partner: str | None, *out: str) -> None:
        """Record a deal; those who sit out are not among those asked for."""
        actor = self.actor
        self.recorded += 1
        actor.open_entry(actor.record_link())
        for name in out:
            expect(actor.chip("Caller", name)).to_have_count(0)
        actor.answer({"caller": caller, "bid": "K", "partner": partner, "card_points": 72})
        actor.save()
        actor.wait_for_session()
        blank = [
            name
            for name, cell in zip(self.names, actor.cells(self.recorded), strict=False)
            if cell == DASH
        ]
        assert blank == sorted(out, key=self.names.index)
        self.check()

    def file(self) -> dict[str, Any]:
        """Take the session's file."""
        page = self.actor.page
        with page.expect_download() as saved:
            self.actor.tap(self.actor.button("session file"))
        document: dict[str, Any] = json.loads(saved.value.path().read_text())
        return document

    def check(self) -> None:
        """Compare the standings with the file, played again."""
        answer = replay(self.file())
        assert answer["ok"], answer["problems"]
        standings = {line["player"]: line["balance"] for line in answer["standings"]}
        assert self.actor.balances(self.names) == standings

    def dealers(self) -> list[str]:
        """Name who dealt each deal."""
        return [deal["dealer"] for deal in self.file()["deals"]]

    def out(self) -> list[set[str]]:
        """Name who sat out each deal."""
        return [set(deal["sits_out"]) & set(SIX) for deal in self.file()["deals"]]

    def let_sit_out(self, chosen: str, instead: str) -> None:
        """Choose somebody else to sit out the next deal."""
        actor = self.actor
        question = actor.phone.say("Somebody else instead of %(name)s?", name=instead)
        group = actor.page.get_by_role("group", name=question)
        actor.tap(group.get_by_role("button", name=chosen))
        back = actor.button("Back to the turn: %(names)s", names=instead)
        expect(back).to_be_visible()
        self.check()

    def open_table(self) -> None:
        """Open the page of who is at the table."""
        self.actor.tap(self.actor.link("Who plays"))
        expect(self.actor.heading("Who is at the table")).to_be_visible()

    def move_up(self, name: str, place: int) -> None:
        """Move somebody up by one: by the button, or by the number of the place."""
        actor = self.actor
        if actor.phone.model.scripts:
            actor.tap(actor.button("Move %(name)s up", name=name))
            return
        boxes = actor.page.get_by_role(
            "textbox", name=actor.phone.say("Place of %(name)s", name=name)
        )
        boxes.fill(str(place - 1))
        others = actor.page.locator(f"[name=place][value='{place - 1}']")
        others.first.fill(str(place))


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(Model(390, 844, "it"), id="390-it"),
        pytest.param(
            Model(360, 640, "en", theme="dark", scripts=False), id="360-en-no-scripts", marks=LATER
        ),
    ],
)
def test_six_take_turns_a_guest_joins_and_the_seats_are_put_right(take: Take, model: Model) -> None:
    phone = take(model)
    actor = Actor(phone)
    table = Table(actor)

    table.begin()
    table.record("Bea", "Ciro", "Ada")
    table.record("Ada", None, "Bea")
    table.let_sit_out("Dora", instead="Ciro")
    table.record("Ciro", "Ezio", "Dora")
    owes = actor.page.get_by_text(phone.say("%(name)s owes a turn.", name="Ciro"), exact=True)
    expect(owes).to_be_attached()
    even = phone.say("Let %(other)s sit out for %(name)s", name="Dora", other="Ciro")
    actor.tap(actor.page.get_by_role("button", name=even))
    expect(actor.button("Back to the turn: %(names)s", names="Dora")).to_be_visible()
    table.record("Ada", "Dora", "Ciro")
    assert table.dealers() == ["Ada", "Bea", "Ciro", "Dora"]
    expect(owes).to_have_count(0)

    table.open_table()
    actor.page.get_by_label(phone.say("Name of the guest")).fill("Gino")
    actor.page.get_by_label(phone.say("The guest brings in")).fill("−3")
    actor.tap(actor.button("Save, from deal %(number)s on", number=5))
    actor.wait_for_session()
    table.names.append("Gino")
    table.check()
    table.record("Ada", "Bea", "Dora", "Ezio")
    table.record("Gino", "Ada", "Ezio", "Fulvia")
    table.record("Bea", "Ciro", "Fulvia", "Gino")

    before = actor.balances(table.names)
    actor.page.goto(actor.page.url.partition("?")[0].partition("#")[0] + "table?since=4")
    expect(actor.heading("We sat wrong")).to_be_visible()
    assert actor.page.locator("[name=until]").input_value() == "4"
    table.move_up("Ezio", 5)
    actor.tap(actor.page.get_by_role("radio", name=phone.say("%(name)s deals", name="Ezio")))
    actor.page.get_by_label(phone.say("Why?")).fill("We counted the chairs")
    actor.tap(actor.button("Look at what changes"))
    expect(actor.heading("This is what changes")).to_be_visible()
    expect(actor.page.get_by_text(phone.say("Dealer"), exact=True)).to_be_visible()
    actor.tap(actor.button("Put it right"))
    actor.wait_for_session()

    table.check()
    assert actor.balances(table.names) == before
    assert table.dealers()[3] == "Ezio"
    assert table.out()[3] == {"Ciro"}
    actor.tap(actor.row(4).get_by_role("link"))
    expect(actor.page.get_by_text("We counted the chairs")).to_be_visible()
    because = phone.say(
        "%(what)s, %(deals)s",
        what=phone.say("Seats changed"),
        deals=phone.say("for deal %(number)s", number=4),
    )
    expect(actor.page.get_by_text(because)).to_be_visible()


def test_guest_counts_as_soon_as_a_name_is_typed(take: Take) -> None:
    actor = Actor(take(Model(360, 640)))
    actor.open(f"{Scribe(actor.phone).start('Friday').path}table")
    told = actor.page.locator("[data-count]").filter(visible=True)
    expect(told).to_have_attribute("data-count", "5")

    actor.page.locator("[name=guest]").fill("Fulvia")
    expect(told).to_have_attribute("data-count", "6")
    actor.page.locator("[name=guest]").fill(" ")
    expect(told).to_have_attribute("data-count", "5")
