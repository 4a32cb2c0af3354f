"""What other rules would make of an evening, side by side with what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import render_template, request

from scorer.errors import Problem
from scorer.services.state import load_state
from scorer.services.what_if import rules_what_if
from scorer.texts import say
from scorer.web.deals.pages import place
from scorer.web.forms.sessions import WhatIfForm
from scorer.web.rule_sets.choosing import meant, offers
from scorer.web.sessions.pages import SESSION, pages
from scorer.web.views import side_views

if TYPE_CHECKING:
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.services.state import SessionState
    from scorer.services.what_if import RulesWhatIf
    from scorer.texts import Text

PAGE = 40


def beside(state: SessionState, found: RulesWhatIf | None) -> dict[str, Any]:
    """Give what a template shows of a what-if: balances and deals side by side, and the end.

    Where nothing that was paid is ``playable``, no balance means much.
    """
    columns = side_views(state.names, state.sides)
    if found is None:
        return {"what_if": None, "columns": columns}
    stand = [one for one in found.deals if not one.deal.voided]
    return {
        "what_if": found,
        "columns": columns,
        "moved": {seat: found.then[seat] - found.now[seat] for seat in found.now},
        "same": sum(one.refusal is None for one in stand) - len(found.differing),
        "playable": not found.refused
        or any(not one.refusal and any(one.now.values()) for one in stand),
        "end": _end(state, found),
    }


def _end(state: SessionState, found: RulesWhatIf) -> Text | None:
    if found.finished_number == state.row.finished_number:
        return None
    if found.finished_number is None:
        return say("By this table the session would not be over.")
    return say(
        "By this table the session would have been over with deal %(number)s.",
        number=found.finished_number,
    )


@pages.get(f"{SESSION}/what-if")
def what_if(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show the whole evening by other rules, beside what it is; nothing is changed."""
    state = load_state(circle_id, session_id)
    form = WhatIfForm(request.args)
    found = meant(circle_id, state.game, form.rules.data)
    if form.rules.raw_data and found is None:
        form.refuse([Problem("unknown-rules", "rules", say("Choose a table."))])
    form.rules.choices += [
        (offer.value, offer.name) for offer in offers(circle_id, state.game, form.rules.data)
    ]
    shown = None if found is None else rules_what_if(state, found.rules)
    deals = shown.differing[::-1] if shown else []
    page = max(1, min(form.page.data or 1, -(-len(deals) // PAGE)))
    return render_template(
        "sessions/what_if.html",
        **place(state),
        form=form,
        **beside(state, shown),
        table=None if found is None else state.game.describe(found.rules),
        deals=deals[(page - 1) * PAGE : page * PAGE],
        page=page,
        more=len(deals) > page * PAGE,
    )
