"""The JSON API under /api/v1, and the health check."""

from flask import Flask
from flask_wtf import CSRFProtect

from scorer.api import (
    album,
    circles,
    deals,
    feed,
    health,
    money,
    openapi,
    operations,
    record,
    table,
)
from scorer.api.routes import NotJsonError, answer_malformed


def register(app: Flask, csrf: CSRFProtect) -> None:
    """Register the API. What it accepts needs no CSRF token: no route of it knows a cookie."""
    writing = (deals, table, album, money, record, operations)
    app.register_error_handler(NotJsonError, answer_malformed)
    for module in (circles, feed, openapi, health, *writing):
        app.register_blueprint(module.blueprint)
    for module in writing:
        csrf.exempt(module.blueprint)
