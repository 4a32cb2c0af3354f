"""Downloads through the real server: Flask's client sends headers that gunicorn refuses."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict
from werkzeug.http import parse_options_header

from scorer import create_app, storage
from tests.serving import serving
from tests.web.phones import Phone

TITLES = [
    pytest.param("Friday", "Friday", id="ASCII"),
    pytest.param("金曜日のトランプ", "金曜日のトランプ", id="Japanese"),
    pytest.param("Caffè 🃏 Corallo", "Caffè-Corallo", id="an emoji"),
    pytest.param("🃏🂡", "", id="emoji alone"),
    pytest.param('"Bea\'s" \\ "night"', "Bea-s-night", id="quotation marks"),
    pytest.param("One\r\nSet-Cookie: two=2", "One-Set-Cookie-two-2", id="lines"),
    pytest.param("../../etc/passwd; x=y", "etc-passwd-x-y", id="a path"),
    pytest.param("長" * 60, "長" * 60, id="as long as a name may be"),
]


@pytest.fixture(scope="module")
def instance(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("downloads")
    shutil.copy(sqlite_template, folder / "scorer.sqlite")
    return folder


@pytest.fixture(scope="module")
def beside(instance: Path) -> Iterator[Flask]:
    """An app with the data and the key of the server, to fill in forms quickly."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCORER_INSTANCE", str(instance))
        app = create_app({"LAN_HTTP": True, "WTF_CSRF_ENABLED": False})
    yield app
    with app.app_context():
        storage.db.engine.dispose()


@pytest.fixture(scope="module")
def server(instance: Path) -> Iterator[str]:
    with serving(instance) as url:
        yield url


@pytest.mark.parametrize(("title", "words"), TITLES)
def test_file_is_named_by_its_title_in_any_letters(
    server: str, beside: Flask, title: str, words: str
) -> None:
    phone = Phone(beside).start(title=title)
    phone.post(f"{phone.circle_url}rename", {"name": title})
    page = phone.page(f"{phone.circle_url}rules/new?from=volata")
    rules = MultiDict(page.form("/rules/new").fields)
    rules["name"], rules["action"] = title, "save"
    own = phone.post(f"{phone.circle_url}rules/new", rules)

    files = {
        f"{phone.circle_url}file": (".jsonl", "application/x-ndjson", "POST"),
        f"{phone.url}file": (".json", "application/json", "POST"),
        f"{phone.url}csv": (".csv", "text/csv; charset=utf-8", "POST"),
        f"{own.location}file": (".json", "application/json", "GET"),
    }
    for path, (ending, kind, method) in files.items():
        again = phone.client.open(path, method=method).data
        name, content_type, body = opened(server, phone, path, method)

        assert content_type == kind
        assert name.endswith(f"-{words}{ending}" if words else ending)
        assert without_journal(body) == without_journal(again)


def without_journal(body: bytes) -> list[bytes]:
    changing = (b'{"circle":', b'{"end":', b'{"journal_entry":')
    return [line for line in body.splitlines() if not line.startswith(changing)]


def opened(server: str, phone: Phone, path: str, method: str) -> tuple[str, str | None, bytes]:
    token = {"csrf_token": phone.page().forms[0]["csrf_token"]}
    cookie = phone.client.get_cookie("scorer")
    assert cookie is not None
    request = Request(
        f"{server}{path}",
        data=urlencode(token).encode() if method == "POST" else None,
        headers={"Cookie": f"scorer={cookie.value}"},
    )
    with urlopen(request) as answer:
        disposition = answer.headers["Content-Disposition"]
        name = parse_options_header(disposition)[1]["filename"]
        assert "two=2" not in (answer.headers["Set-Cookie"] or "")
        assert disposition.isascii()
        return name, answer.headers["Content-Type"], answer.read()


def test_longest_title_fits_into_a_name(beside: Flask) -> None:
    phone = Phone(beside).start(title="長" * 80)

    assert phone.post("file").status_code == 200
    assert Phone(beside).post("/sessions/new", phone.agreed(title="長" * 200)).status_code == 422
