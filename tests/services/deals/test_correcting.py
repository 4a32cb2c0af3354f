"""Amend, void, restore, review: nothing is overwritten, and the history says who did what."""

from dataclasses import replace

from scorer.evening.acts import Confirm, Dispute, Uphold
from scorer.services.circle import circles
from scorer.services.deals.report import deal_report
from scorer.services.deals.score_sheet import score_sheet
from scorer.services.journal.verify import circle_findings
from scorer.storage import models, one_moment, queries
from tests.services.evenings import Evening, hold, sheet


def test_version_keeps_who_wrote_what_on_which_phone_and_why(evening: Evening) -> None:
    evening.record(sheet(points=70))
    bea = replace(evening, by=replace(evening.by, player="Bea"))

    bea.amend(1, sheet(points=50), reason="  Counted\n again ")

    first, second = evening.deal(1).versions
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
    assert evening.balances() == [0] * 5


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


def test_history_tells_what_was_written_and_said_in_its_order(evening: Evening) -> None:
    dora, nobody = hold(evening.let_in(), "Dora"), hold(evening.let_in(), "Bea")
    circles.hold(nobody.circle_id, nobody.phone_id, None)
    nobody = circles.holder(nobody.circle_id, nobody.phone_id)
    evening.record()
    evening.do(1, Confirm, by=nobody)
    evening.do(1, Dispute, by=dora, reason="70")
    (row,) = score_sheet(evening.state).rows
    assert (row.disputed, row.unconfirmed) == (True, False)
    evening.amend(1, sheet(points=50))
    evening.change(1, rules="classic-plain")
    evening.do(1, Dispute, by=nobody, reason="50")
    evening.do(1, Uphold)

    report = deal_report(*evening.keys, 1)

    (row,) = score_sheet(evening.state).rows
    assert (row.disputed, row.unconfirmed, report.unconfirmed) == (False, True, True)
    assert [event.act.name for event in report.history[::-1]] == [
        "record", "confirm", "dispute", "amend", "amend", "dispute", "uphold"
    ]  # fmt: skip
    assert [one.written_by for one in report.deal.reviews] == [None, "Dora", None, None]
    with one_moment():
        assert list(circle_findings(evening.circle_id)) == []
