"""The cards of Briscola for two and for four: a card turned up, and a stock that is drawn from."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from scorer.cards.sides.deal import SidesDeal
from scorer.cards.trick_game import NUMBERED_DECKS
from scorer.games.briscola import GAME, BriscolaSheet, TurnedUpHonour
from scorer.rules.cards import Rank, the_card
from scorer.rules.findings import Finding
from scorer.rules.seats import PerSide, Side
from scorer.rules.sheet import Ask
from scorer.rules.tables import PACK
from scorer.texts import Text, say

HONOURS = (Rank.ACE, Rank.THREE)


@dataclass(frozen=True, slots=True)
class BriscolaClaim:
    """The claimed answers of the sheet; None for those left out."""

    card_points: Annotated[
        PerSide[int] | None, Ask(say("Card points"), low=0, high=PACK, total=PACK)
    ] = None
    last_trick: Annotated[Side | None, Ask(say("Last trick"))] = None


class BriscolaDeal(SidesDeal):
    """A deal of Briscola: the suit of the card turned up is trump, and suit needn't be followed."""

    slug = GAME.slug
    game = GAME
    claim_type = BriscolaClaim
    keys = SidesDeal.keys | {"turned_up", "stock"}
    counts = (2, 4)
    dealt = 3
    turns_up = True
    follows = False
    target = PACK // 2 + 1
    deck = NUMBERED_DECKS["italian-40"]

    @classmethod
    def of_sheet(cls, sheet: Any) -> BriscolaClaim:
        if not isinstance(sheet, BriscolaSheet):
            return BriscolaClaim()
        return BriscolaClaim(sheet.card_points, sheet.last_trick)

    def faults(self) -> Iterator[Finding]:
        """Find what is wrong with the record, also an ace or a three turned up (rules.md D2)."""
        yield from super().faults()
        returned = self.table.rules.turned_up_honour is TurnedUpHonour.RETURNED
        if returned and self.turned_up is not None:
            card = self.deck.cards[self.turned_up]
            if card.rank in HONOURS:
                message = say(
                    "The card turned up, %(card)s, goes back into the pack: by these rules no ace "
                    "and no three is turned up.",
                    card=the_card(card, self.letters.deck),
                )
                yield Finding("turned-up-honour", {"turned_up": True}, message)

    def claim_problems(self) -> Iterator[Finding]:
        claimed, last = self.claim.card_points, self.claim.last_trick
        faults = []
        if claimed is not None:
            faults = [*self.sheet_faults(BriscolaSheet(claimed, last), self.table)]
        yield from faults
        message = say("Going by the cards entered, %(who)s took %(points)s card points.")
        if not faults:
            bounds = self.bounds_of(self.taken, PACK)
            yield from self.mismatch("card_points", claimed, bounds, message)
        yield from self.last_trick_problems(last)

    def differences(self, sheet: Any) -> list[Finding]:
        """Return what a sheet says otherwise, also one that says only who won."""
        found = super().differences(sheet)
        if isinstance(sheet, BriscolaSheet) and sheet.card_points is None and self.settled:
            counted = BriscolaSheet(PerSide(self.taken), self.last_side, sheet.winner)
            found += self.sheet_faults(counted, self.table)
        return found

    def proved(self, claim: BriscolaClaim) -> BriscolaClaim:
        """Return the card points, and the last trick if a claim has it or if it decides."""
        drawn, asks = len({*self.taken}) == 1, GAME.irrelevant_questions(self.table)
        wanted = claim.last_trick is not None or (drawn and not asks["last_trick"])
        return BriscolaClaim(PerSide(self.taken), self.last_side if wanted else None)

    @property
    def result(self) -> tuple[int | None] | None:
        """Return the side with more than half of the card points, or that both have half."""
        for side, points in enumerate(self.taken):
            if points >= self.target:
                return (side,)
        return (None,) if sum(self.taken) == PACK else None

    def result_text(self, last: int) -> Text:
        won = None if self.result is None else self.result[0]
        if won is None:
            return say("Each side has exactly 60 card points: the deal is drawn.")
        return say(
            "After trick %(trick)s, %(side)s: at least %(points)s of the 120 card points, more "
            "than half. That wins the deal.",
            trick=last,
            side=self.table.names(self.sides[won]),
            points=self.taken[won],
        )


DEAL_CLASS = BriscolaDeal
