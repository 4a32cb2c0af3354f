"""The code that an owner reads out: shown for ten minutes on the phone that made it, kept nowhere.

The cookie keeps a seed, of which only the server's key makes the letters.
"""

from __future__ import annotations

import hmac
import re
from uuid import UUID, uuid4, uuid5

from flask import current_app
from flask import session as cookie
from flask_babel import gettext

from scorer.services import spoken_codes
from scorer.web import access

#: Without O and 0, I and 1, which are read for each other; 32, so that each has five bits.
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LENGTH = 6
CODE = re.compile(f"[{LETTERS}]{{{LENGTH}}}")


def make_fresh_code(circle_id: UUID, key: UUID | None) -> None:
    """Make the code of a circle; the same form sent twice, told by its key, makes one."""
    made_by = key or uuid4()
    seed = uuid5(circle_id, f"{made_by.hex} {access.browser_token()}").hex
    spoken_codes.make_code(
        circle_id,
        gettext("Spoken code"),
        code_hash(_letters(seed)),
        link_id=uuid5(circle_id, f"code {made_by.hex}"),
        by=access.current_holder(),
    )
    cookie["code"] = [circle_id.hex, seed]


def fresh_code(circle_id: UUID) -> str | None:
    """Return the code that this phone made last, in two groups, while it lets phones in."""
    circle, seed = cookie.get("code", ("", ""))
    if circle != circle_id.hex or not access.may("circles.new_code"):
        return None
    code = _letters(seed)
    if not spoken_codes.is_open(circle_id, code_hash(code)):
        cookie.pop("code")
        return None
    return f"{code[:3]} {code[3:]}"


def read_code(typed: str) -> str | None:
    """Return the letters of a code as somebody typed it, or None where it is something else."""
    code = re.sub(r"[\s-]", "", typed).upper()
    return code if CODE.fullmatch(code) else None


def code_hash(code: str) -> str:
    """Return what is kept of a code: without the server's key nobody finds the letters to it."""
    return _digest(f"spoken code {code}").hex()


def _letters(seed: str) -> str:
    return "".join(LETTERS[byte % len(LETTERS)] for byte in _digest(f"code {seed}")[:LENGTH])


def _digest(text: str) -> bytes:
    return hmac.digest(current_app.config["SECRET_KEY"].encode(), text.encode(), "sha256")
