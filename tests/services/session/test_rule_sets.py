"""House rules: kept in versions, never overwritten, renamed; and as links and files."""

import base64
import json
import zlib
from contextlib import suppress
from typing import Any
from uuid import UUID, uuid4

import pytest
import segno
from hypothesis import given

from scorer.errors import ConflictError, InvalidError, NotFoundError
from scorer.games import find_game
from scorer.rules.options import differences
from scorer.services.session import house_rules
from scorer.services.session.house_rules import LONGEST_DOCUMENT, packed, preview_rules, travelling
from tests.data.strategies import examples, rule_sets
from tests.refusals import refused
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import Evening, at_once

TENS = {"preset": "classic", "score": {"bands": [[0, 1], [71, 2]]}}
ODD = {"preset": "classic", "score": {"partner": 2}}


def keep(
    evening: Evening, name: str = "House table", rules: Any = TENS, key: UUID | None = None
) -> UUID:
    key = key or uuid4()
    return house_rules.keep_rules(
        evening.circle_id, key=key, game=GAME.slug, name=name, rules=rules, by=evening.by
    )


def save(
    evening: Evening, rule_set_id: UUID, seen: int, rules: Any, name: str = "House table"
) -> int:
    return house_rules.save_version(
        evening.circle_id, rule_set_id, version=seen, name=name, rules=rules, by=evening.by
    )


def test_version_is_added_and_none_is_overwritten_but_its_name(evening: Evening) -> None:
    key = uuid4()
    rule_set_id = keep(evening, key=key)

    assert keep(evening, key=key, rules=ODD) == rule_set_id

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


def test_sets_are_listed_by_name_as_their_newest_versions_say(evening: Evening) -> None:
    late, early = keep(evening, "b"), keep(evening, "A")
    save(evening, late, 1, ODD, "b")

    found = house_rules.own_rules(evening.circle_id)

    assert [(own.row.rule_set_id, own.row.version) for own in found] == [(early, 1), (late, 2)]
    with pytest.raises(NotFoundError):
        save(evening, uuid4(), 1, TENS)
    with pytest.raises(NotFoundError):
        house_rules.find_rules(evening.circle_id, early, 2)


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


GAME = find_game("briscola-chiamata")
ADDRESS = "https://scorer.example.org/rules/bring#"


def read(document: Any) -> Any:
    rules, problems = GAME.rules_from(document)
    assert problems == []
    return rules


def squeezed(text: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(text, wbits=-15)).decode()


@examples(30)
@given(rule_sets())
def test_what_is_sent_as_a_link_or_a_file_arrives(document: dict[str, Any]) -> None:
    rules = read(document)
    sent = travelling(GAME, rules)
    code = segno.make(ADDRESS + packed(sent | {"name": "È" * 60}), error="l")

    assert int(code.version) <= 20  # which a phone can scan
    for text in (ADDRESS + packed(sent), packed(sent), json.dumps(sent), json.dumps(sent).encode()):
        brought = preview_rules(text)
        assert differences(brought.rules, rules) == ()
        assert (brought.rules.name, brought.game) == (rules.name, GAME)
        assert brought.document == sent


@pytest.mark.parametrize(
    ("document", "name"),
    [
        ({}, "Classic"),
        ({"preset": "volata", "name": "  Ours "}, "Ours"),
        ({"name": "x" * 500}, "x" * 60),
        ({"name": "", "game": "briscola-chiamata", "zero_sum": {}, "symmetric": 1}, "Classic"),
    ],
    ids=str,
)
def test_table_without_a_name_is_called_like_its_preset(
    document: dict[str, Any], name: str
) -> None:
    assert preview_rules(json.dumps(document)).rules.name == name


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        pytest.param("", "malformed", id="nothing"),
        pytest.param("{", "malformed", id="half a document"),
        pytest.param(b"\xff\xfe", "malformed", id="no text"),
        pytest.param("[]", "wrong-type", id="a list"),
        pytest.param(squeezed(b"[1]"), "wrong-type", id="a list in a link"),
        pytest.param(squeezed(b"\xff"), "malformed", id="no text in a link"),
        pytest.param(squeezed(b" " * 10**7), "malformed", id="a bomb"),
        pytest.param(packed({"preset": "classic"})[:-4], "malformed", id="half a link"),
        pytest.param("x" * (LONGEST_DOCUMENT + 1), "too-long", id="too long"),
        pytest.param('{"game": "poker"}', "unknown-game", id="another game"),
        pytest.param('{"floor": -1}', "out-of-range", id="no rules"),
        pytest.param("[" * 5000, "malformed", id="nested rubbish"),
        pytest.param('{"game": "scopa", "deals": []}', "session-file", id="an evening"),
    ],
)
def test_whatever_else_arrives_is_refused_with_a_sentence(sent: bytes | str, code: str) -> None:
    with pytest.raises(InvalidError) as error:
        preview_rules(sent)

    assert code in [problem.code for problem in error.value.problems]
