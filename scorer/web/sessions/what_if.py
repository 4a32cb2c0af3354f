"""What other rules would make of an evening, side by side with what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from flask import render_template, request

from scorer.errors import Problem
from scorer.services.state import load_state
from scorer.services.what_if import rules_what_if
from scorer.texts import Text, say
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
    from scorer.web.views import SeatView

PAGE = 40


class BalanceBeside(NamedTuple):
    """A balance as it is and as it would be, of somebody or of a side."""

    seat: SeatView
    now: int
    then: int

    @property
    def moved(self) -> int:
        """By how much it would move."""
        return self.then - self.now


class Cell(NamedTuple):
    """What a deal pays somebody or a side, and what it would pay; None for who sat out."""

    now: int | None
    then: int | None


class DealBeside(NamedTuple):
    """A deal as it is paid, and as it would be."""

    number: int
    cells: list[Cell]


class Refusal(NamedTuple):
    """A deal that could not be played by the other rules, and why."""

    number: int
    why: Text


@dataclass(frozen=True, slots=True)
class RulesWhatIfView:
    """Balances and deals side by side.

    ``refusal`` says why the next deal couldn't be played, ``end`` where the evening would have come
    to its end, if that differs. Where nothing that was paid is ``playable``, no balance means much.
    """

    balances: list[BalanceBeside]
    deals: list[DealBeside]
    same: int
    refused: list[Refusal]
    refusal: Text | None
    moved: bool
    playable: bool
    end: Text | None


def what_if_view(state: SessionState, found: RulesWhatIf) -> RulesWhatIfView:
    """Show what other rules would make of the deals that they hold for."""
    balances = [
        BalanceBeside(view, found.now[side[0]], found.then[side[0]])
        for side, view in zip(state.sides, _columns(state), strict=True)
    ]
    stand = [one for one in found.deals if not one.deal.voided]
    return RulesWhatIfView(
        balances=balances,
        deals=_deals(state, found),
        same=sum(one.refusal is None for one in stand) - len(found.differing),
        refused=[Refusal(one.deal.number, one.refusal) for one in found.refused if one.refusal],
        refusal=found.refusal,
        moved=any(one.moved for one in balances),
        playable=not found.refused
        or any(not one.refusal and any(one.now.values()) for one in stand),
        end=_end(state, found),
    )


def _end(state: SessionState, found: RulesWhatIf) -> Text | None:
    if found.finished_number == state.row.finished_number:
        return None
    if found.finished_number is None:
        return say("By this table it would not have come to its end.")
    return say(
        "By this table it would have come to its end with deal %(number)s.",
        number=found.finished_number,
    )


def _columns(state: SessionState) -> list[SeatView]:
    return side_views(state.names, state.sides)


def _deals(state: SessionState, found: RulesWhatIf) -> list[DealBeside]:
    firsts = [side[0] for side in state.sides]
    return [
        DealBeside(
            one.deal.number, [Cell(one.now.get(seat), one.then.get(seat)) for seat in firsts]
        )
        for one in reversed(found.differing)
    ]


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
    table = None if found is None else state.game.describe(found.rules)
    shown = None if found is None else what_if_view(state, rules_what_if(state, found.rules))
    asked = form.page.data or 1
    page = max(1, min(asked, 1 + (len(shown.deals) - 1) // PAGE)) if shown and shown.deals else 1
    return render_template(
        "sessions/what_if.html",
        **place(state),
        form=form,
        table=table,
        what_if=shown,
        seats=_columns(state),
        deals=shown.deals[(page - 1) * PAGE : page * PAGE] if shown else [],
        page=page,
        more=bool(shown and len(shown.deals) > page * PAGE),
    )
