from __future__ import annotations

from scorer.cards import engine
from scorer.games import all_games, find_game
from scorer.rules.game import Table
from scorer.rules.seats import all_seats
from scorer.rules.sheet import Reading

SCOPA = find_game("scopa")
PEOPLE = ("Ada", "Bea", "Ciro", "Dora")


def test_only_briscola_chiamata_is_written_down_card_by_card() -> None:
    assert [game.slug for game in all_games() if engine.has(game)] == ["briscola-chiamata"]


def test_game_without_an_engine_examines_nothing() -> None:
    assert SCOPA is not None
    table, reading = Table(SCOPA.preset, PEOPLE, all_seats(4)), Reading(PEOPLE)

    assert engine.at_table(SCOPA, table) == table
    assert engine.examine(SCOPA, {"tricks": []}, table, None, reading) is None
    assert [(p.code, p.field) for p in reading.problems] == [("no-check", "game")]
