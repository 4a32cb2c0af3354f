"""Pages of players: who there is, one of them, and two who are made one."""

from __future__ import annotations

from collections import Counter
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext

from scorer.errors import InvalidError, NotFoundError
from scorer.games import find_game
from scorer.services import players
from scorer.services.figures import circle_figures
from scorer.storage import queries
from scorer.web.records import games_of, of_day, record_view
from scorer.web.searching import search_url
from scorer.web.views import by_field, circle_view

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from flask.typing import ResponseReturnValue

    from scorer.errors import Problem
    from scorer.services.figures import CircleFigures
    from scorer.storage.models import Player

#: So many evenings are a page of the table.
EVENINGS = 40

pages = Blueprint("players", __name__, url_prefix="/circles/<uuid:circle_id>/players")


class PlayerView(NamedTuple):
    """A player: since when, on how many evenings, and the balance in the game played most."""

    player_id: UUID
    name: str
    created_at: datetime
    retired_at: datetime | None
    balance: int
    evenings: int
    last: date | None
    phones: int


@pages.get("/")
def index(circle_id: UUID) -> ResponseReturnValue:
    """List the players of a circle, those who retired apart."""
    listed = player_views(circle_id)
    return render_template(
        "players/index.html",
        circle=circle_view(circle_id),
        players=[one for one in listed if one.retired_at is None],
        retired=[one for one in listed if one.retired_at is not None],
    )


def player_views(circle_id: UUID) -> list[PlayerView]:
    """Show every player of a circle, by name."""
    figures = circle_figures(circle_id)
    held = Counter(
        phone.player_id for phone in queries.phones(circle_id) if phone.revoked_at is None
    )
    return [
        _player_view(figures, player, held[player.player_id])
        for player in queries.players(circle_id)
    ]


def _player_view(figures: CircleFigures, player: Player, phones: int) -> PlayerView:
    lifetimes = {slug: figures.lifetime(slug, player.player_id) for slug in figures.games}
    days = {evening.day for life in lifetimes.values() for evening in life.evenings}
    main = figures.main_game
    return PlayerView(
        player.player_id,
        player.name,
        player.created_at,
        player.retired_at,
        lifetimes[main].record.everything.points if main else 0,
        len(days),
        max(days, default=None),
        phones,
    )


@pages.get("/<uuid:player_id>/")
def show(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Show a player."""
    return _player_page(players.find(circle_id, player_id))


def _player_page(player: Player, problems: Sequence[Problem] = ()) -> str:
    names = {one.player_id: one.name for one in queries.players(player.circle_id)}
    record = record_view(player.circle_id, player.player_id, names, request.args.get("game", ""))
    return render_template(
        "players/show.html",
        circle=circle_view(player.circle_id),
        player=player,
        record=record,
        others=len(names) - 1,
        typed=request.form.get("name", player.name),
        problems=by_field(problems, {}),
    )


@pages.get("/<uuid:player_id>/evenings/")
def evenings(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """List the evenings of a player, newest first: the numbers of the chart of the balance."""
    player = players.find(circle_id, player_id)
    games = games_of(circle_id, player_id)
    slug = request.args.get("game", "")
    if not games:
        raise NotFoundError(player_id)
    slug = slug if slug in games else games[0]
    lifetime = circle_figures(circle_id).lifetime(slug, player_id)
    page = max(1, request.args.get("page", 1, type=int))
    newest = list(zip(lifetime.evenings, lifetime.balances, strict=True))[::-1]
    asked = {"player": str(player_id), "game": slug}
    rows = [
        (evening, balance, search_url(circle_id, **asked, **of_day(evening.day)))
        for evening, balance in newest[(page - 1) * EVENINGS : page * EVENINGS]
    ]
    return render_template(
        "players/evenings.html",
        circle=circle_view(circle_id),
        player=player,
        game=slug,
        lowest_leads=find_game(slug).lowest_leads,
        rows=rows,
        page=page,
        older=page * EVENINGS < len(newest),
    )


@pages.post("/<uuid:player_id>/rename")
def rename(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Call a player by another name."""
    before = players.find(circle_id, player_id).name
    try:
        players.rename(circle_id, player_id, request.form.get("name", ""))
    except InvalidError as error:
        page = _player_page(players.find(circle_id, player_id), error.problems)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    after = players.find(circle_id, player_id).name
    return _back(
        circle_id,
        player_id,
        gettext("%(before)s is called %(after)s now.", before=before, after=after),
    )


@pages.post("/<uuid:player_id>/retire")
def retire(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Offer a player for new sessions no longer."""
    players.retire(circle_id, player_id)
    name = players.find(circle_id, player_id).name
    said = gettext("%(name)s is not offered for new sessions any more.", name=name)
    return _back(circle_id, player_id, said)


@pages.post("/<uuid:player_id>/return")
def bring_back(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Offer a retired player again."""
    players.bring_back(circle_id, player_id)
    name = players.find(circle_id, player_id).name
    return _back(circle_id, player_id, gettext("%(name)s is back.", name=name))


@pages.get("/<uuid:player_id>/merge")
def merge(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Ask who else is the same person, and show the two side by side."""
    players.find(circle_id, player_id)
    return _merge_page(circle_id, player_id, request.args.get("other", type=UUID))


@pages.post("/<uuid:player_id>/merge")
def merge_sent(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Make one of the two, once that was ticked."""
    name = players.find(circle_id, player_id).name
    other_id = request.form.get("other", player_id, type=UUID)
    gone = players.find(circle_id, other_id).name
    sure = "sure" in request.form
    try:
        if sure:
            players.merge(circle_id, player_id, other_id)
    except InvalidError:
        sure = False
    if not sure:
        page = _merge_page(circle_id, player_id, other_id, unsure="sure" not in request.form)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    said = gettext("%(other)s and %(name)s are one player now: %(name)s.", other=gone, name=name)
    return _back(circle_id, player_id, said)


def _merge_page(
    circle_id: UUID, player_id: UUID, other_id: UUID | None, *, unsure: bool = False
) -> str:
    listed = {one.player_id: one for one in player_views(circle_id)}
    other = listed.get(other_id) if other_id else None
    problems = players.merge_problems(circle_id, player_id, other.player_id) if other else []
    return render_template(
        "players/merge.html",
        circle=circle_view(circle_id),
        player=listed[player_id],
        other=other,
        others=[one for key, one in listed.items() if key != player_id],
        unsure=unsure,
        problems=by_field(problems, {}),
    )


def _back(circle_id: UUID, player_id: UUID, said: str) -> ResponseReturnValue:
    flash(said, "ok")
    address = url_for("players.show", circle_id=circle_id, player_id=player_id)
    return redirect(address, HTTPStatus.SEE_OTHER)
