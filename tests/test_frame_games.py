import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import scorer
from scorer.games import all_games
from scorer.operations import check, solve
from tests.cards import sides_deals
from tests.commands import lines, run

#: What a game declares itself, and its forms.
OWN_PLACES = ("games/", "cards/", "web/deals/entry_forms/")
#: An evening that is played for a look is one of a certain game.
DEMO = "services/files/demo.py"
#: Slugs that are words of their own, and mean something else where they stand.
ORDINARY_WORDS = {"points"}
PACKAGE = Path(scorer.__file__).parent
TEMPLATES = PACKAGE.parent / "templates"


@pytest.mark.parametrize("operation", ["check", "solve"])
def test_cards_are_answered_alike_by_command_and_api_and_function(
    client: FlaskClient, operation: str
) -> None:
    requests = [*sides_deals.deals(1), *map(sides_deals.bare, sides_deals.deals(2))]
    requests += [{**deal, "tricks": deal["tricks"][::-1]} for deal in requests[:3]]
    requests += [{**deal, "seats": ["Ada", "Ada"]} for deal in requests[:1]]
    given = "\n".join(map(json.dumps, requests)).encode()

    printed = run(operation, given=given)

    answer = {"check": check, "solve": solve}[operation]
    answers = [json.loads(json.dumps(answer(deal))) for deal in requests]
    assert lines(printed) == answers
    posted = [client.post(f"/api/v1/{operation}", json=deal) for deal in requests]
    assert [json.loads(answer.data) for answer in posted] == answers


@cache
def modules() -> dict[str, ast.Module]:
    """Read every module of the package."""
    paths = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.py")}
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in paths.items()}


def modules_beside(places: tuple[str, ...]) -> list[tuple[str, ast.Module]]:
    """Give every module of the package that is in none of these places."""
    return [(name, tree) for name, tree in sorted(modules().items()) if not name.startswith(places)]


def test_games_are_named_only_where_their_own_pages_are() -> None:
    names = {name for game in all_games() for name in (game.slug, *game.aliases)} - ORDINARY_WORDS

    named = [
        (module, node.value)
        for module, tree in modules_beside((*OWN_PLACES, DEMO))
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and (node.value in names or node.value.startswith(tuple(f"games/{n}/" for n in names)))
    ]

    assert named == []


def test_only_what_a_game_declares_looks_into_a_game() -> None:
    inside = [
        (module, node.module)
        for module, tree in modules_beside(OWN_PLACES)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("scorer.games.")
    ]

    assert inside == []


def test_no_page_asks_which_game_it_is() -> None:
    slugs = "|".join({game.slug for game in all_games()} - ORDINARY_WORDS)
    quoted = re.compile(rf"""["'](?:{slugs})["']""")
    pages = [path for path in TEMPLATES.rglob("*.html") if TEMPLATES / "games" not in path.parents]

    asking = [
        (path.name, code)
        for path in pages
        for code in re.findall(r"\{[{%](.*?)[%}]\}", path.read_text(encoding="utf-8"), re.DOTALL)
        if quoted.search(code)
    ]

    assert pages
    assert asking == []
