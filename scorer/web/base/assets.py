"""Style sheets, scripts, pictures: cached for a year, under an address that changes with them.

The version is a part of the path, so that a script that imports ``./other.js`` gets the other one
of its own version. The files are few and small: they are read once, when the app is made.
"""

import json
import re
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from flask import Flask, abort, request
from werkzeug.wrappers import Response

#: The service worker, which is for all pages and so stands at the root; its address never changes.
WORKER = "base/worker.js"
YEAR = 365 * 24 * 60 * 60
#: The comments that are not sent: of a script its types and docstrings, a fifth of it.
COMMENTS = {
    ".js": re.compile(rb"/\*\*.*?\*/", re.DOTALL),
    ".css": re.compile(rb"/\*.*?\*/", re.DOTALL),
}
#: Nor is the indentation: no string goes on in the next line.
INDENTATION = re.compile(rb"^[ \t]+", re.MULTILINE)


def register(app: Flask) -> None:
    """Serve the folder ``static``; ``url_for("static", filename=...)`` fills in the version."""
    folder = Path(app.root_path, "static")
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = {path.relative_to(folder).as_posix(): _sent(path) for path in paths}
    digest = sha256()
    for name, content in files.items():
        digest.update(f"{name} {len(content)} ".encode() + content)
    current = digest.hexdigest()[:12]

    @app.url_defaults
    def add_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values.setdefault("version", current)

    @app.get("/static/<version>/<path:filename>", endpoint="static")
    def send(version: str, filename: str) -> Response:
        if filename not in files:
            abort(404)
        response = Response(files[filename], mimetype=guess_type(filename)[0])
        if version == current:
            response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
        response.set_etag(f"{current}-{filename}")
        return response.make_conditional(request)

    @app.get("/worker.js")
    def worker() -> Response:
        kept = {"version": current, "files": [name for name in files if name != WORKER]}
        script = f"self.scorer = {json.dumps(kept)};\n".encode() + files[WORKER]
        response = Response(script, mimetype="text/javascript")
        response.set_etag(current)
        return response.make_conditional(request)


def _sent(path: Path) -> bytes:
    """Return a file as it is sent: with as many lines, but no comments and no indentation."""
    content = path.read_bytes()
    if path.suffix not in COMMENTS:
        return content
    lines = COMMENTS[path.suffix].sub(lambda comment: b"\n" * comment[0].count(b"\n"), content)
    return INDENTATION.sub(b"", lines)
