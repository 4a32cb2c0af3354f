"""The page of who is at the table: from the next deal on, or put right since an earlier one."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from flask import flash, redirect, render_template, request
from flask_babel import gettext

from scorer.errors import ConflictError, InvalidError, Problem
from scorer.rules.seats import wrong_count
from scorer.services.changes import change_session
from scorer.services.state import NUMBERS, load_state
from scorer.services.what_if import change_what_if
from scorer.storage import queries
from scorer.texts import say
from scorer.web.access import current_holder
from scorer.web.deals.pages import place, session_url
from scorer.web.forms.fields import whole
from scorer.web.rule_sets.choosing import offers
from scorer.web.sessions.pages import SESSION, pages
from scorer.web.sessions.seating_form import GUEST, change_of, draft_of, sent_draft
from scorer.web.sessions.settling import warn_of_openings
from scorer.web.views import SeatAmount, by_field, joined

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.services.changes import ChangeRequest
    from scorer.services.deal_report import AnswerChange
    from scorer.services.state import SessionState
    from scorer.services.what_if import ChangedDeal, ChangeWhatIf
    from scorer.texts import Text
    from scorer.web.sessions.seating_form import Draft

MOVED = {
    "from_number": "",
    "seats": "people",
    "sits_out": "people",
    "by_place": "belongs",
    "preset": "rules",
    "until_number": "until",
}


class Count(NamedTuple):
    """What so many people at the table come to, and whether the rules have a place for them."""

    number: int
    text: Text
    fits: bool


class AnewView(NamedTuple):
    """A deal as it would be written, and what of it is new."""

    number: int
    voided: bool
    text: Text
    changes: tuple[AnswerChange, ...]
    moved: list[SeatAmount]


class BalanceView(NamedTuple):
    """A balance as it is, and as it would be."""

    seat: int
    name: str
    before: int
    after: int


class Preview(NamedTuple):
    """What a change would come to."""

    deals: list[AnewView]
    unchanged: int
    balances: list[BalanceView]
    following: Text


@pages.get(f"{SESSION}/table")
def seating(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show who is at the table, from the next deal on or since an earlier one."""
    state = load_state(circle_id, session_id)
    typed = request.args.get("since", "").strip()
    since = whole(typed) or 0
    if typed and not 1 <= since <= state.row.next_number:
        message = say("There is no deal %(number)s yet.", number=typed)
        problem = Problem("no-deal", "since", message)
        return _page(state, draft_of(state, 0), [problem]), HTTPStatus.UNPROCESSABLE_ENTITY
    return _page(state, draft_of(state, since))


@pages.post(f"{SESSION}/table")
def seating_sent(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Change who is at the table; what reaches back is shown before it is done."""
    state = load_state(circle_id, session_id)
    draft = sent_draft(state, request.form)
    try:
        change = change_of(state, draft)
        if change.seats is None and change.rules is None:
            flash(gettext("Nothing was changed."), "note")
            return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
        if draft.reaches_back and request.form.get("action") != "sure":
            return _page(state, draft, preview=change_what_if(session_id, change, current_holder()))
        return _changed(state, change)
    except InvalidError as error:
        return _page(state, draft, error.problems), HTTPStatus.UNPROCESSABLE_ENTITY
    except ConflictError:
        flash(gettext("Something was written meanwhile. Look before you go on."), "problem")
        since = draft.since if draft.reaches_back else 0
        return _page(state, draft_of(state, since)), HTTPStatus.CONFLICT


def _changed(state: SessionState, change: ChangeRequest) -> ResponseReturnValue:
    count = change_session(state.session_id, change, current_holder())
    if count:
        flash(gettext("Done: %(count)s deals were written anew.", count=count), "ok")
    else:
        flash(gettext("Done, from deal %(number)s on.", number=change.from_number), "ok")
    brought = [guest.opening for guest in change.seats.guests] if change.seats else []
    if any(brought):
        opening = [*state.opening.values(), *brought]
        warn_of_openings(state.game, opening, state.row.stake_cents)
    return redirect(session_url(state.circle_id, state.session_id), HTTPStatus.SEE_OTHER)


def _page(
    state: SessionState,
    draft: Draft,
    problems: Sequence[Problem] = (),
    *,
    preview: ChangeWhatIf | None = None,
) -> str:
    rules = state.terms(draft.since).rules
    return render_template(
        "sessions/seating.html",
        **place(state),
        draft=draft,
        guest=GUEST,
        guest_seat=len(state.names) if len(state.names) < len(NUMBERS) else None,
        known=_known(state),
        counts=[_count(state, number, rules) for number in range(1, len(NUMBERS) + 1)],
        offers=offers(state.circle_id, state.game, draft.rules),
        rules_name=state.game.describe(rules).name,
        problems=by_field((one for one in problems if not _in_deal(one)), MOVED),
        impossible=[one.message for one in problems if _in_deal(one)],
        preview=None if preview is None else _preview(preview),
        typed_since=request.args.get("since", ""),
    )


def _in_deal(problem: Problem) -> bool:
    return problem.field.startswith("deals.")


def _known(state: SessionState) -> list[str]:
    """The names of the circle that are not in the session."""
    players = queries.players_last_used_first(state.circle_id)
    return [one.name for one in players if one.retired_at is None and one.name not in state.names]


def _count(state: SessionState, number: int, rules: object) -> Count:
    game, seating = state.game, state.game.seating(rules)
    wrong = wrong_count(number, seating.playing)
    if wrong is not None and not seating.fits(number):
        return Count(number, wrong.message, fits=False)
    if state.out:
        return Count(number, say("Whoever is out waits for the next match."), fits=True)
    everybody = say("%(count)s at the table: everybody plays.", count=number)
    return Count(number, game.who_sits_out(number, rules) or everybody, fits=True)


def _preview(found: ChangeWhatIf) -> Preview:
    names = found.names
    following = say("Then %(dealer)s deals.", dealer=names[found.dealer])
    if found.out:
        out = joined([names[seat] for seat in found.out])
        following = say(
            "Then %(dealer)s deals, and %(names)s out.", dealer=names[found.dealer], names=out
        )
    return Preview(
        [_anew(names, one) for one in found.deals],
        found.unchanged,
        [
            BalanceView(seat, names[seat], found.before.get(seat, 0), balance)
            for seat, balance in found.after.items()
        ],
        following,
    )


def _anew(names: Sequence[str], one: ChangedDeal) -> AnewView:
    moved = [SeatAmount(seat, names[seat], n) for seat, n in one.version.moved.items() if n]
    return AnewView(one.number, one.voided, one.text, one.version.changes, moved)
