"""What programs read of a circle: sessions, standings, players, money, streams of events."""

from collections.abc import Mapping
from datetime import date, datetime
from fractions import Fraction
from functools import partial
from typing import Any, Literal, NamedTuple
from uuid import UUID

from flask import url_for
from flask.typing import ResponseReturnValue

from scorer.api.access import current_program
from scorer.api.answers import Page, listed, shaped, speaker
from scorer.api.routes import (
    BEFORE,
    FROM,
    GAME,
    OPERATIONS,
    PREFIX,
    SESSION,
    TO,
    CircleRoutes,
    Operation,
    Query,
)
from scorer.cards.notation.files import write_file
from scorer.evening.document import SessionFile
from scorer.roles import Role
from scorer.services.cards.deal_file import deal_file
from scorer.services.circle.circles import find, signature
from scorer.services.circle.names import given_title
from scorer.services.circle.players import bring_back, merge, rename, retire
from scorer.services.deals.history import session_rows
from scorer.services.figures.figures import (
    NamedFigures,
    player_figures,
    players_with_games,
)
from scorer.services.figures.seasons import SeasonSpan
from scorer.services.figures.standings import CircleStandings, circle_standings
from scorer.services.files.session_files import exported_session
from scorer.services.live.streams import stream_answer
from scorer.services.money.ledger import whole_ledger
from scorer.services.session.house_rules import known_game
from scorer.shapes import GameSlug, Name, Points, Shape, gives
from scorer.storage.models import Circle

blueprint = CircleRoutes("api_circles", __name__)
#: What standings go by.
BY = {True: "balance", False: "won"}
PLAYER = "/<uuid:circle>/players/<uuid:player>"


class ListedCircle(Shape):
    """A circle."""

    id: UUID = gives("The key of the circle.", "circle_id")
    name: str = gives("What it is called.")
    role: Role = gives("What the secret may do in it.", lambda _: current_program().by.role)


class CircleList(Shape):
    """The circle that a secret opens."""

    circles: list[ListedCircle] = gives("That circle alone.", lambda circle: [circle])


@blueprint.reads("", CircleList)
def circles() -> Circle:
    """List the circle that the secret opens."""
    return find(current_program().by.circle_id)


class ListedSession(Shape):
    """A session in a list."""

    id: UUID = gives("The key of the session.", "session_id")
    game: GameSlug = gives("The game that is played.")
    title: str = gives(
        "Its title; empty where nobody gave one.", lambda row: given_title(row.title)
    )
    started_at: datetime = gives("When it began.")
    ended_at: datetime | None = gives("When it ended; null while it goes on.")
    next_number: int = gives("The number of the next deal: voided deals keep theirs.")
    seats: list[Name] = gives(
        "Who sat at the table, by seat.", lambda row: [seat.name for seat in row.standings]
    )
    balances: Points = gives(
        "The balances.", lambda row: {seat.name: seat.balance for seat in row.standings}
    )


@blueprint.reads("/<uuid:circle>/sessions", listed("sessions", ListedSession), BEFORE)
def sessions(circle: UUID, before: UUID | None) -> Page:
    """Return a page of the circle's sessions, newest first."""
    rows, more = session_rows(circle, before)
    last = rows[-1].session_id if more else None
    return Page(rows, url_for(".sessions", circle=circle, before=last) if last else None)


@blueprint.reads(SESSION, SessionFile)
def session(circle: UUID, session: UUID) -> dict[str, Any]:
    """Return the file of a session, which `/replay` takes."""
    return exported_session(circle, session)


@blueprint.reads(f"{SESSION}/smazzate", "text/plain")
def deals(circle: UUID, session: UUID) -> bytes:
    """Return the deals of a session whose cards are written down, as a file of deals."""
    return write_file(deal_file(circle, session)).encode()


class StandingsRow(Shape):
    """A player in the standings of a game."""

    place: int = gives("The place; who is level shares it.")
    player: Name = gives("Who has it.", "player.name")
    deals: int = gives("The deals of the sessions counted.")


class RankedByBalance(StandingsRow):
    """A player in the standings of a game whose points of different sessions are added up."""

    balance: int = gives("The sum of all payouts.", "points")


class RankedByWins(StandingsRow):
    """A player in the standings of any other game, by sessions that have ended."""

    sessions: int = gives("Sessions played.", "evenings")
    won: int = gives("Sessions won.")
    average_place: Fraction = gives("The average place, a fraction such as 5/3.")


class GameStandings(NamedTuple):
    """The standings in the game that was wanted, None if it was not played; maybe of a season."""

    standings: CircleStandings | None
    wanted: str
    season: SeasonSpan | None = None
    over: bool = False

    @property
    def by_balance(self) -> bool:
        if self.standings is not None:
            return self.standings.by_balance
        return not self.wanted or known_game(self.wanted).adds_up(known_game(self.wanted).preset)

    @property
    def game(self) -> str | None:
        return self.standings.game.slug if self.standings else self.wanted or None

    @property
    def rows(self) -> list[dict[str, Any]]:
        shape = RankedByBalance if self.by_balance else RankedByWins
        return [shaped(shape, place) for place in (self.standings.places if self.standings else ())]


class StandingsDocument(Shape):
    """The standings in a game."""

    by: Literal["balance", "won"] = gives(
        "Balances where the points of different sessions may be added up, or else sessions won.",
        lambda standings: BY[standings.by_balance],
    )
    game: GameSlug | None = gives("The game; null where none was played.")
    standings: list[RankedByBalance | RankedByWins] = gives(
        "The players, the first one first.", "rows"
    )


@blueprint.reads("/<uuid:circle>/standings", StandingsDocument, FROM, TO, GAME)
def standings(
    circle: UUID, since: date | None, until: date | None, wanted: str | None
) -> GameStandings:
    """Return the standings in a game, by default the one played most, over a span of days."""
    game = named_game(wanted)
    standings = circle_standings(circle, game, since, until)
    played = standings is not None and game in {"", standings.game.slug}
    return GameStandings(standings if played else None, game)


class ListedPlayer(Shape):
    """A player of a circle."""

    id: UUID = gives("The key of the player.", "player.player_id")
    name: Name = gives("The name.", "player.name")
    retired: bool = gives(
        "Whether the player is retired.", lambda row: row.player.retired_at is not None
    )
    games: list[GameSlug] = gives("The games in which the player was ever paid.")


class PlayerList(Shape):
    """The players of a circle."""

    players: list[ListedPlayer] = gives("The players by name.", lambda players: players)


blueprint.reads("/<uuid:circle>/players", PlayerList, name="players")(players_with_games)


class DealsTally(Shape):
    """So many deals, how many of them were made, and the points that they paid."""

    deals: int = gives("The number of deals.")
    made: int = gives("How many were made.")
    points: int = gives("What they paid.")
    decided: int = gives("How many were made or missed: a draw was neither.")


class FlowFromOther(Shape):
    """Points that came from another player."""

    deals: int = gives("The number of deals.")
    points: Fraction = gives("Their sum, exactly: a fraction as text, such as -7/2.")


class EveningTotals(Shape):
    """What a session came to for a player."""

    day: date = gives("The day on which it began.")
    points: int = gives("The sum of the payouts.")
    deals: int = gives("The number of deals.")


class DealAddress(Shape):
    """The place of a deal."""

    session: UUID = gives("The session.", "session_id")
    number: int = gives("The number of the deal in it.")


class CallRun(Shape):
    """Calls that were made one after the other."""

    length: int = gives("How many.")
    first: DealAddress = gives("The first of them.")
    last: DealAddress = gives("The last of them.")


class PlayerDocument(Shape):
    """The figures of a player in a game."""

    id: UUID = gives("The key of the player.", "player.player_id")
    name: Name = gives("The name.", "player.name")
    game: GameSlug | None = gives("The game; null where the circle has played nothing.")
    everything: DealsTally = gives("All deals.", "record.everything")
    parts: Mapping[str, DealsTally] = gives(
        "Deals by the part in them: caller, alone, partner, defender, penalty, or played.",
        "by_part",
    )
    bids: Mapping[str, DealsTally] = gives("The player's own calls by what was bid.", "record.bids")
    partners: Mapping[Name, DealsTally] = gives(
        "The player's own calls by the partner's name.", lambda p: p.by_name(p.record.partners)
    )
    callers: Mapping[Name, DealsTally] = gives(
        "Deals as a partner by the caller's name.", lambda p: p.by_name(p.record.callers)
    )
    flow: Mapping[Name, FlowFromOther] = gives(
        "Points that came from others, by name.", lambda p: p.by_name(p.record.flow)
    )
    unbalanced: int = gives("Deals whose points don't cancel: in no flow.", "record.unbalanced")
    evenings: list[EveningTotals] = gives("The sessions, the oldest first.", "life.evenings")
    longest_run: CallRun | None = gives("The longest run of calls made, if any.", "life.run")


@blueprint.reads(PLAYER, PlayerDocument, GAME)
def player(circle: UUID, player: UUID, game: str | None) -> NamedFigures:
    """Return the figures of a player in a game, by default the one played most."""
    return player_figures(circle, player, named_game(game))


OF_PLAYERS: dict[str, Any] = {"then": players_with_games, "least": Role.SCOREKEEPER}
OF_OWNERS: dict[str, Any] = {**OF_PLAYERS, "least": Role.OWNER, "logged": "players-merged"}
blueprint.writes("put", f"{PLAYER}/name", **OF_PLAYERS, name="rename_player")(rename)
blueprint.writes("post", f"{PLAYER}/retire", **OF_PLAYERS, name="retire_player")(retire)
blueprint.writes("post", f"{PLAYER}/return", **OF_PLAYERS, name="bring_back")(bring_back)
blueprint.writes("post", f"{PLAYER}/merge", **OF_OWNERS, name="merge_players")(merge)


class CountedEntry(Shape):
    """An entry of the ledger that counts."""

    at: datetime = gives("When it was written.", "row.at")
    kind: Literal["evening", "payment", "cost", "correction"] = gives("What it is.", "row.kind")
    amounts: Points = gives(
        "Cents by name; they sum to zero.",
        lambda line: {amount.name: amount.cents for amount in line.amounts},
    )
    session: UUID | None = gives("The session that it pays.", "row.session_id")
    note: str | None = gives("What was noted beside it.", lambda line: line.row.note or None)


class ProposedPayment(Shape):
    """A payment that is proposed."""

    payer: Name = gives("Who pays.", "payer.name", called="from")
    to: Name = gives("Who is paid.", "payee.name")
    cents: int = gives("How much.")


class LedgerDocument(Shape):
    """The money of a circle."""

    currency: str = gives("The ISO code of the currency.")
    entries: list[CountedEntry] = gives("The entries that count, the oldest first.")
    balances: Points = gives(
        "Cents by name, or whatever the currency has instead of them; they sum to zero.",
        lambda ledger: {account.name: account.cents for account in ledger.accounts},
    )
    proposal: list[ProposedPayment] = gives("Payments that would settle the balances.")


blueprint.reads("/<uuid:circle>/ledger", LedgerDocument, name="ledger")(whole_ledger)


def named_game(slug: str | None) -> str:
    """Return the slug of the game that an address names, "" where it names none."""
    return known_game(slug).slug if slug else ""


@blueprint.get("/<uuid:circle>/events", least=Role.SPECTATOR, limit="secret")
@blueprint.get(f"{SESSION}/events", least=Role.SPECTATOR, limit="secret")
def listen(circle: UUID, session: UUID | None = None) -> ResponseReturnValue:
    """Stream an event for each change of a session, or of any session of the circle."""
    program = current_program()
    by = program.by.phone_id if program.joined else program.link_id
    sign = partial(signature, program.by.role, speaker())
    return stream_answer(circle, by, session, until=program.expires_at, sign=sign)


HEARD = "The version that was heard of last: what is newer is told at once."
for _rule, _name in (("/<uuid:circle>", "events_of_circle"), (SESSION, "events_of_session")):
    OPERATIONS.append(
        Operation(
            *("get", f"{PREFIX}{_rule}/events", _name, listen),
            answers=("text/event-stream",),
            queries=(Query("Last-Event-ID", int, HEARD, "header"), Query("after", int, HEARD)),
        )
    )
