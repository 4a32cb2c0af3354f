"""A game without an auction: its sheet has what each side took, its options what that counts.

What such games have in common is here; a game adds its sheet, its options and its figures.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, NamedTuple, get_args

from scorer.errors import Problem
from scorer.rules.cards import DECKS, Rank, rank_letter
from scorer.rules.game import Fact, Game, Outcome, R, S, Score, Step, Table
from scorer.rules.match import side_totals
from scorer.rules.options import NOTHING, Description, Source
from scorer.rules.questions import Ask, Choice, Question, Unanswered, inner_kind, questions
from scorer.rules.seats import (
    PerSide,
    Seat,
    Seating,
    Side,
    Sides,
    counts_text,
    every_seat,
    sides_of,
    strictly_most,
)
from scorer.texts import Text, as_it_is, listed, point_count, say, signed


class Preset(NamedTuple):
    """A rule set that comes with the game: ``options`` are those that aren't the defaults."""

    slug: str
    name: Text
    blurb: Text
    options: Mapping[str, Any]


class Partners(Choice):
    """Whether each plays alone, or with the one who sits opposite."""

    PLAYERS = "players", say("Each for themselves")
    PAIRS = "pairs", say("In pairs, partners opposite")

    def sides(self, active: Sequence[Seat]) -> Sides:
        """Return pairs who sit opposite each other, where all have a partner, or else each alone.

        >>> Partners.PAIRS.sides([0, 1, 2, 3, 4, 5])
        ((0, 3), (1, 4), (2, 5))
        """
        half, odd = divmod(len(active), 2)
        if self is Partners.PLAYERS or half < 2 or odd:
            return every_seat(active)
        return tuple(zip(active[:half], active[half:], strict=True))


class PlainGame(Game[S, R]):
    """What the games of two to six players share."""

    last_sheet_counts = True
    seats: ClassVar[tuple[int, ...]]
    sources: ClassVar[tuple[Source, ...]]
    described: ClassVar[tuple[Preset, ...]]

    def __init__(self) -> None:
        self.presets = {
            slug: replace(self.rules_type(slug, str(name)), **options)
            for slug, name, _, options in self.described
        }

    @abstractmethod
    def words(self, rules: R) -> Iterator[Text]:
        """Yield the rules in plain sentences."""

    @abstractmethod
    def steps(self, sheet: S, table: Table[R], sides: Sides) -> Iterable[Step]:
        """Return the steps that explain what a sheet without problems pays each side."""

    def score(self, sheet: S, table: Table[R]) -> Score:
        sides = self.sides(table.active, table.rules, sheet)
        return Score.of(table.active, [*self.steps(sheet, table, sides)])

    def side_figures(self, sheet: S, table: Table[R]) -> Sequence[int]:
        """Return the figure to show for each side: its points for the deal, or its card points."""
        sides = self.sides(table.active, table.rules, sheet)
        return side_totals(self.score(sheet, table).payouts, sides)

    def seating(self, rules: R) -> Seating:
        return Seating(self.seats)

    def sides(self, active: Sequence[Seat], rules: R, sheet: S | None = None) -> Sides:
        """Pairs of four, threes of six, otherwise each for itself."""
        return sides_of(active)

    def outcomes(self, rules: R) -> tuple[Outcome, ...]:
        """The cards are dealt again after a misdeal, or because the hands call for it."""
        return (Outcome.MISDEAL, Outcome.REDEAL)

    def summary(self, sheet: S, table: Table[R]) -> Text:
        """Describe what each side took: ``Ada and Ciro 71, Bea and Dora 49``."""
        named = zip(
            self.sides(table.active, table.rules, sheet),
            self.side_figures(sheet, table),
            strict=True,
        )
        return listed(listed((table.names(side), signed_if_less(n)), " ") for side, n in named)

    def headline(self, sheet: S, table: Table[R]) -> Text:
        amounts = self.side_figures(sheet, table)
        sides = self.sides(table.active, table.rules, sheet)
        best = strictly_most(amounts)
        if len(set(amounts)) == 1:
            return say("A tie: %(what)s", what=self.summary(sheet, table))
        if best is None:
            return say("A tie at the top: %(what)s", what=self.summary(sheet, table))
        return say(
            "%(side)s scored the most points: %(what)s",
            side=table.names(sides[best]),
            what=self.summary(sheet, table),
        )

    def facts(self, sheet: S, table: Table[R]) -> list[Fact]:
        worded = [self.worded(question, table) for question in questions(self.sheet_type)]
        return sheet_facts(sheet, table, self.sides(table.active, table.rules), worded)

    def describe(self, rules: R) -> Description:
        """Describe a rule set in words; one that is no preset counts as the group's own."""
        name, blurb = as_it_is(rules.name), say("The group's own table.")
        for preset in self.described:
            if preset.slug == rules.slug:
                name = preset.name if str(preset.name) == rules.name else name
                blurb = preset.blurb if self.presets[preset.slug] == rules else blurb
        counts = self.seating(rules).for_session
        return Description(
            slug=rules.slug,
            name=name,
            blurb=blurb,
            players=counts[0],
            seats_text=say("%(counts)s players", counts=counts_text(counts)),
            words=tuple(self.words(rules)),
            sources=self.sources,
        )


def signed_if_less(amount: int) -> str:
    """Write a number with a real minus sign, and without a plus."""
    return signed(amount) if amount < 0 else str(amount)


def side_step(
    rule: str,
    table: Table[Any],
    side: Sequence[Seat],
    what: Text,
    amount: int,
    *,
    burden: bool = False,
) -> Step:
    """Make the step that gives each player of a side points, or a ``burden``, for something."""
    written = signed(amount, burden=burden)
    text = say(
        "%(side)s: %(what)s → %(amount)s.", side=table.names(side), what=what, amount=written
    )
    return Step(rule, text, dict.fromkeys(side, amount))


def target_words(target: int) -> Iterator[Text]:
    yield say("The match is to %(target)s, checked after each deal.", target=point_count(target))
    yield say("If several get there the highest wins, and level they play on.")


def sheet_facts(
    sheet: Any, table: Table[Any], sides: Sides, worded: Sequence[Question]
) -> list[Fact]:
    """List the answers of a sheet, without missing ones."""
    facts = []
    for question in worded:
        answer = getattr(sheet, question.name)
        if not isinstance(answer, Unanswered) and (question.required or answer != question.default):
            facts.append(Fact(question.label, _words(answer, question.kind, table, sides)))
    return facts


def _words(answer: Any, kind: Any, table: Table[Any], sides: Sides) -> Text | str:
    """Return an answer in words: a side and a seat by their names, a list part by part."""
    kind = inner_kind(kind)
    if answer is None:
        return say("nobody") if kind is Side else NOTHING
    if kind is Side:
        return table.names(sides[answer])
    if kind is Seat:
        return table.name(answer)
    if isinstance(answer, Mapping):
        return _each(map(table.name, answer), answer.values(), get_args(kind)[1], table, sides)
    if isinstance(answer, PerSide):
        return _each(map(table.names, sides), answer, get_args(kind)[0], table, sides)
    if isinstance(answer, tuple):
        parts = [_words(part, get_args(kind)[0], table, sides) for part in answer]
        return listed(parts) if parts else NOTHING
    return _plain(answer)


def _each(
    names: Iterable[Text | str], answers: Iterable[Any], kind: Any, table: Table[Any], sides: Sides
) -> Text:
    parts = (
        say("%(name)s: %(answer)s", name=name, answer=_words(answer, kind, table, sides))
        for name, answer in zip(names, answers, strict=True)
    )
    return listed(parts, between=" · ")


def _plain(answer: Any) -> Text | str:
    if isinstance(answer, bool):
        return say("yes") if answer else say("no")
    if isinstance(answer, int):
        return signed_if_less(answer)
    if isinstance(answer, Rank):
        return rank_letter(answer, DECKS["italian-40"])
    if hasattr(answer, "words"):
        words: Text = answer.words
        return words
    return str(answer)


def laid_down_steps(
    table: Table[Any], side: Sequence[Seat], melded: int, in_hand: int, penalty: int
) -> Iterator[Step]:
    """Yield a side's steps for cards on the table, and for what is taken off."""
    yield side_step("melded", table, side, say("cards melded"), melded)
    if in_hand:
        yield side_step("in-hand", table, side, say("cards left in hand"), -in_hand)
    if penalty:
        yield side_step("penalty", table, side, say("penalty"), -penalty)


def too_many_in_hand(total: int, pack: int) -> Text:
    return say(
        "The hands add up to %(sum)s, but all the cards together count %(pack)s.",
        sum=total,
        pack=pack,
    )


def fives_problems(sheet: Any) -> Iterator[Problem]:
    """Find values that no cards add up to, where all of them count fives."""
    for name in ("melded", "in_hand", "penalty"):
        for side, value in enumerate(getattr(sheet, name)):
            if value % 5:
                message = say("All cards count a multiple of 5.")
                yield Problem("not-multiple-of-5", f"{name}[{side}]", message)


LONGEST_NAME = 30
BONUS = "bonus"

#: The option of a rule set, and the answer of a sheet.
BonusName = Annotated[
    str,
    Ask(
        say("A bonus of our own, by its name"),
        none=say("no bonus"),
        longest=LONGEST_NAME,
        unsaid=True,
        hint=say("Such as the ace that takes all: it gets a box of its own in every deal."),
    ),
]
Bonus = Annotated[
    PerSide[int],
    Ask(say("Bonus"), low=-100, high=1000, counted=True, unsaid=True, named_by=BONUS),
]


def bonus_problems(bonus: PerSide[int], name: str) -> Iterator[Problem]:
    """Yield a problem if a sheet has a bonus and the rules have none."""
    if bonus and not name:
        yield Problem("bonus-off", BONUS, say("By these rules there is no bonus."))


def bonus_steps(bonus: PerSide[int], table: Table[Any], sides: Sides) -> Iterator[Step]:
    """Yield a step for each side that has a bonus, named after the bonus."""
    for seats, amount in zip(sides, bonus, strict=False):
        if amount:
            yield side_step(BONUS, table, seats, as_it_is(table.rules.bonus), amount)


def bonus_words(name: str) -> Iterator[Text]:
    if name:
        yield say("%(name)s: as much as is written down for each player or pair.", name=name)
