"""Codes that are said aloud across the table: six letters that let phones in for ten minutes.

A code leads to a link of its own, which lets phones in as players and is revoked as others are. The
database has a keyed hash of it, which takes the key of the server to make.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID, uuid5

from itsdangerous import BadSignature, URLSafeSerializer

from scorer.errors import NotFoundError, RefusedError
from scorer.services.base.clock import now
from scorer.services.base.journal import Kind
from scorer.services.base.roles import Holder, Role
from scorer.services.base.throttle import admit
from scorer.services.circle import circles
from scorer.services.circle.circles import PROGRAM, holder, join, standing_link, today
from scorer.storage import in_transaction, queries, write
from scorer.storage.models import Link, SpokenCode
from scorer.texts import say

LIFE = timedelta(minutes=10)
#: Codes that all addresses together may try in a minute (docs/security.md has the odds).
MOST_TRIED = 30


def make_code(
    circle_id: UUID, name: str, code_hash: str, *, link_id: UUID, by: Holder | None = None
) -> None:
    """Make the code of a circle; the one before lets nobody in any more, and those in stay.

    A code of the same ``link_id`` is the same form sent twice: nothing more is made.
    """
    made_at = now()
    link = Link(
        circle_id=circle_id,
        link_id=link_id,
        role=Role.PLAYER.value,
        name=name,
        created_at=made_at,
        expires_at=made_at + LIFE,
    )

    def work() -> None:
        circles.locked_circle(circle_id)
        if queries.circle.link(circle_id, link_id) is None:
            secret = circles.new_secret()  # which nobody is told
            circles.put_down_link(Kind.CODE_MADE, link, secret, by)
            queries.circle.forget_codes(circle_id, made_at)
            write(
                SpokenCode(
                    circle_id=circle_id,
                    link_id=link_id,
                    code_hash=code_hash,
                    expires_at=made_at + LIFE,
                )
            )

    in_transaction(work)


def is_open(circle_id: UUID, code_hash: str) -> bool:
    """Whether this is the code of a circle, and lets phones in."""
    code, moment = queries.circle.spoken_code(circle_id), now()
    if code is None or code.code_hash != code_hash or code.expires_at <= moment:
        return False
    link = queries.circle.link(circle_id, code.link_id)
    return link is not None and link.revoked_at is None


def join_by_code(
    code_hash: str, known: Mapping[UUID, UUID], *, browser_token: str = "", browser: str = ""
) -> Holder:
    """Let a phone in by a spoken code, as `circles.join` does by a link.

    Raise TooOftenError when too many codes were tried in this minute, from wherever.
    """
    admit("", "code", MOST_TRIED)
    link = queries.circle.link_by_code(code_hash, now())
    return circles.let_in(link, known, browser_token=browser_token, browser=browser)


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
    if queries.circle.phone(link.circle_id, phone_id) is None:
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
