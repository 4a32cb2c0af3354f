"""Codes that are said aloud across the table: six letters that let phones in for ten minutes.

A code leads to a link of its own, which lets phones in as players and is revoked as others are. The
database has a keyed hash of it, which takes the key of the server to make.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

from scorer.services import circles
from scorer.services.clock import now
from scorer.services.journal import Kind
from scorer.services.roles import Holder, Role
from scorer.services.throttle import admit
from scorer.storage import in_transaction, queries, write
from scorer.storage.models import Link, SpokenCode

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
        if queries.link(circle_id, link_id) is None:
            secret = circles.new_secret()  # which nobody is told
            circles.put_down_link(Kind.CODE_MADE, link, secret, by)
            queries.forget_codes(circle_id, made_at)
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
    code, moment = queries.spoken_code(circle_id), now()
    if code is None or code.code_hash != code_hash or code.expires_at <= moment:
        return False
    link = queries.link(circle_id, code.link_id)
    return link is not None and link.revoked_at is None


def join_by_code(
    code_hash: str, known: Mapping[UUID, UUID], *, browser_token: str = "", browser: str = ""
) -> Holder:
    """Let a phone in by a spoken code, as `circles.join` does by a link.

    Raise TooOftenError when too many codes were tried in this minute, from wherever.
    """
    admit("", "code", MOST_TRIED)
    link = queries.link_by_code(code_hash, now())
    return circles.let_in(link, known, browser_token=browser_token, browser=browser)
