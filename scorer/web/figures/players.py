"""Pages of players: the list, one of them, two of them, and merging."""

from http import HTTPStatus
from uuid import UUID

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorer.errors import InvalidError, NotFoundError
from scorer.routes import Routes
from scorer.services.base.roles import Role
from scorer.services.circle import names as journal_names
from scorer.services.circle import players
from scorer.services.figures.figures import circle_figures
from scorer.services.figures.player import summaries
from scorer.services.figures.ratings import rating_of
from scorer.services.figures.standings import HeadToHead, badges, heads_to_head
from scorer.storage.models import Player
from scorer.web.base.access import current_holder
from scorer.web.base.forms import NameForm
from scorer.web.base.pages import CIRCLE
from scorer.web.figures.forms import MergeForm, NicknameForm
from scorer.web.figures.records import games_of, player_record
from scorer.web.figures.searching import of_day, search_url

#: Evenings on a page of the table.
EVENINGS = 40

pages = Routes("players", __name__, url_prefix=f"{CIRCLE}/players")


@pages.get("/", least=Role.SPECTATOR, kept=True)
def index(circle_id: UUID) -> ResponseReturnValue:
    """List the players of a circle, retired ones apart."""
    listed = summaries(circle_id)
    return render_template(
        "figures/players.html",
        players=[player for player in listed if player.retired_at is None],
        retired=[player for player in listed if player.retired_at is not None],
    )


@pages.get("/<uuid:player_id>/", least=Role.SPECTATOR, kept=True)
def show(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Show a player."""
    player = players.find(circle_id, player_id)
    return _player_page(player, NameForm(name=player.name))


def _player_page(player: Player, form: NameForm, nicknamed: NicknameForm | None = None) -> str:
    names = players.names(player.circle_id)
    record = player_record(player.circle_id, player.player_id, names, request.args.get("game", ""))
    game = record.game.slug if record else ""
    return render_template(
        "figures/player.html",
        player=player,
        record=record,
        rating=rating_of(player.circle_id, player.player_id, game),
        badges=badges(player.circle_id, player.player_id, game) if game else [],
        heads=heads_to_head(player.circle_id, player.player_id, game),
        names=names,
        others=len(names) - 1,
        former_names=journal_names.former_names_of(player.circle_id, player.player_id),
        form=form,
        nickname_form=nicknamed or NicknameForm(nickname=player.nickname),
        may_nickname=players.may_nickname(player.player_id, current_holder()),
    )


@pages.get("/<uuid:player_id>/with/<uuid:other_id>", least=Role.SPECTATOR)
def with_other(circle_id: UUID, player_id: UUID, other_id: UUID) -> ResponseReturnValue:
    """Show the deals of two players together and against each other."""
    player, other = players.find(circle_id, player_id), players.find(circle_id, other_id)
    slug = _game(circle_id, player_id)
    if other_id == player_id:
        raise NotFoundError(other_id)
    return render_template(
        "figures/with.html",
        player=player,
        other=other,
        game=slug or None,
        tally=heads_to_head(circle_id, player_id, slug).get(other_id, HeadToHead()),
        deals=search_url(circle_id, player=str(player_id), **{"with": str(other_id)}, game=slug),
    )


@pages.get("/<uuid:player_id>/evenings/", least=Role.SPECTATOR)
def evenings(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """List the evenings of a player, newest first, with the balance of the chart."""
    player = players.find(circle_id, player_id)
    slug = _game(circle_id, player_id)
    if not slug:
        raise NotFoundError(player_id)
    figures = circle_figures(circle_id)
    lifetime = figures.lifetime(slug, player_id)
    page = max(1, request.args.get("page", 1, type=int))
    newest = list(zip(lifetime.evenings, lifetime.balances, strict=True))[::-1]
    search = {"player": str(player_id), "game": slug}
    rows = [
        (evening, balance, search_url(circle_id, **search, **of_day(evening.day)))
        for evening, balance in newest[(page - 1) * EVENINGS : page * EVENINGS]
    ]
    return render_template(
        "figures/player_evenings.html",
        player=player,
        game=slug,
        lowest_leads=figures.lowest_leads(slug),
        rows=rows,
        page=page,
        older=page * EVENINGS < len(newest),
    )


def _game(circle_id: UUID, player_id: UUID) -> str:
    """Return the game of the address, by default the player's most played; "" before one."""
    games, wanted = games_of(circle_id, player_id), request.args.get("game", "")
    return wanted if wanted in games else next(iter(games), "")


@pages.post("/<uuid:player_id>/rename", least=Role.SCOREKEEPER)
def rename(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    form = NameForm(request.form)
    before = players.find(circle_id, player_id).name
    try:
        players.rename(circle_id, player_id, form.name.data or "", by=current_holder())
    except InvalidError as error:
        form.refuse(error.problems)
        page = _player_page(players.find(circle_id, player_id), form)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    after = players.find(circle_id, player_id).name
    return _back(
        circle_id,
        player_id,
        gettext("%(before)s is called %(after)s now.", before=before, after=after),
    )


@pages.post("/<uuid:player_id>/nickname", least=Role.PLAYER, limit="nickname")
def set_nickname(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    form = NicknameForm(request.form)
    player = players.find(circle_id, player_id)
    nickname = form.nickname.data or ""
    try:
        players.set_nickname(circle_id, player_id, nickname, by=current_holder())
    except InvalidError as error:
        form.refuse(error.problems)
        page = _player_page(player, NameForm(name=player.name), form)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    return _back(circle_id, player_id, gettext("The nickname is kept."))


@pages.post("/<uuid:player_id>/retire", least=Role.SCOREKEEPER)
def retire(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    players.retire(circle_id, player_id, by=current_holder())
    name = players.find(circle_id, player_id).name
    message = gettext("%(name)s is not offered for new sessions any more.", name=name)
    return _back(circle_id, player_id, message)


@pages.post("/<uuid:player_id>/return", least=Role.SCOREKEEPER)
def bring_back(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    players.bring_back(circle_id, player_id, by=current_holder())
    name = players.find(circle_id, player_id).name
    return _back(circle_id, player_id, gettext("%(name)s is back.", name=name))


@pages.get("/<uuid:player_id>/merge", least=Role.OWNER)
def merge(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Ask who else is the same person, and show the two side by side."""
    players.find(circle_id, player_id)
    return _merge_page(circle_id, player_id, MergeForm(other=request.args.get("other", type=UUID)))


@pages.post("/<uuid:player_id>/merge", least=Role.OWNER, logged="players-merged")
def merge_sent(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Merge two players, if the box is ticked."""
    form = MergeForm(request.form)
    name = players.find(circle_id, player_id).name
    other_id = form.other.data or player_id
    gone = players.find(circle_id, other_id).name
    try:
        if form.validate():
            players.merge(circle_id, player_id, other_id, by=current_holder())
    except InvalidError as error:
        form.refuse(error.problems)
    if form.errors:
        return _merge_page(circle_id, player_id, form), HTTPStatus.UNPROCESSABLE_ENTITY
    message = gettext("%(other)s and %(name)s are one player now: %(name)s.", other=gone, name=name)
    return _back(circle_id, player_id, message)


def _merge_page(circle_id: UUID, player_id: UUID, form: MergeForm) -> str:
    listed = {player.player_id: player for player in summaries(circle_id)}
    other = listed.get(form.other.data) if form.other.data else None
    if other and not form.other.errors:
        form.refuse(players.merge_problems(circle_id, player_id, other.player_id))
    return render_template(
        "figures/merge.html",
        player=listed[player_id],
        other=other,
        others=[player for key, player in listed.items() if key != player_id],
        form=form,
    )


def _back(circle_id: UUID, player_id: UUID, message: str) -> ResponseReturnValue:
    flash(message, "ok")
    address = url_for("players.show", circle_id=circle_id, player_id=player_id)
    return redirect(address, HTTPStatus.SEE_OTHER)
