"""Examine a record: what it proves, and how it contradicts itself or the claim (rules.md C)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorer.cards import record_faults
from scorer.cards.chiamata import fast_path
from scorer.cards.chiamata.evidence import Evidence, exactly, weigh
from scorer.cards.chiamata.record import (
    ChiamataLayout,
    ChiamataTricks,
    DealRecord,
    Sheet,
    layout_of,
    read_bidding,
    read_record,
    with_sheet,
)
from scorer.errors import Problem
from scorer.games.briscola_chiamata import payouts
from scorer.games.briscola_chiamata.bids import (
    Auction,
    bid_problems,
    call_problems,
    must_be_lowest,
    the_bid,
)
from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.games.briscola_chiamata.sheet import ChiamataSheet
from scorer.rules.cards import the_rank
from scorer.rules.findings import DealProof, Finding
from scorer.rules.game import Table
from scorer.rules.seats import Seat
from scorer.rules.sheet import Reading
from scorer.rules.tables import IMPOSSIBLE, PACK, impossible_points
from scorer.texts import Text, card_point_count, say

#: The status that a claim says, and what is told where the record has another.
CLAIMED = {True: "made", False: "missed"}
RESULTS = {
    "made": say("Going by the cards entered, the bid was made."),
    "missed": say("Going by the cards entered, the bid was missed."),
    "drawn": say("Going by the cards entered, the deal was a draw."),
}


def examine_record(
    data: dict[str, Any],
    table: Table[ChiamataRules],
    dealer: Seat | None,
    reading: Reading,
    *,
    completed: bool = True,
) -> DealProof | None:
    """Examine a record as JSON; what can't be read goes to the reading, and None is returned."""
    if not reading.problems:
        whole = fast_path.examine_whole(data, table, dealer, reading.seats)
        if whole is not None:
            return whole
    record = read_record(data, table, reading)
    return None if record is None else examine(record, table, dealer, completed=completed)


def examine_play(
    play: dict[str, Any],
    sheet: Sheet,
    table: Table[ChiamataRules],
    dealer: Seat | None,
    reading: Reading,
) -> DealProof | None:
    """Examine the cards of a deal beside its sheet; without a called card, read them only."""
    document = with_sheet(play, sheet, reading)
    if "claim" in document:
        # A file may have thousands of deals, and these findings are only warnings.
        return examine_record(document, table, dealer, reading, completed=False)
    read_bidding(document, table, reading)
    return None


def examine(
    record: DealRecord, table: Table[ChiamataRules], dealer: Seat | None, *, completed: bool = True
) -> DealProof:
    """Work out what a record proves, and list all its problems at once (rules.md C).

    The bounds are those of all completions, or of what was counted if not ``completed``.
    """
    evidence = weigh(layout_of(record, table, dealer))
    return judge(exactly(evidence) if completed else evidence, dealer)


def judge(evidence: Evidence, dealer: Seat | None) -> DealProof:
    """Combine what the evidence proves, and list what contradicts it."""
    layout, record = evidence.layout, evidence.layout.game.record
    problems = [*record_faults.faults(layout), *_claim_problems(evidence)]
    warnings: list[Finding] = []
    if record.auction:
        # Without a dealer, the first to speak sat after him (rules.md A3).
        first = record.auction[0][0] if dealer is None else layout.game.table.after(dealer)
        auction = Auction(layout.game.table.rules, layout.game.table.active, first)
        for number, (seat, bid) in enumerate(record.auction, start=1):
            auction = auction.say_bid(seat, bid, str(number))
        problems += _auction_problems(auction, layout.game)
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
    claim, table = evidence.layout.game.record.claim, evidence.layout.game.table
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


def _auction_problems(auction: Auction, game: ChiamataTricks) -> list[Finding]:
    """Find faulty calls, or else the difference between the auction's result and the claim."""
    claim = game.record.claim
    if auction.problems:
        return _at_their_calls(auction.problems)
    if not auction.closed:
        return [Finding("auction-open", {"auction": True}, say("The auction is not over."))]
    if auction.caller is None:
        message = say("Everybody passed, so there is no caller.")
        return [Finding("caller-mismatch", {"claim": "caller"}, message)]
    if auction.caller != claim.caller:
        message = say(
            "%(name)s bid highest, so %(name)s is the caller.", name=game.name(auction.caller)
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
    record = evidence.layout.game.record
    claim = record.claim
    findings = [
        *_call(record, evidence.layout.game.table.rules),
        *_partner(evidence),
        *_called_card(evidence.layout),
    ]
    if claim.card_points is not None:
        where = {"claim": "card_points"}
        findings += _points(claim.card_points, *evidence.bounds, side_words(evidence), where)
    if record.player_points:
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


def _call(record: DealRecord, rules: ChiamataRules) -> list[Finding]:
    claim, findings = record.claim, list[Finding]()
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
    side, game, findings = evidence.side, evidence.layout.game, list[Finding]()
    claimed = game.record.claim.candidate
    had_it = side.alone or (claimed == side.caller and not side.proved)
    if had_it and not side.may_be_dead and not game.table.rules.call.own_card:
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
    """Find out if the called card can't have been shown as the claim says (rules.md A5)."""
    claim, where = evidence.layout.game.record.claim, {"claim": "shown"}
    if not claim.shown:
        return
    if not evidence.layout.game.table.rules.monte:
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
    game, side = evidence.layout.game, evidence.side
    card = game.record.cards.say_the_card(game.record.called)
    if side.holder is None:
        return say(
            "%(name)s can't have had %(card)s, the called card.", name=game.name(claimed), card=card
        )
    name = game.name(side.holder)
    if side.may_be_dead:
        return say(
            "%(name)s had %(card)s, the called card, so %(caller)s had no partner.",
            name=name,
            card=card,
            caller=game.name(side.caller),
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
    if not evidence.layout.places_of(game.record.called):
        return say(
            "The called card, %(card)s, was laid aside, so only %(other)s, the next player after "
            "the caller, can have become the partner.",
            card=card,
            other=game.name(side.neighbour),
        )
    return say(
        "%(name)s had %(card)s, the called card, so only %(other)s, the next player after the "
        "caller, can have become the partner.",
        name=name,
        card=card,
        other=game.name(side.neighbour),
    )


def _where_called(layout: ChiamataLayout) -> dict[str, object]:
    """Return where a finding about the partner is: in an answer, and in a trick."""
    called, where = layout.game.record.called, {"claim": "partner"}
    for index, _ in layout.places_of(called)[:1]:
        return {**where, "trick": index + 1, "card": str(layout.game.deck.cards[called])}
    return {**where}


def _called_card(layout: ChiamataLayout) -> list[Finding]:
    record, rules, findings = layout.game.record, layout.game.table.rules, list[Finding]()
    hidden = rules.monte and record.cards.discards is None
    if layout.complete and record.called not in layout.seen and not hidden:
        message = say(
            "The called card, %(card)s, isn't in any recorded trick.",
            card=record.cards.say_the_card(record.called),
        )
        findings.append(Finding("called-not-played", {"claim": "called_card"}, message))
    rank = record.claim.called_card.rank
    if must_be_lowest(record.claim.bid, rank, rules) and not _may_be_lowest(layout):
        message = say(
            "After a bid of %(rank)s the called card can only be %(rank)s or, if the caller holds "
            "that, the lowest briscola that the caller doesn't hold.",
            rank=the_rank(rules.cards.ranks[-1], rules.cards),
        )
        findings.append(Finding("call-lowest", {"claim": "called_card"}, message))
    return findings


def _may_be_lowest(layout: ChiamataLayout) -> bool:
    """Check that after a two the caller holds every weaker trump, and not the called one."""
    record, caller = layout.game.record, layout.game.record.claim.caller
    weaker = set(record.cards.deck.weaker(record.called))
    ours, others = _cards_of(layout, caller), set()
    for seat in layout.turns:
        if seat != caller:
            others |= _cards_of(layout, seat)
    if caller in layout.hands:
        return weaker <= ours and record.called not in ours
    took_it = layout.game.table.rules.monte > 0
    return weaker.isdisjoint(others) and (took_it or record.called not in ours)


def _cards_of(layout: ChiamataLayout, wanted: Seat) -> set[int]:
    played = {
        card
        for index in range(len(layout.record.tricks))
        for seat, card in layout.plays(index)
        if seat == wanted and card not in layout.doubtful
    }
    return played | layout.hands.get(wanted, frozenset())


def side_words(evidence: Evidence) -> Text | str:
    """Name the caller where he is known to have no partner, or else say that it is his side."""
    if evidence.partners is not None and len(evidence.partners) == 1:
        return evidence.layout.game.name(evidence.side.caller)
    return say("the caller's side")


def _points(
    claimed: int, low: int, high: int, who: Text | str, where: Mapping[str, object]
) -> list[Finding]:
    """Check the card points of a player, or of the caller's side."""
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
    said, rest = layout.game.record.player_points, max(0, PACK - sum(taken.values()))
    wrong = [
        finding
        for seat, points in said.items()
        for name in [layout.game.name(seat)]
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
