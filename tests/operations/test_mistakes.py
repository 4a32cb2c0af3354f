import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from scorer.games.briscola_chiamata.bids import Bid
from scorer.languages import translate
from scorer.operations import check, replay, score, solve, with_repeated
from tests.data.documents import paths, replaced, value_at
from tests.data.mistakes import DOCUMENTS, mistaken, mistakes
from tests.samples import RECORD

Operation = Callable[..., dict[str, Any]]

RECORDS = ("check", "record", "seven", "dead hand", "known sides")
OPERATIONS: dict[str, Operation] = {**dict.fromkeys(RECORDS, check), "solve": solve}


def params(name: str) -> list[Any]:
    """Return the lines of a table, each with its name, or with what it changes."""
    lines = mistakes(name)
    changed = [json.dumps(line.get("put") or line.get("drop")) for line in lines]
    return [
        pytest.param(line, id=f"{line['in']}: {line.get('id', change)}"[:80])
        for line, change in zip(lines, changed, strict=True)
    ]


MISTAKES = params("mistakes")


def operation_of(name: str) -> Operation:
    return OPERATIONS.get(name, replay if "deals" in DOCUMENTS[name] else score)


def found(answer: dict[str, Any], kind: str) -> list[str]:
    return [f"{finding['code']} {finding['field']}".strip() for finding in answer.get(kind, [])]


def is_said(sentence: str, expected: str) -> bool:
    # The end of a long list is cut off in the table.
    if expected.endswith("…"):
        return sentence.startswith(expected[:-1])
    return sentence == expected


@pytest.mark.untraced
@pytest.mark.parametrize("name", DOCUMENTS)
def test_document_without_its_mistake_is_sound(name: str) -> None:
    answer = operation_of(name)(DOCUMENTS[name])

    assert answer["ok"], answer
    assert answer.get("warnings", []) == []


#: A gap where a name, a bid or a card should stand, and a key of a document.
GAP, KEY = re.compile(r"\s{2}|\s[.,:]|^\s"), re.compile(r"\b[a-z]+_[a-z_]+\b")


def sentences(name: str, document: Any) -> Iterator[str]:
    for language in ("en", "it"):
        answer = operation_of(name)(document, partial(translate, language=language))
        yield from (problem["message"] for problem in answer.get("problems", ()))


@pytest.mark.untraced
@pytest.mark.parametrize("name", DOCUMENTS)
def test_blank_word_leaves_no_gap_in_a_sentence(name: str) -> None:
    whole = DOCUMENTS[name]
    for path in paths(whole):
        if isinstance(value_at(whole, path), str):
            for sentence in sentences(name, replaced(whole, path, "")):
                assert not GAP.search(sentence), path


@pytest.mark.untraced
@pytest.mark.parametrize("name", DOCUMENTS)
def test_missing_answer_is_called_by_its_label(name: str) -> None:
    for part in ("sheet", "claim"):
        for key in DOCUMENTS[name].get(part, {}):
            document = json.loads(json.dumps(DOCUMENTS[name]))
            del document[part][key]
            for sentence in sentences(name, document):
                assert not KEY.search(sentence), key


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_told_where_it_is_and_how_it_is_put_right(mistake: dict[str, Any]) -> None:
    operate, document = operation_of(mistake["in"]), mistaken(mistake)
    kind = "warnings" if mistake.get("warning") else "problems"

    (problem,) = operate(document)[kind]
    (in_italian,) = operate(document, partial(translate, language="it"))[kind]

    assert (problem["code"], problem["field"]) == (mistake["code"], mistake["at"])
    assert is_said(problem["message"], mistake["en"])
    assert is_said(in_italian["message"], mistake["it"])


@pytest.mark.parametrize("fault", params("faults"))
def test_fault_is_answered_with_every_problem_at_its_path(fault: dict[str, Any]) -> None:
    answer = operation_of(fault["in"])(mistaken(fault))

    assert found(answer, "problems") == fault.get("problems", [])
    assert found(answer, "warnings") == fault.get("warnings", [])
    assert answer["ok"] is not bool(answer.get("problems"))


ENDLESS = [
    pytest.param("record", {"tricks": [["7B"]] * 10_000}, "trick-count tricks", id="tricks"),
    pytest.param("record", {"hands": dict.fromkeys(map(str, range(101)))}, "seats-count hands",
                 id="hands"),
    pytest.param("record", {"auction": [["Ada", "A"]] * 201}, "too-many-calls auction",
                 id="an auction"),
    pytest.param("cards", {"deals.1.play.tricks": [[]] * 10_000},
                 "trick-count deals[1].play.tricks", id="tricks of a session"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "put", "problem"), ENDLESS)
def test_list_without_end_is_refused(name: str, put: dict[str, Any], problem: str) -> None:
    assert found(operation_of(name)(mistaken({"in": name, "put": put})), "problems") == [problem]


@pytest.mark.parametrize("operation", [score, check, solve, replay])
@pytest.mark.parametrize("document", [None, [], "score", 5, True, [RECORD]])
def test_what_is_no_object_is_one_problem(operation: Operation, document: object) -> None:
    answer = operation(document)

    assert found(answer, "problems") == ["wrong-type"]
    assert answer.get("id") is None


def test_sheet_pays_whatever_its_cards_say() -> None:
    contradicted = mistaken({"in": "cards", "put": {"deals.1.play.tricks": [["7B", "7B"]]}})
    alone = mistaken({"in": "cards", "drop": ["deals.1.play"]})

    assert replay(contradicted)["standings"] == replay(alone)["standings"]


@pytest.mark.parametrize(
    ("rules", "bid", "told"),
    [
        ("ladder-bands", "11", "Ada bid the Three"),
        ("ladder-bands", "12", "Ada bid the Ace"),
        ("rulebook", "donna", "Ada bid the Queen"),
    ],
)
def test_rank_is_bid_by_its_other_name(rules: str, bid: str, told: str) -> None:
    document = {**DOCUMENTS["ranks"], "rules": rules}
    answer = score({**document, "sheet": {**document["sheet"], "bid": bid}})

    assert answer["why"][0]["text"].startswith(told)


@pytest.mark.parametrize("rules", ["classic", "bastarda"])
def test_eleven_is_no_rank_where_points_are_bid(rules: str) -> None:
    document = {**DOCUMENTS["ranks"], "rules": {"preset": rules, "auction": {"minimum": 0}}}

    answer = score({**document, "sheet": {**document["sheet"], "bid": "11"}})

    assert "11" in answer["why"][0]["text"]


@pytest.mark.parametrize("bid", ["7", "11", "12"])
def test_number_of_points_is_written_so_that_it_is_no_rank(bid: str) -> None:
    assert Bid(None, int(bid)).write_wire() == int(bid)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("ranks", {"field": "sheet.bid"}),
        ("session", {"field": "sheet.bid"}),
        ("check", {"where": {"key": "sheet.bid"}}),
    ],
)
def test_key_that_is_there_twice_is_warned_of(name: str, place: dict[str, object]) -> None:
    answer = operation_of(name)(DOCUMENTS[name])

    (warning,) = with_repeated(answer, ["sheet.bid"], str)["warnings"]

    message = "The key sheet.bid is there more than once: the last one counts."
    assert warning == {"code": "duplicate-key", **place, "message": message}


def test_answer_with_problems_has_no_warning_of_keys() -> None:
    refused = score({})

    assert with_repeated(refused, ["seats"], str) == refused


def test_long_bid_is_not_guessed_at() -> None:
    document = {
        **DOCUMENTS["ranks"],
        "sheet": {**DOCUMENTS["ranks"]["sheet"], "bid": "2 a 72 " * 9},
    }

    (problem,) = score(document)["problems"]

    assert "A bid is a rank (A 3 K Q J 7 6 5 4 2)" in problem["message"]


@pytest.mark.parametrize("points", [[4, 4, 4], [4, 4, 1]])
def test_hand_points_among_three_make_10_or_11(points: list[int]) -> None:
    sheet = {"hand_points": points}

    (problem,) = score({"game": "tressette", "seats": ["A", "B", "C"], "sheet": sheet})["problems"]

    assert problem["code"] == "sum-11"
    assert problem["message"].endswith("a deal among three has 10 or 11 hand points.")
