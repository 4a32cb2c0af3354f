"""A tournament as its pages show it: its turns, the standings with why, where a phone plays.

Also what pages offer: names and usual partners where one is made, the timer where a turn is played.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from scorer.errors import InvalidError, existing
from scorer.evening.deal import Timer
from scorer.evening.session_acts import TimerAct
from scorer.games import all_games, stored_game
from scorer.notebooks.columns import People
from scorer.rules.game import Game
from scorer.rules.seats import Seat, all_seats
from scorer.services.base.clock import now
from scorer.services.base.journal import Author
from scorer.services.circle import players
from scorer.services.session.state import ShownTimer, load_states, lock_state
from scorer.services.session.writing import do_within
from scorer.services.tournament.tournaments import StoredTournament, load_tournament
from scorer.storage import queries, transaction
from scorer.storage.queries.session import TableOfTurn
from scorer.texts import Text, say
from scorer.tournaments.club import ClubEntry, ClubEvening, ClubTurn, Penalty
from scorer.tournaments.standings import EntryStanding
from scorer.typed_text import looks

#: A prize for a place: ``1. A ham``.
OF_PLACE = re.compile(r"(?P<place>[0-9]{1,3})[.:)°ªº]*\s+(?P<what>.+)")


class TableLine(NamedTuple):
    """A table of a turn: who sits there side by side, and what it came to or has so far.

    A table of a draw that is not published has no session. ``forfeit`` is who gave it up. A result
    is ``unsigned`` while the other side has not confirmed the deals that it is the sum of, and a
    table that still plays is ``overdue`` once its time is up.
    """

    number: int
    sides: list[list[str]]
    entries: list[ClubEntry]
    by_hand: bool
    forfeit: ClubEntry | None
    scores: tuple[int, ...] | None = None
    open: bool = False
    session_id: UUID | None = None
    unsigned: bool = False
    disputed: bool = False
    overdue: bool = False

    @property
    def people(self) -> list[str]:
        return [person for side in self.sides for person in side]


class TurnLines(NamedTuple):
    """A turn with its tables, and who rests in it."""

    number: int
    drawn: int
    tables: list[TableLine]
    byes: list[ClubEntry]

    @property
    def open(self) -> list[TableLine]:
        return [table for table in self.tables if table.open]


class WhyLine(NamedTuple):
    """What a turn was worth to an entry; without a table it rested or was fined."""

    turn: int
    table: TableLine | None
    points: int
    penalty: Penalty | None = None


class PrizeLine(NamedTuple):
    """A prize, and who has the place that it is for; one for no place names its winner itself."""

    what: str
    winners: list[ClubEntry]


class OwnTable(NamedTuple):
    """Where somebody plays in a turn: with whom, against whom; no table for who rests."""

    turn: int
    table: TableLine | None
    partners: list[str]
    opponents: list[str]


class TournamentPage(NamedTuple):
    """Everything that the page of a tournament shows; ``current`` is the turn published last.

    The ``timer`` is that of the turn under way, as each table knows its own last deal. The
    ``minutes`` are offered to start one with.
    """

    stored: StoredTournament
    current: TurnLines | None
    drawn: TurnLines | None
    warnings: list[tuple[list[ClubEntry], Text]]
    own: OwnTable | None
    timer: ShownTimer | None
    minutes: int | None
    prizes: list[PrizeLine]

    @property
    def evening(self) -> ClubEvening:
        return self.stored.evening

    @property
    def places(self) -> list[EntryStanding]:
        return self.evening.state.standings

    @property
    def turns(self) -> list[TurnLines]:
        """The published turns, which only the public page has all at once."""
        return [self.turn(number) for number in range(1, self.evening.next_turn)]

    def turn(self, number: int) -> TurnLines:
        """Return a turn that was published."""
        return _turn_lines(self.stored, number, self.evening.turns[number - 1])

    def why(self, place: EntryStanding) -> Iterator[WhyLine]:
        """Yield what the points of an entry are the sum of, turn by turn."""
        bye: Mapping[str, int] = self.evening.settings.get("bye") or {}
        entry, worth = self.evening.by_id[place.entry], iter(place.tables)
        for number, turn in enumerate(self.evening.published, 1):
            for at, table in enumerate(turn.tables, 1):
                if entry.id in table.entries and not self.evening.is_open(number, at):
                    _, points = next(worth)
                    yield WhyLine(number, _table_line(self.stored, turn, number, at), points)
            if entry.id in turn.byes:
                yield WhyLine(number, None, bye.get("points", 0))
            lost = turn.penalties.get(entry.number)
            if lost is not None:
                yield WhyLine(number, None, -lost.points, lost)

    @property
    def finished(self) -> bool:
        """Whether the plan is at its end."""
        return self.evening.state.finished and self.drawn is None


def tournament_page(
    circle_id: UUID, tournament_id: UUID, player: str | None = None
) -> TournamentPage:
    """Return a tournament as it is now, for a phone that a player holds; raise NotFoundError."""
    stored = load_tournament(circle_id, tournament_id)
    evening = stored.evening
    published, drawn, timer = evening.published, evening.drawn, turn_timer(stored)
    current = _turn_lines(stored, len(published), published[-1]) if published else None
    return TournamentPage(
        stored=stored,
        current=current,
        drawn=_turn_lines(stored, evening.next_turn, drawn) if drawn else None,
        warnings=[
            ([evening.by_id[entry] for entry in warned.entries], warned.message)
            for warned in (evening.state.warnings if drawn else ())
        ],
        own=_own_table(evening, current, player) if player else None,
        timer=timer and ShownTimer(timer, now(), last_deal=0, recorded=False),
        minutes=offered_minutes(stored),
        prizes=[_prize(evening, line) for line in evening.prizes],
    )


def _prize(evening: ClubEvening, line: str) -> PrizeLine:
    of_place = OF_PLACE.fullmatch(line)
    if of_place is None:
        return PrizeLine(line, [])
    place, rows = int(of_place["place"]), evening.state.standings
    winners = [evening.by_id[row.entry] for row in rows if row.place == place]
    return PrizeLine(of_place["what"], winners)


def _turn_lines(stored: StoredTournament, number: int, turn: ClubTurn) -> TurnLines:
    known, places = stored.evening.by_id, range(1, len(turn.tables) + 1)
    return TurnLines(
        number=number,
        drawn=turn.drawn,
        tables=[_table_line(stored, turn, number, place) for place in places],
        byes=[known[entry] for entry in turn.byes if entry in known],
    )


def _table_line(stored: StoredTournament, turn: ClubTurn, number: int, place: int) -> TableLine:
    evening, table = stored.evening, turn.tables[place - 1]
    line = TableLine(
        number=place,
        sides=evening.people_at(table.sides),
        entries=[evening.by_id[entry] for entry in table.entries],
        by_hand=table.scores is not None,
        forfeit=None if table.forfeit is None else evening.by_id.get(str(table.forfeit)),
    )
    if not turn.published:
        return line
    scores, played = evening.scores(number, place), evening.played.get((number, place))
    is_open, state = evening.is_open(number, place), stored.states.get((number, place))
    timer = state.evening.timer if state else None
    deals = [deal for deal in state.deals if not deal.voided] if state else []
    return line._replace(
        sides=evening.seated(number, place),
        scores=scores if scores is not None or played is None else played.scores,
        open=is_open,
        overdue=is_open and timer is not None and timer.is_up(now()),
        session_id=stored.session_at(number, place),
        unsigned=bool(played and played.over)
        and not table.decided
        and not all(deal.confirmed for deal in deals),
        disputed=any(deal.disputed for deal in deals),
    )


def _own_table(evening: ClubEvening, turn: TurnLines | None, player: str) -> OwnTable | None:
    """Return where a player sits in the turn that was published last; None for others."""
    if turn is None or evening.over:
        return None
    entry = evening.entry_of(player)
    for table in turn.tables:
        mine = next((side for side in table.sides if player in side), None)
        if mine is not None:
            partners = [person for person in mine if person != player]
            others = [person for side in table.sides if side is not mine for person in side]
            return OwnTable(turn.number, table, partners, others)
    return OwnTable(turn.number, None, [], []) if entry in turn.byes else None


class SeatNow(NamedTuple):
    """Where a player sits in the turn under way of a tournament: with whom, against whom."""

    session_id: UUID
    place: TableOfTurn
    partners: list[str]
    opponents: list[str]


def seats_now(circle_id: UUID, player_id: UUID | None) -> list[SeatNow]:
    """List where a player sits now, in each tournament under way; nowhere for who is nobody."""
    if player_id is None:
        return []
    seats = []
    tables = queries.tournament.tables_of_player(circle_id, player_id)
    for state in load_states(circle_id, tables).values():
        own = next(Seat(row.seat) for row in state.seats if row.player_id == player_id)
        mine = next((side for side in state.sides if own in side), (own,))
        partners = [state.names[seat] for seat in mine if seat != own]
        opponents = [state.names[seat] for seat in state.order if seat not in mine]
        seats.append(SeatNow(state.session_id, existing(state.place), partners, opponents))
    return seats


@transaction
def time_turn(circle_id: UUID, tournament_id: UUID, act: TimerAct, *, by: Author = None) -> None:
    """Do something to the timer of each table that plays; raise InvalidError if none does."""
    existing(queries.circle.circle_for_update(circle_id))
    existing(queries.tournament.tournament_for_update(circle_id, tournament_id))
    stored = load_tournament(circle_id, tournament_id)
    playing = stored.evening.open_tables
    if not playing:
        raise InvalidError.of("wrong-turn", "minutes", say("No table plays now."))
    for number in playing:
        with lock_state(circle_id, stored.session_at(len(stored.evening.published), number)) as at:
            if not at.evening.over:
                do_within(at, act, by)


def turn_timer(stored: StoredTournament) -> Timer | None:
    """Return the timer of the turn that is played: that of its first table that has one."""
    turn = len(stored.evening.published)
    at_tables = (stored.timers.get((turn, number)) for number in stored.evening.open_tables)
    return next(filter(None, at_tables), None)


def offered_minutes(stored: StoredTournament) -> int | None:
    """Return the minutes of a turn by the rules, or else of the turn before."""
    game = stored_game(stored.row.game)
    rules, _ = game.rules_from(stored.row.rules)
    before = [timer.minutes for _, timer in sorted(stored.timers.items())]
    return game.turn_minutes(rules) or next(reversed(before), None)


def near_names(circle_id: UUID, names: Iterable[str]) -> dict[str, list[str]]:
    """Return, for each name that the circle does not have, those that are near it, if any.

    Who is named, too, is not offered.
    """
    everybody = players.everybody(circle_id)
    known = {looks(player.name) for player in everybody}
    named = {looks(name): name for name in names}
    people = People([[player.name, player.nickname] for player in everybody])
    near = {
        name: [other for other in people.near(name) if looks(other) not in named]
        for look, name in named.items()
        if look not in known
    }
    return {name: others for name, others in near.items() if others}


def usual_pairs(circle_id: UUID) -> list[tuple[str, str]]:
    """Pair the people of a circle, each with whom they played most often, the most usual first."""
    names = {player.player_id: player.name for player in players.active(circle_id)}
    games = [game.slug for game in all_games() if _plays_in_pairs(game)]
    together: Counter[tuple[str, str]] = Counter()
    for player_id, partner_id, count in queries.session.partners_at_four(circle_id, games):
        if player_id in names and partner_id in names:
            one, other = sorted((names[player_id], names[partner_id]))
            together[one, other] += count
    pairs: dict[str, tuple[str, str]] = {}
    for pair in sorted(together, key=lambda pair: (-together[pair], pair)):
        if not pairs.keys() & {*pair}:
            pairs |= dict.fromkeys(pair, pair)
    return [*dict.fromkeys(pairs.values())]


def _plays_in_pairs(game: Game[Any, Any]) -> bool:
    """Whether four play it as two pairs."""
    rules = game.preset
    return 4 in game.seating(rules).for_session and len(game.sides(all_seats(4), rules)) == 2
