"""Records of a player and of a circle: each figure with the address of its deals."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple
from uuid import UUID

from babel.numbers import get_decimal_symbol
from flask import request
from flask_babel import format_date, get_locale

from scorer.charts import wilson
from scorer.games import find_game
from scorer.ledger.records import CALLING, DEFENDER, PENALTY, DealTally
from scorer.rules.game import Game, Level
from scorer.services.figures.figures import CircleFigures, EveningFigures, PlayerFigures
from scorer.services.figures.standings import Best, BidMade, CircleStandings, HeadToHead
from scorer.storage.models import Player
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


class OtherRow(NamedTuple):
    """Another player: deals together and against, and the points that came from them.

    ``points`` is None if unknown; ``sign`` is that of the shown figure.
    """

    player_id: UUID
    name: str
    tally: HeadToHead
    points: str | None
    sign: str


@dataclass(frozen=True)
class PlayerRecord:
    """The record of a player in one of the ``games``; ``search`` finds the deals."""

    circle_id: UUID
    game: Game[Any, Any]
    games: Sequence[Game[Any, Any]]
    by_balance: bool
    lowest_leads: bool
    lifetime: PlayerFigures
    names: Mapping[UUID, str]
    search: Mapping[str, str]

    def url(self, **more: str) -> str:
        return search_url(self.circle_id, **{**self.search, **more})

    @property
    def run_url(self) -> str | None:
        """The address of the calls from the last one of the longest run, going back in time."""
        run = self.lifetime.run
        return run and self.url(role="calls", before=from_run(run))

    @property
    def best(self) -> EveningFigures:
        return self.lifetime.best(lowest=self.lowest_leads)

    @property
    def worst(self) -> EveningFigures:
        return self.lifetime.best(lowest=not self.lowest_leads)

    @property
    def cache_key(self) -> str:
        life, won = self.lifetime, self.lifetime.won
        everything, evenings = life.record.everything, len(life.evenings)
        return f"{everything.deals}-{everything.points}-{evenings}-{len(won)}-{sum(won)}"

    def _row(
        self, name: Text | str, tally: DealTally, *, calls: bool = False, **more: str
    ) -> PartRow:
        decided = calls and tally.decided
        made = percent(Fraction(tally.made, tally.decided)) if decided else None
        average = _signed(Fraction(tally.points, tally.deals), 2)
        return PartRow(name, tally.deals, self.url(**more), made, average, tally.points)

    @property
    def everything(self) -> PartRow:
        return self._row(say("All deals"), self.lifetime.record.everything, state="stands")

    @property
    def calls(self) -> DealTally:
        """Count the player's calls, with and without a partner."""
        return _total(self.lifetime.record.parts, CALLING)

    @property
    def parts(self) -> Iterator[PartRow]:
        """Each role that the player had; before them all calls together, if that differs."""
        parts = self.lifetime.record.parts
        if all(part in parts for part in CALLING):
            yield self._row(say("Calls"), self.calls, calls=True, role="calls")
        for part, (name, criteria) in PARTS.items():
            if part in parts:
                calls = part in {*CALLING, "partner"}
                yield self._row(name, parts[part], calls=calls, **criteria)

    @property
    def levels(self) -> list[LevelRow]:
        """The calls by level, with the interval in which the true share lies."""
        return [
            LevelRow(
                level=level,
                deals=tally.deals,
                url=self.url(role="calls", bid=level.code),
                made=tally.made,
                share=percent(Fraction(tally.made, tally.deals)),
                interval=f"{round(100 * low)}–{percent(high)}",
            )
            for level, tally in level_tallies(self.game, self.lifetime)
            for low, high in [wilson(tally.made, tally.deals)]
        ]

    @property
    def partners(self) -> list[PartRow]:
        """The partners of the player's own calls, those with most deals first."""
        return self._people(self.lifetime.record.partners, "caller", "partner")

    @property
    def callers(self) -> list[PartRow]:
        """The callers whose partner the player was, those with most deals first."""
        return self._people(self.lifetime.record.callers, "partner", "caller")

    def _people(self, tallies: Mapping[UUID, DealTally], role: str, part: str) -> list[PartRow]:
        people = sorted(tallies, key=lambda who: (-tallies[who].deals, self.names[who]))
        return [
            self._row(
                self.names[who],
                tallies[who],
                calls=True,
                role=role,
                **{"with": str(who), "part": part},
            )
            for who in people
        ]

    def others(self, heads: Mapping[UUID, HeadToHead]) -> list[OtherRow]:
        """List whom the player played with or against, those with most deals first."""
        flow = self.lifetime.record.flow
        rows = []
        for who in [*heads, *(who for who in flow if who not in heads)]:
            points = exact(flow[who].points) if who in flow and self.by_balance else None
            tally = heads.get(who, HeadToHead())
            rows.append(OtherRow(who, self.names[who], tally, points, shown_sign(points or "0")))
        return rows


def games_of(figures: CircleFigures, player_id: UUID) -> list[str]:
    """List the games of a player, those with most deals first."""
    deals = {
        slug: figures.lifetime(slug, player_id).record.everything.deals for slug in figures.games
    }
    return sorted((slug for slug in deals if deals[slug]), key=lambda slug: (-deals[slug], slug))


def game_shown(figures: CircleFigures, player_id: UUID) -> str:
    """Return the game of the address, by default the player's most played; "" before one."""
    games, wanted = games_of(figures, player_id), request.args.get("game", "")
    return wanted if wanted in games else next(iter(games), "")


def player_record(figures: CircleFigures, player: Player) -> PlayerRecord | None:
    """Return a player's record in the game of the address, or in the one played most."""
    player_id, slug = player.player_id, game_shown(figures, player.player_id)
    if not slug:
        return None
    return PlayerRecord(
        circle_id=player.circle_id,
        game=find_game(slug),
        games=[find_game(slug) for slug in games_of(figures, player_id)],
        by_balance=figures.by_balance(slug),
        lowest_leads=figures.lowest_leads(slug),
        lifetime=figures.lifetime(slug, player_id),
        names=figures.names,
        search={"player": str(player_id)} | ({"game": slug} if len(figures.games) > 1 else {}),
    )


def level_tallies(game: Game[Any, Any], lifetime: PlayerFigures) -> list[tuple[Level, DealTally]]:
    """Count the calls of each level of a game, without levels that were never called."""
    tallies = ((level, _total(lifetime.record.bids, level.bids)) for level in game.levels)
    return [(level, tally) for level, tally in tallies if tally.deals]


def _total(tallies: Mapping[str, DealTally], keys: Iterable[str]) -> DealTally:
    total = DealTally()
    for key in keys:
        total.plus(tallies.get(key, DealTally()))
    return total


class RecordLine(NamedTuple):
    """A record of a circle: its name, its holders, the figure, and the address of its deals."""

    what: Text
    name: Text | str
    figure: Text
    url: str


def record_lines(circle_id: UUID, standings: CircleStandings, **span: str) -> Iterator[RecordLine]:
    """Yield the records of a circle, or of the span of days of a search."""
    search = span | ({"game": standings.game.slug} if len(standings.games) > 1 else {})

    def line(what: Text, whose: Best[Any], figure: Text, **criteria: str) -> RecordLine:
        url = search_url(circle_id, player=str(whose.player_id), **{**search, **criteria})
        return RecordLine(what, joined(whose.names), figure, url)

    if (best := standings.best_evening) is not None:
        day, points = best.figure.day, signed(best.figure.points, burden=standings.lowest_leads)
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
        criteria = {"role": "calls", "result": "made", "bid": made.figure.level.code}
        yield line(say("Highest bid made"), made, bid_name(made.figure), **criteria)


def bid_name(made: BidMade) -> Text:
    """Name a bid: by its level, if that is a single one."""
    level, bid = made
    return level.name if len(level.bids) == 1 else as_it_is(bid.rpartition("@")[2])


def exact(points: Fraction) -> str:
    """Write points that may be fractions, ``−3.3``; whole ones have no decimals."""
    return _signed(points, int(points.denominator != 1))


def shown_sign(written: str) -> str:
    """Name the sign of a figure as it is written: one rounded to 0 has none."""
    return {"+": "plus", MINUS: "minus"}.get(written[0], "zero")


def percent(share: float | Fraction) -> str:
    return f"{round(100 * share)}%"


def _signed(value: Fraction, decimals: int) -> str:
    number = Decimal(abs(value.numerator)) / value.denominator
    written = f"{number:.{decimals}f}".replace(".", get_decimal_symbol(get_locale()))
    if not any(digit in written for digit in "123456789"):
        return written
    return ("+" if value > 0 else MINUS) + written
