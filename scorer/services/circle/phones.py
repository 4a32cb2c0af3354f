"""A player's own phones: list them, leave, send one away, and see who claims to be the player.

Nobody proves who holds a phone. So only the phone that has been a player's for longest may act for
the player alone, and the other phones show a notice of a new one.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from scorer.errors import NotFoundError, RefusedError
from scorer.roles import Holder, Role
from scorer.services.base import journal
from scorer.services.base.clock import now
from scorer.services.base.journal import Kind
from scorer.services.circle import circles
from scorer.storage import models, queries, transaction
from scorer.texts import say

#: Maximum of journal entries that are read for phones that became a player's.
MOST_HOLDS = 100


def others(by: Holder) -> list[Holder]:
    """List the other phones of the player who holds this one; none where nobody holds it."""
    members = circles.phones(by.circle_id)
    return [
        phone for phone in members if _is_of(by, phone.player_id) and phone.phone_id != by.phone_id
    ]


def _is_of(by: Holder, player_id: UUID | None) -> bool:
    return by.player_id is not None and by.player_id == player_id


@transaction
def send_own_away(by: Holder, phone_id: UUID) -> None:
    """Remove another phone of the same player from the circle; raise RefusedError.

    Only an owner removes one that has a higher role or has been the player's for longer.
    """
    with circles.keeping_an_owner(by.circle_id):
        phone = circles.member(by.circle_id, phone_id)
        if not _is_of(by, phone.player_id):
            raise NotFoundError
        if not by.role.reaches(phone.role):
            raise RefusedError(TOO_HIGH)
        if phone_id not in later_phones(by, [phone_id]):
            raise RefusedError(HELD_LONGER)
        journal.change(Kind.SENT_AWAY, phone, by, revoked_at=now())


TOO_HIGH = say(
    "That phone may do more than the one in your hand: an owner of the circle sends it away."
)
HELD_LONGER = say(
    "That phone has been yours for longer than the one in your hand: "
    "an owner of the circle sends it away."
)


def later_phones(by: Holder, phone_ids: Iterable[UUID]) -> set[UUID]:
    """Return those phones that became the same player's after this one; for an owner, all.

    A phone without an entry in the journal became the player's before the others.
    """
    wanted = set(phone_ids)
    if by.role is Role.OWNER:
        return wanted
    held = queries.journal.last_entries(by.circle_id, Kind.HELD, "phone", {by.phone_id, *wanted})
    return {phone_id for phone_id in wanted if held.get(phone_id, 0) > held.get(by.phone_id, 0)}


def speaks_for_player(by: Holder) -> bool:
    """Whether a phone is an owner's, or has been the player's for longer than any other in use."""
    phones = {phone.phone_id for phone in others(by) if not phone.unused}
    return by.player_id is not None and later_phones(by, phones) == phones


class PhoneClaim(NamedTuple):
    """Another phone that claims to be the player's, its journal entry, and whether that is over."""

    serial: int
    name: str
    at: datetime
    ended: bool


def claims(by: Holder) -> list[PhoneClaim]:
    """List the other phones that claim to be the player's, newest first.

    Claims that are over are included if they began after this phone's own.
    """
    player_id = by.player_id
    if player_id is None:
        return []
    holds = queries.journal.holds_of(by.circle_id, Kind.HELD, player_id, limit=MOST_HOLDS)
    last = {hold.phone_id: hold for hold in reversed(holds)}
    own = last.pop(by.phone_id, None)
    if not last:
        return []
    phones = {row.phone_id: row for row in queries.circle.phones(by.circle_id)}
    claims = []
    for phone_id, hold in last.items():
        phone = phones[phone_id]
        ended = phone.player_id != player_id or phone.revoked_at is not None
        if not ended or own is None or hold.serial > own.serial:
            claims.append(PhoneClaim(hold.serial, phone.name, hold.at, ended))
    return sorted(claims, key=lambda claim: -claim.serial)


@transaction
def leave(by: Holder) -> None:
    """Take this phone out of the circle; raise InvalidError for the last owner's."""
    with circles.keeping_an_owner(by.circle_id):
        phone = circles.member(by.circle_id, by.phone_id)
        journal.change(Kind.LEFT, phone, by, revoked_at=now())


def note_use(by: Holder, browser: str) -> None:
    """Store that a phone is used today, and its kind of browser, at most once a day."""
    seen = by.last_seen_at is not None and by.last_seen_at >= circles.today()
    if not seen or (browser and not by.browser):
        _note_use(by, browser)


@transaction
def _note_use(by: Holder, browser: str) -> None:
    phone = queries.find(models.Phone, by.circle_id, by.phone_id)
    if phone is not None:
        phone.last_seen_at, phone.browser = circles.today(), browser or phone.browser


def needs_another_way_in(by: Holder) -> bool:
    """Whether nobody could own the circle any more if this phone were lost."""
    return circles.owner_count(by.circle_id) == 1 and lacks_link_for_good(by)


def lacks_link_for_good(by: Holder) -> bool:
    """Whether an owner's circle has no owner's link without an expiry, to come back by."""
    return by.role is Role.OWNER and not any(
        link.row.role is Role.OWNER and link.stands and link.row.expires_at is None
        for link in circles.links(by.circle_id)
    )


#: Searched in this order: most browsers also name those that they descend from.
BROWSERS = {
    "SamsungBrowser/": "Samsung Internet",
    "EdgA/": "Edge",
    "EdgiOS/": "Edge",
    "Edg/": "Edge",
    "OPR/": "Opera",
    "FxiOS/": "Firefox",
    "Firefox/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def kind_of_browser(user_agent: str) -> str:
    """Return a browser and its system, ``Firefox · Android``; "" where either is unknown."""
    browser = next((name for sign, name in BROWSERS.items() if sign in user_agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in user_agent), "")
    return f"{browser} · {system}" if browser and system else ""
