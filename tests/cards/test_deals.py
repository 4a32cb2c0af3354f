"""Deals in ``deals/*.smazzate``: the comments of each name it and say what comes of it.

All problems and warnings of a deal are compared, each a code and a place. Other lines are values
of the answer to ``check``, the messages of the problems (``says``), and the sentences that prove
them (``because``), and those that prove what the deal came to (``proof``).
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from scorer.cards.board import Board
from scorer.cards.games import examined
from scorer.cards.notation.files import read_file
from scorer.cards.proofs import Proof, prove, prove_problem
from scorer.operations import check
from tests.cards.card_deals import request

#: Deals that reach no line but those that the deals of the other files reach.
UNTRACED = {"bounds", "called_card", "hands", "tressette"}
DEALS = [
    pytest.param(
        filed.board,
        filed.comments[1:],
        id=f"{path.stem}: {filed.comments[0]}",
        marks=pytest.mark.untraced if path.stem in UNTRACED else [],
    )
    for path in sorted((Path(__file__).parent / "deals").glob("*.smazzate"))
    for filed in read_file(path.read_text(encoding="utf-8")).deals
]


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def sentences(proofs: Iterable[Proof]) -> list[str]:
    return [str(step.text) for proof in proofs for step in (*proof.steps, proof.conclusion)]


def comes_of(board: Board, kind: str, answer: dict[str, Any]) -> list[str]:
    """What a kind of comment may say of a deal."""
    match kind:
        case "problem" | "warning":
            return [f"{one['code']} {written(one['where'])}" for one in answer[f"{kind}s"]]
        case "says":
            return [problem["message"] for problem in answer["problems"]]
        case "because":
            problems = examined(board).problems
            return sentences(prove_problem(board, finding) for finding in problems)
        case "proof":
            return sentences(prove(board))
    return [written(answer[kind])]


@pytest.mark.parametrize(("board", "comments"), DEALS)
def test_of_a_deal_comes_what_its_comments_say(board: Board, comments: Iterable[str]) -> None:
    expected = defaultdict[str, list[str]](list, problem=[], warning=[])
    for comment in comments:
        kind, _, text = comment.partition(": ")
        expected[kind].append(text)

    answer = check(request(board))

    assert {kind: comes_of(board, kind, answer) for kind in expected} == expected
