"""Circles: the links that let phones in, the phones, and who holds them."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID
from uuid import uuid4

from scorer.errors import InvalidError
from scorer.errors import NotFoundError
from scorer.errors import Problem
from scorer.services.clock import now
from scorer.services.lines import one_line
from scorer.storage import in_transaction
from scorer.storage import queries
from scorer.storage import write
from scorer.storage.models import Link
from scorer.storage.models import LinkSecret
from scorer.storage.models import Phone
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorer.storage.models import Circle

SECRET_BYTES = 16
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Holder:
    """A phone that belongs to a circle, and the player who holds it, if that was said."""

    circle_id: UUID
    phone_id: UUID
    phone: str
    player_id: UUID | None
    player: str | None


def holder(circle_id: UUID, phone_id: UUID) -> Holder:
    """Find a phone of the circle; raise NotFoundError when it never was one or no longer is."""
    phone = queries.phone_and_holder(circle_id, phone_id)
    if phone is None or phone.revoked_at is not None:
        raise NotFoundError(phone_id)
    return Holder(circle_id, phone_id, phone.name, phone.player_id, phone.player)


def opened_circles(known: Mapping[UUID, UUID]) -> list[Circle]:
    """List, by name, the circles whose phone this browser says it is and still is."""
    return queries.circles(queries.opened_by(known))


def new_phone(circle_id: UUID, link_id: UUID | None = None) -> UUID:
    """Add a phone to a circle, inside the caller's transaction; it is numbered until it is held."""
    phone_id = uuid4()
    name = f"#{len(queries.phones(circle_id)) + 1}"
    write(
        Phone(circle_id=circle_id, phone_id=phone_id, name=name, link_id=link_id, joined_at=now())
    )
    return phone_id


def digest(secret: str) -> str:
    """What is kept of a link's secret: its SHA-256."""
    return hashlib.sha256(secret.encode()).hexdigest()


def make_link(circle_id: UUID, name: str) -> str:
    """Make a link that lets phones in with the pen; its secret is given once and kept hashed."""
    name = one_line(name)
    if not 0 < len(name) <= LONGEST_NAME:
        message = say("A name of 1 to 60 letters, so that the link can be told from others.")
        raise InvalidError([Problem("bad-name", "name", message)])
    secret = secrets.token_urlsafe(SECRET_BYTES)

    def work() -> None:
        link_id = uuid4()
        write(
            Link(circle_id=circle_id, link_id=link_id, role="scorekeeper", name=name,
                 created_at=now()),
            LinkSecret(secret_hash=digest(secret), circle_id=circle_id, link_id=link_id),
        )  # fmt: skip

    in_transaction(work)
    return secret


def revoke_link(circle_id: UUID, link_id: UUID) -> None:
    """Take a link back, and with it every phone that came in by it."""

    def work() -> None:
        link = queries.link(circle_id, link_id)
        if link is None:
            raise NotFoundError(link_id)
        link.revoked_at = link.revoked_at or now()
        for phone in queries.phones_of_link(circle_id, link_id):
            phone.revoked_at = phone.revoked_at or now()

    in_transaction(work)


def join(secret: str, known: Mapping[UUID, UUID]) -> Holder:
    """Let a phone in by a link's secret; raise NotFoundError when it opens nothing (any more).

    ``known`` says which phone it is already in which circles: there it is let in as that one.
    """

    def work() -> Holder:
        link = queries.link_by_secret(digest(secret))
        if link is None or link.revoked_at is not None:
            raise NotFoundError("link")
        try:
            return holder(link.circle_id, known[link.circle_id])
        except (KeyError, NotFoundError):
            return holder(link.circle_id, new_phone(link.circle_id, link.link_id))

    return in_transaction(work)


def hold(circle_id: UUID, phone_id: UUID, player_id: UUID | None) -> None:
    """Say which player holds a phone, or that nobody does."""

    def work() -> None:
        phone = queries.phone(circle_id, phone_id)
        if phone is None or (player_id and queries.player(circle_id, player_id) is None):
            raise NotFoundError(player_id)
        phone.player_id = player_id

    in_transaction(work)
