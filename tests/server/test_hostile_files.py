"""Files made to be slow are sent to the real server, all at once: nobody else waits for them."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import cycle
from typing import Any
from uuid import uuid4

import pytest

from bench.browsers import Browser, believe_phones
from tests.data.photos import photo
from tests.data.workbooks import lying_dimension, many_cells, many_rows
from tests.services.evenings import FIVE
from tests.serving import running

WORKERS, UPLOADS = 2, 4
#: Seconds that anybody else waits for a page, on a machine that is busy with other tests.
LONGEST_WAIT = 10.0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    instance = tmp_path_factory.mktemp("hostile")
    believe_phones(instance)
    with running(instance, workers=WORKERS) as server:
        yield server.url


def notebooks(stranger: Browser, content: bytes) -> tuple[str, dict[str, Any]]:
    """Fill in the page of old notebooks with a file."""
    path = stranger.url.partition("sessions")[0] + "notebook"
    form: dict[str, Any] = dict(stranger.filled_in(path, "/notebook"))
    return path, form | {"file": content, "action": "look"}


def photos(stranger: Browser, content: bytes) -> tuple[str, dict[str, Any]]:
    """Fill in the page of notes with a photo."""
    form: dict[str, Any] = dict(stranger.filled_in("notes/", "/notes/"))
    return "notes/", form | {"key": str(uuid4()), "photo": content}


def texts(stranger: Browser, content: bytes) -> tuple[str, dict[str, Any]]:
    """Fill in the page of old notebooks with a text."""
    path, form = notebooks(stranger, b"")
    return path, form | {"text": content.decode()}


def waits(browser: Browser, path: str, uploads: Sequence[Future[Any]]) -> list[float]:
    """Open a page again and again while uploads are under way; return how long each time took."""
    found = []
    while not all(upload.done() for upload in uploads):
        began = time.monotonic()
        assert browser.ask("GET", path)[0].status_code == 200
        found.append(time.monotonic() - began)
        time.sleep(0.02)
    return found


def large_photo() -> bytes:
    return photo((5000, 5000), "WEBP", lossless=True)


WORKBOOKS = many_rows, many_cells, lying_dimension
#: Hardly more cells would be refused.
LONG_TEXT = "\n".join(";".join("ABCDEFGHIJ" if row == 0 else "1" * 10) for row in range(1_990))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "made", "status"),
    [
        pytest.param(notebooks, WORKBOOKS, 422, id="millions of rows and cells"),
        pytest.param(photos, [large_photo], 303, id="large photos"),
        pytest.param(texts, [LONG_TEXT.encode], 200, id="long texts"),
    ],
)
def test_nobody_waits_for_the_files_of_strangers(
    site: str, page: Any, made: Sequence[Callable[[], bytes]], status: int
) -> None:
    contents = cycle([make() for make in made])
    ours = Browser(site).start(FIVE)
    for _ in range(4 * WORKERS):  # so that each worker has shown it once
        assert ours.ask("GET", ours.url)[0].status_code == 200
    strangers = [Browser(site).start(FIVE) for _ in range(UPLOADS)]
    forms = [page(stranger, next(contents)) for stranger in strangers]
    with ThreadPoolExecutor(UPLOADS + 2) as threads:
        began = time.monotonic()
        uploads = [
            threads.submit(stranger.upload, path, form)
            for stranger, (path, form) in zip(strangers, forms, strict=True)
        ]
        pages = [threads.submit(waits, ours, path, uploads) for path in ("/health", ours.url)]
        longest = [max(found.result()) for found in pages]
        statuses = {upload.result().status_code for upload in uploads}

    print(f"{time.monotonic() - began:.1f} s, longest waits {longest}, {statuses}")
    assert max(longest) < LONGEST_WAIT
    assert statuses <= {status, 503}
    assert status in statuses
