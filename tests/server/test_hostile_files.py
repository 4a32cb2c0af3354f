"""Files made to be slow are sent to the real server, all at once: nobody else waits for them."""

import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from werkzeug.datastructures import FileStorage
from werkzeug.test import encode_multipart

from bench.browsers import Browser
from tests.data.photos import photo
from tests.data.workbooks import many_rows
from tests.server.conftest import WORKERS
from tests.services.evenings import FIVE
from tests.storage.conftest import SQLITE

#: Seconds that anybody else waits for a page, on a machine that is busy with other tests.
LONGEST_WAIT = 10.0
#: How often a file is sent that the server, or the child that reads it, had no time for.
AGAIN = 20


def notebooks(stranger: Browser, content: bytes) -> tuple[str, dict[str, Any]]:
    """Fill in the page of old notebooks with a file."""
    path = stranger.url.partition("sessions")[0] + "notebook"
    form: dict[str, Any] = dict(stranger.filled_in(path, "/notebook"))
    return path, form | {"file": content, "action": "look"}


def photos(stranger: Browser, content: bytes) -> tuple[str, dict[str, Any]]:
    """Fill in the page of notes with a photo."""
    form: dict[str, Any] = dict(stranger.filled_in("notes/", "/notes/"))
    return "notes/", form | {"key": str(uuid4()), "photo": content}


def waits(browser: Browser, path: str, uploads: Sequence[Future[Any]]) -> list[float]:
    """Open a page again and again while uploads are under way; return how long each time took."""
    found = []
    while not all(upload.done() for upload in uploads):
        began = time.monotonic()
        assert browser.request(path).status_code == 200
        found.append(time.monotonic() - began)
        time.sleep(0.2)
    return found


def upload(browser: Browser, path: str, form: dict[str, Any]) -> int:
    """Send a form whose bytes are files; give the status of the answer."""
    fields = {
        name: FileStorage(BytesIO(value), name) if isinstance(value, bytes) else value
        for name, value in form.items()
    }
    boundary, body = encode_multipart(fields)
    form_type = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    return browser.request(path, body, form_type).status_code


def read_at_last(stranger: Browser, path: str, form: dict[str, Any], wanted: int) -> list[int]:
    """Send a file until the server had the time to read it; give what it said each time."""
    told = [upload(stranger, path, form)]
    while wanted not in told and len(told) < AGAIN:
        time.sleep(1)
        told.append(upload(stranger, path, form))
    return told


@pytest.mark.slow
@pytest.mark.parametrize("database_url", [SQLITE], indirect=True)
def test_nobody_waits_for_the_files_of_strangers(site: str) -> None:
    files = [
        (notebooks, many_rows(), 422),
        (photos, photo((5000, 5000), "WEBP", lossless=True), 303),
    ]
    ours, *strangers = (Browser(site).start(FIVE) for _ in range(1 + len(files)))
    for _ in range(4 * WORKERS):  # so that each worker has shown it once
        assert ours.request(ours.url).status_code == 200
    forms = [
        (stranger, *page(stranger, content), wanted)
        for stranger, (page, content, wanted) in zip(strangers, files, strict=True)
    ]
    with ThreadPoolExecutor(len(files) + 2) as threads:
        uploads = [threads.submit(read_at_last, *form) for form in forms]
        pages = [threads.submit(waits, ours, path, uploads) for path in ("/health", ours.url)]
        longest = [max(found.result()) for found in pages]

    assert max(longest) < LONGEST_WAIT
    told = [upload.result() for upload in uploads]
    assert [statuses[-1] for statuses in told] == [wanted for *_, wanted in files]
    # The server had no time for it yet, or the child that reads it had none.
    assert {status for statuses in told for status in statuses[:-1]} <= {503, 422}
