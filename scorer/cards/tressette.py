"""The cards of Tressette for four: all are dealt, suit is followed, and aces and thirds count.

Card points are counted in thirds of a point, so that all are whole numbers: an ace is 3.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any

from scorer.cards.sides.deal import SidesDeal
from scorer.cards.trick_game import NumberedDeck
from scorer.games.tressette import GAME, THIRDS
from scorer.games.tressette.declarations import Declaration, shown_cards
from scorer.games.tressette.sheet import (
    ACES,
    HAND,
    TressetteCappotto,
    TressetteLeader,
    TressetteSheet,
)
from scorer.games.tressette.sheet import THIRDS as PACK_THIRDS
from scorer.rules.cards import ITALIAN_SUITS, Card, Deck, Rank
from scorer.rules.findings import Finding
from scorer.rules.seats import PerSide, Seat, Side
from scorer.rules.sheet import Unanswered
from scorer.texts import Text, listed, say

#: How many thirds make a point.
POINT = 3
COUNTING = "32KQJ"
MISMATCH = {
    "aces": say("Going by the cards entered, %(who)s took %(points)s of the aces."),
    "thirds": say(
        "Going by the cards entered, %(who)s took %(points)s of the threes, twos and court cards."
    ),
    "hand_points": say("Going by the cards entered, the hand points of %(who)s are %(points)s."),
}


class TressetteDeck(Deck):
    """A three is the strongest; card points are thirds."""

    @cached_property
    def card_points(self) -> dict[Rank, int]:
        """Return the worth of each rank, in thirds."""
        worths = {Rank.ACE: POINT} | dict.fromkeys(map(Rank, COUNTING), 1)
        return {rank: worths.get(rank, 0) for rank in self.ranks}


DECK = NumberedDeck(TressetteDeck("tressette", ITALIAN_SUITS, tuple(map(Rank, "32AKQJ7654"))))

FOUR = DECK.numbers["4D"]


class TressetteDeal(SidesDeal):
    """A deal of Tressette: no trump, suit must be followed, the last trick is worth a point."""

    slug = GAME.slug
    game = GAME
    claim_type = TressetteSheet
    counts = (4,)
    dealt = 10
    turns_up = False
    follows = True
    unit = POINT
    last_worth = POINT
    target = (HAND + 1) // 2 * POINT
    deck = DECK

    @property
    def four_leads(self) -> bool:
        rules = self.table.rules
        return rules.first_leader is TressetteLeader.FOUR_OF_COINS and self.table.first is not False

    @property
    def first_leader(self) -> Seat | None:
        """Return the first leader (rules.md D5), as far as known before the cards are laid out.

        Where nobody knows which deal of a session it is, a written leader or the hands tell.
        """
        next_of_dealer, first = super().first_leader, self.tricks[0] if self.tricks else None
        if not self.four_leads:
            return next_of_dealer
        if self.table.first:
            return next((seat for seat, hand in self.hands.items() if FOUR in hand.cards), None)
        known = first is not None and (self.hands or first.leader is not None)
        return None if known else next_of_dealer

    def faults(self) -> Iterator[Finding]:
        """Find what is wrong with the record, also a leader without the four of coins."""
        yield from super().faults()
        if not self.four_leads or self.first_leader is not None or not self.tricks:
            return
        may_lead = [seat for seat, cards in self.held.items() if FOUR in cards]
        next_of_dealer = None if self.table.first else super().first_leader
        if may_lead and self.layout.leaders[0] not in (None, next_of_dealer, *may_lead):
            message = say(
                "Trick 1 is led by %(name)s, who had %(card)s.",
                name=self.table.name(may_lead[0]),
                card=self.say_the_card(FOUR),
            )
            yield Finding("wrong-first-leader", {"trick": 1}, message)

    def claim_problems(self) -> Iterator[Finding]:
        claim: TressetteSheet = self.claim
        faults = [*self.sheet_faults(claim, self.table)]
        yield from faults
        at_fault = {fault.where["claim"] for fault in faults}
        least = tuple((low, HAND - sum(self.least) + low) for low in self.least)
        compared = {
            "aces": (claim.aces, self.bounds_of(self.aces, ACES)),
            "thirds": (claim.thirds, self.bounds_of(self.thirds, PACK_THIRDS)),
            "hand_points": (claim.hand_points, least),
        }
        for field, (claimed, bounds) in compared.items():
            if field not in at_fault:
                yield from self.mismatch(field, claimed, bounds, MISMATCH[field])
        yield from self.last_trick_problems(claim.last_trick)
        if "cappotto" not in at_fault:
            yield from self._cappotto_problems(claim.cappotto)
        yield from (finding for finding, _ in self.refuted)

    def _cappotto_problems(self, claimed: Side | Unanswered | None) -> Iterator[Finding]:
        missed = claimed is None and self.settled and len(self.winning_sides) == 1
        stated = claimed is not None and not isinstance(claimed, Unanswered)
        if missed or (stated and self.winning_sides - {claimed}):
            message = say("Going by the cards entered, the tricks were shared otherwise.")
            yield Finding("wrong-cappotto", {"claim": "cappotto"}, message)

    @cached_property
    def winning_sides(self) -> frozenset[Side]:
        """The sides that took a trick for certain."""
        winners = set(self.layout.winners)
        return frozenset(Side(n) for n, side in enumerate(self.sides) if winners & set(side))

    def answers(self, claim: TressetteSheet) -> dict[str, Any]:
        """Write the answers, with who took every trick where that counts or was written."""
        answers = super().answers(claim)
        counts = self.table.rules.cappotto is TressetteCappotto.TRICKS
        if counts or not isinstance(claim.cappotto, Unanswered):
            side, *others = self.winning_sides
            answers["cappotto"] = None if others else side
        return answers

    @cached_property
    def aces(self) -> tuple[int, ...]:
        return self._certain(POINT)

    @cached_property
    def thirds(self) -> tuple[int, ...]:
        """The threes, twos and court cards that each side has for certain."""
        return self._certain(1)

    def _certain(self, worth: int) -> tuple[int, ...]:
        layout, won = self.layout, dict.fromkeys(self.players, 0)
        for index, winner in enumerate(layout.winners):
            if winner is not None:
                cards = {card for _, card in layout.plays(index)} - layout.doubtful
                won[winner] += [self.deck.points[card] for card in cards].count(worth)
        return self.by_side(won)

    @cached_property
    def least(self) -> tuple[int, ...]:
        """The hand points that each side has for certain."""
        last = self.last_side
        return tuple(points // POINT + (last == side) for side, points in enumerate(self.taken))

    @cached_property
    def refuted(self) -> list[tuple[Finding, Declaration]]:
        """List the declarations that nobody of the side can have held."""
        denied = []
        for side, declarations in enumerate(self.claim.declarations):
            for declaration in declarations:
                if not any(self._may_declare(seat, declaration) for seat in self.sides[side]):
                    message = say(
                        "Going by the cards entered, nobody of %(who)s held what was declared: "
                        "%(what)s.",
                        who=self.table.names(self.sides[side]),
                        what=declaration.words,
                    )
                    where = {"claim": "declarations"}
                    denied.append((Finding("declaration-not-held", where, message), declaration))
        return denied

    def trick_words(self, finding: Finding, index: int) -> Text | None:
        """Name the cards of a declaration played to a trick, and who played them."""
        about = [declaration for denied, declaration in self.refuted if denied == finding]
        if not about:
            return super().trick_words(finding, index)
        shown = shown_cards(about[0], coda=self.table.rules.coda)
        wanted = frozenset(chain.from_iterable(cards | lacks for cards, lacks in shown))
        plays = [
            say(
                "%(name)s played %(card)s",
                name=self.table.name(seat),
                card=self.say_the_card(card),
            )
            for seat, card in self.layout.plays(index)
            if seat is not None and self.deck.cards[card] in wanted
        ]
        return say("Trick %(trick)s: %(plays)s.", trick=index + 1, plays=listed(plays))

    def _may_declare(self, seat: Seat, declaration: Declaration) -> bool:
        """Whether somebody can have held the declared cards, without the one declared missing."""
        mine = self.held[seat]
        others = frozenset(chain.from_iterable(self.held.values())) - mine
        return any(
            self._numbers(cards).isdisjoint(others)
            and len(self._numbers(cards) | mine) <= self.dealt
            and mine.isdisjoint(self._numbers(lacks))
            for cards, lacks in shown_cards(declaration, coda=self.table.rules.coda)
        )

    def _numbers(self, cards: frozenset[Card]) -> frozenset[int]:
        return frozenset(map(self.deck.number, cards))

    @cached_property
    def held(self) -> dict[Seat, frozenset[int]]:
        return self.layout.held()

    def proved(self, claim: TressetteSheet) -> TressetteSheet:
        """Return the cards taken as answers, and the declarations that the cards don't exclude."""
        denied = [declaration for _, declaration in self.refuted]
        kept = PerSide(
            tuple(declared for declared in declarations if declared not in denied)
            for declarations in claim.declarations
        )
        return replace(
            claim,
            aces=PerSide(self.aces),
            thirds=PerSide(self.thirds),
            last_trick=self.last_side,
            hand_points=None if claim.hand_points is None else PerSide(self.least),
            declarations=kept,
        )

    @property
    def result(self) -> tuple[int, ...] | None:
        """The hand points, once the points of both sides are certain."""
        return self.least if sum(self.least) == HAND else None

    def result_text(self, last: int) -> Text:  # noqa: ARG002  # it is counted to the end
        return say(
            "So the hand points are: %(points)s.", points=self.each_side(map(str, self.least))
        )

    def side_words(self) -> Iterator[str]:
        """Describe what each side has, with the last trick once it is taken."""
        for side, points in enumerate(self.taken):
            yield self.worth_text(points + POINT * (self.last_side == side))

    def worth_text(self, points: int) -> str:
        """Write thirds as points: ``3⅔``."""
        whole, rest = divmod(points, POINT)
        return f"{whole or ''}{THIRDS[rest]}" or "0"


DEAL_CLASS = TressetteDeal
