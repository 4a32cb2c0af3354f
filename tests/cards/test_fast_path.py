"""What is proved in one pass is what the examination finds; whatever is odd is left to it."""

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.cards.chiamata import fast_path
from scorer.cards.chiamata.deal import ChiamataDeal
from scorer.rules.findings import DealProof
from scorer.rules.sheet import Reading
from tests.cards.card_deals import table_of
from tests.cards.test_faulty_records import FAULTS
from tests.data.strategies import examples
from tests.games.played import bare, deals, parts, whole
from tests.games.tables import Deal, play
from tests.samples import RECORD

ORDINARY = ("classic", "ladder-bands", "bastarda", "rulebook", "volata", "scighera", "decades")
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        1,
        61,
        61.0,
        120,
        -1,
        "",
        "61",
        " K ",
        "kc",
        "2@62",
        "Ada",
        "Zeno",
        [],
        ["Ada"],
        {},
        [[]],
    ]
)


def proved(record: dict[str, Any]) -> DealProof | None:
    table, dealer = table_of(record)
    return fast_path.examine_whole(record, table, dealer, Reading(table.seats).seats)


def examined(record: dict[str, Any]) -> DealProof | None:
    table, dealer = table_of(record)
    reading = Reading(table.seats, table.rules.cards)
    deal = ChiamataDeal.read_record(record, table, dealer, reading)
    return None if deal is None else deal.examined_fully


def told(deal: Deal) -> dict[str, Any]:
    """Write a deal down as people do: the tricks, and what is on the sheet."""
    record = bare(whole(deal))
    del record["claim"]["player_points"]
    return record


def plain(deal: Deal) -> bool:
    """Whether a whole deal with its tricks and its sheet is one that is proved in one pass."""
    rules = deal.rules
    unusual = rules["monte"] or rules.get("dead_hand") or rules["play"]["follow_suit"]
    return not unusual and rules["score"]["kind"] == "units" and 0 < deal.side_points < 120


@examples(200)
@given(st.sampled_from(ORDINARY), st.integers(0, 10**9), st.data())
def test_ordinary_deal_is_proved_as_it_is_examined(
    preset: str, seed: int, data: st.DataObject
) -> None:
    deal = play(preset, seed)
    record = told(deal)
    for key in ("partner", "card_points", "made", "cappotto"):
        if data.draw(st.booleans()):
            del record["claim"][key]
    found = examined(record)
    assert found is not None

    one_pass = proved(record)

    assert (one_pass is not None) is plain(deal)
    assert one_pass is None or repr(one_pass) == repr(found)


@examples(200)
@given(st.data())
def test_any_part_of_any_deal_is_proved_as_it_is_examined_or_not_at_all(
    data: st.DataObject,
) -> None:
    deal = data.draw(deals())
    assert (proved(told(deal)) is not None) is plain(deal)
    for record in (told(deal), bare(whole(deal)), data.draw(parts(deal))):
        one_pass = proved(record)

        assert one_pass is None or repr(one_pass) == repr(examined(record))


@pytest.mark.parametrize("make", FAULTS)
@examples(20)
@given(deals(), st.integers(0, 10**6))
def test_deal_with_a_fault_is_left_to_the_examination(
    make: Callable[[Deal, dict[str, Any], Random], object], deal: Deal, seed: int
) -> None:
    record = bare(whole(deal))
    make(deal, record, Random(seed))

    assert proved(record) is None


@examples(300)
@given(st.sampled_from(ORDINARY), st.integers(0, 10**9), st.data())
def test_odd_answer_is_read_as_the_examination_reads_it_or_not_at_all(
    preset: str, seed: int, data: st.DataObject
) -> None:
    record = told(play(preset, seed))
    where = data.draw(st.sampled_from(["claim", "tricks", "trick", "card", "record"]))
    odd, tricks = data.draw(ODD), deepcopy(record["tricks"])
    match where:
        case "claim":
            names = st.sampled_from([*record["claim"], "player_points", "caler"])
            record["claim"][data.draw(names)] = odd
        case "tricks":
            record["tricks"] = odd
        case "trick":
            tricks[data.draw(st.integers(0, 7))] = odd
        case "card":
            tricks[data.draw(st.integers(0, 7))][data.draw(st.integers(0, 4))] = odd
        case _:
            record[data.draw(st.sampled_from(["claim", "auction", "hands", "discards"]))] = odd
    record["tricks"] = record["tricks"] if where == "tricks" else tricks

    one_pass = proved(record)

    assert one_pass is None or repr(one_pass) == repr(examined(record))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"dealer": None}, id="nobody knows who dealt"),
        pytest.param({"tricks": None}, id="no tricks"),
        pytest.param({"tricks": [7] * 8}, id="tricks that are none"),
        pytest.param({"tricks": [[["7B"]] * 5] * 8}, id="cards that are none"),
        pytest.param({"tricks": [*RECORD["tricks"][:7], "ACJSA"]}, id="a trick in one word"),
        pytest.param({"claim": None}, id="no claim"),
        pytest.param({"claim": {"bid": "K", "called_card": "KC"}}, id="nobody called"),
        pytest.param({"claim": {**RECORD["claim"], "bid": [61]}}, id="a bid that is none"),
        pytest.param({"claim": {**RECORD["claim"], "called_card": "XX"}}, id="no card"),
        pytest.param({"rules": {"preset": "classic", "call": {"own_card": False}},
                      "claim": {"caller": "Bea", "bid": 61, "called_card": "AC"}},
                     id="a card of one's own"),
        pytest.param({"rules": "declared-points"}, id="points that are paid"),
    ],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_the_examination(change: dict[str, Any]) -> None:
    assert proved({**RECORD, "claim": SAID}) is not None
    assert proved({**RECORD, "claim": SAID, **change}) is None


SAID = {"caller": "Bea", "bid": 61, "called_card": "KC"}


@pytest.mark.parametrize(
    ("called", "lawful"),
    [
        pytest.param("6D", True, id="held all below it"),
        pytest.param("7D", False, id="did not hold the six"),
        pytest.param("4D", False, id="held it as well"),
    ],
)
def test_call_after_a_two_is_proved_where_it_is_the_lowest_card_not_held(
    called: str,
    lawful: bool,  # noqa: FBT001  # a value of the case
) -> None:
    rules = {"preset": "classic", "call": {"rank": "exact", "lowest_not_held": True}}
    record = {**RECORD, "rules": rules, "claim": {**SAID, "bid": "2", "called_card": called}}
    found = examined(record)
    assert found is not None

    assert ("call-lowest" in [one.code for one in found.problems]) is not lawful
    assert repr(proved(record)) == (repr(found) if lawful else "None")
