"""Downloads: Flask's client takes headers that gunicorn refuses, so gunicorn looks at them here."""

import pytest
from gunicorn.http.wsgi import Response
from werkzeug.http import parse_options_header

from tests.web.phones import Phone
from tests.web.tables import filled

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


@pytest.mark.parametrize(("title", "words"), TITLES)
def test_file_is_named_by_its_title_in_any_letters(phone: Phone, title: str, words: str) -> None:
    phone.start(title=title)
    phone.post(f"{phone.circle_url}rename", {"name": title})
    rules = {**filled(), "name": title, "action": "save"}
    own = phone.post(f"{phone.circle_url}rules/new", rules)

    files = {
        f"{phone.circle_url}file": (".jsonl", "application/x-ndjson", "POST"),
        f"{phone.url}file": (".json", "application/json", "POST"),
        f"{phone.url}csv": (".csv", "text/csv; charset=utf-8", "POST"),
        f"{own.location}file": (".json", "application/json", "GET"),
    }
    for path, (ending, kind, method) in files.items():
        answer = phone.client.open(path, method=method)
        Response(None, None, None).process_headers(answer.headers.to_wsgi_list())
        disposition = answer.headers["Content-Disposition"]
        name = parse_options_header(disposition)[1]["filename"]

        assert answer.content_type == kind
        assert disposition.isascii()
        assert name.endswith(f"-{words}{ending}" if words else ending)
