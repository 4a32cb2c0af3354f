"""The entry to the cards for the rest of the program: which games have them, and their deals.

A deal is a ``CardDeal``, a value with the moves as its methods (``play``, ``lead``, ``forget``,
``back``) and its visible state as properties; it also has the methods that prove, open and write
it. A module or package of this folder declares the class of its game's deals as ``DEAL_CLASS``.
Pages import what only one game has, such as the call in ``scorer.cards.chiamata``, beside this. The
solver is loaded when something is solved: compiled, it takes seconds to load.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from scorer import cards
from scorer.cards.deal import CardDeal, PlayedCard, PlayedTrick, played_cards
from scorer.cards.proofs import Proof
from scorer.errors import Problem
from scorer.rules.game import Game, Table
from scorer.rules.seats import Seat
from scorer.rules.sheet import Reading, unknown_keys
from scorer.texts import say

if TYPE_CHECKING:
    from scorer.cards.solver.open_deal import OpenDeal, SolverGoal
    from scorer.cards.solver.search import Search, Solved, Watch

NO_CHECK = Problem("no-check", "game", say("Tricks are not checked in this game."))
NO_SOLVE = Problem("no-solve", "game", say("Deals of this game are not solved."))


@cache
def deal_classes() -> dict[str, type[CardDeal]]:
    """Return the classes of deals that can be written down, by the slugs of their games.

    >>> sorted(deal_classes())
    ['briscola', 'briscola-chiamata', 'tressette']
    """
    names = [module.name for module in iter_modules(cards.__path__, f"{cards.__name__}.")]
    declared = [getattr(import_module(name), "DEAL_CLASS", None) for name in names]
    return {kind.slug: kind for kind in declared if kind is not None}


@cache
def _all_keys() -> frozenset[str]:
    return frozenset().union(*(kind.keys for kind in deal_classes().values()))


def supports_cards(game: Game[Any, Any], players: int | None = None) -> bool:
    """Return whether a game's deals can be written down card by card, for a number of players.

    >>> from scorer.games import find_game
    >>> [supports_cards(find_game("briscola"), players) for players in (2, 3, 4)]
    [True, False, True]
    >>> supports_cards(find_game("scopa"))
    False
    """
    kind = deal_classes().get(game.slug)
    return kind is not None and (players is None or kind.counts is None or players in kind.counts)


def deal_class(
    game: Game[Any, Any],
    data: Mapping[str, Any],
    table: Table[Any],
    reading: Reading,
    without: Problem = NO_CHECK,
) -> type[CardDeal] | None:
    """Return the class of deals for a record, or a play, and a number of people.

    None if there is none; the reading gets the reason (``without`` for a game without one) and the
    keys that only other games have.
    """
    kind = deal_classes().get(game.slug)
    if kind is None:
        reading.problems.append(without)
        return None
    if not (_all_keys() - kind.keys).isdisjoint(data):
        unknown_keys([key for key in data if key in _all_keys()], kind.keys, reading, "")
    if kind.counts is None or len(table.active) in kind.counts:
        return kind
    message = say("In this game, cards are not written down for this number of players.")
    reading.fault("no-cards", "seats", message)
    return None


def at_table(game: Game[Any, Any], table: Table[Any]) -> Table[Any]:
    """Return the table with a seat for every hand: some rules deal more hands than people.

    The extra hands have seats after everybody's, and are not among those at the table.
    """
    kind = deal_classes().get(game.slug)
    return table if kind is None else kind.at_table(table)


def new_deal(game: Game[Any, Any], table: Table[Any], dealer: Seat | None) -> CardDeal:
    """Start a deal of the people at a table; no card is known yet."""
    return deal_classes()[game.slug].begun(table, dealer)


def solve(
    deal: OpenDeal, ask: SolverGoal, start: int | None, limit: Mapping[str, Any], watch: Watch
) -> Solved:
    """Answer a question about a position; a limit may have nodes, seconds and memory (MB)."""
    from scorer.cards.solver import search

    return search.solve(deal, ask, start, search.Limit(**limit), watch)


def search(deal: OpenDeal, limit: Mapping[str, Any], watch: Watch = lambda _: True) -> Search:
    """Set up a search of a deal that answers more than one question, within one limit."""
    from scorer.cards.solver.search import Limit, Search

    return Search(deal, Limit(**limit), watch)
