"""The lines of a text that have cards, in any trick game: hands and tricks, read and written."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from scorer.cards.trick_game import UNREAD
from scorer.cards.trick_record import MOST_TRICKS
from scorer.errors import InvalidError, Problem
from scorer.rules.cards import card_letters
from scorer.texts import listed, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorer.cards.deal import CardDeal
    from scorer.cards.line_scanner import ScannedLine
    from scorer.cards.trick_record import CardPile
    from scorer.rules.cards import Deck
    from scorer.texts import Text

HAND = re.compile(r"\s*(?:hand|mano|carte)\s+", re.IGNORECASE)
TRICK = re.compile(r"([0-9]{1,3})[.)]", re.ASCII)
START = "1:1"
# A deal with every call, hand and trick, among names of forty letters, is half as long.
LONGEST_TEXT = 8_000
COLON = re.compile(r"\s*:")
TAKEN_BY = re.compile(r"\s*[>=]")
FORGOTTEN = re.compile(r"[?-]\s*$")
LEADER = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^":>=]+):', re.DOTALL)
UNKNOWN = "?"
PLAIN_NAME = re.compile(r"[^\W_][\w.'’-]*")


def check_length(text: str) -> None:
    """Refuse a text that is too long for a deal; raise InvalidError."""
    if len(text) - text.count("\r") > LONGEST_TEXT:  # browsers end lines with two letters
        message = say("The text of a deal has at most %(most)s letters.", most=LONGEST_TEXT)
        raise InvalidError([Problem("too-long", START, message)])


def placed(problem: Problem, places: Mapping[str, str]) -> Problem:
    """Give a problem of the body of a record the place in the text instead of the path."""
    known = [path for path in places if problem.field.startswith(path)]
    place = places[max(known, key=len)] if known else START
    message = say(
        "Line %(line)s: %(message)s", line=place.partition(":")[0], message=problem.message
    )
    return Problem(problem.code, place, message)


class CardLines:
    """Reads hands and tricks into the body of a record, and keeps the place of every part."""

    def __init__(self, names: tuple[str, ...], deck: Deck, places: dict[str, str]) -> None:
        """Begin with a body that says nothing."""
        self.body: dict[str, Any] = {"tricks": []}
        self.names = names
        self.deck = deck
        self.places = places

    def hand(self, line: ScannedLine) -> None:
        """Read ``Ada: 7B 2D ...``, the cards that were dealt to somebody."""
        place, name = line.place, line.name(self.names)
        line.match(COLON)
        self.places["hands"] = place
        self.body.setdefault("hands", {})[name] = self.cards(line)
        line.nothing_more()

    def trick(self, number: int | None, line: ScannedLine) -> None:
        """Read ``Ada: 7B 2D 4S KS JB > Ezio``; tricks between two numbers are forgotten ones."""
        tricks, number = self.body["tricks"], number or len(self.body["tricks"]) + 1
        if not len(tricks) < number <= MOST_TRICKS:
            line.fault("trick-count", say("Trick %(trick)s can't come here.", trick=number))
            return
        tricks += [None] * (number - 1 - len(tricks))
        self.places[f"tricks[{len(tricks)}]"] = line.place
        tricks.append(None if line.more and line.match(FORGOTTEN) else self._trick(line))

    def _trick(self, line: ScannedLine) -> object:
        leader, winner = None, None
        if LEADER.match(line.text, line.at):
            leader = line.name(self.names)
            line.match(COLON)
        cards = self.cards(line)
        if line.match(TAKEN_BY):
            winner = line.name(self.names)
        line.nothing_more()
        told = {"leader": leader, "winner": winner}
        by_name = {key: name for key, name in told.items() if name is not None}
        return {**by_name, "cards": cards} if by_name else cards

    def cards(self, line: ScannedLine) -> list[str | None]:
        """Read cards to the end of a line, or to who took them."""
        cards = []
        while line.more and not TAKEN_BY.match(line.text, line.at):
            cards.append(line.card(self.deck))
        return cards


def cards_text(deal: CardDeal, pile: CardPile) -> Text:
    """Write cards, each after a space; what could not be read stays as it was written."""
    unread, deck = iter(pile.unread), deal.letters.deck
    written = (
        quoted(next(unread)) if card == UNREAD else card_letters(deal.deck.cards[card], deck)
        for card in pile.cards
    )
    return listed(("", *written), " ")


def trick_words(
    deal: CardDeal, trick: CardPile | None, names: Sequence[str]
) -> Iterator[Text | str]:
    """Write what follows the number of a trick: who led, its cards, who was said to take it."""
    if trick is None:
        yield f" {UNKNOWN}"
        return
    if trick.leader is not None:
        yield f" {names[trick.leader]}:"
    yield cards_text(deal, trick)
    if trick.winner is not None:
        yield f" > {names[trick.winner]}"


def quoted(name: str) -> str:
    """Write a name, in quotation marks unless it is one plain word."""
    return name if PLAIN_NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)
