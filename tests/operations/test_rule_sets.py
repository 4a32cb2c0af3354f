import pytest

from scorer.errors import UnknownGameError
from scorer.games import all_games, find_game
from scorer.operations import rule_sets


def test_presets_of_one_game_or_of_all_are_listed() -> None:
    listed = [(one["game"], one["slug"]) for one in rule_sets()]

    assert listed == [(game.slug, slug) for game in all_games() for slug in game.presets]
    assert [one["slug"] for one in rule_sets("scopa")] == [*find_game("scopa").presets]


def test_game_that_is_not_there_has_no_rules() -> None:
    with pytest.raises(UnknownGameError):
        rule_sets("tarocchi")
