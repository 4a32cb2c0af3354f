"""The pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask

from scorer.web import (
    access,
    assets,
    charts,
    choices,
    circles,
    compression,
    deals,
    events,
    filters,
    games,
    headers,
    history,
    journal,
    ledger,
    notebooks,
    notes,
    offline,
    origins,
    own_phones,
    players,
    public_pages,
    ratings,
    rule_sets,
    seasons,
    sessions,
    sharing,
    tricks,
)

BLUEPRINTS = (
    circles.pages,
    sharing.pages,
    own_phones.pages,
    sessions.pages,
    deals.pages,
    tricks.pages,
    events.pages,
    charts.pages,
    players.pages,
    ratings.pages,
    rule_sets.pages,
    history.pages,
    seasons.pages,
    journal.pages,
    ledger.pages,
    notebooks.pages,
    notes.pages,
    public_pages.pages,
    games.pages,
    choices.pages,
    offline.pages,
)


def register(app: Flask) -> None:
    """Give the app its pages and what every answer carries."""
    compression.register(app)
    headers.register(app)
    origins.register(app)
    access.register(app)
    assets.register(app)
    filters.register(app)
    app.context_processor(choices.add_to_templates)
    for pages in dict.fromkeys(BLUEPRINTS):
        app.register_blueprint(pages)
