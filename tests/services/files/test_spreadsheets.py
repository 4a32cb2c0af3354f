"""The deals of sessions and circles as tables: CSV and XLSX, in pandas too.

pandas is imported late: it would take a second of every worker that collects the tests.
"""

import csv
import io
from collections.abc import Iterable
from datetime import UTC
from itertools import zip_longest
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from openpyxl import load_workbook

from scorer.games import find_game
from scorer.languages import translate
from scorer.rules.game import Outcome
from scorer.services.figures.figures import circle_figures
from scorer.services.files.notebook_files import read as read_notebook
from scorer.services.files.spreadsheets import (
    Row,
    circle_places,
    circle_table,
    session_places,
    session_table,
    write_csv,
    write_xlsx,
)
from scorer.texts import say
from tests.services.evenings import FIVE, SIX, Evening, played_once, sheet, start

ROME = ZoneInfo("Europe/Rome")


def as_csv(rows: Iterable[Row], language: str = "en", separator: str = ",") -> bytes:
    file = io.BytesIO()
    write_csv(rows, file, lambda text: translate(text, language), separator)
    return file.getvalue()


def as_xlsx(rows: Iterable[Row], language: str = "en", places: Iterable[Row] = ((),)) -> bytes:
    file = io.BytesIO()
    write_xlsx(rows, places, file, lambda text: translate(text, language))
    return file.getvalue()


def read_csv(content: bytes, separator: str = ",") -> list[dict[str, str]]:
    text = content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text), delimiter=separator))


@played_once
def six() -> Evening:
    evening = start({"preset": "classic", "sits_out": "dealer"}, SIX, first_dealer=2)
    evening.record(sheet("Bea", "Ezio", called_card="KC"))
    evening.record(None, Outcome.ALL_PASSED)
    evening.record({"offender": "Dora"}, Outcome.PENALTY)
    evening.record(sheet("Ada", None))
    evening.void(1)
    return evening


def test_row_is_a_deal_with_its_answers_payouts_and_balances() -> None:
    first, *_, last, hashed = read_csv(as_csv(session_table(*six().keys, UTC)))

    told = {"Outcome": "Played", "Voided": "yes", "Dealer": "Ciro", "Caller": "Bea", "Bid": "61"}
    told |= {"Called card": "KC", "Partner": "Ezio", "Made or missed": "made"}
    told |= {"Card points of the caller's side": "70", "Bea Σ": "0"}
    paid = dict(zip(SIX, ("-1", "2", "", "-1", "1", "-1"), strict=True))
    assert {name: first[name] for name in told | paid} == told | paid
    assert (last["Ada"], last["Ada Σ"]) == ("4", "5")  # a sum
    assert (hashed["Outcome"], len(hashed["Recorded by"])) == ("Hash", 9)


#: The columns before those of the players, in the order in which spreadsheets know them.
COLUMNS = [
    *("Day", "Evening", "Game", "Deal", "Outcome", "Voided", "Dealer", "Recorded at"),
    *("Time zone", "Recorded by", "Caller", "Bid", "Partner", "Called card"),
    *("Card points of the caller's side", "Made", "Tricks of the caller's side", "Cappotto"),
    *("The called card was shown", "Bid blind", "Counts", "Made or missed"),
]


def test_table_has_these_columns_and_a_cell_in_each() -> None:
    evening = six()
    whole = [*COLUMNS, *SIX, *(f"{name} Σ" for name in SIX)]

    for table in (session_table(*evening.keys, UTC), circle_table(evening.circle_id, UTC)):
        rows = list(table)
        book = load_workbook(io.BytesIO(as_xlsx(rows))).worksheets[0]
        lines = list(csv.reader(io.StringIO(as_csv(rows).decode("utf-8-sig"))))
        filled = [column[0] for column in zip_longest(*lines) if any(column[1:])]
        assert (lines[0], [cell.value for cell in book[1]]) == (whole, filled)
        assert [len(line) for line in lines[1:5]] == [len(whole)] * 4
        assert [line[4] for line in lines[5:]] in ([], ["Hash"])


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\uff1d1"])
def test_names_are_no_formulas(name: str) -> None:
    evening = start(players=(name, "Bea", "Ciro", "Dora", "Ezio"))
    evening.record(sheet("Bea", "Ciro"))

    row, _ = read_csv(as_csv(session_table(*evening.keys, UTC)))
    book = load_workbook(io.BytesIO(as_xlsx(session_table(*evening.keys, UTC))))
    head, *cells = book.worksheets[0].iter_rows()

    assert row[f"'{name}"] == "-1"
    assert name in [cell.value for cell in head]
    assert not {cell.data_type for line in (head, *cells) for cell in line} & {"f", "e"}


def test_workbook_has_the_standings_on_its_second_sheet() -> None:
    evening = start(players=FIVE)
    evening.record(sheet("Bea", "Ezio"))
    session, circle = (
        load_workbook(io.BytesIO(as_xlsx([["Day"]], places=places)))["Standings"]
        for places in (session_places(*evening.keys), circle_places(evening.circle_id))
    )

    assert list(session.values)[:2] == [("Place", "Player", "Balance"), (1, "Bea", 2)]
    assert list(circle.values)[:2] == [
        ("Game", "Place", "Player", "Balance", "Deals", "Evenings"),
        ("Briscola Chiamata", 1, "Bea", 2, 1, 1),
    ]


@pytest.mark.parametrize(("kind", "count"), [("en", 2), ("it", 20), ("xlsx", 20)])
def test_exported_circle_comes_in_again_deal_by_deal(kind: str, count: int) -> None:
    people = [f"Person {letter}" for letter in "ABCDEFGHIJKLMNOPQRST"[:count]]
    names = [people[at : at + 10] for at in range(0, count, 10)]
    free = {"game": "points", "rules": {}, "first_dealer": 0}
    opening = [3, -3, *[0] * (len(names[0]) - 2)]
    evening = start(players=names[0], opening=opening, **free)
    evenings = [evening, *(evening.again(players=people, **free) for people in names[1:])]
    for one in evenings:
        for number in range(3):
            one.record({"points": [number - 1, *range(len(names[0]) - 1)]})
        one.record(None, Outcome.MISDEAL)
        one.void(2)
    rows = circle_table(evening.circle_id, ROME)
    separator = ";" if kind == "it" else ","

    content = as_xlsx(rows) if kind == "xlsx" else as_csv(rows, kind, separator)
    found = read_notebook(content, [], {})

    assert (found["open"], found["row"], found["doubts"]) == ([], "deal", [])
    deals = [[number - 1, *range(len(names[0]) - 1)] for number in (0, 2)]
    for players, told, kept in zip(names, found["evenings"], evenings, strict=True):
        assert told["deals"] == [dict(zip(players, deal, strict=True)) for deal in deals]
        assert told["totals"] == dict(zip(players, kept.balances(), strict=True))


#: A name that a spreadsheet would reckon, and one with letters that only UTF-8 has.
NAMES = ("Ada", "=1+1", "Nicolò", "Dora; “Ezia”, la zia", "−7")
SEPARATORS = {"en": ",", "it": ";"}


@played_once
def odd_names() -> Evening:
    """Give an evening with every outcome, in a circle that has played another game too."""
    evening = start("classic", players=NAMES, opening=[3, -3, 0, 0, 0])
    evening.record(sheet(NAMES[1], NAMES[4], called_card="KC"))
    evening.record(None, Outcome.ALL_PASSED)
    evening.record({"offender": NAMES[3]}, Outcome.PENALTY)
    evening.record(sheet("Ada", None))
    evening.record(sheet("Ada", NAMES[2], 40))
    evening.void(4)
    pairs = evening.again(game="briscola", rules=None, players=NAMES[:4], first_dealer=0)
    pairs.record({"card_points": [70, 50]})
    return evening


@pytest.mark.parametrize("language", SEPARATORS)
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_pandas_adds_up_what_the_standings_say(kind: str, language: str) -> None:
    import pandas as pd

    evening, separator = odd_names(), SEPARATORS[language]

    def read(rows: Iterable[Row]) -> Any:
        if kind == "xlsx":
            return pd.read_excel(io.BytesIO(as_xlsx(rows, language)), engine="openpyxl")
        return pd.read_csv(io.BytesIO(as_csv(rows, language, separator)), sep=separator)

    def sums(deals: Any, game: str = "") -> dict[str, int]:
        """Add up what the deals that count paid each player, in a game or in all there are."""
        counts = deals[said("Voided")].isna() & deals[said("Deal")].notna()
        if game:
            name = translate(find_game(game).name, language)
            counts &= (deals[said("Game")] == name) & (deals[said("Deal")] > 0)
        totals = deals[counts].rename(columns=lambda head: head.removeprefix("'"))
        return {name: int(totals[name].sum()) for name in NAMES}

    def said(head: str) -> str:
        return translate(say(head), language)

    of_evening = read(session_table(*evening.keys, ROME))
    of_circle = read(circle_table(evening.circle_id, ROME))

    at = evening.deal(1).versions[0].at.astimezone(ROME)
    for deals in (of_evening, of_circle):
        moments = pd.to_datetime(deals[said("Recorded at")]).tolist()
        assert at.replace(tzinfo=None, microsecond=0) in moments
        assert f"Europe/Rome UTC{at:%z}" in deals[said("Time zone")].tolist()
    assert sums(of_evening) == dict(zip(NAMES, evening.balances(), strict=True))
    figures, people = circle_figures(evening.circle_id), evening.players
    for game in ("briscola-chiamata", "briscola"):
        lives = {name: figures.lifetime(game, people[name]) for name in NAMES}
        stands = {name: life.record.everything.points for name, life in lives.items()}
        assert sums(of_circle, game) == stands
