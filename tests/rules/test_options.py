import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from hypothesis import given

from scorer.games import find_game
from scorer.rules.bands import ScoreTable
from scorer.rules.options import NOTHING, OptionKind, differences, flat, merged, options, shortest
from scorer.rules.questions import Ask, Choice, write
from scorer.texts import say
from tests.data.rows import rows
from tests.data.strategies import examples, rule_sets

GAME = find_game("briscola-chiamata")


class Wind(Choice):
    """A choice that knows its name."""

    EAST = "east", say("From the east")


class Plain(StrEnum):
    """A choice that knows only its code."""

    HERE = "here"


@dataclass(frozen=True, slots=True)
class Inner:
    """A group of options."""

    count: Annotated[int, Ask(say("Count"), low=1, high=9)]
    sure: Annotated[bool, Ask(say("Sure"))] = False


@dataclass(frozen=True, slots=True)
class Rules:
    """Every kind of option."""

    slug: Annotated[str, Ask("Slug")]
    wind: Annotated[Wind, Ask("Wind")]
    plain: Plain
    limit: Annotated[int | None, Ask(say("Limit"), none=say("no limit"))]
    table: Annotated[ScoreTable, Ask(say("Table"))]
    inner: Annotated[Inner | None, Ask(say("Inner"), none=say("nothing inside"))] = None


def made(**other: Any) -> Rules:
    answers: dict[str, Any] = {
        "slug": "x",
        "wind": Wind.EAST,
        "plain": Plain.HERE,
        "limit": None,
        "table": ScoreTable(((0, 1),)),
        "inner": None,
    }
    return Rules(**answers | other)


def test_choice_is_its_code_and_knows_its_name() -> None:
    assert list(Wind) == [Wind.EAST]
    assert (Wind.EAST, str(Wind.EAST), json.dumps(Wind.EAST)) == ("east", "east", '"east"')
    assert Wind.EAST.words == say("From the east")


def test_options_are_read_off_the_fields_and_texts_are_none() -> None:
    by_path = {option.path: option for option in flat(options(Rules))}

    assert [(path, option.kind) for path, option in by_path.items()] == [
        ("wind", OptionKind.CHOICE),
        ("plain", OptionKind.CHOICE),
        ("limit", OptionKind.NUMBER),
        ("table", OptionKind.ROWS),
        ("inner", OptionKind.GROUP),
        ("inner.count", OptionKind.NUMBER),
        ("inner.sure", OptionKind.TICK),
    ]
    assert by_path["wind"].choices == (("east", say("From the east")),)
    assert [str(words) for _, words in by_path["plain"].choices] == ["here"]
    assert (str(by_path["wind"].label), str(by_path["plain"].label)) == ("Wind", "plain")
    assert (by_path["limit"].optional, by_path["limit"].none) == (True, say("no limit"))
    assert (by_path["inner.count"].low, by_path["inner.count"].high) == (1, 9)
    assert by_path["inner.count"].none == NOTHING
    assert len(by_path["table"].columns) == 2
    assert by_path["inner.count"].name == "count"


def test_differences_are_told_with_what_they_belong_to() -> None:
    old = made(limit=3, inner=Inner(1))
    new = made(limit=None, inner=Inner(2, sure=True), table=ScoreTable(((0, 1), (71, 2))))

    texts = [tuple(map(str, difference)) for difference in differences(old, new)]

    assert texts == [
        ("Limit", "3", "no limit"),
        ("Table", "0 → 1", "0 → 1, 71 → 2"),
        ("Inner: Count", "1", "2"),
        ("Inner: Sure", "no", "yes"),
    ]


def test_group_that_appears_is_told_whole() -> None:
    (text,) = differences(made(), made(inner=Inner(2)))

    assert tuple(map(str, text)) == ("Inner", "nothing inside", "Count: 2; Sure: no")


def test_every_option_of_every_preset_is_told() -> None:
    classic = GAME.presets["classic"]

    for preset in GAME.presets.values():
        for difference in differences(classic, preset):
            assert all(map(str, difference))


@rows(__file__, "merged")
def test_objects_merge_deeply_and_all_else_is_replaced(
    base: dict[str, Any], override: dict[str, Any], whole: dict[str, Any]
) -> None:
    assert merged(base, override) == whole


@examples(80)
@given(rule_sets())
def test_rule_set_is_read_back_as_it_is_written_and_from_its_shortest_document(
    document: dict[str, Any],
) -> None:
    rules, problems = GAME.rules_from(document)
    assert problems == []

    whole, short = write(rules), shortest(rules, GAME.presets.values())
    again, problems = GAME.rules_from(short)

    assert problems == []
    assert differences(rules, again) == ()
    assert again.name == rules.name
    assert GAME.rules_from(json.loads(json.dumps(whole))) == (rules, [])
    assert len(json.dumps(short)) <= len(json.dumps(whole))
