"""What is computed about a score table, one by one: its sums, its symmetry, its order."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from scorer.games.briscola_chiamata.rules import Kind, symmetric
from scorer.games.briscola_chiamata.telling import alone as left_alone
from scorer.rules.description import Check
from scorer.texts import say, signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.games.briscola_chiamata.rules import ChiamataRules
    from scorer.texts import Text


def checks(rules: ChiamataRules) -> tuple[Check, ...]:
    """Say whether a table is zero-sum and symmetric, with a partner and, where that may be, alone.

    A unit that falls while the bid rises is told too: such a table rewards whoever bids less.
    """
    ways = (False, True) if rules.may_be_alone else (False,)
    return (
        *(_sum_check(rules, alone=alone) for alone in ways),
        *(_symmetry_check(rules, alone=alone) for alone in ways),
        *_order_check(rules),
    )


def _who(rules: ChiamataRules, *, alone: bool) -> Text:
    return left_alone(rules) if alone else say("with a partner")


def _sum_check(rules: ChiamataRules, *, alone: bool) -> Check:
    who = _who(rules, alone=alone)
    if rules.score.kind is Kind.DECLARED_POINTS:
        return Check(say("%(who)s: not zero-sum", who=who), holds=False)
    made, missed = (
        rules.score.weights(made=is_made).total(rules.players, alone=alone)
        for is_made in (True, False)
    )
    if made == missed == 0:
        return Check(say("%(who)s: sum 0", who=who), holds=True)
    if made == missed:
        return Check(say("%(who)s: sum %(sum)s, not 0", who=who, sum=signed(made)), holds=False)
    text = say(
        "%(who)s: sum %(made)s when made, %(missed)s when missed",
        who=who,
        made=signed(made),
        missed=signed(-missed),
    )
    return Check(text, holds=False)


def _symmetry_check(rules: ChiamataRules, *, alone: bool) -> Check:
    who, holds = _who(rules, alone=alone), symmetric(rules)["alone" if alone else "partnered"]
    text = say("%(who)s: symmetric", who=who) if holds else say("%(who)s: not symmetric", who=who)
    return Check(text, holds)


def _order_check(rules: ChiamataRules) -> Iterator[Check]:
    units = [unit for _, unit in rules.score.bands.rows]
    units_count = rules.score.kind is Kind.UNITS
    if units_count and any(higher < lower for lower, higher in pairwise(units)):
        yield Check(say("a higher bid pays less"), holds=False)
