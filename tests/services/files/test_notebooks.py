"""Old notebooks: previewed, kept as sessions, taken back as a whole; and their files."""

import io
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from openpyxl import Workbook

from scorer.errors import InvalidError
from scorer.evening.acts import Dispute
from scorer.services.base.clock import at, now
from scorer.services.circle import circles, players
from scorer.services.circle.players import rename
from scorer.services.files.notebook_files import LONGEST_FILE, read
from scorer.services.files.notebooks import (
    UNDO,
    NotebookPreview,
    kept_notebooks,
    preview_notebook,
    take_back,
)
from scorer.services.files.notebooks import keep as keep_evenings
from scorer.services.journal.journal_page import GONE, journal_page
from scorer.services.journal.verify import circle_findings
from scorer.services.session import sessions, settling
from scorer.services.session.settling import PayTerms, Way
from scorer.services.session.state import load_state
from scorer.storage import queries
from tests.data.workbooks import entities, packed
from tests.refusals import refused
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import FIVE, Evening, played_once, start

TWO = "Data;Ada;Bea;Zoe\n12/3/2024;2;-1;-1\n;-4;2;2\n19/3/2024;1;-1;assente\n"
Brought = tuple[Evening, UUID]
Change = Callable[[Evening], object]
MORE = TWO + ";-3;3;\n;1;-1;\n26/3/2024;5;-5;\n"


def preview(evening: Evening, text: str, **answers: Any) -> NotebookPreview:
    return preview_notebook(evening.circle_id, text.encode(), {"row": "deal", **answers})


def keep(found: NotebookPreview, key: UUID, by: Any) -> list[UUID]:
    """Keep all evenings that are not here."""
    return keep_evenings(found, key, by, chosen=found.not_here)


def here(found: NotebookPreview) -> list[tuple[bool, int]]:
    return [("session" in one, one.get("added", 0)) for one in found.evenings]


def sound(evening: Evening) -> bool:
    return not list(circle_findings(evening.circle_id))


@pytest.fixture
@played_once
def brought() -> Brought:
    """Give an evening in whose circle a notebook of two evenings was kept, and its key."""
    evening, key = start(), uuid4()
    keep(preview(evening, TWO), key, evening.by)
    return evening, key


@BOTH_ENGINES
def test_notebook_is_kept_once_and_taken_back_as_a_whole() -> None:
    evening, key = start(), uuid4()
    before = {one.player_id for one in queries.circle.players(evening.circle_id)}
    found = preview(evening, TWO)

    kept = keep(found, key, evening.by)

    assert keep(found, key, evening.by) == kept
    rows = queries.session.sessions_by_key(evening.circle_id, kept)
    days = {row.started_at.date() for row in rows}
    assert days == {date(2024, 3, 12), date(2024, 3, 19)}
    assert all(row.ended_at for row in rows)
    assert [one["totals"] for one in found.evenings] == [
        {"Bea": 1, "Zoe": 1, "Ada": -2},
        {"Ada": 1, "Bea": -1},
    ]
    assert [list(queries.session.balances(evening.circle_id, one).values()) for one in kept] == [
        [1, 1, -2],
        [1, -1],
    ]
    assert (found.new, found.deals({0, 1}), found.totals({0, 1})) == (
        ["Zoe"],
        3,
        [("Zoe", 1), ("Bea", 0), ("Ada", -1)],
    )
    assert [one[2:] for one in kept_notebooks(evening.circle_id)] == [(kept, 3, True)]
    with at(now() + UNDO):
        assert not kept_notebooks(evening.circle_id)[0].can_go
        with refused("too-late"):
            take_back(evening.circle_id, key, by=evening.by)

    assert take_back(evening.circle_id, key, by=evening.by) == 2

    assert queries.session.sessions_by_key(evening.circle_id, kept) == []
    assert {one.player_id for one in queries.circle.players(evening.circle_id)} == before
    assert take_back(evening.circle_id, key, by=evening.by) == 0
    assert [one[3:] for one in kept_notebooks(evening.circle_id)] == [(3, False)]
    lines = journal_page(evening.circle_id, group="files").lines
    assert [(line.entry.kind, line.entry.subject) for line in lines[:3]] == [
        ("notebook-taken-back", "player"),
        ("notebook-taken-back", "notebook"),
        ("notebook-kept", "notebook"),
    ]
    assert str(GONE) in str(lines[3].text)
    assert {one.subject for one in lines} == {"", "notebook"}
    with refused("taken-back"):
        keep(found, key, evening.by)
    assert len(keep(found, uuid4(), evening.by)) == 2
    assert sound(evening)


#: What somebody does to an evening that a notebook brought, or to one that had grown by it.
CHANGES: list[tuple[bool, Change]] = [
    (False, lambda one: sessions.rename_session(*one.keys, "The first", by=one.by)),
    (False, lambda one: settling.post_evening(*one.keys, PayTerms(Way.POINTS, 10), by=one.by)),
    (True, lambda one: one.amend(2, {"points": [0, 0]})),
    (True, lambda one: one.do(2, Dispute, reason="No")),
]


@pytest.mark.parametrize(("grown", "change"), CHANGES)
def test_notebook_stays_once_somebody_has_changed_what_it_brought(
    brought: Brought, change: Change, *, grown: bool
) -> None:
    evening, key = brought
    if grown:
        key = uuid4()
        keep_evenings(preview(evening, MORE), key, evening.by, chosen={1, 2})
    *_, last = next(
        one.sessions for one in kept_notebooks(evening.circle_id) if one.notebook_id == key
    )
    change(Evening(last, evening.by))

    with refused("changed-since"):
        take_back(evening.circle_id, key, by=evening.by)

    assert len(queries.session.sessions_by_key(evening.circle_id, [last])) == 1


def test_name_of_who_goes_with_a_notebook_is_free_unless_a_phone_has_it(
    brought: Brought,
) -> None:
    evening, key = brought
    circles.hold(evening.circle_id, evening.by.phone_id, evening.players["Zoe"])
    take_back(evening.circle_id, key, by=evening.by)
    assert "Zoe" in evening.players

    circles.hold(evening.circle_id, evening.by.phone_id, None)
    again = uuid4()
    keep(preview(evening, TWO.replace("Zoe", "Zaira")), again, evening.by)
    take_back(evening.circle_id, again, by=evening.by)
    rename(evening.circle_id, evening.players["Ada"], "Zaira", by=evening.by)

    assert "Zaira" in evening.players
    assert sound(evening)


@pytest.mark.parametrize("plays_again", [False, True], ids=["stays away", "plays again"])
def test_who_had_retired_is_retired_again_when_a_notebook_goes(*, plays_again: bool) -> None:
    evening, key = start(), uuid4()
    ada, bea = (evening.players[name] for name in ("Ada", "Bea"))
    players.retire(evening.circle_id, bea, by=evening.by)
    since = players.find(evening.circle_id, bea).retired_at
    keep(preview(evening, TWO), key, evening.by)
    brought_back = players.find(evening.circle_id, bea).retired_at
    if plays_again:
        evening.again()

    take_back(evening.circle_id, key, by=evening.by)

    now = players.find(evening.circle_id, bea).retired_at
    assert (brought_back, now) == (None, None if plays_again else since)
    assert players.find(evening.circle_id, ada).retired_at is None
    assert sound(evening)


def test_grown_notebook_gives_only_what_is_new_and_is_taken_back(brought: Brought) -> None:
    evening, second = brought[0], uuid4()

    found = preview(evening, MORE)

    assert here(found) == [(True, 0), (True, 2), (False, 0)]
    assert [one.get("can_grow", False) for one in found.evenings] == [False, True, False]
    assert (found.deals({1}), found.totals({1})) == (2, [("Bea", 2), ("Ada", -2)])
    grown = found.evenings[1]["session"]
    kept = keep_evenings(found, second, evening.by, chosen={1, 2})
    assert keep_evenings(found, second, evening.by, chosen={1, 2}) == kept
    assert kept[1:] == [grown]
    assert list(queries.session.balances(evening.circle_id, grown).values()) == [-1, 1]
    assert here(preview(evening, MORE)) == [(True, 0)] * 3
    assert sound(evening)

    assert take_back(evening.circle_id, second, by=evening.by) == 2

    assert here(preview(evening, MORE)) == [(True, 0), (True, 2), (False, 0)]
    deals = load_state(evening.circle_id, grown).deals
    assert [deal.voided for deal in deals] == [False, True, True]
    assert sound(evening)


def test_sums_of_an_evening_are_that_evening_whatever_its_title(brought: Brought) -> None:
    evening, _ = brought

    sums = "Serata di marzo\nData;BEA;Zoe;Ada\n12/3/2024;1;1;-2\n12/3/2024;2;2;-4\n"

    assert here(preview(evening, sums, row="evening", order="day-first")) == [(True, 0), (False, 0)]


def test_evening_of_another_game_does_not_grow() -> None:
    evening = start()
    evening.record()
    day = evening.state.row.started_at.date()
    paid = ";".join(map(str, evening.balances()))

    found = preview(evening, f"Data;{';'.join(FIVE)}\n{day};{paid}\n;1;-1;0;0;0\n")

    assert here(found) == [(True, 1)]
    assert not found.evenings[0]["can_grow"]
    assert found.deals({0}) == 2  # as a session of its own, it has both


def trio_in_play() -> tuple[Evening, str]:
    """Begin an evening of points; return it, and a notebook with one row more."""
    trio = ["Ada", "Bea", "Ciro"]
    evening = start({"zero_sum": True}, trio, game="points", first_dealer=0)
    evening.record({"points": [2, -1, -1]})
    day = evening.state.row.started_at.date()
    return evening, f"Data;Ciro;BEA;Ada\n{day};-1;-1;2\n;3;;-3\n"


@pytest.mark.parametrize(
    "change",
    [lambda one: one.record({"points": [4, -4, 0]}), lambda one: one.change(order=[0, 1])],
    ids=["a deal more", "Ciro left"],
)
def test_evening_of_points_that_goes_on_grows_unless_it_was_changed_meanwhile(
    change: Change,
) -> None:
    evening, text = trio_in_play()
    found = preview(evening, text)
    keep_evenings(found, uuid4(), evening.by, chosen={0})
    assert here(found) == [(True, 1)]
    assert list(evening.balances()) == [-1, -1, 2]
    assert here(preview(evening, text)) == [(True, 0)]

    older = preview(evening, text + ";1;-1;\n")
    change(evening)
    before = evening.balances()
    with refused("changed-since"):
        keep_evenings(older, uuid4(), evening.by, chosen={0})

    assert evening.balances() == before
    assert sound(evening)


def test_added_deal_that_was_voided_by_hand_stays_so(brought: Brought) -> None:
    evening, key = brought[0], uuid4()
    (grown,) = keep_evenings(preview(evening, MORE), key, evening.by, chosen={1})
    Evening(grown, evening.by).void(3)

    assert take_back(evening.circle_id, key, by=evening.by) == 1
    assert sound(evening)


def test_figures_that_do_not_cancel_are_led_by_who_is_said_to_lead() -> None:
    evening = start()
    columns = {"0": {"0": {"use": "person"}, "1": {"use": "person"}}}
    found = preview(evening, "Ada;Bea\n30;12\n", day="2024-03-12", columns=columns)

    (kept,) = keep_evenings(found, uuid4(), evening.by, chosen={0}, lowest_leads=True)

    assert not found.notebook["cancels"]
    assert load_state(evening.circle_id, kept).row.rules["lowest_leads"] is True


def test_eleven_players_and_figures_that_are_too_big_are_refused_as_a_whole() -> None:
    evening = start()
    eleven = "Data;" + ";".join("ABCDEFGHIJK") + "\n12/03/2024;-10" + ";1" * 10 + "\n"
    for text in (eleven.replace("12/", "13/"), "Data;Ada;Bea\n13/03/2024;100000;-100000\n"):
        found = preview(evening, text)
        with pytest.raises(InvalidError):
            keep(found, uuid4(), evening.by)

    assert kept_notebooks(evening.circle_id) == []


def test_more_evenings_than_there_may_be_and_none_at_all_are_refused(evening: Evening) -> None:
    rows = "".join(f"{1700 + n}-03-12;1;-1\n" for n in range(301))

    with refused("too-many-evenings"):
        preview(evening, f"Data;Ada;Bea\n{rows}", row="evening")
    with refused("nothing-to-keep"):
        keep_evenings(preview(evening, TWO), uuid4(), evening.by, chosen=())


def workbook(*rows: list[Any]) -> bytes:
    book, file = Workbook(), io.BytesIO()
    book.worksheets[0].append(["Torneo del bar"])
    sheet = book.create_sheet("Marzo")
    for row in rows:
        sheet.append(row)
    book.save(file)
    return file.getvalue()


def test_all_sheets_of_a_workbook_are_read_with_days_decimals_and_values() -> None:
    content = workbook(
        ["Data", "Ada", "Bea", "Ora", "Conto"],
        [datetime(2024, 3, 12, 21), 2.5, -2.5, time(21), "=B2"],  # noqa: DTZ001  # a cell has no zone
        [date(2024, 3, 19), 3, -3, time(22), "=B3"],
    )

    found = read(content, [], {"row": "deal"})

    assert [(sheet["name"], sheet["rows"]) for sheet in found["sheets"]] == [
        ("Sheet", 0),
        ("Marzo", 2),
    ]
    assert [(one["day"], one["deals"]) for one in found["evenings"]] == [
        ("2024-03-12", [{"Ada": 25, "Bea": -25}]),
        ("2024-03-19", [{"Ada": 30, "Bea": -30}]),
    ]
    assert read(found["text"].encode(), [], {"row": "deal"}) == found


@pytest.mark.parametrize("suffix", ["ods", "xls"])
def test_other_workbooks_are_read_with_all_sheets(suffix: str) -> None:
    content = Path(__file__).with_name(f"notebook.{suffix}").read_bytes()

    found = read(content, [], {"row": "evening"})

    assert [sheet["name"] for sheet in found["sheets"]] == ["Copertina", "Serata 1", "Serata 2"]
    assert [(one["day"], one["totals"]) for one in found["evenings"]] == [
        ("2024-03-12", {"Ada": 25, "Bea": -25}),
        ("2024-03-19", {"Ada": 30, "Bea": -30}),
    ]


@pytest.mark.parametrize(
    ("content", "head"),
    [
        ("è;Bea\n1;-1".encode(), "è"),
        (b"\xef\xbb\xbfAda;Bea\n1;-1", "Ada"),
        ("è;Bea\n1;-1".encode("utf-16"), "è"),
        ("è;Bea\n1;-1".encode("cp1252"), "è"),
    ],
)
def test_text_is_read_in_the_encodings_of_spreadsheets(content: bytes, head: str) -> None:
    assert read(content, [], {})["sheets"][0]["columns"][0]["head"] == head


def spoiled(content: bytes) -> bytes:
    """Put an entity into every part of a workbook."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        entity = b'<!DOCTYPE a [<!ENTITY b "c">]>'
        return packed({name: entity + book.read(name) for name in book.namelist()})


@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param(b"x" * (LONGEST_FILE + 1), "too-long", id="too long"),
        pytest.param(packed({"bomb": b"\0" * 30_000_000}), "too-long", id="a bomb"),
        pytest.param(packed({"word": b"a letter"}), "no-table", id="another kind of document"),
        pytest.param(b"PK\x03\x04 and no more", "no-table", id="broken"),
        pytest.param(b"\xd0\xcf\x11\xe0 and no more", "no-table", id="a broken old one"),
        pytest.param(spoiled(workbook(["Ada"])), "no-table", id="entities everywhere"),
        pytest.param(entities(), "no-table", id="entities behind a comment"),
        pytest.param(workbook(), "no-table", id="an empty workbook"),
        pytest.param(b"Caro diario, ieri sera Ada ha vinto.", "no-table", id="a letter"),
    ],
)
def test_file_that_is_no_notebook_is_refused(content: bytes, code: str) -> None:
    with refused(code):
        read(content, [], {})


def far_away() -> bytes:
    """Make a workbook with cells so far away that all cells before them don't fit in memory."""
    book, file = Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    sheet.cell(1, 1, "Ada")
    sheet.cell(1_000_000, 1, "Bea")
    sheet.cell(3, 16_000, "Ciro")
    book.save(file)
    return file.getvalue()


@pytest.mark.usefixtures("in_children")
def test_workbook_that_takes_too_much_is_refused() -> None:
    with pytest.raises(InvalidError) as error:
        read(far_away(), [], {})

    assert error.value.problems[0].code in {"too-large", "too-long", "no-table"}
