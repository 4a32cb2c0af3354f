"""Old notebooks: what of one is here already, bring it in as sessions, take it back as a whole."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from scorer.documents import encode
from scorer.errors import InvalidError, NotFoundError, Problem
from scorer.evening.acts import Void
from scorer.evening.deal import DISPUTE
from scorer.evening.document import FORMAT
from scorer.notebooks.columns import name_key
from scorer.services.base import clock, journal
from scorer.services.base.author import Holder, as_author
from scorer.services.base.circle_limits import CircleLimit, refuse_full
from scorer.services.base.titles import title_of
from scorer.services.deals.deals import do_to_deal
from scorer.services.files import notebook_files, session_files
from scorer.services.session.settling import settle
from scorer.services.session.state import load_state, lock_state
from scorer.services.session.writing import save
from scorer.storage import db, models, queries, transaction
from scorer.texts import Text, say

POINTS = "points"
SUBJECT = "notebook"
MOST_EVENINGS = 300
#: A notebook can be taken back for so long.
UNDO = timedelta(days=1)


class EveningPreview(NamedTuple):
    """An evening of a notebook, and the session that is this one already, if there is one.

    ``added`` is the number of its last rows that the session lacks.
    """

    number: int
    day: date
    title: str
    deals: list[dict[str, int]]
    balances: list[tuple[str, int]]
    opening: dict[str, int]
    session_id: UUID | None = None
    session_title: Text | str = ""
    added: int = 0
    can_grow: bool = False


@dataclass(frozen=True, slots=True)
class NotebookPreview:
    """A notebook as it was read (contract.md, with its lines), and its evenings."""

    text: str
    notebook: dict[str, Any]
    evenings: list[EveningPreview]
    people: list[str]
    new: list[str]

    def deals(self, chosen: Collection[int]) -> int:
        return sum(e.added or len(e.deals) for e in self.evenings if e.number in chosen)

    def totals(self, chosen: Collection[int]) -> list[tuple[str, int]]:
        """Return what the chosen evenings come to for each person, the highest first."""
        sums: Counter[str] = Counter()
        for evening in self.evenings:
            if evening.number in chosen:
                sums.update(dict(evening.balances))
        return sums.most_common()


def preview_notebook(
    circle_id: UUID, content: bytes, answers: Any, others: Sequence[str] = ()
) -> NotebookPreview:
    """Read a notebook by answers, which may name ``others`` than the circle has.

    Raise InvalidError if it cannot be read, or an answer is impossible; BusyError.
    """
    players = queries.circle.players(circle_id)
    people = [[row.name, *filter(None, [row.nickname])] for row in players]
    db.session.close()  # a child reads it: wait without a connection
    notebook = notebook_files.read(content, [*people, *([name] for name in others)], answers)
    text, found = notebook.pop("text"), notebook["evenings"] or []
    notebook["days"] = {
        written: date.fromisoformat(day) for written, day in notebook["days"].items()
    }
    if len(found) > MOST_EVENINGS:
        message = say(
            "That is more than %(most)s evenings: bring it in in parts.", most=MOST_EVENINGS
        )
        raise InvalidError.of("too-many-evenings", "", message)
    here = _Here(circle_id)
    evenings = [here.preview(number, evening) for number, evening in enumerate(found)]
    known = {name_key(name) for names in people for name in names}
    seated = dict.fromkeys(name for evening in evenings for name, _ in evening.balances)
    new = [name for name in seated if name_key(name) not in known]
    return NotebookPreview(text, notebook, evenings, [names[0] for names in people], new)


class _Here:
    """The sessions of a circle, by their days, as far as they are compared."""

    def __init__(self, circle_id: UUID) -> None:
        self.circle_id = circle_id
        self.sessions = queries.deals.sessions_in_order(circle_id)

    def preview(self, number: int, evening: Mapping[str, Any]) -> EveningPreview:
        """Return an evening with the session of its day, people and figures, or that it goes on."""
        day, deals = date.fromisoformat(evening["day"]), evening["deals"]
        balances = sorted(evening["totals"].items(), key=lambda pair: -pair[1])
        title, opening = evening.get("title", ""), evening.get("opening", {})
        preview = EveningPreview(number, day, title, deals, balances, opening)
        ours = [_paid(deal) for deal in deals]
        for session in self.sessions:
            if session.started_at.date() != day:
                continue
            state = load_state(self.circle_id, session.session_id)
            theirs = [_paid(deal.payouts) for deal in state.deals if deal.paid]
            seated = {name_key(name) for name in state.names}
            if not theirs or {name_key(name) for name in evening["names"]} - seated:
                continue
            same = _sum(ours) == _sum(theirs)
            if same or ours[: len(theirs)] == theirs:
                added = 0 if same else len(ours) - len(theirs)
                can_grow = bool(added and state.row.ended_at and state.game.slug == POINTS)
                more = (session.session_id, title_of(state.row), added, can_grow)
                preview = EveningPreview(*preview[:6], *more)
                if same:
                    break
        return preview


def _paid(figures: Mapping[str, int]) -> dict[str, int]:
    return {name_key(name): figure for name, figure in figures.items() if figure}


def _sum(deals: Sequence[Mapping[str, int]]) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for deal in deals:
        sums.update(deal)
    return _paid(sums)


class KeptNotebook(NamedTuple):
    """A notebook that was brought in: its sessions and deals, and whether it still stands."""

    notebook_id: UUID
    at: datetime
    sessions: list[UUID]
    deals: int
    stands: bool

    @property
    def can_go(self) -> bool:
        return self.stands and clock.now() < self.at + UNDO


def kept_notebooks(circle_id: UUID) -> list[KeptNotebook]:
    """List the notebooks that were brought into a circle, newest first."""
    notebooks: dict[str, KeptNotebook] = {}
    for entry in queries.journal.entries_of_table(circle_id, SUBJECT):
        if entry.after is not None:
            touched = [*entry.after["sessions"], *entry.after.get("added", ())]
            keys = [UUID(session[0]) for session in touched]
            kept = KeptNotebook(UUID(entry.key), entry.at, keys, entry.after["deals"], stands=True)
            notebooks[entry.key] = kept
        else:
            notebooks[entry.key] = notebooks[entry.key]._replace(stands=False)
    return [*notebooks.values()][::-1]


@transaction
def keep(
    preview: NotebookPreview,
    key: UUID,
    by: Holder,
    *,
    chosen: Collection[int],
    lowest_leads: bool = False,
) -> list[UUID]:
    """Write the chosen evenings, all or none; the same key is the same notebook.

    An evening that goes on from a session gives it its last deals, any other is a new session.
    Raise InvalidError if nothing is chosen, something is open, or it was taken back since.
    """
    evenings = [evening for evening in preview.evenings if evening.number in chosen]
    if not evenings:
        message = say("There is no evening in it that could be kept.")
        raise InvalidError.of("nothing-to-keep", "", message)
    queries.circle.circle_for_update(by.circle_id)
    entries = queries.journal.entries_about(by.circle_id, SUBJECT, str(key))
    if entries:
        kept = entries[-1].after
        if kept is None:
            message = say("This notebook was taken back. Paste it again to bring it in anew.")
            raise InvalidError.of("taken-back", "", message)
        return [UUID(session[0]) for session in [*kept["sessions"], *kept.get("added", ())]]
    before = {row.player_id: row.retired_at for row in queries.circle.players(by.circle_id)}
    zero_sum = bool(preview.notebook["cancels"])
    rules = {"zero_sum": zero_sum, "lowest_leads": lowest_leads and not zero_sum}
    new = [evening for evening in evenings if not evening.can_grow]
    added = [_grow(evening, by) for evening in evenings if evening.can_grow]
    sessions = [_begin(evening, key, rules, by) for evening in new]
    players = queries.circle.players(by.circle_id)
    rows = queries.session.sessions_by_key(by.circle_id, sessions)
    versions = {row.session_id: row.version for row in rows}
    after = {
        "sessions": [[str(session), versions[session]] for session in sessions],
        "added": added,
        "players": [str(row.player_id) for row in players if row.player_id not in before],
        "retired": {
            str(row.player_id): since.isoformat()
            for row in players
            if (since := before.get(row.player_id)) and row.retired_at is None
        },
        "deals": sum(len(evening.deals) for evening in new) + sum(len(to[1]) for to in added),
    }
    subject = SUBJECT, str(key)
    journal.add(by.circle_id, journal.Kind.NOTEBOOK_KEPT, subject, by=by, after=after)
    return [*sessions, *(UUID(session) for session, _ in added)]


def _begin(evening: EveningPreview, key: UUID, rules: dict[str, Any], by: Holder) -> UUID:
    """Write an evening as a session that has ended."""
    seats = [name for name, _ in evening.balances]
    document = {
        "format": FORMAT,
        "game": POINTS,
        "rules": rules,
        "title": evening.title,
        "date": evening.day.isoformat(),
        "seats": seats,
        "opening": evening.opening,
        "deals": [_deal(deal, seats) for deal in evening.deals],
    }
    session_key = uuid5(key, str(evening.number))
    preview = session_files.preview_session(encode(document), session_key, by.circle_id)
    return session_files.write_down(preview, by)


def _deal(figures: Mapping[str, int], seats: Sequence[str]) -> dict[str, Any]:
    played = [name for name in seats if name in figures]
    out = [name for name in seats if name not in figures]
    return {"sits_out": out, "sheet": {"points": [figures[name] for name in played]}}


def _grow(evening: EveningPreview, by: Holder) -> list[Any]:
    """Write the rows that a session lacks at its end; return the session and their numbers."""
    session_id = evening.session_id or UUID(int=0)
    document = session_files.session_file(load_state(by.circle_id, session_id))
    seats = {name_key(name): name for name in document["seats"]}
    deals = [
        _deal({seats[name_key(name)]: paid for name, paid in deal.items()}, document["seats"])
        for deal in evening.deals[-evening.added :]
    ]
    document["deals"] += deals
    with lock_state(by.circle_id, session_id) as state:
        whole = session_files.preview_session(encode(document), session_id, by.circle_id)
        refuse_full(CircleLimit.DEALS, by.circle_id, len(deals))
        first, grown = state.evening.number, replace(state.evening)
        for deal in whole.evening.deals[-len(deals) :]:
            key = uuid5(session_id, f"notebook {grown.number}")
            grown.write(deal.entry, deal.turn, as_author(by), key=key)
        settle(save(state, grown, by), by, number=first)
        return [str(session_id), [*range(first, grown.number)]]


@transaction
def take_back(circle_id: UUID, notebook_id: UUID, *, by: Holder) -> int:
    """Undo a notebook: delete its sessions and the players nobody else needs, void its deals.

    Players who had retired before are retired again, unless they have played since. Return the
    number of sessions, 0 if it was taken back before. Raise InvalidError after a day, or once one
    of its deals was amended or disputed; NotFoundError if there is no such notebook.
    """
    queries.circle.circle_for_update(circle_id)
    entries = queries.journal.entries_about(circle_id, SUBJECT, str(notebook_id))
    if not entries:
        raise NotFoundError
    kept = entries[-1].after
    if kept is None:
        return 0
    if clock.now() >= entries[-1].at + UNDO:
        message = say("A notebook can be taken back for a day. Void its deals instead.")
        raise InvalidError.of("too-late", "", message)
    sessions, added = [UUID(session) for session, _ in kept["sessions"]], kept.get("added", ())
    _check_unchanged(circle_id, kept)
    for session_id, numbers in added:
        _void(circle_id, UUID(session_id), numbers, by)
    subject = SUBJECT, str(notebook_id)
    journal.add(circle_id, journal.Kind.NOTEBOOK_TAKEN_BACK, subject, by=by, before=kept)
    queries.session.drop_sessions(circle_id, sessions)
    for player in queries.circle.unused_players(circle_id, [*map(UUID, kept["players"])]):
        journal.remove(journal.Kind.NOTEBOOK_TAKEN_BACK, player, by)
        queries.drop(models.Player, circle_id, player.player_id)
    _retire_again(circle_id, kept.get("retired", {}), by)
    return len(sessions) + len(added)


def _void(circle_id: UUID, session_id: UUID, numbers: Collection[int], by: Holder) -> None:
    """Void deals that were added to a session; raise InvalidError if one was changed."""
    state = load_state(circle_id, session_id)
    for deal in map(state.evening.deal, numbers):
        if deal.amended or any(review.kind == DISPUTE for review in deal.reviews):
            raise _changed(title_of(state.row))
        if not deal.voided:
            do_to_deal(session_id, deal.number, Void(version=deal.version), by)


def _retire_again(circle_id: UUID, retired: Mapping[str, str], by: Holder) -> None:
    """Retire again those whom a notebook brought back and who have not played since."""
    last_used = queries.circle.last_used(circle_id)
    for player in queries.circle.players(circle_id):
        if player.retired_at is None and str(player.player_id) in retired:
            since = datetime.fromisoformat(retired[str(player.player_id)])
            if last_used.get(player.player_id, since) <= since:
                journal.change(journal.Kind.RETIRED, player, by, retired_at=since)


def _check_unchanged(circle_id: UUID, kept: Mapping[str, Any]) -> None:
    """Raise InvalidError if a session was changed since it was kept."""
    versions = dict(kept["sessions"])
    rows = queries.session.sessions_by_key(circle_id, [UUID(session_id) for session_id in versions])
    changed = [row for row in rows if versions[str(row.session_id)] != row.version]
    if changed or len(rows) != len(versions):
        raise _changed(title_of(changed[0]) if changed else "")


def _changed(title: Text | str) -> InvalidError:
    message = say(
        "“%(title)s” was changed since: then the notebook can’t be taken back as a whole.",
        title=title,
    )
    return InvalidError([Problem("changed-since", "", message)])
