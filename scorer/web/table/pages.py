"""What the pages that begin or change a session share: the chosen rules, and a warning."""

from collections.abc import Iterable

from flask import flash
from flask_babel import gettext

from scorer.rules.options import merged
from scorer.rules.sheet import write
from scorer.services.book.state import SessionState
from scorer.texts import signed
from scorer.web.table.choosing import ChosenRules, read_choice

#: The options of a rule set that say when the session ends.
END = "session"


def chosen_rules(
    state: SessionState, value: str, count: int, *, keep_end: bool = True
) -> ChosenRules | None:
    """Look up rules to go on by for a number of people, with the end agreed on if that is kept.

    None if there are no such rules.
    """
    chosen = read_choice(state.circle_id, state.game, value)
    if chosen is None:
        return None
    document, agreed = chosen.document, write(state.rules)
    if keep_end and END in agreed:
        document = merged(document, {END: agreed[END]})
    document = state.game.rules_for(count, document)
    rules, _ = state.game.rules_from(document)
    return ChosenRules(rules, document, chosen.rule_set)


def warn_of_openings(opening: Iterable[int], stake: int | None, *, lowest_leads: bool) -> None:
    """Flash a warning where balances brought in don't cancel out and are paid in money."""
    total = sum(opening)
    if total and stake and not lowest_leads:
        flash(
            gettext(
                "The balances brought in make %(sum)s together, not 0: when you settle up, "
                "that much is owed by nobody or goes to nobody.",
                sum=signed(total),
            ),
            "problem",
        )
