"""Every way to complete a record, tried one after the other: the bounds by brute force."""

from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Any, NamedTuple

from tests.games.tables import DEAD, Deal, after, next_here, opened, taker, worth

ASIDE = "aside"


class Way(NamedTuple):
    """How far a completion has come: who leads, what is left, who had the called card."""

    leader: str
    left: frozenset[str]
    holder: str | None
    points: tuple[int, ...]


class Brute(NamedTuple):
    """A record and the deal that it is of."""

    deal: Deal
    request: dict[str, Any]

    @property
    def tricks(self) -> list[tuple[list[str], str | None, str | None]]:
        each: int = self.deal.rules["cards_each"]
        told = [opened(trick) for trick in self.request["tricks"]]
        told += [(None, None, None)] * (each - len(told))
        return [(cards or [], leader, winner) for cards, leader, winner in told]

    @property
    def pack(self) -> list[str]:
        return [card for hand in self.deal.hands.values() for card in hand] + self.monte

    @property
    def unseen(self) -> frozenset[str]:
        seen = {card for cards, _, _ in self.tricks for card in cards}
        return frozenset(self.pack) - seen - {*self.request.get("discards", ())}

    @property
    def monte(self) -> list[str]:
        """What the caller took up, and laid other cards aside for."""
        dealt = {card for hand in self.deal.hands.values() for card in hand}
        played = {card for trick in self.deal.tricks for card in trick.cards}
        return sorted((played | {*self.deal.discards}) - dealt)

    @property
    def work(self) -> int:
        """About how many selections of cards there are to try."""
        left, tries, here = len(self.unseen), 1, len(self.deal.here)
        for cards, _, _ in self.tricks:
            tries *= comb(left, here - len(cards))
            left -= here - len(cards)
        return tries

    def fits(self, name: str, card: str) -> bool:
        """Whether somebody may have played a card, or laid it aside, by the hands."""
        hands, monte = self.request.get("hands") or {}, self.deal.rules["monte"]
        caller, each = self.deal.caller, self.deal.rules["cards_each"]
        if name in hands and not (monte and name == caller):
            return card in hands[name]
        if name in (caller, ASIDE) and monte and len(hands.get(caller, ())) > each:
            return card in hands[caller]
        mine = (caller, ASIDE) if monte else (caller,)
        return not any(
            card in hand and not (other == caller and name in mine) for other, hand in hands.items()
        )

    @property
    def first(self) -> list[str]:
        deal = self.deal
        if deal.rules["play"]["first_leader"] == "caller":
            return [deal.caller]
        if "dealer" in self.request or self.request.get("auction"):
            return [next_here(deal.request["dealer"], deal.request["seats"], deal.people)]
        return deal.here

    def ends(self) -> set[Way]:
        """Every end that the deal can have come to."""
        here, rules, called = self.deal.here, self.deal.rules, self.deal.called

        fitting = {
            name: {card for card in self.pack if self.fits(name, card)} for name in (*here, ASIDE)
        }

        @cache
        def results(
            leader: str, cards: tuple[str, ...], chosen: tuple[str, ...]
        ) -> set[tuple[str, str | None]]:
            order = [after(leader, here, step) for step in range(len(here))]
            completions = set[tuple[str, str | None]]()
            if any(card not in fitting[name] for name, card in zip(order, cards, strict=False)):
                return completions
            for last in permutations(chosen):
                trick = [*cards, *last]
                if all(card in fitting[name] for name, card in zip(order, trick, strict=True)):
                    holder = order[trick.index(called)] if called in trick else None
                    completions.add((order[taker(trick, called[-1], rules)], holder))
            return completions

        ways = {Way(name, self.unseen, None, (0,) * len(here)) for name in self.first}
        for cards, leader, winner in self.tricks:
            ways = {
                Way(
                    taken_by,
                    way.left - {*chosen},
                    way.holder or holder,
                    tuple(
                        points
                        + (name == taken_by) * sum(worth(c, rules) for c in (*cards, *chosen))
                        for name, points in zip(here, way.points, strict=True)
                    ),
                )
                for way in ways
                if leader in (None, way.leader)
                for chosen in combinations(sorted(way.left), len(here) - len(cards))
                for taken_by, holder in results(way.leader, tuple(cards), chosen)
                if winner in (None, taken_by)
            }
        told = self.request.get("discards", [])
        return {way for way in ways if fitting[ASIDE].issuperset((*way.left, *told))}

    def bounds(self) -> tuple[int, int]:
        """The least and the most card points of the caller's side at all these ends."""
        deal, claim, totals = self.deal, self.request["claim"], set()
        for way in self.ends():
            aside = [*way.left, *self.request.get("discards", ())]
            points = dict(zip(deal.here, way.points, strict=True))
            points[way.leader] += sum(worth(card, deal.rules) for card in aside)
            alone = way.holder in (None, deal.caller, DEAD)
            partners = [None if alone else way.holder]
            if deal.rules["monte"] and way.holder in (None, deal.caller):
                partners.append(after(deal.caller, deal.people))
            totals |= {
                points[deal.caller] + (points[partner] if partner else 0)
                for partner in partners
                if "partner" not in claim or claim["partner"] == partner
            }
        return min(totals), max(totals)
