"""Deals: recorded once, however often they are sent; put right, and nothing is overwritten."""

from dataclasses import replace
from typing import Any

import pytest

from scorer.errors import NotFoundError
from scorer.evening.acts import Accept, Confirm, Dispute, Record, Uphold
from scorer.evening.session_acts import Guest, Start
from scorer.rules.game import Outcome
from scorer.rules.seats import all_seats
from scorer.services.circle import circles
from scorer.services.deals import deals
from scorer.services.deals.deals import Done
from scorer.services.deals.report import deal_report, seats_changes
from scorer.services.deals.score_sheet import score_sheet
from scorer.services.session.state import load_state
from scorer.services.session.writing import do
from scorer.storage import models, queries
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import SIX, Evening, findings, hold, selects, sheet, start
from tests.web.rows import every_row


def record(evening: Evening, entry: Record) -> Done:
    return deals.record_deal(evening.session_id, entry, evening.by)


@BOTH_ENGINES
def test_same_key_again_is_the_same_deal(evening: Evening) -> None:
    entry = evening.entry(sheet())

    first = record(evening, entry)
    before = every_row()
    again = record(evening, entry)
    later = [record(evening, replace(entry, number=number)) for number in (2, 9)]

    assert first == Done(number=1, version=1, new=True)
    assert [again, *later] == [Done(number=1, version=1, new=False)] * 3
    assert every_row() == before


def test_session_loaded_and_unchanged_is_not_read_again_under_the_lock(evening: Evening) -> None:
    load_state(*evening.keys)
    entry = evening.entry(sheet())

    with selects() as reads:
        record(evening, entry)

    assert not [read for read in reads if "player.name" in read or "deal_version" in read]


def test_key_of_another_session_is_not_found_and_of_another_circle_a_deal_of_its_own(
    evening: Evening,
) -> None:
    entry = evening.entry(sheet())
    record(evening, entry)
    other, begun, theirs = evening.again(), {"caller": "Ada", "bid": 61}, start()

    with pytest.raises(NotFoundError):
        record(other, entry)
    with pytest.raises(NotFoundError):
        do(*other.keys, Start(key=entry.key, number=1, sheet=begun), by=other.by)
    record(theirs, replace(theirs.entry(sheet("Ezio", "Dora")), key=entry.key))

    assert (list(other.state.deals), other.state.started) == ([], None)
    assert evening.balances() == [2, 1, -1, -1, -1]
    assert theirs.balances() == [-1, -1, -1, 1, 2]


def test_version_keeps_who_wrote_what_and_why_and_the_report_says_what_moved(
    evening: Evening,
) -> None:
    evening.record(sheet(points=70))
    bea = replace(evening, by=replace(evening.by, player="Bea"))
    evening.start_deal()

    dealers = [under_way(evening)]
    bea.amend(1, sheet(points=50), reason="  Counted\n again ")
    evening.void(1)
    dealers.append(under_way(evening))

    first, second, _ = evening.deal(1).versions
    assert [(one.act, one.written_by, one.reason) for one in (first, second)] == [
        ("record", None, None),
        ("amend", "Bea", "Counted again"),
    ]
    assert second.phone == evening.by.name
    assert first.at <= second.at
    assert first.payouts == dict(enumerate([2, 1, -1, -1, -1]))
    assert second.payouts == dict(enumerate([-2, -1, 1, 1, 1]))
    voided, amended, recorded = deal_report(*evening.keys, 1).history
    assert {(str(one.old), str(one.new)) for one in amended.changes} == {
        ("made, 70 (61 needed)", "missed, 50 (61 needed)")
    }
    assert amended.moved == dict(enumerate([-4, -2, 2, 2, 2]))
    assert voided.moved == dict(enumerate([2, 1, -1, -1, -1]))
    assert recorded.changes == voided.changes == ()
    assert evening.balances() == [0] * 5
    evening.restore(1)
    assert [*dealers, under_way(evening)] == [0, 4, 0]


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
    assert (row.deal.disputed, row.unconfirmed) == (True, False)
    evening.amend(1, sheet(points=50))
    evening.change(1, rules="classic-plain")
    evening.do(1, Dispute, by=nobody, reason="50")
    evening.do(1, Uphold)

    report = deal_report(*evening.keys, 1)

    (row,) = score_sheet(evening.state).rows
    assert (row.deal.disputed, row.unconfirmed, report.unconfirmed) == (False, True, True)
    assert [event.act.name for event in report.history[::-1]] == [
        "record", "confirm", "dispute", "amend", "amend", "dispute", "uphold"
    ]  # fmt: skip
    assert [one.written_by for one in report.deal.reviews] == [None, "Dora", None, None]
    assert findings(evening) == []


ADA, BEA, CIRO, DORA, EZIO, FULVIA, GINO = all_seats(7)
BEA_FIRST = (BEA, ADA, CIRO, DORA, EZIO, FULVIA)
NEW = [Guest("Gino")]


def six_after_a_deal() -> Evening:
    """Give six at the table and a deal; Ada deals first."""
    evening = start({"preset": "classic-plain", "sits_out": "dealer"}, SIX, first_dealer=0)
    evening.record(sheet("Ezio", "Fulvia"))
    return evening


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        pytest.param([{"until": 2, "order": all_seats(6), "sits_out": [CIRO]}], [], id="sits out"),
        pytest.param([{"since": 1, "order": BEA_FIRST, "dealer": BEA}], [], id="first deal too"),
        pytest.param(
            [{"order": (ADA, BEA, GINO, CIRO, DORA, EZIO, FULVIA), "guests": NEW}],
            ["From deal 2: Gino sits between Bea and Ciro"],
            id="guest",
        ),
        pytest.param(
            [{"order": (GINO, BEA, CIRO, DORA, EZIO), "guests": NEW}],
            ["From deal 2: Gino sits between Ezio and Bea; Ada leaves; Fulvia leaves"],
            id="who leaves and who comes",
        ),
        pytest.param(
            [
                {"order": (CIRO, DORA, EZIO, FULVIA, ADA, BEA)},
                {"order": (ADA, CIRO, BEA, DORA, EZIO)},
            ],
            ["From deal 3: in order of play Ada, Ciro, Bea, Dora, Ezio; Fulvia leaves"],
            id="another beginning is no other order",
        ),
    ],
)
def test_changes_of_seats_are_told(changes: list[dict[str, Any]], told: list[str]) -> None:
    evening = six_after_a_deal()
    for change in changes:
        evening.change(**change)
        evening.record(None, Outcome.MISDEAL)

    assert [str(change.text) for change in seats_changes(evening.state)] == told


def test_proposal_is_kept_shown_and_accepted(evening: Evening) -> None:
    right, text = {"card_points": " 58 "}, "Card points of the caller's side: 58"
    evening.record()
    assert evening.do(1, Dispute, by=evening.let_in(), reason="Look", coded=right).new

    found = deal_report(*evening.keys, 1).proposal
    assert found
    assert (str(found.text), found.refusal) == (text, None)
    assert found.changes
    assert [str(proposal) for _, proposal in score_sheet(evening.state).disputes] == [text]
    assert str(deal_report(*evening.keys, 1).history[0].proposal) == text
    assert evening.do(1, Accept).new
    assert evening.deal(1).paid == found.payouts
    assert findings(evening) == []
