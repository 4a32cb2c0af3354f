"""No form is taken without its token, and the cookies are as safe as the network allows."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import cycle
from uuid import uuid4

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from scorer.services.base import clock
from scorer.web.base.access import MOST_CIRCLES
from tests.web.conftest import app_with
from tests.web.pages import Page
from tests.web.phones import JSON, Phone
from tests.web.routes import addresses, values
from tests.web.rows import rows
from tests.web.tables import keep_table

#: They compute and keep nothing, and are for programs, which have no forms.
NO_TOKEN = {"operations.score", "operations.replay", "operations.check", "operations.solve"}


@pytest.fixture(scope="module")
def strict_app(shared_url: str) -> Iterator[Flask]:
    """Give the app as people use it over HTTPS, on the database of the tests."""
    with app_with(shared_url, LAN_HTTP=False) as app:
        yield app


@pytest.fixture
def strict_phone(strict_app: Flask, phone: Phone) -> Phone:
    """Give a phone in a circle of that app."""
    code = phone.start().link(role="owner")
    phone.record(1)
    keep_table(phone)
    strict = over_https(strict_app)
    strict.client.tokens = False
    strict.headers = {"Referer": "https://localhost/"}
    shown = strict.page("/join")
    answer = strict.post("/join", shown.form("/join").sends(code=code))
    assert answer.status_code == 303
    strict.url = phone.url
    return strict


def test_form_without_its_own_token_is_refused_and_writes_nothing(
    app: Flask, strict_app: Flask, strict_phone: Phone
) -> None:
    before = rows(app)
    sent = strict_phone.deal(2) | {"version": "1", "outcome": "misdeal", "name": "x"}
    sent |= {"language": "it", "theme": "dark"}
    foreign = over_https(strict_app).page("/join").form("/join")["csrf_token"]
    tokens = cycle([{}, {"csrf_token": "nonsense"}, {"csrf_token": foreign}])
    posts = addresses(strict_app, "POST", values(strict_phone))
    assert len(posts) > 20
    for endpoint, path in posts.items():
        if endpoint in NO_TOKEN:
            continue
        answer = strict_phone.post(path, {**sent, **next(tokens)})
        assert answer.status_code == 400, endpoint

    assert rows(app) == before


def test_bearer_stands_for_a_token_where_no_cookie_is_opened(strict_phone: Phone) -> None:
    bearer = {"Authorization": f"Bearer {strict_phone.secret('scorekeeper')}"}
    player = f"/api/v1{strict_phone.circle_url}players/{values(strict_phone)['player_id']}"
    form = {"name": "x", "version": "1", "reason": "?"}

    by_program = strict_phone.client.post(f"{player}/retire", headers=bearer)
    by_cookie = strict_phone.client.post(f"{player}/retire")
    of_a_page = strict_phone.post("deals/1/void", form, headers=bearer)

    assert [by_program.status_code, by_cookie.status_code] == [200, 401]
    assert of_a_page.status_code == 400


def test_cookies_are_kept_from_scripts_and_other_sites(strict_phone: Phone) -> None:
    page = strict_phone.page("/")
    forms = {
        "/language": page.form("/language").sends(language="it", next="/"),
        "record": page.form("/theme").sends(**strict_phone.deal(2)),
    }
    answers = [strict_phone.post(path, sent) for path, sent in forms.items()]
    cookies = [made for answer in answers for made in answer.headers.getlist("Set-Cookie")]

    assert {made.partition("=")[0] for made in cookies} == {"language", "__Host-scorer", "undo"}
    for made in cookies:
        assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(made.split("; "))
        assert "Domain" not in made


def over_https(app: Flask, **cookies: str) -> Phone:
    """Give a phone that sends these cookies over HTTPS."""
    phone = Phone(app)
    phone.client.environ_base["wsgi.url_scheme"] = "https"
    for name, value in cookies.items():
        phone.client.set_cookie(name.replace("_Host_", "_Host-"), value)
    return phone


def cookie_of(phone: Phone, name: str) -> str:
    kept = phone.client.get_cookie(name)
    return kept.value if kept else ""


def test_cookie_of_plain_http_is_accepted_once_and_replaced(
    strict_app: Flask, phone: Phone
) -> None:
    phone.start()
    moved = over_https(strict_app, scorer=cookie_of(phone, "scorer"))

    part = moved.get("/static/0/base/scorer.css")
    first = moved.get(phone.url)
    second = moved.get(phone.url)

    kept, gone = first.headers.getlist("Set-Cookie")
    assert [part.status_code, first.status_code, second.status_code] == [200, 200, 200]
    assert kept.startswith("__Host-scorer=")
    assert gone.startswith("scorer=;")
    assert {"Max-Age=0", "Path=/", "Secure", "HttpOnly", "SameSite=Lax"} <= set(gone.split("; "))
    assert not part.headers.getlist("Set-Cookie")
    assert not second.headers.getlist("Set-Cookie")
    assert cookie_of(moved, "__Host-scorer")
    assert not cookie_of(moved, "scorer")


def test_cookie_of_plain_http_counts_for_nothing_beside_the_other(
    strict_app: Flask, strict_phone: Phone, phone: Phone
) -> None:
    ours = cookie_of(strict_phone, "__Host-scorer")
    stranger = Phone(phone.app).start()
    planted = over_https(strict_app, __Host_scorer=ours, scorer=cookie_of(stranger, "scorer"))

    statuses = [planted.get(strict_phone.url).status_code, planted.get(stranger.url).status_code]

    assert statuses == [200, 404]


@pytest.mark.parametrize("https", [False, True])
def test_cookie_that_was_tampered_with_opens_nothing(
    strict_app: Flask, phone: Phone, *, https: bool
) -> None:
    phone.start()
    cookie = cookie_of(phone, "scorer")
    other = over_https(strict_app) if https else Phone(phone.app)

    for kept, status in ((cookie[:-3] + "AAA", 404), (cookie, 200)):
        other.client.set_cookie("scorer", kept)
        assert other.get(phone.url).status_code == status


def test_cookie_holds_many_circles_and_is_not_too_large(phone: Phone) -> None:
    first = phone.start().url
    with phone.client.session_transaction() as cookie:
        cookie["phones"] |= {uuid4().hex: uuid4().hex for _ in range(MOST_CIRCLES - 1)}
    held = phone.get(first).status_code
    phone.start()

    assert len(cookie_of(phone, "scorer")) < 3900
    assert [held, phone.get().status_code, phone.get(first).status_code] == [200, 200, 404]


@pytest.mark.parametrize("headers", [{}, {"Origin": "https://elsewhere.example"}])
@pytest.mark.parametrize("path", ["/sessions/new", "/no/such/page", "/join", "/language"])
def test_form_of_another_site_takes_no_cookie_away(
    strict_app: Flask, path: str, headers: dict[str, str]
) -> None:
    foreign = over_https(strict_app)
    foreign.client.tokens = False

    answer = foreign.post(path, {"name": "x"}, headers=headers)

    assert answer.status_code in ({403} if headers else {400, 404})
    assert answer.headers.getlist("Set-Cookie") == []


def test_cookie_is_sent_when_it_changes_and_once_a_day(strict_phone: Phone) -> None:
    with clock.at(datetime(2026, 11, 21, 12, tzinfo=UTC)):
        first, again = strict_phone.get(), strict_phone.get()
    with clock.at(datetime(2026, 11, 22, 12, tzinfo=UTC)):
        next_day = strict_phone.get()

    sent = [len(one.headers.getlist("Set-Cookie")) for one in (first, again, next_day)]
    assert sent == [1, 0, 1]


OURS = {"Origin": "https://localhost", "Referer": "https://localhost/"}


@pytest.mark.parametrize("path", ["record", "record/start", "deals/1/amend"])
def test_form_of_a_deal_whose_token_is_lost_comes_back_filled(
    strict_phone: Phone, path: str
) -> None:
    typed = strict_phone.deal(2 if path != "deals/1/amend" else 1) | {"version": "1"}
    strict_phone.headers = OURS
    answer = Page(strict_phone.post(path, {**typed, "csrf_token": "old"}))
    form = answer.form(path.replace("record/start", "start"))

    assert answer.status == 400
    assert dict(form.fields).items() >= {"caller": "0", "partner": "1"}.items()
    assert dict(form.fields)["key"] == typed["key"]
    again = strict_phone.post(path, form.sends())
    assert again.status_code == 303, Page(again).problems


def test_other_form_whose_token_is_lost_is_sent_again_by_a_button(strict_phone: Phone) -> None:
    strict_phone.headers = OURS
    typed = strict_phone.agreed(("Ada", "<Bea>", "Ciro", "Dora", "Ezio"))
    form = strict_phone.sent("/sessions/new", {**typed, "csrf_token": "old"}).form("/sessions/new")

    assert [value for name, value in form.fields if name == "player"][:2] == ["Ada", "<Bea>"]
    assert strict_phone.post("/sessions/new", MultiDict(form.fields)).status_code == 303


def test_what_no_page_of_ours_or_a_script_sent_does_not_come_back(strict_phone: Phone) -> None:
    answer = Page(strict_phone.post("record", strict_phone.deal(2)))
    to_a_script = strict_phone.post("record", strict_phone.deal(2), headers={**OURS, **JSON})

    assert answer.status == to_a_script.status_code == 400
    assert not [form for form in answer.forms if "caller" in dict(form.fields)]
    assert to_a_script.get_json()["ok"] is False
