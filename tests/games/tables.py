"""A second program that plays deals, from the rules alone: texts and lists.

``play`` deals and plays at random, and so knows what really happened; ``record_of`` writes it down.
"""

from random import Random
from typing import Any, NamedTuple

from tests.data.examples import NAMES
from tests.games.oracle import FRENCH, RANKS, pay, rules_of

VALUES: dict[int, int] = dict(enumerate((11, 10, 4, 3, 2)))
DEAD = "Morto"


class Trick(NamedTuple):
    leader: str
    cards: list[str]
    winner: str


class Deal(NamedTuple):
    """A deal as it really was; ``here`` are the people who play it, and a dead hand."""

    request: dict[str, Any]
    rules: dict[str, Any]
    here: list[str]
    hands: dict[str, list[str]]
    discards: list[str]
    tricks: list[Trick]
    taken: dict[str, int]
    partner: str | None
    bid: Any
    caller: str
    called: str

    @property
    def people(self) -> list[str]:
        return [name for name in self.here if name != DEAD]

    @property
    def side_points(self) -> int:
        return self.taken[self.caller] + (self.taken[self.partner] if self.partner else 0)

    @property
    def target(self) -> int:
        points = points_bid(self.bid)
        floor: int = self.rules["floor"]
        return floor if points is None else max(floor, points)


def points_bid(bid: Any) -> int | None:
    """Give the points of a bid; a rank has none."""
    if isinstance(bid, int):
        return bid
    return int(bid[2:]) if "@" in bid else None


def ranks_of(rules: dict[str, Any]) -> list[str]:
    return RANKS[rules["deck"]].split()


def worth(card: str, rules: dict[str, Any]) -> int:
    return VALUES.get(ranks_of(rules).index(card[:-1]), 0)


def pack_of(rules: dict[str, Any], *, letters: str) -> list[str]:
    return [rank + suit for suit in letters for rank in ranks_of(rules)]


def taker(cards: list[str], trump: str, rules: dict[str, Any]) -> int:
    """Give the place of the card that takes a trick."""
    order = ranks_of(rules)
    trumps = [card for card in cards if card[-1] == trump]
    led = [card for card in cards if card[-1] == cards[0][-1]]
    return cards.index(min(trumps or led, key=lambda card: order.index(card[:-1])))


def after(name: str, here: list[str], steps: int = 1) -> str:
    return here[(here.index(name) + steps) % len(here)]


def play(rules_given: Any, seed: int) -> Deal:
    """Deal and play at random, by the rules."""
    random, rules = Random(seed), rules_of(rules_given)
    extra = random.random() < 0.5 if rules["sits_out"] else False
    seats = list(NAMES[: rules["players"] + extra])
    random.shuffle(seats)
    dealer = random.choice(seats)
    people = [name for name in seats if not (extra and name == dealer)]
    here = people
    if rules.get("dead_hand"):
        start = people.index(next_here(dealer, seats, people))
        here = [*people[start:], *people[:start], DEAD]
    letters = "CDSB" if rules["deck"] not in FRENCH else random.choice(["HDSC", "CDSB"])
    pack = pack_of(rules, letters=letters)
    random.shuffle(pack)
    each = rules["cards_each"]
    hands = {name: sorted(pack[each * i : each * i + each]) for i, name in enumerate(here)}
    monte = pack[each * len(here) :]
    caller = random.choice(people)
    bid, called = lawful_call(rules, hands[caller], monte, letters, random)
    full = hands[caller] + monte
    random.shuffle(full)
    discards, held = full[each:], {name: list(hand) for name, hand in hands.items()}
    held[caller] = full[:each]
    first = next_here(dealer, seats, people)
    leader = caller if rules["play"]["first_leader"] == "caller" else first
    tricks: list[Trick] = []
    for _ in range(each):
        cards = [
            held[after(leader, here, step)].pop(random.randrange(each - len(tricks)))
            for step in range(len(here))
        ]
        winner = after(leader, here, taker(cards, called[-1], rules))
        tricks.append(Trick(leader, cards, winner))
        leader = winner
    taken = {
        name: sum(
            worth(card, rules) for trick in tricks if trick.winner == name for card in trick.cards
        )
        for name in here
    }
    taken[leader] += sum(worth(card, rules) for card in discards)
    partner = next((name for name in people if called in hands[name] and name != caller), None)
    if partner is None and rules["monte"] and random.random() < 0.5:
        partner = after(caller, here)
    request = {
        "id": seed,
        "game": "briscola-chiamata",
        "rules": rules_given,
        "seats": seats,
        "dealer": dealer,
    }
    return Deal(request, rules, here, hands, discards, tricks, taken, partner, bid, caller, called)


def next_here(dealer: str, seats: list[str], here: list[str]) -> str:
    return next(name for step in range(1, 9) if (name := after(dealer, seats, step)) in here)


def lawful_call(
    rules: dict[str, Any], hand: list[str], monte: list[str], letters: str, random: Random
) -> tuple[Any, str]:
    """Give a bid that may be made, and a card that may be called after it."""
    while True:
        bid = random.choice(lawful_bids(rules))
        called = random.choice(ranks_of(rules)) + random.choice(letters)
        if may_call(bid, called, rules, hand, monte):
            return bid, called


def lawful_bids(rules: dict[str, Any]) -> list[Any]:
    """List every bid, from the lowest to the highest."""
    auction, ranks = rules["auction"], list[Any](ranks_of(rules))
    if auction["style"] == "points":
        return list(range(auction["minimum"], auction["maximum"] + 1))
    if auction["style"] == "ladder-then-points":
        points = range(auction["after_two"], auction["maximum"] + 1)
        numbered = [f"{ranks[-1]}@{number}" for number in points]
        return ranks + numbered if rules["floor"] else numbered
    return ranks if rules["floor"] else list(range(121))


def may_call(
    bid: Any, called: str, rules: dict[str, Any], hand: list[str], monte: list[str]
) -> bool:
    ranks, call = ranks_of(rules), rules["call"]
    if not call["own_card"] and called in hand + monte:
        return False
    if isinstance(bid, int) or call["rank"] == "any":
        return True
    rank = bid.split("@")[0]
    held, meant = ranks.index(rank), ranks.index(called[:-1])
    if call["rank"] == "bid-or-stronger":
        return meant <= held
    if call["rank"] == "bid-or-weaker":
        return meant >= held
    if held == meant or not call["lowest_not_held"] or rank != ranks[-1]:
        return held == meant
    weaker = [weak + called[-1] for weak in ranks[meant + 1 :]]
    return called not in hand and all(card in hand for card in weaker)


def auction_of(deal: Deal, random: Random) -> list[list[Any]]:
    """Invent an auction that the caller won: some bid less before him, then all others pass."""
    below = lawful_bids(deal.rules)
    below = below[: below.index(deal.bid)]
    first = next_here(deal.request["dealer"], deal.request["seats"], deal.people)
    order = [after(first, deal.people, step) for step in range(len(deal.people))]
    before = order[: order.index(deal.caller)]
    bidders = sorted(random.sample(range(len(below)), min(len(before), len(below), 2)))
    calls = [
        [name, below[bidders.pop(0)] if bidders and random.random() < 0.6 else "pass"]
        for name in before
    ]
    calls.append([deal.caller, deal.bid])
    calls += [[name, "pass"] for name in order[len(before) + 1 :]]
    return calls + [[name, "pass"] for name, bid in calls[: len(before)] if bid != "pass"]


def record_of(deal: Deal) -> dict[str, Any]:
    """Write down everything of a deal."""
    tricks = [{"leader": t.leader, "cards": list(t.cards), "winner": t.winner} for t in deal.tricks]
    claim = {
        "caller": deal.caller,
        "bid": deal.bid,
        "called_card": deal.called,
        "partner": deal.partner,
        "card_points": deal.side_points,
        "made": deal.side_points >= deal.target,
        "player_points": dict(deal.taken),
        "cappotto": everything(deal),
    }
    hands = {name: list(hand) for name, hand in deal.hands.items()}
    request = {**deal.request, "claim": claim, "hands": hands, "tricks": tricks}
    return request | ({"discards": list(deal.discards)} if deal.rules["monte"] else {})


def everything(deal: Deal) -> bool:
    """Whether one side took everything, as the rules of the table count it."""
    cappotto = deal.rules["score"]["cappotto"]
    if cappotto and cappotto["test"] == "all-tricks":
        ours = {trick.winner in (deal.caller, deal.partner) for trick in deal.tricks}
        return len(ours) == 1
    return deal.side_points in (0, 120)


def payouts_of(deal: Deal) -> dict[str, int]:
    """Pay the deal by the other second program."""
    won = sum(trick.winner in (deal.caller, deal.partner) for trick in deal.tricks)
    sheet = {
        "caller": deal.caller,
        "bid": deal.bid,
        "partner": deal.partner,
        "card_points": deal.side_points,
        "tricks_won": won,
    }
    return pay({**deal.request, "sheet": sheet})[1]


def opened(trick: Any) -> tuple[list[str] | None, str | None, str | None]:
    if isinstance(trick, dict):
        return trick["cards"], trick.get("leader"), trick.get("winner")
    return trick, None, None
