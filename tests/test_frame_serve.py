import json
import os
import re
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest
from jinja2 import DictLoader, Environment

from scorer import __version__, create_app, storage
from scorer.cli import main
from scorer.errors import ScorerError
from scorer.listening import ONLY_HERE, ListenPlace, address, invitation, last_address, moved
from scorer.serve import bring_up, encrypted, template_cache
from scorer.settings import CHECKOUT
from scorer.storage import migrate
from scorer.web.base.headers import EVERYWHERE
from tests.serving import PATIENCE, SCORER, SERVE, developing, make_certificate, serving
from tests.test_frame_modes import mode, modes, umask

#: A server whose second worker is told to stop before it handles signals.
SLOW_WORKER = """
import sys, time
from gevent import monkey
monkey.patch_all()
from gunicorn.workers.base import Worker
from scorer.cli import main
at_once = Worker.init_signals
def late(worker):
    time.sleep(0.5 * (worker.age == 2))
    at_once(worker)
Worker.init_signals = late
main()
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Give the address and the folder of a server that was started without any settings."""
    folder = tmp_path_factory.mktemp("served")
    folder.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch, umask(0):
        patch.setenv("MPLCONFIGDIR", str(folder / "fonts"))
        with serving(folder, workers=2) as url:
            yield url, folder
    assert list(folder.glob("scorer.sqlite-*")) == []


def test_first_start_says_one_line_and_the_address(served: tuple[str, Path]) -> None:
    url, folder = served
    with urlopen(f"{url}/health") as health:
        assert health.status == 200

    first, opened, only_here = (folder / "server.log").read_text().splitlines()[:3]
    assert re.fullmatch(
        rf"Scorer {re.escape(__version__)}: tables {migrate.newest()}, SQLite [\d.]+, 2 workers",
        first,
    )
    assert (opened, only_here) == (f"Scorer is open at {url}/", ONLY_HERE)
    assert [*(folder / "fonts").iterdir()]


def test_start_makes_data_that_only_its_owner_reads(served: tuple[str, Path]) -> None:
    _, folder = served
    made = modes(folder)

    folders = {name for name in made if name.startswith(("fonts", "templates-"))}
    assert {*(made.pop(name) for name in folders), mode(folder)} == {"700"}
    assert len(folders) == 2
    assert {"scorer.sqlite", "scorer.sqlite-wal", "secret.key", "server.log"} <= made.keys()
    assert set(made.values()) == {"600"}


def test_start_says_from_where_the_tables_were_brought(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app({"DATABASE_URL": f"sqlite:///{tmp_path}/scorer.sqlite", "LAN_HTTP": True})
    revisions = iter(["older", "newer"])
    monkeypatch.setattr(storage, "revision", lambda: next(revisions))

    with app.app_context():
        storage.upgrade()
        monkeypatch.setattr(storage, "upgrade", lambda: Path("scorer-older.sqlite"))
        text = bring_up()
        storage.db.engine.dispose()

    assert re.fullmatch(
        r"tables newer \(upgraded from older in 0\.0 s; copied before to scorer-older\.sqlite\), "
        r"SQLite [\d.]+",
        text,
    )


def test_port_in_use_is_told_in_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        with pytest.raises(OSError, match=f"cannot listen at port {port} of 127.0.0.1 .*--port"):
            ListenPlace("127.0.0.1", port).probe()


class AtFile(HTTPConnection):
    """A connection to a socket file."""

    def __init__(self, file: Path) -> None:
        super().__init__("localhost")
        self._file = file

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self._file))


def at_file(file: Path, path: str, **headers: str) -> str:
    connection = AtFile(file)
    connection.request("GET", path, headers=headers)
    try:
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def test_socket_file_is_served_and_the_workers_count_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scorer.socket"
    token = "a-token-of-a-machine"
    monkeypatch.setenv("SCORER_INSTANCE", str(tmp_path))
    monkeypatch.setenv("SCORER_METRICS", "yes")
    monkeypatch.setenv("SCORER_METRICS_TOKEN", token)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    command = [str(SCORER), "serve", "--socket", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdout
        assert server.stdout.readline().decode().endswith(", 2 workers\n")
        assert server.stdout.readline().decode() == f"Scorer waits for its proxy at unix:{file}\n"
        with pytest.raises(ScorerError, match=str(file)):
            ListenPlace("", 0, file).probe()
        replies = [at_file(file, "/health/live") for _ in range(20)]
        figures = at_file(file, "/metrics", Authorization=f"Bearer {token}")
        status = json.loads(at_file(file, "/status", Authorization=f"Bearer {token}"))
        assert main(["status", "--json"]) == 0
        mode = file.stat().st_mode & 0o777
        server.terminate()

    assert set(replies) == {'{"ok":true}\n'}
    assert 'scorer_requests_total{endpoint="health.live",method="GET",status="200"} 20.0' in figures
    assert json.loads(capfd.readouterr().out) == status
    assert (status["streams"], status["errors_today"]) == (0, 0)
    assert mode == 0o770
    assert not file.exists()
    assert list(tmp_path.glob("scorer-metrics-*")) == []


@pytest.mark.slow
def test_worker_that_is_told_to_stop_while_it_starts_stops(tmp_path: Path) -> None:
    with serving(tmp_path, program=(sys.executable, "-c", SLOW_WORKER, *SERVE[1:]), workers=2):
        pass

    assert list(tmp_path.glob("scorer.sqlite-*")) == []  # which a killed worker leaves


@pytest.mark.slow
def test_demo_writes_nothing_that_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setenv("SCORER_SECRET_KEY", "that of the real server")

    with serving(tmp_path, program=(*SERVE, "--demo"), database_url="sqlite:////none") as url:
        browser = build_opener(HTTPCookieProcessor())
        with browser.open(url) as page:
            token = re.search(r'name="csrf_token" value="([^"]+)"', page.read().decode())
        assert token
        form = urlencode({"csrf_token": token[1]}).encode()
        with browser.open(f"{url}/demo", form) as circle:
            assert "Friday at Bea’s" in circle.read().decode()
        during = [path.name for path in (tmp_path / "tmp").glob("scorer-demo-*/scorer.sqlite")]

    assert during == ["scorer.sqlite"]
    assert list((tmp_path / "tmp").glob("scorer-*")) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["server.log", "tmp"]


def answer_to(
    url: str, request: bytes, trusting: ssl.SSLContext | None = None
) -> tuple[int, dict[str, str]]:
    """Send bytes, and give the status and the headers that come back."""
    host, port = url.partition("://")[2].split(":")
    plain = socket.create_connection((host, int(port)), timeout=PATIENCE)
    with trusting.wrap_socket(plain, server_hostname=host) if trusting else plain as client:
        client.sendall(request)
        answer = b""
        with suppress(ConnectionResetError):  # what it didn't read any more was lost
            while more := client.recv(65536):
                answer += more
    status, *lines = answer.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    return int(status.split()[1]), dict(line.split(": ", 1) for line in lines)


REFUSED_BY_THE_SERVER = [
    pytest.param(b"nonsense\r\n\r\n", 400, id="no request"),
    pytest.param(b"GE(T / HTTP/1.1\r\n\r\n", 400, id="method"),
    pytest.param(b"GET / HTTP/9.9\r\n\r\n", 400, id="version"),
    pytest.param(b"GET / HTTP/1.1\r\nA b: c\r\n\r\n", 400, id="name of a header"),
    pytest.param(b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400, id="length"),
    pytest.param(
        b"GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        400,
        id="two lengths",
    ),
    pytest.param(
        b"POST /join HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        400,
        id="length of a chunk",
    ),
    pytest.param(b"GET / HTTP/1.1\r\nTransfer-Encoding: odd\r\n\r\n", 501, id="encoding"),
    pytest.param(b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\n\r\n", 414, id="long address"),
    pytest.param(b"GET / HTTP/1.1\r\nA: " + b"x" * 9000 + b"\r\n\r\n", 431, id="long header"),
    pytest.param(b"GET / HTTP/1.1\r\n" + b"A: x\r\n" * 200 + b"\r\n", 431, id="many headers"),
]


@pytest.mark.parametrize(("request_", "status"), REFUSED_BY_THE_SERVER)
def test_what_the_application_never_sees_is_answered_with_the_headers_too(
    site: str, request_: bytes, status: int
) -> None:
    answered, headers = answer_to(site, request_)

    assert answered == status
    assert EVERYWHERE.items() <= headers.items()


def test_photo_that_is_too_large_is_answered_and_not_cut_off(site: str) -> None:
    sent = HTTPConnection(site.removeprefix("http://").rstrip("/"), timeout=PATIENCE)
    sent.request("POST", "/join", bytes(9_000_000), {"Content-Type": "multipart/form-data"})
    answer = sent.getresponse()

    assert (answer.status, b"2 MB for a photo" in answer.read()) == (413, True)
    sent.close()


def test_forwarded_headers_are_believed_from_no_proxy_that_is_not_named(
    served: tuple[str, Path],
) -> None:
    url, _ = served
    forwarded = "X-Forwarded-Proto: https\r\nX-Forwarded-Host: evil.example\r\n"

    def status(origin: str) -> int:
        host = url.removeprefix("http://")
        lines = f"POST /language HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n{forwarded}"
        return answer_to(url, f"{lines}Connection: close\r\n\r\n".encode())[0]

    unnamed = status(url), status("https://evil.example")

    assert unnamed == (400, 403)  # without its token, and from another site


def test_address_is_that_of_the_host_or_one_that_a_phone_can_reach() -> None:
    everywhere = address("0.0.0.0", 80)  # noqa: S104  # a name for all of them

    assert address("127.0.0.1", 80) == "http://127.0.0.1:80/"
    assert address("::1", 80) == "http://[::1]:80/"
    assert re.fullmatch(r"http://(?!0\.0\.0\.0).+:80/", everywhere)


def test_invitation_has_a_code_on_a_terminal_and_says_where_no_phone_can_open_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logged = invitation("http://192.0.2.7:8000/")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    code, _, shown = invitation("http://192.0.2.7:8000/").rpartition("\n")

    assert logged == shown == "Scorer is open at http://192.0.2.7:8000/"
    assert {*code} == set(" █▀▄\n")
    assert ONLY_HERE in invitation("http://127.0.0.1:8000/")


def test_start_at_another_address_than_phones_know_says_how_they_come_back_in(
    tmp_path: Path,
) -> None:
    here, first, second = "http://127.0.0.1:80/", "http://192.168.1.20/", "http://192.168.1.31/"
    starts = [here, first, first, here, second, second]

    told = [([*moved(tmp_path, url)], last_address(tmp_path)) for url in starts]

    assert [last for _, last in told] == [here, first, first, first, second, second]
    assert [len(lines) for lines, _ in told] == [0, 0, 0, 0, 1, 0]
    (warning,) = told[4][0]
    assert first in warning
    assert "scorer link CIRCLE" in warning


def test_commands_print_links_to_the_address_of_the_server(
    served: tuple[str, Path], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    url, folder = served
    monkeypatch.setenv("SCORER_INSTANCE", str(folder))
    statuses = [main(words) for words in (["circle", "Bar"], ["link", "Bar"], ["demo"])]

    assert statuses == [0, 0, 0]
    printed = capfd.readouterr().out.splitlines()
    assert len(printed) == 3
    assert all(line.startswith(f"{url}/join#") for line in printed)


def test_templates_are_compiled_once_for_each_state_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rendered(text: str) -> str:
        pages, cache = DictLoader({"page": text}), template_cache(tmp_path)
        env = Environment(loader=pages, bytecode_cache=cache, autoescape=True)
        return env.get_template("page").render()

    (tmp_path / "templates-of-another-program").mkdir()
    pages = [rendered("one"), rendered("two")]
    (folder,) = tmp_path.glob("templates-*")
    assert len([*folder.iterdir()]) == 1
    monkeypatch.setattr(Environment, "compile", None)

    assert [*pages, rendered("two")] == ["one", "two", "two"]
    assert mode(folder) == "700"


def test_what_cannot_be_kept_beside_the_data_is_no_matter(tmp_path: Path) -> None:
    assert template_cache(tmp_path / "nowhere") is None
    assert [*moved(tmp_path / "nowhere", "http://192.168.1.20:8000/")] == []


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a certificate of an authority of one's own."""
    folder = tmp_path_factory.mktemp("certificate")
    make_certificate(folder)
    return folder


@pytest.mark.parametrize(
    ("file", "key", "said"),
    [
        pytest.param("none.crt", "scorer.key", "does not exist", id="no file"),
        pytest.param("scorer.crt", "home-ca.key", "key values mismatch", id="another key"),
        pytest.param("scorer.ext", "scorer.key", "in PEM", id="no certificate"),
    ],
)
def test_certificate_that_cannot_be_used_is_told_in_a_sentence(
    certificate: Path, file: str, key: str, said: str
) -> None:
    with pytest.raises(ScorerError, match=said):
        encrypted(str(certificate / file), str(certificate / key))


def test_certificate_without_its_key_is_a_fault() -> None:
    told = "a certificate needs its key: --certificate FILE --key FILE"
    with pytest.raises(ScorerError, match=f"^{told}$"):
        create_app({"LAN_HTTP": True, "CERTIFICATE": "x"})


def test_certificate_makes_cookies_secure() -> None:
    app = create_app({"LAN_HTTP": True, "CERTIFICATE": "x", "CERTIFICATE_KEY": "y"})

    assert app.config["SESSION_COOKIE_SECURE"]
    assert not app.config["LAN_HTTP"]


@pytest.mark.slow
def test_make_dev_lets_the_owner_into_an_invented_circle_and_reloads(tmp_path: Path) -> None:
    script = CHECKOUT / "static/base/scorer.js"
    with developing(tmp_path) as (url, log):
        code = re.search(rf"{url}/join#(\S+)", log.read_text(encoding="utf-8"))
        phone = build_opener(HTTPCookieProcessor())
        token = re.search(
            r'name="csrf_token" value="([^"]+)"', phone.open(f"{url}/join").read().decode()
        )
        assert code
        assert token
        form = urlencode({"csrf_token": token[1], "code": code[1]}).encode()
        circle = phone.open(f"{url}/join", form).read().decode()

        os.utime(script)
        until = time.monotonic() + PATIENCE
        while f"Detected change in '{script}'" not in log.read_text(encoding="utf-8"):
            assert time.monotonic() < until
            time.sleep(0.1)

    assert "The Friday table" in circle
    assert (tmp_path / "dev/scorer.sqlite").is_file()
