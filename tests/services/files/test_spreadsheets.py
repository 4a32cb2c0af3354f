"""Exported tables in the programs that people open them with: pandas and LibreOffice.

pandas is imported late: it would take a second of every worker that collects the tests.
"""

import subprocess
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import pytest
from openpyxl import load_workbook

from scorer.games import find_game
from scorer.languages import translate
from scorer.rules.game import Outcome
from scorer.services.figures.figures import circle_figures
from scorer.services.files.spreadsheets import circle_table, session_table
from scorer.texts import say
from tests.services.evenings import Evening, played_once, sheet, start
from tests.services.files.test_deal_tables import as_csv, as_xlsx
from tests.test_frame_recipes import program

ROME = ZoneInfo("Europe/Rome")
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
def evening() -> Evening:
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


def test_pandas_adds_up_what_the_standings_say(evening: Evening, tmp_path: Path) -> None:
    for file in FILES:
        path = tmp_path / str(file)
        path.write_bytes(file.content(evening))
        assert_stands(file, read(path, file), evening)


def converted(folder: Path, files: list[File], *options: str) -> None:
    """Let LibreOffice open files and save them as workbooks of its own."""
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = [program("soffice", "libreoffice-calc-nogui"), profile, "--headless", *options]
    command += ["--convert-to", "xlsx", "--outdir", str(folder / "saved")]
    command += [str(folder / str(file)) for file in files]
    subprocess.run(command, check=True, capture_output=True, timeout=SOFFICE_PATIENCE)


@pytest.mark.slow
def test_libreoffice_opens_every_table_with_its_values(evening: Evening, tmp_path: Path) -> None:
    for file in FILES:
        (tmp_path / str(file)).write_bytes(file.content(evening))

    for language, separator in SEPARATORS.items():
        as_text = f"--infilter=Text - txt - csv (StarCalc):{ord(separator)},34,76,1"
        of_language = [file for file in FILES if (file.language, file.ending) == (language, "csv")]
        converted(tmp_path, of_language, as_text)
        check_saved(of_language, evening, tmp_path / "saved")
    books = [file for file in FILES if file.ending == "xlsx"]
    converted(tmp_path, books)
    check_saved(books, evening, tmp_path / "saved")


def check_saved(files: list[File], evening: Evening, folder: Path) -> None:
    """Read what LibreOffice has saved: the same sums, and nothing that it took for a formula."""
    for file in files:
        path = folder / f"{file.table}-{file.language}.xlsx"
        cells = [cell for row in load_workbook(path).worksheets[0].iter_rows() for cell in row]
        assert not {cell.data_type for cell in cells} & {"f", "e"}
        assert_stands(file, read(path, file), evening)
        path.unlink()
