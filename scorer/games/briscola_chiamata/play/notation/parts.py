"""What the lines of a text say of a deal: auction, call, result, hands, discards, tricks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from scorer.games.briscola_chiamata.play.record import MOST_TRICKS
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorer.games.briscola_chiamata.play.notation.scanning import Line
    from scorer.rules.cards import Deck

LEADER = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^":>=]+):', re.DOTALL)
COLON = re.compile(r"\s*:")
TAKEN_BY = re.compile(r"\s*[>=]")
FORGOTTEN = re.compile(r"[?-]\s*$")
WITH = re.compile(r"(?:with|con)\s", re.IGNORECASE)
SAID: dict[str, tuple[str, bool | None]] = {
    "alone": ("partner", None),
    "in mano": ("partner", None),
    "solo": ("partner", None),
    "sola": ("partner", None),
    "made": ("made", True),
    "fatta": ("made", True),
    "missed": ("made", False),
    "persa": ("made", False),
    "cappotto": ("cappotto", True),
    "no cappotto": ("cappotto", False),
    "senza cappotto": ("cappotto", False),
}


class Parts:
    """Reads line after line into the body of a record, and keeps the place of every part."""

    def __init__(self, names: tuple[str, ...], deck: Deck, places: dict[str, str]) -> None:
        """Begin with a body that says nothing."""
        self.body: dict[str, Any] = {"tricks": []}
        self.by_heading: dict[str, Callable[[Line], None]] = {
            "auction": self.auction,
            "caller": self.caller,
            "result": self.result,
            "taken": self.taken,
            "discards": self.discards,
        }
        self._names = names
        self._deck = deck
        self._places = places

    def auction(self, line: Line) -> None:
        """Read ``Ada K, Bea 2, Ciro pass``."""
        calls = self.body.setdefault("auction", [])
        while line.more:
            self._places[f"auction[{len(calls)}]"] = line.place
            calls.append([line.name(self._names), line.bid(self._deck)])

    def caller(self, line: Line) -> None:
        """Read ``Bea K KC``: who called, with which bid, which card."""
        readers: dict[str, Callable[[], object]] = {
            "caller": lambda: line.name(self._names),
            "bid": lambda: line.bid(self._deck),
            "called_card": lambda: line.card(self._deck),
        }
        for key, read in readers.items():
            if not line.more:
                line.fault("missing-key", say("Who called, with which bid, which card?"))
                return
            place = line.place
            self._claim(key, read(), place)
        line.nothing_more()

    def result(self, line: Line) -> None:
        """Read ``with Ciro, 72, made, no cappotto``, or any part of it."""
        while line.more:
            place, said = line.place, self._said(line)
            if said is None:
                line.nothing_more()
                return
            self._claim(*said, place)

    def _said(self, line: Line) -> tuple[str, object] | None:
        said = line.phrase(SAID)
        if said is None and line.match(WITH):
            return "partner", line.name(self._names)
        points = line.figure() if said is None else None
        return said if points is None else ("card_points", points)

    def taken(self, line: Line) -> None:
        """Read ``Ada 0, Bea 58``: the card points that were written down for each."""
        points: dict[str | None, int] = {}
        while line.more:
            place, name = line.place, line.name(self._names)
            figure = line.figure()
            if figure is None:
                line.fault("missing-key", say("How many card points?"))
                return
            points[name] = figure
            self._claim("player_points", points, place)

    def _claim(self, key: str, value: object, place: str) -> None:
        self.body.setdefault("claim", {})[key] = value
        self._places[f"claim.{key}"] = self._places["claim"] = place

    def hand(self, line: Line) -> None:
        """Read ``Ada: 7B 2D ...``, the cards that were dealt to somebody."""
        place, name = line.place, line.name(self._names)
        line.match(COLON)
        self._places["hands"] = place
        self.body.setdefault("hands", {})[name] = self._cards(line)
        line.nothing_more()

    def discards(self, line: Line) -> None:
        """Read the cards that the caller laid aside."""
        self._places["discards"] = line.place
        self.body["discards"] = self._cards(line)
        line.nothing_more()

    def trick(self, number: int | None, line: Line) -> None:
        """Read ``Ada: 7B 2D 4S KS JB > Ezio``; tricks between two numbers are forgotten ones."""
        tricks, number = self.body["tricks"], number or len(self.body["tricks"]) + 1
        if not len(tricks) < number <= MOST_TRICKS:
            line.fault("trick-count", say("Trick %(trick)s can't come here.", trick=number))
            return
        tricks += [None] * (number - 1 - len(tricks))
        self._places[f"tricks[{len(tricks)}]"] = line.place
        tricks.append(None if line.more and line.match(FORGOTTEN) else self._trick(line))

    def _trick(self, line: Line) -> object:
        leader, winner = None, None
        if LEADER.match(line.text, line.at):
            leader = line.name(self._names)
            line.match(COLON)
        cards = self._cards(line)
        if line.match(TAKEN_BY):
            winner = line.name(self._names)
        line.nothing_more()
        told = {"leader": leader, "winner": winner}
        by_name = {key: name for key, name in told.items() if name is not None}
        return {**by_name, "cards": cards} if by_name else cards

    def _cards(self, line: Line) -> list[str | None]:
        cards = []
        while line.more and not TAKEN_BY.match(line.text, line.at):
            cards.append(line.card(self._deck))
        return cards
