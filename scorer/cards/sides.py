"""Games whose sides are known before the first card, Briscola and Tressette (rules.md D2, D5).

The claim of such a deal are answers of its sheet, any of which may be missing. Tressette counts in
thirds of a point, so that all card points are whole numbers: an ace is 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, ClassVar, NamedTuple

from scorer.cards.board import Board, Facts, card_deck
from scorer.cards.faults import DealProof, Finding, SideTaken, fault, faults, revokes
from scorer.cards.line import follow
from scorer.errors import existing
from scorer.games import briscola, maraffone, traversone, tressette
from scorer.games.briscola import BriscolaSheet, TurnedUpHonour
from scorer.games.traversone import TraversoneSheet
from scorer.games.tressette import TressetteCappotto, TressetteLeader, TressetteSheet
from scorer.games.tressette.declarations import Declaration, shown_cards
from scorer.rules.bands import PACK
from scorer.rules.cards import DECKS, ITALIAN_SUITS, Card, Deck, Rank
from scorer.rules.game import Table
from scorer.rules.questions import (
    Ask,
    Reading,
    Unanswered,
    join,
    questions,
    read,
    read_card,
    read_suit,
    side_problems,
    write,
)
from scorer.rules.seats import PerSide, Seat, Side, strictly_most
from scorer.rules.thirds import ACES, FRACTIONS, HAND, THIRDS
from scorer.texts import Text, from_to, listed, say

#: How many thirds make a point of Tressette.
POINT = 3
TRUMP_QUESTIONS = {
    "turned_up": say("Which card was turned up?"),
    "trump": say("Which suit is trump? Any card of it will do."),
}


class TressetteDeck(Deck):
    """A three is the strongest; card points are thirds."""

    @cached_property
    def card_points(self) -> dict[Rank, int]:
        worths = {Rank.ACE: POINT} | dict.fromkeys(map(Rank, "32KQJ"), 1)
        return {rank: worths.get(rank, 0) for rank in self.ranks}


BRISCOLA_DECK = card_deck(DECKS["italian-40"])
TRESSETTE_DECK = card_deck(
    TressetteDeck("tressette", ITALIAN_SUITS, tuple(map(Rank, "32AKQJ7654")))
)
FOUR_OF_COINS = TRESSETTE_DECK.numbers["4D"]
WITHOUT_FOURS = card_deck(
    TressetteDeck("tressette-36", ITALIAN_SUITS, tuple(map(Rank, "32AKQJ765")))
)
#: Three players leave one of them out, at Traversone and at Briscola.
FOURS = frozenset(TRESSETTE_DECK.numbers[f"4{suit}"] for suit in ITALIAN_SUITS)
TWOS = frozenset(BRISCOLA_DECK.numbers[f"2{suit}"] for suit in ITALIAN_SUITS)


@dataclass(frozen=True, slots=True)
class BriscolaClaim:
    """The claimed answers of the sheet; None for those left out."""

    #: What a claim doesn't say, and a sheet does.
    winner: ClassVar = Unanswered.UNANSWERED
    declared: ClassVar = PerSide[int]()
    card_points: Annotated[
        PerSide[int] | None, Ask(say("Card points"), low=0, high=PACK, total=PACK)
    ] = None
    last_trick: Annotated[Side | None, Ask(say("Last trick"))] = None


def claim_of(kind: type[Any], sheet: Any) -> Any:
    """Return the answers of a sheet as a claim; an empty one if the deal has no sheet yet."""
    names = [question.name for question in questions(kind)]
    return kind(**{name: getattr(sheet, name) for name in names if hasattr(sheet, name)})


def briscola_facts(table: Table[Any]) -> Facts:
    return Facts(
        game=briscola.GAME,
        deck=BRISCOLA_DECK,
        each=3,
        tricks=len(BRISCOLA_DECK.cards) // len(table.active),
        leads_first=Board.next_of_dealer,
        trump_key="turned_up",
        target=PACK // 2 + 1,
        left_out=TWOS if len(table.active) == 3 else frozenset(),
    )


def tressette_facts(table: Table[Any]) -> Facts:
    return Facts(
        game=tressette.GAME,
        deck=TRESSETTE_DECK,
        each=10,
        tricks=len(TRESSETTE_DECK.cards) // len(table.active),
        leads_first=tressette_leader,
        follows=True,
        unit=POINT,
        last_worth=POINT,
        target=(HAND + 1) // 2 * POINT,
    )


def maraffone_facts(table: Table[Any]) -> Facts:
    """Return the facts of Tressette with a trump, which whoever leads first has named."""
    facts = tressette_facts(table)
    return facts._replace(game=maraffone.GAME, leads_first=leads_by_four, trump_key="trump")


def traversone_facts(table: Table[Any]) -> Facts:
    """Return the facts of Tressette for so many: six play without fours, three without one."""
    players = len(table.active)
    deck = WITHOUT_FOURS if players == 6 else TRESSETTE_DECK
    each = len(deck.cards) // players
    return tressette_facts(table)._replace(
        game=traversone.GAME,
        deck=deck,
        each=each,
        tricks=each,
        leads_first=Board.next_of_dealer,
        left_out=FOURS if players == 3 else frozenset(),
    )


def _four_leads(board: Board) -> bool:
    leader = getattr(board.table.rules, "first_leader", None)
    return leader is TressetteLeader.FOUR_OF_COINS and board.table.first is not False


def tressette_leader(board: Board) -> Seat | None:
    """Return the first leader (rules.md D5), as far as known before the line is followed.

    Where nobody knows which deal of a session it is, a written leader or the hands tell.
    """
    if not _four_leads(board):
        return board.next_of_dealer()
    if board.table.first:
        return leads_by_four(board)
    first = board.tricks[0] if board.tricks else None
    known = first is not None and (board.hands or first.leader is not None)
    return None if known else board.next_of_dealer()


def leads_by_four(board: Board) -> Seat | None:
    """Return who has the four of coins, if it is the first deal of a session.

    Later leaders of Maraffone follow in turn, from whom no single deal tells (rules.md D8).
    """
    if not board.table.first:
        return None
    return next((seat for seat, hand in board.hands.items() if FOUR_OF_COINS in hand), None)


def read_answers(
    kind: type[Any],
    board: Board,
    data: Mapping[str, Any],
    reading: Reading,
    _early: bool,  # noqa: FBT001  # a row of the table of games takes them in order
) -> Board:
    """Read the claim, unless the board has one from its sheet."""
    if board.claim is not None:
        return board
    claim = read(kind, data.get("claim") or {}, reading, "claim")
    if claim is not None:
        reading.problems += side_problems(claim, len(_sides(board)), "claim")
    return replace(board, claim=claim)


def read_trump(board: Board, data: Mapping[str, Any], reading: Reading, early: bool) -> Board:  # noqa: FBT001  # a row of the table of games takes them in order
    """Read the card turned up, or the suit named; of an ``early`` record it may be missing."""
    key, trump_card = board.facts.trump_key, None
    if data.get(key) is not None:
        trump_card = _read_trump(data[key], board, reading)
    elif key and not early:
        reading.fault("missing-key", key, TRUMP_QUESTIONS[key])
    hands = {join("hands", board.table.name(seat)): seat for seat in board.hands}
    reading.problems += board.table.sitting_out(hands)
    return replace(board, trump_card=trump_card)


def _read_trump(given: object, board: Board, reading: Reading) -> int | None:
    """Read a card, or a suit, which any of its cards stands for."""
    key, deck = board.facts.trump_key, board.deck
    if key == "turned_up":
        turned = read_card(given, reading, key)
        return None if turned is None else deck.number(turned)
    card = deck.numbers.get(deck.spelling(str(given)))
    suit = read_suit(given, reading, key) if card is None else None
    return card if suit is None else deck.letters.suits.index(suit) * deck.height


def write_trump(board: Board, _names: Sequence[str]) -> dict[str, Any]:
    key, card = board.facts.trump_key, board.trump_card
    if card is None:
        return {}
    return {key: str(board.deck.cards[card].suit) if key == "trump" else board.text(card)}


Bounds = Sequence[tuple[int, int]]


class Counted(NamedTuple):
    """What each side has taken for certain, and which has the last trick."""

    board: Board
    sides: Sequence[Sequence[Seat]]
    taken: tuple[int, ...]
    last: Side | None

    @property
    def settled(self) -> bool:
        """Whether the cards say everything that a sheet asks of them."""
        line = follow(self.board)
        return self.board.complete and not line.doubtful and None not in line.winners

    @property
    def points(self) -> tuple[int, ...]:
        """The card points of each side, the last trick's among them once it is taken."""
        worth = self.board.facts.last_worth
        return tuple(n + worth * (self.last == side) for side, n in enumerate(self.taken))

    @property
    def least(self) -> tuple[int, ...]:
        """The whole points that each side has for certain."""
        least = [points // self.board.facts.unit for points in self.points]
        if self.settled and self.last is not None and self.board.facts.unit > 1:
            least[self.last] += HAND - sum(least)  # what others drop: nothing between two sides
        return tuple(least)

    @property
    def winning(self) -> frozenset[Side]:
        """The sides that took a trick for certain."""
        winners = {*follow(self.board).winners}
        return frozenset(Side(n) for n, side in enumerate(self.sides) if winners & {*side})

    def cards_worth(self, worth: int) -> tuple[int, ...]:
        """Count the cards of a worth that each side has taken for certain."""
        line, won = follow(self.board), dict.fromkeys(self.board.players, 0)
        for index, _, card in line.all_plays():
            winner = line.winners[index]
            if winner is not None and card not in line.doubtful:
                won[winner] += self.board.deck.points[card] == worth
        return tuple(sum(won[seat] for seat in side) for side in self.sides)

    def each(self, words: Iterable[str]) -> Text:
        """Join words about each side with its names: ``Ada and Ciro 45, Bea and Dora 30``."""
        pairs = zip(self.sides, words, strict=True)
        return listed(listed((self.board.table.names(side), word), " ") for side, word in pairs)


def _sides(board: Board) -> Sequence[Sequence[Seat]]:
    return board.facts.game.sides(board.players, board.table.rules)


def count(board: Board) -> Counted:
    line, sides = follow(board), _sides(board)
    points = line.taken()[0]
    taken = tuple(sum(points[seat] for seat in side) for side in sides)
    last = line.winners[-1] if len(line.winners) == board.facts.tricks else None
    return Counted(board, sides, taken, _side_of(last, sides))


def _side_of(seat: Seat | None, sides: Sequence[Sequence[Seat]]) -> Side | None:
    return next((Side(number) for number, side in enumerate(sides) if seat in side), None)


def _bounds(taken: Sequence[int], pack: int) -> Bounds:
    rest = pack - sum(taken)
    return [(points, points + rest) for points in taken]


#: The figures of a claim: how a difference is called, what each side has for certain, and all have.
FIGURES: Mapping[str, tuple[str, Callable[[Counted], Sequence[int]], int]] = {
    "card_points": ("points-mismatch", lambda counted: counted.taken, PACK),
    "aces": ("aces-mismatch", lambda counted: counted.cards_worth(POINT), ACES),
    "thirds": ("thirds-mismatch", lambda counted: counted.cards_worth(1), THIRDS),
    "hand_points": ("hand-points-mismatch", lambda counted: counted.least, HAND),
}


def examine_sides(board: Board) -> DealProof:
    """Examine a deal: what it proves, and its faults; all bounds are those of completions."""
    game, table, line, counted = board.facts.game, board.table, follow(board), count(board)
    problems = [*faults(board), *_turned_up(board), *_four(board)]
    points, tricks = line.taken()
    bounds = _bounds(counted.taken, sum(board.deck.points))
    # What the cards don't prove of the sheet may be at fault.
    sheet = None if problems else proved_answers(board)
    paid = None if sheet is None else game.read_sheet(sheet, table)[0]
    return DealProof(
        complete=board.complete,
        winners=line.winners,
        card_points=points,
        tricks_won=tricks,
        exact=all(low == high for low, high in bounds),
        sides=tuple(map(SideTaken, map(tuple, counted.sides), counted.taken, bounds)),
        status="settled" if counted.settled else "open",
        sheet=sheet,
        payouts=None if paid is None else game.score(paid, table).payouts,
        problems=[*problems, *_claim_problems(counted)],
        warnings=[*revokes(board)],
    )


def proved_answers(board: Board) -> dict[str, Any] | None:
    """Return the answers that the cards prove, and the others of the claim; None if open."""
    counted = count(board)
    if not counted.settled:
        return None
    answers = write(replace(board.claim, **_proved(counted)), board.table.seats)
    kept = {key: value for key, value in answers.items() if value not in (None, [])}
    return kept | {key: answers[key] for key in ("cappotto",) if key in answers}


def _proved(counted: Counted) -> dict[str, Any]:
    """Return the answers of a claim as the cards prove them; hand points only if it has some."""
    board, claim, last = counted.board, counted.board.claim, counted.last
    proved: dict[str, Any] = {
        field: PerSide(figures(counted))
        for field, (_, figures, _) in FIGURES.items()
        if hasattr(claim, field) and (field != "hand_points" or claim.hand_points is not None)
    }
    if isinstance(claim, TraversoneSheet):
        proved = {field: dict(zip(board.players, proved[field], strict=True)) for field in proved}
        proved["last_trick"] = None if last is None else board.players[last]
    elif claim.last_trick is not None or board.facts.last_worth or _last_trick_decides(counted):
        proved["last_trick"] = last
    if isinstance(claim, TressetteSheet):
        denied, winning = refuted(counted), counted.winning
        declared = (tuple(d for d in side if d not in denied) for side in claim.declarations)
        proved["declarations"] = PerSide(declared)
        by_tricks = board.table.rules.cappotto is TressetteCappotto.TRICKS
        if by_tricks or not isinstance(claim.cappotto, Unanswered):
            proved["cappotto"] = next(iter(winning)) if len(winning) == 1 else None
    return proved


def _last_trick_decides(counted: Counted) -> bool:
    board = counted.board
    unasked = board.facts.game.irrelevant_questions(board.table)
    return strictly_most(counted.taken) is None and not unasked["last_trick"]


def _claim_problems(counted: Counted) -> list[Finding]:
    """Find what is impossible in a claim, and where it differs from the cards."""
    board, claim = counted.board, counted.board.claim
    wrong = _sheet_faults(board, claim)
    at_fault = {finding.where["claim"] for finding in wrong}
    for field, (code, figures, whole) in FIGURES.items():
        claimed = getattr(claim, field, None)
        if claimed is not None and field not in at_fault:
            wrong += _mismatch(code, counted, field, claimed, _bounds(figures(counted), whole))
    last = claim.last_trick
    if isinstance(claim, TraversoneSheet):
        last = _side_of(last, counted.sides)
    if None not in (last, counted.last) and last != counted.last:
        who = board.table.names(counted.sides[existing(counted.last)])
        wrong.append(fault("wrong-last-trick", {"claim": "last_trick"}, who=who))
    if isinstance(claim, TressetteSheet):
        if "cappotto" not in at_fault:
            wrong += _cappotto(counted, claim.cappotto)
        wrong += refuted(counted).values()
    return wrong


def winner_differs(board: Board, sheet: Any) -> list[Finding]:
    """Find a difference from a sheet of Briscola that says only who won."""
    counted = count(board)
    if not isinstance(sheet, BriscolaSheet) or sheet.card_points is not None or not counted.settled:
        return []
    return _sheet_faults(board, BriscolaSheet(PerSide(counted.taken), counted.last, sheet.winner))


def _turned_up(board: Board) -> Iterator[Finding]:
    """Find a card turned up that isn't under the stock, or that should have gone back (D2)."""
    if board.facts.trump_key != "turned_up":
        return
    card, stock = existing(board.trump_card), board.stock or ()
    if len(stock) == board.stock_size and stock[-1] != card:
        yield fault("turned-up", {"stock": True}, card=board.card_name(card))
    returned = board.table.rules.turned_up_honour is TurnedUpHonour.RETURNED
    if returned and board.deck.cards[card].rank in (Rank.ACE, Rank.THREE):
        yield fault("turned-up-honour", {"turned_up": True}, card=board.card_name(card))


def _cappotto(counted: Counted, claimed: Side | Unanswered | None) -> Iterator[Finding]:
    """Compare who is said to have taken every trick with who took one."""
    missed = claimed is None and counted.settled and len(counted.winning) == 1
    stated = claimed is not None and not isinstance(claimed, Unanswered)
    if missed or (stated and counted.winning - {claimed}):
        yield fault("wrong-cappotto", {"claim": "cappotto"})


def _four(board: Board) -> Iterator[Finding]:
    """Find a first leader without the four of coins."""
    line = follow(board)
    if not _four_leads(board) or board.first_leader is not None or not board.tricks:
        return
    may_lead = [seat for seat, cards in line.held().items() if FOUR_OF_COINS in cards]
    other = None if board.table.first else board.next_of_dealer()
    if may_lead and line.leaders[0] not in (None, other, *may_lead):
        values = {"name": board.table.name(may_lead[0]), "card": board.card_name(FOUR_OF_COINS)}
        yield fault("wrong-first-leader:four", {"trick": 1}, **values)


def refuted(counted: Counted) -> dict[Declaration, Finding]:
    """Return the declarations that nobody of the side can have held."""
    board, held, denied = counted.board, follow(counted.board).held(), dict[Declaration, Finding]()
    for side, declared in zip(counted.sides, board.claim.declarations, strict=False):
        for declaration in declared:
            if not any(_may_declare(board, held, seat, declaration) for seat in side):
                values = {"who": board.table.names(side), "what": declaration.words}
                finding = fault("declaration-not-held", {"claim": "declarations"}, **values)
                denied[declaration] = finding
    return denied


def _may_declare(
    board: Board, held: Mapping[Seat, frozenset[int]], seat: Seat, declaration: Declaration
) -> bool:
    """Whether somebody can have held the declared cards, without the one declared missing."""
    mine, others = held[seat], frozenset(chain.from_iterable(held.values())) - held[seat]
    if board.stock_places is not None:
        played = follow(board).all_plays()
        others |= {card for _, who, card in played if who not in (None, seat)}
        others |= board.stock_places.keys()
    return any(
        _numbers(cards).isdisjoint(others)
        and len(_numbers(cards) | mine) <= board.facts.each
        and mine.isdisjoint(_numbers(lacks))
        for cards, lacks in shown_cards(declaration, coda=board.table.rules.coda)
    )


def declared_text(board: Board, index: int, declaration: Declaration) -> Text:
    """Name which cards of a declaration were played to a trick, and who played them."""
    shown = shown_cards(declaration, coda=board.table.rules.coda)
    wanted = _numbers(chain.from_iterable(cards | lacks for cards, lacks in shown))
    plays = [
        say("%(name)s played %(card)s", name=board.table.name(seat), card=board.card_name(card))
        for seat, card in follow(board).plays(index)
        if seat is not None and card in wanted
    ]
    return say("Trick %(trick)s: %(plays)s.", trick=index + 1, plays=listed(plays))


def _numbers(cards: Iterable[Card]) -> frozenset[int]:
    return frozenset(TRESSETTE_DECK.numbers[str(card)] for card in cards)


def _sheet_faults(board: Board, sheet: Any) -> list[Finding]:
    """Find answers that are impossible in any deal of the game; missing ones are fine."""
    return [
        Finding(problem.code, {"claim": problem.field.partition("[")[0]}, problem.message)
        for problem in board.facts.game.problems(sheet, board.table)
        if problem.code != "missing-key"
    ]


def _mismatch(
    code: str,
    counted: Counted,
    field: str,
    claimed: Mapping[Seat, int] | Sequence[int],
    bounds: Bounds,
) -> Iterator[Finding]:
    """Compare an answer with what each side can have; report the first impossible one."""
    if isinstance(claimed, Mapping):  # by seat, each of which is a side
        claimed = [claimed.get(side[0], 0) for side in counted.sides]
    for side, points, (low, high) in zip(counted.sides, claimed, bounds, strict=True):
        if not low <= points <= high:
            who = counted.board.table.names(side)
            yield fault(code, {"claim": field}, who=who, points=from_to(low, high))
            return


def result(board: Board) -> tuple[int | None, ...] | None:
    """Return what the cards decide: in Briscola who won, in Tressette the hand points.

    None while it is open; nobody has won a deal in which both sides have half of the card points.
    """
    counted = count(board)
    if board.facts.unit > 1:
        return counted.least if sum(counted.least) == HAND else None
    *_, second, best = sorted(counted.taken)
    left = PACK - sum(counted.taken)
    if best > second + left:
        return (counted.taken.index(best),)
    return None if left else (None,)


def result_text(board: Board, last: int) -> Text:
    """Explain what decides the result, by the tricks up to a number."""
    won, counted = result(board), count(board)
    if board.facts.unit > 1:
        points = counted.each(map(str, counted.least))
        return say("So the hand points are: %(points)s.", points=points)
    if won is None or won[0] is None:
        if len(counted.sides) > 2:
            return say("Nobody has more card points than everybody else: the deal is drawn.")
        return say("Each side has exactly 60 card points: the deal is drawn.")
    side, most = board.table.names(counted.sides[won[0]]), counted.taken[won[0]]
    values = {"trick": last, "side": side, "points": most}
    if len(counted.sides) > 2:
        return say(
            "After trick %(trick)s, %(side)s: at least %(points)s card points, more than anybody "
            "else can have. That wins the deal.",
            **values,
        )
    return say(
        "After trick %(trick)s, %(side)s: at least %(points)s of the 120 card points, more than "
        "half. That wins the deal.",
        **values,
    )


def worth_text(board: Board, points: int) -> str:
    """Write card points as people count them: ``3⅔``."""
    if board.facts.unit == 1:
        return str(points)
    whole, rest = divmod(points, board.facts.unit)
    return f"{whole or ''}{FRACTIONS[rest]}" or "0"
