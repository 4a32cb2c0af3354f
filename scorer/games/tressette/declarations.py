"""Declarations: cards held from the deal, and whether all can have been held."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated

from scorer.errors import Problem
from scorer.rules.cards import ITALIAN_SUITS, SUIT_WORDS, Card, Rank, Suit
from scorer.rules.questions import Ask, Choice
from scorer.texts import Text, say

Hand = frozenset[Card]

RUN = tuple(map(Rank, "A234567JQK"))
NAPOLETANA = 3
MOST_CODA = len(RUN) - NAPOLETANA
RANKS = RUN[:NAPOLETANA]
RANK_PLURALS = {Rank.ACE: say("aces"), Rank.TWO: say("twos"), Rank.THREE: say("threes")}
SUITS = SUIT_WORDS[True]


class DeclarationKind(Choice):
    """What can be declared."""

    NAPOLETANA = "napoletana", say("Napoletana")
    FOUR = "four", say("Four of a kind")
    THREE = "three", say("Three of a kind")


@dataclass(frozen=True, slots=True)
class Declaration:
    """One declaration: a napoletana of a suit, or three or four of a rank.

    ``missing`` is the suit that three of a rank lack, if it was said; ``coda`` counts the cards
    of the suit that follow a napoletana without a gap.
    """

    kind: Annotated[DeclarationKind, Ask(say("Declaration"))]
    suit: Annotated[Suit | None, Ask(say("Suit"))] = None
    rank: Annotated[Rank | None, Ask(say("Rank"))] = None
    missing: Annotated[Suit | None, Ask(say("Missing suit"))] = None
    coda: Annotated[int, Ask(say("Coda"), low=0, high=MOST_CODA)] = 0

    @property
    def words(self) -> Text:
        if self.suit is not None:
            suit = SUITS[self.suit]
            if self.coda:
                return say(
                    "napoletana of %(suit)s with %(cards)s cards in a row",
                    suit=suit,
                    cards=NAPOLETANA + self.coda,
                )
            return say("napoletana of %(suit)s", suit=suit)
        rank = RANK_PLURALS[self.rank or Rank.ACE]
        if self.kind is DeclarationKind.FOUR:
            return say("four %(rank)s", rank=rank)
        if self.missing is None:
            return say("three %(rank)s", rank=rank)
        return say("three %(rank)s, without %(suit)s", rank=rank, suit=SUITS[self.missing])

    def points(self, *, coda: bool) -> int:
        """Return its points: four of a kind 4, the others 3, and a card of the coda 1."""
        if self.kind is DeclarationKind.FOUR:
            return 4
        return 3 + (self.coda if coda else 0)

    def problems(self, path: str) -> Iterator[Problem]:
        """Find what a declaration of this kind lacks or has too much."""
        of_suit = self.kind is DeclarationKind.NAPOLETANA
        if of_suit and self.suit is None:
            yield Problem("missing-key", f"{path}.suit", say("A napoletana of which suit?"))
        if not of_suit and self.rank is None:
            yield Problem("missing-key", f"{path}.rank", say("Aces, twos or threes?"))
        if self.rank is not None and self.rank not in RANKS:
            message = say("Only aces, twos and threes are declared.")
            yield Problem("declaration-rank", f"{path}.rank", message)
        too_much = (self.rank, self.missing) if of_suit else (self.suit, self.coda or None)
        if self.kind is DeclarationKind.FOUR:
            too_much = (*too_much, self.missing)
        if any(part is not None for part in too_much):
            message = say("This says more than such a declaration has.")
            yield Problem("declaration-parts", path, message)

    @property
    def what(self) -> Suit | Rank | None:
        """Return what is declared only once in a deal: a suit's napoletana, or a rank."""
        return self.suit if self.kind is DeclarationKind.NAPOLETANA else self.rank


#: One way in which a declaration can have been true: who holds what, and lacks what.
HandChoice = tuple[tuple[int, int], Hand, Hand]


def declaration_problems(
    declared: Sequence[Sequence[Declaration]], *, players: int, coda: bool
) -> list[Problem]:
    """Find what can't have been declared in one deal; ``players`` are those on each side."""
    placed = [
        (f"declarations[{side}][{number}]", side, declaration)
        for side, declarations in enumerate(declared)
        for number, declaration in enumerate(declarations)
    ]
    problems = [p for where, _, declaration in placed for p in declaration.problems(where)]
    if problems:
        return problems
    seen = [declaration.what for _, _, declaration in placed]
    message = say("This can be declared only once in a deal.")
    problems = [
        Problem("declaration-duplicate", where, message)
        for number, (where, _, declaration) in enumerate(placed)
        if declaration.what in seen[:number]
    ]
    held = [
        [
            ((side, player), cards, lacks)
            for player in range(players)
            for cards, lacks in shown_cards(declaration, coda=coda)
        ]
        for _, side, declaration in placed
    ]
    most = HANDS[players * len(declared)] if declared else 0
    if not problems and not any(_possible(ways, most) for ways in product(*held)):
        message = say(
            "All this can't have been held together: a card would be in two hands, or a hand would "
            "have too many cards."
        )
        problems.append(Problem("declaration-impossible", "declarations", message))
    return problems


#: How many cards a player holds, by how many play.
HANDS = {2: 10, 3: 13, 4: 10}


def shown_cards(declaration: Declaration, *, coda: bool) -> Iterator[tuple[Hand, Hand]]:
    """Yield the cards that a declaration shows, and those that it shows to be elsewhere."""
    if declaration.suit is not None:
        end = NAPOLETANA + declaration.coda
        run = [Card(rank, declaration.suit) for rank in RUN]
        yield frozenset(run[:end]), frozenset(run[end : end + 1] if coda else ())
        return
    rank = declaration.rank or Rank.ACE
    four = frozenset(Card(rank, suit) for suit in ITALIAN_SUITS)
    if declaration.kind is DeclarationKind.FOUR:
        yield four, frozenset()
        return
    suits = ITALIAN_SUITS if declaration.missing is None else (declaration.missing,)
    for suit in suits:
        missing = frozenset({Card(rank, suit)})
        yield four - missing, missing


def _possible(ways: Sequence[HandChoice], most: int) -> bool:
    """Whether the shown cards are possible in one pack, and in hands of their size."""
    hands: dict[tuple[int, int], Hand] = {}
    lacks: dict[tuple[int, int], Hand] = {}
    for player, cards, others in ways:
        hands[player] = hands.get(player, frozenset()) | cards
        lacks[player] = lacks.get(player, frozenset()) | others
    together: Hand = frozenset().union(*hands.values())
    return (
        len(together) == sum(map(len, hands.values()))
        and all(len(hand) <= most for hand in hands.values())
        and all(not hand & lacks[player] for player, hand in hands.items())
    )
