"""Notebooks as people keep them: what of each is understood, and after which question."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import InvalidError
from scorer.notebooks.cells import (
    WrittenDay,
    first_parts,
    folded,
    is_absent,
    plain,
    read_day,
    read_figure,
)
from scorer.notebooks.guessing import ColumnRole, Plan, RowKind, guess, is_day_unsure, name_of
from scorer.notebooks.reading import (
    Notebook,
    NotebookCall,
    NotebookEvening,
    match,
    partners,
    read_notebook,
)
from scorer.notebooks.tables import LONGEST_TEXT, read_table
from tests.data.rows import rows

TODAY = date(2026, 11, 23)
#: Made up in the manner of those that people keep, and tables that are easily misread: each with
#: the answer that it needs, if any, its evenings (day, number of deals, balances) and its doubts.
TABLE = json.loads(Path(__file__).with_name("notebooks.json").read_text(encoding="utf-8"))
NOTEBOOKS = TABLE["notebooks"]


def corrected(plan: Plan, answers: Mapping[str, Any]) -> Plan:
    """Correct a plan as somebody does who looks at it."""
    for what, answer in answers.items():
        if what in {"names", "roles"}:
            cells = [answer.get(str(place), was) for place, was in enumerate(getattr(plan, what))]
            answer = tuple(map(ColumnRole, cells)) if what == "roles" else tuple(cells)  # noqa: PLW2901
        elif what == "rows":
            answer = RowKind(answer)  # noqa: PLW2901  # the same answer, as the plan has it
        plan = replace(plan, **{what: answer})
    return plan


def understood(text: str, **answers: Any) -> Notebook:
    table = read_table(text)
    return read_notebook(table, corrected(guess(table), answers), TODAY)


def balances(evening: NotebookEvening) -> dict[str, int]:
    """Add up what everybody got."""
    found = Counter(evening.opening)
    for deal in evening.deals:
        found.update(deal.figures)
    return {name: found[name] for name in evening.players}


def told(notebook: Notebook) -> list[str]:
    return [f"{doubt.row}: {doubt.text}" for doubt in notebook.doubts]


@pytest.mark.parametrize("case", NOTEBOOKS, ids=[case["name"] for case in NOTEBOOKS])
def test_notebook_is_read_as_it_was_meant_or_doubted(case: dict[str, Any]) -> None:
    question = case.get("question", {})
    notebook = understood("\n".join(case["text"]), **question)

    assert [
        [evening.day and evening.day.isoformat(), len(evening.deals), balances(evening)]
        for evening in notebook.evenings
    ] == case["evenings"]
    assert told(notebook) == case["doubts"]
    assert not question or understood("\n".join(case["text"])) != notebook


@rows(__file__, "figures")
def test_figures_are_read_by_the_sign_before_decimals(
    cell: str, comma: str | None, point: str | None
) -> None:
    assert read_figure(cell) == (comma and Decimal(comma))
    assert read_figure(cell, ".") == (point and Decimal(point))


@rows(__file__, "days")
def test_days_are_read_in_figures_and_by_month(
    cell: str, day: tuple[int | None, int, int] | None
) -> None:
    assert read_day(cell) == (day and WrittenDay(*day))


def test_order_of_day_and_month_is_told_by_another_day_or_not_at_all() -> None:
    assert read_day("3/12/2024", month_first=True) == WrittenDay(2024, 3, 12)
    assert read_day("Serata del 12/3/24", alone=False) == WrittenDay(2024, 3, 12)
    assert first_parts("2024-03-12") is None
    assert [is_day_unsure([cell]) for cell in ("3/12/24", "13/12/24", "3/3/24", "")] == [
        True,
        False,
        False,
        False,
    ]


def test_words_are_compared_without_what_people_write_otherwise() -> None:
    assert folded(" José. 🎉") == folded("JOSE")
    assert plain("Ada\u200b\u00a0Rossi") == "Ada Rossi"
    assert is_absent("ASSENTE")
    assert name_of("'=Ada") == "=Ada"
    assert partners("Ada & Bea") == ["Ada", "Bea"]
    assert partners(" & ") == [" & "]


@rows(__file__, "names")
def test_player_is_meant_by_a_name(name: str, meant: str) -> None:
    assert match(name, ["Ada", "Fulvia", "Francesca", "Marco", "Mara"]) == meant


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x" * (LONGEST_TEXT + 1), "too-long"),
        ("\n" * 2001, "too-many-rows"),
        (";".join("x" * 61), "too-many-columns"),
        ("Ada;Bea\n" + "".join(f"Ada;Bea;A{n};B{n}\n" for n in range(100)), "too-many-columns"),
        ("\n".join([";".join("1" * 26)] * 1_000), "too-long"),
    ],
)
def test_table_that_is_too_big_is_refused(text: str, code: str) -> None:
    with pytest.raises(InvalidError) as caught:
        read_table(text)

    assert [problem.code for problem in caught.value.problems] == [code]


@pytest.mark.parametrize("text", ["", "\n\n", ";;;\n;;;", "Ada", "12", "\ufeff"])
def test_text_with_nothing_in_it_has_no_evenings(text: str) -> None:
    assert understood(text).evenings == ()


def test_figures_are_counted_in_the_unit_of_their_last_decimal() -> None:
    assert understood("Ada;Bea\n2,5;-2,5\n1;-1\n4;-3,5\nTot;\n").unit == Decimal("0.1")


def test_deals_of_a_caller_are_read_and_those_that_are_not_whole_are_told() -> None:
    head = "Chi chiama;Chiamata;Socio;Carta;Punti;Esito\n"
    notebook = understood(
        head + "Ada;65;Bea;RC;70;\nBea;K;solo;;;persa\nCiro;;Ada;;61;\n;;;;50;fatta\n"
        "Ada;61;Ada;;60,5;fatta\n"
    )

    assert [deal.called for evening in notebook.evenings for deal in evening.deals] == [
        NotebookCall("Ada", "65", "Bea", "RC", 70, None),
        NotebookCall("Bea", "K", None, "", None, False),
        NotebookCall("Ada", "61", None, "", None, True),
    ]
    assert told(notebook) == ["4: The caller, the bid or the points are missing."]
    assert notebook.evenings[0].players == ["Ada", "Bea"]


def test_who_called_is_matched_with_the_columns_and_with_who_is_known() -> None:
    text = "Chi chiama;Chiamata;Socio;Punti;Ada;Bea\nada;65;FUL;70;2;1\nBEA;61;;70;2;1\n"
    table = read_table(text)

    (evening,) = read_notebook(table, guess(table), TODAY, ["Fulvia"]).evenings

    assert evening.players == ["Ada", "Bea", "Fulvia"]
    assert [deal.called and deal.called.caller for deal in evening.deals] == ["Ada", "Bea"]
    assert balances(evening) == {"Ada": 4, "Bea": 2, "Fulvia": 0}


def test_deal_numbered_0_is_what_was_brought_in() -> None:
    (evening,) = understood("n;Ada;Bea\n0;3;-3\n1;1;-1\n").evenings

    assert evening.opening == {"Ada": 3, "Bea": -3}


def test_winner_alone_in_a_row_of_running_totals_leaves_the_others_where_they_were() -> None:
    (evening,) = understood("Ada;Bea\n1;1\n3;\n3;4\n", running=True).evenings

    assert [deal.figures for deal in evening.deals] == [
        {"Ada": 1, "Bea": 1},
        {"Ada": 2, "Bea": 0},
        {"Ada": 0, "Bea": 3},
    ]


def test_deals_are_numbered_without_a_head() -> None:
    plan = guess(read_table("1;5;-5\n2;3;-3\n3;-1;1\n"))

    assert plan.roles == (ColumnRole.NUMBER, ColumnRole.PLAYER, ColumnRole.PLAYER)


def test_two_columns_with_one_head_stay_two() -> None:
    assert read_table("Ada;ADA;Bea\n1;2;-3\n").heads == ("Ada", "ADA", "Bea")


def test_players_without_a_name_have_no_figures() -> None:
    plans = [guess(read_table(text)) for text in ("3;-3\n1;-1\n", "Ada;Bea\n1;-1\n")]

    assert understood("3;-3\n1;-1\n").evenings == ()
    assert [plan.lacks_names for plan in plans] == [True, False]


@given(st.text(max_size=200), st.booleans())
def test_any_text_is_read_or_refused(text: str, running: bool) -> None:  # noqa: FBT001  # an example
    notebook = understood(text, running=running)

    assert all(doubt.row > 0 for doubt in notebook.doubts)


@given(
    st.lists(
        st.lists(
            st.sampled_from(
                ["", "3", "-1", "2,5", "1.5", "Ada", "Bea", "12/3/24", "-", "Totale", "Data", "n"]
            ),
            min_size=1,
            max_size=6,
        ),
        max_size=8,
    )
)
def test_any_table_is_read(rows: list[list[str]]) -> None:
    notebook = understood("\n".join(";".join(row) for row in rows))

    assert all(evening.deals for evening in notebook.evenings)
