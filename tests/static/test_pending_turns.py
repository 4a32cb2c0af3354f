"""Who deals what waits on a phone, held to who deals it once the server has it."""

from collections.abc import Sequence
from typing import Any

import pytest
from flask import Flask

from scorer.services.session.state import SessionState, load_state
from tests.static.conftest import CallScript
from tests.web.phones import Phone

SIX = ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fulvia")
FIVE = SIX[:5]
#: Acts of a queue, in their order: what is done, and to which deal.
Queue = Sequence[tuple[str, int]]


def act(kind: str, number: int) -> dict[str, Any]:
    return {
        "kind": kind,
        "number": number,
        "title": "",
        "facts": [],
        "body": [],
        "state": "",
        "foretold": {},
    }


def state_of(phone: Phone) -> SessionState:
    with phone.app.app_context():
        return load_state(*phone.keys)


def dealt(phone: Phone, number: int) -> list[Any]:
    """Say who deals and who plays a deal as the server has it, the next one included."""
    state = state_of(phone)
    if number == state.evening.number:
        return [state.evening.turn.dealer, [*state.table().active]]
    deal = state.evening.deal(number)
    return [deal.turn.dealer, [*deal.entry.table.active]]


def do(phone: Phone, kind: str, number: int) -> None:
    if kind == "record":
        table = state_of(phone).table().active
        answers = {"caller": str(table[0]), "partner": str(table[1])}
        assert phone.record(number, **answers).status_code == 303
    else:
        version = state_of(phone).evening.deal(number).version
        form = {"version": str(version), "reason": ""}
        assert phone.post(f"deals/{number}/{kind}", form).status_code == 303


def sit(phone: Phone, order: Sequence[int], dealer: int | None = None) -> None:
    """Seat everybody anew, from the next deal on."""
    forms = phone.page("table").forms
    sent = next(form for form in forms if "guest" in dict(form.fields)).lists()
    places = {str(seat): str(place) for place, seat in enumerate(order, start=1)}
    sent["place"] = [places.get(seat, "") for seat in sent["seat"]]
    sent["here"] = [str(seat) for seat in order]
    if dealer is not None:
        sent["dealer"] = [str(dealer)]
    assert phone.post("table", sent).status_code == 303


@pytest.mark.parametrize(
    ("people", "seats", "queue"),
    [
        pytest.param(FIVE, None, [("record", 3), ("void", 2)], id="a void after a record"),
        pytest.param(FIVE, None, [("void", 2), ("record", 3)], id="a void before a record"),
        pytest.param(FIVE, None, [("void", 2), ("void", 1)], id="all voided"),
        pytest.param(
            FIVE, None, [("void", 2), ("record", 3), ("restore", 2)], id="a restore after a record"
        ),
        pytest.param(FIVE, None, [("void", 2), ("restore", 2), ("record", 3)], id="restored"),
        pytest.param(FIVE, [4, 2, 0, 1, 3], [("void", 2)], id="a void after other seats"),
        pytest.param(SIX, [3, 1, 4, 0, 5, 2], [("void", 2), ("record", 3)], id="who sits out"),
        pytest.param(SIX, [0, 1, 2, 3, 4], [("void", 2), ("record", 3)], id="one has left"),
        pytest.param(SIX, None, [("record", 3), ("void", 2), ("record", 4)], id="two records"),
    ],
)
def test_turns_of_what_waits_are_those_of_the_server(
    app: Flask,
    call_script: CallScript,
    people: Sequence[str],
    seats: Sequence[int] | None,
    queue: Queue,
) -> None:
    phone = Phone(app).start(people, first_dealer="0")
    for number in (1, 2):
        do(phone, "record", number)
    if seats:
        sit(phone, seats)
    known = phone.get("ahead").get_json()

    (then,) = call_script("live/evening.js", [("foresee", [known, [act(*one) for one in queue]])])
    for one in queue:
        do(phone, *one)

    foretold = {deal["number"]: deal["turn"] for deal in then["deals"] if "turn" in deal}
    foretold[then["next"]["number"]] = then["next"]
    assert {number: [turn["dealer"], turn["active"]] for number, turn in foretold.items()} == {
        number: dealt(phone, number) for number in foretold
    }
