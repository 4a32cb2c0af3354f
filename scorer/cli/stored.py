"""The commands that work with stored data; `scorer.cli` says what each does."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from uuid import uuid4

import click
import segno
from flask import current_app

from scorer import __version__, create_app, settings, storage
from scorer.cards.notation.files import ENDING, write_file
from scorer.cli.progress import ProgressLine
from scorer.errors import ScorerError
from scorer.logs import note_command
from scorer.roles import Role
from scorer.services.base.clock import now
from scorer.services.cards import deal_file
from scorer.services.circle import circles, programs
from scorer.services.journal import circle_file
from scorer.services.journal.status import server_status
from scorer.storage import backups, db, migrate, queries
from scorer.storage.engine import database_url, is_file
from scorer.storage.models import Base, Circle
from scorer.storage.private_files import MOMENT, atomic_write, moment, rotate
from scorer.storage.transfer import track_progress
from scorer.texts import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from uuid import UUID

    from sqlalchemy import URL

    from scorer.services.journal.circle_file import Imported

SOUND, FAULTY = 0, 1
LINE = ProgressLine()
#: The end of a backup's name, by engine.
ENDS = {"sqlite": ".sqlite", "postgresql": ".jsonl"}
WITH_KEY = (
    "It contains the secret key, with which one can pass for any phone: keep it as safe as a key."
)
WITHOUT_KEY = (
    "It does not contain the secret key: on another machine every phone has to join again."
)


def run_verify(*, against: Path | None, progress: bool, database: str | None) -> int:
    LINE.stays = progress
    from scorer.services.journal.verify import verify
    from scorer.services.journal.verify.against import verify_against

    with _stored(database):
        if against:
            return FAULTY if verify_against(against, _say) else SOUND
        count = verify(_say)
    _say(str(count))
    return FAULTY if count.findings else SOUND


def run_demo(*, seed: int, address: str | None, database: str | None) -> None:
    from scorer.services.files.demo import fill

    with _stored(database, upgrade=True):
        _say_begun("demo", address, fill(seed))


def run_circle(*, name: str, address: str | None, database: str | None) -> None:
    """Create a circle, even if visitors may not, and print its owner's link."""
    called = circles.NAME.read(name, "name")
    with _stored(database, upgrade=True):
        _say_begun("circle", address, circles.begin_circle(called))


def _say_begun(command: str, address: str | None, secret: str) -> None:
    link = circles.standing_link(secret)
    note_command(command, link.circle_id if link else None)
    _say_link(address, secret)


def _say_link(address: str | None, secret: str) -> None:
    """Print a link, on a terminal with its QR code; without an address it is the server's."""
    if address is None:
        from scorer import listening

        printed = listening.last_address(Path(current_app.instance_path))
        address = current_app.config["PUBLIC_URL"] or printed or listening.address("", 8000)
    link = f"{address.rstrip('/')}/join#{secret}"
    if sys.stdout.isatty():
        segno.make(link, error="l").terminal(compact=True)
    _say(link)


def run_circles(*, delete: UUID | None, yes: bool, database: str | None) -> None:
    with _stored(database):
        if delete:
            _delete_circle(circles.find(circle_file.find_circle(str(delete))), ask=not yes)
            return
        circle_sizes = queries.circle.circle_sizes()
    _say(f"{'last use':10} players phones sessions {'deals':>6}  {'key':36}  name")
    for circle in circle_sizes:
        sizes = f"{circle.players:7} {circle.phones:6} {circle.sessions:8} {circle.deals:6}"
        _say(f"{circle.last_used_at:%Y-%m-%d} {sizes}  {circle.circle_id}  {circle.name}")


def _delete_circle(circle: Circle, *, ask: bool) -> None:
    sessions = counted(queries.session.session_count(circle.circle_id), "session")
    if ask:
        click.confirm(f"Delete {circle.name}, with {sessions} and all else, for good?", abort=True)
    circles.delete_circle(circle.circle_id, circle.name)
    note_command("circles", circle.circle_id)
    _say(f"{circle.name} is deleted, with {sessions} and all else.")


def run_status(*, as_json: bool, database: str | None) -> None:
    with _stored(database):
        status = server_status(Path(current_app.instance_path), __version__).document()
    if as_json:
        _say(json.dumps(status))
        return
    reasons = status.pop("reasons")
    for name, value in status.items():
        _say(f"{name:15} {f'unknown: {reasons[name]}' if name in reasons else value}")


def run_link(*, circle: str, role: str, address: str | None, database: str | None) -> None:
    with _stored(database):
        circle_id = circle_file.find_circle(circle)
        secret = circles.operator_link(circle_id, Role(role))
        note_command("link", circle_id)
        _say_link(address, secret)


def run_backup(*, file: Path, without_key: bool, keep: int | None, database: str | None) -> None:
    with _stored(database):
        end = ENDS[db.engine.dialect.name]
        target = file / f"scorer-{moment()}{end}" if keep else file
        if keep:
            file.mkdir(parents=True, exist_ok=True)
        config = current_app.config
        keys = [config["SECRET_KEY"], *config["SECRET_KEY_FALLBACKS"]]
        what = _back_up(target, [] if without_key else keys)
        note_command("backup")
        if not database:
            backups.note_backup(Path(current_app.instance_path), now())
    if keep:
        rotate(file.glob(f"scorer-{MOMENT}{end}"), keep)
    _say(f"{what} was copied to {target} and checked.")
    _say(WITHOUT_KEY if without_key else WITH_KEY)


def _back_up(file: Path, keys: list[str]) -> str:
    """Write a backup and check it; return what it contains."""
    if db.engine.dialect.name == "sqlite":
        backups.back_up(Path(db.engine.url.database or ""), file, keys)
        return "The whole database"
    _refuse_taken(file)
    with atomic_write(file) as draft:
        with draft.open("wb") as opened:
            opened.writelines(circle_file.backup_lines(keys))
        copy = TemporaryDirectory()  # what a new database exports has to be the same
        with copy as folder, _stored(f"sqlite:///{folder}/copy.sqlite", upgrade=True):
            _import_whole(draft)
    return "Every circle, as JSON Lines,"


def run_restore(*, file: Path, database: str | None) -> None:
    had_keys = (settings.instance_path() / settings.KEYS).exists()
    if not backups.is_database(file):
        if not circle_file.is_circle_file(file):
            raise ScorerError(f"{file} is not a backup: it has neither a database nor circles")
        keys, made_at = circle_file.backup_heading(file)
        _restore_circles(file, database)
    else:
        made_at = backups.made_at(file)
        keys = _restore_database(file, database)
    made = f"{made_at or backups.written_at(file):%Y-%m-%d %H:%M:%S}"
    _say(f"The copy was made at {made} UTC; what was written later is not in it.")
    _say(_put_keys(keys, had_keys=had_keys))


def _restore_database(file: Path, url: str | None) -> list[str]:
    """Replace the database by an SQLite file, or import its circles into another engine.

    The replaced file is not opened, as it may be of a newer program.
    """
    config = {"DATABASE_URL": url} if url else {}
    address = database_url(_database(config))
    settings.instance_folder()
    if address.get_backend_name() == "sqlite":
        kept, keys = backups.restore(file, Path(address.database or ""))
        create_app(config)  # which opens the security log
        note_command("restore")
        old = f"the old one is {kept}" if kept else "there was none before"
        _say(f"{file} is the database now; {old}.")
        return keys
    with TemporaryDirectory() as folder:
        copy, lines = Path(folder, "copy.sqlite"), Path(folder, "circles.jsonl")
        _, keys = backups.restore(file, copy)
        with _stored(f"sqlite:///{copy}", upgrade=True):
            _write_new(lines, circle_file.backup_lines([]))
        _restore_circles(lines, url)
    return keys


def _restore_circles(file: Path, url: str | None) -> None:
    """Import the circles of a file into a database that has none, and compare them."""
    target = database_url(_database({"DATABASE_URL": url} if url else {}))
    settings.instance_folder()
    with backups.unserved(target), _nothing_later(target, file), _stored(url, upgrade=True):
        if queries.circle.circle_ids():
            how = f": move {target.database} away first" if is_file(target) else ""
            raise ScorerError(f"the database has circles; restore into an empty one{how}")
        _report("restore", _import_whole(file))


@contextmanager
def _nothing_later(target: URL, file: Path) -> Iterator[None]:
    """Refuse to move to another engine what the SQLite file of the instance has gone beyond."""
    own = database_url(settings.sqlite_url(settings.instance_path()))
    old = Path(str(own.database))
    if target.get_backend_name() == "sqlite" or not old.exists():
        yield
        return
    with backups.unserved(own):
        tables = [name for name, table in Base.metadata.tables.items() if "at" in table.columns]
        here, there = backups.newest_entry(old, tables), circle_file.newest_entry(file)
        if here and (there is None or here > there):
            raise ScorerError(
                f"{old} has entries up to {here:%Y-%m-%d %H:%M:%S} UTC, which the copy lacks: "
                "back it up again while no server runs, or move it away first"
            )
        yield


def _import_whole(file: Path) -> list[Imported]:
    """Import a file; raise ScorerError if an export of its circles would differ."""
    taken_in = circle_file.import_circles(file)
    if differ := circle_file.differing(file):
        raise ScorerError(f"the circle {differ[0]} of {file} differs in the database")
    return taken_in


def _put_keys(keys: list[str], *, had_keys: bool) -> str:
    """Put the keys of a backup before those of this machine; return the message about it."""
    if not keys:
        return WITHOUT_KEY.replace("on another machine", "unless this machine's is the same,")
    instance = settings.instance_folder()
    if settings.load(instance)["SECRET_KEY"].value:
        return (
            "The secret key is a setting here, so the key of the backup was not restored: "
            "change SCORER_SECRET_KEY."
        )
    here = settings.secret_keys(instance) if had_keys else []
    _write_keys([*keys, *(key for key in here if key not in keys)])
    return "Its secret key signs from the next start on: the phones that it knew stay signed in."


def _write_keys(keys: list[str]) -> None:
    with atomic_write(settings.instance_folder() / settings.KEYS) as draft:
        draft.write_text("\n".join(keys) + "\n", encoding="ascii")


def run_key_program(
    *, circle: str, name: str, role: str, days: int | None, database: str | None
) -> None:
    with _stored(database):
        circle_id, secret = circle_file.find_circle(circle), circles.new_secret()
        life = timedelta(days=days) if days else None
        programs.make_key(circle_id, uuid4(), secret, name=name, role=Role(role), life=life)
        note_command("program", circle_id)
    _say(secret)


def run_key_rotate(*, keep: int) -> None:
    instance = settings.instance_folder()
    keys = settings.secret_keys(instance)
    if create_app().config["SECRET_KEY"] != keys[0]:
        raise ScorerError(
            "the key is a setting: change SCORER_SECRET_KEY and SCORER_SECRET_KEY_FALLBACKS instead"
        )
    older = keys[:keep]
    _write_keys([settings.new_secret(), *older])
    note_command("key")
    _say(
        "The new key signs from the next start on. "
        f"Cookies signed with {counted(len(older), 'older key')} stay valid."
    )


def run_export(
    *, circle: str | None, file: str, folder: Path | None, deals: Path | None, database: str | None
) -> None:
    if bool(folder) == bool(circle) or (folder and deals):
        raise ScorerError("export: give either a circle or --all DIR")
    with _stored(database):
        if circle and deals:
            circle_id = circle_file.find_circle(circle)
            deals.mkdir(parents=True, exist_ok=True)
            _note_export(circle_id)
            for session_id, session in deal_file.deal_files(circle_id):
                path = deals / f"{dict(session.heads)['date']}-{session_id.hex[:8]}.{ENDING}"
                _write_new(path, [write_file(session).encode()])
                _say(str(path))
        elif circle:
            _export(circle_file.find_circle(circle), file)
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            every = {
                row: folder / f"{row.circle_id}.jsonl" for row in queries.circle.circle_sizes()
            }
            for path in every.values():
                _refuse_taken(path)
            for row, path in track_progress("circles", every.items()):
                _export(row.circle_id, str(path))
                _say(f"{row.name}: {path}")


def _export(circle_id: UUID, file: str) -> None:
    if file == "-":
        _note_export(circle_id)
        sys.stdout.buffer.writelines(circle_file.export_circle(circle_id))
        sys.stdout.buffer.flush()
    else:
        _refuse_taken(Path(file))
        _note_export(circle_id)
        _write_new(Path(file), circle_file.export_circle(circle_id))


def _note_export(circle_id: UUID) -> None:
    """Write the entry first, so that the exported file has it too."""
    circle_file.note_export(circle_id)
    note_command("export", circle_id)


def _write_new(file: Path, lines: Iterable[bytes]) -> None:
    _refuse_taken(file)
    with atomic_write(file) as draft, draft.open("wb") as opened:
        opened.writelines(lines)


def _refuse_taken(file: Path) -> None:
    if file.exists():
        raise ScorerError(f"{file} already exists")


def run_import(*, file: Path, database: str | None) -> None:
    """Import every circle of a file, or none."""
    file.open("rb").close()  # before there is a database for it
    with _stored(database, upgrade=True):
        _report("import", circle_file.import_circles(file))


def _report(command: str, taken_in: list[Imported]) -> None:
    """Note each circle that a command imported in the security log, and print it."""
    for circle in taken_in:
        note_command(command, circle.circle_id)
        _say(f"{circle.name}: {counted(circle.rows, 'row')}, {circle.circle_id}")
    if not taken_in:
        _say("It contained no circle.")


@contextmanager
def _stored(url: str | None, *, upgrade: bool = False) -> Iterator[None]:
    """Open the database for the block; raise ScorerError before anything is written."""
    config = {"DATABASE_URL": url} if url else {}
    address = _database(config)
    if upgrade:
        settings.instance_folder()
        migrate.upgrade(address)
    if migrate.current(address) != migrate.newest():
        raise ScorerError("the tables are of another version: run scorer db upgrade first")
    try:
        with create_app(config).app_context():
            try:
                yield
            finally:
                storage.db.session.remove()
                storage.db.engine.dispose()
    except UnicodeError as error:
        raise ScorerError(f"cannot use the database: {error.args[0]}") from error


def _database(config: Mapping[str, object]) -> str:
    instance = settings.instance_path()
    given: str | None = settings.load(instance, config)["DATABASE_URL"].value
    return given or settings.sqlite_url(instance)


def _say(line: str) -> None:
    """Print a line in UTF-8, whatever the locale is."""
    LINE.clear()
    click.echo(line.encode("utf-8", "backslashreplace"))
