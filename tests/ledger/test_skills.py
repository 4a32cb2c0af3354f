"""Skills after contests: to the last bit what OpenSkill gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import example, given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from scorer.ledger.skills import NEWCOMER, Skill, after_contest

if TYPE_CHECKING:
    from collections.abc import Sequence

MODEL = PlackettLuce(mu=0.0)
SKILLS = st.builds(Skill, st.floats(-80, 80), st.floats(0.01, 20))
CONTESTS = st.lists(
    st.tuples(st.lists(SKILLS, min_size=1, max_size=5), st.integers(0, 4)), min_size=2, max_size=6
)
EVEN = [([NEWCOMER] * 2, 1), ([NEWCOMER] * 3, 2)]


def by_openskill(
    sides: Sequence[Sequence[Skill]], places: Sequence[int]
) -> list[tuple[Skill, ...]]:
    teams = [[MODEL.rating(mu=one.skill, sigma=one.spread) for one in side] for side in sides]
    rated = MODEL.rate(teams, ranks=[float(place) for place in places])
    return [tuple(Skill(one.mu, one.sigma) for one in side) for side in rated]


@given(CONTESTS)
@example(EVEN)
@example([([NEWCOMER], 1), ([NEWCOMER], 1)])
@example([([NEWCOMER], 2), ([NEWCOMER], 1), ([NEWCOMER], 2), ([Skill(9.0, 0.01)], 3)])
def test_skills_are_those_of_openskill(contest: list[tuple[list[Skill], int]]) -> None:
    sides, places = [side for side, _ in contest], [place for _, place in contest]

    assert after_contest(sides, places) == by_openskill(sides, places)


@given(st.lists(st.tuples(st.permutations(range(5)), st.booleans()), max_size=30))
def test_long_runs_of_contests_drift_from_openskill_by_nothing(
    deals: list[tuple[list[int], bool]],
) -> None:
    ours, theirs = [NEWCOMER] * 5, [NEWCOMER] * 5
    for (caller, partner, *others), made in deals:
        seats, places = [[caller, partner], others], [1, 2] if made else [2, 1]
        for skills, rate in ((ours, after_contest), (theirs, by_openskill)):
            for side, after in zip(
                seats, rate([[skills[n] for n in side] for side in seats], places), strict=True
            ):
                for n, one in zip(side, after, strict=True):
                    skills[n] = one

    assert ours == theirs


def test_newcomer_is_one_of_openskill() -> None:
    assert Skill(MODEL.rating().mu, MODEL.rating().sigma) == NEWCOMER
