"""The statistics of a circle's players over all evenings, game by game.

No sum is stored. Each process caches the figures of a session by the head of its hash chain, so
that after a deal it sums only that session and adds it to the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property, wraps
from itertools import accumulate
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, Self, TypeVar, cast
from uuid import UUID

from scorer.errors import ScorerError, existing
from scorer.evening import NO_TABLE, JudgedDeal
from scorer.evening.judging import NUMBERS
from scorer.evening.terms import Terms, TermsChange
from scorer.evening.walk import Walk
from scorer.games import find_game, stored_game
from scorer.ledger.records import (
    Contest,
    DealResult,
    DealStatistics,
    DealTally,
    called,
    contest,
    records,
)
from scorer.rules.game import Game, Outcome, Table, Turn
from scorer.rules.questions import Reading, read
from scorer.rules.seats import Seat
from scorer.services.base.caching import LRUCache
from scorer.services.base.clock import zone_called
from scorer.services.circle.players import find
from scorer.services.session.state import listed_rules, read_change, seats_of
from scorer.storage import models, queries
from scorer.storage.queries.circle import CircleHeads
from scorer.texts import Text

Given = ParamSpec("Given")
Value = TypeVar("Value")
Added = TypeVar("Added", bound="Sum")

#: How many sessions are cached in all; the least recently used circle is evicted first.
MOST_SESSIONS = 5_000
#: So many sessions are read by one statement.
AT_ONCE = 100


class EveningFigures(NamedTuple):
    """The points and deals of a player in a session, and the place once it has ended."""

    day: date
    points: int
    deals: int
    place: int | None


class DealPlace(NamedTuple):
    """The address of a deal: its session, the day of that, and its number."""

    session_id: UUID
    day: date
    number: int


class Run(NamedTuple):
    """A run of calls that were made: its length, its first deal and its last one."""

    length: int
    first: DealPlace
    last: DealPlace


def derived(
    make: Callable[Concatenate[CircleFigures, Given], Value],
) -> Callable[Concatenate[CircleFigures, Given], Value]:
    """Decorate a function of figures; they cache its values by its other arguments."""

    @wraps(make)
    def once(figures: CircleFigures, /, *args: Given.args, **kwargs: Given.kwargs) -> Value:
        key = make, args, tuple(kwargs.items())
        if key not in figures.made:
            figures.made[key] = make(figures, *args, **kwargs)
        value: Value = figures.made[key]
        return value

    return once


@dataclass(frozen=True, slots=True, eq=False)
class SessionFigures:
    """The figures of one session by seat, the players of the seats, and who won which deal.

    ``paid`` are the seats with figures, by the number that is their player's key: a UUID is slow.
    ``adds_up`` says whether the points may be added to those of other evenings. ``places`` are
    empty until it has ended.
    """

    session_id: UUID
    game: str
    game_name: Text
    started_at: datetime
    day: date
    lowest_leads: bool
    adds_up: bool
    seats: Mapping[int, UUID]
    records: Mapping[int, DealStatistics[int]]
    paid: Mapping[int, int]
    contests: tuple[Contest, ...] = ()
    places: Mapping[int, int] = field(default_factory=dict)
    went_on_from: UUID | None = None

    def evening(self, seat: int) -> EveningFigures:
        everything = self.records[seat].everything
        place = self.places.get(seat)
        return EveningFigures(self.day, everything.points, everything.deals, place)


class Sum(Protocol):
    """What the sessions of a player add up to."""

    def add(self, session: SessionFigures, seat: int) -> None:
        """Add a session, at which the player was paid on a seat."""

    def copy(self) -> Self:
        """Return the same figures, to which more can be added."""


@dataclass
class PlayerFigures:
    """The figures of one player in one game, in total and by evening, oldest first.

    The cached properties are read only after everything was added.
    """

    record: DealStatistics[UUID] = field(default_factory=DealStatistics)
    evenings: list[EveningFigures] = field(default_factory=list)
    calls: list[tuple[DealPlace, bool]] = field(default_factory=list)

    def copy(self) -> PlayerFigures:
        others = {*self.record.partners, *self.record.callers, *self.record.flow}
        record = DealStatistics[UUID]()
        record.plus(self.record, {who: who for who in others})
        return PlayerFigures(record, [*self.evenings], [*self.calls])

    def add(self, session: SessionFigures, seat: int) -> None:
        record = session.records[seat]
        self.evenings.append(session.evening(seat))
        self.record.plus(record, session.seats)
        for number, made in record.calls:
            self.calls.append((DealPlace(session.session_id, session.day, number), made))

    @property
    def ended(self) -> list[EveningFigures]:
        """The evenings that have ended, and so have places."""
        return [evening for evening in self.evenings if evening.place]

    @property
    def won(self) -> list[bool]:
        """Whether the player won each of the evenings that have ended."""
        return [evening.place == 1 for evening in self.ended]

    @cached_property
    def balances(self) -> list[int]:
        return list(accumulate(evening.points for evening in self.evenings))

    def best(self, *, lowest: bool) -> EveningFigures:
        """Return the evening that paid most, or least; of equal ones the oldest."""
        return (min if lowest else max)(self.evenings, key=lambda evening: evening.points)

    @cached_property
    def run(self) -> Run | None:
        """The longest run of two or more made calls; of equal ones the oldest."""
        best: Run | None = None
        length, first = 0, None
        for place, made in self.calls:
            length, first = (length + 1, first or place) if made else (0, None)
            if first is not None and length > (best.length if best else 1):
                best = Run(length, first, place)
        return best


@dataclass(frozen=True)
class CircleFigures:
    """The figures of a circle at one moment, with its sessions by their keys, oldest first.

    ``names`` are those of the players, in their order. ``kept`` is handed on to the figures that
    follow: the ratings of each game, and what players' sessions before the newest add up to, each
    with the sessions that it is made of. ``made`` is the cache of `derived`.
    """

    heads: CircleHeads
    names: Mapping[UUID, str]
    sessions: Mapping[UUID, SessionFigures]
    kept: dict[Hashable, Any] = field(default_factory=dict)
    made: dict[tuple[object, ...], Any] = field(default_factory=dict)

    @cached_property
    def games(self) -> dict[str, int]:
        """The games that were played, with the number of seats that were paid in each."""
        games: Counter[str] = Counter()
        for session in self.sessions.values():
            games[session.game] += len(session.records)
        return +games

    @property
    def main_game(self) -> str | None:
        return max(self.games, key=lambda slug: (self.games[slug], slug), default=None)

    @derived
    def of_game(self, game: str) -> list[SessionFigures]:
        """List the sessions of a game in which somebody was paid, oldest first."""
        sessions = self.sessions.values()
        return [session for session in sessions if session.game == game and session.records]

    def game_name(self, game: str) -> Text:
        """Return what the sessions of a game call it, if they agree."""
        first, *others = self.of_game(game)
        same = all(other.game_name == first.game_name for other in others)
        return first.game_name if same else find_game(game).name

    def lowest_leads(self, game: str) -> bool:
        """Whether the lowest leads in all sessions of a game."""
        return all(session.lowest_leads for session in self.of_game(game))

    @derived
    def by_balance(self, game: str) -> bool:
        """Whether the evenings of a game may be added up; if not, evenings won are counted."""
        sessions, rules = self.of_game(game), find_game(game)
        if not sessions:
            return rules.adds_up(rules.preset)
        return all(session.adds_up for session in sessions)

    @derived
    def players(self, game: str) -> frozenset[UUID]:
        """Return the players who were ever paid in a game."""
        sessions = self.of_game(game)
        return frozenset(session.seats[seat] for session in sessions for seat in session.records)

    @derived
    def within(self, first: date, last: date) -> CircleFigures:
        sessions = self.sessions.items()
        within = {key: session for key, session in sessions if first <= session.day <= last}
        return CircleFigures(self.heads, self.names, within)

    @derived
    def _played(self, game: str, player_id: UUID) -> list[tuple[SessionFigures, int]]:
        sessions, who = self.of_game(game), player_id.int
        return [(session, session.paid[who]) for session in sessions if who in session.paid]

    def lifetime(self, game: str, player_id: UUID) -> PlayerFigures:
        return self.summed(PlayerFigures, game, player_id)

    @derived
    def summed(self, kind: type[Added], game: str, player_id: UUID) -> Added:
        """Add up the sessions of a player in a game; only the newest session is added anew."""
        played, key = self._played(game, player_id), (kind, game, player_id)
        before = [session for session, _ in played[:-1]]
        sessions, summed = self.kept.get(key, ([], kind()))
        if sessions != before:
            summed = kind()
            for session, seat in played[:-1]:
                summed.add(session, seat)
            self.kept[key] = before, summed
        total: Added = summed.copy()
        for session, seat in played[-1:]:
            total.add(session, seat)
        return total


#: By circle: to sum 10,000 deals takes half a second.
cache: LRUCache[CircleFigures] = LRUCache(MOST_SESSIONS, cost=lambda circle: len(circle.sessions))


def circle_figures(circle_id: UUID) -> CircleFigures:
    heads, figures = existing(queries.circle.circle_heads(circle_id)), cache.look_up(circle_id)
    if figures is None or figures.heads != heads:
        figures = _make(circle_id, heads, figures)
        cache.put(circle_id, figures)
    return figures


def _make(circle_id: UUID, heads: CircleHeads, before: CircleFigures | None) -> CircleFigures:
    """Sum a circle, reusing the figures of sessions whose hash chains have the same heads.

    Nothing is reused after a player is gone, as a merge changes who sat in a seat, or after the
    time zone has changed, which changes the days.
    """
    if before and before.heads.people == heads.people:
        names = before.names
    else:
        names = queries.circle.player_names(circle_id)
    known: dict[UUID, SessionFigures] = {}
    chains, summed = set(heads.sessions.split()), set[str]()
    if before and before.names.keys() <= names.keys() and before.heads.zone == heads.zone:
        known, summed = {**before.sessions}, set(before.heads.sessions.split())
    count = len(known)
    written = [UUID(head.partition(":")[0]) for head in chains - summed]
    for start in range(0, len(written), AT_ONCE):
        for session in _sessions(circle_id, written[start : start + AT_ONCE], heads.zone):
            known[session.session_id] = session
    if not count == len(known) == len(chains):  # some are new, or gone
        order = [session.session_id for session in queries.deals.sessions_in_order(circle_id)]
        known = {key: known[key] for key in order if key in known}
    return CircleFigures(heads, names, known, dict(before.kept) if before else {})


def _sessions(circle_id: UUID, keys: Sequence[UUID], zone: str) -> Iterator[SessionFigures]:
    deals = queries.deals.paid_deals(circle_id, keys)
    seats = queries.session.seats_by_session(circle_id, keys)
    changes = queries.session.changes_since(circle_id, keys, 0)
    starts = queries.deals.session_starts(circle_id, keys)
    named = [key for key, slug, *_ in starts if stored_game(slug).sheet_names_winner]
    sheets = queries.deals.played_sheets(circle_id, named) if named else {}
    days_in = zone_called(zone)
    for session_id, slug, began_at, rules, following, over, went_on_from in starts:
        game = stored_game(slug)
        # Only a game that is installed tells who won, and whether few points are good.
        of_session = () if game.missing else deals.get(session_id, ())
        summed, sits = records(of_session), seats.get(session_id, ())
        walk = Walk(
            game,
            names=tuple(seat.name for seat in sits),
            began=Terms(
                listed_rules(game, rules), seats_of([s.seat for s in sits if not s.joined])
            ),
            totals={Seat(seat.seat): seat.opening for seat in sits},
            changes=list(_readable(game, changes.get(session_id, ()))),
        )
        players = {seat.seat: seat.player_id for seat in sits}
        contests = tuple(_contests(walk, of_session, dict(sheets.get(session_id, ()))))
        walk.go_to(following)
        changed = (change.rules for change in walk.changes if change.rules is not None)
        yield SessionFigures(
            session_id=session_id,
            game=slug,
            game_name=game.name_in(rules),
            started_at=began_at,
            day=began_at.astimezone(days_in).date(),
            lowest_leads=game.leads_lowest(walk.terms.rules),
            adds_up=all(map(game.adds_up, (walk.began.rules, *changed))),
            seats=players,
            records=summed,
            paid={players[seat].int: seat for seat in summed},
            contests=contests,
            places={row.seat: row.place for row in walk.ranked()}
            if over and not game.missing
            else {},
            went_on_from=went_on_from,
        )


def _readable(
    game: Game[Any, Any], changes: Iterable[models.SessionChange]
) -> Iterator[TermsChange]:
    """Yield the changes of a session, without damaged ones: they must not break a circle."""
    for change in changes:
        with suppress(ScorerError):
            yield read_change(game, change, {})


def _contests(
    walk: Walk, deals: Iterable[DealResult], sheets: Mapping[int, Any]
) -> Iterator[Contest]:
    """Walk through the deals of a session, and yield who won each."""
    game = walk.game
    for deal in deals:
        if deal.number != walk.number:
            walk.go_to(deal.number)
        rules, paid = walk.terms.rules, cast("Mapping[Seat, int]", deal.payouts)
        contested, stored, sheet = called(deal), sheets.get(deal.number), None
        if contested is None and not game.levels:
            table = Table(rules, walk.names, tuple(s for s in walk.here.order if s in paid))
            reading = Reading(NUMBERS, game.deck(rules))
            agreed = stored and stored.get("payouts")
            if stored and not agreed:
                sheet = read(game.sheet_type, stored, reading, "")
            cards = {Seat(int(seat)): amount for seat, amount in (agreed or {}).items()} or paid
            won = game.won(sheet, table, cards)
            sides = game.sides(table.active, rules)
            contested = contest(deal, sides, won, lowest_first=game.leads_lowest(rules))
            if contested and game.sheet_names_winner and won:  # what others took on tells less
                contested = contested._replace(places=tuple(int(s[0] not in won) for s in sides))
        if contested is not None:
            yield contested
        walk.book(JudgedDeal(game, Outcome.PLAYED, NO_TABLE, sheet, paid=paid), Turn(Seat(0)))


class PlayerGames(NamedTuple):
    """A player, and the games in which he or she was ever paid."""

    player: models.Player
    games: list[str]


def players_with_games(circle_id: UUID) -> list[PlayerGames]:
    """List the players of the circle by name, with the games that each has played."""
    figures = circle_figures(circle_id)
    paid = {slug: figures.players(slug) for slug in figures.games}
    return [
        PlayerGames(player, [slug for slug in paid if player.player_id in paid[slug]])
        for player in queries.circle.players(circle_id)
    ]


class NamedFigures(NamedTuple):
    """The figures of a player in a game, and the names of all players."""

    player: models.Player
    game: str | None
    life: PlayerFigures
    names: Mapping[UUID, str]

    @property
    def record(self) -> DealStatistics[UUID]:
        return self.life.record

    @property
    def by_part(self) -> dict[str, DealTally]:
        """All deals by the part in them; without parts, they were played."""
        return {part or "played": tally for part, tally in self.record.parts.items()}

    def by_name(self, figures: Mapping[UUID, Value]) -> dict[str, Value]:
        return {self.names[who]: figure for who, figure in figures.items()}


def player_figures(circle_id: UUID, player_id: UUID, game: str) -> NamedFigures:
    """Return a player's figures in a game, by default the one played most; raise NotFoundError."""
    player, figures = find(circle_id, player_id), circle_figures(circle_id)
    slug = game or figures.main_game
    life = figures.lifetime(slug or "", player_id)
    return NamedFigures(player, slug, life, figures.names)


class PlayerSummary(NamedTuple):
    """A player: the number of evenings, the last one, and the balance in the game played most.

    There is no balance if the evenings of that game don't add up.
    """

    player: models.Player
    balance: int | None
    evenings: int
    last: date | None
    phones: int


def summaries(circle_id: UUID) -> list[PlayerSummary]:
    """List every player of a circle by name, the retired ones too."""
    figures = circle_figures(circle_id)
    phones = Counter(
        phone.player_id for phone in queries.circle.phones(circle_id) if phone.revoked_at is None
    )
    main, listed = figures.main_game or "", []
    adds_up = bool(main) and figures.by_balance(main)
    for player in queries.circle.players(circle_id):
        lifetimes = {slug: figures.lifetime(slug, player.player_id) for slug in figures.games}
        days = [evening.day for life in lifetimes.values() for evening in life.evenings]
        summary = PlayerSummary(
            player=player,
            balance=lifetimes[main].record.everything.points if adds_up else None,
            evenings=len(days),
            last=max(days, default=None),
            phones=phones[player.player_id],
        )
        listed.append(summary)
    return listed
