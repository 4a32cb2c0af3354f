"""The JSON API under /api/v1, and the health check."""

from flask import Flask
from flask_wtf import CSRFProtect

from scorer.api import circles, deals, feed, health, openapi, operations


def register(app: Flask, csrf: CSRFProtect) -> None:
    """Register the API. What it accepts needs no CSRF token: no route of it knows a cookie."""
    for module in (circles, deals, feed, operations, openapi, health):
        app.register_blueprint(module.blueprint)
    csrf.exempt(deals.blueprint)
    csrf.exempt(operations.blueprint)
