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

DEALS = [
    pytest.param(filed.board, filed.comments[1:], id=f"{path.stem}: {filed.comments[0]}")
    for path in sorted((Path(__file__).parent / "deals").glob("*.smazzate"))
    for filed in read_file(path.read_text(encoding="utf-8")).deals
]


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def sentences(proofs: Iterable[Proof]) -> list[str]:
    return [str(step.text) for proof in proofs for step in (*proof.steps, proof.conclusion)]


def comes_of(board: Board) -> dict[str, list[str]]:
    """Everything that a comment may say of a deal."""
    answer, problems = check(request(board)), examined(board).problems
    findings = {
        kind: [f"{one['code']} {written(one['where'])}" for one in answer[f"{kind}s"]]
        for kind in ("problem", "warning")
    }
    return (
        {key: [written(value)] for key, value in answer.items()}
        | findings
        | {
            "says": [problem["message"] for problem in answer["problems"]],
            "because": sentences(prove_problem(board, finding) for finding in problems),
            "proof": sentences(prove(board)),
        }
    )


@pytest.mark.parametrize(("board", "comments"), DEALS)
def test_of_a_deal_comes_what_its_comments_say(board: Board, comments: Iterable[str]) -> None:
    expected = defaultdict[str, list[str]](list, problem=[], warning=[])
    for comment in comments:
        kind, _, text = comment.partition(": ")
        expected[kind].append(text)

    told = comes_of(board)

    assert {kind: told[kind] for kind in expected} == expected
