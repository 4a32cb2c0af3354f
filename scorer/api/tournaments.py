"""The tournaments of a circle for programs: what each comes to, and what its directors do."""

from datetime import datetime
from typing import Any
from uuid import UUID

from scorer import operations
from scorer.api.answers import Page, listed, speaker
from scorer.api.money import everybody
from scorer.api.routes import CircleRoutes
from scorer.api.session import TurnTimer
from scorer.evening.session_acts import TIMED
from scorer.operations.tournaments import DrawnTurn, TournamentOutcome, drawn_turn
from scorer.roles import Role
from scorer.services.tournament.fees import EntryFee, charge_fee, note_fee_paid, tournament_fees
from scorer.services.tournament.page import time_turn, turn_timer
from scorer.services.tournament.tournaments import (
    StoredTournament,
    direct,
    load_tournament,
    tournaments,
)
from scorer.shapes import Name, Shape, gives
from scorer.tournaments.acts import TOURNAMENT_ACTS
from scorer.tournaments.reading import TournamentFile

blueprint = CircleRoutes("api_tournaments", __name__)
TOURNAMENTS = "/<uuid:circle>/tournaments"
TOURNAMENT = f"{TOURNAMENTS}/<uuid:tournament>"


class ListedTournament(Shape):
    """A tournament in a list."""

    id: UUID = gives("Its key.", "tournament_id")
    name: str = gives("Its name.")
    game: str = gives("The game.")
    started_at: datetime = gives("When it was made.")
    ended_at: datetime | None = gives("When it ended.")


def _drawn(stored: StoredTournament) -> dict[str, Any] | None:
    """Return a turn that was drawn and is not published."""
    evening, turn = stored.evening, stored.evening.drawn
    if turn is None:
        return None
    tables = [table.sides for table in turn.tables]
    return drawn_turn(evening.next_turn, tables, turn.byes, evening.kind)


class ShownFee(Shape):
    """What somebody owes as an entry fee."""

    player: Name = gives("Who it is.", "name")
    due: int = gives("The fee in cents; 0 for who has none yet.")
    paid: int = gives("How much of it is paid.")


class ShownTournament(Shape):
    """A tournament of a circle: what was written of it, and what that comes to."""

    id: UUID = gives("Its key.", "row.tournament_id")
    version: int = gives("It grows with every act.", "row.version")
    ended_at: datetime | None = gives("When it ended.", "row.ended_at")
    tournament: TournamentFile = gives("What was written.", "evening.document")
    prizes: list[str] = gives("The prizes; a number at the beginning is a place.", "evening.prizes")
    fees: list[ShownFee] = gives(
        "The entry fees.", lambda stored: tournament_fees(*stored.key).lines
    )
    drawn: DrawnTurn | None = gives("The turn that is drawn and not published.", _drawn)
    timer: TurnTimer | None = gives(
        "The timer of the turn that is played; null where its tables have none.", turn_timer
    )
    outcome: TournamentOutcome = gives(
        "What the document comes to.",
        lambda stored: operations.tournament(stored.evening.document, speaker()),
    )


@blueprint.reads(TOURNAMENTS, listed("tournaments", ListedTournament), name="circle_tournaments")
def tournaments_of(circle: UUID) -> Page:
    """List the tournaments of a circle, newest first."""
    return Page(tournaments(circle))


blueprint.reads(TOURNAMENT, ShownTournament, name="circle_tournament")(load_tournament)
FEE: dict[str, Any] = {
    "then": load_tournament,
    "names": everybody,
    "least": Role.SCOREKEEPER,
    "limit": ("money",),
}
blueprint.writes("post", f"{TOURNAMENT}/fee", body=EntryFee, **FEE)(charge_fee)
blueprint.writes("post", f"{TOURNAMENT}/fee/paid", **FEE)(note_fee_paid)


for _kind in TOURNAMENT_ACTS.values():
    _rule = f"{TOURNAMENT}/{_kind.name}"
    blueprint.does(_kind, _rule, direct, load_tournament, f"{_kind.name}_tournament")
for _timer in TIMED:
    _name = f"{_timer.name.removesuffix('-timer')}_turn_timer"
    blueprint.does(_timer, f"{TOURNAMENT}/{_timer.name}", time_turn, load_tournament, _name)
