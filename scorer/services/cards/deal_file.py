"""The cards of a session as a file of deals (docs/notation.md): written out, and brought in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import UUID

from scorer.cards.games import examined, stored_play, supports_cards
from scorer.cards.notation.files import DealFile, FileDeal, FileHead, FileParts, UnreadDeal
from scorer.errors import MOST_PROBLEMS, InvalidError, NotFoundError, Problem, refuse
from scorer.games import stored_game
from scorer.roles import Holder
from scorer.services.cards.tricks import (
    Tricks,
    TricksEntry,
    tricks_at,
    write_all_tricks,
    written_cards,
)
from scorer.services.circle.circles import find
from scorer.services.circle.names import given_title
from scorer.services.session.state import SessionState, load_state
from scorer.storage import queries
from scorer.texts import Text, say

#: A page sends the text of a file along; forms are no longer.
LONGEST_TEXT = 400_000


def deal_file(circle_id: UUID, session_id: UUID) -> DealFile:
    """Return the deals that are not voided and whose cards are written down.

    Raise NotFoundError if there is no such session, or its game has no tricks. The
    reason to keep contradictory cards becomes a comment of the deal.
    """
    state = state_with_cards(circle_id, session_id)
    heads = {
        "circle": find(circle_id).name,
        "title": given_title(state.row.title),
        "date": state.row.started_at.date().isoformat(),
    }
    plays, deals = queries.deals.session_plays(circle_id, session_id), []
    for deal in state.deals:
        board = None if deal.voided else written_cards(state, deal, plays)
        if board is not None:
            note = plays[deal.deal_id].get("note")
            deals.append(FileDeal(deal.number, board, comments=(note,) if note else ()))
    return DealFile(
        game=state.game,
        heads=tuple(FileHead(name, value) for name, value in heads.items() if value),
        deals=tuple(deals),
    )


def deal_files(circle_id: UUID) -> Iterator[tuple[UUID, DealFile]]:
    """Yield the file of each session of a circle whose cards are written down, oldest first."""
    for session in queries.deals.sessions_in_order(circle_id):
        if supports_cards(stored_game(session.game)):
            file = deal_file(circle_id, session.session_id)
            if file.deals:
                yield session.session_id, file


def state_with_cards(circle_id: UUID, session_id: UUID) -> SessionState:
    """Load the state of a session; raise NotFoundError if its game has no tricks."""
    state = load_state(circle_id, session_id)
    if not supports_cards(state.game):
        raise NotFoundError
    return state


class DealPreview(NamedTuple):
    """A deal of a file beside its sheet, the faults of its cards and contradictions."""

    tricks: Tricks
    play: dict[str, Any]
    heading: Text
    cards: int
    faults: tuple[Text, ...]

    @property
    def number(self) -> int:
        return self.tricks.number

    @property
    def changes(self) -> bool:
        return self.tricks.written is None or self.play != stored_play(self.tricks.board)


def preview_file(circle_id: UUID, session_id: UUID, text: str) -> list[DealPreview]:
    """Read a file beside the deals of a session; raise InvalidError with every problem."""
    state = state_with_cards(circle_id, session_id)
    if len(text) > LONGEST_TEXT:
        raise InvalidError.of("too-long", "1:1", say("This file is too long."))
    parts, previews, problems = FileParts(text), list[DealPreview](), list[Problem]()
    if parts.game != state.game:
        message = say("This file has deals of %(game)s.", game=parts.game.name)
        raise InvalidError.of("other-game", "1:1", message)
    for part in parts.deals:
        try:
            previews.append(_preview_deal(state, parts, part))
        except InvalidError as error:
            problems += [problem for problem in error.problems if problem not in problems]
            if len(problems) > MOST_PROBLEMS:
                break
    refuse(problems)
    return previews


def _preview_deal(state: SessionState, parts: FileParts, part: UnreadDeal) -> DealPreview:
    """Read a deal beside its sheet; raise InvalidError."""
    try:
        tricks = tricks_at(state, part.number)
    except NotFoundError:
        message = say("No deal %(number)s of this session can have cards.", number=part.number)
        raise InvalidError([part.placed(Problem("no-deal", "", message))]) from None
    read = parts.read_beside(part, tricks.board, tricks.sheet)
    shown = (tricks.written.cards if tricks.written else {}).get("shown")
    play = stored_play(read) | ({} if shown is None else {"shown": shown})
    board, problems = tricks.with_play(play)
    if board is None:
        raise InvalidError(map(part.placed, problems))
    wrong = [fault for fault in examined(board).problems if "claim" not in fault.where]
    compared = replace(tricks, board=board).differences if tricks.version is not None else []
    return DealPreview(
        tricks=tricks,
        play=stored_play(board),
        heading=state.game.started(tricks.sheet, board.table),
        cards=sum(len(trick.cards) for trick in board.tricks if trick is not None),
        faults=tuple(finding.message for finding in wrong or compared),
    )


def keep_file(
    session_id: UUID, deals: Sequence[DealPreview], seen: Mapping[str, Any], by: Holder
) -> None:
    """Store the cards of the deals of a file; raise ConflictError unless they are as ``seen``."""
    versions = {number: version for number, version in seen.items() if isinstance(version, int)}
    entries = [
        TricksEntry(deal.number, versions.get(str(deal.number), 0), deal.play) for deal in deals
    ]
    write_all_tricks(session_id, entries, by)
