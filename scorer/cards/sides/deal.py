"""A deal of a trick game whose sides are known before the first card (rules.md D2, D5).

A record has the cards, the card turned up if its suit is trump, and as its claim the answers of the
sheet. A *play* is the same without the claim, which is the sheet beside it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, Self

from scorer.cards import record_faults
from scorer.cards.deal import CardDeal, DealPart, PartKind
from scorer.cards.proofs import (
    Proof,
    ProofStep,
    counted,
    irreducible,
    proof_of,
    takes_the_same,
    until_shown,
)
from scorer.cards.sides import notation
from scorer.cards.solver.open_deal import Hands, OpenDeal, laid_open
from scorer.cards.trick_game import EMPTY, CardPile, PileReader, Stock
from scorer.errors import Problem
from scorer.rules.cards import card_name
from scorer.rules.findings import DealProof, Finding, SideTaken
from scorer.rules.game import Game, Table
from scorer.rules.seats import Seat, Side, Sides
from scorer.rules.sheet import Reading, join, read, read_card, side_problems, write
from scorer.texts import Text, from_to, listed, say

TURNED_UP = say("Which card was turned up?")

Bounds = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class SidesDeal(CardDeal):
    """A deal among known sides; a subclass names the game, its cards and what counts.

    ``claim`` has the answers written on the sheet, a ``claim_type``; any may be missing.
    ``turned_up`` is the number of the card whose suit is trump; it lies under the ``stock``, which
    is None unless somebody wrote down what was drawn.

    ``counts`` are the numbers of players whose deals can be written down, ``unit`` the card points
    that make a point, ``last_worth`` those of the last trick, ``target`` those of more than half.
    """

    game: ClassVar[Game[Any, Any]]
    claim_type: ClassVar[type[Any]]
    keys = frozenset({"claim", "hands", "tricks"})
    trump_key = "turned_up"
    trump_question = TURNED_UP
    not_begun = Problem("no-trump", "move", TURNED_UP)
    counts: ClassVar[tuple[int, ...]]
    dealt: ClassVar[int]
    turns_up: ClassVar[bool]
    follows: ClassVar[bool]
    unit: ClassVar[int] = 1
    last_worth: ClassVar[int] = 0
    target: ClassVar[int]

    claim: Any = None
    turned_up: int | None = None
    stock: CardPile | None = None

    parse = classmethod(notation.parse)
    parse_beside = notation.parse_beside
    text_lines = notation.text_lines

    @abstractmethod
    def claim_problems(self) -> Iterator[Finding]:
        """Find every difference between the claim and what the cards prove."""

    @property
    @abstractmethod
    def result(self) -> Hashable:
        """Return the result once the cards decide it; None while it is open."""

    @abstractmethod
    def result_text(self, last: int) -> Text:
        """Explain what decides the result, by the tricks up to a number."""

    @abstractmethod
    def proved(self, claim: Any) -> Any:
        """Return a claim with the answers that the cards prove; all tricks are known."""

    def trick_words(self, finding: Finding, index: int) -> Text | None:  # noqa: ARG002
        """Explain a trick's part in a difference from the sheet, if any is known."""
        return counted(self, index)

    @classmethod
    def of_sheet(cls, sheet: Any) -> Any:
        """Return a sheet as a claim; an empty one if the deal has no sheet yet."""
        return sheet if isinstance(sheet, cls.claim_type) else cls.claim_type()

    @classmethod
    def begun(cls, table: Table[Any], dealer: Seat | None) -> Self:
        return cls(table, dealer, claim=cls.claim_type())

    @classmethod
    def read(
        cls, data: Mapping[str, Any], table: Table[Any], dealer: Seat | None, reading: Reading
    ) -> Self | None:
        """Read the body of a record (contract.md); None when the reading has problems."""
        begun = cls.begun(table, dealer)
        claim = read(cls.claim_type, data.get("claim") or {}, reading, "claim")
        if claim is not None:
            sides = len(begun.sides)
            reading.problems += side_problems(claim, sides, "claim")
        deal = begun.with_cards(data, claim, reading)
        if deal is not None and not deal.trump_known:
            reading.fault("missing-key", "turned_up", TURNED_UP)
        return None if reading.problems else deal

    def with_cards(self, data: Mapping[str, Any], claim: Any, reading: Reading) -> Self | None:
        """Add the cards and the claim of a record; None if the reading has problems."""
        piles, deck = PileReader(reading, self.deck), self.deck
        hands = piles.hands(data["hands"]) if data.get("hands") is not None else {}
        stock, tricks = piles.pile(data.get("stock"), "stock"), piles.tricks(dict(data))
        turned, value = None, data.get("turned_up")
        if value is not None:
            turned = read_card(value, reading, "turned_up")
        elif self.turns_up and tricks:
            reading.fault("missing-key", "turned_up", TURNED_UP)
        for seat in hands.keys() - set(self.players):
            message = say("%(name)s sits this deal out.", name=self.table.name(seat))
            reading.fault("sits-out", join("hands", self.table.name(seat)), message)
        if reading.problems:
            return None
        return replace(
            self,
            hands=hands,
            # A last trick without a card, or a leader, says nothing.
            tricks=tricks[:-1] if tricks[-1:] == (EMPTY,) else tricks,
            claim=claim,
            turned_up=None if turned is None else deck.number(turned),
            stock=stock,
        )

    @classmethod
    def examine_record(
        cls, data: Mapping[str, Any], table: Table[Any], dealer: Seat | None, reading: Reading
    ) -> DealProof | None:
        deal = cls.read(data, table, dealer, reading)
        return None if deal is None else deal.played.examined

    @classmethod
    def examine_play(
        cls,
        play: Mapping[str, Any],
        sheet: Any,
        table: Table[Any],
        dealer: Seat | None,
        reading: Reading,
    ) -> DealProof | None:
        deal = cls.begun(table, dealer).with_play(play, sheet, reading)
        return deal.examined if deal is not None and deal.trump_known else None

    @classmethod
    def read_open_deal(
        cls, data: Mapping[str, Any], table: Table[Any], dealer: Seat | None, reading: Reading
    ) -> OpenDeal | list[Finding] | None:
        deal = cls.read(data, table, dealer, reading)
        return None if deal is None else deal.open_cards()

    def open_cards(self) -> OpenDeal | list[Finding]:
        """Open the cards once the stock is empty: then all of them are in the hands.

        Who has what follows from the tricks played after that, or from the hands as they were dealt
        and the stock; one hand may be missing, it is the rest of the pack.
        """
        if findings := [*record_faults.faults(self.layout)]:
            return findings
        drawn = self.drawn_tricks
        leader = ([*self.layout.leaders, self.turn][drawn:] or [None])[0]
        unknown = None in self.layout.winners[:drawn] or None in self.tricks
        hands = None if leader is None or unknown else self._last_hands(drawn)
        if hands is None or leader is None:
            message = say(
                "All cards, and who led, must be known: every trick, or the hands and what was "
                "drawn."
            )
            return [Finding("cards-unknown", {"hands": True}, message)]
        return laid_open(
            self.layout,
            hands,
            self.sides[0],
            leader=leader,
            target=self.target,
            aside=self.last_worth,
            after=drawn,
        )

    def _last_hands(self, drawn: int) -> Hands | None:
        """Return all hands once the stock is empty; None if a card is unknown."""
        layout = self.layout
        plays = [[*layout.plays(index)] for index in range(len(self.tricks))]
        if layout.complete:
            later = [*chain.from_iterable(plays[drawn:])]
            return {
                seat: tuple(card for who, card in later if who == seat) for seat in self.players
            }
        gone = {card for _, card in chain.from_iterable(plays[:drawn])}
        held = {seat: {*hand.cards} for seat, hand in self.hands.items()}
        for place, card in enumerate(() if self.stock is None else self.stock.cards):
            drawer, _ = layout.drawer(place)
            if drawer in held:
                held[drawer].add(card)
        rest = self.letters.pack.difference(gone, *held.values())
        hands = {seat: tuple(sorted(held.get(seat, rest) - gone)) for seat in self.players}
        return hands if all(len(hand) == self.dealt for hand in hands.values()) else None

    def prove(self) -> list[Proof]:
        """Prove the result up to the trick that decided it; no proof while the result is open."""
        result = self.result if self.trump_known else None
        if result is None:
            return []

        def shows(smaller: Self) -> bool:
            return smaller.result == result and takes_the_same(smaller, self)

        left = irreducible(until_shown(self, shows), shows)
        steps = left.trick_steps(counted)
        last = max(number for step in steps for number in step.tricks)
        return [proof_of(left, steps, left.result_text(last))]

    def prove_problem(self, finding: Finding) -> Proof:
        def shows(smaller: Self) -> bool:
            return finding in smaller.examined.problems and takes_the_same(smaller, self)

        left, steps = irreducible(self, shows), tuple[ProofStep, ...]()
        if "claim" in finding.where:
            steps = left.trick_steps(lambda smaller, index: smaller.trick_words(finding, index))
        return proof_of(left, steps, finding.message)

    def trick_steps(self, sentence: Callable[[Self, int], Text | None]) -> tuple[ProofStep, ...]:
        tricks = [part for part in self.parts() if part.kind is PartKind.TRICK]
        sentences = [(sentence(self, part.key), part) for part in tricks]
        return tuple(ProofStep(text, (part,)) for text, part in sentences if text is not None)

    def with_play(self, play: Mapping[str, Any], sheet: Any, reading: Reading) -> Self | None:
        return self.with_cards({"tricks": [], **play}, self.of_sheet(sheet), reading)

    def write_play(self, names: Sequence[str]) -> dict[str, Any]:
        play: dict[str, Any] = {}
        if self.turned_up is not None:
            play["turned_up"] = str(self.deck.cards[self.turned_up])
        if self.stock is not None:
            play["stock"] = self.stock.texts(self.deck)
        return play | self.write_cards(names)

    @property
    def players(self) -> tuple[Seat, ...]:
        return self.table.active

    @property
    def trick_count(self) -> int:
        return len(self.deck.cards) // len(self.players)

    @property
    def drawn_tricks(self) -> int:
        """Return the number of tricks after which each player draws a card."""
        return self.trick_count - self.dealt

    @property
    def lying_open(self) -> Text | None:
        if self.turned_up is None:
            return None
        card = card_name(self.deck.cards[self.turned_up], self.letters.deck)
        return say("turned up: %(card)s", card=card)

    @property
    def side_names(self) -> list[Text]:
        return [self.table.names(side) for side in self.sides]

    @property
    def trump_known(self) -> bool:
        return self.turned_up is not None or not self.turns_up

    def asks_trump(self, sheet: Any) -> bool:  # noqa: ARG002  # no sheet says it
        return self.turns_up

    @property
    def analysed_side(self) -> Text:
        return self.table.names(self.sides[0])

    @cached_property
    def sides(self) -> Sides:
        return self.game.sides(self.players, self.table.rules)

    @property
    def first_leader(self) -> Seat | None:
        return None if self.dealer is None else self.table.after(self.dealer)

    @property
    def trump(self) -> int | None:
        return None if self.turned_up is None else self.deck.suit_of(self.turned_up)

    @property
    def following(self) -> Collection[Seat]:
        return self.players if self.follows else ()

    @cached_property
    def drawn(self) -> Stock | None:
        """The stock, and where its cards lie: the one turned up under all others."""
        size = len(self.deck.cards) - self.dealt * len(self.players)
        if self.turned_up is None:
            return None
        cards = () if self.stock is None else self.stock.cards
        # A stock with a card too few or too many doesn't tell where any of them lay.
        places = {card: place for place, card in enumerate(cards) if len(cards) == size}
        return Stock(size, {self.turned_up: size - 1} | places)

    def by_side(self, amounts: Mapping[Seat, int]) -> tuple[int, ...]:
        return tuple(sum(amounts[seat] for seat in side) for side in self.sides)

    @cached_property
    def taken(self) -> tuple[int, ...]:
        """The card points that each side has certainly taken."""
        return self.by_side(self.points_taken)

    def bounds_of(self, taken: Sequence[int], pack: int) -> Bounds:
        """Return the least and the most points of each side; ``pack`` is the sum of all."""
        rest = pack - sum(taken)
        return tuple((points, points + rest) for points in taken)

    @property
    def pack(self) -> int:
        return sum(self.deck.points)

    @property
    def settled(self) -> bool:
        """Whether the cards say everything that a sheet asks of them."""
        complete = self.layout.complete and not self.layout.doubtful
        return complete and None not in self.layout.winners

    @property
    def last_side(self) -> Side | None:
        layout = self.layout
        winners = layout.winners if len(layout.winners) == self.trick_count else [None]
        return next((Side(n) for n, side in enumerate(self.sides) if winners[-1] in side), None)

    @cached_property
    def examined(self) -> DealProof:
        card_points, tricks_won = self.layout.taken()
        bounds = self.bounds_of(self.taken, self.pack)
        taken = zip(self.sides, self.taken, bounds, strict=True)
        faults, claimed = [*self.faults()], [*self.claim_problems()]
        sheet = None if faults or not self.settled else self.answers(self.claim)
        # What the cards don't prove of the sheet may be at fault.
        paid = None if sheet is None else self.game.read_sheet(sheet, self.table)[0]
        return DealProof(
            complete=self.layout.complete,
            winners=self.layout.winners,
            card_points=card_points,
            tricks_won=tricks_won,
            exact=all(low == high for low, high in bounds),
            sides=tuple(SideTaken(*side) for side in taken),
            status="settled" if self.settled else "open",
            sheet=sheet,
            payouts=None if paid is None else self.game.score(paid, self.table).payouts,
            problems=[*faults, *claimed],
            warnings=record_faults.revokes(self.layout),
        )

    def faults(self) -> Iterator[Finding]:
        yield from record_faults.faults(self.layout)
        cards = () if self.stock is None else self.stock.cards
        if self.turned_up is None or self.drawn is None:
            return
        if len(cards) == self.drawn.size and cards[-1] != self.turned_up:
            card = self.say_the_card(self.turned_up)
            message = say("The card turned up, %(card)s, lies under the stock.", card=card)
            yield Finding("turned-up", {"stock": True}, message)

    def answers(self, claim: Any) -> dict[str, Any]:
        """Write the answers that the cards prove, and the other ones of a sheet or claim."""
        answers = write(self.proved(claim), self.table.seats)
        return {key: value for key, value in answers.items() if value not in (None, [])}

    def differences(self, sheet: Any) -> list[Finding]:  # noqa: ARG002  # it is the claim
        return [finding for finding in self.examined.problems if "claim" in finding.where]

    def proved_sheet(self, sheet: Any, names: Sequence[str]) -> dict[str, Any] | None:  # noqa: ARG002
        return self.answers(self.of_sheet(sheet)) if self.trump_known and self.settled else None

    def mismatch(
        self, field: str, claimed: Sequence[int] | None, bounds: Bounds, message: Text
    ) -> Iterator[Finding]:
        """Compare an answer of all sides with what each can have; report the first impossible one.

        The message has places for ``who`` and ``points``.
        """
        for side, (low, high) in enumerate(bounds):
            if claimed is not None and not low <= claimed[side] <= high:
                values = {"who": self.table.names(self.sides[side]), "points": from_to(low, high)}
                code = f"{field.removeprefix('card_').replace('_', '-')}-mismatch"
                yield Finding(code, {"claim": field}, replace(message, values=values))
                return

    def sheet_faults(self, sheet: Any, table: Table[Any]) -> Iterator[Finding]:
        """Find answers that are impossible in any deal of the game; missing ones are fine."""
        for problem in self.game.problems(sheet, table):
            if problem.code != "missing-key":
                yield Finding(
                    problem.code, {"claim": problem.field.partition("[")[0]}, problem.message
                )

    def last_trick_problems(self, claimed: int | None) -> Iterator[Finding]:
        side = self.last_side
        if None not in (claimed, side) and claimed != side:
            who = self.table.names(self.sides[side or 0])
            message = say("The last trick went to %(who)s.", who=who)
            yield Finding("wrong-last-trick", {"claim": "last_trick"}, message)

    @property
    def status(self) -> str:
        return "open" if self.result is None else "settled"

    @property
    def standing(self) -> Text:
        return self.each_side(self.side_words())

    def side_words(self) -> Iterator[str]:
        return map(self.worth_text, self.taken)

    def each_side(self, words: Iterable[str]) -> Text:
        """Join words about each side with its names: ``Ada and Ciro 45, Bea and Dora 30``."""
        sides = zip(self.sides, words, strict=True)
        return listed(listed((self.table.names(side), word), " ") for side, word in sides)

    def parts(self) -> Iterator[DealPart]:
        if self.stock is not None:
            yield DealPart(PartKind.STOCK)
        yield from super().parts()

    def only(self, kept: Collection[DealPart]) -> Self:
        stock = self.stock if DealPart(PartKind.STOCK) in kept else None
        return replace(super().only(kept), stock=stock)

    def back(self) -> Self:
        return super().back() if self.tricks else self

    def script_state(self) -> dict[str, Any] | None:
        if not self.trump_known or self.hands or self.stock is not None or [*self.faults()]:
            return None
        turned = self.turned_up
        return {
            "playing": self.players,
            "trump": self.trump,
            "first": self.first_leader,
            "each": self.trick_count,
            "target": self.target,
            "sides": self.sides,
            "unit": self.unit,
            "lastWorth": self.last_worth,
            "turned": None if turned is None else str(self.deck.cards[turned]),
            "drawn": self.drawn_tricks,
            "cards": self.deck.script_cards(self.letters.pack),
        }
