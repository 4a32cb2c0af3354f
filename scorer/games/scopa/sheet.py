"""The sheet of a deal of Scopa: the options, what is counted, what no cards allow (rules.md D1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Annotated

from scorer.errors import Problem
from scorer.rules.cards import DECKS, Rank, rank_letter
from scorer.rules.game import NamedRules, Step, Table
from scorer.rules.plain_game import Bonus, BonusName, bonus_problems, level_step, side_step
from scorer.rules.seats import PerSide, Side, Sides, strictly_most
from scorer.rules.sheet import Ask, Choice, Unanswered
from scorer.texts import Text, as_it_is, card_count, figures, listed, say

DECK = DECKS["italian-40"]
CARDS, COINS, SUITS = 40, 10, 4
WHOLE_NAPOLA, TO_THE_SEVEN = 10, 7
MOST_PRIMIERA = 84


class Napola(Choice):
    """The worth of a napola: ace, two and three of coins and the run from there."""

    OFF = "off", say("Is not counted")
    LENGTH = "length", say("As many points as cards")
    THREE = "three", say("Three points")


class ScopaEnd(Choice):
    """Who wins when several reach the target: the highest, or the first in the counting."""

    HIGHEST = "highest", say("The highest wins")
    ORDER_ON_TIE = "order-on-tie", say("The highest; level, the order of counting")
    ORDER_ALWAYS = "order-always", say("The order of counting")


class MissingSuit(Choice):
    """What a primiera without a card of every suit is worth."""

    OUT = "out", say("Can’t win it")
    ZERO = "zero", say("Counts nothing for the suit")


@dataclass(frozen=True, slots=True)
class ScopaRules(NamedRules):
    """What is counted, and the end."""

    target: Annotated[int, Ask(say("Points to reach"), low=1, high=1000)] = 11
    napola: Annotated[
        Napola, Ask(say("Napola"), hint=say("Ace, two and three of coins, and the run from there."))
    ] = Napola.OFF
    re_bello: Annotated[
        bool, Ask(say("Re bello"), hint=say("The king of coins is worth a point."))
    ] = False
    end: Annotated[
        ScopaEnd,
        Ask(
            say("When several reach the target"),
            hint=say("The order of counting: cards, coins, settebello, primiera, scope."),
        ),
    ] = ScopaEnd.HIGHEST
    missing_suit: Annotated[
        MissingSuit,
        Ask(say("Primiera without a suit"), hint=say("Of a side that has no card of one suit.")),
    ] = MissingSuit.OUT
    bonus: BonusName = ""
    four: Annotated[bool, Ask(say("Only for four, in pairs"), unsaid=True)] = False
    left_on_table: Annotated[
        bool,
        Ask(
            say("Fewer than 40 cards may be counted"),
            unsaid=True,
            hint=say("What nobody took, or somebody forgot to count, is only pointed out."),
        ),
    ] = False


@dataclass(frozen=True, slots=True)
class ScopaSheet:
    """A deal, its primiera as points, as the best card of each suit, or as who has the best."""

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
    napola: Annotated[PerSide[int], Ask(say("Napola"), low=0, high=WHOLE_NAPOLA, counted=True)] = (
        PerSide()
    )
    re_bello: Annotated[Side | None, Ask(say("Re bello"))] = None
    bonus: Bonus = PerSide()

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


def primiera_of(sheet: ScopaSheet, rules: ScopaRules) -> list[int | None] | None:
    """Return each side's primiera, None for one that can't compete; None if nobody counted."""
    if sheet.primiera_cards is not None:
        return [worth(cards, rules) for cards in sheet.primiera_cards]
    if sheet.primiera is None:
        return None
    if rules.missing_suit is MissingSuit.ZERO:
        return list(sheet.primiera)
    return [value or None for value in sheet.primiera]


def worth(cards: Sequence[Rank | None], rules: ScopaRules) -> int | None:
    """Return the primiera of the best cards of each suit."""
    if None in cards and rules.missing_suit is MissingSuit.OUT:
        return None
    return sum(PRIMIERA[rank] for rank in cards if rank is not None)


def primiera_winner(sheet: ScopaSheet, rules: ScopaRules) -> int | None:
    """Return which side has the best primiera, by its points or as it was written down."""
    points = primiera_of(sheet, rules)
    if points is not None:
        return strictly_most(points)
    return None if isinstance(sheet.primiera_winner, Unanswered) else sheet.primiera_winner


def counted(sheet: ScopaSheet, rules: ScopaRules) -> dict[str, list[int]]:
    """Count the points of each side, in the order in which they are counted at the table."""

    def one_for(side: int | None) -> list[int]:
        return [int(number == side) for number in sheet.sides]

    most = {Napola.OFF: 0, Napola.THREE: 3, Napola.LENGTH: WHOLE_NAPOLA}[rules.napola]
    return {
        "cards": one_for(strictly_most(sheet.cards)),
        "coins": one_for(strictly_most(sheet.coins)),
        "settebello": one_for(sheet.settebello),
        "primiera": one_for(primiera_winner(sheet, rules)),
        "sweeps": [sheet.sweeps.of(side, 0) for side in sheet.sides],
        "napola": [min(sheet.napola.of(side, 0), most) for side in sheet.sides],
        "re-bello": one_for(sheet.re_bello if rules.re_bello else None),
        "bonus": [sheet.bonus.of(side, 0) for side in sheet.sides],
    }


def steps(sheet: ScopaSheet, table: Table[ScopaRules], sides: Sides) -> Iterator[Step]:
    for rule, points in counted(sheet, table.rules).items():
        if not any(points):
            yield from _nobody(rule, sheet, table.rules)
        for side, amount in enumerate(points):
            if amount:
                what = _said(rule, sheet, table.rules, side)
                yield side_step(rule, table, sides[side], what, amount)


def _nobody(rule: str, sheet: ScopaSheet, rules: ScopaRules) -> Iterator[Step]:
    primiere = primiera_of(sheet, rules)
    if rule == "cards":
        yield level_step(rule, say("Cards"), sheet.cards)
    elif rule == "coins":
        yield level_step(rule, say("Coins"), sheet.coins)
    elif rule == "primiera" and primiere is not None:
        texts = listed(_primiere(sheet, primiere), between=" – ")
        yield Step(rule, say("Primiera, %(told)s: nobody gets the point.", told=texts), {})
    elif rule == "primiera":
        yield Step(rule, say("Primiera: nobody gets the point."), {})


def _said(rule: str, sheet: ScopaSheet, rules: ScopaRules, side: int) -> Text:
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
        case "napola":
            words = NAPOLA_OF_THREE if rules.napola is Napola.THREE else NAPOLA_OF_LENGTH
            return Text(words.template, {"count": sheet.napola[side]})
        case "bonus":
            return as_it_is(rules.bonus)
        case _:
            return NAMES[rule]


def _primiere(sheet: ScopaSheet, primiere: Sequence[int | None]) -> list[Text]:
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


NAPOLA_OF_LENGTH = say("napola of %(count)s cards")
NAPOLA_OF_THREE = say("napola of %(count)s cards, which counts 3 by these rules")
NAMES = {
    "settebello": say("settebello"),
    "primiera": say("best primiera"),
    "re-bello": say("re bello"),
}


SEVEN = PRIMIERA[Rank.SEVEN]
WORTHS = sorted(set(PRIMIERA.values()))


def _sums(count: int, worths: Sequence[int] = WORTHS) -> frozenset[int]:
    return frozenset(map(sum, combinations_with_replacement(worths, count)))


FOUR_SUITS = _sums(SUITS)
FEWER_SUITS = frozenset().union(*(_sums(count) for count in range(SUITS)))
#: What the cards other than sevens can add, by how many suits they are of.
WITHOUT_SEVENS = [_sums(count, WORTHS[:-1]) for count in range(SUITS + 1)]


def sheet_problems(sheet: ScopaSheet, table: Table[ScopaRules]) -> Iterator[Problem]:
    cards, coins = sum(sheet.cards), sum(sheet.coins)
    if cards > CARDS or (cards < CARDS and not table.rules.left_on_table):
        message = say("The cards add up to %(sum)s, not to 40.", sum=cards)
        yield Problem("sum-cards", "cards", message)
    if coins != COINS:
        message = say("The coins add up to %(sum)s, not to 10.", sum=coins)
        yield Problem("sum-coins", "coins", message)
    for side in sheet.sides:
        yield from _pile_problems(sheet, side)
    yield from _napola_problems(sheet, table.rules)
    yield from _primiera_problems(sheet, table.rules)
    yield from bonus_problems(sheet.bonus, table.rules.bonus)


def _pile_problems(sheet: ScopaSheet, side: int) -> Iterator[Problem]:
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
    run = sheet.napola.of(side, 0)
    settebello = sheet.settebello == side and run < TO_THE_SEVEN
    re_bello = sheet.re_bello == side and run < WHOLE_NAPOLA
    if coins < run + settebello + re_bello:
        code, field = "re-bello-coins", "re_bello"
        if run:
            code, field = "napola-coins", f"napola[{side}]"
        elif settebello:
            code, field = "settebello-coins", "settebello"
        message = say(
            "Napola, settebello and re bello need at least %(least)s of coins, not %(coins)s.",
            least=card_count(run + settebello + re_bello),
            coins=coins,
        )
        yield Problem(code, field, message)


def _napola_problems(sheet: ScopaSheet, rules: ScopaRules) -> Iterator[Problem]:
    runs = [(side, run) for side, run in enumerate(sheet.napola) if run]
    if len(runs) > 1:
        message = say("Only one side can have ace, two and three of coins.")
        yield Problem("napola-sides", "napola", message)
    for side, run in runs:
        field = f"napola[{side}]"
        if run < 3:
            yield Problem("napola-length", field, say("A napola has at least ace, two and three."))
        elif rules.napola is Napola.LENGTH and _goes_on(sheet, side, run):
            message = say("By what else is written down, the napola is longer.")
            yield Problem("napola-length", field, message)
        if run >= TO_THE_SEVEN and sheet.settebello != side:
            message = say("A napola of %(length)s has the settebello in it.", length=run)
            yield Problem("napola-settebello", field, message)
        if run == WHOLE_NAPOLA and sheet.re_bello not in (None, side):
            message = say("A napola of %(length)s has the re bello in it.", length=run)
            yield Problem("napola-re-bello", field, message)


def _goes_on(sheet: ScopaSheet, side: int, run: int) -> bool:
    """Whether the side has the card that comes after its run."""
    with_the_seven = run == TO_THE_SEVEN - 1 and sheet.settebello == side
    with_the_king = run == WHOLE_NAPOLA - 1 and sheet.re_bello == side
    return with_the_seven or with_the_king or run < sheet.coins[side] == WHOLE_NAPOLA


def _primiera_problems(sheet: ScopaSheet, rules: ScopaRules) -> list[Problem]:
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


def _pile_primiera_problems(sheet: ScopaSheet, rules: ScopaRules) -> Iterator[Problem]:
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


def _points_problems(sheet: ScopaSheet, rules: ScopaRules) -> Iterator[Problem]:
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


def _best_cards_problems(sheet: ScopaSheet) -> list[Problem]:
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


def sheet_warnings(sheet: ScopaSheet, table: Table[ScopaRules]) -> list[Problem]:
    """Find what isn't counted here, and primiere that can't both be right."""
    warnings, rules, left = [], table.rules, CARDS - sum(sheet.cards)
    if left:
        message = say("Missing of the 40: %(count)s. Left on the table?", count=card_count(left))
        warnings.append(Problem("left-on-table", "cards", message))
    if any(sheet.napola) and rules.napola is Napola.OFF:
        message = say("The napola isn't counted by these rules.")
        warnings.append(Problem("not-counted", "napola", message))
    if sheet.re_bello is not None and not rules.re_bello:
        message = say("The re bello isn't counted by these rules.")
        warnings.append(Problem("not-counted", "re_bello", message))
    if sheet.primiera is not None and not _four_sevens(sheet.primiera):
        message = say("There are four sevens in the pack: these primiere can't all be right.")
        warnings.append(Problem("primiera-odd", "primiera", message))
    return warnings


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
