from hypothesis import given
from hypothesis import strategies as st

from scorer.games.briscola_chiamata import GAME
from scorer.games.briscola_chiamata.bids import Auction, Bid
from scorer.rules.seats import Seat, all_seats
from tests.data.rows import rows
from tests.data.strategies import examples

STYLES = {
    style: GAME.rules_from({"preset": "ladder-bands", "auction": {"style": style}})[0]
    for style in ("points", "ladder", "ladder-then-points", "none")
}
RANKS = ["A", "3", "K", "Q", "J", "7", "6", "5", "4", "2"]
IN_ORDER = {
    "points": [str(points) for points in range(61, 121)],
    "ladder": RANKS,
    "ladder-then-points": [*RANKS, *(f"2@{points}" for points in range(62, 121))],
}
Calls = list[tuple[int, str]]


def follow(calls: Calls, style: str) -> Auction:
    read = [(Seat(seat), None if call == "pass" else Bid.parse(call)) for seat, call in calls]
    auction = Auction(STYLES[style], all_seats(5), Seat(1))
    for number, (seat, bid) in enumerate(read):
        auction = auction.say_bid(seat, bid, f"auction[{number}]")
    return auction


def written(text: str) -> Calls:
    return [(int(seat), call) for seat, call in (part.split(":") for part in text.split())]


@rows(__file__, "lawful")
def test_lawful_auction_closes_with_its_highest_bidder(
    style: str, calls: str, caller: int, bid: str
) -> None:
    auction = follow(written(calls), style)

    assert auction.problems == auction.warnings == ()
    assert auction.closed
    assert auction.bid is not None
    assert (auction.caller, str(auction.bid)) == (caller, bid)


@rows(__file__, "faults")
def test_every_fault_of_an_auction_is_found(style: str, calls: str, problems: list[str]) -> None:
    auction = follow(written(calls), style)

    assert [f"{p.code} {p.field}" for p in auction.problems] == problems


@rows(__file__, "odd")
def test_points_before_a_plain_two_are_odd_but_no_fault(
    style: str, calls: str, *, odd: bool
) -> None:
    auction = follow(written(calls), style)

    assert auction.problems == ()
    assert [problem.code for problem in auction.warnings] == ["bid-skips-two"] * odd


@st.composite
def lawful_auctions(draw: st.DrawFn) -> tuple[str, Calls]:
    """Give a style and an auction as players bid it: everybody in turn, each bid higher."""
    style = draw(st.sampled_from(sorted(IN_ORDER)))
    left, calls, bar = [1, 2, 3, 4, 0], [], -1
    while len(left) > 1 or (left and bar < 0):
        seat = left.pop(0)
        higher = range(bar + 1, len(IN_ORDER[style]))
        if higher and draw(st.booleans()):
            bar = draw(st.sampled_from(higher[:12]))
            calls.append((seat, IN_ORDER[style][bar]))
            left.append(seat)
        else:
            calls.append((seat, "pass"))
    return style, calls


@examples(100)
@given(lawful_auctions())
def test_any_lawful_auction_is_accepted(played: tuple[str, Calls]) -> None:
    style, calls = played
    auction = follow(calls, style)
    bids = [(seat, call) for seat, call in calls if call != "pass"]

    assert auction.problems == ()
    assert auction.closed
    assert (auction.bid is None) == (not bids)
    if bids:
        assert (auction.caller, str(auction.bid)) == bids[-1]
    before = follow(calls[:-1], style)
    assert (before.closed, before.turn) == (False, calls[-1][0])
