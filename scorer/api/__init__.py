"""The JSON API under /api/v1, and the health check."""

from flask import Flask
from flask_wtf import CSRFProtect

from scorer.api import circles, deals, feed, health, openapi, operations


def register(app: Flask, csrf: CSRFProtect) -> None:
    """Register the API. It is exempt from CSRF tokens: no route of it knows a cookie."""
    for module in (circles, deals, feed, operations, openapi, health):
        csrf.exempt(module.blueprint)
        app.register_blueprint(module.blueprint)
