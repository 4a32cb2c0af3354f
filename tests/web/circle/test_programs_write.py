"""The rest of a circle over HTTP: sessions, tables, notes, money, rules, seasons, the journal.

And what is wrong with whatever a program asks or sends, by the fields.
"""

import json
from base64 import b64encode
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from werkzeug.test import TestResponse

from scorer.services.base import clock
from scorer.services.journal import journal_page
from scorer.services.money import ledger
from tests.data.documents import paths, replaced
from tests.data.photos import photo
from tests.data.rows import rows as rows_of
from tests.data.strategies import examples
from tests.operations.test_any_input import ANY_JSON
from tests.services.evenings import FIVE
from tests.web.circle.test_programs import NOON
from tests.web.phones import Phone
from tests.web.programs import Bot, bot_of, codes
from tests.web.rows import rows, rows_put_back
from tests.web.tournament.test_tournaments import filled

Sent = dict[str, Any]


def ask(bot: Bot, asked: str, body: Any) -> TestResponse:
    method, _, path = asked.partition(" ")
    where = path.replace("S", bot.session, 1) if path[:1] == "S" else f"{bot.circle}/{path}"
    return bot.ask(where, body, method)


def do(bot: Bot, asked: str, body: Any = None, status: int = 200) -> Any:
    """Send ``POST ledger/payments`` to the circle, or ``POST S/notes`` to the session."""
    answer = ask(bot, asked, body)
    assert answer.status_code == status, (asked, answer.get_json())
    return answer.get_json()


def key(**other: Any) -> Sent:
    return {"key": str(uuid4()), **other}


@pytest.fixture
def bot(phone: Phone) -> Bot:
    return bot_of(phone.start(), "owner")


def test_session_is_begun_changed_and_ended_by_a_program(bot: Bot) -> None:
    new = key(game="briscola-chiamata", players=[*FIVE], rules="classic", title="Bots")
    new |= {"first_dealer": "Ciro", "opening": {"Ada": 3, "Bea": -3}, "stake": 50}

    first = do(bot, "POST sessions", new, 201)
    assert do(bot, "POST sessions", new) == first
    bot.session = f"{bot.circle}/sessions/{first['id']}"
    bot.deals = f"{bot.session}/deals"

    assert (first["title"], first["seats"], first["opening"]["Ada"]) == ("Bots", list(FIVE), 3)
    table = do(bot, "GET S/table")
    assert (table["dealer"], table["rules"]["slug"]) == ("Ciro", "classic")
    assert bot.record().status_code == 201
    assert do(bot, "PUT S/title", {"title": "Robots"})["title"] == "Robots"
    do(bot, "PUT S/stake", {"stake": 100})
    do(bot, "POST S/next", status=409)
    do(bot, "POST S/end")
    money = do(bot, "GET ledger")
    assert (money["currency"], money["entries"][0]["kind"]) == ("EUR", "evening")
    assert money["balances"]["Ada"] == 500
    assert sum(one["cents"] for one in money["proposal"]) == 500
    do(bot, "POST S/reopen")
    do(bot, "POST S/end")
    following = do(bot, "POST S/next", status=201)
    assert (following["title"], do(bot, "POST S/next")) == ("Robots · 2", following)


def test_same_people_go_on_with_another_game(bot: Bot) -> None:
    do(bot, "POST S/end")
    own = do(bot, "POST rules", key(game="ramino", name="Ours", rules={"limit": 150}), 201)

    for game, code in (("poker", "unknown-game game"), ("scopa", "seats-count game")):
        assert codes(ask(bot, "POST S/next", {"game": game})) == [code]
    pairs = {"game": "scala-quaranta", "rules": "in-pairs"}
    assert codes(ask(bot, "POST S/next", pairs)) == ["seats-count players"]
    other = {"game": "scala-quaranta", "rules": {"preset": "to-201", "out": "over"}}
    second = do(bot, "POST S/next", other, 201)
    bot.session = f"{bot.circle}/sessions/{second['id']}"
    do(bot, "POST S/end")
    third = do(bot, "POST S/next", {"game": "ramino", "own_rules": {"id": own["id"]}}, 201)
    bot.session = f"{bot.circle}/sessions/{third['id']}"
    do(bot, "POST S/end")
    last = do(bot, "POST S/next", {}, 201)

    assert (second["seats"], second["rules"]["out"]) == ([*FIVE], "over")
    assert {(one["game"], one["rules"]["name"]) for one in (third, last)} == {("ramino", "Ours")}
    table = do(bot, f"GET sessions/{last['id']}/table")
    assert table["own_rules"] == {"id": own["id"], "version": 1}


def test_timer_is_started_paused_continued_and_removed_by_a_program(bot: Bot) -> None:
    nothing = do(bot, "GET S/timer")
    started = do(bot, "POST S/start-timer", {"minutes": 25}, 201)
    assert do(bot, "POST S/start-timer", {"minutes": 40}) == started
    assert do(bot, "POST S/pause-timer")["timer"]["paused"] >= started["timer"]["since"]
    assert do(bot, "POST S/continue-timer")["timer"]["paused"] is None
    assert do(bot, "POST S/remove-timer") == nothing == {"timer": None}
    do(bot, "POST S/start-timer", {"minutes": 0}, 422)


def test_seats_and_rules_are_changed_once_from_what_was_seen(bot: Bot) -> None:
    bot.record()
    table = do(bot, "GET S/table")
    seen = {"seen": table["seen"], "next_number": 2}
    six = [*FIVE, "Zoe"]
    change = {**seen, "seats": six, "guests": [{"name": "Zoe", "opening": 5}], "reason": "late"}
    change |= {"sits_out": ["Ada"], "dealer": "Bea"}

    first = do(bot, "POST S/table", change, 201)
    assert do(bot, "POST S/table", change) == first
    do(bot, "POST S/table", {**seen, "rules": "bastarda"}, 409)

    assert (first["seats"], first["sits_out"], first["dealer"]) == (six, ["Ada"], "Bea")
    seen["seen"] = first["seen"]
    back = do(bot, "POST S/table", {**seen, "sits_out": ["Ciro"]}, 201)
    assert (back["seats"], back["sits_out"]) == (six, ["Ciro"])
    seen["seen"] = back["seen"]
    for number in (7, 2**63, -(2**64)):
        do(bot, "POST S/table", {**seen, "seen": number, "rules": "bastarda"}, 409)
        do(bot, "POST S/notes", key(number=number, text="What a deal"), 404)
    left = do(bot, "POST S/table", {**seen, "seats": [*FIVE], "rules": "bastarda"}, 201)
    assert (left["left"], left["rules"]["slug"]) == (["Zoe"], "bastarda")


def test_notes_and_photos_are_added_shown_and_taken_back(bot: Bot, phone: Phone) -> None:
    with_photo = key(number=None, text="The table", photo=b64encode(photo()).decode())
    bot.record()

    do(bot, "POST S/notes", key(number=1, text="What a deal"), 201)
    listed = do(bot, "POST S/notes", with_photo, 201)
    assert do(bot, "POST S/notes", with_photo) == listed

    assert [(one["number"], one["photo"]) for one in listed["notes"]] == [(1, False), (None, True)]
    where = f"{bot.session}/notes/{with_photo['key']}"
    shown = bot.ask(f"{where}/photo")
    assert (shown.mimetype, Image.open(BytesIO(shown.data)).format) == ("image/jpeg", "JPEG")
    assert bot_of(phone, "player").ask(where, method="DELETE").status_code == 403
    assert len(bot.ask(where, method="DELETE").get_json()["notes"]) == 1


def test_public_page_is_made_opened_and_revoked(bot: Bot) -> None:
    bot.record()
    do(bot, "POST S/public", {"names": True}, 422)
    do(bot, "POST S/end")

    made = do(bot, "POST S/public", {"names": False, "money": True}, 201)

    assert do(bot, "POST S/public", {"names": False, "money": True}) == made
    (page,) = made["pages"]
    assert bot.client.get(page["url"]).status_code == 200
    assert do(bot, f"DELETE S/public/{page['id']}")["pages"] == []
    assert bot.client.get(page["url"]).status_code == 404


def test_money_is_paid_shared_confirmed_voided_and_paged(
    bot: Bot, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "PAGE", 2)
    bot.record()
    do(bot, "POST S/end")
    payment = key(payer="Ada", payee="Bea", amount=700, means="bank", day="2026-11-20")
    with clock.at(NOON):
        paid = do(bot, "POST ledger/payments", payment, 201)
        assert do(bot, "POST ledger/payments", payment) == paid
    cost = key(payer="Ciro", amount=300, among={"Ciro": 1, "Dora": 2}, note="Wine")
    shared = do(bot, "POST ledger/costs", cost, 201)
    assert shared["balances"] == {"Ada": 700, "Bea": -700, "Ciro": 200, "Dora": -200}
    money = do(bot, "PUT S/money", {"way": "pot", "stake": 100})
    assert money["amounts"]["Ada"] == 400
    assert do(bot, "PUT ledger/currency", {"currency": "CHF"})["currency"] == "CHF"

    do(bot, f"POST ledger/entries/{payment['key']}/confirm")
    do(bot, f"POST ledger/entries/{cost['key']}/void")
    newest = do(bot, "GET ledger/entries")
    older = bot.ask(newest["next"]).get_json()

    entries = newest["entries"] + older["entries"]
    assert [one["kind"] for one in entries] == ["cost", "evening", "payment"]
    assert [bool(one["voided_at"]) for one in entries] == [True, False, False]
    last = entries[2]
    assert (older["next"], last["means"], last["at"][:10]) == (None, "bank", "2026-11-20")
    assert last["confirmed_at"]
    least = {"payer": "Ada", "payee": "Bea", "amount": 1}
    do(bot_of(phone, "player"), "POST ledger/payments", key(**least), 403)
    for means in ({"means": None}, {}):
        do(bot, "POST ledger/payments", key(**least, **means), 201)
    entries = do(bot, "GET ledger/entries")["entries"]
    assert [entry["means"] for entry in entries] == ["cash", None]


def test_tournament_has_fees_prizes_and_a_public_page_by_a_program(bot: Bot, phone: Phone) -> None:
    form = filled(names="Ada, Bea\nCiro, Dora", rounds="1")
    made = phone.post(f"{phone.circle_url}tournaments/new", form)
    path = f"tournaments/{made.headers['Location'].rpartition('/')[2]}"

    do(bot, f"POST {path}/fee", {"collector": "Ada", "amount": 250}, 201)
    do(bot, f"POST {path}/prizes", {"prizes": ["1. A ham"]}, 201)
    shown = do(bot, f"POST {path}/fee/paid", {"player": "Bea"}, 201)
    assert shown["prizes"] == ["1. A ham"]
    paid = {"Ada": 250, "Bea": 250, "Ciro": 0, "Dora": 0}
    assert [tuple(fee.values()) for fee in shown["fees"]] == [
        (name, 250, amount) for name, amount in paid.items()
    ]
    (page,) = do(bot, f"POST {path}/public", {}, 201)["pages"]
    assert page["names"] is False
    assert do(bot, f"DELETE {path}/public/{page['id']}")["pages"] == []


def test_rules_of_the_circle_are_kept_played_by_edited_and_put_away(bot: Bot) -> None:
    new = key(game="scopa", name="Ours", rules={"target": 16})
    kept = do(bot, "POST rules", new, 201)
    own = f"rules/{kept['id']}"
    session = {"game": "scopa", "players": ["Ada", "Bea"]}
    begun = do(bot, "POST sessions", key(**session, own_rules={"id": kept["id"]}), 201)
    assert (begun["rules"]["name"], begun["rules"]["target"]) == ("Ours", 16)
    do(bot, "POST sessions", key(**session, own_rules={"id": str(uuid4())}), 404)
    assert do(bot, "POST sessions", key(**session), 201)["rules"]["target"] == 11

    assert do(bot, "POST rules", new) == kept
    edit = {"version": 1, "name": "Ours", "rules": {"target": 21}}
    edited = do(bot, f"PUT {own}", edit)
    assert (edited["version"], edited["rules"]["target"]) == (2, 21)
    do(bot, f"PUT {own}", {**edit, "rules": {"target": 31}}, 409)
    assert do(bot, f"GET {own}?version=1")["rules"]["target"] == 16
    assert do(bot, f"POST {own}/retire")["retired_at"]
    assert do(bot, f"POST {own}/bring-back")["retired_at"] is None


def test_session_is_shown_by_other_rules(bot: Bot) -> None:
    bot.record()
    own = do(bot, "POST rules", key(game="briscola-chiamata", name="Ours", rules={}), 201)

    shown = do(bot, "GET S/what-if?rules=declared-points")
    assert shown["now"]["Ada"] != shown["then"]["Ada"]
    assert do(bot, "GET S/what-if")["deals"] == []
    do(bot, f"GET S/what-if?rules={own['id']}.1")
    do(bot, f"GET S/what-if?rules={own['id']}.2", status=422)
    scopa = do(bot, "POST rules", key(game="scopa", name="Theirs", rules={}), 201)
    for wrong in ("nonsense", f"{scopa['id']}.1"):
        do(bot, f"GET S/what-if?rules={wrong}", status=422)


def test_players_are_renamed_retired_and_merged(bot: Bot) -> None:
    players = {one["name"]: one["id"] for one in do(bot, "GET players")["players"]}
    ada, bea = players["Ada"], players["Bea"]

    renamed = do(bot, f"PUT players/{ada}/name", {"name": "Adele"})
    assert {"id": ada, "name": "Adele", "retired": False, "games": []} in renamed["players"]
    assert do(bot, f"POST players/{ada}/retire")["players"][0]["retired"]
    assert not do(bot, f"POST players/{ada}/return")["players"][0]["retired"]
    do(bot, "POST sessions", key(game="scopa", players=["Zoe", "Bea"]), 201)
    zoe = do(bot, "GET players")["players"][-1]["id"]
    merged = do(bot, f"POST players/{ada}/merge", {"other": zoe}, 201)
    assert zoe not in [one["id"] for one in merged["players"]]
    do(bot, f"POST players/{ada}/merge", {"other": bea}, 422)


def test_seasons_are_named_and_read_like_months(bot: Bot) -> None:
    with clock.at(NOON):
        bot.record()
    new = key(name="Autumn", first="2026-09-23", last="2026-12-20")
    named = do(bot, "POST seasons", new, 201)
    season = f"seasons/{new['key']}"

    assert do(bot, "POST seasons", new) == named
    assert do(bot, f"PUT {season}", {"name": "Fall"})["seasons"][0]["name"] == "Fall"
    shown = do(bot, f"GET {season}?game=briscola-chiamata")
    assert (shown["name"], shown["standings"][0]["player"]) == ("Fall", "Ada")
    month = named["months"][0]["id"]
    assert do(bot, f"GET seasons/{month}")["name"] == ""
    do(bot, f"DELETE seasons/{month}", status=404)
    do(bot, "DELETE seasons/nonsense", status=404)
    assert do(bot, f"DELETE {season}")["seasons"] == []


def test_journal_is_read_in_words_page_by_page(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_page, "PAGE", 3)
    do(bot, "PUT S/stake", {"stake": 50})
    do(bot, "PUT S/title", {"title": "Late"})

    page = do(bot, "GET journal")

    assert "“Friday” is called “Late”" in page["entries"][0]["text"]
    assert page["entries"][1]["changes"] == [{"label": "Stake", "old": None, "new": 50}]
    assert bot.ask(page["next"]).get_json()["entries"][0]["serial"] < page["entries"][-1]["serial"]
    of_names = do(bot, "GET journal?kind=evenings&from=2020-01-01&to=2999-01-01")
    assert {one["kind"] for one in of_names["entries"]} == {"session-started", "stake-set"}
    assert do(bot, "GET journal?to=2020-01-01") == {"entries": [], "next": None}


TABLE = Path(__file__).with_name("programs_write.json")
SOUND: dict[str, Sent] = json.loads(TABLE.read_text(encoding="utf-8"))["sound"]


@pytest.fixture(scope="module")
def recorded(app: Flask) -> Bot:
    """Give a program that has recorded a deal; each test has the circle again as it was."""
    bot = bot_of(Phone(app).start(), "owner")
    bot.record()
    return bot


@rows_of(__file__, "faults")
def test_faults_are_told_together_by_their_fields(
    recorded: Bot, asked: str, sent: Any, faults: list[str]
) -> None:
    before = rows(recorded.client.application)

    answer = ask(recorded, asked, sent)

    assert (answer.status_code, codes(answer)) == (422, faults)
    assert rows(recorded.client.application) == before


@examples(60)
@given(data=st.data())
def test_any_body_is_answered(recorded: Bot, data: st.DataObject) -> None:
    asked = data.draw(st.sampled_from(list(SOUND)))
    place = data.draw(st.sampled_from(paths(SOUND[asked])))
    document = replaced(SOUND[asked], place, data.draw(ANY_JSON))

    with rows_put_back(recorded.client.application):
        answer = ask(recorded, asked, document)

    assert answer.status_code in {200, 201, 404, 409, 422}, answer.get_json()
    assert answer.status_code < HTTPStatus.BAD_REQUEST or answer.get_json()["problems"]
