"""The rules of a session: the present ones, what-ifs, and changes."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import abort, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext, lazy_gettext

from scorer.errors import ConflictError, InvalidError, Problem
from scorer.evening.session_acts import Change
from scorer.roles import Role
from scorer.rules.questions import write
from scorer.services.deals.report import rules_periods
from scorer.services.deals.what_if import RulesWhatIf, rules_what_if
from scorer.services.session.house_rules import ChosenRules, read_choice
from scorer.services.session.state import SessionState, load_state
from scorer.services.session.writing import do
from scorer.texts import say
from scorer.typed_text import REASON
from scorer.web.base.access import current_holder
from scorer.web.base.fields import HiddenNumberField, LineField, OpenChoiceField, WholeField
from scorer.web.base.filters import in_words
from scorer.web.base.forms import PageForm
from scorer.web.base.pages import SESSION, pages, place, session_url, side_views
from scorer.web.session.choosing import END, fitted, offers


class RulesChangeForm(PageForm):
    """The new rules, their first deal, the end, the reason, and the state that the page saw."""

    rules = OpenChoiceField(lazy_gettext("By which table do you go on?"), "–")
    from_number = WholeField(name="from")
    end = OpenChoiceField(lazy_gettext("The session ends"), default="keep")
    reason = LineField(lazy_gettext("Why? It is written into the sheet."), REASON)
    next_number = HiddenNumberField(default=0)
    written = HiddenNumberField()


class WhatIfForm(PageForm):
    """The rules of a what-if over the whole session, and the page of its deals."""

    rules = OpenChoiceField(lazy_gettext("Which table?"), "–")
    page = WholeField(default=1)


#: Deals on a page of a what-if.
PAGE = 40


@pages.get(f"{SESSION}/rules", least=Role.SPECTATOR, kept=True)
def rules(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show the present rules of the session, and its earlier ones."""
    state = load_state(circle_id, session_id)
    played = rules_periods(state)[::-1]
    return render_template("session/rules.html", **place(state), played=played)


@pages.get(f"{SESSION}/rules/change", least=Role.SCOREKEEPER, limit="what-if")
def change_rules(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show the form of a change of rules, and preview it; nothing is written."""
    state, form = load_state(circle_id, session_id), RulesChangeForm(request.args)
    if not form.from_number.raw_data:
        form.from_number.data = state.row.next_number
    form.validate()
    named = read_choice(circle_id, state.game, form.rules.data)
    form.refuse(_problems(state, form, named, may_be_open=not form.rules.data))
    return _page(state, form, named)


@pages.post(f"{SESSION}/rules/change", least=Change.least, limit=Change.limit)
def change_rules_sent(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    state, form = load_state(circle_id, session_id), RulesChangeForm(request.form)
    form.validate()
    if form.next_number.errors or form.written.errors:
        abort(HTTPStatus.BAD_REQUEST)
    named = read_choice(circle_id, state.game, form.rules.data)
    form.refuse(_problems(state, form, named))
    number = form.from_number.data
    if named is None or number is None or form.from_number.errors:
        return _page(state, form, named), HTTPStatus.UNPROCESSABLE_ENTITY
    chosen = _chosen(state, form, named)
    change = Change(
        from_number=number,
        next_number=form.next_number.data or 0,
        rules=chosen.document,
        rule_set=chosen.rule_set,
        reason=form.reason.data or "",
        seen=form.written.data,
    )
    try:
        count = do(circle_id, session_id, change, by=current_holder())
    except InvalidError as error:
        form.refuse(error.problems)
        return _page(state, form, named), HTTPStatus.UNPROCESSABLE_ENTITY
    except ConflictError:
        state = load_state(circle_id, session_id)
        return _page(state, form, named, overtaken=True), HTTPStatus.CONFLICT
    name = in_words(state.game.describe(chosen.rules).name)
    flash(
        gettext(
            "From deal %(number)s on you play by %(name)s. Deals paid anew: %(count)s.",
            number=number,
            name=name,
            count=count,
        ),
        "ok",
    )
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


def _problems(
    state: SessionState,
    form: RulesChangeForm,
    named: ChosenRules | None,
    *,
    may_be_open: bool = False,
) -> Iterator[Problem]:
    """Yield the problems of the first deal and of the rules; at first no rules are chosen."""
    last, number = state.row.next_number, form.from_number.data or 0
    if not form.from_number.errors and not 1 <= number <= last:
        message = say("From deal 1 to deal %(last)s.", last=last)
        yield Problem("out-of-range", "from_number", message)
    if named is None and not may_be_open:
        yield Problem("unknown-rules", "rules", say("There are no such rules."))


def _chosen(state: SessionState, form: RulesChangeForm, named: ChosenRules) -> ChosenRules:
    return fitted(state, named, len(state.order), keep_end=form.end.data == "keep")


def _page(
    state: SessionState,
    form: RulesChangeForm,
    named: ChosenRules | None,
    *,
    overtaken: bool = False,
) -> str:
    chosen, number = named and _chosen(state, form, named), form.from_number.data
    shown = None
    if chosen is not None and number is not None and not form.from_number.errors:
        shown = rules_what_if(state, chosen.rules, number)
    found_offers = offers(state.circle_id, state.game, form.rules.data)
    form.rules.choices += [(offer.value, offer.name) for offer in found_offers]
    form.next_number.data, form.written.data = state.row.next_number, state.row.written
    return render_template(
        "session/change_rules.html",
        **place(state),
        form=form,
        next_number=state.row.next_number,
        end_text=state.game.end_text(state.rules) if END in write(state.rules) else None,
        their_end=state.game.end_text(named.rules if named else state.rules),
        chosen=state.game.describe(chosen.rules) if chosen else None,
        number=number,
        **_beside(state, shown),
        overtaken=overtaken,
    )


def _beside(state: SessionState, what_if: RulesWhatIf | None) -> dict[str, Any]:
    """Return the template variables of a what-if: balances and deals side by side.

    If no paid deal is ``playable``, the balances say nothing.
    """
    columns = side_views(state.names, state.sides)
    if what_if is None:
        return {"what_if": None, "columns": columns}
    stand = [deal for deal in what_if.deals if not deal.deal.voided]
    return {
        "what_if": what_if,
        "columns": columns,
        "moved": {seat: what_if.then[seat] - what_if.now[seat] for seat in what_if.now},
        "same": sum(deal.refusal is None for deal in stand) - len(what_if.differing),
        "playable": not what_if.refused
        or any(not deal.refusal and any(deal.now.values()) for deal in stand),
    }


@pages.get(f"{SESSION}/what-if", least=Role.SPECTATOR, limit="what-if")
def what_if(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show the whole evening by other rules beside the real one; nothing is changed."""
    state = load_state(circle_id, session_id)
    form = WhatIfForm(request.args)
    chosen = read_choice(circle_id, state.game, form.rules.data)
    if form.rules.raw_data and chosen is None:
        form.refuse([Problem("unknown-rules", "rules", say("Choose a table."))])
    form.rules.choices += [
        (offer.value, offer.name) for offer in offers(circle_id, state.game, form.rules.data)
    ]
    shown = None if chosen is None else rules_what_if(state, chosen.rules)
    deals = shown.differing[::-1] if shown else []
    page = max(1, min(form.page.data or 1, -(-len(deals) // PAGE)))
    return render_template(
        "session/what_if.html",
        **place(state),
        form=form,
        **_beside(state, shown),
        table=None if chosen is None else state.game.describe(chosen.rules),
        deals=deals[(page - 1) * PAGE : page * PAGE],
        page=page,
        more=len(deals) > page * PAGE,
    )
