"""A tournament for everybody to see: on the big screen, on paper, and as a table.

The slips of its tables, too, and the page that a phone opens by one.
"""

from collections.abc import Iterator
from http import HTTPStatus
from typing import NamedTuple
from uuid import UUID

import segno
from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import lazy_gettext
from wtforms import StringField

from scorer.roles import Role
from scorer.routes import address_of
from scorer.services.album import last_page as public_pages
from scorer.services.circle.circles import derived_secrets
from scorer.services.files.spreadsheets import Row
from scorer.services.tournament import slips
from scorer.services.tournament.page import TournamentPage, tournament_page
from scorer.texts import say
from scorer.web.album.last_page import NamesForm
from scorer.web.base import access, downloads
from scorer.web.base.access import current_holder, use_whole_names
from scorer.web.base.pages import session_url
from scorer.web.circle.sharing import SecretForm
from scorer.web.tournament.making import TOURNAMENT, pages, tournament_url

#: What has room on a big screen, and for how many seconds.
MOST_PLACES, MOST_TABLES, SHOWN = 10, 5, 12


class PaperSlip(NamedTuple):
    """The address on the slip of a table, and its code; whether it lets any phone write there."""

    url: str
    code: str
    writes: bool


def slip_of(circle_id: UUID, session_id: UUID) -> PaperSlip:
    """Return the slip of a table: its secret, for directors, or the page of its session."""
    seed = slips.slip_seed(session_id)
    secret = slips.opening(derived_secrets(seed)) if access.may("tournaments.draw") else None
    if secret is None:
        url = address_of("sessions.show", circle_id=circle_id, session_id=session_id)
    else:
        url = address_of("tournaments.table", _anchor=secret)
    code = segno.make(url, error="m").svg_data_uri(scale=3, border=2, light="#fff", dark="#000")
    return PaperSlip(url, str(code), secret is not None)


class SlipForm(SecretForm):
    """The secret of a slip."""

    code = StringField(lazy_gettext("The address on the slip"), default="")
    unknown = say("This slip opens nothing: its turn is over, or it was mistyped.")


@pages.get("/table")
def table() -> ResponseReturnValue:
    """Show the form for a slip, which a script sends."""
    access.browser_token()
    return _slip_page(SlipForm())


def _slip_page(form: SlipForm) -> ResponseReturnValue:
    page = render_template("circle/join.html", form=form, sent_to=url_for("tournaments.sit_down"))
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if form.problems else HTTPStatus.OK


@pages.post("/table", limit="join")
def sit_down() -> ResponseReturnValue:
    """Let this phone write at the table of a slip."""
    form = SlipForm(request.form)
    entered = form.let_in(slips.sit_down)
    if entered is None:
        return _slip_page(form)
    phone, session_id = entered
    access.remember(phone.circle_id, phone.phone_id)
    return redirect(session_url(phone.circle_id, session_id), HTTPStatus.SEE_OTHER)


@pages.get(f"{TOURNAMENT}/tv", least=Role.SPECTATOR)
def tv(circle_id: UUID, tournament_id: UUID) -> str:
    """Show the standings and the tables on a big screen, page after page by itself."""
    page = tournament_page(circle_id, tournament_id)
    tables = page.current.tables if page.current and not page.evening.over else []
    count = max(-(-len(page.places) // MOST_PLACES), -(-len(tables) // MOST_TABLES), 1)
    at = request.args.get("page", 0, type=int) % count
    return render_template(
        "tournament/tv.html",
        page=page,
        evening=page.evening,
        here={"circle_id": circle_id, "tournament_id": tournament_id},
        places=page.places[at * MOST_PLACES : (at + 1) * MOST_PLACES],
        tables=tables[at * MOST_TABLES : (at + 1) * MOST_TABLES],
        following=(at + 1) % count,
        seconds=SHOWN,
    )


@pages.get(f"{TOURNAMENT}/paper", least=Role.SPECTATOR)
def paper(circle_id: UUID, tournament_id: UUID) -> str:
    """Show what hangs on the wall and lies on the tables, to be printed."""
    page = tournament_page(circle_id, tournament_id)
    tables = page.current.tables if page.current else []
    seated = ((person, table.number) for table in tables for person in table.people)
    use_whole_names()
    return render_template(
        "tournament/paper.html",
        page=page,
        evening=page.evening,
        here={"circle_id": circle_id, "tournament_id": tournament_id},
        seated=sorted(seated, key=lambda seat: seat[0].casefold()),
        slips={t.number: slip_of(circle_id, t.session_id) for t in tables if t.session_id},
    )


@pages.post(f"{TOURNAMENT}/public", least=Role.SCOREKEEPER, logged="page-published")
def publish_page(circle_id: UUID, tournament_id: UUID) -> ResponseReturnValue:
    """Make a public page, with names only where that is chosen."""
    names, by = NamesForm.sent().names.chosen == "full", current_holder()
    public_pages.publish_tournament(circle_id, tournament_id, names=names, by=by)
    return redirect(f"{tournament_url(circle_id, tournament_id)}#public", HTTPStatus.SEE_OTHER)


@pages.post(
    f"{TOURNAMENT}/public/<uuid:page_id>/revoke", least=Role.SCOREKEEPER, logged="page-revoked"
)
def revoke_page(circle_id: UUID, tournament_id: UUID, page_id: UUID) -> ResponseReturnValue:
    public_pages.revoke(circle_id, tournament_id, page_id, by=current_holder())
    return redirect(f"{tournament_url(circle_id, tournament_id)}#public", HTTPStatus.SEE_OTHER)


@pages.get(f"{TOURNAMENT}/standings.csv", least=Role.SPECTATOR, limit="download")
def standings(circle_id: UUID, tournament_id: UUID) -> Response:
    """Send the standings as a table."""
    page = tournament_page(circle_id, tournament_id)
    return downloads.table(_rows(page), (), page.evening.name, "csv")


def _rows(page: TournamentPage) -> Iterator[Row]:
    yield [
        *(say("Place"), say("Name"), say("Points"), say("Tables")),
        *(say("Scored"), say("Difference")),
    ]
    for line in page.places:
        figures = line.points, line.played, line.scored, line.difference
        yield [line.place, page.evening.by_id[line.entry].name, *figures]
