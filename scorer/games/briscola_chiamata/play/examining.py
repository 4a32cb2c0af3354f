"""Examining a record: what it proves of a deal, and where it contradicts itself or the claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorer.games.briscola_chiamata import payouts
from scorer.games.briscola_chiamata.play import claims
from scorer.games.briscola_chiamata.play import form
from scorer.games.briscola_chiamata.play.layout import Layout
from scorer.games.briscola_chiamata.play.layout import lay_out
from scorer.games.briscola_chiamata.play.side import Side
from scorer.games.briscola_chiamata.play.side import bounds
from scorer.games.briscola_chiamata.play.side import find_side
from scorer.games.briscola_chiamata.sheet import ChiamataSheet
from scorer.games.briscola_chiamata.sheet import target
from scorer.rules.findings import Examined
from scorer.rules.seats import Seat
from scorer.rules.tables import PACK

if TYPE_CHECKING:
    from scorer.games.briscola_chiamata.play.record import Record
    from scorer.games.briscola_chiamata.rules import ChiamataRules
    from scorer.rules.game import Table


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a record proves, for the claim to be compared with."""

    layout: Layout
    side: Side
    taken: dict[Seat, int]
    bounds: tuple[int, int]
    status: str
    decided: bool


def examine(record: Record, table: Table[ChiamataRules], dealer: Seat | None) -> Examined:
    """Work out what a record proves, and list all its problems at once (rules.md C)."""
    layout = lay_out(record, table, dealer)
    side = find_side(layout)
    evidence = weigh(layout, side)
    problems = [*form.problems(layout, dealer), *claims.problems(evidence)]
    known = None if not side.proved and not record.says_partner else evidence
    return Examined(
        complete=layout.complete,
        winners=tuple(layout.winners),
        card_points=evidence.taken,
        tricks_won=layout.tricks(),
        partner=side.partner,
        alone=side.alone,
        side_points=None if known is None else _side_points(evidence),
        bounds=evidence.bounds,
        status=evidence.status,
        payouts=_payouts(evidence),
        problems=tuple(problems),
        warnings=tuple(form.warnings(layout, dealer)),
    )


def weigh(layout: Layout, side: Side) -> Evidence:
    """Count what is certain; at the end the last winner takes the discards of the monte."""
    taken = layout.points()
    last = layout.winners[-1] if layout.winners else None
    decided = layout.complete and None not in layout.winners
    if decided and last is not None and layout.table.rules.monte:
        taken[last] += PACK - sum(taken.values())
    low, high = _final(side, taken) if decided else bounds(layout, side)
    return Evidence(layout, side, taken, (low, high), _status(layout, low, high), decided)


def _final(side: Side, taken: dict[Seat, int]) -> tuple[int, int]:
    counts = [
        taken[side.caller] + (0 if partner == side.caller else taken[partner])
        for partner in side.candidates
    ]
    return min(counts), max(counts)


def _status(layout: Layout, low: int, high: int) -> str:
    claim, rules = layout.record.claim, layout.table.rules
    needed = target(ChiamataSheet(claim.caller, claim.bid, None), rules)
    if low >= needed:
        return "made"
    return "missed" if high < needed else "open"


def _side_points(evidence: Evidence) -> int:
    """What the caller's side has taken so far: with the partner who is proved, or was said."""
    side, claim = evidence.side, evidence.layout.record.claim
    partner = side.partner if side.proved else claim.partner
    return evidence.taken[side.caller] + (0 if partner is None else evidence.taken[partner])


def _payouts(evidence: Evidence) -> dict[Seat, int] | None:
    """What a deal pays that is written down to its end."""
    side, layout = evidence.side, evidence.layout
    if not (evidence.decided and side.proved):
        return None
    won = layout.tricks()
    partners = [side.caller, *([side.partner] if side.partner is not None else [])]
    claim = layout.record.claim
    sheet = ChiamataSheet(
        claim.caller, claim.bid, side.partner, claim.called_card,
        card_points=evidence.bounds[0], tricks_won=sum(won[seat] for seat in partners),
    )  # fmt: skip
    return payouts.score(sheet, layout.table).payouts
