"""References to rules: a preset by its slug, or a version of a circle's own rule set."""

from typing import Any, NamedTuple
from uuid import UUID

from flask import url_for

from scorer.errors import NotFoundError
from scorer.rules.description import Description
from scorer.rules.game import Game
from scorer.rules.seats import all_seats
from scorer.services.book.state import NUMBERS
from scorer.services.table.house_rules import OwnRules, find_rules, rules_in_use
from scorer.texts import Text, listed, say


class ChosenRules(NamedTuple):
    """The chosen rules; ``rule_set`` is the reference to a version of the circle's own."""

    rules: Any
    document: Any
    rule_set: tuple[UUID, int] | None = None


class RulesOffer(NamedTuple):
    """Rules to choose: the value sent for them, their name with its version, and their table.

    ``counts`` are the numbers of people that they fit, and ``waiting`` says of those that are more
    than play who sits out. ``kind`` is one of the game's kinds. By rules for ``pairs`` nobody ever
    plays alone.
    """

    value: str
    name: Text
    table: Description
    url: str
    counts: tuple[int, ...]
    waiting: tuple[tuple[int, Text], ...]
    kind: str
    pairs: bool


def value_of(rule_set: tuple[UUID, int]) -> str:
    """Return the form value for a version of a rule set; ``read_choice`` reads it."""
    rule_set_id, version = rule_set
    return f"{rule_set_id}.{version}"


def read_choice(circle_id: UUID | None, game: Game[Any, Any], value: str) -> ChosenRules | None:
    """Look up the rules of a game by a form value; None if there are no such rules."""
    if value in game.presets:
        return ChosenRules(game.presets[value], {"preset": value})
    own = read_own_choice(circle_id, value)
    if own is None or own.game != game:
        return None
    return ChosenRules(own.rules, own.document, own.reference)


def read_own_choice(circle_id: UUID | None, value: str) -> OwnRules | None:
    """Look up the circle's own rules by a form value, in the version that it names."""
    key, _, version = value.partition(".")
    try:
        rule_set_id = UUID(key)
        number = int(version[:9]) if version else None
        return find_rules(circle_id, rule_set_id, number) if circle_id else None
    except (ValueError, NotFoundError):
        return None


def offers(circle_id: UUID | None, game: Game[Any, Any], chosen: str = "") -> list[RulesOffer]:
    """List the rules to choose from: the circle's own first, then the presets.

    The rules chosen before are included, even if they were retired since.
    """
    own = rules_in_use(circle_id, game.slug) if circle_id else []
    before = read_own_choice(circle_id, chosen)
    known = [rules.reference for rules in own]
    if before is not None and before.game == game and before.reference not in known:
        own = [before, *own]
    presets = [
        _offer(game, rules, slug, None, url_for("games.preset", slug=game.slug, preset=slug))
        for slug, rules in game.presets.items()
    ]
    return [*(_own_offer(circle_id, rules) for rules in own), *presets]


def _own_offer(circle_id: UUID | None, own: OwnRules) -> RulesOffer:
    url = url_for(
        "rule_sets.show",
        circle_id=circle_id,
        rule_set_id=own.rule_set_id,
        version=None if own.version == own.newest else own.version,
    )
    return _offer(own.game, own.rules, value_of(own.reference), own.version, url)


def _offer(
    game: Game[Any, Any], rules: Any, value: str, version: int | None, url: str
) -> RulesOffer:
    seating = game.seating(rules)
    counts = tuple(n for n in range(1, len(NUMBERS) + 1) if seating.fits(n))
    texts = ((n, game.who_sits_out(n, rules)) for n in counts)
    waiting = tuple((n, text) for n, text in texts if text is not None)
    table = game.describe(rules)
    name = table.name
    if version is not None:
        name = listed((name, say("version %(number)s", number=version)), between=" · ")
    return RulesOffer(
        value=value,
        name=name,
        table=table,
        url=url,
        counts=counts,
        waiting=waiting,
        kind=game.kind(rules),
        pairs=all(len(game.sides(all_seats(n), rules)) < n for n in seating.playing),
    )
