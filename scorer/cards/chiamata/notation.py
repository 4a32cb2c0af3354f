"""A deal as text, read leniently and written; the text and its examples are in docs/notation.md.

The lines are sorted by their headings. The table is read first, then whatever was said of the deal:
it becomes the body of a record, with the place where each part of it stands.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.cards.card_lines import (
    HAND,
    START,
    TRICK,
    CardLines,
    cards_text,
    check_length,
    placed,
    quoted,
    trick_words,
)
from scorer.cards.chiamata.deal import ChiamataDeal
from scorer.cards.chiamata.record import PASS, people, with_dead_hand
from scorer.cards.line_scanner import END, GAP, ScannedLine
from scorer.errors import MOST_PROBLEMS, InvalidError, Problem
from scorer.games.briscola_chiamata.bids import Bid, bid_letters, the_bid
from scorer.games.briscola_chiamata.game import GAME
from scorer.games.briscola_chiamata.presets import named
from scorer.rules.cards import card_letters
from scorer.rules.game import Table
from scorer.rules.seats import MOST_SEATS, Seat, all_seats
from scorer.rules.sheet import Reading
from scorer.texts import as_it_is, listed, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scorer.cards.chiamata.record import Claim, Sheet
    from scorer.games.briscola_chiamata.rules import ChiamataRules
    from scorer.rules.cards import Deck
    from scorer.texts import Text

    KnownTable = tuple[Table[ChiamataRules], Seat | None]

HEADINGS = {
    word: heading
    for heading, words in {
        "rules": "rules regole",
        "seats": "seats players posti giocatori",
        "dealer": "dealer mazziere",
        "out": "out fuori",
        "auction": "auction asta",
        "caller": "caller chiamante",
        "result": "result risultato",
        "taken": "taken presi",
        "discards": "discards scarti",
    }.items()
    for word in words.split()
}
OF_BODY = ("auction", "caller", "result", "taken", "discards")
HEADING = re.compile(rf"\s*({'|'.join(HEADINGS)})\s*:", re.IGNORECASE)
NAME = re.compile(r'[^,;"]+')
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


def parse(text: str, known: ChiamataDeal | None = None) -> ChiamataDeal:
    """Read a text, as ``write_text`` writes it or leniently (docs/notation.md).

    Of a deal that is known, its rules and people hold, and what is on its sheet wherever the text
    says nothing of it. Raise InvalidError with every problem, each with its line and column.
    """
    table, dealer = (known.table, known.dealer) if known else (None, None)
    told = _read_text(text, table, dealer)
    names = told.table.seats
    sheet = known.write(names).get("claim", {}) if known else {}
    claim = {**sheet, **told.body.get("claim", {})}
    body = {**told.body, "claim": claim} if claim else told.body
    reading = Reading(names, told.table.rules.cards)
    deal = ChiamataDeal.read(body, told.table, told.dealer, reading)
    if deal is None:
        raise InvalidError(map(told.placed, reading.problems))
    return deal


def parse_beside(text: str, deal: ChiamataDeal, sheet: Sheet) -> ChiamataDeal:
    """Read a text of a deal that has a sheet; raise InvalidError for the text of another deal."""
    read = parse(text, deal)
    if read.claim is not None and (read.claim.caller, read.claim.bid) != (sheet.caller, sheet.bid):
        message = say(
            "This text is of another deal: there %(name)s bid %(bid)s.",
            name=read.table.name(read.claim.caller),
            bid=the_bid(read.claim.bid, read.table.rules.cards),
        )
        raise InvalidError([Problem("other-deal", "text", message)])
    return read


class ReadText(NamedTuple):
    """What a text tells: who sits at the table, who deals, the body of a record.

    ``places`` are where the parts of the body stand in the text, by their paths.
    """

    table: Table[ChiamataRules]
    dealer: Seat | None
    body: dict[str, Any]
    places: dict[str, str]

    def placed(self, problem: Problem) -> Problem:
        """Give a problem of the body the place in the text instead of the path."""
        return placed(problem, self.places)


def _read_text(text: str, table: Table[ChiamataRules] | None, dealer: Seat | None) -> ReadText:
    """Read a text; where a table is known, its rules and people hold. Raise InvalidError."""
    check_length(text)
    problems: list[Problem] = []
    reader = _TextReader(problems)
    for number, line in enumerate(text.split("\n"), start=1):
        reader.sort(ScannedLine(line, number, problems))
    here = reader.table(dealer) if table is None else reader.known(table, dealer)
    if here is not None and not problems:
        told = ReadText(*here, reader.body(here[0]), reader.places)
        if not problems:
            return told
    if len(problems) >= MOST_PROBLEMS:
        message = say("So much is wrong here that the rest was not read.")
        problems.append(Problem("too-many-problems", START, message))
    raise InvalidError(problems)


class _TextReader:
    """Sorts the lines by their headings, then reads one heading after the other."""

    def __init__(self, problems: list[Problem]) -> None:
        """Begin with nothing read."""
        self.problems = problems
        self.places: dict[str, str] = {}
        self._lines: dict[str, ScannedLine] = {}
        self._hands: list[ScannedLine] = []
        self._tricks: list[tuple[int | None, ScannedLine]] = []

    def sort(self, line: ScannedLine) -> None:
        """Put a line to its heading; one without any is a trick."""
        heading = line.match(HEADING)
        if heading:
            key = HEADINGS[heading[1].lower()]
            if key in self._lines:
                line.fault("said-twice", say("This was said before."))
            self._lines[key] = line
        elif line.match(HAND):
            self._hands.append(line)
        elif line.more:
            number = line.match(TRICK)
            self._tricks.append((int(number[1]) if number else None, line))

    def known(self, table: Table[ChiamataRules], dealer: Seat | None) -> KnownTable:
        """Read who deals at a table that is known; a text that names other people is refused."""
        for _ in self._names_in("seats", table.seats):
            pass
        return table, self._dealer(people(table), dealer)

    def table(self, dealer: Seat | None) -> KnownTable | None:
        """Read by which rules a deal is played, by whom, and who deals."""
        rules, names = self._rules(), self._seats()
        if not names:
            return None
        dealer = self._dealer(names, dealer)
        out = [names.index(name) for name in self._names_in("out", names)]
        everybody = all_seats(len(names))
        active = tuple(seat for seat in everybody if seat not in out)
        if not out and dealer is not None:
            active = GAME.active(dealer, everybody, rules)
        if len(active) != rules.players:
            message = say(
                "These rules are for %(wanted)s players; there are %(count)s.",
                wanted=rules.players,
                count=len(active),
            )
            self.problems.append(Problem("seats-count", START, message))
        return with_dead_hand(Table(rules, names, active)), dealer

    def _rules(self) -> ChiamataRules:
        line = self._lines.get("rules")
        if line is None or not line.more:
            return GAME.preset
        written = line.text[line.at :].strip()
        try:
            given = json.loads(written) if written.startswith("{") else written
        except (ValueError, RecursionError):
            given = written
        rules, problems = GAME.rules_from(given)
        for problem in problems:
            told = say("%(field)s: %(message)s", field=problem.field, message=problem.message)
            line.fault(problem.code, told)
        return rules

    def _seats(self) -> tuple[str, ...]:
        line, names = self._lines.get("seats"), list[str]()
        if line is None:
            message = say("Who plays? A line with the seats is needed.")
            self.problems.append(Problem("missing-key", START, message))
            return ()
        while line.more:
            place, found = line.place, line.match(NAME)
            name = found[0].strip() if found else line.word()
            if len(names) == MOST_SEATS:
                line.fault("seats-count", say("So many people don't fit around a table."), place)
                return ()
            if not name.strip():
                line.fault("bad-name", say("A name has from 1 to 200 letters."), place)
                continue
            if name in names:
                message = say("There is more than one %(name)s: names are unique.", name=name)
                line.fault("duplicate-name", message, place)
            names.append(name)
        return tuple(names)

    def _dealer(self, names: tuple[str, ...], dealer: Seat | None) -> Seat | None:
        found = [Seat(names.index(name)) for name in self._names_in("dealer", names)]
        return found[0] if found else dealer

    def _names_in(self, heading: str, names: tuple[str, ...]) -> Iterator[str]:
        line = self._lines.get(heading)
        while line is not None and line.more:
            name = line.name(names)
            if name is not None:
                yield name

    def body(self, table: Table[ChiamataRules]) -> dict[str, Any]:
        """Read what was said of the deal."""
        parts = _BodyReader(table.seats, table.rules.cards, self.places)
        for heading in filter(self._lines.__contains__, OF_BODY):
            getattr(parts, heading)(self._lines[heading])
        for line in self._hands:
            parts.hand(line)
        for number, line in self._tricks:
            parts.trick(number, line)
        return parts.body


class _BodyReader(CardLines):
    """Reads line after line into the body of a record, and keeps the place of every part."""

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
            place, said = line.place, self._said(line)
            if said is None:
                line.nothing_more()
                return
            self._claim(*said, place)

    def _said(self, line: ScannedLine) -> tuple[str, object] | None:
        said = line.phrase(SAID)
        if said is None and line.match(WITH):
            return "partner", line.name(self.names)
        points = line.figure() if said is None else None
        return said if points is None else ("card_points", points)

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
        """Read the cards that the caller laid aside."""
        self.places["discards"] = line.place
        self.body["discards"] = self.cards(line)
        line.nothing_more()


def _bid(line: ScannedLine, deck: Deck) -> str | int | None:
    """Read a bid or a pass: ``K``, ``75``, ``2@75``, ``@7`` for points like a rank's."""
    line.match(GAP)
    place, found = line.place, line.match(AFTER_TWO)
    word = "".join(found[0].split()) if found else line.word()
    if word.lower() in PASSING:
        return PASS
    try:
        points_alone = found is not None and word.startswith("@")
        bid = Bid(None, int(word[1:])) if points_alone else Bid.parse(word, deck)
    except ValueError:
        line.fault("bad-bid", say("%(bid)s is not a bid of this game.", bid=word), place)
        return None
    return bid.write_wire()


def text_lines(deal: ChiamataDeal) -> Iterator[Text]:
    """Write a deal line by line; translated, the lines are read as well."""
    table, names = deal.table, [quoted(name) for name in deal.table.seats]
    around = table.order or all_seats(len(table.seats))
    out = [names[seat] for seat in around if seat not in table.active]
    rules = named(table.rules)
    written = rules if isinstance(rules, str) else json.dumps(rules, ensure_ascii=False)
    yield say("rules: %(rules)s", rules=written)
    yield say("seats: %(names)s", names=", ".join(names[seat] for seat in around))
    if deal.dealer is not None:
        yield say("dealer: %(name)s", name=names[deal.dealer])
    if out:
        yield say("out: %(names)s", names=", ".join(out))
    if deal.auction:
        deck = deal.letters.deck
        calls = (listed((names[seat], _bid_text(bid, deck)), " ") for seat, bid in deal.auction)
        yield say("auction: %(calls)s", calls=listed(calls))
    if deal.claim is not None:
        yield from _claim_lines(deal, deal.claim, names)
    for seat, hand in sorted(deal.hands.items()):
        yield say("hand %(name)s:%(cards)s", name=names[seat], cards=cards_text(deal, hand))
    if deal.discards is not None:
        yield say("discards:%(cards)s", cards=cards_text(deal, deal.discards))
    for number, trick in enumerate(deal.tricks, start=1):
        yield listed((f"{number}.", *trick_words(deal, trick, names)), "")


def _claim_lines(deal: ChiamataDeal, claim: Claim, names: Sequence[str]) -> Iterator[Text]:
    deck = deal.letters.deck
    yield say(
        "caller: %(name)s %(bid)s %(card)s",
        name=names[claim.caller],
        bid=_bid_text(claim.bid, deck),
        card=card_letters(claim.called_card, deck),
    )
    result = list(_result(deal, claim, names))
    if result:
        yield say("result: %(parts)s", parts=listed(result))
    if deal.player_points:
        taken = [f"{names[seat]} {points}" for seat, points in sorted(deal.player_points.items())]
        yield say("taken: %(points)s", points=", ".join(taken))


def _result(deal: ChiamataDeal, claim: Claim, names: Sequence[str]) -> Iterator[Text | str]:
    if claim.partner is not None:
        yield say("with %(name)s", name=names[claim.partner])
    elif deal.says_partner:
        yield say("alone")
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
