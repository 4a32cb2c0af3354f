"""Chromium: where it is on this machine, and how it is started."""

from __future__ import annotations

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
#: No sandbox, because tests may run as root; and nothing that phones home.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = (
    "The browser tests need Chromium, and none was found. Install it (Debian: apt-get install "
    "chromium), or name the program of one in SCORER_BROWSER."
)


def find_chromium() -> str:
    """Give the path of the browser; fail, and never skip, where there is none."""
    named = os.environ.get("SCORER_BROWSER")
    found = [path for name in ((named,) if named else NAMES) if (path := shutil.which(name))]
    if not found:
        pytest.fail(MISSING, pytrace=False)
    return found[0]
