"""Operations without cards: ``score`` a deal, ``replay`` a session, list ``rules``."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Literal

from scorer.errors import MOST_PROBLEMS, Problem, UnknownGameError
from scorer.evening.document import read_document
from scorer.evening.evening import Evening
from scorer.evening.setting import read_setting, require
from scorer.games import all_games
from scorer.operations.requests import (
    Answer,
    ListedProblem,
    Request,
    Translate,
    problem_list,
    refused,
)
from scorer.rules.game import Game, Score, Table
from scorer.rules.questions import Reading, placed, read_object, write
from scorer.shapes import Name, Points, Shape, Sheet, gives, keys, written


class ScoreRequest(Request):
    """A deal to be paid."""

    sheet: Sheet = gives("The sheet of the deal.")


class WhyStep(Shape):
    """A step of the arithmetic."""

    rule: str = gives("The rule that it follows.")
    text: str = gives("The step in words.")


class Scored(Shape):
    """The payouts of a deal and their reasons."""

    id: object = gives("The id of the request, or null.")
    ok: Literal[True] = gives("Always true.")
    made: bool | None = gives("Whether the bid was made; null where there is none, and for a draw.")
    payouts: Points = gives("The payouts by name, in order of play.")
    why: list[WhyStep] = gives("The arithmetic, step by step.")
    warnings: list[ListedProblem] = gives("What is odd but may have been so at the table.")


class PlayedDeal(Shape):
    """A deal that was played again."""

    number: int = gives("Its number in the session, from 1.")
    dealer: Name = gives("Who dealt.")
    payouts: Points = gives("The payouts by name.")
    won: list[Name] = gives("Who won it.")
    balances: Points = gives("The balances after it, by name.", lambda deal: deal.named_totals)


class ReplayedStanding(Shape):
    """A player in the standings of a session."""

    place: int = gives("The place; who is level shares it.", itemgetter(0))
    player: Name = gives("The name.", itemgetter(1))
    balance: int = gives("The sum of the payouts and of what was brought in.", itemgetter(2))


class Replayed(Shape):
    """A session that was played again; one with problems has no deals and no standings."""

    ok: bool = gives("Whether there are no problems.")
    deals: list[PlayedDeal] = gives("Every deal.")
    standings: list[ReplayedStanding] = gives("The standings, the first one first.")
    finished: bool = gives("Whether the session is over by its rules.")
    winners: list[Name] = gives("Who has won it.")
    victory_points: Points = gives("At the end, where the rules have them, by name.", unsaid=True)
    problems: list[ListedProblem] = gives("What is wrong with the file.")
    warnings: list[ListedProblem] = gives("What is odd but may have been so at the table.")


KEYS = keys(ScoreRequest)


def score(request: object, translate: Translate = str) -> Answer:
    """Answer one request: the payouts and their reasons, or every problem with its field."""
    reading = Reading()
    request = read_object(request, KEYS, reading)
    if request is None:
        return refused(None, reading.problems, translate)
    has_sheet = require(request, "sheet", reading)
    setting = read_setting(request, reading)
    if setting is None or not has_sheet:
        return refused(request.get("id"), reading.problems, translate)
    reading.at(setting.seats, setting.deck)
    table = setting.table(setting.read_dealer(request.get("dealer"), reading))
    sheet, problems = setting.game.read_sheet(request["sheet"], table)
    reading.problems += problems
    if reading.problems:
        return refused(request.get("id"), reading.problems, translate)
    return {
        "id": request.get("id"),
        "ok": True,
        **paid(setting.game.score(sheet, table), table, translate),
        "warnings": problem_list(placed(setting.game.warnings(sheet, table), "sheet"), translate),
    }


def paid(score: Score, table: Table[Any], translate: Translate) -> Answer:
    """Write a score with the players' names, step by step."""
    return {
        "made": score.made,
        "payouts": {table.name(seat): amount for seat, amount in score.payouts.items()},
        "why": [written(WhyStep, step, translate) for step in score.steps],
    }


def replay(document: object, translate: Translate = str) -> Answer:
    """Answer a session file: every deal's payouts and balances, the standings, and the end."""
    evening, problems, warnings = played(document)
    answer: Answer = {
        "ok": not problems,
        "deals": [],
        "standings": [],
        "finished": False,
        "winners": [],
        "problems": problem_list(problems, translate),
        "warnings": problem_list(warnings, translate),
    }
    if evening is None:
        return answer
    names, progress = evening.names, evening.progress
    answer |= {
        "deals": [written(PlayedDeal, deal) for deal in evening.deals],
        "standings": [written(ReplayedStanding, row) for row in evening.standings()],
        "finished": progress.finished,
        "winners": [*progress.winners],
    }
    if evening.result.victory_points is not None:
        answer["victory_points"] = {
            names[seat]: points for seat, points in evening.result.victory_points.items()
        }
    return answer


def played(document: object) -> tuple[Evening | None, Sequence[Problem], Sequence[Problem]]:
    """Play a session file again; return its evening if nothing is wrong, problems and warnings.

    If there are many warnings, those about the end of the session come first.
    """
    reading = Reading()
    reader = read_document(document, reading, Evening)
    evening = reader.evening if reader and not reading.problems else None
    warnings = reader.warnings if reader else []
    if len(warnings) > MOST_PROBLEMS:
        warnings = sorted(warnings, key=lambda warning: warning.code != "played-on")
    return evening, reading.problems, warnings


def rule_sets(word: str | None = None) -> list[Answer]:
    """Return every preset of a game, or of all games; raise UnknownGameError.

    What is no game finds the presets with it in their name, or in that of their game.
    """
    presets = [(game, rules) for game in all_games() for rules in game.presets.values()]
    if word is not None:
        of_game = [pair for pair in presets if word in (pair[0].slug, *pair[0].aliases)]
        presets = of_game or [
            (game, rules)
            for game, rules in presets
            if word and word in f"{game.slug} {game.name} {rules.slug} {rules.name}"
        ]
        if not presets:
            raise UnknownGameError(word)
    return [rule_set(game, rules) for game, rules in presets]


def rule_set(game: Game[Any, Any], rules: Any) -> Answer:
    """Write one rule set with its computed facts; ``score`` and ``replay`` take it as ``rules``."""
    return {"game": game.slug, **write(rules), **game.balance_checks(rules)}
