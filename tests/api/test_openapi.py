from __future__ import annotations

import json
from dataclasses import is_dataclass
from enum import Enum
from typing import TYPE_CHECKING
from typing import Any
from typing import get_args

import pytest

from scorer import verbs
from scorer.api.openapi import DOCUMENT
from scorer.games import all_games
from scorer.games.briscola_chiamata.play.record import MOST_CALLS
from scorer.games.briscola_chiamata.play.record import MOST_CARDS
from scorer.games.briscola_chiamata.play.record import MOST_TRICKS
from scorer.games.briscola_chiamata.play.record import TRICK_KEYS
from scorer.games.briscola_chiamata.play.record import Claim
from scorer.rules.game import Outcome
from scorer.rules.sheet import questions
from scorer.verbs.checking import KEYS as CHECK_KEYS
from scorer.verbs.replaying import DEAL_KEYS
from scorer.verbs.replaying import KEYS as SESSION_KEYS
from scorer.verbs.scoring import KEYS as SCORE_KEYS
from tests.samples import DEAL
from tests.samples import RECORD
from tests.samples import SESSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient

SPEC: dict[str, Any] = json.loads(DOCUMENT.read_bytes())
SCHEMAS: dict[str, Any] = SPEC["components"]["schemas"]
GAME = all_games()[0]


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
    for path, operation in (("/score", "post"), ("/check", "post"), ("/replay", "post")):
        content = SPEC["paths"][path][operation]["requestBody"]["content"]["application/json"]
        for name, example in content["examples"].items():
            yield pytest.param(path, example["value"], id=name)


def test_document_is_served_as_it_stands(client: FlaskClient) -> None:
    response = client.get("/api/v1/openapi.json")

    assert response.status_code == 200
    assert response.mimetype == "application/json"
    assert json.loads(response.data) == SPEC


def test_every_route_is_described_and_nothing_else(client: FlaskClient) -> None:
    app: Flask = client.application
    served = {
        (rule.rule.removeprefix("/api/v1").replace("<", "{").replace(">", "}"), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/v1/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }

    assert served == {
        (path, method) for path, operations in SPEC["paths"].items() for method in operations
    }


def test_every_reference_leads_somewhere_and_every_part_is_used() -> None:
    used = set(references(SPEC))

    assert all(resolved({"$ref": reference}) for reference in used)
    assert used == {
        f"#/components/{kind}/{name}"
        for kind, parts in SPEC["components"].items()
        for name in parts
    }


@pytest.mark.parametrize(("path", "body"), list(examples()))
def test_example_is_answered(client: FlaskClient, path: str, body: Any) -> None:
    assert client.post(f"/api/v1{path}", json=body).status_code == 200


def test_example_of_a_failure_is_what_is_answered() -> None:
    malformed = SPEC["components"]["responses"]["Malformed"]["content"]["application/json"]

    assert malformed["example"] == verbs.not_json()


def test_games_presets_and_outcomes_are_all_named() -> None:
    slugs = [slug for game in all_games() for slug in (game.slug, *game.aliases)]
    outcomes = [SCHEMAS[kind]["properties"]["outcome"] for kind in ("PlayedDeal", "PenaltyDeal")]
    empty = SCHEMAS["EmptyDeal"]["properties"]["outcome"]["enum"]

    assert SCHEMAS["GameSlug"]["enum"] == slugs
    assert SCHEMAS["PresetSlug"]["enum"] == list(GAME.presets)
    assert {*(outcome["const"] for outcome in outcomes), *empty} == set(Outcome)


@pytest.mark.parametrize(
    ("schema", "keys"),
    [
        ("ScoreRequest", SCORE_KEYS),
        ("CheckRequest", CHECK_KEYS),
        ("SessionFile", SESSION_KEYS),
        ("PlayedDeal", DEAL_KEYS),
        ("EmptyDeal", DEAL_KEYS),
        ("PenaltyDeal", DEAL_KEYS),
        ("Scored", verbs.score(DEAL)),
        ("Refused", verbs.score({})),
        ("Checked", verbs.check(RECORD)),
        ("NotChecked", verbs.check({**RECORD, "tricks": [["7B", "7B"]]})),
        ("Malformed", verbs.not_json()),
        ("Replayed", verbs.replay(SESSION)),
        ("NotReplayed", verbs.replay({})),
        ("Problem", verbs.score({})["problems"][0]),
    ],
)
def test_objects_have_the_keys_that_are_described(schema: str, keys: Any) -> None:
    assert set(SCHEMAS[schema]["properties"]) == set(keys)
    assert SCHEMAS[schema]["additionalProperties"] is False


def test_every_key_of_a_rule_set_is_described_and_always_there() -> None:
    for rules in verbs.rule_sets():
        assert set(SCHEMAS["RuleSet"]["required"]) == set(rules)
        assert set(SCHEMAS["RuleParts"]["properties"]) == {"preset", *rules}


def test_questions_are_described_with_their_choices_and_limits() -> None:
    check_questions(GAME.sheet_type, SCHEMAS["Sheet"])
    assert set(SCHEMAS["Sheet"]["required"]) == {
        question.name for question in questions(GAME.sheet_type) if question.required
    }
    check_questions(GAME.rules_type, SCHEMAS["RuleParts"])


def test_trick_records_are_described_with_their_limits() -> None:
    record, (_, trick) = SCHEMAS["CheckRequest"]["properties"], SCHEMAS["Trick"]["anyOf"]
    claim = SCHEMAS["Claim"]

    check_questions(Claim, claim)
    assert claim["properties"].keys() == {q.name for q in questions(Claim)} | {"player_points"}
    assert set(claim["required"]) == {q.name for q in questions(Claim) if q.required}
    assert set(trick["properties"]) == TRICK_KEYS
    assert record["tricks"]["maxItems"] == MOST_TRICKS
    assert record["auction"]["maxItems"] == MOST_CALLS
    assert SCHEMAS["Cards"]["maxItems"] == MOST_CARDS


def check_questions(kind: type[Any], schema: Any) -> None:
    for question in questions(kind):
        described = resolved(schema["properties"][question.name])
        (inner, *_) = [part for part in get_args(question.kind) or [question.kind]
                       if part is not type(None)]  # fmt: skip
        if isinstance(inner, type) and is_dataclass(inner) and "properties" in described:
            check_questions(inner, described)
        elif isinstance(inner, type) and issubclass(inner, Enum):
            assert {*described["enum"]} - {None} == {choice.value for choice in inner}
        elif inner is int and question.ask is not None:
            limits = (described["minimum"], described["maximum"])
            assert limits == (question.ask.low, question.ask.high)
