"""Piles of taken cards, counted after a deal: most cards, most coins, settebello, primiera, scope.

Scopa counts them, and what is played like it (rules.md D1).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Annotated, Any, Protocol

from scorer.errors import Problem
from scorer.rules.cards import DECKS, Rank, rank_letter
from scorer.rules.game import Step, Table
from scorer.rules.plain_game import side_step
from scorer.rules.questions import Ask, Choice, Unanswered
from scorer.rules.seats import PerSide, Side, Sides, strictly_most
from scorer.texts import Text, as_it_is, card_count, figures, listed, say

DECK = DECKS["italian-40"]
CARDS, COINS, SUITS = 40, 10, 4
MOST_PRIMIERA = 84


class MissingSuit(Choice):
    """What a primiera without a card of every suit is worth."""

    OUT = "out", say("Can’t win it")
    ZERO = "zero", say("Counts nothing for the suit")


MissingSuitRule = Annotated[
    MissingSuit,
    Ask(say("Primiera without a suit"), hint=say("Of a side that has no card of one suit.")),
]


class PileRules(Protocol):
    """The rules of a primiera."""

    @property
    def missing_suit(self) -> MissingSuit:
        """What one without a card of every suit is worth."""


@dataclass(frozen=True, slots=True)
class PileSheet:
    """What each side took, its primiera as points, as best cards, or as who has the best."""

    cards: Annotated[PerSide[int], Ask(say("Cards"), low=0, high=CARDS, total=CARDS)]
    coins: Annotated[PerSide[int], Ask(say("Coins"), low=0, high=COINS, total=COINS)]
    settebello: Annotated[Side, Ask(say("Settebello"))]
    primiera: Annotated[
        PerSide[int | None] | None, Ask(say("Primiera"), low=0, high=MOST_PRIMIERA)
    ] = None
    primiera_cards: Annotated[
        PerSide[tuple[Rank | None, ...]] | None, Ask(say("Best card of each suit"))
    ] = None
    primiera_winner: Annotated[Side | Unanswered | None, Ask(say("Best primiera"))] = (
        Unanswered.UNANSWERED
    )
    sweeps: Annotated[PerSide[int], Ask(say("Scope"), low=0, high=CARDS // 2, counted=True)] = (
        PerSide()
    )

    @property
    def sides(self) -> range:
        return range(len(self.cards))


FIGURE = 10
#: What each rank is worth in a primiera, the best first.
PRIMIERA = {
    Rank.SEVEN: 21,
    Rank.SIX: 18,
    Rank.ACE: 16,
    Rank.FIVE: 15,
    Rank.FOUR: 14,
    Rank.THREE: 13,
    Rank.TWO: 12,
    Rank.KING: FIGURE,
    Rank.QUEEN: FIGURE,
    Rank.JACK: FIGURE,
}


def primiera_of(sheet: PileSheet, rules: PileRules) -> list[int | None] | None:
    """Return each side's primiera, None for one that can't compete; None if nobody counted."""
    if sheet.primiera_cards is not None:
        return [worth(cards, rules) for cards in sheet.primiera_cards]
    if sheet.primiera is None:
        return None
    if rules.missing_suit is MissingSuit.ZERO:
        return list(sheet.primiera)
    return [value or None for value in sheet.primiera]


def worth(cards: Sequence[Rank | None], rules: PileRules) -> int | None:
    """Return the primiera of the best cards of each suit."""
    if None in cards and rules.missing_suit is MissingSuit.OUT:
        return None
    return sum(PRIMIERA[rank] for rank in cards if rank is not None)


def primiera_winner(sheet: PileSheet, rules: PileRules) -> int | None:
    """Return which side has the best primiera, by its points or as it was written down."""
    points = primiera_of(sheet, rules)
    if points is not None:
        return strictly_most(points)
    return None if isinstance(sheet.primiera_winner, Unanswered) else sheet.primiera_winner


def one_for(sheet: PileSheet, side: int | None) -> list[int]:
    """Return a point for a side, and none for the others."""
    return [int(number == side) for number in sheet.sides]


def pile_points(sheet: PileSheet, rules: PileRules) -> dict[str, list[int]]:
    """Count the points of each side's pile, in the order in which they are counted."""
    return {
        "cards": one_for(sheet, strictly_most(sheet.cards)),
        "coins": one_for(sheet, strictly_most(sheet.coins)),
        "settebello": one_for(sheet, sheet.settebello),
        "primiera": one_for(sheet, primiera_winner(sheet, rules)),
        "sweeps": [sheet.sweeps.of(side, 0) for side in sheet.sides],
    }


def pile_steps(
    sheet: PileSheet,
    table: Table[Any],
    sides: Sides,
    counted: Mapping[str, Sequence[int]],
    said: Callable[[str, int], Text],
) -> Iterator[Step]:
    """Yield a step for each point of each side; ``said`` has the words of what a game adds."""
    for rule, points in counted.items():
        if not any(points):
            yield from _nobody(rule, sheet, table.rules)
        for side, amount in enumerate(points):
            if amount:
                what = _said(rule, sheet, table.rules, side) or said(rule, side)
                yield side_step(rule, table, sides[side], what, amount)


def _nobody(rule: str, sheet: PileSheet, rules: PileRules) -> Iterator[Step]:
    primiere = primiera_of(sheet, rules)
    levels = {"cards": (say("Cards"), sheet.cards), "coins": (say("Coins"), sheet.coins)}
    if rule in levels:
        what, values = levels[rule]
        text = say(
            "%(what)s, %(figures)s: a tie, nobody gets the point.",
            what=what,
            figures=figures(values),
        )
        yield Step(rule, text, {})
    elif rule == "primiera" and primiere is not None:
        texts = listed(_primiere(sheet, primiere), between=" – ")
        yield Step(rule, say("Primiera, %(told)s: nobody gets the point.", told=texts), {})
    elif rule == "primiera":
        yield Step(rule, say("Primiera: nobody gets the point."), {})


def _said(rule: str, sheet: PileSheet, rules: PileRules, side: int) -> Text | None:
    primiere = primiera_of(sheet, rules)
    match rule:
        case "cards":
            return say("most cards, %(count)s", count=sheet.cards[side])
        case "coins":
            return say("most coins, %(count)s", count=sheet.coins[side])
        case "primiera" if primiere is not None:
            texts = _primiere(sheet, primiere)
            *others, last = [text for place, text in enumerate(texts) if place != side]
            if others:
                last = say("%(names)s and %(last)s", names=listed(others), last=last)
            return say("best primiera, %(own)s against %(others)s", own=texts[side], others=last)
        case "sweeps":
            count = sheet.sweeps[side]
            return say("1 scopa") if count == 1 else say("%(count)s scope", count=count)
        case _:
            return NAMES.get(rule)


def _primiere(sheet: PileSheet, primiere: Sequence[int | None]) -> list[Text]:
    texts = [say("none") if value is None else as_it_is(str(value)) for value in primiere]
    if sheet.primiera_cards is None:
        return texts
    cards = (
        listed(("·" if rank is None else rank_letter(rank, DECK) for rank in best), " ")
        for best in sheet.primiera_cards
    )
    return [
        say("%(points)s (%(cards)s)", points=points, cards=best)
        for points, best in zip(texts, cards, strict=True)
    ]


NAMES = {"settebello": say("settebello"), "primiera": say("best primiera")}


SEVEN = PRIMIERA[Rank.SEVEN]
WORTHS = sorted(set(PRIMIERA.values()))


def _sums(count: int, worths: Sequence[int] = WORTHS) -> frozenset[int]:
    return frozenset(map(sum, combinations_with_replacement(worths, count)))


FOUR_SUITS = _sums(SUITS)
FEWER_SUITS = frozenset().union(*(_sums(count) for count in range(SUITS)))
#: What the cards other than sevens can add, by how many suits they are of.
WITHOUT_SEVENS = [_sums(count, WORTHS[:-1]) for count in range(SUITS + 1)]


def pile_problems(
    sheet: PileSheet, rules: PileRules, *, some_left: bool = False
) -> Iterator[Problem]:
    """Find piles that no cards make; ``some_left`` allows for cards that nobody took."""
    cards, coins = sum(sheet.cards), sum(sheet.coins)
    if cards > CARDS or (cards < CARDS and not some_left):
        message = say("The cards add up to %(sum)s, not to 40.", sum=cards)
        yield Problem("sum-cards", "cards", message)
    if coins != COINS:
        message = say("The coins add up to %(sum)s, not to 10.", sum=coins)
        yield Problem("sum-coins", "coins", message)
    for side in sheet.sides:
        yield from _pile_problems(sheet, side)
    yield from _primiera_problems(sheet, rules)


def _pile_problems(sheet: PileSheet, side: int) -> Iterator[Problem]:
    cards, coins, sweeps = sheet.cards[side], sheet.coins[side], sheet.sweeps.of(side, 0)
    if coins > cards:
        message = say(
            "%(coins)s of coins in a pile of %(cards)s?",
            coins=card_count(coins),
            cards=card_count(cards),
        )
        yield Problem("coins-cards", f"coins[{side}]", message)
    if 2 * sweeps > cards:
        message = say(
            "Scope written down: %(sweeps)s. That takes at least %(least)s cards.",
            sweeps=sweeps,
            least=2 * sweeps,
        )
        yield Problem("sweeps-cards", f"sweeps[{side}]", message)


def _primiera_problems(sheet: PileSheet, rules: PileRules) -> list[Problem]:
    is_named = not isinstance(sheet.primiera_winner, Unanswered)
    if sheet.primiera is None and sheet.primiera_cards is None and not is_named:
        return [Problem("missing-key", "primiera", say("Who has the best primiera?"))]
    problems = [*_points_problems(sheet, rules), *_best_cards_problems(sheet)]
    if problems:
        return problems
    if sheet.primiera is not None and sheet.primiera_cards is not None:
        by_cards = [worth(cards, rules) for cards in sheet.primiera_cards]
        if [value or 0 for value in sheet.primiera] != [value or 0 for value in by_cards]:
            message = say("The best cards make a primiera of %(points)s.", points=figures(by_cards))
            problems.append(Problem("primiera-differs", "primiera", message))
    if is_named and sheet.primiera_winner != primiera_winner(sheet, rules):
        message = say("By its points or cards, another side has the best primiera, or nobody.")
        problems.append(Problem("primiera-differs", "primiera_winner", message))
    return problems or list(_pile_primiera_problems(sheet, rules))


def _pile_primiera_problems(sheet: PileSheet, rules: PileRules) -> Iterator[Problem]:
    """Find a primiera that is impossible with the cards and coins of a pile, or missing."""
    needed = SUITS if rules.missing_suit is MissingSuit.OUT else 1
    points, winner = primiera_of(sheet, rules), primiera_winner(sheet, rules)
    held = [side == winner for side in sheet.sides] if points is None else list(map(bool, points))
    name = "primiera_winner" if points is None else "primiera"
    if sheet.primiera_cards is not None:
        name = "primiera_cards"
    able = [
        side
        for side, (cards, coins) in enumerate(zip(sheet.cards, sheet.coins, strict=True))
        if min(coins, 1) + min(max(cards - coins, 0), SUITS - 1) >= needed
    ]
    for side in sheet.sides:
        if held[side] and side not in able:
            field = name if points is None else f"{name}[{side}]"
            message = say("The cards and coins of this side allow no primiera.")
            yield Problem("primiera-impossible", field, message)
    if winner is None and len(able) == 1:
        coins = sheet.coins[able[0]]
        # The others are more than two suits have.
        if coins and sheet.cards[able[0]] - coins > 2 * COINS:
            message = say("Only one side can have a primiera, and it has a card of every suit.")
            yield Problem("primiera-impossible", name, message)


def _points_problems(sheet: PileSheet, rules: PileRules) -> Iterator[Problem]:
    possible = {0, *FOUR_SUITS}
    message = say(
        "With all four suits a primiera counts from 40 to 84, but never 41, 80, 82 or "
        "83. Without one of them it counts nothing."
    )
    if rules.missing_suit is MissingSuit.ZERO:
        possible |= FEWER_SUITS
        message = say("No cards count so much in a primiera.")
    for side, value in enumerate(sheet.primiera or ()):
        if value is not None and value not in possible:
            yield Problem("primiera-impossible", f"primiera[{side}]", message)


FOUR_CARDS = say(
    "The best card of each of the four suits is needed, null for none, the suits in the same order "
    "on every side."
)


def _best_cards_problems(sheet: PileSheet) -> list[Problem]:
    piles = sheet.primiera_cards or ()
    problems = [
        Problem("primiera-cards", f"primiera_cards[{side}]", FOUR_CARDS)
        for side, best in enumerate(piles)
        if len(best) != SUITS
    ]
    if problems or not piles:
        return problems
    for suit, column in enumerate(zip(*piles, strict=True)):
        pips = [rank for rank in column if rank is not None and PRIMIERA[rank] != FIGURE]
        if column.count(Rank.SEVEN) != 1 or len(set(pips)) < len(pips):
            message = say(
                "The suit in place %(number)s, the same on every side: one side has its seven, "
                "and no card is there twice.",
                number=suit + 1,
            )
            problems.append(Problem("primiera-cards", "primiera_cards", message))
    if not problems and Rank.SEVEN not in piles[sheet.settebello]:
        message = say("The settebello is a seven, and this side has none.")
        problems.append(Problem("settebello-primiera", "settebello", message))
    return problems


def pile_words(rules: PileRules) -> Iterator[Text]:
    """Yield what is counted of a pile."""
    yield say("Cards, coins, settebello, primiera and every scopa count a point each.")
    if rules.missing_suit is MissingSuit.OUT:
        yield say("A side without a card of every suit has no primiera.")
    else:
        yield say(
            "A suit that isn't held counts nothing in the primiera; the rest is added up "
            "all the same."
        )


def pile_warnings(sheet: PileSheet) -> Iterator[Problem]:
    """Find cards that nobody took, and primiere that can't both be right."""
    if left := CARDS - sum(sheet.cards):
        message = say("Missing of the 40: %(count)s. Left on the table?", count=card_count(left))
        yield Problem("left-on-table", "cards", message)
    if sheet.primiera is not None and not _four_sevens(sheet.primiera):
        message = say("There are four sevens in the pack: these primiere can't all be right.")
        yield Problem("primiera-odd", "primiera", message)


def _four_sevens(primiere: Sequence[int | None]) -> bool:
    """Whether the sides can have four sevens together; one that lacks a suit may have any."""
    sevens = [
        [
            count
            for count in range(SUITS + 1)
            if value not in FOUR_SUITS or value - count * SEVEN in WITHOUT_SEVENS[SUITS - count]
        ]
        for value in primiere
    ]
    return any(sum(counts) == SUITS for counts in product(*sevens))
