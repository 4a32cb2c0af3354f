"""The entry page of the cards of a deal: a grid of the deck, a tap for each card.

The form carries the play along, so a tap writes nothing to the database; the play is stored at the
end of every trick, and when somebody stops. A script does the same without asking the server.
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

from scorer.cards.chiamata import ChiamataDeal
from scorer.cards.deal_files import begins
from scorer.cards.engine import CardDeal
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
from scorer.web.cards.pages import beside_url, pages, place
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
    return _entry_page(tricks, tricks.deal, TricksForm(seen=tricks.seen))


@pages.post("/", least=Role.PLAYER)
def enter_sent(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Apply a tap or a sent text to the play, and store the play when it is time to."""
    tricks, form = open_tricks(circle_id, session_id, number), TricksForm.sent()
    if form.do.data == "text" and begins(form.text.data or ""):
        return preview_page(circle_id, session_id, DealFileForm(text=form.text.data))
    before = _with_play(tricks, form.play.data)
    try:
        deal = _after(tricks, before, form)
    except InvalidError as error:
        form.refuse(error.problems)
        return _entry_page(tricks, before, form), HTTPStatus.UNPROCESSABLE_ENTITY
    if _is_to_be_kept(tricks, deal, form):
        return _keep(tricks, deal, form)
    return _entry_page(tricks, deal, form)


def _with_play(tricks: Tricks, play: dict[str, Any] | None) -> CardDeal:
    deal, _ = tricks.with_play(play or {})
    if deal is None:
        abort(HTTPStatus.BAD_REQUEST)
    return deal


def _after(tricks: Tricks, deal: CardDeal, form: TricksForm) -> CardDeal:
    """Return the deal after what was tapped; raise InvalidError if the rules forbid it."""
    if form.card.data is not None:
        card = _card(deal, form.card.data)
        if deal.trump_known:
            return deal.play(card)
        return _with_play(tricks, {deal.trump_key: str(card), "tricks": []})
    if isinstance(deal, ChiamataDeal) and deal.trump_known and form.lay.data is not None:
        return deal.discard(_card(deal, form.lay.data))
    if deal.trump_known and form.leader.data in deal.players:
        return deal.lead(Seat(form.leader.data))
    return _after_button(tricks, deal, form)


def _card(deal: CardDeal, text: str) -> Card:
    try:
        return deal.letters.deck.card(text)
    except ValueError:
        abort(HTTPStatus.BAD_REQUEST)


def _after_button(tricks: Tricks, deal: CardDeal, form: TricksForm) -> CardDeal:
    match form.do.data:
        case "back" if deal.tricks or deal.discards is not None:
            return deal.back()
        case "back" if tricks.asks_trump:
            return _with_play(tricks, {"tricks": []})
        case "forget" if _is_fresh(deal):
            return deal.forget()
        case "text":
            read = deal.parse_beside(form.text.data or "", tricks.sheet)
            shown = {"shown": True} if deal.says_shown else {}
            return _with_play(tricks, read.stored_play() | shown)
        case _:
            return _after_monte_button(deal, form.do.data)


def _after_monte_button(deal: CardDeal, name: str | None) -> CardDeal:
    """Return the deal after a button of the monte: cards taken up, unknown, one shown or not."""
    if not isinstance(deal, ChiamataDeal):
        return deal
    match name:
        case "take-up":
            return deal.undo_discard()
        case "unknown":
            return replace(deal, discards=None)
        case "show" if deal.may_show:
            return deal.show()
        case "hide" if deal.may_show:
            return deal.hide()
        case _:
            return deal


def _is_fresh(deal: CardDeal) -> bool:
    """Whether a trick begins, so that it may be entered as forgotten."""
    return deal.trump_known and not deal.over and deal.open_trick is None


def _is_to_be_kept(tricks: Tricks, deal: CardDeal, form: TricksForm) -> bool:
    """Whether to store the play: on request, at the end of a trick or of the discards.

    Going back to the cards stores changes.
    """
    if form.do.data == "cards":
        return deal.stored_play() != tricks.deal.stored_play()
    went_on = form.card.data is not None or form.do.data == "forget"
    ended = went_on and bool(deal.tricks) and deal.open_trick is None
    laid_aside = form.lay.data is not None and not deal.may_discard
    return ended or laid_aside or form.do.data in KEEPING


def _keep(tricks: Tricks, deal: CardDeal, form: TricksForm) -> ResponseReturnValue:
    """Store the play and go on; show the conflict where another phone has stored one meanwhile."""
    entry = TricksEntry(tricks.number, form.seen.data or 0, deal.stored_play())
    try:
        form.seen.data = write_tricks(tricks.state.session_id, entry, current_holder())
    except ConflictError:
        if wants_json():
            return jsonify(ok=False), HTTPStatus.CONFLICT
        form.seen.data = tricks.seen
        conflict = {"ours": _count(deal), "theirs": _count(tricks.deal)}
        return _entry_page(tricks, deal, form, conflict), HTTPStatus.CONFLICT
    if wants_json():
        return jsonify(ok=True, seen=form.seen.data)
    compared = tricks.version is not None and deal.over
    if compared or form.do.data == "stop":
        return redirect(beside_url(tricks), HTTPStatus.SEE_OTHER)
    return _entry_page(replace(tricks, deal=deal), deal, form)


def _count(deal: CardDeal) -> int:
    return sum(len(pile.cards) for pile in (*deal.tricks, deal.discards) if pile is not None)


def _entry_page(
    tricks: Tricks, deal: CardDeal, form: TricksForm, conflict: dict[str, int] | None = None
) -> str:
    """Show the grid or the outcome; a ``conflict`` has the numbers of cards here and stored."""
    laying, script = _is_laying(deal, form), deal.script_state()
    deck = deal.letters.deck
    left = playable = deck.cards
    if deal.trump_known:
        left, playable = deal.left, deal.playable
    if laying and isinstance(deal, ChiamataDeal):
        playable = deal.discardable if deal.may_discard else ()
    form.play.data = play = deal.stored_play()
    called = play.get("called_card") if tricks.asks_trump else None
    return render_template(
        "cards/enter.html",
        **place(tricks),
        back=beside_url(tricks),
        heading=tricks.state.game.started(tricks.sheet, deal.table),
        lying_open=deal.lying_open,
        called=called and card_face(deck.card(called), deck),
        deal=deal,
        form=form,
        unsent=play != tricks.deal.stored_play(),
        table=table_view(deal, laying=laying) if deal.trump_known else None,
        suits=suit_faces(deck),
        left=set(map(str, left)),
        playable=set(map(str, playable)),
        fresh=_is_fresh(deal),
        laying=laying,
        laid=form.lay.data is not None,
        asked=tricks.asks_trump and deal.trump_known,
        conflict=conflict,
        finished=_finished(replace(tricks, deal=deal)) if deal.trump_known and deal.over else None,
        script=None if script is None else json.dumps(script),
        sides=json.dumps(list(map(in_words, deal.side_names))),
    )


def _is_laying(deal: CardDeal, form: TricksForm) -> bool:
    """Whether the next card tapped is laid aside."""
    if not deal.trump_known or form.do.data == "lay":
        return deal.trump_known and deal.laid_aside > 0
    return form.do.data in LAYING or (deal.may_discard and form.lay.data is not None)


def _finished(tricks: Tricks) -> dict[str, Any]:
    """Return the tricks of a finished deal, and its outcome if the cards prove one.

    ``differences`` are those from its sheet; without a sheet, the ``faults`` of the cards include
    those of the call.
    """
    deal, game = tricks.deal, tricks.state.game
    faults = list(deal.examined.problems)
    if tricks.version is not None:
        faults = [fault for fault in faults if "claim" not in fault.where]
    answers = tricks.proved_sheet
    sheet = None if answers is None else game.read_sheet(answers, deal.table)[0]
    return {
        "rows": trick_rows(deal),
        "aside": aside_row(deal),
        "outcome": None if sheet is None else game.headline(sheet, deal.table),
        "faults": faults,
        "differences": [] if tricks.version is None else tricks.differences,
    }
