"""The entry form of Tressette: the derived one, and what was declared."""

from __future__ import annotations

from typing import Any

from scorer.games.tressette.declarations import (
    MOST_CODA,
    RANK_PLURALS,
    Declaration,
    DeclarationKind,
)
from scorer.games.tressette.sheet import TressetteEnd
from scorer.rules.cards import ITALIAN_SUITS, SUIT_WORDS, Rank, Suit
from scorer.rules.game import Table
from scorer.rules.sheet import Question
from scorer.texts import as_it_is, say
from scorer.web.deals.sheets.derived import DerivedForm
from scorer.web.deals.sheets.questions import Ease, Offer, Pick

SUITS = SUIT_WORDS[True]
NONE = Offer("", as_it_is("–"))
PILE = say("Count the cards of each pile")


def _of_rank(rank: str, picked: str) -> dict[str, Any]:
    """Read ``four``, ``three``, or ``three-C``: three without the one of cups."""
    kind, _, missing = picked.partition("-")
    return {"kind": kind, "rank": rank, **({"missing": missing} if missing else {})}


class TressetteForm(DerivedForm):
    """The form of Tressette."""

    def ease_of(self, question: Question) -> Ease:
        """Ask for the hand points, or where they have to be counted for what they are made of."""
        called_out = self.table.rules.end is TressetteEnd.IMMEDIATE
        return {
            "hand_points": Ease(first=6, group="hand"),
            "aces": Ease(first=2, fold=PILE),
            "thirds": Ease(first=10, group="hand", fold=PILE),
            "last_trick": Ease(nobody=called_out, fold=PILE),
            "declarations": Ease(fold=say("Declarations")),
        }.get(question.name, Ease())

    def total(self, question: Question) -> int | None:
        """Say what all have together; if a deal stops, or three drop thirds, it isn't sure."""
        if self.table.rules.end is TressetteEnd.IMMEDIATE:
            return None
        thirds_are_dropped = question.name == "hand_points" and len(self.table.active) == 3
        return None if thirds_are_dropped else super().total(question)

    def listed(self, name: str, side: int) -> list[Any]:
        """Return the declarations that were picked."""
        of_suits = (
            {"kind": DeclarationKind.NAPOLETANA.value, "suit": str(suit), "coda": int(coda)}
            for suit in ITALIAN_SUITS
            if (coda := self.picked(name, side, suit)).isdecimal()
        )
        of_ranks = (
            _of_rank(str(rank), picked)
            for rank in RANK_PLURALS
            if (picked := self.picked(name, side, rank))
        )
        return [*of_suits, *of_ranks]

    @classmethod
    def lists(cls, name: str, side: int, table: Table[Any]) -> list[Pick]:
        """Offer a napoletana of each suit, and three or four of each rank."""
        head = f"{name}-{side}"
        most = MOST_CODA if table.rules.coda else 0
        return [
            *(
                Pick(f"{head}-{suit}", SUITS[suit], f"suit-{suit}", _napoletane(suit, most))
                for suit in ITALIAN_SUITS
            ),
            *(
                Pick(f"{head}-{rank}", plural, "", _of_a_kind(rank))
                for rank, plural in RANK_PLURALS.items()
            ),
        ]

    @classmethod
    def picks(cls, name: str, side: int, answers: tuple[Declaration, ...]) -> dict[str, str]:
        """Return what the lists send for the declarations that were stored."""
        return dict(_picked(f"{name}-{side}", declaration) for declaration in answers)


def _picked(head: str, said: Declaration) -> tuple[str, str]:
    if said.kind is DeclarationKind.NAPOLETANA:
        return f"{head}-{said.suit}", str(said.coda)
    missing = f"-{said.missing}" if said.missing else ""
    return f"{head}-{said.rank}", f"{said.kind.value}{missing}"


def _napoletane(suit: Suit, most: int) -> list[Offer]:
    cards = tuple(f"{rank}{suit}" for rank in RANK_PLURALS)
    longer = (Offer(str(coda), as_it_is(f"+{coda}"), cards) for coda in range(1, most + 1))
    return [NONE, Offer("0", say("napoletana"), cards), *longer]


def _of_a_kind(rank: Rank) -> list[Offer]:
    cards = {suit: f"{rank}{suit}" for suit in ITALIAN_SUITS}
    without = [
        Offer(
            f"three-{suit}",
            say("three, all but %(suit)s", suit=SUITS[suit]),
            tuple(card for other, card in cards.items() if other != suit),
        )
        for suit in ITALIAN_SUITS
    ]
    four = Offer("four", say("four"), tuple(cards.values()))
    return [NONE, four, *without, Offer("three", say("three"))]
