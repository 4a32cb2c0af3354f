from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.cards.sides_deals import declarations
from tests.data.strategies import examples
from tests.games import plain


def points(*values: int, **more: object) -> dict[str, Any]:
    return {"hand_points": list(values), **more}


@examples(150)
@given(
    st.permutations([rank + suit for suit in "CDSB" for rank in "A23"]),
    st.permutations([rank + suit for suit in "CDSB" for rank in "KQJ7654"]),
    st.lists(st.integers(0, 10), min_size=4, max_size=4), st.sampled_from([2, 3, 4]),
)  # fmt: skip
def test_whatever_is_declared_from_hands_that_were_dealt_is_possible(
    high: list[str], low: list[str], counts: list[int], players: int
) -> None:
    each = {2: 10, 3: 13, 4: 10}[players]
    high, low, hands = [*high], [*low], []
    for count in counts[:players]:
        hand = [high.pop() for _ in range(min(count, len(high)))]
        hands.append(hand + [low.pop() for _ in range(min(each - len(hand), len(low)))])
    sides = (
        [hands[:1] + hands[2:3], hands[1:2] + hands[3:]] if players == 4 else [[h] for h in hands]
    )
    declared = [
        [declaration for hand in side for declaration in declarations(hand)] for side in sides
    ]
    values = [5, 5, 1] if players == 3 else [4, 7]

    sheet = points(*values, declarations=declared)

    assert plain.problems("tressette", sheet, players) == []
