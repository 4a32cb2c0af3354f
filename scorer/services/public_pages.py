"""Pages of one evening for whoever has their secret: made, opened, taken back."""

from __future__ import annotations

from uuid import UUID

from scorer.errors import InvalidError, NotFoundError, Problem, existing
from scorer.services import journal
from scorer.services.circles import digest
from scorer.services.clock import now
from scorer.services.journal import Kind
from scorer.services.last_page import is_over
from scorer.services.roles import Holder
from scorer.services.state import SessionState, in_session
from scorer.storage import in_transaction, models, queries, write
from scorer.texts import say


def publish(
    circle_id: UUID,
    session_id: UUID,
    page_id: UUID,
    secret: str,
    *,
    names: bool,
    money: bool,
    by: Holder | None = None,
) -> None:
    """Make a public page of a session that is over, unless one that shows the same is open.

    Only the hash of its secret is stored. Raise InvalidError.
    """

    def work(state: SessionState) -> None:
        standing = standing_pages(circle_id, session_id)
        if any((page.names, page.money) == (names, money) for page in standing):
            return
        if not is_over(state.row):
            raise InvalidError([Problem("session-open", "", say("End the session first."))])
        page = models.PublicPage(
            circle_id=circle_id,
            page_id=page_id,
            session_id=session_id,
            names=names,
            money=money,
            created_at=now(),
        )
        kept = digest(secret)
        journal.create(Kind.PAGE_PUBLISHED, page, by, secret=kept)
        write(models.LinkSecret(secret_hash=kept, circle_id=circle_id, link_id=page_id))

    in_session(circle_id, session_id, work)


def revoke(circle_id: UUID, session_id: UUID, page_id: UUID, *, by: Holder | None = None) -> None:
    """Take a public page back; raise NotFoundError where there is none of that key."""

    def work() -> None:
        pages = {one.page_id: one for one in queries.public_pages(circle_id, session_id)}
        page = existing(pages.get(page_id), page_id)
        if page.revoked_at is None:
            journal.change(Kind.PAGE_REVOKED, page, by, revoked_at=now())

    in_transaction(work)


def standing_pages(circle_id: UUID, session_id: UUID) -> list[models.PublicPage]:
    """List the public pages of a session that were not taken back."""
    return [one for one in queries.public_pages(circle_id, session_id) if one.revoked_at is None]


def open_page(secret: str) -> models.PublicPage:
    """Find the public page that a secret opens; raise NotFoundError for any other secret."""
    page = queries.public_page_by_secret(digest(secret))
    if page is None or page.revoked_at is not None:
        raise NotFoundError("public page")
    return page


def opens(secret: str, page_id: UUID) -> bool:
    """Whether a secret opens a page."""
    page = queries.public_page_by_secret(digest(secret))
    return page is not None and page.page_id == page_id
