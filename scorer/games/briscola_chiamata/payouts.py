"""Who is paid what for a deal of Briscola Chiamata, and why (rules.md A7, A10).

The order is fixed: the band gives the unit; a cappotto replaces it, adds to it or multiplies it; a
blind bid and the multiplier of the deal multiply it; each role wins or pays it times its weight. A
draw pays nobody.
"""

from collections.abc import Sequence

from scorer.games.briscola_chiamata.bids import LOWEST_TARGET, the_bid
from scorer.games.briscola_chiamata.rules import (
    AuctionStyle,
    CappottoOp,
    CappottoRules,
    CappottoSide,
    CappottoTest,
    ChiamataRules,
    ScoreKind,
)
from scorer.games.briscola_chiamata.sheet import (
    ChiamataSheet,
    is_drawn,
    is_made,
    points_taken,
    target,
    took_everything,
)
from scorer.rules.bands import PACK
from scorer.rules.game import Score, Step, Table
from scorer.rules.seats import Seat
from scorer.texts import Text, card_point_count, listed, needed, often, say, signed


def score(sheet: ChiamataSheet, table: Table[ChiamataRules]) -> Score:
    """Return the payouts of a deal and the steps that explain them; the sheet has no problems."""
    if is_drawn(sheet, table.rules):
        steps = [_target_step(sheet, table, say("a draw")), _draw_step(sheet, table.rules)]
        return Score.of(table.active, steps)
    made = is_made(sheet, table.rules)
    first = _target_step(sheet, table, say("made") if made else say("missed"))
    declared = table.rules.score.kind is ScoreKind.DECLARED_POINTS
    steps = [first, *(_declared_steps if declared else _unit_steps)(sheet, table, made=made)]
    return Score.of(table.active, steps, made=made)


def _target_step(sheet: ChiamataSheet, table: Table[ChiamataRules], result: Text) -> Step:
    values = {"taken": sheet.card_points, "result": result}
    result_text = say("The caller's side took %(taken)s: %(result)s.", **values)
    if sheet.card_points is None:
        result_text = say("Nobody counted: the deal was written down as %(result)s.", **values)
    elif sheet.partner is None:
        result_text = say(
            "%(name)s took %(taken)s: %(result)s.", name=table.name(sheet.caller), **values
        )
    return Step("target", listed((_target_text(sheet, table), result_text), between=" "), {})


def _target_text(sheet: ChiamataSheet, table: Table[ChiamataRules]) -> Text:
    least = target(sheet, table.rules)
    values = {"caller": table.name(sheet.caller), "bid": the_bid(sheet.bid, table.rules.cards)}
    values |= {"target": card_point_count(least)}
    if table.rules.auction.style is AuctionStyle.NONE:
        return say("%(caller)s called and needed %(target)s.", **values)
    if sheet.bid.points is None and least != LOWEST_TARGET:
        return say("%(caller)s bid %(bid)s and by these rules needed %(target)s.", **values)
    if sheet.bid.value < least:
        return say(
            "%(caller)s bid %(bid)s, but by these rules needed at least %(target)s.", **values
        )
    return say("%(caller)s bid %(bid)s and needed %(target)s.", **values)


def _draw_step(sheet: ChiamataSheet, rules: ChiamataRules) -> Step:
    """Return the step of a draw: it pays nobody, and says how often the next deal counts."""
    times = rules.carried(sheet.times, rules.draw.times if rules.draw else 1)
    values = {
        "points": sheet.card_points,
        "needed": needed(target(sheet, rules)),
        "times": often(times),
    }
    text = say("Exactly %(points)s, where %(needed)s: by these rules nobody pays.", **values)
    if times > 1:
        text = say(
            "Exactly %(points)s, where %(needed)s: by these rules nobody pays, and "
            "the next deal counts %(times)s.",
            **values,
        )
    return Step("draw", text, {}, say("nobody pays"))


def _unit_steps(sheet: ChiamataSheet, table: Table[ChiamataRules], *, made: bool) -> Sequence[Step]:
    unit, steps = _unit(sheet, table, made=made)
    caller, partner = sheet.caller, sheet.partner
    own, friend, other = signed_weights(partner, table.rules, made=made)
    others = tuple(seat for seat in table.active if seat not in (caller, partner))
    roles = [("alone", (caller,), own), ("against-alone", others, other)]
    if partner is not None:
        roles = [
            ("caller", (caller,), own),
            ("partner", (partner,), friend),
            ("defender", others, other),
        ]
    for role, seats, weight in roles:
        amount = weight * unit
        values = {
            "name": table.name(seats[0]),
            "unit": unit,
            "amount": signed(amount),
            "weight": abs(weight),
        }
        no_partner = role == "alone" and table.rules.dead_hand
        sentences = PAYS if weight < 0 else WINS
        text = Text(sentences["no-partner" if no_partner else role].template, values)
        steps.append(Step(role, text, dict.fromkeys(seats, amount)))
    return steps


def _unit(
    sheet: ChiamataSheet, table: Table[ChiamataRules], *, made: bool
) -> tuple[int, list[Step]]:
    """Return the unit, the payout for a weight of 1, and the steps that explain it."""
    rules, cappotto = table.rules, table.rules.score.cappotto
    unit = rules.score.bands[sheet.bid.value]
    steps, everything = [_band_step(sheet, rules, unit)], took_everything(sheet, rules)
    if everything is None:
        everything = bool(sheet.cappotto)
    theirs = cappotto is not None and cappotto.side is CappottoSide.BOTH
    if cappotto and everything and (theirs or _caller_side_took(sheet, rules, made=made)):
        whose = _whose_cappotto(cappotto, sheet, table, made=made)
        values = {"what": whose, "unit": unit, "value": cappotto.value}
        unit = cappotto.worth(unit)
        text = Text(CAPPOTTO_WORDS[cappotto.op].template, {**values, "after": unit})
        steps.append(Step("cappotto", text, {}, say("cappotto: worth %(unit)s", unit=unit)))
    for rule, times in _multipliers(sheet, rules):
        values = {"often": often(times), "unit": unit, "times": times, "product": unit * times}
        worth, counts, _ = MULTIPLIED[rule]
        brief = Text(counts.template, {"times": often(times)})
        steps.append(Step(rule, Text(worth.template, values), {}, brief))
        unit *= times
    return unit, steps


def _multipliers(sheet: ChiamataSheet, rules: ChiamataRules) -> list[tuple[str, int]]:
    """List how often a blind bid, and then the deal itself, count more than once."""
    both = [("blind", rules.score.blind if sheet.blind else 1), ("times", sheet.times)]
    return [(rule, times) for rule, times in both if times > 1]


#: What multiplies a unit, in a sentence and in brief, and what multiplies declared points.
MULTIPLIED = {
    "blind": (
        say("The bid was blind: now the deal is worth %(unit)s × %(times)s = %(product)s."),
        say("blind: counts %(times)s"),
        say("The bid was blind and counts %(often)s: all of this × %(times)s."),
    ),
    "times": (
        say("This deal counts %(often)s: it is worth %(unit)s × %(times)s = %(product)s."),
        say("counts %(times)s"),
        say("This deal counts %(often)s: all of this × %(times)s."),
    ),
}


def _band_step(sheet: ChiamataSheet, rules: ChiamataRules, unit: int) -> Step:
    values = {"bid": the_bid(sheet.bid, rules.cards), "unit": unit}
    text = say("The bid of %(bid)s makes the deal worth %(unit)s.", **values)
    if len(rules.score.bands.rows) == 1 or rules.auction.style is AuctionStyle.NONE:
        text = say("By these rules the deal is worth %(unit)s.", **values)
    elif sheet.bid.points is None:
        text = say(
            "The bid of %(bid)s, with no number added, makes the deal worth %(unit)s.", **values
        )
    return Step("band", text, {}, say("worth %(unit)s", unit=unit))


def _caller_side_took(sheet: ChiamataSheet, rules: ChiamataRules, *, made: bool) -> bool:
    """Whether the caller's side took everything: then it made its bid."""
    return made and PACK in points_taken(sheet, rules)


def _whose_cappotto(
    cappotto: CappottoRules, sheet: ChiamataSheet, table: Table[ChiamataRules], *, made: bool
) -> Text:
    by_tricks = cappotto.test is CappottoTest.ALL_TRICKS
    if not _caller_side_took(sheet, table.rules, made=made):
        if table.rules.dead_hand:
            if by_tricks:
                return say("The caller's side took no trick")
            return say("The caller's side took no card points")
        if by_tricks:
            return say("The defenders took all the tricks")
        return say("The defenders took all the card points")
    names = {"caller": table.name(sheet.caller)}
    if sheet.partner is None:
        if by_tricks:
            return say("%(caller)s took all the tricks", **names)
        return say("%(caller)s took all the card points", **names)
    names["partner"] = table.name(sheet.partner)
    if by_tricks:
        return say("%(caller)s and %(partner)s took all the tricks", **names)
    return say("%(caller)s and %(partner)s took all the card points", **names)


CAPPOTTO_WORDS = {
    CappottoOp.SET: say(
        "Cappotto! %(what)s, so now the deal is worth %(value)s, whatever was bid."
    ),
    CappottoOp.ADD: say(
        "Cappotto! %(what)s, so now the deal is worth %(unit)s + %(value)s = %(after)s."
    ),
    CappottoOp.TIMES: say(
        "Cappotto! %(what)s, so now the deal is worth %(unit)s × %(value)s = %(after)s."
    ),
}


def signed_weights(
    partner: Seat | None, rules: ChiamataRules, *, made: bool
) -> tuple[int, int, int]:
    """Return the weights of the caller, the partner and each other seat; negative ones pay."""
    weights, sign = (rules.score, 1) if made else (rules.score.missed, -1)
    if partner is None:
        return sign * weights.alone, 0, -sign * weights.against_alone
    return sign * weights.caller, sign * weights.partner, -sign * weights.defender


WINS = {
    "caller": say("%(name)s wins the caller's share: %(weight)s × %(unit)s → %(amount)s."),
    "partner": say("%(name)s wins the partner's share: %(weight)s × %(unit)s → %(amount)s."),
    "alone": say("%(name)s, alone, wins the caller's share: %(weight)s × %(unit)s → %(amount)s."),
    "no-partner": say(
        "%(name)s, without a partner, wins the caller's share: %(weight)s × %(unit)s → %(amount)s."
    ),
    "defender": say("Each defender wins their share: %(weight)s × %(unit)s → %(amount)s."),
    "against-alone": say(
        "Each of the others wins their share: %(weight)s × %(unit)s → %(amount)s."
    ),
}
PAYS = {
    "caller": say("%(name)s pays the caller's share: %(weight)s × %(unit)s → %(amount)s."),
    "partner": say("%(name)s pays the partner's share: %(weight)s × %(unit)s → %(amount)s."),
    "alone": say("%(name)s, alone, pays the caller's share: %(weight)s × %(unit)s → %(amount)s."),
    "no-partner": say(
        "%(name)s, without a partner, pays the caller's share: %(weight)s × %(unit)s → %(amount)s."
    ),
    "defender": say("Each defender pays their share: %(weight)s × %(unit)s → %(amount)s."),
    "against-alone": say(
        "Each of the others pays their share: %(weight)s × %(unit)s → %(amount)s."
    ),
}


def _declared_steps(
    sheet: ChiamataSheet, table: Table[ChiamataRules], *, made: bool
) -> Sequence[Step]:
    """Return the steps that pay declared points (rules.md T8).

    If the bid is made, each of the caller's side wins it. If it is missed, each of them pays what
    the side fell short by, and each of the others wins the card points that they took together.
    """
    steps = _declared_made(sheet, table) if made else _declared_missed(sheet, table)
    for rule, times in _multipliers(sheet, table.rules):
        text = Text(MULTIPLIED[rule][2].template, {"often": often(times), "times": times})
        paid = Score.of(table.active, steps).payouts
        more = {seat: amount * (times - 1) for seat, amount in paid.items() if amount}
        steps.append(Step(rule, text, more))
    return steps


def _declared_made(sheet: ChiamataSheet, table: Table[ChiamataRules]) -> list[Step]:
    declared, name = sheet.bid.value, table.name(sheet.caller)
    if sheet.partner is None:
        values = {"name": name, "points": declared, "amount": signed(2 * declared)}
        text = say(
            "%(name)s played alone and made it: twice the points that were bid, 2 × %(points)s → "
            "%(amount)s. The others win nothing.",
            **values,
        )
        if table.rules.dead_hand:
            text = say(
                "%(name)s had no partner and made it: twice the points that were bid, 2 × "
                "%(points)s → %(amount)s. The others win nothing.",
                **values,
            )
        return [Step("alone", text, {sheet.caller: 2 * declared})]
    text = say(
        "%(name)s and %(partner)s made it: each wins the points that were bid → %(amount)s. The "
        "others win nothing.",
        name=name,
        partner=table.name(sheet.partner),
        amount=signed(declared),
    )
    return [Step("declared", text, {sheet.caller: declared, sheet.partner: declared})]


def _declared_missed(sheet: ChiamataSheet, table: Table[ChiamataRules]) -> list[Step]:
    card_points = sheet.card_points or 0
    least = target(sheet, table.rules)
    short = least - card_points
    side = [seat for seat in (sheet.caller, sheet.partner) if seat is not None]
    others = [seat for seat in table.active if seat not in side]
    values = {
        "name": table.name(sheet.caller),
        "needed": least,
        "taken": card_points,
        "short": short,
    }
    values |= {"amount": signed(-short)}
    lost = say("%(name)s fell short by %(needed)s − %(taken)s = %(short)s → %(amount)s.", **values)
    if sheet.partner is not None:
        lost = say(
            "The caller's side fell short by %(needed)s − %(taken)s = %(short)s → %(amount)s each.",
            **values,
        )
    won = say(
        "Between them the others took %(points)s, and each of them wins that many → %(amount)s.",
        points=card_point_count(PACK - card_points),
        amount=signed(PACK - card_points),
    )
    return [
        Step("short", lost, dict.fromkeys(side, -short)),
        Step("conquered", won, dict.fromkeys(others, PACK - card_points)),
    ]
