"""Machiavelli for two to five: who closes pays nothing, the others take on what they still hold.

Nobody goes out: the fewest points win after the agreed deals, or once somebody has reached the
limit (rules.md D14).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from scorer.rules.closing_game import ClosedSheet, ClosingGame, HandValues, thirteen
from scorer.rules.game import NamedRules
from scorer.rules.match import Ends
from scorer.rules.options import Source
from scorer.rules.plain_game import Preset
from scorer.rules.questions import Ask
from scorer.texts import Text, say


@dataclass(frozen=True, slots=True)
class MachiavelliRules(NamedRules):
    """When it ends; the first end counts."""

    deals: Annotated[int | None, Ask(say("Deals"), low=1, high=999, none=say("Open end"))] = None
    limit: Annotated[
        int | None, Ask(say("Points that end it"), low=1, high=100_000, none=say("No limit"))
    ] = None


@dataclass(frozen=True, slots=True)
class MachiavelliSheet(ClosedSheet):
    """What the scorekeeper writes down for one deal; nobody closes if the stock runs out."""


class Machiavelli(ClosingGame[MachiavelliSheet, MachiavelliRules]):
    """All that lies on the table may be put together anew."""

    slug = "machiavelli"
    name = say("Machiavelli")
    blurb = say("What lies on the table is everybody’s: put it together anew and get rid of cards.")
    about = (
        say(
            "Two French packs, with or without jokers. In turn everybody lays down sets of a rank "
            "and runs of a suit, at least three cards each, or adds cards to those that lie there; "
            "who can’t draws a card."
        ),
        say(
            "Whoever’s turn it is may take all that lies on the table apart and put it together "
            "in another way, as long as every card fits in the end and at least one comes from "
            "the hand."
        ),
        say(
            "Whoever has no card left has closed the deal. The others get points for what they "
            "hold: 2 to 10 their own, court cards 10, the ace 11, a joker 25. When the stock runs "
            "out and nobody can close, everybody counts."
        ),
        say("Few points are good. Nobody goes out; the fewest points win."),
    )
    sheet_type = MachiavelliSheet
    rules_type = MachiavelliRules
    seats = (2, 3, 4, 5)
    described = (
        Preset("open", say("Open end"), say("Deal after deal, as long as you like."), {}),
        Preset("five-deals", say("Five deals"), say("Fewest points wins."), {"deals": 5}),
        Preset("to-100", say("To 100"), say("Somebody’s 100 points end it."), {"limit": 100}),
    )
    sources = (
        Source(
            "ilgiocointavolo.it, Machiavelli",
            "https://www.ilgiocointavolo.it/home-page/pillole/machiavelli-regole/",
        ),
        Source("casinohex.it, Machiavelli", "https://casinohex.it/blog/regole-machiavelli/"),
    )

    def hand_values(self, rules: MachiavelliRules) -> HandValues:
        """Return what hands may count: who draws often holds many cards."""
        values = thirteen()
        return values._replace(most=values.pack)

    def ends(self, rules: MachiavelliRules) -> Ends:
        return Ends(rules.limit, rules.deals, lowest=True)

    def words(self, rules: MachiavelliRules) -> Iterator[Text]:
        yield say("In hand a joker counts 25, an ace 11, a figure 10, the others their own.")
        yield from self.ends(rules).words()


GAME = Machiavelli()
