"""The OpenAPI document: openapi.json, and the schemas of the games' sheets and options.

The schemas are derived from the questions of each game.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args, get_origin

from flask import Response, request

from scorer.api.routes import BYTES, OPERATIONS, Operation, View
from scorer.games import all_games
from scorer.routes import Routes
from scorer.rules.game import Game
from scorer.rules.seats import PerSide, Seat, Side
from scorer.rules.sheet import Ask, Question, inner_kind, questions
from scorer.rules.tables import Rows

Schema = dict[str, Any]
NONE: Mapping[str, Any] = MappingProxyType({})

#: Kinds of answers that are the same in every game, by the names of their schemas.
SHARED = {Seat: "Name", Side: "Side"}
PLAIN = {bool: "boolean", str: "string"}

#: Of a computed check, whether it holds: where the caller has a partner, and alone.
HOLDS = {"type": "object", "additionalProperties": {"type": "boolean"}}

SERVER = b'"url": "/api/v1"'
DOCUMENT = Path(__file__).with_name("openapi.json")

blueprint = Routes("openapi", __name__, url_prefix="/api/v1")


@blueprint.get("/openapi.json")
def document() -> Response:
    """Serve the OpenAPI document; its server is this one, wherever it is mounted."""
    here = f'"url": "{request.script_root}/api/v1"'.encode()
    return Response(_written().replace(SERVER, here, 1), mimetype="application/json")


@cache  # 50 ms
def _written() -> bytes:
    return json.dumps(described(), ensure_ascii=False, indent=1).encode()


def described() -> dict[str, Any]:
    """Return the document with the declared routes of circles, and the schemas of all games."""
    whole: dict[str, Any] = json.loads(DOCUMENT.read_bytes())
    paths, schemas = whole["paths"], whole["components"]["schemas"]
    for operation in OPERATIONS:
        path = paths.setdefault("/circles" + NAMED.sub(r"{\1}", operation.rule), {})
        if operation.method not in path:
            path[operation.method] = _operation(operation, schemas)
    add_games(schemas, all_games())
    return whole


def _operation(operation: Operation, schemas: Schema) -> Schema:
    first, *more = operation.name.split("_")
    reads, body = operation.method == "get", operation.body
    same = {"304": {"description": "The same as with the ETag that was sent."}}
    if body is not None:
        schemas[body.__name__] = _object(body, _text(body), schemas)
    names = [*map(_parameter, NAMED.findall(operation.rule)), *map(_shared, operation.parameters)]
    common = ("Unauthorized", "Forbidden", "NotThere", "TooOften", "Failure")
    failures = (*common, "Malformed", "TooLarge", "Invalid") if body else (*common, "Invalid")
    failures = (*failures, "Conflict") if operation.conflicts else failures
    done = {
        "description": "How it stands.",
        **({"headers": {"ETag": {"schema": {"type": "string"}}}} if reads else {}),
        "content": _content(operation.answer),
    }
    return {
        "operationId": first + "".join(map(str.capitalize, more)),
        "tags": ["circles"],
        "summary": _summary(operation.view),
        "security": [{"link": []}],
        "parameters": [*names, *map(_shared, ("AcceptLanguage", "IfNoneMatch")[: 1 + reads])],
        **({"requestBody": {"required": True, "content": _content(body.__name__)}} if body else {}),
        "responses": {
            "200": done,
            **(
                {"201": done}
                if operation.method == "post" and operation.answer != "WrittenDeal"
                else {}
            ),
            **(same if reads else {}),
            **{STATUS[name]: {"$ref": f"#/components/responses/{name}"} for name in failures},
        },
    }


def _summary(view: View) -> str:
    """Return the first line of a docstring, without the errors that callers in Python see."""
    first, _, _ = (view.__doc__ or "").partition("\n")
    return RAISES.sub("", first).removesuffix(".")


RAISES = re.compile(r"; raise [^.]*")
#: The responses that several routes share, by name.
STATUS = {
    "Conflict": "409",
    "Malformed": "400",
    "Unauthorized": "401",
    "Forbidden": "403",
    "NotThere": "404",
}
STATUS |= {"TooLarge": "413", "Invalid": "422", "TooOften": "429", "Failure": "default"}
#: A part of a route's rule, with its name.
NAMED = re.compile(r"<(?:\w+(?:\(.*?\))?:)?(\w+)>")


def _shared(name: str) -> Schema:
    return {"$ref": f"#/components/parameters/{name}"}


def _parameter(name: str) -> Schema:
    if name in {"circle", "session", "number"}:
        return _shared(name.capitalize())
    kind = {"type": "string"} if name == "season" else {"type": "string", "format": "uuid"}
    return {"name": name, "in": "path", "required": True, "schema": kind}


def _content(answer: str) -> Schema:
    """Describe the content of an answer: a document by its schema, or bytes of a MIME type."""
    if "/" not in answer:
        return {"application/json": {"schema": _reference(answer)}}
    return {kind: {"schema": {"type": "string", "format": "binary"}} for kind in (answer, BYTES)}


def add_games(schemas: Schema, games: Sequence[Game[Any, Any]]) -> None:
    """Add the schemas of all games, and list the games in the choices."""
    for game in games:
        schemas |= _game(game, schemas)
    sheets = [game.sheet_type.__name__ for game in games]
    rules = [game.rules_type.__name__ for game in games]
    schemas["Sheet"]["anyOf"] = list(map(_reference, sheets))
    schemas["RuleOverrides"]["anyOf"] = list(map(_reference, rules))
    schemas["RuleSet"]["anyOf"] = list(map(_reference, map(_whole, rules)))
    schemas["GameSlug"]["enum"] = [slug for game in games for slug in (game.slug, *game.aliases)]
    presets = dict.fromkeys(preset for game in games for preset in game.presets)
    schemas["PresetSlug"]["enum"] = list(presets)


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _whole(rules: str) -> str:
    """Return the name of the schema of a complete rule set."""
    return rules.replace("Rules", "RuleSet")


def _game(game: Game[Any, Any], schemas: Schema) -> Schema:
    sheet, rules, name = game.sheet_type, game.rules_type, game.rules_type.__name__
    options = _part(rules, f"The options of {game.name}.", schemas)
    computed = game.balance_checks(game.preset)
    also = {"preset": _reference("PresetSlug"), "game": {}, **{key: {} for key in computed}}
    options["properties"] = also | options["properties"]
    whole = {
        "description": f"A whole rule set of {game.name}, with what was computed about it.",
        "allOf": [_reference(name)],
        **_complete(rules, {"game": _reference("GameSlug"), **dict.fromkeys(computed, HOLDS)}),
    }
    whole["properties"]["preset"] = {"not": {}}
    written = f"What the scorekeeper writes down for a deal of {game.name}."
    return {sheet.__name__: _object(sheet, written, schemas), name: options, _whole(name): whole}


def _part(kind: type[Any], description: str, schemas: Schema) -> Schema:
    """Describe options of which a document may leave out any, with the groups among them."""
    for group in _groups(kind).values():
        schemas[group.__name__] = _part(group, _text(group), schemas)
    described = _object(kind, description, schemas)
    return {key: described[key] for key in described if key != "required"}


def _complete(kind: type[Any], also: Mapping[str, Any] = NONE) -> Schema:
    """Require the options that a whole rule set, or a group of it, always has."""
    groups = {name: _complete(group) for name, group in _groups(kind).items()}
    said = [question.name for question in questions(kind) if not question.ask.unsaid]
    return {"required": [*also, *said], "properties": {**also, **groups}}


def _groups(kind: type[Any]) -> dict[str, type[Any]]:
    """Return the options that are groups of options."""
    some = {question.name: question.kind for question in questions(kind)}
    kinds = {name: kind for name, kind in some.items() if isinstance(kind, type)}
    return {n: k for n, k in kinds.items() if is_dataclass(k) and not issubclass(k, Rows)}


def _object(kind: type[Any], description: str, schemas: Schema) -> Schema:
    required = [question.name for question in questions(kind) if question.required]
    return {
        "description": description,
        "type": "object",
        **({"required": required} if required else {}),
        "properties": {
            question.name: {
                "description": _sentence(question),
                **_answer(question.kind, question.ask, schemas, optional=question.optional),
            }
            for question in questions(kind)
        },
        "additionalProperties": False,
    }


def _sentence(question: Question) -> str:
    """Return what is asked, with the hint that explains it."""
    hint = question.ask.hint
    return f"{question.label}. {hint}" if hint else str(question.label)


def _text(kind: type[Any]) -> str:
    """Return the first paragraph of a docstring on one line."""
    return " ".join((kind.__doc__ or "").partition("\n\n")[0].split())


def _answer(kind: Any, ask: Ask, schemas: Schema, *, optional: bool) -> Schema:
    """Return the schema of an answer, which may be null where it is optional."""
    described = _not_null(kind, ask, schemas)
    if not optional:
        return described
    if "type" not in described:
        return {"anyOf": [described, {"type": "null"}]}
    choices = {"enum": [*described["enum"], None]} if "enum" in described else {}
    return described | {"type": [described["type"], "null"]} | choices


def _not_null(kind: Any, ask: Ask, schemas: Schema) -> Schema:
    many = get_origin(kind)
    if many in (tuple, PerSide, Mapping):
        part = get_args(kind)[1 if many is Mapping else 0]
        inner = inner_kind(part)
        each = _answer(inner, ask, schemas, optional=inner is not part)
        if many is Mapping:
            return {"type": "object", "additionalProperties": each}
        return {"type": "array", "items": each}
    name = SHARED.get(kind, kind.__name__)
    if name in schemas:
        return _reference(name)
    if kind in PLAIN:
        limit = {} if ask.longest is None else {"maxLength": ask.longest}
        return {"type": PLAIN[kind], **limit}
    if kind is int:
        limits = {"minimum": ask.low, "maximum": ask.high}
        return {"type": "integer"} | {key: n for key, n in limits.items() if n is not None}
    return _game_type(kind, name, schemas)


def _game_type(kind: Any, name: str, schemas: Schema) -> Schema:
    """Return the schema of a type that a game defines: an enum, an object, rows of numbers."""
    if issubclass(kind, Enum):
        return {"type": "string", "enum": [choice.value for choice in kind]}
    if not issubclass(kind, Rows):
        schemas[name] = _object(kind, _text(kind), schemas)
        return _reference(name)
    width = len(kind.columns)
    row = {
        "type": "array",
        "minItems": width,
        "maxItems": width,
        "items": {"type": ["integer", "null"]},
    }
    return {"type": "array", "minItems": 1, "items": row}
