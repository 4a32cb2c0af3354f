"""The JSON API under /api/v1, and the health check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask
from flask_wtf import CSRFProtect

from scorer.api import circles, deals, events, feed, health, openapi, operations


def register(app: Flask, csrf: CSRFProtect) -> None:
    """Register the API. It is exempt from CSRF tokens: no route of it knows a cookie."""
    for of_circles in (circles.blueprint, deals.blueprint, events.blueprint, feed.blueprint):
        csrf.exempt(of_circles)
        app.register_blueprint(of_circles)
    csrf.exempt(operations.blueprint)
    app.register_blueprint(operations.blueprint)
    app.register_blueprint(openapi.blueprint)
    app.register_blueprint(health.blueprint)
