"""A year of a player in one game: a picture, and a page that shows it and says the same."""

from collections.abc import Iterator, Mapping
from datetime import date
from fractions import Fraction
from functools import partial
from itertools import accumulate
from typing import Any
from uuid import UUID

from flask import render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import format_date, gettext, ngettext

from scorer import charts
from scorer.games import find_game
from scorer.roles import Role
from scorer.routes import Routes
from scorer.services.circle import players
from scorer.services.figures.figures import PlayerFigures
from scorer.services.figures.seasons import PAIR_DEALS
from scorer.services.figures.standings import HeadToHead, heads_to_head, highest_bid
from scorer.storage.models import Player
from scorer.texts import signed
from scorer.web.base.filters import in_words
from scorer.web.base.pages import CIRCLE
from scorer.web.figures.charts import drawn_answer
from scorer.web.figures.players import PLAYER, shown_figures
from scorer.web.figures.records import bid_name

pages = Routes("years", __name__, url_prefix=CIRCLE)


@pages.get(f"{PLAYER}/year", least=Role.SPECTATOR)
def show(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Show a year, by default the last one in which the player played."""
    return render_template("figures/year.html", **_year(circle_id, player_id))


@pages.get(f"{PLAYER}/year.png", least=Role.SPECTATOR, limit="picture")
def picture(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    shown = _year(circle_id, player_id)["shown"]
    return drawn_answer(shown, partial(charts.year_chart, shown))


def _year(circle_id: UUID, player_id: UUID) -> dict[str, Any]:
    """Return the year of the address; raise NotFoundError for a player without deals."""
    player, figures, slug = shown_figures(circle_id, player_id)
    days = [evening.day for evening in figures.lifetime(slug, player_id).evenings]
    years, wanted = sorted({day.year for day in days}, reverse=True), request.args.get("year")
    year = next((year for year in years if str(year) == wanted), years[0])
    within = figures.within(date(year, 1, 1), date(year, 12, 31))
    life, heads = within.lifetime(slug, player_id), heads_to_head(within, player_id, slug)
    deals = ngettext("%(num)d deal", "%(num)d deals", life.record.everything.deals)
    if by_balance := figures.by_balance(slug):
        sessions = ngettext("%(num)d session", "%(num)d sessions", len(life.evenings))
        balance = signed(life.record.everything.points)
        first, running = (gettext("Balance"), f"{balance} · {deals} · {sessions}"), life.balances
    else:
        won = gettext("%(won)s of %(deals)s", won=sum(life.won), deals=len(life.won))
        first, running = (gettext("Sessions won"), f"{won} · {deals}"), [*accumulate(life.won)]
    shown = charts.Picture(
        heading=player.name,
        below=f"{year} · {in_words(figures.game_name(slug))}",
        people=(charts.PictureLine(1, (player.name,), 0, (0, *running)),),
        titles=(first, *_facts(slug, player, life, heads)),
        lower_is_better=by_balance and figures.lowest_leads(slug),
    )
    return {"player": player, "game": slug, "years": years, "year": year, "shown": shown}


def _facts(
    slug: str, player: Player, life: PlayerFigures, heads: Mapping[UUID, HeadToHead]
) -> Iterator[tuple[str, str]]:
    """Yield the facts of the year, each with its figure, but for the balance."""
    names = players.names(player.circle_id)
    together = [
        (Fraction(tally.won_together, tally.together), tally.together, names[who])
        for who, tally in heads.items()
        if tally.together >= PAIR_DEALS
    ]
    against = [
        (Fraction(tally.lost, tally.against), tally.against, names[who])
        for who, tally in heads.items()
        if tally.against >= PAIR_DEALS and tally.lost > tally.won
    ]
    if together:
        share, count, name = max(together)
        figure = {"name": name, "count": int(share * count), "deals": count}
        yield gettext("Best partner"), gettext("%(name)s, won %(count)s of %(deals)s", **figure)
    if against:
        share, count, name = max(against)
        figure = {"name": name, "count": int(share * count), "deals": count}
        yield gettext("Black beast"), gettext("%(name)s, lost %(count)s of %(deals)s", **figure)
    if life.run is not None:
        day = format_date(life.run.last.day, "d MMM")
        run = gettext("%(count)s (until %(day)s)", count=life.run.length, day=day)
        yield gettext("Most calls made in a row"), run
    if (made := highest_bid(find_game(slug), [(player, life)])) is not None:
        yield gettext("Highest bid made"), in_words(bid_name(made.figure))
