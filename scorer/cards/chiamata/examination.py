"""Examine a record: what it proves, and how it contradicts itself or the claim (rules.md C)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from scorer.cards import record_faults
from scorer.cards.chiamata.evidence import Evidence
from scorer.cards.chiamata.record import ChiamataLayout
from scorer.errors import Problem
from scorer.games.briscola_chiamata import payouts
from scorer.games.briscola_chiamata.bids import (
    Auction,
    bid_problems,
    call_problems,
    must_be_lowest,
    the_bid,
)
from scorer.games.briscola_chiamata.sheet import ChiamataSheet
from scorer.rules.cards import the_rank
from scorer.rules.findings import DealProof, Finding
from scorer.rules.seats import Seat
from scorer.rules.tables import IMPOSSIBLE, PACK, impossible_points
from scorer.texts import Text, card_point_count, say

if TYPE_CHECKING:
    from scorer.cards.chiamata.deal import ChiamataDeal

#: The status that a claim says, and what is told where the record has another.
CLAIMED = {True: "made", False: "missed"}
RESULTS = {
    "made": say("Going by the cards entered, the bid was made."),
    "missed": say("Going by the cards entered, the bid was missed."),
    "drawn": say("Going by the cards entered, the deal was a draw."),
}


def judge(evidence: Evidence) -> DealProof:
    """Combine what the evidence proves, and list all that contradicts it at once (rules.md C)."""
    layout, deal = evidence.layout, evidence.layout.deal
    problems = [*record_faults.faults(layout), *_claim_problems(evidence)]
    warnings: list[Finding] = []
    if deal.auction:
        # Without a dealer, the first to speak sat after him (rules.md A3).
        first = deal.auction[0][0] if deal.dealer is None else deal.table.after(deal.dealer)
        auction = Auction(deal.table.rules, deal.table.active, first)
        for number, (seat, bid) in enumerate(deal.auction, start=1):
            auction = auction.say_bid(seat, bid, str(number))
        problems += _auction_problems(auction, deal)
        warnings += _at_their_calls(auction.warnings)
    taken = [evidence.taken[seat] for seat in evidence.partners or ()]
    return DealProof(
        complete=layout.complete,
        winners=layout.winners,
        card_points=evidence.taken,
        tricks_won=evidence.tricks,
        partner=None if evidence.side.claimed else evidence.side.partner,
        alone=None if evidence.side.claimed else evidence.side.alone,
        side_points=None if evidence.partners is None else sum(taken),
        bounds=evidence.bounds,
        exact=evidence.exact,
        status=evidence.status,
        payouts=_payouts(evidence),
        problems=problems,
        warnings=[*warnings, *record_faults.revokes(layout)],
    )


def _payouts(evidence: Evidence) -> dict[Seat, int] | None:
    """Return the payouts of a complete deal, if the rules allow its bid."""
    claim, table = evidence.layout.deal.call, evidence.layout.deal.table
    if not evidence.settled or bid_problems(claim.bid, table.rules, ""):
        return None
    sheet = ChiamataSheet(
        caller=claim.caller,
        bid=claim.bid,
        partner=evidence.side.partner,
        called_card=claim.called_card,
        card_points=evidence.bounds[0],
        tricks_won=evidence.tricks_won,
    )
    return payouts.score(sheet, table).payouts


def _auction_problems(auction: Auction, deal: ChiamataDeal) -> list[Finding]:
    """Find faulty calls, or else the difference between the auction's result and the claim."""
    claim = deal.call
    if auction.problems:
        return _at_their_calls(auction.problems)
    if not auction.closed:
        return [Finding("auction-open", {"auction": True}, say("The auction is not over."))]
    if auction.caller is None:
        message = say("Everybody passed, so there is no caller.")
        return [Finding("caller-mismatch", {"claim": "caller"}, message)]
    if auction.caller != claim.caller:
        message = say(
            "%(name)s bid highest, so %(name)s is the caller.", name=deal.table.name(auction.caller)
        )
        return [Finding("caller-mismatch", {"claim": "caller"}, message)]
    if auction.bid is not None and auction.bid != claim.bid:
        highest = the_bid(auction.bid, auction.rules.cards)
        message = say("The highest bid was %(bid)s.", bid=highest)
        return [Finding("bid-mismatch", {"claim": "bid"}, message)]
    return []


def _at_their_calls(problems: Sequence[Problem]) -> list[Finding]:
    return [
        Finding(problem.code, {"call": int(problem.field)}, problem.message) for problem in problems
    ]


def _claim_problems(evidence: Evidence) -> list[Finding]:
    """Find every difference between the claim and what the record proves (rules.md C2, C3)."""
    deal, claim = evidence.layout.deal, evidence.layout.deal.call
    findings = [
        *_call(deal),
        *_partner(evidence),
        *_called_card(evidence.layout),
    ]
    if claim.card_points is not None:
        where = {"claim": "card_points"}
        findings += _points(claim.card_points, *evidence.bounds, side_words(evidence), where)
    if deal.player_points:
        findings += _player_points(evidence)
    if claim.made is not None and evidence.status not in ("open", CLAIMED[claim.made]):
        findings.append(Finding("wrong-result", {"claim": "made"}, RESULTS[evidence.status]))
    cappotto = evidence.took_everything
    if None not in (claim.cappotto, cappotto) and claim.cappotto != cappotto:
        message = say("It wasn't a cappotto: each side took something.")
        if cappotto:
            message = say("It was a cappotto: one side took everything.")
        findings.append(Finding("wrong-cappotto", {"claim": "cappotto"}, message))
    return findings


def _call(deal: ChiamataDeal) -> list[Finding]:
    claim, rules, findings = deal.call, deal.table.rules, list[Finding]()
    if claim.partner == claim.caller:
        message = say(
            "The caller can't also be the partner: if the caller played alone, there is no partner."
        )
        findings.append(Finding("caller-is-partner", {"claim": "partner"}, message))
    problems = (
        *bid_problems(claim.bid, rules, "bid"),
        *call_problems(claim.bid, claim.called_card.rank, rules, "called_card"),
    )
    return findings + [
        Finding(problem.code, {"claim": problem.field}, problem.message) for problem in problems
    ]


def _partner(evidence: Evidence) -> list[Finding]:
    side, deal, findings = evidence.side, evidence.layout.deal, list[Finding]()
    claimed = deal.call.candidate
    had_it = side.alone or (claimed == side.caller and not side.proved)
    if had_it and not side.may_be_dead and not deal.table.rules.call.own_card:
        message = say("The caller had the called card: that is not allowed at this table.")
        findings.append(Finding("own-card-forbidden", _where_called(evidence.layout), message))
    if claimed is not None and not side.allows(claimed):
        code = "not-alone" if claimed == side.caller else "wrong-partner"
        if side.holder == side.caller:
            code = "called-by-caller"
        findings.append(
            Finding(code, _where_called(evidence.layout), _who_had_it(evidence, claimed))
        )
    return findings or [*_shown(evidence)]


def _shown(evidence: Evidence) -> Iterator[Finding]:
    """Report that the called card can't have been shown as claimed (rules.md A5)."""
    claim, where = evidence.layout.deal.call, {"claim": "shown"}
    if not claim.shown:
        return
    if not evidence.layout.deal.table.rules.monte:
        message = say("A card is shown only when you play with a monte.")
        yield Finding("shown-without-monte", where, message)
    elif evidence.side.neighbour is None:
        message = say("The caller didn't have the called card, and can't have shown it.")
        yield Finding("wrong-shown", where, message)
    elif claim.partner is None:
        message = say("The called card was shown, so the caller has a partner.")
        yield Finding("shown-alone", {"claim": "partner"}, message)


def _who_had_it(evidence: Evidence, claimed: Seat) -> Text:
    """Explain who had the called card, or why the named partner can't have had it."""
    deal, side = evidence.layout.deal, evidence.side
    card = deal.say_the_card(deal.called)
    if side.holder is None:
        return say(
            "%(name)s can't have had %(card)s, the called card.",
            name=deal.table.name(claimed),
            card=card,
        )
    name = deal.table.name(side.holder)
    if side.may_be_dead:
        return say(
            "%(name)s had %(card)s, the called card, so %(caller)s had no partner.",
            name=name,
            card=card,
            caller=deal.table.name(side.caller),
        )
    if side.holder != side.caller:
        return say(
            "%(name)s held the called card, %(card)s, so %(name)s is the partner.",
            name=name,
            card=card,
        )
    if side.neighbour is None:
        return say(
            "%(name)s had %(card)s, the called card, and so played alone.", name=name, card=card
        )
    if not evidence.layout.places_of(deal.called):
        return say(
            "The called card, %(card)s, was laid aside, so only %(other)s, the next player after "
            "the caller, can have become the partner.",
            card=card,
            other=deal.table.name(side.neighbour),
        )
    return say(
        "%(name)s had %(card)s, the called card, so only %(other)s, the next player after the "
        "caller, can have become the partner.",
        name=name,
        card=card,
        other=deal.table.name(side.neighbour),
    )


def _where_called(layout: ChiamataLayout) -> dict[str, object]:
    """Return where a finding about the partner is: in an answer, and in a trick."""
    called, where = layout.deal.called, {"claim": "partner"}
    for index, _ in layout.places_of(called)[:1]:
        return {**where, "trick": index + 1, "card": str(layout.deal.deck.cards[called])}
    return {**where}


def _called_card(layout: ChiamataLayout) -> list[Finding]:
    deal, rules, findings = layout.deal, layout.deal.table.rules, list[Finding]()
    hidden = rules.monte and deal.discards is None
    if layout.complete and deal.called not in layout.seen and not hidden:
        message = say(
            "The called card, %(card)s, isn't in any recorded trick.",
            card=deal.say_the_card(deal.called),
        )
        findings.append(Finding("called-not-played", {"claim": "called_card"}, message))
    rank = deal.call.called_card.rank
    if must_be_lowest(deal.call.bid, rank, rules) and not _may_be_lowest(layout):
        message = say(
            "After a bid of %(rank)s the called card can only be %(rank)s or, if the caller holds "
            "that, the lowest briscola that the caller doesn't hold.",
            rank=the_rank(rules.cards.ranks[-1], rules.cards),
        )
        findings.append(Finding("call-lowest", {"claim": "called_card"}, message))
    return findings


def _may_be_lowest(layout: ChiamataLayout) -> bool:
    """Check that after a two the caller holds every weaker trump, and not the called one."""
    called, caller = layout.deal.called, layout.deal.call.caller
    weaker = set(layout.deal.deck.weaker(called))
    held = layout.held()
    ours = held.pop(caller)
    if caller in layout.hands:
        return weaker <= ours and called not in ours
    took_it = layout.deal.table.rules.monte > 0
    return all(map(weaker.isdisjoint, held.values())) and (took_it or called not in ours)


def side_words(evidence: Evidence) -> Text | str:
    """Name the caller if he is known to have no partner, otherwise the caller's side."""
    if evidence.partners is not None and len(evidence.partners) == 1:
        return evidence.layout.deal.table.name(evidence.side.caller)
    return say("the caller's side")


def _points(
    claimed: int, low: int, high: int, who: Text | str, where: Mapping[str, object]
) -> list[Finding]:
    if claimed in IMPOSSIBLE:
        return [Finding("points-impossible", where, impossible_points(claimed))]
    if low <= claimed <= high:
        return []
    message = say(
        "Going by the cards entered, %(who)s took %(points)s card points.", who=who, points=low
    )
    if low < high:
        message = say(
            "Going by the cards entered, %(who)s must have taken between %(low)s and %(high)s card "
            "points, not %(said)s.",
            who=who,
            low=low,
            high=high,
            said=claimed,
        )
    return [Finding("points-mismatch", where, message)]


def _player_points(evidence: Evidence) -> list[Finding]:
    """Check each player's total against what was certainly taken, and their sum."""
    layout, taken = evidence.layout, evidence.taken
    said, rest = layout.deal.player_points, max(0, PACK - sum(taken.values()))
    wrong = [
        finding
        for seat, points in said.items()
        for name in [layout.deal.table.name(seat)]
        for finding in _points(
            points,
            taken[seat],
            taken[seat] + rest,
            name,
            {"claim": "player_points", "player": name},
        )
    ]
    together = sum(said.values())
    least = together + sum(taken[seat] for seat in taken.keys() - said.keys())
    if (together != PACK and len(said) == len(taken)) or (least > PACK and not wrong):
        message = say(
            "Together that makes %(sum)s instead of %(pack)s.",
            sum=card_point_count(least),
            pack=PACK,
        )
        wrong.append(Finding("points-total", {"claim": "player_points"}, message))
    return wrong
