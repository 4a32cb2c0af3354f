"""Spoken codes of six letters that let phones in for ten minutes, and feed tokens.

A code belongs to a link, which a QR code carries and which is revoked like others. The database
stores a hash of the code that is keyed with the secret key of the server.
"""

from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from uuid import UUID

from flask import current_app
from itsdangerous import BadSignature, URLSafeSerializer

from scorer.errors import NotFoundError
from scorer.roles import Holder, Role
from scorer.services.base import journal
from scorer.services.base.clock import now
from scorer.services.base.journal import Author
from scorer.services.base.throttle import guess
from scorer.services.circle import circles
from scorer.storage import queries, transaction, write
from scorer.storage.models import Link, SpokenCode

LIFE = timedelta(minutes=10)
#: Wrong codes that all addresses together may try in a minute (docs/security.md has the odds).
MOST_TRIED = 30


@transaction
def make_code(
    circle_id: UUID,
    link_id: UUID,
    role: Role,
    *,
    name: str,
    code_hash: str,
    secret: str,
    by: Author = None,
) -> None:
    """Make the code of a circle and its link; an earlier code and its link become invalid."""
    made_at = now()
    over_at = made_at + LIFE
    link = Link(
        circle_id=circle_id,
        link_id=link_id,
        role=role,
        name=name,
        created_at=made_at,
        expires_at=over_at,
    )
    circles.locked_circle(circle_id)
    if replaced := open_code(circle_id):
        journal.change(journal.Kind.CODE_REPLACED, replaced[1], by, expires_at=made_at)
    circles.insert_with_secret(journal.Kind.CODE_MADE, link, link_id, secret, by)
    queries.circle.forget_codes(circle_id, made_at)
    write(SpokenCode(circle_id=circle_id, link_id=link_id, code_hash=code_hash, expires_at=over_at))


def open_code(circle_id: UUID) -> tuple[str, Link] | None:
    """Find the hash of a circle's code, and its link, unless it expired or was revoked."""
    code = queries.find(SpokenCode, circle_id)
    link = queries.find(Link, circle_id, code.link_id) if code else None
    if code is None or link is None or link.revoked_at or code.expires_at <= now():
        return None
    return code.code_hash, link


def join_by_code(
    code_hash: str, known: Mapping[UUID, UUID], *, browser_token: str = "", browser: str = ""
) -> Holder:
    """Admit a phone by a spoken code, as `circles.join` does by a link.

    Raise TooOftenError when all addresses together tried too many wrong codes in this minute.
    """
    with guess("", "code", MOST_TRIED):
        link = queries.circle.link_by_code(code_hash, now())
        return circles.let_in(link, known, browser_token=browser_token, browser=browser)


def feed_token(phone: Holder, before: UUID | None = None) -> str:
    """Return a token that opens the feed of a circle while the phone is in it.

    With ``before`` it opens only the page of the feed before that session.
    """
    return _signing(phone.circle_id, before).dumps(phone.phone_id.hex)


def feed_reader(circle_id: UUID, token: str, before: UUID | None = None) -> Holder | None:
    """Return the phone that a feed token was made for; None if invalid or no longer in."""
    try:
        phone_id = UUID(_signing(circle_id, before).loads(token))
        return circles.holder(circle_id, phone_id)
    except (BadSignature, NotFoundError):
        return None


def _signing(circle_id: UUID, before: UUID | None) -> URLSafeSerializer:
    keys = current_app.config["WTF_CSRF_SECRET_KEY"]  # of which the last one signs
    digest = {"key_derivation": "hmac", "digest_method": sha256}
    salt = f"feed {circle_id}" if before is None else f"feed {circle_id} before {before}"
    return URLSafeSerializer(keys, salt=salt, signer_kwargs=digest)
