"""Notes and photos of an evening and of its deals: added, seen, taken back, and by whom."""

import hashlib
from uuid import UUID, uuid4

import pytest

from scorer.services.album.photos import cleaned
from scorer.services.journal.verify import circle_findings
from scorer.storage import queries
from tests.data.photos import of_a_phone, photo
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.photos import add, add_photo, photo_ids
from tests.web.rows import every_row, rows


@pytest.fixture
def evening(phone: Phone) -> Phone:
    phone.start()
    phone.record(1)
    return phone


def address(key: UUID, what: str = ".jpg") -> str:
    return f"notes/{key}{what}"


def test_note_is_seen_on_the_page_of_its_evening_or_its_deal_and_in_the_journal(
    evening: Phone,
) -> None:
    other = evening.let_in(Phone(evening.app), "spectator")

    assert add(evening, "  Bea laughed\n last ").location == f"{evening.url}notes/"

    assert "“Bea laughed last”" in other.page("notes/").words
    journal = other.page(f"{evening.circle_url}journal").words
    assert "“Friday” has one more note." in " ".join(journal.split())
    assert "Bea laughed last" in journal
    evening.record(2)
    assert add(evening, "Dora cried", number="1").location == f"{evening.url}deals/1/#notes"
    seen = ["Dora cried" in evening.page(path).words for path in ("deals/1/", "deals/2/", "notes/")]
    assert seen == [True, False, True]


def test_photo_is_kept_without_a_word_shown_small_and_on_no_public_page(evening: Phone) -> None:
    add(evening, "The table", of_a_phone((800, 600)))
    (key,) = photo_ids(evening)

    whole, small = evening.get(address(key)), evening.get(address(key, ".jpg?small"))

    assert whole.data == cleaned(of_a_phone((800, 600)))
    assert len(small.data) < len(whole.data)
    for answer in (whole, small):
        assert answer.mimetype == "image/jpeg"
        assert answer.headers["Cache-Control"] == "private, max-age=604800, immutable"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "Scorer-Keep" not in answer.headers
    assert 'alt="The table"' in evening.get("notes/").text
    evening.post("end")
    evening.post("public", {"names": "full"})
    shown = evening.get("last").text
    public = shown.partition('value="http://localhost/evening/')[2].partition("?")[0]
    assert f"{key}.jpg?small" in shown
    open_page = Phone(evening.app).get(f"/evening/{public}")
    assert open_page.status_code == 200
    assert str(key) not in open_page.text


def test_photo_opens_nowhere_but_in_its_circle_and_evening(evening: Phone) -> None:
    key = add_photo(evening)
    same_circle = Phone(evening.app)
    same_circle.client = evening.client
    same_circle.start(circle=str(evening.keys[0]))
    stranger = Phone(evening.app).start()

    assert stranger.get(evening.url + address(key)).status_code == 404
    for phone in (same_circle, stranger):
        assert phone.get(address(key)).status_code == 404
        assert phone.post(address(key, "/back")).status_code == 404
    assert evening.get(address(key)).status_code == 200
    assert add(same_circle, "The same key", key=str(key)).status_code == 303


def test_photo_is_one_if_sent_twice_and_once_taken_back_only_the_journal_knows_of_it(
    evening: Phone,
) -> None:
    key, sent = uuid4(), photo() + bytes(1_900_000)
    for _ in range(2):
        assert add(evening, "Bea asleep", sent, number="1", key=str(key)).status_code == 303
    (kept,) = [row for row in rows(evening.app)["photo"] if key.hex in row]

    answers = [evening.post(address(key, "/back")) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [303, 303]
    assert evening.get(address(key)).status_code == 404
    assert "Bea asleep" not in evening.page("notes/").words + evening.page("deals/1/").words
    with evening.app.app_context():
        assert kept not in every_row()["photo"]
        *_, added, gone = queries.journal.journal_entries(evening.keys[0])
        assert (added.kind, gone.kind) == ("photo-added", "photo-taken-back")
        assert added.after == gone.before
        assert (added.after or {})["photo"] == hashlib.sha256(cleaned(photo())).hexdigest()
        assert [*circle_findings(evening.keys[0])] == []
    assert add(evening, "Bea asleep", sent, number="1", key=str(key)).status_code == 303
    assert evening.get(address(key)).status_code == 404


def test_note_is_taken_back_on_its_own_phone_or_with_the_pen(evening: Phone) -> None:
    ada, bea = (evening.let_in(Phone(evening.app), "player") for _ in range(2))
    keys = [add_photo(ada), add_photo(ada)]

    assert "notes/" + str(keys[0]) + "/back" not in bea.get("notes/").text
    assert bea.post(address(keys[0], "/back")).status_code == 403
    assert ada.post(address(keys[0], "/back")).status_code == 303
    assert evening.post(address(keys[1], "/back")).status_code == 303


def test_what_is_no_photo_is_refused_beside_its_field(evening: Phone) -> None:
    before = rows(evening.app)

    answer = add(evening, "The “table”", b"no photo")

    assert (answer.status_code, set(Page(answer).problems)) == (422, {"photo"})
    assert "The “table”</textarea>" in answer.text
    assert rows(evening.app) == before
