"""Briscola Chiamata: the caller's partner, what the cards prove, and what contradicts the claim.

The sides follow from the called card: ``find_side`` is what the other games lack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scorer.cards.board import Board
from scorer.cards.bounds import Group, most_points, tricks_to_complete
from scorer.cards.faults import DealProof, Finding, Where, fault, faults, hand_sizes, revokes
from scorer.cards.line import Line, follow
from scorer.errors import existing
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
from scorer.rules.bands import IMPOSSIBLE, PACK, impossible_points
from scorer.rules.cards import the_rank
from scorer.rules.seats import Seat, next_seat
from scorer.texts import Text, card_point_count, say


class CallerSide(NamedTuple):
    """The caller's possible partners; the caller among the ``candidates`` means alone.

    ``holder`` had the called card, if known; ``may_be_dead`` is true if the dead hand may have had
    it, which also leaves the caller alone. ``neighbour`` is the partner if the caller had the card
    and showed it. ``believed`` are the candidates, or only the claimed partner if he is possible.
    """

    caller: Seat
    candidates: tuple[Seat, ...]
    holder: Seat | None
    may_be_dead: bool
    neighbour: Seat | None
    believed: tuple[Seat, ...]

    @property
    def proved(self) -> bool:
        return len(self.candidates) == 1

    @property
    def alone(self) -> bool | None:
        """Whether the caller has no partner; None while that is open."""
        return self.candidates == (self.caller,) if self.proved else None

    @property
    def partner(self) -> Seat | None:
        """The partner; None if there is none, or that is open."""
        return self.candidates[0] if self.alone is False else None

    @property
    def claimed(self) -> bool:
        """Whether the partner, or playing alone, follows only from a claim about showing the card.

        No card tells whether a caller who had the called card showed it.
        """
        return self.proved and self.neighbour is not None and self.holder == self.caller

    @property
    def shown(self) -> bool:
        """Whether the caller had the called card, and has a partner for showing it."""
        return self.claimed and self.partner is not None

    def allows(self, candidate: Seat) -> bool:
        """Whether this partner is possible; the caller himself stands for none."""
        return candidate in self.candidates or candidate == self.neighbour


class Evidence(NamedTuple):
    """What a record proves; the claim is compared with it.

    ``players`` are the caller and his partner, proved or claimed; None while that is open.
    ``exact`` says whether the bounds are known to be the least and the most that are possible.
    """

    board: Board
    side: CallerSide
    players: tuple[Seat, ...] | None
    taken: Mapping[Seat, int]
    tricks: Mapping[Seat, int]
    bounds: tuple[int, int]
    exact: bool
    decided: bool

    @property
    def settled(self) -> bool:
        """Whether the cards say everything that a sheet asks for."""
        return self.decided and self.side.proved

    @property
    def tricks_won(self) -> int:
        """Count the tricks that the caller's side has taken so far."""
        return sum(self.tricks[seat] for seat in self.players or ())

    @property
    def target(self) -> int:
        rules: ChiamataRules = self.board.table.rules
        return rules.target(self.board.claim.bid.points)

    @property
    def status(self) -> str:
        """Whether the bounds mean made, missed, a draw, or open."""
        (low, high), target = self.bounds, self.target
        drawn = self.board.table.rules.draw_points(target)
        if drawn is not None and low <= drawn <= high:
            return "drawn" if low == high else "open"
        return "made" if low >= target else "missed" if high < target else "open"

    @property
    def took_everything(self) -> bool | None:
        """Whether one side took everything; None while that, or who the sides are, is open."""
        if self.players is None:
            return None
        by_tricks = self.board.table.rules.counts_tricks
        counts = self.tricks if by_tricks else self.taken
        ours = sum(counts[seat] for seat in self.players)
        theirs = sum(counts.values()) - ours
        if ours and theirs:
            return False
        return True if self.decided or (not by_tricks and PACK in (ours, theirs)) else None


def evidence_of(board: Board) -> Evidence:
    """Return what the cards prove; the called card was shown only if somebody said so."""
    return board.computed(weigh)


def weigh(board: Board, *, may_be_shown: bool = False) -> Evidence:
    """Return everything that is certain about a deal, with the bounds of the counted cards.

    ``may_be_shown`` is true if nobody said whether a caller who had the called card showed it.
    """
    line = follow(board)
    side = find_side(line, may_be_shown=may_be_shown)
    taken, tricks = line.taken()
    # The least and the most of the caller's side (rules.md C3).
    own, rest = taken[side.caller], max(0, PACK - sum(taken.values()))
    shares = [0 if seat == side.caller else taken[seat] for seat in side.believed]
    low, high = own + min(shares), min(PACK, own + max(shares) + rest)
    decided = board.complete and None not in line.winners and sum(taken.values()) == PACK
    known = len(side.believed) == 1
    return Evidence(
        board=board,
        side=side,
        players=tuple(dict.fromkeys((side.caller, *side.believed))) if known else None,
        taken=taken,
        tricks=tricks,
        bounds=(low, high),
        exact=decided or low == high,
        decided=decided,
    )


def find_side(line: Line, *, may_be_shown: bool) -> CallerSide:
    """Work out who is the caller's partner (rules.md A5, A6, A9, C3)."""
    board, claim, holders = line.board, line.board.claim, _holders(line)
    caller, claimed, active = claim.caller, claim.candidate, board.table.active
    may_be_dead = board.facts.dead in holders
    possible = holders | ({caller} if may_be_dead else set())
    holder = next(iter(holders)) if len(holders) == 1 else None
    neighbour = None
    if board.facts.monte and caller in holders:
        neighbour = next_seat(caller, active)
        shown = claimed == neighbour
        if (shown and holder != caller) or (may_be_shown and claimed is None):
            possible |= {neighbour}
        elif holder == caller:
            # Where nobody says that there was a partner, the card was not shown.
            partnered = claimed not in (None, caller)
            possible = {neighbour} if shown else {caller, neighbour} if partnered else {caller}
    candidates = tuple(seat for seat in active if seat in possible)
    side = CallerSide(caller, candidates, holder, may_be_dead, neighbour, candidates)
    believed = not side.proved and claimed is not None and side.allows(claimed)
    return side._replace(believed=(claimed,)) if believed else side


def _holders(line: Line) -> set[Seat]:
    """Return who may have had the called card."""
    board, called, everybody = line.board, line.board.called, {*line.board.players}
    players = {line.player(*place) for place in line.places_of(called)}
    if called in (board.aside or ()):
        players.add(board.claim.caller)
    known = {seat for seat in players if seat is not None}
    if players and known == players:
        return known
    held = {seat for seat, hand in board.hands.items() if called in hand}
    if held or not players:
        return held or _with_unknown_cards(line) or everybody
    return {seat for seat in everybody if line.may_hold(seat, called)} or everybody


def _with_unknown_cards(line: Line) -> set[Seat]:
    """Return the players with unseen cards, including the caller, who would be alone."""
    board, whole, played = line.board, 0, Counter[Seat | None]()
    for index, trick in enumerate(board.tricks):
        if trick is not None and len(trick.cards) == len(board.players):
            whole += line.doubtful.isdisjoint(trick.cards)
        else:
            played.update(seat for seat, card in line.plays(index) if card not in line.doubtful)
    may_hide = len(board.aside or ()) < board.facts.monte
    return {
        seat
        for seat in board.players
        if seat not in line.hands and whole + played[seat] < board.facts.tricks
    } | ({board.claim.caller} if may_hide else set())


def exactly(evidence: Evidence) -> Evidence:
    """Return the bounds over all ways to complete the record, if they can be found (rules.md C3).

    A record that can't be completed keeps the bounds of the counted cards.
    """
    line, everybody = follow(evidence.board), frozenset(evidence.board.players)
    tricks = None if evidence.decided else tricks_to_complete(line)
    if tricks is None:
        return evidence
    ours = _groups(line, evidence.side)
    theirs = [group._replace(players=everybody - group.players) for group in ours]
    most, others = most_points(line, tricks, ours), most_points(line, tricks, theirs)
    if most is None or others is None:
        return evidence
    return evidence._replace(bounds=(PACK - others[0], most[0]), exact=most[1] and others[1])


def _groups(line: Line, side: CallerSide) -> list[Group]:
    """List the caller's possible sides, with who may have held which cards then.

    With a monte the caller plays from the hand and the monte: its cards are nobody else's.
    """
    board, called, dead = line.board, line.board.called, line.board.facts.dead
    own = frozenset(board.hands.get(side.caller, ()))
    if side.caller in line.hands or len(own) not in hand_sizes(board, side.caller):
        own = frozenset()
    loose = board.deck.pack.difference(line.holders, own)
    mine = own if len(own) > board.facts.tricks else loose | own
    held = {
        seat: line.hands.get(seat, mine if seat == side.caller else loose) for seat in board.players
    }
    pairs: list[tuple[Seat, Seat]] = [(partner, partner) for partner in side.believed]
    if dead is not None and side.caller in side.believed:
        pairs.append((side.caller, dead))
    if board.claim.shown is not False:
        pairs += [(partner, side.caller) for partner, _ in pairs if partner == side.neighbour]
    return [
        Group(
            players=frozenset({side.caller, partner}),
            held={seat: held[seat] - ({called} if seat != holder else set()) for seat in held},
            aside=mine if holder == side.caller else mine - {called},
        )
        for partner, holder in pairs
    ]


def judge(evidence: Evidence) -> DealProof:
    """Combine what the evidence proves, and list all that contradicts it at once (rules.md C)."""
    board, side, players = evidence.board, evidence.side, evidence.players
    calls, odd_calls = _auction(board)
    return DealProof(
        complete=board.complete,
        winners=follow(board).winners,
        card_points=evidence.taken,
        tricks_won=evidence.tricks,
        partner=None if side.claimed else side.partner,
        alone=None if side.claimed else side.alone,
        side_points=None if players is None else sum(evidence.taken[seat] for seat in players),
        bounds=evidence.bounds,
        exact=evidence.exact,
        status=evidence.status,
        payouts=_payouts(evidence),
        problems=[*faults(board), *_claim_problems(evidence), *calls],
        warnings=[*odd_calls, *revokes(board)],
    )


def _payouts(evidence: Evidence) -> Mapping[Seat, int] | None:
    """Return the payouts of a complete deal, if the rules allow its bid."""
    claim, table = evidence.board.claim, evidence.board.table
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


def _auction(board: Board) -> tuple[list[Finding], list[Finding]]:
    """Find faulty calls, or else how the auction differs from the claim; and odd calls."""
    if not board.auction:
        return [], []
    # Without a dealer, the first to speak sat after him (rules.md A3).
    auction = Auction(board.table.rules, board.table.active, existing(board.next_of_dealer()))
    for number, (seat, bid) in enumerate(board.auction, start=1):
        auction = auction.say_bid(seat, bid, str(number))
    faulty, odd = (
        [Finding(fault.code, {"call": int(fault.field)}, fault.message) for fault in problems]
        for problems in (auction.problems, auction.warnings)
    )
    return faulty or [*_outcome(board, auction)], odd


def _outcome(board: Board, auction: Auction) -> Iterator[Finding]:
    """Compare the caller and the bid of an auction with the claim."""
    if not auction.closed:
        yield fault("auction-open", {"auction": True})
    elif auction.caller is None:
        yield fault("caller-mismatch:none", {"claim": "caller"})
    elif auction.caller != board.claim.caller:
        name = board.table.name(auction.caller)
        yield fault("caller-mismatch", {"claim": "caller"}, name=name)
    elif auction.bid is not None and auction.bid != board.claim.bid:
        highest = the_bid(auction.bid, auction.rules.cards)
        yield fault("bid-mismatch", {"claim": "bid"}, bid=highest)


def _claim_problems(evidence: Evidence) -> Iterator[Finding]:
    """Find every difference between the claim and what the record proves (rules.md C2, C3)."""
    board, claim, status = evidence.board, evidence.board.claim, evidence.status
    if claim.partner == claim.caller:
        yield fault("caller-is-partner", {"claim": "partner"})
    for problem in (
        *bid_problems(claim.bid, board.table.rules, "bid"),
        *call_problems(claim.bid, claim.called_card.rank, board.table.rules, "called_card"),
    ):
        yield Finding(problem.code, {"claim": problem.field}, problem.message)
    yield from [*_partner(evidence)] or _shown(evidence)
    yield from _called_card(follow(board))
    if claim.card_points is not None:
        where = {"claim": "card_points"}
        yield from _points(claim.card_points, evidence.bounds, side_words(evidence), where)
    if board.totals:
        yield from _totals(evidence)
    if claim.made is not None and status not in ("open", "made" if claim.made else "missed"):
        yield fault(f"wrong-result:{status}", {"claim": "made"})
    cappotto = evidence.took_everything
    if None not in (claim.cappotto, cappotto) and claim.cappotto != cappotto:
        yield fault(f"wrong-cappotto:{'all' if cappotto else 'none'}", {"claim": "cappotto"})


def _partner(evidence: Evidence) -> Iterator[Finding]:
    side, board, where = evidence.side, evidence.board, dict[str, object](claim="partner")
    claimed = board.claim.candidate
    for index, _ in follow(board).places_of(board.called)[:1]:
        where |= {"trick": index + 1, "card": board.text(board.called)}
    had_it = side.alone or (claimed == side.caller and not side.proved)
    if had_it and not side.may_be_dead and not board.table.rules.call.own_card:
        yield fault("own-card-forbidden", where)
    if claimed is not None and not side.allows(claimed):
        yield _wrong_partner(evidence, claimed, where)


def _wrong_partner(evidence: Evidence, claimed: Seat, where: Where) -> Finding:
    """Report who had the called card, or that the named partner can't have had it."""
    board, side, name = evidence.board, evidence.side, evidence.board.table.name
    code = "not-alone" if claimed == side.caller else "wrong-partner"
    card = board.card_name(board.called)
    if side.holder is None:
        return fault(f"{code}:unknown", where, name=name(claimed), card=card)
    values = {"name": name(side.holder), "card": card}
    if side.may_be_dead:
        return fault("wrong-partner:dead", where, **values, caller=name(side.caller))
    if side.holder != side.caller:
        return fault(code, where, **values)
    if side.neighbour is None:
        return fault("called-by-caller", where, **values)
    way = "shown" if "trick" in where else "aside"
    return fault(f"called-by-caller:{way}", where, **values, other=name(side.neighbour))


def _shown(evidence: Evidence) -> Iterator[Finding]:
    """Report that the called card can't have been shown as claimed (rules.md A5)."""
    claim, where = evidence.board.claim, {"claim": "shown"}
    if claim.shown and not evidence.board.facts.monte:
        yield fault("shown-without-monte", where)
    elif claim.shown and evidence.side.neighbour is None:
        yield fault("wrong-shown", where)
    elif claim.shown and claim.partner is None:
        yield fault("shown-alone", {"claim": "partner"})


def _called_card(line: Line) -> Iterator[Finding]:
    board, rules, where = line.board, line.board.table.rules, {"claim": "called_card"}
    called, hidden = board.called, board.facts.monte and board.aside is None
    if board.complete and called not in line.seen and not hidden:
        yield fault("called-not-played", where, card=board.card_name(called))
    lowest = must_be_lowest(board.claim.bid, board.claim.called_card.rank, rules)
    if lowest and not _may_be_lowest(line, called):
        rank = the_rank(rules.cards.ranks[-1], rules.cards)
        yield fault("call-lowest", where, rank=rank)


def _may_be_lowest(line: Line, called: int) -> bool:
    """Check that after a two the caller holds every weaker trump, and not the called one."""
    board, caller, held = line.board, line.board.claim.caller, line.held()
    weaker, ours = {*board.deck.weaker(called)}, held.pop(caller)
    if caller in line.hands:
        return weaker <= ours and called not in ours
    took_it = board.facts.monte > 0
    return all(map(weaker.isdisjoint, held.values())) and (took_it or called not in ours)


def side_words(evidence: Evidence) -> Text | str:
    """Name the caller if he is known to have no partner, otherwise the caller's side."""
    if evidence.players is not None and len(evidence.players) == 1:
        return evidence.board.table.name(evidence.side.caller)
    return say("the caller's side")


def _points(
    claimed: int, bounds: tuple[int, int], who: Text | str, where: Where
) -> Iterator[Finding]:
    low, high = bounds
    if claimed in IMPOSSIBLE:
        yield Finding("points-impossible", where, impossible_points(claimed))
    elif not low <= claimed <= high and low == high:
        yield fault("points-mismatch", where, who=who, points=low)
    elif not low <= claimed <= high:
        yield fault("points-mismatch:between", where, who=who, low=low, high=high, said=claimed)


def _totals(evidence: Evidence) -> Iterator[Finding]:
    """Check each player's total against what was certainly taken, and their sum."""
    taken, totals, name = evidence.taken, evidence.board.totals, evidence.board.table.name
    rest, wrong = max(0, PACK - sum(taken.values())), list[Finding]()
    for seat, points in totals.items():
        where = {"claim": "player_points", "player": name(seat)}
        wrong += _points(points, (taken[seat], taken[seat] + rest), name(seat), where)
    yield from wrong
    together = sum(totals.values())
    least = together + sum(taken[seat] for seat in taken.keys() - totals.keys())
    if (together != PACK and len(totals) == len(taken)) or (least > PACK and not wrong):
        where = {"claim": "player_points"}
        yield fault("points-total", where, sum=card_point_count(least), pack=PACK)
