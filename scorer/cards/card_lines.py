"""The lines that a deal of any trick game has as text, read from left to right and written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, TypeVar

from scorer.cards.deal import CardDeal
from scorer.cards.trick_game import MOST_TRICKS, UNREAD, CardPile
from scorer.errors import MOST_PROBLEMS, InvalidError, Problem
from scorer.rules.cards import SPELLING, Deck, card_letters
from scorer.rules.game import Game, Table
from scorer.rules.seats import MOST_SEATS, Seat, all_seats, wrong_count
from scorer.texts import Text, about, listed, say

T = TypeVar("T")

END = r"(?=[\s,:;>]|$)"
GAP = re.compile(r"[\s,;]*")
WORD = re.compile(rf'"(?:[^"\\]|\\.)*"|[^\s,:;>]+{END}|\S', re.DOTALL)
CARD = re.compile(rf"(?:{SPELLING.pattern}){END}", re.IGNORECASE)
NUMBER = re.compile(rf"[0-9]{{1,6}}{END}", re.ASCII)
# No text opens behind a backslash: then one that never closes is looked for once a line, not at
# every escaped quotation mark again.
COMMENT = re.compile(r'(?<!\\)"(?:[^"\\]|\\.)*"|(?:^|\s)#.*', re.DOTALL)


class DealText(NamedTuple):
    """The lines of a deal, each with its number in the text; it starts in the line ``start``."""

    lines: tuple[tuple[int, str], ...]
    start: int = 1

    @classmethod
    def alone(cls, text: str) -> DealText:
        return cls(tuple(enumerate(text.split("\n"), start=1)))

    @property
    def place(self) -> str:
        return f"{self.start}:1"

    @property
    def length(self) -> int:
        """Count its letters; browsers end lines with two."""
        return sum(len(line) - line.count("\r") + 1 for _, line in self.lines) - 1


def comment_of(line: str) -> str:
    """Return the comment of a line, if it has one.

    >>> comment_of("1. 7B 2D  # the lead comes first")
    'the lead comes first'
    """
    comments = (matched[0] for matched in COMMENT.finditer(line) if matched[0][0] != '"')
    return next(comments, "").strip().removeprefix("#").strip()


class ScannedLine:
    """One line of a text with a read position; unreadable words become problems and are skipped."""

    def __init__(self, text: str, number: int, problems: list[Problem]) -> None:
        self.text = COMMENT.sub(lambda matched: matched[0] if matched[0][0] == '"' else "", text)
        self.number = number
        self.at = 0
        self._problems = problems

    @property
    def place(self) -> str:
        """The read position: line and column, from 1."""
        return f"{self.number}:{self.at + 1}"

    @property
    def more(self) -> bool:
        """Skip gaps; whether text is left to read. False once there are ``MOST_PROBLEMS``."""
        self.match(GAP)
        return self.at < len(self.text) and len(self._problems) < MOST_PROBLEMS

    def fault(self, code: str, message: Text, place: str = "") -> None:
        """Add a problem, here or at an earlier place, unless there are many already."""
        if len(self._problems) == MOST_PROBLEMS:
            return
        text = say("Line %(line)s: %(message)s", line=self.number, message=message)
        self._problems.append(Problem(code, place or self.place, text))

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Match a pattern at the read position, and advance; None if it doesn't match."""
        matched = pattern.match(self.text, self.at)
        if matched:
            self.at = matched.end()
        return matched

    def word(self) -> str:
        """Read the next word, or a text in quotation marks."""
        matched = self.match(WORD)
        word = matched[0] if matched else ""
        return unquoted(word) if word.startswith('"') else word

    def name(self, names: Sequence[str]) -> str | None:
        """Read one of these names, the longest that matches."""
        self.match(GAP)
        place = self.place
        if not self.text.startswith('"', self.at):
            known = self.phrase({name: name for name in names})
            if known is not None:
                return known
        word = self.word()
        if word in names:
            return word
        message = about(word, say("Nobody called %(name)s plays here.", name=word))
        self.fault("unknown-name", message, place)
        return None

    def card(self, deck: Deck) -> str | None:
        """Read a card of the deck, in any spelling."""
        self.match(GAP)
        place, matched = self.place, self.match(CARD)
        word = matched[0] if matched else self.word()
        try:
            return str(deck.card(word))
        except ValueError:
            message = say("There is no card %(card)s in this deck.", card=word)
            self.fault("card-not-in-deck", about(word, message), place)
            return None

    def figure(self) -> int | None:
        self.match(GAP)
        matched = self.match(NUMBER)
        return int(matched[0]) if matched else None

    def phrase(self, phrases: Mapping[str, T]) -> T | None:
        """Read one of some phrases, and return its meaning; None for another."""
        longest_first = sorted(phrases, key=len, reverse=True)
        any_of_them = "|".join(f"({re.escape(spelling)})" for spelling in longest_first)
        for flags in (re.NOFLAG, re.IGNORECASE):
            matched = self.match(re.compile(f"(?:{any_of_them}){END}", flags))
            if matched and matched.lastindex:
                return phrases[longest_first[matched.lastindex - 1]]
        return None

    def nothing_more(self) -> None:
        if self.more:
            place, word = self.place, self.word()
            self.fault("unknown-word", say("%(word)s is not understood.", word=word), place)


def unquoted(word: str) -> str:
    """Decode a text in quotation marks; anything else stays as it is."""
    try:
        return str(json.loads(word, strict=False))
    except ValueError:
        return word


HAND = re.compile(r"\s*(?:hand|mano|carte)\s+", re.IGNORECASE)
TRICK = re.compile(r"([0-9]{1,3})[.)]", re.ASCII)
NAME = re.compile(r'[^,;"]+')
#: What the lines of the table begin with.
HEADINGS = {
    word: heading
    for heading, words in {
        "rules": "rules regole",
        "seats": "seats players posti giocatori",
        "dealer": "dealer mazziere",
        "out": "out fuori",
    }.items()
    for word in words.split()
}
# A deal with every call, hand and trick, among names of forty letters, is half as long.
LONGEST_TEXT = 8_000
COLON = re.compile(r"\s*:")
TAKEN_BY = re.compile(r"\s*[>=]")
FORGOTTEN = re.compile(r"[?-]\s*$")
LEADER = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^":>=]+):', re.DOTALL)
UNKNOWN = "?"
PLAIN_NAME = re.compile(r"[^\W_][\w.'’-]*")


def placed(problem: Problem, places: Mapping[str, str], start: str) -> Problem:
    """Return a problem of a record's body with its place in the text instead of its path."""
    known = [path for path in places if problem.field.startswith(path)]
    place = places[max(known, key=len)] if known else start
    message = say(
        "Line %(line)s: %(message)s", line=place.partition(":")[0], message=problem.message
    )
    return Problem(problem.code, place, message)


class DealReader:
    """Sort the lines of a text by their ``headings``, and find which table they are of."""

    game: Game[Any, Any]
    headings: Mapping[str, str]

    def __init__(self, given: str | DealText) -> None:
        """Sort the lines of a text; raise InvalidError for one that is too long for a deal."""
        text = DealText.alone(given) if isinstance(given, str) else given
        if text.length > LONGEST_TEXT:
            message = say("The text of a deal has at most %(most)s letters.", most=LONGEST_TEXT)
            raise InvalidError.of("too-long", text.place, message)
        self.problems: list[Problem] = []
        self.places: dict[str, str] = {}
        self.start = text.place
        self.lines: dict[str, ScannedLine] = {}
        self._hands: list[ScannedLine] = []
        self._tricks: list[tuple[int | None, ScannedLine]] = []
        spelled = {**HEADINGS, **self.headings}
        heading = re.compile(rf"\s*({'|'.join(spelled)})\s*:", re.IGNORECASE)
        for number, written in text.lines:
            line = ScannedLine(written, number, self.problems)
            if matched := line.match(heading):
                key = spelled[matched[1].lower()]
                if key in self.lines:
                    line.fault("said-twice", say("This is said twice."))
                self.lines[key] = line
            elif line.match(HAND):
                self._hands.append(line)
            elif line.more:
                trick = line.match(TRICK)
                self._tricks.append((int(trick[1]) if trick else None, line))

    def counts(self, rules: Any) -> Sequence[int]:
        """Return the numbers of players for which a deal can be written down."""
        return self.game.seating(rules).playing

    def known(self, names: tuple[str, ...], dealer: Seat | None) -> Seat | None:
        """Return who deals, among known people; a text that names others is refused."""
        for heading in ("seats", "out"):
            for _ in self._names_in(heading, names):
                pass
        return self._dealer(names, dealer)

    def table(self) -> tuple[Table[Any], Seat | None]:
        """Return the table of the deal and who deals; raise InvalidError if the text has faults."""
        rules, names = self._rules(), self._seats()
        if not names:
            self.refuse()
        dealer = self._dealer(names, None)
        out = [names.index(name) for name in self._names_in("out", names)]
        everybody = all_seats(len(names))
        active = tuple(seat for seat in everybody if seat not in out)
        if not out and dealer is not None:
            active = self.game.active(dealer, everybody, rules)
        if problem := wrong_count(len(active), self.counts(rules), self.start):
            self.problems.append(problem)
        if self.problems:
            self.refuse()
        return Table(rules, names, active), dealer

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

    def read_cards(self, parts: CardLines) -> None:
        """Read the hands and the tricks; raise InvalidError with all problems so far."""
        for line in self._hands:
            parts.hand(line)
        for number, line in self._tricks:
            parts.trick(number, line)
        if self.problems:
            self.refuse()

    def refuse(self, problems: Iterable[Problem] = ()) -> NoReturn:
        """Raise InvalidError with all problems; ``problems`` are those of a record's body."""
        faults = [
            *self.problems,
            *(placed(problem, self.places, self.start) for problem in problems),
        ]
        if len(self.problems) >= MOST_PROBLEMS:
            message = say("So much is wrong here that the rest was not read.")
            faults.append(Problem("too-many-problems", self.start, message))
        raise InvalidError(faults)


class CardLines:
    """Read hands and tricks into the body of a record, and keep the place of every part."""

    def __init__(self, names: tuple[str, ...], deck: Deck, places: dict[str, str]) -> None:
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
        if line.more and line.match(FORGOTTEN):
            tricks.append(None)
            return
        leader, winner = None, None
        if LEADER.match(line.text, line.at):
            leader = line.name(self.names)
            line.match(COLON)
        cards = self.cards(line)
        if line.match(TAKEN_BY):
            winner = line.name(self.names)
        line.nothing_more()
        who = {"leader": leader, "winner": winner}
        by_name = {key: name for key, name in who.items() if name is not None}
        tricks.append({**by_name, "cards": cards} if by_name else cards)

    def cards(self, line: ScannedLine) -> list[str | None]:
        """Read cards to the end of a line, or to who took them."""
        cards = []
        while line.more and not TAKEN_BY.match(line.text, line.at):
            cards.append(line.card(self.deck))
        return cards


def table_lines(deal: CardDeal, game: Game[Any, Any]) -> Iterator[Text]:
    """Yield the lines of the rules, the seats, who dealt and who sat out."""
    table, names = deal.table, [quoted(name) for name in deal.table.seats]
    out = [names[seat] for seat in table.here if seat not in table.active]
    rules = game.rules_named(table.rules)
    written = rules if isinstance(rules, str) else as_json(rules)
    yield say("rules: %(rules)s", rules=written)
    yield say("seats: %(names)s", names=", ".join(names[seat] for seat in table.here))
    if deal.dealer is not None:
        yield say("dealer: %(name)s", name=names[deal.dealer])
    if out:
        yield say("out: %(names)s", names=", ".join(out))


def hand_lines(deal: CardDeal) -> Iterator[Text]:
    for seat, hand in sorted(deal.hands.items()):
        name = quoted(deal.table.seats[seat])
        yield say("hand %(name)s:%(cards)s", name=name, cards=cards_text(deal, hand))


def trick_lines(deal: CardDeal) -> Iterator[Text]:
    names = [quoted(name) for name in deal.table.seats]
    for number, trick in enumerate(deal.tricks, start=1):
        words: list[Text | str] = [f"{number}."]
        if trick is None:
            words.append(f" {UNKNOWN}")
        else:
            if trick.leader is not None:
                words.append(f" {names[trick.leader]}:")
            words.append(cards_text(deal, trick))
            if trick.winner is not None:
                words.append(f" > {names[trick.winner]}")
        yield listed(words, "")


def cards_text(deal: CardDeal, pile: CardPile) -> Text:
    """Return cards as text, each after a space; an unread one stays as it was written."""
    unread, deck = iter(pile.unread), deal.letters.deck
    written = (
        quoted(next(unread)) if card == UNREAD else card_letters(deal.deck.cards[card], deck)
        for card in pile.cards
    )
    return listed(("", *written), " ")


def quoted(name: str) -> str:
    """Return a name, in quotation marks unless it is one plain word.

    >>> print(quoted("Ada"), quoted("Ada B."))
    Ada "Ada B."
    """
    return name if PLAIN_NAME.fullmatch(name) else as_json(name)


def as_json(value: object) -> str:
    """Return JSON in one line; invisible characters are escaped by number."""
    written = json.dumps(value, ensure_ascii=False)
    return written if written.isprintable() else json.dumps(value)
