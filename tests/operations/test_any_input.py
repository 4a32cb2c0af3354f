import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorer.games import all_games
from scorer.operations import replay, score
from tests.data import golden
from tests.data.documents import GONE, paths, replaced
from tests.data.strategies import examples

KEYS = [
    "cards", "coins", "settebello", "primiera", "sweeps", "aces", "thirds", "hand_points",
    "declarations", "closed", "hands", "buy_in", "clean", "melded", "pot_taken", "alone", "target",
    "id", "game", "rules", "seats", "sheet", "dealer", "format", "title", "date", "opening",
    "deals", "outcome", "sits_out", "play", "preset", "caller", "bid", "partner", "card_points",
    "score", "bands", "loss", "cappotto", "auction", "session", "offender", "Ada", "",
]  # fmt: skip
VALUES = [
    "scopa", "briscola", "burraco", "scala-quaranta", "tresette", [0, 0], [1, None], [[], []], 7,
    "briscola-chiamata", "classic", "monte-7", "Ada", "Bea", "K", "2@75", "61", "KC", "played",
    "penalty", "thrown-in", "scorer-session/1", "100%s", "%(name)s", "\ud800", "\x00", "", [],
    {}, 0, 1, -1, 61, 119, 120, 121, 10**30, 0.5, 1e308,
]  # fmt: skip
LEAF = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6)
    | st.sampled_from(VALUES)
)
KEY = st.sampled_from(KEYS) | st.text(max_size=4)
ANY_JSON = st.recursive(
    LEAF,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEY, inner, max_size=6),
    max_leaves=12,
)
ANY_OBJECT = st.dictionaries(KEY, ANY_JSON, max_size=8)
REPLAYED = {"ok", "deals", "standings", "finished", "winners", "problems", "warnings"}
GOLDEN_DEALS = st.sampled_from([deal for game in all_games() for deal in golden.deals(game)])
GOLDEN_SESSIONS = st.sampled_from(
    [evening.session for game in all_games() for evening in golden.evenings(game)]
)


@st.composite
def mutated(draw: st.DrawFn, documents: st.SearchStrategy[dict[str, Any]]) -> Any:
    """Give a sound document in which one to three things were changed, taken away or put in."""
    document: Any = draw(documents)
    for _ in range(draw(st.integers(1, 3))):
        places = paths(document)
        path = draw(st.sampled_from(places))
        if draw(st.booleans()) and isinstance(document, dict):
            path = (*path[:-1], draw(KEY)) if path and isinstance(path[-1], str) else path
        document = replaced(document, path, draw(ANY_JSON | st.just(GONE)))
    return document


def check_problems(problems: Any) -> None:
    assert isinstance(problems, list)
    for problem in problems:
        assert set(problem) == {"code", "field", "message"}
        assert re.fullmatch(r"[a-z0-9-]+", problem["code"])
        assert isinstance(problem["field"], str)
        assert problem["message"]
        assert "%(" not in problem["message"].replace("%(name)s", "")


def check_scored(request: Any, answer: dict[str, Any]) -> None:
    json.dumps(answer, allow_nan=False)
    if answer["ok"]:
        assert set(answer) == {"id", "ok", "made", "payouts", "why", "warnings"}
        assert set(answer["payouts"]) <= set(request["seats"])
        assert all(type(amount) is int for amount in answer["payouts"].values())
        check_problems(answer["warnings"])
    else:
        assert set(answer) == {"id", "ok", "problems"}
        assert answer["problems"]
        check_problems(answer["problems"])


def check_replayed(document: Any, answer: dict[str, Any]) -> None:
    json.dumps(answer, allow_nan=False)
    assert set(answer) - {"victory_points"} == REPLAYED
    check_problems([*answer["problems"], *answer["warnings"]])
    assert answer["ok"] == (not answer["problems"])
    if answer["ok"]:
        assert len(answer["deals"]) == len(document["deals"])
        assert [row["number"] for row in answer["deals"]] == [*range(1, len(answer["deals"]) + 1)]
        assert sorted(row["player"] for row in answer["standings"]) == sorted(document["seats"])
        assert set(answer["winners"]) <= set(document["seats"])
    else:
        assert answer["deals"] == answer["standings"] == answer["winners"] == []
        assert answer["finished"] is False


@examples(100)
@given(ANY_JSON | ANY_OBJECT)
def test_anything_may_be_sent_to_be_scored_or_replayed(document: Any) -> None:
    check_scored(document, score(document))
    check_replayed(document, replay(document))


@examples(200)
@given(mutated(GOLDEN_DEALS))
def test_any_fault_in_a_deal_of_any_game_is_answered(request: Any) -> None:
    check_scored(request, score(request))


@examples(200)
@given(mutated(GOLDEN_SESSIONS))
def test_any_fault_in_an_evening_of_any_game_is_answered(document: Any) -> None:
    check_replayed(document, replay(document))
