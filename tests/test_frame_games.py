import ast
import re
from pathlib import Path

import scorer
from scorer.games import all_games

#: What a game declares itself, its forms, and an evening of one game that is played for a look.
OWN_PLACES = ("games/", "cards/", "web/deals/entry_forms/", "services/files/demo.py")
#: Slugs that are words of their own, and mean something else where they stand.
ORDINARY_WORDS = {"points"}
PACKAGE = Path(scorer.__file__).parent
TEMPLATES = PACKAGE.parent / "templates"


def test_games_are_named_only_where_their_own_pages_are() -> None:
    names = {name for game in all_games() for name in (game.slug, *game.aliases)} - ORDINARY_WORDS

    named = [
        (module, node.value)
        for path in PACKAGE.rglob("*.py")
        if not (module := path.relative_to(PACKAGE).as_posix()).startswith(OWN_PLACES)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and (node.value in names or node.value.startswith(tuple(f"games/{n}/" for n in names)))
    ]

    assert named == []


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
