"""The timer of a turn: each of its tables has it, and it is set at all of them at once."""

from uuid import UUID

from scorer.errors import InvalidError, existing
from scorer.evening.deal import Timer
from scorer.evening.session_acts import TimerAct
from scorer.games import stored_game
from scorer.services.base.clock import now
from scorer.services.base.journal import Author
from scorer.services.session.state import ShownTimer, lock_state
from scorer.services.session.writing import do_within
from scorer.services.tournament.tournaments import StoredTournament, load_tournament
from scorer.storage import queries, transaction
from scorer.texts import say


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


def shown_turn_timer(stored: StoredTournament) -> ShownTimer | None:
    """Return the timer of the turn as pages show it; each table knows its own last deal."""
    timer = turn_timer(stored)
    return None if timer is None else ShownTimer(timer, now(), last_deal=0, recorded=False)


def offered_minutes(stored: StoredTournament) -> int | None:
    """Return the minutes of a turn by the rules, or else of the turn before."""
    game = stored_game(stored.row.game)
    rules, _ = game.rules_from(stored.row.rules)
    by_rules = game.turn_minutes(rules) if rules is not None else None
    before = [timer.minutes for _, timer in sorted(stored.timers.items())]
    return by_rules or next(reversed(before), None)
