"""The door to the cards: open a deal, play it, examine it, prove it, read it, write it.

A deal is a ``CardDeal``, a value with the moves as its methods (``play``, ``lead``, ``discard``,
``back``). A game whose deals can be written down card by card has a line in ``ENGINES``. The rest
of the program knows no game here, and imports nothing else of ``scorer.cards``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.cards.chiamata import examination
from scorer.cards.chiamata.deal import CardDeal
from scorer.cards.chiamata.notation_reader import parse
from scorer.cards.chiamata.notation_writer import write_play, write_text
from scorer.cards.chiamata.play_state import (
    PlayedCard,
    PlayedTrick,
    PlayState,
    play_state,
    replay_steps,
    script_state,
)
from scorer.cards.chiamata.proofs import Proof, prove_partner, prove_problem, prove_result
from scorer.cards.chiamata.sheet_comparison import (
    differences,
    leaves_call_open,
    parse_beside,
    proved_sheet,
)
from scorer.cards.chiamata.tricks import with_dead_hand
from scorer.games.briscola_chiamata import GAME as CHIAMATA
from scorer.rules.sheet import Reading
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scorer.errors import Problem
    from scorer.rules.findings import Examined
    from scorer.rules.game import Game, Table
    from scorer.rules.seats import Seat

__all__ = [
    "CardDeal",
    "PlayState",
    "PlayedCard",
    "PlayedTrick",
    "Proof",
    "at_table",
    "differences",
    "examine",
    "examine_play",
    "has",
    "leaves_call_open",
    "open_deal",
    "parse",
    "parse_beside",
    "play_state",
    "prove_partner",
    "prove_problem",
    "prove_result",
    "proved_sheet",
    "read_play",
    "read_stored_play",
    "replay_steps",
    "script_state",
    "stored_play",
    "write_play",
    "write_text",
]


class CardEngine(NamedTuple):
    """What a game brings: its deal, its table with the hands of nobody, its examination."""

    begun: Callable[[Table[Any], Seat | None], CardDeal]
    at_table: Callable[[Table[Any]], Table[Any]]
    examine: Callable[[dict[str, Any], Table[Any], Seat | None, Reading], Examined | None]
    examine_play: Callable[[dict[str, Any], Any, Table[Any], Seat | None, Reading], Examined | None]


ENGINES = {
    CHIAMATA.slug: CardEngine(
        begun=CardDeal.begun,
        at_table=with_dead_hand,
        examine=examination.examine_record,
        examine_play=examination.examine_play,
    )
}


def has(game: Game[Any, Any]) -> bool:
    """Whether the deals of a game can be written down card by card."""
    return game.slug in ENGINES


def at_table(game: Game[Any, Any], table: Table[Any]) -> Table[Any]:
    """Give the table as its cards are played: by some rules there are more hands than people.

    Those have their places behind everybody's, and are not among those at the table.
    """
    return ENGINES[game.slug].at_table(table) if has(game) else table


def open_deal(game: Game[Any, Any], table: Table[Any], dealer: Seat | None) -> CardDeal:
    """Open a deal of people at a table, before any of its cards is known."""
    return ENGINES[game.slug].begun(table, dealer)


def examine(
    game: Game[Any, Any],
    data: dict[str, Any],
    table: Table[Any],
    dealer: Seat | None,
    reading: Reading,
) -> Examined | None:
    """Examine a record as JSON (contract.md); the table is one where the cards are played.

    What can't be read goes to the reading, and None is returned.
    """
    if has(game):
        return ENGINES[game.slug].examine(data, table, dealer, reading)
    reading.fault("no-check", "game", say("Tricks are not checked in this game."))
    return None


def examine_play(
    game: Game[Any, Any],
    play: dict[str, Any],
    sheet: Any,
    *,
    table: Table[Any],
    dealer: Seat | None,
    reading: Reading,
) -> Examined | None:
    """Examine the cards of a deal beside its sheet.

    Return None where they can't be read, which goes to the reading, or where they tell too little.
    """
    return ENGINES[game.slug].examine_play(play, sheet, table, dealer, reading)


def read_play(
    deal: CardDeal, play: Mapping[str, Any], sheet: Any, names: Sequence[str]
) -> tuple[CardDeal | None, list[Problem]]:
    """Read the cards of a deal as they were written down beside its sheet, with these names."""
    reading = Reading(names, deal.table.rules.cards)
    return deal.with_play(play, sheet, reading), reading.problems


def read_stored_play(
    deal: CardDeal, play: Mapping[str, Any], sheet: Any
) -> tuple[CardDeal | None, list[Problem]]:
    """Read the cards of a deal as they are stored: people by the numbers of their seats."""
    return read_play(deal, play, sheet, deal.stored_names)


def stored_play(deal: CardDeal) -> dict[str, Any]:
    """Write the cards of a deal as they are stored."""
    return write_play(deal, deal.stored_names)
