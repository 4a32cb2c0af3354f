"""Old notebooks: previewed, kept as sessions, taken back as a whole; and their files."""

import io
import zipfile
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from openpyxl import Workbook

from scorer.errors import InvalidError, NotFoundError
from scorer.services.base.clock import at
from scorer.services.circle import circles, players
from scorer.services.circle.players import rename
from scorer.services.files.notebook_files import LONGEST_FILE, read_file
from scorer.services.files.notebooks import (
    CHIAMATA,
    POINTS,
    NotebookChoice,
    NotebookPreview,
    keep,
    kept_notebooks,
    preview_notebook,
    take_back,
)
from scorer.services.journal.circle_file import export_circle, import_circles
from scorer.services.journal.journal_page import GONE, journal_page
from scorer.services.journal.verify import verify
from scorer.services.session import sessions, settling
from scorer.services.session.settling import PayTerms, Way
from scorer.storage import db, queries
from tests.data.workbooks import entities, long_texts, many_cells, packed
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import FIVE, Evening, new_session, refused, start
from tests.storage.conftest import SQLITE

TWO = "Data;Ada;Bea;Zoe\n12/3/2024;2;-1;-1\n;-4;2;2\n19/3/2024;1;-1;assente\n"
CALLS = "Chi chiama;Chiamata;Socio;Punti;Ada;Bea;Ciro;Dora;Ezio\n"


def preview(evening: Evening, text: str, key: UUID | None = None, **choice: Any) -> NotebookPreview:
    return preview_notebook(evening.circle_id, key or uuid4(), text, None, NotebookChoice(**choice))


def codes(error: pytest.ExceptionInfo[InvalidError]) -> list[str]:
    return [one.code for one in error.value.problems]


def nothing_to_find() -> bool:
    return verify(print).findings == 0


@BOTH_ENGINES
def test_notebook_is_kept_once_and_taken_back_as_a_whole() -> None:
    evening, key = start(), uuid4()
    before = {one.player_id for one in queries.circle.players(evening.circle_id)}
    found = preview(evening, TWO, key)

    kept = keep(found, key, evening.by)

    assert keep(preview(evening, TWO, key), key, evening.by) == kept
    rows = queries.session.sessions_by_key(evening.circle_id, kept)
    days = {row.started_at.date() for row in rows}
    assert days == {date(2024, 3, 12), date(2024, 3, 19)}
    assert all(row.ended_at for row in rows)
    assert [dict(one.balances) for one in found.evenings] == [
        {"Bea": 1, "Zoe": 1, "Ada": -2},
        {"Ada": 1, "Bea": -1},
    ]
    assert [list(queries.session.balances(evening.circle_id, one).values()) for one in kept] == [
        [-2, 1, 1],
        [1, -1],
    ]
    assert (found.new, found.read, found.game) == (["Zoe"], 3, POINTS)
    assert [one[2:] for one in kept_notebooks(evening.circle_id)] == [(2, 3, True)]
    assert nothing_to_find()

    assert take_back(evening.circle_id, key, by=evening.by) == 2

    assert queries.session.sessions_by_key(evening.circle_id, kept) == []
    assert {one.player_id for one in queries.circle.players(evening.circle_id)} == before
    assert take_back(evening.circle_id, key, by=evening.by) == 0
    assert [one[2:] for one in kept_notebooks(evening.circle_id)] == [(2, 3, False)]
    assert nothing_to_find()


def test_notebook_that_was_taken_back_is_brought_in_by_another_key() -> None:
    evening, key = start(), uuid4()
    keep(preview(evening, TWO, key), key, evening.by)
    take_back(evening.circle_id, key, by=evening.by)

    with refused("taken-back"):
        keep(preview(evening, TWO, key), key, evening.by)
    other = uuid4()
    assert len(keep(preview(evening, TWO, other), other, evening.by)) == 2
    assert nothing_to_find()


def test_notebook_is_not_taken_back_once_somebody_has_written_in_it() -> None:
    evening, key = start(), uuid4()
    first, _ = keep(preview(evening, TWO, key), key, evening.by)
    sessions.rename_session(evening.circle_id, first, "The first", by=evening.by)

    with pytest.raises(InvalidError, match="The first"):
        take_back(evening.circle_id, key, by=evening.by)

    assert len(queries.session.sessions_by_key(evening.circle_id, [first])) == 1
    assert nothing_to_find()


def test_notebook_with_money_in_it_is_not_taken_back() -> None:
    evening, key = start(), uuid4()
    first, _ = keep(preview(evening, TWO, key), key, evening.by)
    settling.post_evening(evening.circle_id, first, PayTerms(Way.POINTS, 10), by=evening.by)

    with refused("changed-since"):
        take_back(evening.circle_id, key, by=evening.by)


def test_player_who_is_needed_stays_when_a_notebook_goes() -> None:
    evening, key = start(), uuid4()
    keep(preview(evening, TWO, key), key, evening.by)
    zoe = evening.players["Zoe"]
    circles.hold(evening.circle_id, evening.by.phone_id, zoe)

    take_back(evening.circle_id, key, by=evening.by)

    assert "Zoe" in players.names(evening.circle_id).values()
    assert nothing_to_find()


@BOTH_ENGINES
@pytest.mark.parametrize("plays_again", [False, True], ids=["stays away", "plays again"])
def test_who_had_retired_is_retired_again_when_a_notebook_goes(*, plays_again: bool) -> None:
    evening, key = start(), uuid4()
    bea = evening.players["Bea"]
    ada = evening.players["Ada"]
    players.retire(evening.circle_id, bea, by=evening.by)
    since = players.find(evening.circle_id, bea).retired_at
    keep(preview(evening, TWO, key), key, evening.by)
    brought_back = players.find(evening.circle_id, bea).retired_at
    if plays_again:
        sessions.start_session(new_session(circle_id=evening.circle_id), evening.by)

    take_back(evening.circle_id, key, by=evening.by)

    now = players.find(evening.circle_id, bea).retired_at
    assert (brought_back, now) == (None, None if plays_again else since)
    assert players.find(evening.circle_id, ada).retired_at is None
    assert nothing_to_find()


def test_name_of_who_is_gone_is_free() -> None:
    evening, key = start(), uuid4()
    keep(preview(evening, TWO, key), key, evening.by)
    take_back(evening.circle_id, key, by=evening.by)
    ada = evening.players["Ada"]

    rename(evening.circle_id, ada, "Zoe", by=evening.by)

    assert "Zoe" in players.names(evening.circle_id).values()


def test_journal_tells_of_notebooks_and_leads_nowhere_that_is_gone() -> None:
    evening, key = start(), uuid4()
    keep(preview(evening, TWO, key), key, evening.by)
    take_back(evening.circle_id, key, by=evening.by)

    lines = journal_page(evening.circle_id, group="files").lines

    assert [str(one.text) for one in lines[:3]] == [
        "Zoe, who came with it, is gone again.",
        "A notebook was taken back, with 2 evenings.",
        "An old notebook came in: 2 evenings, 3 deals.",
    ]
    assert str(GONE) in str(lines[3].text)
    assert {one.subject for one in lines} == {"", "notebook"}


def test_circle_with_notebooks_goes_into_a_file_and_comes_back(
    evening: Evening, tmp_path: Path
) -> None:
    for key in (one := uuid4(), uuid4()):
        keep(preview(evening, TWO, key), key, evening.by)
    take_back(evening.circle_id, one, by=evening.by)
    file = tmp_path / "circle.jsonl"
    file.write_bytes(b"".join(export_circle(evening.circle_id)))
    circles.delete_circle(evening.circle_id, circles.find(evening.circle_id).name)

    import_circles(file)

    assert len(kept_notebooks(evening.circle_id)) == 2
    assert nothing_to_find()


def test_session_of_a_notebook_that_goes_by_itself_is_found() -> None:
    evening, key = start(), uuid4()
    keep(preview(evening, TWO, key), key, evening.by)
    with db.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM card_session WHERE title = '' AND game = 'points'")

    found: list[str] = []
    verify(found.append)

    assert any("is gone without an entry" in one for one in found)


def test_stranger_to_the_circle_has_no_such_notebook() -> None:
    evening, key = start(), uuid4()
    keep(preview(evening, TWO, key), key, evening.by)

    with pytest.raises(NotFoundError):
        take_back(start().circle_id, key, by=evening.by)


def test_deals_of_briscola_chiamata_are_paid_anew_and_compared() -> None:
    text = CALLS + "Ada;65;Bea;70;2;1;-1;-1;-1\nCiro;61;;50;-1;-1;4;-1;-1\nDora;200;Ada;61;;;;;\n"
    found = preview(start(), text)

    assert found.game == CHIAMATA
    assert dict(found.evenings[0].balances) == {
        "Ada": 3,
        "Bea": 2,
        "Dora": 0,
        "Ezio": 0,
        "Ciro": -5,
    }
    compared, refused = (str(one.text) for one in found.doubts)
    assert compared.endswith("by the rules it is Ada +1, Bea +1, Ciro −4, Dora +1, Ezio +1.")
    assert refused == "Points are bid from 61 to 120."
    assert found.read == 2


def test_rules_are_chosen_and_pay_otherwise() -> None:
    text = CALLS + "Ada;65;Bea;120;2;1;-1;-1;-1\n"
    evening = start()

    usual, chosen = preview(evening, text), preview(evening, text, rules={"preset": "volata"})

    assert usual.evenings[0].balances != chosen.evenings[0].balances


def test_who_never_called_is_named_once_and_then_it_is_understood() -> None:
    text = "Chi chiama;Chiamata;Socio;Punti\nAda;65;Bea;70\nCiro;61;Dora;50\n"
    evening = start()

    asked = preview(evening, text)
    found = preview(evening, text, who=["Ezio"])

    assert (asked.evenings, len(asked.doubts)) == ([], 1)
    assert sorted(name for name, _ in found.evenings[0].balances) == sorted(FIVE)


def test_evening_that_is_here_already_is_told() -> None:
    evening, key = start(), uuid4()
    keep(preview(evening, TWO, key), key, evening.by)

    assert [one.here_before for one in preview(evening, TWO).evenings] == [True, True]


def test_evening_without_a_day_has_that_which_is_chosen_or_today(evening: Evening) -> None:
    with at(datetime(2026, 11, 23, tzinfo=UTC)):
        days = [
            preview(evening, "Ada;Bea\n1;-1\n", day=day).evenings[0].session.agreed.new.started_at
            for day in (None, date(2020, 1, 2))
        ]

    assert [one.date() for one in days if one] == [date(2026, 11, 23), date(2020, 1, 2)]


def test_eleven_players_and_figures_that_are_too_big_are_no_evening() -> None:
    eleven = ";".join("ABCDEFGHIJK") + "\n" + ";".join(["1"] * 11) + "\n"
    found = preview(start(), eleven)
    big = preview(start(), "Ada;Bea\n100000;-100000\n1;-1\n")

    assert (found.evenings, len(found.doubts)) == ([], 1)
    assert (big.read, len(big.doubts)) == (1, 2)


def test_two_columns_of_one_player_are_refused() -> None:
    with refused("duplicate-name"):
        preview(start(), "Ada;ADA;Bea\n1;-1;0\n")


def test_more_evenings_than_there_may_be_are_refused() -> None:
    rows = "".join(f"2024-{n % 12 + 1:02}-{n % 28 + 1:02};1;-1\n" for n in range(301))

    with refused("too-many-evenings"):
        preview(start(), f"Data;Ada;Bea\n{rows}")


def test_notebook_with_nothing_in_it_is_not_kept(evening: Evening) -> None:
    with refused("nothing-to-keep"):
        keep(preview(evening, "Caro diario"), uuid4(), evening.by)


def workbook(*rows: list[Any]) -> bytes:
    book, file = Workbook(), io.BytesIO()
    sheet = book.create_sheet("Serate")
    for row in rows:
        sheet.append(row)
    book.save(file)
    return file.getvalue()


def test_workbook_is_read_as_it_would_be_pasted() -> None:
    content = workbook(
        ["Data", "Ada", "Bea"],
        [datetime(2024, 3, 12, 21), 2.5, -2.5],  # noqa: DTZ001  # a cell has no zone
        [date(2024, 3, 19), 3, "=B3*-1"],
    )

    assert read_file(content).splitlines() == [
        "Data\tAda\tBea",
        "2024-03-12\t2,5\t-2,5",
        "2024-03-19\t3",
    ]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Ada;è".encode(), "Ada;è"),
        (b"\xef\xbb\xbfAda", "Ada"),
        ("Ada;è".encode("utf-16"), "Ada;è"),
        ("Ada;è".encode("cp1252"), "Ada;è"),
    ],
)
def test_text_is_read_in_the_encodings_of_spreadsheets(content: bytes, text: str) -> None:
    assert read_file(content) == text


def spoiled(content: bytes) -> bytes:
    """Put an entity into every part of a workbook."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        entity = b'<!DOCTYPE a [<!ENTITY b "c">]>'
        return packed({name: entity + book.read(name) for name in book.namelist()})


@pytest.mark.parametrize("database_url", [SQLITE], indirect=True)
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"x" * (LONGEST_FILE + 1), id="too long"),
        pytest.param(packed({"bomb": b"\0" * 30_000_000}), id="a bomb"),
        pytest.param(packed({f"part{n}": b"" for n in range(300)}), id="very many parts"),
        pytest.param(packed({"word": b"a letter"}), id="another kind of document"),
        pytest.param(b"PK\x03\x04 and no more", id="broken"),
        pytest.param(spoiled(workbook(["Ada"])), id="entities"),
        pytest.param(entities(), id="entities behind a comment"),
        pytest.param(long_texts, id="long texts"),
        pytest.param(many_cells, id="millions of cells", marks=pytest.mark.slow),
        pytest.param(workbook(), id="an empty workbook"),
        pytest.param(b"\x89PNG\0\0", id="a picture"),
    ],
)
def test_file_that_is_no_notebook_is_refused(content: bytes | Callable[[], bytes]) -> None:
    with pytest.raises(InvalidError) as error:
        read_file(content if isinstance(content, bytes) else content())

    assert codes(error)[0] in {"too-large", "too-long", "no-table"}


def test_workbook_with_a_cell_far_away_is_refused_as_too_long() -> None:
    book, file = Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    sheet.cell(1, 1, "Ada")
    sheet.cell(1_000_000, 1, "Bea")
    sheet.cell(3, 16_000, "Ciro")
    book.save(file)

    with refused("too-many-rows"):
        preview(start(), read_file(file.getvalue()))
