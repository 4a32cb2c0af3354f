"""Who is on the caller's side: what the record proves, and what its points can still become."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorer.rules.seats import Seat
from scorer.rules.seats import next_seat
from scorer.rules.tables import PACK

if TYPE_CHECKING:
    from scorer.games.briscola_chiamata.play.layout import Layout
    from scorer.rules.cards import Card


@dataclass(frozen=True, slots=True)
class Side:
    """The caller's partner: proved by the record, or one of ``candidates``, the caller included."""

    candidates: tuple[Seat, ...]
    caller: Seat

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


def find_side(layout: Layout) -> Side:
    """Work out who holds the called card (rules.md A5, C3)."""
    claim = layout.record.claim
    return Side(_candidates(layout, claim.called_card), claim.caller)


def _candidates(layout: Layout, called: Card) -> tuple[Seat, ...]:
    caller, record = layout.record.claim.caller, layout.record
    if record.discards is not None and called in record.discards.known:
        return _quiet_or_shown(layout)
    found = layout.player_of(called)
    if found is not None and found[1] is not None:
        return _quiet_or_shown(layout) if found[1] == caller else (found[1],)
    held = [seat for seat, hand in record.hands.items() if called in hand.known]
    if held and not layout.table.rules.monte:
        return (held[0],)
    return _with_unknown_cards(layout, called)


def _quiet_or_shown(layout: Layout) -> tuple[Seat, ...]:
    """With a monte, a caller who has the called card may show it: the neighbour is the partner."""
    claim, rules = layout.record.claim, layout.table.rules
    neighbour = next_seat(claim.caller, layout.table.active)
    shown = rules.monte and layout.record.says_partner and claim.partner == neighbour
    return (neighbour,) if shown else (claim.caller,)


def _with_unknown_cards(layout: Layout, called: Card) -> tuple[Seat, ...]:
    """Everybody who may still hold the called card: the caller, who would be alone, included."""
    rules, active = layout.table.rules, layout.table.active
    seen = dict.fromkeys(active, 0)
    for index in range(len(layout.record.tricks)):
        for seat, _ in layout.plays(index):
            if seat is not None:
                seen[seat] += 1
    hands = layout.record.hands
    free = [
        seat
        for seat in active
        if seen[seat] < rules.cards_each
        and not (seat in hands and len(hands[seat].known) == rules.cards_each and not rules.monte)
    ]
    open_ = tuple(free) or tuple(active)
    played = layout.player_of(called) is not None
    return tuple(active) if played else open_


def bounds(layout: Layout, side: Side) -> tuple[int, int]:
    """The least and the most card points that the caller's side can end with (rules.md C3)."""
    taken, caller = layout.points(), side.caller
    rest = PACK - sum(taken.values())
    partners = _possible_partners(layout, side)
    with_caller = [0 if partner == caller else taken[partner] for partner in partners]
    low = taken[caller] + min(with_caller)
    return low, min(PACK, taken[caller] + max(with_caller) + rest)


def _possible_partners(layout: Layout, side: Side) -> tuple[Seat, ...]:
    """The proved partner; else the one that was written down; else everybody who can be it."""
    claim, said = layout.record.claim, layout.record.says_partner
    if side.proved or not said:
        return side.candidates
    return (claim.caller if claim.partner is None else claim.partner,)
