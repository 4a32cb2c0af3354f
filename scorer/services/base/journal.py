"""The journal of a circle: every act that changes something outside the deals is one entry.

Services write rows of a circle through `create`, `change` and `removed`, inside their transaction,
so that none is written without its entry. It says who wrote: a phone, or the command line. The
entries of a row, applied one after the other, give its present values: `scorer verify` compares.
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from scorer.evening.deal import Author as Written
from scorer.roles import Holder, Role
from scorer.services.base.clock import now
from scorer.storage import chain, models, queries, write
from scorer.storage.models import Base, JournalEntry, plain

#: Who does something: a phone, or None at the command line.
Author = Holder | None


def authored(by: Author, at: datetime | None = None) -> dict[str, Any]:
    """Return the columns of an `AuthoredRow`."""
    phone_id, player = (by.phone_id, by.player) if by else (None, None)
    return {"phone_id": phone_id, "written_by": player, "at": at or now()}


def as_author(by: Author) -> Written:
    """Return who writes, as the facts of a session have it."""
    return Written(**authored(by), phone=by.name if by else None)


def may_void(by: Author, phone_id: UUID | None) -> bool:
    """Whether somebody may void what was written on a phone."""
    return by is None or by.role.reaches(Role.SCOREKEEPER) or by.phone_id == phone_id


class Kind(StrEnum):
    """The kind of an act; the entry's subject is the thing acted on."""

    CIRCLE_BEGUN = "circle-begun"
    LINK_MADE = "link-made"
    CODE_MADE = "code-made"
    CODE_REPLACED = "code-replaced"
    LINK_REVOKED = "link-revoked"
    KEY_MADE = "key-made"
    KEY_REVOKED = "key-revoked"
    #: Web hooks, which 0.3 had: their entries are read, and no more are written.
    HOOK_MADE = "hook-made"
    HOOK_REMOVED = "hook-removed"
    HOOK_GIVEN_UP = "hook-given-up"
    JOINED = "joined"
    LEFT = "left"
    SENT_AWAY = "sent-away"
    ROLE_GIVEN = "role-given"
    PEN_PASSED = "pen-passed"
    PEN_TAKEN_BACK = "pen-taken-back"
    HELD = "held"
    LET_GO = "let-go"
    PLAYER_ADDED = "player-added"
    RENAMED = "renamed"
    NICKNAMED = "nicknamed"
    ZONE_SET = "zone-set"
    MERGED = "merged"
    RETIRED = "retired"
    BROUGHT_BACK = "brought-back"
    RULES_KEPT = "rules-kept"
    RULES_CHANGED = "rules-changed"
    SESSION_STARTED = "session-started"
    BROUGHT_IN = "brought-in"
    SEATED = "seated"
    STAKE_SET = "stake-set"
    ENDED = "ended"
    TAKEN_UP = "taken-up"
    DEAL_STARTED = "deal-started"
    DEAL_FORGOTTEN = "deal-forgotten"
    DEAL_RESUMED = "deal-resumed"
    TIMER_STARTED = "timer-started"
    TIMER_PAUSED = "timer-paused"
    TIMER_CONTINUED = "timer-continued"
    TIMER_REMOVED = "timer-removed"
    CURRENCY_CHOSEN = "currency-chosen"
    EVENING_POSTED = "evening-posted"
    CORRECTION_POSTED = "correction-posted"
    PAYMENT_NOTED = "payment-noted"
    PAYMENT_CONFIRMED = "payment-confirmed"
    PAYMENT_VOUCHED_FOR = "payment-vouched-for"
    COST_SHARED = "cost-shared"
    MONEY_VOIDED = "money-voided"
    PAGE_PUBLISHED = "page-published"
    PAGE_REVOKED = "page-revoked"
    SEASON_NAMED = "season-named"
    SEASON_DROPPED = "season-dropped"
    SEASON_POINTS_SET = "season-points-set"
    NOTE_ADDED = "note-added"
    NOTE_TAKEN_BACK = "note-taken-back"
    PHOTO_ADDED = "photo-added"
    PHOTO_TAKEN_BACK = "photo-taken-back"
    EXPORTED = "exported"
    TABLE_EXPORTED = "table-exported"
    NOTEBOOK_KEPT = "notebook-kept"
    NOTEBOOK_TAKEN_BACK = "notebook-taken-back"
    TOURNAMENT_MADE = "tournament-made"
    TOURNAMENT_CLOSED = "tournament-closed"
    TOURNAMENT_REOPENED = "tournament-reopened"
    ENTERED = "entered"
    ENTRY_WITHDRAWN = "entry-withdrawn"
    ENTRY_RETURNED = "entry-returned"
    SUBSTITUTED = "substituted"
    PLAN_SET = "plan-set"
    TURN_DRAWN = "turn-drawn"
    TURN_UNDRAWN = "turn-undrawn"
    TURN_PUBLISHED = "turn-published"
    SCORES_WRITTEN = "scores-written"
    FORFEITED = "forfeited"
    PENALISED = "penalised"
    SAT_DOWN = "sat-down"
    PRIZES_SET = "prizes-set"


#: The tables of the journal, each with the columns that it leaves out: they are in the chain of a
#: session, follow from what is kept, or are shown on no page.
LEFT_OUT: dict[str, tuple[str, ...]] = {
    "circle": ("journaled", "chain"),
    "link": (),
    "program_key": (),
    "player": (),
    "season": (),
    "phone": ("last_seen_at", "browser"),
    "rule_set": (),
    "rule_set_version": (),
    "card_session": (
        *("next_number", "finished_number", "version", "changes", "written", "chain"),
        "went_on_from",
    ),
    "seat": (),
    "started_deal": ("dealer",),
    "timer": (),
    "ledger_entry": (),
    "posting": (),
    "public_page": (),
    "note": (),
    "tournament": ("version",),
    "tournament_entry": (),
    "tournament_player": (),
    "tournament_turn": (),
    "tournament_table": (),
    "table_phone": (),
}
#: The columns of which an entry has the hash, not the value.
HASHED = {"rules"}
COLUMNS = {
    subject: [
        column.name
        for column in Base.metadata.tables[subject].columns
        if not column.primary_key and column.name not in left_out
    ]
    for subject, left_out in LEFT_OUT.items()
}


def key_of(subject: str, row: object) -> str:
    """Return the key of a row as entries have it: ``5ee4…`` or, of several columns, ``5ee4…/2``."""
    columns = [column.name for column in Base.metadata.tables[subject].primary_key]
    return "/".join(str(getattr(row, column)) for column in columns[1:] or columns)


def values_of(subject: str, row: object) -> dict[str, Any]:
    """Return the present values of a row in the columns that the journal keeps."""
    return {column: value_of(column, getattr(row, column)) for column in COLUMNS[subject]}


def value_of(column: str, value: Any) -> Any:
    if column in HASHED:
        return hashlib.sha256(chain.written(value).encode()).hexdigest()
    return plain(value)


def subject_of(row: Base) -> str:
    """Return the subject of entries about a row: its table."""
    return str(row.__tablename__)


def append(entry: JournalEntry) -> str:
    """Write an entry at the end of its circle's journal, which stays locked; return its hash."""
    ((written, last),) = queries.journal.journal_end(entry.circle_id)
    chain.place(entry, written + 1, last)
    write(entry)
    queries.journal.keep_journal_end(entry.circle_id, entry.serial, entry.chain)
    return entry.chain


def add(
    circle_id: UUID,
    kind: Kind,
    subject: tuple[str, str],
    *,
    by: Author,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> str:
    """Write an entry about `subject`, a table and key; return its hash. The circle stays locked."""
    table, key = subject
    return append(
        models.JournalEntry(
            circle_id=circle_id,
            serial=0,
            kind=kind,
            subject=table,
            key=key,
            before=before,
            after=after,
            **authored(by),
        )
    )


def create(kind: Kind, row: Base, by: Author, **beside: str) -> None:
    """Write a new row and its entry, which may have values that no column has."""
    write(row)
    created(kind, row, by, **beside)


def created(kind: Kind, row: Base, by: Author, **beside: Any) -> str:
    """Write the entry of a new row, which its caller writes; return its hash."""
    values = values_of(subject_of(row), row)
    return note(kind, row, by, after={**values, **beside})


def start(
    kind: Kind, row: models.CardSession, seats: Sequence[models.Seat], by: Author, **beside: str
) -> None:
    """Write a session with its seats; its chain begins with the hash of its entry."""
    players = [[str(seat.player_id), seat.opening] for seat in seats]
    row.chain = created(kind, row, by, seats=players, **beside)
    write(row, *seats)


def post(
    kind: Kind, row: models.LedgerEntry, lines: Sequence[tuple[UUID, int]], by: Author
) -> None:
    """Write an entry of the ledger with its postings, each a player and cents."""
    created(kind, row, by, postings=[[str(player_id), cents] for player_id, cents in lines])
    key = {"circle_id": row.circle_id, "entry_id": row.entry_id}
    postings = (
        models.Posting(**key, line=line, player_id=player_id, cents=cents)
        for line, (player_id, cents) in enumerate(lines)
    )
    write(row, *postings)


def change(
    kind: Kind, row: Base, by: Author, beside: Mapping[str, Any] | None = None, **columns: Any
) -> bool:
    """Set columns of a row and write the changed ones as an entry; return whether any changed.

    The entry has the values ``beside`` too, which no column has.
    """
    before, after = {}, {}
    for column, value in columns.items():
        old = value_of(column, getattr(row, column))
        new = value_of(column, value)
        setattr(row, column, value)
        if old != new:
            before[column], after[column] = old, new
    if after:
        note(kind, row, by, before=before, after={**after, **(beside or {})})
    return bool(after)


def remove(kind: Kind, row: Base, by: Author, *, after: dict[str, Any] | None = None) -> None:
    """Write the entry of a deleted row; ``after`` names the row that it was merged into, if any."""
    note(kind, row, by, before=values_of(subject_of(row), row), after=after)


def note(kind: Kind, row: Any, by: Author, **values: dict[str, Any] | None) -> str:
    """Write an entry about a row; an act without ``values`` changes nothing in it."""
    subject = subject_of(row)
    key = key_of(subject, row)
    return add(row.circle_id, kind, (subject, key), by=by, **values)
