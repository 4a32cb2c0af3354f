"""The command line; ``score``, ``check``, ``solve``, ``replay``, ``rules`` need no database.

A command imports what it needs when it runs, so that the operations start without the web
application. Flask has the same commands: ``flask --app scorer db upgrade``.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import textwrap
from functools import partial
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click import Argument, Choice, Option

from scorer import __version__
from scorer.cli.progress import ProgressLine
from scorer.documents import decode, encode, repeated_keys
from scorer.errors import ScorerError, UnknownGameError
from scorer.languages import LANGUAGES, SOURCE, translate
from scorer.texts import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import IO

    from click import Context, Parameter

    from scorer.texts import Text

    Speak = Callable[[Text], str]
    Operation = Callable[[object, Speak], dict[str, Any]]
    OfFile = Callable[[str, Speak], Iterator[dict[str, Any]]]

T = TypeVar("T")

SOUND = 0
FAULTY = 1
UNREADABLE = 2
OPEN = 3
INTERRUPTED = 130
#: Those of `scorer.services.base.journal`, which would load the tables.
ROLES = ("owner", "scorekeeper", "player", "spectator")
#: The umask: files that a command makes are private to their owner.
OF_OTHERS = 0o077
PATH = click.Path(path_type=Path)
#: How a file of deals begins, and no JSON does.
OF_DEALS = (b"smazzate", b"#", b"\xef\xbb\xbfsmazzate", b"\xef\xbb\xbf#")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, print UTF-8, and give the exit status (contract.md)."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        return commands.main(arguments, "scorer", standalone_mode=False) or SOUND
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        for line in visible(_message(error)).splitlines():
            click.secho("scorer: ", fg="red", nl=False, err=True)
            click.echo(line, err=True)
        return UNREADABLE


def _message(error: click.ClickException) -> str:
    """Write an error, a line for each fault; a wrong usage in one line that names the help."""
    if not isinstance(error, click.UsageError) or error.ctx is None:
        return error.format_message()
    message = _line(error.format_message()).rstrip(".")
    path = error.ctx.command_path
    command = path.removeprefix("scorer").strip()
    return f"{command}: {message} ({path} --help tells more).".removeprefix(": ")


class CommandRefused(click.ClickException):
    """An error that a command ends with, and its exit status under Flask's program."""

    exit_code = UNREADABLE


class Command(click.Command):
    """A command whose function may return the exit status, and whose errors become sentences."""

    def invoke(self, ctx: Context) -> None:
        others = os.umask(OF_OTHERS)
        try:
            ctx.exit(super().invoke(ctx) or SOUND)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            ctx.exit(FAULTY)
        except OSError as error:
            named = error.filename and error.strerror
            raise CommandRefused(
                f"{error.filename}: {error.strerror}" if named else str(error)
            ) from error
        except ScorerError as error:
            raise CommandRefused(str(error)) from error
        except Exception as error:
            # SQLAlchemy's, which is not imported to find out.
            if all(kind.__module__ != "sqlalchemy.exc" for kind in type(error).__mro__):
                raise
            raise CommandRefused(f"cannot use the database: {_line(error.args[0])}") from error
        finally:
            os.umask(others)


def _line(text: object) -> str:
    return " ".join(str(text).split())


class Read(click.ParamType[Any]):
    """A value that a function of the settings reads, with its messages."""

    def __init__(self, reader: str, name: str, **bounds: int) -> None:
        self.reader, self.name, self.bounds = reader, name, bounds

    def convert(self, value: Any, param: Parameter | None, ctx: Context | None) -> Any:
        from scorer import settings

        try:
            return getattr(settings, self.reader)(value, **self.bounds)
        except ScorerError as error:
            name = max(param.opts, key=len) if param else self.name
            raise click.UsageError(f"{name} {error}", ctx) from error


def number(low: int, high: int = 2**31 - 1, name: str = "N") -> Read:
    """Return the type of a whole number within bounds."""
    return Read("whole", name, low=low, high=high)


@click.group(
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(__version__, message="%(version)s")
def commands() -> None:
    """Keep the score of Italian card games."""


commands.command_class = Command
FILE = click.argument("file", type=click.Path(), default="-", metavar="[FILE]")
LANGUAGE = click.option("--language", type=Choice(LANGUAGES), default=SOURCE)


@commands.command("score")
@FILE
@LANGUAGE
def run_score(file: str, language: str) -> int:
    """Pay deals: JSON Lines in, JSON Lines out."""
    from scorer.operations import score

    return _answer_lines(score, None, file, language)


@commands.command("check")
@FILE
@LANGUAGE
def run_check(file: str, language: str) -> int:
    """Check deals card by card: JSON Lines or a file of deals."""
    from scorer.operations import check, check_file

    return _answer_lines(check, check_file, file, language)


@commands.command("solve")
@FILE
@LANGUAGE
@click.option("--memory", type=number(1, name="MB"), default=400, help="Memory of the search.")
@click.option(
    "--seconds",
    type=click.FloatRange(0, 86_400, min_open=True),
    default=60,
    help="Limit for each deal of a file of deals.",
)
def run_solve(file: str, language: str, memory: int, seconds: float) -> int:
    """Solve deals with all cards open.

    Reads JSON Lines or a file of deals, writes JSON Lines. Ctrl-C answers what is known of the
    current deal, and stops.
    """
    from scorer.operations import solve, solve_file

    watched = WatchedSearch()
    before = signal.signal(signal.SIGINT, watched.interrupt)
    operation = partial(watched.run, partial(solve, watch=watched.go_on, memory=memory))

    def of_file(text: str, speak: Speak) -> Iterator[dict[str, Any]]:
        answers = solve_file(text, speak, watched.go_on, seconds=seconds, memory=memory)
        return iter(partial(watched.run, next, answers, None), None)

    try:
        return _answer_lines(operation, of_file, file, language, lambda: watched.interrupted)
    finally:
        signal.signal(signal.SIGINT, before)


class WatchedSearch:
    """A search that shows its progress, and that Ctrl-C ends with what is known so far."""

    def __init__(self) -> None:
        self.running = self.interrupted = False
        self._line = ProgressLine()

    def run(self, answers: Callable[..., T], *given: object) -> T:
        """Call the search; while it runs, Ctrl-C ends it instead of the program."""
        self.running = True
        answer = answers(*given)
        self.running = False
        self._line.clear()
        return answer

    def interrupt(self, *_: object) -> None:
        """Handle Ctrl-C: end the search, or the program if none runs or at the second time."""
        if self.interrupted or not self.running:
            raise KeyboardInterrupt
        self.interrupted = True

    def go_on(self, nodes: int) -> bool:
        self._line.show(f"{nodes:,} nodes")
        return not self.interrupted


@commands.command("replay")
@FILE
@LANGUAGE
def run_replay(file: str, language: str) -> int:
    """Play a session file again."""
    from scorer.operations import replay

    return _answer_document(replay, file, language)


@commands.command("tournament")
@FILE
@LANGUAGE
def run_tournament(file: str, language: str) -> int:
    """Tell the standings and the next turn of a tournament."""
    from scorer.operations import tournament

    return _answer_document(tournament, file, language)


@commands.command("import-table")
@click.argument("file", type=click.Path(), metavar="FILE")
@click.option("--people", default="", metavar="NAME[=NICKNAME],…", help="People of the circle.")
@click.option("--answers", type=click.Path(), help="A JSON file with the answers so far.")
@LANGUAGE
def run_import_table(file: str, people: str, answers: str | None, language: str) -> int:
    """Read an old table, and print what it comes to and what is open; write nothing."""
    from scorer.services.files.notebook_files import table_document

    speak, given = partial(translate, language=language), None
    with _input(file) as opened:
        content = opened.read()
    if answers:
        try:
            given = decode(Path(answers).read_bytes())
        except ValueError:
            raise ScorerError(f"{answers}: this is not JSON") from None
    names = [name.strip() for name in people.split(",") if name.strip()]
    answer = table_document(content, names, given, speak)
    click.echo(encode(answer, indent=2))
    return UNREADABLE if "problems" in answer else OPEN if answer["open"] else SOUND


@commands.command("rules")
@click.argument("game", required=False)
def run_rules(game: str | None) -> None:
    """List the rule sets of a game, or those with that in their name, or all."""
    from scorer.evening.setting import unknown_game
    from scorer.operations import rule_sets

    try:
        click.echo(encode(rule_sets(game), indent=2))
    except UnknownGameError as error:
        message = unknown_game(str(error)).message
        raise ScorerError(translate(message, SOURCE)) from error


@commands.command("serve")
@click.option("--host", default="0.0.0.0")  # noqa: S104  # phones come from outside
@click.option("--port", type=number(1, 65535), default=8000)
@click.option("--socket", "file", type=PATH, help="A socket file instead of a port.")
@click.option("--workers", type=number(1, 512), default=2)
@click.option(
    "--public-url",
    type=Read("public_url", "URL"),
    help="The address that phones open, https://NAME.",
)
@click.option("--https", is_flag=True, help="A proxy in front speaks HTTPS.", show_default=False)
@click.option("--certificate", type=click.Path(), help="Speak HTTPS with this certificate (PEM).")
@click.option(
    "--key",
    "certificate_key",
    type=click.Path(),
    help="The certificate's key (PEM), without a password.",
)
@click.option(
    "--demo",
    is_flag=True,
    help="Give each visitor an invented circle for an hour; keep nothing.",
    show_default=False,
)
def run_serve(
    *,
    host: str,
    port: int,
    file: Path | None,
    workers: int,
    https: bool,
    demo: bool,
    **given: str | None,
) -> None:
    """Serve the pages on the local network."""
    from gevent import events, monkey

    # What is patched has to be patched before it is imported.
    if "flask" in sys.modules and not monkey.is_module_patched("socket"):
        argv = sys.argv[sys.argv.index("serve") :]
        os.execv(sys.executable, [sys.executable, "-m", "scorer", *argv])  # noqa: S606  # ourselves
    # Without its plugins: it would look through all installed packages at each of its 25 steps.
    events.notify_and_call_entry_points = events.notify
    monkey.patch_all()
    gc.disable()  # until `scorer.serve` has loaded everything, as Python's manual has it for a fork
    from scorer import settings
    from scorer.listening import ListenPlace
    from scorer.serve import serve

    overrides: dict[str, object] = {name.upper(): value for name, value in given.items() if value}
    if not https:
        overrides |= settings.AT_HOME
    if demo:
        overrides |= settings.DEMO
    serve(place=ListenPlace(host, port, file), workers=workers, overrides=overrides)


@commands.command("db")
@click.argument("action", type=Choice(("upgrade", "downgrade", "current")))
@click.argument("revision", required=False)
def run_db(action: str, revision: str | None) -> None:
    """Upgrade or downgrade the tables, or print their revision.

    By default REVISION is the newest one, for a downgrade the previous one.
    """
    from scorer import create_app, logs, storage
    from scorer.storage import migrate

    target = revision or ("-1" if action == "downgrade" else "head")
    migrate.known_target(target)
    with create_app().app_context():
        if action == "upgrade":
            storage.upgrade(target)
        elif action == "downgrade":
            storage.downgrade(target)
            logs.note_command("db")
        print(storage.revision())


@commands.command("settings")
def run_settings() -> None:
    """Print each setting, its value, source and meaning."""
    from scorer import settings

    instance = settings.instance_path()
    print(f"The data is in {instance} (SCORER_INSTANCE names another folder).")
    for name, given in settings.load(instance, settings.AT_HOME).items():
        value = settings.shown(name, given)
        means = textwrap.fill(
            settings.SETTINGS[name].means, 88, initial_indent="    ", subsequent_indent="    "
        )
        print(f"{settings.PREFIX}{name} = {value}  ({given.source})\n{means}")


def _answer_lines(
    operation: Operation,
    of_file: OfFile | None,
    file: str,
    language: str,
    interrupted: Callable[[], bool] = lambda: False,
) -> int:
    """Answer every line, in order, each as soon as it is read, until interrupted."""
    sound = True
    with _input(file) as lines:
        for answer in _answers(operation, of_file, lines, language):
            click.echo(encode(answer))
            sound = sound and answer["ok"]
            if interrupted():
                return INTERRUPTED
    return SOUND if sound else FAULTY


def _answer_document(operation: Operation, file: str, language: str) -> int:
    """Answer a whole file as one document."""
    with _input(file) as opened:
        answer, status = _answer(operation, opened.read(), language)
    click.echo(encode(answer, indent=2))
    return status


def _input(file: str) -> IO[Any]:
    if file == "-" and sys.stdin is None:  # as `<&-` leaves it
        raise ScorerError("standard input is closed")
    return click.open_file(file, "rb")


def _answers(
    operation: Operation, of_file: OfFile | None, lines: IO[bytes], language: str
) -> Iterator[dict[str, Any]]:
    """Answer documents, one per line, or the deals of a file of deals."""
    blank = b""
    for first in lines:
        if first.strip():
            break
        blank += first
    else:
        return
    if of_file and first.lower().startswith(OF_DEALS):
        text = (blank + first + lines.read()).decode(errors="replace")
        yield from of_file(text, partial(translate, language=language))
        return
    for line in filter(bytes.strip, chain([first], lines)):
        yield _answer(operation, line, language)[0]


def _answer(operation: Operation, text: bytes, language: str) -> tuple[dict[str, Any], int]:
    """Return the answer of an operation to a document, and the exit status for it."""
    from scorer.operations import not_json, with_repeated

    speak = partial(translate, language=language)
    try:
        document = decode(text)
    except ValueError:
        return not_json(speak), UNREADABLE
    answer = operation(document, speak)
    answer = with_repeated(answer, repeated_keys(text, document), speak)
    return answer, SOUND if answer["ok"] else FAULTY


DATABASE = Option(
    ["--database"],
    type=Read("database", "URL"),
    help="Use another database than the settings.",
)


def _stored(
    name: str, says: str, *params: Parameter, database: bool = True, group: click.Group = commands
) -> None:
    """Add a command of `scorer.cli.stored`, which is imported when the command runs."""
    function = f"run_{name}" if group is commands else f"run_{group.name}_{name}"
    options = [DATABASE] if database else []

    def run(**given: Any) -> int | None:
        from scorer.cli import stored
        from scorer.storage.transfer import watched_by

        try:
            with watched_by(stored.LINE.tell):
                status: int | None = getattr(stored, function)(**given)
        finally:
            stored.LINE.clear()
        return status

    group.add_command(Command(name, callback=run, help=f"{says}.", params=[*params, *options]))


SERVER = Option(
    ["--address"],
    show_default="SCORER_PUBLIC_URL, or what scorer serve printed last",
    help="The server's address, with its path.",
)
A_FILE = Argument(["file"], type=PATH)

_stored(
    "demo",
    "Create a circle with three invented evenings",
    Option(["--seed"], type=number(0), default=1, help="Another seed makes other evenings."),
    SERVER,
)
_stored("circle", "Create a circle and print its owner's link", Argument(["name"]), SERVER)
_stored(
    "status",
    "Print version, sizes, errors and the last backup",
    Option(["--json", "as_json"], is_flag=True, help="Print JSON.", show_default=False),
)
_stored(
    "circles",
    "List the circles: keys, sizes, last use; or delete one",
    Option(["--delete"], type=click.UUID, metavar="KEY", help="Delete the circle of this key."),
    Option(["--yes"], is_flag=True, help="Delete it without asking.", show_default=False),
)
_stored(
    "link",
    "Print a link into a circle, by default an owner's. CIRCLE is its name or key",
    Argument(["circle"]),
    Option(["--role"], type=Choice(ROLES), default=ROLES[0]),
    SERVER,
)
_stored(
    "verify",
    "Score every stored deal again, report differences",
    Option(
        ["--against"], type=PATH, metavar="FILE", help="Compare with a session's or circle's file."
    ),
    Option(["--progress"], is_flag=True, help="Say how far it is, also where no terminal is."),
)
_stored(
    "backup",
    "Copy the database and its secret key while the server runs",
    A_FILE,
    Option(["--without-key"], is_flag=True, help="Leave the secret key out."),
    Option(
        ["--keep"],
        type=number(1),
        help="FILE is a folder: add a copy there and delete all but the newest N.",
    ),
)
_stored("restore", "Replace the database by a backup of either engine", A_FILE)
_stored(
    "export",
    "Write a circle's file. CIRCLE is its name or key",
    Argument(["circle"], required=False),
    Argument(["file"], type=click.Path(), default="-", metavar="[FILE]"),
    Option(["--all", "folder"], type=PATH, metavar="DIR", help="Write every circle into DIR."),
    Option(
        ["--deals"], type=PATH, metavar="DIR", help="Write its cards into DIR, a file a session."
    ),
)
_stored("import", "Import the circles of a file", A_FILE)
KEYS = click.Group("key", help="Make a key: for cookies, or for a program.")
commands.add_command(KEYS)
_stored(
    "rotate",
    "Make a new key for cookies; older ones stay valid",
    Option(["--keep"], type=number(0), default=2, help="Number of older keys that stay valid."),
    database=False,
    group=KEYS,
)
_stored(
    "program",
    "Make a key for a program and print it, once. CIRCLE is its name or key, NAME the program's",
    Argument(["circle"]),
    Argument(["name"]),
    Option(["--role"], type=Choice(ROLES), required=True),
    Option(["--days"], type=number(1, 3650), help="How long it is valid, by default for good."),
    group=KEYS,
)
