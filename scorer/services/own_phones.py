"""One's own phones: which they are, when each was used last, leaving, and sending one away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.errors import NotFoundError, RefusedError
from scorer.services import circles, journal
from scorer.services.clock import now
from scorer.services.journal import Kind
from scorer.services.roles import Role
from scorer.storage import in_transaction, queries
from scorer.texts import say

if TYPE_CHECKING:
    from uuid import UUID

    from scorer.services.roles import Holder


def others(by: Holder) -> list[Holder]:
    """List the other phones of the player who holds this one; nobody in particular has none."""
    members = circles.phones(by.circle_id)
    return [one for one in members if _is_of(by, one.player_id) and one.phone_id != by.phone_id]


def _is_of(by: Holder, player_id: UUID | None) -> bool:
    return by.player_id is not None and by.player_id == player_id


def send_own_away(by: Holder, phone_id: UUID) -> None:
    """Send another phone of the same player away.

    Who holds a phone is only said, never proved: one that may do more is left to an owner.
    """

    def work() -> None:
        phone = circles.member(by.circle_id, phone_id)
        if not _is_of(by, phone.player_id):
            raise NotFoundError(phone_id)
        if not by.role.reaches(Role(phone.role)):
            raise RefusedError(TOO_HIGH)
        journal.change(Kind.SENT_AWAY, phone, by, revoked_at=now())

    circles.keeping_an_owner(by.circle_id, work)


TOO_HIGH = say(
    "That phone may do more than the one in your hand: an owner of the circle sends it away."
)


def leave(by: Holder) -> None:
    """Take a phone out of the circle, by itself; raise InvalidError for the last owner's."""
    circles.keeping_an_owner(
        by.circle_id,
        lambda: journal.change(
            Kind.LEFT, circles.member(by.circle_id, by.phone_id), by, revoked_at=now()
        ),
    )


def note_use(by: Holder, browser: str) -> None:
    """Note that a phone is used today, and what kind of browser it is; once a day is enough."""
    seen = by.last_seen_at is not None and by.last_seen_at >= circles.today()
    if seen and (by.browser or not browser):
        return

    def work() -> None:
        phone = queries.phone(by.circle_id, by.phone_id)
        if phone is not None:
            phone.last_seen_at, phone.browser = circles.today(), browser or phone.browser

    in_transaction(work)


def needs_another_way_in(by: Holder) -> bool:
    """Whether an owner would be out of the circle for good with this phone lost."""
    return circles.owner_count(by.circle_id) == 1 and lacks_link_for_good(by)


def lacks_link_for_good(by: Holder) -> bool:
    """Whether an owner has no link to come back in by, once no phone of the circle is known."""
    if by.role is not Role.OWNER:
        return False
    return not any(
        link.role is Role.OWNER and link.stands and link.expires_at is None
        for link in circles.links(by.circle_id)
    )
