"""Circles over HTTP: programs with a link's secret, what they read and write, who is refused."""

import json
import re
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask

from scorer.errors import NotFoundError
from scorer.evening.acts import ACTS
from scorer.roles import Role
from scorer.services.base import clock
from scorer.services.circle import circles, programs
from scorer.settings import MOST_FAILURES
from tests.services.evenings import FIVE, selects
from tests.web.phones import Phone
from tests.web.programs import SHEET, Bot, bot_of, codes
from tests.web.routes import ROWS, Row, address, values
from tests.web.rows import findings, link_ids, phone_ids, rows, rows_put_back
from tests.web.tables import keep_table

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
PAID = {"Ada": 2, "Bea": 1, "Ciro": -1, "Dora": -1, "Ezio": -1}
WON = ["Ada", "Bea"]
ROLES = list(Role)
#: Every route of programs; streams have no end, and tell their status by the head alone.
ROUTES = [
    row._replace(method="HEAD") if row.endpoint == "api_circles.listen" else row
    for row in ROWS
    if row.endpoint.startswith("api_")
]


@pytest.fixture
def bot(phone: Phone) -> Bot:
    """Give a program that has the pen in a session without deals."""
    return bot_of(phone.start())


# What is read


def test_circle_that_a_secret_opens_is_listed_with_its_role(phone: Phone) -> None:
    circle = {"id": str(phone.start().keys[0]), "name": ", ".join(FIVE[:3])}

    for role in ROLES:
        told = bot_of(phone, role).ask("/api/v1/circles").get_json()
        assert told == {"circles": [{**circle, "role": role.value}]}


def test_sessions_are_listed_with_seats_and_balances(phone: Phone) -> None:
    with clock.at(NOON):
        phone.start()
    phone.record()
    bot = bot_of(phone, "spectator")
    opened = bot.ask(f"{bot.circle}/sessions")
    with clock.at(NOON + timedelta(hours=1)):
        phone.post("end")

    ended = bot.ask(f"{bot.circle}/sessions").get_json()["sessions"][0]

    assert opened.get_json()["sessions"] == [{**ended, "ended_at": None}]
    assert ended == {
        "id": str(phone.keys[1]),
        "game": "briscola-chiamata",
        "title": "Friday",
        "started_at": "2026-11-22T12:00:00Z",
        "ended_at": "2026-11-22T13:00:00Z",
        "next_number": 2,
        "seats": list(FIVE),
        "balances": PAID,
    }


def test_session_is_the_file_with_its_key_version_and_hash(phone: Phone) -> None:
    bot = bot_of(phone.start())
    phone.record()

    answer = bot.ask(bot.session)

    assert answer.get_json() == json.loads(phone.post("file").data)
    assert {"id", "version", "hash", "deals"} < answer.get_json().keys()
    assert answer.get_json()["next_number"] == 2
    assert bot.client.post("/api/v1/replay", data=answer.data).get_json()["ok"]


def test_deal_is_shown_with_all_its_versions(bot: Bot) -> None:
    with clock.at(NOON):
        bot.record()
    bot.amend(sheet={**SHEET, "card_points": 60})

    answer = bot.ask(f"{bot.deals}/1")
    deal = answer.get_json()
    first, second = deal.pop("versions")

    told = {"number": 1, "version": 2, "outcome": "played", "dealer": "Ezio", "state": "stands"}
    assert deal.items() >= told.items()
    assert deal["sheet"]["card_points"] == 60
    assert deal["payouts"] == {name: -amount for name, amount in PAID.items()}
    assert deal["won"] == ["Ciro", "Dora", "Ezio"]
    assert deal["why"][0].keys() == {"rule", "text"}
    assert first == {
        "version": 1,
        "act": "record",
        "outcome": "played",
        "dealer": "Ezio",
        "sheet": {**deal["sheet"], "card_points": 70},
        "payouts": PAID,
        "voided": False,
        "reason": None,
        "player": None,
        "phone": "Program 2",
        "at": "2026-11-22T12:00:00Z",
        "by": {"player": None, "phone": None, "program": "2"},
    }
    assert (second["act"], second["reason"]) == ("amend", "Counted again")


def test_standings_are_those_of_the_span_and_the_game(phone: Phone) -> None:
    with clock.at(NOON):
        phone.start()
    phone.record()
    bot = bot_of(phone, "spectator")
    where = f"{bot.circle}/standings"

    answer = bot.ask(where)
    ranked = answer.get_json()["standings"]

    assert ranked[0] == {"place": 1, "player": "Ada", "balance": 2, "deals": 1}
    assert [one["place"] for one in ranked] == [1, 2, 3, 3, 3]
    for asked, told in [("to=2026-11-22", ranked), ("to=2026-11-21", []), ("game=tresette", [])]:
        assert bot.ask(f"{where}?{asked}").get_json()["standings"] == told, asked
    assert (answer.get_json()["by"], answer.get_json()["game"]) == ("balance", "briscola-chiamata")


def test_standings_by_sessions_won_have_a_shape_of_their_own(phone: Phone) -> None:
    phone.start(players=("Ada", "Bea"), game="points", rules="highest")
    bot = bot_of(phone, "scorekeeper")
    with clock.at(NOON):
        bot.record(sheet={"points": [5, 3]})
    phone.post("end")

    answer, season = bot.ask(f"{bot.circle}/standings"), bot.ask(f"{bot.circle}/seasons/2026-11")

    told = {"by": "won", "game": "points"}
    rows = [
        {"place": 1, "player": "Ada", "sessions": 1, "won": 1, "average_place": "1", "deals": 1},
        {"place": 2, "player": "Bea", "sessions": 1, "won": 0, "average_place": "2", "deals": 1},
    ]
    assert answer.get_json() == {**told, "standings": rows}
    assert season.get_json().items() >= {**told, "standings": rows}.items()


def test_figures_of_a_player_are_those_of_the_pages(bot: Bot) -> None:
    with clock.at(NOON):
        bot.record()
    bot.record(2, sheet={**SHEET, "card_points": 80})
    where = f"{bot.circle}/players/{bot.player}"

    told = bot.ask(where).get_json()
    listed = bot.ask(f"{bot.circle}/players").get_json()["players"]

    assert [one["name"] for one in listed] == list(FIVE)
    assert listed[0] == {**listed[0], "retired": False, "games": ["briscola-chiamata"]}
    two = {"deals": 2, "made": 2, "points": 4, "decided": 2}
    assert (told["name"], told["game"], told["everything"]) == ("Ada", "briscola-chiamata", two)
    assert told["parts"] == {"caller": two}
    assert told["bids"] == {"61": two}
    assert told["partners"] == {"Bea": two}
    assert told["callers"] == {}
    assert told["flow"] == {
        name: {"deals": 2, "points": "4/3"} for name in ("Ciro", "Dora", "Ezio")
    }
    assert [one["deals"] for one in told["evenings"]] == [2]
    first = {"session": bot.session[-36:], "number": 1}
    assert told["longest_run"] == {"length": 2, "first": first, "last": first | {"number": 2}}


def test_deal_is_disputed_and_settled_by_programs(bot: Bot, phone: Phone) -> None:
    phone.record()
    where = f"{bot.deals}/1"
    dispute = {"kind": "dispute", "version": 1, "reason": "Bea had 60"}

    first, again = (bot.ask(f"{where}/reviews", dispute, "POST") for _ in range(2))
    shown = bot.ask(f"{where}/reviews").get_json()
    overtaken = bot.ask(f"{where}/reviews", {"kind": "confirm", "version": 1}, "POST")
    bot.ask(f"{where}/withdraw", {"version": 1, "seen": 1}, "POST")
    phone.post("deals/1/dispute", {"version": "1", "seen": "2", "reason": "Yes"})
    foreign = bot.ask(f"{where}/withdraw", {"version": 1, "seen": 3}, "POST")
    upheld = bot.ask(f"{where}/uphold", {"version": 1, "seen": 3, "reason": "Counted"}, "POST")

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.get_json() == again.get_json() == shown
    (said,) = shown["reviews"]
    told = {**dispute, "right": None, "player": None, "phone": "Program 2", "at": ""}
    told["by"] = {"player": None, "phone": None, "program": "2"}
    assert ({**said, "at": ""}, shown["state"]) == (told, "disputed")
    assert (overtaken.status_code, overtaken.get_json()["deal"]["state"]) == (409, "disputed")
    assert (foreign.status_code, upheld.get_json()["state"]) == (403, "stands")
    kinds = [one["kind"] for one in upheld.get_json()["reviews"]]
    assert kinds == ["dispute", "uphold", "dispute", "uphold"]


#: What is read of what a session of deals alone has not.
OTHERS = re.compile("<uuid:(note|rule_set|tournament)>|<season>")


def readable(bot: Bot) -> list[str]:
    """Give the addresses that are read."""
    _, _, _, _, circle, _, session = bot.session.split("/")
    given = {"circle": circle, "session": session, "player": bot.player, "number": 1}
    read = [row for row in ROUTES if row.method == "GET" and not OTHERS.search(row.rule)]
    return [address(bot.client.application, row.rule, given) for row in read]


def test_reading_changes_nothing_and_what_is_the_same_as_before_is_not_read_again(
    bot: Bot, phone: Phone
) -> None:
    link, program, holder, version = (1,) * 4
    bot.record()
    before, tags = rows(phone.app), dict[str, str]()
    for path in readable(bot):
        tags[path] = bot.ask(path).headers["ETag"]
        with phone.app.app_context(), selects() as again:
            same = bot.ask(path, **{"If-None-Match": tags[path]})
        assert (same.status_code, same.data) == (304, b"")
        assert len(again) <= link + program + holder + version, path
        assert {bot.ask(path, method=method).status_code for method in ("HEAD", "OPTIONS")} == {200}
    assert rows(phone.app) == before
    bot.amend(sheet={**SHEET, "card_points": 60})
    later = {bot.ask(path, **{"If-None-Match": tag}).status_code for path, tag in tags.items()}

    assert later == {200}


def test_tag_is_of_one_reader_alone_and_holds_for_what_was_packed(bot: Bot, phone: Phone) -> None:
    other = bot_of(phone, "player")
    for number in range(1, 4):
        bot.record(number)
    packing = {"Accept-Encoding": "gzip"}
    packed = bot.ask(f"{bot.deals}/1", **packing)
    same = bot.ask(f"{bot.deals}/1", **packing, **{"If-None-Match": packed.headers["ETag"]})
    assert (packed.content_encoding, same.status_code) == ("gzip", 304)
    assert "Authorization" in packed.vary
    asked = {"If-None-Match": bot.ask("/api/v1/circles").headers["ETag"]}

    assert bot.ask("/api/v1/circles", **asked).status_code == 304
    assert other.ask("/api/v1/circles", **asked).status_code == 200
    assert bot.ask("/api/v1/circles", **asked, **{"Accept-Language": "it"}).status_code == 200


# What is written


def test_deal_is_recorded_once_by_its_key(bot: Bot, phone: Phone) -> None:
    key = str(uuid4())

    first, again = bot.record(key=key), bot.record(key=key)

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.get_json() == again.get_json()
    paid = {"number": 1, "version": 1, "payouts": PAID, "won": WON, "why": None}
    assert {**first.get_json(), "why": None} == paid
    assert "Set-Cookie" not in first.headers
    assert len(bot.ask(bot.session).get_json()["deals"]) == 1
    assert bot.record(2, outcome="penalty", sheet={"offender": "Ada"}).status_code == 201
    assert bot.ask(f"{bot.deals}/2").get_json()["outcome"] == "penalty"
    payouts = {"Ada": 2, "Bea": -2}
    agreed = {"payouts": payouts, "reason": "mixed cards"}
    written = bot.record(3, outcome="agreed", sheet=agreed)
    assert [step["rule"] for step in written.get_json()["why"]] == ["agreed"]
    shown = bot.ask(f"{bot.deals}/3").get_json()["sheet"]
    assert shown["payouts"].items() >= payouts.items()
    refused = bot.record(4, outcome="agreed", sheet={**agreed, "reason": ""})
    assert [problem["code"] for problem in refused.get_json()["problems"]] == ["no-reason"]
    assert findings(phone) == []


def test_version_and_review_say_who_wrote_by_which_phone_or_key(bot: Bot, phone: Phone) -> None:
    phone.record()
    phone.post("deals/1/dispute", {"version": "1", "reason": "Wrong"})
    with phone.app.app_context():
        secret, role = "s" * 22, Role.SCOREKEEPER
        programs.make_key(phone.keys[0], uuid4(), secret, name="scribe", role=role)
    assert Bot(phone, "s" * 22).amend(1).status_code == 200

    for reader, name in ((bot, "Phone 1"), (bot_of(phone, "spectator"), None)):
        deal = reader.ask(f"{bot.deals}/1").get_json()
        reviews = reader.ask(f"{bot.deals}/1/reviews").get_json()["reviews"]
        by_phone = {"player": None, "phone": name, "program": None}
        by_key = {"player": None, "phone": None, "program": "scribe"}
        assert [version["by"] for version in deal["versions"]] == [by_phone, by_key]
        assert reviews[0]["by"] == by_phone


def test_number_or_key_that_is_taken_shows_its_deal_and_one_that_is_not_next_the_next(
    bot: Bot, phone: Phone
) -> None:
    phone.record()
    key = str(uuid4())
    bot.record(2, key=key)

    answer = bot.record(1)
    other = bot.record(3, key=key, sheet={**SHEET, "card_points": 90})

    assert answer.status_code == other.status_code == 409
    assert codes(answer) == codes(other) == ["conflict "]
    deal = answer.get_json()["deal"]
    assert deal == bot.ask(f"{bot.deals}/1").get_json()
    assert (deal["state"], deal["versions"][0]["phone"]) == ("stands", "Phone 1")
    assert other.get_json()["deal"]["number"] == 2
    for number in (4, 7, 0, -1, 2**63, -(2**64)):
        answer = bot.record(number)
        assert (answer.status_code, codes(answer)) == (409, ["not-next "]), number
        told = answer.get_json()
        assert (told["deal"], told["next_number"]) == (None, 3), number


def test_deal_is_voided_and_restored_by_the_version_seen_and_pays_by_that(bot: Bot) -> None:
    key = str(uuid4())
    bot.record(key=key)

    voided, again, stale = bot.change("void", 1), bot.change("void", 1), bot.change("void", 7)
    paid_nothing = [voided, bot.record(key=key), bot.ask(f"{bot.deals}/1")]
    restored = bot.change("restore", 2)

    assert [one.status_code for one in (voided, again, stale, restored)] == [200, 200, 409, 200]
    assert voided.get_json() == again.get_json()
    assert [voided.get_json()["version"], restored.get_json()["version"]] == [2, 3]
    assert stale.get_json()["deal"]["state"] == "voided"
    for answer in paid_nothing:
        assert answer.get_json().items() >= {"payouts": {}, "why": [], "won": []}.items()
    for answer in (restored, bot.record(key=key), bot.ask(f"{bot.deals}/1")):
        assert answer.get_json().items() >= {"payouts": PAID, "won": WON}.items()
        assert answer.get_json()["why"]


# Who wrote


def test_program_is_a_phone_of_its_own_that_owners_see_and_send_away(
    bot: Bot, phone: Phone
) -> None:
    bot.record(1)
    bot.record(2)
    with clock.at(clock.now() + timedelta(days=1)):
        bot.record(3)
    shared = phone.page(f"{phone.circle_url}phones").words
    journal = phone.page(f"{phone.circle_url}journal").words
    history = phone.page("deals/1/").words

    assert len(phone_ids(phone)) == 2
    assert all("Program 2" in page for page in (shared, journal, history))
    assert "Program 2 came in." in journal
    italian = bot.ask(f"{bot.deals}/1", **{"Accept-Language": "it"}).get_json()
    assert italian["versions"][0]["phone"] == "Programma 2"

    program = f"{phone.circle_url}phones/{phone_ids(phone)[1]}"
    phone.post(f"{program}/role", {"role": "player"})
    assert [bot.record(4).status_code, bot.ask(bot.session).status_code] == [403, 200]
    phone.post(f"{program}/away")
    assert [bot.record(4).status_code, bot.ask(bot.session).status_code] == [401, 401]


def test_link_that_was_taken_back_while_a_program_writes_lets_no_phone_in(
    bot: Bot, phone: Phone
) -> None:
    with phone.app.test_request_context():
        program = programs.find_program(bot.secret)
        assert program is not None
        circles.revoke_link(phone.keys[0], program.link_id)
        with pytest.raises(NotFoundError):
            programs.writer(program, bot.secret)

    assert len(phone_ids(phone)) == 1


# Who may

#: What is sent where a program may, to a deal that stands as its first version.
BODIES: dict[str, Any] = {
    **{f"api_deals.{name}_deal": {"version": 1} for name in ACTS},
    "api_deals.withdraw_deal": {},
    "api_deals.review_deal": {"kind": "confirm", "version": 1},
    "api_deals.record_deal": {"key": str(UUID(int=1)), "number": 1, "sheet": SHEET},
    "api_deals.amend_deal": {"version": 1, "sheet": SHEET},
}
EACH_ROUTE = [pytest.param(row, id=f"{row.method} {row.rule}") for row in ROUTES]


@pytest.fixture(scope="module")
def played(app: Flask) -> Phone:
    """Give an owner whose circle has a deal, a table and a link."""
    phone = Phone(app).start()
    phone.record()
    keep_table(phone)
    phone.link()
    return phone


@pytest.fixture(scope="module")
def there(played: Phone) -> dict[str, Any]:
    """Give what addresses in that circle are made of: each test has it again as it was."""
    return {**values(played), "number": 1}


@pytest.fixture(scope="module")
def bots(played: Phone) -> dict[Role, Bot]:
    """Give a program of each role in that circle, the least first."""
    return {role: bot_of(played, role) for role in reversed(ROLES)}


@pytest.fixture(scope="module")
def stranger(app: Flask) -> Bot:
    """Give a program of another circle."""
    return bot_of(Phone(app).start())


@pytest.mark.parametrize("row", EACH_ROUTE)
def test_least_role_may_and_the_one_below_not_and_a_foreign_circle_is_the_same_as_none(
    there: dict[str, Any], bots: dict[Role, Bot], stranger: Bot, row: Row
) -> None:
    app, body = stranger.client.application, BODIES.get(row.endpoint, {})
    where = address(app, row.rule, there)
    least = Role(row.facts.partition(" ")[0])
    below = [role for role in bots if not role.reaches(least)]
    before = rows(app)

    if "<uuid:circle>" in row.rule:
        nowhere = address(app, row.rule, {**there, "circle": uuid4()})
        foreign, missing = (stranger.ask(path, body, row.method) for path in (where, nowhere))
        assert (foreign.status_code, foreign.data) == (missing.status_code, missing.data)
        assert foreign.status_code == 404
    with rows_put_back(app):
        for role in below[-1:]:
            assert bots[role].ask(where, body, row.method).status_code == HTTPStatus.FORBIDDEN
        assert rows(app) == before
        assert bots[least].ask(where, body, row.method).status_code == row.status


def test_session_of_another_circle_is_not_there(app: Flask, bot: Bot) -> None:
    other = Phone(app).start().keys[1]
    where = f"{bot.circle}/sessions/{other}"

    for path in (where, f"{where}/deals/1", f"{bot.deals}/1"):
        answer = bot.ask(path)
        assert (answer.status_code, codes(answer)) == (404, ["not-found "])


def test_secret_that_opens_nothing_is_refused(bot: Bot, phone: Phone) -> None:
    for said in ("", "Basic YTpi", "x", "Bearer nonsense", "Bearer"):
        header = {"Authorization": said} if said else {}
        answer = Phone(phone.app).get(bot.session, headers=header)

        assert answer.status_code == 401, said
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert codes(answer) == ["unauthorized "]


def test_link_that_ran_out_or_was_taken_back_opens_nothing(bot: Bot, phone: Phone) -> None:
    bot.record()
    with clock.at(clock.now() + timedelta(days=8)):
        ran_out = bot.ask(bot.session).status_code, bot.record(2).status_code
    stood = bot.ask(bot.session).status_code
    phone.post(f"{phone.circle_url}links/{link_ids(phone)[-1]}/revoke")

    assert (ran_out, stood) == ((401, 401), 200)
    assert bot.ask(bot.session).status_code == bot.record(2).status_code == 401


def test_link_for_one_phone_is_no_key_for_a_program(phone: Phone) -> None:
    phone.start()
    with phone.app.app_context():
        secret = circles.make_link(phone.keys[0], "One", Role.SCOREKEEPER, once=True)
    bot = Bot(phone, secret)

    refused = [bot.ask(bot.session), bot.record(), bot.ask(f"{bot.session}/events")]
    joined = Phone(phone.app).post("/join", {"code": secret}).status_code

    assert [answer.status_code for answer in refused] == [403] * 3
    assert "for one phone only" in refused[0].get_json()["problems"][0]["message"]
    assert joined == 303


def test_secrets_are_not_guessed_without_end(bot: Bot, phone: Phone) -> None:
    right, most = bot.secret, MOST_FAILURES["secret"]
    with clock.at(NOON):
        bot.secret = "guessed"
        guesses = [bot.ask(bot.session).status_code for _ in range(most + 1)]
        bot.secret = right
        refused, neighbour = bot.ask(bot.session), Bot(phone, right).ask(bot.session)
    with clock.at(NOON + timedelta(minutes=1)):
        later = bot.ask(bot.session)

    assert guesses == [401] * most + [429]
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "60")
    assert [neighbour.status_code, later.status_code] == [200, 200]
