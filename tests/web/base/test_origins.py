"""Other hosts and other sites: what is refused, and what at home or behind HTTPS is not."""

import socket
from typing import Any

import pytest
from flask import Flask

from scorer import create_app
from tests.web.conftest import SETTINGS
from tests.web.pages import Page
from tests.web.phones import JSON, Phone
from tests.web.rows import rows

STRANGE = "evil.example"


def asked(hosts: list[str], **settings: Any) -> list[int]:
    """Give the status of a page of an app with other settings, asked for by each of the names."""
    client = create_app({**SETTINGS, "DATABASE_URL": "sqlite://", **settings}).test_client()
    return [client.get("/rules/", headers={"Host": host}).status_code for host in hosts]


def test_at_home_the_server_goes_by_addresses_and_names_of_a_home_and_by_no_other() -> None:
    addresses_of_a_home = ["192.168.1.5:8000", "[fd00::7]:8000"]
    names = ["localhost:8000", "raspberrypi", "scorer.local", "Scorer.Local.",
             "scorer.home.arpa:8000", socket.gethostname()]  # fmt: skip
    of_strangers = [STRANGE, f"192.168.1.5.{STRANGE}", "scorer.local.example", f"[::1]{STRANGE}"]
    sound = [*addresses_of_a_home, *names]

    statuses = asked([*sound, *of_strangers, "[", "a b"])

    assert statuses == [200] * len(sound) + [400] * 6


def test_behind_https_any_name_is_answered_unless_some_are_listed() -> None:
    listed = {"LAN_HTTP": False, "TRUSTED_HOSTS": ["scorer.example"]}

    assert asked(["scorer.example"], LAN_HTTP=False) == [200]
    assert asked(["scorer.example", STRANGE], **listed) == [200, 400]


def test_names_that_are_listed_are_the_only_ones() -> None:
    own = ["Scorer.example:8000", "deep.under.home.example", "home.example"]
    others = ["away-from-home.example", "192.168.1.5"]

    statuses = asked([*own, *others], TRUSTED_HOSTS="scorer.EXAMPLE, .home.example")

    assert statuses == [200, 200, 200, 400, 400]


def test_refused_host_is_told_so_on_every_page_also_on_none_and_in_both_languages(
    app: Flask, phone: Phone
) -> None:
    phone.start()
    for path in ("/", phone.url, "/nothing/here", "/health"):
        answer = phone.get(path, headers={"Host": STRANGE})
        assert answer.status_code == 400, path
        assert "does not answer to the name" in Page(answer).words

    italian = Page(Phone(app).get("/", headers={"Host": STRANGE, "Accept-Language": "it"}))
    told = phone.get("/api/v1/rules", headers={**JSON, "Host": STRANGE})

    assert "non è conosciuto con il nome" in italian.words
    assert STRANGE not in italian.source
    assert told.get_json()["problems"][0]["code"] == "bad-request"


#: Another site, nobody's page, another port, a longer name, nothing; no origin, from elsewhere.
ORIGINS = "https://evil.example null http://localhost:1234 http://localhost.evil.example"
FOREIGN = [{"Origin": origin} for origin in (*ORIGINS.split(), "")]
FOREIGN += [{"Sec-Fetch-Site": site} for site in ("cross-site", "same-site")]
#: A program, an own page, one behind a proxy that is not named, both, the same origin, typed.
OF_OUR_OWN: list[dict[str, str]] = [
    {},
    {"Origin": "http://localhost"},
    {"Origin": "https://localhost"},
    {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
]


@pytest.mark.parametrize("path", ["record", "/sessions/new", "/language", "/api/v1/score"])
def test_no_write_is_taken_from_another_site(phone: Phone, path: str) -> None:
    phone.start()
    before = rows(phone.app)

    for headers in FOREIGN:
        answer = phone.post(path, {**phone.agreed(), **phone.deal()}, headers=headers)
        assert answer.status_code == 403, headers
        assert "another site" in answer.text
    assert rows(phone.app) == before


def test_own_pages_and_programs_write(phone: Phone) -> None:
    phone.start()

    for number, headers in enumerate(OF_OUR_OWN, start=1):
        answer = phone.post("record", phone.deal(number), headers=headers)
        assert answer.status_code == 303, headers


def test_who_speaks_https_takes_nothing_from_a_page_that_came_in_the_clear(app: Flask) -> None:
    phone, sent = Phone(app), {"language": "it", "next": "/"}

    def status(scheme: str) -> int:
        headers = {"Origin": f"{scheme}://localhost", "Referer": f"{scheme}://localhost/"}
        to = {"headers": headers, "base_url": "https://localhost"}
        return phone.post("/language", sent, **to).status_code

    assert [status("https"), status("http")] == [303, 403]
