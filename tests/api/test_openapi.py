import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from enum import Enum
from typing import Any, get_args, get_origin

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer import operations
from scorer.api.openapi import described as document
from scorer.games import all_games
from scorer.rules.game import Game
from scorer.rules.questions import Ask, inner_kind, questions
from scorer.rules.seats import PerSide
from scorer.settings import CHECKOUT
from tests.cards.sides_deals import briscola
from tests.samples import RECORD, TOURNAMENT

CONTRACT = (CHECKOUT / "docs/contract.md").read_text(encoding="utf-8")
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


def objects(part: Any) -> Iterator[dict[str, Any]]:
    """Give every object within a part of the document."""
    if isinstance(part, dict):
        yield part
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from objects(inner)


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


def test_generators_of_clients_know_what_is_in_a_list_and_what_an_object_is_called() -> None:
    """Nor do some of them take true or false where a schema stands."""
    schemas = [
        schema
        for one in objects(SPEC)
        for schema in (
            *(one.get(key) for key in ("items", "not")),
            *(inner for key in ("anyOf", "allOf") for inner in one.get(key, ())),
            *one.get("properties", {}).values(),
        )
    ]
    typed = (one for one in objects(SCHEMAS) if isinstance(one.get("type"), str | list))
    kinds = [(one["type"], one) for one in typed]

    assert [schema for schema in schemas if isinstance(schema, bool)] == []
    assert [one for kind, one in kinds if kind == "array" and not one.keys() & LISTED] == []
    assert [one for kind, one in kinds if "null" in kind and "properties" in one] == []


def test_every_route_field_and_type_has_a_plain_sentence() -> None:
    summaries = [one["summary"] for path in SPEC["paths"].values() for one in path.values()]
    known = (one for one in SCHEMAS.values() if one.get("type") == "object")
    fields = [field for one in known for field in one.get("properties", {}).items()]

    assert all(summaries)
    assert [name for name, one in SCHEMAS.items() if not one.get("description")] == []
    described = [(name, {**resolved(one), **one}.get("description")) for name, one in fields if one]
    assert [name for name, sentence in described if sentence in {None, "", name}] == []
    assert len(fields) > 300


def test_games_presets_sheets_and_rules_are_all_named() -> None:
    slugs = [slug for game in all_games() for slug in (game.slug, *game.aliases)]
    presets = dict.fromkeys(preset for game in all_games() for preset in game.presets)
    of_games = {
        "Sheet": {game.sheet_type.__name__ for game in all_games()},
        "RuleOverrides": {game.rules_type.__name__ for game in all_games()},
    }

    assert SCHEMAS["GameSlug"]["enum"] == slugs
    assert SCHEMAS["PresetSlug"]["enum"] == list(presets)
    for schema, kinds in of_games.items():
        assert kinds <= {part["$ref"].rpartition("/")[2] for part in SCHEMAS[schema]["anyOf"]}


@pytest.mark.parametrize(
    ("schema", "operation", "document"),
    [
        ("Refusal", operations.score, {}),
        ("Refusal", lambda _: operations.not_json(), None),
        ("Checked", operations.check, {**RECORD, "tricks": [["7B", "7B"]]}),
        ("CheckedSides", operations.check, briscola(1, 4)),
        ("CheckedSides", operations.check, {**briscola(1, 4), "tricks": [["7B", "7B"]]}),
        ("Replayed", operations.replay, TOURNAMENT),
        ("Replayed", operations.replay, {}),
        ("TournamentOutcome", operations.tournament, {}),
    ],
)
def test_answer_is_as_it_is_described(
    schema: str, operation: Callable[[object], Any], document: Any
) -> None:
    assert faults({"$ref": f"#/components/schemas/{schema}"}, operation(document)) == []


def faults(schema: Any, document: Any) -> list[str]:
    """List where a document is not as a schema of the whole document has it."""
    from openapi_schema_validator import OAS31Validator  # late, as above

    validator = OAS31Validator({**SPEC, **schema})
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]


#: The sections of the contract whose examples are a request and its answer, by their routes.
EXAMPLES = {
    "score": "/score",
    "check": "/check",
    "solve": "/solve",
    "replay": "/replay",
    "Tournaments": "/tournament",
    "Old tables": "/import-table",
}


@pytest.mark.parametrize("heading", EXAMPLES)
def test_examples_of_the_contract_are_as_they_are_described(heading: str) -> None:
    section = CONTRACT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", section, re.DOTALL)]
    operation = SPEC["paths"][EXAMPLES[heading]]["post"]
    bodies = {"anyOf": [content_of(operation["requestBody"])]}
    answers = {"anyOf": [content_of(operation["responses"][status]) for status in ("200", "422")]}

    assert blocks
    assert [faults(bodies, request) for request in blocks[::2]] == [[]] * len(blocks[::2])
    assert [faults(answers, answer) for answer in blocks[1::2]] == [[]] * len(blocks[1::2])


def content_of(part: Any) -> Any:
    return resolved(part)["content"]["application/json"]["schema"]


#: A route of a circle in the table of the contract, with what it says of its bodies and answers.
ROW = re.compile(
    r"^\| `(?:GET|POST|PUT) /api/v1(/circles[^`?]*)[^|]*\| ([^|]*\{.*) \|$", re.MULTILINE
)


def test_paths_and_words_of_the_contract_are_described() -> None:
    told = ROW.findall(CONTRACT)
    paths = {re.sub(r"/[A-Z]\b", "/{}", path) for path, _ in told}
    words = {word for _, said in told for word in re.findall(r'"(\w+)"', said)} - {"Ada"}

    assert len(told) > 5
    assert paths - {re.sub(r"{\w+}", "{}", path) for path in SPEC["paths"]} == set()
    assert words - {name for one in objects(SPEC) for name in one.get("properties", {})} == set()


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
