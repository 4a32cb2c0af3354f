"""Amend, void, restore: nothing is overwritten, and every later balance moves."""

from dataclasses import replace

import pytest

from scorer.errors import ConflictError, InvalidError, NotFoundError
from scorer.evening.acts import Amend, DealAct, Restore, Void
from scorer.evening.deal import Version
from scorer.services.deals import deals
from scorer.services.deals.report import deal_report
from scorer.storage import models, queries
from tests.services.evenings import SIX, Evening, refused, sheet, start


def versions(evening: Evening) -> tuple[Version, ...]:
    return evening.deal(1).versions


def test_version_keeps_who_wrote_what_on_which_phone_and_why(evening: Evening) -> None:
    evening.record(sheet(points=70))
    bea = replace(evening, by=replace(evening.by, player="Bea"))

    bea.amend(1, sheet(points=50), reason="  Counted\n again ")

    first, second = versions(evening)
    assert (first.act, second.act) == ("record", "amend")
    assert (first.written_by, second.written_by) == (None, "Bea")
    assert (first.reason, second.reason) == (None, "Counted again")
    assert second.phone == evening.by.name
    assert first.at <= second.at
    assert first.payouts == dict(enumerate([2, 1, -1, -1, -1]))
    assert second.payouts == dict(enumerate([-2, -1, 1, 1, 1]))
    assert first.stored != second.stored


def test_report_says_what_changed_and_how_the_balances_moved(evening: Evening) -> None:
    evening.record(sheet(points=70))
    evening.amend(1, sheet(points=50))
    evening.void(1)

    voided, amended, recorded = deal_report(*evening.keys, 1).history

    assert {(str(one.old), str(one.new)) for one in amended.changes} == {
        ("made, 70 (61 needed)", "missed, 50 (61 needed)")
    }
    assert amended.moved == dict(enumerate([-4, -2, 2, 2, 2]))
    assert voided.moved == dict(enumerate([2, 1, -1, -1, -1]))
    assert recorded.changes == voided.changes == ()


def test_same_amendment_twice_is_one(evening: Evening) -> None:
    evening.record()
    first = evening.amend(1, sheet(points=50), version=1)

    again = evening.amend(1, sheet(points=50), version=1)

    assert (first.version, first.new) == (2, True)
    assert (again.version, again.new) == (2, False)
    assert len(versions(evening)) == 2


@pytest.mark.parametrize(
    ("meanwhile", "act", "seen"),
    [
        pytest.param("amend", Amend, 1, id="another amendment of what was amended"),
        pytest.param("void", Amend, 1, id="the same sheet for what was voided"),
        pytest.param("amend", Void, 1, id="voiding what was amended"),
        *(pytest.param("", Void, seen, id=f"voiding version {seen}") for seen in (-1, 0, 2, 7)),
        *(pytest.param("", Restore, seen, id=f"restoring version {seen}") for seen in (0, 1)),
    ],
)
def test_act_on_a_version_that_does_not_stand_is_a_conflict_and_writes_nothing(
    evening: Evening, meanwhile: str, act: type[DealAct], seen: int
) -> None:
    evening.record(sheet(points=51))
    if meanwhile == "amend":
        evening.amend(1, sheet(points=70))
    elif meanwhile == "void":
        evening.void(1)
    before = len(versions(evening)), evening.balances()
    said = {"sheet": sheet(points=51)} if act is Amend else {}

    with pytest.raises(ConflictError):
        evening.do(1, act, version=seen, **said)

    assert (len(versions(evening)), evening.balances()) == before


def test_amendment_with_problems_writes_nothing(evening: Evening) -> None:
    evening.record()

    with pytest.raises(InvalidError):
        evening.amend(1, sheet(partner="Ada"))
    with refused("reason"):
        evening.amend(1, sheet(points=50), reason="x" * 201)
    assert len(versions(evening)) == 1


def test_amended_deal_keeps_its_dealer_and_who_sat_out() -> None:
    evening = start({"preset": "classic", "sits_out": "dealer"}, SIX, first_dealer=0)
    evening.record(sheet("Bea", "Ciro"))
    evening.record(sheet("Ada", "Ciro"))

    evening.amend(1, sheet("Ciro", "Bea"))
    with pytest.raises(InvalidError):
        evening.amend(1, sheet("Ada", "Bea"))

    assert evening.deal(1).dealer == "Ada"
    assert sorted(evening.deal(1).paid) == [1, 2, 3, 4, 5]


def test_voided_deal_counts_for_nobody_and_keeps_what_it_would_pay(evening: Evening) -> None:
    evening.record()
    evening.record(sheet("Ciro", "Dora"))

    evening.void(1, reason="A card lay on the floor")

    assert evening.balances() == [-1, -1, 2, 1, -1]
    assert evening.deal(1).voided
    assert not evening.deal(1).paid
    assert evening.deal(1).entry.paid == dict(enumerate([2, 1, -1, -1, -1]))
    assert versions(evening)[-1].reason == "A card lay on the floor"


def test_voiding_a_deal_lets_its_dealer_deal_the_one_under_way(evening: Evening) -> None:
    evening.record()
    evening.start_deal()

    dealers = [under_way(evening)]
    for act in (evening.void, evening.restore):
        act(1)
        dealers.append(under_way(evening))

    assert dealers == [0, 4, 0]


def under_way(evening: Evening) -> int | None:
    """Say who deals the deal that is being played."""
    started = queries.find(models.StartedDeal, *evening.keys)
    return started.dealer if started else None


def test_same_void_twice_is_one_and_so_is_the_same_restore(evening: Evening) -> None:
    evening.record()

    voids = [evening.void(1, version=1) for _ in range(3)]
    restores = [evening.restore(1, version=2) for _ in range(3)]

    assert [one.new for one in voids] == [one.new for one in restores] == [True, False, False]
    assert [version.act for version in versions(evening)] == ["record", "void", "restore"]
    assert not evening.deal(1).amended
    assert evening.balances() == [2, 1, -1, -1, -1]


def test_deal_that_is_not_there_cannot_be_changed(evening: Evening) -> None:
    for number in (-1, 0, 1):
        with pytest.raises(NotFoundError):
            deals.do(evening.session_id, number, Void(version=1), evening.by)
