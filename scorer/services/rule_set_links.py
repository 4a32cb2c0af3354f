"""Rule sets for exchange: as a document (contract.md) in a file, or packed into a link.

Only what differs from a preset is written, so that it fits into a code that a phone can scan.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from dataclasses import dataclass
from typing import Any

from scorer.documents import decode
from scorer.errors import InvalidError, Problem, UnknownGameError
from scorer.evening.setting import unknown_game
from scorer.games import FIRST, find_game
from scorer.rules.game import Game
from scorer.rules.options import shortest
from scorer.services.rule_sets import LONGEST_NAME, read_own
from scorer.services.typed_text import one_line
from scorer.texts import Text, say

LONGEST_DOCUMENT = 20_000
#: Raw deflate, without header or checksum: the document is validated after unpacking.
RAW = -15


@dataclass(frozen=True, slots=True)
class Brought:
    """Valid rules read from a document or link, with their game."""

    game: Game[Any, Any]
    rules: Any

    @property
    def document(self) -> dict[str, Any]:
        """The rules to be sent on."""
        return travelling(self.game, self.rules)


def travelling(game: Game[Any, Any], rules: Any) -> dict[str, Any]:
    """Write rules as a document for exchange."""
    return {"game": game.slug, **shortest(rules, game.presets.values())}


def packed(document: dict[str, Any]) -> str:
    """Pack a document into letters that a link can carry."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    squeeze = zlib.compressobj(zlib.Z_BEST_COMPRESSION, zlib.DEFLATED, RAW)
    small = squeeze.compress(text.encode()) + squeeze.flush()
    return base64.urlsafe_b64encode(small).decode().rstrip("=")


def look_at_rules(sent: bytes | str) -> Brought:
    """Read rules from a document, a link or its code; raise InvalidError with every problem."""
    if len(sent) > LONGEST_DOCUMENT:
        raise _refusal("too-long", say("This is too long to be a table."))
    document = _document(sent)
    if not isinstance(document, dict):
        raise _refusal("wrong-type", say("This is no table."))
    if "deals" in document:
        message = say("This is the file of a session: it is brought in on the page of the circle.")
        raise _refusal("session-file", message)
    game = _game(document.get("game", FIRST))
    return Brought(game, read_own(game, _name(game, document), document))


def _refusal(code: str, message: Text) -> InvalidError:
    return InvalidError([Problem(code, "", message)])


def _document(sent: bytes | str) -> Any:
    text = sent.decode(errors="replace") if isinstance(sent, bytes) else sent
    text = text.strip().lstrip("\ufeff")
    try:
        return decode(text if text.startswith(("{", "[", '"')) else _unpacked(text))
    except ValueError:
        message = say("This is neither a file nor a link with a table, or a part of it is missing.")
        raise _refusal("malformed", message) from None


def _unpacked(text: str) -> bytes:
    """Unpack the code of a link; raise ValueError for whatever is none, or is too long."""
    code = text.rpartition("#")[2].strip()
    try:
        small = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
        stretch = zlib.decompressobj(RAW)
        document = stretch.decompress(small, LONGEST_DOCUMENT)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(code) from error
    if not stretch.eof:
        raise ValueError(code)
    return document


def _game(slug: object) -> Game[Any, Any]:
    try:
        return find_game(str(slug))
    except UnknownGameError:
        raise InvalidError([unknown_game(str(slug))]) from None


def _name(game: Game[Any, Any], document: dict[str, Any]) -> str:
    """What the rules are called: without a name of their own, like the preset they name."""
    preset = game.presets.get(str(document.get("preset")), game.preset)
    name = document.get("name")
    return (one_line(name)[:LONGEST_NAME] if isinstance(name, str) else "") or preset.name
