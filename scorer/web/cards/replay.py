"""The blueprint of the cards of a deal; the replay of a deal, and its text."""

import json
from http import HTTPStatus
from typing import Any, NamedTuple
from uuid import UUID

from flask import Response, current_app, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorer.cards.board import Board
from scorer.cards.games import replay_steps
from scorer.cards.notation.deals import text_lines
from scorer.cards.standing import lying_open
from scorer.errors import NotFoundError
from scorer.roles import Role
from scorer.routes import Routes
from scorer.services.cards.analysis import AnalysisQueue, open_cards
from scorer.services.cards.tricks import Tricks, open_tricks
from scorer.texts import Text
from scorer.web.base.filters import in_words
from scorer.web.base.forms import MOST_DEALS
from scorer.web.base.pages import SESSION, deal_url, flashing, session_url
from scorer.web.base.pages import place as session_place
from scorer.web.cards.analysis import OpenCards, with_open_cards
from scorer.web.cards.views import TableView, TrickLine, aside_row, table_view, trick_rows

pages = Routes(
    "tricks",
    __name__,
    url_prefix=f"{SESSION}/deals/<int(max={MOST_DEALS}):number>/tricks",
    at_table=True,
)


class ReplayStep(NamedTuple):
    """A step of the replay, steps to jump to, and whether the bid could still be made, if known."""

    table: TableView
    trick: int
    before: int
    after: int
    made: Text | str


def place(tricks: Tricks) -> dict[str, Any]:
    """Return what every page of the cards shows: its circle, its session, its deal."""
    return {
        **session_place(tricks.state),
        "number": tricks.number,
        "under_way": tricks.version is None,
    }


def back_url(tricks: Tricks) -> str:
    """Return the address of the deal's page, or of the session's while the deal is under way."""
    keys = tricks.state.circle_id, tricks.state.session_id
    return session_url(*keys) if tricks.version is None else deal_url(*keys, tricks.number)


def beside_url(tricks: Tricks) -> str:
    """Return the address of the cards beside the sheet, once there is a sheet."""
    return back_url(tricks) + ("" if tricks.version is None else "#tricks")


@pages.get("/replay", least=Role.SPECTATOR)
def replay(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Show the table after the number of cards in ``step``, 0 by default."""
    tricks = open_tricks(circle_id, session_id, number)
    if tricks.written is None or not tricks.board.ready:
        return redirect(back_url(tricks))
    rows, open_cards = trick_rows(tricks.board), with_open_cards(tricks)
    shown = [
        _step(board, index, rows, open_cards)
        for index, board in enumerate(replay_steps(tricks.board))
    ]
    step = min(max(request.args.get("step", 0, type=int), 0), len(shown) - 1)
    return render_template(
        "cards/replay.html",
        **place(tricks),
        back=back_url(tricks),
        heading=tricks.state.game.started(tricks.sheet, tricks.board.table),
        lying_open=lying_open(tricks.board),
        at_step=shown[step],
        table=shown[step].table,
        rows=rows,
        open_cards=open_cards,
        aside=aside_row(tricks.board),
        names=tricks.board.table.seats,
        step=step,
        last=len(shown) - 1,
        frames=json.dumps([_frame(drawn) for drawn in shown]),
        text=_text(tricks.board),
    )


def _step(
    board: Board, index: int, rows: list[TrickLine], open_cards: OpenCards | None
) -> ReplayStep:
    ends = [0, *(row.step for row in rows)]
    before = max((end for end in ends if end < index), default=0)
    after = min((end for end in ends if end > index), default=ends[-1])
    return ReplayStep(
        table=table_view(board),
        trick=max(1, len(board.tricks)),
        before=before,
        after=after,
        made=open_cards.at(index) if open_cards else "",
    )


def _frame(step: ReplayStep) -> dict[str, Any]:
    """Return the data by which the script draws a step like the server."""
    table = step.table
    return {
        "trick": step.trick,
        "before": step.before,
        "after": step.after,
        "said": in_words(table.said),
        "bounds": in_words(table.standing),
        "made": in_words(step.made),
        "status": table.status,
        "loose": [card.code for card in table.loose],
        "places": [
            {
                "card": player.card.code if player.card else "",
                "points": player.points,
                "role": in_words(player.role),
                "turn": player.turn,
                "winner": player.winner,
                "order": player.order,
            }
            for player in table.places
        ],
    }


def _text(board: Board) -> str:
    return "".join(f"{in_words(line)}\n" for line in text_lines(board))


@pages.get("/text", least=Role.SPECTATOR)
def text(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    tricks = open_tricks(circle_id, session_id, number)
    return Response(_text(tricks.board), mimetype="text/plain")


@pages.get("/analysis", least=Role.SPECTATOR)
def analysis(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Send a script the progress of a whole deal's analysis, if one runs."""
    opened = with_open_cards(open_tricks(circle_id, session_id, number))
    if opened is None:
        return jsonify(waiting=False)
    return jsonify(waiting=opened.waiting, progress=in_words(opened.progress))


@pages.post("/analysis", endpoint="analyse", least=Role.PLAYER)
@pages.post("/analysis/stop", endpoint="stop_analysis", least=Role.PLAYER)
def change_analysis(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Queue a whole deal to be analysed, or take it out of the queue."""
    opened = open_cards(open_tricks(circle_id, session_id, number).board)
    if opened is None:
        raise NotFoundError
    queue = AnalysisQueue(current_app.instance_path)
    with flashing():
        if request.endpoint == "tricks.stop_analysis":
            queue.stop(opened)
        else:
            queue.ask(opened)
    following = url_for("tricks.replay", **(request.view_args or {}), _anchor="open-cards")
    return redirect(following, HTTPStatus.SEE_OTHER)
