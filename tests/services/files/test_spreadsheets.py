"""The deals of sessions and circles as tables: CSV and XLSX, in pandas and LibreOffice too.

pandas is imported late: it would take a second of every worker that collects the tests.
"""

import csv
import io
import subprocess
from collections.abc import Iterable
from datetime import UTC, date
from itertools import product, zip_longest
from pathlib import Path
from typing import Any, NamedTuple
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
from tests.test_frame_recipes import program

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

    assert (first["Outcome"], first["Voided"], first["Dealer"]) == ("Played", "yes", "Ciro")
    assert [first[name] for name in ("Caller", "Bid", "Called card", "Partner")] == [
        "Bea",
        "61",
        "KC",
        "Ezio",
    ]
    assert (first["Card points of the caller's side"], first["Made or missed"]) == ("70", "made")
    assert [first[name] for name in SIX] == ["-1", "2", "", "-1", "1", "-1"]
    assert (first["Bea"], first["Bea Σ"]) == ("2", "0")  # a sum
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


def test_moments_are_local_with_their_zone(evening: Evening) -> None:
    evening.record()
    heading, row, _ = session_table(*evening.keys, ROME)
    cells = dict(zip(map(str, heading), row, strict=True))
    at = evening.deal(1).versions[0].at

    local = at.astimezone(ROME).replace(tzinfo=None, microsecond=0)
    assert cells["Recorded at"] == local
    assert cells["Time zone"] == f"Europe/Rome UTC{at.astimezone(ROME):%z}"
    assert isinstance(cells["Day"], date)


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
    one = as_xlsx(session_table(*evening.keys, ROME), places=session_places(*evening.keys))
    all_of_them = as_xlsx(
        circle_table(evening.circle_id, ROME), places=circle_places(evening.circle_id)
    )

    session, circle = (load_workbook(io.BytesIO(book))["Standings"] for book in (one, all_of_them))

    assert list(session.values)[:3] == [
        ("Place", "Player", "Balance"),
        (1, "Bea", 2),
        (2, "Ezio", 1),
    ]
    assert list(circle.values)[:2] == [
        ("Game", "Place", "Player", "Balance", "Deals", "Evenings"),
        ("Briscola Chiamata", 1, "Bea", 2, 1, 1),
    ]


def came_in(content: bytes) -> list[dict[str, Any]]:
    """Read an export by somebody who knows nobody, and asks nothing."""
    found = read_notebook(content, [], {})
    assert (found["open"], found["row"], found["doubts"]) == ([], "deal", [])
    evenings: list[dict[str, Any]] = found["evenings"]
    return evenings


@pytest.mark.parametrize("count", [2, 20])
@pytest.mark.parametrize("kind", ["en", "it", "xlsx"])
def test_exported_circle_comes_in_again_deal_by_deal(count: int, kind: str) -> None:
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

    found = came_in(as_xlsx(rows) if kind == "xlsx" else as_csv(rows, kind, separator))

    deals = [[number - 1, *range(len(names[0]) - 1)] for number in (0, 2)]
    for players, told, kept in zip(names, found, evenings, strict=True):
        assert told["deals"] == [dict(zip(players, deal, strict=True)) for deal in deals]
        assert told["totals"] == dict(zip(players, kept.balances(), strict=True))


#: A name that a spreadsheet would reckon, and one with letters that only UTF-8 has.
NAMES = ("Ada", "=1+1", "Nicolò", "Dora; “Ezia”, la zia", "−7")
GAMES = ("briscola-chiamata", "briscola")
SEPARATORS = {"en": ",", "it": ";"}
TABLES = ("evening", "circle")
SOFFICE_PATIENCE = 300


class File(NamedTuple):
    """What is exported: a session or its circle, in a language, as CSV or as XLSX."""

    table: str
    language: str
    ending: str

    def __str__(self) -> str:
        return f"{self.table}-{self.language}.{self.ending}"

    def content(self, evening: Evening) -> bytes:
        """Export it as the pages do."""
        one = self.table == "evening"
        rows = session_table(*evening.keys, ROME) if one else circle_table(evening.circle_id, ROME)
        if self.ending == "xlsx":
            return as_xlsx(rows, self.language)
        return as_csv(rows, self.language, SEPARATORS[self.language])

    def said(self, text: str) -> str:
        """Say the head of a column."""
        return translate(say(text), self.language)


FILES = [File(*parts) for parts in product(TABLES, SEPARATORS, ("csv", "xlsx"))]


@pytest.fixture
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


def sums(file: File, deals: Any, game: str = "") -> dict[str, int]:
    """Add up what the deals that count paid each player, in a game or in all there are."""
    counts = deals[file.said("Voided")].isna() & deals[file.said("Deal")].notna()
    if game:
        name = translate(find_game(game).name, file.language)
        counts &= (deals[file.said("Game")] == name) & (deals[file.said("Deal")] > 0)
    totals = (
        deals[counts].rename(columns=lambda head: head.removeprefix("'")).sum(numeric_only=True)
    )
    return {name: int(totals[name]) for name in NAMES}


def assert_stands(file: File, deals: Any, evening: Evening) -> None:
    """Compare the sums of a table with what the pages say; its moments are moments."""
    import pandas as pd

    at = evening.deal(1).versions[0].at.astimezone(ROME).replace(tzinfo=None, microsecond=0)
    assert at in pd.to_datetime(deals[file.said("Recorded at")]).tolist()
    if file.table == "evening":
        assert sums(file, deals) == dict(zip(NAMES, evening.balances(), strict=True))
        return
    figures, people = circle_figures(evening.circle_id), evening.players
    for game in GAMES:
        lives = {name: figures.lifetime(game, people[name]) for name in NAMES}
        stands = {name: life.record.everything.points for name, life in lives.items()}
        assert sums(file, deals, game) == stands


def read(path: Path, file: File) -> Any:
    """Read a file as anybody would who knows what stands between its cells."""
    import pandas as pd

    if path.suffix == ".csv":
        return pd.read_csv(path, sep=SEPARATORS[file.language])
    return pd.read_excel(path, engine="openpyxl")


def test_pandas_adds_up_what_the_standings_say(odd_names: Evening, tmp_path: Path) -> None:
    for file in FILES:
        path = tmp_path / str(file)
        path.write_bytes(file.content(odd_names))
        assert_stands(file, read(path, file), odd_names)


def converted(folder: Path, files: list[File], *options: str) -> None:
    """Let LibreOffice open files and save them as workbooks of its own."""
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = [program("soffice", "libreoffice-calc-nogui"), profile, "--headless", *options]
    command += ["--convert-to", "xlsx", "--outdir", str(folder / "saved")]
    command += [str(folder / str(file)) for file in files]
    subprocess.run(command, check=True, capture_output=True, timeout=SOFFICE_PATIENCE)


@pytest.mark.slow
def test_libreoffice_opens_every_table_with_its_values(odd_names: Evening, tmp_path: Path) -> None:
    for file in FILES:
        (tmp_path / str(file)).write_bytes(file.content(odd_names))

    for language, separator in SEPARATORS.items():
        as_text = f"--infilter=Text - txt - csv (StarCalc):{ord(separator)},34,76,1"
        of_language = [file for file in FILES if (file.language, file.ending) == (language, "csv")]
        converted(tmp_path, of_language, as_text)
        check_saved(of_language, odd_names, tmp_path / "saved")
    books = [file for file in FILES if file.ending == "xlsx"]
    converted(tmp_path, books)
    check_saved(books, odd_names, tmp_path / "saved")


def check_saved(files: list[File], evening: Evening, folder: Path) -> None:
    """Read what LibreOffice has saved: the same sums, and nothing that it took for a formula."""
    for file in files:
        path = folder / f"{file.table}-{file.language}.xlsx"
        cells = [cell for row in load_workbook(path).worksheets[0].iter_rows() for cell in row]
        assert not {cell.data_type for cell in cells} & {"f", "e"}
        assert_stands(file, read(path, file), evening)
        path.unlink()
