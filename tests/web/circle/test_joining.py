"""Joining: a link and who one is, then only so often; and what an owner does on the share page."""

import re
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path
from time import sleep, time
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from flask import Flask

from tests.serving import serving
from tests.web.pages import Page
from tests.web.phones import JSON, Phone
from tests.web.rows import link_ids, phone_ids

NAME = "Ada, Bea, Ciro, Dora, Ezio"


def joined(owner: Phone, role: str) -> Phone:
    return owner.let_in(Phone(owner.app), role)


@pytest.mark.parametrize("role", ["owner", "scorekeeper", "player"])
def test_phone_that_joined_is_asked_once_who_it_is(owner: Phone, role: str) -> None:
    code, guest = owner.link(role=role), Phone(owner.app)

    first = guest.post("/join", {"code": code}).headers["Location"]
    asked = guest.page(first)
    said = guest.post(asked.form("/hold").action, {"player_id": player(asked, "Bea")})
    again = guest.post("/join", {"code": code}).headers["Location"]

    assert first == f"{owner.circle_url}who"
    assert said.headers["Location"] == again == owner.circle_url
    assert "Nobody in particular" in asked.words


def player(page: Page, name: str) -> str:
    found = re.search(rf'name="player_id" value="([^"]+)"[^>]*>\s*{name}\s*<', page.source)
    assert found
    return found[1]


def test_spectator_is_not_asked(owner: Phone) -> None:
    guest = Phone(owner.app)

    answer = guest.post("/join", {"code": owner.link(role="spectator")})

    assert answer.headers["Location"] == owner.circle_url


def test_deal_amendment_and_void_say_who_and_which_phone(owner: Phone) -> None:
    guest = joined(owner, "scorekeeper")
    who = guest.page(f"{owner.circle_url}who")
    guest.post(f"{owner.circle_url}hold", {"player_id": player(who, "Bea")})

    owner.record(1)
    guest.post("deals/1/amend", {**guest.deal(1, card_points="40"), "version": "1", "reason": "?"})
    guest.post("deals/1/void", {"version": "2", "reason": "!"})

    words = guest.page("deals/1/").words.partition("History")[2]
    assert words.count("Bea, Phone 2, ") == 2
    assert words.count("Phone 1, ") == 1


@pytest.mark.parametrize("role", ["owner", "scorekeeper", "player", "spectator"])
def test_link_is_listed_with_its_name_and_role(owner: Phone, role: str) -> None:
    owner.link("Nonna’s tablet", role)

    words = owner.page(f"{owner.circle_url}share").words

    assert "Nonna’s tablet" in words
    assert f"{role.capitalize()} · 0 phones" in words


@pytest.mark.parametrize("role", ["", "king"])
def test_link_without_a_role_is_not_made(owner: Phone, role: str) -> None:
    before = link_ids(owner)

    answer = owner.post(f"{owner.circle_url}links", {"name": "x", "role": role})

    assert (answer.status_code, link_ids(owner)) == (400, before)


def test_page_with_a_secret_is_kept_by_no_browser(owner: Phone) -> None:
    made = {"name": "x", "role": "owner"}
    answer = owner.post(f"{owner.circle_url}links", made, follow_redirects=True)

    assert "no-store" in answer.headers["Cache-Control"]
    assert "keep it safe" in Page(answer).words
    assert "no-store" in owner.get(f"{owner.circle_url}share").headers["Cache-Control"]


def test_refused_change_says_why_on_the_page(owner: Phone) -> None:
    mine = f"{owner.circle_url}phones/{phone_ids(owner)[0]}"

    for answer in (
        owner.sent(f"{mine}/role", {"role": "player"}),
        owner.sent(f"{mine}/away"),
    ):
        assert answer.status == 422
        assert "needs an owner" in answer.problems["phone"]


def test_link_of_the_last_owner_stays_and_says_why(owner: Phone) -> None:
    other = joined(owner, "owner")
    assert other.post(f"{owner.circle_url}phones/{phone_ids(owner)[0]}/away").status_code == 303

    answer = other.sent(f"{owner.circle_url}links/{link_ids(owner)[0]}/revoke")

    assert (answer.status, answer.problems["phone"][:24]) == (422, "A circle needs an owner:")


def test_owner_who_sends_this_phone_away_is_home_again(owner: Phone) -> None:
    joined(owner, "owner")

    answer = owner.post(f"{owner.circle_url}phones/{phone_ids(owner)[0]}/away")

    assert answer.headers["Location"] == "/"
    assert owner.get(owner.circle_url).status_code == 404
    with owner.client.session_transaction() as cookie:
        assert cookie["phones"] == {}


def test_circle_is_deleted_by_its_name_only(owner: Phone) -> None:
    other = joined(owner, "scorekeeper")
    where = f"{owner.circle_url}delete"

    refused = owner.sent(where, {"name": "Friday"})
    answer = owner.post(where, {"name": NAME})

    assert (refused.status, "Type the name" in refused.problems["name"]) == (422, True)
    assert answer.headers["Location"] == "/"
    assert "is deleted" in owner.page("/").words
    assert [p.get(owner.circle_url).status_code for p in (owner, other)] == [404, 404]


def test_joining_too_often_is_told_when_to_try_again(app: Flask) -> None:
    stranger = Phone(app)
    answers = [stranger.post("/join", {"code": "x"}) for _ in range(21)]
    told = stranger.post("/join", {"code": "x"}, headers=JSON)
    neighbour = Phone(app).post("/join", {"code": "x"})

    refused = next(answer for answer in answers if answer.status_code == 429)
    wait = int(refused.headers["Retry-After"])
    assert 0 < wait <= 60
    assert f"Try again in {wait} seconds." in Page(refused).words
    assert (told.status_code, told.get_json()["problems"][0]["code"]) == (429, "too-many-requests")
    assert neighbour.status_code == 422


class Visitor:
    """A browser that tries a code at a real server."""

    def __init__(self, address: str) -> None:
        self._browser = build_opener(HTTPCookieProcessor())
        self._address = address
        with self._browser.open(address) as page:
            found = re.search(r'name="csrf_token" value="([^"]+)"', page.read().decode())
        assert found
        self._form = urlencode({"csrf_token": found[1], "code": "nonsense"}).encode()

    def join(self) -> int:
        """Try, and give the status of the answer."""
        try:
            with self._browser.open(self._address, self._form):
                return HTTPStatus.OK
        except HTTPError as refused:
            with refused:
                return refused.code


def wait_for_a_minute_with_room() -> None:
    """Begin where no minute ends while two hundred are counted."""
    seconds_left = 60 - time() % 60
    if seconds_left < 30:
        sleep(seconds_left + 0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "engine", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
)
def test_ten_joins_of_two_hundred_are_allowed_over_four_workers(
    request: pytest.FixtureRequest, tmp_path: Path, engine: str
) -> None:
    url = request.getfixturevalue("postgres_url") if engine == "postgresql" else ""
    with serving(tmp_path, database_url=url, workers=4) as address:
        clients = [Visitor(f"{address}/join") for _ in range(8)]
        wait_for_a_minute_with_room()
        with ThreadPoolExecutor(len(clients)) as threads:
            statuses = list(threads.map(lambda number: clients[number % 8].join(), range(200)))

    assert statuses.count(422) == 10
    assert statuses.count(429) == 190
