"""Deals: recorded once, however often they are sent, and never over another one."""

from dataclasses import replace

import pytest

from scorer.errors import NotFoundError
from scorer.evening.acts import Record
from scorer.evening.session_acts import Start
from scorer.services.deals import deals
from scorer.services.deals.deals import Done
from scorer.services.session.state import load_state
from scorer.services.session.writing import do
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import Evening, selects, sheet, start
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


def test_key_of_another_session_is_not_found(evening: Evening) -> None:
    entry = evening.entry(sheet())
    record(evening, entry)
    other, begun = evening.again(), {"caller": "Ada", "bid": 61}

    with pytest.raises(NotFoundError):
        record(other, entry)
    with pytest.raises(NotFoundError):
        do(*other.keys, Start(key=entry.key, number=1, sheet=begun), by=other.by)

    assert (list(other.state.deals), other.state.started) == ([], None)


def test_same_key_in_another_circle_is_a_deal_of_its_own() -> None:
    ours, theirs = start(), start()
    entry = ours.entry(sheet("Ada", "Bea"))
    record(ours, entry)

    record(theirs, replace(theirs.entry(sheet("Ezio", "Dora")), key=entry.key))

    assert ours.balances() == [2, 1, -1, -1, -1]
    assert theirs.balances() == [-1, -1, -1, 1, 2]
