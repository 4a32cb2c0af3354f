"""The pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.web import assets
from scorer.web import compression
from scorer.web import headers

if TYPE_CHECKING:
    from flask import Flask


def register(app: Flask) -> None:
    """Give the app its pages and what every answer carries."""
    compression.register(app)
    headers.register(app)
    assets.register(app)
