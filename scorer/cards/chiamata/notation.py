"""A deal as text, read leniently and written; the text and its examples are in docs/notation.md.

The lines are sorted by their headings. The table is read first, then the lines of the deal: they
become the body of a record, with the place of each part in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from scorer.cards.card_lines import (
    END,
    GAP,
    CardLines,
    DealReader,
    DealText,
    ScannedLine,
    cards_text,
    hand_lines,
    quoted,
    table_lines,
    trick_lines,
)
from scorer.cards.chiamata.record import PASS, Claim, Sheet, dead_hand, with_dead_hand
from scorer.errors import InvalidError
from scorer.games.briscola_chiamata import GAME
from scorer.games.briscola_chiamata.bids import Bid, bid_letters, the_bid
from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.rules.cards import Deck, card_letters
from scorer.rules.game import Table
from scorer.rules.seats import Seat
from scorer.rules.sheet import Reading, Unanswered
from scorer.texts import Text, about, as_it_is, listed, say

if TYPE_CHECKING:
    from scorer.cards.chiamata.deal import ChiamataDeal

HEADINGS = {
    word: heading
    for heading, words in {
        "auction": "auction asta",
        "caller": "caller chiamante",
        "result": "result risultato",
        "taken": "taken presi",
        "discards": "discards scarti",
    }.items()
    for word in words.split()
}
WITH = re.compile(r"(?:with|con)\s", re.IGNORECASE)
SAID: dict[str, tuple[str, bool | None]] = {
    "alone": ("partner", None),
    "in mano": ("partner", None),
    "solo": ("partner", None),
    "sola": ("partner", None),
    "da solo": ("partner", None),
    "da sola": ("partner", None),
    "made": ("made", True),
    "fatta": ("made", True),
    "missed": ("made", False),
    "persa": ("made", False),
    "cappotto": ("cappotto", True),
    "no cappotto": ("cappotto", False),
    "senza cappotto": ("cappotto", False),
}
AFTER_TWO = re.compile(rf"[^\s,:;>@\"]*\s*@\s*[0-9]{{1,6}}{END}", re.ASCII)
PASSING = {PASS, "passo", "passa", "-"}


def parse(
    kind: type[ChiamataDeal], text: str | DealText, known: ChiamataDeal | None = None
) -> ChiamataDeal:
    """Read a text, as ``write_text`` writes it or leniently (docs/notation.md).

    For a known deal its rules and people are used and, where the text says nothing, the answers on
    its sheet. Raise InvalidError with every problem, each with its line and column.
    """
    reader = _ChiamataReader(text)
    table, dealer = reader.table_of(known)
    parsed = reader.body(table)
    sheet = known.write(table.seats).get("claim", {}) if known else {}
    claim = {**sheet, **parsed.get("claim", {})}
    body = {**parsed, "claim": claim} if claim else parsed
    reading = Reading(table.seats, table.rules.cards)
    deal = kind.read(body, table, dealer, reading)
    if deal is None:
        reader.refuse(reading.problems)
    return deal


def parse_beside(deal: ChiamataDeal, text: str | DealText, sheet: Sheet) -> ChiamataDeal:
    """Read a text of a deal that has a sheet; raise InvalidError for the text of another deal."""
    read = parse(type(deal), text, deal)
    if read.claim is not None and (read.claim.caller, read.claim.bid) != (sheet.caller, sheet.bid):
        message = say(
            "This text is of another deal: there %(name)s bid %(bid)s.",
            name=read.table.name(read.claim.caller),
            bid=the_bid(read.claim.bid, read.table.rules.cards),
        )
        raise InvalidError.of("other-deal", "text", message)
    return read


class _ChiamataReader(DealReader):
    """Read the table first, then the deal."""

    game = GAME
    headings = HEADINGS

    def table_of(self, deal: ChiamataDeal | None) -> tuple[Table[ChiamataRules], Seat | None]:
        if deal is None:
            table, dealer = self.table()
            return with_dead_hand(table), dealer
        people = deal.table.seats[: dead_hand(deal.table)]
        dealer = self.known(people, deal.dealer)
        if self.problems:
            self.refuse()
        return deal.table, dealer

    def body(self, table: Table[ChiamataRules]) -> dict[str, Any]:
        parts = _BodyReader(table.seats, table.rules.cards, self.places)
        readers = {
            "auction": parts.auction,
            "caller": parts.caller,
            "result": parts.result,
            "taken": parts.taken,
            "discards": parts.discards,
        }
        for heading, read in readers.items():
            if heading in self.lines:
                read(self.lines[heading])
        self.read_cards(parts)
        return parts.body


class _BodyReader(CardLines):
    """Read the lines into the body of a record, and keep the place of every part."""

    def auction(self, line: ScannedLine) -> None:
        """Read ``Ada K, Bea 2, Ciro pass``."""
        calls = self.body.setdefault("auction", [])
        while line.more:
            self.places[f"auction[{len(calls)}]"] = line.place
            calls.append([line.name(self.names), _bid(line, self.deck)])

    def caller(self, line: ScannedLine) -> None:
        """Read ``Bea K KC``: who called, with which bid, which card."""
        readers: dict[str, Callable[[], object]] = {
            "caller": lambda: line.name(self.names),
            "bid": lambda: _bid(line, self.deck),
            "called_card": lambda: line.card(self.deck),
        }
        for key, read in readers.items():
            if not line.more:
                line.fault("missing-key", say("Who called, with which bid, which card?"))
                return
            place = line.place
            self._claim(key, read(), place)
        line.nothing_more()

    def result(self, line: ScannedLine) -> None:
        """Read ``with Ciro, 72, made, no cappotto``, or any part of it."""
        while line.more:
            place, answer = line.place, line.phrase(SAID)
            if answer is not None:
                self._claim(*answer, place)
            elif line.match(WITH):
                self._claim("partner", line.name(self.names), place)
            elif (points := line.figure()) is not None:
                self._claim("card_points", points, place)
            else:
                line.nothing_more()
                return

    def taken(self, line: ScannedLine) -> None:
        """Read ``Ada 0, Bea 58``: the card points that were written down for each."""
        points: dict[str | None, int] = {}
        while line.more:
            place, name = line.place, line.name(self.names)
            figure = line.figure()
            if figure is None:
                line.fault("missing-key", say("How many card points?"))
                return
            points[name] = figure
            self._claim("player_points", points, place)

    def _claim(self, key: str, value: object, place: str) -> None:
        self.body.setdefault("claim", {})[key] = value
        self.places[f"claim.{key}"] = self.places["claim"] = place

    def discards(self, line: ScannedLine) -> None:
        self.places["discards"] = line.place
        self.body["discards"] = self.cards(line)
        line.nothing_more()


def _bid(line: ScannedLine, deck: Deck) -> str | int | None:
    """Read a bid or a pass: ``K``, ``75``, ``2@75``, ``@7`` for points like a rank's."""
    line.match(GAP)
    place, matched = line.place, line.match(AFTER_TWO)
    word = "".join(matched[0].split()) if matched else line.word()
    if word.lower() in PASSING:
        return PASS
    try:
        points_alone = matched is not None and word.startswith("@")
        bid = Bid(None, int(word[1:])) if points_alone else Bid.parse(word, deck)
    except ValueError:
        message = say("%(bid)s is not a bid of this game.", bid=word)
        line.fault("bad-bid", about(word, message), place)
        return None
    return bid.write_wire()


def text_lines(deal: ChiamataDeal) -> Iterator[Text]:
    names = [quoted(name) for name in deal.table.seats]
    yield from table_lines(deal, GAME)
    deck, claim = deal.letters.deck, deal.claim
    if deal.auction:
        calls = (listed((names[seat], _bid_text(bid, deck)), " ") for seat, bid in deal.auction)
        yield say("auction: %(calls)s", calls=listed(calls))
    if claim is not None:
        yield say(
            "caller: %(name)s %(bid)s %(card)s",
            name=names[claim.caller],
            bid=_bid_text(claim.bid, deck),
            card=card_letters(claim.called_card, deck),
        )
        if result := list(_result(claim, names)):
            yield say("result: %(parts)s", parts=listed(result))
        if points := sorted(deal.player_points.items()):
            taken = ", ".join(f"{names[seat]} {amount}" for seat, amount in points)
            yield say("taken: %(points)s", points=taken)
    yield from hand_lines(deal)
    if deal.discards is not None:
        yield say("discards:%(cards)s", cards=cards_text(deal, deal.discards))
    yield from trick_lines(deal)


def _result(claim: Claim, names: Sequence[str]) -> Iterator[Text | str]:
    if claim.partner is None:
        yield say("alone")
    elif not isinstance(claim.partner, Unanswered):
        yield say("with %(name)s", name=names[claim.partner])
    if claim.card_points is not None:
        yield str(claim.card_points)
    if claim.made is not None:
        yield say("made") if claim.made else say("missed")
    if claim.cappotto is not None:
        yield say("cappotto") if claim.cappotto else say("no cappotto")


def _bid_text(bid: Bid | None, deck: Deck) -> Text:
    """Write a bid as text; points that could be read as a rank get an ``@`` before them."""
    if bid is None:
        return say("pass")
    call = bid.write_wire()
    return as_it_is(f"@{call}") if isinstance(call, int) else bid_letters(bid, deck)
