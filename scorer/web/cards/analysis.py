"""The sentences of pages about a deal with all its cards open."""

from typing import Any, NamedTuple

from flask import current_app

from scorer.cards.board import Board
from scorer.cards.sides import worth_text
from scorer.cards.solver.open_deal import OpenDeal
from scorer.cards.standing import analysed_side
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

    board: Board
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
        return tell(self.board, "still" if made else "gone")


def with_open_cards(tricks: Tricks) -> OpenCards | None:
    """Analyse a finished deal; None if some of its cards are unknown or wrong."""
    board, opened = tricks.board, open_cards(tricks.board)
    if opened is None:
        return None
    queue = AnalysisQueue(current_app.instance_path)
    found, of = queue.look(opened), len(opened.played)
    before = opened.tricks_before * len(opened.hands)
    return OpenCards(
        board=board,
        before=before,
        found=found,
        lines=[*verdict_texts(board, found, opened), *costliest(board, end_costs(opened), opened)],
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


def tell(board: Board, key: str, **values: object) -> Text:
    """Write a sentence about the bid, or the first side."""
    side = analysed_side(board)
    if side is None:
        return Text(OF_BID[key].template, values)
    return Text(OF_SIDE[key].template, {**values, "side": side})


def verdict_texts(board: Board, found: Analysis, opened: OpenDeal) -> list[Text]:
    """Write until when the target could be reached, and the points that were possible, if known."""
    texts = [_verdict(board, found, opened)]
    if found.value is not None:
        low, high = found.value
        points: Text | str = worth_text(board, low)
        if low < high:
            points = say("from %(low)s to %(high)s", low=points, high=worth_text(board, high))
        texts.append(tell(board, "value", points=points))
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


def _verdict(board: Board, found: Analysis, opened: OpenDeal) -> Text:
    """Write until when the target could be reached, with the card that turned the deal."""
    if found.turning is None:
        way, trick = "always" if found.made[-1] else "never", opened.place(found.first)[0]
        return (
            tell(board, way)
            if trick == 1 and not found.first
            else tell(board, f"{way} from", trick=trick)
        )
    way = "after" if found.made[-1] else "until"
    return tell(board, way, **_played(board, found.turning, opened))


def _played(board: Board, index: int, opened: OpenDeal) -> dict[str, Any]:
    card, deck = opened.played[index], board.deck.letters
    return {
        "name": opened.names[opened.player(card)],
        "card": the_card(deck.card(opened.texts[card]), deck),
        "trick": opened.place(index)[0],
    }


def costliest(board: Board, costs: Costs, opened: OpenDeal) -> list[Text]:
    """Name the costliest card of the last tricks, if they are valued exactly."""
    last = {"tricks": costs.tricks}
    if costs.tricks < 2:
        return []
    if costs.costliest is None:
        return [say("In the last %(tricks)s tricks no card cost anything.", **last)]
    played, points = _played(board, costs.costliest, opened), worth_text(board, costs.points)
    return [tell(board, "costliest", **last, **played, points=points)]
