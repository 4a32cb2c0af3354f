"""New links, shown for ten minutes to the browser that made them, and spoken codes.

Their secrets are stored nowhere: they are derived with the server's key, that of a link from a seed
in the cookie, that of a code from the key of its row.
"""

import hmac
import re
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID, uuid4, uuid5

import segno
from flask import current_app
from flask import session as cookie
from flask_babel import gettext

from scorer.roles import Role
from scorer.routes import address_of
from scorer.services.base.clock import now
from scorer.services.circle import circles, codes_and_tokens
from scorer.texts import Text, say
from scorer.web.base import access

#: How long a new link is shown again, after a reload or in the other language.
FRESH_SECONDS = 600
WARNINGS = {
    Role.OWNER: say("Whoever has this link owns the circle: keep it safe."),
    Role.SCOREKEEPER: say("Whoever has this link can write down deals."),
    Role.PLAYER: say("Whoever has this link sees the circle as a player."),
    Role.SPECTATOR: say("Whoever has this link can watch, and nothing else."),
}


class FreshLink(NamedTuple):
    """A link that this phone has just made, with its secret."""

    url: str
    qr: str
    warning: Text


def make_fresh_link(circle_id: UUID, key: UUID | None, **answers: Any) -> None:
    """Make a link; the cookie of this browser keeps the seed of its secret.

    A form sent twice with one key makes one link. The seed includes this browser's own token, so
    that another browser with the same key sees nothing.
    """
    made_by = key or uuid4()
    seed = uuid5(circle_id, f"{made_by.hex} {access.browser_token()}").hex
    circles.make_link(
        circle_id,
        secret=circles.derived_secrets(f"link {seed}")[0],
        link_id=uuid5(circle_id, made_by.hex),
        by=access.current_holder(),
        **answers,
    )
    cookie["fresh"] = [circle_id.hex, seed, int(now().timestamp())]


def fresh_link(circle_id: UUID) -> FreshLink | None:
    """Return the link that this browser made last, for ten minutes and while it is valid."""
    circle, seed, moment = cookie.get("fresh", ("", "", 0))
    if now().timestamp() - moment > FRESH_SECONDS:
        cookie.pop("fresh", None)
        return None
    if circle != circle_id.hex or not access.may("circles.new_link"):
        return None
    for secret in circles.derived_secrets(f"link {seed}"):
        if link := circles.standing_link(secret):
            return FreshLink(*_address_and_qr(secret), WARNINGS[link.role])
    return None


#: Without O and 0, I and 1, which are read for each other; 32, so that each has five bits.
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LENGTH = 6
CODE = re.compile(f"[{LETTERS}]{{{LENGTH}}}")


class FreshCode(NamedTuple):
    """The spoken code of a circle in two groups, its link, and what that lets a phone do."""

    words: str
    url: str
    qr: str
    role: Role
    until: datetime


def make_fresh_code(circle_id: UUID, role: Role) -> None:
    """Make the code of a circle, with a link for the QR code."""
    link_id = uuid4()
    codes_and_tokens.make_code(
        circle_id,
        link_id,
        role,
        name=gettext("Spoken code"),
        code_hash=code_hash(_letters(link_id)),
        secret=circles.derived_secrets(f"code link {link_id.hex}")[0],
        by=access.current_holder(),
    )


def fresh_code(circle_id: UUID) -> FreshCode | None:
    """Return the code of a circle while it is valid, on any phone of its owners.

    It is derived from the key of its link, so that no cookie and no row has it.
    """
    opened = codes_and_tokens.open_code(circle_id)
    if opened is None:
        return None
    kept, link = opened
    code = _letters(link.link_id)
    if code_hash(code) != kept or link.expires_at is None:
        return None  # made before the server had this key
    url, qr = _address_and_qr(circles.derived_secrets(f"code link {link.link_id.hex}")[0])
    return FreshCode(f"{code[:3]} {code[3:]}", url, qr, link.role, link.expires_at)


def read_code(typed: str) -> str | None:
    """Return a typed code without spaces, in capitals; None for anything else."""
    code = re.sub(r"[\s-]", "", typed).upper()
    return code if CODE.fullmatch(code) else None


def code_hash(code: str) -> str:
    """Return the hash of a code, keyed by the server so that nobody can guess its letters."""
    return _digest(f"spoken code {code}").hex()


def _letters(link_id: UUID) -> str:
    digest = _digest(f"code {link_id.hex}")
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:LENGTH])


def _digest(text: str) -> bytes:
    return hmac.digest(current_app.config["SECRET_KEY"].encode(), text.encode(), "sha256")


def _address_and_qr(secret: str) -> tuple[str, str]:
    url = address_of("circles.join", _anchor=secret)
    qr = segno.make(url, error="m").svg_data_uri(scale=6, border=2, light="#fff", dark="#000")
    return url, qr
