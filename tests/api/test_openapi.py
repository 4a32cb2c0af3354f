import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from enum import Enum
from typing import Any, get_args, get_origin

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer import operations
from scorer.api import openapi
from scorer.api.openapi import described as document
from scorer.cards.call import MOST_CALLS, Claim
from scorer.cards.records import MOST_CARDS, MOST_PEOPLE, MOST_TRICKS, TRICK_KEYS
from scorer.evening.document import DEAL_KEYS, PLAY_KEYS
from scorer.evening.document import KEYS as SESSION_KEYS
from scorer.games import all_games
from scorer.operations.checking import KEYS as CHECK_KEYS
from scorer.operations.scoring import KEYS as SCORE_KEYS
from scorer.operations.solving import KEYS as SOLVE_KEYS
from scorer.rules.game import Game, Outcome
from scorer.rules.match import Tie
from scorer.rules.seats import PerSide
from scorer.rules.sheet import Ask, inner_kind, questions
from scorer.tournaments.facts import Plan
from scorer.tournaments.reading import ENTRY_KEYS, POINTS_KEYS, ROUND_KEYS, TABLE_KEYS
from scorer.tournaments.reading import KEYS as TOURNAMENT_KEYS
from tests.cards.sides_deals import briscola
from tests.samples import CLUB_EVENING, DEAL, RECORD, TOURNAMENT

SPEC: dict[str, Any] = document()
SCHEMAS: dict[str, Any] = SPEC["components"]["schemas"]
LISTED = {"items", "prefixItems"}
GAMES = [pytest.param(game, id=game.slug) for game in all_games()]


def resolved(schema: Any) -> Any:
    """Follow a reference within the document."""
    while "$ref" in schema:
        at = SPEC
        for key in schema["$ref"].removeprefix("#/").split("/"):
            at = at[key]
        schema = at
    return schema


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from references(inner)


def examples() -> Iterator[Any]:
    for path, operation in (
        ("/score", "post"),
        ("/check", "post"),
        ("/solve", "post"),
        ("/replay", "post"),
        ("/tournament", "post"),
        ("/import-table", "post"),
    ):
        content = SPEC["paths"][path][operation]["requestBody"]["content"]["application/json"]
        for name, example in content["examples"].items():
            yield pytest.param(path, example["value"], id=name)


def test_document_is_served_with_all_the_games(client: FlaskClient) -> None:
    response = client.get("/api/v1/openapi.json")

    assert response.status_code == 200
    assert response.mimetype == "application/json"
    assert json.loads(response.data) == SPEC


def test_document_is_valid_to_a_strict_validator() -> None:
    # Loaded here: it takes seconds, and every worker loads every module.
    from openapi_spec_validator import OpenAPIV31SpecValidator

    OpenAPIV31SpecValidator(SPEC).validate()


def test_every_route_is_described_and_nothing_else(client: FlaskClient) -> None:
    app: Flask = client.application
    served = {
        (
            re.sub(r"<(?:\w+(?:\(.*?\))?:)?(\w+)>", r"{\1}", rule.rule.removeprefix("/api/v1")),
            method.lower(),
        )
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/v1/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }

    assert served == {
        (path, method) for path, operations in SPEC["paths"].items() for method in operations
    }


def test_every_operation_is_summed_up_for_whoever_calls_it() -> None:
    summaries = [one["summary"] for path in SPEC["paths"].values() for one in path.values()]

    assert all(summaries)
    assert [one for one in summaries if "raise" in one.casefold() or one.endswith(".")] == []


def test_every_reference_leads_somewhere_and_every_part_is_used() -> None:
    used = set(references(SPEC))

    assert all(resolved({"$ref": reference}) for reference in used)
    assert used == {
        f"#/components/{kind}/{name}"
        for kind, parts in SPEC["components"].items()
        if kind != "securitySchemes"  # these are named, not referred to
        for name in parts
    }


def subschemas(part: Any) -> Iterator[Any]:
    """Give every schema that stands where some generators of clients take no true or false."""
    for key, inner in part.items() if isinstance(part, dict) else enumerate(part):
        if key in {"properties", "items", "anyOf", "allOf", "not"}:
            yield from inner.values() if key == "properties" else [inner]
        if isinstance(inner, dict | list):
            yield from subschemas(inner)


def test_no_answer_is_described_by_true_or_false() -> None:
    assert [one for one in subschemas(SPEC) if isinstance(one, bool)] == []


def objects(part: Any) -> Iterator[dict[str, Any]]:
    """Give every object within a part of the document."""
    if isinstance(part, dict):
        yield part
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from objects(inner)


def test_generators_of_clients_know_what_is_in_a_list_and_what_an_object_is_called() -> None:
    typed = (one for one in objects(SCHEMAS) if isinstance(one.get("type"), str | list))
    kinds = [(one["type"], one) for one in typed]

    assert [one for kind, one in kinds if kind == "array" and not one.keys() & LISTED] == []
    assert [one for kind, one in kinds if "null" in kind and "properties" in one] == []


def test_null_is_among_the_choices_where_it_is_an_answer() -> None:
    assert openapi._answer(Tie, Ask("Tie"), {}, optional=True) == {
        "type": ["string", "null"],
        "enum": ["play-on", "shared", None],
    }


@pytest.mark.parametrize(("path", "body"), list(examples()))
def test_example_is_answered(client: FlaskClient, path: str, body: Any) -> None:
    assert client.post(f"/api/v1{path}", json=body).status_code == 200


def test_example_of_a_failure_is_what_is_answered() -> None:
    malformed = SPEC["components"]["responses"]["Malformed"]["content"]["application/json"]

    assert malformed["example"] == operations.not_json()


def test_games_presets_and_outcomes_are_all_named() -> None:
    slugs = [slug for game in all_games() for slug in (game.slug, *game.aliases)]
    presets = dict.fromkeys(preset for game in all_games() for preset in game.presets)
    outcomes = [
        SCHEMAS[kind]["properties"]["outcome"]
        for kind in ("PlayedDeal", "PenaltyDeal", "AgreedDeal")
    ]
    empty = SCHEMAS["EmptyDeal"]["properties"]["outcome"]["enum"]

    assert SCHEMAS["GameSlug"]["enum"] == slugs
    assert SCHEMAS["PresetSlug"]["enum"] == list(presets)
    assert set(SCHEMAS["Outcome"]["enum"]) == set(Outcome)
    assert {*(outcome["const"] for outcome in outcomes), *empty} == set(Outcome)


def keys_of_every_object() -> dict[str, Any]:
    """Give the keys, or an object that has them, by what it is called."""
    return {
        "ScoreRequest": SCORE_KEYS,
        "CheckRequest": CHECK_KEYS,
        "SessionFile": SESSION_KEYS,
        "PlayedDeal": DEAL_KEYS,
        "Play": PLAY_KEYS,
        "EmptyDeal": DEAL_KEYS,
        "PenaltyDeal": DEAL_KEYS,
        "Scored": operations.score(DEAL),
        "Refused": operations.score({}),
        "Checked": operations.check(RECORD),
        "CheckedFile": ("ok", "deals", "problems"),
        "NotChecked": operations.check({**RECORD, "tricks": [["7B", "7B"]]}),
        "CheckedSides": operations.check(briscola(1, 4)),
        "NotCheckedSides": operations.check({**briscola(1, 4), "tricks": [["7B", "7B"]]}),
        "SideTaken": operations.check(briscola(1, 4))["sides"][0],
        "SolveRequest": SOLVE_KEYS,
        "Solved": operations.solve(RECORD),
        "Malformed": operations.not_json(),
        "Replayed": operations.replay(TOURNAMENT),
        "NotReplayed": operations.replay({}),
        "TournamentFile": TOURNAMENT_KEYS,
        "TournamentEntry": ENTRY_KEYS,
        "TournamentPoints": POINTS_KEYS,
        "TournamentRound": ROUND_KEYS,
        "TournamentTable": TABLE_KEYS,
        "TournamentPlan": [question.name for question in questions(Plan)],
        "TournamentOutcome": operations.tournament(CLUB_EVENING),
        "TournamentProblems": operations.tournament({}),
        "Problem": operations.score({})["problems"][0],
    }


def test_objects_have_the_keys_that_are_described() -> None:
    for schema, keys in keys_of_every_object().items():
        assert set(SCHEMAS[schema]["properties"]) == set(keys), schema
        assert SCHEMAS[schema]["additionalProperties"] is False


@pytest.mark.parametrize("game", GAMES)
def test_every_key_of_a_rule_set_is_described_and_always_there(game: Game[Any, Any]) -> None:
    rules = game.rules_type.__name__
    whole = SCHEMAS[rules.replace("Rules", "RuleSet")]
    unsaid = {question.name for question in questions(game.rules_type) if question.ask.unsaid}

    for printed in operations.rule_sets(game.slug):
        assert set(whole["required"]) == set(printed) - unsaid
        assert set(SCHEMAS[rules]["properties"]) == {"preset", *printed, *unsaid}


@pytest.mark.parametrize("game", GAMES)
def test_questions_are_described_with_their_choices_and_limits(game: Game[Any, Any]) -> None:
    sheet, rules = (SCHEMAS[kind.__name__] for kind in (game.sheet_type, game.rules_type))

    check_questions(game.sheet_type, sheet)
    assert sheet["properties"].keys() == {question.name for question in questions(game.sheet_type)}
    assert set(sheet.get("required", ())) == {
        question.name for question in questions(game.sheet_type) if question.required
    }
    check_questions(game.rules_type, rules)


def test_sheet_is_that_of_one_of_the_games() -> None:
    for schema, kinds in (
        ("Sheet", [game.sheet_type.__name__ for game in all_games()]),
        ("RuleOverrides", [game.rules_type.__name__ for game in all_games()]),
    ):
        assert [part["$ref"].rpartition("/")[2] for part in SCHEMAS[schema]["anyOf"]] == kinds


def test_trick_records_are_described_with_their_limits() -> None:
    record, (_, trick) = SCHEMAS["CheckRequest"]["properties"], SCHEMAS["Trick"]["anyOf"]
    claim = SCHEMAS["Claim"]

    check_questions(Claim, claim)
    assert claim["properties"].keys() == {q.name for q in questions(Claim)} | {"player_points"}
    assert set(claim["required"]) == {q.name for q in questions(Claim) if q.required}
    assert set(trick["properties"]) == TRICK_KEYS
    assert record["tricks"]["maxItems"] == MOST_TRICKS
    assert SCHEMAS["Auction"]["maxItems"] == MOST_CALLS
    assert SCHEMAS["Hands"]["maxProperties"] == MOST_PEOPLE
    assert SCHEMAS["Cards"]["maxItems"] == MOST_CARDS


def check_questions(kind: type[Any], schema: Any) -> None:
    for question in questions(kind):
        check_answer(question.kind, question.ask, resolved(schema["properties"][question.name]))


def check_answer(kind: Any, ask: Ask, described: Any) -> None:
    inner = inner_kind(kind)
    if get_origin(inner) in (tuple, PerSide):
        check_answer(get_args(inner)[0], ask, resolved(described["items"]))
    elif get_origin(inner) is Mapping:
        check_answer(get_args(inner)[1], ask, resolved(described["additionalProperties"]))
    elif is_dataclass(inner) and isinstance(inner, type) and "properties" in described:
        check_questions(inner, described)
    elif isinstance(inner, type) and issubclass(inner, Enum) and "enum" in described:
        assert {*described["enum"]} - {None} == {choice.value for choice in inner}
    elif inner is int:
        limits = (described.get("minimum"), described.get("maximum"))
        assert limits == (ask.low, ask.high)
