"""The form of a circle's own table, filled in as a browser would send it."""

from typing import Any
from uuid import uuid4

from wtforms import BooleanField

from scorer.games import find_game
from scorer.services.session.house_rules import OwnRules, own_rules
from scorer.web.session.rules_forms import TableField, filled_in
from tests.web.phones import Phone

GAME = "briscola-chiamata"


def filled(rules: Any = "classic", game: str = GAME, **other: Any) -> dict[str, list[str]]:
    """Fill the form in with rules, and with other answers; a dot in their names is written ``__``.

    None leaves an answer out.
    """
    found = find_game(game)
    read, problems = found.rules_from(rules)
    assert problems == []
    answers: dict[str, list[str]] = {}
    for field in filled_in(found, read):
        if isinstance(field, TableField):
            columns = zip(*field.rows, strict=True)
            answers |= {f"{field.name}.{n}": list(cells) for n, cells in enumerate(columns)}
        if isinstance(field, TableField | BooleanField):
            ticked = field.ticked if isinstance(field, TableField) else field.data
            answers |= {field.name: ["y"]} if ticked else {}
        else:
            answers[field.name] = ["" if field.data is None else str(field.data)]
    for name, value in other.items():
        path = f"rules.{name.replace('__', '.')}"
        answers.pop(path, None)
        if value is not None:
            answers[path] = value if isinstance(value, list) else [value]
    return {"game": [game], "key": [str(uuid4())], **answers}


def keep_table(phone: Phone, name: str = "House table", rules: Any = "classic") -> OwnRules:
    """Keep a table in the phone's circle."""
    form = {**filled(rules), "name": name, "action": "save"}
    answer = phone.post(f"{phone.circle_url}rules/new", form)
    assert answer.status_code == 303, answer.text
    return next(own for own in tables(phone) if own.row.name == name)


def tables(phone: Phone) -> list[OwnRules]:
    """Give the tables of the phone's circle."""
    with phone.app.app_context():
        return own_rules(phone.keys[0])


def sums(rules: Any) -> list[str]:
    """Say as the pages do whether winnings and losses of a table cancel out."""
    found = find_game(GAME)
    read, _ = found.rules_from(rules)
    return [str(one.text) for one in found.describe(read).checks if one.about == "sum"]
