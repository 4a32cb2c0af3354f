"""The last page of an evening: what it says, the picture, the public page, the sheet on paper."""

import re

import pytest
from flask import Flask

from scorer.services.album.last_page import standing_pages
from scorer.services.base.journal import Kind
from scorer.services.figures.figures import cache
from scorer.services.journal.journal_page import SENTENCES
from scorer.web.album.evenings import initials
from tests.data.payloads import PAYLOADS
from tests.services.evenings import selects
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.rows import findings

PNG = b"\x89PNG"


def ended(phone: Phone, deals: int = 4, **other: str) -> Phone:
    """Play an evening to its end by hand."""
    phone.start(**other)
    for number in range(1, deals + 1):
        phone.record(number)
    phone.post("end")
    return phone


def published(phone: Phone, **shown: str) -> str:
    """Make a public page and give its address."""
    phone.post("public", {"names": "full", **shown})
    found = re.search(r'value="http://[^/]*(/evening/[^"]+)"', phone.page("last").source)
    assert found is not None
    return found[1].replace("&amp;", "&")


def test_end_by_hand_opens_the_last_page(phone: Phone) -> None:
    ended(phone)

    answer = phone.post("end")
    page = phone.page("last")

    assert answer.headers["Location"].endswith("/last")
    assert "Ada won." in page.told
    assert "Best partner Bea, 4 of 4 made" in page.told
    assert "Play on" in page.words
    assert f"{phone.url}deals/1/" in page.links
    assert {form.action for form in page.forms} >= {f"{phone.url}reopen", f"{phone.url}public"}


def test_deal_that_brings_the_end_opens_the_last_page_and_another_match_is_counted_in(
    phone: Phone,
) -> None:
    phone.start(end="deals", deals="1")
    assert phone.post("public", {"names": "full"}).location == phone.url

    assert phone.record(1).headers["Location"].endswith("/last")
    phone.post("deals/1/void", {"version": "1"})
    assert phone.post("deals/1/restore", {"version": "2"}).location == f"{phone.url}last"
    assert "See the last page" in phone.page().words
    first_url = phone.url
    first, following = phone.page("last"), phone.post("next").headers["Location"]
    phone.url = following
    phone.record(1)
    page = phone.page("last").told

    assert f"{first_url}next" in first.links
    assert "The games of the evening" in page
    assert "Ada+4" in page
    assert "Match 1" in page


def test_match_that_is_still_played_is_named_and_not_counted(phone: Phone) -> None:
    phone.start(stake="0.50", title="")
    phone.record(1)
    phone.post("end")
    first = phone.url
    phone.url = phone.post("next").headers["Location"]
    phone.record(1)

    page = phone.page(f"{first}last")

    assert "is still being played" in page.told
    assert phone.url in page.links
    assert "Ciro →to Ada €0.50" in page.told


@pytest.mark.parametrize("shape", ["tall", "nonsense"])
def test_picture_is_kept_until_something_changes(phone: Phone, shape: str) -> None:
    ended(phone)
    address = f"picture.png?shape={shape}&theme=dark"

    first = phone.get(address)
    again = phone.get(address, headers={"If-None-Match": first.headers["ETag"]})
    other = phone.get(f"{address}&theme=light&language=it", headers={"Accept-Language": "it"})

    assert first.data.startswith(PNG)
    assert again.status_code == 304
    assert other.headers["ETag"] != first.headers["ETag"]


def test_public_page_opens_for_anybody_and_leads_to_no_circle(app: Flask, phone: Phone) -> None:
    ended(phone, stake="0.50")
    visitor, address = Phone(app), published(phone)
    answer = visitor.get(address)
    page = Page(answer)

    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert "Set-Cookie" not in answer.headers
    assert "Ada won." in page.told
    assert "€" not in page.words
    assert "/circles/" not in page.source
    assert "/" in page.links
    image = re.search(r'property="og:image" content="http://localhost([^"]+)"', page.source)
    assert image is not None
    assert visitor.get(image[1].replace("&amp;", "&")).data.startswith(PNG)
    assert "Vince Ada." in visitor.page(address.replace("language=en", "language=it")).told
    assert visitor.post("/join", {"code": address.split("/")[2]}).status_code == 422
    seen = phone.let_in(Phone(app), "spectator").page("last")
    assert "/evening/" not in seen.source
    assert "Show it around" in seen.words


def test_public_page_shows_initials_and_money_where_that_was_chosen(phone: Phone) -> None:
    ended(phone, stake="0.50", title="Ada’s birthday")

    page = Phone(phone.app).page(published(phone, names="initials", money="y"))

    assert "Ada" not in page.source
    assert "A. won." in page.told
    assert "C. → A. €2.00" in page.told


def test_public_page_taken_back_or_played_on_opens_no_longer(app: Flask, phone: Phone) -> None:
    ended(phone)
    address = published(phone)
    visitor = Phone(app)
    assert published(phone) == address
    phone.post("reopen")
    while_played = visitor.get(address).status_code
    assert phone.get("last").location == phone.url
    assert phone.get("picture.png").status_code == 409
    phone.post("end")
    again = visitor.get(address).status_code
    with app.app_context():
        (page,) = standing_pages(*phone.keys)
    assert findings(phone) == []

    phone.post(f"public/{page.page_id}/revoke")
    phone.post(f"public/{page.page_id}/revoke")

    assert (while_played, again) == (404, 200)
    assert visitor.get(address).status_code == 404
    journal = phone.page(f"{phone.circle_url}journal").words
    assert "“Friday” has a public page." in journal
    assert journal.count(str(SENTENCES[Kind.PAGE_REVOKED, "public_page"])) == 1


def test_guessing_is_stopped_and_noted_without_the_guess(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    visitor = Phone(app)
    answers = [visitor.get(f"/evening/guess{n}/").status_code for n in range(25)]

    assert answers[:20] == [404] * 20
    assert answers[-1] == 429
    assert "guess" not in caplog.text


def test_sheet_on_paper_has_all_deals_signatures_and_the_hash(phone: Phone) -> None:
    phone.start(end="open")
    for number in range(1, 17):
        phone.record(number)

    page = phone.page("sheet")

    assert "paper-tall" in page.source
    assert page.source.count('<th scope="row" class="number">') == 17
    assert page.source.count('<span class="line">') == 5
    assert "Seal of this session" in page.words
    assert "still being played" in page.words


BURRACO: dict[str, str] = {"closed": "0", "clean-0": "1", "melded-0": "385", "melded-1": "210"}


def test_slip_has_base_cards_and_totals_of_each_side_and_a_line_to_sign(phone: Phone) -> None:
    names = ["Ada", "Bea", "Ciro", "Dora"]
    phone.start(names, game="burraco", rules="three-deals", first_dealer="0")
    later = {"closed": "nobody", "in_hand-1": "95", "pot_taken-not-1": "y"}
    for number, deal in enumerate(({}, later, {}), start=1):
        assert phone.enter(number, **BURRACO | deal).status_code == 303
    page = phone.page("sheet")
    rows = re.findall(r"<tr[ >].*?</tr>", page.source.partition("<main")[2], re.DOTALL)
    slip = [re.sub(r"<[^>]*>", " ", row).split() for row in rows]

    assert "paper-slip" in page.source
    assert page.source.count('<span class="line">') == 2
    assert [row for row in slip if row[0].isdigit()] == [
        *(["1", "300", "385", "685", "685"], ["2", "200", "385", "585", "1270"]),
        *(["3", "300", "385", "685", "1955"],),
        *(["1", "0", "210", "210", "210"], ["2", "−100", "115", "15", "225"]),
        *(["3", "0", "210", "210", "435"],),
    ]
    assert [row[-1] for row in slip if row[0] == "Victory"] == ["20", "0"]
    last = phone.page("last")
    assert "Ada and Ciro 1955 (20 VP), Bea and Dora 435 (0 VP)." in last.told


def test_whatever_is_typed_is_shown_as_text(phone: Phone) -> None:
    names = [" ".join(payload.split())[:40] for payload in PAYLOADS[:: len(PAYLOADS) // 5][:5]]
    phone.start(names, title=PAYLOADS[0][:60])
    phone.record(1)
    phone.post("end")

    public = Phone(phone.app).page(published(phone))
    for page in (phone.page("last"), phone.page("sheet"), public):
        assert page.status == 200
        assert not page.tags & {"iframe", "math", "object", "xss", "x"}
        assert None not in page.scripts
        assert not {one for one in page.attributes if one.startswith("on")}
    assert phone.get("picture.png").data.startswith(PNG)


def test_last_page_asks_the_same_however_many_deals(app: Flask, phone: Phone) -> None:
    asked = []
    for deals in (2, 12):
        ended(phone, deals=deals, end="open")
        cache.clear()
        phone.get("last")
        with app.app_context(), selects() as found:
            phone.get("last")
        asked.append(len(found))

    assert asked[0] == asked[1]


def test_initials_tell_people_apart() -> None:
    assert initials(["Rosa", "Rocco", "Ro"]) == ["Ros.", "Roc.", "R. 3"]
    assert initials(["A", "ada", "Bea"]) == ["A. 1", "ad.", "B."]
