"""The description of the API that programs read, as it stands in openapi.json."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint
from flask import Response

DOCUMENT = Path(__file__).with_name("openapi.json")

blueprint = Blueprint("openapi", __name__, url_prefix="/api/v1")


@blueprint.get("/openapi.json")
def document() -> Response:
    """Describe the API."""
    return Response(DOCUMENT.read_bytes(), mimetype="application/json")
