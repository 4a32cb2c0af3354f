"""Evenings whose seats and rules change for deals that were played, and guests bring something in.

What else people do to an evening is in `tests/evening`.
"""

from copy import deepcopy
from typing import Any

from scorer.evening.session_acts import Guest
from tests.data.rows import rows
from tests.evening.test_changes import begun, do, told
from tests.services.evenings import SIX, Evening, findings, start
from tests.services.files.test_session_import import assert_comes_in_again

LETTERS = "ABCDEF"


def played(begin: Any, acts: list[list[Any]]) -> Evening:
    """Begin an evening, and do its acts."""
    table = begun(begin)
    first, people = LETTERS.index(table["first"]), SIX[: len(table["seats"])]
    evening = start(table["rules"], people, game=table["game"], first_dealer=first)
    for act, *said in deepcopy(acts):
        if act == "expect":
            assert said[0].items() <= told(evening.state.evening).items()
            continue
        if act == "change" and "guests" in said[0]:
            said[0]["guests"] = [Guest(*guest) for guest in said[0]["guests"]]
        do(evening, act, said, LETTERS.index)
    return evening


@rows(__file__, "evenings")
def test_evening_is_dealt_and_paid_as_its_acts_say_and_comes_in_again(
    begin: Any, acts: list[list[Any]]
) -> None:
    evening = played(begin, acts)

    assert evening.state.row.finished_number == evening.state.evening.ended
    assert findings(evening) == []
    assert_comes_in_again(evening)
