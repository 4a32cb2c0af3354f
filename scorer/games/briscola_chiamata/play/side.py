"""Who is on the caller's side: what the record proves, and what its points can still become."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorer.rules.seats import Seat
from scorer.rules.seats import next_seat
from scorer.rules.tables import PACK

if TYPE_CHECKING:
    from collections.abc import Collection
    from collections.abc import Mapping

    from scorer.games.briscola_chiamata.play.layout import Layout


@dataclass(frozen=True, slots=True)
class Side:
    """The caller's partner: one of ``candidates``, where the caller himself means that he is alone.

    ``may_show`` is whom the caller, who may hold the called card, makes a partner by showing it.
    """

    caller: Seat
    candidates: tuple[Seat, ...]
    may_show: Seat | None = None

    @property
    def proved(self) -> bool:
        """Whether only one is left."""
        return len(self.candidates) == 1

    @property
    def partner(self) -> Seat | None:
        """The partner, where one is proved."""
        return self.candidates[0] if self.proved and not self.alone else None

    @property
    def alone(self) -> bool | None:
        """Whether the caller is alone; None while that is open."""
        return self.candidates == (self.caller,) if self.proved else None

    def allows(self, partner: Seat | None) -> bool:
        """Whether this partner, or none, is possible."""
        holder = self.caller if partner is None else partner
        return holder in self.candidates or holder == self.may_show


def find_side(layout: Layout) -> Side:
    """Work out who holds the called card (rules.md A5, C3).

    With a monte, a caller who has the called card may show it: his neighbour becomes the partner.
    """
    record, active = layout.record, layout.table.active
    caller, holders = record.claim.caller, _holders(layout)
    if not layout.table.rules.monte or caller not in holders:
        return Side(caller, tuple(seat for seat in active if seat in holders))
    neighbour = next_seat(caller, active)
    if len(holders) == 1 and record.says_partner and record.claim.partner == neighbour:
        return Side(caller, (neighbour,))
    return Side(caller, tuple(seat for seat in active if seat in holders), neighbour)


def _holders(layout: Layout) -> Collection[Seat]:
    """Everybody who may have held the called card."""
    record, called = layout.record, layout.record.called
    players = [layout.player(*place) for place in layout.places_of(called)]
    if record.discards is not None and called in record.discards.cards:
        players.append(record.claim.caller)
    if players:
        known = {seat for seat in players if seat is not None}
        return layout.table.active if None in players else known
    held = {seat for seat, hand in record.hands.items() if called in hand.cards}
    return held or _with_unknown_cards(layout) or layout.table.active


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
        for seat in layout.table.active
        if whole + played[seat] < rules.cards_each and seat not in layout.hands
    }
    return unknown | ({record.claim.caller} if rules.monte and record.discards is None else set())


def bounds(layout: Layout, side: Side, taken: Mapping[Seat, int]) -> tuple[int, int]:
    """The least and the most card points that the caller's side can end with (rules.md C3)."""
    rest = max(0, PACK - sum(taken.values()))
    shares = [0 if seat == side.caller else taken[seat] for seat in _possible(layout, side)]
    least = taken[side.caller] + min(shares)
    return least, min(PACK, taken[side.caller] + max(shares) + rest)


def _possible(layout: Layout, side: Side) -> tuple[Seat, ...]:
    """Who can be the partner; a partner who was written down, and can be, is believed."""
    record = layout.record
    if side.proved or not record.says_partner or not side.allows(record.claim.partner):
        return side.candidates
    return (side.caller if record.claim.partner is None else record.claim.partner,)
