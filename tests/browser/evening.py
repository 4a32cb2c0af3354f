"""An evening that is played on a phone and kept beside it as plain data, to be paid by `replay`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import expect

from scorer.verbs import replay
from tests.browser.person import DEAL_URL, FIVE, GAME, Person

RULES = "ladder-bands"


@dataclass(slots=True)
class Evening:
    """What was played so far; every act is done on the pages and written down here."""

    person: Person
    deals: list[dict[str, Any]] = field(default_factory=list)
    struck: set[int] = field(default_factory=set)

    def begin(self) -> None:
        """Sit down."""
        self.person.start_session(FIVE, RULES)

    def record(self, sheet: dict[str, Any]) -> None:
        """Record a deal that was played."""
        self.person.record(sheet)
        self.deals.append({"sheet": sheet})

    def record_in_two_steps(self, sheet: dict[str, Any]) -> None:
        """Write down what the auction said, and when the deal is over the rest."""
        number = len(self.deals) + 1
        self.person.start_deal(sheet, number)
        under_way = self.person.heading("Deal %(number)s is being played", number=number)
        expect(under_way).to_be_visible()
        self.record(sheet)

    def misdeal(self) -> None:
        """One tap, and the same dealer deals again."""
        self.person.tap(self.person.button("Misdeal"))
        self.deals.append({"outcome": "misdeal"})
        expect(self.person.row(len(self.deals))).to_be_visible()

    def undo(self) -> None:
        """Take the last deal back by the button that says what it takes back."""
        number = len(self.deals)
        words = self.person.phone.say("Undo deal %(number)s: %(what)s", number=number, what="")
        undo = self.person.page.get_by_role("button", name=re.compile(f"^{re.escape(words)}"))
        self.person.tap(undo)
        expect(undo).to_have_count(0)
        self.struck.add(number)

    def amend(self, number: int, reason: str, **answers: Any) -> None:
        """Put another answer into a deal of earlier."""
        person = self.person
        self._open_deal(number)
        person.open_entry(person.link("Amend"))
        person.answer(answers)
        person.page.get_by_label(person.phone.say("Why is it changed?")).fill(reason)
        person.tap(person.button("Save the new version"))
        person.page.wait_for_url(DEAL_URL)
        expect(person.page.get_by_text(reason)).to_be_visible()
        self.deals[number - 1]["sheet"] |= answers
        self._back()

    def void(self, number: int, reason: str) -> None:
        """Strike a deal through."""
        person = self.person
        self._open_deal(number)
        person.tap(person.page.get_by_text(person.phone.say("Void"), exact=True))
        person.page.get_by_label(person.phone.say("Why does it not count?")).fill(reason)
        person.tap(person.button("Void deal %(number)s", number=number))
        expect(person.page.get_by_text(reason)).to_be_visible()
        self.struck.add(number)
        self._back()

    def restore(self, number: int) -> None:
        """Let a deal count again."""
        person = self.person
        self._open_deal(number)
        person.tap(person.button("Restore deal %(number)s", number=number))
        expect(person.link("Amend")).to_be_visible()
        self.struck.remove(number)
        self._back()

    @property
    def paid(self) -> dict[str, Any]:
        """The answer of `replay` to the deals that count."""
        counted = [deal for number, deal in enumerate(self.deals, 1) if number not in self.struck]
        answer = replay(
            {
                "format": "scorer-session/1",
                "game": GAME,
                "rules": RULES,
                "seats": list(FIVE),
                "deals": counted,
            }
        )
        assert answer["ok"], answer["problems"]
        return answer

    def check(self) -> None:
        """Compare the standings on the page with `replay`."""
        standings = {line["player"]: line["balance"] for line in self.paid["standings"]}
        assert self.person.balances() == standings

    def _open_deal(self, number: int) -> None:
        self.person.tap(self.person.row(number).get_by_role("link"))
        self.person.page.wait_for_url(DEAL_URL)

    def _back(self) -> None:
        name = re.compile(f"^{re.escape(self.person.phone.say('Back to %(session)s', session=''))}")
        self.person.tap(self.person.page.get_by_role("link", name=name))
        self.person.wait_for_session()
