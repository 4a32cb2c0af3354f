"""An evening that is played on a phone and kept beside it as plain data, to be paid by `replay`."""

import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Error, expect

from scorer.operations import replay
from tests.browser.actor import DEAL_URL, FIVE, GAME, Actor
from tests.browser.phones import PATIENCE
from tests.browser.seeding import Scribe


@dataclass(slots=True)
class Evening:
    """What was played so far; every act is done on the pages and written down here."""

    actor: Actor
    game: str = GAME
    rules: str = "ladder-bands"
    names: Sequence[str] = FIVE
    deals: list[dict[str, Any]] = field(default_factory=list)
    struck: set[int] = field(default_factory=set)

    def begin(self) -> None:
        """Sit down; the form of a new session is sent plainly."""
        end = "open" if self.game == GAME else "rules"
        scribe = Scribe(self.actor.phone)
        self.actor.open(scribe.start("", self.rules, self.names, game=self.game, end=end).path)

    def record(self, sheet: dict[str, Any]) -> None:
        """Record a deal that was played."""
        self.actor.record(sheet)
        self.deals.append({"sheet": sheet})

    def record_in_two_steps(self, sheet: dict[str, Any]) -> None:
        """Write down what the auction said, and when the deal is over the rest."""
        number = len(self.deals) + 1
        self.actor.start_deal(sheet, number)
        expect(self.actor.page.locator(".under-way")).to_be_visible()
        self.record(sheet)

    def misdeal(self) -> None:
        """One tap, and the same dealer deals again."""
        self.actor.unfold("deal-more")
        self.actor.tap(self.actor.button("Misdeal"))
        self.deals.append({"outcome": "misdeal"})
        expect(self.actor.row(len(self.deals))).to_be_visible()

    def undo(self) -> None:
        """Take the last deal back by the button that says what it takes back."""
        number = len(self.deals)
        words = self.actor.phone.say("Undo deal %(number)s: %(what)s", number=number, what="")
        undo = self.actor.page.get_by_role("button", name=re.compile(f"^{re.escape(words)}"))
        self.actor.tap(undo)
        expect(undo).to_have_count(0)
        self.struck.add(number)

    def amend(self, number: int, reason: str, **answers: Any) -> None:
        """Put another answer into a deal of earlier."""
        actor = self.actor
        self._open_deal(number)
        actor.open_entry(actor.link("Amend"))
        self.answer(answers)
        actor.field("Why is it changed?").fill(reason)
        actor.tap(actor.button("Save the new version"))
        actor.arrive(DEAL_URL)
        expect(actor.page.get_by_text(reason)).to_be_visible()
        self.deals[number - 1]["sheet"] |= answers
        self._back()

    def answer(self, sheet: dict[str, Any]) -> None:
        """Answer the questions of a deal that the sheet has answers to."""
        self.actor.answer(sheet)

    def void(self, number: int, reason: str) -> None:
        """Strike a deal through."""
        actor = self.actor
        self._open_deal(number)
        actor.unfold("more")
        actor.tap(actor.text("Void"))
        actor.field("Or in your own words").fill(reason)
        actor.tap(actor.button("Void deal %(number)s", number=number))
        expect(actor.page.get_by_text(reason)).to_be_visible()
        self.struck.add(number)
        self._back()

    def restore(self, number: int) -> None:
        """Let a deal count again."""
        actor = self.actor
        self._open_deal(number)
        actor.tap(actor.button("Restore deal %(number)s", number=number))
        expect(actor.link("Amend")).to_be_visible()
        self.struck.remove(number)
        self._back()

    @property
    def paid(self) -> dict[str, Any]:
        """The answer of `replay` to the deals that count."""
        counted = [deal for number, deal in enumerate(self.deals, 1) if number not in self.struck]
        answer = replay(
            {
                "format": "scorer-session/1",
                "game": self.game,
                "rules": self.rules,
                "seats": list(self.names),
                "deals": counted,
            }
        )
        assert answer["ok"], answer["problems"]
        return answer

    def check(self) -> None:
        """Compare the standings on the page with `replay`."""
        standings = {line["player"]: line["balance"] for line in self.paid["standings"]}
        shown: dict[str, int] = {}
        until = time.monotonic() + PATIENCE / 1000
        while shown != standings:  # an act may be seen before its page comes anew
            assert time.monotonic() < until, shown
            with suppress(Error):
                shown = self.actor.balances()

    def _open_deal(self, number: int) -> None:
        self.actor.tap(self.actor.row(number).get_by_role("link"))
        self.actor.arrive(DEAL_URL)

    def _back(self) -> None:
        name = re.compile(f"^{re.escape(self.actor.phone.say('Back to %(session)s', session=''))}")
        self.actor.tap(self.actor.page.get_by_role("link", name=name))
        self.actor.wait_for_session()
