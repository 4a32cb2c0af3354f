"""An evening with the network away, in Chromium, Firefox and WebKitGTK: `python -m load.engines`.

Twelve deals; the network is away from deal 3 to 9, and the browser is killed after deal 6. All
twelve must arrive, in order and once, with the balances of `replay`. Names of engines play it in
those alone. Firefox is driven by its Marionette, WebKit by its WebDriver, Chromium by Playwright.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol
from urllib.request import Request, urlopen

from playwright.sync_api import Error, sync_playwright

from scorer.operations import replay
from tests.chromium import FLAGS, installed
from tests.serving import free_port, serving

PATIENCE = 60.0
PAUSE = 0.1
AWAY_FROM, KILLED_AFTER, AWAY_TO, LAST = 3, 6, 9, 12
SEATS = ("Ada", "Bea", "Ciro", "Dora", "Ezio")
MINI_BROWSERS = "webkit2gtk-4.*/MiniBrowser"
START = """
const page = await (await fetch("/join")).text();
const token = /name="csrf_token" value="([^"]+)"/.exec(page)[1];
const form = [["csrf_token", token], ["key", "4fd1d1a6-25a8-4c7c-8f8a-0d5c1c1f0a11"],
  ["circle", ""], ["game", "briscola-chiamata"], ["title", "Friday"], ["rules", "ladder-bands"],
  ["end", "open"], ["first_dealer", "0"]];
NAMES.forEach((name, place) => form.push(["player", name], ["place", String(place + 1)]));
const body = new URLSearchParams(form);
return new URL((await fetch("/sessions/new", { method: "POST", body })).url).pathname;
"""
ANSWER = """
const form = document.getElementById("record");
for (const [name, value] of ANSWERS) {
  const chip = form.querySelector(`[name="${name}"][type=radio][value="${value}"]`);
  const box = form.querySelector(`input[name="${name}"]`);
  if (chip) chip.click();
  else {
    box.value = value;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
form.querySelector("button.big[name=action]").click();
"""
NUMBER = "return Number(document.querySelector('#record [name=number]')?.value ?? 0);"
ROWS = "return document.querySelectorAll('tr[data-key^=deal-]').length;"
WAITING = "return document.getElementById('unsent')?.hidden === false;"
BALANCES = """
return Object.fromEntries([...document.querySelectorAll(".standings li")].map((one) => [
  one.querySelector(".name").firstChild.textContent.trim(),
  Number(one.querySelector(".balance").firstChild.textContent.trim().replace("−", "-"))]));
"""


class Engine(Protocol):
    """A browser with a profile that outlives it."""

    def go(self, url: str) -> None:
        """Open a page."""

    def run(self, script: str) -> Any:
        """Run the body of an asynchronous function on the page, and give what it returns."""

    def kill(self) -> None:
        """End it without a warning, and start another one on the same profile."""


class Gate:
    """The network between a browser and the server: it can go away and come back."""

    def __init__(self, server: int) -> None:
        self.server, self.port = server, free_port()
        self._listener: socket.socket | None = None
        self._open: set[socket.socket] = set()

    def open(self) -> None:
        """Let the network come back."""
        self._listener = socket.create_server(("127.0.0.1", self.port), backlog=64)
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def close(self) -> None:
        """Let the network go, with every connection."""
        listener, self._listener = self._listener, None
        _cut(*self._open)
        self._open.clear()
        if listener is not None:
            _cut(listener)
            listener.close()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while self._listener is listener:
                near = listener.accept()[0]
                far = socket.create_connection(("127.0.0.1", self.server))
                self._open |= {near, far}
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=_pass_on, args=pair, daemon=True).start()
                if self._listener is not listener:
                    _cut(near, far)


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    _cut(source, target)


def _cut(*connections: socket.socket) -> None:
    for one in connections:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


class Chromium:
    """Chromium, by its debugging port."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self.profile = folder / "chromium"
        self.driver = opened.enter_context(sync_playwright())
        self._start()
        opened.callback(self._end)

    def _start(self) -> None:
        port = free_port()
        self.process = _started(
            [
                str(installed()),
                *FLAGS,
                "--headless",
                f"--user-data-dir={self.profile}",
                f"--remote-debugging-port={port}",
                "about:blank",
            ]
        )
        _wait_for_port(port)
        browser = self.driver.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        self.page = browser.contexts[0].pages[0]

    def go(self, url: str) -> None:
        """Open a page."""
        self.page.goto(url)

    def run(self, script: str) -> Any:
        """Run a script on the page."""
        return self.page.evaluate(f"async () => {{ {script} }}")

    def kill(self) -> None:
        """Kill the browser and start it again; a cookie as new as this one it keeps in memory."""
        cookies: Any = self.page.context.cookies()
        self._end()
        self._start()
        self.page.context.add_cookies(cookies)

    def _end(self) -> None:
        _killed(self.process)


class Firefox:
    """Firefox, by the protocol that its own tests use."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self.profile, self.port, self.count = folder / "firefox", free_port(), 0
        self.profile.mkdir()
        settings = f'user_pref("marionette.port", {self.port});\n'
        (self.profile / "user.js").write_text(settings, encoding="ascii")
        self._start()
        opened.callback(self._end)

    def _start(self) -> None:
        program = [_program("firefox-esr", "firefox"), "--headless", "--no-remote", "--marionette"]
        self.process = _started([*program, "--profile", str(self.profile)])
        _wait_for_port(self.port)
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        self._read()
        self._ask("WebDriver:NewSession", capabilities={"alwaysMatch": {}})

    def _read(self) -> Any:
        head = b""
        while not head.endswith(b":"):
            head += self.socket.recv(1)
        left, body = int(head[:-1]), b""
        while left > len(body):
            body += self.socket.recv(left - len(body))
        return json.loads(body)

    def _ask(self, command: str, **values: Any) -> Any:
        self.count += 1
        sent = json.dumps([0, self.count, command, values]).encode()
        self.socket.sendall(b"%d:%s" % (len(sent), sent))
        _, _, error, result = self._read()
        if error:
            raise RuntimeError(error["message"])
        return result

    def go(self, url: str) -> None:
        """Open a page."""
        self._ask("WebDriver:Navigate", url=url)

    def run(self, script: str) -> Any:
        """Run a script on the page."""
        body = f"return (async () => {{ {script} }})();"
        return self._ask("WebDriver:ExecuteScript", script=body, args=[])["value"]

    def kill(self) -> None:
        """Kill the browser and start it again."""
        self._end()
        self._start()

    def _end(self) -> None:
        self.socket.close()
        _killed(self.process)


class WebKit:
    """WebKitGTK's MiniBrowser, by WebDriver, on a screen that nobody sees.

    Under a driver it keeps nothing on the disk: instead of the browser its window is closed.
    """

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        screen, port = f":{90 + os.getpid() % 900}", free_port()
        display = _started([_program("Xvfb"), screen, "-screen", "0", "800x900x24"])
        opened.callback(_killed, display)
        environment = {"DISPLAY": screen, "HOME": str(folder)}
        driver = _started([_program("WebKitWebDriver"), f"--port={port}"], environment)
        opened.callback(_killed, driver)
        _wait_for_port(port)
        self.address = f"http://127.0.0.1:{port}/session"
        found = next(Path("/usr/lib").glob(f"*/{MINI_BROWSERS}"))
        options = {"binary": str(found), "args": ["--automation"]}
        asked = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self.address += "/" + self._ask("", capabilities=asked)["sessionId"]
        opened.callback(self._end)

    def _ask(self, path: str, method: str = "POST", **values: Any) -> Any:
        body = json.dumps(values).encode() if method == "POST" else None
        head = {"Content-Type": "application/json"}
        request = Request(self.address + path, body, head, method=method)
        with urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]

    def go(self, url: str) -> None:
        """Open a page; in a second window it is said to be there before its scripts are."""
        self._ask("/url", url=url)
        _until(lambda: self.run("return document.readyState;") == "complete", url)

    def run(self, script: str) -> Any:
        """Run a script on the page."""
        body = f"return (async () => {{ {script} }})();"
        return self._ask("/execute/sync", script=body, args=[])

    def kill(self) -> None:
        """Close the window and open another one."""
        new = self._ask("/window/new", type="tab")["handle"]
        self._ask("/window", "DELETE")
        self._ask("/window", handle=new)

    def _end(self) -> None:
        with suppress(OSError):
            self._ask("", "DELETE")


ENGINES: dict[str, Callable[[Path, ExitStack], Engine]] = {
    "chromium": Chromium,
    "firefox": Firefox,
    "webkit": WebKit,
}


def _program(*names: str) -> str:
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        raise FileNotFoundError(f"{names[0]} is not installed")
    return found


def _started(command: list[str], more: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        env=os.environ | (more or {}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _killed(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=PATIENCE)


def _wait_for_port(port: int) -> None:
    _until(lambda: not socket.socket().connect_ex(("127.0.0.1", port)), f"port {port}")


def _until(holds: Callable[[], object], what: str) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(Error, RuntimeError, OSError):  # between two pages nothing can be asked
            if holds():
                return
        time.sleep(PAUSE)
    raise TimeoutError(what)


@contextmanager
def served() -> Iterator[Gate]:
    """Serve an empty instance behind a network that can go away."""
    with TemporaryDirectory(prefix="scorer-engines-") as folder, serving(Path(folder)) as url:
        gate = Gate(int(url.rpartition(":")[2]))
        gate.open()
        yield gate
        gate.close()


def _answers(number: int) -> dict[str, Any]:
    caller = number % 5
    return {"caller": caller, "partner": (caller + 2) % 5, "card_points": 40 + 4 * number}


def _record(engine: Engine, number: int) -> None:
    """Answer the questions of a deal and save it."""
    _until(lambda: engine.run(NUMBER) == number, f"the form of deal {number}")
    said = [("bid_rank", "K"), *((name, str(value)) for name, value in _answers(number).items())]
    engine.run(ANSWER.replace("ANSWERS", json.dumps(said)))


def _paid() -> dict[str, int]:
    """What `replay` says of the evening."""
    deals = []
    for number in range(1, LAST + 1):
        said = _answers(number)
        names = {role: SEATS[said[role]] for role in ("caller", "partner")}
        deals.append({"sheet": {**names, "bid": "K", "card_points": said["card_points"]}})
    head = {"format": "scorer-session/1", "game": "briscola-chiamata", "rules": "ladder-bands"}
    answer = replay({**head, "seats": list(SEATS), "deals": deals})
    return {line["player"]: line["balance"] for line in answer["standings"]}


def play(engine: Engine, gate: Gate) -> dict[str, int]:
    """Play the evening; give the balances that the page shows in the end."""
    site = f"http://127.0.0.1:{gate.port}"
    engine.go(f"{site}/join")
    session = site + engine.run(START.replace("NAMES", json.dumps(SEATS)))

    def shows(rows: int) -> None:
        _until(lambda: engine.run(ROWS) == rows and not engine.run(WAITING), f"{rows} deals")

    def record(first: int, last: int) -> None:
        engine.go(f"{session}record")
        for number in range(first, last + 1):
            if number in {AWAY_FROM, KILLED_AFTER + 1}:
                gate.close()
            _record(engine, number)
        _until(lambda: engine.run(NUMBER) != last, f"deal {last} to be saved")

    for number in range(1, AWAY_FROM):
        record(number, number)
        shows(number)
    record(AWAY_FROM, KILLED_AFTER)
    engine.kill()
    gate.open()
    engine.go(session)
    shows(KILLED_AFTER)
    record(KILLED_AFTER + 1, AWAY_TO)
    gate.open()
    shows(AWAY_TO)
    for number in range(AWAY_TO + 1, LAST + 1):
        record(number, number)
        shows(number)
    return dict(engine.run(BALANCES))


def main() -> int:
    """Play the evening in each engine, print what came of it, and give the exit status."""
    parser = ArgumentParser("load.engines", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="ENGINE", help=", ".join(ENGINES))
    missed = 0
    for name in parser.parse_args().names or ENGINES:
        before = time.monotonic()
        try:
            with TemporaryDirectory() as folder, ExitStack() as opened, served() as gate:
                found = play(ENGINES[name](Path(folder), opened), gate)
            verdict = "held" if found == _paid() else f"MISSED: {found}, not {_paid()}"
        except (OSError, RuntimeError, TimeoutError) as error:
            verdict = f"MISSED: {error}"
        missed += verdict != "held"
        print(f"{name}: {verdict}, {time.monotonic() - before:.0f} s", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
