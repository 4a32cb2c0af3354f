"""Differences in a chain of hashes, and between a circle's journal and its rows."""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from scorer.errors import ScorerError
from scorer.services.base import journal
from scorer.services.base.journal import Kind
from scorer.storage import chain, models, queries
from scorer.storage.models import CHAIN_START, Circle, JournalEntry, Link, Photo, SpokenCode
from scorer.texts import counted

#: What reading a damaged row may raise; out of a generator StopIteration comes as a RuntimeError.
DAMAGE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RuntimeError,
    ScorerError,
    StopIteration,
    TypeError,
    ValueError,
)
#: What the rows of a session's chain are called, by their tables, and which column numbers them.
CHAINED = {
    "session_change": ("the change from deal {} on", "from_number"),
    "deal_version": ("version {}", "version"),
    "review": ("review {}", "review"),
    "play": ("version {} of the cards", "version"),
}
#: How many missing entries are named: a damaged count may be any number.
MOST_NAMED = 10
#: By subject and key, the columns as the entries up to one of them say that they are; one that no
#: entry has is None, as it was added to the table since.
Fold = dict[tuple[str, str], dict[str, Any]]
#: What entries have beside the columns of their row: other rows that came with it.
BESIDE = {
    "card_session": {"seats"},
    "ledger_entry": {"postings"},
    "tournament": {"entered"},
    "tournament_entry": {"players"},
    "tournament_turn": {"tables", "slips"},
}
#: Subjects without rows of their own: notebooks, and the web hooks of 0.3.
ROWLESS = {"notebook", "hook"}


class Discrepancy(NamedTuple):
    """A difference: its deal, if it is of one, and a sentence."""

    number: int | None
    what: str


class ChainEntry(NamedTuple):
    """A row of a chain, its deal, if it is of one, and its name."""

    number: int | None
    name: str
    row: models.ChainedRow


def chain_findings(
    entries: Iterable[ChainEntry], start: str, *, count: int, end: str
) -> Iterator[Discrepancy]:
    """Check that the rows are those of the chain, in order, with none missing at the end."""
    entries = sorted(entries, key=lambda entry: entry.row.serial)
    serials = {entry.row.serial for entry in entries}
    if (missing := count - sum(1 <= serial <= count for serial in serials)) > 0:
        first = islice((n for n in range(1, count + 1) if n not in serials), MOST_NAMED)
        names = ", ".join(map(str, first))
        more = f" and {missing - MOST_NAMED} more" if missing > MOST_NAMED else ""
        yield Discrepancy(None, f"the chain misses {names}{more}; entries that it counts: {count}")
    before = start
    for entry in entries:
        try:
            is_chained = entry.row.chain == chain.link(before, chain.canonical(entry.row))
        except DAMAGE:
            is_chained = False
        if not is_chained:
            yield Discrepancy(entry.number, f"{entry.name} differs from its hash")
        before = entry.row.chain
    if (before, len(entries)) != (end, count):
        yield Discrepancy(None, "its chain does not end where it should")


def journal_findings(circle_id: UUID) -> Iterator[str]:
    """Check the chain of a circle's journal, and compare every row with the entries."""
    circle = queries.find(Circle, circle_id)
    if circle is None:
        return
    entries = queries.journal.journal_entries(circle_id)
    chained = [ChainEntry(None, f"entry {entry.serial} ({entry.kind})", entry) for entry in entries]
    broken = chain_findings(chained, CHAIN_START, count=circle.journaled, end=circle.chain)
    yield from (what for _, what in broken)
    fold: Fold = {}
    for entry in entries:
        try:
            yield from _apply(fold, entry)
        except DAMAGE as error:
            yield f"entry {entry.serial} cannot be read: {error!r}"
    yield from _row_findings(circle_id, fold)
    yield from _secret_findings(circle_id, entries)
    yield from _code_findings(circle_id, entries)
    yield from _photo_findings(circle_id)
    for entry_id in queries.money.unbalanced_entries(circle_id):
        yield f"ledger entry {entry_id} loses or makes money"


def _apply(fold: Fold, entry: JournalEntry) -> Iterator[str]:
    """Apply an entry to the rows; yield where they differed from its values before."""
    here, after = (entry.subject, entry.key), entry.after
    stood = fold.get(here, {})
    for column, value in (entry.before or {}).items():
        if stood.get(column) != value:
            how = f"{column} {value!r}, but it was {stood.get(column)!r}"
            yield f"entry {entry.serial} ({entry.kind}) found {_name(here, stood)} with {how}"
    if after is None:
        if entry.before is not None:
            fold.pop(here, None)
            _take_back(fold, {session_id for session_id, _ in entry.before.get("sessions", ())})
    elif "became" in after:
        fold.pop(here, None)
        _hand_over(fold, entry.key, after)
    else:
        columns = {name: after[name] for name in after.keys() - BESIDE.get(entry.subject, set())}
        fold[here] = {**stood, **columns}
        _add_rows_beside(fold, entry, after)


def _add_rows_beside(fold: Fold, entry: JournalEntry, after: dict[str, Any]) -> None:
    """Add the rows that came with another one, which its entry has beside the columns."""
    key = entry.key
    for seat, (player_id, opening) in enumerate(after.get("seats", ())):
        fold["seat", f"{key}/{seat}"] = {"player_id": player_id, "opening": opening, "joined": 0}
    for line, (player_id, cents) in enumerate(after.get("postings", ())):
        fold["posting", f"{key}/{line}"] = {"player_id": player_id, "cents": cents}
    entered = {f"{key}/{number}": ids for number, ids in enumerate(after.get("entered", ()), 1)}
    for entry_key in entered:
        fold["tournament_entry", entry_key] = {"first": 1, "withdrawn": None}
    if entry.subject == "tournament_entry":
        entered[key] = after.get("players", ())
    for entry_key, ids in entered.items():
        for place, player_id in enumerate(ids):
            fold["tournament_player", f"{entry_key}/{place}"] = {"player_id": player_id}
    for number, session_id in enumerate(after.get("tables", ()), 1):
        table = {"session_id": session_id, "scores": None, "forfeit": None}
        fold["tournament_table", f"{key}/{number}"] = table


def _hand_over(fold: Fold, player_id: str, after: dict[str, Any]) -> None:
    """Move a merged player's rows to the remaining player, and leave their place free."""
    for values in fold.values():
        if values.get("player_id") == player_id:
            values["player_id"] = after["became"]
    for other_id, places in after.get("merged", {}).items():
        fold["player", other_id]["merged"] = places


def _take_back(fold: Fold, sessions: set[str]) -> None:
    """Remove the sessions of a notebook with it, and all their rows."""
    if sessions:
        for subject, key in [here for here in fold if here[1].partition("/")[0] in sessions]:
            del fold[subject, key]


def _row_findings(circle_id: UUID, fold: Fold) -> Iterator[str]:
    recorded: dict[str, int] = {}
    for subject in journal.COLUMNS:
        for row in queries.journal.stored_rows(circle_id, subject):
            here = subject, journal.key_of(subject, row)
            if subject == "card_session":
                recorded[here[1]] = row.next_number
            yield from _differences(here, journal.values_of(subject, row), fold.pop(here, None))
    for here, says in fold.items():
        if here[0] in ROWLESS:
            continue
        if here[0] != "started_deal" or says["number"] >= recorded.get(here[1], 0):
            yield f"{_name(here, says)} is gone without an entry"


def _differences(
    here: tuple[str, str], values: dict[str, Any], says: dict[str, Any] | None
) -> Iterator[str]:
    if says is None:
        yield f"{_name(here, values)} is in no entry"
        return
    for column, value in values.items():
        entered = says.get(column)
        if value != entered:
            yield f"{_name(here, says)}: {column} is {value!r}, but {entered!r} by its entries"


def _name(here: tuple[str, str], values: dict[str, Any]) -> str:
    subject, key = here
    return f"{subject} {values.get('name') or values.get('title') or key}"


def _secret_findings(circle_id: UUID, entries: list[JournalEntry]) -> Iterator[str]:
    """Check that each link, public page, key of a program or slip has the secret in its entry."""
    made, slips = dict[str, str](), dict[UUID, str]()
    for entry in entries:
        after = entry.after or {}
        if "secret" in after:
            made[entry.key] = after["secret"]
        for session_id, secret in zip(
            after.get("tables", ()), after.get("slips", ()), strict=False
        ):
            made[session_id], slips[UUID(session_id)] = secret, f"of the slip of {session_id}"
    names = {link.link_id: link.name for link in queries.circle.links(circle_id)}
    for page in queries.journal.stored_rows(circle_id, "public_page"):
        names[page.page_id] = f"of public page {page.page_id}"
    names |= {key.key_id: f"of key {key.name}" for key in queries.circle.keys(circle_id)} | slips
    hashes = queries.journal.secret_hashes(circle_id)
    for link_id in names.keys() | hashes.keys():
        name, kept = names.get(link_id, link_id), hashes.get(link_id, [])
        if link_id not in names or len(kept) != 1:
            yield f"link {name} has {counted(len(kept), 'secret')}"
        elif made.get(str(link_id), kept[0]) != kept[0]:
            yield f"link {name} opens by another secret than it was made with"


def _photo_findings(circle_id: UUID) -> Iterator[str]:
    """Check that each photo has the hash in its note, and that no other note has one."""
    for note in queries.journal.stored_rows(circle_id, "note"):
        photo = queries.find(Photo, circle_id, note.session_id, note.note_id)
        if (hashlib.sha256(photo.jpeg).hexdigest() if photo else "") != note.photo:
            yield f"the photo of note {note.note_id} is not the one that was kept"


def _code_findings(circle_id: UUID, entries: list[JournalEntry]) -> Iterator[str]:
    """Check that the spoken code opens the link made for it, and expires with it."""
    code = queries.find(SpokenCode, circle_id)
    link = queries.find(Link, circle_id, code.link_id) if code else None
    if code is None or link is None:
        return
    made = {entry.key for entry in entries if entry.kind == Kind.CODE_MADE}
    if str(link.link_id) not in made:
        yield f"a spoken code opens link {link.name}, which was not made for it"
    elif code.expires_at != link.expires_at:
        until = f"{code.expires_at}, but its link at {link.expires_at}"
        yield f"the spoken code runs out at {until}"
