"""One fault in a record of a lawful deal is found, and named where it is, with nothing besides."""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.operations import check
from tests.data.strategies import examples
from tests.games.oracle import FRENCH
from tests.games.played import bare, deals, whole
from tests.games.tables import Deal, after


class Fault(NamedTuple):
    """What is to be found, and where the fault itself is."""

    codes: AbstractSet[str]
    where: Mapping[str, object]


def found(record: dict[str, Any]) -> list[dict[str, Any]]:
    problems: list[dict[str, Any]] = check(record)["problems"]
    return problems


def told(record: dict[str, Any], index: int) -> list[str]:
    """The cards of a trick, to be changed."""
    trick = record["tricks"][index]
    cards: list[str] = trick["cards"] if isinstance(trick, dict) else trick
    return cards


def places(deal: Deal, random: Random) -> tuple[tuple[int, int], tuple[int, int]]:
    """Two places in different tricks."""
    one, other = random.sample(range(len(deal.tricks)), 2)
    return (one, random.randrange(len(deal.here))), (other, random.randrange(len(deal.here)))


def gone(deal: Deal, record: dict[str, Any], card: str) -> set[str]:
    """What a record says when a card is nowhere in it."""
    if deal.rules["monte"] and "discards" not in record:
        return set()
    return {"missing-card"} | ({"called-not-played"} if card == deal.called else set())


def twice(deal: Deal, record: dict[str, Any], random: Random) -> Fault:
    (one, place), (other, there) = places(deal, random)
    lost, card = told(record, one)[place], told(record, other)[there]
    told(record, one)[place] = card
    first, second = sorted((one + 1, other + 1))
    where = {"trick": first, "card": card, "again": {"trick": second}}
    return Fault({"duplicate-card"} | gone(deal, record, lost), where)


def unreadable(deal: Deal, record: dict[str, Any], random: Random) -> Fault:
    (index, place), _ = places(deal, random)
    lost = told(record, index)[place]
    strange = told(record, index)[place] = "9S" if deal.rules["deck"] in FRENCH else "9H"
    where = {"trick": index + 1, "card": strange}
    return Fault({"card-not-in-deck"} | gone(deal, record, lost), where)


def left_out(deal: Deal, record: dict[str, Any], random: Random) -> Fault:
    index = random.randrange(len(deal.tricks) - 1)
    told(record, index).pop(random.randrange(len(deal.here)))
    return Fault({"trick-size"}, {"trick": index + 1})


def too_many(deal: Deal, record: dict[str, Any], random: Random) -> Fault:
    (index, place), (other, there) = places(deal, random)
    told(record, index).insert(place, told(record, other)[there])
    return Fault({"trick-size", "duplicate-card"}, {"trick": index + 1})


def wrong_leader(deal: Deal, record: dict[str, Any], random: Random) -> Fault:
    index = random.randrange(len(deal.tricks))
    trick, cards = deal.tricks[index], told(record, index)
    another = random.choice([name for name in deal.here if name != trick.leader])
    winner = {} if isinstance(record["tricks"][index], list) else {"winner": trick.winner}
    record["tricks"][index] = {"leader": another, "cards": cards, **winner}
    return Fault({"wrong-leader" if index else "wrong-first-leader"}, {"trick": index + 1})


def wrong_winner(deal: Deal, record: dict[str, Any], random: Random) -> Fault:
    index = random.randrange(len(deal.tricks))
    trick, cards = deal.tricks[index], told(record, index)
    another = random.choice([name for name in deal.here if name != trick.winner])
    leader = {} if isinstance(record["tricks"][index], list) else {"leader": trick.leader}
    record["tricks"][index] = {"cards": cards, "winner": another, **leader}
    return Fault({"wrong-winner"}, {"trick": index + 1})


def wrong_side_points(deal: Deal, record: dict[str, Any], random: Random) -> Fault:
    points = random.choice([n for n in range(121) if n != deal.side_points])
    record["claim"]["card_points"] = points
    return Fault({miscounted(points)}, {"claim": "card_points"})


def wrong_player_points(deal: Deal, record: dict[str, Any], random: Random) -> Fault:
    name = random.choice(deal.here)
    points = random.choice([n for n in range(121) if n != deal.taken[name]])
    record["claim"]["player_points"][name] = points
    where = {"claim": "player_points", "player": name}
    return Fault({miscounted(points), "points-total"}, where)


def miscounted(points: int) -> str:
    return "points-impossible" if points in (1, 119) else "points-mismatch"


def wrong_partner(deal: Deal, record: dict[str, Any], random: Random) -> Fault:
    right = {deal.partner, deal.caller}
    if deal.rules["monte"] and (
        deal.partner is None or deal.called not in deal.hands[deal.partner]
    ):
        right |= {None, after(deal.caller, deal.here)}
    said = random.choice([name for name in (None, *deal.people) if name not in right])
    record["claim"]["partner"] = said
    code = "not-alone" if said is None else "wrong-partner"
    others = [name for name in deal.here if name != deal.caller]
    own = not any(deal.called in deal.hands[name] for name in others)
    return Fault({"called-by-caller" if own else code}, {"claim": "partner"})


def wrong_result(_: Deal, record: dict[str, Any], __: Random) -> Fault:
    record["claim"]["made"] = not record["claim"]["made"]
    return Fault({"wrong-result"}, {"claim": "made"})


def wrong_cappotto(_: Deal, record: dict[str, Any], __: Random) -> Fault:
    record["claim"]["cappotto"] = not record["claim"]["cappotto"]
    return Fault({"wrong-cappotto"}, {"claim": "cappotto"})


FAULTS: list[Callable[[Deal, dict[str, Any], Random], Fault]] = [
    twice,
    unreadable,
    left_out,
    too_many,
    wrong_leader,
    wrong_winner,
    wrong_side_points,
    wrong_player_points,
    wrong_partner,
    wrong_result,
    wrong_cappotto,
]


@pytest.mark.parametrize("make", FAULTS)
@examples(40)
@given(deals(), st.booleans(), st.integers(0, 10**6))
def test_one_fault_is_found_where_it_is_and_nothing_besides(
    make: Callable[[Deal, dict[str, Any], Random], Fault],
    deal: Deal,
    cards_alone: bool,  # noqa: FBT001  # drawn
    seed: int,
) -> None:
    record = whole(deal)
    del record["hands"]
    record = bare(record) if cards_alone else record

    fault = make(deal, record, Random(seed))

    problems = found(record)
    assert {problem["code"] for problem in problems} == fault.codes
    assert any(fault.where.items() <= problem["where"].items() for problem in problems)


@examples(100)
@given(deals(), st.integers(0, 10**6))
def test_cards_of_two_players_that_changed_places_are_both_found(deal: Deal, seed: int) -> None:
    record, ((one, place), (other, there)) = whole(deal), places(deal, Random(seed))
    cards = told(record, one), told(record, other)
    seats = [after(deal.tricks[i].leader, deal.here, p) for i, p in ((one, place), (other, there))]
    cards[0][place], cards[1][there] = cards[1][there], cards[0][place]
    free = deal.caller if deal.rules["monte"] else None

    wheres = [problem["where"] for problem in found(record) if problem["code"] == "card-not-held"]

    expected = [
        {"trick": one + 1, "card": cards[0][place]},
        {"trick": other + 1, "card": cards[1][there]},
    ]
    if len(set(seats)) == 1:
        expected = []
    if free not in seats:
        assert all(where in wheres for where in expected)


@examples(60)
@given(deals(), st.integers(0, 10**6))
def test_trick_too_many_is_found(deal: Deal, seed: int) -> None:
    record = bare(whole(deal))
    record["tricks"].append(Random(seed).choice(record["tricks"]))

    problems = found(record)

    assert {problem["code"] for problem in problems} == {"trick-count", "duplicate-card"}
    assert problems[-1]["where"] != {"trick": len(deal.tricks)}
    assert {"trick": len(deal.tricks) + 1} in [problem["where"] for problem in problems]


@examples(60)
@given(deals().filter(lambda deal: deal.rules["monte"] > 0))
def test_discard_left_out_is_found(deal: Deal) -> None:
    record = whole(deal)
    lost = record["discards"].pop()

    problems = found(record)

    assert {problem["code"] for problem in problems} == {"discard-count"} | gone(deal, record, lost)
    assert {"card": lost} in [problem["where"] for problem in problems]
    assert {"discards": True} in [problem["where"] for problem in problems]
