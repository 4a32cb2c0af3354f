"""What pages tell of a deal with all its cards open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from flask import current_app

from scorer.rules.cards import the_card
from scorer.services.analysis import Desk, end_costs, open_cards
from scorer.texts import from_to, say

if TYPE_CHECKING:
    from scorer.cards.chiamata import ChiamataDeal
    from scorer.cards.solver.open_deal import OpenDeal
    from scorer.services.analysis import Analysis, Costs
    from scorer.services.tricks import Tricks
    from scorer.texts import Text


class OpenCards(NamedTuple):
    """A deal with all its cards open: what was found of it, in words, and whether more is to come.

    ``turning`` is the step of the replay with the card that turned the deal, if one did; ``looked``
    counts the cards, of ``of``, after which it is known whether the bid could still be made.
    """

    found: Analysis
    lines: list[Text]
    turning: int | None
    looked: int
    of: int
    waiting: bool

    @property
    def progress(self) -> Text:
        """How far a deal is thought over."""
        return say("Thinking it over: %(looked)s of %(of)s cards.", looked=self.looked, of=self.of)

    def at(self, step: int) -> Text | str:
        """Say of a step of the replay whether the bid could still be made; nothing if unknown."""
        made = self.found.at(step)
        if made is None:
            return ""
        return say("All cards open: still to be made") if made else say("All cards open: lost")


def with_open_cards(tricks: Tricks) -> OpenCards | None:
    """Analyse a deal that was played out; None where not all of its cards are known, or right."""
    deal: ChiamataDeal = tricks.deal
    opened = open_cards(deal)
    if opened is None:
        return None
    desk = Desk(current_app.instance_path)
    found, of = desk.look(opened), len(opened.played)
    return OpenCards(
        found=found,
        lines=[*told(deal, found, opened), *costliest(deal, end_costs(opened), opened)],
        turning=None if found.turning is None else found.turning + 1,
        looked=of - found.first,
        of=of,
        waiting=desk.waits(opened),
    )


def told(deal: ChiamataDeal, found: Analysis, opened: OpenDeal) -> list[Text]:
    """Say until when the bid could be made, and what the caller's side could have had."""
    return [_verdict(deal, found, opened), *_value(found)]


def _verdict(deal: ChiamataDeal, found: Analysis, opened: OpenDeal) -> Text:
    """Say until when the bid could be made, with the card that turned the deal."""
    if found.turning is None:
        trick = opened.place(found.first)[0]
        return _all_along(made=found.made[-1], trick=None if found.first == 0 else trick)
    told = _played(deal, found.turning, opened)
    if found.made[-1]:
        return say(
            "The bid could be made only after %(name)s played %(card)s in trick %(trick)s.", **told
        )
    return say("The bid could be made until %(name)s played %(card)s in trick %(trick)s.", **told)


def _played(deal: ChiamataDeal, index: int, opened: OpenDeal) -> dict[str, Any]:
    """Give who played which card in which trick, of a card that was played."""
    card, deck = opened.played[index], deal.letters.deck
    return {
        "name": opened.names[opened.player(card)],
        "card": the_card(deck.card(opened.texts[card]), deck),
        "trick": opened.place(index)[0],
    }


def costliest(deal: ChiamataDeal, costs: Costs, opened: OpenDeal) -> list[Text]:
    """Say which card of the last tricks cost its side most, where they are valued exactly."""
    last = {"tricks": costs.tricks}
    if costs.tricks < 2:
        return []
    if costs.costliest is None:
        return [say("In the last %(tricks)s tricks no card cost anything.", **last)]
    text = say(
        "In the last %(tricks)s tricks, which are counted exactly, the costliest card was %(card)s "
        "of %(name)s in trick %(trick)s: %(points)s card points less than by best play.",
        **last,
        **_played(deal, costs.costliest, opened),
        points=costs.points,
    )
    return [text]


def _all_along(*, made: bool, trick: int | None) -> Text:
    """Say of a deal that no card turned, or no card from a trick on."""
    if trick is None:
        if made:
            return say("The bid could be made from the first card to the last.")
        return say("The bid could not be made, however the cards were played.")
    if made:
        return say("From trick %(trick)s on nothing could stop the bid.", trick=trick)
    return say("From trick %(trick)s on the bid could not be made any more.", trick=trick)


def _value(found: Analysis) -> list[Text]:
    """Say what the caller's side would have had by best play, where that was asked."""
    if found.value is None:
        return []
    text = say(
        "By best play of everybody the caller’s side takes %(points)s card points.",
        points=from_to(*found.value),
    )
    return [text]
