"""Compare the database with a file that somebody kept: since when they differ, and how.

A session file has the hash of the session as it was exported; a circle's file has everything that
was written by then.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import UUID

from scorer.documents import decode
from scorer.errors import ScorerError
from scorer.services.circle_file import BACKUP, FORMAT
from scorer.services.session_file import session_file
from scorer.services.typed_text import one_line
from scorer.services.verify.sessions import chain_entries, read_session
from scorer.storage import chain, one_moment, queries, transfer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from scorer.storage import models

    Row = dict[str, Any]
    Rows = dict[str, list[Row]]
    #: By its place in a chain, what was written: what it is called, and its row.
    Written = dict[int, tuple[str, Row]]

#: The file and the database say the same, and the database may say more.
CONTINUED = "is continued by the database ({count} later entries)"
STANDS = "is as it stands in the database"


def verify_against(path: Path, tell: Callable[[str], None]) -> bool:
    """Call ``tell`` with a line for each session of a file; say whether any of them differs.

    Raise ScorerError for a file that is neither a session's nor a circle's.
    """
    content = path.read_bytes()
    first = _decoded(content.split(b"\n", 1)[0])
    if first.get("format") == BACKUP:
        content = content.partition(b"\n")[2]
    if first.get("format") in {FORMAT, BACKUP}:
        found = list(_circle_lines(content))
    else:
        document = _decoded(content)
        if not isinstance(document.get("deals"), list):
            raise ScorerError(f"{path} is no file of a session or a circle")
        found = [_session_line(document)]
    for what, _ in found:
        tell(one_line(what))
    return not all(same for _, same in found)


def _decoded(text: bytes) -> Row:
    try:
        document = decode(text)
    except ValueError:
        document = None
    return document if isinstance(document, dict) else {}


def _session_line(document: Row) -> tuple[str, bool]:
    title = str(document.get("title") or "session")
    try:
        session_id, kept = UUID(str(document["id"])), str(document["hash"])
    except (KeyError, ValueError):
        return f"{title}: the file has no id and hash to compare by", False
    with one_moment():
        rows = (queries.session(circle_id, session_id) for circle_id in queries.circle_ids())
        row = next((one for one in rows if one is not None), None)
        if row is None:
            return f"{title}: is not in the database", False
        hashes = _hashes(row)
        if kept in hashes:
            later = len(hashes) - 1 - hashes.index(kept)
            return f"{title}: {CONTINUED.format(count=later) if later else STANDS}", True
        stands = session_file(row.circle_id, row.session_id)
    return f"{title}: differs: {_first_difference(document, stands)}", False


def _hashes(row: models.CardSession) -> list[str]:
    """Make the hashes of a session anew, up to what is not as it was chained."""
    started = queries.entries_about(row.circle_id, "card_session", str(row.session_id))
    entries = {entry.serial: entry for entry in queries.journal_entries(row.circle_id)}
    if not started:
        return []
    before = entries.get(started[0].serial - 1)
    start = before.chain if before else chain.START
    hashes = [chain.link(start, chain.canonical_entry(started[0]))]
    for one in sorted(chain_entries(read_session(row)), key=lambda one: one.serial):
        hashes.append(chain.link(hashes[-1], one.canonical()))
    return hashes


def _first_difference(kept: Row, stands: Row) -> str:
    """Say since which deal, or in what of the heading, two session files say something else."""
    for key in stands.keys() - {"deals", "next"}:
        if kept.get(key) != stands[key]:
            return _other(key, kept.get(key), stands[key])
    ours, theirs = kept["deals"], stands["deals"]
    for number, (old, new) in enumerate(zip(ours, theirs, strict=False), 1):
        if old != new:
            return f"since deal {number} of the file: {_columns(old, new)}"
    if len(theirs) < len(ours):
        return f"since deal {len(theirs) + 1} of the file, which is not in the database"
    return "in what the file does not show: who wrote when, reviews, cards, or voided deals"


def _circle_lines(content: bytes) -> Iterator[tuple[str, bool]]:
    kept: Rows | None = None
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        document = _decoded(line)
        if kept is None and "format" in document:
            kept = {}
        elif kept is None or len(document) != 1:
            raise ScorerError(f"line {number} of the file cannot be read")
        elif "end" in document:
            yield from _compared(kept)
            kept = None
        else:
            ((table, row),) = document.items()
            kept.setdefault(table, []).append(row)
    if kept is not None:
        raise ScorerError("the file ends in the middle of a circle")


def _compared(kept: Rows) -> Iterator[tuple[str, bool]]:
    stands: Rows = {}
    (circle,) = kept["circle"]
    with one_moment():
        for table, row in transfer.rows_of(UUID(circle["circle_id"])):
            stands.setdefault(table, []).append(row)
    name = circle["name"]
    if not stands:
        yield f"{name}: is not in the database", False
        return
    if "journal_entry" in kept:
        yield _line(f"{name} · journal", _journal(kept), _journal(stands))
    there = _written(stands)
    titles = {row["session_id"]: row["title"] for row in kept.get("card_session", ())}
    for session_id, written in _written(kept).items():
        yield _line(f"{name} · {titles[session_id]}", written, there.get(session_id, {}))


def _line(name: str, kept: Written, stands: Written) -> tuple[str, bool]:
    for place, (what, row) in sorted(kept.items()):
        if place not in stands:
            return f"{name}: differs since {what}, which is not in the database", False
        differs = _columns(row, stands[place][1])
        if differs:
            return f"{name}: differs since {what}: {differs}", False
    later = len(stands.keys() - kept.keys())
    return f"{name}: {CONTINUED.format(count=later) if later else STANDS}", True


def _journal(rows: Rows) -> Written:
    return {
        row["serial"]: (f"entry {row['serial']} ({row['kind']})", row)
        for row in rows["journal_entry"]
    }


def _written(rows: Rows) -> dict[str, Written]:
    """Give what was written in each session, by its place in the chain."""
    written: dict[str, Written] = {row["session_id"]: {} for row in rows.get("card_session", ())}
    deals = {row["deal_id"]: row for row in rows.get("deal", ())}
    for row in rows.get("session_change", ()):
        what = f"the change from deal {row['from_number']} on"
        written[row["session_id"]][row["serial"]] = what, row
    for table, place, name in (
        ("deal_version", "serial", "version {version}"),
        ("opinion", "chained", "review {serial}"),
        ("trick_record", "chained", "version {version} of its cards"),
    ):
        for row in rows.get(table, ()):
            deal = deals.get(row["deal_id"], row)
            if place in row and "session_id" in deal:
                what = f"deal {deal.get('number', 'under way')}, {name.format(**row)}"
                written[deal["session_id"]][row[place]] = what, row
    return written


def _columns(kept: Any, stands: Any) -> str:
    """Say which values two rows have otherwise; the hashes follow from the others."""
    if not isinstance(kept, dict) or not isinstance(stands, dict):
        return _other("it", kept, stands)
    keys = sorted((kept.keys() & stands.keys()) - {"chain"})
    differing = [_other(key, kept[key], stands[key]) for key in keys if kept[key] != stands[key]]
    if not differing and kept.keys() - stands.keys():
        return ", ".join(sorted(kept.keys() - stands.keys()))
    return "; ".join(differing)


def _other(name: str, kept: Any, stands: Any) -> str:
    told = (json.dumps(value, ensure_ascii=False) for value in (kept, stands))
    return "{} is {} in the file and {} in the database".format(name, *told)
