from typing import Any

import pytest

from scorer.games import find_game
from scorer.games.briscola_chiamata import GAME
from scorer.rules.options import Description
from tests.data.rows import rows

BRISCOLA = find_game("briscola")


def described(preset: str, **changes: Any) -> Description:
    rules, problems = GAME.rules_from({"preset": preset, **changes})
    assert problems == []
    return GAME.describe(rules)


def said(description: Description) -> str:
    return "\n".join(map(str, description.words))


@pytest.mark.parametrize("slug", GAME.presets)
def test_labels_agree_with_the_sums_of_the_rows(slug: str) -> None:
    preset, players = described(slug), GAME.presets[slug].players
    sums = {
        partnered[0] + partnered[1] + (players - 2) * partnered[2]
        for partnered in (row.figures[:3] for row in preset.rows)
    } | {
        alone[0] + (players - 1) * alone[1]
        for alone in (row.figures[3:] for row in preset.rows)
        if alone
    }

    assert preset.zero_sum is (sums == {0})
    assert preset.loss_rows == ()
    assert all(len(row.figures) == len(preset.columns) - 1 for row in preset.rows)


@rows(__file__, "score tables")
def test_table_is_the_one_of_the_source(
    rules: Any, table: dict[str, list[int]], losses: list[list[Any]]
) -> None:
    description = GAME.describe(GAME.rules_from(rules)[0])

    assert {str(row.label): list(row.figures) for row in description.rows} == table
    assert [[row.kind, *row.figures] for row in description.loss_rows] == losses
    assert not (losses and description.symmetric)


@rows(__file__, "checks")
def test_checks_beside_a_score_table_say_what_holds(
    document: dict[str, Any], checks: dict[str, bool]
) -> None:
    description = GAME.describe(GAME.rules_from(document)[0])

    assert {str(check.text): check.holds for check in description.checks} == checks


def test_what_playing_alone_would_pay_is_no_matter_where_nobody_may() -> None:
    unbalanced = {"alone": 7, "loss": {"alone": 9}}

    assert described("bastarda", score=unbalanced).zero_sum is True
    assert described("bastarda", score=unbalanced).symmetric is True
    assert described("classic", score=unbalanced).zero_sum is False
    assert described("classic", score=unbalanced).symmetric is False


def test_table_of_the_groups_own_is_told_as_such() -> None:
    own = described("classic", slug="friday", name="100 % ours", source="", floor=70)

    assert str(own.name) == "100 % ours"
    assert str(own.blurb) == "The group's own table."
    assert own.sources == ()
    assert str(described("classic", floor=70).blurb) == "The group's own table."


def test_another_end_of_the_session_makes_no_other_table() -> None:
    preset = described("classic", session={"end": "deals", "deals": 10})

    assert str(preset.blurb).startswith("The usual one: +2, +1, −1;")
    assert "After 10 deals" in said(preset)


def test_one_more_at_the_table_than_plays() -> None:
    assert str(described("classic").seats_text) == "5 players"
    assert str(described("monte-7").seats_text) == "6 or 7 players"
    assert described("monte-7").players == 6
    assert "With 7 at the table the dealer sits out." in said(described("monte-7"))


@pytest.mark.parametrize(
    ("changes", "name", "blurb"),
    [
        ({}, "Best of three", "The usual match: two deals win it."),
        ({"deals": 7}, "Best of three", "The group's own table."),
        ({"deals": 7, "name": "Ours"}, "Ours", "The group's own table."),
        ({"slug": "ours", "name": "Ours"}, "Ours", "The group's own table."),
    ],
)
def test_rule_set_is_called_by_its_preset_or_the_group_s_own(
    changes: dict[str, Any], name: str, blurb: str
) -> None:
    read, _ = BRISCOLA.rules_from(changes)
    description = BRISCOLA.describe(read)

    assert (str(description.name), str(description.blurb)) == (name, blurb)
    assert str(description.seats_text) == "2–4 / 6 players"
