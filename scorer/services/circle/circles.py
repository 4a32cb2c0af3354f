"""Circles: the links that let phones in, the phones, their roles, and who holds them."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, NamedTuple
from uuid import UUID, uuid4, uuid5

from flask import current_app

from scorer.errors import InvalidError, NotFoundError, existing
from scorer.roles import KEY, PHONE, PROGRAM, Holder, Role
from scorer.rules.questions import Ask, Choice
from scorer.services.base import journal
from scorer.services.base.circle_limits import CircleLimit, refuse_full
from scorer.services.base.clock import now, zones
from scorer.services.base.journal import Author, Kind
from scorer.storage import in_transaction, queries, transaction, write
from scorer.storage.models import Circle, Link, LinkSecret, Phone, Player, ProgramKey, PublicPage
from scorer.storage.queries.base import grouped
from scorer.texts import Text, say
from scorer.typed_text import TypedText, one_line

SECRET_BYTES = 16
#: Name of the links that the command line makes.
OPERATORS = "scorer link"
#: The name of a circle, of rules, of a tournament.
NAME = TypedText(60, say("A name has from 1 to 60 letters."), blank=False)
LINK_NAME = replace(NAME, wanted=say("A name of 1 to 60 letters, to recognise the link by."))
#: An unused phone loses access after this time; browsers keep no cookie for longer either.
UNUSED = timedelta(days=400)


class Life(Choice):
    """How long a new link or a new key is valid."""

    DAY = "day", say("A day")
    WEEK = "week", say("A week")
    MONTH = "month", say("30 days")
    YEAR = "year", say("A year")
    NEVER = "never", say("For good")


#: The role that a phone gets.
GivenRole = Annotated[Role, Ask("The role")]
LIVES = {
    Life.DAY: timedelta(days=1),
    Life.WEEK: timedelta(days=7),
    Life.MONTH: timedelta(days=30),
    Life.YEAR: timedelta(days=365),
}


def holder(
    circle_id: UUID, phone_id: UUID, used_at: datetime | None = None, *, at_table: bool = False
) -> Holder:
    """Find a phone of the circle; raise NotFoundError for others, also removed or unused ones.

    ``used_at`` is the last use by its cookie, as opening a page writes nothing. With ``at_table``
    a phone that is only at a table of the circle is found, too.
    """
    phone = queries.circle.phone_and_holder(circle_id, phone_id)
    is_out = phone is None or (phone.revoked_at and not (at_table and phone.table))
    if phone is None or is_out or is_unused(phone, used_at):
        raise NotFoundError
    return phone


def is_unused(phone: Phone | Holder, used_at: datetime | None = None) -> bool:
    """Whether nobody has used a phone for 400 days, so that it has lost access."""
    used = [phone.joined_at, phone.last_seen_at, used_at]
    return max(moment for moment in used if moment) <= now() - UNUSED


class CircleLink(NamedTuple):
    """A link, the phone that used it up, how many phones joined by it and how many are still in."""

    row: Link
    used_by: Author
    phones: int
    leaving: list[Holder]

    @property
    def ran_out(self) -> bool:
        return _ran_out(self.row)

    @property
    def stands(self) -> bool:
        return not is_over(self.row) and self.used_by is None


def find(circle_id: UUID) -> Circle:
    """Find a circle; raise NotFoundError."""
    return existing(queries.find(Circle, circle_id))


def phones(circle_id: UUID) -> list[Holder]:
    """List the phones of a circle, in the order they joined, without the keys of programs."""
    phones = (row for row in queries.circle.phones(circle_id) if not row.is_key)
    return [replace(row, unused=is_unused(row)) for row in phones if row.revoked_at is None]


def players_of_phones(circle_id: UUID) -> dict[str, str]:
    """Return the holder of each phone, by the names of both; phones sent away included."""
    return {row.name: row.player for row in queries.circle.phones(circle_id) if row.player}


def links(circle_id: UUID) -> list[CircleLink]:
    """List the links into the circle, oldest first, the revoked ones too."""
    rows = queries.circle.phones(circle_id)
    by_key = {row.phone_id: row for row in rows}
    used = queries.circle.let_in_by_links(circle_id).items()
    used_by = {link_id: by_key[phone_id] for link_id, phone_id in used if phone_id in by_key}
    joined = grouped((row.link_id, row) for row in rows)
    return [
        CircleLink(
            row=link,
            used_by=used_by.get(link.link_id) if link.once else None,
            phones=len(joined[link.link_id]),
            leaving=[row for row in joined[link.link_id] if not row.revoked_at],
        )
        for link in queries.circle.links(circle_id)
    ]


def opened_circles(known: Mapping[UUID, UUID], used_at: datetime | None = None) -> list[Holder]:
    """List the phones of this browser that still have access, by the names of their circles."""
    inside = [row for row in queries.circle.opened_by(known) if not is_unused(row, used_at)]
    return sorted(inside, key=lambda phone: (phone.circle.casefold(), phone.circle_id))


def operator_link(circle_id: UUID, role: Role) -> str:
    """Make a link into a circle for the operator; return its secret.

    An owner's link admits one phone within a day.
    """
    owner = role is Role.OWNER
    life = Life.DAY if owner else Life.WEEK
    return make_link(circle_id, OPERATORS, role, life=life, once=owner)


def begin_circle(name: str) -> str:
    """Begin an empty circle; return the secret of the link that admits its owners."""
    name = NAME.read(name, "name")
    circle = Circle(circle_id=uuid4(), name=name, created_at=now())
    in_transaction(lambda: journal.create(Kind.CIRCLE_BEGUN, circle, None))
    return make_link(circle.circle_id, name, Role.OWNER, life=Life.NEVER)


def new_phone(
    circle_id: UUID,
    role: Role,
    phone_id: UUID,
    *,
    link_id: UUID | None = None,
    browser: str = "",
    called: str = PHONE,
    begins: Circle | None = None,
    revoked_at: datetime | None = None,
) -> Holder:
    """Add a phone to a circle, inside the caller's transaction; its name is its number.

    It gets another key if ``phone_id`` is that of a phone that was sent away. ``called`` is the
    prefix of the name, ``begins`` the circle if this phone begins it. One with ``revoked_at`` is
    not in the circle from then on.
    """
    is_taken = queries.find(Phone, circle_id, phone_id) is not None
    phone = Phone(
        circle_id=circle_id,
        phone_id=uuid4() if is_taken else phone_id,
        name=f"{called}{len(queries.circle.phones(circle_id)) + 1}",
        role=role,
        link_id=link_id,
        joined_at=now(),
        revoked_at=revoked_at,
        last_seen_at=today(),
        browser=browser,
    )
    write(phone)
    by = Holder(circle_id, phone.phone_id, phone.name, role)
    if begins is not None:
        journal.created(Kind.CIRCLE_BEGUN, begins, by)
    journal.created(Kind.JOINED, phone, by)
    return by


def today() -> datetime:
    """Return the start of today: only the day of a phone's last use is stored."""
    return now().replace(hour=0, minute=0, second=0, microsecond=0)


def digest(secret: str) -> str:
    """Return the SHA-256 of a link's secret, the only trace of it that is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def derived_secrets(seed: str) -> list[str]:
    """Derive the secrets of an address from a seed, one by each key of the server, newest first."""
    keys = [current_app.config["SECRET_KEY"], *current_app.config["SECRET_KEY_FALLBACKS"]]
    digests = [hmac.digest(key.encode(), seed.encode(), "sha256") for key in keys]
    return [urlsafe_b64encode(each[:SECRET_BYTES]).rstrip(b"=").decode() for each in digests]


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


@transaction
def make_link(
    circle_id: UUID,
    name: Annotated[str, Ask(say("Whom is the link for?"), typed=LINK_NAME)],
    role: GivenRole,
    secret: str = "",
    *,
    life: Annotated[Life, Ask(say("How long does it let phones in?"))] = Life.WEEK,
    once: Annotated[bool, Ask(say("For one phone only"))] = False,
    link_id: UUID | None = None,
    by: Author = None,
) -> str:
    """Make a link that lets phones in as ``role``; return its secret, stored only as a hash.

    Sending the same ``link_id`` twice makes one link.
    """
    name = LINK_NAME.read(name, "name")
    secret = secret or new_secret()
    link = Link(
        circle_id=circle_id,
        link_id=link_id or uuid4(),
        role=role,
        name=name,
        created_at=now(),
        expires_at=now() + LIVES[life] if life in LIVES else None,
        once=once,
    )
    locked_circle(circle_id)
    if queries.find(Link, circle_id, link.link_id) is None:
        insert_with_secret(Kind.LINK_MADE, link, link.link_id, secret, by)
    return secret


def insert_with_secret(
    kind: Kind, row: Link | ProgramKey | PublicPage, key: UUID, secret: str, by: Author
) -> None:
    """Write a row and the hash of its secret, which its journal entry has too."""
    kept = digest(secret)
    journal.create(kind, row, by, secret=kept)
    write(LinkSecret(secret_hash=kept, circle_id=row.circle_id, link_id=key))


def usual_name(players: Sequence[str]) -> str:
    """Return what a circle is called before anybody names it: at most three of its players."""
    return ", ".join(players[:3])


def is_named(name: str, players: Collection[str]) -> bool:
    """Whether the name of a circle is more than those of players."""
    return not set(name.split(", ")) <= set(players)


def standing_link(secret: str) -> Link | None:
    """Find the link that a secret opens, unless it is revoked, used up or expired."""
    link = queries.circle.link_by_secret(digest(secret))
    return None if link is None or is_over(link) or _used_by(link) else link


def is_over(way_in: Link | ProgramKey) -> bool:
    """Whether a link or a key was revoked, or has run out."""
    return way_in.revoked_at is not None or _ran_out(way_in)


def _ran_out(way_in: Link | ProgramKey) -> bool:
    return way_in.expires_at is not None and way_in.expires_at <= now()


def _used_by(link: Link) -> UUID | None:
    """Find the phone that a link for one phone has let in."""
    return queries.circle.let_in_by_links(link.circle_id).get(link.link_id) if link.once else None


@transaction
def revoke_link(circle_id: UUID, link_id: UUID, *, by: Author = None) -> None:
    """Revoke a link, and remove every phone that joined by it."""
    with keeping_an_owner(circle_id):
        link = existing(queries.find(Link, circle_id, link_id))
        journal.change(Kind.LINK_REVOKED, link, by, revoked_at=link.revoked_at or now())
        for phone in queries.circle.phones_of_link(circle_id, link_id):
            journal.change(Kind.SENT_AWAY, phone, by, revoked_at=phone.revoked_at or now())


@transaction
def give_role(circle_id: UUID, phone_id: UUID, role: GivenRole, *, by: Author = None) -> None:
    with keeping_an_owner(circle_id):
        journal.change(Kind.ROLE_GIVEN, member(circle_id, phone_id), by, role=role)


@transaction
def send_away(circle_id: UUID, phone_id: UUID, *, by: Author = None) -> None:
    """Remove a phone from the circle; a link that is not revoked lets it in again."""
    with keeping_an_owner(circle_id):
        journal.change(Kind.SENT_AWAY, member(circle_id, phone_id), by, revoked_at=now())


def member(circle_id: UUID, phone_id: UUID) -> Phone:
    """Find the row of a phone that is still in the circle; raise NotFoundError."""
    phone = queries.find(Phone, circle_id, phone_id)
    if phone is None or phone.revoked_at is not None or phone.name.startswith(KEY):
        raise NotFoundError
    return phone


def locked_circle(circle_id: UUID) -> Circle:
    """Find a circle and lock its row until the commit; raise NotFoundError."""
    return existing(queries.circle.circle_for_update(circle_id))


def owner_count(circle_id: UUID) -> int:
    """Count the owners' phones in use, without programs."""
    return queries.circle.owner_count(circle_id, now() - UNUSED)


@contextmanager
def keeping_an_owner(circle_id: UUID) -> Iterator[None]:
    """Change phones of the circle in the block; raise InvalidError if no owner would be left.

    The circle's row is locked, so that two owners cannot remove each other at the same time.
    """
    locked_circle(circle_id)
    before = owner_count(circle_id)
    yield
    if before and not owner_count(circle_id):
        message = say("A circle needs an owner: make another phone an owner first.")
        raise InvalidError.of("last-owner", "phone", message)


def join(
    secret: str,
    known: Mapping[UUID, UUID],
    *,
    browser_token: str = "",
    browser: str = "",
    called: str = PHONE,
) -> Holder:
    """Admit a phone by a link's secret; raise NotFoundError if it opens nothing."""
    link = queries.circle.link_by_secret(digest(secret))
    return let_in(link, known, browser_token=browser_token, browser=browser, called=called)


@transaction
def let_in(
    link: Link | None,
    known: Mapping[UUID, UUID],
    *,
    browser_token: str,
    browser: str,
    called: str = PHONE,
) -> Holder:
    """Admit a phone by a link; raise NotFoundError if that is missing, revoked or expired.

    ``known`` has the browser's phone in each circle: it stays that phone, and another link may
    raise its role. With ``browser_token`` a form sent twice lets one phone in, even if the first
    answer was lost. ``browser`` is the kind of browser, ``called`` the prefix of the phone's name.
    """
    if link is None:
        raise NotFoundError
    circle_id, link_id = link.circle_id, link.link_id
    locked_circle(circle_id)
    locked = queries.find(Link, circle_id, link_id)
    if locked is None or is_over(locked):
        raise NotFoundError
    own_id = uuid5(link_id, browser_token) if browser_token else uuid4()
    phone = phone_in_use(circle_id, known.get(circle_id), own_id)
    if (used_by := _used_by(locked)) and (phone is None or used_by != phone.phone_id):
        raise NotFoundError
    if phone is None:
        refuse_full(CircleLimit.PHONES, circle_id)
        return new_phone(
            circle_id, locked.role, own_id, link_id=link_id, browser=browser, called=called
        )
    if link_id != phone.link_id and not phone.role.reaches(locked.role):
        before = holder(circle_id, phone.phone_id)
        journal.change(Kind.JOINED, phone, before, role=locked.role, link_id=link_id)
    phone.last_seen_at, phone.browser = today(), browser or phone.browser
    return holder(circle_id, phone.phone_id)


def phone_in_use(
    circle_id: UUID, *phone_ids: UUID | None, also_outside: bool = False
) -> Phone | None:
    """Find the first of these phones that was used of late and is in the circle, or outside too."""
    known = (queries.find(Phone, circle_id, phone_id) for phone_id in phone_ids if phone_id)
    used = (phone for phone in known if phone and not is_unused(phone))
    return next((phone for phone in used if also_outside or phone.revoked_at is None), None)


@transaction
def hold(circle_id: UUID, phone_id: UUID, player_id: UUID | None, *, by: Author = None) -> None:
    phone = member(circle_id, phone_id)
    if player_id and queries.find(Player, circle_id, player_id) is None:
        raise NotFoundError
    kind = Kind.HELD if player_id else Kind.LET_GO
    journal.change(kind, phone, by, player_id=player_id)


@transaction
def rename_circle(
    circle_id: UUID, name: Annotated[str, Ask(say("Name"), typed=NAME)], *, by: Author = None
) -> None:
    journal.change(Kind.RENAMED, locked_circle(circle_id), by, name=NAME.read(name, "name"))


@transaction
def set_zone(
    circle_id: UUID, zone: Annotated[str, Ask(say("Time zone"))], *, by: Author = None
) -> None:
    """Set the time zone in which a circle's days and times are shown; raise InvalidError.

    A city is enough; an empty zone leaves the choice to each browser.
    """
    name = "_".join(one_line(zone).split()).casefold()
    if name and name not in zones():
        message = say("There is no such time zone. Write one like Europe/Rome.")
        raise InvalidError.of("unknown-zone", "zone", message)
    known = zones()[name] if name else ""
    journal.change(Kind.ZONE_SET, locked_circle(circle_id), by, zone=known)


def contents(circle_id: UUID) -> tuple[int, int]:
    """Count the sessions and the players, which are deleted with their circle."""
    return queries.session.session_count(circle_id), len(queries.circle.player_names(circle_id))


@transaction
def delete_circle(circle_id: UUID, typed: str) -> None:
    """Delete a circle and all its rows; raise InvalidError unless ``typed`` is its name."""
    circle = locked_circle(circle_id)
    if one_line(typed) != one_line(circle.name):
        message = say("Type the name of the circle as it is written above.")
        raise InvalidError.of("wrong-name", "name", message)
    queries.circle.drop_circle(circle_id)


def program_name(phone: str | None) -> str | None:
    """Return the name of a program by that of the phone that it writes as; None for people's."""
    for prefix in (PROGRAM, KEY):
        if phone is not None and phone.startswith(prefix):
            return phone.removeprefix(prefix)
    return None


def phone_words(name: str | None) -> Text | str | None:
    """Return the name of a phone in words; ``#2`` means phone 2."""
    if name is None:
        return None
    program = program_name(name)
    if program is not None:
        return say("Program %(number)s", number=program)
    return say("Phone %(number)s", number=name[1:]) if name.startswith(PHONE) else name


def signature(
    reader: Role, speak: Callable[[Text], str], player: str | None, phone: str | None
) -> dict[str, str | None]:
    """Return who wrote: the player, the phone, which spectators aren't told, or the program."""
    program = program_name(phone)
    words = None if program is not None or reader is Role.SPECTATOR else phone_words(phone)
    named = speak(words) if isinstance(words, Text) else words
    return {"player": player, "phone": named, "program": program}
