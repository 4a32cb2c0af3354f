"""Programs: each has the secret of a link, or of a key that an owner made for it alone."""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, NamedTuple
from uuid import UUID, uuid5

from sqlalchemy.exc import DBAPIError

from scorer.errors import NotFoundError, RefusedError, existing
from scorer.roles import KEY, PROGRAM, Holder
from scorer.rules.questions import Ask
from scorer.services.base import journal
from scorer.services.base.circle_limits import CircleLimit, refuse_full
from scorer.services.base.clock import now
from scorer.services.base.journal import Author
from scorer.services.circle import circles
from scorer.services.circle.phones import note_use
from scorer.storage import queries, transaction
from scorer.storage.models import Phone, ProgramKey
from scorer.texts import say

KEY_NAME = replace(
    circles.NAME, wanted=say("A name of 1 to 60 letters, to recognise the program by.")
)
ONE_PHONE = say("This link is for one phone only. A program needs a link for as many as have it.")


class Program(NamedTuple):
    """A program with a secret; ``by`` is the phone that it writes as.

    With a link's secret that is a phone, which joins when the program first writes.
    """

    link_id: UUID
    expires_at: datetime | None
    by: Holder
    joined: bool


def find_program(secret: str) -> Program | None:
    """Return the program that has a secret; None if the secret is invalid.

    It is invalid after the program's phone was removed. Raise RefusedError for a link for one
    phone, as any number of programs could use its secret.
    """
    link = circles.standing_link(secret)
    if link is None:
        key = queries.circle.key_by_secret(circles.digest(secret))
        if key is None or circles.is_over(key):
            return None
        return _joined(key.circle_id, key.key_id, key.key_id, key.expires_at)
    if link.once:
        raise RefusedError(ONE_PHONE)
    phone_id = uuid5(link.link_id, PROGRAM)
    if queries.find(Phone, link.circle_id, phone_id) is None:
        by = Holder(link.circle_id, phone_id, PROGRAM, link.role)
        return Program(link.link_id, link.expires_at, by, joined=False)
    return _joined(link.circle_id, link.link_id, phone_id, link.expires_at)


def _joined(
    circle_id: UUID, link_id: UUID, phone_id: UUID, expires_at: datetime | None
) -> Program | None:
    try:
        return Program(link_id, expires_at, circles.holder(circle_id, phone_id), joined=True)
    except NotFoundError:
        return None


def writer(program: Program, secret: str) -> Holder:
    """Return the phone that a program writes as; it joins if it has not yet.

    Raise NotFoundError when the link was revoked meanwhile.
    """
    if program.by.is_key or (program.joined and program.by.last_seen_at == circles.today()):
        return program.by
    return circles.join(secret, {}, browser_token=PROGRAM, called=PROGRAM)


def note_key_use(program: Program) -> None:
    """Store that a key was used today, also for reading, unless nothing can be written now."""
    if program.by.is_key:
        with suppress(DBAPIError):
            note_use(program.by, "")


class ListedKey(NamedTuple):
    """A key, when it was last used, and whether it still works."""

    row: ProgramKey
    used_at: datetime | None
    works: bool


def listed_keys(circle_id: UUID) -> list[ListedKey]:
    """List the keys of a circle, oldest first, the revoked ones too."""
    used = {row.phone_id: row.last_seen_at for row in queries.circle.phones(circle_id)}
    keys = queries.circle.keys(circle_id)
    return [ListedKey(key, used.get(key.key_id), not circles.is_over(key)) for key in keys]


@transaction
def make_key(
    circle_id: UUID,
    key_id: UUID,
    secret: str,
    *,
    name: Annotated[str, Ask(say("What is the program called?"), typed=KEY_NAME)],
    role: circles.GivenRole,
    life: timedelta | None = None,
    by: Author = None,
) -> None:
    """Make a key, once for each ``key_id``, for good without a ``life``.

    Its secret is stored only as a hash. Raise InvalidError for a bad name, and where there are too
    many keys.
    """
    name = KEY_NAME.read(name, "name")
    circles.locked_circle(circle_id)
    if queries.find(ProgramKey, circle_id, key_id) is not None:
        return
    refuse_full(CircleLimit.PROGRAMS, circle_id)
    made_at = now()
    key = ProgramKey(
        circle_id=circle_id,
        key_id=key_id,
        name=name,
        role=role,
        created_at=made_at,
        expires_at=made_at + life if life else None,
    )
    phone = Phone(
        circle_id=circle_id,
        phone_id=key_id,
        name=f"{KEY}{name}",
        role=role,
        joined_at=made_at,
    )
    circles.insert_with_secret(journal.Kind.KEY_MADE, key, key_id, secret, by)
    journal.create(journal.Kind.JOINED, phone, by)


@transaction
def revoke_key(circle_id: UUID, key_id: UUID, *, by: Author) -> None:
    """Revoke a key: its secret is invalid at once."""
    circles.locked_circle(circle_id)
    key = existing(queries.find(ProgramKey, circle_id, key_id))
    phone = existing(queries.find(Phone, circle_id, key_id))
    revoked_at = key.revoked_at or now()
    journal.change(journal.Kind.KEY_REVOKED, key, by, revoked_at=revoked_at)
    journal.change(journal.Kind.SENT_AWAY, phone, by, revoked_at=revoked_at)
