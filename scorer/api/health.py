"""The health check."""

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
    """Return the version and the database engine; fail where the database can't be reached."""
    return jsonify(ok=True, version=current_app.config["VERSION"], database=asdict(database_mode()))
