"""The cards of a deal in a session file: read like everything else, and compared with the sheet."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.operations import check, replay
from tests.data.strategies import examples
from tests.games.played import bare, deals, shown, whole
from tests.games.tables import Deal
from tests.operations.test_any_input import check_replayed, mutated
from tests.samples import RECORD

TRICKS: list[list[str]] = RECORD["tricks"]
PLAY = {"called_card": "KC", "tricks": TRICKS}
SHEET = {"caller": "Bea", "bid": "61", "partner": "Ciro", "card_points": 72}
SESSION: dict[str, Any] = {
    "format": "scorer-session/1",
    "game": "briscola-chiamata",
    "rules": "classic",
    "seats": RECORD["seats"],
    "deals": [{"dealer": "Ezio", "sheet": SHEET, "play": PLAY}],
}


def session_of(play: Any, sheet: dict[str, Any] | None = None) -> dict[str, Any]:
    deal = {"dealer": "Ezio", "sheet": SHEET if sheet is None else sheet, "play": play}
    return {**SESSION, "deals": [{"outcome": "misdeal", "dealer": "Ezio"}, deal]}


def found(problems: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(problem["code"], problem["field"]) for problem in problems]


def test_cards_beside_a_sheet_that_cannot_be_read_are_not_compared() -> None:
    answer = replay(session_of(PLAY, {**SHEET, "partner": "Zoe"}))

    assert found(answer["problems"]) == [("unknown-name", "deals[1].sheet.partner")]
    assert answer["warnings"] == []


def test_cards_that_agree_with_the_sheet_change_nothing() -> None:
    without = {**SESSION, "deals": [{"dealer": "Ezio", "sheet": SHEET}]}

    assert replay(SESSION)["warnings"] == []
    assert replay(SESSION) == replay(without)


@pytest.mark.parametrize(
    ("called", "field"),
    [pytest.param("AC", "play.called_card", id="in the play"),
     pytest.param(None, "sheet.called_card", id="on the sheet")],
)  # fmt: skip
def test_card_that_could_not_be_called_is_odd_where_it_is_written(
    called: str | None, field: str
) -> None:
    sheet = {**SHEET, "bid": "2", "called_card": "KC"}
    session = session_of({"called_card": called, "tricks": TRICKS[:8]}, sheet)

    answer = replay({**session, "rules": "ladder-bands"})

    assert ("call-lowest", f"deals[1].{field}") in found(answer["warnings"])


@pytest.mark.parametrize(
    "session",
    [
        pytest.param({**SESSION, "deals": [{"outcome": "misdeal", "play": PLAY}]}, id="a misdeal"),
        pytest.param({"game": "scopa", "seats": ["Ada", "Bea"], "deals": [{
            "sheet": {"cards": [22, 18], "coins": [6, 4], "settebello": 0,
                      "primiera_winner": 0, "sweeps": [1, 0]},
            "play": {"tricks": []},
        }]}, id="another game"),
    ],
)  # fmt: skip
def test_cards_that_nobody_can_look_at_are_odd(session: dict[str, Any]) -> None:
    answer = replay(session)

    assert answer["ok"]
    assert found(answer["warnings"]) == [("play-not-kept", "deals[0].play")]


@examples(60)
@given(deals())
def test_cards_of_a_lawful_deal_are_compared_as_check_does(deal: Deal) -> None:
    record = bare(whole(deal)) if deal.request["id"] % 2 else whole(deal)
    claim = record["claim"]
    sheet = {key: claim[key] for key in ("caller", "bid", "partner", "card_points", "called_card")}
    play = {key: record[key] for key in ("auction", "hands", "discards", "tricks") if key in record}
    request = deal.request
    session = {
        "game": request["game"],
        "rules": request["rules"],
        "seats": request["seats"],
        "deals": [
            {"dealer": request["dealer"], "sheet": {**sheet, "shown": shown(deal)}, "play": play}
        ],
    }

    answer = replay(session)

    assert answer["problems"] == []
    of_cards = [one for one in answer["warnings"] if ".play" in one["field"]]
    assert found(of_cards) == [
        (one["code"], f"deals[0].play.{_place(one['where'])}") for one in check(record)["warnings"]
    ]


def _place(where: dict[str, Any]) -> str:
    return f"tricks[{where['trick'] - 1}]" if "trick" in where else f"auction[{where['call'] - 1}]"


@examples(150)
@given(mutated(st.just(SESSION)))
def test_any_fault_in_a_session_with_cards_is_answered(document: Any) -> None:
    check_replayed(document, replay(document))
