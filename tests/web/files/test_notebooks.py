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
    """Fill in the form of the page that shows what was understood."""
    form = next(one for one in page.forms if one.action.endswith("/notebook"))
    found = MultiDict(form.fields)
    for name, value in {"text": text, "action": "look", **other}.items():
        found[name] = value
    return found


def kept(phone: Phone, page: Page, text: str = TABLE) -> str:
    answer = phone.post(f"{phone.circle_url}notebook", answers(page, text, action="keep"))
    assert answer.status_code == 303
    return str(answer.location)


def test_new_names_are_listed_in_the_language_of_the_page(phone: Phone) -> None:
    phone.client.set_cookie("language", "it")

    looked = sent(phone, TABLE.replace("Ada", "Ugo").replace("Zoe", "Elio"))

    assert "Ugo ed Elio" in looked.words


def test_notebook_is_corrected_on_its_page_kept_once_and_taken_back(phone: Phone) -> None:
    looked = sent(phone)
    assert "2 evenings · 3 deals · Free points" in " ".join(looked.words.split())
    assert "The days could be read either way" in looked.words
    assert "3 Apr 2024" in looked.words
    assert "New in the circle: Zoe" in looked.words

    corrected = answers(looked, order="month")
    named = corrected.getlist("player")
    assert named == ["", "Ada", "Bea", "Zoe"]
    corrected.setlist("player", [*named[:-1], "Ciro"])
    again = Page(phone.post(f"{phone.circle_url}notebook", corrected))
    place = kept(phone, again)

    assert "4 Mar 2024" in again.words
    assert "New in the circle" not in again.words
    assert kept(phone, again) == place
    page = phone.page(place)
    assert "Take it back" in page.words
    evenings = phone.page(f"{phone.circle_url}evenings/").words
    assert "2024" in evenings
    back = page.form("/back").action
    assert phone.post(back).status_code == 303
    assert "taken back" in phone.page(place).words
    assert "2024" not in phone.page(f"{phone.circle_url}evenings/").words


def test_names_are_asked_for_where_no_head_has_them(phone: Phone) -> None:
    text = "3;-3\n-1;1\n"
    asked = sent(phone, text)
    named = answers(asked, text)
    named.setlist("player", ["Ada", "Bea"])

    again = Page(phone.post(f"{phone.circle_url}notebook", named))

    assert "Who is in which column?" in asked.words
    assert "Who is in which column?" not in again.words
    assert "1 evening · 2 deals" in " ".join(again.words.split())


def test_one_evening_is_opened_once_it_is_kept(phone: Phone) -> None:
    text = "Ada;Bea\n3;-3\n-1;1\n"

    place = kept(phone, sent(phone, text), text)

    assert "/sessions/" in place
    assert "+2" in phone.page(place).words


def test_evening_that_somebody_wrote_in_is_not_taken_back(phone: Phone) -> None:
    text = "Ada;Bea\n3;-3\n-1;1\n"
    phone.post(f"{kept(phone, sent(phone, text), text)}rename", {"title": "Ours"})
    page = phone.page(f"{phone.circle_url}notebook")

    refused = Page(phone.post(page.form("/back").action))

    assert refused.status == 422
    assert "Ours" in refused.problems[""]


def test_file_is_read_and_then_carried_along_as_text(phone: Phone) -> None:
    book = phone.post("xlsx").data
    key = str(uuid4())

    looked = sent(phone, "", key=key, file=(io.BytesIO(book), "evening.xlsx"))

    assert "1 deal · Briscola Chiamata" in " ".join(looked.words.split())
    assert "This session is here already" in looked.words


@pytest.mark.parametrize(
    ("other", "field", "words"),
    [
        ({"text": "x" * 130_000}, "text", "too long"),
        ({"text": "", "file": (io.BytesIO(b"\x89PNG\0"), "x.png")}, "file", "cannot be read"),
        ({"text": "Ada;Bea\n1;-1\n", "day": "31/31/2024"}, "day", "A date like"),
        ({"role": ["player", "player"], "player": ["Ada", "ada"]}, "columns", "Two columns"),
        ({"text": "Ada;Bea\n1;-1\n", "rows": "weeks"}, "rows", "Choose one"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(
    phone: Phone, other: dict[str, Any], field: str, words: str
) -> None:
    table = {"text": "Ada;Bea\n1;-1\n", **other}

    page = sent(phone, **table)

    assert page.status == 422
    assert words in page.problems.get(field, "") + page.source


def test_nothing_is_kept_of_what_cannot_be_understood(phone: Phone) -> None:
    page = sent(phone, "Caro diario, ieri sera Ada ha vinto.")
    refused = sent(phone, "Caro diario", action="keep")

    assert "Keep" not in [word for word in page.words.split() if word == "Keep"]
    assert (refused.status, page.status) == (422, 200)


@pytest.mark.parametrize("role", ["", "player", "nonsense", "caller"])
def test_columns_may_be_anything(phone: Phone, role: str) -> None:
    page = sent(phone, role=[role] * 4, player=["x" * 200] * 4)

    assert page.status in {200, 422}


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
    rows = load_workbook(io.BytesIO(book.data)).worksheets[0]
    assert rows.max_row == 2
    assert ".xlsx" in book.headers["Content-Disposition"]
    assert int(book.headers["Content-Length"]) == len(book.data)
