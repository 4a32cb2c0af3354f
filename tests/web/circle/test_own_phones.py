"""One's own phones: links that end, use by the day, leaving, the founder, the way back."""

import re
from datetime import timedelta

import pytest
from flask import Flask
from itsdangerous import TimestampSigner

from scorer.services.base import clock
from tests.web.phones import Phone
from tests.web.rows import link_ids, phone_ids, player_ids, rows

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1"
QUESTION = "Which of them are you?"
OFFER = "Nobody else owns this circle."


def share_page(phone: Phone) -> str:
    return phone.page(f"{phone.circle_url}phones").words


def let_in(owner: Phone, role: str, name: str, **headers: str) -> Phone:
    """Let in a phone that a player holds."""
    other = owner.let_in(Phone(owner.app, **headers), role)
    if role != "spectator":
        other.hold(name)
    return other


def test_link_for_one_phone_lets_it_in_once_and_says_whose_it_is(owner: Phone) -> None:
    code, bea = owner.link(once="y"), Phone(owner.app)
    bea.get("/join")
    cookie = bea.client.get_cookie("scorer")
    assert cookie is not None
    assert "for one phone" in share_page(owner)

    first = bea.post("/join", {"code": code})
    bea.client.set_cookie("scorer", cookie.value)
    second = bea.post("/join", {"code": code})
    refused = Phone(owner.app).sent("/join", {"code": code})

    assert (first.status_code, second.status_code, len(phone_ids(owner))) == (303, 303, 2)
    assert "used by Phone 2" in share_page(owner)
    bea.url = owner.url
    bea.hold("Bea")
    assert "used by Bea’s phone" in share_page(owner)
    assert "For one phone only" in owner.get(f"{owner.circle_url}journal").text
    assert refused.status == 422
    assert "opens nothing" in refused.problems["code"]


def test_form_that_is_sent_twice_makes_one_link_and_shows_it_to_one_browser(owner: Phone) -> None:
    other = owner.let_in(Phone(owner.app), "owner")
    key = owner.page(f"{owner.circle_url}links").form("/links")["key"]

    codes = {owner.link(key=key) for _ in range(2)}
    form = {"name": "x", "role": "owner", "key": key}
    shown = other.post(f"{owner.circle_url}links", form, follow_redirects=True)

    assert (len(codes), len(link_ids(owner))) == (1, 2)
    assert "/join#" not in shown.text


def test_use_is_noted_by_forms_and_never_by_a_page(app: Flask) -> None:
    owner = Phone(app, **{"User-Agent": FIREFOX}).start()
    owner.let_in(Phone(app))
    before = rows(app)

    with clock.at(clock.now() + timedelta(days=3)):
        pages = ("", "record", "deals/1/", owner.circle_url, f"{owner.circle_url}phones", "/mine")
        answers = [owner.get(page) for page in pages]
        assert rows(app) == before
        assert "data-used" in answers[0].text
        assert owner.post(f"{owner.circle_url}seen").status_code == 204
        assert rows(app) != before
        assert "data-used" not in owner.get().text
        noted = rows(app)
        owner.post(f"{owner.circle_url}seen")
        assert rows(app) == noted
    assert "Firefox · Linux" in share_page(owner)


def test_cookie_dies_after_400_days(owner: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = clock.now().timestamp()

    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _: int(moment + 399 * 86400))
    young = owner.client.get(owner.circle_url).status_code
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _: int(moment + 800 * 86400))

    assert (young, owner.client.get(owner.circle_url).status_code) == (200, 404)


def test_phone_that_only_reads_stays(owner: Phone) -> None:
    reader = owner.let_in(Phone(owner.app), "spectator")
    start = clock.now()
    statuses = []
    for days in (0, 300, 600, 900):
        with clock.at(start + timedelta(days=days)):
            statuses.append(reader.get(owner.circle_url).status_code)

    assert statuses == [200] * 4


def test_home_leads_to_my_circles_and_these_to_my_phones_that_may_do_no_more(owner: Phone) -> None:
    owner.hold("Ada")
    let_in(owner, "player", "Ada", **{"User-Agent": SAFARI})
    bea, keeper = let_in(owner, "player", "Bea"), let_in(owner, "scorekeeper", "Bea")

    assert "/mine" in owner.page("/").links
    listed = owner.page("/mine")
    own = owner.page(f"{owner.circle_url}own")

    assert own.form("/leave").action == f"{owner.circle_url}leave"
    assert f"{owner.circle_url}own" in listed.links
    assert "Owner · Ada" in listed.words
    assert "Player · Safari · iPhone" in own.words
    assert "Phone 3" not in own.words
    assert "This phone is in no circle." in Phone(owner.app).page("/mine").words
    page = bea.page(f"{owner.circle_url}own")
    assert not [form for form in page.forms if form.action and form.action.endswith("/away")]
    assert "Its role is higher" in page.words
    sent_away = bea.post(f"{owner.circle_url}own/{phone_ids(owner)[-1]}/away")
    assert (sent_away.status_code, keeper.get(owner.circle_url).status_code) == (403, 200)


def test_player_is_told_on_their_own_phone_that_another_says_it_is_theirs(owner: Phone) -> None:
    ada = let_in(owner, "player", "Ada")
    mallory = owner.let_in(Phone(owner.app), "player")
    assert "said to be yours" not in ada.page(owner.circle_url).words

    mallory.hold("Ada")

    told = {path: ada.page(f"{owner.circle_url}{path}") for path in ("", "ledger", "own", "more")}
    found = {path for path, page in told.items() if "Phone 3 is said to be yours" in page.words}
    assert found == {"", "own"}
    assert "said to be yours" not in ada.page(owner.circle_url).words
    mallory.hold("Bea").hold("Ada").hold("Bea")
    assert "Phone 3 was said to be yours" in ada.page(owner.circle_url).words


def test_founder_alone_is_asked_once_after_the_first_deal(owner: Phone) -> None:
    before = QUESTION in owner.page().words
    owner.record(1)
    for role in ("owner", "player"):
        assert QUESTION not in owner.let_in(Phone(owner.app), role).page().words
    asked = owner.page()
    session = asked.form("/hold")["session"]
    answer = owner.post(
        f"{owner.circle_url}hold", {"player_id": player_ids(owner)[1], "session": session}
    )

    page = owner.page()

    assert (before, QUESTION in asked.words, QUESTION in page.words) == (False, True, False)
    assert answer.headers["Location"] == owner.url
    assert "This phone is Bea’s now." in page.words
    assert "Undo" in page.words


def test_owner_alone_is_offered_a_way_back_after_the_evening(owner: Phone) -> None:
    owner.record(1)
    before = OFFER in owner.page().words
    owner.post("end")
    offered = owner.page()

    shown = owner.post(
        f"{owner.circle_url}recovery",
        {"key": offered.form("/recovery")["key"]},
        follow_redirects=True,
    )

    assert (before, OFFER in offered.words, OFFER in owner.page().words) == (False, True, False)
    found = re.search(r'value="https?://[^"]+/join#([\w-]+)"', shown.text)
    assert found
    assert f"%23{found[1]}" in shown.text  # in the mail
    assert "no-store" in shown.headers["Cache-Control"]
    with clock.at(clock.now() + timedelta(days=399)):
        answer = Phone(owner.app).post("/join", {"code": found[1]})
    assert answer.status_code == 303


def test_way_back_is_offered_in_time_where_a_number_is_the_address_until_it_is_not_wanted(
    app: Flask,
) -> None:
    offer, owner = "When the address changes", Phone(app, Host="192.168.1.20:8000").start()
    by_name = owner.let_in(Phone(app, Host="scorer.local:8000"), "owner")
    for number in range(1, 10):
        owner.record(number)
    assert offer not in owner.page().words
    owner.record(10)
    page = owner.page()
    assert offer in page.words
    assert offer not in by_name.page().words

    answer = owner.post(f"{owner.circle_url}recovery/no", page.form("/no").sends())

    assert answer.location == owner.url
    assert offer not in owner.page().words
