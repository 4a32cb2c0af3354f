"""Scorer keeps the score of Italian card games played at a real table.

``Evening`` is one session in Python; ``create_app`` makes the web application. Each is imported on
first use, so that the rules load no Flask.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

    from scorer.evening import Evening as Evening

__version__ = "0.4.0.dev0"


def create_app(config: "Mapping[str, object] | None" = None) -> "Flask":
    """Put the web application together; also for ``flask --app scorer``."""
    from scorer.app import create_app as create
    from scorer.cli import commands

    app = create(config)
    app.cli.commands.update(commands.commands)
    return app


def __getattr__(name: str) -> object:
    if name != "Evening":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from scorer.evening import Evening

    return Evening
