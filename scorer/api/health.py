"""Health: whether the server is well, and what keeps its data."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from flask import Blueprint, current_app, jsonify

from scorer.storage import database_mode

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("health", __name__)


@blueprint.get("/health")
def health() -> Response:
    """Tell the version, and the engine that was reached just now."""
    return jsonify(ok=True, version=current_app.config["VERSION"], database=asdict(database_mode()))
