"""Scorer keeps the score of Italian card games played at a real table."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

__version__ = "0.2.0.dev0"


def create_app(config: "Mapping[str, object] | None" = None) -> "Flask":
    """Put the web application together; imported late, so that the rules load no Flask.

    Flask's command line has the commands of ours: ``flask --app scorer db upgrade``.
    """
    from scorer.app import create_app as create
    from scorer.cli import commands

    app = create(config)
    app.cli.commands.update(commands.commands)
    return app
