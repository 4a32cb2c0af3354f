"""Roles: given by a link, changed by an owner, and never so that a circle has no owner."""

import pytest
from sqlalchemy import func, select

from scorer.errors import InvalidError, NotFoundError
from scorer.roles import Holder, Role
from scorer.services.circle import circles
from scorer.storage import db, queries
from scorer.storage.models import Base
from tests.refusals import refused
from tests.services.evenings import Evening, hold, start


def role_of(phone: Holder) -> Role:
    return circles.holder(phone.circle_id, phone.phone_id).role


@pytest.mark.parametrize("role", Role)
def test_role_reaches_itself_and_those_below(role: Role) -> None:
    order = [Role.OWNER, Role.SCOREKEEPER, Role.PLAYER, Role.SPECTATOR]

    assert [least for least in order if role.reaches(least)] == order[order.index(role) :]


def test_phone_that_was_sent_away_is_of_the_circle_no_longer(evening: Evening) -> None:
    phone = evening.let_in(Role.SCOREKEEPER)

    circles.send_away(phone.circle_id, phone.phone_id)

    with pytest.raises(NotFoundError):
        role_of(phone)
    with pytest.raises(NotFoundError):
        circles.send_away(phone.circle_id, phone.phone_id)
    with pytest.raises(NotFoundError):
        circles.give_role(phone.circle_id, phone.phone_id, Role.OWNER)
    assert role_of(evening.by) is Role.OWNER


def test_last_owner_stays_one(evening: Evening) -> None:
    evening.let_in(Role.SCOREKEEPER)
    circle_id, phone_id = evening.circle_id, evening.by.phone_id

    with refused("last-owner"):
        circles.give_role(circle_id, phone_id, Role.SCOREKEEPER)
    with refused("last-owner"):
        circles.send_away(circle_id, phone_id)

    assert role_of(evening.by) is Role.OWNER


def test_owner_may_go_when_another_stays_whose_link_is_not_revoked(evening: Evening) -> None:
    other = evening.let_in(Role.OWNER)
    (link,) = queries.circle.links(evening.circle_id)

    circles.send_away(evening.circle_id, evening.by.phone_id)

    with pytest.raises(InvalidError):
        circles.give_role(other.circle_id, other.phone_id, Role.PLAYER)
    with pytest.raises(InvalidError):
        circles.revoke_link(evening.circle_id, link.link_id)
    assert role_of(other) is Role.OWNER


def test_another_link_raises_the_role_of_a_phone_but_lowers_none(evening: Evening) -> None:
    phone = evening.let_in(Role.PLAYER)
    known = {phone.circle_id: phone.phone_id}
    watch = circles.make_link(evening.circle_id, "watch", Role.SPECTATOR)
    pen = circles.make_link(evening.circle_id, "pen", Role.SCOREKEEPER)

    watching, writing = circles.join(watch, known), circles.join(pen, known)

    assert (watching.role, writing.role) == (Role.PLAYER, Role.SCOREKEEPER)
    assert watching.phone_id == writing.phone_id == phone.phone_id


def test_own_link_gives_back_nothing_that_was_taken(evening: Evening) -> None:
    secret = circles.make_link(evening.circle_id, "pen", Role.SCOREKEEPER)
    phone = circles.join(secret, {})
    circles.give_role(phone.circle_id, phone.phone_id, Role.SPECTATOR)

    again = circles.join(secret, {phone.circle_id: phone.phone_id})

    assert again.role is Role.SPECTATOR


def test_deleted_circle_leaves_nothing_and_others_alone() -> None:
    ours, theirs = start(), start()
    ours.record()
    ours.let_in(Role.PLAYER)
    theirs.record()
    kept, balances = theirs.let_in(Role.PLAYER), theirs.balances()
    hold(ours.by, "Bea")
    name = circles.find(ours.circle_id).name

    circles.delete_circle(ours.circle_id, f" {name} ")

    tables = [one for one in Base.metadata.sorted_tables if "circle_id" in one.columns]
    for table in tables:
        of_ours = select(func.count()).select_from(table).where(table.c.circle_id == ours.circle_id)
        assert db.session.scalar(of_ours) == 0, table.name
    assert role_of(kept) is Role.PLAYER
    assert theirs.balances() == balances
