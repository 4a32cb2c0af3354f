from typing import Any

import pytest

from scorer.games.briscola_chiamata import GAME
from scorer.rules.game import Outcome, Table
from scorer.rules.seats import all_seats
from tests.data.examples import NAMES

SHEET: dict[str, Any] = {"caller": "Ada", "bid": "75", "partner": "Bea", "card_points": 80}


def table_for(rules: object) -> Table[Any]:
    read, problems = GAME.rules_from(rules)
    assert problems == []
    return Table(read, NAMES[: read.players], all_seats(read.players))


@pytest.mark.parametrize(
    ("rules", "change", "summary", "headline"),
    [
        pytest.param("classic", {}, "Ada: 75 points, made, 80 (75 needed)",
                     "Ada with Bea: made, 80 (75 needed)", id="made"),
        pytest.param("classic", {"card_points": 60}, "Ada: 75 points, missed, 60 (75 needed)",
                     "Ada with Bea: missed, 60 (75 needed)", id="missed"),
        pytest.param("ladder-bands", {"bid": "K", "partner": None},
                     "Ada: King, made, 80 (61 needed)",
                     "Ada played alone: made, 80 (61 needed)", id="a rank, alone"),
        pytest.param("ladder-bands", {"bid": "2@70"}, "Ada: Two at 70, made, 80 (70 needed)",
                     "Ada with Bea: made, 80 (70 needed)", id="points after a two"),
        pytest.param({"preset": "classic", "auction": {"style": "none"}}, {},
                     "Ada: made, 80 (75 needed)", "Ada with Bea: made, 80 (75 needed)",
                     id="nothing is bid"),
        pytest.param("classic", {"card_points": None, "made": True}, "Ada: 75 points, made",
                     "Ada with Bea: made", id="made, not counted"),
        pytest.param("classic", {"card_points": None, "made": False}, "Ada: 75 points, missed",
                     "Ada with Bea: missed", id="missed, not counted"),
    ],
)  # fmt: skip
def test_deal_is_told_in_a_line_and_in_a_sentence(
    rules: object, change: dict[str, Any], summary: str, headline: str
) -> None:
    table = table_for(rules)
    sheet, _ = GAME.read_sheet({**SHEET, **change}, table)
    assert sheet is not None

    assert str(GAME.summary(sheet, table)) == summary
    assert str(GAME.headline(sheet, table)) == headline


@pytest.mark.parametrize(
    ("rules", "change", "facts"),
    [
        pytest.param(
            "classic", {},
            ["Caller: Ada", "Bid: 75 points", "Partner: Bea", "Result: made, 80 (75 needed)"],
            id="an ordinary deal",
        ),
        pytest.param(
            "monte-5",
            {"called_card": "8C", "tricks_won": 5, "shown": True, "blind": True, "times": 2},
            ["Caller: Ada", "Bid: 75 points", "Called card: Jack of cups", "Partner: Bea",
             "Result: made, 80 (75 needed)", "Tricks of the caller's side: 5",
             "The called card was shown: yes", "Bid blind: yes", "Counts: double"],
            id="all that can be written down",
        ),
        pytest.param(
            "classic", {"partner": None, "card_points": 120, "cappotto": True},
            ["Caller: Ada", "Bid: 75 points", "Partner: nobody (played alone)",
             "Result: made, 120 (75 needed)",
             "Cappotto: yes"],
            id="alone, and everything taken",
        ),
        pytest.param(
            {"preset": "classic", "auction": {"style": "none"}}, {"called_card": "KC"},
            ["Caller: Ada", "Called card: King of cups", "Partner: Bea",
             "Result: made, 80 (75 needed)"],
            id="where nothing is bid",
        ),
    ],
)  # fmt: skip
def test_facts_are_what_was_written_down(
    rules: object, change: dict[str, Any], facts: list[str]
) -> None:
    table = table_for(rules)
    sheet, _ = GAME.read_sheet({**SHEET, **change}, table)
    assert sheet is not None

    assert [f"{fact.label}: {fact.value}" for fact in GAME.facts(sheet, table)] == facts


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ({"caller": "Ada", "bid": "K"}, "Ada bid the King"),
        (
            {"caller": "Ada", "bid": "2@70", "called_card": "2B"},
            "Ada bid the Two at 70 and called the Two of batons",
        ),
    ],
)
def test_deal_under_way_says_who_called_what(start: dict[str, Any], words: str) -> None:
    table = table_for("ladder-bands")
    read, problems = GAME.read_start(start, table)

    assert problems == []
    assert str(GAME.started(read, table)) == words


@pytest.mark.parametrize(
    ("partner", "roles"),
    [("Bea", {0: "caller", 1: "partner"}), (None, {0: "alone"})],
)
def test_roles_are_those_of_the_caller_s_side(partner: str | None, roles: dict[int, str]) -> None:
    sheet, _ = GAME.read_sheet({**SHEET, "partner": partner}, table_for("classic"))
    assert sheet is not None

    assert GAME.roles(sheet) == roles
    assert GAME.bid(sheet) == "75"


@pytest.mark.parametrize(
    ("style", "kind"), [("points", "points"), ("none", ""), ("ladder", "cards")]
)
def test_kind_of_a_table_is_what_one_bids_with(style: str, kind: str) -> None:
    assert GAME.kind(table_for({"preset": "classic", "auction": {"style": style}}).rules) == kind


@pytest.mark.parametrize(
    ("slug", "more"),
    [("classic", []), ("scighera", [Outcome.THROWN_IN]), ("monte-5", [Outcome.REDEAL])],
)
def test_deal_comes_to_nothing_in_the_ways_of_its_rules(slug: str, more: list[Outcome]) -> None:
    outcomes = GAME.outcomes(GAME.presets[slug])

    assert outcomes == (Outcome.MISDEAL, Outcome.ALL_PASSED, *more)


@pytest.mark.parametrize(
    ("count", "data", "fitted"),
    [
        pytest.param(5, {"preset": "classic"}, {"preset": "classic"}, id="as many as play"),
        pytest.param(6, {"preset": "classic"}, {"preset": "classic", "sits_out": "dealer"},
                     id="one more"),
        pytest.param(7, {"preset": "classic"}, {"preset": "classic", "sits_out": "dealer"},
                     id="two more"),
        pytest.param(7, {"preset": "monte-7"}, {"preset": "monte-7"}, id="already so"),
        pytest.param(7, {"preset": "monte-6"}, {"preset": "monte-6", "sits_out": "dealer"},
                     id="seven for col monte"),
        pytest.param(6, {"preset": "whist"}, {"preset": "whist"}, id="rules with a problem"),
    ],
)  # fmt: skip
def test_rules_are_fitted_to_how_many_came(
    count: int, data: dict[str, Any], fitted: dict[str, Any]
) -> None:
    assert GAME.rules_for(count, data) == fitted


def test_end_of_the_session_is_said_in_a_few_words() -> None:
    assert str(GAME.end_text(GAME.presets["classic"])) == "To 15 points"


@pytest.mark.parametrize(
    ("partner", "sides"),
    [
        pytest.param("Ciro", ((0, 2), (1, 3, 4)), id="partner"),
        pytest.param(None, ((0,), (1, 2, 3, 4)), id="alone"),
    ],
)
def test_callers_side_plays_against_the_others(
    partner: str | None, sides: tuple[tuple[int, ...], ...]
) -> None:
    table = table_for("classic")
    sheet, _ = GAME.read_sheet({**SHEET, "partner": partner}, table)

    assert GAME.sides(table.active, table.rules, sheet) == sides


def test_without_a_sheet_everybody_is_for_himself() -> None:
    assert GAME.sides(all_seats(3), GAME.preset) == ((0,), (1,), (2,))
