"""Pages of the seasons: the calendar of a circle, and one season with its awards."""

import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Self
from uuid import UUID, uuid4

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_date, gettext, lazy_gettext
from wtforms import StringField

from scorer.roles import Role
from scorer.routes import Routes
from scorer.rules.questions import body_of
from scorer.services.figures import seasons
from scorer.services.figures.seasons import SeasonPage, SeasonSpan
from scorer.services.figures.standings import CircleStandings
from scorer.services.tournament.season import tournament_seasons
from scorer.texts import as_it_is, joined, say
from scorer.tournaments.standings import SeasonPoints
from scorer.web.base.access import current_holder
from scorer.web.base.fields import WholeField, whole
from scorer.web.base.forms import BodyForm, PageForm
from scorer.web.base.pages import CIRCLE
from scorer.web.figures.records import RecordLine, record_lines
from scorer.web.figures.searching import search_url

pages = Routes("seasons", __name__, url_prefix=f"{CIRCLE}/seasons")


class SeasonForm(BodyForm):
    """A season with a name and a span of days."""

    body_type, ids = seasons.NewSeason, "season-"


class NameForm(BodyForm):
    """The new name of a season."""

    body_type = body_of("SeasonName", seasons.rename_season)


class SeasonPointsForm(PageForm):
    """What the places of the tournaments of a season are worth, and how many count."""

    points = StringField(lazy_gettext("Points of each place, the first one first"), default="")
    best = WholeField(lazy_gettext("How many tournaments count; without a number all"))

    @classmethod
    def of(cls, points: SeasonPoints) -> Self:
        return cls(points=" ".join(map(str, points.values)), best=points.best)


def called(season: SeasonSpan) -> str:
    """Return the name of a season; a month has that of the calendar."""
    return season.name or str(format_date(season.first, "LLLL y")).capitalize()


@pages.get("/", least=Role.SPECTATOR)
def index(circle_id: UUID) -> ResponseReturnValue:
    """Show the evenings of a year by month, and the seasons that have a name."""
    return _index_page(circle_id, SeasonForm(key=uuid4()))


def _index_page(circle_id: UUID, form: SeasonForm) -> str:
    return render_template(
        "figures/seasons.html",
        calendar=seasons.calendar(circle_id, request.args.get("year", type=int)),
        called=called,
        form=form,
    )


@pages.post("/", least=Role.OWNER, logged="season-named")
def name_sent(circle_id: UUID) -> ResponseReturnValue:
    form, by = SeasonForm(request.form), current_holder()
    if not (form.validate() and form.attempt(seasons.name_season, circle_id, form.body, by=by)):
        return _index_page(circle_id, form), HTTPStatus.UNPROCESSABLE_ENTITY
    return _to_season(circle_id, form.body.key)


def _to_season(circle_id: UUID, season_id: UUID) -> ResponseReturnValue:
    address = url_for("seasons.show", circle_id=circle_id, key=season_id)
    return redirect(address, HTTPStatus.SEE_OTHER)


@pages.post("/<uuid:season_id>/rename", least=Role.OWNER, logged="season-named")
def rename(circle_id: UUID, season_id: UUID) -> ResponseReturnValue:
    form = NameForm(request.form)
    by, name = current_holder(), form.answers["name"]
    if not form.attempt(seasons.rename_season, circle_id, season_id, name, by=by):
        return _season_page(circle_id, str(season_id), form), HTTPStatus.UNPROCESSABLE_ENTITY
    return _to_season(circle_id, season_id)


@pages.post("/<uuid:season_id>/points", least=Role.OWNER, logged="season-named")
def set_points(circle_id: UUID, season_id: UUID) -> ResponseReturnValue:
    """Set what the places of the tournaments are worth."""
    form, by = SeasonPointsForm(request.form), current_holder()
    values = [whole(word) for word in re.findall(r"[^\s,;]+", form.points.data or "")]
    key = circle_id, season_id
    if not form.validate() or not form.attempt(
        seasons.set_season_points, *key, values, form.best.data, by=by
    ):
        page = _season_page(circle_id, str(season_id), points_form=form)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    return _to_season(circle_id, season_id)


@pages.post("/<uuid:season_id>/drop", least=Role.OWNER, logged="season-dropped")
def drop(circle_id: UUID, season_id: UUID) -> ResponseReturnValue:
    seasons.drop_season(circle_id, season_id, by=current_holder())
    flash(gettext("The season is gone. What was played in it stays."), "ok")
    return redirect(url_for("seasons.index", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.get("/<key>", least=Role.SPECTATOR)
def show(circle_id: UUID, key: str) -> ResponseReturnValue:
    return _season_page(circle_id, key)


def _season_page(
    circle_id: UUID,
    key: str,
    form: NameForm | None = None,
    points_form: SeasonPointsForm | None = None,
) -> str:
    page = seasons.season_page(circle_id, key, request.args.get("game", ""))
    return render_template(
        "figures/season.html",
        page=page,
        name=called(page.season),
        form=form or NameForm(name=page.season.name),
        points_form=points_form or SeasonPointsForm.of(page.season.points),
        tournaments=tournament_seasons(circle_id, page.season),
        opened=request.args.get("open", ""),
        awards=list(_awards(circle_id, page, page.standings)) if page.standings else [],
    )


def _awards(circle_id: UUID, page: SeasonPage, standings: CircleStandings) -> Iterator[RecordLine]:
    season = page.season
    span = {"from": season.first.isoformat(), "to": season.last.isoformat()}
    yield from record_lines(circle_id, standings, **span)
    if len(standings.games) > 1:
        span["game"] = standings.game.slug
    if page.most_deals:
        url = search_url(circle_id, player=str(page.most_deals.player_id), state="stands", **span)
        figure = as_it_is(str(page.most_deals.figure))
        yield RecordLine(say("Most deals"), joined(page.most_deals.names), figure, url)
    if page.best_pair:
        pair = page.best_pair
        names = {ranked.player.player_id: ranked.player.name for ranked in standings.places}
        who = {"player": str(pair.caller_id), "role": "caller"}
        url = search_url(
            circle_id, **who, **{"with": str(pair.partner_id), "part": "partner"}, **span
        )
        figure = say("made %(made)s of %(deals)s", made=pair.made, deals=pair.deals)
        both = gettext(
            "%(caller)s with %(partner)s",
            caller=names[pair.caller_id],
            partner=names[pair.partner_id],
        )
        yield RecordLine(say("Best pair"), both, figure, url)
