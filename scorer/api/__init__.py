"""The HTTP twins of the verbs, under /api/v1."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask


def register(app: Flask) -> None:
    """Give the app its API."""
