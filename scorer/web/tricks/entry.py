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

from scorer.cards import engine
from scorer.cards.engine import Phase
from scorer.documents import decode
from scorer.errors import ConflictError, InvalidError
from scorer.rules.seats import Seat
from scorer.services.tricks import TricksEntry, open_tricks, write_tricks
from scorer.web.access import current_holder
from scorer.web.cards import suit_views
from scorer.web.deals.pages import wants_json
from scorer.web.tricks.finishing import finished
from scorer.web.tricks.monte import monte_view
from scorer.web.tricks.pages import beside_url, pages, place
from scorer.web.tricks.views import table_view

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.cards.engine import CardDeal, PlayState
    from scorer.errors import Problem
    from scorer.rules.cards import Card
    from scorer.services.tricks import Tricks
    from scorer.texts import Text


#: What is written down as soon as it is tapped.
KEEPING = ("save", "stop", "text", "unknown", "show", "hide")


class SentTricks(NamedTuple):
    """What a browser sent: the play as it was, which version was seen, and what was tapped."""

    play: dict[str, Any]
    seen: int
    did: str


class Conflict(NamedTuple):
    """How many cards two phones have of the same deal."""

    ours: int
    theirs: int


@pages.get("/")
def enter(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Ask for the next card."""
    tricks = open_tricks(circle_id, session_id, number)
    return entry_page(tricks, tricks.deal, seen=tricks.seen)


@pages.post("/")
def enter_sent(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Do what was tapped: a card played or laid aside, one back, a trick forgotten, a text."""
    tricks, sent = open_tricks(circle_id, session_id, number), _read_sent()
    before = _read_play(tricks, sent)
    try:
        deal = _after(tricks, before, sent)
    except InvalidError as error:
        page = entry_page(tricks, before, seen=sent.seen, problems=error.problems)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    if not (_is_to_be_kept(deal, sent) or _is_turned_back(tricks, deal, sent)):
        return entry_page(tricks, deal, seen=sent.seen)
    return _keep(tricks, deal, sent)


def _read_sent() -> SentTricks:
    """Read the form; one that can't be read was not made by our page."""
    try:
        play, seen = decode(request.form["play"]), int(request.form["seen"])
    except (ValueError, KeyError):
        abort(HTTPStatus.BAD_REQUEST)
    if not isinstance(play, dict):
        abort(HTTPStatus.BAD_REQUEST)
    return SentTricks(play, seen, request.form.get("do", ""))


def _read_play(tricks: Tricks, sent: SentTricks) -> CardDeal:
    deal, _ = tricks.with_play(sent.play)
    if deal is None:
        abort(HTTPStatus.BAD_REQUEST)
    return deal


def _after(tricks: Tricks, deal: CardDeal, sent: SentTricks) -> CardDeal:
    """Give the deal after a card or a player was tapped; raise InvalidError when that can't be."""
    card, leader = request.form.get("card"), request.form.get("leader", type=int)
    if card is not None:
        return _with_card(tricks, deal, sent, card)
    if deal.claim is not None and "lay" in request.form:
        return deal.discard(_card(deal, request.form["lay"]))
    if leader in deal.players and deal.claim is not None:
        return deal.lead(Seat(leader))
    return _done(tricks, deal, sent)


def _done(tricks: Tricks, deal: CardDeal, sent: SentTricks) -> CardDeal:
    """Give the deal after one of the other buttons."""
    match sent.did:
        case "back" if deal.tricks or deal.discards is not None:
            return deal.back()
        case "back" if tricks.asks_call:
            return _read_play(tricks, sent._replace(play={"tricks": []}))
        case "forget" if _is_fresh(deal):
            return deal.forget()
        case "text":
            return _with_text(tricks, deal, sent)
        case _:
            return _with_monte(deal, sent.did)


def _with_monte(deal: CardDeal, did: str) -> CardDeal:
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


def _is_fresh(deal: CardDeal) -> bool:
    """Whether a trick begins, which may be one that nobody remembers."""
    return deal.claim is not None and deal.phase is not Phase.OVER and deal.open_trick is None


def _with_card(tricks: Tricks, deal: CardDeal, sent: SentTricks, text: str) -> CardDeal:
    """Play a card; the first one may be the answer to which card was called."""
    card = _card(deal, text)
    if deal.claim is not None:
        return deal.play(card)
    return _read_play(tricks, sent._replace(play={"called_card": str(card), "tricks": []}))


def _card(deal: CardDeal, text: str) -> Card:
    try:
        return deal.letters.deck.card(text)
    except ValueError:
        abort(HTTPStatus.BAD_REQUEST)


def _with_text(tricks: Tricks, deal: CardDeal, sent: SentTricks) -> CardDeal:
    """Take a text in place of what was tapped; it must be of this deal."""
    read = engine.parse_beside(request.form.get("text", ""), deal, tricks.sheet)
    shown = {"shown": True} if deal.says_shown else {}
    return _read_play(tricks, sent._replace(play=engine.stored_play(read) | shown))


def _is_to_be_kept(deal: CardDeal, sent: SentTricks) -> bool:
    """Whether this is the moment to write down: when asked, and where a pile is whole."""
    went_on = "card" in request.form or sent.did == "forget"
    ended = went_on and deal.tricks and deal.open_trick is None
    laid_aside = "lay" in request.form and not deal.may_discard
    return bool(ended) or laid_aside or sent.did in KEEPING


def _is_turned_back(tricks: Tricks, deal: CardDeal, sent: SentTricks) -> bool:
    """Whether somebody goes back to the cards, from what was laid aside, with something new."""
    return sent.did == "cards" and engine.stored_play(deal) != engine.stored_play(tricks.deal)


def _keep(tricks: Tricks, deal: CardDeal, sent: SentTricks) -> ResponseReturnValue:
    """Write the play down, and go on; of two phones the later one is told."""
    entry = TricksEntry(tricks.number, sent.seen, engine.stored_play(deal))
    try:
        seen = write_tricks(tricks.state.session_id, entry, current_holder())
    except ConflictError:
        if wants_json():
            return jsonify(ok=False), HTTPStatus.CONFLICT
        conflict = Conflict(_count(deal), _count(tricks.deal))
        page = entry_page(tricks, deal, seen=tricks.seen, conflict=conflict)
        return page, HTTPStatus.CONFLICT
    if wants_json():
        return jsonify(ok=True, seen=seen)
    compared = tricks.version is not None and deal.phase is Phase.OVER
    if compared or sent.did == "stop":
        return redirect(beside_url(tricks), HTTPStatus.SEE_OTHER)
    return entry_page(tricks, deal, seen=seen)


def _count(deal: CardDeal) -> int:
    return sum(len(pile.cards) for pile in (*deal.tricks, deal.discards) if pile is not None)


def entry_page(
    tricks: Tricks,
    deal: CardDeal,
    *,
    seen: int,
    problems: Sequence[Problem] = (),
    conflict: Conflict | None = None,
) -> str:
    """Show the grid, or at the end what the deal came to."""
    words, now = deal.letters.deck, None if deal.claim is None else engine.play_state(deal)
    monte, script = monte_view(deal), engine.script_state(deal)
    return render_template(
        "tricks/enter.html",
        **place(tricks),
        back=beside_url(tricks),
        heading=tricks.state.game.started(tricks.sheet, deal.table),
        table=None if now is None else table_view(deal, now, laying=monte.laying),
        suits=suit_views(words),
        left=set(map(str, words.cards if now is None else now.left)),
        playable=set(
            map(str, words.cards if now is None else _to_tap(deal, now, laying=monte.laying))
        ),
        play=json.dumps(engine.stored_play(deal)),
        seen=seen,
        fresh=_is_fresh(deal),
        begun=bool(deal.tricks or deal.discards),
        monte=monte,
        names=deal.table.seats,
        asked=tricks.asks_call and deal.claim is not None,
        conflict=conflict,
        text=request.form.get("text", ""),
        finished=finished(replace(tricks, deal=deal), now) if now and now.over else None,
        script=None if script is None else json.dumps(script),
        problems=_shown(problems),
    )


def _to_tap(deal: CardDeal, now: PlayState, *, laying: bool) -> Sequence[Card]:
    if not laying:
        return now.playable
    return deal.discardable if deal.may_discard else ()


def _shown(problems: Sequence[Problem]) -> dict[str, list[Text]]:
    """Put what is wrong with a text beside it, and everything else above the grid."""
    in_text = request.form.get("do") == "text"
    return {"text" if in_text else "": [one.message for one in problems]} if problems else {}
