"""A deal as text, read leniently and written; the text and its examples are in docs/notation.md.

The lines are sorted by their headings. The table is read first, then the lines of the deal: they
become the body of a record, with the place of each part in the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn

from scorer.cards.board import Board, PlayedTrick
from scorer.cards.call import Claim
from scorer.cards.card_records import MOST_TRICKS, read_board, write_board
from scorer.cards.games import CARD_GAMES
from scorer.cards.notation.lines import TAKEN_BY, DealText, ScannedLine, as_json, in_line, quoted
from scorer.errors import MOST_PROBLEMS, InvalidError, Problem
from scorer.games.briscola_chiamata.bids import Bid, bid_letters, the_bid
from scorer.rules.cards import Deck, card_letters
from scorer.rules.game import Game, Table
from scorer.rules.questions import Reading, Unanswered
from scorer.rules.seats import MOST_SEATS, Seat, all_seats, wrong_count
from scorer.texts import Text, as_it_is, listed, say

# A deal with every call, hand and trick, among names of forty letters, is half as long.
LONGEST_TEXT = 8_000
HAND = re.compile(r"\s*(?:hand|mano|carte)\s+", re.IGNORECASE)
TRICK = re.compile(r"([0-9]{1,3})[.)]", re.ASCII)
NAME = re.compile(r'[^,;"]+')
COLON = re.compile(r"\s*:")
FORGOTTEN = re.compile(r"[?-]\s*$")
LEADER = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^":>=]+):', re.DOTALL)
WITH = re.compile(r"(?:with|con)\s", re.IGNORECASE)
#: What lines begin with, in English and Italian: of the table, and of either kind of game.
OF_TABLE = {
    "rules": ("rules", "regole"),
    "seats": ("seats", "players", "posti", "giocatori"),
    "dealer": ("dealer", "mazziere"),
    "out": ("out", "fuori"),
}
OF_SIDES = {
    "game": ("game", "gioco"),
    "turned_up": ("turned up", "girata"),
    "trump": ("trump", "briscola"),
    "stock": ("stock", "mazzo"),
}
OF_CALL = {
    "auction": ("auction", "asta"),
    "caller": ("caller", "chiamante"),
    "result": ("result", "risultato"),
    "taken": ("taken", "presi"),
    "discards": ("discards", "scarti"),
}
ANSWERS: dict[str, tuple[str, bool | None]] = {
    **dict.fromkeys(("alone", "in mano", "solo", "sola", "da solo", "da sola"), ("partner", None)),
    **dict.fromkeys(("made", "fatta"), ("made", True)),
    **dict.fromkeys(("missed", "persa"), ("made", False)),
    "cappotto": ("cappotto", True),
    **dict.fromkeys(("no cappotto", "senza cappotto"), ("cappotto", False)),
}


def parse(game: Game[Any, Any], text: str | DealText, known: Board | None = None) -> Board:
    """Read a text, as ``write_text`` writes it or leniently (docs/notation.md).

    For a ``known`` board its rules and people are used and, where the text says nothing, the
    answers on its sheet. Raise InvalidError with every problem, each with its line and column.
    """
    row = CARD_GAMES[game.slug]
    if isinstance(text, str):
        text = DealText(tuple(enumerate(text.split("\n"), start=1)))
    reader = DealReader(game, text)
    table, dealer = reader.table() if known is None else reader.known(known)
    deck, claim = row.facts(table).deck.letters, None
    body = reader.body(table.seats, deck)
    if known is not None:
        written = write_board(row, known, table.seats)
        answers = {**written.pop("claim", {}), **body.get("claim", {})}
        given = {key: written[key] for key in written if key == known.facts.trump_key}
        body = {**given, **body, **({"claim": answers} if answers else {})}
        claim = None if isinstance(known.claim, Claim) else known.claim
    reading, begun = Reading(table.seats, deck), known is not None or "auction" in row.keys
    board = read_board(row, body, table, dealer, reading, begun=begun, claim=claim)
    if board is None:
        reader.refuse(reading.problems)
    return board


def parse_beside(known: Board, text: str | DealText, sheet: Any) -> Board:
    """Read a text of a deal that has a sheet; raise InvalidError for the text of another deal."""
    board = parse(known.facts.game, text, known)
    claim = board.claim
    if isinstance(claim, Claim) and (claim.caller, claim.bid) != (sheet.caller, sheet.bid):
        message = say(
            "This text is of another deal: there %(name)s bid %(bid)s.",
            name=board.table.name(claim.caller),
            bid=the_bid(claim.bid, board.table.rules.cards),
        )
        raise InvalidError.of("other-deal", "text", message)
    return board


class DealReader:
    """Sort the lines of a text by their headings; read the table, then the body of a record."""

    def __init__(self, game: Game[Any, Any], text: DealText) -> None:
        """Sort the lines; raise InvalidError for a text that is too long for a deal."""
        self.game, self.row, self.start = game, CARD_GAMES[game.slug], f"{text.start}:1"
        # Browsers end lines with two letters.
        if sum(len(line) - line.count("\r") + 1 for _, line in text.lines) - 1 > LONGEST_TEXT:
            message = say("The text of a deal has at most %(most)s letters.", most=LONGEST_TEXT)
            raise InvalidError.of("too-long", self.start, message)
        self.problems: list[Problem] = []
        self.places: dict[str, str] = {}
        self.lines: dict[str, ScannedLine] = {}
        self._hands: list[ScannedLine] = []
        self._tricks: list[tuple[int | None, ScannedLine]] = []
        self._body: dict[str, Any] = {"tricks": []}
        of_sides = {key: OF_SIDES[key] for key in OF_SIDES if key == "game" or key in self.row.keys}
        own = OF_CALL if "auction" in self.row.keys else of_sides
        keys = {word: key for key, words in {**OF_TABLE, **own}.items() for word in words}
        heading = re.compile(rf"\s*({'|'.join(keys)})\s*:", re.IGNORECASE)
        for number, written in text.lines:
            line = ScannedLine(written, number, self.problems)
            if matched := line.match(heading):
                key = keys[matched[1].lower()]
                if key in self.lines:
                    line.fault("said-twice", say("This is said twice."))
                self.lines[key] = line
            elif line.match(HAND):
                self._hands.append(line)
            elif line.more:
                trick = line.match(TRICK)
                self._tricks.append((int(trick[1]) if trick else None, line))

    def known(self, board: Board) -> tuple[Table[Any], Seat | None]:
        """Return the table and who deals, among known people; others become problems."""
        people = board.table.seats[: board.facts.dead]
        _ = [*self._names_in("seats", people), *self._names_in("out", people)]
        return board.table, self._dealer(people, board.dealer)

    def table(self) -> tuple[Table[Any], Seat | None]:
        """Return the table of the deal and who deals; raise InvalidError if the text has faults."""
        rules, names = self._rules(), self._seats()
        if not names:
            self.refuse()
        dealer = self._dealer(names, None)
        out = [names.index(name) for name in self._names_in("out", names)]
        everybody, counts = all_seats(len(names)), self.row.counts
        active = tuple(seat for seat in everybody if seat not in out)
        if not out and dealer is not None:
            active = self.game.active(dealer, everybody, rules)
        playing = self.game.seating(rules).playing
        fitting = [count for count in playing if counts is None or count in counts]
        if problem := wrong_count(len(active), fitting, self.start):
            self.problems.append(problem)
        if self.problems:
            self.refuse()
        return self.row.at_table(Table(rules, names, active)), dealer

    def _rules(self) -> Any:
        line = self.lines.get("rules")
        if line is None or not line.more:
            return self.game.preset
        written = line.text[line.at :].strip()
        try:
            given = json.loads(written) if written.startswith("{") else written
        except (ValueError, RecursionError):
            given = written
        rules, problems = self.game.rules_from(given)
        for problem in problems:
            text = say("%(field)s: %(message)s", field=problem.field, message=problem.message)
            line.fault(problem.code, text)
        return rules

    def _seats(self) -> tuple[str, ...]:
        line, names = self.lines.get("seats"), list[str]()
        if line is None:
            message = say("Who plays? A line with the seats is needed.")
            self.problems.append(Problem("missing-key", self.start, message))
            return ()
        while line.more:
            place, matched = line.place, line.match(NAME)
            name = matched[0].strip() if matched else line.word()
            if len(names) == MOST_SEATS:
                line.fault("seats-count", say("There are too many people for a table."), place)
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
        dealers = [Seat(names.index(name)) for name in self._names_in("dealer", names)]
        return dealers[0] if dealers else dealer

    def _names_in(self, heading: str, names: tuple[str, ...]) -> Iterator[str]:
        line = self.lines.get(heading)
        while line is not None and line.more:
            name = line.name(names)
            if name is not None:
                yield name

    def body(self, names: Sequence[str], deck: Deck) -> dict[str, Any]:
        """Read the lines of the deal; raise InvalidError with all problems so far."""
        self._names, self._deck = names, deck
        readers: dict[str, Callable[[ScannedLine], None]] = {
            "game": self._game,
            "turned_up": lambda line: self._part("turned_up", line, line.card),
            "trump": self._trump,
            "stock": lambda line: self._part("stock", line, line.cards),
            "auction": self._auction,
            "caller": self._caller,
            "result": self._result,
            "taken": self._taken,
            "discards": lambda line: self._part("discards", line, line.cards),
        }
        for heading, read in readers.items():
            if heading in self.lines:
                read(self.lines[heading])
        for line in self._hands:
            self._hand(line)
        for number, line in self._tricks:
            self._trick(number, line)
        if self.problems:
            self.refuse()
        return self._body

    def _part(self, key: str, line: ScannedLine, read: Callable[[Deck], object]) -> None:
        """Read a line that is one part of the record."""
        self.places[key] = line.place
        self._body[key] = read(self._deck)
        line.nothing_more()

    def _game(self, line: ScannedLine) -> None:
        more, place = line.more, line.place
        word = line.word() if more else self.game.slug
        if word != self.game.slug:
            message = say("This text is of another game: %(game)s.", game=word)
            line.fault("other-deal", message, place)

    def _trump(self, line: ScannedLine) -> None:
        """Read ``C`` or ``coppe``, the suit that was named."""
        if line.more:
            self.places["trump"] = line.place
            self._body["trump"] = line.word()
        line.nothing_more()

    def _auction(self, line: ScannedLine) -> None:
        """Read ``Ada K, Bea 2, Ciro pass``."""
        calls = self._body.setdefault("auction", [])
        while line.more:
            self.places[f"auction[{len(calls)}]"] = line.place
            calls.append([line.name(self._names), line.bid(self._deck)])

    def _caller(self, line: ScannedLine) -> None:
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

    def _result(self, line: ScannedLine) -> None:
        """Read ``with Ciro, 72, made, no cappotto``, or any part of it."""
        while line.more:
            place, answer = line.place, line.phrase(ANSWERS)
            if answer is not None:
                self._claim(*answer, place)
            elif line.match(WITH):
                self._claim("partner", line.name(self._names), place)
            elif (points := line.figure()) is not None:
                self._claim("card_points", points, place)
            else:
                line.nothing_more()
                return

    def _taken(self, line: ScannedLine) -> None:
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
        self._body.setdefault("claim", {})[key] = value
        self.places[f"claim.{key}"] = self.places["claim"] = place

    def _hand(self, line: ScannedLine) -> None:
        """Read ``Ada: 7B 2D ...``, the cards that were dealt to somebody."""
        self.places["hands"], name = line.place, line.name(self._names)
        line.match(COLON)
        self._body.setdefault("hands", {})[name] = line.cards(self._deck)
        line.nothing_more()

    def _trick(self, number: int | None, line: ScannedLine) -> None:
        """Read ``Ada: 7B 2D 4S KS JB > Ezio``; tricks between two numbers are forgotten ones."""
        tricks, number = self._body["tricks"], number or len(self._body["tricks"]) + 1
        if not len(tricks) < number <= MOST_TRICKS:
            line.fault("trick-count", say("Trick %(trick)s can't come here.", trick=number))
            return
        tricks += [None] * (number - 1 - len(tricks))
        self.places[f"tricks[{len(tricks)}]"] = line.place
        if line.more and line.match(FORGOTTEN):
            tricks.append(None)
            return
        who: dict[str, str | None] = {}
        if LEADER.match(line.text, line.at):
            who["leader"] = line.name(self._names)
            line.match(COLON)
        cards = line.cards(self._deck)
        if line.match(TAKEN_BY):
            who["winner"] = line.name(self._names)
        line.nothing_more()
        by_name = {key: name for key, name in who.items() if name is not None}
        tricks.append({**by_name, "cards": cards} if by_name else cards)

    def refuse(self, problems: Iterable[Problem] = ()) -> NoReturn:
        """Raise InvalidError with all problems; ``problems`` are those of a record's body."""
        faults = [*self.problems, *map(self._placed, problems)]
        if len(self.problems) >= MOST_PROBLEMS:
            message = say("So much is wrong here that the rest was not read.")
            faults.append(Problem("too-many-problems", self.start, message))
        raise InvalidError(faults)

    def _placed(self, problem: Problem) -> Problem:
        """Return a problem of a record's body with its place in the text instead of its path."""
        known = [path for path in self.places if problem.field.startswith(path)]
        place = self.places[max(known, key=len)] if known else self.start
        return in_line(problem.code, problem.message, place)


def write_text(board: Board) -> str:
    """Write a deal as text, in English."""
    return "".join(f"{line}\n" for line in text_lines(board))


def text_lines(board: Board) -> Iterator[Text]:
    """Yield the lines of a deal as ``parse`` reads them, in any language: rules and seats first."""
    table, names = board.table, [quoted(name) for name in board.table.seats]
    out = [names[seat] for seat in table.here if seat not in table.active]
    rules = board.facts.game.rules_named(table.rules)
    yield say("rules: %(rules)s", rules=rules if isinstance(rules, str) else as_json(rules))
    yield say("seats: %(names)s", names=", ".join(names[seat] for seat in table.here))
    if board.dealer is not None:
        yield say("dealer: %(name)s", name=names[board.dealer])
    if out:
        yield say("out: %(names)s", names=", ".join(out))
    yield from _trump_and_call(board, names)
    for seat, hand in sorted(board.hands.items()):
        yield say("hand %(name)s:%(cards)s", name=names[seat], cards=_cards(board, hand))
    if board.stock is not None:
        yield say("stock:%(cards)s", cards=_cards(board, board.stock))
    if board.aside is not None:
        yield say("discards:%(cards)s", cards=_cards(board, board.aside))
    for number, trick in enumerate(board.tricks, start=1):
        yield listed([f"{number}.", *_trick_words(board, trick, names)], "")


def _trick_words(
    board: Board, trick: PlayedTrick | None, names: Sequence[str]
) -> Iterator[Text | str]:
    if trick is None:
        yield " ?"
        return
    if trick.leader is not None:
        yield f" {names[trick.leader]}:"
    yield _cards(board, trick.cards)
    if trick.winner is not None:
        yield f" > {names[trick.winner]}"


def _trump_and_call(board: Board, names: Sequence[str]) -> Iterator[Text]:
    claim, letters, trump = board.claim, board.deck.letters, board.trump_card
    if trump is not None and board.facts.trump_key == "turned_up":
        yield say("turned up:%(card)s", card=_cards(board, [trump]))
    if trump is not None and board.facts.trump_key == "trump":
        yield say("trump: %(suit)s", suit=str(board.deck.cards[trump].suit))
    if board.auction:
        calls = (listed((names[seat], _bid_text(bid, letters)), " ") for seat, bid in board.auction)
        yield say("auction: %(calls)s", calls=listed(calls))
    if not isinstance(claim, Claim):
        return
    yield say(
        "caller: %(name)s %(bid)s %(card)s",
        name=names[claim.caller],
        bid=_bid_text(claim.bid, letters),
        card=card_letters(claim.called_card, letters),
    )
    if result := [*_result(claim, names)]:
        yield say("result: %(parts)s", parts=listed(result))
    if totals := sorted(board.totals.items()):
        taken = ", ".join(f"{names[seat]} {total}" for seat, total in totals)
        yield say("taken: %(points)s", points=taken)


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


def _bid_text(bid: Bid | None, letters: Deck) -> Text:
    """Write a bid as text; points that could be read as a rank get an ``@`` before them."""
    if bid is None:
        return say("pass")
    call = bid.write_wire()
    return as_it_is(f"@{call}") if isinstance(call, int) else bid_letters(bid, letters)


def _cards(board: Board, cards: Iterable[int]) -> Text:
    """Return cards as text, each after a space; an unread one stays as it was written."""
    deck = board.deck
    written = (
        card_letters(deck.cards[card], deck.letters) if card in deck.pack else quoted(text)
        for card, text in ((card, board.text(card)) for card in cards)
    )
    return listed(("", *written), " ")
