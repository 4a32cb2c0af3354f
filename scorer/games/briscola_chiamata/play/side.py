"""Who is on the caller's side: what the record proves, and what its points can still become."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from scorer.games.briscola_chiamata.play.dead_hand import dead_hand
from scorer.rules.seats import Seat, next_seat
from scorer.rules.tables import PACK

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from scorer.games.briscola_chiamata.play.layout import Layout


class Side(NamedTuple):
    """The caller's partner: one of ``candidates``, where the caller himself means that he is alone.

    ``holder`` is who had the called card, where that is known, and ``may_be_dead`` whether it may
    have been in the dead hand: then, too, the caller is alone. ``neighbour`` is whom the caller, if
    he had it, could make his partner by showing it. Where one candidate is left, that is
    ``proved``, and ``partner`` and ``alone`` say which.
    """

    caller: Seat
    candidates: tuple[Seat, ...]
    holder: Seat | None
    may_be_dead: bool
    neighbour: Seat | None
    proved: bool
    partner: Seat | None
    alone: bool | None

    def allows(self, partner: Seat | None) -> bool:
        """Whether this partner, or none, is possible."""
        holder = self.caller if partner is None else partner
        return holder in self.candidates or holder == self.neighbour


def find_side(layout: Layout) -> Side:
    """Work out who is the caller's partner (rules.md A5, A6, A9, C3)."""
    caller, active, holders = layout.record.claim.caller, layout.table.active, _holders(layout)
    may_be_dead = dead_hand(layout.table) in holders
    candidates = tuple(
        [seat for seat in active if seat in holders or (may_be_dead and seat == caller)]
    )
    holder = next(iter(holders)) if len(holders) == 1 else None
    neighbour = None
    if layout.table.rules.monte and caller in holders:
        neighbour = next_seat(caller, active)
        if holder == caller:
            candidates = _quiet_or_shown(layout, neighbour)
    known = caller, candidates, holder, may_be_dead, neighbour
    if len(candidates) > 1:
        return Side(*known, proved=False, partner=None, alone=None)
    alone = candidates[0] == caller
    return Side(*known, proved=True, partner=None if alone else candidates[0], alone=alone)


def _quiet_or_shown(layout: Layout, neighbour: Seat) -> tuple[Seat, ...]:
    """With a monte, a caller who shows the called card has his neighbour for a partner.

    Where nobody says that there was a partner, the card was not shown.
    """
    record, caller = layout.record, layout.record.claim.caller
    if not record.says_partner or record.claim.partner is None:
        return (caller,)
    return (neighbour,) if record.claim.partner == neighbour else (caller, neighbour)


def _holders(layout: Layout) -> Collection[Seat]:
    """Everybody who may have held the called card."""
    record, called = layout.record, layout.record.called
    players = [layout.player(*place) for place in layout.places_of(called)]
    if record.discards is not None and called in record.discards.cards:
        players.append(record.claim.caller)
    if players:
        if None in players:
            may_hold = {seat for seat in layout.turns if layout.may_hold(seat, called)}
            return may_hold or layout.turns
        return {seat for seat in players if seat is not None}
    held = {seat for seat, hand in record.hands.items() if called in hand.cards}
    return held or _with_unknown_cards(layout) or layout.turns


def _with_unknown_cards(layout: Layout) -> set[Seat]:
    """Everybody of whom not every card was seen, the caller, who would be alone, included."""
    record, rules, doubtful = layout.record, layout.table.rules, layout.doubtful
    whole, played = 0, Counter[Seat | None]()
    for index, trick in enumerate(record.tricks):
        if trick is not None and layout.full(index):
            whole += doubtful.isdisjoint(trick.cards)
        else:
            played.update(seat for seat, card in layout.plays(index) if card not in doubtful)
    unknown = {
        seat
        for seat in layout.turns
        if whole + played[seat] < rules.cards_each and seat not in layout.hands
    }
    laid_aside = 0 if record.discards is None else len(record.discards.cards)
    return unknown | ({record.claim.caller} if laid_aside < rules.monte else set())


def bounds(layout: Layout, side: Side, taken: Mapping[Seat, int]) -> tuple[int, int]:
    """The least and the most card points that the caller's side can end with (rules.md C3)."""
    own, rest = taken[side.caller], max(0, PACK - sum(taken.values()))
    if side.partner is not None:
        own += taken[side.partner]
        return own, min(PACK, own + rest)
    shares = [0 if seat == side.caller else taken[seat] for seat in _possible(layout, side)]
    return own + min(shares), min(PACK, own + max(shares) + rest)


def _possible(layout: Layout, side: Side) -> tuple[Seat, ...]:
    """Who can be the partner; a partner who was written down, and can be, is believed."""
    record = layout.record
    if side.proved or not record.says_partner or not side.allows(record.claim.partner):
        return side.candidates
    return (side.caller if record.claim.partner is None else record.claim.partner,)
