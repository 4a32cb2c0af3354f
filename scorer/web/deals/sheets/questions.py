"""What a derived form asks, as its template takes it, and what makes it quick to answer."""

from dataclasses import dataclass, field
from typing import NamedTuple

from wtforms import Form

from scorer.rules.cards import CARD_POINTS, Deck, rank_letter, rank_name
from scorer.rules.sheet import Question
from scorer.texts import Text
from scorer.web.base.views import SeatView

NOBODY = "nobody"
MOST = 9_999


class Part(NamedTuple):
    """A box, a tick or a chip of a question: its field, what it sends, and whose it is."""

    name: str
    value: str
    seats: list[SeatView]
    text: Text | str = ""


class Offer(NamedTuple):
    """What can be picked: what it sends, its name, and the cards that nobody else has then."""

    value: str
    text: Text
    cards: tuple[str, ...] = ()


class Pick(NamedTuple):
    """One of several lists to pick from, for a side: its field, what it is about, what there is."""

    name: str
    label: Text
    symbol: str
    offered: list[Offer]


class Picks(NamedTuple):
    """The lists that one side picks from."""

    seats: list[SeatView]
    lists: list[Pick]


class Countable(NamedTuple):
    """Cards that are counted by tapping: their key, their name, their worth and their number."""

    called: Text | str
    name: Text
    worth: int
    most: int


def counted_ranks(deck: Deck) -> list[Countable]:
    """List the ranks of a deck that are worth card points."""
    return [
        Countable(rank_letter(rank, deck), rank_name(rank, deck), worth, len(deck.suits))
        for rank, worth in zip(deck.ranks, CARD_POINTS, strict=False)
    ]


@dataclass(frozen=True, slots=True)
class InputHints:
    """What makes a question quick to answer, and where on the page it is asked.

    A counter begins at ``first``, goes by ``step`` and leaves ``skip`` out; ``keys`` are answers
    one tap away, and ``cards`` lets them be counted by tapping. Of the questions of a ``group`` one
    has to be answered. Whoever is chosen is ticked at the question that is ``implied``. Without
    ``nobody`` somebody must be chosen. A question with a ``fold`` is folded away under these words.
    """

    first: int | None = None
    step: int = 1
    skip: tuple[int, ...] = ()
    keys: tuple[int, ...] = ()
    cards: bool = False
    group: str = ""
    implied: str = ""
    nobody: bool = True
    fold: Text | None = None


@dataclass(frozen=True, slots=True)
class FormQuestion:
    """A question as the page asks it.

    It is answered by ``number`` boxes, ``tick`` marks, ``choice`` chips, or ``pick`` lists.
    """

    question: Question
    by: str
    parts: list[Part]
    hints: InputHints
    total: int | None = None
    picks: list[Picks] = field(default_factory=list)
    needed: bool = False

    @property
    def name(self) -> str:
        return self.question.name

    @property
    def label(self) -> Text:
        return self.question.label

    @property
    def required(self) -> bool:
        """Whether it must be answered; a blank counter means 0, unless it is ``needed``."""
        return self.question.required and (self.needed or not self.counted)

    @property
    def counted(self) -> bool:
        return self.question.ask.counted

    @property
    def low(self) -> int:
        return self.question.ask.low or 0

    @property
    def high(self) -> int:
        high = self.question.ask.high
        return MOST if high is None else high

    @property
    def none(self) -> bool:
        """Whether nobody may be chosen."""
        return self.by == "choice" and self.parts[-1].value == NOBODY

    @property
    def alone(self) -> bool:
        """Whether it is a single tick, for the whole table."""
        return self.by == "tick" and not self.parts[0].seats

    def answered(self, form: Form) -> bool:
        lists = (pick.name for side in self.picks for pick in side.lists)
        names = [*(part.name for part in self.parts), *lists]
        return any(form[name].data not in (None, False, "", NOBODY) for name in names)


class Fold(NamedTuple):
    """Questions that are folded away under a few words."""

    title: Text
    questions: list[FormQuestion]

    def open(self, form: Form) -> bool:
        """Whether there is something in it to be seen."""
        return any(
            question.answered(form) or form[question.name].errors for question in self.questions
        )
