"""The entry page of the cards of a deal: a grid of the deck, a tap for each card.

The form carries the play along, so a tap writes nothing to the database; the play is stored at the
end of every trick, and when somebody stops. A script draws the table by itself; how far the result
is known, and who plays which role, it asks the server for.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import abort, jsonify, redirect, render_template
from flask.typing import ResponseReturnValue
from flask_babel import lazy_gettext
from wtforms import StringField, TextAreaField
from wtforms.validators import InputRequired

from scorer.cards.board import Board
from scorer.cards.call import may_show, show
from scorer.cards.games import (
    discard,
    discardable,
    examined,
    may_discard,
    play,
    row_of,
    stored_play,
)
from scorer.cards.line import follow
from scorer.cards.notation.deals import parse_beside
from scorer.cards.notation.files import begins
from scorer.cards.standing import lying_open, roles, script_facts, standing, status
from scorer.errors import ConflictError, InvalidError, Problem
from scorer.roles import Role
from scorer.rules.cards import Card
from scorer.rules.seats import Seat
from scorer.services.cards.tricks import Tricks, TricksEntry, open_tricks, write_tricks
from scorer.web.base.access import current_holder
from scorer.web.base.fields import HiddenNumberField, JSONField
from scorer.web.base.filters import in_words
from scorer.web.base.forms import PageForm
from scorer.web.base.pages import wants_json
from scorer.web.cards.bringing import DealFileForm, preview_page
from scorer.web.cards.replay import beside_url, pages, place
from scorer.web.cards.views import aside_row, card_face, suit_faces, table_view, trick_rows

#: Buttons after which the play is stored at once.
KEEPING = ("save", "stop", "text", "unknown", "show", "hide")
#: Buttons after which the next card tapped is laid aside.
LAYING = ("take-up", "show", "hide")


class TricksForm(PageForm):
    """The cards so far, which the page sends back, the version it saw, and the tapped button.

    What was tapped is a card to play or to lay aside, who leads, or a button named ``do``.
    """

    play = JSONField(validators=[InputRequired()])
    seen = HiddenNumberField(validators=[InputRequired()])
    card = StringField()
    lay = StringField()
    leader = HiddenNumberField()
    do = StringField(default="")
    text = TextAreaField(lazy_gettext("A line for each trick: 7B 2D 4S KS JB"), default="")

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show what is wrong with a text beside it, and everything else above the grid."""
        shown = "text" if self.do.data == "text" else ""
        super().refuse(replace(problem, field=shown) for problem in problems)


@pages.get("/", least=Role.PLAYER)
def enter(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    tricks = open_tricks(circle_id, session_id, number)
    return _entry_page(tricks, tricks.board, TricksForm(seen=tricks.seen))


@pages.post("/", least=Role.PLAYER)
def enter_sent(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Apply a tap or a sent text to the play, and store the play when it is time to."""
    tricks, form = open_tricks(circle_id, session_id, number), TricksForm.sent()
    if form.do.data == "text" and begins(form.text.data or ""):
        return preview_page(circle_id, session_id, DealFileForm(text=form.text.data))
    before = _with_play(tricks, form.play.data)
    try:
        board = _after(tricks, before, form)
    except InvalidError as error:
        form.refuse(error.problems)
        return _entry_page(tricks, before, form), HTTPStatus.UNPROCESSABLE_ENTITY
    if _is_to_be_kept(tricks, board, form):
        return _keep(tricks, board, form)
    if wants_json():
        return jsonify(_news(board))
    return _entry_page(tricks, board, form)


def _with_play(tricks: Tricks, play: dict[str, Any] | None) -> Board:
    board, _ = tricks.with_play(play or {})
    if board is None:
        abort(HTTPStatus.BAD_REQUEST)
    return board


def _after(tricks: Tricks, board: Board, form: TricksForm) -> Board:
    """Return the board after what was tapped; raise InvalidError if the rules forbid it."""
    if form.card.data is not None:
        card = _card(board, form.card.data)
        if board.ready:
            return play(board, card)
        return _with_play(tricks, {board.facts.trump_key: str(card), "tricks": []})
    if board.ready and form.lay.data is not None:
        return discard(board, _card(board, form.lay.data))
    if board.ready and form.leader.data in board.players:
        return board.lead(Seat(form.leader.data))
    return _after_button(tricks, board, form)


def _card(board: Board, text: str) -> Card:
    try:
        return board.deck.letters.card(text)
    except ValueError:
        abort(HTTPStatus.BAD_REQUEST)


def _after_button(tricks: Tricks, board: Board, form: TricksForm) -> Board:
    match form.do.data:
        case "back" if board.tricks or board.aside is not None:
            return board.back()
        case "back" if tricks.asks_trump:
            return _with_play(tricks, {"tricks": []})
        case "forget" if _is_fresh(board):
            return board.forget()
        case "text":
            read = parse_beside(board, form.text.data or "", tricks.sheet)
            shown = {"shown": True} if board.says_shown else {}
            return _with_play(tricks, stored_play(read) | shown)
        case "take-up":
            return board.take_up()
        case "unknown":
            return replace(board, aside=None)
        case ("show" | "hide") as way if may_show(board):
            return show(board, shown=way == "show")
        case _:
            return board


def _is_fresh(board: Board) -> bool:
    """Whether a trick begins, so that it may be entered as forgotten."""
    return board.ready and not board.over and board.open_trick is None


def _is_to_be_kept(tricks: Tricks, board: Board, form: TricksForm) -> bool:
    """Whether to store the play: on request, at the end of a trick or of the discards.

    Going back to the cards stores changes.
    """
    if form.do.data == "cards":
        return stored_play(board) != stored_play(tricks.board)
    went_on = form.card.data is not None or form.do.data == "forget"
    ended = went_on and bool(board.tricks) and board.open_trick is None
    laid_aside = form.lay.data is not None and not may_discard(board)
    return ended or laid_aside or form.do.data in KEEPING


def _news(board: Board) -> dict[str, Any]:
    """Return what a script doesn't work out: how far the result is known, and the roles."""
    return {
        "standing": in_words(standing(board)),
        "status": status(board),
        "roles": {seat: in_words(role) for seat, role in roles(board).items()},
    }


def _keep(tricks: Tricks, board: Board, form: TricksForm) -> ResponseReturnValue:
    """Store the play and go on; show the conflict where another phone has stored one meanwhile."""
    entry = TricksEntry(tricks.number, form.seen.data or 0, stored_play(board))
    try:
        form.seen.data = write_tricks(tricks.state.session_id, entry, current_holder())
    except ConflictError:
        if wants_json():
            return jsonify(ok=False), HTTPStatus.CONFLICT
        form.seen.data = tricks.seen
        conflict = {"ours": _count(board), "theirs": _count(tricks.board)}
        return _entry_page(tricks, board, form, conflict), HTTPStatus.CONFLICT
    if wants_json():
        return jsonify(seen=form.seen.data, **_news(board))
    compared = tricks.version is not None and board.over
    if compared or form.do.data == "stop":
        return redirect(beside_url(tricks), HTTPStatus.SEE_OTHER)
    return _entry_page(replace(tricks, board=board), board, form)


def _count(board: Board) -> int:
    tricks = [trick.cards for trick in board.tricks if trick is not None]
    return sum(map(len, [*tricks, board.aside or ()]))


def _entry_page(
    tricks: Tricks, board: Board, form: TricksForm, conflict: dict[str, int] | None = None
) -> str:
    """Show the grid or the outcome; a ``conflict`` has the numbers of cards here and stored."""
    laying, script, deck = _is_laying(board, form), script_facts(board), board.deck
    left = playable = sorted(deck.pack)
    if board.ready:
        left, playable = follow(board).unseen(), follow(board).playable
    if laying:
        playable = discardable(board) if may_discard(board) else []
    form.play.data = kept = stored_play(board)
    called = kept.get("called_card") if tricks.asks_trump else None
    return render_template(
        "cards/enter.html",
        **place(tricks),
        back=beside_url(tricks),
        heading=tricks.state.game.started(tricks.sheet, board.table),
        lying_open=lying_open(board),
        called=called and card_face(deck.letters.card(called), deck.letters),
        board=board,
        question=row_of(board).trump_question,
        form=form,
        unsent=kept != stored_play(tricks.board),
        table=table_view(board, laying=laying) if board.ready else None,
        suits=suit_faces(deck.letters),
        left={*map(board.text, left)},
        playable={*map(board.text, playable)},
        fresh=_is_fresh(board),
        laying=laying,
        laid=form.lay.data is not None,
        showing=board.table.name(board.table.after(board.claim.caller))
        if may_show(board)
        else None,
        asked=tricks.asks_trump and board.ready,
        conflict=conflict,
        finished=_finished(replace(tricks, board=board)) if board.ready and board.over else None,
        script=None if script is None else json.dumps(script),
    )


def _is_laying(board: Board, form: TricksForm) -> bool:
    """Whether the next card tapped is laid aside."""
    if not board.ready or form.do.data == "lay":
        return board.ready and board.facts.monte > 0
    return form.do.data in LAYING or (may_discard(board) and form.lay.data is not None)


def _finished(tricks: Tricks) -> dict[str, Any]:
    """Return the tricks of a finished deal, and its outcome if the cards prove one.

    ``differences`` are those from its sheet; without a sheet, the ``faults`` of the cards include
    those of the call.
    """
    board, game = tricks.board, tricks.state.game
    faults = list(examined(board).problems)
    if tricks.version is not None:
        faults = [fault for fault in faults if "claim" not in fault.where]
    answers = tricks.proved_sheet
    sheet = None if answers is None else game.read_sheet(answers, board.table)[0]
    return {
        "rows": trick_rows(board),
        "aside": aside_row(board),
        "outcome": None if sheet is None else game.headline(sheet, board.table),
        "faults": faults,
        "differences": [] if tricks.version is None else tricks.differences,
    }
