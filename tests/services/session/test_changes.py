"""Sessions that change, as they are written and read anew: the rest is said in `tests/evening`."""

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from scorer.errors import ConflictError
from scorer.evening.session_acts import Change, Guest
from scorer.rules.game import Outcome
from scorer.rules.seats import all_seats
from scorer.services.cards.tricks import TricksEntry, write_tricks
from scorer.services.session import sessions
from scorer.services.session.seating import SittingOut, choose, sitting_out
from scorer.services.session.writing import do
from scorer.storage import db, models, queries
from scorer.storage.backups import back_up, restore
from tests.data.rows import rows
from tests.evening.test_changes import begun, told
from tests.evening.test_changes import do as do_act
from tests.services.damages import findings as found_anywhere
from tests.services.evenings import FIVE, SIX, Evening, findings, new_session, sheet, start
from tests.services.files.test_session_import import assert_comes_in_again

ADA, BEA, CIRO, DORA, EZIO, FULVIA = all_seats(6)
SIX_SEATS = (ADA, BEA, CIRO, DORA, EZIO, FULVIA)
SWAPPED = (BEA, ADA, CIRO, DORA, EZIO)


def five(count: int = 0) -> Evening:
    """Five at the table and some deals; Ada deals first."""
    evening = start("classic-plain", first_dealer=0)
    for _ in range(count):
        evening.record()
    return evening


def test_cards_that_were_written_meanwhile_are_no_conflict() -> None:
    evening = five(1)
    seen = evening.state.row.written
    play = {"called_card": "KC", "tricks": [["7B"]]}
    write_tricks(evening.session_id, TricksEntry(1, 0, play), evening.by)
    change = Change(next_number=2, seats=SWAPPED, seen=seen)

    do(*evening.keys, change, by=evening.by)
    write_tricks(evening.session_id, TricksEntry(1, 1, play, "as Ada says"), evening.by)
    again = do(*evening.keys, change, by=evening.by)

    assert again == 0
    assert evening.state.row.changes == 1
    evening.record(sheet())
    with pytest.raises(ConflictError):
        do(*evening.keys, replace(change, from_number=1), by=evening.by)
    assert findings(evening) == []


def test_guest_may_be_somebody_the_circle_knows() -> None:
    evening = five(1)
    players = len(queries.circle.players(evening.circle_id))
    sessions.start_session(new_session(players=["Gino", *FIVE[1:]], circle_id=evening.circle_id))

    evening.change(order=SIX_SEATS, guests=[Guest(" gino ", 5)])

    state = evening.state
    assert (state.names[FULVIA], state.opening[state.order[FULVIA]]) == ("Gino", 5)
    assert len(queries.circle.players(evening.circle_id)) == players + 1
    assert findings(evening) == []


def test_deal_under_way_is_dealt_by_whose_turn_it_is_now() -> None:
    evening = five(2)
    evening.start_deal({"caller": "Ada", "bid": 61})

    evening.change(1, order=SWAPPED, dealer=EZIO)

    under_way = queries.find(models.StartedDeal, *evening.keys)
    assert under_way is not None
    assert under_way.dealer == evening.state.evening.turn.dealer == ADA
    assert findings(evening) == []


LETTERS = "ABCDEF"


def played(begin: Any, acts: list[list[Any]]) -> Evening:
    """Begin an evening, and do its acts."""
    table = begun(begin)
    first, people = LETTERS.index(table["first"]), SIX[: len(table["seats"])]
    evening = start(table["rules"], people, game=table["game"], first_dealer=first)
    for act, *said in deepcopy(acts):
        if act == "expect":
            assert said[0].items() <= told(evening.state.evening).items()
            continue
        if act == "change" and "guests" in said[0]:
            said[0]["guests"] = [Guest(*guest) for guest in said[0]["guests"]]
        do_act(evening, act, said, LETTERS.index)
    return evening


@rows(__file__, "evenings")
def test_evening_is_dealt_and_paid_as_its_acts_say_and_comes_in_again(
    begin: Any, acts: list[list[Any]]
) -> None:
    evening = played(begin, acts)

    assert evening.state.row.finished_number == evening.state.evening.ended
    assert_comes_in_again(evening)


def out_of(evening: Evening) -> SittingOut:
    found = sitting_out(evening.state)
    assert found is not None
    return found


def play(evening: Evening) -> None:
    """Record a deal among those who play it."""
    state = evening.state
    caller, partner, *_ = (state.names[seat] for seat in state.table().active)
    evening.record(sheet(caller, partner))


def chosen(evening: Evening, seat: int | None, instead: int | None = None) -> None:
    state = evening.state
    seen = state.row.next_number, state.row.written
    choose(evening.session_id, *seen, evening.by, chosen=seat, instead=instead)


def test_chosen_ones_are_written_and_only_deals_that_were_played_and_stand_count() -> None:
    rules = {"preset": "classic-plain", "sits_out": "dealer"}
    evening = start(rules, SIX, first_dealer=0)
    evening.record(None, Outcome.MISDEAL)
    play(evening)
    play(evening)
    evening.void(3)
    chosen(evening, CIRO, instead=BEA)
    play(evening)

    found = out_of(evening)
    assert (found.times[ADA], found.times[BEA], found.times[CIRO]) == (1, 0, 1)
    assert found.ahead == {CIRO: 1, BEA: -1}
    assert (found.out, found.offered) == ((CIRO,), (CIRO, BEA))

    chosen(evening, BEA, instead=CIRO)
    assert out_of(evening).offered is None
    assert findings(evening) == []


def payouts(evening: Evening) -> list[dict[str, int]]:
    return [deal.payouts for deal in evening.state.deals]


def test_backup_restored_under_a_running_process_is_seen(
    evening: Evening, database_url: str, tmp_path: Path
) -> None:
    file = Path(make_url(database_url).database or "")

    def put_back(backup: Path) -> None:
        db.session.remove()
        db.engine.dispose()
        restore(backup, file)

    early, late = tmp_path / "early", tmp_path / "late"
    evening.record()
    before = payouts(evening)
    back_up(file, early)
    evening.record(sheet("Ciro", "Dora"))
    evening.record(sheet("Ezio", None))
    after = payouts(evening)
    back_up(file, late)

    put_back(early)
    assert payouts(evening) == before
    evening.record(sheet("Dora", "Ezio"))
    assert payouts(evening) != after[:2]
    put_back(late)
    assert payouts(evening) == after
    assert found_anywhere() == []
