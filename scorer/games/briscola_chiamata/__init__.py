"""Briscola Chiamata: a caller bids for the deal and names a card; whoever holds it is the partner.

Five play, with forty cards. After the auction the highest bidder names a card: its suit is the
briscola, its holder plays with the caller, and nobody else knows. The caller's side wins when it
takes the card points that were bid, at least 61 at most tables. Whoever called a card of their own
plays alone against all. The score table says what a deal pays: a unit for the bid, a weight for
each role (rules.md A).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scorer.errors import Problem
from scorer.games.briscola_chiamata import description, payouts
from scorer.games.briscola_chiamata.bids import bid_words, levels, the_bid
from scorer.games.briscola_chiamata.presets import PRESETS, RENAMED
from scorer.games.briscola_chiamata.rules import (
    AllPass,
    AuctionStyle,
    ChiamataRules,
    SitsOut,
    check_rules,
    symmetric,
    zero_sum,
)
from scorer.games.briscola_chiamata.sheet import (
    ChiamataSheet,
    ChiamataStart,
    is_drawn,
    is_made,
    sheet_problems,
    sheet_warnings,
    start_problems,
    target,
)
from scorer.rules.cards import Deck, card_name, the_card
from scorer.rules.game import Fact, Game, Kinds, Outcome, Score, Table, Turn
from scorer.rules.match import Ends, Tally
from scorer.rules.options import Description
from scorer.rules.questions import Reading
from scorer.rules.seats import Seat, Seating, Sides, every_seat, next_seat
from scorer.texts import Text, often, say


class BriscolaChiamata(Game[ChiamataSheet, ChiamataRules]):
    """A caller with a secret partner against the rest."""

    slug = "briscola-chiamata"
    name = say("Briscola Chiamata")
    blurb = description.BLURB
    about = description.ABOUT
    sheet_type = ChiamataSheet
    rules_type = ChiamataRules
    start_type = ChiamataStart
    levels = levels()
    kinds = Kinds(
        say("Do you bid with cards or with points?"),
        {"cards": say("With cards: Ace, Three, King…"), "points": say("With points: 61, 62, 63…")},
    )
    mistakes = (say("Wrong caller"), say("Wrong partner"), say("Wrong points"))
    presets = PRESETS
    check_rules = staticmethod(check_rules)
    problems = staticmethod(sheet_problems)
    start_problems = staticmethod(start_problems)
    warnings = staticmethod(sheet_warnings)
    score = staticmethod(payouts.score)
    describe = staticmethod(description.describe)

    def former_score(self, sheet: ChiamataSheet, table: Table[ChiamataRules]) -> Score | None:
        """Pay a rank that needs nothing; 0.3 took it where no auction is written down."""
        if table.rules.auction.style is not AuctionStyle.NONE:
            return None
        wrong = [problem.code for problem in sheet_problems(sheet, table)]
        return payouts.score(sheet, table) if wrong == ["bid-style"] else None

    def seating(self, rules: ChiamataRules) -> Seating:
        return Seating((rules.players,), spare=2, rota=rules.sits_out is not None)

    def kind(self, rules: ChiamataRules) -> str:
        """Return whether one bids with cards or with points; "" where nobody bids."""
        kinds = {AuctionStyle.POINTS: "points", AuctionStyle.NONE: ""}
        return kinds.get(rules.auction.style, "cards")

    def rules_from(self, data: object, path: str = "rules") -> tuple[ChiamataRules, list[Problem]]:
        """Return the rules and problems; a preset under a former name gets its present one."""
        rules, problems = super().rules_from(data, path)
        if rules.name in RENAMED:
            rules = replace(rules, name=RENAMED[rules.name])
        return rules, problems

    def summary(self, sheet: ChiamataSheet, table: Table[ChiamataRules]) -> Text:
        values = {"name": table.name(sheet.caller), "result": result(sheet, table.rules)}
        if table.rules.auction.style is AuctionStyle.NONE:
            return say("%(name)s: %(result)s", **values)
        bid = bid_words(sheet.bid, table.rules.cards)
        return say("%(name)s: %(bid)s, %(result)s", **values, bid=bid)

    def headline(self, sheet: ChiamataSheet, table: Table[ChiamataRules]) -> Text:
        values = {"name": table.name(sheet.caller), "result": result(sheet, table.rules)}
        if sheet.partner is None and table.rules.dead_hand:
            return say("%(name)s without a partner: %(result)s", **values)
        if sheet.partner is None:
            return say("%(name)s played alone: %(result)s", **values)
        partner = table.name(sheet.partner)
        return say("%(name)s with %(partner)s: %(result)s", **values, partner=partner)

    def facts(self, sheet: ChiamataSheet, table: Table[ChiamataRules]) -> list[Fact]:
        rules, partner = table.rules, sheet.partner
        facts = [Fact(say("Caller"), table.name(sheet.caller))]
        if rules.auction.style is not AuctionStyle.NONE:
            facts.append(Fact(say("Bid"), bid_words(sheet.bid, rules.cards)))
        if sheet.called_card is not None:
            facts.append(Fact(say("Called card"), card_name(sheet.called_card, rules.cards)))
        nobody = say("nobody") if rules.dead_hand else say("nobody (played alone)")
        facts.append(Fact(say("Partner"), nobody if partner is None else table.name(partner)))
        facts.append(Fact(say("Result"), result(sheet, rules)))
        if sheet.tricks_won is not None:
            label = say("Tricks of the caller's side")
            if partner is None:
                label = say("Tricks taken by %(name)s", name=table.name(sheet.caller))
            facts.append(Fact(label, str(sheet.tricks_won)))
        ticks = (
            (say("Cappotto"), sheet.cappotto),
            (say("The called card was shown"), sheet.shown),
            (say("Bid blind"), sheet.blind),
        )
        facts += [Fact(label, say("yes")) for label, ticked in ticks if ticked]
        return facts + ([Fact(say("Counts"), often(sheet.times))] if sheet.times > 1 else [])

    def started(self, start: ChiamataStart, table: Table[ChiamataRules]) -> Text:
        deck = table.rules.cards
        values = {"name": table.name(start.caller), "bid": the_bid(start.bid, deck)}
        if start.called_card is None:
            return say("%(name)s bid %(bid)s", **values)
        card = the_card(start.called_card, deck)
        return say("%(name)s bid %(bid)s and called %(card)s", **values, card=card)

    def outcomes(self, rules: ChiamataRules) -> tuple[Outcome, ...]:
        thrown_in = (Outcome.THROWN_IN,) if rules.throw_in else ()
        redeal = (Outcome.REDEAL,) if rules.monte else ()
        return (Outcome.MISDEAL, Outcome.ALL_PASSED, *thrown_in, *redeal)

    def rules_for(self, count: int, data: dict[str, Any]) -> dict[str, Any]:
        """Return rules by which the dealer sits out, if more people came than play."""
        rules, problems = self.rules_from(data)
        more = not problems and rules.sits_out is None and count > rules.players
        return {**data, "sits_out": SitsOut.DEALER.value} if more else data

    def end_text(self, rules: ChiamataRules) -> Text:
        return rules.session.text

    def sides(
        self, active: Sequence[Seat], rules: ChiamataRules, sheet: ChiamataSheet | None = None
    ) -> Sides:
        """Return the caller's side and the others; without a sheet, each seat by itself."""
        if sheet is None:
            return every_seat(active)
        callers = {sheet.caller, sheet.partner}
        others = tuple(seat for seat in active if seat not in callers)
        return tuple(seat for seat in active if seat in callers), others

    def adds_up(self, rules: ChiamataRules) -> bool:
        return True

    def won(
        self, sheet: ChiamataSheet | None, table: Table[ChiamataRules], paid: Mapping[Seat, int]
    ) -> tuple[Seat, ...]:
        """Return the caller's side if it made the bid, or else the others; of a draw nobody."""
        if sheet is None or is_drawn(sheet, table.rules):
            return super().won(sheet, table, paid)
        callers, others = self.sides(table.active, table.rules, sheet)
        return callers if is_made(sheet, table.rules) else others

    def roles(self, sheet: ChiamataSheet) -> dict[Seat, str]:
        if sheet.partner is None:
            return {sheet.caller: "alone"}
        return {sheet.caller: "caller", sheet.partner: "partner"}

    def role_names(self, rules: ChiamataRules) -> dict[str, Text]:
        return {"caller": say("caller"), "partner": say("partner"), "alone": rules.without_partner}

    def bid(self, sheet: ChiamataSheet) -> str:
        return str(sheet.bid)

    def ends(self, rules: ChiamataRules) -> Ends:
        return rules.session.ends

    def sides_at(self, tally: Tally, rules: ChiamataRules) -> Sides:
        """Return everybody who has a balance, also who has left."""
        return every_seat(tuple(tally.balances))

    def turn_minutes(self, rules: ChiamataRules) -> int | None:
        return rules.session.minutes

    def deck(self, rules: ChiamataRules) -> Deck:
        return rules.cards

    def balance_checks(self, rules: ChiamataRules) -> dict[str, Any]:
        return {"zero_sum": zero_sum(rules), "symmetric": symmetric(rules)}

    def active(
        self, dealer: Seat, order: tuple[Seat, ...], rules: ChiamataRules
    ) -> tuple[Seat, ...]:
        """Return who plays; if too many came, the dealer and then whoever dealt last sit out."""
        if len(order) == rules.players:
            return order
        place = order.index(dealer) + 1
        longest_since_dealing = order[place:] + order[:place]
        playing = longest_since_dealing[: rules.players]
        return tuple(seat for seat in order if seat in playing)

    def who_sits_out(self, count: int, rules: ChiamataRules) -> Text | None:
        if count <= rules.players:
            return None
        dealers = {
            1: say("%(count)s at the table: the dealer sits out.", count=count),
            2: say(
                "%(count)s at the table: the dealer sits out, and whoever dealt last.", count=count
            ),
        }
        more = say("%(count)s at the table: those who dealt last sit out.", count=count)
        return dealers.get(count - rules.players, more)

    def turn_after(
        self,
        turn: Turn,
        outcome: Outcome,
        order: tuple[Seat, ...],
        rules: ChiamataRules,
        sheet: ChiamataSheet | None = None,
    ) -> Turn:
        """Return who deals next; after a draw or a deal without play it may count more (A11)."""
        following = next_seat(turn.dealer, order)
        match outcome:
            case Outcome.PLAYED if sheet and rules.draw and is_drawn(sheet, rules):
                return Turn(following, rules.carried(sheet.times, rules.draw.times))
            case Outcome.PLAYED | Outcome.AGREED:
                return Turn(following)
            case Outcome.ALL_PASSED:
                again = rules.auction.all_pass is AllPass.SAME_DEALER
                times = rules.carried(turn.times, rules.auction.all_pass_times)
                return Turn(turn.dealer if again else following, times)
            case Outcome.THROWN_IN if rules.throw_in:
                again = rules.throw_in.same_dealer
                times = rules.carried(turn.times, rules.throw_in.times)
                return Turn(turn.dealer if again else following, times)
        return turn

    def fine(self, rules: ChiamataRules) -> int:
        return rules.penalty


def result(sheet: ChiamataSheet, rules: ChiamataRules) -> Text:
    """Return how a deal ended: ``made, 72 (61 needed)``."""
    made = is_made(sheet, rules)
    if sheet.card_points is None:
        return say("made") if made else say("missed")
    values = {"points": sheet.card_points, "target": target(sheet, rules)}
    if is_drawn(sheet, rules):
        return say("a draw, %(points)s (%(target)s needed)", **values)
    if made:
        return say("made, %(points)s (%(target)s needed)", **values)
    return say("missed, %(points)s (%(target)s needed)", **values)


GAME = BriscolaChiamata()
