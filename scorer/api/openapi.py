"""The OpenAPI document: openapi.json, completed with the sheets and options of the games."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from flask import Response, request

from scorer.api.schemas import add_games
from scorer.games import all_games
from scorer.routes import Routes

SERVER = b'"url": "/api/v1"'
DOCUMENT = Path(__file__).with_name("openapi.json")

blueprint = Routes("openapi", __name__, url_prefix="/api/v1")


@blueprint.get("/openapi.json")
def document() -> Response:
    """Serve the OpenAPI document; its server is this one, wherever it is mounted."""
    here = f'"url": "{request.script_root}/api/v1"'.encode()
    return Response(_written().replace(SERVER, here, 1), mimetype="application/json")


@cache
def _written() -> bytes:
    return json.dumps(described(), ensure_ascii=False, indent=1).encode()


def described() -> dict[str, Any]:
    """Return the document with the schemas of all games."""
    whole: dict[str, Any] = json.loads(DOCUMENT.read_bytes())
    add_games(whole["components"]["schemas"], all_games())
    return whole
