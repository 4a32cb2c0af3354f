"""Tricks: the cards of a deal as somebody wrote them down, beside its sheet.

The stored cards are a *play*, with people by the numbers of their seats. Versions of it are added,
and nothing is overwritten.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from scorer.cards import games, standing
from scorer.cards.board import Board
from scorer.cards.card_records import read_play
from scorer.cards.faults import Finding
from scorer.errors import ConflictError, InvalidError, NotFoundError, Problem
from scorer.evening.deal import Deal, Started
from scorer.roles import Holder
from scorer.rules.questions import Reading
from scorer.services.base.journal import authored
from scorer.services.session.state import SessionState, load_state, lock_state
from scorer.storage import chain, models, queries, transaction, write
from scorer.texts import say
from scorer.typed_text import REASON, one_line

LONGEST_CARD = 20


@dataclass(frozen=True, slots=True)
class Tricks:
    """The written cards of a deal, beside its sheet.

    ``version`` is that of the sheet, None for a deal under way. Until the called card is known,
    the ``board`` has no claim.
    """

    state: SessionState
    number: int
    deal_id: UUID
    version: int | None
    sheet: Any
    board: Board
    written: models.Play | None

    @property
    def asks_trump(self) -> bool:
        """Whether the sheet leaves open which card was called, or turned up."""
        return standing.asks_trump(self.board, self.sheet)

    @property
    def seen(self) -> int:
        """The version that a page shows, 0 if nobody has written the cards down."""
        return 0 if self.written is None else self.written.version

    @property
    def differences(self) -> list[Finding]:
        return standing.differences(self.board, self.sheet)

    @property
    def proved_sheet(self) -> dict[str, Any] | None:
        """The sheet that the cards prove, with names; None if they leave something open."""
        return standing.proved_sheet(self.board, self.sheet, self.state.names)

    def proved(self) -> dict[str, Any]:
        """Return the sheet that the cards prove; raise InvalidError if they leave it open."""
        sheet = self.proved_sheet
        if sheet is None:
            message = say("The cards leave something open: write the rest down yourself.")
            raise InvalidError.of("not-proved", "", message)
        return sheet

    def with_play(self, play: Mapping[str, Any]) -> tuple[Board | None, list[Problem]]:
        """Read another play of this deal, with people by the numbers of their seats."""
        return games.read_stored(self.board, play, self.sheet)


class TricksEntry(NamedTuple):
    """A deal's cards from a phone that saw version ``seen``, and the reason to store wrong ones."""

    number: int
    seen: int
    play: Mapping[str, Any]
    reason: str = ""


def open_tricks(circle_id: UUID, session_id: UUID, number: int) -> Tricks:
    """Open the cards of a deal; raise NotFoundError in games without tricks."""
    return tricks_at(load_state(circle_id, session_id), number)


def tricks_at(state: SessionState, number: int) -> Tricks:
    """Open the cards of a deal, on the sheet or under way, of a session that is open."""
    row, started = state.deals[number - 1 : number], state.started
    of: Deal | Started
    if row:
        of, sheet, table = row[0], row[0].entry.played, row[0].entry.table
    elif started is not None and started.number == number:
        of, sheet, table = started, state.start_of(started.stored, state.rules), state.table()
    else:
        raise NotFoundError
    if sheet is None or not games.supports_cards(state.game, len(table.active), table.rules):
        raise NotFoundError
    dealer = of.turn.dealer if isinstance(of, Deal) else state.evening.turn.dealer
    begun = games.begin(state.game, table, dealer)
    written = queries.deals.tricks(state.circle_id, of.deal_id)
    # Stored cards that cannot be read, in a damaged circle, count as none.
    play = written.cards if written else {"tricks": []}
    board, _ = games.read_stored(begun, play, sheet)
    return Tricks(
        state=state,
        number=number,
        deal_id=of.deal_id,
        version=row[0].version if row else None,
        sheet=sheet,
        board=board or begun,
        written=written,
    )


def write_tricks(session_id: UUID, entry: TricksEntry, by: Holder) -> int:
    """Write the cards of a deal down, and give the number of the version.

    Writing the same cards again returns the version already written, and a phone may overwrite its
    own last version unseen. Raise ConflictError when another phone has written other cards
    meanwhile, InvalidError when the cards have problems.
    """
    return write_all_tricks(session_id, [entry], by)[0]


@transaction
def write_all_tricks(session_id: UUID, entries: Sequence[TricksEntry], by: Holder) -> list[int]:
    """Write the cards of several deals down, all or none; raise as ``write_tricks`` does."""
    with lock_state(by.circle_id, session_id) as state:
        return [_write(state, entry, by) for entry in entries]


def _write(state: SessionState, entry: TricksEntry, by: Holder) -> int:
    tricks, reason = tricks_at(state, entry.number), REASON.read(entry.reason, "reason") or None
    board, problems = tricks.with_play(entry.play)
    if board is None:
        raise InvalidError(problems)
    play, last = _normalised(games.stored_play(board)), tricks.written
    if last is not None and (last.cards, last.reason) == (play, reason):
        return last.version
    if tricks.seen != entry.seen and (last is None or last.phone_id != by.phone_id):
        raise ConflictError(entry.number)
    _append(state, by, tricks.deal_id, tricks.seen + 1, play=play, reason=reason)
    state.row.version += 1
    return tricks.seen + 1


def insert_play(
    state: SessionState,
    key: UUID,
    play: Mapping[str, Any],
    begun: Board,
    sheet: Any,
    *,
    by: Holder,
) -> None:
    """Write down the cards of a deal that was just put on the sheet.

    ``begun`` is the board before its first card, with the people of the play. An unreadable or
    empty play is not stored.
    """
    reading = Reading(begun.table.seats, begun.deck.letters)
    board = read_play(games.row_of(begun), play, sheet, begun, reading)
    if board is not None and any(play.values()):
        reason = REASON.read(play.get("note") or "", "reason") or None
        _append(state, by, key, 1, play=_normalised(games.stored_play(board)), reason=reason)


def _append(
    state: SessionState, by: Holder, key: UUID, version: int, *, play: Any, reason: str | None
) -> None:
    tricks = models.Play(
        circle_id=state.circle_id,
        session_id=state.session_id,
        deal_id=key,
        version=version,
        cards=play,
        reason=reason,
        **authored(by),
    )
    chain.append(state.row, tricks)
    write(tricks)


def _normalised(play: Any) -> Any:
    """Normalise every text in a play to one short printable line."""
    if isinstance(play, str):
        return one_line(play)[:LONGEST_CARD]
    if isinstance(play, dict):
        return {key: _normalised(part) for key, part in play.items()}
    return [_normalised(part) for part in play] if isinstance(play, list) else play


def written_cards(
    state: SessionState, deal: Deal, plays: Mapping[UUID, dict[str, Any]]
) -> Board | None:
    """Return the cards of a deal beside its sheet; None if there are none that can be read."""
    stored = plays.get(deal.deal_id)
    sheet = None if stored is None else deal.entry.played
    if stored is None or sheet is None:
        return None
    begun = games.begin(state.game, deal.entry.table, deal.turn.dealer)
    return games.read_stored(begun, stored, sheet)[0]
