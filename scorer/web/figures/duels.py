"""Two players: how often each finished in front, what they did together and against each other."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from flask import render_template
from flask.typing import ResponseReturnValue
from flask_babel import format_date, gettext, ngettext

from scorer import charts
from scorer.errors import NotFoundError
from scorer.roles import Role
from scorer.routes import Routes
from scorer.services.circle import players
from scorer.services.figures.figures import CircleFigures, EveningFigures, circle_figures
from scorer.services.figures.standings import (
    EveningOfTwo,
    HeadToHead,
    deal_of_two,
    evenings_of_two,
    heads_to_head,
)
from scorer.services.session.state import load_state
from scorer.storage.models import Player
from scorer.texts import say, signed
from scorer.web.base.access import current_holder, short_name
from scorer.web.base.filters import in_words
from scorer.web.base.pages import CIRCLE
from scorer.web.figures.charts import drawn_answer
from scorer.web.figures.players import PLAYER
from scorer.web.figures.records import game_shown
from scorer.web.figures.searching import search_url

#: So many evenings have room in the picture.
MOST_BARS = 30
WITH = f"{PLAYER}/with/<uuid:other_id>"

pages = Routes("duels", __name__, url_prefix=CIRCLE)


@pages.get(WITH, least=Role.SPECTATOR)
def show(circle_id: UUID, player_id: UUID, other_id: UUID) -> ResponseReturnValue:
    return render_template("figures/duel.html", **_duel(circle_id, player_id, other_id))


@pages.get(f"{WITH}/duel.png", least=Role.SPECTATOR, limit="picture")
def picture(circle_id: UUID, player_id: UUID, other_id: UUID) -> ResponseReturnValue:
    shown = _duel(circle_id, player_id, other_id)["shown"]
    return drawn_answer(shown, partial(charts.duel_chart, shown))


def _duel(circle_id: UUID, player_id: UUID, other_id: UUID) -> dict[str, Any]:
    """Return two players in the game of the address; raise NotFoundError for one alone."""
    two = [players.find(circle_id, key) for key in (player_id, other_id)]
    if other_id == player_id:
        raise NotFoundError
    figures = circle_figures(circle_id)
    slug = game_shown(figures, player_id)
    shared = evenings_of_two(figures, slug, player_id, other_id)
    tally = heads_to_head(figures, player_id, slug).get(other_id, HeadToHead())
    shown = _picture(figures, slug, two, shared, tally)
    between = deal_of_two(circle_id, shared, player_id, other_id)
    together = gettext(
        "Together they won %(won)s of %(deals)s.", won=tally.won_together, deals=tally.together
    )
    told, between_text = [_result(shown)] if shared else [], ""
    if tally.together:
        told.append(together)
    if between:
        state = load_state(circle_id, between.session_id)
        between_text = in_words(state.evening.deal(between.number).entry.text)
        told.append(in_words(say("The deal between them – %(deal)s.", deal=between_text)))
    return {
        "two": two,
        "game": slug or None,
        "shown": shown,
        "together": together if tally.together else "",
        "between": between,
        "between_text": between_text,
        "text": "\n".join(told),
        "deals": search_url(circle_id, player=str(player_id), **{"with": str(other_id)}, game=slug),
    }


def _picture(
    figures: CircleFigures,
    slug: str,
    two: Sequence[Player],
    shared: Sequence[EveningOfTwo],
    tally: HeadToHead,
) -> charts.Duel:
    ahead = [_ahead(evening.mine, evening.theirs) for evening in shared]
    order = players.join_order(two[0].circle_id)
    marks = players.marks_to_be([player.name for player in two], order)
    days = [format_date(session.day, "d MMM") for session, *_ in shared[-MOST_BARS:]]
    words = ngettext(
        "%(num)d evening together: who finished in front",
        "%(num)d evenings together: who finished in front",
        len(shared),
    )
    return charts.Duel(
        circle=short_name(current_holder().circle),
        names=(short_name(two[0].name), short_name(two[1].name)),
        marks=(marks[0], marks[1]),
        won=(ahead.count(0), ahead.count(1)),
        words=words,
        evenings=tuple((row.mine.points, row.theirs.points) for row in shared[-MOST_BARS:]),
        ahead=tuple(ahead[-MOST_BARS:]),
        days=(days[0], days[-1] if len(days) > 1 else "") if days else ("", ""),
        facts=tuple(_facts(figures, slug, two, shared, tally)),
        made_by=gettext("scored with Scorer"),
        lower_is_better=figures.lowest_leads(slug) if slug else False,
        counted=not figures.by_balance(slug) if slug else False,
    )


def _ahead(mine: EveningFigures, theirs: EveningFigures) -> int | None:
    """Return who of the two finished in front, None if they shared a place."""
    places = mine.place or 0, theirs.place or 0
    return None if places[0] == places[1] else int(places[0] > places[1])


def _facts(
    figures: CircleFigures,
    slug: str,
    two: Sequence[Player],
    shared: Sequence[EveningOfTwo],
    tally: HeadToHead,
) -> Iterator[tuple[str, str, str]]:
    """Yield what both have: the figure of one, what it counts, and that of the other."""
    lives = [figures.lifetime(slug, player.player_id) for player in two]
    if shared and figures.by_balance(slug):
        sums = (
            sum(row.mine.points for row in shared),
            sum(row.theirs.points for row in shared),
        )
        mine, theirs = (signed(points, burden=figures.lowest_leads(slug)) for points in sums)
        yield mine, gettext("In these evenings"), theirs
    calls = [
        life.record.partners[other.player_id]
        for life, other in zip(lives, two[::-1], strict=True)
        if other.player_id in life.record.partners
    ]
    if len(calls) == len(two):
        mine, theirs = (
            gettext("%(won)s of %(deals)s", won=call.made, deals=call.decided) for call in calls
        )
        yield mine, gettext("Calls with the other"), theirs
    if tally.against:
        yield str(tally.won), gettext("Won against the other"), str(tally.lost)
    runs = [life.run.length if life.run else 0 for life in lives]
    if any(runs):
        yield str(runs[0]), gettext("Calls made in a row"), str(runs[1])


def _result(shown: charts.Duel) -> str:
    scores = (f"{name} {won}" for name, won in zip(shown.names, shown.won, strict=True))
    return f"{', '.join(scores)}. {shown.circle}, {shown.words}."
