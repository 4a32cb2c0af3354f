"""What somebody with a phone does on the pages: reads, taps and types what an eye can see."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from scorer.games import find_game
from scorer.languages import translate
from scorer.rules.cards import SUIT_WORDS, Suit
from scorer.texts import MINUS
from tests.browser.phones import Phone

GAME = "briscola-chiamata"
FIVE = ("Ada", "Bea", "Ciro", "Dora", "Ezio")
SESSION_URL = re.compile(r"/circles/[0-9a-f-]+/sessions/[0-9a-f-]+/(\?.*)?(#.*)?$")
ENTRY_URL = re.compile(r"/(record(\?step=start)?|deals/\d+/amend)$")
DEAL_URL = re.compile(r"/deals/\d+/$")
ANSWERED = re.compile("^(yes|no)$")
AMOUNT = re.compile(rf"[+{MINUS}]?\d+")


def amount(text: str) -> int:
    """Read an amount as it is shown; the last one, where there are several."""
    return int(AMOUNT.findall(text)[-1].replace(MINUS, "-"))


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody with a phone."""

    phone: Phone

    @property
    def page(self) -> Page:
        """The page on the screen."""
        return self.phone.page

    def button(self, template: str, /, **values: object) -> Locator:
        """Find a button by its name."""
        name = self.phone.say(template, **values)
        return self.page.get_by_role("button", name=name, exact=True)

    def link(self, template: str, /, **values: object) -> Locator:
        """Find a link by its name."""
        return self.page.get_by_role("link", name=self.phone.say(template, **values), exact=True)

    def heading(self, template: str, /, **values: object) -> Locator:
        """Find a heading by its words."""
        return self.page.get_by_role("heading", name=self.phone.say(template, **values), exact=True)

    def radio(self, template: str, /, **values: object) -> Locator:
        """Find a choice by its words."""
        return self.page.get_by_role("radio", name=self.phone.say(template, **values))

    def text(self, template: str, /, **values: object) -> Locator:
        """Find something by all its words."""
        return self.page.get_by_text(self.phone.say(template, **values), exact=True)

    def field(self, template: str, /, **values: object) -> Locator:
        """Find a box by its label."""
        return self.page.get_by_label(self.phone.say(template, **values))

    def words(self, template: str, /, **values: object) -> Locator:
        """Find words, also within a sentence."""
        return self.page.get_by_text(self.phone.say(template, **values))

    def group(self, template: str) -> Locator:
        """Find the answers to a question by the words that it begins with."""
        legend = re.compile(rf"^{re.escape(self.phone.say(template))}(?!\w)")
        return self.page.get_by_role("group", name=legend)

    def tap(self, target: Locator) -> None:
        """Tap something."""
        self.phone.tap(target)

    def send(self, target: Locator) -> None:
        """Tap what sends a form, and wait for the page that answers.

        A page that fetches a token first is still there after the tap: what is tapped on it next
        would be undone by the form.
        """
        self.page.evaluate("document.documentElement.dataset.left = ''")
        self.tap(target)
        expect(self.page.locator("html:not([data-left])")).to_be_attached()
        self.page.wait_for_load_state()

    def arrive(self, address: str | re.Pattern[str]) -> None:
        """Wait until a page is there whose address ends so, or is like that.

        Playwright's own `wait_for_url` fails where a page on the way was overtaken by another one.
        """
        like = re.compile(f"{re.escape(address)}$") if isinstance(address, str) else address
        expect(self.page).to_have_url(like)
        self.page.wait_for_load_state()

    def unfold(self, drawer: str) -> None:
        """Open a drawer: "more", or on a session's page "deal-more" of the next deal."""
        self.tap(self.page.locator(f"[popovertarget={drawer}]").first)

    def open(self, path: str) -> None:
        """Go to a page."""
        self.page.goto(path)

    # A session

    def name_players(self) -> None:
        """Fill in who plays."""
        for number, name in enumerate(FIVE, start=1):
            box = self.phone.say("Player %(number)s", number=number)
            self.page.get_by_label(box, exact=True).fill(name)

    def choose_players_and_rules(self) -> None:
        """From the start to a session of five new people that only has to begin."""
        self.open("/")
        self.tap(self.link("New session"))
        self.name_players()
        self.choose_rules("ladder-bands")

    def start_session(self) -> None:
        """Begin a session of five new people."""
        self.choose_players_and_rules()
        self.tap(self.button("Start playing"))
        self.wait_for_session()

    def choose_rules(self, slug: str, of: str = GAME) -> None:
        """Pick a table by its name."""
        game = find_game(of)
        name = translate(game.describe(game.presets[slug]).name, self.phone.model.language)
        fold = self.page.locator("details[data-field=rules]:not([open])")
        if fold.count():
            self.tap(fold.locator("summary").first)
        kind = game.kind(game.presets[slug])
        if game.kinds and kind:
            self.tap(
                self.chip(str(game.kinds.question), self.phone.say(str(game.kinds.words[kind])))
            )
        group = "Who leads" if game.named_by_session else "Rules"
        chips = self.group(group).get_by_role("radio", name=re.compile(f"^{re.escape(name)}"))
        more = self.button("Other rules")
        if more.is_visible() and not chips.first.is_visible():
            self.tap(more)
        self.tap(chips.first.locator("xpath=.."))

    def wait_for_session(self) -> None:
        """Wait until the page of the session is there."""
        self.arrive(SESSION_URL)

    def balances(self, names: Iterable[str] = FIVE) -> dict[str, int]:
        """Read the standings."""
        standings = self.page.get_by_role("region", name=self.phone.say("Standings"), exact=True)
        lines = [text.split() for text in standings.get_by_role("listitem").all_inner_texts()]
        return {name: amount(line[-1]) for name in names for line in lines if name in line}

    def row(self, number: int) -> Locator:
        """Find a deal on the score sheet."""
        head = re.compile(rf"^{re.escape(self.phone.say('Deal'))} {number}\b")
        return self.page.get_by_role("row").filter(
            has=self.page.get_by_role("rowheader", name=head)
        )

    def cells(self, number: int) -> list[str]:
        """Read what the score sheet shows of a deal."""
        return [text.strip() for text in self.row(number).get_by_role("cell").all_inner_texts()]

    def payouts(self, number: int, names: Sequence[str] = FIVE) -> dict[str, int]:
        """Read what a deal pays."""
        cells = self.cells(number)[: len(names)]
        return {name: amount(cell) for name, cell in zip(names, cells, strict=True)}

    # A deal

    def record_link(self) -> Locator:
        """Find the way from the session to its next deal."""
        record = self.phone.say("Record deal %(number)s", number="")
        finish = self.phone.say("Finish deal %(number)s", number="")
        either = re.compile(f"^({re.escape(record)}|{re.escape(finish)})")
        return self.page.get_by_role("link", name=either)

    def open_entry(self, link: Locator) -> None:
        """Go to the questions of a deal; by the time the page is there its script has run."""
        self.tap(link)
        self.arrive(ENTRY_URL)

    def record(self, sheet: dict[str, Any]) -> None:
        """Record the next deal, from the session's page and back to it."""
        self.open_entry(self.record_link())
        self.answer(sheet)
        self.save()
        self.wait_for_session()

    def start_deal(self, sheet: dict[str, Any], number: int) -> None:
        """Write down what the auction said."""
        self.open_entry(self.link("Start deal %(number)s", number=number))
        self.answer(
            {name: sheet[name] for name in ("caller", "bid", "called_card") if name in sheet}
        )
        self.tap(self.button("Start deal %(number)s", number=number))
        self.wait_for_session()

    def save_button(self) -> Locator:
        """Find the button that saves the deal, whatever its number."""
        word = self.phone.say("Save deal %(number)s", number="")
        return self.page.get_by_role("button", name=re.compile(f"^{re.escape(word)}"))

    def save(self) -> None:
        """Save the deal."""
        self.tap(self.save_button())

    def answer(self, sheet: dict[str, Any]) -> None:
        """Answer the questions of a deal that the sheet (contract.md) has answers to."""
        if "caller" in sheet:
            self._choose("Caller", sheet["caller"])
        if "bid" in sheet:
            self._bid(sheet["bid"])
        if "called_card" in sheet:
            suit = SUIT_WORDS[True][Suit(sheet["called_card"][-1])]
            self._choose("Called card", translate(suit, self.phone.model.language))
        if "partner" in sheet:
            self._choose("Partner", sheet["partner"] or self.phone.say("Alone"))
        if sheet.get("card_points") is not None:
            self.count(sheet["card_points"])
        elif "made" in sheet:
            self._choose("Card points", self.phone.say("Made" if sheet["made"] else "Missed"))

    def count(self, points: int) -> None:
        """Say the card points: by a key where there is one, in the box otherwise."""
        self._number("Card points", "of 120", points)

    def chip(self, question: str, name: str) -> Locator:
        """Find an answer."""
        return self.group(question).get_by_role("radio", name=name, exact=True)

    def _choose(self, question: str, name: str) -> None:
        chip = self.chip(question, name)
        if not chip.is_checked():
            self.tap(chip)
        expect(chip).to_be_checked()

    def _bid(self, bid: str) -> None:
        """Bid as the contract writes it: a rank ``K``, points ``75``, or after the two ``2@75``."""
        rank, _, points = bid.rpartition("@") if len(bid) > 1 else (bid, "", "")
        if rank:
            self._choose("Bid", self.phone.say(rank))
        if points:
            self._number("Bid", "Two at" if rank else "Points", int(points))

    def _number(self, question: str, box: str, points: int) -> None:
        key = self.key(question, points)
        if key.count():
            self.tap(key)
        else:
            self.box(question, box).fill(str(points))

    def key(self, question: str, points: int) -> Locator:
        """Find the key of a number."""
        return self.group(question).get_by_role("button", name=str(points), exact=True)

    def box(self, question: str, name: str) -> Locator:
        """Find the box for a number."""
        return self.group(question).get_by_role("textbox", name=self.phone.say(name))

    def preview(self) -> Locator:
        """Find what the deal will pay, told before it is saved."""
        return self.page.get_by_role("status").filter(has=self.page.get_by_role("list"))

    def foretold(self, names: Sequence[str] = FIVE) -> dict[str, int]:
        """Read what the deal will pay."""
        self.wait_for_preview()
        lines = self.preview().get_by_role("listitem").all_inner_texts()
        return {name: amount(line) for name, line in zip(names, lines, strict=True)}

    def wait_for_preview(self) -> None:
        """Wait until the preview is of the answers as they stand."""
        expect(self.preview()).to_have_attribute("data-made", ANSWERED)
        expect(self.preview()).not_to_have_attribute("data-stale", "")

    def problem(self, question: str) -> Locator:
        """Find what is wrong with an answer, said beside the question."""
        return self.group(question).get_by_role("paragraph").filter(visible=True)
