"""What an open deal comes to by plain minimax, without pruning: for the last tricks only."""

from random import Random

from scorer.cards.solver.open_deal import OpenDeal, Position

WORTHS = (11, 10, 4, 3, 2)


def plain_value(deal: OpenDeal, position: Position) -> int:
    """The card points that our side ends with."""
    cards = deal.playable(position)
    if not cards:
        return position.taken
    values = [plain_value(deal, deal.after(position, card)) for card in cards]
    return max(values) if deal.to_play(position) in deal.ours else min(values)


def ending(seed: int, *, tricks: int, likes: str = "") -> OpenDeal:
    """Deal some cards at random, a few of them played: any number of hands, decks and rules.

    ``likes`` asks for ``dead`` hands, ``follow`` suit, or a ``monte``.
    """
    random = Random(seed)
    height, players = random.choice([9, 10]), random.choice([4, 5, 6])
    pack = random.sample(range(4 * height), 4 * height)
    hands = tuple(tuple(pack[tricks * i : tricks * (i + 1)]) for i in range(players))
    caller, partner = random.randrange(players), random.randrange(players)
    dead = random.choice([p for p in range(players) if p != caller]) if likes == "dead" else None
    follows = frozenset(range(players)) if likes == "follow" or seed % 7 == 0 else frozenset()
    return OpenDeal(
        height=height,
        points=(*WORTHS, *[0] * (height - 5)) * 4,
        hands=hands,
        ours=frozenset({caller, partner}) - {dead},
        follows=follows - {dead},
        dead=dead,
        aside=random.randrange(20) if likes == "monte" else 0,
        leader=random.randrange(players),
        played=(),
        target=random.randrange(1, 40),
        names=(),
        texts=(),
    )


def some_way_on(deal: OpenDeal, seed: int) -> Position:
    """Play at random into the first trick, or not at all."""
    random, position = Random(seed), deal.positions()[0]
    for _ in range(random.randrange(len(deal.hands))):
        position = deal.after(position, random.choice(deal.playable(position)))
    return position
