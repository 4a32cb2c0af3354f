"""Rules and seats that change within an evening: from the next deal on, and reaching back."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scorer.errors import ConflictError, InvalidError
from scorer.evening.acts import Dispute
from scorer.evening.session_acts import Change, Guest, NewRules, NewSeats
from scorer.rules.game import Outcome
from scorer.services.cards.tricks import TricksEntry, write_tricks
from scorer.services.session import sessions
from scorer.services.session.acts import do
from scorer.services.session.state import load_state
from scorer.storage import models, queries
from tests.data.rows import rows
from tests.services.evenings import FIVE, SIX, Evening, findings, new_session, sheet, start
from tests.storage.conftest import SQLITE

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
    return [evening.deal(number).turn.dealer for number in range(1, evening.next_number())]


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
    evening.do(1, Dispute, reason="Ciro was alone")
    play = {"called_card": "KC", "tricks": [["7B"]]}
    write_tricks(evening.session_id, TricksEntry(1, 0, play), evening.by)
    change = Change(2, 2, seats=seats, seen=seen)

    do(*evening.keys, change, by=evening.by)
    write_tricks(evening.session_id, TricksEntry(1, 1, play, "as Ada says"), evening.by)
    again = do(*evening.keys, change, by=evening.by)

    assert again == 0
    assert load_state(*evening.keys).row.changes == 1
    evening.record(sheet())
    with pytest.raises(ConflictError):
        do(*evening.keys, replace(change, from_number=1), by=evening.by)
    assert findings(evening) == []


# From the next deal on


def test_guest_may_be_somebody_the_circle_knows() -> None:
    evening = five(1)
    players = len(queries.circle.players(evening.circle_id))
    sessions.start_session(new_session(players=["Gino", *FIVE[1:]], circle_id=evening.circle_id))

    evening.change(order=SIX_SEATS, guests=[Guest(" gino ")])

    assert load_state(*evening.keys).names[FULVIA] == "Gino"
    assert len(queries.circle.players(evening.circle_id)) == players + 1


# Reaching back


def test_what_was_written_may_belong_to_the_places() -> None:
    evening = five(1)
    evening.record(sheet("Bea", "Ciro", called_card="KC"))
    evening.record({"offender": "Bea"}, Outcome.PENALTY)

    evening.change(2, order=(ADA, CIRO, BEA, DORA, EZIO), dealer=CIRO, by_place=True)

    state = load_state(*evening.keys)
    answers = evening.deal(2).entry.answers(state.names)
    assert answers is not None
    assert (answers["caller"], answers["partner"], answers["called_card"]) == ("Ciro", "Bea", "KC")
    assert evening.deal(3).entry.answers(state.names) == {"offender": "Ciro"}
    assert evening.balances() == [2 - 1 + 1, 1 + 1 + 1, -1 + 2 - 4, -1 - 1 + 1, -1 - 1 + 1]
    assert dealers(evening) == [ADA, CIRO, BEA]
    assert findings(evening) == []


def test_what_was_written_cannot_go_with_the_places_of_others() -> None:
    evening = five(2)
    before = written(evening)

    problems = refused(
        lambda: evening.change(2, order=SIX_SEATS, guests=[Guest("Fulvia")], by_place=True)
    )

    assert problems == [("by-place", "deals.2")]
    assert written(evening) == before


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


def test_rules_by_which_a_deal_cannot_have_been_played_are_refused() -> None:
    evening = five(2)
    evening.record(sheet("Ada", None))
    before = written(evening)

    problems = refused(lambda: evening.change(1, rules={"call": {"own_card": False}}))
    others = refused(lambda: evening.change(1, rules="four-balanced"))

    assert problems == [("own-card-forbidden", "deals.3")]
    assert others == [("seats-count", f"deals.{number}") for number in (1, 2, 3)]
    assert written(evening) == before


def test_versions_name_the_change_they_follow_on() -> None:
    evening = five(2)
    serial = written(evening) + 1

    evening.change(1, order=SWAPPED, dealer=EZIO, rules="classic")

    first, second = evening.deal(1).versions
    assert (first.change, second.change) == (None, serial)
    assert (second.act, second.reason, second.dealer) == ("amend", "We sat wrong", EZIO)
    (rules, seats) = evening.state.changes
    assert (rules.serial, seats.serial, second.serial) == (serial, serial + 1, serial + 2)
    assert rules.at == seats.at
    assert seats.reason == "We sat wrong"


# A deal under way


def started(evening: Evening, caller: str, bid: Any = 61, **known: Any) -> None:
    evening.start_deal({"caller": caller, "bid": bid, **known})


def test_deal_under_way_is_dealt_by_whose_turn_it_is_now() -> None:
    evening = five(2)
    started(evening, "Ada")

    evening.change(1, order=SWAPPED, dealer=EZIO)

    under_way = queries.find(models.StartedDeal, *evening.keys)
    assert under_way is not None
    assert under_way.dealer == load_state(*evening.keys).evening.turn.dealer == ADA
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


@rows(__file__, "refused")
def test_what_cannot_be_is_refused_and_nothing_is_written(
    other: dict[str, Any], problem: str
) -> None:
    evening = five(2)
    if "rules" not in other:
        guests = [Guest(*guest) for guest in other.get("guests", ())]
        other = {"order": FIVE_SEATS, **other, "guests": guests}
    before = written(evening), len(queries.circle.players(evening.circle_id))

    assert refused(lambda: evening.change(**other)) == [tuple(problem.split())]

    assert (written(evening), len(queries.circle.players(evening.circle_id))) == before


@pytest.mark.parametrize(
    ("seats", "reason", "problem"),
    [((), "", ("seats-count", "seats")), (SWAPPED, "x" * 201, ("too-long", "reason"))],
)
def test_nobody_at_the_table_and_a_reason_without_end_are_refused(
    seats: tuple[int, ...], reason: str, problem: tuple[str, str]
) -> None:
    change = Change(1, 1, seats=NewSeats(seats), reason=reason)
    evening = five()

    assert refused(lambda: do(*evening.keys, change, by=evening.by)) == [problem]


def test_deal_recorded_meanwhile_is_a_conflict() -> None:
    evening = five()
    change = Change(1, 1, seats=NewSeats(SWAPPED))
    evening.record()

    with pytest.raises(ConflictError):
        do(*evening.keys, change, by=evening.by)


def test_anything_written_since_the_phone_looked_is_a_conflict_where_it_matters() -> None:
    evening = five(2)
    change = Change(1, 3, seats=NewSeats(SWAPPED, dealer=EZIO), seen=written(evening))
    evening.amend(1, sheet("Ciro", "Ada"))

    with pytest.raises(ConflictError):
        do(*evening.keys, change, by=evening.by)


def test_same_change_sent_twice_is_one() -> None:
    evening = five(2)
    seats = NewSeats(SIX_SEATS, guests=[Guest("Fulvia")])
    change = Change(3, 3, NewRules("classic"), seats, seen=written(evening))

    for _ in range(2):
        do(*evening.keys, change, by=evening.by)

    assert len(evening.state.changes) == 2
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
    change = Change(3, 3, NewRules("classic"), NewSeats(SWAPPED), seen=written(evening))
    do(*evening.keys, change, by=evening.by)

    with pytest.raises(ConflictError):
        do(*evening.keys, replace(change, **other), by=evening.by)


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
