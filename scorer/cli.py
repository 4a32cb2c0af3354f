"""The commands: ``scorer score``, ``replay`` and ``rules`` need no database; the others do.

A command imports what it needs when it runs: the verbs start without the web application.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from functools import partial
from typing import TYPE_CHECKING

from scorer import __version__
from scorer.errors import ScorerError
from scorer.languages import LANGUAGES
from scorer.languages import SOURCE
from scorer.languages import translate

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable
    from collections.abc import Sequence
    from typing import Any
    from typing import BinaryIO

    from scorer.texts import Text

    Verb = Callable[[object, Callable[[Text], str]], dict[str, Any]]

SOUND = 0
FAULTY = 1
UNREADABLE = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit status (contract.md)."""
    options = _parser().parse_args(arguments)
    run: Callable[[Namespace], int] = options.run
    try:
        return run(options)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FAULTY
    except KeyboardInterrupt:
        return INTERRUPTED
    except (OSError, ScorerError) as error:
        return _refuse(error)


def _parser() -> ArgumentParser:
    parser = ArgumentParser("scorer", description="Keeps the score of Italian card games.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(name: str, run: Callable[[Namespace], int], says: str) -> ArgumentParser:
        added: ArgumentParser = commands.add_parser(name, help=says, description=says)
        added.set_defaults(run=run)
        return added

    _add_input(command("score", run_score, "pay deals: JSON Lines in, JSON Lines out"))
    _add_input(command("replay", run_replay, "play a session file again"))
    rules = command("rules", run_rules, "list the rule sets of a game, or of all")
    rules.add_argument("game", nargs="?", metavar="GAME")
    serve = command("serve", run_serve, "serve the pages on the local network")
    serve.add_argument("--host", default="0.0.0.0")  # noqa: S104  # phones come from outside
    serve.add_argument("--port", type=int, default=8000)
    serve.add_argument("--workers", type=int, default=2)
    serve.add_argument("--https", action="store_true", help="a proxy before it speaks HTTPS")
    db = command("db", run_db, "bring the tables to a revision, or tell which one they have")
    db.add_argument("action", choices=("upgrade", "downgrade", "current"))
    db.add_argument("revision", nargs="?", help="head to upgrade, one step to downgrade")
    return parser


def _add_input(command: ArgumentParser) -> None:
    command.add_argument("file", nargs="?", default="-", metavar="FILE", help="- is standard input")
    command.add_argument("--language", choices=LANGUAGES, default=SOURCE)


def run_score(options: Namespace) -> int:
    """Answer every line, in order, each as soon as it is read."""
    from scorer.verbs import score

    sound = True
    with _opened(options.file) as lines:
        for line in filter(bytes.strip, lines):
            answer, status = _answer(score, line, options.language)
            _write(answer)
            sound = sound and status == SOUND
    return SOUND if sound else FAULTY


def run_replay(options: Namespace) -> int:
    """Answer one session file."""
    from scorer.verbs import replay

    with _opened(options.file) as file:
        answer, status = _answer(replay, file.read(), options.language)
    _write(answer, indent=2)
    return status


def run_rules(options: Namespace) -> int:
    """Print the presets of a game, or of all."""
    from scorer.verbs import rule_sets

    _write(rule_sets(options.game), indent=2)
    return SOUND


def run_serve(options: Namespace) -> int:
    """Serve the pages until told to stop."""
    from scorer.serve import serve

    serve(host=options.host, port=options.port, workers=options.workers, https=options.https)
    return SOUND


def run_db(options: Namespace) -> int:
    """Bring the tables to a revision, or print the one they have."""
    from scorer import create_app
    from scorer.storage import migrate

    url = create_app().config["SQLALCHEMY_DATABASE_URI"]
    if options.action == "upgrade":
        migrate.upgrade(url, options.revision or "head")
    elif options.action == "downgrade":
        migrate.downgrade(url, options.revision or "-1")
    print(migrate.current(url))
    return SOUND


def _answer(verb: Verb, text: bytes, language: str) -> tuple[dict[str, Any], int]:
    """Give what a verb answers to a document, and the exit status that goes with it."""
    from scorer.verbs import decode
    from scorer.verbs import not_json

    speak = partial(translate, language=language)
    try:
        document = decode(text)
    except ValueError:
        return not_json(speak), UNREADABLE
    answer = verb(document, speak)
    return answer, SOUND if answer["ok"] else FAULTY


def _refuse(error: Exception) -> int:
    print(f"scorer: {error}", file=sys.stderr)
    return UNREADABLE


def _opened(name: str) -> BinaryIO:
    return open(0 if name == "-" else name, "rb", closefd=name != "-")


def _write(answer: object, indent: int | None = None) -> None:
    """Write UTF-8 whatever the locale is; half a surrogate pair goes out as it came in, escaped."""
    try:
        text = json.dumps(answer, ensure_ascii=False, indent=indent).encode()
    except UnicodeEncodeError:
        text = json.dumps(answer, indent=indent).encode()
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.buffer.flush()
