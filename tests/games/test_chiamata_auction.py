from hypothesis import assume, given
from hypothesis import strategies as st

from scorer.games.briscola_chiamata import GAME
from scorer.games.briscola_chiamata.bids import Auction, Bid
from scorer.rules.seats import Seat, all_seats, next_seat
from tests.data.rows import rows
from tests.data.strategies import examples

FIVE = all_seats(5)
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


def follow(
    calls: Calls, style: str, *, dealer: int = 0, active: tuple[Seat, ...] = FIVE
) -> Auction:
    read = [(Seat(seat), None if call == "pass" else Bid.parse(call)) for seat, call in calls]
    first = next_seat(Seat(dealer), all_seats(6), active)
    auction = Auction(STYLES[style], active, first)
    for number, (seat, bid) in enumerate(read):
        auction = auction.say_bid(seat, bid, f"auction[{number}]")
    return auction


def written(text: str) -> Calls:
    return [(int(seat), call) for seat, call in (part.split(":") for part in text.split())]


def codes(auction: Auction) -> list[tuple[str, str]]:
    return [(problem.code, problem.field) for problem in auction.problems]


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


def test_au9_all_pass() -> None:
    auction = follow(written("1:pass 2:pass 3:pass 4:pass 0:pass"), "ladder-then-points")

    assert (auction.closed, auction.bid) == (True, None)
    assert (auction.caller, auction.bid) == (None, None)
    assert auction.problems == ()


def test_au13_two_seats_are_still_to_speak() -> None:
    auction = follow(written("1:A 2:pass 3:pass"), "ladder-then-points")

    assert not auction.closed
    assert auction.turn == 4
    assert auction.problems == ()


@rows(__file__, "odd")
def test_points_before_a_plain_two_are_odd_but_no_fault(
    style: str, calls: str, *, odd: bool
) -> None:
    auction = follow(written(calls), style)

    assert auction.problems == ()
    assert [problem.code for problem in auction.warnings] == ["bid-skips-two"] * odd


def test_dealer_who_sits_out_is_not_asked() -> None:
    active = tuple(seat for seat in all_seats(6) if seat != 2)
    auction = follow(
        written("3:61 4:pass 5:pass 0:62 1:pass 3:pass"), "points", dealer=2, active=active
    )

    assert auction.problems == ()
    assert (auction.closed, auction.caller) == (True, 0)


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
    assert not follow(calls[:-1], style).closed


@examples(60)
@given(lawful_auctions(), st.data())
def test_one_bid_too_low_is_the_one_fault_found(
    played: tuple[str, Calls], data: st.DataObject
) -> None:
    style, calls = played
    bids = [place for place, (_, call) in enumerate(calls) if call != "pass"]
    assume(len(bids) > 1)
    place = data.draw(st.sampled_from(bids[1:]))
    bar = IN_ORDER[style].index(calls[bids[bids.index(place) - 1]][1])
    lower = data.draw(st.sampled_from(IN_ORDER[style][: bar + 1]))

    wrong = [*calls[:place], (calls[place][0], lower), *calls[place + 1 :]]

    assert codes(follow(wrong, style)) == [("bid-not-higher", f"auction[{place}]")]


@examples(60)
@given(lawful_auctions(), st.data())
def test_one_bid_after_a_pass_is_the_one_fault_found(
    played: tuple[str, Calls], data: st.DataObject
) -> None:
    style, calls = played
    passes = [place for place, (_, call) in enumerate(calls) if call == "pass"]
    assume(passes)
    passed = data.draw(st.sampled_from(passes))
    place = data.draw(st.integers(passed + 1, len(calls)))
    bid = data.draw(st.sampled_from(["pass", *IN_ORDER[style]]))

    wrong = [*calls[:place], (calls[passed][0], bid), *calls[place:]]

    assert codes(follow(wrong, style)) == [("bid-after-pass", f"auction[{place}]")]


@examples(60)
@given(lawful_auctions(), st.data())
def test_one_bid_left_out_is_one_turn_out_of_order(
    played: tuple[str, Calls], data: st.DataObject
) -> None:
    style, calls = played
    bids = [place for place, (_, call) in enumerate(calls[:-1]) if call != "pass"]
    assume(bids)
    place = data.draw(st.sampled_from(bids))

    wrong = [*calls[:place], *calls[place + 1 :]]

    assert codes(follow(wrong, style)) == [("bid-turn", f"auction[{place}]")]
