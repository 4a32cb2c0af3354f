"""A deal's table as pages draw it: who sits there, what lies there, what everybody has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scorer.cards.chiamata import ChiamataDeal, ChiamataState
from scorer.texts import Text, say
from scorer.web.cards import card_view

if TYPE_CHECKING:
    from scorer.cards.engine import PlayedCard, PlayedTrick
    from scorer.rules.seats import Seat
    from scorer.web.cards import CardView


class LyingCard(NamedTuple):
    """A card on the table; one that can't be read has no view, and is shown as it was written."""

    view: CardView | None
    text: str


class PlayerPlace(NamedTuple):
    """Somebody at the table: the card before them, and what they have taken.

    ``order`` is when they played it, from 1 for whoever led.
    """

    seat: int
    name: str
    part: str
    card: LyingCard | None
    points: int
    turn: bool
    winner: bool
    order: int | None


class TrickLine(NamedTuple):
    """A trick in the list, with its cards drawn, and the step of the replay at which it ends."""

    trick: PlayedTrick
    cards: list[LyingCard]
    step: int


class AsideRow(NamedTuple):
    """What was laid aside for the monte, below the tricks: who takes it, and for how much."""

    cards: list[LyingCard]
    winner: int | None
    worth: int | None


@dataclass(frozen=True, slots=True)
class TableView:
    """The table at one moment of a deal: what lies there, and what is said of it.

    ``loose`` are cards of which nobody knows who played them, ``aside`` those that the caller laid
    aside.
    """

    deal: ChiamataDeal
    now: ChiamataState
    places: list[PlayerPlace]
    loose: list[LyingCard]
    aside: list[LyingCard]
    said: Text
    bounds: Text

    @property
    def asks(self) -> bool:
        """Whether nobody knows who leads."""
        return self.now.turn is None and not self.now.over


def table_view(deal: ChiamataDeal, now: ChiamataState, *, laying: bool = False) -> TableView:
    """Draw the table at a moment; ``laying`` is whether cards are laid aside there."""
    lying = now.tricks[-1] if now.tricks else None
    played = () if lying is None else lying.played
    return TableView(
        deal=deal,
        now=now,
        places=[_place(deal, now, seat, lying) for seat in deal.players],
        loose=[_lying(deal, card) for card in played if card.seat is None],
        aside=[_lying(deal, card) for card in now.discards],
        said=_laying(deal) if laying else _said(deal, now, lying),
        bounds=_bounds(now),
    )


def _place(
    deal: ChiamataDeal, now: ChiamataState, seat: Seat, lying: PlayedTrick | None
) -> PlayerPlace:
    cards = enumerate(lying.played if lying else (), start=1)
    order, played = next((one for one in cards if one[1].seat == seat), (None, None))
    return PlayerPlace(
        seat=seat,
        name=deal.table.name(seat),
        part=_part(deal, now, seat),
        card=None if played is None else _lying(deal, played),
        points=now.card_points[seat],
        turn=seat == now.turn,
        winner=lying is not None and seat == lying.winner,
        order=order,
    )


def _part(deal: ChiamataDeal, now: ChiamataState, seat: Seat) -> str:
    if seat == deal.caller:
        return "alone" if now.alone else "caller"
    if now.partner is not None:
        return "partner" if seat == now.partner else ""
    if deal.says_shown and seat == deal.record.claim.partner:
        return "partner"
    narrowed = len(now.candidates) < len(deal.table.active)
    return "candidate" if narrowed and not now.alone and seat in now.candidates else ""


def _lying(deal: ChiamataDeal, played: PlayedCard) -> LyingCard:
    view = None if played.card is None else card_view(played.card, deal.letters.deck)
    return LyingCard(view, played.text)


def _laying(deal: ChiamataDeal) -> Text:
    if not deal.may_discard:
        return say("All the cards laid aside are known.")
    return say("Tap the cards laid aside.")


def _said(deal: ChiamataDeal, now: ChiamataState, lying: PlayedTrick | None) -> Text:
    """Say what has just happened, and what comes next."""
    following = _following(deal, now)
    if lying is None or lying.winner is None:
        return following
    won = _won(now, lying, deal.table.name(lying.winner))
    return won if now.over else say("%(before)s %(then)s", before=won, then=following)


def _won(now: ChiamataState, lying: PlayedTrick, name: str) -> Text:
    told = {"name": name, "trick": lying.number, "points": lying.worth}
    if now.aside is None:
        return say("%(name)s takes trick %(trick)s: %(points)s.", **told)
    return say(
        "%(name)s takes trick %(trick)s: %(points)s, and the cards laid aside: %(aside)s.",
        **told,
        aside=now.aside,
    )


def _following(deal: ChiamataDeal, now: ChiamataState) -> Text:
    if now.over:
        return say("That was the last trick.")
    if now.turn is None:
        return say("Who leads trick %(trick)s?", trick=now.number)
    name = deal.table.name(now.turn)
    if deal.open_trick is None or not deal.open_trick.cards:
        return say("%(name)s leads.", name=name)
    return say("%(name)s plays.", name=name)


def _bounds(now: ChiamataState) -> Text:
    """Say what the caller's side can still come to."""
    low, high = now.bounds
    told = {"low": low, "high": high, "target": now.target}
    if now.status == "made":
        return say("Caller’s side: made, at least %(low)s of %(target)s", **told)
    if now.status == "missed":
        return say("Caller’s side: missed, at most %(high)s of %(target)s", **told)
    return say("Caller’s side: from %(low)s to %(high)s, %(target)s needed", **told)


def trick_rows(deal: ChiamataDeal, now: ChiamataState) -> list[TrickLine]:
    """List the tricks, each with the step at which its last card lay on the table."""
    rows, step = [], 0
    for trick in now.tricks:
        step += 1 if trick.forgotten else len(trick.played)
        rows.append(TrickLine(trick, [_lying(deal, played) for played in trick.played], step))
    return rows


def aside_row(deal: ChiamataDeal, now: ChiamataState) -> AsideRow | None:
    """List what was laid aside: as somebody said, or what is left of the pack at the end."""
    words, cards = deal.letters.deck, [_lying(deal, card) for card in now.discards]
    if now.complete and deal.may_discard:
        cards = [*cards, *(LyingCard(card_view(card, words), str(card)) for card in now.left)]
    if not cards:
        return None
    winner = now.tricks[-1].winner if now.aside is not None else None
    return AsideRow(cards, winner, now.aside)
