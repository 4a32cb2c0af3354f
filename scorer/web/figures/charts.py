"""Charts and pictures, kept by the browser for as long as their content stays the same."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, is_dataclass, replace
from functools import partial
from itertools import accumulate
from typing import Any
from uuid import UUID

from flask import Response, request
from flask.typing import ResponseReturnValue
from flask_babel import format_date, get_locale, gettext

from scorer import charts
from scorer.errors import NotFoundError, existing
from scorer.games import find_game
from scorer.roles import Role
from scorer.routes import Routes
from scorer.rules.seats import named
from scorer.services.base.caching import LRUCache
from scorer.services.circle import players
from scorer.services.deals.score_sheet import chart_balances
from scorer.services.figures.figures import circle_figures
from scorer.services.figures.ratings import game_ratings, rating_moves
from scorer.services.session.state import load_state
from scorer.web.base.access import short_name
from scorer.web.base.filters import called, in_words
from scorer.web.base.pages import CIRCLE, SESSION
from scorer.web.figures.players import shown_figures
from scorer.web.figures.records import level_tallies

USUAL_WIDTH = 360
DAY = "d MMM y"

pages = Routes("charts", __name__)
#: Up to 6 MB of drawn charts: one takes 50 to 150 ms, and every phone of a table asks for the same
#: after each deal.
_drawn: LRUCache[bytes] = LRUCache(6_000_000, len)


@pages.get(f"{SESSION}/chart.svg", least=Role.SPECTATOR, kept=True)
def balances(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    state = load_state(circle_id, session_id)
    names = [short_name(name) for name in state.names]
    shown = (session_id, state.row.version, names, state.marks, called(state.row))

    def draw(*, width: int, theme: str) -> bytes:
        names = ", ".join(in_words(named(side, state.names)) for side in state.sides)
        wording = charts.Wording(
            title=gettext("Balances: %(title)s", title=called(state.row)),
            description=gettext("The running balance of %(names)s, deal by deal.", names=names),
            deals=gettext("deals"),
            amended=gettext("amended"),
            no_deals=gettext("No deals yet"),
            names_format=gettext("%(names)s and %(last)s"),
        )
        balances = with_short_names(chart_balances(state))
        return charts.balance_chart(balances, wording, width=width, theme=theme)

    return _answer(shown, draw)


@pages.get(f"{CIRCLE}/players/<uuid:player_id>/balance.svg", least=Role.SPECTATOR, kept=True)
def lifetime(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    player, figures, slug = shown_figures(circle_id, player_id)
    life, lowest = figures.lifetime(slug, player_id), figures.lowest_leads(slug)
    shown, title = life.evenings, gettext("Balance of %(name)s", name=player.name)
    description = gettext("The balance of %(name)s, session by session.", name=player.name)
    points = tuple(evening.points for evening in shown)
    if not figures.by_balance(slug):
        shown, lowest = existing(life.ended or None), False
        points = tuple(map(int, life.won))
        title = gettext("Sessions won by %(name)s", name=player.name)
        description = gettext("The sessions that %(name)s has won, one by one.", name=player.name)
    days = [evening.day for evening in shown]
    chart = charts.ChartLine(
        points=(0, *accumulate(points)),
        first=format_date(days[0], DAY),
        last=format_date(days[-1], DAY) if len(days) > 1 else "",
        title=title,
        description=description,
        lower_is_better=lowest,
        counted=not figures.by_balance(slug),
    )
    return _answer(chart, partial(charts.line_chart, chart))


@pages.get(f"{CIRCLE}/players/<uuid:player_id>/bids.svg", least=Role.SPECTATOR, kept=True)
def levels(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Draw how many of a player's calls were made, level by level."""
    player, figures, slug = shown_figures(circle_id, player_id)
    counted = level_tallies(find_game(slug), figures.lifetime(slug, player_id))
    if not counted:
        raise NotFoundError
    chart = charts.Levels(
        rows=tuple(
            charts.LevelCount(in_words(level.name), tally.made, tally.deals)
            for level, tally in counted
        ),
        title=gettext("Calls of %(name)s", name=player.name),
        description=gettext("How many calls of each level were made, and how sure that is."),
    )
    return _answer(chart, partial(charts.levels_chart, chart))


@pages.get(f"{CIRCLE}/players/<uuid:player_id>/rating.svg", least=Role.SPECTATOR)
def rating(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Draw how the rating of a player moved, deal by deal."""
    name = players.find(circle_id, player_id).name
    listed = game_ratings(circle_id, request.args.get("game", ""))
    figures = circle_figures(circle_id)
    moves = rating_moves(figures, player_id, listed.game) if listed else []
    if not moves:
        raise NotFoundError
    ratings = [moves[0].before, *(move.after for move in moves)]
    first, last = (format_date(moves[end].place.day, DAY) for end in (0, -1))
    chart = charts.ChartLine(
        points=tuple(rating.points for rating in ratings),
        margins=tuple(rating.margin for rating in ratings),
        first=first,
        last="" if last == first else last,
        title=gettext("Rating of %(name)s", name=name),
        description=gettext(
            "The rating of %(name)s, deal by deal, and how far off it may be.", name=name
        ),
    )
    return _answer(chart, partial(charts.line_chart, chart))


def with_short_names(balances: charts.Balances) -> charts.Balances:
    lines = (replace(line, names=tuple(map(short_name, line.names))) for line in balances.lines)
    return replace(balances, lines=tuple(lines))


def _answer(shown: object, draw: Callable[..., bytes]) -> Response:
    width = request.args.get("width", USUAL_WIDTH, type=int)
    chart = partial(draw, width=width)
    return drawn_answer((shown, width), chart, "image/svg+xml")


def drawn_answer(
    shown: object, draw: Callable[..., bytes], mimetype: str = "image/png"
) -> Response:
    """Answer with what ``draw(theme=…)`` returns, drawn once for equal content and language."""
    theme = "dark" if request.args.get("theme") == "dark" else "light"
    response = Response(mimetype=mimetype)
    version = json.dumps((shown, theme, str(get_locale())), default=_plain)
    tag = hashlib.sha256(version.encode()).hexdigest()[:32]
    response.set_etag(tag)
    response.cache_control.no_cache = True
    response.cache_control.private = True
    response.make_conditional(request)
    if response.status_code != 304:
        response.set_data(_drawn.get(tag, partial(draw, theme=theme)))
    return response


def _plain(value: Any) -> Any:
    """Return a dataclass as a dictionary, and any other value that JSON lacks as text."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)
