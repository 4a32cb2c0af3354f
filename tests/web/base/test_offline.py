"""What phones may keep, the installed app, and forgetting on a phone."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from scorer.web.base.offline import KEEP
from tests.web.phones import Phone


def test_nothing_is_kept_over_plain_http(phone: Phone) -> None:
    assert KEEP not in phone.start().get("/").headers


def test_page_whose_route_says_so_is_kept_and_neither_another_nor_a_refusal_nor_what_was_just_done(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(phone.app.config, "LAN_HTTP", False)
    phone.start()
    phone.post(f"{phone.circle_url}rename", {"name": "Fridays"})

    refused = Phone(phone.app).get(phone.url)
    said, after = phone.get(phone.circle_url), phone.get(phone.circle_url)
    other = phone.get(f"{phone.circle_url}links")

    assert [one.status_code for one in (refused, said, after, other)] == [404, 200, 200, 200]
    kept = [one.headers.get(KEEP) for one in (refused, said, after, other)]
    assert kept == [None, "again", "page", None]


def test_worker_names_the_version_of_the_static_files(client: FlaskClient) -> None:
    page, script = client.get("/"), client.get("/worker.js")

    (version,) = set(re.findall(r"/static/([0-9a-f]+)/", page.text))
    assert script.text.startswith(f'self.scorer = {{"version": "{version}"')
    assert script.headers["Content-Type"].startswith("text/javascript")
    assert "no-cache" in script.headers["Cache-Control"]
    whole = (Path(client.application.root_path) / "static/base/worker.js").read_text("utf-8")
    assert "/**" not in script.text
    assert script.text.count("\n") == whole.count("\n") + 1


def test_style_sheet_is_sent_without_comments_and_indentation(client: FlaskClient) -> None:
    sent = client.get("/static/0/base/scorer.css").text
    whole = (Path(client.application.root_path) / "static/base/scorer.css").read_text("utf-8")

    assert not re.search(r"^[ \t]", sent, re.MULTILINE)

    assert "/*" in whole
    assert "/*" not in sent
    assert sent.count("\n") == whole.count("\n")
    assert sent.count("{") == sent.count("}")


def test_no_string_of_a_script_goes_on_in_the_next_line(client: FlaskClient) -> None:
    static = Path(client.application.root_path) / "static"

    for path in static.rglob("*.js"):
        sent = client.get(f"/static/0/{path.relative_to(static).as_posix()}").text
        assert [line for line in sent.splitlines() if line.count("`") % 2] == [], path


@pytest.mark.parametrize(("language", "record"), [("en", "Record a deal"), ("it", "Segna")])
def test_installed_app_speaks_the_language_of_the_page(
    client: FlaskClient, language: str, record: str
) -> None:
    page = client.get("/", headers={"Accept-Language": language})
    (address,) = re.findall(r'rel="manifest" href="([^"]+)"', page.text)

    said = client.get(address).get_json()

    assert said["lang"] == language
    assert said["shortcuts"][0]["name"].startswith(record)
    assert {icon["purpose"] for icon in said["icons"]} == {"any", "maskable"}
    assert {client.get(icon["src"]).status_code for icon in said["icons"]} == {200}
    assert client.get("/manifest/xx.webmanifest").status_code == 404


def test_shortcuts_lead_to_the_newest_open_session_and_its_form_else_home(phone: Phone) -> None:
    assert phone.get("/tonight").location == "/"
    phone.start()
    spectator = phone.let_in(Phone(phone.app), "spectator")

    assert phone.get("/tonight").location == phone.url
    assert phone.get("/tonight/record").location == f"{phone.url}record"
    assert spectator.get("/tonight/record").location == phone.url
    phone.post("end")
    assert phone.get("/tonight/record").location == "/"


def test_forgotten_phone_is_in_no_circle_and_its_browser_is_told(phone: Phone) -> None:
    phone.start()

    answer = phone.post("/forget")

    assert answer.headers["Clear-Site-Data"] == '"cache", "storage"'
    assert any(one.startswith("language=;") for one in answer.headers.getlist("Set-Cookie"))
    assert "has forgotten all circles" in phone.get("/").text
    assert phone.get(phone.url).status_code == 404


def test_page_of_a_kept_form_has_a_mark_where_a_key_is_new(phone: Phone) -> None:
    phone.start()

    fresh = re.findall(r"<input[^>]*name=\"key\"[^>]*>", phone.get("record").text)

    assert fresh
    assert all("data-new" in tag for tag in fresh)
