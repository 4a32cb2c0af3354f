"""What the rest of the program uses of the cards: deals of any trick game, opened, played, proved.

A deal is a ``CardDeal``, a value with the moves as its methods (``play``, ``lead``, ``forget``,
``back``) and what there is to see of it as its ``state``. A game whose deals can be written down
card by card has a line in ``ENGINES``. What only one game has is in its own package, such as the
call in ``scorer.cards.chiamata``; its pages import that beside this.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scorer.cards.briscola import BriscolaDeal
from scorer.cards.chiamata import examination, notation, open_cards, proofs
from scorer.cards.chiamata.deal import ChiamataDeal
from scorer.cards.chiamata.record import with_dead_hand
from scorer.cards.deal import CardDeal, PlayedCard, PlayedTrick, PlayState, replay_steps
from scorer.cards.sides import notation as sides_notation
from scorer.cards.sides import open_cards as sides_open_cards
from scorer.cards.sides import proofs as sides_proofs
from scorer.cards.tressette import TressetteDeal
from scorer.errors import Problem
from scorer.rules.sheet import Reading, unknown_keys
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scorer.cards.line_scanner import DealText
    from scorer.cards.proofs import Proof
    from scorer.cards.sides.deal import SidesDeal
    from scorer.cards.solver.open_deal import Ask, OpenDeal
    from scorer.cards.solver.search import Search, Solved, Watch
    from scorer.rules.findings import Examined, Finding
    from scorer.rules.game import Game, Table
    from scorer.rules.seats import Seat
    from scorer.texts import Text

D = TypeVar("D", bound=CardDeal)


class CardEngine(NamedTuple):
    """What a game supplies for deals card by card; each function takes deals made by ``begin``.

    ``keys`` are the parts of its records, ``counts`` the numbers of players whose cards can be
    written down; None for as many as its rules are for.
    """

    keys: frozenset[str]
    counts: tuple[int, ...] | None
    begin: Callable[[Table[Any], Seat | None], CardDeal]
    at_table: Callable[[Table[Any]], Table[Any]]
    examine: Callable[[dict[str, Any], Table[Any], Seat | None, Reading], Examined | None]
    examine_play: Callable[[dict[str, Any], Any, Table[Any], Seat | None, Reading], Examined | None]
    prove: Callable[[Any], Sequence[Proof]]
    prove_problem: Callable[[Any, Finding], Proof]
    parse: Callable[[DealText], CardDeal]
    parse_beside: Callable[[str | DealText, Any, Any], Any]
    text_lines: Callable[[Any], Iterator[Text]]
    read_open_deal: Callable[
        [dict[str, Any], Table[Any], Seat | None, Reading], OpenDeal | list[Finding] | None
    ]
    open_cards: Callable[[Any], OpenDeal | list[Finding]]


def _of_sides(kind: type[SidesDeal]) -> CardEngine:
    """Give the engine of a game whose sides are known before the first card."""
    of_stock = {"turned_up", "stock"} if kind.turns_up else set()
    return CardEngine(
        keys=frozenset({"claim", "hands", "tricks", *of_stock}),
        counts=kind.counts,
        begin=kind.begun,
        at_table=lambda table: table,
        examine=kind.examine_record,
        examine_play=kind.examine_play,
        prove=sides_proofs.prove,
        prove_problem=sides_proofs.prove_problem,
        parse=partial(sides_notation.parse, kind),
        parse_beside=sides_notation.parse_beside,
        text_lines=sides_notation.text_lines,
        read_open_deal=partial(sides_open_cards.read_open_deal, kind),
        open_cards=sides_open_cards.open_cards,
    )


ENGINES = {
    ChiamataDeal.slug: CardEngine(
        keys=frozenset({"claim", "called_card", "auction", "hands", "discards", "tricks"}),
        counts=None,
        begin=ChiamataDeal.begun,
        at_table=with_dead_hand,
        examine=examination.examine_record,
        examine_play=examination.examine_play,
        prove=proofs.prove,
        prove_problem=proofs.prove_problem,
        parse=notation.parse,
        parse_beside=notation.parse_beside,
        text_lines=notation.text_lines,
        read_open_deal=open_cards.read_open_deal,
        open_cards=open_cards.open_cards,
    ),
    BriscolaDeal.slug: _of_sides(BriscolaDeal),
    TressetteDeal.slug: _of_sides(TressetteDeal),
}
#: The parts that a record of some game has.
KEYS = frozenset(key for engine in ENGINES.values() for key in engine.keys)
NO_CHECK = Problem("no-check", "game", say("Tricks are not checked in this game."))
NO_SOLVE = Problem("no-solve", "game", say("Deals of this game are not solved."))


def has(game: Game[Any, Any], players: int | None = None) -> bool:
    """Return whether a game's deals of so many players can be written down card by card."""
    engine = ENGINES.get(game.slug)
    return engine is not None and (
        players is None or engine.counts is None or players in engine.counts
    )


def _engine_for(
    game: Game[Any, Any],
    data: Mapping[str, Any],
    table: Table[Any],
    reading: Reading,
    without: Problem,
) -> CardEngine | None:
    """Find the engine for a record of so many people; note what only other games have.

    None where there is none, and why goes to the reading: ``without`` for a game without one.
    """
    engine = ENGINES.get(game.slug)
    if engine is None:
        reading.problems.append(without)
        return None
    if not (KEYS - engine.keys).isdisjoint(data):
        unknown_keys([key for key in data if key in KEYS], engine.keys, reading, "")
    if engine.counts is None or len(table.active) in engine.counts:
        return engine
    message = say("The cards of so many players are not written down in this game.")
    reading.fault("no-cards", "seats", message)
    return None


def at_table(game: Game[Any, Any], table: Table[Any]) -> Table[Any]:
    """Return the table with a seat for every hand: some rules deal more hands than people.

    The extra hands have seats after everybody's, and are not among those at the table.
    """
    engine = ENGINES.get(game.slug)
    return table if engine is None else engine.at_table(table)


def new_deal(game: Game[Any, Any], table: Table[Any], dealer: Seat | None) -> CardDeal:
    """Start a deal of the people at a table; no card is known yet."""
    return ENGINES[game.slug].begin(table, dealer)


def examine(
    game: Game[Any, Any],
    data: dict[str, Any],
    table: Table[Any],
    dealer: Seat | None,
    reading: Reading,
) -> Examined | None:
    """Examine a record as JSON (contract.md); the table is one where the cards are played.

    Return None for a record that can't be read; its faults go to the reading.
    """
    engine = _engine_for(game, data, table, reading, NO_CHECK)
    return None if engine is None else engine.examine(data, table, dealer, reading)


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

    Return None for cards that can't be read, whose faults go to the reading, and for too few.
    """
    engine = _engine_for(game, play, table, reading, NO_CHECK)
    return None if engine is None else engine.examine_play(play, sheet, table, dealer, reading)


def read_open_deal(
    game: Game[Any, Any],
    data: dict[str, Any],
    table: Table[Any],
    dealer: Seat | None,
    reading: Reading,
) -> OpenDeal | list[Finding] | None:
    """Read a record of which all cards are known, at a table where the cards are played.

    Return what is missing or wrong in it; None for a record that can't be read.
    """
    engine = _engine_for(game, data, table, reading, NO_SOLVE)
    return None if engine is None else engine.read_open_deal(data, table, dealer, reading)


def lay_open(deal: CardDeal) -> OpenDeal | list[Finding]:
    """Return the deal with all cards known, to be solved, or what of them is unknown or wrong."""
    return ENGINES[deal.slug].open_cards(deal)


def solve(
    deal: OpenDeal, ask: Ask, start: int | None, limit: Mapping[str, Any], watch: Watch
) -> Solved:
    """Answer a question about the position before a card that was played, all cards open.

    The limit may have ``nodes``, ``seconds`` and ``memory``, in megabytes.
    """
    from scorer.cards.solver import search  # late: compiled, it takes seconds to load

    return search.solve(deal, ask, start, search.Limit(**limit), watch)


def search(deal: OpenDeal, limit: Mapping[str, Any], watch: Watch = lambda _: True) -> Search:
    """Set up a search of a deal that answers more than one question, within one limit."""
    from scorer.cards.solver.search import Limit, Search  # late, as above

    return Search(deal, Limit(**limit), watch)


def prove(deal: CardDeal) -> Sequence[Proof]:
    """Prove what the cards of a deal tell: who was the partner where one is sought, the result."""
    return ENGINES[deal.slug].prove(deal) if deal.trump_known else ()


def prove_problem(deal: CardDeal, finding: Finding) -> Proof:
    """Prove one of the problems found by the examination of a deal."""
    return ENGINES[deal.slug].prove_problem(deal, finding)


def parse(game: Game[Any, Any], text: DealText) -> CardDeal:
    """Read the text of a deal by itself; raise InvalidError with the place of every problem."""
    return ENGINES[game.slug].parse(text)


def parse_beside(text: str | DealText, deal: D, sheet: Any) -> D:
    """Read the text of a deal that has a sheet; raise InvalidError for a text that doesn't fit."""
    read: D = ENGINES[deal.slug].parse_beside(text, deal, sheet)
    return read


def text_lines(deal: CardDeal) -> Iterator[Text]:
    """Write a deal as text, line by line; in any language ``parse_beside`` reads it.

    The first two lines are its rules and its seats.
    """
    return ENGINES[deal.slug].text_lines(deal)


def write_text(deal: CardDeal) -> str:
    """Write a deal as text, in English."""
    return "".join(f"{line}\n" for line in text_lines(deal))


def read_play(
    deal: D, play: Mapping[str, Any], sheet: Any, names: Sequence[str]
) -> tuple[D | None, list[Problem]]:
    """Read the cards of a deal as they were written down beside its sheet, with these names."""
    reading = Reading(names, deal.deck.letters.deck)
    return deal.with_play(play, sheet, reading), reading.problems


def read_stored_play(
    deal: D, play: Mapping[str, Any], sheet: Any
) -> tuple[D | None, list[Problem]]:
    """Read the cards of a deal as they are stored: people by the numbers of their seats."""
    return read_play(deal, play, sheet, deal.stored_names)


def stored_play(deal: CardDeal) -> dict[str, Any]:
    """Write the cards of a deal as they are stored."""
    return deal.write_play(deal.stored_names)
