"""Writing the cards of a deal down: a grid of the pack, a tap for each card.

The page carries the play along in its form, so that a tap costs nothing; it is written down at the
end of every trick, and when somebody stops. A script does the same without asking the server.
"""

from __future__ import annotations

import json
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import abort, jsonify, redirect, render_template, request

from scorer.cards import chiamata, engine
from scorer.errors import ConflictError, InvalidError
from scorer.rules.seats import Seat
from scorer.services.tricks import (
    TricksEntry,
    differences,
    open_tricks,
    sheet_by_tricks,
    write_tricks,
)
from scorer.web.access import current_holder
from scorer.web.cards import suit_views
from scorer.web.deals.pages import wants_json
from scorer.web.forms.tricks import TricksForm
from scorer.web.tricks.pages import beside_url, pages, place
from scorer.web.tricks.views import aside_row, table_view, trick_rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.cards.chiamata import ChiamataDeal, ChiamataState
    from scorer.rules.cards import Card
    from scorer.rules.findings import Finding
    from scorer.services.tricks import Tricks
    from scorer.texts import Text
    from scorer.web.tricks.views import AsideRow, TrickLine


#: What is written down as soon as it is tapped.
KEEPING = ("save", "stop", "text", "unknown", "show", "hide")
#: What leaves the cards that were laid aside on the table, until they are all there.
LAYING = ("take-up", "show", "hide")


class Conflict(NamedTuple):
    """How many cards two phones have of the same deal."""

    ours: int
    theirs: int


class Finished(NamedTuple):
    """All the tricks; what the deal came to, where the cards leave nothing open.

    ``faults`` is what can't be right in the cards themselves, and of a deal under way in what was
    called; ``differences`` where the sheet, if there is one, says otherwise.
    """

    rows: list[TrickLine]
    aside: AsideRow | None
    outcome: Text | None
    faults: list[Finding]
    differences: list[Finding]


@pages.get("/")
def enter(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Ask for the next card."""
    tricks = open_tricks(circle_id, session_id, number)
    return entry_page(tricks, tricks.deal, TricksForm(seen=tricks.seen))


@pages.post("/")
def enter_sent(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Do what was tapped: a card played or laid aside, one back, a trick forgotten, a text."""
    tricks, form = open_tricks(circle_id, session_id, number), TricksForm(request.form)
    if not form.validate():
        abort(HTTPStatus.BAD_REQUEST)
    before = _with_play(tricks, form.play.data)
    try:
        deal = _after(tricks, before, form)
    except InvalidError as error:
        form.refuse(error.problems)
        return entry_page(tricks, before, form), HTTPStatus.UNPROCESSABLE_ENTITY
    if not (_is_to_be_kept(deal, form) or _is_turned_back(tricks, deal, form)):
        return entry_page(tricks, deal, form)
    return _keep(tricks, deal, form)


def _with_play(tricks: Tricks, play: dict[str, Any] | None) -> ChiamataDeal:
    """Read a play; one that can't be read was not made by our page."""
    deal: ChiamataDeal | None = tricks.with_play(play or {})[0]
    if deal is None:
        abort(HTTPStatus.BAD_REQUEST)
    return deal


def _after(tricks: Tricks, deal: ChiamataDeal, form: TricksForm) -> ChiamataDeal:
    """Give the deal after a card or a player was tapped; raise InvalidError when that can't be."""
    if form.card.data is not None:
        card = _card(deal, form.card.data)
        if deal.claim is not None:
            return deal.play(card)
        return _with_play(tricks, {"called_card": str(card), "tricks": []})
    if deal.claim is not None and form.lay.data is not None:
        return deal.discard(_card(deal, form.lay.data))
    if deal.claim is not None and form.leader.data in deal.players:
        return deal.lead(Seat(form.leader.data))
    return _done(tricks, deal, form)


def _card(deal: ChiamataDeal, text: str) -> Card:
    try:
        return deal.letters.deck.card(text)
    except ValueError:
        abort(HTTPStatus.BAD_REQUEST)


def _done(tricks: Tricks, deal: ChiamataDeal, form: TricksForm) -> ChiamataDeal:
    """Give the deal after one of the other buttons."""
    match form.do.data:
        case "back" if deal.tricks or deal.discards is not None:
            return deal.back()
        case "back" if tricks.asks_call:
            return _with_play(tricks, {"tricks": []})
        case "forget" if _is_fresh(deal):
            return deal.forget()
        case "text":
            read = engine.parse_beside(form.text.data or "", deal, tricks.sheet)
            shown = {"shown": True} if deal.says_shown else {}
            return _with_play(tricks, engine.stored_play(read) | shown)
        case _:
            return _with_monte(deal, form.do.data)


def _with_monte(deal: ChiamataDeal, did: str | None) -> ChiamataDeal:
    """Give the deal after what was said of the monte: cards taken up, unknown, or one shown."""
    match did:
        case "take-up":
            return deal.take_up()
        case "unknown":
            return replace(deal, discards=None)
        case "show" if deal.may_show:
            return deal.show()
        case "hide" if deal.may_show:
            return deal.hide()
        case _:
            return deal


def _is_fresh(deal: ChiamataDeal) -> bool:
    """Whether a trick begins, which may be one that nobody remembers."""
    return deal.claim is not None and not deal.over and deal.open_trick is None


def _is_to_be_kept(deal: ChiamataDeal, form: TricksForm) -> bool:
    """Whether this is the moment to write down: when asked, and where a pile is whole."""
    went_on = form.card.data is not None or form.do.data == "forget"
    ended = went_on and deal.tricks and deal.open_trick is None
    laid_aside = form.lay.data is not None and not deal.may_discard
    return bool(ended) or laid_aside or form.do.data in KEEPING


def _is_turned_back(tricks: Tricks, deal: ChiamataDeal, form: TricksForm) -> bool:
    """Whether somebody goes back to the cards, from what was laid aside, with something new."""
    changed = engine.stored_play(deal) != engine.stored_play(tricks.deal)
    return form.do.data == "cards" and changed


def _keep(tricks: Tricks, deal: ChiamataDeal, form: TricksForm) -> ResponseReturnValue:
    """Write the play down, and go on; of two phones the later one is told."""
    entry = TricksEntry(tricks.number, form.seen.data or 0, engine.stored_play(deal))
    try:
        form.seen.data = write_tricks(tricks.state.session_id, entry, current_holder())
    except ConflictError:
        if wants_json():
            return jsonify(ok=False), HTTPStatus.CONFLICT
        form.seen.data = tricks.seen
        conflict = Conflict(_count(deal), _count(tricks.deal))
        return entry_page(tricks, deal, form, conflict), HTTPStatus.CONFLICT
    if wants_json():
        return jsonify(ok=True, seen=form.seen.data)
    compared = tricks.version is not None and deal.over
    if compared or form.do.data == "stop":
        return redirect(beside_url(tricks), HTTPStatus.SEE_OTHER)
    return entry_page(tricks, deal, form)


def _count(deal: ChiamataDeal) -> int:
    return sum(len(pile.cards) for pile in (*deal.tricks, deal.discards) if pile is not None)


def entry_page(
    tricks: Tricks, deal: ChiamataDeal, form: TricksForm, conflict: Conflict | None = None
) -> str:
    """Show the grid, or at the end what the deal came to."""
    now = None if deal.claim is None else deal.state
    laying, script = _is_laying(deal, form), chiamata.script_state(deal)
    words = deal.letters.deck
    form.play.data = engine.stored_play(deal)
    return render_template(
        "tricks/enter.html",
        **place(tricks),
        back=beside_url(tricks),
        heading=tricks.state.game.started(tricks.sheet, deal.table),
        deal=deal,
        form=form,
        table=None if now is None else table_view(deal, now, laying=laying),
        suits=suit_views(words),
        left=set(map(str, words.cards if now is None else now.left)),
        playable=set(map(str, words.cards if now is None else _to_tap(deal, now, laying=laying))),
        fresh=_is_fresh(deal),
        laying=laying,
        laid=form.lay.data is not None,
        asked=tricks.asks_call and deal.claim is not None,
        conflict=conflict,
        finished=_finished(replace(tricks, deal=deal), now) if now and now.over else None,
        script=None if script is None else json.dumps(script),
    )


def _is_laying(deal: ChiamataDeal, form: TricksForm) -> bool:
    """Whether the cards that are tapped next are laid aside."""
    if deal.claim is None or form.do.data == "lay":
        return deal.claim is not None and deal.table.rules.monte > 0
    return form.do.data in LAYING or (deal.may_discard and form.lay.data is not None)


def _to_tap(deal: ChiamataDeal, now: ChiamataState, *, laying: bool) -> Sequence[Card]:
    if not laying:
        return now.playable
    return deal.discardable if deal.may_discard else ()


def _finished(tricks: Tricks, now: ChiamataState) -> Finished:
    """Say what the cards of a deal come to; without a sheet, the call may be at fault too."""
    deal, found = tricks.deal, tricks.deal.examined.problems
    differing: list[Finding] = []
    if tricks.version is not None:
        found = [one for one in found if "claim" not in one.where]
        differing = differences(tricks)
    return Finished(
        rows=trick_rows(deal, now),
        aside=aside_row(deal, now),
        outcome=_outcome(tricks),
        faults=list(found),
        differences=differing,
    )


def _outcome(tricks: Tricks) -> Text | None:
    answers, game = sheet_by_tricks(tricks), tricks.state.game
    if answers is None:
        return None
    sheet, _ = game.read_sheet(answers, tricks.deal.table)
    return None if sheet is None else game.headline(sheet, tricks.deal.table)
