"""Pages of the history: the evenings of a circle, its feed, and the search of its deals."""

from contextlib import suppress
from http import HTTPStatus
from uuid import UUID

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorer.ledger.records import DealKey
from scorer.roles import Role
from scorer.routes import Routes
from scorer.services.circle import players
from scorer.services.circle.codes_and_tokens import feed_token
from scorer.services.deals import history
from scorer.services.deals.history import FoundDeals
from scorer.web.base.access import current_holder, zone_here
from scorer.web.base.pages import CIRCLE
from scorer.web.figures.searching import SearchForm, chips, search_url, write_cursor

NOTHING = FoundDeals((), None, 0)

pages = Routes("history", __name__, url_prefix=CIRCLE)


@pages.get("/evenings/", least=Role.SPECTATOR, kept=True)
def evenings(circle_id: UUID) -> ResponseReturnValue:
    """List the evenings of a circle, newest first, all games of a day together."""
    before, years = (
        request.args.get("before", type=UUID),
        history.years(circle_id, zone=zone_here()),
    )
    wanted = request.args.get("year", type=int)
    year = wanted if wanted in years else None
    grouped, more = history.evenings(circle_id, before, year=year, zone=zone_here())
    return render_template(
        "deals/evenings.html",
        evenings=grouped,
        years=years,
        older=grouped[-1][-1].row.session_id if more and grouped else None,
        newer=before is not None or year is not None,
    )


@pages.get("/feed", least=Role.SPECTATOR)
def feed(circle_id: UUID) -> ResponseReturnValue:
    token = feed_token(current_holder())
    address = url_for("api_feed.evenings", circle=circle_id, token=token, _external=True)
    return render_template("deals/feed.html", feed=address)


@pages.get("/deals/", least=Role.SPECTATOR)
def deals(circle_id: UUID) -> ResponseReturnValue:
    """List the deals of a circle that match the search, newest first, from a cursor on."""
    form = SearchForm(request.args, history.games_played(circle_id), players.names(circle_id))
    if "" in request.args.values():
        return redirect(search_url(circle_id, **form.criteria), HTTPStatus.SEE_OTHER)
    fine, before = form.validate(), None
    session, _, number = request.args.get("before", "").partition(".")
    with suppress(ValueError):
        before = DealKey(UUID(session), int(number)) if len(number) < 8 else None
    page = history.find_deals(circle_id, form.sought, before) if fine else NOTHING
    filters, older = form.criteria, page.older and write_cursor(page.older)
    shown = render_template(
        "deals/search.html",
        found=page,
        form=form,
        chips=list(chips(circle_id, form)),
        older=search_url(circle_id, **filters, before=older) if older else None,
        newest=search_url(circle_id, **filters) if before else None,
    )
    return shown, HTTPStatus.OK if fine else HTTPStatus.UNPROCESSABLE_ENTITY
