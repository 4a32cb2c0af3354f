"""Changes of rules and seats as they are written; what they do is said of an evening in memory."""

from dataclasses import replace

import pytest

from scorer.errors import ConflictError, InvalidError
from scorer.evening.acts import Dispute
from scorer.evening.session_acts import Change, Guest
from scorer.rules.seats import all_seats
from scorer.services.cards.tricks import TricksEntry, write_tricks
from scorer.services.session import sessions
from scorer.services.session.state import load_state
from scorer.services.session.writing import do
from scorer.storage import models, queries
from tests.services.evenings import FIVE, Evening, findings, new_session, sheet, start
from tests.web.rows import every_row

ADA, BEA, CIRO, DORA, EZIO, FULVIA = all_seats(6)
SIX_SEATS = (ADA, BEA, CIRO, DORA, EZIO, FULVIA)
SWAPPED = (BEA, ADA, CIRO, DORA, EZIO)


def five(count: int = 0) -> Evening:
    """Five at the table and some deals; Ada deals first."""
    evening = start("classic-plain", first_dealer=0)
    for _ in range(count):
        evening.record()
    return evening


def test_reviews_and_cards_that_were_written_meanwhile_are_no_conflict() -> None:
    evening = five(1)
    seen = evening.state.row.written
    evening.do(1, Dispute, reason="Ciro was alone")
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

    state = load_state(*evening.keys)
    assert (state.names[FULVIA], state.opening[state.order[FULVIA]]) == ("Gino", 5)
    assert len(queries.circle.players(evening.circle_id)) == players + 1
    assert findings(evening) == []


def test_nothing_is_written_of_a_change_that_is_refused() -> None:
    evening = five(2)
    before = every_row()

    with pytest.raises(InvalidError):
        evening.change(1, order=SIX_SEATS, guests=[Guest("Gino")], sits_out=[BEA])

    assert every_row() == before


def test_deal_under_way_is_dealt_by_whose_turn_it_is_now() -> None:
    evening = five(2)
    evening.start_deal({"caller": "Ada", "bid": 61})

    evening.change(1, order=SWAPPED, dealer=EZIO)

    under_way = queries.find(models.StartedDeal, *evening.keys)
    assert under_way is not None
    assert under_way.dealer == evening.state.evening.turn.dealer == ADA
    assert findings(evening) == []
