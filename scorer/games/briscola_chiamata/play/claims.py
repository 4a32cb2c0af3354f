"""The claim beside the record: partner, call, points and result (rules.md C2, C3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.games.briscola_chiamata.auction import (
    LOWEST,
    bid_problems,
    call_problems,
    must_be_lowest,
)
from scorer.games.briscola_chiamata.rules import CappottoTest
from scorer.games.briscola_chiamata.sheet import IMPOSSIBLE
from scorer.rules.findings import Finding
from scorer.rules.tables import PACK
from scorer.texts import say

if TYPE_CHECKING:
    from scorer.games.briscola_chiamata.play.examining import Evidence
    from scorer.games.briscola_chiamata.play.layout import Layout
    from scorer.games.briscola_chiamata.play.record import Claim
    from scorer.games.briscola_chiamata.rules import ChiamataRules
    from scorer.rules.seats import Seat
    from scorer.texts import Text


def problems(evidence: Evidence) -> list[Finding]:
    """Find every difference between the claim and what the record proves."""
    layout = evidence.layout
    claim = layout.record.claim
    found = _bid(claim, layout.table.rules) + _partner(evidence) + _called_card(layout)
    if claim.card_points is not None:
        found += _points(claim.card_points, *evidence.bounds, {"claim": "card_points"})
    if layout.record.player_points:
        found += _player_points(evidence)
    if claim.made is not None:
        found += _result(evidence, made=claim.made)
    if claim.cappotto is not None:
        found += _cappotto(evidence, said=claim.cappotto)
    return found


def _bid(claim: Claim, rules: ChiamataRules) -> list[Finding]:
    found = [
        Finding(problem.code, {"claim": problem.field}, problem.message)
        for problem in (
            *bid_problems(claim.bid, rules, "bid"),
            *call_problems(claim.bid, claim.called_card.rank, rules, "called_card"),
        )
    ]
    if claim.partner == claim.caller:
        message = say("The caller can't be the partner. Alone? Then there is no partner.")
        return [Finding("caller-is-partner", {"claim": "partner"}, message), *found]
    return found


def _partner(evidence: Evidence) -> list[Finding]:
    side, record, found = evidence.side, evidence.layout.record, list[Finding]()
    said_alone = record.says_partner and record.claim.partner is None
    had_it = side.alone or (said_alone and not side.proved)
    if had_it and not side.may_be_dead and not evidence.layout.table.rules.call.own_card:
        message = say("The caller had the called card: that is not allowed at this table.")
        found.append(Finding("own-card-forbidden", _where_called(evidence.layout), message))
    if record.says_partner and not side.allows(record.claim.partner):
        where, message = _where_called(evidence.layout), _who_had_it(evidence)
        found.append(Finding(_partner_code(evidence), where, message))
    return found


def _partner_code(evidence: Evidence) -> str:
    if evidence.side.holder == evidence.side.caller:
        return "called-by-caller"
    return "not-alone" if evidence.layout.record.claim.partner is None else "wrong-partner"


def _who_had_it(evidence: Evidence) -> Text:
    """Say who had the called card; or that whoever was written down can't have had it."""
    layout, side = evidence.layout, evidence.side
    said, card = layout.record.claim.partner, layout.record.say_card(layout.record.called)
    if side.holder is None:
        wrong = layout.table.name(side.caller if said is None else said)
        return say("%(name)s can't have had the %(card)s.", name=wrong, card=card)
    name = layout.table.name(side.holder)
    if side.may_be_dead:
        return say(
            "%(name)s had the %(card)s: %(caller)s had no partner.",
            name=name,
            card=card,
            caller=layout.table.name(side.caller),
        )
    if side.holder != side.caller:
        return say("%(name)s had the %(card)s and is the partner.", name=name, card=card)
    if side.neighbour is None:
        return say("%(name)s had the %(card)s and was alone.", name=name, card=card)
    return say(
        "%(name)s had the %(card)s: only %(other)s can have become the partner.",
        name=name,
        card=card,
        other=layout.table.name(side.neighbour),
    )


def _where_called(layout: Layout) -> dict[str, object]:
    """The answer about the partner, and where the called card was played."""
    called = layout.record.called
    found = [
        {"trick": index + 1, "card": str(layout.record.lookup.cards[called])}
        for index, _ in layout.places_of(called)
    ]
    return {"claim": "partner", **(found[0] if found else {})}


def _called_card(layout: Layout) -> list[Finding]:
    record, rules, found = layout.record, layout.table.rules, list[Finding]()
    hidden = rules.monte and record.discards is None
    if layout.complete and record.called not in layout.seen and not hidden:
        message = say(
            "The %(card)s was called and never played.", card=record.say_card(record.called)
        )
        found.append(Finding("called-not-played", {"claim": "called_card"}, message))
    rank = record.claim.called_card.rank
    if must_be_lowest(record.claim.bid, rank, rules) and not _may_be_lowest(layout):
        found.append(Finding("call-lowest", {"claim": "called_card"}, LOWEST))
    return found


def _may_be_lowest(layout: Layout) -> bool:
    """After a two the caller holds every trump weaker than the called one, and not that one."""
    record, caller = layout.record, layout.record.claim.caller
    weaker = set(record.lookup.weaker(record.called))
    ours, others = _cards_of(layout, caller), set()
    for seat in layout.turns:
        if seat != caller:
            others |= _cards_of(layout, seat)
    if caller in layout.hands:
        return weaker <= ours and record.called not in ours
    took_it = layout.table.rules.monte > 0
    return weaker.isdisjoint(others) and (took_it or record.called not in ours)


def _cards_of(layout: Layout, wanted: Seat) -> set[int]:
    """The cards that a player surely held."""
    played = {
        card
        for index in range(len(layout.record.tricks))
        for seat, card in layout.plays(index)
        if seat == wanted and card not in layout.doubtful
    }
    return played | layout.hands.get(wanted, frozenset())


def _points(said: int, low: int, high: int, where: dict[str, object]) -> list[Finding]:
    if said in IMPOSSIBLE:
        return [Finding("points-impossible", where, say("No cards make 1 or 119 points."))]
    if low <= said <= high:
        return []
    return [Finding("points-mismatch", where, _should_be(low, high))]


def _should_be(low: int, high: int) -> Text:
    if low == high:
        return say("The record says %(points)s card points.", points=low)
    return say("The record allows from %(low)s to %(high)s card points.", low=low, high=high)


def _player_points(evidence: Evidence) -> list[Finding]:
    """Each total lies between what was surely taken and that with the rest; all make the pack."""
    layout, taken = evidence.layout, evidence.taken
    said, rest = layout.record.player_points, max(0, PACK - sum(taken.values()))
    wrong = [
        finding
        for seat, points in said.items()
        for finding in _points(
            points,
            taken[seat],
            taken[seat] + rest,
            {"claim": "player_points", "player": layout.table.name(seat)},
        )
    ]
    together = sum(said.values())
    least = together + sum(taken[seat] for seat in taken.keys() - said.keys())
    if (together != PACK and len(said) == len(taken)) or (least > PACK and not wrong):
        message = say(
            "Together they are %(sum)s card points instead of %(pack)s.", sum=least, pack=PACK
        )
        wrong.append(Finding("points-total", {"claim": "player_points"}, message))
    return wrong


def _result(evidence: Evidence, *, made: bool) -> list[Finding]:
    if evidence.status == "open" or made == (evidence.status == "made"):
        return []
    message = say("It was missed.") if made else say("It was made.")
    return [Finding("wrong-result", {"claim": "made"}, message)]


def _cappotto(evidence: Evidence, *, said: bool) -> list[Finding]:
    found = took_everything(evidence)
    if found is None or said == found:
        return []
    message = say("It was a cappotto.") if found else say("It was no cappotto.")
    return [Finding("wrong-cappotto", {"claim": "cappotto"}, message)]


def took_everything(evidence: Evidence) -> bool | None:
    """Whether one side took everything; None while that is open, or the sides are."""
    if evidence.partners is None:
        return None
    cappotto = evidence.layout.table.rules.score.cappotto
    by_tricks = cappotto is not None and cappotto.test is CappottoTest.ALL_TRICKS
    counts = evidence.tricks if by_tricks else evidence.taken
    ours = sum(counts[seat] for seat in evidence.partners)
    theirs = sum(counts.values()) - ours
    if ours and theirs:
        return False
    return True if evidence.decided or (not by_tricks and PACK in (ours, theirs)) else None
