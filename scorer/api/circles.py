"""A circle for programs: sessions, their files, standings, players, money, streams of events.

Nothing is written here.
"""

from datetime import date
from typing import Any
from uuid import UUID

from flask import request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from scorer.api.access import current_program, enter
from scorer.api.answers import SESSION_WANTED, argument, conditional, moment, read_answer
from scorer.cards.deal_files import write_file
from scorer.routes import Routes
from scorer.services.base.roles import Role
from scorer.services.cards.deal_file import deal_file
from scorer.services.circle.circles import find
from scorer.services.deals.history import SessionRow, session_page
from scorer.services.figures.figures import listed_players, player_document
from scorer.services.figures.standings import circle_standings
from scorer.services.files.session_files import exported_session
from scorer.services.live.events import circle_version
from scorer.services.live.session_cache import session_mark
from scorer.services.live.streams import HEADERS, MIMETYPE, STREAM, StreamRequest, open_stream
from scorer.services.money.ledger import ledger_document
from scorer.services.table.house_rules import known_game
from scorer.texts import say

blueprint = Routes("api_circles", __name__, limit=("secret", "api"), url_prefix="/api/v1/circles")
blueprint.before_request(enter)


@blueprint.get("", least=Role.SPECTATOR)
def circles() -> Response:
    """List the circle that the secret opens."""
    by = current_program().by

    def read() -> dict[str, Any]:
        circle = find(by.circle_id)
        listed = {"id": str(circle.circle_id), "name": circle.name, "role": by.role.value}
        return {"circles": [listed]}

    return read_answer(circle_version(by.circle_id), read)


@blueprint.get("/<uuid:circle>/sessions", least=Role.SPECTATOR)
def sessions(circle: UUID) -> Response:
    """Return a page of the circle's sessions, newest first."""
    before = argument("before", UUID, SESSION_WANTED)

    def read() -> dict[str, Any]:
        rows, more = session_page(circle, before)
        older = url_for(".sessions", circle=circle, before=rows[-1].session_id) if more else None
        return {"sessions": list(map(_listed, rows)), "next": older}

    return read_answer(circle_version(circle), read)


def _listed(row: SessionRow) -> dict[str, Any]:
    people = sorted(row.standings, key=lambda standing: standing.seat)
    return {
        "id": str(row.session_id),
        "game": row.game,
        "title": row.title,
        "started_at": moment(row.started_at),
        "ended_at": row.ended_at and moment(row.ended_at),
        "next_number": row.next_number,
        "seats": [standing.name for standing in people],
        "balances": {standing.name: standing.balance for standing in people},
    }


@blueprint.get("/<uuid:circle>/sessions/<uuid:session>", least=Role.SPECTATOR)
def session(circle: UUID, session: UUID) -> Response:
    mark = session_mark(circle, session)
    return read_answer(mark, lambda: exported_session(circle, session))


@blueprint.get("/<uuid:circle>/sessions/<uuid:session>/smazzate", least=Role.SPECTATOR)
def deals(circle: UUID, session: UUID) -> Response:
    """Return the deals of a session whose cards are written down, as a file of deals."""

    def read() -> bytes:
        return write_file(deal_file(circle, session)).encode()

    return conditional(session_mark(circle, session), read, "text/plain")


@blueprint.get("/<uuid:circle>/standings", least=Role.SPECTATOR)
def standings(circle: UUID) -> Response:
    """Return the standings in a game, by default the one played most, over a span of days."""
    day = say("A date is needed, such as 2026-11-20.")
    since, until = (argument(name, date.fromisoformat, day) for name in ("from", "to"))
    game = _game()

    def read() -> dict[str, Any]:
        standings = circle_standings(circle, game, since, until)
        played = standings is not None and game in {"", standings.game.slug}
        rows = [
            {
                "place": row.place,
                "player": row.player.name,
                "balance": row.points,
                "deals": row.deals,
            }
            for row in (standings.places if standings and played else ())
        ]
        return {"standings": rows}

    return read_answer(circle_version(circle), read)


@blueprint.get("/<uuid:circle>/players", least=Role.SPECTATOR)
def players(circle: UUID) -> Response:
    """List the players of the circle by name, with the games that each has played."""
    return read_answer(circle_version(circle), lambda: {"players": listed_players(circle)})


@blueprint.get("/<uuid:circle>/players/<uuid:player>", least=Role.SPECTATOR)
def player(circle: UUID, player: UUID) -> Response:
    """Return the figures of a player in a game, by default the one played most."""
    game = _game()
    return read_answer(circle_version(circle), lambda: player_document(circle, player, game))


@blueprint.get("/<uuid:circle>/ledger", least=Role.SPECTATOR)
def ledger(circle: UUID) -> Response:
    """Return the money of the circle: entries, balances, and payments that would settle them."""
    return read_answer(circle_version(circle), lambda: ledger_document(circle))


def _game() -> str:
    """Read the game of the address, which may be left out."""
    slug = request.args.get("game", "")
    return known_game(slug).slug if slug else ""


@blueprint.get("/<uuid:circle>/events", least=Role.SPECTATOR, limit="secret")
@blueprint.get(
    "/<uuid:circle>/sessions/<uuid:session>/events", least=Role.SPECTATOR, limit="secret"
)
def listen(circle: UUID, session: UUID | None = None) -> ResponseReturnValue:
    """Stream an event for each change of a session, or of any session of the circle."""
    if request.method == "HEAD":
        return Response(mimetype=MIMETYPE, headers=HEADERS)
    program = current_program()
    after = request.headers.get("Last-Event-ID", type=int)
    after = request.args.get("after", type=int) if after is None else after
    by = program.by.phone_id if program.joined else program.link_id
    stream_request = StreamRequest(
        circle,
        by,
        session,
        after,
        until=program.expires_at,
        address=request.remote_addr or "",
        joined_at=program.by.joined_at,
    )
    stream = request.environ[STREAM] = open_stream(stream_request)
    return Response(stream, mimetype=MIMETYPE, headers=HEADERS)
