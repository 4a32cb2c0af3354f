"""The game itself: Scala Quaranta put together for those who keep the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.errors import Problem
from scorer.games.scala_quaranta.sheet import (
    HIGH_ACE,
    LOW_ACE,
    TWO_CLOSERS,
    BuyIn,
    Out,
    ScalaRules,
    ScalaSheet,
    back_in,
    back_steps,
    buy_in_problems,
    closing_problems,
    hand_problems,
    hand_steps,
    taken_on,
)
from scorer.rules.description import Source
from scorer.rules.game import Score
from scorer.rules.match import UNDECIDED, Progress
from scorer.rules.plain_game import PlainGame, presets
from scorer.rules.sheet import join
from scorer.rules.sides import every_seat
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from scorer.rules.game import Table
    from scorer.rules.match import Tally
    from scorer.rules.seats import Seat
    from scorer.rules.sheet import Reading
    from scorer.rules.sides import Sides
    from scorer.texts import Text

TOLD = presets(
    ScalaRules,
    {
        "to-101": (say("To 101"), say("At 101 one is out; the last one left wins."), {}),
        "to-201": (say("To 201"), say("A longer evening for more people."), {"limit": 201}),
        "over-101": (say("Over 101"), say("At 101 one is still in."), {"out": Out.OVER}),
        "double-in-hand": (
            say("To 101, in hand counts double"),
            say("Who lays down everything in one turn doubles what the others hold."),
            {"closed_in_hand_times": 2},
        ),
        "buy-in": (
            say("To 101 with buying in"),
            say(
                "Whoever is out may come back where the last of the others stands, while nobody is "
                "above 79."
            ),
            {"buy_in": BuyIn.HIGHEST, "gate": 79},
        ),
    },
)


class ScalaQuaranta(PlainGame[ScalaSheet, ScalaRules]):
    """Sequences and sets are laid down, the first time for forty points."""

    slug = "scala-quaranta"
    eliminates = True
    name = say("Scala Quaranta")
    blurb = say("Forty points to lay down, and whoever reaches the limit is out.")
    about = (
        say(
            "Two French packs with four jokers, thirteen cards each. In turn everybody draws a "
            "card and puts one away; sequences of a suit and sets of a rank are laid down, at "
            "least three cards each."
        ),
        say(
            "The first time, what is laid down at once has to be worth forty points: 2 to 10 their "
            "own, figures 10, the ace 11, or 1 before a two. After that one may also add to what "
            "lies there and draw from the cards put away."
        ),
        say(
            "Whoever has put away the last card has closed the deal. The others take on what they "
            "still hold: figures 10, a joker 25, an ace what the house says."
        ),
        say(
            "Few points are good here: whoever reaches the limit is out and deals no more, and "
            "the last one left has won."
        ),
    )
    lowest_leads = True
    sheet_type = ScalaSheet
    rules_type = ScalaRules
    seats = (2, 3, 4, 5, 6)
    told = TOLD
    sources = (
        Source(
            "catsatcards.com, Scala Quaranta", "https://catsatcards.com/Games/Scala_Quaranta.htm"
        ),
        Source("spazioinwind.libero.it", "https://spazioinwind.libero.it/carte/scala%2040.htm"),
        Source("ramino.it", "http://www.ramino.it/regole-ramino.cfm"),
    )

    def check_rules(self, rules: ScalaRules, reading: Reading, path: str) -> None:
        """Note an ace that nobody counts so."""
        if rules.ace not in (LOW_ACE, HIGH_ACE):
            message = say("One of these is needed: %(all)s.", all=f"{HIGH_ACE}, {LOW_ACE}")
            reading.fault("unknown-choice", f"{path}.ace", message)

    def irrelevant_questions(self, table: Table[ScalaRules]) -> Collection[str]:
        """How a deal was closed is asked where it counts, who comes back where somebody may."""
        out = {
            "closed_in_hand": table.rules.closed_in_hand_times == 1,
            "buy_in": table.rules.buy_in is BuyIn.OFF,
        }
        return [name for name, is_out in out.items() if is_out]

    def sides(self, active: Sequence[Seat], sheet: ScalaSheet | None = None) -> Sides:
        """Each for itself, however many there are."""
        return every_seat(active)

    def still_in(
        self, order: tuple[Seat, ...], balances: Mapping[Seat, int], rules: ScalaRules
    ) -> tuple[Seat, ...]:
        """Who hasn't reached the limit."""
        return tuple(seat for seat in order if not rules.is_out(balances[seat]))

    def back_in(self, sheet: ScalaSheet) -> Sequence[Seat]:
        """Who buys in again."""
        return sheet.buy_in

    def read_sheet(
        self, data: object, table: Table[ScalaRules], path: str = "sheet"
    ) -> tuple[ScalaSheet | None, list[Problem]]:
        """Read one deal's answers; a list of several who closed is a fault of its own."""
        closed = data.get("closed") if isinstance(data, dict) else None
        if isinstance(closed, list) and len(closed) > 1:
            return None, [Problem("two-closers", join(path, "closed"), TWO_CLOSERS)]
        return super().read_sheet(data, table, path)

    def problems(self, sheet: ScalaSheet, table: Table[ScalaRules], path: str) -> list[Problem]:
        """Find every fault of a sheet."""
        found = [*closing_problems(sheet, table, path), *hand_problems(sheet, table, path)]
        return found or list(buy_in_problems(sheet, table, path))

    def warnings(self, sheet: ScalaSheet, table: Table[ScalaRules], path: str) -> list[Problem]:
        """Say that a deal alone doesn't know at how many points somebody comes back."""
        if not sheet.buy_in or table.balances is not None:
            return []
        message = say("At how many points somebody comes back in, only a session knows.")
        return [Problem("buy-in-unknown", join(path, "buy_in"), message)]

    def score(self, sheet: ScalaSheet, table: Table[ScalaRules]) -> Score:
        """Pay what everybody holds, and what brings back those who buy in again."""
        back = back_in(sheet, table)
        steps = [*hand_steps(sheet, table), *back_steps(back, sheet, table)]
        return Score.of(
            (*table.active, *(seat for seat in back if seat not in table.active)), steps
        )

    def taken(self, sheet: ScalaSheet, table: Table[ScalaRules]) -> Sequence[int]:
        """What everybody who plays has taken on."""
        return list(taken_on(sheet, table).values())

    def headline(self, sheet: ScalaSheet, table: Table[ScalaRules]) -> Text:
        """Tell who closed, and how."""
        values = {"name": table.name(sheet.closed), "what": self.summary(sheet, table)}
        if sheet.closed_in_hand:
            return say("%(name)s closed in hand: %(what)s", **values)
        return say("%(name)s closed: %(what)s", **values)

    def progress(self, tally: Tally, rules: ScalaRules) -> Progress:
        """Say whether only one is left."""
        order = tally.order or tuple(sorted(tally.balances))
        left = self.still_in(order, tally.balances, rules)
        if len(left) != 1:
            return UNDECIDED
        return Progress(finished=True, winners=left, why=say("Everybody else is out."))

    def end_text(self, rules: ScalaRules) -> Text:
        """Say at how many points one is out."""
        if rules.out is Out.AT:
            return say("Out at %(limit)s", limit=rules.limit)
        return say("Out over %(limit)s", limit=rules.limit)

    def words(self, rules: ScalaRules) -> Iterator[Text]:
        """Tell what cards count, who is out, and who may come back."""
        yield say(
            "In hand a joker counts 25, an ace %(ace)s, a figure 10, the others their own.",
            ace=rules.ace,
        )
        if rules.closed_in_hand_times > 1:
            yield say(
                "Who closes in hand makes the others take on theirs %(times)s times.",
                times=rules.closed_in_hand_times,
            )
        if rules.out is Out.AT:
            yield say("Whoever reaches %(limit)s points is out.", limit=rules.limit)
        else:
            yield say("Whoever has more than %(limit)s points is out.", limit=rules.limit)
        yield from _buy_in_words(rules)
        yield say("The last one left wins.")


def _buy_in_words(rules: ScalaRules) -> Iterator[Text]:
    if rules.buy_in is BuyIn.OFF:
        return
    if rules.buy_in is BuyIn.HIGHEST:
        yield say(
            "Whoever is out may come back in with as many points as the highest of the others."
        )
    else:
        yield say(
            "Whoever is out may come back in with one point more than the highest of the others."
        )
    if rules.gate is not None:
        yield say("Nobody comes back in once somebody else is above %(gate)s.", gate=rules.gate)
    if rules.fee:
        fee = f"{rules.fee // 100}.{rules.fee % 100:02}"
        yield say("Coming back in costs %(fee)s, for the pot.", fee=fee)


GAME = ScalaQuaranta()
