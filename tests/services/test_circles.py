"""Circles: links let phones in, and can be taken back with them."""

from __future__ import annotations

from uuid import uuid4

import pytest
from sqlalchemy import select

from scorer.errors import InvalidError, NotFoundError
from scorer.services import circles
from scorer.services.roles import Role
from scorer.storage import db, models, queries
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import start

pytestmark = BOTH_ENGINES


def test_link_lets_a_phone_in() -> None:
    evening = start()

    secret = circles.make_link(evening.circle_id, "Bea’s phone", Role.SCOREKEEPER)
    joined = circles.join(secret, {})

    assert joined.circle_id == evening.circle_id
    assert joined.phone_id != evening.by.phone_id
    assert circles.holder(evening.circle_id, joined.phone_id) == joined


def test_secret_is_long_and_kept_hashed_only() -> None:
    evening = start()

    secret = circles.make_link(evening.circle_id, "Bea", Role.SCOREKEEPER)

    stored = db.session.scalars(select(models.LinkSecret.secret_hash)).all()
    assert len(secret) >= 22
    assert circles.make_link(evening.circle_id, "Bea", Role.SCOREKEEPER) != secret
    assert stored == [circles.digest(secret)]
    assert secret not in repr(queries.links(evening.circle_id))


def test_link_lets_any_number_of_phones_in_but_each_once() -> None:
    evening = start()
    secret = circles.make_link(evening.circle_id, "Everybody", Role.SCOREKEEPER)
    one = circles.join(secret, {})

    again = circles.join(secret, {one.circle_id: one.phone_id})
    another = circles.join(secret, {})

    assert again == one
    assert another.phone_id != one.phone_id
    assert len(queries.phones(evening.circle_id)) == 3


@pytest.mark.parametrize("secret", ["", "x", "\x00", "à" * 10_000])
def test_secret_that_opens_nothing_is_refused(secret: str) -> None:
    start()

    with pytest.raises(NotFoundError):
        circles.join(secret, {})


def test_revoked_link_takes_its_phones_along_and_no_others() -> None:
    evening = start()
    lost, kept = (
        circles.make_link(evening.circle_id, name, Role.SCOREKEEPER) for name in ("lost", "kept")
    )
    gone, stays = circles.join(lost, {}), circles.join(kept, {})
    link = next(one for one in queries.links(evening.circle_id) if one.name == "lost")

    circles.revoke_link(evening.circle_id, link.link_id)
    circles.revoke_link(evening.circle_id, link.link_id)

    with pytest.raises(NotFoundError):
        circles.holder(evening.circle_id, gone.phone_id)
    with pytest.raises(NotFoundError):
        circles.join(lost, {})
    assert circles.holder(evening.circle_id, stays.phone_id) == stays
    assert circles.holder(evening.circle_id, evening.by.phone_id) == evening.by


def test_circle_is_open_to_a_phone_until_it_is_sent_away() -> None:
    evening = start()
    secret = circles.make_link(evening.circle_id, "lost", Role.SCOREKEEPER)
    phone = circles.join(secret, {}).phone_id
    known = {evening.circle_id: phone, uuid4(): uuid4()}
    before = [circle.circle_id for circle in circles.opened_circles(known)]

    circles.revoke_link(evening.circle_id, queries.links(evening.circle_id)[0].link_id)

    assert before == [evening.circle_id]
    assert circles.opened_circles(known) == []
    assert circles.opened_circles({}) == []


def test_phone_of_another_circle_opens_none() -> None:
    ours, theirs = start(), start()

    assert circles.opened_circles({theirs.circle_id: ours.by.phone_id}) == []


@pytest.mark.parametrize("name", ["", " \n ", "\u200d", "x" * 61])
def test_link_needs_a_name(name: str) -> None:
    evening = start()

    with pytest.raises(InvalidError) as refused:
        circles.make_link(evening.circle_id, name, Role.SCOREKEEPER)

    assert [problem.field for problem in refused.value.problems] == ["name"]
    assert queries.links(evening.circle_id) == []


def test_deals_say_who_holds_the_phone() -> None:
    evening = start()
    bea = next(one for one in queries.players(evening.circle_id) if one.name == "Bea")

    circles.hold(evening.circle_id, evening.by.phone_id, bea.player_id)
    held = circles.holder(evening.circle_id, evening.by.phone_id).player
    circles.hold(evening.circle_id, evening.by.phone_id, None)

    assert held == "Bea"
    assert circles.holder(evening.circle_id, evening.by.phone_id).player is None


def test_phone_is_held_by_a_player_of_the_circle_only() -> None:
    ours, theirs = start(), start()
    stranger = queries.players(theirs.circle_id)[0].player_id

    with pytest.raises(NotFoundError):
        circles.hold(ours.circle_id, ours.by.phone_id, stranger)
