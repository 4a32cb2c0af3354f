"""A year of a player in one game: a picture, and a page that shows it and says the same."""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from functools import partial
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
from scorer.services.figures.figures import CircleFigures, PlayerFigures
from scorer.services.figures.seasons import PAIR_DEALS
from scorer.services.figures.standings import heads_to_head, highest_bid, standings_of
from scorer.storage.models import Player
from scorer.texts import say, signed
from scorer.web.base.access import current_holder, short_name
from scorer.web.base.filters import in_words
from scorer.web.base.pages import CIRCLE
from scorer.web.figures.charts import drawn_answer
from scorer.web.figures.players import PLAYER, shown_figures
from scorer.web.figures.records import bid_name

#: Facts in the text that is sent.
MOST_SENT = 3

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
    (mark,) = players.marks_to_be([player.name], players.join_order(circle_id))
    place, result = _result(within, slug, player)
    life, circle = within.lifetime(slug, player_id), short_name(current_holder().circle)
    evenings, deals = len(life.evenings), life.record.everything.deals
    shown = charts.Year(
        circle=f"{circle} · {in_words(figures.game_name(slug))}"
        if len(figures.games) > 1
        else circle,
        heading=gettext("%(name)s’s %(year)s", name=short_name(player.name), year=year),
        mark=mark,
        place=place,
        figures=(
            (str(evenings), ngettext("session", "sessions", evenings)),
            result,
            (str(deals), ngettext("deal", "deals", deals)),
        ),
        months=_months(within, slug, life),
        letters="".join(format_date(date(year, month, 1), "LLLLL") for month in range(1, 13)),
        facts=tuple(_facts(within, slug, player)),
        made_by=gettext("scored with Scorer"),
        lower_is_better=figures.by_balance(slug) and figures.lowest_leads(slug),
        counted=not figures.by_balance(slug),
    )
    return {
        "player": player,
        "game": slug,
        "years": years,
        "year": year,
        "shown": shown,
        "text": _text(shown),
    }


def _text(year: charts.Year) -> str:
    """Write a year as it is sent: the figures, and three facts."""
    evenings, result, deals = year.figures
    won = (" " if year.counted else ", ").join(result)
    figures = f"{' '.join(evenings)}, {' '.join(deals)}, {won}"
    facts = [
        f"{name}: {figure} ({note})." if note else f"{name}: {figure}."
        for name, figure, note in year.facts[:MOST_SENT]
    ]
    return "\n".join([f"{year.heading}, {year.circle}: {figures}.", "", *facts]).strip()


def _result(within: CircleFigures, slug: str, player: Player) -> tuple[str, tuple[str, str]]:
    """Return the place in the circle, and the balance or the sessions won, with the place."""
    ranked = standings_of(within, players.everybody(player.circle_id), slug)
    places = ranked.places if ranked else ()
    mine = next((row for row in places if row.player.player_id == player.player_id), None)
    if mine is None:  # no session has ended yet
        return "", ("0", gettext("sessions won"))
    place = gettext("place %(place)s of %(count)s", place=mine.place, count=len(places))
    if within.by_balance(slug):
        burden = within.lowest_leads(slug)
        return str(mine.place), (signed(mine.points, burden=burden), place)
    return str(mine.place), (str(mine.won), f"{gettext('sessions won')}, {place}")


def _months(within: CircleFigures, slug: str, life: PlayerFigures) -> tuple[int, ...]:
    """Return the balance of each month, or the sessions won where evenings don't add up."""
    months = [0] * 12
    for evening in life.evenings:
        won = evening.points if within.by_balance(slug) else int(evening.place == 1)
        months[evening.day.month - 1] += won
    return tuple(months)


def _facts(within: CircleFigures, slug: str, player: Player) -> Iterator[tuple[str, str, str]]:
    """Yield what the player has of the year: a name, a figure, a note."""
    life = within.lifetime(slug, player.player_id)
    heads = heads_to_head(within, player.player_id, slug)
    if (made := highest_bid(find_game(slug), [(player, life)])) is not None:
        yield gettext("Best call made"), in_words(bid_name(made.figure)), ""
    together = [
        (Fraction(tally.won_together, tally.together), tally.together, within.names[who])
        for who, tally in heads.items()
        if tally.together >= PAIR_DEALS and tally.won_together
    ]
    against = [
        (Fraction(tally.lost, tally.against), tally.against, within.names[who])
        for who, tally in heads.items()
        if tally.against >= PAIR_DEALS and tally.lost > tally.won
    ]
    if together:
        share, count, name = max(together)
        yield gettext("Best partner"), short_name(name), _of(int(share * count), count)
    if against:
        share, count, name = max(against)
        yield gettext("Black beast"), short_name(name), _of(count - int(share * count), count)
    if within.by_balance(slug):
        burden = within.lowest_leads(slug)
        best = life.best(lowest=burden)
        day = format_date(best.day, "d MMMM")
        yield gettext("Best session"), signed(best.points, burden=burden), day
    if life.run is not None:
        yield gettext("In a row"), str(life.run.length), gettext("calls made")


def _of(won: int, deals: int) -> str:
    return in_words(say("%(won)s of %(deals)s", won=won, deals=deals))
