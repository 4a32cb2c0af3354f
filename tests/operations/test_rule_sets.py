import pytest

from scorer.errors import UnknownGameError
from scorer.games import all_games, find_game
from scorer.operations import rule_sets


def test_presets_of_one_game_or_of_all_are_listed() -> None:
    listed = [(one["game"], one["slug"]) for one in rule_sets()]

    assert listed == [(game.slug, slug) for game in all_games() for slug in game.presets]
    assert [one["slug"] for one in rule_sets("scopa")] == [*find_game("scopa").presets]


@pytest.mark.parametrize(
    ("word", "games", "presets"),
    [
        pytest.param("briscola", ["briscola"], [], id="a game"),
        pytest.param("tresette", ["tressette"], [], id="another name of a game"),
        pytest.param("mar", ["maraffone"], ["marianna"], id="a game, and a preset of another"),
        pytest.param("Scopone", [], ["scopone", "scopone-16", "scopone-11"], id="a name"),
    ],
)
def test_rules_are_found_by_a_part_of_a_name(
    word: str, games: list[str], presets: list[str]
) -> None:
    found = {(one["game"], one["slug"]) for one in rule_sets(word)}

    of_games = {(slug, preset) for slug in games for preset in find_game(slug).presets}
    assert of_games <= found
    assert sorted(preset for _, preset in found - of_games) == sorted(presets)


@pytest.mark.parametrize("word", ["tarocchi", ""])
def test_game_that_is_not_there_has_no_rules(word: str) -> None:
    with pytest.raises(UnknownGameError):
        rule_sets(word)
