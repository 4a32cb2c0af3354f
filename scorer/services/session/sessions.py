"""Card sessions: start one, rename it, set its stake, and begin the next match after it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import MAXYEAR, MINYEAR, datetime, time, timedelta
from typing import Annotated, Any, NamedTuple
from uuid import UUID, uuid4, uuid5

from scorer.errors import ConflictError, InvalidError, NotFoundError, RefusedError, refuse
from scorer.evening.session_acts import MOST_POINTS, End
from scorer.games import all_games, find_game, stored_game
from scorer.roles import Holder, Role
from scorer.rules.game import Game
from scorer.rules.questions import Ask, Reading, SentKey
from scorer.rules.questions import write as written
from scorer.rules.seats import Seat, wrong_count
from scorer.services.base import journal
from scorer.services.base.clock import now, zone_called, zones
from scorer.services.base.journal import Author
from scorer.services.circle.circles import holder, new_phone, usual_name
from scorer.services.circle.names import UNTITLED
from scorer.services.circle.players import active, find_player
from scorer.services.session.house_rules import RulesAnswer, find_rules
from scorer.services.session.seating import kept_seed
from scorer.services.session.settling import MOST_CENTS, amount_problems, settle
from scorer.services.session.state import SessionState, load_state, lock_state
from scorer.services.session.writing import do_within
from scorer.storage import models, queries, transaction, write
from scorer.texts import say
from scorer.typed_text import TypedText, one_line, read_name

TITLE = TypedText(80, say("A title has at most 80 letters."))
SESSION = UUID("6f1c5d3e-4a2b-4d52-9a5e-0c6f3f4f9b11")
CIRCLE = UUID("a3b8e0f4-7f60-4a51-8f3c-52d1b6f5c2d7")


STAKE = Ask(say("What a point is worth, if you play for money"), low=1, high=MOST_CENTS, cents=True)
#: What nobody is asked for.
UNASKED = {"page": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession(RulesAnswer):
    """A session to begin.

    ``circle_id`` None begins a circle of its own, whose owner is the phone ``phone_id``, in the
    time zone ``zone``, or none if it is unknown. ``rule_set`` names the version, if they are the
    circle's own rules. ``started_at`` is given for an imported session. ``went_on_from`` is the
    session before it of one evening. ``lots`` is the seed by which the seats were drawn, if they
    were.
    """

    key: SentKey
    game: Annotated[str, Ask("The game")]
    players: Annotated[tuple[str, ...], Ask("The names in order of play")]
    first_dealer: Annotated[Seat, Ask("Who deals first; left out, who is named first")] = Seat(0)
    opening: Annotated[Mapping[Seat, int], Ask("Balances brought in, by name")] = field(
        default_factory=dict
    )
    title: Annotated[str, Ask(say("Name"), typed=TITLE)] = ""
    stake: Annotated[int | None, STAKE] = None
    circle_id: UUID | None = field(default=None, metadata=UNASKED)
    circle_name: str = field(default="", metadata=UNASKED)
    zone: str = field(default="", metadata=UNASKED)
    rule_set: tuple[UUID, int] | None = field(default=None, metadata=UNASKED)
    started_at: datetime | None = field(default=None, metadata=UNASKED)
    phone_id: UUID = field(default_factory=uuid4, metadata=UNASKED)
    went_on_from: UUID | None = field(default=None, metadata=UNASKED)
    lots: str = field(default="", metadata=UNASKED)


class CheckedSession(NamedTuple):
    """A new session that was validated."""

    new: NewSession
    game: Game[Any, Any]
    rules: Any
    players: list[str]


class StartedSession(NamedTuple):
    """The address of a new session; ``phone_id`` when a circle began with it."""

    circle_id: UUID
    session_id: UUID
    phone_id: UUID | None


@transaction
def start_session(new: NewSession, by: Author = None) -> StartedSession:
    """Start a session, and its circle where it has none; raise InvalidError.

    ``by`` is needed for an existing circle; a new one begins with its first phone. Raise
    RefusedError if another phone began the circle of that key, or this phone was removed.
    """
    return begin(check_session(new, counted=True), by)


def check_session(new: NewSession, *, counted: bool = False) -> CheckedSession:
    """Validate the settings of a session; raise InvalidError with every problem.

    With ``counted`` a number of people that the rules don't allow at the start is refused.
    """
    reading, game = Reading(), find_game(new.game)
    players: list[str] = []
    for name in new.players[: models.MOST_AT_TABLE + 1]:  # more are refused, whatever their names
        try:
            players.append(read_name(name, players, "players"))
        except InvalidError as error:
            reading.problems += error.problems
    rules, problems = game.rules_from(new.rules)
    reading.problems += problems
    counts = game.seating(rules).for_session
    wrong = wrong_count(len(new.players), counts, "players")
    if counted and not problems and wrong:
        unnamed = say("Write down who plays.")
        reading.problems.append(wrong if new.players else replace(wrong, message=unnamed))
    _check_rest(new, reading)
    refuse(reading.problems)
    return CheckedSession(new, game, rules, players)


def _check_rest(new: NewSession, reading: Reading) -> None:
    if len(new.players) > models.MOST_AT_TABLE:
        reading.fault("seats-count", "players", say("There are too many people for a table."))
    if any(abs(balance) > MOST_POINTS for balance in new.opening.values()):
        message = say("This balance is too large to be brought in.")
        reading.fault("out-of-range", "opening", message)
    if not 0 <= new.first_dealer < max(len(new.players), 1):
        reading.fault("out-of-range", "first_dealer", say("Who deals first?"))
    reading.problems += TITLE.problems(new.title, "title")
    reading.problems += amount_problems(new.circle_id, "stake", new.stake)


def begin(agreed: CheckedSession, by: Author) -> StartedSession:
    """Write a checked session inside the caller's transaction, unless it exists."""
    new, players = agreed.new, agreed.players
    session_id = uuid5(SESSION, new.key.hex)
    started = StartedSession(new.circle_id or circle_begun_by(new.key), session_id, None)
    if new.circle_id is None:
        by = _begin_circle(started.circle_id, new.circle_name or usual_name(players), new)
        started = started._replace(phone_id=new.phone_id)
    if queries.find(models.CardSession, started.circle_id, session_id) is None:
        _write_session(started, agreed, by)
    return started


def circle_begun_by(key: UUID) -> UUID:
    return uuid5(CIRCLE, key.hex)


def _begin_circle(circle_id: UUID, name: str, new: NewSession) -> Holder:
    """Write a circle and the phone that owns it; in an existing circle, find that phone."""
    if queries.find(models.Circle, circle_id) is None:
        zone = zones().get(new.zone.casefold(), "")
        circle = models.Circle(circle_id=circle_id, name=name, created_at=now(), zone=zone)
        write(circle)
        return new_phone(circle_id, Role.OWNER, new.phone_id, begins=circle)
    try:
        return holder(circle_id, new.phone_id)
    except NotFoundError:
        message = say("This session was started already. Ask for a link, and join with it.")
        raise RefusedError(message) from None


def _free_title(circle_id: UUID, title: str, started_at: datetime) -> str:
    """Return the title of a new session; without one, sessions of a day are numbered."""
    if (title and not UNTITLED.fullmatch(title)) or started_at.year in (MINYEAR, MAXYEAR):
        return title  # the bounds of those days can’t be written in UTC
    circle = queries.find(models.Circle, circle_id)
    zone = zone_called(circle.zone if circle else "")
    first = datetime.combine(started_at.astimezone(zone).date(), time.min, zone)
    there = queries.session.titles_between(circle_id, first, first + timedelta(days=1))
    numbers = {_number(title) for title in there if not title or UNTITLED.fullmatch(title)}
    number = _number(title)
    while number in numbers:
        number += 1
    return f"· {number}" if number > 1 else ""


def _number(title: str) -> int:
    return int(title.removeprefix("· ") or 1)


def _write_session(where: StartedSession, agreed: CheckedSession, by: Author) -> None:
    new, game, rules, players = agreed
    started_at = new.started_at or now()
    rule_set_id, version = new.rule_set or (None, None)
    ids = [
        find_player(where.circle_id, name, by, since=started_at + timedelta(microseconds=place))
        for place, name in enumerate(players)
    ]
    session = models.CardSession(
        circle_id=where.circle_id,
        session_id=where.session_id,
        game=game.slug,
        title=_free_title(where.circle_id, one_line(new.title), started_at),
        rules=written(rules),
        first_dealer=new.first_dealer,
        stake_cents=new.stake,
        started_at=started_at,
        rule_set_id=rule_set_id,
        rule_set_version=version,
        went_on_from=new.went_on_from,
    )
    seats = [
        models.Seat(
            circle_id=where.circle_id,
            session_id=where.session_id,
            seat=seat,
            player_id=player_id,
            opening=new.opening.get(Seat(seat), 0),
        )
        for seat, player_id in enumerate(ids)
    ]
    kind = journal.Kind.BROUGHT_IN if new.started_at else journal.Kind.SESSION_STARTED
    lots = kept_seed(new.lots, players, new.first_dealer)
    journal.start(kind, session, seats, by, **({"lots": lots} if lots else {}))


@transaction
def rename_session(
    circle_id: UUID,
    session_id: UUID,
    title: Annotated[str, Ask(say("Title"), typed=TITLE)],
    *,
    by: Author = None,
) -> None:
    """Call a session by another title, or by its day again; raise InvalidError."""
    title = TITLE.read(title, "title")
    with lock_state(circle_id, session_id) as state:
        journal.change(journal.Kind.RENAMED, state.row, by, title=title)
        state.row.version += 1


@transaction
def set_stake(
    circle_id: UUID,
    session_id: UUID,
    stake: Annotated[
        int | None,
        replace(
            STAKE, label=say("What a point is worth; leave it empty if you don’t play for money")
        ),
    ],
    *,
    by: Author = None,
) -> None:
    """Set the cents per point of a session, or none, also in the ledger; raise InvalidError."""
    refuse(amount_problems(circle_id, "stake", stake))
    with lock_state(circle_id, session_id) as state:
        journal.change(journal.Kind.STAKE_SET, state.row, by, stake_cents=stake)
        settle(state, by, anew=True)
        state.row.version += 1


MATCH = UUID("0d2a5c7e-93b1-4f5a-8a44-7be6f1c09d36")
#: Matches that begin within so many hours of each other are played on one evening.
AN_EVENING = timedelta(hours=12)
#: Which match of the evening it is, at the end of a title.
NUMBERED = re.compile(r"(?:(.*) )?· (\d{1,3})")


class NextMatch(NamedTuple):
    """What follows a session that is over: who deals first and, once it has begun, its session."""

    dealer: str
    session_id: UUID
    begun: bool


class NextGame(NamedTuple):
    """A game that the same people can go on with, and by which rules; ``pairs`` play it."""

    game: Game[Any, Any]
    rules: Any
    rule_set: tuple[UUID, int] | None
    stake_cents: int | None
    pairs: bool


#: The orders of four people in which everybody is the partner of each of the others.
PAIRINGS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))


def next_session(session_id: UUID) -> UUID:
    """Return the key of the session that goes on from one."""
    return uuid5(SESSION, uuid5(MATCH, session_id.hex).hex)


def next_match(state: SessionState) -> NextMatch:
    session_id = next_session(state.session_id)
    begun = queries.find(models.CardSession, state.circle_id, session_id) is not None
    return NextMatch(state.names[next_dealer(state)], session_id, begun)


def next_games(state: SessionState) -> list[NextGame]:
    """List the games for these people: the same, those that the circle played, then the rest."""
    played = queries.session.newest_by_game(state.circle_id)
    slugs = [state.game.slug, *reversed(played), *(game.slug for game in all_games())]
    found = (_next_game(state, slug, played.get(slug)) for slug in dict.fromkeys(slugs))
    return [game for game in found if game is not None]


def _next_game(state: SessionState, slug: str, newest: UUID | None) -> NextGame | None:
    """Return a game by the rules played last, or else proposed to so many; None if none fit."""
    game, count, order = stored_game(slug), len(state.order), state.order
    if game.missing:
        return None
    last = state if slug == state.game.slug else newest and load_state(state.circle_id, newest)
    names = [game.proposed.get(count, ""), *game.presets]
    known: list[tuple[Any, tuple[UUID, int] | None, int | None]] = []
    if last:
        known.append((last.rules, last.evening.terms.rule_set, last.row.stake_cents))
    known += [(game.presets[name], None, None) for name in names if name in game.presets]
    for rules, rule_set, stake in known:
        if count in game.seating(rules).for_session:
            pairs = count == len(PAIRINGS[0]) and len(game.sides(order, rules)) == 2
            return NextGame(game, rules, rule_set, stake, pairs)
    return None


@transaction
def start_next_match(
    circle_id: UUID,
    session_id: UUID,
    *,
    game: str = "",
    rules: Any = None,
    rule_set: tuple[UUID, int] | None = None,
    pairing: int = 0,
    by: Author = None,
) -> UUID:
    """Go on after a session that is over, which ends with it; give the key of the next one.

    The same people play the same game or another one, by the rules given or else those of
    ``next_games``, in one of the ``PAIRINGS``. Repeated requests, also by other phones, start only
    one. It takes the title of the session before, unless that was on another day. Raise
    ConflictError when the session goes on, InvalidError for rules that are not for so many people.
    """
    with lock_state(circle_id, session_id) as state:
        if state.row.finished_number is None and state.row.ended_at is None:
            raise ConflictError(session_id)
        do_within(state, End(), by)
        slug, order = game or state.game.slug, state.order
        chosen = next((offer for offer in next_games(state) if offer.game.slug == slug), None)
        if chosen is None:
            raise InvalidError.of("seats-count", "game", say("It is not for so many people."))
        if chosen.pairs:
            order = tuple(order[place] for place in PAIRINGS[pairing])
        if rules is None:
            rules, rule_set = written(chosen.rules), chosen.rule_set
        same_day = now() - state.row.started_at < AN_EVENING
        new = NewSession(
            key=uuid5(MATCH, session_id.hex),
            game=slug,
            rules=rules,
            players=tuple(state.names[seat] for seat in order),
            first_dealer=Seat(order.index(next_dealer(state))),
            title=_numbered(state.row.title) if same_day else "",
            circle_id=circle_id,
            stake=chosen.stake_cents,
            rule_set=rule_set,
            went_on_from=session_id,
        )
        return begin(check_session(new, counted=True), by).session_id


def next_dealer(state: SessionState) -> Seat:
    """Return who deals the next match, for which nobody is out any more."""
    return replace(state.evening, totals={}).turn.dealer


def _numbered(title: str) -> str:
    """Number the matches of an evening: the second one is ``Friday · 2``."""
    numbered = NUMBERED.fullmatch(title)
    name, number = (numbered[1] or "", int(numbered[2])) if numbered else (title, 1)
    ending = f" · {number + 1}"
    return (name[: TITLE.longest - len(ending)] + ending).strip()


class SameAgain(NamedTuple):
    """The start of another session like an earlier one.

    Retired players are left out; the player due to deal next deals first. ``rule_set`` is the
    newest version of the circle's own rules, ``newer`` if they have changed. ``end`` is the end in
    the words of the options.
    """

    row: models.CardSession
    players: list[str]
    first_dealer: int
    preset: str
    rule_set: tuple[UUID, int] | None
    newer: bool
    end: str | None
    target: int | None
    deals: int | None
    called: str


def last_of_game(circle_id: UUID, game: str) -> SameAgain | None:
    """Return the start of another session like the circle's last one of a game."""
    newest = queries.session.newest_by_game(circle_id).get(game)
    return same_again(circle_id, newest) if newest else None


def same_again(circle_id: UUID, session_id: UUID) -> SameAgain:
    state = load_state(circle_id, session_id)
    offered = {player.player_id for player in active(circle_id)}
    staying = [seat for seat in state.order if state.seats[seat].player_id in offered]
    place = state.order.index(state.evening.turn.dealer)
    following = [*state.order[place:], *state.order[:place]]
    dealer = next((seat for seat in following if seat in staying), None)
    rules = written(state.rules)
    end: dict[str, Any] = rules.get("session", {})
    own = state.game.named_by_session and state.game.name_in(rules) != state.game.name
    if state.game.named_by_session:
        ends = (end for end in ("target", "deals") if rules[end] is not None)
        end = {**rules, "end": next(ends, "open")}
    rule_set = state.evening.terms.rule_set
    newest = find_rules(circle_id, rule_set[0]).reference if rule_set else None
    return SameAgain(
        row=state.row,
        players=[state.names[seat] for seat in staying],
        first_dealer=0 if dealer is None else staying.index(dealer),
        preset=state.rules.slug,
        rule_set=newest,
        newer=newest != rule_set,
        end=end.get("end"),
        target=end.get("target"),
        deals=end.get("deals"),
        called=rules["name"] if own else "",
    )
