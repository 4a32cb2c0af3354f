"""Files of deals, checked and solved: an answer a deal."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from scorer.cards.board import Board
from scorer.cards.notation.files import DealFile, FileDeal, write_file
from scorer.games.briscola_chiamata import GAME
from scorer.operations import check, check_file, solve, solve_file
from tests.cards.card_deals import request, value_of, values
from tests.commands import lines, run
from tests.data.strategies import examples
from tests.samples import RECORD

HEADS = "smazzate: 1\ngame: briscola-chiamata\nseats: Ada, Bea, Ciro, Dora, Ezio\n"


def found(answers: list[dict[str, Any]]) -> list[tuple[int | None, list[str]]]:
    return [
        (one["id"], [f"{problem['field']} {problem['code']}" for problem in one["problems"]])
        for one in answers
    ]


@given(values())
@examples(60)
def test_part_of_a_deal_in_a_file_is_checked_like_a_single_record(deal: Board) -> None:
    file = write_file(DealFile(GAME, (), (FileDeal(1, deal),)))

    assert list(check_file(file)) == [{**check(request(deal)), "id": 1}]


def test_deal_of_sides_in_a_file_is_checked_like_a_single_record() -> None:
    people = {"game": "tressette", "seats": ["Ada", "Bea", "Ciro", "Dora"], "dealer": "Dora"}
    file = "smazzate: 1\ngame: tressette\nseats: Ada, Bea, Ciro, Dora\ndeal: 1\ndealer: Dora\n"

    answers = list(check_file(f"{file}1. 4D 3D 2D AD\n"))

    assert answers == [check({**people, "id": 1, "tricks": [["4D", "3D", "2D", "AD"]]})]


def test_deal_that_cannot_be_read_is_answered_with_line_and_column() -> None:
    text = f"{HEADS}deal: 1\n7B 8X\n\ndeal: 2\n{sound()}\ndeal: 3\ndealer: Ezio\n"
    answers = list(check_file(text))

    assert found([answers[0]]) == [(1, ["5:4 card-not-in-deck"])]
    assert (answers[1]["id"], answers[1]["ok"], answers[1]["side_points"]) == (2, True, 72)
    assert found([answers[2]]) == [(3, ["19:1 no-call"])]
    assert len(answers) == 3


def sound() -> str:
    lines = write_file(DealFile(GAME, (), (FileDeal(1, value_of(RECORD)),))).splitlines()
    return "\n".join(line for line in lines[lines.index("deal: 1") + 1 :])


def test_file_with_wrong_heads_is_answered_once() -> None:
    assert found(list(check_file("smazzate: 1"))) == [(None, ["1:11 unknown-game"])]
    assert found(list(solve_file("what?"))) == [(None, ["1:1 unknown-format"])]


def test_file_with_very_many_faults_is_not_read_on() -> None:
    many = "".join(f"deal: {number}\n8X 9X 0X\n" for number in range(1, 60))
    answers = found(list(check_file(HEADS + many)))

    assert len(answers) == 35
    assert answers[-1] == (None, [" too-many-problems"])


def test_deals_of_a_file_are_solved() -> None:
    text = f"{HEADS}deal: 1\n{sound()}\ndeal: 2\ncaller: Ada 61 KC\n"
    enough = 2_000  # nodes, for the last three tricks and some more
    answers = list(solve_file(text, watch=lambda nodes: nodes < enough, seconds=3_600, memory=1))

    end = solve({**RECORD, "ask": "verdicts", "from": {"trick": 7}})
    assert answers[0]["id"] == 1
    assert answers[0]["verdicts"][-10:] == end["verdicts"]
    assert found([answers[1]]) == [(2, ["16:1 leader-unknown"])]


@pytest.mark.parametrize("command", ["check", "solve --seconds 0.1 --memory 1"])
def test_command_answers_the_deals_of_a_file_by_line(command: str, tmp_path: Path) -> None:
    file = tmp_path / "evening.smazzate"
    file.write_text(f"\ufeff# cards\n\n{HEADS}deal: 7\n{sound()}\ndeal: 8\n8X", encoding="utf-8")

    done = run(*command.split(), str(file))

    answers = lines(done)
    assert [(one["id"], one["ok"]) for one in answers] == [(7, True), (8, False)]
    assert found(answers[1:]) == [(8, ["19:1 card-not-in-deck"])]
    assert (done.returncode, done.stderr) == (1, b"")


def test_command_reads_a_sound_file_from_standard_input() -> None:
    text = f"\n{HEADS}deal: 1\n{sound()}".encode()

    done = run("check", given=text)

    assert (done.returncode, lines(done)[0]["status"]) == (0, "made")
