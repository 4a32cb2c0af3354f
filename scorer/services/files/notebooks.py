"""Old notebooks: what of one is here already, bring it in as sessions, take it back as a whole."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from scorer.documents import encode
from scorer.errors import InvalidError, NotFoundError
from scorer.evening.acts import Void
from scorer.evening.deal import DISPUTE
from scorer.evening.document import FORMAT
from scorer.notebooks.columns import name_key
from scorer.roles import Holder
from scorer.services.base import clock, journal
from scorer.services.base.circle_limits import CircleLimit, refuse_full
from scorer.services.base.journal import as_author
from scorer.services.circle.names import title_of
from scorer.services.deals.deals import do_to_deal
from scorer.services.files import notebook_files, session_files
from scorer.services.session.settling import settle
from scorer.services.session.state import SessionState, load_state, lock_state
from scorer.services.session.writing import save
from scorer.storage import db, models, queries, transaction
from scorer.texts import Text, say

POINTS = "points"
SUBJECT = "notebook"
MOST_EVENINGS = 300
#: A notebook can be taken back for so long.
UNDO = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class NotebookPreview:
    """A notebook as `notebook_files.read` has it; the names in the circle, and those to come.

    An evening that is here has the ``session`` and its ``session_title``, the number of rows
    ``added`` since, and whether it ``can_grow`` by them.
    """

    notebook: dict[str, Any]
    people: list[str]
    new: list[str]

    @property
    def evenings(self) -> list[dict[str, Any]]:
        return self.notebook["evenings"] or []

    @property
    def not_here(self) -> set[int]:
        return {n for n, evening in enumerate(self.evenings) if "session" not in evening}

    def deals(self, chosen: Collection[int]) -> int:
        return sum(len(_lacking(self.evenings[number])) for number in chosen)

    def totals(self, chosen: Collection[int]) -> list[tuple[str, int]]:
        """Return what comes in by the chosen evenings for each person, the highest first."""
        evenings = [self.evenings[number] for number in sorted(chosen)]
        coming = (_lacking(each) if each.get("can_grow") else [each["totals"]] for each in evenings)
        return _sum(chain.from_iterable(coming)).most_common()


def preview_notebook(circle_id: UUID, content: bytes, answers: dict[str, Any]) -> NotebookPreview:
    """Read a notebook by answers, which may name others than the circle has.

    Raise InvalidError if it cannot be read, or an answer is impossible; BusyError.
    """
    players = queries.circle.players(circle_id)
    people = [[row.name, *filter(None, [row.nickname])] for row in players]
    db.session.close()  # a child reads it: wait without a connection
    columns = [of for sheet in answers.get("columns", {}).values() for of in sheet.values()]
    named = [[of["person"]] for of in columns if "person" in of]
    notebook = notebook_files.read(content, [*people, *named], answers)
    evenings = notebook["evenings"] or []
    if len(evenings) > MOST_EVENINGS:
        message = say(
            "That is more than %(most)s evenings: bring it in in parts.", most=MOST_EVENINGS
        )
        raise InvalidError.of("too-many-evenings", "", message)
    of_day = defaultdict(list)
    for session in queries.deals.sessions_in_order(circle_id) if evenings else ():
        of_day[session.started_at.date().isoformat()].append(session.session_id)
    for evening in evenings:
        states = [load_state(circle_id, session_id) for session_id in of_day[evening["day"]]]
        evening.update(_session_of(evening, states))
    known = {name_key(name) for names in people for name in names}
    seated = dict.fromkeys(name for evening in evenings for name in evening["names"])
    new = [name for name in seated if name_key(name) not in known]
    return NotebookPreview(notebook, [names[0] for names in people], new)


def _session_of(evening: Mapping[str, Any], states: Iterable[SessionState]) -> dict[str, Any]:
    """Return which session of its day has the people and figures of an evening, or begins so."""
    found = {}
    ours = [_paid(deal) for deal in evening["deals"]]
    for state in states:
        theirs = [_paid(deal.payouts) for deal in state.deals if deal.paid]
        seated = {name_key(name) for name in state.names}
        if not theirs or {name_key(name) for name in evening["names"]} - seated:
            continue
        same = _paid(_sum(ours)) == _paid(_sum(theirs))
        if same or ours[: len(theirs)] == theirs:
            found = {
                "session": state.session_id,
                "session_title": title_of(state.row),
                "added": 0 if same else len(ours) - len(theirs),
                "can_grow": not same and state.game.slug == POINTS,
            }
        if same:
            break
    return found


def _paid(figures: Mapping[str, int]) -> dict[str, int]:
    return {name_key(name): figure for name, figure in figures.items() if figure}


def _sum(deals: Iterable[Mapping[str, int]]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for deal in deals:
        sums.update(deal)
    return sums


def _lacking(evening: Mapping[str, Any]) -> list[dict[str, int]]:
    """Return the deals of an evening, of one that grows those at its end that it lacks."""
    deals: list[dict[str, int]] = evening["deals"]
    return deals[-evening["added"] :] if evening.get("can_grow") else deals


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
        if entry.after is None:
            notebooks[entry.key] = notebooks[entry.key]._replace(stands=False)
        else:
            sessions, deals = _sessions(entry.after), entry.after["deals"]
            notebooks[entry.key] = KeptNotebook(
                UUID(entry.key), entry.at, sessions, deals, stands=True
            )
    return [*notebooks.values()][::-1]


def _sessions(kept: Mapping[str, Any]) -> list[UUID]:
    """Return the sessions of a notebook: those that it began, and those that it added to."""
    return [UUID(session) for session, _ in [*kept["sessions"], *kept.get("added", ())]]


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
    evenings = [(n, evening) for n, evening in enumerate(preview.evenings) if n in chosen]
    if not evenings:
        message = say("There is no evening in it that could be kept.")
        raise InvalidError.of("nothing-to-keep", "", message)
    queries.circle.circle_for_update(by.circle_id)
    entries = queries.journal.entries_about(by.circle_id, SUBJECT, str(key))
    if entries:
        if entries[-1].after is None:
            message = say("This notebook was taken back. Paste it again to bring it in anew.")
            raise InvalidError.of("taken-back", "", message)
        return _sessions(entries[-1].after)
    before = {row.player_id: row.retired_at for row in queries.circle.players(by.circle_id)}
    zero_sum = bool(preview.notebook["cancels"])
    rules = {"zero_sum": zero_sum, "lowest_leads": lowest_leads and not zero_sum}
    added = [_grow(evening, by) for _, evening in evenings if evening.get("can_grow")]
    begun = [
        _begin(evening, uuid5(key, str(number)), rules, by)
        for number, evening in evenings
        if not evening.get("can_grow")
    ]
    players = queries.circle.players(by.circle_id)
    rows = queries.session.sessions_by_key(by.circle_id, begun)
    versions = {row.session_id: row.version for row in rows}
    after = {
        "sessions": [[str(session), versions[session]] for session in begun],
        "added": added,
        "players": [str(row.player_id) for row in players if row.player_id not in before],
        "retired": {
            str(row.player_id): since.isoformat()
            for row in players
            if (since := before.get(row.player_id)) and row.retired_at is None
        },
        "deals": preview.deals([number for number, _ in evenings]),
    }
    subject = SUBJECT, str(key)
    journal.add(by.circle_id, journal.Kind.NOTEBOOK_KEPT, subject, by=by, after=after)
    return _sessions(after)


def _begin(evening: Mapping[str, Any], key: UUID, rules: dict[str, Any], by: Holder) -> UUID:
    """Write an evening as a session that has ended."""
    seats = [name for name, _ in Counter(evening["totals"]).most_common()]
    document = {
        "format": FORMAT,
        "game": POINTS,
        "rules": rules,
        "title": evening.get("title", ""),
        "date": evening["day"],
        "seats": seats,
        "opening": evening.get("opening", {}),
        "deals": [
            {
                "sits_out": [name for name in seats if name not in deal],
                "sheet": {"points": [deal[name] for name in seats if name in deal]},
            }
            for deal in evening["deals"]
        ],
    }
    preview = session_files.preview_session(encode(document), key, by.circle_id)
    return session_files.write_down(preview, by)


def _grow(evening: Mapping[str, Any], by: Holder) -> list[Any]:
    """Write the rows that a session lacks at its end; return the session and their numbers.

    Raise InvalidError if it was changed since, or somebody with points has left the table.
    """
    deals, session_id = _lacking(evening), evening["session"]
    with lock_state(by.circle_id, session_id) as state:
        if _session_of(evening, [state]).get("added") != evening["added"]:
            message = say(
                "“%(title)s” was changed meanwhile: look again.", title=title_of(state.row)
            )
            raise InvalidError.of("changed-since", "", message)
        refuse_full(CircleLimit.DEALS, by.circle_id, len(deals))
        first, grown = state.evening.number, replace(state.evening)
        seats = {seat: name_key(state.names[seat]) for seat in grown.here.order}
        for deal in deals:
            figures = {name_key(name): figure for name, figure in deal.items()}
            for name, figure in deal.items():
                if figure and name_key(name) not in seats.values():
                    message = say("%(name)s has left this table.", name=name)
                    raise InvalidError.of("changed-since", "", message)
            points = [figures[name] for name in seats.values() if name in figures]
            out = [seat for seat, name in seats.items() if name not in figures]
            entry = grown.judge(grown.turn, {"points": points}, sits_out=out)
            key = uuid5(session_id, f"notebook {grown.number}")
            grown.write(entry, grown.turn, as_author(by), key=key)
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
    versions = {UUID(session): version for session, version in kept["sessions"]}
    rows = queries.session.sessions_by_key(circle_id, [*versions])
    changed = [row for row in rows if versions[row.session_id] != row.version]
    if changed or len(rows) != len(versions):
        raise _changed(title_of(changed[0]) if changed else "")
    for session_id, numbers in kept.get("added", ()):
        _void(circle_id, UUID(session_id), numbers, by)
    subject, kind = (SUBJECT, str(notebook_id)), journal.Kind.NOTEBOOK_TAKEN_BACK
    journal.add(circle_id, kind, subject, by=by, before=kept)
    queries.session.drop_sessions(circle_id, [*versions])
    for player in queries.circle.unused_players(circle_id, [*map(UUID, kept["players"])]):
        journal.remove(kind, player, by)
        queries.drop(models.Player, circle_id, player.player_id)
    _retire_again(circle_id, kept.get("retired", {}), by)
    return len(_sessions(kept))


def _void(circle_id: UUID, session_id: UUID, numbers: Collection[int], by: Holder) -> None:
    """Void deals that were added to a session; raise InvalidError if one was changed."""
    state = load_state(circle_id, session_id)
    for deal in map(state.evening.deal, numbers):
        if deal.amended or any(review.kind == DISPUTE for review in deal.reviews):
            raise _changed(title_of(state.row))
        if not deal.voided:
            do_to_deal(by.circle_id, session_id, deal.number, Void(version=deal.version), by=by)


def _retire_again(circle_id: UUID, retired: Mapping[str, str], by: Holder) -> None:
    """Retire again those whom a notebook brought back and who have not played since."""
    last_used = queries.circle.last_used(circle_id)
    for player in queries.circle.players(circle_id):
        if player.retired_at is None and str(player.player_id) in retired:
            since = datetime.fromisoformat(retired[str(player.player_id)])
            if last_used.get(player.player_id, since) <= since:
                journal.change(journal.Kind.RETIRED, player, by, retired_at=since)


def _changed(title: Text | str) -> InvalidError:
    message = say(
        "“%(title)s” was changed since: then the notebook can’t be taken back as a whole.",
        title=title,
    )
    return InvalidError.of("changed-since", "", message)
