"""Pages that arrive in two pieces, cut between two chips: each chip has a box."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser

from bench.phones import in_one_session

pytestmark = pytest.mark.slow

#: Seconds between the two pieces, in which the first is drawn.
PAUSE = 0.2
PATHS = ["record", "table"]
BOXES = """() => [...document.querySelectorAll("main *")].map((element) => {
  const { width, height } = element.getBoundingClientRect();
  return element.checkVisibility() && width > 0 && height > 0;
})"""
CHIPS_IN_CONTAINERS = """() => [...document.querySelectorAll("main .chip, main .columns > *")]
  .map((chip) => chip.parentElement)
  .filter((parent) => getComputedStyle(parent).containerType !== "normal")
  .map((parent) => parent.className)"""


@contextmanager
def in_pieces(site: str, page: bytes) -> Iterator[str]:
    """Serve a page below /cut, in two pieces cut at the byte that the address ends with."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            with suppress(OSError):
                self.send_response(200)
                if not self.path.startswith("/cut/"):
                    with urlopen(site + self.path) as part:
                        self.send_header("Content-Type", part.headers["Content-Type"])
                        self.end_headers()
                        self.wfile.write(part.read())
                    return
                cut = int(self.path.removeprefix("/cut/"))
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(page[:cut])
                time.sleep(PAUSE)
                self.wfile.write(page[cut:])

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/cut"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("path", PATHS)
def test_chips_have_a_box_wherever_the_page_is_cut(browser: Browser, site: str, path: str) -> None:
    phone = in_one_session(site, 1)[0]
    phone.record(70)
    html = phone.browser.go(path).text.encode()
    cuts = [chip.start() for chip in re.finditer(rb'<(label|button|a|li) class="chip', html)]
    with (
        in_pieces(site, html) as address,
        browser.new_context(
            viewport={"width": 360, "height": 640}, java_script_enabled=False
        ) as context,
    ):
        page = context.new_page()
        page.goto(f"{address}/0")
        whole = page.evaluate(BOXES)
        parents = page.evaluate(CHIPS_IN_CONTAINERS)
        lost = []
        for cut in cuts[::2]:  # on either side of each chip
            page.goto(f"{address}/{cut}")
            lost += [cut] if page.evaluate(BOXES) != whole else []

    assert parents == []
    assert lost == []
