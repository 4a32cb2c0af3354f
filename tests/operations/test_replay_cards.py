"""The cards of a deal in a session file: read like everything else, and compared with the sheet."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorer.operations import check, replay
from tests.data.mistakes import PLAIN, WITH_CARDS
from tests.data.strategies import examples
from tests.games.played import bare, deals, shown, whole
from tests.games.tables import Deal
from tests.operations.test_any_input import check_replayed, mutated

SESSION: dict[str, Any] = {**PLAIN, "deals": [WITH_CARDS]}


def found(problems: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(problem["code"], problem["field"]) for problem in problems]


def test_cards_that_agree_with_the_sheet_change_nothing() -> None:
    deal = {key: WITH_CARDS[key] for key in ("dealer", "sheet")}
    without = {**SESSION, "deals": [deal]}

    assert replay(SESSION)["warnings"] == []
    assert replay(SESSION) == replay(without)


def test_cards_of_a_game_without_tricks_are_odd() -> None:
    sheet = {"cards": [22, 18], "coins": [6, 4], "settebello": 0, "primiera_winner": 0,
             "sweeps": [1, 0]}  # fmt: skip
    deals = [{"sheet": sheet, "play": {"tricks": []}}]

    answer = replay({"game": "scopa", "seats": ["Ada", "Bea"], "deals": deals})

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
