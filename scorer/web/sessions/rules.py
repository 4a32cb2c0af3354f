"""The rules of a session: which it was played by, and how they are changed from a deal on."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from flask import abort, flash, redirect, render_template, request
from flask_babel import gettext

from scorer.errors import ConflictError, InvalidError, Problem
from scorer.rules.options import merged
from scorer.rules.sheet import write
from scorer.services.change_log import rules_periods
from scorer.services.changes import ChangeRequest, NewRules, change_session
from scorer.services.state import load_state
from scorer.services.what_if import rules_what_if
from scorer.texts import say
from scorer.web.access import current_holder
from scorer.web.deals.pages import place, session_url
from scorer.web.filters import in_words
from scorer.web.forms.sessions import RulesChangeForm
from scorer.web.rule_sets.choosing import Meant, meant, offers
from scorer.web.sessions.pages import SESSION, pages
from scorer.web.sessions.what_if import beside

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.services.state import SessionState

END = "session"


@pages.get(f"{SESSION}/rules")
def rules(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show the rules that the session is played by, and those that it was played by before."""
    state = load_state(circle_id, session_id)
    played = rules_periods(state)[::-1]
    return render_template("sessions/rules.html", **place(state), played=played)


@pages.get(f"{SESSION}/rules/change")
def change_rules(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Ask by which rules to go on, and show what that would change; nothing is written."""
    state, form = load_state(circle_id, session_id), RulesChangeForm(request.args)
    if not form.from_number.raw_data:
        form.from_number.data = state.row.next_number
    form.validate()
    form.refuse(_problems(state, form, named=bool(form.rules.data)))
    return _page(state, form)


@pages.post(f"{SESSION}/rules/change")
def change_rules_sent(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Change the rules from a deal on, as it was shown."""
    state, form = load_state(circle_id, session_id), RulesChangeForm(request.form)
    form.validate()
    if form.next_number.errors or form.written.errors:
        abort(HTTPStatus.BAD_REQUEST)
    form.refuse(_problems(state, form, named=True))
    chosen, number = _chosen(state, form), form.from_number.data
    if chosen is None or number is None or form.from_number.errors:
        return _page(state, form), HTTPStatus.UNPROCESSABLE_ENTITY
    change = ChangeRequest(
        from_number=number,
        next_number=form.next_number.data or 0,
        rules=NewRules(chosen.document, chosen.rule_set),
        reason=form.reason.data or "",
        seen=form.written.data,
    )
    try:
        count = change_session(session_id, change, current_holder())
    except InvalidError as error:
        form.refuse(error.problems)
        return _page(state, form), HTTPStatus.UNPROCESSABLE_ENTITY
    except ConflictError:
        state = load_state(circle_id, session_id)
        return _page(state, form, overtaken=True), HTTPStatus.CONFLICT
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


def _problems(state: SessionState, form: RulesChangeForm, *, named: bool) -> Iterator[Problem]:
    """Give the problems of the first deal, and of the rules if they were ``named``."""
    last, number = state.row.next_number, form.from_number.data or 0
    if not form.from_number.errors and not 1 <= number <= last:
        message = say("From deal 1 to deal %(last)s.", last=last)
        yield Problem("out-of-range", "from_number", message)
    if named and meant(state.circle_id, state.game, form.rules.data) is None:
        yield Problem("unknown-rules", "rules", say("These rules are not there."))


def _chosen(state: SessionState, form: RulesChangeForm) -> Meant | None:
    """Return the chosen rules for those at the table, with the end agreed on if that is kept."""
    found = meant(state.circle_id, state.game, form.rules.data)
    if found is None:
        return None
    document, agreed = found.document, write(state.rules)
    if form.end.data == "keep" and END in agreed:
        document = merged(document, {END: agreed[END]})
    document = state.game.rules_for(len(state.order), document)
    read, _ = state.game.rules_from(document)
    return Meant(read, document, found.rule_set)


def _page(state: SessionState, form: RulesChangeForm, *, overtaken: bool = False) -> str:
    found = meant(state.circle_id, state.game, form.rules.data)
    chosen, number = _chosen(state, form), form.from_number.data
    shown = None
    if chosen is not None and number is not None and not form.from_number.errors:
        shown = rules_what_if(state, chosen.rules, number)
    theirs: Any = found.rules if found else state.rules
    found_offers = offers(state.circle_id, state.game, form.rules.data)
    form.rules.choices += [(offer.value, offer.name) for offer in found_offers]
    form.next_number.data, form.written.data = state.row.next_number, state.row.written
    return render_template(
        "sessions/change_rules.html",
        **place(state),
        form=form,
        next_number=state.row.next_number,
        end_text=state.game.end_text(state.rules) if END in write(state.rules) else None,
        their_end=state.game.end_text(theirs),
        chosen=state.game.describe(chosen.rules) if chosen else None,
        number=number,
        **beside(state, shown),
        overtaken=overtaken,
    )
