"""Rows of older revisions: what they lack, and the journal of circles from before there was one.

The migrations that chain anew use this, and so does the import of a circle's file. It works on the
values of one circle's rows.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from itertools import dropwhile
from operator import itemgetter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.storage import chain, journal
from scorer.storage.columns import CHAIN_START

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from uuid import UUID

    Row = dict[str, Any]
    Rows = dict[str, list[Row]]

KIND = "taken-over"
CHAINED = {"chained": 0, "chain": CHAIN_START}
#: The revision from before there was a journal, and the first one with it.
REVISION, JOURNAL = "2026_11_21_history", "2026_11_22_journal"
#: The revisions before this one, oldest first: the columns of a circle's rows that the next one
#: added, with what they say in the rows that were there.
ADDED: dict[str, dict[str, Row]] = {
    REVISION: {
        "circle": {"journaled": 0, "chain": CHAIN_START},
        "link": {"expires_at": None, "once": False},
        "phone": {"last_seen_at": None, "browser": ""},
        "opinion": CHAINED,
        "trick_record": CHAINED,
    },
    JOURNAL: {"opinion": {"proposal": None}},
    "2026_11_22_proposals": {},
    "2026_11_22_spoken_codes": {"circle": {"zone": ""}},
    "2026_11_22_zone": {"player": {"gone": 0}},
    "2026_11_22_places": {"circle": {"currency": ""}},
    "2026_11_22_ledger": {},
    "2026_11_23_public_page": {},
    "2026_11_23_seasons": {"player": {"nickname": ""}},
    "2026_11_23_nicknames": {},
}
#: In which order what stands there is taken over: each after what it names.
SUBJECTS = {
    "circle": "created_at",
    "link": "created_at",
    "player": "created_at",
    "phone": "joined_at",
    "rule_set": "created_at",
    "rule_set_version": "at",
    "card_session": "started_at",
    "seat": "joined",
    "started_deal": "at",
}


class Written(NamedTuple):
    """Something that is in the chain of a session: its row, and the column that has its place."""

    row: Row
    place: str
    canonical: Callable[[Any], str]

    def says(self) -> str:
        """Write down what the row says, as it stands by then."""
        return self.canonical(_of(self.row))


def lacking(revision: str) -> dict[str, Row]:
    """Give what the rows of a revision lack by now, by table; those of this one lack nothing."""
    found: defaultdict[str, Row] = defaultdict(dict)
    for since in dropwhile(lambda one: one != revision, ADDED):
        for table, columns in ADDED[since].items():
            found[table] |= columns
    return found


def adopt(rows: Rows, at: datetime) -> None:
    """Give a circle its journal, and chain its sessions anew from that.

    A session whose chain didn't hold is left as it was, so that it is found still.
    """
    for table, columns in lacking(REVISION).items():
        for row in rows[table]:
            row.update(columns)
    _date_deals(rows)
    (circle,) = rows["circle"]
    starts: dict[str, str] = {}
    rows["journal_entry"] = []
    for entry in _taken_over(rows, at):
        entry |= {"serial": circle["journaled"] + 1}
        entry["chain"] = chain.link(circle["chain"], chain.canonical_entry(_of(entry)))
        circle |= {"journaled": entry["serial"], "chain": entry["chain"]}
        rows["journal_entry"].append(entry)
        if entry["subject"] == "card_session":
            starts[entry["key"]] = entry["chain"]
    for session, versions, rest in _sessions(rows):
        if _holds(session, versions, CHAIN_START):
            _chain(session, [*versions, *rest], starts[str(session["session_id"])])


def give_back(rows: Rows) -> None:
    """Chain the sessions of a circle as the first revision does: without reviews and cards.

    What is left is numbered anew, without gaps.
    """
    for session, versions, _, _ in _sound(rows):
        numbers = {one.row["serial"]: number for number, one in enumerate(versions, 1)}
        _renumber(rows, session, versions, numbers)
        _chain(session, versions, CHAIN_START)


def drop_proposals(rows: Rows) -> None:
    """Chain the sessions of a circle that have proposals as the revision before: without them."""
    for session, versions, rest, start in _sound(rows):
        written = _in_order(versions, rest)
        if any(one.row.get("proposal") is not None for one in written):
            for one in written:
                _drop_proposal(one.row)
            _chain(session, written, start)


def _drop_proposal(row: Row) -> None:
    """Take a proposal away; a dispute that gave no reason beside has what it proposed as one."""
    proposal = row.pop("proposal", None)
    if proposal is not None and not row["reason"]:
        row["reason"] = ", ".join(f"{name}: {value}" for name, value in proposal.items())


def _sound(rows: Rows) -> Iterator[tuple[Row, list[Written], list[Written], str]]:
    """Give the sessions whose chain holds, with the hash that it begins with."""
    starts: dict[str, str] = {}
    for entry in sorted(rows["journal_entry"], key=itemgetter("serial")):
        if entry["subject"] == "card_session":
            starts.setdefault(entry["key"], entry["chain"])
    for session, versions, rest in _sessions(rows):
        start = starts.get(str(session["session_id"]), CHAIN_START)
        if _holds(session, _in_order(versions, rest), start):
            yield session, versions, rest, start


def _in_order(versions: list[Written], rest: list[Written]) -> list[Written]:
    return sorted([*versions, *rest], key=lambda one: one.row[one.place])


def _renumber(rows: Rows, session: Row, versions: list[Written], numbers: dict[int, int]) -> None:
    for seat in rows["seat"]:
        if seat["session_id"] == session["session_id"]:
            seat["joined"] = numbers.get(seat["joined"], 0)
    for one in versions:
        if one.row.get("change") is not None:
            one.row["change"] = numbers[one.row["change"]]


def _date_deals(rows: Rows) -> None:
    """Let each deal be recorded at the very moment at which its first version was written."""
    firsts = {one["deal_id"]: one["at"] for one in rows["deal_version"] if one["version"] == 1}
    for deal in rows["deal"]:
        deal["recorded_at"] = firsts.get(deal["deal_id"], deal["recorded_at"])


def _taken_over(rows: Rows, at: datetime) -> Iterator[Row]:
    (circle,) = rows["circle"]
    for subject, moment in SUBJECTS.items():
        here = [_of(row) for row in rows[subject] if subject != "seat" or row["joined"]]
        for row in sorted(
            here, key=lambda one: (getattr(one, moment), journal.key_of(subject, one))
        ):
            after = journal.values_of(subject, row)
            if subject == "card_session":
                after["seats"] = _seats(rows, row.session_id)
            yield {
                "circle_id": circle["circle_id"],
                "kind": KIND,
                "subject": subject,
                "key": journal.key_of(subject, row),
                "before": None,
                "after": after,
                "phone_id": None,
                "written_by": None,
                "at": at,
            }


def _seats(rows: Rows, session_id: UUID) -> list[list[Any]]:
    began = [
        _of(seat)
        for seat in rows["seat"]
        if seat["session_id"] == session_id and not seat["joined"]
    ]
    return journal.seats_of(sorted(began, key=lambda seat: seat.seat))


def _sessions(rows: Rows) -> Iterator[tuple[Row, list[Written], list[Written]]]:
    """Give each session with its versions and changes, in order, and its reviews and cards."""
    deals = {deal["deal_id"]: _of(deal) for deal in rows["deal"]}
    versions: defaultdict[UUID, list[Written]] = defaultdict(list)
    rest: defaultdict[UUID, list[Written]] = defaultdict(list)
    for row in rows["deal_version"]:
        if deal := deals.get(row["deal_id"]):
            canonical = partial(chain.canonical, deal)
            versions[deal.session_id].append(Written(row, "serial", canonical))
    for row in rows["session_change"]:
        versions[row["session_id"]].append(Written(row, "serial", chain.canonical_change))
    for row in rows["opinion"]:
        if deal := deals.get(row["deal_id"]):
            canonical = partial(chain.canonical_review, deal.session_id)
            rest[deal.session_id].append(Written(row, "chained", canonical))
    for row in rows["trick_record"]:
        rest[row["session_id"]].append(Written(row, "chained", chain.canonical_tricks))
    for session in rows["card_session"]:
        session_id = session["session_id"]
        yield (
            session,
            sorted(versions[session_id], key=lambda one: one.row["serial"]),
            sorted(rest[session_id], key=_by_moment),
        )


def _by_moment(one: Written) -> tuple[datetime, str, int]:
    return one.row["at"], str(one.row["deal_id"]), int(one.row.get("serial") or one.row["version"])


def _holds(session: Row, written: list[Written], start: str) -> bool:
    """Whether what was written in a session is what was chained, from the start to the end."""
    before = start
    for number, one in enumerate(written, 1):
        if one.row[one.place] != number or one.row["chain"] != chain.link(before, one.says()):
            return False
        before = one.row["chain"]
    return (session["written"], session["chain"]) == (len(written), before)


def _chain(session: Row, written: list[Written], start: str) -> None:
    session |= {"written": 0, "chain": start}
    for number, one in enumerate(written, 1):
        one.row[one.place] = number
        one.row["chain"] = chain.link(session["chain"], one.says())
        session |= {"written": number, "chain": one.row["chain"]}


def _of(row: Row) -> Any:
    """Let a row's values be read as those of the models."""
    return SimpleNamespace(**row)
