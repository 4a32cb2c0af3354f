"""The claim beside the record: partner, call, points and result (rules.md C2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.games.briscola_chiamata.auction import LOWEST
from scorer.games.briscola_chiamata.auction import bid_problems
from scorer.games.briscola_chiamata.auction import call_problems
from scorer.games.briscola_chiamata.auction import must_be_lowest
from scorer.games.briscola_chiamata.rules import CappottoTest
from scorer.games.briscola_chiamata.sheet import IMPOSSIBLE
from scorer.rules.cards import card_name
from scorer.rules.findings import Finding
from scorer.rules.tables import PACK
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.games.briscola_chiamata.play.examining import Evidence
    from scorer.rules.cards import Rank
    from scorer.rules.seats import Seat
    from scorer.texts import Text


def problems(evidence: Evidence) -> Iterator[Finding]:
    """Find every difference between the claim and what the record proves."""
    yield from _bid(evidence)
    yield from _partner(evidence)
    yield from _called_card(evidence)
    yield from _side_points(evidence)
    yield from _player_points(evidence)
    yield from _result(evidence)
    yield from _cappotto(evidence)


def _bid(evidence: Evidence) -> Iterator[Finding]:
    claim, rules = evidence.layout.record.claim, evidence.layout.table.rules
    if claim.partner == claim.caller:
        message = say("The caller can't be the partner. Alone? Then there is no partner.")
        yield Finding("caller-is-partner", {"claim": "partner"}, message)
    for problem in bid_problems(claim.bid, rules, "bid"):
        yield Finding(problem.code, {"claim": "bid"}, problem.message)
    for problem in call_problems(claim.bid, claim.called_card.rank, rules, "called_card"):
        yield Finding(problem.code, {"claim": "called_card"}, problem.message)


def _partner(evidence: Evidence) -> Iterator[Finding]:
    layout, side = evidence.layout, evidence.side
    claim, rules = layout.record.claim, layout.table.rules
    if not side.proved:
        return
    where = {"claim": "partner", **_where_called(evidence)}
    if side.alone and not rules.call.own_card:
        message = say("The caller had the called card: that is not allowed at this table.")
        yield Finding("own-card-forbidden", where, message)
    if not layout.record.says_partner or claim.partner == side.partner:
        return
    card = card_name(claim.called_card, rules.cards)
    caller = layout.table.name(side.caller)
    if side.partner is None:
        message = say("%(name)s had the %(card)s and was alone.", name=caller, card=card)
        yield Finding("called-by-caller", where, message)
        return
    message = say("%(name)s had the %(card)s and is the partner.",
                  name=layout.table.name(side.partner), card=card)  # fmt: skip
    yield Finding("wrong-partner" if claim.partner is not None else "not-alone", where, message)


def _where_called(evidence: Evidence) -> dict[str, object]:
    called = evidence.layout.record.claim.called_card
    found = evidence.layout.player_of(called)
    return {} if found is None else {"trick": found[0] + 1, "card": str(called)}


def _called_card(evidence: Evidence) -> Iterator[Finding]:
    layout = evidence.layout
    called = layout.record.claim.called_card
    seen = layout.player_of(called) is not None
    hidden = layout.table.rules.monte > 0
    if layout.complete and not seen and not hidden:
        message = say("The %(card)s was called and never played.",
                      card=card_name(called, layout.table.rules.cards))  # fmt: skip
        yield Finding("called-not-played", {"claim": "called_card"}, message)
    yield from _lowest(evidence)


def _lowest(evidence: Evidence) -> Iterator[Finding]:
    """After a two the caller holds every weaker trump than the called one, and not that one."""
    layout = evidence.layout
    claim, rules = layout.record.claim, layout.table.rules
    called = claim.called_card.rank
    if not must_be_lowest(claim.bid, called, rules):
        return
    weaker = rules.cards.ranks[rules.cards.strength[called] + 1 :]
    elsewhere = _seen_elsewhere(evidence)
    if any(rank in elsewhere for rank in weaker) or called in _seen_at(evidence, claim.caller):
        yield Finding("call-lowest", {"claim": "called_card"}, LOWEST)


def _seen_at(evidence: Evidence, wanted: Seat) -> set[Rank]:
    """The ranks of the trump suit that a player played."""
    layout, suit = evidence.layout, evidence.layout.record.claim.called_card.suit
    return {
        card.rank
        for index in range(len(layout.record.tricks))
        for seat, card in layout.plays(index)
        if seat == wanted and card.suit is suit
    }


def _seen_elsewhere(evidence: Evidence) -> set[Rank]:
    """The ranks of the trump suit that somebody but the caller played."""
    caller = evidence.side.caller
    others = [seat for seat in evidence.layout.table.active if seat != caller]
    return {rank for seat in others for rank in _seen_at(evidence, seat)}


def _side_points(evidence: Evidence) -> Iterator[Finding]:
    said = evidence.layout.record.claim.card_points
    if said is None:
        return
    where = {"claim": "card_points"}
    low, high = evidence.bounds
    if said in IMPOSSIBLE:
        yield Finding("points-impossible", where, say("No cards make 1 or 119 points."))
    elif not low <= said <= high:
        yield Finding("points-mismatch", where, _should_be(low, high))


def _should_be(low: int, high: int) -> Text:
    if low == high:
        return say("The record says %(points)s card points.", points=low)
    return say("The record allows from %(low)s to %(high)s card points.", low=low, high=high)


def _player_points(evidence: Evidence) -> Iterator[Finding]:
    said = evidence.layout.record.player_points
    rest = PACK - sum(evidence.taken.values())
    for seat, points in said.items():
        where = {"claim": "player_points", "player": evidence.layout.table.name(seat)}
        low = evidence.taken.get(seat, 0)
        if points in IMPOSSIBLE:
            yield Finding("points-impossible", where, say("No cards make 1 or 119 points."))
        elif not low <= points <= low + rest:
            yield Finding("points-mismatch", where, _should_be(low, low + rest))
    everybody = said.keys() >= set(evidence.layout.table.active)
    if everybody and sum(said.values()) != PACK:
        message = say("Together they are %(sum)s card points instead of %(pack)s.",
                      sum=sum(said.values()), pack=PACK)  # fmt: skip
        yield Finding("points-total", {"claim": "player_points"}, message)


def _result(evidence: Evidence) -> Iterator[Finding]:
    said = evidence.layout.record.claim.made
    if said is None or evidence.status == "open" or said == (evidence.status == "made"):
        return
    message = say("It was made.") if evidence.status == "made" else say("It was missed.")
    yield Finding("wrong-result", {"claim": "made"}, message)


def _cappotto(evidence: Evidence) -> Iterator[Finding]:
    said, found = evidence.layout.record.claim.cappotto, took_everything(evidence)
    if said is None or found is None or said == found:
        return
    message = say("It was a cappotto.") if found else say("It was no cappotto.")
    yield Finding("wrong-cappotto", {"claim": "cappotto"}, message)


def took_everything(evidence: Evidence) -> bool | None:
    """Whether one side took everything; None while it is open, or where no side is known."""
    layout, side = evidence.layout, evidence.side
    cappotto = layout.table.rules.score.cappotto
    by_tricks = cappotto is not None and cappotto.test is CappottoTest.ALL_TRICKS
    if not side.proved:
        return None
    counts = layout.tricks() if by_tricks else evidence.taken
    ours = sum(n for seat, n in counts.items() if seat in (side.caller, side.partner))
    theirs = sum(counts.values()) - ours
    if ours and theirs:
        return False
    return True if evidence.decided else None
