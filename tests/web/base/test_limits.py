"""What one address may ask for in a minute, by route and by setting."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from uuid import uuid4

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from scorer.errors import InvalidError
from scorer.routes import FACTS, facts_of
from scorer.services.base import clock, sandbox
from scorer.services.files import notebook_files
from scorer.settings import MOST_FAILURES, MOST_REQUESTS, MOST_SECONDS, MOST_WRITES
from scorer.texts import say
from tests.samples import RECORD
from tests.services.evenings import FIVE
from tests.web.conftest import app_with
from tests.web.pages import Page
from tests.web.phones import JSON, Phone
from tests.web.routes import ROWS, address, values
from tests.web.rows import rows
from tests.web.tables import keep_table

NOON = datetime(2026, 11, 21, 12, 0, 15, tzinfo=UTC)
#: Routes that only set or clear cookies.
KEEP_NOTHING = {"pages.language", "pages.theme", "offline.forget"}


def test_every_limit_of_a_route_has_a_figure(app: Flask) -> None:
    kinds = [facts_of(name).limits for name in {*app.view_functions, *FACTS}]
    figures = MOST_REQUESTS, MOST_WRITES, MOST_SECONDS, MOST_FAILURES

    assert {kind for some in kinds for kind in some} == {kind for some in figures for kind in some}


def test_every_route_that_writes_has_a_limit(app: Flask) -> None:
    writing = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if rule.methods and rule.methods & {"POST", "PUT", "PATCH", "DELETE"}
    }

    assert {endpoint for endpoint in writing if not facts_of(endpoint).limits} == KEEP_NOTHING
    assert len(writing) > 100


def test_phone_writes_as_often_as_the_limit_says_and_another_one_goes_on(shared_url: str) -> None:
    with app_with(shared_url, LIMITS={"write": 3}) as app:
        phone, other = Phone(app).start(), Phone(app).start()
        with clock.at(NOON):
            statuses = [phone.record(number).status_code for number in range(1, 6)]
            at_the_same_time = other.record(1).status_code
        with clock.at(NOON + timedelta(minutes=1)):
            later = phone.record(4).status_code

    assert (statuses, at_the_same_time, later) == ([303, 303, 303, 429, 429], 303, 303)


def test_every_route_of_programs_is_limited_by_its_secret(app: Flask) -> None:
    rules = [rule.endpoint for rule in app.url_map.iter_rules()]
    of_programs = {endpoint for endpoint in rules if endpoint.startswith("api_")}

    assert len(of_programs) > 15
    assert [one for one in of_programs if "secret" not in facts_of(one).limits] == []
    assert [one for one in of_programs if "api" not in facts_of(one).limits] == [
        "api_circles.listen"
    ]


def test_circles_are_started_so_often_a_minute_and_what_was_typed_is_sent_again_by_a_button(
    shared_url: str,
) -> None:
    with app_with(shared_url, LIMITS={"start": 2}) as app:
        phone = Phone(app)
        typed = phone.agreed(("Ada", "<Bea>", "Ciro", "Dora", "Ezio"))
        with clock.at(NOON):
            taken = [phone.post("/sessions/new", phone.agreed(players)) for players in ((), FIVE)]
            before = rows(app)
            refused = phone.post("/sessions/new", typed)
            after = rows(app)
            neighbour = Phone(app).post("/sessions/new", phone.agreed())
        form = Page(refused).form("/sessions/new")
        with clock.at(NOON + timedelta(minutes=1)):
            again = phone.post("/sessions/new", MultiDict(form.fields))

    statuses = [answer.status_code for answer in (*taken, refused, neighbour, again)]
    assert statuses == [422, 303, 429, 303, 303]
    assert after == before
    assert refused.headers["Retry-After"] == "45"
    assert "Try again in 45 seconds." in Page(refused).words
    assert [value for name, value in form.fields if name == "player"][:2] == ["Ada", "<Bea>"]


def test_form_of_very_many_fields_is_refused_before_it_is_read(phone: Phone) -> None:
    fields = {**phone.agreed(), "player": ["Ada"] * 1_000}

    assert phone.post("/sessions/new", fields).status_code == 413


#: A route of pages for each of the limits that count requests.
LIMITED = {
    limits: row
    for row in ROWS
    if not row.endpoint.startswith("api_")
    and {*(limits := row.facts.split()[1]).split(",")} & MOST_REQUESTS.keys() - {"start"}
}


@pytest.fixture(scope="module")
def busy(shared_url: str) -> Iterator[Phone]:
    """Give a phone of an app that takes each kind of request once a minute, with some of all."""
    once = dict.fromkeys(MOST_REQUESTS, 1)
    with app_with(shared_url, LIMITS=once) as app:
        with clock.at(NOON):
            phone = Phone(app).start()
            phone.record()
            phone.link()
            keep_table(phone)
        yield phone


@pytest.mark.parametrize("limits", LIMITED)
def test_requests_of_each_kind_are_limited(busy: Phone, limits: str) -> None:
    path = address(busy.app, LIMITED[limits].rule, values(busy))
    with clock.at(NOON + timedelta(minutes=1 + [*LIMITED].index(limits))):
        statuses = [busy.post(path).status_code for _ in range(2)]

    assert statuses[0] != 429
    assert statuses[1] == 429


@pytest.mark.parametrize(
    ("spent", "neighbours"), [("download", 200), ("circle-download", 429)], ids=["phone", "circle"]
)
def test_files_taken_out_are_metered_by_phone_and_by_circle(
    shared_url: str, spent: str, neighbours: int
) -> None:
    with app_with(shared_url, LIMITS={spent: 0.001}) as app, clock.at(NOON):
        phone = Phone(app).start()
        other = phone.let_in(Phone(app), "owner")
        statuses = [one.post("csv").status_code for one in (phone, phone, other)]
        statuses.append(Phone(app).start().post("csv").status_code)

    assert statuses == [200, 429, neighbours, 200]


def test_answer_that_is_refused_or_fails_gives_its_turn_back(phone: Phone) -> None:
    phone.start()

    failed = [phone.post(f"{phone.circle_url}sessions/{uuid4()}/csv").status_code for _ in range(4)]

    assert failed == [404] * 4
    assert phone.post("csv").status_code == 200


def test_file_is_paid_for_before_it_is_read(
    shared_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    statuses: list[int] = []

    def read_while_another_comes(*_: object) -> None:
        statuses.append(phone.post(path, {"key": str(uuid4()), "text": "Ada;Bea"}).status_code)
        raise InvalidError.of("no-table", "file", say("No table."))

    monkeypatch.setattr(notebook_files, "read", read_while_another_comes)
    with app_with(shared_url, LIMITS={"file": sandbox.SECONDS}) as app, clock.at(NOON):
        phone = Phone(app).start()
        path = f"{phone.circle_url}notebook"
        for _ in range(2):
            file = {"key": str(uuid4()), "text": "", "file": (BytesIO(b"PK"), "evening.xlsx")}
            statuses.append(phone.post(path, file).status_code)

    assert statuses == [429, 422] * 2


def test_what_computes_is_refused_when_its_seconds_are_spent(shared_url: str, phone: Phone) -> None:
    tiny = dict.fromkeys(MOST_SECONDS, 0.001)
    with app_with(shared_url, LIMITS=tiny) as app, clock.at(NOON):
        strict = phone.start().let_in(Phone(app), "scorekeeper")
        strict.record(1)
        looked = [strict.get("what-if?rules=volata") for _ in range(3)]
        tapped = [strict.post("record/preview", strict.deal(2), headers=JSON) for _ in range(3)]
        solved = [strict.post("/api/v1/solve", json.dumps(RECORD)) for _ in range(3)]
        rules = strict.get("/api/v1/rules").status_code
        neighbour = Phone(app).post("/api/v1/solve", json.dumps(RECORD)).status_code

    assert [one.status_code for one in looked + tapped + solved] == [200, 429, 429] * 3
    assert (rules, neighbour, solved[1].headers["Retry-After"]) == (200, 200, "45")
    assert [one["code"] for one in solved[1].get_json()["problems"]] == ["too-many-requests"]
