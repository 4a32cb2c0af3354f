"""A match of any game, played on a phone: the form is filled in from a sheet of the contract."""

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, expect

from scorer.games import find_game
from scorer.rules.questions import questions
from scorer.texts import signed
from tests.browser.evening import Evening

#: More steps than this nobody taps: one types.
MOST_TAPS = 6
#: Where a saved deal leads: to the last page where the match is over with it.
LAST_OR_SESSION = re.compile(r"/sessions/[0-9a-f-]+/(last)?$")
#: Questions that are asked in a line with others.
IN_LINES = {
    "scala-quaranta": dict.fromkeys(("closed", "hands"), "Who closed, and the others’ hands")
}


class Match(Evening):
    """A match of a game whose form is derived from its sheet."""

    def record(self, sheet: dict[str, Any]) -> None:
        """Record a deal; what it will pay is shown before it is saved."""
        actor = self.actor
        actor.open_entry(actor.record_link())
        self.answer(sheet)
        self.deals.append({"sheet": sheet})
        self._check_preview(len(self.deals))
        actor.save()
        actor.arrive(LAST_OR_SESSION)
        if actor.page.url.endswith("/last"):
            actor.open(actor.page.url.removesuffix("last"))

    def answer(self, sheet: dict[str, Any]) -> None:
        """Answer every question that the sheet has an answer to."""
        for question in questions(find_game(self.game).sheet_type):
            if question.name in sheet:
                label = IN_LINES.get(self.game, {}).get(question.name) or str(question.ask.label)
                self._unfold(question.name)
                self._answer(self.actor.group(label), sheet[question.name])

    def _unfold(self, name: str) -> None:
        page = self.actor.page
        fold = page.locator("details:not([open])", has=page.locator(f"[data-field={name}]"))
        if fold.count():
            self.actor.tap(fold.locator("summary"))

    def _answer(self, group: Locator, answer: Any) -> None:
        """Tap chips for names, and numbers one by one."""
        if isinstance(answer, dict):
            for name, number in answer.items():
                group.get_by_role("textbox", name=re.compile(rf"^{name}\b")).fill(str(number))
        elif isinstance(answer, int):
            self.actor.tap(group.get_by_role("radio").nth(answer).locator("xpath=.."))
        elif isinstance(answer, str):
            self.actor.tap(group.get_by_role("radio", name=re.compile(rf"^{answer}\b")))
        else:
            self._answer_each(group, answer)

    def _answer_each(self, group: Locator, answer: Sequence[Any]) -> None:
        for place, part in enumerate(answer):
            if isinstance(part, str):
                name = re.compile(rf"^{part}\b")
                self.actor.tap(group.get_by_role("checkbox", name=name))
            else:
                self._number(group, place, part)

    def _number(self, group: Locator, place: int, number: int) -> None:
        """Tap the key of a number, or the plus and the minus up to it; one far away is typed."""
        box = group.get_by_role("textbox").nth(place)
        key = group.locator(f"[data-set$='-{place}'][data-value='{number}']")
        stepper = group.locator("[data-stepper]").nth(place)
        if key.count():
            self.actor.tap(key)
        elif stepper.count() and abs(number - _begins(box, stepper)) <= MOST_TAPS:
            while box.input_value() != str(number):
                fewer = number < _begins(box, stepper)
                name = self.actor.phone.say("One less" if fewer else "One more")
                self.actor.tap(stepper.get_by_role("button", name=name))
        else:
            box.fill(str(number))
        expect(box).to_have_value(str(number))

    def _check_preview(self, number: int) -> None:
        paid = self.paid["deals"][number - 1]["payouts"]
        preview = self.actor.preview()
        expect(preview).not_to_have_attribute("data-stale", "")
        for name in paid:
            line = preview.get_by_role("listitem").filter(has_text=name)
            expect(line).to_have_text(
                re.compile(rf"(?<!\d)\+?{re.escape(signed(paid[name]).lstrip('+'))}\s*$")
            )


def _begins(box: Locator, stepper: Locator) -> int:
    """Say from where the plus and the minus count."""
    return int(box.input_value() or stepper.get_attribute("data-first") or 0)
