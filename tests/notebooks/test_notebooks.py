"""Notebooks as people keep them: what is certain of each, what is open, and what answers make."""

import csv
import io
import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from random import Random
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
from scorer.notebooks.columns import People
from scorer.notebooks.reading import read_notebook
from scorer.notebooks.splitting import LONGEST_TEXT, split_text
from tests.data.rows import rows
from tests.refusals import refused

#: Made up in the manner of those that people keep: what is open at first, the answers of somebody
#: who looks at the table, and then its evenings (day, number of deals, totals) and doubts.
TABLE = json.loads(Path(__file__).with_name("notebooks.json").read_text(encoding="utf-8"))
NAMES = ["Ada", "Bea", "Ciro", "Dora", "Ezio"]
KINDS = ["deal", "evening", "running"]


def understood(text: str, people: Any = (), /, **answers: Any) -> dict[str, Any]:
    known = [person.split("=") for person in people]
    return read_notebook(split_text(text), known, answers)


def evenings(notebook: dict[str, Any]) -> list[list[Any]]:
    return [[one["day"], len(one["deals"]), one["totals"]] for one in notebook["evenings"] or []]


@pytest.mark.parametrize("case", TABLE["notebooks"], ids=lambda case: case["name"])
def test_notebook_is_read_as_it_was_meant_once_it_is_answered(case: dict[str, Any]) -> None:
    text = "\n".join(case["text"])
    if "refused" in case:
        with refused(*case["refused"]):
            understood(text)
        return

    assert understood(text)["open"] == case["open"]
    answered = understood(text, **case["answers"])

    assert answered["open"] == []
    assert evenings(answered) == case["evenings"]
    assert [f"{one['row']}: {one['text']}" for one in answered["doubts"]] == case["doubts"]


@pytest.mark.parametrize("case", TABLE["found"], ids=lambda case: case["name"])
def test_what_was_guessed_is_certain_or_asked(case: dict[str, Any]) -> None:
    text, people = "\n".join(case["text"]), case.get("people", [])

    asked = understood(text, people)

    columns = asked["sheets"][0]["columns"]
    assert [column.get("person", column["use"]) for column in columns] == case["uses"]
    offers = {str(place): one["offer"] for place, one in enumerate(columns) if "offer" in one}
    assert offers == case.get("offers", {})
    assert (asked["open"], asked["row"]) == (case["open"], case.get("row"))
    assert (asked["finals"] is None) == (asked["row"] is not None)
    assert (asked["evenings"] is None) == bool(asked["open"])
    answered = understood(text, people, **case["answers"])
    assert answered["open"] == []
    assert evenings(answered) == case["evenings"]
    assert [f"{one['row']}: {one['text']}" for one in answered["doubts"]] == case.get("doubts", [])


def random_evening(dice: Random, length: int) -> list[dict[str, int]]:
    """Make deals in the manner of Briscola Chiamata, which cancel."""
    deals = []
    for _ in range(length):
        caller, partner = dice.sample(NAMES, 2)
        unit = dice.choice([1, 1, 1, 2, 3]) * dice.choice([1, -1])
        pays = dict.fromkeys(NAMES, -unit) | {caller: 2 * unit, partner: unit}
        deals.append(pays if dice.random() < 0.8 else pays | {caller: 4 * unit, partner: -unit})
    return deals


def written(rows: list[dict[str, int]], kind: str, days: list[str], labelled: str) -> str:
    """Write deals as a table, in one of the meanings of a row, maybe with a line of totals."""
    sums: Counter[str] = Counter(dict.fromkeys(NAMES, 0))
    table = io.StringIO()
    writer = csv.writer(table, delimiter=";")
    writer.writerow([*(["Data"] if days else []), *NAMES])
    stood = []
    for row in rows:
        sums.update(row)
        stood.append(dict(sums) if kind == "running" else row)
    for place, shown in enumerate(stood):
        writer.writerow([*days[place : place + 1], *shown.values()])
    if labelled:
        writer.writerow([labelled, *sums.values()])
    return table.getvalue()


@pytest.mark.untraced
@pytest.mark.parametrize(
    "length", [4, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2, 3, 8, 19))]
)
def test_no_meaning_is_taken_without_a_question(length: int) -> None:
    dice = Random(length)
    for _ in range(12):
        deals = random_evening(dice, length)
        for kind in KINDS:
            many = [f"2024-03-{day:02}" for day in range(1, length + 1)]
            days = dice.choice([[], many, many[:1] * length])
            if kind == "evening" and days == many[:1] * length:
                days = many
            text = written(deals, kind, days, "Totale" if days and dice.random() < 0.3 else "")

            sheets = split_text(text)
            asked = read_notebook(sheets, [], {})

            assert asked["row"] in {None, kind}, text
            people = [
                one.get("person") for one in asked["sheets"][0]["columns"] if one["use"] != "when"
            ]
            assert people == NAMES, text
            day = {} if days else {"day": "2024-03-01"}
            answered = read_notebook(sheets, [], {"row": kind, **day})
            paid = [deal for one in answered["evenings"] for deal in one["deals"]]
            assert paid == deals, text


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


def test_order_of_day_and_month_is_told_by_another_day_or_asked() -> None:
    table = "Day,Ada,Bea\n{},1,-1\n"

    assert "order" in understood(table.format("3/12/24"))["open"]
    assert "order" not in understood(table.format("3/3/24"))["open"]
    days = [
        understood(table.format(day), row="deal", **order)["evenings"][0]["day"]
        for day, order in [
            ("13/12/24", {}),
            ("12/13/24", {}),
            ("3/12/24", {"order": "month-first"}),
            ("3/12/24", {"order": "day-first"}),
        ]
    ]
    assert days == ["2024-12-13", "2024-12-13", "2024-03-12", "2024-12-03"]
    assert first_parts("2024-03-12") is None
    with refused("unknown-answer order"):
        understood(table.format("13/12/24"), order="month-first")


def test_words_are_compared_without_what_people_write_otherwise() -> None:
    assert folded(" José. 🎉") == folded("JOSE")
    assert plain("Ada\u200b\u00a0Rossi") == "Ada Rossi"
    assert is_absent("ASSENTE")
    people = People([["Ada", "Adi"], ["Niccolò"]])
    assert people.exact("adi & NICCOLO") == "Ada & Niccolò"
    assert people.exact("Ada & Zoe") is None
    assert (people.near("Nicolo"), people.near("Ad")) == (["Niccolò"], [])


@pytest.mark.parametrize(
    ("answers", "field"),
    [
        ([], "answers"),
        ({"rows": "deal"}, "answers"),
        ({"row": "week"}, "row"),
        ({"row": []}, "row"),
        ({"order": "up"}, "order"),
        ({"day": "12/3/24"}, "day"),
        ({"day": 3}, "day"),
        ({"totals": 3}, "totals"),
        ({"columns": {}}, None),
        ({"columns": [1]}, "columns"),
        ({"columns": {"0": 1}}, "columns.0"),
        ({"columns": {"1": {"0": {"use": "none"}}}}, "columns.1.0"),
        ({"columns": {"0": {"7": {"use": "none"}}}}, "columns.0.7"),
        ({"columns": {"0": {"x": {"use": "none"}}}}, "columns.0.x"),
        ({"columns": {"0": {"-1": {"use": "none"}}}}, "columns.0.-1"),
        ({"columns": {"0": {"0": {"use": "what"}}}}, "columns.0.0"),
        ({"columns": {"0": {"0": {}}}}, "columns.0.0"),
        ({"columns": {"0": {"0": 1}}}, "columns.0.0"),
        ({"columns": {"0": {"0": {"use": "person", "person": "Nobody"}}}}, "columns.0.0"),
        ({"columns": {"0": {"0": {"use": "person", "person": "Bea"}}}}, "columns.0.0"),
    ],
)
def test_answer_that_is_not_there_is_a_problem(answers: Any, field: str | None) -> None:
    sheets = split_text("Ada;Bea\n1;-1\n")
    if field is None:
        assert read_notebook(sheets, [["Ada"]], answers)["open"] == ["row", "day"]
        return
    with pytest.raises(InvalidError) as error:
        read_notebook(sheets, [["Ada"], ["Bea"]], answers)

    assert error.value.problems[0].field == field


def test_column_without_a_head_is_anybodys() -> None:
    named = {
        "0": {"0": {"use": "person", "person": "Zoe"}, "1": {"use": "person", "person": "Ada"}}
    }

    notebook = understood("3;-3\n1;-1\n", ["Ada"], row="deal", day="2024-03-01", columns=named)

    assert evenings(notebook) == [["2024-03-01", 2, {"Zoe": 4, "Ada": -4}]]


def test_own_export_is_read_by_its_heads() -> None:
    text = (
        "Giorno;Serata;Gioco;Smazzata;Esito;Annullata;Spazzate Ada;"
        "Ada;'-Bea & Ciro;Ada Σ;'-Bea & Ciro Σ\n"
        "2024-03-12;Venerdì;Scopa;0;Portati;;;5;;5;\n"
        "2024-03-12;Venerdì;Scopa;1;Giocata;;2;3;1;8;1\n"
        "2024-03-12;Venerdì;Scopa;2;Giocata;sì;0;9;9;;\n"
        "2024-03-12;martedì 12 marzo;Scopa;1;Giocata;;0;2;1;2;1\n"
        ";;;;;;;;;;\n;;;;Impronta;;;;;;abc\n"
    )

    notebook = understood(text)

    assert (notebook["row"], notebook["open"], notebook["doubts"]) == ("deal", [], [])
    assert notebook["evenings"] == [
        {
            "day": "2024-03-12",
            "names": ["Ada", "-Bea", "Ciro"],
            "deals": [{"Ada": 3, "-Bea": 1, "Ciro": 1}],
            "totals": {"Ada": 8, "-Bea": 1, "Ciro": 1},
            "title": "Venerdì",
            "opening": {"Ada": 5},
        },
        {
            "day": "2024-03-12",
            "names": ["Ada", "-Bea", "Ciro"],
            "deals": [{"Ada": 2, "-Bea": 1, "Ciro": 1}],
            "totals": {"Ada": 2, "-Bea": 1, "Ciro": 1},
        },
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x" * (LONGEST_TEXT + 1), "too-long"),
        ("1\n" * 5_001, "too-many-rows"),
        (";".join("x" * 251), "too-many-columns"),
        ("Ada;Bea\n" + "".join(f"Ada;Bea;A{n};B{n}\n" for n in range(200)), "too-many-columns"),
        ("\n".join([";".join("1" * 126)] * 500), "too-long"),
        ('"' + "x" * 200_000 + "\n1;2\n", "too-long"),
        ('{"a": 1}', "no-table"),
        ("[" * 100_000, "no-table"),
        ("[1, 2]", "no-table"),
        ("", "no-table"),
        (";;;\n;;;", "no-table"),
        ("Ada", "no-table"),
    ],
    ids=range(12),
)
def test_what_is_no_table_or_too_big_is_refused(text: str, code: str) -> None:
    with refused(code):
        understood(text)


def test_figures_are_counted_in_the_unit_of_their_last_decimal() -> None:
    assert understood("Ada;Bea\n2,5;-2,5\n1;-1\n4;-3,5\nTot;\n")["unit"] == "1"
    assert understood("Ada;Bea\n2,5;-2,5\n1;-1\nTot;\n")["unit"] == "0.1"


def test_winner_alone_in_a_row_leaves_the_others_where_they_were() -> None:
    columns = {"0": {"0": {"use": "person"}, "1": {"use": "person"}}}
    notebook = understood(
        "Ada;Bea\n1;1\n3;\n3;4\n", row="running", day="2024-03-01", columns=columns
    )

    assert notebook["counts"] == {"deal": 1, "evening": 3, "running": 1}
    assert notebook["evenings"][0]["deals"] == [
        {"Ada": 1, "Bea": 1},
        {"Ada": 2, "Bea": 0},
        {"Ada": 0, "Bea": 3},
    ]


def read_or_refused(text: str, kind: str) -> dict[str, Any]:
    try:
        return understood(text, row=kind)
    except InvalidError:
        return {"doubts": [], "evenings": None}


@given(st.text(max_size=200), st.sampled_from(KINDS))
def test_any_text_is_read_or_refused(text: str, kind: str) -> None:
    assert all(doubt["row"] > 0 for doubt in read_or_refused(text, kind)["doubts"])


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
    ),
    st.sampled_from(KINDS),
)
def test_any_table_is_read(rows: list[list[str]], kind: str) -> None:
    notebook = read_or_refused("\n".join(";".join(row) for row in rows), kind)

    assert all(evening["deals"] for evening in notebook["evenings"] or ())


def test_standings_beside_our_own_deals_are_not_used() -> None:
    deals = [
        ["Day", "Evening", "Game", "Deal", "Ada", "Bea", "Ada Σ", "Bea Σ"],
        ["2024-03-12", "Friday", "x", "1", 2, -2, 2, -2],
    ]
    workbook = json.dumps({"Deals": deals, "Standings": [["Player", "Balance"], ["Ada", 2]]})
    expected = [["2024-03-12", 1, {"Ada": 2, "Bea": -2}]]

    assert evenings(understood(workbook)) == expected
    assert evenings(understood(workbook, columns={"1": {"0": {"use": "none"}}})) == expected


def test_each_block_without_a_day_has_its_own() -> None:
    text = json.dumps({name: [["Ada", "Bea"], [n, -n]] for n, name in enumerate("ABC", 1)})

    asked = understood(text, row="evening")
    one = understood(text, row="evening", days={"0.2": "2024-03-12"})
    all_days = {"0.2": "2024-03-12", "1.2": "2024-03-19", "2.2": "2024-03-26"}
    told = understood(text, row="evening", days=all_days)

    assert asked["undated"] == [*all_days]
    assert (asked["open"], one["open"], told["open"]) == (["day"], ["day"], [])
    assert [day for day, *_ in evenings(told)] == [*all_days.values()]
    others = understood(text, row="evening", day="2024-04-01", days={"1.2": "2024-03-19"})
    assert [day for day, *_ in evenings(others)] == ["2024-04-01", "2024-03-19", "2024-04-01"]
    with refused("unknown-answer days.1.2"):
        understood(text, days={"1.2": "soon"})
