"""A game that is not installed: what was stored of it can be read, and stays as it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self

from scorer.errors import Problem
from scorer.rules.game import Fact, Game, NamedRules, Outcome, Score, Table
from scorer.rules.options import Description
from scorer.rules.plain_game import signed_if_less
from scorer.rules.seats import MOST_SEATS, Seat, Seating
from scorer.texts import Text, as_it_is, listed, say

#: No question of a form: it is read and written whole.
WHOLE = {"page": True}


@dataclass(frozen=True, slots=True)
class StoredSheet:
    """The answers of a deal by the numbers of the seats, whatever they mean."""

    answers: dict[str, Any] = field(metadata=WHOLE, hash=False)

    @classmethod
    def read_wire(cls, value: Any, _reading: object, _path: str) -> Self:
        return cls(value)


@dataclass(frozen=True, slots=True)
class StoredRules(NamedRules):
    """Rules as they were stored, with the name that they have there."""

    document: dict[str, Any] = field(metadata=WHOLE, hash=False)

    def write_wire(self) -> dict[str, Any]:
        return self.document


class MissingGame(Game[StoredSheet, StoredRules]):
    """What stands for such a game: a deal is what it was paid, and nobody knows why."""

    missing = True
    blurb = say(
        "This game is not installed on this server: nothing can be written here until it is. "
        "What was written stays as it is; who leads, and why a deal pays what it does, only the "
        "game can tell."
    )
    about = (blurb,)
    sheet_type = StoredSheet
    rules_type = StoredRules
    presets: Mapping[str, StoredRules] = {}

    @property
    def preset(self) -> StoredRules:
        return StoredRules(self.slug, self.slug, {})

    def seating(self, rules: StoredRules) -> Seating:
        return Seating(tuple(range(1, MOST_SEATS + 1)))

    def rules_from(self, data: object, path: str = "rules") -> tuple[StoredRules, list[Problem]]:
        document = data if isinstance(data, dict) else {}
        slug, name = (str(document.get(key, self.slug)) for key in ("slug", "name"))
        return StoredRules(slug, name, document), []

    def write_sheet(self, sheet: StoredSheet, names: Sequence[str]) -> dict[str, Any]:
        """Write the answers by the numbers of the seats, whatever the people are called."""
        return sheet.answers

    def problems(self, sheet: StoredSheet, table: Table[StoredRules]) -> list[Problem]:
        return []

    def score(self, sheet: StoredSheet, table: Table[StoredRules]) -> Score:
        return Score((), {}, None)

    def summary(self, sheet: StoredSheet, table: Table[StoredRules]) -> Text:
        paid: Mapping[Seat, int] = table.paid or {}
        return listed(f"{table.name(seat)} {signed_if_less(paid[seat])}" for seat in paid)

    def headline(self, sheet: StoredSheet, table: Table[StoredRules]) -> Text:
        return self.summary(sheet, table)

    def facts(self, sheet: StoredSheet, table: Table[StoredRules]) -> list[Fact]:
        return []

    def describe(self, rules: StoredRules) -> Description:
        return Description(
            slug=rules.slug,
            name=as_it_is(rules.name),
            blurb=self.blurb,
            players=1,
            seats_text=self.name,
            words=(self.blurb,),
            sources=(),
        )

    def outcomes(self, rules: StoredRules) -> tuple[Outcome, ...]:
        return ()

    def end_text(self, rules: StoredRules) -> Text:
        return say("not installed here")


@cache  # a stored session is compared with others of its game
def missing_game(slug: str) -> MissingGame:
    """Return what stands for the game of that slug, which is its name, too."""
    kind: type[MissingGame] = type(
        MissingGame.__name__, (MissingGame,), {"slug": slug, "name": as_it_is(slug)}
    )
    return kind()
