"""A session file (contract.md), read into an evening and written from one.

If the rules or the order of play changed within the session, the first deal of each change has
``rules`` and ``seats``; changes after the last deal are in ``next``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, Literal, TypeVar

from scorer.cards.faults import Finding
from scorer.errors import MOST_PROBLEMS, Problem
from scorer.evening.deal import Deal
from scorer.evening.judging import NUMBERS, WITH_SHEET, JudgedDeal, judge
from scorer.evening.setting import Setting, read_names, read_player, read_setting, require, rules_of
from scorer.evening.terms import Terms, TermsChange
from scorer.evening.walk import Walk
from scorer.rules.game import Game, Outcome, Table, Turn
from scorer.rules.questions import (
    Ask,
    Reading,
    choice_reader,
    number_reader,
    placed,
    read_object,
    unknown_keys,
    write,
)
from scorer.rules.seats import MOST_SEATS, Seat, all_seats, counts_text, wrong_count
from scorer.shapes import (
    Calls,
    CardName,
    Cards,
    GameSlug,
    Name,
    Points,
    RulesChoice,
    Shape,
    Sheet,
    Tricks,
    gives,
    keys,
)
from scorer.texts import say

FORMAT = "scorer-session/1"
HEADING = ("title", "date")


class Witness(Shape):
    """What an exported file says of itself; nobody reads it."""

    id: str | None = gives("The key of the session.", unsaid=True)
    version: int | None = gives("It grows with every change of the session.", unsaid=True)
    next_number: int | None = gives("Of the next deal: voided deals keep theirs.", unsaid=True)
    hash: str | None = gives("Of all that was written in the session.", unsaid=True)
    ended_at: str | None = gives("When it ended; null while it goes on.", unsaid=True)


class TermsInFile(Shape):
    """Rules and seats that hold from a deal on."""

    rules: RulesChoice = gives("The rules, where they change.", unsaid=True)
    seats: list[Name] | None = gives("All in order of play, where that changes.", unsaid=True)


class PlayInFile(Shape):
    """The cards of a deal, compared with its sheet: what differs is a warning."""

    called_card: CardName | None = gives("The card that was called.", unsaid=True)
    turned_up: CardName | None = gives("The card whose suit is trump.", unsaid=True)
    trump: str | None = gives("The suit of trumps that was named, in maraffone.", unsaid=True)
    stock: Cards | None = gives("The cards of the stock as they are drawn.", unsaid=True)
    auction: Calls | None = gives("Every call: a name, and a bid or pass.", unsaid=True)
    hands: Mapping[Name, Cards] | None = gives("The cards as dealt, some or all.", unsaid=True)
    discards: Cards | None = gives("What the caller put away.", unsaid=True)
    tricks: Tricks = gives("The tricks in order.", unsaid=True)
    note: str | None = gives("Why cards are kept that differ from the sheet.", unsaid=True)


class DealInFile(TermsInFile):
    """A deal of a session."""

    outcome: Outcome = gives("What became of it; left out, it was played.", unsaid=True)
    dealer: Name | None = gives("Who dealt; left out, whose turn it was.", unsaid=True)
    sits_out: list[Name] | None = gives("Who sat out, if not by the rules.", unsaid=True)
    sheet: Sheet | None = gives("The sheet of a deal that was played or penalised.", unsaid=True)
    by_seat: bool = gives("Whether the sheet has the numbers of seats for names.", unsaid=True)
    play: PlayInFile | None = gives("The cards.", unsaid=True)


class SessionFile(Witness):
    """A session file."""

    format: Literal["scorer-session/1"] = gives("The format.", unsaid=True)
    game: GameSlug = gives("The game.")
    rules: RulesChoice = gives("The rules it began with.", unsaid=True)
    title: str | None = gives("Its title.", unsaid=True)
    date: str | None = gives("The day on which it began.", unsaid=True)
    seats: list[Name] = gives("The names in order of play.")
    opening: Points | None = gives("Balances brought in, by name.", unsaid=True)
    deals: list[DealInFile] = gives("The deals.")
    next: TermsInFile | None = gives("What changed after the last deal.", unsaid=True)


WITNESS, KEYS, PLAY_KEYS = keys(Witness), keys(SessionFile), keys(PlayInFile)
CHANGE_KEYS, DEAL_KEYS = keys(TermsInFile), keys(DealInFile)
FEW = 1_000_000_000
#: Rules take as long to read as several deals, and a group changes them a few times in an evening.
MOST_RULES = 1_000
READ_BALANCE = number_reader(Ask("Balance", low=-FEW, high=FEW))
READ_OUTCOME = choice_reader(Outcome)
#: What is said of an outcome that the rules don't have.
ODD_OUTCOMES = {
    Outcome.MISDEAL: say("By these rules there is no misdeal."),
    Outcome.ALL_PASSED: say("By these rules it cannot be that all pass."),
    Outcome.THROWN_IN: say("By these rules no deal is thrown in."),
    Outcome.REDEAL: say("By these rules no deal is dealt again."),
}
#: What a finding can be about as a whole.
WHOLE = ("hands", "auction", "discards", "stock", "turned_up", "seats")

W = TypeVar("W", bound=Walk)


def read_document(document: object, reading: Reading, kind: type[W]) -> Reader[W] | None:
    """Read a session file into a kind of evening; None if game or players are missing."""
    if not isinstance(document, dict):
        reading.fault("wrong-type", "", say("A session file is an object with named fields."))
        return None
    unknown_keys(document, KEYS, reading, "")
    _check_heading(document, reading)
    setting = read_setting(document, reading, most=MOST_SEATS)
    deals = document["deals"] if require(document, "deals", reading) else []
    if not isinstance(deals, list):
        reading.fault("wrong-type", "deals", say("A list of deals is needed."))
        deals = []
    given = document.get("next")
    following = None if given is None else read_object(given, CHANGE_KEYS, reading, "next")
    if setting is None or _is_wrong_count(setting, deals, following, reading):
        return None
    heading = {key: document[key] for key in HEADING if key in document}
    evening = kind(
        game=setting.game,
        names=setting.seats,
        began=Terms(setting.rules, all_seats(len(setting.seats))),
        totals=read_opening(document.get("opening"), setting, reading),
        heading=heading,
    )
    reader = Reader(evening, reading)
    for number, deal in enumerate(deals):
        reader.play(deal, f"deals[{number}]")
        if len(reading.problems) > MOST_PROBLEMS:
            break
    reader.look_ahead(following or {})
    return reader


def _check_heading(document: dict[str, Any], reading: Reading) -> None:
    if document.get("format", FORMAT) != FORMAT:
        message = say("Only files of the format %(format)s can be read.", format=FORMAT)
        reading.fault("unknown-format", "format", message)
    for key in HEADING:
        if not isinstance(document.get(key, ""), str | None):
            reading.fault("wrong-type", key, say("A text is needed."))


def _is_wrong_count(
    setting: Setting, deals: list[Any], following: dict[str, Any] | None, reading: Reading
) -> bool:
    """Whether the rules need another number of people, and the first deal doesn't say who plays."""
    first = deals[0] if deals else following
    if isinstance(first, dict) and (first.get("sits_out") or first.get("seats")):
        return False
    seating = setting.game.seating(setting.rules)
    wrong = wrong_count(len(setting.seats), seating.for_deal if deals else seating.for_session)
    reading.problems += [wrong] if wrong else []
    return wrong is not None


def read_opening(given: object, setting: Setting, reading: Reading) -> dict[Seat, int]:
    """Read the balances brought in, by name; whoever is not named brings none."""
    opening = dict.fromkeys(all_seats(len(setting.seats)), 0)
    if given is None:
        return opening
    if not isinstance(given, dict):
        reading.fault("wrong-type", "opening", say("An object of names and balances is needed."))
        return opening
    for name, value in given.items():
        path = f"opening.{name}"
        seat = read_player(name, setting.seats, reading, path)
        balance = READ_BALANCE(value, reading, path)
        if seat is not None and balance is not None:
            opening[seat] = balance
    return opening


class Reader(Generic[W]):
    """Read, judge and book the deals of a document; ``warnings`` are of odd ones."""

    __slots__ = ("evening", "reading", "rules_read", "warnings")

    def __init__(self, evening: W, reading: Reading) -> None:
        self.evening, self.reading = evening, reading
        self.rules_read, self.warnings = 0, list[Problem]()

    def play(self, given: Any, path: str) -> None:
        """Read and book the next deal of a file, noting what is wrong with it."""
        deal = read_object(given, DEAL_KEYS, self.reading, path)
        if deal is None:
            return
        if (play := deal.get("play")) is not None:  # what can't be one, whatever deal it is of
            read = read_object(play, PLAY_KEYS, self.reading, f"{path}.play")
            if read and not isinstance(read.get("note"), str | None):
                self.reading.fault("wrong-type", f"{path}.play.note", say("A text is needed."))
        self._read_terms(deal, path)
        outcome = self.read_outcome(deal.get("outcome", "played"), f"{path}.outcome")
        turn = self.read_turn(deal.get("dealer"), f"{path}.dealer")
        table = self._read_table(deal.get("sits_out"), turn.dealer, f"{path}.sits_out")
        if outcome is None or table is None:
            return
        entry = self._judged(outcome, deal, table, turn, path)
        if play:
            play = self._compare(play, entry, turn, path)
        if self.evening.ended is not None:
            message = say("The session had already come to its end: this was played on.")
            self.warnings.append(Problem("played-on", path, message))
        self.evening.write(entry, turn, play=play or None)

    def read_outcome(self, given: object, path: str) -> Outcome | None:
        """Read the outcome of a deal; warn of one that these rules don't have."""
        outcome: Outcome | None = READ_OUTCOME(given, self.reading, path)
        usual = self.evening.game.outcomes(self.evening.terms.rules)
        if outcome and outcome not in (*WITH_SHEET, *usual):
            self.warnings.append(Problem("odd-outcome", path, ODD_OUTCOMES[outcome]))
        return outcome

    def look_ahead(self, following: dict[str, Any]) -> None:
        """Report wrong changes after the last deal; more people than can play are allowed."""
        self._read_terms(following, "next")
        terms = self.evening.terms
        if following and not can_play(self.evening):
            counts = self.evening.game.seating(terms.rules).playing
            wrong = wrong_count(len(terms.order), counts, "next.seats")
            self.reading.problems += [wrong] if wrong else []

    def _read_terms(self, deal: dict[str, Any], path: str) -> None:
        """Read the rules and the order of play that hold from this deal on, where they change."""
        evening = self.evening
        if deal.get("rules") is not None:
            self.rules_read += 1
            if self.rules_read > MOST_RULES:
                message = say("The rules change more often than %(most)s times.", most=MOST_RULES)
                self.reading.fault("too-many-rules", f"{path}.rules", message)
            else:
                rules, problems = rules_of(evening.game, deal["rules"], f"{path}.rules")
                self.reading.problems += problems
                evening.go_on(TermsChange(evening.written + 1, evening.number, None, rules))
        if deal.get("seats") is not None:
            order = read_names(deal["seats"], evening.names, self.reading, f"{path}.seats")
            if order is not None and (not order or len(set(order)) != len(order)):
                message = say("Everybody at the table has one place.")
                self.reading.fault("seats-order", f"{path}.seats", message)
            elif order:
                change = TermsChange(evening.written + 1, evening.number, None, order=tuple(order))
                evening.go_on(change)

    def read_turn(self, name: object, path: str) -> Turn:
        """Read who deals, by default whose turn it is; warn if it is another's turn."""
        evening, turn = self.evening, self.evening.turn
        if name is None:
            return turn
        dealer = read_player(name, evening.names, self.reading, path)
        if dealer is None:
            return turn
        if dealer not in evening.here.order:
            self.reading.problems.append(evening.no_dealer(dealer, path))
            return turn
        if evening.last and dealer != turn.dealer:
            message = say(
                "By the rules %(name)s would have dealt.", name=evening.names[turn.dealer]
            )
            self.warnings.append(Problem("dealer-turn", path, message))
        return turn._replace(dealer=dealer)

    def read_sits_out(self, given: object, path: str) -> list[Seat] | None:
        """Read who sits a deal out; None if the turn decides, or if it can't be read."""
        if given is None or given == []:
            return None
        return read_names(given, self.evening.names, self.reading, path)

    def _read_table(self, given: object, dealer: Seat, path: str) -> Table[Any] | None:
        """Read who plays: all but those named as sitting out, or whoever the rules say."""
        before = len(self.reading.problems)
        evening, out = self.evening, self.read_sits_out(given, path)
        if len(self.reading.problems) > before:
            return None
        here, table = evening.here.order, evening.table(dealer, out)
        seating, playing = evening.game.seating(table.rules), len(table.active)
        if len(here) in seating.for_deal if out is None else playing in seating.playing:
            return table
        message = say(
            "So %(count)s of %(all)s would play, and these rules are for %(wanted)s.",
            count=playing,
            all=len(here),
            wanted=counts_text(seating.playing),
        )
        self.reading.fault("seats-count", path, message)
        return None

    def _judged(
        self, outcome: Outcome, deal: dict[str, Any], table: Table[Any], turn: Turn, path: str
    ) -> JudgedDeal:
        game, at = self.evening.game, f"{path}.sheet"
        if outcome in WITH_SHEET and not require(deal, "sheet", self.reading, path):
            return JudgedDeal(game, outcome, table)
        answers, names = deal.get("sheet"), table.seats
        if deal.get("by_seat"):  # written where the game was not installed
            names = NUMBERS[: len(names)]
        people = replace(table, seats=names)
        entry, problems = judge(game, people, outcome, answers, times=turn.times, path=at)
        self.reading.problems += problems
        if entry is None:
            return JudgedDeal(game, outcome, table)
        entry = entry._replace(table=table)
        if entry.played is not None:
            self.warnings += placed(game.warnings(entry.sheet, table), at)
        return entry

    def _compare(self, play: Any, entry: JudgedDeal, turn: Turn, path: str) -> Any:
        """Compare the cards of a deal with its sheet; return those that it keeps, if any."""
        from scorer.cards import games  # late: most sessions have no cards

        table = entry.table
        written = games.supports_cards(entry.game, len(table.active), table.rules)
        if entry.outcome is not Outcome.PLAYED or not written:
            message = say("Only a deal that was played keeps its cards, in a game that knows how.")
            self.warnings.append(Problem("play-not-kept", f"{path}.play", message))
            return None
        if entry.sheet is not None and isinstance(play, dict):
            unread, odd = compare(entry.game, play, entry.sheet, table, turn.dealer)
            self.reading.problems += placed(unread, path)
            self.warnings += placed(odd, path)
        return play


def compare(
    game: Game[Any, Any], play: dict[str, Any], sheet: Any, table: Table[Any], dealer: Seat
) -> tuple[list[Problem], list[Problem]]:
    """Find unreadable cards of a deal, and what is wrong with the cards or the sheet.

    Contradictions are only warnings: the sheet decides what a deal pays. Fields are those of the
    deal.
    """
    from scorer.cards import card_records, games  # late: most sessions have no cards

    begun = games.begin(game, table, dealer)
    reading = Reading(begun.table.seats, game.deck(table.rules))
    row = games.card_game(game, play, begun.table, reading)
    board = None if row is None else card_records.read_play(row, play, sheet, begun, reading)
    ready = board is not None and board.ready
    examined = games.examined(board.played()) if board is not None and ready else None
    findings = [] if examined is None else [*examined.problems, *examined.warnings]
    odd = problems_of(findings)
    return _in_deal(reading.problems, play), _in_deal(odd, play)


def _in_deal(problems: Iterable[Problem], play: dict[str, Any]) -> list[Problem]:
    """Move problems of a record's claim to the sheet, except those of a called card."""
    inside = []
    for problem in problems:
        head, _, rest = problem.field.partition(".")
        field = f"play.{problem.field}"
        if head == "claim":
            called = rest == "called_card" and play.get(rest) is not None
            field = f"play.{rest}" if called else f"sheet.{rest}"
        inside.append(replace(problem, field=field))
    return inside


def problems_of(findings: Iterable[Finding]) -> list[Problem]:
    """Return what is missing, wrong or odd in a record as problems, each with its path."""
    return [Problem(finding.code, path_of(finding), finding.message) for finding in findings]


def path_of(finding: Finding) -> str:
    """Write where a finding is as the path of a field of the record."""
    match finding.where:
        case {"claim": name}:
            return f"claim.{name}"
        case {"trick": int(number)}:
            return f"tricks[{number - 1}]"
        case {"call": int(number)}:
            return f"auction[{number - 1}]"
        case {"hand": name}:
            return f"hands.{name}"
        case _:
            return next((name for name in WHOLE if name in finding.where), "tricks")


def can_play(evening: Walk) -> bool:
    """Whether there are enough at the table for the next deal, and room for all of them."""
    seating = evening.game.seating(evening.terms.rules)
    return min(seating.playing) <= len(evening.terms.order) <= seating.most


def write_document(
    evening: Walk,
    deals: Iterable[Deal],
    opening: Mapping[str, int],
    plays: Mapping[int, Any],
) -> dict[str, Any]:
    """Write the session file of an evening: its deals that are not voided, and their cards."""
    standing = [deal for deal in deals if not deal.voided]
    names, terms = evening.names, evening.terms
    rules, order = evening.began.rules, all_seats(len(names))
    written = []
    for deal in standing:
        table = deal.entry.table
        written.append(
            _deal(deal, names)
            | ({"play": plays[deal.number]} if deal.number in plays else {})
            | _change(names, (rules, order), (table.rules, table.here))
        )
        rules, order = table.rules, table.here
    following = {}
    if can_play(evening):
        following = _change(names, (rules, order), (terms.rules, terms.order))
    if evening.changes and not standing:
        following["seats"] = [names[seat] for seat in terms.order]
    return {
        "format": FORMAT,
        "game": evening.game.slug,
        "rules": write(evening.began.rules),
        **evening.heading,
        "seats": list(names),
        "opening": dict(opening),
        "deals": written,
    } | ({"next": following} if following else {})


def _deal(deal: Deal, names: Sequence[str]) -> dict[str, Any]:
    active = deal.entry.table.active
    document = {
        "outcome": deal.outcome.value,
        "dealer": names[deal.turn.dealer],
        "sits_out": [name for seat, name in enumerate(names) if seat not in active],
    }
    answers = deal.entry.answers(names)
    if answers is None:
        return document
    by_seat = deal.entry.game.missing and deal.outcome is Outcome.PLAYED
    return {**document, "sheet": answers} | ({"by_seat": True} if by_seat else {})


def _change(
    names: Sequence[str],
    before: tuple[Any, tuple[Seat, ...]],
    after: tuple[Any, tuple[Seat, ...]],
) -> dict[str, Any]:
    """Return the rules and order that a deal has and the deal before had not."""
    change: dict[str, Any] = {}
    if after[0] != before[0]:
        change["rules"] = write(after[0])
    if after[1] != before[1]:
        change["seats"] = [names[seat] for seat in after[1]]
    return change
