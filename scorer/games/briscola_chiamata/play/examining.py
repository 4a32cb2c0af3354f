"""Examining a record: what it proves of a deal, and where it contradicts itself or the claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorer.games.briscola_chiamata import payouts
from scorer.games.briscola_chiamata.auction import bid_problems
from scorer.games.briscola_chiamata.play import bidding, claims, form
from scorer.games.briscola_chiamata.play.layout import lay_out
from scorer.games.briscola_chiamata.play.side import bounds, find_side
from scorer.games.briscola_chiamata.sheet import ChiamataSheet
from scorer.rules.findings import Examined
from scorer.rules.tables import PACK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.games.briscola_chiamata.play.layout import Layout
    from scorer.games.briscola_chiamata.play.record import Record
    from scorer.games.briscola_chiamata.play.side import Side
    from scorer.games.briscola_chiamata.rules import ChiamataRules
    from scorer.rules.findings import Finding
    from scorer.rules.game import Table
    from scorer.rules.seats import Seat


class Evidence(NamedTuple):
    """What a record proves, for the claim to be compared with.

    ``partners`` are the caller and who is with him, proved or believed; None while that is open.
    """

    layout: Layout
    side: Side
    taken: dict[Seat, int]
    tricks: dict[Seat, int]
    bounds: tuple[int, int]
    status: str
    decided: bool
    partners: tuple[Seat, ...] | None

    @property
    def settled(self) -> bool:
        """Whether the cards say everything that a sheet asks for."""
        return self.decided and self.side.proved

    @property
    def tricks_won(self) -> int:
        """How many tricks the caller's side has taken so far."""
        return sum([self.tricks[seat] for seat in self.partners or ()])


def examine(record: Record, table: Table[ChiamataRules], dealer: Seat | None) -> Examined:
    """Work out what a record proves, and list all its problems at once (rules.md C)."""
    return judge(weigh(lay_out(record, table, dealer)), dealer)


def judge(evidence: Evidence, dealer: Seat | None) -> Examined:
    """Say what the evidence proves, and list what contradicts it."""
    problems, warnings = _findings(evidence, dealer)
    return Examined(
        complete=evidence.layout.complete,
        winners=evidence.layout.winners,
        card_points=evidence.taken,
        tricks_won=evidence.tricks,
        partner=evidence.side.partner,
        alone=evidence.side.alone,
        side_points=_side_points(evidence),
        bounds=evidence.bounds,
        status=evidence.status,
        payouts=_payouts(evidence),
        problems=problems,
        warnings=warnings,
    )


def _findings(evidence: Evidence, dealer: Seat | None) -> tuple[list[Finding], list[Finding]]:
    """List the problems and the warnings."""
    layout = evidence.layout
    problems = [*form.problems(layout), *claims.problems(evidence)]
    warnings: list[Finding] = []
    if layout.record.auction:
        auction = bidding.follow(layout.record.auction, layout.table, dealer)
        problems += bidding.problems(auction, layout.record.claim)
        warnings += bidding.warnings(auction)
    if layout.table.rules.play.follow_suit:
        warnings += form.revokes(layout)
    return problems, warnings


def weigh(layout: Layout) -> Evidence:
    """Count what is certain."""
    side, (taken, tricks) = find_side(layout), layout.taken()
    for seat, points in laid_aside(layout):
        taken[seat] += points
    low, high = bounds(layout, side, taken)
    decided = layout.complete and None not in layout.winners and sum(taken.values()) == PACK
    return Evidence(
        layout,
        side,
        taken,
        tricks,
        (low, high),
        _status(layout, low, high),
        decided,
        _partners(layout, side),
    )


def laid_aside(layout: Layout) -> Iterator[tuple[Seat, int]]:
    """Give who takes the discards of the monte at the end, and what they bring for certain.

    They are for whoever wins the last trick (rules.md A6). Where all the tricks are known they are
    what is left of the pack, seen or unseen.
    """
    rules, discards = layout.table.rules, layout.record.discards
    if not rules.monte or len(layout.winners) != rules.cards_each:
        return
    last = layout.winners[-1]
    if last is not None and layout.complete and not layout.doubtful:
        yield last, PACK - sum(layout.worths)
    elif last is not None and discards is not None and discards.cards:
        points = layout.record.lookup.points
        yield last, sum(points[card] for card in discards.cards if card not in layout.doubtful)


def _status(layout: Layout, low: int, high: int) -> str:
    target = layout.target
    if low >= target:
        return "made"
    return "missed" if high < target else "open"


def _partners(layout: Layout, side: Side) -> tuple[Seat, ...] | None:
    said = layout.record.claim.partner
    if not side.proved and not (layout.record.says_partner and side.allows(said)):
        return None
    partner = side.partner if side.proved else said
    return (side.caller,) if partner is None else (side.caller, partner)


def _side_points(evidence: Evidence) -> int | None:
    """What the caller's side has taken so far."""
    if evidence.partners is None:
        return None
    return sum(map(evidence.taken.__getitem__, evidence.partners))


def _payouts(evidence: Evidence) -> dict[Seat, int] | None:
    """What a deal pays that is written down to its end, and was bid as the rules allow."""
    claim, table = evidence.layout.record.claim, evidence.layout.table
    if not evidence.settled or bid_problems(claim.bid, table.rules, ""):
        return None
    sheet = ChiamataSheet(
        claim.caller,
        claim.bid,
        evidence.side.partner,
        claim.called_card,
        card_points=evidence.bounds[0],
        tricks_won=evidence.tricks_won,
    )
    return payouts.amounts(sheet, table)
