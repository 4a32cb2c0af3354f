"""Deals: recorded once, however often they are sent, and never over another one."""

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any
from uuid import uuid4

import pytest

from scorer.errors import ConflictError, InvalidError, NotFoundError
from scorer.rules.game import Outcome
from scorer.services.deals import deals
from scorer.services.deals.deals import DealEntry, RecordedDeal
from scorer.services.session.sessions import end_session, reopen_session
from scorer.services.session.state import load_state
from scorer.storage import models, queries
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import SIX, Evening, refused, selects, sheet, start

pytestmark = BOTH_ENGINES

SITS_OUT = {"preset": "classic", "sits_out": "dealer"}


def rows(evening: Evening) -> object:
    """Give everything that is stored of an evening's deals."""
    keys = evening.keys
    deals_ = queries.deals.all_deals(*keys)
    versions = [
        asdict(version)
        for deal in deals_
        for version in queries.deals.deal_versions(evening.circle_id, deal.deal_id)
    ]
    row = load_state(*keys).row
    return deals_, versions, queries.session.payout_matrix(*keys), (row.version, row.next_number)


def started_caller(evening: Evening) -> str:
    started = queries.find(models.StartedDeal, *evening.keys)
    assert started is not None
    return str(started.stored["caller"])


def test_same_key_again_is_the_same_deal(evening: Evening) -> None:
    entry = evening.entry(sheet())

    first = deals.record_deal(evening.state, entry, evening.by)
    before = rows(evening)
    again = deals.record_deal(evening.state, entry, evening.by)
    later = [
        deals.record_deal(evening.state, replace(entry, number=number), evening.by)
        for number in (2, 9)
    ]

    assert first == RecordedDeal(number=1, version=1, new=True)
    assert [again, *later] == [RecordedDeal(number=1, version=1, new=False)] * 3
    assert rows(evening) == before


def test_same_key_is_the_same_deal_after_others_were_recorded_and_it_was_amended(
    evening: Evening,
) -> None:
    entry = evening.entry(sheet())
    deals.record_deal(evening.state, entry, evening.by)
    evening.record()
    evening.amend(1, sheet(points=40))

    again = deals.record_deal(evening.state, entry, evening.by)

    assert again == RecordedDeal(number=1, version=2, new=False)
    assert evening.next_number() == 3


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (Outcome.MISDEAL, Outcome.REDEAL),
        (Outcome.REDEAL, Outcome.MISDEAL),
        (Outcome.MISDEAL, Outcome.PENALTY),
        (Outcome.MISDEAL, Outcome.PLAYED),
        (Outcome.PLAYED, Outcome.MISDEAL),
    ],
)
def test_same_key_with_another_outcome_is_a_conflict(
    evening: Evening, first: Outcome, again: Outcome
) -> None:
    answers = {Outcome.PLAYED: sheet(), Outcome.PENALTY: {"offender": "Ada"}}
    entry = evening.entry(answers.get(first), first)
    deals.record_deal(evening.state, entry, evening.by)
    before = rows(evening)

    other = replace(entry, sheet=answers.get(again), outcome=again)
    with pytest.raises(ConflictError):
        deals.record_deal(evening.state, other, evening.by)

    assert rows(evening) == before


@pytest.mark.parametrize("number", [-1, 0, 1, 3, 2**40])
def test_another_number_than_the_next_is_a_conflict_and_writes_nothing(
    evening: Evening, number: int
) -> None:
    evening.record()
    before = rows(evening)

    with pytest.raises(ConflictError):
        deals.record_deal(evening.state, DealEntry(uuid4(), number, sheet()), evening.by)

    assert rows(evening) == before


def test_every_problem_of_a_sheet_is_told_and_nothing_is_written(evening: Evening) -> None:
    before = rows(evening)

    with refused("caller-is-partner", "bid-range", "points-impossible"):
        evening.record({"caller": "Ada", "bid": 200, "partner": "Ada", "card_points": 1})

    assert rows(evening) == before


@pytest.mark.parametrize("written", [None, [], "Ada", 7, {"caller": "0"}, {"caller": ["Ada"]}])
def test_what_is_no_sheet_is_invalid(evening: Evening, written: object) -> None:
    with pytest.raises(InvalidError):
        deals.record_deal(evening.state, DealEntry(uuid4(), 1, written), evening.by)


@pytest.mark.parametrize(
    "offender", [None, {}, {"offender": "Nobody"}, {"offender": "Ada"}, {"offender": "0"}]
)
def test_penalty_is_for_somebody_who_plays(offender: object) -> None:
    evening = start(SITS_OUT, SIX, first_dealer=0)

    with pytest.raises(InvalidError):
        evening.record(offender, Outcome.PENALTY)


def test_recording_ends_the_deal_under_way(evening: Evening) -> None:
    begun = evening.entry({"caller": "Ada", "bid": 70})
    deals.start_deal(evening.state, begun, evening.by)
    assert queries.find(models.StartedDeal, *evening.keys) is not None

    deals.record_deal(evening.state, replace(begun, sheet=sheet(bid=70)), evening.by)

    assert queries.find(models.StartedDeal, *evening.keys) is None
    assert evening.deal(1).deal_id == begun.key


def test_started_deal_is_there_for_everybody_until_it_is_forgotten(evening: Evening) -> None:
    said = {"caller": "Ada", "bid": 70, "called_card": "KC"}

    entry = evening.entry(said)
    deals.start_deal(evening.state, entry, evening.by)
    started = queries.find(models.StartedDeal, *evening.keys)
    deals.cancel_start(evening.session_id, entry.key, evening.by)

    assert started is not None
    assert started.stored == {"caller": "0", "bid": "70", "called_card": "KC"}
    assert started.phone_id == evening.by.phone_id
    assert queries.find(models.StartedDeal, *evening.keys) is None


def test_deal_that_was_started_instead_of_it_is_not_forgotten(evening: Evening) -> None:
    first, second = (evening.entry({"caller": name, "bid": 70}) for name in ("Ada", "Bea"))
    deals.start_deal(evening.state, first, evening.by)
    deals.start_deal(evening.state, second, evening.let_in(), instead_of=first.key)

    with pytest.raises(ConflictError):
        deals.cancel_start(evening.session_id, first.key, evening.by)

    assert started_caller(evening) == "1"


def test_deal_that_was_recorded_meanwhile_is_not_forgotten(evening: Evening) -> None:
    begun = evening.entry({"caller": "Ada", "bid": 70})
    deals.start_deal(evening.state, begun, evening.by)
    deals.record_deal(evening.state, replace(begun, sheet=sheet(bid=70)), evening.by)

    with pytest.raises(ConflictError):
        deals.cancel_start(evening.session_id, begun.key, evening.by)


def test_start_that_is_forgotten_twice_is_written_once(evening: Evening) -> None:
    begun = evening.entry({"caller": "Ada", "bid": 70})
    deals.start_deal(evening.state, begun, evening.by)

    versions = []
    for _ in range(2):
        deals.cancel_start(evening.session_id, begun.key, evening.by)
        versions.append(load_state(*evening.keys).row.version)

    assert versions[0] == versions[1]


def test_start_of_another_phone_is_replaced_only_by_name(evening: Evening) -> None:
    by = evening.let_in()
    theirs = evening.entry({"caller": "Ada", "bid": 70})
    mine = evening.entry({"caller": "Bea", "bid": 75})
    deals.start_deal(evening.state, theirs, evening.by)

    with pytest.raises(ConflictError):
        deals.start_deal(evening.state, mine, by)
    assert started_caller(evening) == "0"

    for _ in range(2):
        deals.start_deal(evening.state, mine, by, instead_of=theirs.key)
    assert started_caller(evening) == "1"
    with pytest.raises(ConflictError):
        deals.start_deal(evening.state, theirs, evening.by)
    assert started_caller(evening) == "1"


def test_phone_may_start_its_own_deal_anew(evening: Evening) -> None:
    for name in ("Ada", "Ciro"):
        entry = evening.entry({"caller": name, "bid": 70})
        deals.start_deal(evening.state, entry, evening.by)

    assert started_caller(evening) == "2"


def test_ended_session_takes_no_deal_but_what_is_written_can_be_mended(evening: Evening) -> None:
    entry = evening.entry(sheet())
    deals.record_deal(evening.state, entry, evening.by)
    end_session(*evening.keys)
    before = rows(evening)

    for write in (deals.record_deal, deals.start_deal):
        with refused("session-ended"):
            write(evening.state, evening.entry(sheet()), evening.by)
    again = deals.record_deal(evening.state, entry, evening.by)

    assert again == RecordedDeal(number=1, version=1, new=False)
    assert rows(evening) == before
    evening.amend(1, sheet(points=50))
    evening.void(1)
    evening.restore(1)
    assert evening.balances() == [-2, -1, 1, 1, 1]
    reopen_session(*evening.keys)
    assert evening.record().number == 2


def test_deal_that_was_recorded_is_not_started_again(evening: Evening) -> None:
    entry = evening.entry(sheet())
    deals.record_deal(evening.state, entry, evening.by)

    deals.start_deal(evening.state, replace(entry, sheet={"caller": "Ada"}), evening.by)

    assert queries.find(models.StartedDeal, *evening.keys) is None


def test_starting_another_number_than_the_next_is_a_conflict(evening: Evening) -> None:
    with pytest.raises(ConflictError):
        deals.start_deal(evening.state, DealEntry(uuid4(), 2, {"caller": "Ada"}), evening.by)


def test_secret_of_the_partner_cannot_be_started(evening: Evening) -> None:
    said = {"caller": "Ada", "bid": 200, "partner": "Bea"}

    with pytest.raises(InvalidError) as refused:
        deals.start_deal(evening.state, evening.entry(said), evening.by)

    assert "sheet.partner" in [problem.field for problem in refused.value.problems]
    assert queries.find(models.StartedDeal, *evening.keys) is None


def test_session_loaded_before_another_deal_was_recorded_is_loaded_again(evening: Evening) -> None:
    loaded, entry = load_state(*evening.keys), evening.entry(sheet())
    evening.record()

    with pytest.raises(ConflictError):
        deals.record_deal(loaded, entry, evening.by)
    late = deals.record_deal(loaded, replace(entry, number=2), evening.by)

    assert late == RecordedDeal(number=2, version=1, new=True)
    assert [deal.dealer for deal in queries.deals.all_deals(*evening.keys)] == [4, 0]


def test_deal_started_after_the_session_was_loaded_is_dropped_when_it_is_recorded(
    evening: Evening,
) -> None:
    loaded, entry = load_state(*evening.keys), evening.entry({"caller": "Ada", "bid": 70})
    deals.start_deal(evening.state, entry, evening.by)

    written = replace(entry, sheet=sheet(bid=70))
    deals.record_deal(loaded, written, evening.by)

    assert queries.find(models.StartedDeal, *evening.keys) is None


def test_session_loaded_and_unchanged_is_not_read_again_under_the_lock(evening: Evening) -> None:
    loaded, entry = load_state(*evening.keys), evening.entry(sheet())

    with selects() as reads:
        deals.record_deal(loaded, entry, evening.by)

    assert not [read for read in reads if "player.name" in read or "deal_version" in read]


def test_key_of_another_session_is_not_found(evening: Evening) -> None:
    entry = evening.entry(sheet())
    deals.record_deal(evening.state, entry, evening.by)
    other = evening.again()

    with pytest.raises(NotFoundError):
        deals.record_deal(other.state, entry, evening.by)

    assert queries.deals.all_deals(*other.keys) == []


def test_same_key_in_another_circle_is_a_deal_of_its_own() -> None:
    ours, theirs = start(), start()
    entry = ours.entry(sheet("Ada", "Bea"))
    deals.record_deal(ours.state, entry, ours.by)

    deals.record_deal(theirs.state, replace(entry, sheet=sheet("Ezio", "Dora")), theirs.by)

    assert ours.balances() == [2, 1, -1, -1, -1]
    assert theirs.balances() == [-1, -1, -1, 1, 2]


def cancelled(evening: Evening) -> DealEntry:
    begun = evening.entry({"caller": "Ada", "bid": 70, "called_card": "KC"})
    deals.start_deal(evening.state, begun, evening.by)
    deals.cancel_start(evening.session_id, begun.key, evening.by)
    return begun


def kept(evening: Evening) -> dict[str, Any]:
    started = queries.find(models.StartedDeal, *evening.keys)
    assert started is not None
    names = ("deal_id", "number", "dealer", "stored", "phone_id", "at")
    return {name: getattr(started, name) for name in names}


def test_cancelled_start_comes_back_as_it_was(evening: Evening) -> None:
    begun = evening.entry({"caller": "Ada", "bid": 70, "called_card": "KC"})
    deals.start_deal(evening.state, begun, evening.by)
    before = kept(evening)
    deals.cancel_start(evening.session_id, begun.key, evening.by)

    versions = []
    for _ in range(2):
        deals.resume_start(evening.session_id, begun.key, evening.let_in())
        versions.append(load_state(*evening.keys).row.version)

    assert kept(evening) == before
    assert versions[0] == versions[1]


@pytest.mark.parametrize(
    "since",
    [
        pytest.param(lambda one, _: cancelled(one), id="another was cancelled"),
        pytest.param(
            lambda one, _: deals.start_deal(
                one.state, one.entry({"caller": "Bea", "bid": 70}), one.by
            ),
            id="another was started",
        ),
        pytest.param(
            lambda one, begun: deals.record_deal(
                one.state, replace(begun, sheet=sheet(bid=70)), one.by
            ),
            id="it was recorded",
        ),
        pytest.param(lambda one, _: end_session(*one.keys), id="the session ended"),
        pytest.param(
            lambda one, _: one.change(rules={"preset": "classic", "auction": {"minimum": 80}}),
            id="the rules forbid the bid",
        ),
        pytest.param(
            lambda one, _: one.change(rules={"preset": "rulebook"}), id="there is no such card"
        ),
    ],
)
def test_start_does_not_come_back_over_what_was_done_since(
    evening: Evening,
    since: Callable[[Evening, DealEntry], object],
) -> None:
    begun = cancelled(evening)
    since(evening, begun)

    with pytest.raises(ConflictError):
        deals.resume_start(evening.session_id, begun.key, evening.by)


def test_start_that_was_never_cancelled_does_not_come_back(evening: Evening) -> None:
    with pytest.raises(ConflictError):
        deals.resume_start(evening.session_id, uuid4(), evening.by)
