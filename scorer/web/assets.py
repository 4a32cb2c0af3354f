"""Style sheets, scripts and pictures: kept for a year, under an address that changes with them.

The version is a part of the path, so that a script that imports ``./other.js`` gets the other one
of its own version. The files are few and small: they are read once, when the app is made.
"""

from __future__ import annotations

import json
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING

from flask import abort, request
from werkzeug.wrappers import Response

if TYPE_CHECKING:
    from typing import Any

    from flask import Flask

MANIFEST = "manifest.webmanifest"
YEAR = 365 * 24 * 60 * 60


def register(app: Flask) -> None:
    """Serve the folder ``static``; ``url_for("static", filename=...)`` fills in the version."""
    folder = Path(app.root_path, "static")
    files = {p.relative_to(folder).as_posix(): p.read_bytes() for p in _files(folder)}
    current = _version(files)

    @app.url_defaults
    def add_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values.setdefault("version", current)

    @app.get("/static/<version>/<path:filename>", endpoint="static")
    def send(version: str, filename: str) -> Response:
        if filename not in files:
            abort(404)
        content = _mounted(files[filename]) if filename == MANIFEST else files[filename]
        response = Response(content, mimetype=guess_type(filename)[0])
        if version == current:
            response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
        response.set_etag(f"{current}-{filename}")
        return response.make_conditional(request)


def _mounted(manifest: bytes) -> bytes:
    """Let the home screen open the app where it is mounted."""
    root = f"{request.script_root}/"
    return json.dumps(
        json.loads(manifest) | {"id": root, "start_url": root, "scope": root}
    ).encode()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _version(files: dict[str, bytes]) -> str:
    digest = sha256()
    for name, content in files.items():
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()[:12]
