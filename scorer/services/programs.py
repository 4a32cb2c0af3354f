"""Programs: who comes with a link's secret instead of a cookie, and which phone it writes as.

A reader of feeds can send no secret but in the address that it asks for, where others may come to
see it. So a phone gives it a token, which opens the feed of its circle and nothing else.

A program has a phone of its own for each link, named as a program, so that the history and the
journal say who wrote. It joins with the first thing that the program writes: reading writes
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID, uuid5

from itsdangerous import BadSignature, URLSafeSerializer

from scorer.errors import NotFoundError, RefusedError
from scorer.services.circles import PROGRAM, holder, join, standing_link, today
from scorer.services.roles import Holder, Role
from scorer.storage import queries
from scorer.texts import say

ONE_PHONE = say("This link is for one phone only. A program needs a link for as many as have it.")


@dataclass(frozen=True, slots=True)
class Program:
    """A program with a link's secret; ``by`` is its phone, which joins when it first writes."""

    link_id: UUID
    expires_at: datetime | None
    by: Holder
    joined: bool


def find_program(secret: str) -> Program | None:
    """Find the program that has a link's secret; None when it opens nothing (any more).

    That is also where the program's phone was sent away. Raise RefusedError for a link for one
    phone: nothing limits how many programs use a secret.
    """
    link = standing_link(secret)
    if link is None:
        return None
    if link.once:
        raise RefusedError(ONE_PHONE)
    phone_id = uuid5(link.link_id, PROGRAM)
    if queries.phone(link.circle_id, phone_id) is None:
        by = Holder(link.circle_id, phone_id, PROGRAM, Role(link.role))
        return Program(link.link_id, link.expires_at, by, joined=False)
    try:
        by = holder(link.circle_id, phone_id)
    except NotFoundError:
        return None
    return Program(link.link_id, link.expires_at, by, joined=True)


def feed_token(phone: Holder, keys: Sequence[str], before: UUID | None = None) -> str:
    """Give what opens the feed of a circle for as long as a phone is of it; the last key signs.

    With ``before`` it opens the page of the feed that goes on before that session, and no other.
    """
    return _signing(keys, phone.circle_id, before).dumps(phone.phone_id.hex)


def feed_reader(
    circle_id: UUID, token: str, keys: Sequence[str], before: UUID | None = None
) -> Holder | None:
    """Find the phone that gave a token of a circle; None where none did, or it is there no more."""
    try:
        phone_id = UUID(_signing(keys, circle_id, before).loads(token))
        return holder(circle_id, phone_id)
    except (BadSignature, NotFoundError):
        return None


def _signing(keys: Sequence[str], circle_id: UUID, before: UUID | None) -> URLSafeSerializer:
    digest = {"key_derivation": "hmac", "digest_method": sha256}
    salt = f"feed {circle_id}" if before is None else f"feed {circle_id} before {before}"
    return URLSafeSerializer(list(keys), salt=salt, signer_kwargs=digest)


def writer(program: Program, secret: str) -> Holder:
    """Give the phone that a program writes as, which joins now if it has not.

    Raise NotFoundError when the link was taken back meanwhile.
    """
    if program.joined and program.by.last_seen_at == today():
        return program.by
    return join(secret, {}, browser_token=PROGRAM, called=PROGRAM)
