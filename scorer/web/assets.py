"""Style sheets, scripts and pictures: kept for a year, under an address that changes with them.

The version is a part of the path, so that a script that imports ``./other.js`` gets the other one
of its own version.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from flask import send_from_directory

if TYPE_CHECKING:
    from typing import Any

    from flask import Flask
    from werkzeug.wrappers import Response

YEAR = 365 * 24 * 60 * 60


def version_of(folder: Path) -> str:
    """Give a short name for the content of all files of a folder."""
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def register(app: Flask) -> None:
    """Serve the folder ``static``; ``url_for("static", filename=...)`` fills in the version."""
    folder = Path(app.root_path, "static")
    current = version_of(folder)

    @app.url_defaults
    def add_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values.setdefault("version", current)

    @app.get("/static/<version>/<path:filename>", endpoint="static")
    def send_asset(version: str, filename: str) -> Response:
        response = send_from_directory(folder, filename)
        if version == current:
            response.cache_control.max_age = YEAR
            response.cache_control.public = True
            response.cache_control.immutable = True
            response.cache_control.no_cache = None
        return response
