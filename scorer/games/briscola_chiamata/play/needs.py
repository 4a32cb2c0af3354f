"""What every selection of a deal's parts must have that shows something of the deal.

It is never said to be enough: it tells only which selections need not be looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.games.briscola_chiamata.play.evidence import Kind, Need, Part, only, parts, without
from scorer.games.briscola_chiamata.play.examining import laid_aside
from scorer.games.briscola_chiamata.rules import CappottoTest
from scorer.games.briscola_chiamata.sheet import IMPOSSIBLE
from scorer.rules.seats import Seat
from scorer.rules.tables import PACK

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from scorer.games.briscola_chiamata.play.deal import Deal
    from scorer.games.briscola_chiamata.play.layout import Layout
    from scorer.games.briscola_chiamata.play.record import Pile
    from scorer.rules.findings import Finding


def of_partner(deal: Deal) -> list[Need]:
    """What tells who the partner was: where the called card was, and that it was shown."""
    side, needs = deal.evidence.side, [_called_card(deal, len(deal.table.active) - 1)]
    if side.partner is not None and side.holder == side.caller:
        needs.append(_every([Part(Kind.PARTNER)]))
    return needs


def of_result(deal: Deal, begun: Deal) -> list[Need]:
    """What tells that the bid was made, or missed, as far as the deal had begun."""
    made, target = deal.evidence.status == "made", deal.layout.target
    if made:
        return _side_taking(deal, begun, target)
    return _others_taking(deal, begun, PACK + 1 - target)


def of_problem(deal: Deal, finding: Finding) -> list[Need]:
    """What tells of a problem: whatever it names, and what its kind needs."""
    return [_every(_named(deal, finding)), *_of_kind(deal, finding)]


def _of_kind(deal: Deal, finding: Finding) -> list[Need]:
    match finding.code, finding.where.get("claim"):
        case "missing-card" | "called-not-played", _:
            return [_every(_whole_play(deal))]
        case "wrong-partner" | "not-alone" | "called-by-caller", _:
            return [_every([Part(Kind.PARTNER)]), _called_card(deal, 1)]
        case "points-mismatch", "card_points":
            return _of_card_points(deal)
        case "points-mismatch", _:
            return _of_player_points(deal, finding)
        case "points-total", _:
            return _of_total(deal)
        case "wrong-cappotto", _:
            return _of_cappotto(deal)
        case _:
            return []


def _every(needed: Iterable[Part]) -> Need:
    weights = dict.fromkeys(needed, 1)
    return Need(weights, len(weights))


def _named(deal: Deal, finding: Finding) -> list[Part]:
    """The parts that a problem is said to be in; tricks too many are counted, not looked at."""
    again = finding.where.get("again")
    wheres = [finding.where, *([again] if isinstance(again, dict) else [])]
    return (
        []
        if finding.code == "trick-count"
        else [
            part
            for where in wheres
            for key, value in where.items()
            for part in _named_by(deal, key, str(value))
        ]
    )


def _named_by(deal: Deal, key: str, value: str) -> Iterator[Part]:
    match key:
        case "trick":
            yield Part(Kind.TRICK, int(value) - 1)
        case "hand":
            yield Part(Kind.HAND, deal.table.seats.index(value))
        case "player":
            yield Part(Kind.POINTS, deal.table.seats.index(value))
        case "discards":
            yield Part(Kind.DISCARDS)
        case "call" | "auction":
            yield Part(Kind.AUCTION)


def _tricks(deal: Deal) -> list[Part]:
    return [part for part in parts(deal) if part.kind is Kind.TRICK]


def _whole_play(deal: Deal) -> list[Part]:
    """Everything that must be there before a card is missed."""
    return [part for part in parts(deal) if part.kind in (Kind.TRICK, Kind.DISCARDS)]


def _called_card(deal: Deal, others: int) -> Need:
    """The called card; or all the cards of so many others, who then can't have had it."""
    each, called = deal.table.rules.cards_each, deal.record.called
    weights = {part: each if part.kind is Kind.HAND else others for part, _ in _piles(deal)}
    weights |= {part: each * others for part, pile in _piles(deal) if called in pile.cards}
    return Need(weights, each * others)


def _piles(deal: Deal) -> Iterator[tuple[Part, Pile]]:
    yield from ((Part(Kind.HAND, seat), hand) for seat, hand in deal.hands.items())
    yield from ((Part(Kind.TRICK, i), trick) for i, trick in enumerate(deal.tricks) if trick)
    if deal.discards is not None:
        yield Part(Kind.DISCARDS), deal.discards


def _worths(deal: Deal, seats: Collection[Seat]) -> dict[Part, int]:
    """The card points in the tricks that some players have taken."""
    winners, worths = deal.layout.winners, deal.layout.worths
    return {part: worths[part.key] for part in _tricks(deal) if winners[part.key] in seats}


def _aside(deal: Deal, seats: Collection[Seat]) -> int:
    """The card points that some players have of the discards, which are no trick."""
    return sum(points for seat, points in laid_aside(deal.layout) if seat in seats)


def _taking(deal: Deal, begun: Deal, seats: Collection[Seat], least: int) -> Iterator[Need]:
    """So many card points of some players, as far as a deal had begun.

    Discards are taken with the last trick, where they are told, or where all tricks are.
    """
    tricks, worths, aside = _tricks(deal), _worths(deal, seats), _aside(begun, seats)
    in_tricks = min(sum(worths.values()), least)
    yield Need({**worths, Part(Kind.DISCARDS): in_tricks - least + aside}, in_tricks)
    if in_tricks < least:
        told = 0 if deal.discards is None else len(tricks) - 1
        yield Need({**dict.fromkeys(tricks, 1), Part(Kind.DISCARDS): told}, len(tricks))
    if deal.layout.doubtful:
        yield _every(_telling_cards(deal, worths, least - aside))


def _telling_cards(deal: Deal, worths: Mapping[Part, int], least: int) -> Iterator[Part]:
    """The tricks that tell which card a doubtful one was, where without them too little is sure."""
    alone = {part: only(deal, [part]).layout for part in worths}
    for trick in _tricks(deal):
        rest = without(deal, trick).layout
        sure = (
            max((n for n in (_sure(alone[part], part), _sure(rest, part)) if n <= worth), default=0)
            for part, worth in worths.items()
            if part != trick
        )
        if sum(sure) < least:
            yield trick


def _sure(layout: Layout, part: Part) -> int:
    """The card points of a trick, where it is settled who took it."""
    trick, place = layout.trick(part.key), layout.places[part.key]
    return 0 if trick is None or place is trick.winner is None else layout.worths[part.key]


def _others(deal: Deal, seats: Collection[Seat]) -> list[Seat]:
    return [seat for seat in deal.layout.turns if seat not in seats]


def _sides(deal: Deal) -> list[tuple[Seat, ...]]:
    """The caller's side; or each that it can be."""
    evidence = deal.evidence
    if evidence.partners is not None:
        return [evidence.partners]
    return [(evidence.side.caller, seat) for seat in evidence.side.candidates]


def _side_taking(deal: Deal, begun: Deal, least: int) -> list[Need]:
    return [need for side in _sides(deal) for need in _taking(deal, begun, side, least)]


def _others_taking(deal: Deal, begun: Deal, least: int) -> list[Need]:
    return [
        need for side in _sides(deal) for need in _taking(deal, begun, _others(deal, side), least)
    ]


def _of_card_points(deal: Deal) -> list[Need]:
    said = deal.record.claim.card_points or 0
    if said < deal.evidence.bounds[0]:
        return _side_taking(deal, deal, said + 1)
    return _others_taking(deal, deal, PACK + 1 - said)


def _of_player_points(deal: Deal, finding: Finding) -> list[Need]:
    seat = Seat(deal.table.seats.index(str(finding.where["player"])))
    said = deal.record.player_points[seat]
    if said < deal.evidence.taken[seat]:
        return list(_taking(deal, deal, [seat], said + 1))
    return list(_taking(deal, deal, _others(deal, [seat]), PACK + 1 - said))


def _of_total(deal: Deal) -> list[Need]:
    """Of each player the total, or tricks: what lacks of them is less than others have too much.

    Where one has too much, it is his total that counts, and no trick speaks against it.
    """
    taken, said = deal.evidence.taken, deal.record.player_points
    above = {
        seat: points - taken[seat]
        for seat, points in said.items()
        if points > taken[seat] and points not in IMPOSSIBLE
    }
    each = needs = list(_of_each(deal, sum(above.values())))
    for seat in above if len(above) == 1 else ():
        others = _worths(deal, _others(deal, [seat]))
        against = {part: -worth for part, worth in others.items()}
        needs = [*each, _every([Part(Kind.POINTS, seat)]), Need(against, said[seat] - PACK)]
    return [_in_all(deal), _together(each), *needs]


def _in_all(deal: Deal) -> Need:
    seats = deal.layout.turns
    each = PACK // len(seats) + 1
    totals = {
        Part(Kind.POINTS, seat): max(each, said) for seat, said in deal.record.player_points.items()
    }
    return Need(totals | _worths(deal, seats), PACK + 1 - _aside(deal, seats))


def _of_each(deal: Deal, lacking: int) -> Iterator[Need]:
    for seat in deal.layout.turns:
        worths = _worths(deal, [seat])
        total = sum(worths.values()) + 1
        if total > lacking:
            yield Need({Part(Kind.POINTS, seat): total, **worths}, total - lacking)


def _together(needs: list[Need]) -> Need:
    """What is needed of parts that have nothing in common."""
    weights = {
        part: -(-PACK * min(weight, need.least) // need.least)
        for need in needs
        for part, weight in need.weights.items()
    }
    return Need(weights, PACK * len(needs))


def _of_cappotto(deal: Deal) -> list[Need]:
    """A trick of each side; or all that there is to take."""
    cappotto = deal.table.rules.score.cappotto
    (side,) = _sides(deal)
    if deal.record.claim.cappotto:
        return [
            Need(dict.fromkeys(_worths(deal, seats), 1), 1) for seats in (side, _others(deal, side))
        ]
    if cappotto is not None and cappotto.test is CappottoTest.ALL_TRICKS:
        return [_every(_tricks(deal))]
    return list(_taking(deal, deal, deal.layout.turns, PACK))
