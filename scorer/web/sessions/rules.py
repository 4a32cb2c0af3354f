"""The rules of a session: which it was played by, and how they are changed from a deal on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import flash, redirect, render_template, request
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
from scorer.web.forms.deals import MOST_DEALS
from scorer.web.rule_sets.choosing import Meant, meant, offers
from scorer.web.sessions.pages import SESSION, pages
from scorer.web.sessions.what_if import what_if_view
from scorer.web.views import by_field

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.rules.description import Description
    from scorer.services.change_log import RulesPeriod
    from scorer.services.state import SessionState

END = "session"
#: The questions of the page; what is wrong otherwise is said at its top.
ASKED = {"rules", "from", "from_number", "reason"}
KEEP = "keep"


class PlayedView(NamedTuple):
    """Rules that some deals were played by: of the circle's own, a preset, or of this session."""

    first: int
    last: int | None
    table: Description
    rule_set: tuple[UUID, int] | None
    preset: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A change as it is asked for: which rules, from which deal on, until when is played, why."""

    rules: str
    from_number: str
    end: str
    reason: str


@pages.get(f"{SESSION}/rules")
def rules(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show the rules that the session is played by, and those that it was played by before."""
    state = load_state(circle_id, session_id)
    played = [_played(state, one) for one in reversed(rules_periods(state))]
    return render_template("sessions/rules.html", **place(state), played=played)


def _played(state: SessionState, one: RulesPeriod) -> PlayedView:
    preset = state.game.presets.get(one.rules.slug) == one.rules
    table = state.game.describe(one.rules)
    return PlayedView(one.first, one.last, table, one.rule_set, preset)


@pages.get(f"{SESSION}/rules/change")
def change_rules(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Ask by which rules to go on, and show what that would change; nothing is written."""
    state = load_state(circle_id, session_id)
    args = request.args
    asked = Asked(
        args.get("rules", ""),
        args.get("from", str(state.row.next_number)),
        args.get("end", KEEP),
        args.get("reason", ""),
    )
    return _page(state, asked)


@pages.post(f"{SESSION}/rules/change")
def change_rules_sent(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Change the rules from a deal on, as it was shown."""
    state = load_state(circle_id, session_id)
    sent = request.form
    asked = Asked(
        sent.get("rules", ""), sent.get("from", ""), sent.get("end", KEEP), sent.get("reason", "")
    )
    chosen, number = _chosen(state, asked), _number(asked.from_number)
    if chosen is None or number is None:
        return _page(state, asked), HTTPStatus.UNPROCESSABLE_ENTITY
    change = ChangeRequest(
        number,
        sent.get("next_number", 0, type=int),
        NewRules(chosen.document, chosen.rule_set),
        reason=asked.reason,
        seen=sent.get("written", type=int),
    )
    try:
        count = change_session(session_id, change, current_holder())
    except InvalidError as error:
        return _page(state, asked, error.problems), HTTPStatus.UNPROCESSABLE_ENTITY
    except ConflictError:
        return _page(load_state(circle_id, session_id), asked, overtaken=True), HTTPStatus.CONFLICT
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


def _number(text: str) -> int | None:
    """Read the number of a deal."""
    if text.isascii() and text.isdigit() and len(text) < 8:
        return min(int(text), MOST_DEALS)
    return None


def _chosen(state: SessionState, asked: Asked) -> Meant | None:
    """The rules that were chosen, with room for all who are here, and to the end agreed on."""
    found = meant(state.circle_id, state.game, asked.rules)
    if found is None:
        return None
    document = found.document
    if asked.end == KEEP and END in write(state.rules):
        document = merged(document, {END: write(state.rules)[END]})
    document = state.game.rules_for(len(state.order), document)
    read, _ = state.game.rules_from(document)
    return Meant(read, document, found.rule_set)


def _page(
    state: SessionState, asked: Asked, problems: Sequence[Problem] = (), *, overtaken: bool = False
) -> str:
    found, number = _problems(state, asked)
    chosen = _chosen(state, asked)
    shown = None
    if chosen is not None and number is not None:
        shown = what_if_view(state, rules_what_if(state, chosen.rules, number))
    return render_template(
        "sessions/change_rules.html",
        **place(state),
        asked=asked,
        offers=offers(state.circle_id, state.game, asked.rules),
        next_number=state.row.next_number,
        written=state.row.written,
        end_text=state.game.end_text(state.rules) if END in write(state.rules) else None,
        their_end=state.game.end_text(_meant_rules(state, asked)),
        chosen=state.game.describe(chosen.rules) if chosen else None,
        number=number,
        what_if=shown,
        overtaken=overtaken,
        problems=by_field([*found, *map(_placed, problems)], {"from_number": "from"}),
    )


def _placed(problem: Problem) -> Problem:
    return problem if problem.field in ASKED else replace(problem, field="")


def _meant_rules(state: SessionState, asked: Asked) -> Any:
    found = meant(state.circle_id, state.game, asked.rules)
    return found.rules if found else state.rules


def _problems(state: SessionState, asked: Asked) -> tuple[list[Problem], int | None]:
    """Say what is wrong with what was asked, and which deal it begins with."""
    problems, number = [], _number(asked.from_number)
    if number is None or not 1 <= number <= state.row.next_number:
        number = None
        message = say("From deal 1 to deal %(last)s.", last=state.row.next_number)
        problems.append(Problem("out-of-range", "from", message))
    named = asked.rules or request.method == "POST"
    if named and meant(state.circle_id, state.game, asked.rules) is None:
        problems.append(Problem("unknown-rules", "rules", say("These rules are not there.")))
    return problems, number
