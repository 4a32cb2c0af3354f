"""The levels of bids: each bid is in one of them, and they go upwards."""

from typing import Any

import pytest

from scorer.games import all_games
from scorer.games.briscola_chiamata import GAME
from scorer.games.briscola_chiamata.bids import Bid
from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.rules.game import Game


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_levels_have_codes_of_their_own_and_share_no_bid(game: Game[Any, Any]) -> None:
    levels = game.levels
    codes = [level.code for level in levels]
    bids = [bid for level in levels for bid in level.bids]

    assert len(set(codes)) == len(codes)
    assert len(set(bids)) == len(bids)


@pytest.mark.parametrize("rules", GAME.presets.values(), ids=GAME.presets)
def test_every_bid_that_may_be_written_has_its_level(rules: ChiamataRules) -> None:
    deck = GAME.deck(rules)
    points = range(121)
    bids = [
        *(Bid(rank, None) for rank in deck.ranks),
        *(Bid(None, number) for number in points),
        *(Bid(deck.ranks[-1], number) for number in points),
    ]
    known = {bid for level in GAME.levels for bid in level.bids}

    assert {str(bid) for bid in bids} <= known


def test_levels_go_from_an_ace_down_to_a_two_and_on_to_the_points() -> None:
    codes = [level.code for level in GAME.levels]

    assert codes[:3] == ["A", "3", "K"]
    assert codes[9:] == ["2", "0-70", "71-80", "81-90", "91-100", "101-120"]
    assert str(GAME.levels[0].name) == "Ace"
    assert [str(level.name) for level in GAME.levels[10:12]] == ["up to 70", "71–80"]
