"""The commands: ``score``, ``check``, ``solve``, ``replay`` and ``rules`` need no database.

A command imports what it needs when it runs: the operations start without the web application.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import textwrap
from argparse import ArgumentParser, ArgumentTypeError
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from scorer import __version__
from scorer.documents import decode, encode, repeated_keys
from scorer.errors import ScorerError
from scorer.languages import LANGUAGES, SOURCE, translate
from scorer.rules.suggestions import nearest

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence
    from typing import Any, BinaryIO, NoReturn

    from scorer.texts import Text

    AddCommand = Callable[[str, Callable[[Namespace], int], str], ArgumentParser]
    Speak = Callable[[Text], str]
    Operation = Callable[[object, Speak], dict[str, Any]]

SOUND = 0
FAULTY = 1
UNREADABLE = 2
INTERRUPTED = 130
#: As in `scorer.services.roles`, which loads the tables.
ROLES = ("owner", "scorekeeper", "player", "spectator")
#: What is made here is read and written by its owner alone.
OF_OTHERS = 0o077


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit status (contract.md); what it prints is UTF-8."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    others = os.umask(OF_OTHERS)
    try:
        options = _parser().parse_args(arguments)
        run: Callable[[Namespace], int] = options.run
        return run(options)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FAULTY
    except KeyboardInterrupt:
        return INTERRUPTED
    except (OSError, ScorerError) as error:
        return _refuse(error)
    except Exception as error:
        if not _is_of_the_database(error):
            raise
        return _refuse(ScorerError(f"the database cannot be used: {_line(error.args[0])}"))
    finally:
        os.umask(others)


class Parser(ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Raise ScorerError."""
        told = re.sub(r"^argument (\S+?)(/\S+)?: (?=is |needs |names )", r"\1 ", message)
        choice = re.fullmatch(
            r"argument (\S+): invalid choice: '(.*)' \(choose from (.*)\)", message
        )
        if choice:
            told = _no_choice(choice[1], choice[2], re.findall(r"[\w-]+", choice[3]))
        command = self.prog.removeprefix("scorer").strip()
        told = f"{command}: {told}" if command else told
        raise ScorerError(f"{told.rstrip('.')} ({self.prog} --help tells more).")


def _no_choice(name: str, said: str, known: list[str]) -> str:
    meant = nearest(said, known)
    return f"{name} is not {said!r}: " + (
        f"did you mean {meant}?" if meant else f"there are {', '.join(known)}"
    )


def _is_of_the_database(error: Exception) -> bool:
    """Whether SQLAlchemy raised it, which need not be loaded to be asked."""
    return any(kind.__module__ == "sqlalchemy.exc" for kind in type(error).__mro__)


def _parser() -> ArgumentParser:
    parser = Parser("scorer", description="Keeps the score of Italian card games.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(name: str, run: Callable[[Namespace], int], says: str) -> ArgumentParser:
        added: ArgumentParser = commands.add_parser(name, help=says, description=says)
        added.set_defaults(run=run)
        return added

    _add_operations(command)
    serve = command("serve", run_serve, "serve the pages on the local network")
    serve.add_argument("--host", default="0.0.0.0")  # noqa: S104  # phones come from outside
    serve.add_argument("--port", type=_read_by("whole", low=1, high=65535), default=8000)
    serve.add_argument("--workers", type=_read_by("whole", low=1, high=512), default=2)
    serve.add_argument(
        "--public-url",
        type=_read_by("public_url"),
        help="the address that phones open, https://NAME",
    )
    serve.add_argument("--https", action="store_true", help="a proxy before it speaks HTTPS")
    serve.add_argument("--certificate", metavar="FILE", help="speak HTTPS: a certificate, PEM")
    serve.add_argument("--key", metavar="FILE", help="of the certificate, PEM, without a password")
    _add_stored(command)
    db = command("db", run_db, "bring the tables to a revision, or tell which one they have")
    db.add_argument("action", choices=("upgrade", "downgrade", "current"))
    db.add_argument("revision", nargs="?", help="head to upgrade, one step to downgrade")
    command("settings", run_settings, "print each setting, its value, source and meaning")
    return parser


def _add_operations(command: AddCommand) -> None:
    """Add the commands that need no database."""
    solve = command("solve", run_solve, "solve deals, all cards open: JSON Lines in and out")
    solve.add_argument(
        "--memory",
        type=_read_by("whole", low=1),
        default=400,
        metavar="MB",
        help="for the search",
    )
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
    verify = command(
        "verify", _later("run_verify"), "pay every stored deal again, say what differs"
    )
    verify.add_argument(
        "--against", metavar="FILE", type=Path, help="compare with a session's or a circle's file"
    )
    demo = command("demo", _later("run_demo"), "fill a circle with three invented evenings")
    demo.add_argument("--seed", type=int, default=1, help="another number, other evenings")
    begun = "begin a circle and print the link that owns it"
    circle = command("circle", _later("run_circle"), begun)
    circle.add_argument("name", metavar="NAME")
    for linked in (demo, circle):
        linked.add_argument("--address", default="http://127.0.0.1:8000", help="of the server")
    circles = command("circles", _later("run_circles"), "list the circles: keys, sizes, last use")
    link = command("link", _later("run_link"), "let a phone into a circle, also a locked-out owner")
    link.add_argument("circle", metavar="CIRCLE", help="its name or its key")
    link.add_argument("--role", choices=ROLES, default=ROLES[0])
    link.add_argument(
        "--address",
        help="of the server, with its path (default: SCORER_PUBLIC_URL, or port 8000 here)",
    )
    take_in = command("import", _later("run_import"), "take in the circles of a file")
    take_in.add_argument("file", metavar="FILE", type=Path)
    key = command("key", _later("run_key"), "sign cookies by a new key; those by older ones hold")
    key.add_argument("action", choices=("rotate",))
    key.add_argument(
        "--keep",
        type=_read_by("whole", low=0),
        default=2,
        metavar="N",
        help="older keys to go on with",
    )
    copied = (*_add_copies(command), take_in)
    for stored in (verify, demo, circle, circles, link, *copied):
        stored.add_argument(
            "--database",
            metavar="URL",
            type=_read_by("database"),
            help="instead of the one in the settings",
        )


def _add_copies(command: AddCommand) -> tuple[ArgumentParser, ...]:
    """Add the commands that write what is stored into files, and read it again."""
    copied = "copy the database and its secret key while the server runs"
    backup = command("backup", _later("run_backup"), copied)
    backup.add_argument("file", metavar="FILE", type=Path, help="with --keep a folder")
    backup.add_argument("--without-key", action="store_true", help="leave the secret key out")
    backup.add_argument(
        "--keep",
        metavar="N",
        type=_read_by("whole", low=1),
        help="add a copy to the folder and delete all but the newest N",
    )
    put_back = "put a backup in the place of the database, of either engine"
    restore = command("restore", _later("run_restore"), put_back)
    restore.add_argument("file", metavar="FILE", type=Path)
    export = command("export", _later("run_export"), "write a circle as JSON Lines")
    export.add_argument("circle", metavar="CIRCLE", nargs="?", help="its name or its key")
    export.add_argument("file", nargs="?", default="-", metavar="FILE", help="- is standard output")
    export.add_argument("--all", metavar="DIR", type=Path, help="every circle, a file each")
    return backup, restore, export


def _later(name: str) -> Callable[[Namespace], int]:
    """Give a command of `scorer.cli.stored`, which is imported when it runs."""

    def run(options: Namespace) -> int:
        from scorer.cli import stored

        command: Callable[[Namespace], int] = getattr(stored, name)
        return command(options)

    return run


def _read_by(name: str, **bounds: int) -> Callable[[str], Any]:
    """Let the settings read an argument: what is wrong is told as it is there."""

    def read(text: str) -> Any:
        from scorer import settings

        try:
            return getattr(settings, name)(text, **bounds)
        except ScorerError as error:
            raise ArgumentTypeError(str(error)) from error

    return read


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
    from scorer.storage import migrate

    target = options.revision or ("-1" if options.action == "downgrade" else "head")
    migrate.known_target(target)
    with create_app().app_context():
        if options.action == "upgrade":
            storage.upgrade(target)
        elif options.action == "downgrade":
            storage.downgrade(target)
            security_log.note_command("db")
        print(storage.revision())
    return SOUND


def run_settings(_: Namespace) -> int:
    """Print every setting with its value, where that comes from, and what it is for."""
    from scorer import settings

    instance = settings.instance_path()
    print(f"The data is in {instance} (SCORER_INSTANCE names another folder).")
    for name, given in settings.load(instance).items():
        value = settings.shown(name, given)
        means = textwrap.fill(
            settings.SETTINGS[name].means, 88, initial_indent="    ", subsequent_indent="    "
        )
        print(f"{settings.PREFIX}{name} = {value}  ({given.source})\n{means}")
    return SOUND


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
    """Say what is wrong, a line a fault."""
    told = str(error)
    if isinstance(error, OSError) and error.filename and error.strerror:
        told = f"{error.filename}: {error.strerror}"
    for line in told.splitlines():
        print(f"scorer: {line}", file=sys.stderr)
    return UNREADABLE


def _line(text: object) -> str:
    return " ".join(str(text).split())


def _opened(name: str) -> BinaryIO:
    return open(0 if name == "-" else name, "rb", closefd=name != "-")


def _write(answer: object, indent: int = 0) -> None:
    """Write UTF-8 whatever the locale is."""
    sys.stdout.buffer.write(encode(answer, indent) + b"\n")
    sys.stdout.buffer.flush()
