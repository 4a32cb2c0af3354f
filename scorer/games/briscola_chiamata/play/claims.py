"""The claim beside the record: partner, call, points and result (rules.md C2, C3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.games.briscola_chiamata.auction import LOWEST
from scorer.games.briscola_chiamata.auction import bid_problems
from scorer.games.briscola_chiamata.auction import call_problems
from scorer.games.briscola_chiamata.auction import must_be_lowest
from scorer.games.briscola_chiamata.rules import CappottoTest
from scorer.games.briscola_chiamata.sheet import IMPOSSIBLE
from scorer.rules.findings import Finding
from scorer.rules.tables import PACK
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.games.briscola_chiamata.play.examining import Evidence
    from scorer.games.briscola_chiamata.play.layout import Layout
    from scorer.rules.seats import Seat
    from scorer.texts import Text


def problems(evidence: Evidence) -> Iterator[Finding]:
    """Find every difference between the claim and what the record proves."""
    yield from _bid(evidence)
    yield from _partner(evidence)
    yield from _called_card(evidence.layout)
    yield from _side_points(evidence)
    if evidence.layout.record.player_points:
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
    record, own_card = layout.record, layout.table.rules.call.own_card
    said_alone = record.says_partner and record.claim.partner is None
    if not own_card and (side.alone or (said_alone and not side.proved)):
        message = say("The caller had the called card: that is not allowed at this table.")
        yield Finding("own-card-forbidden", _where_called(layout), message)
    if record.says_partner and not side.allows(record.claim.partner):
        yield Finding(_partner_code(evidence), _where_called(layout), _who_had_it(evidence))


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
    if side.holder != side.caller:
        return say("%(name)s had the %(card)s and is the partner.", name=name, card=card)
    if side.may_show is None:
        return say("%(name)s had the %(card)s and was alone.", name=name, card=card)
    return say("%(name)s had the %(card)s: only %(other)s can have become the partner.",
               name=name, card=card, other=layout.table.name(side.may_show))  # fmt: skip


def _where_called(layout: Layout) -> dict[str, object]:
    """The answer about the partner, and where the called card was played."""
    called = layout.record.called
    found = [{"trick": index + 1, "card": str(layout.record.lookup.cards[called])}
             for index, _ in layout.places_of(called)]  # fmt: skip
    return {"claim": "partner", **(found[0] if found else {})}


def _called_card(layout: Layout) -> Iterator[Finding]:
    record, rules = layout.record, layout.table.rules
    hidden = rules.monte and record.discards is None
    if layout.complete and record.called not in layout.seen and not hidden:
        message = say("The %(card)s was called and never played.",
                      card=record.say_card(record.called))  # fmt: skip
        yield Finding("called-not-played", {"claim": "called_card"}, message)
    rank = record.claim.called_card.rank
    if must_be_lowest(record.claim.bid, rank, rules) and not _may_be_lowest(layout):
        yield Finding("call-lowest", {"claim": "called_card"}, LOWEST)


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


def _side_points(evidence: Evidence) -> Iterator[Finding]:
    said = evidence.layout.record.claim.card_points
    if said is not None:
        low, high = evidence.bounds
        yield from _points(said, low, high, {"claim": "card_points"})


def _points(said: int, low: int, high: int, where: dict[str, object]) -> Iterator[Finding]:
    if said in IMPOSSIBLE:
        yield Finding("points-impossible", where, say("No cards make 1 or 119 points."))
    elif not low <= said <= high:
        yield Finding("points-mismatch", where, _should_be(low, high))


def _should_be(low: int, high: int) -> Text:
    if low == high:
        return say("The record says %(points)s card points.", points=low)
    return say("The record allows from %(low)s to %(high)s card points.", low=low, high=high)


def _player_points(evidence: Evidence) -> Iterator[Finding]:
    """Each total lies between what was surely taken and that with the rest; all make the pack."""
    layout, taken = evidence.layout, evidence.taken
    said, rest = layout.record.player_points, max(0, PACK - sum(taken.values()))
    wrong = [
        finding
        for seat, points in said.items()
        for finding in _points(points, taken[seat], taken[seat] + rest,
                               {"claim": "player_points", "player": layout.table.name(seat)})
    ]  # fmt: skip
    yield from wrong
    together = sum(said.values())
    least = together + sum(taken[seat] for seat in taken.keys() - said.keys())
    if (together != PACK and len(said) == len(taken)) or (least > PACK and not wrong):
        message = say("Together they are %(sum)s card points instead of %(pack)s.",
                      sum=least, pack=PACK)  # fmt: skip
        yield Finding("points-total", {"claim": "player_points"}, message)


def _result(evidence: Evidence) -> Iterator[Finding]:
    said = evidence.layout.record.claim.made
    if said is None or evidence.status == "open" or said == (evidence.status == "made"):
        return
    message = say("It was made.") if evidence.status == "made" else say("It was missed.")
    yield Finding("wrong-result", {"claim": "made"}, message)


def _cappotto(evidence: Evidence) -> Iterator[Finding]:
    said = evidence.layout.record.claim.cappotto
    found = None if said is None else took_everything(evidence)
    if found is not None and said != found:
        message = say("It was a cappotto.") if found else say("It was no cappotto.")
        yield Finding("wrong-cappotto", {"claim": "cappotto"}, message)


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
