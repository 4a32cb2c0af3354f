"""How many sheets one process scores in a second."""

from random import Random
from typing import Any

from bench import yardstick
from bench.figures import Bar, Times
from scorer.games import find_game
from scorer.games.briscola_chiamata.bids import Bid, callable_ranks
from scorer.games.briscola_chiamata.rules import AuctionStyle, ChiamataRules
from scorer.operations import score
from scorer.rules.game import Table
from scorer.rules.seats import all_seats

Sheet = tuple[Any, Table[Any]]

GAME = find_game("briscola-chiamata")
NAMES = ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fulvia")
BATCH, BATCHES = 150, 150

OPERATION = "score, the whole operation: a dict in, a dict with reasons out"
PAYING = "paying a sheet that was read before"


def requests() -> list[dict[str, Any]]:
    """Invent requests as programs send them, of every preset alike."""
    random = Random(0)
    presets = list(GAME.presets.values())
    return [_request(presets[number % len(presets)], number, random) for number in range(BATCH)]


def _request(rules: ChiamataRules, number: int, random: Random) -> dict[str, Any]:
    seats = list(NAMES[: rules.players])
    caller, partner = random.sample(seats, 2)
    bid = _bid(rules, random)
    card = f"{random.choice(callable_ranks(bid, rules))}{random.choice(rules.cards.suits)}"
    alone = rules.call.own_card and random.random() < 0.1
    sheet = {
        "caller": caller,
        "bid": bid.write_wire(),
        "called_card": card,
        "partner": None if alone else partner,
        "card_points": random.choice([0, *range(2, 119), 120]),
    }
    return {"id": number, "game": GAME.slug, "rules": rules.slug, "seats": seats, "sheet": sheet}


def _bid(rules: ChiamataRules, random: Random) -> Bid:
    points = random.randint(rules.auction.lowest, rules.auction.maximum)
    rank = random.choice(rules.cards.ranks)
    match rules.auction.style:
        case AuctionStyle.POINTS:
            return Bid(None, points)
        case AuctionStyle.LADDER_THEN_POINTS if rank is rules.cards.ranks[-1]:
            return Bid(rank, points)
        case _:
            return Bid(rank, None)


def measure() -> dict[str, Times]:
    """Score sheets over and over, beside the yardstick: seconds a sheet."""
    sent = requests()
    refused = [answer for answer in map(score, sent) if not answer["ok"]]
    if refused:
        raise RuntimeError(f"these sheets should be sound: {refused[:3]}")
    read = [_read(request) for request in sent]
    return yardstick.measure({OPERATION: (score, sent), PAYING: (_pay, read)}, BATCHES)


def _pay(read: Sheet) -> object:
    return GAME.score(*read)


def _read(request: dict[str, Any]) -> Sheet:
    seats = tuple(request["seats"])
    table = Table(GAME.presets[request["rules"]], seats, all_seats(len(seats)))
    sheet, _ = GAME.read_sheet(request["sheet"], table)
    return sheet, table


def bar(taken: dict[str, Times]) -> Bar:
    """Hold the operation to what it cost where it did 28,000 a second, the limit being 20,000."""
    return Bar("a sheet scored / a deal replayed", yardstick.against(taken, OPERATION), 10)
