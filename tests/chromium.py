"""Chromium: where it is on this machine, how it is started, and how one is installed.

`python -m tests.chromium` runs before the tests: it installs a browser where there is none and that
is allowed, or says in one sentence what to do.
"""

import os
import shutil
import subprocess
import sys
from contextlib import suppress

import pytest

#: The shell has no windows round its pages, which take as much time as the pages.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
#: What Playwright would switch off, whose list ours takes the place of; and what lies ready behind
#: the address bar of every window: two more pages to draw.
WITHOUT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "MediaRouter",
    "PaintHolding",
    "RenderDocument",
    "ThirdPartyStoragePartitioning",
    "OptimizationHints",
    "AimEnabled",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
)
#: No sandbox, because tests may run as root; and nothing that phones home.
FLAGS = (
    f"--disable-features={','.join(WITHOUT)}",
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
    "chromium-headless-shell), or name the program of one in SCORER_BROWSER."
)
OF_PLAYWRIGHT = [[sys.executable, "-m", "playwright", "install", "chromium"]]
OF_DEBIAN = [
    ["apt-get", "update", "-q"],
    ["apt-get", "install", "-q", "-y", "--no-install-recommends", NAMES[0]],
]
LONGEST = 900


def find_chromium() -> str:
    """Give the path of the browser; fail, and never skip, where there is none."""
    found = installed()
    if found is None:
        pytest.fail(MISSING, pytrace=False)
    return found


def installed() -> str | None:
    """Give the path of a browser that starts: the one that is named, or any that is installed."""
    named = os.environ.get("SCORER_BROWSER")
    paths = [shutil.which(name) for name in ((named,) if named else (*NAMES, MAC))]
    found = next((path for path in paths if path and _starts(path)), None)
    return found or (None if named else _downloaded())


def _downloaded() -> str | None:
    """Give the path of the browser that Playwright has downloaded, if it has."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if _starts(path) else None


def _starts(path: str) -> bool:
    return _run([path, "--version"])


def _run(command: list[str]) -> bool:
    """Run a command and say whether it succeeded; what it prints is of no interest."""
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(command, capture_output=True, timeout=LONGEST, check=False)
        return done.returncode == 0
    return False


def install() -> str | None:
    """Install a browser where that is allowed, and give its path."""
    ways = [OF_PLAYWRIGHT]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        ways.append(OF_DEBIAN)
    for way in ways:
        if all(_run(command) for command in way) and (path := installed()):
            return path
    return None


def main() -> None:
    """Have a browser before the first test, or exit with what is missing."""
    if installed():
        return
    if not os.environ.get("SCORER_BROWSER"):
        print("No Chromium here: installing one for the browser tests.", flush=True)
        if install():
            return
    sys.exit(MISSING)


if __name__ == "__main__":
    main()
