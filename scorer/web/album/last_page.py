"""The end of a session: ending it, its last page, public pages, the printed sheet."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import flash, redirect, render_template
from flask.typing import ResponseReturnValue
from flask_babel import get_locale, gettext, lazy_gettext
from wtforms import BooleanField
from wtforms.validators import NumberRange, Optional

from scorer.cards.games import supports_cards
from scorer.errors import ConflictError, InvalidError
from scorer.evening.session_acts import TIMER_ACTS, End, PlayOn, SessionAct, Sign
from scorer.games import all_games
from scorer.roles import Role
from scorer.routes import public_url
from scorer.services.album import last_page as public_pages
from scorer.services.album.last_page import is_over, last_page
from scorer.services.deals.score_sheet import ScoreSheet, score_sheet, slip_parts
from scorer.services.session import sessions
from scorer.services.session.sessions import PAIRINGS
from scorer.services.session.state import load_state
from scorer.services.session.writing import do
from scorer.texts import say
from scorer.web.album.evenings import evening_picture, evening_text, shared_evening, won_by
from scorer.web.album.notes import shown_notes
from scorer.web.base.access import current_holder, may, use_whole_names
from scorer.web.base.fields import ChoiceField, HiddenNumberField
from scorer.web.base.forms import MOST_DEALS, BodyForm, PageForm
from scorer.web.base.pages import (
    SESSION,
    amounts,
    flashing,
    last_page_url,
    offered_undo,
    pages,
    place,
    session_url,
)

#: Maximum of columns on a portrait page.
UPRIGHT = 5
#: So many games to go on with are in sight.
FIRST_GAMES = 6


SHOWN_NAMES = {"full": say("Full names"), "initials": say("Initials")}


class NamesForm(PageForm):
    """The names on a public page."""

    names = ChoiceField(lazy_gettext("Names"), None, SHOWN_NAMES, default="full")


class PublishForm(NamesForm):
    """The content of a public page of a session: names, money."""

    money = BooleanField(lazy_gettext("Say who hands what to whom"))


def ending_view(sheet: ScoreSheet) -> dict[str, Any] | None:
    """Return the end by the rules, if it is reached; ``points`` are victory points, if any."""
    state, progress, number = sheet.state, sheet.progress, sheet.state.row.finished_number
    if not progress.finished or number is None:
        return None
    terms = state.terms(number)
    sides = state.game.sides(terms.order, terms.rules)
    won = [seat for side in sides if set(side) <= set(progress.winners) for seat in side]
    points = progress.victory_points
    winners = won_by([state.names[seat] for seat in won])
    return {
        "text": say("The end is reached: %(won)s", won=winners),
        "why": progress.why,
        "number": number,
        "points": amounts(state.names, sides, points) if points else [],
    }


def view_of(kind: type[SessionAct], following: Callable[[UUID, UUID], str]) -> Callable[..., Any]:
    """Make the view that does an act with what is sent, and goes to the following page."""

    class ActForm(BodyForm):
        body_type = kind

    def view(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
        try:
            do(circle_id, session_id, ActForm.sent().body, by=current_holder())
        except ConflictError:
            flash(gettext("Somebody was quicker. This is how it stands now."), "problem")
        return redirect(following(circle_id, session_id), HTTPStatus.SEE_OTHER)

    view.__name__ = kind.name.replace("-", "_")
    return view


_AT_TABLE: tuple[type[SessionAct], ...] = (End, PlayOn, Sign)
for _kind in (*_AT_TABLE, *TIMER_ACTS):
    _following = last_page_url if _kind is End else session_url
    _post = pages.post(
        f"{SESSION}/{_kind.name}",
        least=_kind.least,
        limit=_kind.limit,
        at_table=_kind in _AT_TABLE,
    )
    _post(view_of(_kind, _following))


class GoOnForm(PageForm):
    """What the same people play next: a game, and for pairs who plays with whom."""

    game = ChoiceField("", None, {game.slug: game.name for game in all_games()}, default="")
    pairing = HiddenNumberField(validators=[Optional(), NumberRange(0, len(PAIRINGS) - 1)])


@pages.get(f"{SESSION}/next", least=Role.SCOREKEEPER)
def go_on(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Ask what the same people play next, unless they have gone on, or are still playing."""
    state = load_state(circle_id, session_id)
    following = sessions.next_match(state)
    if following.begun or not (state.row.ended_at or state.row.finished_number):
        on = following.session_id if following.begun else session_id
        return redirect(session_url(circle_id, on), HTTPStatus.SEE_OTHER)
    people = [state.names[seat] for seat in state.order]
    return render_template(
        "album/next.html",
        **place(state),
        form=GoOnForm(pairing=0),
        games=sessions.next_games(state),
        first=FIRST_GAMES,
        people=people,
        pairings=[[people[place] for place in order] for order in PAIRINGS if len(people) == 4],
        dealer=following.dealer,
    )


@pages.post(f"{SESSION}/next", least=Role.SCOREKEEPER, limit="start")
def start_next(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    form, following = GoOnForm.sent(), session_id
    with flashing():
        following = sessions.start_next_match(
            circle_id,
            session_id,
            game=form.game.data or "",
            pairing=form.pairing.data or 0,
            by=current_holder(),
        )
    return redirect(session_url(circle_id, following), HTTPStatus.SEE_OTHER)


@pages.get(f"{SESSION}/last", endpoint="last_page", least=Role.SPECTATOR)
def show(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show the last page, or redirect to the session if it isn't over."""
    try:
        page = last_page(circle_id, session_id)
    except ConflictError:
        return redirect(session_url(circle_id, session_id))
    state, shown = page.sheet.state, shared_evening(page)
    shared = published(circle_id, session_id) if may("sessions.publish_page") else []
    return render_template(
        "album/last.html",
        **place(state),
        page=page,
        tournament=state.place,
        is_over=is_over,
        shown=shown,
        ending=ending_view(page.sheet),
        end_text=state.game.end_text(state.rules),
        following=sessions.next_match(state),
        card_by_card=supports_cards(state.game, len(state.table().active), state.rules),
        undo=offered_undo(page.sheet) if may("deals.undo") else None,
        sentence=page.sheet.in_a_sentence,
        published=shared,
        text=evening_text(
            page,
            names=not shared or shared[0]["page"].names,
            url=shared[0]["url"] if shared else "",
        ),
        form=PublishForm(),
        **shown_notes(state.circle_id, state.session_id),
    )


def published(circle_id: UUID, subject_id: UUID) -> list[dict[str, Any]]:
    """List the public pages whose addresses the current keys of the server still give."""
    return [
        {"page": row, "url": url}
        for row in public_pages.standing_pages(circle_id, subject_id)
        if (url := public_url(row.page_id, get_locale().language))
    ]


@pages.get(f"{SESSION}/picture.png", least=Role.SPECTATOR, limit="picture")
def picture(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Send the picture of a session; raise ConflictError if it isn't over."""
    return evening_picture(shared_evening(last_page(circle_id, session_id)))


@pages.get(f"{SESSION}/sheet", least=Role.SPECTATOR)
def printed(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show the whole score sheet for print, with room to sign."""
    use_whole_names()
    state = load_state(circle_id, session_id)
    sheet = score_sheet(state, most=MOST_DEALS)
    columns = sorted(sheet.standing_rows, key=lambda row: row.seat)
    return render_template(
        "album/printed.html",
        **place(state),
        table=state.game.describe(state.rules),
        end_text=state.game.end_text(state.rules),
        columns=columns,
        wide=len(columns) > UPRIGHT,
        rows=sheet.rows[::-1],
        opening=sheet.opening,
        slip=state.game.slip,
        parts=slip_parts(state),
        victory_points=sheet.progress.victory_points,
        over=is_over(state.row),
        witness=state.letters,
        start=state.row.chain[:12],
    )


@pages.post(f"{SESSION}/public", least=Role.SCOREKEEPER, logged="page-published")
def publish_page(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    form, by = PublishForm.sent(), current_holder()
    shown = {"names": form.names.chosen == "full", "money": form.money.data}
    try:
        public_pages.publish(circle_id, session_id, **shown, by=by)
    except InvalidError:
        return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
    return redirect(last_page_url(circle_id, session_id) + "#public", HTTPStatus.SEE_OTHER)


@pages.post(
    f"{SESSION}/public/<uuid:page_id>/revoke", least=Role.SCOREKEEPER, logged="page-revoked"
)
def revoke_page(circle_id: UUID, session_id: UUID, page_id: UUID) -> ResponseReturnValue:
    public_pages.revoke(circle_id, session_id, page_id, by=current_holder())
    return redirect(last_page_url(circle_id, session_id) + "#public", HTTPStatus.SEE_OTHER)
