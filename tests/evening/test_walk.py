"""An evening by seats, as a stored session walks through it: 0 is Ada, 1 Bea, 2 Ciro …"""

from typing import Any

from scorer import Evening
from scorer.evening import Terms, TermsChange, judged
from scorer.games import find_game
from scorer.rules.game import Outcome, Table
from scorer.rules.seats import Seat, all_seats
from tests.data.examples import NAMES

GAME = find_game("briscola-chiamata")
CLASSIC = GAME.presets["classic"]
FIVE, SEATS = NAMES[:5], all_seats(5)
TABLE = Table(CLASSIC, FIVE, SEATS)
SHEET: dict[str, Any] = {"caller": "Bea", "partner": "Dora", "bid": "66", "card_points": 70}


def walk(**other: Any) -> Evening:
    return Evening(GAME, FIVE, Terms(CLASSIC, SEATS), dict.fromkeys(SEATS, 0), **other)


def seats(*numbers: int) -> tuple[Seat, ...]:
    return tuple(Seat(number) for number in numbers)


def test_entry_of_a_penalty_has_an_offender() -> None:
    entry = judged(GAME, TABLE, Outcome.PENALTY, {"offender": "Ciro"})

    assert (entry.roles, entry.bid, entry.played) == ({Seat(2): "offender"}, None, None)
    assert entry.answers(FIVE) == {"offender": "Ciro"}
    assert entry.paid == entry.score.payouts == {**dict.fromkeys(SEATS, 1), Seat(2): -4}


def test_of_deals_to_come_the_dealers_are_known() -> None:
    evening = walk(first=Seat(3))
    evening.go_on(TermsChange(1, 1, None, order=SEATS, dealer=Seat(1)))

    assert [turn.dealer for turn, _ in evening.ahead(4)] == [1, 2, 3, 4]
    assert [active for _, active in evening.ahead(2)] == [SEATS, SEATS]
    assert (evening.number, evening.turn.dealer) == (1, 1)


def test_who_is_out_deals_none_of_the_deals_to_come() -> None:
    scala = find_game("scala-quaranta")
    totals = {Seat(0): 0, Seat(1): 120, Seat(2): 5}
    terms = Terms(scala.presets["buy-in"], SEATS[:3])
    evening = Evening(scala, FIVE[:3], terms, totals, first=Seat(0))

    assert [turn.dealer for turn, _ in evening.ahead(3)] == [0, 2, 0]


def test_in_scala_quaranta_who_is_out_does_not_deal_when_deals_follow() -> None:
    evening = Evening.begin("scala-quaranta", ["Ada", "Bea", "Ciro"])
    evening.record({"closed": "Ada", "hands": {"Bea": 50, "Ciro": 2}})
    evening.record({"closed": "Ada", "hands": {"Bea": 60, "Ciro": 2}})
    evening.record({"closed": "Ada", "hands": {"Ciro": 2}})

    other = evening.begun(TermsChange(1, 1, None, order=seats(0, 2, 1)))
    booked = [deal for deal, _ in other.again(evening.deals, lambda _: True, follow=True)]

    assert [deal.dealer for deal in booked] == ["Ada", "Ciro", "Ada"]
    assert [deal.entry.sits_out for deal in booked] == [(), (), (Seat(1),)]


def test_deals_that_are_left_out_keep_their_numbers() -> None:
    evening = walk()
    for _ in range(3):
        evening.record(SHEET)

    other = evening.begun()
    other.book_again(deal for deal in evening.deals if deal.number != 2)

    assert [deal.number for deal in other.deals] == [1, 3]
    assert (other.number, other.played) == (4, 2)
