"""A deal of Briscola Chiamata: its cards with the call, the partner, the monte, the dead hand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, Self

from scorer.cards.chiamata import fast_path, notation, proofs
from scorer.cards.chiamata.evidence import (
    Evidence,
    counts_tricks,
    exactly,
    taken_with_discards,
    weigh,
)
from scorer.cards.chiamata.examination import judge
from scorer.cards.chiamata.open_cards import open_layout
from scorer.cards.chiamata.record import (
    PASS,
    STORED_NAME,
    Calls,
    Claim,
    Play,
    Sheet,
    bidders,
    check_playing,
    dead_hand,
    first_leader,
    from_dealer,
    in_turn,
    read_bidding,
    read_calls_and_hands,
    read_claim,
    read_player_points,
    with_dead_hand,
    with_sheet,
    write_claim,
)
from scorer.cards.deal import PARTNER, CardDeal, DealPart, PartKind
from scorer.cards.proofs import Proof
from scorer.cards.solver.open_deal import OpenDeal
from scorer.cards.trick_game import (
    EMPTY,
    NUMBERED_DECKS,
    UNREAD,
    CardPile,
    NumberedDeck,
    PileReader,
)
from scorer.errors import InvalidError, Problem
from scorer.games.briscola_chiamata import GAME
from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.rules.cards import Card, card_letters, the_card
from scorer.rules.findings import DealProof, Finding
from scorer.rules.game import Table
from scorer.rules.seats import Seat, next_seat
from scorer.rules.sheet import Reading, Unanswered, write
from scorer.texts import Text, say
from scorer.texts import tricks as trick_count


@dataclass(frozen=True)
class ChiamataDeal(CardDeal):
    """A deal with its auction and its call; by some rules a dead hand has a place at the table.

    ``claim`` has the call, once there is one, and the answers of the sheet; ``says_shown`` says
    whether it names the partner because the caller showed the called card. Otherwise the card
    counts as not shown.
    """

    slug: ClassVar[str] = GAME.slug
    keys = frozenset({"claim", "called_card", "auction", "hands", "discards", "tricks"})
    trump_key = "called_card"
    trump_question = say("Which card was called?")
    not_begun = Problem("no-call", "move", say("Nobody has called a card yet."))
    at_table = staticmethod(with_dead_hand)
    prove_problem = proofs.prove_problem
    parse = classmethod(notation.parse)
    parse_beside = notation.parse_beside
    text_lines = notation.text_lines

    table: Table[ChiamataRules]
    auction: Calls = ()
    claim: Claim | None = None
    player_points: Mapping[Seat, int] = field(default_factory=dict)
    says_shown: bool = False

    @classmethod
    def begun(cls, table: Table[ChiamataRules], dealer: Seat | None) -> Self:
        return cls(from_dealer(with_dead_hand(table), dealer), dealer)

    @classmethod
    def read(
        cls,
        data: dict[str, Any],
        table: Table[ChiamataRules],
        dealer: Seat | None,
        reading: Reading,
    ) -> Self | None:
        """Read the body of a record (contract.md); before a card is called it has no claim.

        None when the reading has problems, each with its path.
        """
        if not ("claim" in data or data.get("tricks") or data.get("discards")):
            auction, hands = read_bidding(data, table, reading)
            if reading.problems:
                return None
            return cls(from_dealer(table, dealer, auction), dealer, hands, auction=auction)
        deal = cls.read_record(data, table, dealer, reading)
        # A last trick without a card, or a leader, says nothing.
        if deal is not None and deal.tricks[-1:] == (EMPTY,):
            return replace(deal, tricks=deal.tricks[:-1])
        return deal

    @classmethod
    def read_record(
        cls,
        data: dict[str, Any],
        table: Table[ChiamataRules],
        dealer: Seat | None,
        reading: Reading,
    ) -> Self | None:
        """Read a whole record; None when the reading has problems, each with its path."""
        piles = PileReader(reading, NUMBERED_DECKS[table.rules.deck])
        claim, points = read_claim(data, reading), read_player_points(data, piles)
        auction, hands = read_calls_and_hands(data, piles)
        discards, tricks = piles.pile(data.get("discards"), "discards"), piles.tricks(data)
        if len(table.active) < len(table.seats) and claim is not None:
            named = [("claim.caller", claim.caller)]
            if isinstance(claim.partner, int):
                named.append(("claim.partner", claim.partner))
            named += [("claim.player_points", seat) for seat in points]
            check_playing([*named, *bidders(auction, hands)], table, reading)
        if claim is None or reading.problems:
            return None
        if claim.shown and table.rules.monte and isinstance(claim.partner, Unanswered):
            claim = replace(claim, partner=next_seat(claim.caller, table.active))
        table = from_dealer(table, dealer, auction)
        deal = cls(table, dealer, hands, discards, tricks, auction, claim, points)
        return deal if table.rules.cards.italian else deal.in_its_letters(reading)

    def in_its_letters(self, reading: Reading) -> Self | None:
        """Mark cards in the letters of another deck as unread; the called card must be readable."""
        letters = self.letters
        if self.called not in letters.pack:
            card = card_letters(self.call.called_card, letters.deck)
            message = say("There is no card %(card)s in this deck.", card=card)
            reading.fault("card-not-in-deck", "claim.called_card", message)
            return None
        if letters.pack.issuperset(card for card in self.known_cards if card != UNREAD):
            return self

        def known(pile: CardPile | None) -> CardPile | None:
            return None if pile is None else pile.in_letters(letters, self.deck)

        return replace(
            self,
            hands={seat: hand.in_letters(letters, self.deck) for seat, hand in self.hands.items()},
            discards=known(self.discards),
            tricks=tuple(map(known, self.tricks)),
        )

    def write(self, names: Sequence[str]) -> dict[str, Any]:
        """Write the deal and its dealer as ``read`` takes them, with these names."""
        document: dict[str, Any] = {}
        if self.dealer is not None:
            document["dealer"] = names[self.dealer]
        if self.claim is not None:
            document["claim"] = write_claim(self.claim, self.player_points, names)
        if self.auction:
            document["auction"] = [
                [names[seat], bid.write_wire() if bid else PASS] for seat, bid in self.auction
            ]
        return document | self.write_cards(names)

    @classmethod
    def read_open_deal(
        cls,
        data: dict[str, Any],
        table: Table[ChiamataRules],
        dealer: Seat | None,
        reading: Reading,
    ) -> OpenDeal | list[Finding] | None:
        deal = cls.read_record(data, table, dealer, reading)
        if deal is None:
            return None
        return open_layout(deal.layout, may_be_shown=deal.call.shown is None)

    def open_cards(self) -> OpenDeal | list[Finding]:
        return open_layout(self.layout, may_be_shown=False)

    @classmethod
    def examine_record(
        cls,
        data: dict[str, Any],
        table: Table[ChiamataRules],
        dealer: Seat | None,
        reading: Reading,
        *,
        completed: bool = True,
    ) -> DealProof | None:
        whole = None
        if not reading.problems:
            whole = fast_path.examine_whole(data, table, dealer, reading.seats)
        deal = None if whole else cls.read_record(data, table, dealer, reading)
        return whole if deal is None else deal.played.examine(completed=completed)

    @classmethod
    def examine_play(
        cls,
        play: dict[str, Any],
        sheet: Sheet,
        table: Table[ChiamataRules],
        dealer: Seat | None,
        reading: Reading,
    ) -> DealProof | None:
        document = with_sheet(play, sheet, reading)
        if "claim" in document:
            # A file may have thousands of deals, and these findings are only warnings.
            return cls.examine_record(document, table, dealer, reading, completed=False)
        read_bidding(document, table, reading)
        return None

    def prove(self) -> list[Proof]:
        return proofs.prove(self) if self.trump_known else []

    def with_play(self, play: Play, sheet: Sheet, reading: Reading) -> Self | None:
        # The play says that the called card was shown; that counts until the sheet has a partner.
        document = with_sheet(play, sheet, reading)
        deal = None if reading.problems else self.read(document, self.table, self.dealer, reading)
        if deal is not None and deal.may_show and play.get("shown") is True:
            return deal.show()
        return deal

    def write_play(self, names: Sequence[str]) -> dict[str, Any]:
        document, claim = self.write(names), self.claim
        called = {} if claim is None else {"called_card": str(claim.called_card)}
        shown = {"shown": True} if self.says_shown else {}
        kept = {key: document[key] for key in document if key not in ("dealer", "claim")}
        return {**called, **shown, **kept}

    def parts(self) -> Iterator[DealPart]:
        yield from (DealPart(PartKind.POINTS, seat) for seat in self.player_points)
        if self.claim is not None and not isinstance(self.claim.partner, Unanswered):
            yield PARTNER
        if self.auction:
            yield DealPart(PartKind.AUCTION)
        yield from super().parts()

    def only(self, kept: Collection[DealPart]) -> Self:
        with_partner, claim = PARTNER in kept, self.claim
        if claim is not None and not with_partner:
            claim = replace(claim, partner=Unanswered.UNANSWERED)
        totals = {part.key for part in kept if part.kind is PartKind.POINTS}
        return replace(
            super().only(kept),
            auction=self.auction if DealPart(PartKind.AUCTION) in kept else (),
            claim=claim,
            says_shown=self.says_shown and with_partner,
            player_points={s: points for s, points in self.player_points.items() if s in totals},
        )

    @property
    def players(self) -> tuple[Seat, ...]:
        return in_turn(self.table)

    @property
    def stored_names(self) -> tuple[str, ...]:
        """Name people by the numbers of their seats, and the dead hand by a word of its own.

        Its place moves when somebody joins, and the word doesn't.
        """
        names = super().stored_names
        return names if dead_hand(self.table) is None else (*names[:-1], STORED_NAME)

    @property
    def partner_by_showing(self) -> str | None:
        """Return the partner if the caller shows the called card; None before the call."""
        return None if self.caller is None else self.table.name(self.table.after(self.caller))

    @cached_property
    def deck(self) -> NumberedDeck:
        return NUMBERED_DECKS[self.table.rules.deck]

    @property
    def trick_count(self) -> int:
        return self.table.rules.cards_each

    @property
    def known_cards(self) -> Iterator[int]:
        return chain([] if self.claim is None else [self.called], super().known_cards)

    @property
    def dealt(self) -> int:
        return self.trick_count

    @property
    def call(self) -> Claim:
        """Return the claim; raise InvalidError before a card is called."""
        if self.claim is None:
            raise InvalidError([self.not_begun])
        return self.claim

    @cached_property
    def called(self) -> int:
        """The number of the called card, whose suit is trump."""
        return self.deck.number(self.call.called_card)

    @property
    def trump(self) -> int:
        return self.deck.suit_of(self.called)

    @property
    def first_leader(self) -> Seat | None:
        return first_leader(self.call.caller, self.table, self.dealer, self.auction)

    @property
    def following(self) -> Collection[Seat]:
        return self.table.active if self.table.rules.play.follow_suit else ()

    @property
    def takes_up(self) -> Seat:
        return self.call.caller

    @property
    def target(self) -> int:
        return self.table.rules.target(self.call.bid.points)

    @property
    def draw_points(self) -> int | None:
        return self.table.rules.draw_points(self.target)

    @cached_property
    def evidence(self) -> Evidence:
        return weigh(self.layout)

    @cached_property
    def examined(self) -> DealProof:
        return judge(self.evidence)

    @property
    def examined_fully(self) -> DealProof:
        return self.examine(completed=True)

    def examine(self, *, completed: bool) -> DealProof:
        """Examine the deal; if nobody said so, the called card may or may not have been shown.

        With ``completed`` the bounds are those of all completions, else those of the counted cards.
        """
        evidence = weigh(self.layout, may_be_shown=self.call.shown is None)
        return judge(exactly(evidence) if completed else evidence)

    @property
    def caller(self) -> Seat | None:
        return None if self.claim is None else self.claim.caller

    @property
    def shown(self) -> bool:
        """Whether the caller had the called card, and has a partner for showing it."""
        if self.claim is None or self.claim.partner is None:
            return False
        side = self.evidence.side
        return side.holder == side.caller and self.claim.partner == side.neighbour

    @property
    def may_discard(self) -> bool:
        return self.claim is not None and len(self.aside) < self.laid_aside

    @property
    def discardable(self) -> tuple[Card, ...]:
        """Return the cards that the caller may lay aside: hand and monte, if known."""
        layout, rules, caller = self.layout, self.table.rules, self.call.caller
        hand = self.hands.get(caller)
        if hand is not None and len(hand.cards) == rules.cards_each + rules.monte:
            return self.cards(card for card in layout.unseen() if card in hand.cards)
        holders = layout.holders
        return self.cards(card for card in layout.unseen() if holders.get(card, caller) == caller)

    @property
    def may_show(self) -> bool:
        """Whether people may say, or take back, that the caller showed the called card.

        They may not where the sheet says who the partner was.
        """
        if self.claim is None or not self.table.rules.monte:
            return False
        return self.says_shown or self.claim.candidate is None

    def show(self) -> Self:
        """Show the called card: the caller's neighbour becomes the partner."""
        neighbour = next_seat(self.call.caller, self.table.active)
        return replace(self, claim=replace(self.call, partner=neighbour), says_shown=True)

    def hide(self) -> Self:
        claim = replace(self.call, partner=Unanswered.UNANSWERED)
        return replace(self, claim=claim, says_shown=False)

    def discard(self, card: Card) -> Self:
        """Lay a card aside for the caller, at any time; raise InvalidError if it can't be."""
        if not self.may_discard:
            raise InvalidError.of("discard-count", "move", say("No card is laid aside now."))
        number = self.number_of(card, self.discardable)
        return replace(self, discards=CardPile((*self.aside, number)))

    @property
    def points_taken(self) -> Mapping[Seat, int]:
        return self.evidence.taken

    @property
    def points_aside(self) -> int | None:
        return next((points for _, points in taken_with_discards(self.layout)), None)

    @property
    def status(self) -> str:
        return self.evidence.status

    def role(self, seat: Seat) -> str:
        side = self.evidence.side
        if seat == side.caller:
            return "alone" if side.alone else "caller"
        if side.partner is not None:
            return "partner" if seat == side.partner else ""
        if self.says_shown and seat == self.call.partner:
            return "partner"
        narrowed = len(side.candidates) < len(self.table.active)
        return "candidate" if narrowed and not side.alone and seat in side.candidates else ""

    @property
    def standing(self) -> Text:
        evidence, caller = self.evidence, self.evidence.side.caller
        low, high = evidence.bounds
        side = self.table.name(caller) if evidence.side.alone else say("Caller’s side")
        values = {"side": side, "low": low, "high": high, "target": self.target}
        if evidence.status == "made":
            return say("%(side)s: made, at least %(low)s (%(target)s needed)", **values)
        if evidence.status == "missed":
            return say("%(side)s: missed, at most %(high)s (%(target)s needed)", **values)
        if evidence.status == "drawn":
            return say("%(side)s: a draw, %(low)s (%(target)s needed)", **values)
        return say("%(side)s: from %(low)s to %(high)s (%(target)s needed)", **values)

    @property
    def trump_known(self) -> bool:
        return self.claim is not None

    @property
    def role_names(self) -> Mapping[str, Text]:
        return {
            "caller": say("caller"),
            "partner": say("partner"),
            "alone": self.table.rules.without_partner,
            "candidate": say("partner?"),
        }

    @property
    def laid_aside(self) -> int:
        return self.table.rules.monte

    def asks_trump(self, sheet: Sheet) -> bool:
        return sheet.called_card is None

    def differences(self, sheet: Sheet) -> list[Finding]:
        findings, evidence = list[Finding](), self.evidence
        on_sheet, called = sheet.called_card, self.call.called_card
        if on_sheet is not None and on_sheet != called:
            card = the_card(on_sheet, self.table.rules.cards)
            message = say("The sheet says that %(card)s was called.", card=card)
            findings.append(Finding("other-call", {"claim": "called_card"}, message))
        findings += [finding for finding in self.examined.problems if "claim" in finding.where]
        tricks = getattr(sheet, "tricks_won", None)
        if tricks is not None and evidence.settled and tricks != evidence.tricks_won:
            counted = trick_count(evidence.tricks_won)
            message = say("The caller's side took %(tricks)s.", tricks=counted)
            if evidence.side.partner is None:
                caller = self.table.name(evidence.side.caller)
                message = say("%(name)s took %(tricks)s.", name=caller, tricks=counted)
            findings.append(Finding("tricks-total", {"claim": "tricks_won"}, message))
        return findings

    def proved_sheet(self, sheet: Sheet, names: Sequence[str]) -> dict[str, Any] | None:
        if self.claim is None or not self.evidence.settled:
            return None
        evidence, partner = self.evidence, self.evidence.side.partner
        written = write(sheet, names)
        with_tricks = written.get("tricks_won") is not None or counts_tricks(self.table.rules)
        return {
            **{key: written[key] for key in ("caller", "bid", "blind", "times") if key in written},
            "called_card": str(self.claim.called_card),
            "partner": None if partner is None else names[partner],
            "card_points": evidence.bounds[0],
            "shown": self.shown,
            **({"tricks_won": evidence.tricks_won} if with_tricks else {}),
        }

    def script_state(self) -> dict[str, Any] | None:
        if self.claim is None or self.hands:
            return None
        # Discards still to be entered, and what contradicts the claim, are no such faults.
        for finding in self.examined.problems:
            discarding = finding.code in {"discard-count", "missing-card"} and self.may_discard
            if "claim" not in finding.where and not discarding:
                return None
        claim = self.claim
        return {
            "playing": self.players,
            "dead": dead_hand(self.table),
            "caller": claim.caller,
            "called": str(claim.called_card),
            "trump": self.trump,
            "first": self.first_leader,
            "said": None if self.says_shown else claim.candidate,
            "each": self.trick_count,
            "monte": self.laid_aside,
            "target": self.target,
            "draw": self.draw_points,
            "cards": self.deck.script_cards(self.letters.pack),
        }
