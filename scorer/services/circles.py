"""Circles: the links that let phones in, the phones, what each may do, and who holds them."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from scorer.errors import InvalidError, NotFoundError, Problem
from scorer.services import journal
from scorer.services.clock import now
from scorer.services.journal import Kind
from scorer.services.roles import Role
from scorer.services.typed_text import one_line
from scorer.storage import in_transaction, queries, write
from scorer.storage.models import Circle, Link, LinkSecret, Phone
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scorer.texts import Text

SECRET_BYTES = 16
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Holder:
    """A phone that belongs to a circle, its role, and the player who holds it, if that was said."""

    circle_id: UUID
    phone_id: UUID
    phone: str
    role: Role
    player_id: UUID | None
    player: str | None


def holder(circle_id: UUID, phone_id: UUID) -> Holder:
    """Find a phone of the circle; raise NotFoundError when it never was one or no longer is."""
    phone = queries.phone_and_holder(circle_id, phone_id)
    if phone is None or phone.revoked_at is not None:
        raise NotFoundError(phone_id)
    role = Role(phone.role)
    return Holder(circle_id, phone_id, phone.name, role, phone.player_id, phone.player)


@dataclass(frozen=True, slots=True)
class CirclePhone:
    """A phone of the circle: what it may do, who holds it, and which link let it in."""

    phone_id: UUID
    name: str
    role: Role
    player: str | None
    link: str | None
    joined_at: datetime


@dataclass(frozen=True, slots=True)
class CircleLink:
    """A link that was made, what it lets do, how many phones came in by it, and who still is."""

    link_id: UUID
    name: str
    role: Role
    created_at: datetime
    revoked_at: datetime | None
    phones: int
    leaving: list[CirclePhone]


def find(circle_id: UUID) -> Circle:
    """Find a circle; raise NotFoundError."""
    circle = queries.circle(circle_id)
    if circle is None:
        raise NotFoundError(circle_id)
    return circle


def session_count(circle_id: UUID) -> int:
    """Count the sessions of a circle."""
    return queries.session_count(circle_id)


def phones(circle_id: UUID) -> list[CirclePhone]:
    """List the phones that are of the circle, in the order they joined."""
    return [
        CirclePhone(
            phone_id=row.phone_id,
            name=row.name,
            role=Role(row.role),
            player=row.player,
            link=row.link,
            joined_at=row.joined_at,
        )
        for row in queries.phones(circle_id)
        if row.revoked_at is None
    ]


def links(circle_id: UUID) -> list[CircleLink]:
    """List the links into the circle, oldest first, the revoked ones too."""
    members, found = phones(circle_id), []
    for link in queries.links(circle_id):
        came = {phone.phone_id for phone in queries.phones_of_link(circle_id, link.link_id)}
        found.append(
            CircleLink(
                link_id=link.link_id,
                name=link.name,
                role=Role(link.role),
                created_at=link.created_at,
                revoked_at=link.revoked_at,
                phones=len(came),
                leaving=[phone for phone in members if phone.phone_id in came],
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class OpenCircle:
    """A circle that a browser belongs to, and what it may do there."""

    circle_id: UUID
    name: str
    role: Role


def opened_circles(known: Mapping[UUID, UUID]) -> list[OpenCircle]:
    """List, by name, the circles whose phone this browser says it is and still is."""
    roles = queries.opened_by(known)
    return [
        OpenCircle(circle.circle_id, circle.name, Role(roles[circle.circle_id]))
        for circle in queries.circles(roles)
    ]


def begin_circle(name: str) -> str:
    """Begin a circle that is still empty; give the secret of the link that makes its owners."""
    name = _read_name(name, say("A name of 1 to 60 letters."))
    circle = Circle(circle_id=uuid4(), name=name, created_at=now())
    in_transaction(lambda: journal.create(Kind.CIRCLE_BEGUN, circle, None))
    return make_link(circle.circle_id, name, Role.OWNER)


def new_phone(
    circle_id: UUID, role: Role, link_id: UUID | None = None, phone_id: UUID | None = None
) -> Holder:
    """Add a phone to a circle, inside the caller's transaction; it is numbered until it is held."""
    phone = Phone(
        circle_id=circle_id,
        phone_id=phone_id or uuid4(),
        name=f"#{len(queries.phones(circle_id)) + 1}",
        role=role.value,
        link_id=link_id,
        joined_at=now(),
    )
    write(phone)
    by = Holder(circle_id, phone.phone_id, phone.name, role, None, None)
    journal.created(Kind.JOINED, phone, by)
    return by


def digest(secret: str) -> str:
    """What is kept of a link's secret: its SHA-256."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    """Give a secret that nobody can guess."""
    return secrets.token_urlsafe(SECRET_BYTES)


def make_link(
    circle_id: UUID, name: str, role: Role, secret: str = "", *, by: Holder | None = None
) -> str:
    """Make a link that lets phones in as ``role`` and give its secret, of which a hash is kept."""
    name = _read_name(
        name, say("A name of 1 to 60 letters, so that the link can be told from others.")
    )
    secret = secret or new_secret()

    def work() -> None:
        link = Link(
            circle_id=circle_id, link_id=uuid4(), role=role.value, name=name, created_at=now()
        )
        journal.create(Kind.LINK_MADE, link, by)
        write(LinkSecret(secret_hash=digest(secret), circle_id=circle_id, link_id=link.link_id))

    in_transaction(work)
    return secret


def _read_name(name: str, otherwise: Text) -> str:
    """Read a name as it is kept; raise InvalidError, which says what is needed ``otherwise``."""
    line = one_line(name)
    if not 0 < len(line) <= LONGEST_NAME:
        raise InvalidError([Problem("bad-name", "name", otherwise)])
    return line


def standing_link(secret: str) -> Link | None:
    """Find the link that a secret opens, unless it was taken back."""
    link = queries.link_by_secret(digest(secret))
    return None if link is None or link.revoked_at is not None else link


def revoke_link(circle_id: UUID, link_id: UUID, *, by: Holder | None = None) -> None:
    """Take a link back, and with it every phone that came in by it."""

    def change() -> None:
        link = queries.link(circle_id, link_id)
        if link is None:
            raise NotFoundError(link_id)
        journal.change(Kind.LINK_REVOKED, link, by, revoked_at=link.revoked_at or now())
        for phone in queries.phones_of_link(circle_id, link_id):
            journal.change(Kind.SENT_AWAY, phone, by, revoked_at=phone.revoked_at or now())

    _keeping_an_owner(circle_id, change)


def give_role(circle_id: UUID, phone_id: UUID, role: Role, *, by: Holder | None = None) -> None:
    """Change what a phone may do: hand the pen over, or take it back."""

    def change() -> None:
        journal.change(Kind.ROLE_GIVEN, _member(circle_id, phone_id), by, role=role.value)

    _keeping_an_owner(circle_id, change)


def send_away(circle_id: UUID, phone_id: UUID, *, by: Holder | None = None) -> None:
    """Remove a phone from the circle; a link that is not revoked lets it in again."""

    def change() -> None:
        journal.change(Kind.SENT_AWAY, _member(circle_id, phone_id), by, revoked_at=now())

    _keeping_an_owner(circle_id, change)


def _member(circle_id: UUID, phone_id: UUID) -> Phone:
    """Find a phone of the circle, to be changed; one that was sent away is none."""
    phone = queries.phone(circle_id, phone_id)
    if phone is None or phone.revoked_at is not None:
        raise NotFoundError(phone_id)
    return phone


def _locked_circle(circle_id: UUID) -> Circle:
    circle = queries.circle_for_update(circle_id)
    if circle is None:
        raise NotFoundError(circle_id)
    return circle


def _keeping_an_owner(circle_id: UUID, change: Callable[[], None]) -> None:
    """Change phones of the circle; raise InvalidError if that would leave it without an owner.

    The circle's row is locked, so that two owners cannot remove each other at the same time.
    """

    def work() -> None:
        _locked_circle(circle_id)
        before = queries.owner_count(circle_id)
        change()
        if before and not queries.owner_count(circle_id):
            message = say("A circle needs an owner: make another phone an owner first.")
            raise InvalidError([Problem("last-owner", "phone", message)])

    in_transaction(work)


def join(secret: str, known: Mapping[UUID, UUID]) -> Holder:
    """Let a phone in by a link's secret; raise NotFoundError when it opens nothing (any more).

    ``known`` says which phone it is already in which circles: there it is let in as that one, and
    another link than its own may raise its role.
    """

    def work() -> Holder:
        link = standing_link(secret)
        if link is None:
            raise NotFoundError("link")
        circle_id = link.circle_id
        try:
            phone = _member(circle_id, known[circle_id])
        except (KeyError, NotFoundError):
            return new_phone(circle_id, Role(link.role), link.link_id)
        _raise_role(phone, link)
        return holder(circle_id, phone.phone_id)

    return in_transaction(work)


def _raise_role(phone: Phone, link: Link) -> None:
    """Give a phone the role of another link if that is higher; its own link changes nothing."""
    if link.link_id != phone.link_id and not Role(phone.role).reaches(Role(link.role)):
        by = holder(phone.circle_id, phone.phone_id)
        journal.change(Kind.JOINED, phone, by, role=link.role, link_id=link.link_id)


def hold(
    circle_id: UUID, phone_id: UUID, player_id: UUID | None, *, by: Holder | None = None
) -> None:
    """Say which player holds a phone, or that nobody does."""

    def work() -> None:
        phone = queries.phone(circle_id, phone_id)
        if phone is None or (player_id and queries.player(circle_id, player_id) is None):
            raise NotFoundError(player_id)
        kind = Kind.HELD if player_id else Kind.LET_GO
        journal.change(kind, phone, by, player_id=player_id)

    in_transaction(work)


def rename_circle(circle_id: UUID, name: str, *, by: Holder | None = None) -> None:
    """Call a circle by another name; raise InvalidError."""
    name = _read_name(name, say("A name of 1 to 60 letters."))

    def work() -> None:
        journal.change(Kind.RENAMED, _locked_circle(circle_id), by, name=name)

    in_transaction(work)


def delete_circle(circle_id: UUID, typed: str) -> None:
    """Delete a circle with everything in it, once its name was typed; raise InvalidError."""

    def work() -> None:
        circle = _locked_circle(circle_id)
        if one_line(typed) != one_line(circle.name):
            message = say("Type the name of the circle as it is written above.")
            raise InvalidError([Problem("wrong-name", "name", message)])
        queries.drop_circle(circle_id)

    in_transaction(work)


def phone_words(name: str | None) -> Text | str | None:
    """Call a phone that was never named by its number: ``#2`` is phone 2."""
    if name is None or not name.startswith("#"):
        return name
    return say("Phone %(number)s", number=name[1:])
