import json
import signal
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from scorer import cli
from scorer.documents import decode
from scorer.operations import score, solve
from tests.games.tables import play, record_of
from tests.samples import DEAL, RECORD

KEYS = "id ok decided target bounds made value best nodes verdicts turning"
CLAIM = RECORD["claim"]
HANDS = {
    "Ada": "7B 5C QB 6S 3S 3D 6B 2B",
    "Bea": "2D 4D 6D KB QS KC 7C AC",
    "Ciro": "4S 3B AD JS QD 4B JC 2C",
    "Dora": "KS KD 7D 5D 7S 5B 3C JD",
    "Ezio": "JB AS QC AB 2S 5S 6C 4C",
}


def dealt(preset: Any, seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A whole record, and the same with its hands and but some of its tricks."""
    record = record_of(play(preset, seed))
    claim = {key: record["claim"][key] for key in ("caller", "bid", "called_card", "partner")}
    whole = {**record, "claim": claim}
    return {key: whole[key] for key in whole if key != "hands"}, whole


def test_answer_is_as_the_contract_says() -> None:
    answer = solve({**RECORD, "ask": "verdicts", "from": {"trick": 5, "card": 1}})

    assert " ".join(answer) == KEYS
    assert json.loads(json.dumps(answer)) == answer
    assert len(answer["verdicts"]) == 20
    assert answer["turning"] == {"trick": 5, "card": 2, "player": "Ada", "played": "QD"}


def test_end_of_the_record_is_meant_where_no_card_is_told() -> None:
    answer = solve(RECORD)

    assert (answer["made"], answer["bounds"], answer["nodes"]) == (True, [72, 72], 0)


def test_null_is_as_good_as_left_out() -> None:
    asked = {"from": None, "limit": {"nodes": None, "seconds": None}}

    assert solve({**RECORD, "limit": {"seconds": 5, "nodes": 10}}) == solve(RECORD)
    assert solve({**RECORD, **asked}) == solve({**RECORD, "limit": None}) == solve(RECORD)


@pytest.mark.parametrize("preset", [
    "classic", "monte-5", "monte-6", "monte-7", "rulebook", "four-literal",
    {"preset": "four-literal", "cards_each": 8, "dead_hand": True},
    {"preset": "classic", "play": {"follow_suit": True}},
    {"preset": "four-literal", "deck": "no-twos-36", "cards_each": 9},
], ids=str)  # fmt: skip
@pytest.mark.untraced
def test_hands_and_some_tricks_are_answered_like_the_whole_record(preset: Any) -> None:
    whole, dealt_out = dealt(preset, 1)
    each = len(whole["tricks"])
    asked = {"ask": "value", "from": {"trick": each - 1}}
    if whole["rules"] == {"preset": "four-literal", "cards_each": 8, "dead_hand": True}:
        turned = [card for trick in whole["tricks"] for card in trick["cards"]]
        hand = dealt_out["hands"]["Morto"]
        dealt_out["hands"]["Morto"] = sorted(hand, key=turned.index)
    part = {**dealt_out, **asked, "tricks": dealt_out["tricks"][: each - 2]}
    caller = whole["claim"]["caller"]
    unsaid = {**part, "hands": {n: hand for n, hand in part["hands"].items() if n != caller}}

    answers = [solve(request) for request in ({**whole, **asked}, part, unsaid)]

    assert answers[0]["decided"]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["value"] == answers[0]["bounds"][0]


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(3))
def test_last_position_has_the_points_that_check_finds(seed: int) -> None:
    deal = play(["classic", "monte-5", "rulebook"][seed % 3], seed)
    whole = record_of(deal)

    answer = solve({**whole, "ask": "value"})

    assert answer["value"] == deal.side_points
    assert (answer["target"], answer["made"]) == (deal.target, deal.side_points >= deal.target)


def test_deal_before_its_first_card_may_be_asked_about() -> None:
    hands = {name: cards.split() for name, cards in HANDS.items()}
    claim = {**CLAIM, "bid": "2@75", "card_points": None, "made": None}
    asked = {"rules": "ladder-bands", "hands": hands, "tricks": [], "claim": claim}

    answer = solve({**RECORD, **asked, "limit": {"nodes": 1}})

    assert (answer["ok"], answer["decided"], answer["bounds"]) == (True, False, [0, 120])


def test_game_without_cards_is_not_solved() -> None:
    assert not solve(DEAL)["ok"]
    assert score(DEAL)["ok"]


def test_who_was_the_partner_must_be_told() -> None:
    for seed in range(40):
        whole, _ = dealt("monte-5", seed)
        del whole["claim"]["partner"]
        answer = solve(whole)
        if not answer["ok"]:
            assert [(one["code"], one["field"]) for one in answer["problems"]] == [
                ("partner-unknown", "claim.partner")
            ]
            return
    pytest.fail("in no deal the caller had the called card")


def test_order_of_the_dead_hand_must_be_that_of_its_cards_so_far() -> None:
    dead = {"preset": "four-literal", "cards_each": 8, "dead_hand": True}
    _, record = dealt(dead, 1)
    turned = [card for trick in record["tricks"] for card in trick["cards"]]
    hand = sorted(record["hands"]["Morto"], key=turned.index, reverse=True)
    hands = {**record["hands"], "Morto": hand}

    answer = solve({**record, "hands": hands, "tricks": record["tricks"][:3]})

    assert [one["code"] for one in answer["problems"]] == ["cards-unknown"]


def test_discards_must_be_told_while_tricks_are_missing() -> None:
    _, record = dealt("monte-5", 2)
    left = {key: record[key] for key in record if key != "discards"}

    answer = solve({**left, "tricks": record["tricks"][:3]})

    assert [one["code"] for one in answer["problems"]] == ["cards-unknown"]


def test_no_search_lasts_longer_than_it_may() -> None:
    began = monotonic()
    answer = solve({**RECORD, "ask": "value", "from": {}}, seconds=0.2, memory=1)

    assert not answer["decided"]
    assert monotonic() - began < 30, "all of it takes hours"


def test_interrupted_command_tells_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "deals.jsonl"
    line = json.dumps({**RECORD, "from": {}}) + "\n"
    file.write_text(2 * line, encoding="utf-8")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    go_on = cli.WatchedSearch.go_on

    def interrupt(watched: cli.WatchedSearch, nodes: int) -> bool:
        signal.raise_signal(signal.SIGINT)
        return go_on(watched, nodes)

    monkeypatch.setattr(cli.WatchedSearch, "go_on", interrupt)
    before = signal.getsignal(signal.SIGINT)

    status = cli.main(["solve", "--memory", "1", str(file)])

    told = capfdbinary.readouterr()
    answer = decode(told.out)
    assert (status, answer["decided"], answer["bounds"]) == (130, False, [0, 120])
    assert b" nodes" in told.err
    assert signal.getsignal(signal.SIGINT) is before


def test_second_interrupt_ends_the_command() -> None:
    watched = cli.WatchedSearch()
    with pytest.raises(KeyboardInterrupt):
        watched.interrupt()
    watched.running = True
    watched.interrupt()
    with pytest.raises(KeyboardInterrupt):
        watched.interrupt()
