"""Evenings act by act: who deals, who sits out, what each deal pays. Seats are letters, A to F."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from scorer.rules.game import Outcome
from scorer.services.session.changes import Guest
from scorer.services.session.state import load_state
from tests.services.evenings import SIX, Evening, findings, sheet, start

FILE = Path(__file__).with_name("evenings.json")
LETTERS = "ABCDEF"


def seats(letters: str) -> list[int]:
    return [LETTERS.index(letter) for letter in letters]


def letters(seats: Iterable[int]) -> str:
    return "".join(LETTERS[seat] for seat in seats)


def answers(people: str = "Ada Bea", other: dict[str, Any] | None = None) -> Any:
    """Write the sheet of a caller and a partner, or of one who is alone."""
    caller, partner = people.split()
    return sheet(caller, None if partner == "alone" else partner) | (other or {})


def change(evening: Evening, wanted: dict[str, Any]) -> None:
    values = dict(wanted, guests=[Guest(*guest) for guest in wanted.get("guests", ())])
    for name in {"order", "sits_out"} & wanted.keys():
        values[name] = seats(wanted[name])
    if "dealer" in wanted:
        values["dealer"] = LETTERS.index(wanted["dealer"])
    evening.change(**values)


ACTS: dict[str, Callable[..., object]] = {
    "record": lambda evening, *said: evening.record(answers(*said)),
    "sheet": lambda evening, sheet: evening.record(sheet),
    "outcome": lambda evening, name, sheet=None: evening.record(sheet, Outcome(name)),
    "amend": lambda evening, number, *said: evening.amend(number, answers(*said)),
    "void": lambda evening, number: evening.void(number),
    "restore": lambda evening, number: evening.restore(number),
    "change": change,
}


def outcome(evening: Evening) -> dict[str, Any]:
    """Tell what an evening came to, by the names of the file."""
    state = load_state(*evening.keys)
    deals = [evening.deal(number) for number in range(1, evening.next_number())]
    return {
        "dealers": letters(deal.turn.dealer for deal in deals),
        "out": [letters(deal.entry.sits_out) for deal in deals],
        "versions": [deal.version for deal in deals],
        "paid": [{LETTERS[seat]: n for seat, n in deal.entry.paid.items()} for deal in deals],
        "balances": evening.balances(),
        "names": list(state.names),
        "order": letters(state.order),
        "next": LETTERS[state.evening.turn.dealer],
        "times": state.evening.turn.times,
        "finished": state.row.finished_number,
        "winners": letters(state.evening.result.winners),
    }


CASES = {case["id"]: case for case in json.loads(FILE.read_text(encoding="utf-8"))}


def played(case: dict[str, Any]) -> Evening:
    """Begin the evening of a case, and do its acts."""
    evening = start(
        case.get("rules", "classic"),
        SIX[: len(case.get("seats", "ABCDE"))],
        game=case.get("game", "briscola-chiamata"),
        first_dealer=LETTERS.index(case.get("first", "E")),
    )
    for act, *arguments in case["acts"]:
        ACTS[act](evening, *arguments)
    return evening


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_evening_is_dealt_and_paid_as_its_acts_say(case: dict[str, Any]) -> None:
    evening = played(case)

    found = outcome(evening)
    assert {name: found[name] for name in case["expect"]} == case["expect"]
    assert findings(evening) == []
