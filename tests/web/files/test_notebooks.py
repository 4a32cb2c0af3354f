"""Old notebooks over the pages, without scripts: pasted, corrected, kept, taken back."""

import io
from typing import Any
from uuid import uuid4

import pytest
from openpyxl import load_workbook
from werkzeug.datastructures import MultiDict

from tests.data.payloads import PAYLOADS
from tests.web.base.test_payloads import check
from tests.web.pages import Page
from tests.web.phones import Phone

TABLE = "Data;Ada;Bea;Zoe\n3/4/2024;2;-1;-1\n;5;-4;-1\n5/4/2024;1;-1;assente\n"


@pytest.fixture
def phone(phone: Phone) -> Phone:
    phone.start()
    phone.record()
    return phone


def sent(phone: Phone, text: str = TABLE, **other: Any) -> Page:
    """Send a notebook by its page."""
    form = {"key": str(uuid4()), "text": text, "action": "look", **other}
    return Page(phone.post(f"{phone.circle_url}notebook", form))


def answers(page: Page, text: str = TABLE, **other: str) -> MultiDict[str, str]:
    """Fill in the form of the page that shows what was read."""
    found = MultiDict(page.form("/notebook").fields)
    for name, value in {"text": text, "action": "look", **other}.items():
        found[name] = value
    return found


def answered(phone: Phone, page: Page, text: str = TABLE, **other: str) -> Page:
    """Answer what the page asks, and look again, or keep."""
    return Page(phone.post(f"{phone.circle_url}notebook", answers(page, text, **other)))


def test_notebook_is_answered_on_its_page_kept_offered_again_as_it_grew_and_taken_back(
    phone: Phone,
) -> None:
    asked = sent(phone)
    assert "what a row is" in asked.words
    assert ("column-0.3", "person:Zoe") in asked.form("/notebook").fields
    assert "New in the circle" not in asked.words
    refused = answered(phone, asked, action="keep")
    assert refused.status == 422
    assert "still open" in refused.problems[""]
    assert "what a row is" in refused.words

    summed = answered(phone, asked, row="deal", order="month-first")
    assert "2 evenings, 3 deals" in summed.told
    assert "4 Mar 2024" in summed.words
    assert "New in the circle: Zoe" in summed.words
    corrected = answered(phone, summed, **{"column-0.3": "person:Ciro"})
    assert "New in the circle" not in corrected.words
    keep = phone.post(f"{phone.circle_url}notebook", answers(corrected, action="keep"))
    page = phone.page(str(keep.location))

    assert "2 evenings, 3 deals" in page.told
    assert "4 Mar 2024" in phone.page(f"{phone.circle_url}evenings/").words
    text = TABLE + ";3;-3;\n4/6/2024;1;-1;\n"
    again = sent(phone, text, row="deal", order="month-first", **{"column-0.3": "person:Ciro"})
    ticked = [name for name, _ in again.form("/notebook").fields if name.startswith("ticked")]
    assert ticked == ["ticked-2"]
    assert again.words.count("Here already") == 2
    assert "1 row more" in again.words
    both = answered(phone, again, text, **{"ticked-1": "on"})
    assert "2 evenings, 2 deals" in both.told
    assert phone.post(page.form("/back").action).status_code == 303
    assert "taken back" in phone.page(f"{phone.circle_url}notebook").words
    assert "2024" not in phone.page(f"{phone.circle_url}evenings/").words


def test_open_column_is_answered_by_a_button(phone: Phone) -> None:
    text = "Ada;Bea;Presi\n3;-3;60\n-1;1;70\n"
    asked = sent(phone, text, row="deal", day="2024-03-12")
    assert "Left: column “Presi”" in asked.told

    form = answers(asked, text)
    form.add("column-0.2", "none")  # the button below the empty choice of that column
    left_out = phone.sent(f"{phone.circle_url}notebook", form)

    assert "Left:" not in left_out.words
    assert "1 evening, 2 deals" in left_out.told


@pytest.mark.parametrize(
    ("other", "field", "words"),
    [
        ({"text": "x" * 1_600_000}, "text", "too long"),
        ({"text": "", "file": (io.BytesIO(b"\x89PNG\0"), "x.png")}, "file", "cannot be read"),
        ({"text": "Ada;Bea\n1;-1\n", "day": "31/31/2024"}, "day", "A date like"),
        ({"text": "Ada;Bea\n1;-1\n", "row": "weeks"}, "row", "Choose one"),
        ({"text": "Ada;Bea\n1;-1\n", "column-0.9": "none"}, "", "no such column"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(
    phone: Phone, other: dict[str, Any], field: str, words: str
) -> None:
    page = sent(phone, **{"text": "Ada;Bea\n1;-1\n", **other})

    assert page.status == 422
    assert words in page.problems.get(field, "") + page.source


def test_words_of_a_notebook_are_shown_as_text(phone: Phone) -> None:
    words = [word for word in PAYLOADS[::12] if not set(word) & set('\t\n\r"')]
    table = "\t".join(words[:40]) + "\n" + "\t".join("1" * min(len(words), 40)) + "\nx\n" * 2

    page = sent(phone, table)

    assert page.status == 200
    check(phone.post(f"{phone.circle_url}notebook", answers(page, table)), words[:5])


def test_circle_is_a_table_in_the_language_of_whoever_asks(phone: Phone) -> None:
    italian = phone.post(f"{phone.circle_url}csv", headers={"Accept-Language": "it"}).text
    book = phone.post(f"{phone.circle_url}xlsx")

    assert italian.startswith("\ufeffGiorno;Serata;Gioco;Smazzata;")
    assert (book.mimetype or "").endswith("spreadsheetml.sheet")
    assert load_workbook(io.BytesIO(book.data)).worksheets[0].max_row == 2
    assert int(book.headers["Content-Length"]) == len(book.data)
