"""The code that is said across the table: who makes it, whom it lets in, and for how long."""

import re
from datetime import timedelta

import pytest
from flask import Flask

from scorer import storage
from scorer.services.base import clock
from scorer.services.circle import codes_and_tokens
from scorer.storage.models import SpokenCode
from scorer.web.circle.sharing import MOST_WRONG
from tests.web.circle.test_link_secrets import cookie_of
from tests.web.phones import Phone
from tests.web.rows import link_ids, rows

SHOWN = re.compile(r'class="spoken"[^>]*>([A-HJ-NP-Z2-9]{3} [A-HJ-NP-Z2-9]{3})<')
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.9"}


def shown(owner: Phone) -> str | None:
    found = SHOWN.search(owner.get(f"{owner.circle_url}share").text)
    return found[1] if found else None


def made(owner: Phone, **form: str) -> str:
    answer = owner.post(f"{owner.circle_url}share", form)
    assert answer.status_code == 303
    code = shown(owner)
    assert code
    return code


def status(app: Flask, code: str) -> int:
    return Phone(app).post("/join", {"code": code}).status_code


def test_code_lets_a_player_in_who_is_asked_once_who_it_is_and_lands_in_the_open_session(
    app: Flask, owner: Phone
) -> None:
    guest, code = Phone(app), made(owner)
    for words in (str(cookie_of(owner)), str(rows(app))):
        assert code.replace(" ", "") not in words
        assert carried(owner) not in words

    first = guest.post("/join", {"code": code.lower()})
    asked = guest.page(first.location)
    form = asked.form("/hold")
    nobody = guest.post(form.action, form.sends(player_id=""))
    again = guest.post("/join", {"code": f" {code.replace(' ', '-')} "})
    bea = guest.post(form.action, form.sends(player_id=owner.player("Bea")))
    known = guest.post("/join", {"code": code})

    assert "Nobody in particular" in asked.words
    assert first.location == again.location == f"{owner.circle_url}who?session={owner.keys[1]}"
    assert nobody.location == bea.location == known.location == owner.url
    assert guest.get(f"{owner.url}record").status_code == 403
    journal = owner.page(f"{owner.circle_url}journal").words
    assert "A code to say aloud was made" in journal


def carried(owner: Phone) -> str:
    found = re.search(r"/join#([\w-]+)", owner.get(f"{owner.circle_url}share").text)
    assert found
    return found[1]


@pytest.mark.parametrize("role", ["scorekeeper", "spectator"])
def test_code_and_its_link_let_in_as_the_role_that_was_chosen_but_never_as_an_owner(
    app: Flask, owner: Phone, role: str
) -> None:
    assert owner.post(f"{owner.circle_url}share", {"role": "owner"}).status_code == 400
    code = made(owner, role=role)

    answers = [Phone(app).post("/join", {"code": sent}) for sent in (code, carried(owner))]

    where = owner.url if role == "spectator" else f"{owner.circle_url}who?session={owner.keys[1]}"
    assert [answer.location for answer in answers] == [where] * 2
    assert owner.page(f"{owner.circle_url}phones").words.count(f"{role.capitalize()} · ") == 3


def test_code_runs_out_after_ten_minutes_and_is_swept_by_the_next(app: Flask, owner: Phone) -> None:
    code = made(owner)
    with clock.at(clock.now() + timedelta(minutes=9)):
        early = status(app, code)
    with clock.at(clock.now() + timedelta(minutes=10, seconds=1)):
        late, still_shown = status(app, code), shown(owner)
        made(Phone(app).start())

    assert (early, late, still_shown) == (303, 422, None)
    assert len(rows(app)["spoken_code"]) == 1


@pytest.mark.parametrize("form", [{"again": "1"}, {"role": "spectator"}])
def test_new_code_takes_the_place_of_the_one_before(
    app: Flask, owner: Phone, form: dict[str, str]
) -> None:
    first, link = made(owner), carried(owner)
    guest, other = owner.let_in(Phone(app), "player"), owner.let_in(Phone(app), "owner")
    guest.post("/join", {"code": first})

    assert [made(owner), made(other), shown(other)] == [first] * 3
    second = made(owner, **form)

    assert first != second
    assert [status(app, code) for code in (first, link, second)] == [422, 422, 303]
    assert guest.get(owner.url).status_code == 200
    kept = [row for row in rows(app)["spoken_code"] if owner.keys[0].hex in row]
    assert len(kept) == 1
    assert "The code before was closed." in owner.page(f"{owner.circle_url}journal").told
    for link_id in link_ids(owner):
        owner.post(f"{owner.circle_url}links/{link_id}/revoke")
    assert (shown(owner), status(app, second), guest.get(owner.url).status_code) == (None, 422, 404)


def test_code_of_two_circles_opens_neither(app: Flask, owner: Phone) -> None:
    code, other = made(owner), Phone(app).start()
    made(other)

    def become_one() -> None:
        find = storage.db.session.get_one
        first, second = (find(SpokenCode, one.keys[0]) for one in (owner, other))
        second.code_hash = first.code_hash

    with app.app_context():
        storage.in_transaction(become_one)
    assert status(app, code) == 422


def test_club_of_one_address_comes_in_and_guesses_are_counted(app: Flask, owner: Phone) -> None:
    code, clubhouse = made(owner), {"environ_base": {"REMOTE_ADDR": "192.0.2.7"}}
    most = MOST_WRONG
    with clock.at(clock.now() + timedelta(minutes=4)):
        tried = [
            Phone(app).post("/join", {"code": one}, **clubhouse).status_code
            for one in [*[code] * (most + 1), *["AAAAAA"] * (most + 1), code]
        ]

    assert tried == [303] * (most + 1) + [422] * most + [429] * 2


def test_codes_are_tried_thirty_times_a_minute_by_all_together(app: Flask, owner: Phone) -> None:
    link, code = owner.link(), made(owner)
    with clock.at(clock.now() + timedelta(minutes=4)):
        tried = [
            Phone(app).post(
                "/join", {"code": "AAAAAA"}, environ_base={"REMOTE_ADDR": f"192.0.2.{number}"}
            )
            for number in range(codes_and_tokens.MOST_TRIED + 1)
        ]
        by_code = Phone(app).post("/join", {"code": code}, environ_base=ELSEWHERE)
        by_link = Phone(app).post("/join", {"code": link}, environ_base=ELSEWHERE)
    with clock.at(clock.now() + timedelta(minutes=5)):
        later = status(app, code)

    statuses = [one.status_code for one in tried]
    assert (statuses.count(422), statuses.count(429)) == (codes_and_tokens.MOST_TRIED, 1)
    assert (by_code.status_code, by_link.status_code, later) == (429, 303, 303)
