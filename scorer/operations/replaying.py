"""``replay``: play a session file again, deal by deal, to its balances, standings and end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from scorer.errors import MOST_PROBLEMS, Problem
from scorer.ledger import standings
from scorer.operations.plays import check_form, compare, not_kept
from scorer.operations.requests import (
    Setting,
    problem_list,
    read_player,
    read_setting,
    require,
    rules_of,
)
from scorer.rules.game import Outcome, Score, Table, Turn, read_penalty, with_times
from scorer.rules.match import UNDECIDED, Progress, Tally
from scorer.rules.seats import MOST_SEATS, Seat, all_seats, wrong_count
from scorer.rules.sheet import (
    Ask,
    Reading,
    choice_reader,
    number_reader,
    placed,
    read_object,
    unknown_keys,
)
from scorer.rules.terms import Terms, turn_of
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorer.operations.requests import Answer, Translate

FORMAT = "scorer-session/1"
#: What an exported file says of itself.
WITNESS = frozenset({"id", "version", "hash"})
KEYS = WITNESS | {"format", "game", "rules", "title", "date", "seats", "opening", "deals", "next"}
CHANGE_KEYS = frozenset({"rules", "seats"})
DEAL_KEYS = frozenset({"outcome", "dealer", "sits_out", "sheet", "play", "rules", "seats"})
NOT_PLAYED = Score((), {}, None)
FEW = 1_000_000_000
#: Rules take as long to read as several deals, and a group changes them a few times in an evening.
MOST_RULES = 1_000
READ_BALANCE = number_reader(Ask("Balance", low=-FEW, high=FEW))
READ_OUTCOME = choice_reader(Outcome)
ALWAYS = (Outcome.PLAYED, Outcome.PENALTY)


def replay(document: object, translate: Translate = str) -> Answer:
    """Answer a session file: every deal's payouts and balances, the standings, and the end."""
    reading = Reading()
    if not isinstance(document, dict):
        reading.fault("wrong-type", "", say("A session file is an object with named fields."))
        return _answer(None, reading, translate)
    unknown_keys(document, KEYS, reading, "")
    _check_heading(document, reading)
    setting = read_setting(document, reading, most=MOST_SEATS)
    deals = _read_deals(document, reading)
    following = _read_next(document, reading)
    if setting is None or _is_wrong_count(setting, deals, following, reading):
        return _answer(None, reading, translate)
    began = Terms(setting.rules, all_seats(len(setting.seats)))
    session = Replay(setting, reading, _read_opening(document, setting, reading), began)
    for number, deal in enumerate(deals):
        session.play(deal, f"deals[{number}]")
        if len(reading.problems) > MOST_PROBLEMS:
            break
    session.look_ahead(following)
    return _answer(session, reading, translate)


def _check_heading(document: dict[str, Any], reading: Reading) -> None:
    if document.get("format", FORMAT) != FORMAT:
        message = say("Only files of the format %(format)s can be read.", format=FORMAT)
        reading.fault("unknown-format", "format", message)
    for key in ("title", "date"):
        if not isinstance(document.get(key, ""), str | None):
            reading.fault("wrong-type", key, say("A text is needed."))


def _read_deals(document: dict[str, Any], reading: Reading) -> list[Any]:
    if not require(document, "deals", reading):
        return []
    deals = document["deals"]
    if not isinstance(deals, list):
        reading.fault("wrong-type", "deals", say("A list of deals is needed."))
        return []
    return deals


def _read_next(document: dict[str, Any], reading: Reading) -> dict[str, Any]:
    """Read what changed after the last deal."""
    given = document.get("next")
    return {} if given is None else read_object(given, CHANGE_KEYS, reading, "next") or {}


def _is_wrong_count(
    setting: Setting, deals: list[Any], following: dict[str, Any], reading: Reading
) -> bool:
    """Say whether the rules are not for so many, and the first deal doesn't tell who takes part."""
    first = deals[0] if deals else following
    if isinstance(first, dict) and (first.get("sits_out") or first.get("seats")):
        return False
    seating = setting.game.seating(setting.rules)
    wrong = wrong_count(len(setting.seats), seating.for_deal if deals else seating.for_session)
    reading.problems += [wrong] if wrong else []
    return wrong is not None


def _read_opening(document: dict[str, Any], setting: Setting, reading: Reading) -> dict[Seat, int]:
    opening = dict.fromkeys(all_seats(len(setting.seats)), 0)
    given = document.get("opening")
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


@dataclass(slots=True)
class Replay:
    """A session being played again: balances, whose turn it is to deal, and what each deal paid.

    ``terms`` says by which rules and in which order the deal at hand is played, ``last`` who
    dealt the one before, what became of it, how it was played, and its sheet.
    """

    setting: Setting
    reading: Reading
    balances: dict[Seat, int]
    terms: Terms
    last: tuple[Turn, Outcome, Terms, Any] | None = None
    played: int = 0
    rules_read: int = 0
    progress: Progress = UNDECIDED
    rows: list[tuple[Seat, dict[Seat, int], dict[Seat, int]]] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def play(self, deal: Any, path: str) -> None:
        """Play the next deal of the file, noting what is wrong with it."""
        deal = read_object(deal, DEAL_KEYS, self.reading, path)
        if deal is None:
            return
        check_form(deal.get("play"), self.reading, f"{path}.play")
        self._read_terms(deal, path)
        value = deal.get("outcome", Outcome.PLAYED.value)
        outcome: Outcome | None = READ_OUTCOME(value, self.reading, f"{path}.outcome")
        self._check_outcome(outcome, path)
        turn = self._read_turn(deal, path)
        table = self._table(deal, turn.dealer, path)
        if outcome is None or table is None:
            return
        score, sheet = self._score(outcome, deal, table, turn, path)
        if deal.get("play"):
            self._compare(deal, sheet, table, turn, path)
        self._book(score, sheet, outcome, turn, path)

    def _check_outcome(self, outcome: Outcome | None, path: str) -> None:
        """Note an outcome that these rules don't know."""
        known = (*ALWAYS, *self.setting.game.outcomes(self.terms.rules))
        if outcome is not None and outcome not in known:
            message = say("By these rules no deal ends as %(outcome)s.", outcome=outcome.value)
            self.warnings.append(Problem("odd-outcome", f"{path}.outcome", message))

    def look_ahead(self, following: dict[str, Any]) -> None:
        """Note what is wrong with what changed after the last deal."""
        self._read_terms(following, "next")
        game, rules = self.setting.game, self.terms.rules
        active = game.active(self._expected().dealer, self.terms.order, rules)
        counts = game.seating(rules).playing
        wrong = wrong_count(len(active), counts, "next.seats") if following else None
        self.reading.problems += [wrong] if wrong else []

    def _read_terms(self, deal: dict[str, Any], path: str) -> None:
        """Read the rules and the order of play that hold from this deal on, where they change."""
        if deal.get("rules") is not None:
            self._read_rules(deal["rules"], f"{path}.rules")
        if deal.get("seats") is not None:
            order = self._read_names(deal["seats"], f"{path}.seats")
            if order is None:
                return
            if not order or len(set(order)) != len(order):
                message = say("Everybody at the table has one place.")
                self.reading.fault("seats-order", f"{path}.seats", message)
                return
            self.terms = replace(self.terms, order=tuple(order))

    def _read_rules(self, data: object, path: str) -> None:
        self.rules_read += 1
        if self.rules_read > MOST_RULES:
            message = say("The rules change more often than %(most)s times.", most=MOST_RULES)
            self.reading.fault("too-many-rules", path, message)
            return
        rules, problems = rules_of(self.setting.game, data, path)
        self.reading.problems += problems
        self.terms = replace(self.terms, rules=rules)

    def _read_turn(self, deal: dict[str, Any], path: str) -> Turn:
        name, seats, turn = deal.get("dealer"), self.setting.seats, self._expected()
        if name is None:
            return turn
        dealer = read_player(name, seats, self.reading, f"{path}.dealer")
        if dealer is None:
            return turn
        if dealer not in self._still_in().order:
            message = say("%(name)s is not at the table.", name=seats[dealer])
            self.reading.fault("not-at-the-table", f"{path}.dealer", message)
            return turn
        if self.last and dealer != turn.dealer:
            message = say("By the rules %(name)s would have dealt.", name=seats[turn.dealer])
            self.warnings.append(Problem("dealer-turn", f"{path}.dealer", message))
        return turn._replace(dealer=dealer)

    def _expected(self) -> Turn:
        """Whose turn it is by the rules."""
        here = self._still_in()
        if self.last is None or not here.order:
            return Turn((here.order or self.terms.order)[0])
        turn, outcome, before, sheet = self.last
        return turn_of(self.setting.game, (turn, outcome), before, here, sheet)

    def _table(self, deal: dict[str, Any], dealer: Seat, path: str) -> Table[Any] | None:
        game, rules, order = self.setting.game, self.terms.rules, self._still_in().order
        names = deal.get("sits_out")
        if names is None or names == []:
            active = game.active(dealer, order, rules)
            fits = len(order) in game.seating(rules).for_deal
        else:
            out = self._read_names(names, f"{path}.sits_out")
            if out is None:
                return None
            active = tuple(seat for seat in order if seat not in out)
            fits = len(active) in game.seating(rules).playing
        if not fits:
            message = say(
                "So %(count)s of %(all)s would play, and these rules are for %(wanted)s.",
                count=len(active),
                all=len(order),
                wanted=" / ".join(map(str, game.seating(rules).playing)),
            )
            self.reading.fault("seats-count", f"{path}.sits_out", message)
            return None
        return Table(rules, self.setting.seats, active, order, dict(self.balances))

    def _still_in(self) -> Terms:
        """How the deal at hand is played by those who are not out."""
        terms = self.terms
        order = self.setting.game.still_in(terms.order, self.balances, terms.rules)
        return terms if order == terms.order else replace(terms, order=order)

    def _read_names(self, names: object, path: str) -> list[Seat] | None:
        if not isinstance(names, list):
            self.reading.fault("wrong-type", path, say("A list of the players' names is needed."))
            return None
        if len(names) > MOST_SEATS:
            message = say("So many people don't fit around a table.")
            self.reading.fault("seats-count", path, message)
            return None
        found = [
            read_player(name, self.setting.seats, self.reading, f"{path}[{number}]")
            for number, name in enumerate(names)
        ]
        seats = [seat for seat in found if seat is not None]
        return seats if len(seats) == len(found) else None

    def _score(
        self, outcome: Outcome, deal: dict[str, Any], table: Table[Any], turn: Turn, path: str
    ) -> tuple[Score, Any]:
        game, sheet_path = self.setting.game, f"{path}.sheet"
        if outcome not in (Outcome.PLAYED, Outcome.PENALTY):
            if deal.get("sheet") is not None:
                message = say("A deal that was not played has no sheet.")
                self.reading.fault("unexpected-sheet", sheet_path, message)
            return NOT_PLAYED, None
        if not require(deal, "sheet", self.reading, path):
            return NOT_PLAYED, None
        if outcome is Outcome.PENALTY:
            penalty, problems = read_penalty(deal["sheet"], table, sheet_path)
            self.reading.problems += problems
            paid = NOT_PLAYED if penalty is None else game.penalty(penalty.offender, table)
            return paid, penalty
        sheet, problems = game.read_sheet(with_times(deal["sheet"], turn.times), table, sheet_path)
        self.reading.problems += problems
        if sheet is None:
            return NOT_PLAYED, None
        self.warnings += placed(game.warnings(sheet, table), sheet_path)
        return game.score(sheet, table), sheet

    def _compare(
        self, deal: dict[str, Any], sheet: Any, table: Table[Any], turn: Turn, path: str
    ) -> None:
        """Compare the cards of a deal with its sheet, where both could be read."""
        from scorer.cards import engine  # late: most sessions have no cards

        game, outcome = self.setting.game, deal.get("outcome", Outcome.PLAYED)
        if outcome != Outcome.PLAYED or not engine.has(game, len(table.active)):
            self.warnings.append(not_kept(f"{path}.play"))
        elif sheet is not None and isinstance(deal["play"], dict):
            unread, odd = compare(game, deal["play"], sheet, table, turn.dealer)
            self.reading.problems += placed(unread, path)
            self.warnings += placed(odd, path)

    def _book(self, score: Score, sheet: Any, outcome: Outcome, turn: Turn, path: str) -> None:
        game, rules = self.setting.game, self.terms.rules
        if self.progress.finished:
            message = say("The session had already come to its end: this was played on.")
            self.warnings.append(Problem("played-on", path, message))
        for seat, amount in score.payouts.items():
            self.balances[seat] += amount
        self.played += outcome is Outcome.PLAYED
        self.rows.append((turn.dealer, dict(score.payouts), dict(self.balances)))
        self.last = turn, outcome, self.terms, sheet if outcome is Outcome.PLAYED else None
        if not self.progress.finished:
            tally = Tally(self.balances, self.played, sheet, self.terms.order)
            self.progress = game.progress(tally, rules)

    def told(self) -> Answer:
        """Tell every deal, the standings and the end, by the players' names."""
        names, progress = self.setting.seats, self.progress
        lowest = self.setting.game.leads_lowest(self.terms.rules)
        return {
            "deals": [
                {
                    "number": number,
                    "dealer": names[dealer],
                    "payouts": self.by_name(payouts),
                    "balances": self.by_name(balances),
                }
                for number, (dealer, payouts, balances) in enumerate(self.rows, start=1)
            ],
            "standings": [
                {"place": place, "player": names[seat], "balance": balance}
                for place, seat, balance in standings(self.balances, lowest_first=lowest)
            ],
            "finished": progress.finished,
            "winners": [names[seat] for seat in progress.winners],
        }

    def by_name(self, amounts: Mapping[Seat, int]) -> dict[str, int]:
        """Write amounts by the players' names."""
        return {self.setting.seats[seat]: amount for seat, amount in amounts.items()}


def _answer(session: Replay | None, reading: Reading, translate: Translate) -> Answer:
    warnings = session.warnings if session else []
    if len(warnings) > MOST_PROBLEMS:  # so that what tells where the end was is told
        warnings = sorted(warnings, key=lambda one: one.code != "played-on")
    whole = session if not reading.problems else None
    nothing: Answer = {"deals": [], "standings": [], "finished": False, "winners": []}
    answer = {
        "ok": not reading.problems,
        **(whole.told() if whole else nothing),
        "problems": problem_list(reading.problems, translate),
        "warnings": problem_list(warnings, translate),
    }
    if whole and whole.progress.victory_points is not None:
        answer["victory_points"] = whole.by_name(whole.progress.victory_points)
    return answer
