"""Briscola for two, three, four and six: the side with more than half the card points wins a deal.

A match is the best of a number of won deals, the first to win a number of deals, or card points
added up to a target (rules.md D2).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from scorer.errors import Problem
from scorer.rules.bands import IMPOSSIBLE, PACK, impossible_points
from scorer.rules.cards import CARD_POINTS
from scorer.rules.game import NamedRules, NothingSaid, Outcome, Step, Table, Turn
from scorer.rules.match import UNDECIDED, Ends, Progress, Tally, play_on, side_totals
from scorer.rules.options import Source
from scorer.rules.plain_game import PlainGame, Preset, side_step
from scorer.rules.questions import Ask, Choice, Question, Reading, Unanswered, missing, read
from scorer.rules.seats import PerSide, Seat, Seating, Side, Sides, strictly_most
from scorer.texts import Text, deal_count, figures, joined, say

DECLARED, MOST_DECLARED = 20, 200


class Match(Choice):
    """How a match is made of deals."""

    BEST_OF = "best-of", say("The best of so many deals")
    FIRST_TO = "first-to", say("The first to win so many deals")
    POINTS = "points", say("Card points, to a target")
    OPEN = "open", say("Open end")


class DrawRule(Choice):
    """What happens to a deal in which nobody has the most."""

    NOBODY = "nobody", say("Counts for nobody")
    REPLAY = "replay", say("Is played again")
    LAST_TRICK = "last-trick", say("The last trick decides")


class BriscolaCappotto(Choice):
    """What taking all the card points is worth: one deal, the match, or two deals."""

    NONE = "none", say("Counts as any deal")
    MATCH = "match", say("Wins the match")
    TWO = "two", say("Counts as two deals")


class TurnedUpHonour(Choice):
    """What happens to an ace or a three that is turned up after the deal."""

    KEPT = "kept", say("Stays turned up")
    RETURNED = "returned", say("Goes back into the pack")


@dataclass(frozen=True, slots=True)
class BriscolaRules(NamedRules):
    """The length of a match, and how drawn deals and cappotti count."""

    match: Annotated[Match, Ask(say("How long a match is"))] = Match.BEST_OF
    deals: Annotated[int, Ask(say("How many deals"), low=1, high=99)] = 3
    target: Annotated[int, Ask(say("Points to reach"), low=1, high=100_000)] = PACK
    drawn: Annotated[DrawRule, Ask(say("A drawn deal"))] = DrawRule.NOBODY
    cappotto: Annotated[BriscolaCappotto, Ask(say("Cappotto"))] = BriscolaCappotto.NONE
    turned_up_honour: Annotated[
        TurnedUpHonour, Ask(say("An ace or a three turned up"), unsaid=True)
    ] = TurnedUpHonour.KEPT
    last_trick_points: Annotated[
        int, Ask(say("Points of the last trick"), low=0, high=PACK, unsaid=True)
    ] = 0
    declared: Annotated[
        bool,
        Ask(
            say("Declarations"),
            unsaid=True,
            hint=say("King and knight of a suit: 20, 40, 60 or 80, beside the card points."),
        ),
    ] = False
    fewest: Annotated[bool, Ask(say("The fewest card points win"), unsaid=True)] = False
    four: Annotated[bool, Ask(say("Only for four, in pairs"), unsaid=True)] = False

    @property
    def pack(self) -> int:
        """The card points of a deal, with those of the last trick."""
        return PACK + self.last_trick_points

    @property
    def impossible(self) -> frozenset[int]:
        """What no cards add up to, with or without the last trick."""
        cards = set(range(PACK + 1)) - IMPOSSIBLE
        last = {points + self.last_trick_points for points in cards}
        return frozenset(range(self.pack + 1)) - cards - last

    @property
    def plain(self) -> bool:
        """Whether a deal is the usual one, which can be written down card by card."""
        return not (self.last_trick_points or self.declared or self.fewest)

    @property
    def adds_up(self) -> bool:
        return self.match is Match.POINTS

    @property
    def winner_is_enough(self) -> bool:
        """Whether the card points change nothing but who won."""
        return not self.adds_up and self.cappotto is BriscolaCappotto.NONE

    @property
    def replays(self) -> bool:
        return self.drawn is DrawRule.REPLAY and not self.adds_up

    @property
    def last_trick_decides(self) -> bool:
        return self.drawn is DrawRule.LAST_TRICK and not self.adds_up


@dataclass(frozen=True, slots=True)
class BriscolaSheet:
    """What the scorekeeper writes down for one deal: the card points, or only who won it."""

    card_points: Annotated[
        PerSide[int] | None, Ask(say("Card points"), low=0, high=2 * PACK, total=PACK)
    ] = None
    last_trick: Annotated[Side | None, Ask(say("Last trick"))] = None
    winner: Annotated[
        Side | Unanswered | None, Ask(say("Who won"), none=say("Nobody: drawn"), unsaid=True)
    ] = Unanswered.UNANSWERED
    declared: Annotated[
        PerSide[int],
        Ask(say("Declared"), low=0, high=MOST_DECLARED, counted=True, unsaid=True),
    ] = PerSide()


def best(card_points: Sequence[int], rules: BriscolaRules) -> int | None:
    """Return which side is ahead by its card points alone."""
    return strictly_most([-points for points in card_points] if rules.fewest else card_points)


def winner(sheet: BriscolaSheet, rules: BriscolaRules) -> int | None:
    """Return which side won; the last trick may decide a draw."""
    if sheet.card_points is None:
        return None if isinstance(sheet.winner, Unanswered) else sheet.winner
    ahead = best(sheet.card_points, rules)
    if ahead is not None or rules.drawn is not DrawRule.LAST_TRICK or sheet.last_trick is None:
        return ahead
    level = sheet.card_points[sheet.last_trick] == (min if rules.fewest else max)(sheet.card_points)
    return sheet.last_trick if level else None


class Briscola(PlainGame[BriscolaSheet, BriscolaRules]):
    """Tricks with a trump suit, won by card points."""

    slug = "briscola"
    name = say("Briscola")
    blurb = say("Three cards in hand, one trump suit: more than half of the 120 points wins.")
    about = (
        say(
            "Everybody holds three cards. One card is turned up: its suit is the briscola of the "
            "deal. What is left lies over it and is drawn from."
        ),
        say(
            "Whoever comes after the dealer leads, and any card may be played to any lead. The "
            "strongest briscola takes the trick, or without one the strongest card of the suit "
            "that was led; who takes it draws first and leads to the next."
        ),
        say(
            "Ace, three, king, knight and jack are worth %(points)s card points, the others "
            "nothing: %(pack)s in all. More than half of them wins the deal; each side counts its "
            "own pile after the last trick.",
            points=", ".join(map(str, CARD_POINTS)),
            pack=PACK,
        ),
        say(
            "Four play in two pairs and six in two threes, partners never side by side. Three play "
            "each for themselves, and whoever has the most wins. Three leave a two out of the "
            "pack and six leave out all four, so that the cards come out even."
        ),
    )
    sheet_type = BriscolaSheet
    start_type = NothingSaid
    rules_type = BriscolaRules
    seats = (2, 3, 4, 6)
    described = (
        Preset("best-of-3", say("Best of three"), say("The usual match: two deals win it."), {}),
        Preset(
            "best-of-5",
            say("Best of five"),
            say("A longer match: three deals win it."),
            {"deals": 5},
        ),
        Preset(
            "first-to-4",
            say("First to four"),
            say("Deals are won one by one until a side has four."),
            {"match": Match.FIRST_TO, "deals": 4},
        ),
        Preset(
            "points-120",
            say("Card points to 120"),
            say("The card points of the deals are added up, so that a narrow loss counts too."),
            {"match": Match.POINTS},
        ),
        Preset(
            "deal-by-deal",
            say("Deal by deal"),
            say("No match: everybody keeps the deals that they won, and goes home when they like."),
            {"match": Match.OPEN},
        ),
        Preset(
            "madrasso",
            say("Madrasso to 777"),
            say("Four in pairs add up their card points; the last trick counts 10 more."),
            {"match": Match.POINTS, "target": 777, "last_trick_points": 10, "four": True},
        ),
        Preset(
            "marianna",
            say("Marianna to 500"),
            say("King and knight of a suit make it the briscola, for 20 points or more."),
            {"match": Match.POINTS, "target": 500, "declared": True},
        ),
        Preset(
            "fewest",
            say("Fewest points"),
            say("Who takes fewer card points wins the deal; best of three."),
            {"fewest": True},
        ),
    )
    sources = (
        Source("github.com/timendum/carte, Briscola", "https://github.com/timendum/carte"),
        Source("briscola.it", "https://www.briscola.it/giocatori-briscola.cfm"),
        Source("paginainizio.com", "https://www.paginainizio.com/giochi/tavolo/briscola_italiana/"),
        Source("intelligiochi.it, Madrasso", "http://intelligiochi.it/carte/madrasso.htm"),
        Source("github.com/timendum/carte, Marianna", "https://github.com/timendum/carte"),
    )

    def seating(self, rules: BriscolaRules) -> Seating:
        return Seating((4,) if rules.four else self.seats)

    def check_rules(self, rules: BriscolaRules, reading: Reading, path: str) -> None:
        if rules.fewest and (rules.adds_up or rules.cappotto is not BriscolaCappotto.NONE):
            message = say("Where the fewest win, deals are won one by one, and all of them count.")
            reading.fault("fewest-points", f"{path}.fewest", message)
        if rules.declared and not rules.adds_up:
            message = say("Declarations count only where the card points are added up.")
            reading.fault("declared-match", f"{path}.declared", message)

    def worded(self, question: Question, table: Table[BriscolaRules]) -> Question:
        """Return a question for this table; with the last trick the card points add up to more."""
        worded = super().worded(question, table)
        if question.ask.total is None:
            return worded
        pack = table.rules.pack
        return worded._replace(ask=replace(worded.ask, high=pack, total=pack))

    def fine(self, rules: BriscolaRules) -> int:
        """Return all the points of a deal where the last trick has some (a revoke at Madrasso)."""
        return rules.pack if rules.last_trick_points else 1

    def irrelevant_questions(self, table: Table[BriscolaRules]) -> Mapping[str, bool]:
        rules = table.rules
        return {
            "last_trick": not rules.last_trick_decides,
            "winner": not rules.winner_is_enough,
            "declared": not rules.declared,
        }

    def read_sheet(
        self, data: object, table: Table[BriscolaRules], path: str = "sheet"
    ) -> tuple[BriscolaSheet | None, list[Problem]]:
        """Read one deal's answers; how many card points there are depends on the rules."""
        given = data.get("card_points") if isinstance(data, dict) else None
        most = say("At most %(high)s.", high=table.rules.pack)
        over = [
            Problem("out-of-range", f"{path}.card_points[{side}]", most)
            for side, points in enumerate(given if isinstance(given, list) else ())
            if type(points) is int and table.rules.pack < points <= 2 * PACK
        ]
        if not over:
            return super().read_sheet(data, table, path)
        reading = Reading(table.seats)
        read(self.sheet_type, data, reading, path)
        return None, reading.problems + over

    def problems(self, sheet: BriscolaSheet, table: Table[BriscolaRules]) -> list[Problem]:
        points, named = sheet.card_points, not isinstance(sheet.winner, Unanswered)
        enough = table.rules.winner_is_enough
        if named and not enough:
            message = say("By these rules the card points are needed, not only who won.")
            return [Problem("winner-off", "winner", message)]
        if points is None:
            message = say("Who won the deal, or how many card points did each take?")
            message = message if enough else missing(say("Card points"))
            return [] if named else [Problem("missing-key", "card_points", message)]
        pack = table.rules.pack
        problems = [
            Problem("points-impossible", f"card_points[{side}]", impossible_points(amount))
            for side, amount in enumerate(points)
            if amount in table.rules.impossible
        ]
        if sum(points) != pack:
            message = say(
                "The card points add up to %(sum)s, not to %(pack)s.", sum=sum(points), pack=pack
            )
            problems.append(Problem(f"sum-{pack}", "card_points", message))
        problems += declared_problems(sheet.declared, table.rules)
        drawn = best(points, table.rules) is None
        if drawn and table.rules.last_trick_decides and sheet.last_trick is None:
            message = say("The deal is drawn: who took the last trick?")
            problems.append(Problem("missing-key", "last_trick", message))
        if named and not problems and sheet.winner != winner(sheet, table.rules):
            message = say("The card points say otherwise.")
            problems.append(Problem("winner-differs", "winner", message))
        return problems

    def steps(self, sheet: BriscolaSheet, table: Table[BriscolaRules], sides: Sides) -> list[Step]:
        if sheet.card_points is None:
            won = winner(sheet, table.rules)
            if won is None:
                return [Step("drawn", say("Nobody wins the deal."), {})]
            return [side_step("deal", table, sides[won], say("deal won"), 1)]
        if table.rules.adds_up:
            return [
                *(
                    side_step("card-points", table, side, say("card points"), points)
                    for side, points in zip(sides, sheet.card_points, strict=True)
                ),
                *(
                    side_step("declared", table, side, say("declared"), points)
                    for side, points in zip(sides, sheet.declared, strict=False)
                    if points
                ),
            ]
        steps = _deal_steps(sheet.card_points, winner(sheet, table.rules), table, sides)
        if PACK not in sheet.card_points or table.rules.cappotto is BriscolaCappotto.NONE:
            return steps
        side = sides[sheet.card_points.index(PACK)]
        if table.rules.cappotto is BriscolaCappotto.TWO:
            what = say("cappotto counts as two deals, one more")
            return [*steps, side_step("cappotto", table, side, what, 1)]
        text = say("%(side)s: cappotto wins the match.", side=table.names(side))
        return [*steps, Step("cappotto", text, {})]

    def side_figures(self, sheet: BriscolaSheet, table: Table[BriscolaRules]) -> Sequence[int]:
        points = sheet.card_points or ()
        return [amount + sheet.declared.of(side, 0) for side, amount in enumerate(points)]

    def summary(self, sheet: BriscolaSheet, table: Table[BriscolaRules]) -> Text:
        if sheet.card_points is not None:
            return super().summary(sheet, table)
        won = winner(sheet, table.rules)
        if won is None:
            return say("The deal is drawn")
        return say("Won by %(side)s", side=table.names(self.sides(table.active, table.rules)[won]))

    def headline(self, sheet: BriscolaSheet, table: Table[BriscolaRules]) -> Text:
        counted = sheet.card_points is not None and not table.rules.fewest
        return super().headline(sheet, table) if counted else self.summary(sheet, table)

    def turn_after(
        self,
        turn: Turn,
        outcome: Outcome,
        order: tuple[Seat, ...],
        rules: BriscolaRules,
        sheet: BriscolaSheet | None = None,
    ) -> Turn:
        """Return the next turn: the same dealer if a drawn deal is played again."""
        if sheet is not None and rules.replays and winner(sheet, rules) is None:
            return turn
        return super().turn_after(turn, outcome, order, rules, sheet)

    def ends(self, rules: BriscolaRules) -> Ends:
        return Ends({Match.FIRST_TO: rules.deals, Match.POINTS: rules.target}.get(rules.match))

    def can_end(self, rules: BriscolaRules) -> bool:
        return rules.match is not Match.OPEN

    def progress(self, tally: Tally, rules: BriscolaRules) -> Progress:
        sides = self.sides_at(tally, rules)
        if rules.match is Match.OPEN:
            return UNDECIDED
        if rules.cappotto is BriscolaCappotto.MATCH and isinstance(tally.last, BriscolaSheet):
            everything = strictly_most([points // PACK for points in tally.last.card_points or ()])
            if everything is not None:
                return Progress(
                    finished=True, winners=sides[everything], why=say("Cappotto wins the match.")
                )
        if rules.match is Match.BEST_OF:
            return _best_of(side_totals(tally.balances, sides), sides, rules.deals)
        progress = super().progress(tally, rules)
        if rules.adds_up or not progress.finished:
            return progress
        why = say("The winner has won %(deals)s, as many as needed.", deals=deal_count(rules.deals))
        return replace(progress, why=why)

    def end_text(self, rules: BriscolaRules) -> Text:
        if rules.match is Match.BEST_OF:
            return say("Best of %(deals)s", deals=rules.deals)
        if rules.match is Match.FIRST_TO:
            return say("First to win %(deals)s", deals=deal_count(rules.deals))
        return super().end_text(rules)

    def words(self, rules: BriscolaRules) -> Iterator[Text]:
        if rules.turned_up_honour is TurnedUpHonour.RETURNED:
            yield say(
                "An ace or a three that is turned up goes back into the pack, and another card is "
                "turned up."
            )
        yield from _point_words(rules)
        yield _match_words(rules)
        if not rules.adds_up:
            yield DRAWN_WORDS[rules.drawn]
        if rules.cappotto is BriscolaCappotto.MATCH and rules.match is not Match.OPEN:
            yield say("Cappotto: taking all 120 points wins the match at once.")
        if rules.cappotto is BriscolaCappotto.TWO and not rules.adds_up:
            yield say("Cappotto: taking all 120 points counts as two deals.")


def declared_problems(declared: PerSide[int], rules: BriscolaRules) -> Iterator[Problem]:
    """Find declarations where there are none, and figures that none add up to."""
    if any(declared) and not rules.declared:
        yield Problem("declared-off", "declared", say("By these rules nothing is declared."))
    for side, value in enumerate(declared):
        if value % DECLARED:
            message = say("Declarations count 20, 40, 60 and 80, and what they add up to.")
            yield Problem("declared-value", f"declared[{side}]", message)


def _deal_steps(
    card_points: PerSide[int], won: int | None, table: Table[BriscolaRules], sides: Sides
) -> list[Step]:
    counted = figures(card_points)
    if won is None:
        return [Step("drawn", say("%(counted)s: nobody wins the deal.", counted=counted), {})]
    if best(card_points, table.rules) is None:
        what = say("%(counted)s, and the last trick wins the deal", counted=counted)
        return [side_step("last-trick", table, sides[won], what, 1)]
    others = [str(points) for side, points in enumerate(card_points) if side != won]
    values = {"points": card_points[won], "others": joined(others)}
    what = say("deal won with %(points)s card points against %(others)s", **values)
    return [side_step("deal", table, sides[won], what, 1)]


def _best_of(totals: Sequence[int], sides: Sides, deals: int) -> Progress:
    """End the match once nobody can draw level in the remaining deals."""
    *_, second, best = sorted(totals)
    left = max(0, deals - sum(totals))
    if best <= second + left:
        return UNDECIDED if left else play_on(best)
    why = say("Best of %(deals)s: nobody else can catch up any more.", deals=deals)
    return Progress(finished=True, winners=sides[totals.index(best)], why=why)


def _point_words(rules: BriscolaRules) -> Iterator[Text]:
    if rules.fewest:
        yield say("Whoever has taken the fewest card points wins the deal.")
    elif not rules.adds_up:
        yield say("61 card points win a deal; among three players, more than anybody else has.")
    if rules.last_trick_points:
        yield say(
            "Card points of the last trick: %(points)s, so that a deal comes to %(pack)s; "
            "a revoke costs all of them. How many deals are played at least, you count.",
            points=rules.last_trick_points,
            pack=rules.pack,
        )
    if rules.declared:
        yield say(
            "Declarations of 20, 40, 60 and 80 are added to the card points of whoever makes them."
        )


def _match_words(rules: BriscolaRules) -> Text:
    match rules.match:
        case Match.BEST_OF:
            return say(
                "The match is the best of %(deals)s, and stops when it is decided. A drawn deal "
                "uses up none of them.",
                deals=deal_count(rules.deals),
            )
        case Match.FIRST_TO:
            deals = deal_count(rules.deals)
            return say("The first side to win %(deals)s wins the match.", deals=deals)
        case Match.POINTS:
            return say(
                "Every deal counts its card points. The match is to %(target)s; if several "
                "get there the highest wins, and level they play on.",
                target=rules.target,
            )
        case _:
            return say("Every deal is won for itself; there is no match.")


DRAWN_WORDS = {
    DrawRule.NOBODY: say("A drawn deal counts for nothing."),
    DrawRule.REPLAY: say("A drawn deal counts for nothing, and the same dealer deals again."),
    DrawRule.LAST_TRICK: say(
        "A drawn deal is won by the last trick, if it went to one of those who are level."
    ),
}


GAME = Briscola()
