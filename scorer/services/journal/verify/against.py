"""Compare the database with a file stored elsewhere: since when they differ, and how.

A session file has the hash of the session as it was exported; a circle's file has everything that
was written by then.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any
from uuid import UUID

from scorer.documents import decode_object
from scorer.errors import ScorerError
from scorer.evening.document import WITNESS
from scorer.services.circle.names import given_title
from scorer.services.files.session_files import session_file
from scorer.services.journal.circle_file import BACKUP, FORMAT
from scorer.services.journal.verify.chains import CHAINED, DAMAGE
from scorer.services.journal.verify.sessions import chain_entries, read_session
from scorer.services.session.state import read_anew
from scorer.storage import chain, models, one_moment, queries, transfer
from scorer.typed_text import one_line

Row = dict[str, Any]
Rows = dict[str, list[Row]]
#: By its place in a chain, what was written: what it is called, and its row.
ChainRows = dict[int, tuple[str, Row]]

#: The file and the database say the same, and the database may say more.
CONTINUED = "unchanged; later entries in the database: {count}"
STANDS = "the same in the database"
#: The hash is the session's, the rest of the file is not.
CHANGED = "has the hash of the stored session, but the file was changed"
#: The journal has their hashes, so that they need not all be in memory to be compared.
PHOTOS = "photo"
#: What an exported file has beside the session.
OF_EXPORTED = dict.fromkeys(WITNESS)


def verify_against(path: Path, tell: Callable[[str], None]) -> bool:
    """Call ``tell`` with a line for each session of a file; say whether any of them differs.

    Raise ScorerError for a file that is neither a session's nor a circle's, or was damaged.
    """
    content = path.read_bytes()
    try:
        lines = list(_lines(content))
    except ScorerError as error:
        raise ScorerError(f"{path}: {error}") from error
    except DAMAGE as error:
        what = "it is damaged, or not an export of Scorer"
        raise ScorerError(f"cannot read {path}: {what}") from error
    for what, _ in lines:
        tell(one_line(what))
    return not all(same for _, same in lines)


def _lines(content: bytes) -> Iterator[tuple[str, bool]]:
    first, _, circles = content.partition(b"\n")
    file_format = (decode_object(first) or {}).get("format")
    if file_format == BACKUP:
        content = b"\n" + circles  # of which the lines are numbered as in the file
    if file_format in (FORMAT, BACKUP):
        yield from _circle_lines(content)
        return
    document = decode_object(content) or {}
    if not isinstance(document.get("deals"), list):
        raise ScorerError("it is not a file of a session or a circle")
    yield _session_line(document)


def _session_line(document: Row) -> tuple[str, bool]:
    title = str(document.get("title") or "session")
    try:
        session_id, kept = UUID(str(document["id"])), str(document["hash"])
    except (KeyError, ValueError):
        return f"{title}: the file has no id and hash to compare by", False
    with one_moment():
        circles = queries.circle.circle_ids()
        rows = (queries.find(models.CardSession, key, session_id) for key in circles)
        row = next((row for row in rows if row is not None), None)
        if row is None:
            return f"{title}: is not in the database", False
        later = _hashes(row).get(kept)
        stands = session_file(read_anew(row.circle_id, row.session_id))
    if later:
        return f"{title}: {CONTINUED.format(count=later)}", True
    same = later == 0
    # 0.3 wrote the stored number of an untitled session.
    kept_file = {**document, **OF_EXPORTED, "title": given_title(str(document.get("title") or ""))}
    stands |= OF_EXPORTED
    if same and _by_seat(kept_file) == _by_seat(stands):
        return f"{title}: {STANDS}", True
    since = _first_difference(kept_file, stands)
    return f"{title}: {CHANGED if same else 'differs'}: {since}", False


def _hashes(row: models.CardSession) -> dict[str, int]:
    """Compute every hash that a session ever had, each with the number of later writes."""
    entries = {entry.serial: entry for entry in queries.journal.journal_entries(row.circle_id)}
    deciding = queries.journal.deciding_entries(row.circle_id, row.session_id)
    decided = []
    for entry in reversed(deciding):
        before = entries.get(entry.serial - 1)
        previous = before.chain if before else models.CHAIN_START
        decided.append(chain.link(previous, chain.canonical(entry)))
    if not decided:
        return {}
    hashes = decided[:1]
    for written in sorted(chain_entries(read_session(row)), key=lambda entry: entry.row.serial):
        hashes.append(chain.link(hashes[-1], chain.canonical(written.row)))
    made = product(enumerate(reversed(hashes)), enumerate(reversed(decided)))
    return {chain.link(end, decision): after + since for (after, end), (since, decision) in made}


def _by_seat(document: Row) -> Row:
    """Replace names by the numbers of the seats, as people may be renamed."""
    numbers = {name: str(number) for number, name in enumerate(document["seats"])}
    named = {"seats", "opening", "deals", "next"}
    return {
        key: _numbered(value, numbers) if key in named else value for key, value in document.items()
    }


def _numbered(value: Any, numbers: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {numbers.get(key, key): _numbered(item, numbers) for key, item in value.items()}
    if isinstance(value, list):
        return [_numbered(item, numbers) for item in value]
    return numbers.get(value, value) if isinstance(value, str) else value


def _first_difference(kept: Row, stands: Row) -> str:
    """Name the first deal, or the key of the heading, in which two session files differ."""
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
    digest = hashlib.sha256()
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        document = decode_object(line) or {}
        if kept is None and "format" in document:
            kept, digest = {}, hashlib.sha256()
        elif kept is None or len(document) != 1:
            raise ScorerError(f"cannot read line {number} of the file")
        elif "end" in document:
            end = document["end"]
            if not isinstance(end, dict) or end.get("sha256") != digest.hexdigest():
                raise ScorerError(
                    f"the part that ends at line {number} was changed since it was written"
                )
            yield from _compared(kept)
            kept = None
        else:
            ((table, row),) = document.items()
            _add(kept, table, row)
        digest.update(line + b"\n")
    if kept is not None:
        raise ScorerError("the file ends in the middle of a circle")


def _add(rows: Rows, table: str, row: Row) -> None:
    if table != PHOTOS:
        rows.setdefault(table, []).append(row)


def _compared(kept: Rows) -> Iterator[tuple[str, bool]]:
    stands: Rows = {}
    (circle,) = kept["circle"]
    with one_moment():
        for table, row in transfer.rows_of(UUID(circle["circle_id"])):
            _add(stands, table, row)
    name = circle["name"]
    if not stands:
        yield f"{name}: is not in the database", False
        return
    yield _line(f"{name} · journal", _journal(kept), _journal(stands), circle["journaled"])
    there = _written(stands)
    sessions = {row["session_id"]: row for row in kept.get("card_session", ())}
    for session_id, written in _written(kept).items():
        row = sessions[session_id]
        title = f"{name} · {row['title'] or session_id}"
        yield _line(title, written, there.get(session_id, {}), row["written"])


def _line(name: str, kept: ChainRows, stands: ChainRows, count: int) -> tuple[str, bool]:
    if len(kept) != count or sorted(kept) != list(range(1, len(kept) + 1)):
        return f"{name}: the file has not all entries that it counts: {count}", False
    for place, (what, row) in sorted(kept.items()):
        if place not in stands:
            return f"{name}: differs since {what}, which is not in the database", False
        differs = _columns(row, stands[place][1])
        if differs:
            return f"{name}: differs since {what}: {differs}", False
    later = len(stands.keys() - kept.keys())
    return f"{name}: {CONTINUED.format(count=later) if later else STANDS}", True


def _journal(rows: Rows) -> ChainRows:
    return {
        row["serial"]: (f"entry {row['serial']} ({row['kind']})", row)
        for row in rows.get("journal_entry", ())
    }


def _written(rows: Rows) -> dict[str, ChainRows]:
    """Return the rows of each session, by place in the chain."""
    written: dict[str, ChainRows] = {row["session_id"]: {} for row in rows.get("card_session", ())}
    deals = {row["deal_id"]: row for row in rows.get("deal", ())}
    for table, (name, column) in CHAINED.items():
        for row in rows.get(table, ()):
            deal = deals.get(row.get("deal_id"), row)
            if "serial" in row and "session_id" in deal:
                what = name.format(row[column])
                if "deal_id" in row:
                    what = f"deal {deal.get('number', 'under way')}, {what}"
                written[deal["session_id"]][row["serial"]] = what, row
    return written


def _columns(kept: Any, stands: Any) -> str:
    """Name the columns in which two rows differ, except the hashes, which follow from them."""
    if not isinstance(kept, dict) or not isinstance(stands, dict):
        return _other("it", kept, stands)
    keys = sorted((kept.keys() & stands.keys()) - {"chain"})
    differing = [_other(key, kept[key], stands[key]) for key in keys if kept[key] != stands[key]]
    if not differing and kept.keys() - stands.keys():
        return ", ".join(sorted(kept.keys() - stands.keys()))
    return "; ".join(differing)


def _other(name: str, kept: Any, stands: Any) -> str:
    texts = (json.dumps(value, ensure_ascii=False) for value in (kept, stands))
    return "{} is {} in the file and {} in the database".format(name, *texts)
