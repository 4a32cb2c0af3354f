"""The sentences of pages about a deal with all its cards open."""

from typing import Any, NamedTuple

from flask import current_app

from scorer.cards.engine import CardDeal
from scorer.cards.solver.open_deal import OpenDeal
from scorer.rules.cards import the_card
from scorer.services.cards.analysis import (
    EXACT,
    LONGEST,
    Analysis,
    AnalysisQueue,
    Costs,
    end_costs,
    open_cards,
)
from scorer.services.cards.tricks import Tricks
from scorer.texts import Text, say


class OpenCards(NamedTuple):
    """The analysis of a deal with all its cards open, in words, and whether it goes on.

    ``turning`` is the step of the replay with the card that turned the deal, if any. For ``looked``
    of ``of`` cards it is known whether the bid could still be made. The analysis begins after
    ``before`` cards.
    """

    deal: CardDeal
    before: int
    found: Analysis
    lines: list[Text]
    turning: int | None
    looked: int
    of: int
    waiting: bool

    @property
    def progress(self) -> Text:
        if self.looked == self.of:
            return say(
                "All %(of)s cards are seen. Now the points with best play are looked for, for "
                "%(seconds)s seconds at most.",
                of=self.of,
                seconds=int(EXACT),
            )
        return say("Thinking it over: %(looked)s of %(of)s cards.", looked=self.looked, of=self.of)

    def at(self, step: int) -> Text | str:
        """Write whether the bid could still be made at a step of the replay; nothing if unknown."""
        made = self.found.at(step - self.before)
        if made is None:
            return ""
        return tell(self.deal, "still" if made else "gone")


def with_open_cards(tricks: Tricks) -> OpenCards | None:
    """Analyse a finished deal; None if some of its cards are unknown or wrong."""
    deal, opened = tricks.deal, open_cards(tricks.deal)
    if opened is None:
        return None
    queue = AnalysisQueue(current_app.instance_path)
    found, of = queue.look(opened), len(opened.played)
    before = opened.tricks_before * len(opened.hands)
    return OpenCards(
        deal=deal,
        before=before,
        found=found,
        lines=[*verdict_texts(deal, found, opened), *costliest(deal, end_costs(opened), opened)],
        turning=None if found.turning is None else before + found.turning + 1,
        looked=of - found.first,
        of=of,
        waiting=queue.waits(opened),
    )


#: What is told of a bid, and of the first of the sides where nobody bids.
OF_BID = {
    "still": say("All cards open: can still be made"),
    "gone": say("All cards open: can’t be made any more"),
    "after": say("The bid could be made only after %(name)s played %(card)s in trick %(trick)s."),
    "until": say("The bid could be made until %(name)s played %(card)s in trick %(trick)s."),
    "always": say("The bid could be made from the first card to the last."),
    "never": say("The bid could not be made, however the cards were played."),
    "always from": say("From trick %(trick)s on nothing could stop the bid."),
    "never from": say("From trick %(trick)s on the bid could not be made any more."),
    "value": say("With everybody’s best play the caller’s side takes %(points)s card points."),
    "costliest": say(
        "In the last %(tricks)s tricks, which are counted exactly, the costliest card was %(card)s"
        ", played by %(name)s in trick %(trick)s. Card points fewer than with best play: "
        "%(points)s."
    ),
}
OF_SIDE = {
    "still": say("All cards open: %(side)s can still win"),
    "gone": say("All cards open: lost for %(side)s"),
    "after": say(
        "%(side)s could win the deal only after %(name)s played %(card)s in trick %(trick)s."
    ),
    "until": say("%(side)s could win the deal until %(name)s played %(card)s in trick %(trick)s."),
    "always": say("%(side)s could win the deal from the first card to the last."),
    "never": say("%(side)s could not win the deal, however the cards were played."),
    "always from": say("From trick %(trick)s on nothing could stop %(side)s."),
    "never from": say("From trick %(trick)s on %(side)s could not win the deal any more."),
    "value": say("With everybody’s best play, points of %(side)s: %(points)s."),
    "costliest": say(
        "In the last %(tricks)s tricks, which are counted exactly, the costliest card was %(card)s"
        ", played by %(name)s in trick %(trick)s. Points fewer than with best play: %(points)s."
    ),
}


def tell(deal: CardDeal, key: str, **values: object) -> Text:
    """Write a sentence about the bid, or the first side."""
    words = OF_BID if deal.analysed_side is None else OF_SIDE
    side = {} if deal.analysed_side is None else {"side": deal.analysed_side}
    return Text(words[key].template, {**values, **side})


def verdict_texts(deal: CardDeal, found: Analysis, opened: OpenDeal) -> list[Text]:
    """Write until when the target could be reached, and the points that were possible, if known."""
    texts = [_verdict(deal, found, opened)]
    if found.value is not None:
        low, high = found.value
        points: Text | str = deal.worth_text(low)
        if low < high:
            points = say("from %(low)s to %(high)s", low=points, high=deal.worth_text(high))
        texts.append(tell(deal, "value", points=points))
        if low < high and found.whole:
            gave_up = say(
                "The search for the exact points gave up after %(seconds)s seconds.",
                seconds=int(EXACT),
            )
            texts.append(gave_up)
    if found.first and found.whole:
        gave_up = say(
            "Of the tricks before, nothing was found in %(minutes)s minutes: the search gave up.",
            minutes=int(LONGEST) // 60,
        )
        texts.append(gave_up)
    return texts


def _verdict(deal: CardDeal, found: Analysis, opened: OpenDeal) -> Text:
    """Write until when the target could be reached, with the card that turned the deal."""
    if found.turning is None:
        way, trick = "always" if found.made[-1] else "never", opened.place(found.first)[0]
        return (
            tell(deal, way)
            if trick == 1 and not found.first
            else tell(deal, f"{way} from", trick=trick)
        )
    way = "after" if found.made[-1] else "until"
    return tell(deal, way, **_played(deal, found.turning, opened))


def _played(deal: CardDeal, index: int, opened: OpenDeal) -> dict[str, Any]:
    card, deck = opened.played[index], deal.letters.deck
    return {
        "name": opened.names[opened.player(card)],
        "card": the_card(deck.card(opened.texts[card]), deck),
        "trick": opened.place(index)[0],
    }


def costliest(deal: CardDeal, costs: Costs, opened: OpenDeal) -> list[Text]:
    """Name the costliest card of the last tricks, if they are valued exactly."""
    last = {"tricks": costs.tricks}
    if costs.tricks < 2:
        return []
    if costs.costliest is None:
        return [say("In the last %(tricks)s tricks no card cost anything.", **last)]
    played, points = _played(deal, costs.costliest, opened), deal.worth_text(costs.points)
    return [tell(deal, "costliest", **last, **played, points=points)]
