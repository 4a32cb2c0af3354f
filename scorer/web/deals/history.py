"""Pages of the history: the evenings of a circle, its feed, and the search of its deals."""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorer.errors import existing
from scorer.roles import Role
from scorer.routes import Routes
from scorer.services.circle import players
from scorer.services.circle.circles import circle_heads
from scorer.services.circle.codes_and_tokens import feed_token
from scorer.services.deals import history
from scorer.services.deals.history import Cursor, FoundDeals
from scorer.web.base.access import current_holder, zone_here
from scorer.web.base.page_cache import cached_page, personal_page
from scorer.web.base.pages import CIRCLE
from scorer.web.figures.searching import SearchForm, chips, search_url, write_cursor

NOTHING = FoundDeals((), None, 0)

pages = Routes("history", __name__, url_prefix=CIRCLE)


@pages.get("/evenings/", least=Role.SPECTATOR, kept=True)
def evenings(circle_id: UUID) -> ResponseReturnValue:
    """List the evenings of a circle, newest first, all games of a day together."""
    before = request.args.get("before", type=UUID)
    grouped, more = history.evenings(circle_id, before, zone=zone_here())
    return render_template(
        "deals/evenings.html",
        evenings=grouped,
        older=grouped[-1][-1].row.session_id if more else None,
        newer=before is not None,
    )


@pages.get("/feed", least=Role.SPECTATOR)
def feed(circle_id: UUID) -> ResponseReturnValue:
    token = feed_token(current_holder(), current_app.config["WTF_CSRF_SECRET_KEY"])
    address = url_for("api_feed.evenings", circle=circle_id, token=token, _external=True)
    return render_template("deals/feed.html", feed=address)


@pages.get("/deals/", least=Role.SPECTATOR)
def deals(circle_id: UUID) -> ResponseReturnValue:
    """List the deals of a circle that match the search, newest first."""
    if not request.args:
        render = partial(_deals_page, circle_id, None)
        return cached_page((circle_id, existing(circle_heads(circle_id)).mark), render)
    form = _search_form(circle_id)
    if "" in request.args.values():
        return redirect(search_url(circle_id, **form.criteria), HTTPStatus.SEE_OTHER)
    status = HTTPStatus.OK if form.validate() else HTTPStatus.UNPROCESSABLE_ENTITY
    return personal_page(partial(_deals_page, circle_id, form)), status


def _search_form(circle_id: UUID) -> SearchForm:
    return SearchForm(request.args, history.games_played(circle_id), players.names(circle_id))


def _deals_page(circle_id: UUID, sought: SearchForm | None, fresh: Mapping[str, Any]) -> str:
    """Show the deals that were ``sought``, or else all, from the cursor of the address on."""
    form = sought or _search_form(circle_id)
    before, (session, _, number) = None, request.args.get("before", "").partition(".")
    with suppress(ValueError):
        before = Cursor(UUID(session), int(number)) if len(number) < 8 else None
    page = NOTHING if form.problems else history.find_deals(circle_id, form.sought, before)
    filters, older = form.criteria, page.older and write_cursor(page.older)
    return render_template(
        "deals/search.html",
        found=page,
        form=form,
        chips=list(chips(circle_id, form)),
        older=search_url(circle_id, **filters, before=older) if older else None,
        newest=search_url(circle_id, **filters) if before else None,
        **fresh,
    )
