"""The JSON API under /api/v1, and the health check."""

from flask import Flask

from scorer.api import (
    album,
    circles,
    deals,
    feed,
    health,
    journal,
    money,
    openapi,
    operations,
    session,
    tournaments,
)
from scorer.api.routes import NotJsonError, answer_malformed


def register(app: Flask) -> None:
    """Register the API. No cookie is opened for it, so what it accepts needs no CSRF token."""
    app.register_error_handler(NotJsonError, answer_malformed)
    modules = (circles, feed, openapi, health, deals, session, album, money, journal, operations)
    for module in (*modules, tournaments):
        app.register_blueprint(module.blueprint)
