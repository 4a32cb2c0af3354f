"""Pages of players: the list, one player, two players compared, ratings, and merging."""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import TypeVar
from uuid import UUID

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, lazy_gettext
from wtforms import BooleanField
from wtforms.validators import InputRequired

from scorer.errors import NotFoundError
from scorer.games import find_game
from scorer.roles import Role
from scorer.routes import Routes
from scorer.rules.questions import body_of
from scorer.services.circle import names as journal_names
from scorer.services.circle import players
from scorer.services.figures.badges import badges
from scorer.services.figures.figures import CircleFigures, circle_figures, summaries
from scorer.services.figures.ratings import NEWCOMER, game_ratings, rating_moves, rating_of
from scorer.services.figures.standings import heads_to_head
from scorer.storage.models import Player
from scorer.web.base.access import current_holder
from scorer.web.base.fields import UUIDField
from scorer.web.base.forms import BodyForm, PageForm
from scorer.web.base.pages import CIRCLE
from scorer.web.figures.records import game_shown, player_record, record_lines
from scorer.web.figures.searching import asked_standings, of_day, search_url

#: Evenings, or deals of a rating, on a page.
ROWS = 40
PLAYER = "/players/<uuid:player_id>"

T = TypeVar("T")

pages = Routes("players", __name__, url_prefix=CIRCLE)


class PlayerForm(BodyForm):
    """The name and the nickname of a player, each sent by a button of its own."""

    body_type = body_of("Names", players.rename, players.set_nickname)


class MergeForm(PageForm):
    """Two players who are one person, and the tick that confirms it."""

    other = UUIDField(validators=[InputRequired(lazy_gettext("Choose another name"))])
    sure = BooleanField(
        lazy_gettext("They are one person"), [InputRequired(lazy_gettext("Tick this first."))]
    )


@pages.get("/standings", least=Role.SPECTATOR, kept=True)
def standings(circle_id: UUID) -> ResponseReturnValue:
    """Show the standings in a game over a span of days, and the records."""
    asked = asked_standings(circle_id)
    shown = asked["standings"]
    records = list(record_lines(circle_id, shown)) if shown else []
    page = render_template("figures/standings.html", records=records, **asked)
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if asked["problems"] else HTTPStatus.OK


@pages.get("/players/", least=Role.SPECTATOR, kept=True)
def index(circle_id: UUID) -> ResponseReturnValue:
    listed = summaries(circle_id)
    return render_template(
        "figures/players.html",
        players=[row for row in listed if row.player.retired_at is None],
        retired=[row for row in listed if row.player.retired_at is not None],
    )


@pages.get(f"{PLAYER}/", least=Role.SPECTATOR, kept=True)
def show(circle_id: UUID, player_id: UUID) -> str:
    return _player_page(circle_id, player_id)


def _player_page(circle_id: UUID, player_id: UUID, sent: PlayerForm | None = None) -> str:
    """Show a player; a form that was ``sent`` is shown again with its problems."""
    player, figures = players.find(circle_id, player_id), circle_figures(circle_id)
    record = player_record(figures, player)
    game = record.game.slug if record else ""
    return render_template(
        "figures/player.html",
        player=player,
        record=record,
        rating=rating_of(figures, player_id, game),
        badges=badges(figures, player_id, game) if game else [],
        with_others=record.others(heads_to_head(figures, player_id, game)) if record else [],
        others=len(figures.names) - 1,
        former_names=journal_names.former_names_of(circle_id, player_id),
        form=sent or PlayerForm(obj=player),
        may_nickname=players.may_nickname(player_id, current_holder()),
    )


def shown_figures(circle_id: UUID, player_id: UUID) -> tuple[Player, CircleFigures, str]:
    """Return a player, the figures, and the game shown; raise NotFoundError before a deal."""
    player, figures = players.find(circle_id, player_id), circle_figures(circle_id)
    slug = game_shown(figures, player_id)
    if not slug:
        raise NotFoundError
    return player, figures, slug


@pages.get(f"{PLAYER}/evenings/", least=Role.SPECTATOR)
def evenings(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """List the evenings of a player, newest first, with the balance of the chart."""
    player, figures, slug = shown_figures(circle_id, player_id)
    lifetime = figures.lifetime(slug, player_id)
    newest = list(zip(lifetime.evenings, lifetime.balances, strict=True))[::-1]
    shown, page, older = _page_of(newest)
    search = {"player": str(player_id), "game": slug}
    rows = [
        (evening, balance, search_url(circle_id, **search, **of_day(evening.day)))
        for evening, balance in shown
    ]
    return render_template(
        "figures/player_evenings.html",
        player=player,
        game=slug,
        by_balance=figures.by_balance(slug),
        lowest_leads=figures.lowest_leads(slug),
        rows=rows,
        page=page,
        older=older,
    )


def _page_of(newest: Sequence[T]) -> tuple[Sequence[T], int, bool]:
    """Return the rows of the page in the address, its number, and whether there are older ones."""
    page = max(1, request.args.get("page", 1, type=int))
    return newest[(page - 1) * ROWS : page * ROWS], page, page * ROWS < len(newest)


@pages.get("/rating", least=Role.SPECTATOR)
def ratings(circle_id: UUID) -> ResponseReturnValue:
    ratings = game_ratings(circle_id, request.args.get("game", ""))
    return render_template(
        "figures/ratings.html",
        ratings=ratings,
        games=[find_game(slug) for slug in ratings.games] if ratings else [],
        names=players.names(circle_id),
        newcomer=NEWCOMER,
    )


@pages.get(f"{PLAYER}/rating", least=Role.SPECTATOR)
def rating(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Show the rating of a player, and its moves, newest first."""
    player = players.find(circle_id, player_id)
    ratings = game_ratings(circle_id, request.args.get("game", ""))
    figures = circle_figures(circle_id)
    newest = rating_moves(figures, player_id, ratings.game)[::-1] if ratings else []
    if ratings is None or not newest:
        raise NotFoundError
    moves, page, older = _page_of(newest)
    return render_template(
        "figures/rating.html",
        player=player,
        game=ratings.game,
        games=[find_game(slug) for slug in ratings.games],
        rating=newest[0].after,
        deals=len(newest),
        moves=moves,
        page=page,
        older=older,
    )


@pages.post(f"{PLAYER}/rename", least=Role.SCOREKEEPER)
def rename(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    player = players.find(circle_id, player_id)
    form, before = PlayerForm(request.form, nickname=player.nickname), player.name
    by, name = current_holder(), form.answers["name"]
    if not form.attempt(players.rename, circle_id, player_id, name, by=by):
        return _player_page(circle_id, player_id, form), HTTPStatus.UNPROCESSABLE_ENTITY
    after = players.find(circle_id, player_id).name
    message = gettext("%(before)s is called %(after)s now.", before=before, after=after)
    return _back(circle_id, player_id, message)


@pages.post(f"{PLAYER}/nickname", least=Role.PLAYER, limit="nickname")
def set_nickname(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    player = players.find(circle_id, player_id)
    form, by = PlayerForm(request.form, name=player.name), current_holder()
    nickname = form.answers["nickname"]
    if not form.attempt(players.set_nickname, circle_id, player_id, nickname, by=by):
        return _player_page(circle_id, player_id, form), HTTPStatus.UNPROCESSABLE_ENTITY
    return _back(circle_id, player_id, gettext("The nickname is kept."))


@pages.post(f"{PLAYER}/retire", least=Role.SCOREKEEPER)
def retire(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    players.retire(circle_id, player_id, by=current_holder())
    name = players.find(circle_id, player_id).name
    message = gettext("%(name)s is not offered for new sessions any more.", name=name)
    return _back(circle_id, player_id, message)


@pages.post(f"{PLAYER}/return", least=Role.SCOREKEEPER)
def bring_back(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    players.bring_back(circle_id, player_id, by=current_holder())
    name = players.find(circle_id, player_id).name
    return _back(circle_id, player_id, gettext("%(name)s is back.", name=name))


@pages.get(f"{PLAYER}/merge", least=Role.OWNER)
def merge(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Show the form to choose who else is the same person, and the two side by side."""
    players.find(circle_id, player_id)
    return _merge_page(circle_id, player_id, MergeForm(other=request.args.get("other", type=UUID)))


@pages.post(f"{PLAYER}/merge", least=Role.OWNER, logged="players-merged")
def merge_sent(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Merge two players, if the box is ticked."""
    form = MergeForm(request.form)
    name = players.find(circle_id, player_id).name
    other_id = form.other.data or player_id
    gone = players.find(circle_id, other_id).name
    merge = partial(players.merge, circle_id, player_id, other_id, by=current_holder())
    if not (form.validate() and form.attempt(merge)):
        return _merge_page(circle_id, player_id, form), HTTPStatus.UNPROCESSABLE_ENTITY
    message = gettext("%(other)s and %(name)s are one player now: %(name)s.", other=gone, name=name)
    return _back(circle_id, player_id, message)


def _merge_page(circle_id: UUID, player_id: UUID, form: MergeForm) -> str:
    listed = {row.player.player_id: row for row in summaries(circle_id)}
    other = listed.get(form.other.data) if form.other.data else None
    if other and not form.other.errors:
        form.refuse(players.merge_problems(circle_id, player_id, other.player.player_id))
    return render_template(
        "figures/merge.html",
        player=listed[player_id].player,
        other=other and other.player,
        pair=(listed[player_id], other),
        others=[row for key, row in listed.items() if key not in (player_id, form.other.data)],
        form=form,
    )


def _back(circle_id: UUID, player_id: UUID, message: str) -> ResponseReturnValue:
    flash(message, "ok")
    address = url_for("players.show", circle_id=circle_id, player_id=player_id)
    return redirect(address, HTTPStatus.SEE_OTHER)
