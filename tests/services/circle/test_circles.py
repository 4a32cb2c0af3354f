"""Circles: links let phones in, with a role, and can be taken back with them; what is full."""

import json
from contextlib import suppress
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from flask import Flask
from sqlalchemy import select

from scorer.errors import NotFoundError
from scorer.roles import Holder, Role
from scorer.services.album.notes import NewNote, add_note
from scorer.services.base.circle_limits import nearly_full
from scorer.services.base.clock import at, now
from scorer.services.circle import circles
from scorer.services.circle.circles import Life
from scorer.services.files.session_files import keep, preview_session, session_file
from scorer.storage import db, models, queries
from tests.refusals import refused
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import Evening, at_once


def test_secret_is_long_and_kept_hashed_only(evening: Evening) -> None:
    secret = circles.make_link(evening.circle_id, "Bea", Role.SCOREKEEPER)

    stored = db.session.scalars(select(models.LinkSecret.secret_hash)).all()
    assert len(secret) >= 22
    assert circles.make_link(evening.circle_id, "Bea", Role.SCOREKEEPER) != secret
    assert stored == [circles.digest(secret)]
    assert secret not in repr(queries.circle.links(evening.circle_id))


def test_link_lets_any_number_of_phones_in_but_each_once(evening: Evening) -> None:
    secret = circles.make_link(evening.circle_id, "Everybody", Role.SCOREKEEPER)
    one = circles.join(secret, {})

    again = circles.join(secret, known_of(one))
    another = circles.join(secret, {})

    assert again == one
    assert another.phone_id != one.phone_id
    assert len(queries.circle.phones(evening.circle_id)) == 3


def test_revoked_link_takes_its_phones_along_and_no_others(evening: Evening) -> None:
    lost, kept = (
        circles.make_link(evening.circle_id, name, Role.SCOREKEEPER) for name in ("lost", "kept")
    )
    gone, stays = circles.join(lost, {}), circles.join(kept, {})
    link = next(one for one in queries.circle.links(evening.circle_id) if one.name == "lost")

    circles.revoke_link(evening.circle_id, link.link_id)
    circles.revoke_link(evening.circle_id, link.link_id)

    with pytest.raises(NotFoundError):
        circles.holder(evening.circle_id, gone.phone_id)
    with pytest.raises(NotFoundError):
        circles.join(lost, {})
    assert circles.holder(evening.circle_id, stays.phone_id) == stays
    assert circles.holder(evening.circle_id, evening.by.phone_id) == evening.by


LIVES = [
    pytest.param(Role.SCOREKEEPER, Life.DAY, 1, id="a day"),
    pytest.param(Role.PLAYER, Life.WEEK, 7, id="a week"),
    pytest.param(Role.OWNER, Life.NEVER, None, id="for good"),
]


@pytest.mark.parametrize(("role", "life", "days"), LIVES)
def test_link_runs_out_when_it_was_said_to(
    evening: Evening, role: Role, life: Life, days: int | None
) -> None:
    moment = now()

    with at(moment):
        secret = circles.make_link(evening.circle_id, "Bea", role, life=life)
    with at(moment + timedelta(days=days or 10_000) - timedelta(seconds=1)):
        assert circles.standing_link(secret) is not None
        circles.join(secret, {})

    [link] = circles.links(evening.circle_id)
    assert link.row.expires_at == (moment + timedelta(days=days) if days else None)
    if days:
        with at(moment + timedelta(days=days)):
            [link] = circles.links(evening.circle_id)
            assert (link.ran_out, link.stands) == (True, False)
            assert circles.standing_link(secret) is None
            with pytest.raises(NotFoundError):
                circles.join(secret, {})


def test_link_for_one_phone_lets_one_in_and_says_which(evening: Evening) -> None:
    secret = circles.make_link(evening.circle_id, "Bea", Role.PLAYER, once=True)
    stood = circles.standing_link(secret) is not None
    bea = circles.join(secret, {}, browser_token="bea")

    again = circles.join(secret, {}, browser_token="bea")
    known = circles.join(secret, known_of(bea))
    with pytest.raises(NotFoundError):
        circles.join(secret, {}, browser_token="ciro")

    [link] = circles.links(evening.circle_id)
    assert again == known == bea
    assert stood
    assert circles.standing_link(secret) is None
    assert link.used_by is not None
    assert (link.used_by.phone_id, link.stands) == (bea.phone_id, False)
    circles.join(circles.make_link(evening.circle_id, "pen", Role.SCOREKEEPER), known_of(bea))
    with pytest.raises(NotFoundError):
        circles.join(secret, {})


def known_of(phone: Holder) -> dict[UUID, UUID]:
    """Give what a browser knows that has this phone."""
    return {phone.circle_id: phone.phone_id}


@BOTH_ENGINES
def test_link_for_one_phone_lets_one_of_many_in_that_come_at_one_moment(evening: Evening) -> None:
    secret = circles.make_link(evening.circle_id, "Bea", Role.PLAYER, once=True)

    def ask(number: int) -> bool:
        with suppress(NotFoundError):
            return bool(circles.join(secret, {}, browser_token=str(number)))
        return False

    entered = at_once(ask)

    assert entered.count(True) == 1
    assert len(queries.circle.phones(evening.circle_id)) == 2


def test_phone_that_nobody_used_for_400_days_is_out(evening: Evening) -> None:
    secret = circles.make_link(evening.circle_id, "Bea", Role.OWNER, life=Life.NEVER)
    bea = circles.join(secret, {})
    known = {bea.circle_id: bea.phone_id}
    moment = now()
    last, late = moment + timedelta(days=399), moment + timedelta(days=401)

    with at(last):
        assert circles.holder(bea.circle_id, bea.phone_id) == bea
    with at(late):
        with pytest.raises(NotFoundError):
            circles.holder(bea.circle_id, bea.phone_id)
        assert circles.opened_circles(known) == []
        assert [phone.unused for phone in circles.phones(bea.circle_id)] == [True, True]
        assert circles.holder(bea.circle_id, bea.phone_id, last) == bea
        assert [one.role for one in circles.opened_circles(known, last)] == [Role.OWNER]
        another = circles.join(secret, known)
        with refused("last-owner"):  # owners who are out are none
            circles.send_away(bea.circle_id, another.phone_id)

    assert another.phone_id != bea.phone_id


@pytest.mark.parametrize("role", Role)
def test_role_reaches_itself_and_those_below(role: Role) -> None:
    order = [Role.OWNER, Role.SCOREKEEPER, Role.PLAYER, Role.SPECTATOR]

    assert [least for least in order if role.reaches(least)] == order[order.index(role) :]


def test_phone_that_was_sent_away_is_out_and_comes_back_by_its_link_as_another(
    evening: Evening,
) -> None:
    secret = circles.make_link(evening.circle_id, "Bea", Role.SCOREKEEPER)
    phone = circles.join(secret, {}, browser_token="bea")

    circles.send_away(phone.circle_id, phone.phone_id)

    key = phone.circle_id, phone.phone_id
    with pytest.raises(NotFoundError):
        circles.holder(*key)
    with pytest.raises(NotFoundError):
        circles.send_away(*key)
    with pytest.raises(NotFoundError):
        circles.give_role(*key, Role.OWNER)
    assert circles.join(secret, {}, browser_token="bea").phone_id != phone.phone_id


def test_last_owner_stays_one_and_so_does_the_link_of_that_phone(evening: Evening) -> None:
    circle_id, first = evening.circle_id, evening.by.phone_id
    with refused("last-owner"):
        circles.give_role(circle_id, first, Role.SCOREKEEPER)
    other = evening.let_in(Role.OWNER)
    (link,) = queries.circle.links(circle_id)

    circles.send_away(circle_id, first)

    with refused("last-owner"):
        circles.give_role(circle_id, other.phone_id, Role.PLAYER)
    with refused("last-owner"):
        circles.revoke_link(circle_id, link.link_id)
    assert circles.holder(circle_id, other.phone_id).role is Role.OWNER


def test_another_link_raises_the_role_of_a_phone_but_gives_nothing_back_that_was_taken(
    evening: Evening,
) -> None:
    phone = evening.let_in(Role.PLAYER)
    watch, pen = (
        circles.make_link(evening.circle_id, role, role)
        for role in (Role.SPECTATOR, Role.SCOREKEEPER)
    )

    watching, writing = (circles.join(link, known_of(phone)) for link in (watch, pen))
    circles.give_role(phone.circle_id, phone.phone_id, Role.SPECTATOR)
    again = circles.join(pen, known_of(phone))

    assert [one.role for one in (watching, writing, again)] == [
        *(Role.PLAYER, Role.SCOREKEEPER, Role.SPECTATOR),
    ]
    assert watching.phone_id == writing.phone_id == phone.phone_id


def test_full_circle_takes_no_more_deals_phones_and_photos(
    evening: Evening, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = circles.make_link(evening.circle_id, "All", Role.PLAYER)
    for setting, most in (("DEALS", 3), ("PHONES", 2), ("PHOTOS", 0)):
        monkeypatch.setitem(app.config, f"{setting}_A_CIRCLE", most)

    inside = circles.join(secret, {})
    evening.record()
    evening.record()
    file = json.dumps(session_file(evening.state))
    preview = preview_session(file, uuid4(), evening.circle_id)
    with refused("circle-full"):
        keep(preview, evening.by)
    evening.record()
    for act in (
        evening.record,
        lambda: circles.join(secret, {}),
        lambda: add_note(*evening.keys, NewNote(uuid4(), None, "", b"no photo"), by=evening.by),
    ):
        with refused("circle-full"):
            act()

    assert circles.join(secret, {evening.circle_id: inside.phone_id}) == inside


@pytest.mark.parametrize(
    ("most", "told"), [(None, []), (0, []), (3, []), (2, ["Deals of the circle: 2 of at most 2."])]
)
def test_owner_is_told_from_nine_tenths_on(
    evening: Evening, most: int | None, told: list[str], app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.record()
    evening.record()
    monkeypatch.setitem(app.config, "DEALS_A_CIRCLE", most)

    assert [str(text) for text in nearly_full(evening.circle_id)] == told
