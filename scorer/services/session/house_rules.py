"""House rules: a circle's own rule sets, in versions that are added and never changed."""

import base64
import binascii
import json
import zlib
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, NamedTuple
from uuid import UUID, uuid5

from scorer.documents import decode
from scorer.errors import (
    ConflictError,
    InvalidError,
    NotFoundError,
    UnknownGameError,
    existing,
    refuse,
)
from scorer.evening.setting import unknown_game
from scorer.games import FIRST, find_game, stored_game
from scorer.roles import Holder
from scorer.rules.game import Game
from scorer.rules.options import Description, Difference, differences, shortest
from scorer.rules.questions import Ask, RulesDocument, SentKey
from scorer.rules.questions import write as written
from scorer.services.base import journal
from scorer.services.base.clock import now
from scorer.services.base.journal import Author, authored
from scorer.services.circle.circles import NAME
from scorer.services.session.state import stored_rules
from scorer.storage import models, queries, transaction
from scorer.storage.queries.session import RuleSetRow
from scorer.texts import say
from scorer.typed_text import looks, one_line

RULE_SET = UUID("1d6a4f0b-63c5-4d0e-9d3b-8f1c0a7e52b4")


class OwnRules(NamedTuple):
    """A version of a circle's own rule set; ``newest`` is the number of the newest one."""

    row: RuleSetRow
    newest: int

    @property
    def reference(self) -> tuple[UUID, int]:
        return self.row.rule_set_id, self.row.version

    @property
    def game(self) -> Game[Any, Any]:
        return find_game(self.row.game)

    @property
    def rules(self) -> Any:
        """The rules, under the present name of the set."""
        return stored_rules(self.game, self.document)

    @property
    def table(self) -> Description:
        return self.game.describe(self.rules)

    @property
    def document(self) -> dict[str, Any]:
        return {**self.row.rules, "name": self.row.name}


RulesName = Annotated[str, Ask(say("What the table is called"), typed=NAME)]


@dataclass(frozen=True, slots=True)
class RulesReference:
    """A version of the circle's own rules, by default the newest."""

    id: Annotated[UUID, Ask("The key of the rules")]
    version: Annotated[int | None, Ask("The number of the version; left out, the newest")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesAnswer:
    """The rules that a program names: a document, or else a version of the circle's own."""

    rules: RulesDocument = None
    own_rules: Annotated[RulesReference | None, Ask("Rules of the circle's own instead")] = None

    def found(self, circle_id: UUID) -> tuple[Any, tuple[UUID, int] | None]:
        """Return them as a document, and their version if they are the circle's own."""
        if self.own_rules is None:
            return self.rules, None
        own = find_rules(circle_id, self.own_rules.id, self.own_rules.version)
        return own.document, own.reference

    def fitted(
        self, circle_id: UUID, game: Game[Any, Any], count: int
    ) -> tuple[Any, tuple[UUID, int] | None]:
        """Fit them to so many people, if the game can; what are no rules is refused later."""
        document, rule_set = self.found(circle_id)
        preset = {"preset": document} if isinstance(document, str) else document or {}
        return game.rules_for(count, preset) if isinstance(preset, dict) else preset, rule_set


class ChosenRules(NamedTuple):
    """The chosen rules; ``rule_set`` is the reference to a version of the circle's own."""

    rules: Any
    document: Any
    rule_set: tuple[UUID, int] | None = None


def own_rules(circle_id: UUID, game: str | None = None) -> list[OwnRules]:
    """List the circle's rule sets by name, of one game or of all, the retired ones too.

    Those of a game that is not installed are left out.
    """
    rows = queries.session.rule_sets(circle_id)
    wanted = (row for row in rows if game in (None, row.game))
    return [OwnRules(row, row.version) for row in wanted if not stored_game(row.game).missing]


def rules_in_use(circle_id: UUID, game: str) -> list[OwnRules]:
    """List the circle's rule sets of a game that are offered for sessions."""
    return [own for own in own_rules(circle_id, game) if own.row.retired_at is None]


def find_rules(circle_id: UUID, rule_set_id: UUID, version: int | None = None) -> OwnRules:
    """Return rules of the circle as their newest version says, or another one.

    Raise NotFoundError.
    """
    rows = queries.session.rule_set_versions(circle_id, rule_set_id)
    matching = [row for row in rows if version in (None, row.version)]
    if not matching:
        raise NotFoundError
    return OwnRules(matching[-1], rows[-1].version)


def value_of(rule_set: tuple[UUID, int]) -> str:
    """Return the value that stands for a version of a rule set; ``read_choice`` reads it."""
    rule_set_id, version = rule_set
    return f"{rule_set_id}.{version}"


def read_choice(circle_id: UUID | None, game: Game[Any, Any], value: str) -> ChosenRules | None:
    """Find the rules of a game that a form or an address names; None if there are none."""
    if value in game.presets:
        return ChosenRules(game.presets[value], {"preset": value})
    own = read_own_choice(circle_id, value)
    if own is None or own.game != game:
        return None
    return ChosenRules(own.rules, own.document, own.reference)


def read_own_choice(circle_id: UUID | None, value: str) -> OwnRules | None:
    """Find a circle's own rules that a value names, by default in their newest version."""
    key, _, version = value.partition(".")
    try:
        rule_set_id = UUID(key)
        number = int(version[:9]) if version else None
        return find_rules(circle_id, rule_set_id, number) if circle_id else None
    except (ValueError, NotFoundError):
        return None


def versions(circle_id: UUID, rule_set_id: UUID) -> list[tuple[OwnRules, tuple[Difference, ...]]]:
    """List the versions of a rule set, newest first, each with its changes."""
    rows = queries.session.rule_set_versions(circle_id, rule_set_id)
    own = [OwnRules(row, rows[-1].version) for row in rows]
    changes = [(), *(differences(old.rules, new.rules) for old, new in pairwise(own))]
    return list(zip(own, changes, strict=False))[::-1]


def read_own(game: Game[Any, Any], name: str, document: Any) -> Any:
    """Read rules for a circle to store; raise InvalidError with every problem.

    Their slug and source are those of the nearest preset; the name is the circle's own.
    """
    name = one_line(name)
    rules, problems = game.rules_from(document)
    refuse([*NAME.problems(name, "name"), *problems])
    presets = sorted(game.presets.values(), key=lambda preset: preset.slug != rules.slug)
    own, _ = game.rules_from({**shortest(rules, presets), "name": name})
    return own


@transaction
def keep_rules(
    circle_id: UUID,
    *,
    key: SentKey,
    game: Annotated[str, Ask("The game")],
    name: RulesName,
    rules: RulesDocument,
    by: Holder,
) -> UUID:
    """Keep rules of the circle's own, once for each key; raise InvalidError.

    With the same key other rules become an edit of the first.
    """
    own, rule_set_id = read_own(known_game(game), name, rules), key_of(key)
    if queries.session.rule_set_for_update(circle_id, rule_set_id) is None:
        slug = find_game(game).slug
        _check_name(circle_id, rule_set_id, slug, own.name)
        rule_set = models.RuleSet(
            circle_id=circle_id,
            rule_set_id=rule_set_id,
            game=slug,
            name=own.name,
            created_at=now(),
        )
        journal.create(journal.Kind.RULES_KEPT, rule_set, by)
        journal.create(journal.Kind.RULES_KEPT, _version(by, rule_set_id, 1, own), by)
    else:
        _save(by, rule_set_id, 1, own)
    return rule_set_id


def key_of(key: UUID) -> UUID:
    """Return the rule set's key, derived from a phone's own key for it."""
    return uuid5(RULE_SET, key.hex)


def _check_name(circle_id: UUID, rule_set_id: UUID, game: str, name: str) -> None:
    others = [row for row in queries.session.rule_sets(circle_id) if row.rule_set_id != rule_set_id]
    if (game, looks(name)) in ((row.game, looks(row.name)) for row in others):
        message = say("There is already a table called %(name)s.", name=name)
        raise InvalidError.of("duplicate-name", "name", message)


def _version(by: Holder, rule_set_id: UUID, version: int, rules: Any) -> models.RuleSetVersion:
    return models.RuleSetVersion(
        circle_id=by.circle_id,
        rule_set_id=rule_set_id,
        version=version,
        rules=written(rules),
        **authored(by),
    )


@transaction
def save_version(
    circle_id: UUID,
    rule_set_id: UUID,
    *,
    version: Annotated[int, Ask("The version that was seen")],
    name: RulesName,
    rules: RulesDocument,
    by: Holder,
) -> int:
    """Write the next version of the circle's own rules, after the one that was seen.

    Return its number. A new name renames the set, equal rules make no new version. Raise
    ConflictError when another version was written since, InvalidError when there are problems.
    """
    game = find_rules(circle_id, rule_set_id).game
    return _save(by, rule_set_id, version, read_own(game, name, rules))


def _save(by: Holder, rule_set_id: UUID, seen: int, rules: Any) -> int:
    row = existing(queries.session.rule_set_for_update(by.circle_id, rule_set_id))
    current = find_rules(by.circle_id, rule_set_id)
    _check_name(by.circle_id, rule_set_id, row.game, rules.name)
    journal.change(journal.Kind.RENAMED, row, by, name=rules.name)
    if not differences(current.rules, rules):
        return current.row.version
    if current.row.version != seen:
        raise ConflictError(current.row.version)
    journal.create(journal.Kind.RULES_CHANGED, _version(by, rule_set_id, seen + 1, rules), by)
    return seen + 1


@transaction
def retire_rules(
    circle_id: UUID, rule_set_id: UUID, *, retired: bool = True, by: Author = None
) -> None:
    """Stop offering a rule set, or offer it again; nothing that was played changes."""
    row = existing(queries.session.rule_set_for_update(circle_id, rule_set_id))
    kind = journal.Kind.RETIRED if retired else journal.Kind.BROUGHT_BACK
    retired_at = (row.retired_at or now()) if retired else None
    journal.change(kind, row, by, retired_at=retired_at)


LONGEST_DOCUMENT = 20_000
#: Raw deflate, without header or checksum: the document is validated after unpacking.
RAW = -15


class ImportedRules(NamedTuple):
    """Valid rules read from a document or link, with their game."""

    game: Game[Any, Any]
    rules: Any

    @property
    def document(self) -> dict[str, Any]:
        return travelling(self.game, self.rules)


def travelling(game: Game[Any, Any], rules: Any) -> dict[str, Any]:
    return {"game": game.slug, **shortest(rules, game.presets.values())}


def packed(document: dict[str, Any]) -> str:
    """Pack a document into letters that a link can carry."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    small = zlib.compress(text.encode(), zlib.Z_BEST_COMPRESSION, RAW)
    return base64.urlsafe_b64encode(small).decode().rstrip("=")


def preview_rules(sent: bytes | str) -> ImportedRules:
    """Read rules from a document, a link or its code; raise InvalidError with every problem."""
    if len(sent) > LONGEST_DOCUMENT:
        raise InvalidError.of("too-long", "", say("This is too long to be a table."))
    text = sent.decode(errors="replace") if isinstance(sent, bytes) else sent
    text = text.strip().lstrip("\ufeff")
    try:
        document = decode(text if text.startswith(("{", "[", '"')) else _unpacked(text))
    except ValueError:
        message = say("This is neither a file nor a link with a table, or a part of it is missing.")
        raise InvalidError.of("malformed", "", message) from None
    if not isinstance(document, dict):
        raise InvalidError.of("wrong-type", "", say("This is not a table."))
    if "deals" in document:
        message = say("This is the file of a session: it is brought in on the page of the circle.")
        raise InvalidError.of("session-file", "", message)
    game, name = known_game(document.get("game", FIRST)), document.get("name")
    preset = game.presets.get(str(document.get("preset")), game.preset)
    own_name = one_line(name)[: NAME.longest] if isinstance(name, str) else ""
    return ImportedRules(game, read_own(game, own_name or preset.name, document))


def _unpacked(text: str) -> bytes:
    """Unpack the code of a link; raise ValueError for a malformed or too long one."""
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


def known_game(slug: object) -> Game[Any, Any]:
    """Find a game; raise InvalidError."""
    try:
        return find_game(str(slug))
    except UnknownGameError:
        raise InvalidError([unknown_game(str(slug))]) from None
