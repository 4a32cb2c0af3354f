"""Files of deals, ``.smazzate``: the heads of an evening, then its deals as text.

The grammar is in docs/notation.md. A file is split into its deals first; each is then read by the
notation of its game, by itself or beside a sheet.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple

from scorer.cards.board import Board
from scorer.cards.games import CARD_GAMES, supports_cards
from scorer.cards.notation.deals import parse, parse_beside, text_lines
from scorer.cards.notation.lines import (
    DealText,
    ScannedLine,
    as_json,
    comment_of,
    in_line,
    unquoted,
)
from scorer.errors import MOST_PROBLEMS, InvalidError, Problem, UnknownGameError
from scorer.games import find_game
from scorer.rules.game import Game
from scorer.texts import Text, as_it_is, did_you_mean, say

ENDING = "smazzate"
VERSION = 1
LONGEST_FILE = 1_000_000
MOST_DEALS = 1_000
HIGHEST_NUMBER = 99_999
BEGINS = re.compile(rf"\ufeff?(?:\s|#[^\n]*\n)*+{ENDING}[ \t]*:", re.IGNORECASE)
HEAD = re.compile(r"\s*([^\W\d_][\w.-]{0,39})\s*:\s*")
#: A head inside a deal, which only its game has: the slug, a dot, a name.
HEAD_OF_DEAL = re.compile(r"\s*([a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)+)\s*:\s*")
DEAL = re.compile(r"\s*(?:deal|smazzata)\s*:\s*", re.IGNORECASE)
ITALIAN = {
    "giro": "circle",
    "compagnia": "circle",
    "titolo": "title",
    "data": "date",
    "gioco": "game",
    "mazzo": "deck",
    "regole": "rules",
    "posti": "seats",
    "giocatori": "seats",
    "players": "seats",
}
TRANSLATED = {
    "circle": say("circle: %(value)s"),
    "title": say("title: %(value)s"),
    "date": say("date: %(value)s"),
    "game": say("game: %(value)s"),
    "deck": say("deck: %(value)s"),
}
#: Heads that hold for every deal without such a line of its own; the text of a deal begins so.
OF_EACH_DEAL = ("rules", "seats")
#: Heads that are written from what the deals are.
OF_ALL_DEALS = (ENDING, "game", "deck", *OF_EACH_DEAL)
NOT_PLAIN = re.compile(r'["#\\]')


class FileHead(NamedTuple):
    """A head of a file: it describes an evening, or a deal in its game's own words."""

    name: str
    value: str


class FileDeal(NamedTuple):
    """A deal of a file: its number, its cards, the heads that only its game has, its comments."""

    number: int
    board: Board
    heads: tuple[FileHead, ...] = ()
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DealFile:
    """The deals of an evening; among the heads are ``circle``, ``title`` and ``date``."""

    game: Game[Any, Any]
    heads: tuple[FileHead, ...]
    deals: tuple[FileDeal, ...]
    comments: tuple[str, ...] = ()


@dataclass(slots=True)
class UnreadDeal:
    """A deal of a file before it is read, with the file's heads that it doesn't override."""

    number: int
    start: int
    lines: list[tuple[int, str]]
    heads: list[FileHead]
    comments: list[str]

    def says(self, name: str) -> bool:
        heads = (HEAD.match(line) for _, line in self.lines)
        return any(head is not None and _named(head[1]) == name for head in heads)

    def placed(self, problem: Problem) -> Problem:
        """Return a problem with the place of the deal, unless it has one."""
        if problem.field[:1].isdigit():
            return problem
        return in_line(problem.code, problem.message, f"{self.start}:1")


class FileParts:
    """A file, split into heads and, from the first deal on, deals; none of them is read yet.

    ``shared`` are the lines of the heads by their names.
    """

    def __init__(self, text: str) -> None:
        """Split a text; raise InvalidError if heads or numbers of deals are wrong."""
        if not begins(text):
            message = say("A file of deals begins with the line smazzate: 1.")
            raise InvalidError([in_line("unknown-format", message, "1:1")])
        if len(text) > LONGEST_FILE:
            raise InvalidError([in_line("too-long", say("This file is too long."), "1:1")])
        self.shared: dict[str, ScannedLine] = {}
        self.comments: list[str] = []
        self.deals: list[UnreadDeal] = []
        self._problems: list[Problem] = []
        for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
            self._take(number, line)
        game, version, day = self._game(), self.shared[ENDING], self.shared.get("date")
        if day is not None:
            try:
                date.fromisoformat(_value(day))
            except ValueError:
                day.fault("bad-date", say("A date like 2026-11-20 is needed."))
        if _value(version) != str(VERSION):
            message = say("Only files of the format %(format)s can be read.", format=VERSION)
            version.fault("unknown-format", message)
        if game is None or self._problems:
            raise InvalidError(self._problems)
        self.game = game

    def _take(self, number: int, text: str) -> None:
        line, comment = ScannedLine(text, number, self._problems), comment_of(text)
        if line.match(DEAL):
            self._begin(line)
        elif not self.deals:
            self._head(line)
        elif head := line.match(HEAD_OF_DEAL):
            self.deals[-1].heads.append(FileHead(head[1], _value(line)))
        else:
            self.deals[-1].lines.append((number, text))
        if comment:
            (self.deals[-1].comments if self.deals else self.comments).append(comment)

    def _begin(self, line: ScannedLine) -> None:
        place, number = line.place, line.figure()
        if number is None or not 0 < number <= HIGHEST_NUMBER:
            line.fault("deal-number", say("The deal needs its number, such as deal: 3"), place)
        elif number in [deal.number for deal in self.deals]:
            line.fault("said-twice", say("This is said twice."), place)
        else:
            line.nothing_more()
        if len(self.deals) == MOST_DEALS:
            line.fault("too-many-deals", say("A file has at most %(most)s deals.", most=MOST_DEALS))
        self.deals.append(UnreadDeal(number or 0, line.number, [], [], []))

    def _head(self, line: ScannedLine) -> None:
        matched = line.match(HEAD)
        if matched is None:
            if line.more:
                message = say("The cards of a deal stand below its number, in a line deal: 1.")
                line.fault("unknown-word", message)
            return
        name = _named(matched[1])
        if name in self.shared:
            line.fault("said-twice", say("This is said twice."))
        self.shared[name] = line

    def _game(self) -> Game[Any, Any] | None:
        line = self.shared.get("game", self.shared[ENDING])
        slug = _value(line) if "game" in self.shared else ""
        try:
            game = find_game(slug)
        except UnknownGameError:
            message = say("There is no game %(slug)s.", slug=slug)
            line.fault("unknown-game", did_you_mean(message, slug, CARD_GAMES))
            return None
        if not supports_cards(game):
            line.fault("no-check", say("Tricks are not checked in this game."))
        return game

    def text(self, part: UnreadDeal) -> DealText:
        """Return the text of a deal, with the file's heads where it has none of its own."""
        lent = [
            (line.number, line.text)
            for name, line in self.shared.items()
            if name in OF_EACH_DEAL and not part.says(name)
        ]
        return DealText((*lent, *part.lines), part.start)

    def read(self, part: UnreadDeal) -> Board:
        """Return a deal read by itself; raise InvalidError if it has faults."""
        board = parse(self.game, self.text(part))
        deck, line = board.deck.letters.slug, self.shared.get("deck")
        if line is not None and not part.says("rules") and _value(line) != deck:
            message = say("By these rules the deck is %(deck)s.", deck=deck)
            raise InvalidError([in_line("other-deck", message, f"{line.number}:1")])
        return board

    def read_beside(self, part: UnreadDeal, known: Board, sheet: Any) -> Board:
        """Return a deal read beside its sheet; raise InvalidError if it has faults."""
        try:
            return parse_beside(known, self.text(part), sheet)
        except InvalidError as error:
            raise InvalidError(map(part.placed, error.problems)) from None


def begins(text: str) -> bool:
    return BEGINS.match(text) is not None


def read_file(text: str) -> DealFile:
    r"""Return the deals of a file; raise InvalidError with its problems, each with its place.

    >>> file = read_file("smazzate: 1\ngame: tressette\nseats: A, B, C, D\ndeal: 3\n1. 4D 3D")
    >>> [filed.number for filed in file.deals]
    [3]
    >>> read_file(write_file(file)) == file
    True
    """
    parts, deals, problems = FileParts(text), list[FileDeal](), list[Problem]()
    for part in parts.deals:
        try:
            board = parts.read(part)
        except InvalidError as error:
            problems += [problem for problem in error.problems if problem not in problems]
            if len(problems) >= MOST_PROBLEMS:
                break
        else:
            deals.append(FileDeal(part.number, board, tuple(part.heads), tuple(part.comments)))
    if problems:
        raise InvalidError(problems)
    named = [pair for pair in parts.shared.items() if pair[0] not in OF_ALL_DEALS]
    heads = tuple(FileHead(name, _value(line)) for name, line in named)
    return DealFile(parts.game, heads, tuple(deals), tuple(parts.comments))


def _named(written: str) -> str:
    name = written.lower()
    return ITALIAN.get(name, name)


def _value(line: ScannedLine) -> str:
    """Return the value of a head: the rest of its line, without quotation marks around it."""
    written = line.text[line.at :].strip()
    value = unquoted(written) if written.startswith('"') else written
    return value.encode(errors="replace").decode()


def file_lines(file: DealFile) -> Iterator[Text]:
    """Yield the lines of a file; they can be read back in any language."""
    lines = [[*text_lines(filed.board)] for filed in file.deals]
    shared = lines[0][: len(OF_EACH_DEAL)] if lines else []
    yield as_it_is(f"{ENDING}: {VERSION}")
    decks = [FileHead("deck", filed.board.deck.letters.slug) for filed in file.deals[:1]]
    yield from _told(file.comments, [*file.heads, FileHead("game", file.game.slug), *decks])
    yield from shared
    for filed, own in zip(file.deals, lines, strict=True):
        yield as_it_is("")
        yield say("deal: %(number)s", number=filed.number)
        yield from _told(filed.comments, filed.heads)
        yield from (line for line in own if line not in shared)


def write_file(file: DealFile) -> str:
    return "".join(f"{line}\n" for line in file_lines(file))


def _told(comments: Iterable[str], heads: Iterable[FileHead]) -> Iterator[Text]:
    for comment in comments:
        yield as_it_is(f"# {' '.join(comment.split())}")
    for name, value in heads:
        plain = value.isprintable() and value == " ".join(value.split()) and value
        written = as_json(value) if NOT_PLAIN.search(value) or not plain else value
        known = TRANSLATED.get(name)
        yield replace(known, values={"value": written}) if known else as_it_is(f"{name}: {written}")
