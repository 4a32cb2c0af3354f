"""Import old notebooks: preview, store as ended sessions, take back as a whole."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from scorer.errors import BusyError, InvalidError, NotFoundError
from scorer.evening import Evening
from scorer.evening.document import FORMAT
from scorer.games import FIRST, find_game
from scorer.notebooks import reading
from scorer.notebooks.guessing import Plan, days_in, guess, is_day_unsure, named
from scorer.notebooks.tables import CellTable, read_table
from scorer.services.base import clock, journal
from scorer.services.base.author import Holder
from scorer.services.base.titles import title_of
from scorer.services.files import session_files
from scorer.services.files.notebook_files import read_file
from scorer.storage import db, models, queries, transaction
from scorer.texts import say, signed
from scorer.typed_text import looks

#: The games that a notebook is read as: figures alone, or who called what.
POINTS, CHIAMATA = "points", FIRST
SUBJECT = "notebook"
MOST_EVENINGS = 300
#: Of more nobody would read them.
MOST_DOUBTS = 50
#: Seconds that a request waits for another notebook, and its Retry-After when that is not enough.
PATIENCE, LATER = 10.0, 5
#: After each step the worker answers others, for so much of the time that the step took.
REST = 0.25
_reading = Lock()


class NotebookChoice(NamedTuple):
    """The answers beside the columns, ``day`` and ``who`` where the table names none."""

    game: str = ""
    rules: Any = None
    day: date | None = None
    who: Sequence[str] = ()


class EveningPreview(NamedTuple):
    """The preview of an evening, and whether the circle has the same one already."""

    session: session_files.SessionPreview
    here_before: bool

    @property
    def balances(self) -> list[tuple[str, int]]:
        """Return everybody's balance, the highest first."""
        return [(name, balance) for _, name, balance in self.session.evening.standings()]


class NotebookPreview(NamedTuple):
    """The preview of a notebook: the plan it was read by, its evenings and doubts.

    ``ruled`` says that the rules were chosen, ``read`` counts the deals, ``new`` are players that
    the circle doesn't have; ``day_unsure`` says that the order of day and month is ambiguous,
    ``lacks_day`` that an evening has no day.
    """

    text: str
    table: CellTable
    plan: Plan
    game: str
    rules: Any
    ruled: bool
    unit: str
    evenings: list[EveningPreview]
    doubts: list[reading.Doubt]
    read: int
    new: list[str]
    day_unsure: bool
    lacks_day: bool


def text_of(content: bytes) -> str:
    """Return the text of a notebook's file; raise InvalidError, BusyError."""
    db.session.close()  # a child reads a workbook: wait for it without a connection
    return read_file(content)


def preview_notebook(
    circle_id: UUID,
    key: UUID,
    text: str,
    plan: Plan | None = None,
    choice: NotebookChoice | None = None,
) -> NotebookPreview:
    """Read a notebook by a plan, or by one that is guessed; a worker reads one at a time.

    Raise InvalidError if it is too big, or where two columns are of one player; BusyError.
    """
    db.session.close()  # wait without a connection
    if not _reading.acquire(timeout=PATIENCE):
        raise BusyError(LATER)
    try:
        return _preview(circle_id, key, text, plan, choice or NotebookChoice())
    finally:
        _reading.release()


def _preview(
    circle_id: UUID, key: UUID, text: str, plan: Plan | None, choice: NotebookChoice
) -> NotebookPreview:
    known = [player.name for player in queries.circle.players(circle_id)]
    with _step():
        table = read_table(text)
    with _step():
        if plan is None or len(plan.roles) != len(table.heads):
            plan = guess(table)
            plan = replace(plan, names=tuple(reading.match(name, known) for name in plan.names))
        plan = named(plan, table)
    _check_names(plan)
    with _step():
        notebook = reading.read_notebook(table, plan, clock.now().date(), known)
    if len(notebook.evenings) > MOST_EVENINGS:
        message = say(
            "That is more than %(most)s evenings: bring it in in parts.", most=MOST_EVENINGS
        )
        raise InvalidError.of("too-many-evenings", "text", message)
    game = _game(notebook, plan, choice)
    by_points = "zero-sum" if notebook.cancels else "highest"
    usual = by_points if game == POINTS else str(find_game(game).preset.slug)
    rules = choice.rules or usual
    played = queries.deals.sessions_in_order(circle_id)
    days = {session.started_at.date() for session in played if session.game == game}
    writer = _SessionWriter(circle_id=circle_id, game=game, rules=rules, choice=choice, days=days)
    previews = (
        writer.preview(evening, uuid5(key, str(number)))
        for number, evening in enumerate(notebook.evenings, 1)
    )
    evenings = [evening for evening in previews if evening is not None]
    doubts = sorted([*notebook.doubts, *writer.doubts], key=lambda doubt: doubt.row)
    seated = dict.fromkeys(name for evening in evenings for name in evening.session.seats)
    here = set(map(looks, known))
    return NotebookPreview(
        text=text,
        table=table,
        plan=plan,
        game=game,
        rules=rules,
        ruled=choice.rules is not None,
        unit=str(notebook.unit).replace(".", plan.decimal),
        evenings=evenings,
        doubts=doubts,
        read=sum(len(evening.session.deals) for evening in evenings),
        new=[name for name in seated if looks(name) not in here],
        day_unsure=is_day_unsure(days_in(table, plan)),
        lacks_day=any(evening.day is None for evening in notebook.evenings),
    )


@contextmanager
def _step() -> Iterator[None]:
    """Give way to other requests after a step."""
    began = time.monotonic()
    try:
        yield
    finally:
        time.sleep((time.monotonic() - began) * REST)


def _check_names(plan: Plan) -> None:
    named = list(map(looks, plan.names))
    for place, name in enumerate(named):
        if name and name in named[:place]:
            message = say("Two columns are of %(name)s.", name=plan.names[place])
            raise InvalidError.of("duplicate-name", "columns", message)


def _game(notebook: reading.Notebook, plan: Plan, choice: NotebookChoice) -> str:
    """Choose Briscola Chiamata where its columns are there and a deal has a call."""
    if choice.game == POINTS or not plan.is_chiamata:
        return POINTS
    called = any(deal.called for evening in notebook.evenings for deal in evening.deals)
    return CHIAMATA if called else POINTS


@dataclass(slots=True)
class _SessionWriter:
    """Write the evenings of a notebook, beside the days played before, and collect doubts."""

    circle_id: UUID
    game: str
    rules: Any
    choice: NotebookChoice
    days: set[date]
    doubts: list[reading.Doubt] = field(default_factory=list)

    def preview(self, evening: reading.NotebookEvening, key: UUID) -> EveningPreview | None:
        """Return the preview of an evening; None if no deal of it can be kept."""
        day = evening.day or self.choice.day or clock.now().date()
        points = self.game == POINTS
        deals = [deal for deal in evening.deals if (deal.figures if points else deal.called)]
        while deals:
            try:
                with _step():
                    preview = session_files.preview_session(
                        self._document(evening, deals, day), key, self.circle_id
                    )
            except InvalidError as error:
                deals = self._without(deals, error)
                continue
            self._compare(preview.evening, deals)
            again = day in self.days and bool(session_files.kept_before(preview, self.circle_id))
            return EveningPreview(preview, again)
        return None

    def _without(
        self, deals: list[reading.NotebookDeal], error: InvalidError
    ) -> list[reading.NotebookDeal]:
        """Leave out the deals that have problems; all of them, if a problem is in no deal."""
        at_fault = set()
        for problem in error.problems:
            number = session_files.deal_of(problem)
            if number is None:
                self.doubts.append(reading.Doubt(deals[0].row, problem.message))
                return []
            at_fault.add(number - 1)
            self.doubts.append(reading.Doubt(deals[number - 1].row, problem.message))
        return [deal for place, deal in enumerate(deals) if place not in at_fault]

    def _document(
        self, evening: reading.NotebookEvening, deals: Sequence[reading.NotebookDeal], day: date
    ) -> str:
        names, who = [*evening.players], self.choice.who
        if self.game == POINTS:
            names, who = [*evening.opening], [name for deal in deals for name in deal.figures]
        seats = [*dict.fromkeys([*names, *who])]
        rules = {"preset": self.rules} if isinstance(self.rules, str) else self.rules
        document = {
            "format": FORMAT,
            "game": self.game,
            "rules": find_game(self.game).rules_for(len(seats), rules),
            "title": evening.title,
            "date": day.isoformat(),
            "seats": seats,
            "opening": {name: evening.opening[name] for name in seats if name in evening.opening},
            "deals": [self._deal(deal, seats) for deal in deals],
        }
        return json.dumps(document)

    def _deal(self, deal: reading.NotebookDeal, seats: Sequence[str]) -> dict[str, Any]:
        played = [name for name in seats if name in deal.figures]
        out = [name for name in seats if name not in played] if played else []
        if self.game == POINTS or not deal.called:
            return {"sits_out": out, "sheet": {"points": [deal.figures[name] for name in played]}}
        called, bid = deal.called, deal.called.bid
        sheet: dict[str, Any] = {
            "caller": called.caller,
            "bid": int(bid) if bid.isascii() and bid.isdigit() and len(bid) < 4 else bid,
            "partner": called.partner,
        }
        if called.card:
            sheet["called_card"] = called.card
        if called.points is not None:
            sheet["card_points"] = called.points
        else:
            sheet["made"] = called.made
        return {"sits_out": out, "sheet": sheet}

    def _compare(self, evening: Evening, deals: Sequence[reading.NotebookDeal]) -> None:
        """Add a doubt where the payouts by the rules differ from the notebook."""
        for deal, judged in zip(deals, evening.deals, strict=True):
            payouts = judged.payouts
            if deal.figures and {**deal.figures} != payouts:
                message = say(
                    "The notebook gives %(noted)s; by the rules it is %(paid)s.",
                    noted=_amounts(deal.figures),
                    paid=_amounts(payouts),
                )
                self.doubts.append(reading.Doubt(deal.row, message))


def _amounts(figures: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {signed(amount)}" for name, amount in figures.items())


class KeptNotebook(NamedTuple):
    """An imported notebook: its sessions and deals, and whether it still stands."""

    notebook_id: UUID
    at: datetime
    sessions: int
    deals: int
    stands: bool


def kept_notebooks(circle_id: UUID) -> list[KeptNotebook]:
    """List the notebooks that were kept in a circle, newest first."""
    notebooks: dict[str, KeptNotebook] = {}
    for entry in queries.journal.entries_of_table(circle_id, SUBJECT):
        if entry.after is not None:
            counts = len(entry.after["sessions"]), entry.after["deals"]
            notebooks[entry.key] = KeptNotebook(UUID(entry.key), entry.at, *counts, stands=True)
        else:
            notebooks[entry.key] = notebooks[entry.key]._replace(stands=False)
    return [*notebooks.values()][::-1]


@transaction
def keep(preview: NotebookPreview, key: UUID, by: Holder) -> list[UUID]:
    """Write the evenings of a notebook as sessions, all or none. The same key is the same notebook.

    Raise InvalidError if there is nothing to keep, or the notebook was taken back since.
    """
    if not preview.evenings:
        message = say("There is no evening in it that could be kept.")
        raise InvalidError.of("nothing-to-keep", "", message)
    queries.circle.circle_for_update(by.circle_id)
    entries = queries.journal.entries_about(by.circle_id, SUBJECT, str(key))
    if entries:
        kept = entries[-1].after
        if kept is None:
            message = say("This notebook was taken back. Paste it again to bring it in anew.")
            raise InvalidError.of("taken-back", "", message)
        return [UUID(session_id) for session_id, _ in kept["sessions"]]
    players = queries.circle.players(by.circle_id)
    before = {player.player_id: player.retired_at for player in players}
    sessions = [session_files.write_down(evening.session, by) for evening in preview.evenings]
    players = queries.circle.players(by.circle_id)
    rows = queries.session.sessions_by_key(by.circle_id, sessions)
    versions = {row.session_id: row.version for row in rows}
    after = {
        "sessions": [[str(key), versions[key]] for key in sessions],
        "players": [str(row.player_id) for row in players if row.player_id not in before],
        "retired": {
            str(row.player_id): since.isoformat()
            for row in players
            if (since := before.get(row.player_id)) and row.retired_at is None
        },
        "deals": preview.read,
    }
    subject = SUBJECT, str(key)
    journal.add(by.circle_id, journal.Kind.NOTEBOOK_KEPT, subject, by=by, after=after)
    return sessions


@transaction
def take_back(circle_id: UUID, notebook_id: UUID, *, by: Holder) -> int:
    """Delete the sessions of a notebook, and the players that it brought and nobody else needs.

    Players who had retired before are retired again, unless they have played since. Return the
    number of sessions, 0 if it was taken back before. Raise InvalidError if one of them was changed
    since, NotFoundError if there is no such notebook.
    """
    queries.circle.circle_for_update(circle_id)
    entries = queries.journal.entries_about(circle_id, SUBJECT, str(notebook_id))
    if not entries:
        raise NotFoundError
    kept = entries[-1].after
    if kept is None:
        return 0
    sessions = [UUID(session_id) for session_id, _ in kept["sessions"]]
    _check_unchanged(circle_id, kept)
    subject = SUBJECT, str(notebook_id)
    journal.add(circle_id, journal.Kind.NOTEBOOK_TAKEN_BACK, subject, by=by, before=kept)
    queries.session.drop_sessions(circle_id, sessions)
    for player in queries.circle.unused_players(circle_id, map(UUID, kept["players"])):
        journal.remove(journal.Kind.NOTEBOOK_TAKEN_BACK, player, by)
        queries.drop(models.Player, circle_id, player.player_id)
    _retire_again(circle_id, kept.get("retired", {}), by)
    return len(sessions)


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
        message = say(
            "“%(title)s” was changed since: then the notebook can’t be taken back as a whole.",
            title=title_of(changed[0]) if changed else "",
        )
        raise InvalidError.of("changed-since", "", message)
