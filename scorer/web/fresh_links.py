"""A link that this phone has just made, and its secret: shown for ten minutes, kept nowhere."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from typing import NamedTuple
from uuid import UUID, uuid4, uuid5

import segno
from flask import current_app
from flask import session as cookie

from scorer.services import circles
from scorer.services.circles import Life
from scorer.services.clock import now
from scorer.services.roles import Role
from scorer.texts import Text, say
from scorer.web import access
from scorer.web.addresses import address_of

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


def make_fresh_link(
    circle_id: UUID, key: UUID | None, name: str, role: Role, life: Life, *, once: bool = False
) -> None:
    """Make a link; this browser's cookie keeps the seed of its secret, to show it again.

    The same form sent twice, told by its key, makes one link. The seed holds this browser's own
    token: another one that sends the same key is shown nothing.
    """
    made_by = key or uuid4()
    seed = uuid5(circle_id, f"{made_by.hex} {access.browser_token()}").hex
    circles.make_link(
        circle_id,
        name,
        role,
        _secrets(seed)[0],
        life=life,
        once=once,
        link_id=uuid5(circle_id, made_by.hex),
        by=access.current_holder(),
    )
    cookie["fresh"] = [circle_id.hex, seed, int(now().timestamp())]


def fresh_link(circle_id: UUID) -> FreshLink | None:
    """Return the link that this phone made last, for ten minutes and while the link is valid."""
    circle, seed, moment = cookie.get("fresh", ("", "", 0))
    if now().timestamp() - moment > FRESH_SECONDS:
        cookie.pop("fresh", None)
        return None
    if circle != circle_id.hex or not access.may("circles.new_link"):
        return None
    known = ((one, circles.standing_link(one)) for one in _secrets(seed))
    secret, link = next(((one, link) for one, link in known if link), ("", None))
    if link is None:
        return None
    url = address_of("circles.join", _anchor=secret)
    qr = segno.make(url, error="m").svg_data_uri(scale=6, border=2, light="#fff", dark="#000")
    return FreshLink(url, qr, WARNINGS[Role(link.role)])


def _secrets(seed: str) -> list[str]:
    """Derive the secret of a link from a seed: without the server's key the seed opens nothing.

    The first is by the newest key, the others by those before it.
    """
    keys = [current_app.config["SECRET_KEY"], *current_app.config["SECRET_KEY_FALLBACKS"]]
    digests = [hmac.digest(key.encode(), f"link {seed}".encode(), "sha256") for key in keys]
    return [
        urlsafe_b64encode(digest[: circles.SECRET_BYTES]).rstrip(b"=").decode()
        for digest in digests
    ]
