"""House rules: kept in versions, never overwritten, renamed, put away and brought back."""

from contextlib import suppress
from typing import Any
from uuid import UUID, uuid4

import pytest

from scorer.errors import ConflictError, NotFoundError
from scorer.services.session import house_rules
from tests.refusals import refused
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import Evening, at_once, start

GAME = "briscola-chiamata"
TENS = {"preset": "classic", "score": {"bands": [[0, 1], [71, 2]]}}
ODD = {"preset": "classic", "score": {"partner": 2}}


def keep(
    evening: Evening, name: str = "House table", rules: Any = TENS, key: UUID | None = None
) -> UUID:
    key = key or uuid4()
    return house_rules.keep_rules(
        evening.circle_id, key=key, game=GAME, name=name, rules=rules, by=evening.by
    )


def save(
    evening: Evening, rule_set_id: UUID, seen: int, rules: Any, name: str = "House table"
) -> int:
    return house_rules.save_version(
        evening.circle_id, rule_set_id, version=seen, name=name, rules=rules, by=evening.by
    )


def test_same_key_with_other_rules_is_the_next_version() -> None:
    evening, key = start(), uuid4()

    rule_set_id = keep(evening, key=key)
    keep(evening, key=key, rules=ODD)

    assert house_rules.find_rules(evening.circle_id, rule_set_id).row.version == 2


def test_version_is_added_and_none_is_overwritten(evening: Evening) -> None:
    rule_set_id = keep(evening)

    assert save(evening, rule_set_id, 1, ODD) == 2

    first = house_rules.find_rules(evening.circle_id, rule_set_id, 1)
    newest = house_rules.find_rules(evening.circle_id, rule_set_id)
    assert first.rules.score.bands.rows == ((0, 1), (71, 2))
    assert (first.row.version, first.newest) == (1, 2)
    assert newest.rules.score.partner == 2
    second, began = house_rules.versions(evening.circle_id, rule_set_id)
    told = [tuple(map(str, change)) for change in second[1]]
    assert told == [
        ("Score table: Bands", "0 → 1, 71 → 2", "0 → 1"),
        ("Score table: Partner", "1", "2"),
    ]
    assert (began[0].row.version, began[1]) == (1, ())


def test_new_name_is_the_name_of_every_version(evening: Evening) -> None:
    rule_set_id = keep(evening)
    save(evening, rule_set_id, 1, ODD)

    assert save(evening, rule_set_id, 2, ODD, "Thursday") == 2

    for version in (1, 2):
        own = house_rules.find_rules(evening.circle_id, rule_set_id, version)
        assert own.rules.name == own.row.name == "Thursday"


@pytest.mark.parametrize(
    ("name", "rules", "fields"),
    [
        ("", TENS, ["name"]),
        ("x" * 61, TENS, ["name"]),
        ("", {"floor": -1, "players": 9, "unknown": 1},
         ["name", "rules.players", "rules.floor", "rules.unknown"]),
    ],
    ids=str,
)  # fmt: skip
def test_problems_are_told_together_and_nothing_is_kept(
    evening: Evening, name: str, rules: Any, fields: list[str]
) -> None:
    with refused(*fields):
        keep(evening, name, rules)
    assert house_rules.own_rules(evening.circle_id) == []


def test_name_is_taken_once_in_a_game(evening: Evening) -> None:
    first, second = keep(evening), keep(evening, "Other")

    for act in (
        lambda: keep(evening, "HOUSE table"),
        lambda: save(evening, second, 1, TENS, "house  table"),
    ):
        with refused("duplicate-name"):
            act()
    assert save(evening, first, 1, TENS, "HOUSE TABLE") == 1


def test_unknown_set_is_refused(evening: Evening) -> None:
    with pytest.raises(NotFoundError):
        save(evening, uuid4(), 1, TENS)
    with pytest.raises(NotFoundError):
        house_rules.find_rules(evening.circle_id, keep(evening), 2)


def test_sets_are_listed_by_name_as_their_newest_versions_say(evening: Evening) -> None:
    late, early = keep(evening, "b"), keep(evening, "A")
    save(evening, late, 1, ODD, "b")

    found = house_rules.own_rules(evening.circle_id)

    assert [(own.row.rule_set_id, own.row.version) for own in found] == [(early, 1), (late, 2)]


@BOTH_ENGINES
def test_of_two_phones_at_one_moment_one_writes_the_version(evening: Evening) -> None:
    rule_set_id = keep(evening)

    def attempt(number: int) -> bool:
        rules = {"preset": "classic", "score": {"partner": 3 + number}}
        with suppress(ConflictError):
            return bool(save(evening, rule_set_id, 1, rules))
        return False

    assert at_once(attempt, 4).count(True) == 1
    assert len(house_rules.versions(evening.circle_id, rule_set_id)) == 2
