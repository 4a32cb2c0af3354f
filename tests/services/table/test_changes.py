"""Rules and seats that change within an evening: from the next deal on, and reaching back."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import ConflictError, InvalidError
from scorer.operations import replay
from scorer.rules.game import Outcome
from scorer.services.book.state import load_state
from scorer.services.book.writing import DealChange
from scorer.services.cards.tricks import TricksEntry, write_tricks
from scorer.services.deals import deals
from scorer.services.deals.reviews import dispute_deal
from scorer.services.files.session_files import session_file
from scorer.services.record.verify import verify
from scorer.services.table import sessions
from scorer.services.table.changes import ChangeRequest, Guest, NewRules, NewSeats, change_session
from scorer.storage import models, queries
from tests.services.book.test_properties import examples
from tests.services.evenings import FIVE, SIX, Evening, new_session, sheet, start
from tests.storage.conftest import SQLITE, leave_no_rows

ON_SQLITE = pytest.mark.parametrize("database_url", [SQLITE], indirect=True)
ADA, BEA, CIRO, DORA, EZIO, FULVIA = range(6)
FIVE_SEATS = (ADA, BEA, CIRO, DORA, EZIO)
SIX_SEATS = (*FIVE_SEATS, FULVIA)
SWAPPED = (BEA, ADA, CIRO, DORA, EZIO)
NO_SEVEN = "There is no 7 in this pack: A 10 K Q J 6 5 4 3 2."


def six(**other: Any) -> Evening:
    """Six at the table; Ada deals first and sits out."""
    return start({"preset": "classic-plain", "sits_out": "dealer"}, SIX, first_dealer=0, **other)


def five(count: int = 0) -> Evening:
    """Five at the table and some deals; Ada deals first."""
    evening = start("classic-plain", first_dealer=0)
    for _ in range(count):
        evening.record()
    return evening


def dealers(evening: Evening) -> list[int]:
    return [evening.deal(number).dealer for number in range(1, evening.next_number())]


def out(evening: Evening) -> list[list[int]]:
    return [list(evening.deal(number).sits_out) for number in range(1, evening.next_number())]


def findings(evening: Evening) -> list[str]:
    """List what is wrong: the chain, what a deal pays, or the balances that the file comes to."""
    found: list[str] = []
    verify(found.append)
    answer = replay(session_file(*evening.keys))
    found += [problem["message"] for problem in answer["problems"]]
    names = load_state(*evening.keys).names
    replayed = {line["player"]: line["balance"] for line in answer["standings"]}
    if [replayed[name] for name in names] != evening.balances():
        found.append(f"{replayed} is not {evening.balances()}")
    return found


def written(evening: Evening) -> int:
    return load_state(*evening.keys).row.written


def refused(act: Callable[[], object]) -> list[tuple[str, str]]:
    """Give the problems that an act is refused with."""
    with pytest.raises(InvalidError) as raised:
        act()
    return [(problem.code, problem.field) for problem in raised.value.problems]


def test_reviews_and_cards_that_were_written_meanwhile_are_no_conflict() -> None:
    evening = five(1)
    seen, seats = written(evening), NewSeats((BEA, ADA, CIRO, DORA, EZIO))
    dispute_deal(evening.session_id, DealChange(1, 1, "Ciro was alone"), evening.by)
    play = {"called_card": "KC", "tricks": [["7B"]]}
    write_tricks(evening.session_id, TricksEntry(1, 0, play), evening.by)
    change = ChangeRequest(2, 2, seats=seats, seen=seen)

    change_session(evening.session_id, change, evening.by)
    write_tricks(evening.session_id, TricksEntry(1, 1, play, "as Ada says"), evening.by)
    again = change_session(evening.session_id, change, evening.by)

    assert again == 0
    assert load_state(*evening.keys).row.changes == 1
    evening.record(sheet())
    with pytest.raises(ConflictError):
        change_session(evening.session_id, replace(change, from_number=1), evening.by)
    assert findings(evening) == []


# From the next deal on


def test_rules_hold_from_the_next_deal_on() -> None:
    evening = five(2)

    count = evening.change(rules="four-balanced", order=(ADA, BEA, CIRO, DORA))
    evening.record(sheet())

    assert count == 0
    assert [evening.deal(number).payouts for number in (2, 3)] == [
        {0: 2, 1: 1, 2: -1, 3: -1, 4: -1}, {0: 1, 1: 1, 2: -1, 3: -1},
    ]  # fmt: skip
    assert load_state(*evening.keys).rules.slug == "four-balanced"
    assert findings(evening) == []


def test_guest_joins_between_two_and_deals_when_it_is_the_turn() -> None:
    evening = five(1)

    evening.change(order=(ADA, FULVIA, BEA, CIRO, DORA, EZIO), guests=[Guest("Fulvia", 7)])
    evening.record(sheet("Ada", "Bea"))
    evening.record(sheet("Ada", "Fulvia"))

    state = load_state(*evening.keys)
    assert state.names == SIX
    assert dealers(evening) == [ADA, FULVIA, BEA]
    assert out(evening) == [[], [FULVIA], [BEA]]
    assert evening.balances() == [6, 2, -3, -3, -3, 8]
    assert state.opening[state.order[1]] == 7
    assert findings(evening) == []


def test_guest_may_be_somebody_the_circle_knows() -> None:
    evening = five(1)
    players = len(queries.circle.players(evening.circle_id))
    sessions.start_session(new_session(players=["Gino", *FIVE[1:]], circle_id=evening.circle_id))

    evening.change(order=SIX_SEATS, guests=[Guest(" gino ")])

    assert load_state(*evening.keys).names[FULVIA] == "Gino"
    assert len(queries.circle.players(evening.circle_id)) == players + 1


def test_whoever_leaves_keeps_the_balance_and_has_no_figure_any_more() -> None:
    evening = six()
    evening.record(sheet("Bea", "Ciro"))

    evening.change(order=FIVE_SEATS)
    evening.record(sheet("Ada", None))

    assert evening.deal(2).payouts == {0: 4, 1: -1, 2: -1, 3: -1, 4: -1}
    assert evening.deal(2).sits_out == ()
    assert evening.balances()[FULVIA] == -1
    assert findings(evening) == []


def test_whoever_left_comes_back_to_another_place() -> None:
    evening = six()
    evening.change(order=FIVE_SEATS)
    evening.record(sheet())

    evening.change(order=(ADA, FULVIA, BEA, CIRO, DORA, EZIO))
    evening.record(sheet("Ada", "Ezio"))

    assert dealers(evening) == [ADA, FULVIA]
    assert out(evening) == [[], [FULVIA]]
    assert findings(evening) == []


def test_dealer_who_leaves_is_followed_by_whoever_sat_next() -> None:
    evening = six()
    evening.record(sheet("Bea", "Ciro"))
    evening.record(None, Outcome.MISDEAL)

    evening.change(order=(ADA, CIRO, DORA, EZIO, FULVIA))
    evening.record(sheet("Ada", "Ciro"))

    assert dealers(evening) == [ADA, BEA, CIRO]
    assert findings(evening) == []


def test_first_dealer_may_have_gone_before_the_first_deal() -> None:
    evening = six()

    evening.change(order=(BEA, CIRO, DORA, EZIO, FULVIA))

    assert load_state(*evening.keys).now.turn.dealer == BEA
    assert findings(evening) == []


def test_somebody_is_chosen_to_sit_out_one_deal_and_then_the_rules_decide_again() -> None:
    evening = six()
    evening.record(sheet("Bea", "Ciro"))

    evening.change(2, 2, order=SIX_SEATS, sits_out=[DORA])
    evening.record(sheet("Bea", "Ciro"))
    evening.record(sheet("Bea", "Dora"))

    assert dealers(evening) == [ADA, BEA, CIRO]
    assert out(evening) == [[ADA], [DORA], [CIRO]]
    assert findings(evening) == []


def test_choice_of_who_sits_out_is_taken_back() -> None:
    evening = six()
    evening.change(1, 1, order=SIX_SEATS, sits_out=[DORA])

    evening.change(1, 1, order=SIX_SEATS)

    assert DORA in load_state(*evening.keys).table().active
    assert findings(evening) == []


def test_somebody_else_is_chosen_to_deal_and_the_deal_goes_on_from_there() -> None:
    evening = five(1)

    evening.change(order=FIVE_SEATS, dealer=DORA)
    evening.record(None, Outcome.MISDEAL)
    evening.record()
    evening.record()

    assert dealers(evening) == [ADA, DORA, DORA, EZIO]
    assert findings(evening) == []


def test_chosen_dealer_deals_again_where_the_deal_was_voided() -> None:
    evening = five(1)
    evening.change(order=FIVE_SEATS, dealer=DORA)
    evening.record()

    evening.void(2)
    evening.record()
    evening.record()

    assert dealers(evening) == [ADA, DORA, DORA, EZIO]
    assert findings(evening) == []


def test_what_was_thrown_in_before_a_change_counts_after_it() -> None:
    evening = start("scighera", first_dealer=0)
    evening.record(None, Outcome.THROWN_IN)

    evening.change(order=SIX_SEATS, guests=[Guest("Fulvia")])
    evening.record(sheet("Bea", "Ciro", bid="A"))

    assert evening.deal(2).payouts[BEA] == 4
    assert findings(evening) == []


# Reaching back


def test_wrong_order_moves_the_dealers_and_leaves_what_was_written() -> None:
    evening = five(4)
    before = evening.balances()

    count = evening.change(2, order=(ADA, CIRO, BEA, DORA, EZIO))

    assert count == 3
    assert dealers(evening) == [ADA, CIRO, BEA, DORA]
    assert evening.balances() == before
    assert load_state(*evening.keys).now.turn.dealer == EZIO
    assert findings(evening) == []


def test_wrong_order_moves_who_sits_out_and_the_payouts_with_it() -> None:
    evening = six()
    evening.record(sheet("Bea", "Ciro"))
    evening.record(sheet("Dora", "Ezio"))

    evening.change(1, order=(ADA, FULVIA, BEA, CIRO, DORA, EZIO), dealer=ADA)

    assert dealers(evening) == [ADA, FULVIA]
    assert out(evening) == [[ADA], [FULVIA]]
    assert evening.deal(2).payouts == {0: -1, 1: -1, 2: -1, 3: 2, 4: 1}
    assert evening.balances() == [-1, 1, 0, 1, 0, -1]
    assert findings(evening) == []


def test_wrong_order_up_to_a_deal_leaves_the_later_ones_alone() -> None:
    evening = five(4)

    count = evening.change(2, 3, order=(ADA, CIRO, BEA, DORA, EZIO))

    assert count == 2
    assert dealers(evening) == [ADA, CIRO, BEA, DORA]
    assert [evening.deal(number).version for number in (1, 2, 3, 4)] == [1, 2, 2, 1]
    assert load_state(*evening.keys).order == FIVE_SEATS
    assert findings(evening) == []


def test_what_was_written_may_belong_to_the_places() -> None:
    evening = five(1)
    evening.record(sheet("Bea", "Ciro", called_card="KC"))
    evening.record({"offender": "Bea"}, Outcome.PENALTY)

    evening.change(2, order=(ADA, CIRO, BEA, DORA, EZIO), dealer=CIRO, by_place=True)

    state = load_state(*evening.keys)
    answers = state.answers_of(evening.deal(2))
    assert answers is not None
    assert (answers["caller"], answers["partner"], answers["called_card"]) == ("Ciro", "Bea", "KC")
    assert state.answers_of(evening.deal(3)) == {"offender": "Ciro"}
    assert evening.balances() == [2 - 1 + 1, 1 + 1 + 1, -1 + 2 - 4, -1 - 1 + 1, -1 - 1 + 1]
    assert dealers(evening) == [ADA, CIRO, BEA]
    assert findings(evening) == []


def test_what_was_written_for_one_was_of_a_guest_whom_nobody_had_noted() -> None:
    evening = five(2)

    evening.change(
        2, 2, order=(FULVIA, BEA, CIRO, DORA, EZIO), guests=[Guest("Fulvia")], by_place=True
    )

    assert evening.balances() == [2, 2, -2, -2, -2, 2]
    assert load_state(*evening.keys).order == FIVE_SEATS
    assert findings(evening) == []


def test_what_was_written_cannot_go_with_the_places_of_others() -> None:
    evening = five(2)
    before = written(evening)

    problems = refused(
        lambda: evening.change(2, order=SIX_SEATS, guests=[Guest("Fulvia")], by_place=True)
    )

    assert problems == [("by-place", "deals.2")]
    assert written(evening) == before


def test_whoever_was_chosen_to_sit_out_stays_chosen_in_the_right_order() -> None:
    evening = six()
    evening.record(sheet("Bea", "Ciro"))
    evening.change(2, 2, order=SIX_SEATS, sits_out=[EZIO])
    evening.record(sheet("Bea", "Ciro"))
    evening.record(sheet("Ada", "Bea"))

    evening.change(1, order=(ADA, BEA, CIRO, EZIO, DORA, FULVIA), dealer=ADA)

    assert out(evening) == [[ADA], [EZIO], [CIRO]]
    assert dealers(evening) == [ADA, BEA, CIRO]
    assert findings(evening) == []


def test_whoever_was_chosen_to_sit_out_goes_with_the_place_where_that_is_meant() -> None:
    evening = six()
    evening.change(1, 1, order=SIX_SEATS, sits_out=[EZIO])
    evening.record(sheet("Bea", "Ciro"))

    evening.change(1, order=(ADA, BEA, CIRO, EZIO, DORA, FULVIA), dealer=ADA, by_place=True)

    assert out(evening) == [[DORA]]
    assert dealers(evening) == [ADA]
    assert findings(evening) == []


def test_every_deal_that_cannot_be_played_so_is_named_and_nothing_is_written() -> None:
    evening = six()
    evening.record(sheet("Bea", "Ciro"))
    evening.record(sheet("Ciro", "Ada"))
    evening.record({"offender": "Bea"}, Outcome.PENALTY)
    evening.record(sheet("Ada", None))
    before = written(evening), evening.balances()

    problems = refused(
        lambda: evening.change(1, order=(CIRO, BEA, ADA, DORA, EZIO, FULVIA), dealer=CIRO)
    )

    assert problems == [("sits-out", "deals.1"), ("sits-out", "deals.4")]
    assert (written(evening), evening.balances()) == before
    assert load_state(*evening.keys).order == SIX_SEATS


def test_voided_deals_and_those_not_played_move_with_the_rest() -> None:
    evening = five(2)
    evening.record(None, Outcome.MISDEAL)
    evening.record()
    evening.void(2)

    evening.change(1, order=SWAPPED, dealer=EZIO)
    evening.restore(2)

    assert dealers(evening) == [EZIO, BEA, BEA, BEA]
    assert evening.deal(2).voided is False
    assert evening.balances() == [6, 3, -3, -3, -3]
    assert findings(evening) == []


def test_rules_that_reach_back_pay_every_deal_anew() -> None:
    evening = start("classic", first_dealer=0)
    evening.record(sheet(points=120))
    evening.record(sheet(points=61))
    evening.record({"offender": "Bea"}, Outcome.PENALTY)

    count = evening.change(1, rules={"preset": "classic-plain", "score": {"caller": 3}})

    assert count == 3
    assert [evening.deal(number).payouts[ADA] for number in (1, 2, 3)] == [3, 3, 1]
    assert dealers(evening) == [ADA, BEA, CIRO]
    assert findings(evening) == []


def test_rules_that_reach_back_may_move_the_end_of_the_session() -> None:
    evening = start({"preset": "classic", "session": {"end": "target", "target": 4}})
    for _ in range(4):
        evening.record()
    ended = load_state(*evening.keys).row.finished_number

    evening.change(1, rules={"preset": "classic", "session": {"end": "target", "target": 6}})
    later = load_state(*evening.keys).row.finished_number
    evening.change(1, rules={"preset": "classic", "session": {"end": "open"}})

    assert (ended, later) == (2, 3)
    assert load_state(*evening.keys).row.finished_number is None
    assert findings(evening) == []


def test_rules_by_which_a_deal_cannot_have_been_played_are_refused() -> None:
    evening = five(2)
    evening.record(sheet("Ada", None))
    before = written(evening)

    problems = refused(lambda: evening.change(1, rules={"call": {"own_card": False}}))
    others = refused(lambda: evening.change(1, rules="four-balanced"))

    assert problems == [("own-card-forbidden", "deals.3")]
    assert others == [("seats-count", f"deals.{number}") for number in (1, 2, 3)]
    assert written(evening) == before


def test_a_change_within_an_earlier_one_holds_for_its_own_deals() -> None:
    evening = five(4)
    evening.change(2, order=SWAPPED, dealer=BEA)

    evening.change(3, 3, order=FIVE_SEATS, dealer=EZIO)

    assert dealers(evening) == [ADA, BEA, EZIO, CIRO]
    assert load_state(*evening.keys).order == SWAPPED
    assert findings(evening) == []


def test_rescored_deal_is_amended_voided_and_restored_as_it_is_now() -> None:
    evening = six()
    evening.record(sheet("Bea", "Ciro"))
    evening.change(1, order=SIX_SEATS, dealer=EZIO)

    evening.amend(1, sheet("Ada", "Ciro"))
    evening.void(1)
    evening.restore(1)

    assert evening.balances() == [2, -1, 1, -1, 0, -1]
    assert findings(evening) == []


def test_versions_name_the_change_they_follow_on() -> None:
    evening = five(2)
    serial = written(evening) + 1

    evening.change(1, order=SWAPPED, dealer=EZIO, rules="classic")

    first, second = queries.deals.deal_versions(evening.circle_id, evening.deal(1).deal_id)
    assert (first.change, second.change) == (None, serial)
    assert (second.act, second.reason, second.dealer) == ("amend", "We sat wrong", EZIO)
    (rules, seats) = queries.book.session_changes(*evening.keys)
    assert (rules.serial, seats.serial, second.serial) == (serial, serial + 1, serial + 2)
    assert rules.at == seats.at
    assert seats.reason == "We sat wrong"


# A deal under way


def started(evening: Evening, caller: str, bid: Any = 61, **known: Any) -> None:
    entry = evening.entry({"caller": caller, "bid": bid, **known})
    deals.start_deal(evening.session_id, entry, evening.by)


def test_deal_under_way_is_dealt_by_whose_turn_it_is_now() -> None:
    evening = five(2)
    started(evening, "Ada")

    evening.change(1, order=SWAPPED, dealer=EZIO)

    under_way = queries.find(models.StartedDeal, *evening.keys)
    assert under_way is not None
    assert under_way.dealer == load_state(*evening.keys).now.turn.dealer == ADA
    assert findings(evening) == []


@pytest.mark.parametrize(
    ("other", "code"),
    [
        pytest.param({"order": SIX_SEATS, "sits_out": [BEA]}, "sits-out", id="the caller sits out"),
        pytest.param({"order": (ADA, CIRO, DORA, EZIO, FULVIA)}, "sits-out", id="the caller goes"),
        pytest.param({"rules": {"preset": "ladder-bands", "sits_out": "dealer"}}, "bid-range",
                     id="the bid is none"),
    ],
)  # fmt: skip
def test_deal_under_way_that_could_not_go_on_is_named(other: dict[str, Any], code: str) -> None:
    evening = six()
    started(evening, "Bea")

    assert refused(lambda: evening.change(**other)) == [(code, "deals.1")]


@pytest.mark.parametrize(
    ("played", "known", "other", "problem"),
    [
        pytest.param(
            "ladder-bands", {"bid": "7"}, "rulebook",
            ("bid-range", f"Deal 2: Points are bid from 60 to 120. {NO_SEVEN}"),
            id="a bid of no rank",
        ),
        pytest.param(
            {"preset": "ladder-bands", "deck": "french-no-8-9-10"},
            {"bid": "7", "called_card": "7D"}, "rulebook",
            ("card-not-in-deck", "Deal 2: There is no card 7D in this deck."), id="no sevens",
        ),
        pytest.param(
            "classic", {"bid": 70, "called_card": "KC"},
            {"preset": "classic", "deck": "french-no-8-9-10"},
            ("card-not-in-deck", "Deal 2: There is no card King of cups in this deck."),
            id="cups that would be clubs",
        ),
        pytest.param(
            {"preset": "classic", "deck": "french-no-8-9-10"}, {"bid": 70, "called_card": "KC"},
            "classic",
            ("card-not-in-deck", "Deal 2: There is no card King of clubs in this deck."),
            id="clubs that would be cups",
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("seats", [{}, {"order": SWAPPED}], ids=["rules", "rules and seats"])
def test_deal_under_way_is_not_played_on_with_a_deck_that_lacks_its_cards(
    played: Any, known: dict[str, Any], other: Any, problem: tuple[str, str], seats: dict[str, Any]
) -> None:
    evening = start(played, first_dealer=0)
    evening.record(None, Outcome.MISDEAL)
    started(evening, "Ada", **known)
    before = written(evening)

    with pytest.raises(InvalidError) as raised:
        evening.change(rules=other, **seats)

    assert [(one.code, str(one.message)) for one in raised.value.problems][:1] == [problem]
    assert {one.field for one in raised.value.problems} == {"deals.2"}
    assert written(evening) == before
    assert findings(evening) == []


def test_deal_under_way_without_a_card_is_played_on_with_other_suits() -> None:
    evening = five(1)
    started(evening, "Ada")

    evening.change(rules={"preset": "classic-plain", "deck": "french-no-8-9-10"})

    assert load_state(*evening.keys).rules.cards.italian is False


# What can't be


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        pytest.param({"since": 4}, ("out-of-range", "from_number"), id="a deal to come"),
        pytest.param({"since": -1}, ("out-of-range", "from_number"), id="no deal"),
        pytest.param({"since": 2, "until": 1}, ("out-of-range", "from_number"), id="backwards"),
        pytest.param({"until": 4}, ("out-of-range", "from_number"), id="until a deal to come"),
        pytest.param({"order": (ADA, BEA, CIRO, DORA)}, ("seats-count", "seats"), id="four"),
        pytest.param({"order": (9,)}, ("seats-order", "seats"), id="nobody that we know"),
        pytest.param({"order": (ADA, ADA, CIRO, DORA, EZIO)}, ("seats-order", "seats"),
                     id="in two places"),
        pytest.param({"order": (-1, BEA, CIRO, DORA, EZIO)}, ("seats-order", "seats"),
                     id="below the first"),
        pytest.param({"order": (*SIX_SEATS, 6, 7), "guests": [Guest(name) for name in "xyz"]},
                     ("seats-count", "seats"), id="eight for five"),
        pytest.param({"order": FIVE_SEATS, "guests": [Guest(name) for name in "uvwxyz"]},
                     ("seats-count", "seats"), id="more than ten names"),
        pytest.param({"sits_out": [FULVIA]}, ("sits-out", "sits_out"), id="a stranger sits out"),
        pytest.param({"sits_out": [ADA]}, ("seats-count", "seats"), id="too few would play"),
        pytest.param({"dealer": FULVIA}, ("dealer", "dealer"), id="a stranger deals"),
        pytest.param({"order": SIX_SEATS, "guests": [Guest(" ")]}, ("bad-name", "guest"),
                     id="no name"),
        pytest.param({"order": SIX_SEATS, "guests": [Guest("ADA")]}, ("duplicate-name", "guest"),
                     id="a name that is there"),
        pytest.param({"order": (*SIX_SEATS, 6), "guests": [Guest("Zoe"), Guest("zoe")]},
                     ("duplicate-name", "guest"), id="two of one name"),
        pytest.param({"order": SIX_SEATS, "guests": [Guest("Zoe", 10**12)]},
                     ("out-of-range", "opening"), id="a monstrous balance"),
        pytest.param({"rules": "poker"}, ("unknown-preset", "rules"), id="no such rules"),
        pytest.param({"rules": "monte-6"}, ("seats-count", "seats"), id="rules for six"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_nothing_is_written(
    other: dict[str, Any], problem: tuple[str, str]
) -> None:
    evening = five(2)
    if "rules" not in other:
        other = {"order": FIVE_SEATS, **other}
    before = written(evening), len(queries.circle.players(evening.circle_id))

    assert refused(lambda: evening.change(**other)) == [problem]

    assert (written(evening), len(queries.circle.players(evening.circle_id))) == before


def test_nobody_at_the_table_is_refused() -> None:
    evening = five()
    change = ChangeRequest(1, 1, seats=NewSeats(()))

    assert refused(lambda: change_session(evening.session_id, change, evening.by)) == [
        ("seats-count", "seats")
    ]


def test_reason_is_not_endless() -> None:
    evening = five()
    change = ChangeRequest(1, 1, seats=NewSeats(SWAPPED), reason="x" * 201)

    assert refused(lambda: change_session(evening.session_id, change, evening.by)) == [
        ("too-long", "reason")
    ]


def test_deal_recorded_meanwhile_is_a_conflict() -> None:
    evening = five()
    change = ChangeRequest(1, 1, seats=NewSeats(SWAPPED))
    evening.record()

    with pytest.raises(ConflictError):
        change_session(evening.session_id, change, evening.by)


def test_anything_written_since_the_phone_looked_is_a_conflict_where_it_matters() -> None:
    evening = five(2)
    change = ChangeRequest(1, 3, seats=NewSeats(SWAPPED, dealer=EZIO), seen=written(evening))
    evening.amend(1, sheet("Ciro", "Ada"))

    with pytest.raises(ConflictError):
        change_session(evening.session_id, change, evening.by)


def test_same_change_sent_twice_is_one() -> None:
    evening = five(2)
    seats = NewSeats(SIX_SEATS, guests=[Guest("Fulvia")])
    change = ChangeRequest(3, 3, NewRules("classic"), seats, seen=written(evening))

    for _ in range(2):
        change_session(evening.session_id, change, evening.by)

    assert len(queries.book.session_changes(*evening.keys)) == 2
    assert len(load_state(*evening.keys).names) == 6


@pytest.mark.parametrize(
    "other",
    [
        {"seats": NewSeats(SWAPPED, dealer=EZIO)},
        {"until_number": 3}, {"from_number": 2}, {"rules": None}, {"seats": NewSeats(FIVE_SEATS)},
        {"rules": NewRules("volata")},
    ],
    ids=str,
)  # fmt: skip
def test_another_change_than_the_one_before_is_a_conflict(other: dict[str, Any]) -> None:
    evening = five(2)
    change = ChangeRequest(3, 3, NewRules("classic"), NewSeats(SWAPPED), seen=written(evening))
    change_session(evening.session_id, change, evening.by)

    with pytest.raises(ConflictError):
        change_session(evening.session_id, replace(change, **other), evening.by)


@pytest.mark.parametrize("outcome", [Outcome.PLAYED, Outcome.MISDEAL, Outcome.PENALTY])
def test_deal_is_not_recorded_by_rules_for_another_number(outcome: Outcome) -> None:
    evening = five(1)
    evening.change(2, 2, rules="four-balanced", order=(ADA, BEA, CIRO, DORA))
    evening.change(2, order=(ADA, BEA, CIRO, DORA))
    evening.record()
    written_for = {Outcome.PLAYED: sheet(), Outcome.PENALTY: {"offender": "Ada"}}.get(outcome)

    recording = refused(lambda: evening.record(written_for, outcome))
    starting = refused(lambda: started(evening, "Ada"))

    assert recording == starting == [("seats-count", "")]
    evening.change(order=FIVE_SEATS)
    evening.record()
    assert findings(evening) == []


# Whatever is done


@ON_SQLITE
@examples(12)
@given(data=st.data())
def test_whatever_is_changed_there_is_nothing_to_look_at(data: st.DataObject) -> None:
    leave_no_rows()
    evening = start({"preset": "scighera", "sits_out": "dealer"}, SIX, first_dealer=2)
    for _ in range(data.draw(st.integers(2, 9))):
        something(data, evening)

    assert findings(evening) == []


def something(data: st.DataObject, evening: Evening) -> None:
    """Record a deal, strike one through, or change the seats or the rules from some deal on."""
    state, following = load_state(*evening.keys), evening.next_number()
    what = data.draw(st.sampled_from(["record", "record", "outcome", "void", "change", "change"]))
    if what == "record":
        playing = [state.names[seat] for seat in state.table().active]
        caller, partner = data.draw(st.permutations(playing))[:2]
        evening.record(sheet(caller, partner, bid="A"))
    elif what == "outcome":
        evening.record(None, data.draw(st.sampled_from([Outcome.MISDEAL, Outcome.THROWN_IN])))
    elif what == "void" and following > 1:
        number = data.draw(st.integers(1, following - 1))
        (evening.restore if evening.deal(number).voided else evening.void)(number)
    elif what == "change":
        try_to_change(data, evening, following, len(state.names))


def try_to_change(data: st.DataObject, evening: Evening, following: int, known: int) -> None:
    since = data.draw(st.integers(1, following))
    until = data.draw(st.none() | st.integers(since, following))
    guests = [Guest(f"Guest {known}")] if known < 9 and data.draw(st.booleans()) else []
    count = data.draw(st.integers(5, 7))
    order = data.draw(st.permutations(range(known + len(guests))))[:count]
    rules = data.draw(st.sampled_from([None, "scighera", "volata"]))
    dealer = data.draw(st.none() | st.sampled_from(order))
    before = written(evening)
    try:
        evening.change(
            since,
            until,
            order=order,
            guests=guests,
            rules=rules,
            dealer=dealer,
            by_place=data.draw(st.booleans()),
        )
    except InvalidError:
        assert written(evening) == before


def test_in_scala_quaranta_who_is_out_does_not_deal_when_the_order_was_wrong() -> None:
    evening = start("to-101", ("Ada", "Bea", "Ciro"), game="scala-quaranta", first_dealer=0)
    for hands in ({"Bea": 50, "Ciro": 2}, {"Bea": 60, "Ciro": 2}, {"Ciro": 2}):
        evening.record({"closed": "Ada", "hands": hands})

    evening.change(1, order=[0, 2, 1])

    assert [evening.deal(number).dealer for number in (1, 2, 3)] == [0, 2, 0]
    assert verify(lambda _: None).findings == 0
