"""What programs read of a circle: sessions, standings, players, money, streams of events."""

from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any
from uuid import UUID

from flask import request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from scorer.api.access import current_program
from scorer.api.answers import JSON, SESSION_WANTED, argument, conditional, speaker
from scorer.api.routes import SESSION, CircleRoutes, Key
from scorer.cards.notation.files import write_file
from scorer.documents import encode
from scorer.roles import Role
from scorer.services.base.clock import read_day
from scorer.services.cards.deal_file import deal_file
from scorer.services.circle.circles import find, signature
from scorer.services.circle.players import bring_back, merge, rename, retire
from scorer.services.deals.history import listed_sessions
from scorer.services.figures.figures import listed_players, player_document
from scorer.services.figures.standings import CircleStandings, circle_standings
from scorer.services.files.session_files import exported_session
from scorer.services.live.events import circle_version
from scorer.services.live.streams import stream_answer
from scorer.services.money.ledger import ledger_document
from scorer.services.session.house_rules import known_game
from scorer.texts import say

blueprint = CircleRoutes("api_circles", __name__)
#: What standings go by.
BY = {True: "balance", False: "won"}
PLAYER = "/<uuid:circle>/players/<uuid:player>"


@blueprint.get("", least=Role.SPECTATOR)
def circles() -> Response:
    """List the circle that the secret opens."""
    by = current_program().by

    def read() -> bytes:
        circle = find(by.circle_id)
        listed = {"id": str(circle.circle_id), "name": circle.name, "role": by.role.value}
        return encode({"circles": [listed]})

    return conditional(circle_version(by.circle_id), read, JSON)


@blueprint.reads("/<uuid:circle>/sessions", "SessionList", "Before")
def sessions(circle: UUID) -> dict[str, Any]:
    """Return a page of the circle's sessions, newest first."""
    listed, more = listed_sessions(circle, argument("before", UUID, SESSION_WANTED))
    older = url_for(".sessions", circle=circle, before=listed[-1]["id"]) if more else None
    return {"sessions": listed, "next": older}


@blueprint.reads(SESSION, "ExportedSession")
def session(circle: UUID, session: UUID) -> dict[str, Any]:
    """Return the file of a session, which `/replay` takes."""
    return exported_session(circle, session)


@blueprint.reads(f"{SESSION}/smazzate", "text/plain")
def deals(circle: UUID, session: UUID) -> bytes:
    """Return the deals of a session whose cards are written down, as a file of deals."""
    return write_file(deal_file(circle, session)).encode()


@blueprint.reads("/<uuid:circle>/standings", "Standings", "From", "To", "Game")
def standings(circle: UUID) -> dict[str, Any]:
    """Return the standings in a game, by default the one played most, over a span of days."""
    game, (since, until) = game_of_address(), span()
    standings = circle_standings(circle, game, since, until)
    played = standings is not None and game in {"", standings.game.slug}
    return ranked(standings if played else None, game)


def ranked(standings: CircleStandings | None, wanted: str) -> dict[str, Any]:
    """Write the standings in the game that was wanted; without rows if it was not played."""
    if standings is None:
        by_balance = not wanted or known_game(wanted).adds_up(known_game(wanted).preset)
        return {"by": BY[by_balance], "game": wanted or None, "standings": []}
    rows = []
    for row in standings.places:
        figures: dict[str, Any] = {"balance": row.points}
        if not standings.by_balance:
            average = str(row.average_place)
            figures = {"sessions": row.evenings, "won": row.won, "average_place": average}
        rows.append({"place": row.place, "player": row.player.name, **figures, "deals": row.deals})
    return {"by": BY[standings.by_balance], "game": standings.game.slug, "standings": rows}


def span() -> list[date | None]:
    """Read the first and the last day in the address."""
    day = say("A date is needed, such as 2026-11-20.")
    return [argument(name, read_day, day) for name in ("from", "to")]


@blueprint.reads("/<uuid:circle>/players", "PlayerList")
def players(circle: UUID) -> dict[str, Any]:
    """List the players of the circle by name, with the games that each has played."""
    return {"players": listed_players(circle)}


@blueprint.reads(PLAYER, "PlayerFigures", "Game")
def player(circle: UUID, player: UUID) -> dict[str, Any]:
    """Return the figures of a player in a game, by default the one played most."""
    return player_document(circle, player, game_of_address())


@dataclass(frozen=True, slots=True)
class NewName:
    """Another name of a player or a season."""

    name: str


@dataclass(frozen=True, slots=True)
class SamePlayer:
    """The player who turned out to be the same person: their seats and phones move."""

    other: Key


OF_PLAYERS: dict[str, Any] = {"then": players, "least": Role.SCOREKEEPER}
OF_OWNERS: dict[str, Any] = {**OF_PLAYERS, "least": Role.OWNER, "logged": "players-merged"}
blueprint.writes("put", f"{PLAYER}/name", NewName, **OF_PLAYERS, name="rename_player")(rename)
blueprint.writes("post", f"{PLAYER}/retire", None, **OF_PLAYERS, name="retire_player")(retire)
blueprint.writes("post", f"{PLAYER}/return", None, **OF_PLAYERS, name="bring_back")(bring_back)
blueprint.writes("post", f"{PLAYER}/merge", SamePlayer, **OF_OWNERS, name="merge_players")(merge)


@blueprint.reads("/<uuid:circle>/ledger", "Ledger")
def ledger(circle: UUID) -> dict[str, Any]:
    """Return the money of the circle: entries, balances, and payments that would settle them."""
    return ledger_document(circle)


def game_of_address() -> str:
    """Read the game of the address, which may be left out."""
    slug = request.args.get("game", "")
    return known_game(slug).slug if slug else ""


@blueprint.get("/<uuid:circle>/events", least=Role.SPECTATOR, limit="secret")
@blueprint.get(f"{SESSION}/events", least=Role.SPECTATOR, limit="secret")
def listen(circle: UUID, session: UUID | None = None) -> ResponseReturnValue:
    """Stream an event for each change of a session, or of any session of the circle."""
    program = current_program()
    by = program.by.phone_id if program.joined else program.link_id
    sign = partial(signature, program.by.role, speaker())
    return stream_answer(circle, by, session, until=program.expires_at, sign=sign)
