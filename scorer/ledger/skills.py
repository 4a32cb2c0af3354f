"""Skills after a contest of sides, by the Plackett–Luce model of Weng and Lin.

The formulas are those of OpenSkill (R. C. Weng and C.-J. Lin, A Bayesian Approximation Method for
Online Ranking, JMLR 12, 2011, algorithm 4), in its order of operations, so that both agree to the
last bit. Skills are counted from a newcomer's, which is 0.
"""

from __future__ import annotations

from itertools import count
from math import exp, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Skill(NamedTuple):
    """A skill, and its spread: one standard deviation."""

    skill: float
    spread: float


NEWCOMER = Skill(0.0, 25 / 3)
#: The variance of one contest, and how much that of a skill grows before each.
LUCK, DRIFT = (25 / 6) ** 2, (25 / 300) * (25 / 300)
#: So much of a variance is left after any contest.
LEAST = 0.0001
#: Players of a side are added up with the surest first, by so many spreads.
SURE = 3.0


def after_contest(
    sides: Sequence[Sequence[Skill]], places: Sequence[int]
) -> list[tuple[Skill, ...]]:
    """Give everybody's skill after a contest in which the sides took these places."""
    order = sorted(range(len(sides)), key=places.__getitem__)
    wider = [[Skill(one, sqrt(spread * spread + DRIFT)) for one, spread in sides[n]] for n in order]
    strengths = [_strength(side) for side in wider]
    changes = _changes(strengths, [places[n] for n in order])
    found: list[tuple[Skill, ...]] = [()] * len(sides)
    for n, side, (_, variance), (rise, certainty) in zip(
        order, wider, strengths, changes, strict=True
    ):
        found[n] = tuple(_moved(one, variance, rise, certainty) for one in side)
    return found


def _strength(side: Sequence[Skill]) -> tuple[float, float]:
    """Add up the skills and the variances of a side."""
    if len(side) > 2:  # two floats come to the same in any order
        side = sorted(side, key=lambda one: one.skill - SURE * one.spread, reverse=True)
    mean = variance = 0.0
    for skill, spread in side:
        mean += skill
        variance += spread**2
    return mean, variance


def _changes(
    strengths: Sequence[tuple[float, float]], places: Sequence[int]
) -> Iterator[tuple[float, float]]:
    """Say for each side, best first, how far its skill rises and how much surer it is by that."""
    whole = 0.0
    for _, variance in strengths:
        whole += variance + LUCK
    scale = sqrt(whole)
    weights = [exp(mean / scale) for mean, _ in strengths]
    fields = _fields(weights, places)
    for n, weight, place, (_, variance) in zip(count(), weights, places, strengths, strict=False):
        rise = certainty = 0.0
        for other, (field, level, of) in enumerate(fields):
            if of > place:
                break
            chance = weight / field
            certainty += chance * (1 - chance) / level
            rise += (1 - chance) / level if other == n else -(chance / level)
        shown = sqrt(variance) / scale
        yield rise * (variance / scale), certainty * (variance / scale**2) * shown


def _fields(weights: Sequence[float], places: Sequence[int]) -> list[tuple[float, int, int]]:
    """Say for each side what it contended with, with how many on one level, and at which place."""
    found = []
    for place in places:
        field = 0.0
        for weight in weights[places.index(place) :]:
            field += weight
        found.append((field, places.count(place), place))
    return found


def _moved(before: Skill, variance: float, rise: float, certainty: float) -> Skill:
    part = before.spread**2 / variance
    left = max(1 - part * certainty, LEAST)
    return Skill(before.skill + part * rise, before.spread * sqrt(left))
