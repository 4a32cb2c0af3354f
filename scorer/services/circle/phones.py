"""One's own phones: which they are, when each was used last, leaving, and sending one away.

Who holds a phone is only said, never proved. So what a player alone may do is done on the phone
that has been theirs for longest, and the player's other phones are told of a new one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from scorer.errors import NotFoundError, RefusedError
from scorer.services.base import journal
from scorer.services.base.caching import Kept
from scorer.services.base.clock import now
from scorer.services.base.journal import Kind
from scorer.services.base.roles import Holder, Role
from scorer.services.circle import circles
from scorer.storage import in_transaction, queries
from scorer.texts import say

#: How many entries of the journal are looked through for phones that became a player's.
MOST_HOLDS = 100
#: What was found for the phones that asked last; it changes with the circle's journal only.
_claims = Kept["list[Claim]"](1_000)


def others(by: Holder) -> list[Holder]:
    """List the other phones of the player who holds this one; nobody in particular has none."""
    members = circles.phones(by.circle_id)
    return [one for one in members if _is_of(by, one.player_id) and one.phone_id != by.phone_id]


def _is_of(by: Holder, player_id: UUID | None) -> bool:
    return by.player_id is not None and by.player_id == player_id


def send_own_away(by: Holder, phone_id: UUID) -> None:
    """Send another phone of the same player away.

    One that may do more, or has been the player's for longer, is left to an owner.
    """

    def work() -> None:
        phone = circles.member(by.circle_id, phone_id)
        if not _is_of(by, phone.player_id):
            raise NotFoundError(phone_id)
        if not by.role.reaches(Role(phone.role)):
            raise RefusedError(TOO_HIGH)
        if phone_id not in later_phones(by, [phone_id]):
            raise RefusedError(HELD_LONGER)
        journal.change(Kind.SENT_AWAY, phone, by, revoked_at=now())

    circles.keeping_an_owner(by.circle_id, work)


TOO_HIGH = say(
    "That phone may do more than the one in your hand: an owner of the circle sends it away."
)
HELD_LONGER = say(
    "That phone has been yours for longer than the one in your hand: "
    "an owner of the circle sends it away."
)


def later_phones(by: Holder, phone_ids: Iterable[UUID]) -> set[UUID]:
    """Return those phones of the same player that became theirs after this one.

    For an owner that is all of them. A phone that was the player's before there was a journal is
    older than all others but those.
    """
    wanted = set(phone_ids)
    if by.role is Role.OWNER:
        return wanted
    held = queries.record.last_entries(by.circle_id, Kind.HELD, "phone", {by.phone_id, *wanted})
    return {one for one in wanted if held.get(one, 0) > held.get(by.phone_id, 0)}


def speaks_for_player(by: Holder) -> bool:
    """Whether no other phone in use has been the player's for longer, or it is an owner's."""
    phones = {one.phone_id for one in others(by) if not one.unused}
    return by.player_id is not None and later_phones(by, phones) == phones


@dataclass(frozen=True, slots=True)
class Claim:
    """Another phone that is, or was, said to be the player's: its name and since when.

    ``serial`` is that of the entry of the journal, ``ended`` says that it is the player's no more.
    """

    serial: int
    name: str
    at: datetime
    ended: bool


def claims(by: Holder) -> list[Claim]:
    """List which other phones were said to be the player's, the newest first.

    Those that are so no longer count if they became so after this one.
    """
    player_id = by.player_id
    if player_id is None:
        return []
    key = by.circle_id, by.phone_id, player_id, by.journaled
    return _claims.get(key, lambda: _read_claims(by, player_id))


def _read_claims(by: Holder, player_id: UUID) -> list[Claim]:
    holds = queries.record.holds_of(by.circle_id, Kind.HELD, player_id, limit=MOST_HOLDS)
    last = {hold.phone_id: hold for hold in reversed(holds)}
    own = last.pop(by.phone_id, None)
    if not last:
        return []
    phones = {row.phone_id: row for row in queries.circle.phones(by.circle_id)}
    found = []
    for phone_id, hold in last.items():
        phone = phones[phone_id]
        ended = phone.player_id != player_id or phone.revoked_at is not None
        if not ended or own is None or hold.serial > own.serial:
            found.append(Claim(hold.serial, phone.name, hold.at, ended))
    return sorted(found, key=lambda claim: -claim.serial)


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
        phone = queries.circle.phone(by.circle_id, by.phone_id)
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


#: Looked for in this order: most browsers also name those that they descend from.
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
    """Say what a browser is, like ``Firefox · Android``; "" where either part is unknown."""
    browser = next((name for sign, name in BROWSERS.items() if sign in user_agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in user_agent), "")
    return f"{browser} · {system}" if browser and system else ""
