"""Records of a player and of a circle: each figure with the address of its deals."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple
from uuid import UUID

from flask_babel import format_date, format_decimal

from scorer.charts import wilson
from scorer.games import find_game
from scorer.ledger.records import CALLING, DEFENDER, PENALTY, DealTally
from scorer.rules.game import Game, Level
from scorer.services.figures.figures import EveningFigures, PlayerFigures, circle_figures
from scorer.services.figures.standings import Best, CircleStandings
from scorer.texts import MINUS, Text, as_it_is, joined, say, signed
from scorer.web.figures.searching import from_run, of_day, search_url

#: The parts in the order of the page, with the search for their deals.
PARTS: dict[str, tuple[Text, dict[str, str]]] = {
    "caller": (say("Caller"), {"role": "caller"}),
    "alone": (say("Without a partner"), {"role": "alone"}),
    "partner": (say("Partner"), {"role": "partner"}),
    DEFENDER: (say("Defender"), {"role": "defender"}),
    "": (say("Deals played"), {"kind": "played", "state": "stands"}),
    PENALTY: (say("Penalties"), {"kind": "penalty", "state": "stands"}),
}


class PartRow(NamedTuple):
    """A row of a table: its deals and their address, how many were made, what they paid."""

    name: Text | str
    deals: int
    url: str
    made: str | None
    average: str
    points: int


class LevelRow(NamedTuple):
    """A row of the table of bids: calls, calls made, and the interval of that share."""

    level: Level
    deals: int
    url: str
    made: int
    share: str
    interval: str


class FlowRow(NamedTuple):
    """The points that came from somebody or went to them; ``sign`` is that of the shown figure."""

    name: str
    deals: int
    url: str
    points: str
    sign: str


class EveningLine(NamedTuple):
    """An evening of a player, and the address of its deals."""

    day: date
    points: int
    deals: int
    url: str


class RunLine(NamedTuple):
    """Calls made in a row, up to a day; the address lists deals from the last of them on."""

    length: int
    day: date
    url: str


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """The record of a player in one game; ``games`` are those to choose from."""

    game: Game[Any, Any]
    lowest_leads: bool
    games: Sequence[Game[Any, Any]]
    everything: PartRow
    calls: PartRow | None
    parts: Sequence[PartRow]
    levels: Sequence[LevelRow]
    partners: Sequence[PartRow]
    callers: Sequence[PartRow]
    flow: Sequence[FlowRow]
    unbalanced: int
    evenings: int
    best: EveningLine
    worst: EveningLine
    run: RunLine | None
    cache_key: str


class _RecordSource(NamedTuple):
    """The figures of a player in a game, and the search for its deals."""

    circle_id: UUID
    lifetime: PlayerFigures
    game: Game[Any, Any]
    names: Mapping[UUID, str]
    search: Mapping[str, str]
    lowest_leads: bool

    def url(self, **more: str) -> str:
        return search_url(self.circle_id, **{**self.search, **more})

    def row(
        self, name: Text | str, tally: DealTally, *, calls: bool = False, **more: str
    ) -> PartRow:
        decided = calls and tally.decided
        made = percent(Fraction(tally.made, tally.decided)) if decided else None
        per_deal = average(tally.points, tally.deals)
        return PartRow(name, tally.deals, self.url(**more), made, per_deal, tally.points)


def games_of(circle_id: UUID, player_id: UUID) -> list[str]:
    """List the games that a player was paid in, the one of most deals first."""
    figures = circle_figures(circle_id)
    deals = {
        slug: figures.lifetime(slug, player_id).record.everything.deals for slug in figures.games
    }
    return sorted((slug for slug in deals if deals[slug]), key=lambda slug: (-deals[slug], slug))


def player_record(
    circle_id: UUID, player_id: UUID, names: Mapping[UUID, str], wanted: str = ""
) -> PlayerRecord | None:
    """Return a player's record in the wanted game, by default the one played most."""
    games = games_of(circle_id, player_id)
    if not games:
        return None
    slug = wanted if wanted in games else games[0]
    figures = circle_figures(circle_id)
    search = {"player": str(player_id)} | ({"game": slug} if len(figures.games) > 1 else {})
    source = _RecordSource(
        circle_id=circle_id,
        lifetime=figures.lifetime(slug, player_id),
        game=find_game(slug),
        names=names,
        search=search,
        lowest_leads=figures.lowest_leads(slug),
    )
    return _record(source, games)


def _record(source: _RecordSource, games: Sequence[str]) -> PlayerRecord:
    record, evenings = source.lifetime.record, source.lifetime.evenings
    called = DealTally()
    for part in CALLING:
        called.plus(record.parts.get(part, DealTally()))
    ends = (source.lifetime.highest, source.lifetime.lowest)
    best, worst = ends[::-1] if source.lowest_leads else ends
    return PlayerRecord(
        game=source.game,
        lowest_leads=source.lowest_leads,
        games=[find_game(slug) for slug in games],
        everything=source.row(say("All deals"), record.everything, state="stands"),
        calls=source.row(say("Calls"), called, calls=True, role="calls") if called.deals else None,
        parts=list(_part_rows(source)),
        levels=list(_level_rows(source)),
        partners=list(_people(source, record.partners, "caller", "partner")),
        callers=list(_people(source, record.callers, "partner", "caller")),
        flow=list(_flow(source)),
        unbalanced=record.unbalanced,
        evenings=len(evenings),
        best=_evening(source, best),
        worst=_evening(source, worst),
        run=_run(source),
        cache_key=f"{record.everything.deals}-{record.everything.points}-{len(evenings)}",
    )


def _part_rows(source: _RecordSource) -> Iterator[PartRow]:
    parts = source.lifetime.record.parts
    for part, (name, criteria) in PARTS.items():
        if part in parts:
            calls = part in {*CALLING, "partner"}
            yield source.row(name, parts[part], calls=calls, **criteria)


def level_tallies(game: Game[Any, Any], lifetime: PlayerFigures) -> list[tuple[Level, DealTally]]:
    """Count the calls of each level of a game, without levels that were never called."""
    tallies = []
    for level in game.levels:
        tally = DealTally()
        for bid in level.bids:
            if bid in lifetime.record.bids:
                tally.plus(lifetime.record.bids[bid])
        if tally.deals:
            tallies.append((level, tally))
    return tallies


def _level_rows(source: _RecordSource) -> Iterator[LevelRow]:
    for level, tally in level_tallies(source.game, source.lifetime):
        low, high = wilson(tally.made, tally.deals)
        yield LevelRow(
            level,
            tally.deals,
            source.url(role="calls", bid=level.code),
            tally.made,
            percent(Fraction(tally.made, tally.deals)),
            f"{round(100 * low)}–{percent(high)}",
        )


def _people(
    source: _RecordSource, people: Mapping[UUID, DealTally], role: str, part: str
) -> Iterator[PartRow]:
    """List the other players of a part, the one of most deals first."""
    for key, tally in sorted(
        people.items(), key=lambda item: (-item[1].deals, source.names[item[0]])
    ):
        criteria = {"role": role, "with": str(key), "part": part}
        yield source.row(source.names[key], tally, calls=True, **criteria)


def _flow(source: _RecordSource) -> Iterator[FlowRow]:
    """List whom the points came from, most points first."""
    flow = source.lifetime.record.flow
    for key, tally in sorted(
        flow.items(), key=lambda item: (-item[1].points, source.names[item[0]])
    ):
        url = source.url(**{"with": str(key), "part": "against"})
        points = exact(tally.points)
        yield FlowRow(source.names[key], tally.deals, url, points, shown_sign(points))


def _evening(source: _RecordSource, evening: EveningFigures) -> EveningLine:
    return EveningLine(*evening, source.url(**of_day(evening.day)))


def _run(source: _RecordSource) -> RunLine | None:
    run = source.lifetime.run
    if run is None:
        return None
    return RunLine(run.length, run.last.day, source.url(role="calls", before=from_run(run)))


class RecordLine(NamedTuple):
    """A record of a circle: what it is, whose, the figure, and the address of its deals."""

    what: Text
    name: Text | str
    figure: Text
    url: str


def record_lines(circle_id: UUID, standings: CircleStandings, **span: str) -> Iterator[RecordLine]:
    """List the records of a circle, or of a span of days as a search says it."""
    search = span | ({"game": standings.game.slug} if len(standings.games) > 1 else {})

    def line(what: Text, whose: Best[Any], figure: Text, **criteria: str) -> RecordLine:
        url = search_url(circle_id, player=str(whose.player_id), **{**search, **criteria})
        return RecordLine(what, joined(whose.names), figure, url)

    best = standings.best_evening
    day, points = best.figure.day, signed(best.figure.points)
    figure = say("%(points)s (%(day)s)", points=points, day=format_date(day, "d MMM y"))
    yield line(say("Best session"), best, figure, **of_day(day))
    if (run := standings.longest_run) is not None:
        length, last = run.figure.length, run.figure.last
        figure = say(
            "%(count)s (until %(day)s)", count=length, day=format_date(last.day, "d MMM y")
        )
        criteria = {"role": "calls", "before": from_run(run.figure)}
        yield line(say("Most calls made in a row"), run, figure, **criteria)
    if (made := standings.highest_bid) is not None:
        level, bid = made.figure
        figure = level.name if len(level.bids) == 1 else as_it_is(bid.rpartition("@")[2])
        criteria = {"role": "calls", "result": "made", "bid": level.code}
        yield line(say("Highest bid made"), made, figure, **criteria)


def average(points: int, deals: int) -> str:
    """Write what a deal paid on average: ``+0.85``."""
    return _signed(Fraction(points, deals), "0.00")


def exact(points: Fraction) -> str:
    """Write points that may be parts of points: ``−3.3``; whole ones stay whole."""
    return _signed(points, "0" if points.denominator == 1 else "0.0")


def shown_sign(written: str) -> str:
    """Name the sign of a written figure: what is rounded to nothing has none."""
    return {"+": "plus", MINUS: "minus"}.get(written[0], "zero")


def percent(share: float | Fraction) -> str:
    """Write a share: ``67%``."""
    return f"{round(100 * share)}%"


def _signed(value: Fraction, pattern: str) -> str:
    written = str(format_decimal(Decimal(abs(value.numerator)) / value.denominator, pattern))
    if not any(digit in written for digit in "123456789"):
        return written
    return ("+" if value > 0 else MINUS) + written
