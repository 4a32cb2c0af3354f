"""A deal of Briscola Chiamata told in a line, in a sentence, and as a list of facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.games.briscola_chiamata.bids import bid_words
from scorer.games.briscola_chiamata.rules import AuctionStyle
from scorer.games.briscola_chiamata.sheet import is_made, target
from scorer.rules.cards import card_name
from scorer.rules.game import Fact
from scorer.texts import say

if TYPE_CHECKING:
    from scorer.games.briscola_chiamata.rules import ChiamataRules
    from scorer.games.briscola_chiamata.sheet import ChiamataSheet, ChiamataStart
    from scorer.rules.game import Table
    from scorer.rules.seats import Seat
    from scorer.texts import Text


def started(start: ChiamataStart, table: Table[ChiamataRules]) -> Text:
    """Say what is being played, before anybody knows the partner."""
    name = table.name(start.caller)
    if start.called_card is None:
        return say("%(name)s called: %(bid)s", name=name, bid=bid_words(start.bid))
    card = card_name(start.called_card, table.rules.cards)
    return say(
        "%(name)s bid %(bid)s and called the %(card)s",
        name=name,
        bid=bid_words(start.bid),
        card=card,
    )


def summary(sheet: ChiamataSheet, table: Table[ChiamataRules]) -> Text:
    """Tell a deal in a line of the score sheet."""
    return say(
        "%(name)s: %(bid)s, %(result)s",
        name=table.name(sheet.caller),
        bid=bid_words(sheet.bid),
        result=result(sheet, table.rules),
    )


def result(sheet: ChiamataSheet, rules: ChiamataRules) -> Text:
    """Say how a deal ended: ``made, 72 of 61``."""
    made = is_made(sheet, rules)
    if sheet.card_points is None:
        return say("made") if made else say("missed")
    values = {"points": sheet.card_points, "target": target(sheet, rules)}
    if made:
        return say("made, %(points)s of %(target)s", **values)
    return say("missed, %(points)s of %(target)s", **values)


def headline(sheet: ChiamataSheet, table: Table[ChiamataRules]) -> Text:
    """Tell a deal in a sentence."""
    values = {"name": table.name(sheet.caller), "result": result(sheet, table.rules)}
    if sheet.partner is None and table.rules.dead_hand:
        return say("%(name)s without a partner: %(result)s", **values)
    if sheet.partner is None:
        return say("%(name)s played alone: %(result)s", **values)
    partner = table.name(sheet.partner)
    return say("%(name)s with %(partner)s: %(result)s", **values, partner=partner)


def alone(rules: ChiamataRules) -> Text:
    """Say that a caller has no partner: alone, or perhaps left so by a card of the dead hand."""
    return say("no partner") if rules.dead_hand else say("alone")


def parts(rules: ChiamataRules) -> dict[str, Text]:
    """Say what the parts of the caller's side are called."""
    return {"caller": say("caller"), "partner": say("partner"), "alone": alone(rules)}


def facts(sheet: ChiamataSheet, table: Table[ChiamataRules]) -> list[Fact]:
    """List what was written down for a deal."""
    partner = alone(table.rules) if sheet.partner is None else table.name(sheet.partner)
    return [
        Fact(say("Caller"), table.name(sheet.caller)),
        *_called(sheet, table.rules),
        Fact(say("Partner"), partner),
        *_counted(sheet, table.rules),
    ]


def _called(sheet: ChiamataSheet, rules: ChiamataRules) -> list[Fact]:
    told = []
    if rules.auction.style is not AuctionStyle.NONE:
        told.append(Fact(say("Bid"), bid_words(sheet.bid)))
    if sheet.called_card is not None:
        told.append(Fact(say("Called card"), card_name(sheet.called_card, rules.cards)))
    return told


def _counted(sheet: ChiamataSheet, rules: ChiamataRules) -> list[Fact]:
    told = [Fact(say("Result"), result(sheet, rules))]
    if sheet.tricks_won is not None:
        told.append(Fact(say("Tricks of the caller's side"), str(sheet.tricks_won)))
    if sheet.cappotto:
        told.append(Fact(say("Cappotto"), say("yes")))
    if sheet.shown:
        told.append(Fact(say("The called card was shown"), say("yes")))
    if sheet.blind:
        told.append(Fact(say("Bid blind"), say("yes")))
    if sheet.times > 1:
        told.append(Fact(say("Counts"), say("%(times)s times", times=sheet.times)))
    return told


def roles(sheet: ChiamataSheet) -> dict[Seat, str]:
    """Say who played which part."""
    if sheet.partner is None:
        return {sheet.caller: "alone"}
    return {sheet.caller: "caller", sheet.partner: "partner"}
