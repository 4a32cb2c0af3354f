"""The commands: ``score``, ``check``, ``solve``, ``replay`` and ``rules`` need no database.

A command imports what it needs when it runs: the operations start without the web application.
"""

from __future__ import annotations

import os
import signal
import sys
from argparse import ArgumentParser
from contextlib import contextmanager
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from scorer import __version__
from scorer.documents import decode, encode, repeated_keys
from scorer.errors import ScorerError
from scorer.languages import LANGUAGES, SOURCE, translate

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, BinaryIO

    from scorer.texts import Text

    AddCommand = Callable[[str, Callable[[Namespace], int], str], ArgumentParser]
    Speak = Callable[[Text], str]
    Operation = Callable[[object, Speak], dict[str, Any]]

SOUND = 0
FAULTY = 1
UNREADABLE = 2
INTERRUPTED = 130
#: What is made here is read and written by its owner alone.
OF_OTHERS = 0o077


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit status (contract.md); what it prints is UTF-8."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = _parser().parse_args(arguments)
    run: Callable[[Namespace], int] = options.run
    others = os.umask(OF_OTHERS)
    try:
        return run(options)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FAULTY
    except KeyboardInterrupt:
        return INTERRUPTED
    except (OSError, ScorerError) as error:
        return _refuse(error)
    finally:
        os.umask(others)


def _parser() -> ArgumentParser:
    parser = ArgumentParser("scorer", description="Keeps the score of Italian card games.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(name: str, run: Callable[[Namespace], int], says: str) -> ArgumentParser:
        added: ArgumentParser = commands.add_parser(name, help=says, description=says)
        added.set_defaults(run=run)
        return added

    _add_operations(command)
    serve = command("serve", run_serve, "serve the pages on the local network")
    serve.add_argument("--host", default="0.0.0.0")  # noqa: S104  # phones come from outside
    serve.add_argument("--port", type=int, default=8000)
    serve.add_argument("--workers", type=int, default=2)
    serve.add_argument("--public-url", help="the address that phones open, https://NAME")
    serve.add_argument("--https", action="store_true", help="a proxy before it speaks HTTPS")
    serve.add_argument("--certificate", metavar="FILE", help="speak HTTPS: a certificate, PEM")
    serve.add_argument("--key", metavar="FILE", help="of the certificate, PEM, without a password")
    _add_stored(command)
    db = command("db", run_db, "bring the tables to a revision, or tell which one they have")
    db.add_argument("action", choices=("upgrade", "downgrade", "current"))
    db.add_argument("revision", nargs="?", help="head to upgrade, one step to downgrade")
    return parser


def _add_operations(command: AddCommand) -> None:
    """Add the commands that need no database."""
    solve = command("solve", run_solve, "solve deals, all cards open: JSON Lines in and out")
    solve.add_argument("--memory", type=int, default=400, metavar="MB", help="for the search")
    for added in (
        command("score", run_score, "pay deals: JSON Lines in, JSON Lines out"),
        command("check", run_check, "check trick records: JSON Lines in and out"),
        solve,
        command("replay", run_replay, "play a session file again"),
    ):
        added.add_argument(
            "file", nargs="?", default="-", metavar="FILE", help="- is standard input"
        )
        added.add_argument("--language", choices=LANGUAGES, default=SOURCE)
    rules = command("rules", run_rules, "list the rule sets of a game, or of all")
    rules.add_argument("game", nargs="?", metavar="GAME")


def _add_stored(command: AddCommand) -> None:
    """Add the commands that work with what is stored."""
    verify = command("verify", run_verify, "pay every stored deal again and say what differs")
    verify.add_argument(
        "--against", metavar="FILE", type=Path, help="compare with a session's or a circle's file"
    )
    demo = command("demo", run_demo, "fill a circle with three invented evenings")
    demo.add_argument("--seed", type=int, default=1, help="another number, other evenings")
    circle = command("circle", run_circle, "begin a circle and print the link that owns it")
    circle.add_argument("name", metavar="NAME")
    for linked in (demo, circle):
        linked.add_argument("--address", default="http://127.0.0.1:8000", help="of the server")
    backup = command("backup", run_backup, "copy the database while the server runs")
    restore = command("restore", run_restore, "put a backup in the place of the database")
    export = command("export", run_export, "write a circle as JSON Lines, for either engine")
    export.add_argument("circle", metavar="CIRCLE", help="its name or its key")
    export.add_argument("file", nargs="?", default="-", metavar="FILE", help="- is standard output")
    take_in = command("import", run_import, "take in the circles of a file that export wrote")
    key = command("key", run_key, "sign cookies by a new key; those signed by older ones hold")
    key.add_argument("action", choices=("rotate",))
    key.add_argument("--keep", type=int, default=2, metavar="N", help="older keys to go on with")
    for kept in (backup, restore, take_in):
        kept.add_argument("file", metavar="FILE", type=Path)
    for stored in (verify, demo, circle, backup, restore, export, take_in):
        stored.add_argument("--database", metavar="URL", help="instead of the one in the settings")


def run_score(options: Namespace) -> int:
    """Pay a deal a line."""
    from scorer.operations import score

    return _answer_lines(score, options)


def run_check(options: Namespace) -> int:
    """Check a trick record a line."""
    from scorer.operations import check

    return _answer_lines(check, options)


def run_solve(options: Namespace) -> int:
    """Solve a deal a line; Ctrl-C answers what is known of the one at hand, and ends it there."""
    from scorer.operations import solve

    watched = WatchedSearch()
    before = signal.signal(signal.SIGINT, watched.interrupt)
    try:
        operation = partial(watched.run, partial(solve, watch=watched.go_on, memory=options.memory))
        return _answer_lines(operation, options, lambda: watched.interrupted)
    finally:
        signal.signal(signal.SIGINT, before)


class WatchedSearch:
    """A search on a terminal: shows how far it is, and ends with what is known at Ctrl-C."""

    def __init__(self) -> None:
        """Begin before any search."""
        self.running = self.interrupted = False

    def run(self, operation: Operation, document: object, speak: Speak) -> dict[str, Any]:
        """Answer a document; Ctrl-C ends the search meanwhile, and the program at other times."""
        self.running = True
        answer = operation(document, speak)
        self.running = False
        if sys.stderr.isatty():
            print("\r\33[K", end="", file=sys.stderr, flush=True)
        return answer

    def interrupt(self, *_: object) -> None:
        """End the search, or the program where none is under way, or at the second time."""
        if self.interrupted or not self.running:
            raise KeyboardInterrupt
        self.interrupted = True

    def go_on(self, nodes: int) -> bool:
        """Show the number of nodes; whether to go on."""
        if sys.stderr.isatty():
            print(f"\r{nodes:,} nodes", end="", file=sys.stderr, flush=True)
        return not self.interrupted


def run_replay(options: Namespace) -> int:
    """Answer one session file."""
    from scorer.operations import replay

    with _opened(options.file) as file:
        answer, status = _answer(replay, file.read(), options.language)
    _write(answer, indent=2)
    return status


def run_rules(options: Namespace) -> int:
    """Print the presets of a game, or of all."""
    from scorer.operations import rule_sets

    _write(rule_sets(options.game), indent=2)
    return SOUND


def run_serve(options: Namespace) -> int:
    """Serve the pages until told to stop."""
    from gevent import monkey

    monkey.patch_all()
    from scorer.serve import serve

    said = {
        "PUBLIC_URL": options.public_url,
        "CERTIFICATE": options.certificate,
        "CERTIFICATE_KEY": options.key,
        "LAN_HTTP": not options.https,
    }
    serve(
        host=options.host,
        port=options.port,
        workers=options.workers,
        said={name: value for name, value in said.items() if value},
    )
    return SOUND


def run_db(options: Namespace) -> int:
    """Bring the tables to a revision, or print the one they have."""
    from scorer import create_app, security_log, storage

    with create_app().app_context():
        if options.action == "upgrade":
            storage.upgrade(options.revision or "head")
        elif options.action == "downgrade":
            storage.downgrade(options.revision or "-1")
            security_log.note_command("db")
        print(storage.revision())
    return SOUND


def run_verify(options: Namespace) -> int:
    """Look at everything that is stored and print what differs, a line each."""
    from scorer.services.verify import verify

    if options.against:
        return _verify_against(options)
    with _stored(options.database):
        count = verify(_say)
    _say(str(count))
    return FAULTY if count.findings else SOUND


def _verify_against(options: Namespace) -> int:
    from scorer.services.verify.against import verify_against

    with _stored(options.database):
        differs = verify_against(options.against, _say)
    return FAULTY if differs else SOUND


def run_demo(options: Namespace) -> int:
    """Fill a circle with invented evenings and print how a phone gets in."""
    from scorer.services.demo import fill

    with _stored(options.database, upgrade=True):
        secret = fill(options.seed)
        _note_begun("demo", secret)
    return _say_link(options.address, secret)


def run_circle(options: Namespace) -> int:
    """Begin a circle, also where that is closed to the public, and print how its owner gets in."""
    from scorer.services.circles import begin_circle

    with _stored(options.database, upgrade=True):
        secret = begin_circle(options.name)
        _note_begun("circle", secret)
    return _say_link(options.address, secret)


def _note_begun(command: str, secret: str) -> None:
    from scorer.security_log import note_command
    from scorer.services.circles import standing_link

    link = standing_link(secret)
    note_command(command, link.circle_id if link else None)


def _say_link(address: str, secret: str) -> int:
    _say(f"{address.rstrip('/')}/join#{secret}")
    return SOUND


def run_backup(options: Namespace) -> int:
    """Copy an SQLite file; of another engine, write every circle as JSON Lines."""
    from scorer.security_log import note_command
    from scorer.services.circle_file import export_all
    from scorer.storage import backups, db

    with _stored(options.database):
        if db.engine.dialect.name == "sqlite":
            backups.back_up(Path(db.engine.url.database or ""), options.file)
            what = "The whole database"
        else:
            _write_new(options.file, export_all())
            what = "Every circle, as JSON Lines,"
        note_command("backup")
    _say(f"{what} is in {options.file}, and was checked.")
    return SOUND


def run_restore(options: Namespace) -> int:
    """Put a copy in the place of an SQLite file; take JSON Lines into an empty database."""
    from scorer import create_app, security_log
    from scorer.services.circle_file import is_circle_file
    from scorer.storage import backups
    from scorer.storage.engine import database_url

    if not backups.is_database(options.file):
        if not is_circle_file(options.file):
            raise ScorerError(f"{options.file} is no backup: neither a database nor circles")
        return _take_in(options, "restore")
    app = create_app({"DATABASE_URL": options.database} if options.database else {})
    address = database_url(app.config["SQLALCHEMY_DATABASE_URI"])
    if address.get_backend_name() != "sqlite":
        raise ScorerError(f"{options.file} is an SQLite file, and the database is none")
    kept = backups.restore(options.file, Path(address.database or ""))
    security_log.note_command("restore")
    _say(f"{options.file} is the database now; the old one is {kept or 'nowhere: there was none'}.")
    return SOUND


def run_key(options: Namespace) -> int:
    """Put a new key before the ones that sign the cookies."""
    from scorer import create_app, security_log, settings
    from scorer.storage.files import whole

    instance = settings.instance_folder()
    keys = settings.secret_keys(instance)
    if create_app().config["SECRET_KEY"] != keys[0]:
        raise ScorerError("the key is a setting: change SECRET_KEY and SECRET_KEY_FALLBACKS there")
    older = keys[: max(options.keep, 0)]
    with whole(instance / settings.KEYS) as draft:
        draft.write_text("\n".join([settings.new_secret(), *older]) + "\n", encoding="ascii")
    security_log.note_command("key")
    _say(f"A new key signs from the next start on. Cookies by {len(older)} older ones still hold.")
    return SOUND


def run_export(options: Namespace) -> int:
    """Write a circle, a line a row."""
    from scorer.security_log import note_command
    from scorer.services.circle_file import export_circle, find_circle, note_export

    with _stored(options.database):
        circle_id = find_circle(options.circle)
        lines = export_circle(circle_id)
        if options.file == "-":
            sys.stdout.buffer.writelines(lines)
            sys.stdout.buffer.flush()
        else:
            _write_new(Path(options.file), lines)
        note_export(circle_id)
        note_command("export", circle_id)
    return SOUND


def _write_new(file: Path, lines: Iterable[bytes]) -> None:
    """Write a file that is there whole or not at all; OSError when there is one of that name."""
    from scorer.storage.files import whole

    if file.exists():
        raise FileExistsError(f"there is a file {file} already")
    with whole(file) as draft, draft.open("wb") as opened:
        opened.writelines(lines)


def run_import(options: Namespace) -> int:
    """Take in every circle of a file, or none."""
    return _take_in(options, "import")


def _take_in(options: Namespace, command: str) -> int:
    """Take in the circles of a file; to restore, the database has to be empty."""
    from scorer.security_log import note_command
    from scorer.services.circle_file import import_circles
    from scorer.storage import queries

    with _stored(options.database, upgrade=True):
        if command == "restore" and queries.circle_ids():
            raise ScorerError("there are circles in the database: it has to be a new one")
        taken_in = import_circles(options.file)
        for circle in taken_in:
            note_command(command, circle.circle_id)
    for circle in taken_in:
        _say(f"{circle.name}: {circle.rows} rows, {circle.circle_id}")
    return SOUND


@contextmanager
def _stored(url: str | None, *, upgrade: bool = False) -> Iterator[None]:
    """Open the database while the block runs; ScorerError when it can't be worked with."""
    from sqlalchemy.exc import SQLAlchemyError

    from scorer import create_app, storage
    from scorer.storage import migrate

    try:
        app = create_app({"DATABASE_URL": url} if url else {})
        address = app.config["SQLALCHEMY_DATABASE_URI"]
        if upgrade:
            migrate.upgrade(address)
        if migrate.current(address) != migrate.newest():
            raise ScorerError("the tables are of another version: scorer db upgrade comes first")
        with app.app_context():
            try:
                yield
            finally:
                storage.db.session.remove()
                storage.db.engine.dispose()
    except (SQLAlchemyError, UnicodeError) as error:
        raise ScorerError(f"the database cannot be used: {error.args[0]}") from error


def _answer_lines(
    operation: Operation, options: Namespace, interrupted: Callable[[], bool] = lambda: False
) -> int:
    """Answer every line, in order, each as soon as it is read, until it is interrupted."""
    sound = True
    with _opened(options.file) as lines:
        for line in filter(bytes.strip, lines):
            answer, status = _answer(operation, line, options.language)
            _write(answer)
            sound = sound and status == SOUND
            if interrupted():
                return INTERRUPTED
    return SOUND if sound else FAULTY


def _answer(operation: Operation, text: bytes, language: str) -> tuple[dict[str, Any], int]:
    """Give what an operation answers to a document, and the exit status that goes with it."""
    from scorer.operations import not_json, with_repeated

    speak = partial(translate, language=language)
    try:
        document = decode(text)
    except ValueError:
        return not_json(speak), UNREADABLE
    answer = operation(document, speak)
    answer = with_repeated(answer, repeated_keys(text, document), speak)
    return answer, SOUND if answer["ok"] else FAULTY


def _refuse(error: Exception) -> int:
    print(f"scorer: {error}", file=sys.stderr)
    return UNREADABLE


def _opened(name: str) -> BinaryIO:
    return open(0 if name == "-" else name, "rb", closefd=name != "-")


def _say(line: str) -> None:
    """Print a line in UTF-8 whatever the locale is."""
    sys.stdout.buffer.write(line.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.buffer.flush()


def _write(answer: object, indent: int = 0) -> None:
    """Write UTF-8 whatever the locale is."""
    sys.stdout.buffer.write(encode(answer, indent) + b"\n")
    sys.stdout.buffer.flush()
