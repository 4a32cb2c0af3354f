"""What nobody did better in the evenings of a circle, with where it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from flask_babel import format_date

from scorer.texts import as_it_is, say, signed
from scorer.web.searching import from_run, of_day, search_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from uuid import UUID

    from scorer.services.standings import Best, CircleStandings
    from scorer.texts import Text


class RecordLine(NamedTuple):
    """Something that nobody did better: what it is, whose, how much, and where it is told."""

    what: Text
    name: str
    figure: Text
    url: str


def record_lines(circle_id: UUID, standings: CircleStandings) -> Iterator[RecordLine]:
    """Tell the records of a circle."""
    asked = {"game": standings.game.slug} if len(standings.games) > 1 else {}

    def line(what: Text, whose: Best[Any], told: Text, **found: str) -> RecordLine:
        url = search_url(circle_id, player=str(whose.player_id), **asked, **found)
        return RecordLine(what, whose.name, told, url)

    best = standings.best_evening
    day, points = best.figure.day, signed(best.figure.points)
    told = say("%(points)s on %(day)s", points=points, day=_day(day))
    yield line(say("Best evening"), best, told, **of_day(day))
    if (run := standings.longest_run) is not None:
        length, last = run.figure.length, run.figure.last
        told = say("%(count)s, up to %(day)s", count=length, day=_day(last.day))
        found = {"role": "calls", "before": from_run(run.figure)}
        yield line(say("Most calls made in a row"), run, told, **found)
    if (made := standings.highest_bid) is not None:
        level, bid = made.figure
        told = level.name if len(level.bids) == 1 else as_it_is(bid.rpartition("@")[2])
        found = {"role": "calls", "result": "made", "bid": level.code}
        yield line(say("Highest bid made"), made, told, **found)


def _day(day: date) -> str:
    return str(format_date(day, "d MMM y"))
