"""The minutes of a turn, which the rules of some games have."""

import pytest

from scorer.games import find_game


@pytest.mark.parametrize(
    ("game", "preset", "minutes"),
    [
        ("burraco", "two-deals", 25),
        ("burraco", "three-by-four", 45),
        ("burraco", "to-2005", None),
        ("briscola-chiamata", "scighera", 60),
        ("briscola-chiamata", "classic", None),
        ("scopa", "", None),
    ],
)
def test_turn_by_the_clock_has_minutes(game: str, preset: str, minutes: int | None) -> None:
    played = find_game(game)

    assert played.turn_minutes(played.presets.get(preset, played.preset)) == minutes
