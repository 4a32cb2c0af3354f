"""The pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.web import access
from scorer.web import assets
from scorer.web import charts
from scorer.web import choices
from scorer.web import circles
from scorer.web import compression
from scorer.web import deals
from scorer.web import filters
from scorer.web import games
from scorer.web import headers
from scorer.web import history
from scorer.web import joining
from scorer.web import players
from scorer.web import rule_sets
from scorer.web import sessions
from scorer.web import sharing
from scorer.web import tricks

if TYPE_CHECKING:
    from flask import Flask

BLUEPRINTS = (
    circles.pages,
    joining.pages,
    sharing.pages,
    sessions.pages,
    deals.pages,
    tricks.pages,
    charts.pages,
    players.pages,
    rule_sets.pages,
    history.pages,
    games.pages,
    choices.pages,
)


def register(app: Flask) -> None:
    """Give the app its pages and what every answer carries."""
    compression.register(app)
    headers.register(app)
    access.register(app)
    assets.register(app)
    filters.register(app)
    app.context_processor(choices.add_to_templates)
    for pages in dict.fromkeys(BLUEPRINTS):
        app.register_blueprint(pages)
