"""Writing the cards of a deal down: versions are added, and nothing is overwritten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorer.cards import engine
from scorer.errors import ConflictError, InvalidError
from scorer.services.clock import now
from scorer.services.state import lock_state
from scorer.services.tricks.opening import tricks_at
from scorer.services.typed_text import one_line, read_reason
from scorer.storage import in_transaction, models, write

if TYPE_CHECKING:
    from uuid import UUID

    from scorer.cards.engine import CardDeal
    from scorer.services.circles import Holder
    from scorer.services.state import SessionState

LONGEST_CARD = 20


@dataclass(frozen=True, slots=True)
class TricksEntry:
    """The cards of a deal as one phone has them, which saw version ``seen`` of them.

    ``note`` is why they are kept although they contradict the sheet, or themselves.
    """

    number: int
    seen: int
    play: Mapping[str, Any]
    note: str = ""


def write_tricks(session_id: UUID, entry: TricksEntry, by: Holder) -> int:
    """Write the cards of a deal down, and give the number of the version.

    The same again is the same version, and a phone whose answer was lost is not at odds with
    itself. Raise ConflictError when another phone has written others meanwhile, InvalidError when
    there are problems in how they are written.
    """

    def work() -> int:
        with lock_state(by.circle_id, session_id) as state:
            return _write(state, entry, by)

    return in_transaction(work)


def put_down_play(
    state: SessionState,
    key: UUID,
    play: Mapping[str, Any],
    told: tuple[CardDeal, Any],
    by: Holder,
) -> None:
    """Write down the cards of a deal that was just put on the sheet.

    ``told`` are the deal before its first card and its sheet, of the people that the play names. A
    play that can't be read, or says nothing, is not written.
    """
    begun, sheet = told
    deal, _ = engine.read_play(begun, play, sheet, begun.table.seats)
    if deal is not None and any(play.values()):
        note = read_reason(play.get("note") or "") or None
        kept = _seen(engine.stored_play(deal))
        write(
            models.TrickRecord(deal_id=key, version=1, record=kept, note=note, **_signed(state, by))
        )


def _write(state: SessionState, entry: TricksEntry, by: Holder) -> int:
    tricks, note = tricks_at(state, entry.number), read_reason(entry.note) or None
    deal, problems = tricks.with_play(entry.play)
    if deal is None:
        raise InvalidError(problems)
    play, last = _seen(engine.stored_play(deal)), tricks.written
    if last is not None and (last.record, last.note) == (play, note):
        return last.version
    if tricks.seen != entry.seen and (last is None or last.phone_id != by.phone_id):
        raise ConflictError(entry.number)
    signed = {"deal_id": tricks.deal_id, "version": tricks.seen + 1, **_signed(state, by)}
    write(models.TrickRecord(record=play, note=note, **signed))
    state.row.version += 1
    return tricks.seen + 1


def _seen(play: Any) -> Any:
    """Leave of what was written, and is no card, what can be seen on a line."""
    if isinstance(play, str):
        return one_line(play)[:LONGEST_CARD]
    if isinstance(play, dict):
        return {key: _seen(part) for key, part in play.items()}
    return [_seen(part) for part in play] if isinstance(play, list) else play


def _signed(state: SessionState, by: Holder) -> dict[str, Any]:
    """Say whose cards they are, and who writes them down when."""
    return {
        "circle_id": state.circle_id,
        "session_id": state.session_id,
        "phone_id": by.phone_id,
        "written_by": by.player,
        "at": now(),
    }
