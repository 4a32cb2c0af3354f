"""The seats from a deal on, and who sits out."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from operator import itemgetter
from typing import Any, ClassVar
from uuid import UUID

from flask import abort, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext, lazy_gettext, ngettext
from wtforms import Form, SelectMultipleField, StringField

from scorer.errors import ConflictError, InvalidError, Problem
from scorer.evening.session_acts import Change, Guest
from scorer.roles import Role
from scorer.rules.seats import Seat
from scorer.services.circle.players import offered_names
from scorer.services.deals.what_if import ChangeWhatIf, change_what_if
from scorer.services.session.house_rules import read_choice
from scorer.services.session.seating import SeatingPlan, Sitter, choose, head_counts, seating_since
from scorer.services.session.state import SessionState, load_state
from scorer.services.session.writing import do
from scorer.storage.models import MOST_AT_TABLE
from scorer.texts import say
from scorer.typed_text import REASON, looks, one_line
from scorer.web.base import fields
from scorer.web.base.access import current_holder
from scorer.web.base.forms import PageForm
from scorer.web.base.pages import SESSION, flashing, pages, place, session_url
from scorer.web.session.choosing import fitted, offers, place_of, warn_of_openings

#: How the form calls the guest, who has no seat yet.
GUEST = "new"
BELONGS = {
    "people": say("The names are right; the places were wrong"),
    "places": say("The places were right; what was written for one was another’s"),
}


class SitOutForm(PageForm):
    """Who sits out deal ``number`` instead of whom; if nobody is chosen, the turn decides."""

    number = fields.HiddenNumberField(default=0)
    seen = fields.HiddenNumberField(default=0)
    instead = fields.HiddenNumberField()
    chosen = fields.HiddenNumberField()


class SeatingRow(Form):
    """A seat, or the guest's row, and its place in the order of play."""

    seat = StringField(default="")
    place = StringField(default="")


class SeatingForm(PageForm):
    """The seating from deal ``since`` on, and the state that the page saw."""

    shown_at: ClassVar[Mapping[str, str]] = {
        "seats": "people",
        "sits_out": "people",
        "by_place": "belongs",
        "from_number": "until",
        "preset": "rules",
    }

    seen = fields.HiddenNumberField(default=-1)
    next_number = fields.HiddenNumberField(default=0)
    since = fields.HiddenNumberField(default=0)
    people = fields.RowsField(SeatingRow)
    here = SelectMultipleField(validate_choice=False)
    dealer = fields.OpenChoiceField()
    guest = StringField(default="")
    opening = fields.WholeField(lazy_gettext("The guest brings in"))
    belongs = fields.ChoiceField(
        lazy_gettext("What was written down"), None, BELONGS, default="people"
    )
    until = fields.WholeField(lazy_gettext("Up to deal (empty: from then on)"))
    reason = fields.LineField(lazy_gettext("Why?"), REASON)
    rules = fields.OpenChoiceField()
    action = StringField(default="")

    @property
    def places(self) -> dict[str, str]:
        return {row.seat.data: row.place.data or "" for row in self.people.data}

    @property
    def guest_place(self) -> str:
        return self.places.get(GUEST, "")


class SinceForm(PageForm):
    """The first deal whose recorded seats are wrong."""

    since = fields.WholeField(lazy_gettext("Since deal"))


@pages.get(f"{SESSION}/table", least=Role.SCOREKEEPER)
def seating(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show who is at the table, from the next deal on or since an earlier one."""
    state, since_form = load_state(circle_id, session_id), SinceForm(request.args)
    typed, since = since_form.since.typed, since_form.since.data or 0
    if typed and not 1 <= since <= state.row.next_number:
        message = say("There is no deal %(number)s yet.", number=typed)
        since_form.refuse([Problem("no-deal", "since", message)])
        return _page(
            state, _form_of(state, 0), since_form=since_form
        ), HTTPStatus.UNPROCESSABLE_ENTITY
    return _page(state, _form_of(state, since))


def _form_of(state: SessionState, since: int) -> SeatingForm:
    """Return the form with the seats from a deal on."""
    plan, row = seating_since(state, since), state.row
    there = [sitter for sitter in plan.people if sitter.here]
    return SeatingForm(
        seen=row.written,
        next_number=row.next_number,
        since=plan.since,
        people=[{"seat": str(sitter.seat), "place": sitter.place} for sitter in there],
        here=[str(sitter.seat) for sitter in there],
        dealer=str(plan.dealer),
        until=plan.until,
    )


@pages.post(f"{SESSION}/table", least=Change.least, limit=Change.limit)
def seating_sent(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Change who is at the table; preview a change of past deals first."""
    state, form = load_state(circle_id, session_id), SeatingForm(request.form)
    sound = form.validate()
    if form.seen.errors or form.next_number.errors or form.since.errors:
        abort(HTTPStatus.BAD_REQUEST)
    if not sound:
        return _page(state, form), HTTPStatus.UNPROCESSABLE_ENTITY
    change = _change(state, form)
    if not change.moves and change.rules is None:
        flash(gettext("Nothing was changed."), "note")
        return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
    back = change.first < change.next_number
    try:
        if back and form.action.data != "sure":
            what_if = change_what_if(session_id, change, current_holder())
            return _page(state, form, what_if=what_if)
        return _changed(state, change)
    except InvalidError as error:
        in_deals = [problem for problem in error.problems if problem.field.startswith("deals.")]
        form.refuse(problem for problem in error.problems if problem not in in_deals)
        return _page(state, form, impossible=in_deals), HTTPStatus.UNPROCESSABLE_ENTITY
    except ConflictError:
        flash(gettext("Something was written meanwhile. Look before you go on."), "problem")
        return _page(state, _form_of(state, change.first if back else 0)), HTTPStatus.CONFLICT


def _changed(state: SessionState, change: Change) -> ResponseReturnValue:
    count = do(state.circle_id, state.session_id, change, by=current_holder())
    if count:
        done = ngettext(
            "Done: %(num)d deal was written anew.", "Done: %(num)d deals were written anew.", count
        )
        flash(done, "ok")
    else:
        flash(gettext("Done, from deal %(number)s on.", number=change.first), "ok")
    brought = [guest.opening for guest in change.guests]
    if any(brought):
        opening = [*state.opening.values(), *brought]
        warn_of_openings(opening, state.row.stake_cents, lowest_leads=state.lowest_leads)
    return redirect(session_url(state.circle_id, state.session_id), HTTPStatus.SEE_OTHER)


def _change(state: SessionState, form: SeatingForm) -> Change:
    plan = seating_since(state, form.since.data or 0)
    next_number = form.next_number.data or 0
    back = plan.since < next_number
    order, seats = _seats(state, form, _people(plan, form), back=back)
    rules: dict[str, Any] = {"rules": form.rules.data or None}
    if named := read_choice(state.circle_id, state.game, form.rules.data):
        chosen = fitted(state, named, len(order))
        rules = {"rules": chosen.document, "rule_set": chosen.rule_set}
    moves = back or seats["guests"] or seats["dealer"] != state.evening.terms.dealer
    return Change(
        from_number=plan.since,
        next_number=next_number,
        until_number=form.until.data if back else None,
        reason=form.reason.data or "",
        seen=-1 if form.seen.data is None else form.seen.data,
        **rules,
        **({"seats": order, **seats} if moves or order != state.order else {}),
    )


def _people(plan: SeatingPlan, form: SeatingForm) -> list[Sitter]:
    there, places = form.here.data or [], form.places
    people = [
        sitter._replace(place=places.get(seat, sitter.place), here=seat in there)
        for sitter in plan.people
        for seat in [str(sitter.seat)]
    ]
    return sorted(people, key=lambda sitter: place_of(sitter.place))


def _seats(
    state: SessionState, form: SeatingForm, people: Sequence[Sitter], *, back: bool
) -> tuple[tuple[Seat, ...], dict[str, Any]]:
    """Order the people by their places, with the guest among them; who deals, and who is new."""
    guest = one_line(form.guest.data or "")
    known = {looks(name): seat for seat, name in enumerate(state.names)}
    placed = [(place_of(person.place), person.seat) for person in people if person.here]
    seat = known.get(looks(guest), len(state.names))
    if guest and seat not in [other for _, other in placed]:
        placed.append((place_of(form.guest_place), seat))
    order = tuple(Seat(seat) for _, seat in sorted(placed, key=itemgetter(0)))
    dealer = seat if form.dealer.data == GUEST else fields.whole(form.dealer.data)
    if dealer == state.evening.turn.dealer and not back:
        dealer = state.evening.terms.dealer
    new = guest and seat == len(state.names)
    return order, {
        "dealer": Seat(dealer) if dealer in order else None,
        "guests": (Guest(guest, form.opening.data or 0),) if new else (),
        "by_place": form.belongs.data == "places" and back,
    }


def _page(
    state: SessionState,
    form: SeatingForm,
    *,
    since_form: SinceForm | None = None,
    what_if: ChangeWhatIf | None = None,
    impossible: Sequence[Problem] = (),
) -> str:
    plan = seating_since(state, form.since.data or 0)
    rules, people = state.terms(plan.since).rules, _people(plan, form)
    next_number = form.next_number.data or 0
    back = plan.since < next_number
    return render_template(
        "session/seating.html",
        **place(state),
        form=form,
        since_form=since_form or SinceForm(since=plan.since if back else None),
        since=plan.since,
        next_number=next_number,
        reaches_back=back,
        people=people,
        count=sum(person.here for person in people) + bool(one_line(form.guest.data or "")),
        guest=GUEST,
        guest_seat=len(state.names) if len(state.names) < MOST_AT_TABLE else None,
        guest_index=sum(place_of(sitter.place) <= place_of(form.guest_place) for sitter in people),
        known=[name for name in offered_names(state.circle_id) if name not in state.names],
        counts=head_counts(state, rules),
        offers=offers(state.circle_id, state.game, form.rules.data),
        rules_name=state.game.describe(rules).name,
        names=state.names,
        impossible=[problem.message for problem in impossible],
        preview=what_if,
    )


@pages.post(f"{SESSION}/sit-out", least=Change.least)
def sit_out(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Choose who sits out the next deal, or go back to the usual turn."""
    form = SitOutForm(request.form)
    # There is no deal 0: an unreadable form is as stale as one of an earlier deal.
    number = form.number.data if form.validate() else 0
    seen, choice = form.seen.data or 0, {"chosen": form.chosen.data, "instead": form.instead.data}
    with flashing():
        choose(session_id, number or 0, seen, current_holder(), **choice)
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
