"""Ramino for two to six: who closes pays nothing, the others take on the cards left in hand.

Closing in one turn or with one suit takes points off, a ramino wins the match; whoever is over the
limit may come back in (rules.md D13).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from scorer.rules.closing_game import (
    BuyIn,
    EliminatingGame,
    Out,
    OutRules,
    ReturningSheet,
    out_words,
)
from scorer.rules.game import Step, Table
from scorer.rules.match import Progress, Tally
from scorer.rules.options import Source
from scorer.rules.plain_game import Preset
from scorer.rules.questions import Ask, Choice
from scorer.texts import Text, say, signed


class Close(Choice):
    """How a deal was closed."""

    PLAIN = "plain", say("As usual")
    AT_ONCE = "at-once", say("All at once")
    ONE_SUIT = "one-suit", say("One suit")
    RAMINO = "ramino", say("Ramino")


@dataclass(frozen=True, slots=True)
class RaminoRules(OutRules):
    """The limit, who comes back in, and what closing takes off."""

    limit: Annotated[int, Ask(say("Points at which one is out"), low=1, high=100_000)] = 100
    out: Annotated[Out, Ask(say("Who is out"))] = Out.OVER
    buy_in: Annotated[BuyIn, Ask(say("Comes back in"))] = BuyIn.HIGHEST
    at_once: Annotated[int, Ask(say("Closing at once takes off"), low=0, high=1000)] = 10
    one_suit: Annotated[int, Ask(say("Closing with one suit takes off"), low=0, high=1000)] = 25

    def less(self, close: Close) -> int:
        return {Close.AT_ONCE: self.at_once, Close.ONE_SUIT: self.one_suit}.get(close, 0)


@dataclass(frozen=True, slots=True)
class RaminoSheet(ReturningSheet):
    """What the scorekeeper writes down for one deal."""

    close: Annotated[Close, Ask(say("How it was closed"))] = Close.PLAIN


class Ramino(EliminatingGame[RaminoSheet, RaminoRules]):
    """Sets and runs, all of them laid down by whoever closes."""

    slug = "ramino"
    name = say("Ramino")
    blurb = say("Make sets and runs of all your cards; whoever has too many points is out.")
    about = (
        say(
            "Two French packs with four jokers. In turn everybody draws a card and puts one away, "
            "and looks for sets of a rank and runs of a suit; a joker stands for any card."
        ),
        say(
            "Whoever has laid down all cards closes the deal. The others get points for what they "
            "still hold: 2 to 10 their own, court cards 10, the ace 11, a joker 25."
        ),
        say(
            "Few points are good. Who closes gets none; who does it in one turn, with all the "
            "cards at once, takes some off, and more with cards of one suit."
        ),
        say(
            "A ramino, one run of all the cards in one suit, wins the match at once. Otherwise "
            "whoever is over the limit is out, and may come back in; the last one left wins."
        ),
    )
    sheet_type = RaminoSheet
    rules_type = RaminoRules
    seats = (2, 3, 4, 5, 6)
    described = (
        Preset("to-101", say("To 101"), say("Over 100 one is out, and may come back in."), {}),
        Preset("to-201", say("To 201"), say("Over 200 one is out."), {"limit": 200}),
        Preset(
            "no-return",
            say("To 101, nobody comes back"),
            say("Over 100 one is out for good."),
            {"buy_in": BuyIn.OFF},
        ),
    )
    sources = (Source("sapere.it, Ramino", "http://www.sapere.it/enciclopedia/ramino%C2%B2.html"),)

    def closing_step(self, sheet: RaminoSheet, table: Table[RaminoRules]) -> Step:
        name, less = table.name(sheet.closed), table.rules.less(sheet.close)
        if sheet.close is Close.RAMINO:
            return Step("ramino", say("%(name)s: ramino wins the match.", name=name), {})
        if not less:
            return super().closing_step(sheet, table)
        values = {"name": name, "amount": signed(-less)}
        text = say("%(name)s closed all at once → %(amount)s.", **values)
        if sheet.close is Close.ONE_SUIT:
            text = say("%(name)s closed with one suit → %(amount)s.", **values)
        return Step("closed", text, {sheet.closed: -less})

    def headline(self, sheet: RaminoSheet, table: Table[RaminoRules]) -> Text:
        if sheet.close is not Close.RAMINO:
            return super().headline(sheet, table)
        values = {"name": table.name(sheet.closed), "what": self.summary(sheet, table)}
        return say("%(name)s made a ramino: %(what)s", **values)

    def progress(self, tally: Tally, rules: RaminoRules) -> Progress:
        """Return who won: by a ramino, or as the last one left."""
        last = tally.last
        if isinstance(last, RaminoSheet) and last.close is Close.RAMINO:
            why = say("A ramino wins the match.")
            return Progress(finished=True, winners=(last.closed,), why=why, outright=True)
        return super().progress(tally, rules)

    def words(self, rules: RaminoRules) -> Iterator[Text]:
        yield say("In hand a joker counts 25, an ace 11, a figure 10, the others their own.")
        yield say(
            "Who closes at once takes off %(at_once)s, with one suit %(one_suit)s; a ramino wins "
            "the match.",
            at_once=rules.at_once,
            one_suit=rules.one_suit,
        )
        yield from out_words(rules)
        yield say("The last one left wins.")


GAME = Ramino()
