"""The sheet of a deal of Briscola Chiamata, and what can be wrong with it (rules.md A4, A5, C2)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from scorer.errors import Problem
from scorer.games.briscola_chiamata.bids import Bid, bid_problems, bid_warnings, call_problems
from scorer.games.briscola_chiamata.rules import MOST_TIMES, CappottoTest, ChiamataRules, ScoreKind
from scorer.rules.bands import IMPOSSIBLE, PACK, impossible_points
from scorer.rules.cards import Card
from scorer.rules.game import Table
from scorer.rules.questions import Ask
from scorer.rules.seats import Seat
from scorer.texts import Text, from_to, needed, say
from scorer.texts import tricks as trick_count


@dataclass(frozen=True, slots=True)
class ChiamataSheet:
    """What the scorekeeper writes down for one deal; without ``partner`` the caller was alone."""

    caller: Annotated[Seat, Ask(say("Caller"))]
    bid: Annotated[Bid, Ask(say("Bid"))]
    partner: Annotated[Seat | None, Ask(say("Partner"))]
    called_card: Annotated[Card | None, Ask(say("Called card"))] = None
    card_points: Annotated[int | None, Ask(say("Card points of the caller's side"), 0, PACK)] = None
    made: Annotated[bool | None, Ask(say("Made"))] = None
    tricks_won: Annotated[int | None, Ask(say("Tricks of the caller's side"), 0, 10)] = None
    cappotto: Annotated[bool | None, Ask(say("Cappotto"))] = None
    shown: Annotated[bool, Ask(say("The called card was shown"))] = False
    blind: Annotated[bool, Ask(say("Bid blind"))] = False
    times: Annotated[int, Ask(say("Counts"), 1, MOST_TIMES)] = 1


@dataclass(frozen=True, slots=True)
class ChiamataStart:
    """The start of a deal after the auction: caller, bid, called card."""

    caller: Annotated[Seat, Ask(say("Caller"))]
    bid: Annotated[Bid, Ask(say("Bid"))]
    called_card: Annotated[Card | None, Ask(say("Called card"))] = None


def target(sheet: ChiamataSheet, rules: ChiamataRules) -> int:
    return rules.target(sheet.bid.points)


def is_made(sheet: ChiamataSheet, rules: ChiamataRules) -> bool:
    """Whether the caller's side reached the target, by its card points or as written down."""
    if sheet.card_points is None:
        return bool(sheet.made)
    return sheet.card_points >= target(sheet, rules)


def is_drawn(sheet: ChiamataSheet, rules: ChiamataRules) -> bool:
    """Whether the card points are those of a draw, which is neither made nor missed."""
    counted = sheet.card_points
    return counted is not None and counted == rules.draw_points(target(sheet, rules))


def counted_points(sheet: ChiamataSheet, rules: ChiamataRules) -> list[int]:
    """Return the card points on the sheet or, if nobody counted, all that its tricks allow."""
    if sheet.card_points is not None:
        return [sheet.card_points]
    low, high = 0, PACK
    if sheet.tricks_won is not None and sheet.tricks_won <= rules.cards_each:
        low, high = points_range(sheet.tricks_won, rules)
    return [points for points in range(low, high + 1) if points not in IMPOSSIBLE]


def points_taken(sheet: ChiamataSheet, rules: ChiamataRules) -> list[int]:
    """Return the card points that agree with the result; none where it contradicts the counts."""
    counted, least = counted_points(sheet, rules), target(sheet, rules)
    if sheet.made is None:
        return counted
    drawn = rules.draw_points(least)
    return [points for points in counted if points != drawn and (points >= least) == sheet.made]


def took_everything(sheet: ChiamataSheet, rules: ChiamataRules) -> bool | None:
    """Whether one side took everything as the rules define it; None if the sheet leaves it open."""
    cappotto = rules.score.cappotto
    if cappotto is None:
        return None
    by_tricks = cappotto.test is CappottoTest.ALL_TRICKS
    if by_tricks and sheet.tricks_won is not None:
        return sheet.tricks_won in (0, rules.cards_each)
    points = points_taken(sheet, rules) or counted_points(sheet, rules)
    if not any(amount in (0, PACK) for amount in points):
        return False
    # All the tricks bring all the points; all the points can come without all the tricks.
    sure = not by_tricks and all(amount in (0, PACK) for amount in points)
    return True if sure else None


def start_problems(start: ChiamataStart, table: Table[ChiamataRules]) -> list[Problem]:
    return [
        *table.sitting_out({"caller": start.caller}),
        *bid_problems(start.bid, table.rules, "bid"),
        *_card_problems(start, table.rules),
    ]


def sheet_problems(sheet: ChiamataSheet, table: Table[ChiamataRules]) -> Iterator[Problem]:
    rules, least = table.rules, target(sheet, table.rules)
    yield from table.sitting_out({"caller": sheet.caller, "partner": sheet.partner})
    if sheet.partner == sheet.caller:
        message = say(
            "The caller can't also be the partner: if the caller played alone, there is no partner."
        )
        yield Problem("caller-is-partner", "partner", message)
    if sheet.partner is None and not rules.may_be_alone:
        message = say("At this table nobody may call a card of their own: who is the partner?")
        yield Problem("own-card-forbidden", "partner", message)
    yield from bid_problems(sheet.bid, rules, "bid")
    yield from _card_problems(sheet, rules)
    if sheet.shown and not rules.monte:
        message = say("A card is shown only when you play with a monte.")
        yield Problem("shown-without-monte", "shown", message)
    if sheet.shown and sheet.partner is None:
        message = say("The called card was shown, so the caller has a partner.")
        yield Problem("shown-alone", "partner", message)
    yield from _points_problems(sheet, rules)
    possible = sheet.made is None or sheet.card_points in IMPOSSIBLE or points_taken(sheet, rules)
    if not possible:
        counted = counted_points(sheet, rules)
        drawn = counted == [rules.draw_points(least)]
        message = _contradiction(sheet, from_to(counted[0], counted[-1]), least, drawn=drawn)
        yield Problem("wrong-result", "made", message)
    yield from _tricks_problems(sheet, rules)
    everything = took_everything(sheet, rules)
    if None not in (sheet.cappotto, everything) and sheet.cappotto != everything:
        message = say(
            "Going by what was entered, neither side took everything: that isn't a cappotto."
        )
        if everything:
            message = say(
                "Going by what was entered, one side took everything: that is a cappotto."
            )
        yield Problem("wrong-cappotto", "cappotto", message)


def sheet_warnings(sheet: ChiamataSheet, table: Table[ChiamataRules]) -> list[Problem]:
    """Return what is unusual in a sheet, but may have happened at the table."""
    warnings = bid_warnings(sheet.bid, table.rules)
    if sheet.shown and sheet.partner not in (None, table.after(sheet.caller)):
        message = say(
            "When the called card is shown, the next player after the caller becomes the "
            "partner: here %(name)s.",
            name=table.name(table.after(sheet.caller)),
        )
        warnings.append(Problem("shown-partner", "partner", message))
    return warnings


def _card_problems(start: ChiamataSheet | ChiamataStart, rules: ChiamataRules) -> list[Problem]:
    if start.called_card is None:
        return []
    return call_problems(start.bid, start.called_card.rank, rules, "called_card")


def _points_problems(sheet: ChiamataSheet, rules: ChiamataRules) -> list[Problem]:
    if sheet.card_points in IMPOSSIBLE:
        return [Problem("points-impossible", "card_points", impossible_points(sheet.card_points))]
    if sheet.card_points is not None:
        return []
    if sheet.made is None:
        message = say(
            "How many card points did the caller's side take? Or at least: was the bid made or "
            "missed?"
        )
        return [Problem("missing-key", "card_points", message)]
    if not sheet.made and rules.score.kind is ScoreKind.DECLARED_POINTS:
        message = say(
            "By these rules the caller's side pays what it fell short by: enter the card points."
        )
        return [Problem("missing-key", "card_points", message)]
    return []


def _tricks_problems(sheet: ChiamataSheet, rules: ChiamataRules) -> list[Problem]:
    won, every = sheet.tricks_won, rules.cards_each
    if won is None:
        return []
    if won > every:
        message = say("A deal has only %(tricks)s.", tricks=trick_count(every))
        return [Problem("out-of-range", "tricks_won", message)]
    low, high = points_range(won, rules)
    if sheet.card_points is None or low <= sheet.card_points <= high:
        return []
    message = say(
        "With %(tricks)s a side can have %(points)s card points, not %(said)s.",
        tricks=trick_count(won),
        points=from_to(low, high),
        said=sheet.card_points,
    )
    return [Problem("points-tricks", "card_points", message)]


def _contradiction(sheet: ChiamataSheet, points: Text, least: int, *, drawn: bool) -> Text:
    values = {"points": points, "target": least}
    if drawn:
        return say(
            "By these rules exactly %(points)s, where %(needed)s, is a draw: neither made nor "
            "missed.",
            points=points,
            needed=needed(least),
        )
    if sheet.card_points is not None:
        if sheet.made:
            return say("%(points)s card points don't reach the target of %(target)s.", **values)
        return say("%(points)s card points reach the target of %(target)s.", **values)
    if sheet.tricks_won is None:
        return say("The target is %(target)s: it can't be missed.", **values)
    values["tricks"] = trick_count(sheet.tricks_won)
    if sheet.made:
        return say(
            "With %(tricks)s a side can have %(points)s card points: the target of %(target)s is "
            "out of reach.",
            **values,
        )
    return say(
        "With %(tricks)s a side can have %(points)s card points: the target of %(target)s is "
        "always reached.",
        **values,
    )


def points_range(tricks: int, rules: ChiamataRules) -> tuple[int, int]:
    """Return the least and the most card points of a number of tricks (rules.md C2).

    With a monte, the discards may have gone to any side with a trick.
    """
    deck = rules.cards

    def most(count: int) -> int:
        return deck.most_points(count * rules.hands + rules.monte) if count else 0

    return PACK - most(rules.cards_each - tricks), most(tricks)
