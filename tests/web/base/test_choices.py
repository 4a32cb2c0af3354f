"""Language and theme: chosen with one tap, kept in a cookie, and never a way to another site."""

import pytest
from flask import Flask

from tests.web.phones import Phone

ELSEWHERE = [
    "", "https://evil.example/", "//evil.example/", "///evil.example", "/\\evil.example",
    "\\\\evil.example", "/\t/evil.example", "/\n/evil.example", "\t//evil.example",
    " //evil.example", "http:evil.example", "javascript:alert(1)", "data:text/html,x", "//[",
    "http://[", "/\x00", "/%0d%0aSet-Cookie:x=1", "/\r\nSet-Cookie: x=1", "evil.example",
    "/nowhere", "?x", "/" * 9000, "/language", "/theme", "/circles/x/links", "//evil.example/..;/",
    "/\ud83d", "/@evil.example",
]  # fmt: skip
OURS = ["/", "/rules/", "/rules/briscola-chiamata/?x=1&y=2", "/join", "/sessions/new?game=x#here"]


@pytest.mark.parametrize("where", ["/language", "/theme"])
def test_own_page_is_followed_and_no_address_of_elsewhere(phone: Phone, where: str) -> None:
    for following, goes_to in [
        *dict.fromkeys(ELSEWHERE, "/").items(),
        *zip(OURS, OURS, strict=True),
    ]:
        sent = {
            "language": "it",
            "theme": "dark",
            "next": following.encode("utf-8", "surrogatepass"),
        }
        answer = phone.post(where, sent)

        assert (answer.status_code, answer.headers["Location"]) == (303, goes_to), following
        assert not [made for made in answer.headers.getlist("Set-Cookie") if made.startswith("x=")]


@pytest.mark.parametrize("chosen", ["de", "", "../it", "x" * 9000])
def test_language_is_kept_until_an_unknown_one_leaves_it_to_the_browser(
    app: Flask, chosen: str
) -> None:
    phone = Phone(app, **{"Accept-Language": "it"})
    phone.post("/language", {"language": "en", "next": "/"})
    kept = phone.page("/").language

    phone.post("/language", {"language": chosen, "next": "/"})

    assert (kept, phone.page("/").language) == ("en", "it")
    assert phone.client.get_cookie("language") is None


def test_theme_is_kept_until_the_device_decides_again(phone: Phone) -> None:
    phone.post("/theme", {"theme": "dark", "next": "/"})
    dark = phone.get("/").text
    phone.post("/theme", {"theme": "", "next": "/"})

    assert 'base/dark.css">' in dark
    assert 'base/dark.css" media="(prefers-color-scheme: dark)">' in phone.get("/").text


@pytest.mark.parametrize("name", ["language", "theme"])
def test_odd_cookie_is_ignored(phone: Phone, name: str) -> None:
    phone.client.set_cookie(name, '"><script>')

    page = phone.page("/")

    assert page.status == 200
    assert "<script>" not in page.source


def test_switch_of_the_first_page_and_of_a_circle_leads_back_to_it(phone: Phone) -> None:
    phone.start()

    for path in ("/", f"{phone.circle_url}more"):
        assert phone.page(path).form("/language")["next"] == path
