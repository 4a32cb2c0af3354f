"""The OpenAPI document, made from what is declared: routes, their bodies and answers, the games.

Bodies and sheets are described by their questions, answers by their shapes.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from datetime import date, datetime
from enum import Enum
from fractions import Fraction
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin
from uuid import UUID

from flask import Response, request

from scorer.api.answers import JSON
from scorer.api.routes import OPERATIONS, PATH_PART, Operation, Query, View, needs_body
from scorer.cards.call import Claim as ChiamataClaim
from scorer.evening.acts import WrittenSheet
from scorer.evening.agreed import AgreedSheet
from scorer.games import all_games
from scorer.operations.requests import Failure, Refusal
from scorer.routes import Routes
from scorer.rules.bands import Rows
from scorer.rules.cards import Card, Rank, Suit
from scorer.rules.game import Game, PenaltySheet
from scorer.rules.questions import Ask, Question, Unanswered, questions
from scorer.rules.seats import PerSide, Seat, Side
from scorer.shapes import (
    CardName,
    Claim,
    GameSlug,
    Name,
    Points,
    PresetSlug,
    RuleOverrides,
    RuleSet,
    Sheet,
    fields,
    is_shape,
)

Schema = dict[str, Any]

INFO = {
    "title": "Scorer",
    "version": "1",
    "summary": "Keeps the score of Italian card games played at a real table.",
    "description": "The operations of the command line over HTTP, with the same bodies and "
    "answers. They keep nothing: no database, no login. Circles are read and written with the "
    "secret of a key or a link; a link for one phone only opens nothing here. No cookie is looked "
    "at. A body is read as JSON whatever its Content-Type says, has at most 1 MiB, and is nested "
    "at most 100 levels deep. Messages and reasons come in the language of Accept-Language, "
    "English or Italian; codes, field paths and names never change.",
}
NONE: Mapping[str, Any] = MappingProxyType({})
SECURITY = {
    "link": {"type": "http", "scheme": "bearer", "description": "The secret of a key or a link."},
    "feed": {
        "type": "apiKey",
        "in": "query",
        "name": "token",
        "description": "What opens the feed of a circle, and nothing else.",
    },
}
TEXT: Schema = {"type": "string"}
#: Types that are the same everywhere.
PLAIN: dict[Any, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: TEXT,
    Fraction: TEXT,
    bytes: {**TEXT, "contentEncoding": "base64"},
    UUID: {**TEXT, "format": "uuid"},
    date: {**TEXT, "format": "date"},
    datetime: {**TEXT, "format": "date-time"},
    Any: {},
    object: {},
}
NAME = {"description": "The name of a player.", **TEXT, "minLength": 1, "maxLength": 200}
CARD = {"description": "Rank and suit: KC, 7D, 10H.", **TEXT, "minLength": 2}
#: Types with a schema of their own, whose names are theirs.
NAMED: dict[Any, tuple[str, Schema]] = {
    Name: ("Name", NAME),
    Seat: ("Name", NAME),
    Side: (
        "Side",
        {"description": "A side by its number; side 0 is that of seat 0.", **PLAIN[int]},
    ),
    Card: ("Card", CARD),
    CardName: ("Card", CARD),
    Rank: ("Rank", {"description": "A rank: A, 2 to 7, J, Q or K.", "type": ["string", "integer"]}),
    Suit: ("Suit", {"description": "An Italian suit: C, D, S or B.", **TEXT}),
    GameSlug: ("GameSlug", {"description": "The slug of a game."}),
    Sheet: ("Sheet", {"description": "What is written down for a deal of the game that is named."}),
    RuleOverrides: ("RuleOverrides", {"description": "Any part of a rule set, over a preset."}),
    WrittenSheet: ("Sheet", {}),
    Claim: ("Claim", {"description": "What was written on the sheet, as far as it was."}),
    RuleSet: ("RuleSet", {"description": "A whole rule set."}),
    PresetSlug: ("PresetSlug", {"description": "The slug of a rule set."}),
}
NO_LIMITS = Ask("")
EVENTS = "text/event-stream"
#: Of a computed check, whether it holds: where the caller has a partner, and alone.
HOLDS = {"type": "object", "additionalProperties": PLAIN[bool]}
#: The failures of requests: name, status, sentence, and a header. What is no JSON is answered alike
#: by every route: with an id, which is null.
FAILURES = {
    "Malformed": ("400", "The body is not JSON, or is nested too deeply.", ""),
    "Unauthorized": ("401", "No secret, or one that opens nothing.", "WWW-Authenticate"),
    "Forbidden": ("403", "The role of the secret is too low, or it is for one phone only.", ""),
    "NotThere": ("404", "Nothing of this name in the circle of the secret.", ""),
    "TooLarge": ("413", "The body is too large.", ""),
    "Invalid": ("422", "Every problem, with its field. Nothing was written.", ""),
    "TooOften": ("429", "The address took too much of the server's time.", "Retry-After"),
    "Failure": ("default", "Anything else that went wrong.", ""),
}
LANGUAGE = Query(
    "Accept-Language", str, "The language of messages and reasons: en or it.", "header"
)
SEEN = Query("If-None-Match", str, "The ETag of the answer before.", "header")
#: Of the parts of addresses that are no keys.
IN_PATH = {"number": int, "season": str, "game": GameSlug}

blueprint = Routes("openapi", __name__, url_prefix="/api/v1")


@blueprint.get("/openapi.json")
def document() -> Response:
    """Return this document; its server is this one, wherever it is mounted."""
    here = f'"url": "{request.script_root}/api/v1"'.encode()
    return Response(_written().replace(SERVER, here, 1), mimetype="application/json")


SERVER = b'"url": "/api/v1"'
OPERATIONS.append(Operation("get", "/openapi.json", "document", document, (JSON,)))


@cache  # 50 ms
def _written() -> bytes:
    return json.dumps(described(), ensure_ascii=False, indent=1).encode()


def described() -> Schema:
    """Return the document of all declared routes, and of all games."""
    schemas: Schema = {}
    paths: dict[str, Schema] = {}
    _add_games(schemas, all_games())
    for operation in OPERATIONS:
        path = paths.setdefault(PATH_PART.sub(r"{\1}", operation.rule), {})
        path[operation.method] = _operation(operation, schemas)
    responses = {
        name: _failure(*row[1:], _content([Refusal if name == "Malformed" else Failure], schemas))
        for name, row in FAILURES.items()
    }
    return {
        "openapi": "3.1.0",
        "info": INFO,
        "servers": [{"url": "/api/v1"}],
        "paths": paths,
        "components": {"securitySchemes": SECURITY, "responses": responses, "schemas": schemas},
    }


def _failure(sentence: str, header: str, content: Schema) -> Schema:
    headers = {"headers": {header: {"schema": TEXT}}} if header else {}
    return {"description": sentence, **headers, "content": content}


def _operation(operation: Operation, schemas: Schema) -> Schema:
    first, *more = operation.name.split("_")
    body, of_circle = operation.body, operation.rule.startswith("/circles")
    marked = of_circle and operation.method == "get" and EVENTS not in operation.answers
    done = {
        "description": _text(operation.answers[0]),
        **({"headers": {"ETag": {"schema": TEXT}}} if marked else {}),
        "content": _content(operation.answers, schemas),
    }
    path = [Query(n, IN_PATH.get(n, UUID), "", "path") for n in PATH_PART.findall(operation.rule)]
    queries = [*path, *operation.queries, LANGUAGE, *[SEEN][:marked]]
    unchanged = {"304": {"description": "The same as with the ETag that was sent."}}
    sent: Schema = {}
    if body:
        needed = not of_circle or needs_body(body)
        sent["requestBody"] = {"required": needed, "content": _content([body], schemas)}
    return {
        "operationId": first + "".join(map(str.capitalize, more)),
        "tags": ["circles" if of_circle else "operations"],
        "summary": _summary(operation.view),
        **({"security": [{"link": []}]} if of_circle else {}),
        "parameters": [_parameter(query, schemas) for query in queries],
        **sent,
        "responses": {
            "200": done,
            **({"201": done} if of_circle and operation.method == "post" else {}),
            **(unchanged if marked else {}),
            **_failures(operation, schemas),
        },
    }


def _failures(operation: Operation, schemas: Schema) -> Schema:
    names = ["TooOften", "Failure", "Invalid"]
    names += ["Malformed", "TooLarge"] if operation.body else []
    names += ["Unauthorized", "Forbidden"] if operation.rule.startswith("/circles") else []
    names += ["NotThere"] if PATH_PART.search(operation.rule) else []
    same = {FAILURES[name][0]: {"$ref": f"#/components/responses/{name}"} for name in names}
    own = {
        status: {"description": _text(shape), "content": _content([shape], schemas)}
        for status, shape in operation.failures.items()
    }
    return same | own


def _summary(view: View) -> str:
    """Return the first line of a docstring, without the errors that callers in Python see."""
    first, _, _ = (view.__doc__ or "").partition("\n")
    return RAISES.sub("", first).removesuffix(".")


RAISES = re.compile(r"; raise [^.]*")


def _parameter(query: Query, schemas: Schema) -> Schema:
    schema, name = schema_of(query.kind, schemas), query.name
    sentence = {"description": query.sentence} if query.sentence else {}
    needed = {"required": True} if query.place == "path" else {}
    return {"name": name, "in": query.place, **needed, **sentence, "schema": schema}


def _content(kinds: Sequence[Any], schemas: Schema) -> Schema:
    """Describe the content of a body or an answer: JSON of some type, or bytes by MIME types."""
    return {
        kind if isinstance(kind, str) else JSON: {
            "schema": TEXT if isinstance(kind, str) else schema_of(kind, schemas)
        }
        for kind in kinds
    }


def schema_of(kind: Any, schemas: Schema, ask: Ask = NO_LIMITS) -> Schema:
    """Return the schema of a type; one that has a name is added to the schemas."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _either(parts, schemas, ask)
    if origin is Literal:
        return {"enum": [*parts]}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": schema_of(parts[1], schemas, ask)}
    if origin in (list, tuple, PerSide):
        return {"type": "array", "items": schema_of(parts[0], schemas, ask)}
    if kind in PLAIN:
        longest = ask.typed.longest if ask.typed else ask.longest
        least = None if ask.typed is None or ask.typed.blank else 1
        limits = {"minimum": ask.low, "maximum": ask.high}
        limits |= {"minLength": least, "maxLength": longest}
        return PLAIN[kind] | {key: limit for key, limit in limits.items() if limit is not None}
    if issubclass(kind, Enum) if isinstance(kind, type) else False:
        return {**TEXT, "enum": [choice.value for choice in kind]}
    name, schema = NAMED.get(kind, (kind.__name__, None))
    if name not in schemas:
        schemas[name] = {}  # it may be within itself
        schemas[name] = schema or _described(kind, schemas)
    return _reference(name)


def _either(kinds: Sequence[Any], schemas: Schema, ask: Ask) -> Schema:
    """Describe an answer of one type or another, or null."""
    several = [
        schema_of(kind, schemas, ask) for kind in kinds if kind not in (NoneType, Unanswered)
    ]
    first, *others = several
    if NoneType not in kinds:
        return {"anyOf": several} if others else first
    if others or "type" not in first:
        return {"anyOf": [*several, {"type": "null"}]}
    choices = {"enum": [*first["enum"], None]} if "enum" in first else {}
    return first | {"type": [first["type"], "null"]} | choices


def _described(kind: Any, schemas: Schema) -> Schema:
    """Describe a type of its own: as it says itself, a shape, questions, or rows of numbers."""
    if hasattr(kind, "schema"):
        return {"description": _text(kind), **kind.schema}
    if is_shape(kind):
        parts = {
            field.name: {"description": field.part.sentence, **schema_of(field.kind, schemas)}
            for field in fields(kind)
        }
        said = [field.name for field in fields(kind) if not field.part.unsaid]
        return _with_parts(_text(kind), {"required": said}, parts)
    if issubclass(kind, str):
        return {"description": _text(kind), **TEXT}
    if not issubclass(kind, Rows):
        return _object(kind, _text(kind), schemas)
    width = len(kind.columns)
    row = {
        "type": "array",
        "minItems": width,
        "maxItems": width,
        "items": {"type": ["integer", "null"]},
    }
    return {"description": _text(kind), "type": "array", "minItems": 1, "items": row}


def _add_games(schemas: Schema, games: Sequence[Game[Any, Any]]) -> None:
    """Add the schemas of all games, and list the games in the choices."""
    for kind in (GameSlug, PresetSlug, Sheet, Claim, RuleOverrides, RuleSet):
        schema_of(kind, schemas)
    for game in games:
        schemas |= _game(game, schemas)
    sheets = [game.sheet_type.__name__ for game in games]
    rules = [game.rules_type.__name__ for game in games]
    presets = dict.fromkeys(preset for game in games for preset in game.presets)
    schemas["Sheet"]["anyOf"] = [
        *map(_reference, sheets),
        *(schema_of(kind, schemas) for kind in (PenaltySheet, AgreedSheet)),
    ]
    claim = _object(ChiamataClaim, "The claim in Briscola Chiamata.", schemas)
    claim["properties"]["player_points"] = schema_of(Points | None, schemas)
    schemas["Claim"]["anyOf"] = [claim, {"type": "object"}]
    schemas["RuleOverrides"]["anyOf"] = list(map(_reference, rules))
    schemas["RuleSet"]["anyOf"] = list(map(_reference, map(_whole, rules)))
    schemas["GameSlug"]["enum"] = [slug for game in games for slug in (game.slug, *game.aliases)]
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
    parts = {
        question.name: {"description": _sentence(question), **_answer(question, schemas)}
        for question in questions(kind)
    }
    return _with_parts(description, {"required": required} if required else {}, parts)


def _with_parts(description: str, required: Schema, parts: Schema) -> Schema:
    """Describe an object of these parts and no others."""
    whole = {"description": description, "type": "object", **required, "properties": parts}
    return {**whole, "additionalProperties": False}


def _answer(question: Question, schemas: Schema) -> Schema:
    if question.ask.player and question.kind is UUID:
        return schema_of(Name, schemas)
    kind = question.kind | None if question.optional else question.kind
    return schema_of(kind, schemas, question.ask)


def _sentence(question: Question) -> str:
    """Return what is asked, with the hint that explains it."""
    hint = question.ask.hint
    return f"{question.label}. {hint}" if hint else str(question.label)


def _text(kind: Any) -> str:
    """Return the first paragraph of a docstring on one line."""
    text = "The content." if isinstance(kind, str) else kind.__doc__ or ""
    return RAISES.sub("", " ".join(text.partition("\n\n")[0].split()))
