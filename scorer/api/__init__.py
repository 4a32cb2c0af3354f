"""JSON in, JSON out: the API under /api/v1, and the health of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.api import health, openapi, verbs

if TYPE_CHECKING:
    from flask import Flask
    from flask_wtf import CSRFProtect


def register(app: Flask, csrf: CSRFProtect) -> None:
    """Give the app its API; the verbs change nothing, so they need no token against forgery."""
    csrf.exempt(verbs.blueprint)
    app.register_blueprint(verbs.blueprint)
    app.register_blueprint(openapi.blueprint)
    app.register_blueprint(health.blueprint)
