"""The files of `deploy`: each is run, or read by the program that it is for."""

import hashlib
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPSHandler, OpenerDirector, Request, build_opener

import psycopg
import pytest
import yaml
from flask import Flask
from sqlalchemy import make_url

from scorer import create_app
from scorer.services.base.clock import now
from scorer.settings import CHECKOUT
from scorer.storage import backups, db
from tests import commands
from tests.serving import SCORER, SERVE, free_port, make_certificate, running

DEPLOY = CHECKOUT / "deploy"
UNITS = ("scorer.service", "scorer-backup.service", "scorer-backup.timer")
#: Where the units expect the program, and the folder of its backups.
INSTALLED, BACKUPS = "/opt/scorer/bin", "/var/lib/scorer-backups"
#: The most that `systemd-analyze security` may say of a unit, in tenths: below 25 is "OK".
EXPOSURE = 25
PATIENCE = 90.0


def program(name: str, package: str) -> str:
    """Give where a program of the system is; without it the test is skipped, which CI refuses."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is missing: apt-get install {package}")
    return found


def run(*command: object, folder: Path, **settings: str) -> str:
    """Run a command on the data in a folder, and give what it prints."""
    environment = os.environ | {"SCORER_INSTANCE": str(folder)} | settings
    words = [str(word) for word in command]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def http2(https: int) -> dict[str, str]:
    """Give what stands for HTTPS with HTTP/2 in our configuration, and what this nginx takes."""
    command = [program("nginx", "nginx-light"), "-v"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    version = tuple(map(int, re.findall(r"[0-9]+", output)[:3]))
    if version >= (1, 25, 1):
        return {"listen 443 ssl;": f"listen 127.0.0.1:{https} ssl;"}
    return {"listen 443 ssl;": f"listen 127.0.0.1:{https} ssl http2;", "    http2 on;\n": ""}


def nginx(folder: Path, http: int, https: int, server: Path) -> list[str]:
    """Give the command of nginx with our configuration, at other ports, for a socket file."""
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    for old, new in {
        "listen [::]:": "# ",
        "listen 80;": f"listen 127.0.0.1:{http};",
        **http2(https),
        "127.0.0.1:8000": f"unix:{server}",
        "https://scorer.example$": f"https://localhost:{https}$",
        "scorer.example": "localhost",
        "/etc/ssl/scorer": str(folder),
    }.items():
        assert old in text
        text = text.replace(old, new)
    file = folder / "nginx.conf"
    events = "events { worker_connections 4096; }"
    file.write_text(f"{events}\nhttp {{\naccess_log off;\n{text}\n}}\n", "utf-8")
    own = f"daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;"
    return [program("nginx", "nginx-light"), "-c", str(file), "-g", own]


def caddy(folder: Path, http: int, https: int, server: str) -> list[str]:
    """Give the command of Caddy with our configuration, at other ports and with a certificate."""
    found, name = program("caddy", "caddy"), "scorer.example {\n"
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    assert name in text
    ours = f"localhost {{\n\ttls {folder}/scorer.crt {folder}/scorer.key\n"
    ports = f"{{\n\tadmin off\n\thttp_port {http}\n\thttps_port {https}\n}}\n"
    text = text.replace(name, ours).replace("127.0.0.1:8000", server)
    (folder / "Caddyfile").write_text(ports + text, "utf-8")
    return [found, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@contextmanager
def started(command: Sequence[str], folder: Path, ready: Callable[[], bool]) -> Iterator[None]:
    """Run a program while the block runs, which begins once it is ready."""
    environment = os.environ | {"HOME": str(folder), "SCORER_INSTANCE": str(folder)}
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        until = time.monotonic() + PATIENCE
        while not ready():
            assert process.poll() is None, (folder / "log").read_text("utf-8")
            assert time.monotonic() < until
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def is_open(port: int) -> bool:
    """Whether somebody listens at a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def browser_of(folder: Path) -> OpenerDirector:
    """Give a browser that keeps cookies and trusts the authority of a folder."""
    trusting = ssl.create_default_context(cafile=folder / "home-ca.crt")
    return build_opener(HTTPSHandler(context=trusting), HTTPCookieProcessor())


def let_in(browser: OpenerDirector, site: str, folder: Path) -> str:
    """Let a browser into a new circle, which has a stream; give the circle's address."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCORER_INSTANCE", str(folder))
        link = commands.run("circle", "Bar", "--address", site).stdout.decode().strip()
    with browser.open(f"{site}/join") as page:
        token = re.search(r'name="csrf_token" value="([^"]+)"', page.read().decode())
    assert token
    form = urlencode({"csrf_token": token[1], "code": link}).encode()
    with browser.open(Request(f"{site}/join", form, {"Referer": f"{site}/join"})) as circle:
        address = re.match(rf"{site}/circles/[^/]+/", circle.url)
    assert address
    with browser.open(f"{address[0]}events", timeout=PATIENCE) as stream:
        assert stream.readline()
    return address[0]


def redirect(port: int, path: str) -> tuple[int, str | None]:
    """Ask over plain HTTP; give the status and where the answer leads."""
    connection = HTTPConnection("localhost", port, timeout=PATIENCE)
    connection.request("GET", path)
    answer = connection.getresponse()
    connection.close()
    return answer.status, answer.headers["Location"]


@pytest.mark.slow
def test_proxies_speak_https_and_hand_on_what_the_server_says(tmp_path: Path) -> None:
    make_certificate(tmp_path)
    names = "TRUSTED_HOSTS = ['localhost', '127.0.0.1']"
    (tmp_path / "config.py").write_text(f"PROXY_HOPS = 1\n{names}\n", "ascii")
    file = tmp_path / "scorer.socket"
    lies = {"X-Forwarded-Prefix": "/evil", "X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil"}
    ports = [(free_port(), free_port()) for _ in range(2)]
    *words, own = nginx(tmp_path, *ports[0], file)
    proxies = [*words, f"user root; {own}"], caddy(tmp_path, *ports[1], f"unix/{file}")
    server = [*SERVE, "--https", "--socket", str(file), "--workers", "1"]

    with started(server, tmp_path, file.is_socket), ExitStack() as opened:
        for command, (http, https) in zip(proxies, ports, strict=True):
            opened.enter_context(started(command, tmp_path, partial(is_open, https)))
            browser, site = browser_of(tmp_path), f"https://localhost:{https}"
            status, target = redirect(http, "/rules?x=1")
            with browser.open(Request(f"{site}/", headers=lies)) as answer:
                page, headers = answer.read().decode(), answer.headers
            let_in(browser, site, tmp_path)

            assert status == 308
            # Caddy knows one port.
            assert target in {f"{site}/rules?x=1", "https://localhost/rules?x=1"}
            assert "evil" not in page
            assert "max-age=63072000" in headers["Strict-Transport-Security"]

    assert not file.exists()


@pytest.mark.slow
def test_caddy_takes_its_file_as_it_is(tmp_path: Path) -> None:
    validate = (program("caddy", "caddy"), "validate", "--adapter", "caddyfile", "--config")

    run(*validate, DEPLOY / "Caddyfile", folder=tmp_path)


@pytest.mark.slow
def test_caddy_hands_on_what_is_below_a_path(tmp_path: Path) -> None:
    https, server = free_port(), free_port()
    make_certificate(tmp_path)
    site = f"https://localhost:{https}"
    (tmp_path / "config.py").write_text(
        f"PROXY_HOPS = 1\nPUBLIC_URL = '{site}/cards'\nTRUSTED_HOSTS = ['localhost', '127.0.0.1']\n"
    )
    command = caddy(tmp_path, free_port(), https, f"127.0.0.1:{server}")
    page = (CHECKOUT / "docs/hosting.md").read_text("utf-8")
    (lines,) = re.findall(r"```\n(redir /cards .*?)```", page, re.DOTALL)
    text = (tmp_path / "Caddyfile").read_text("utf-8")
    head = text[: text.index("\t# The largest")]
    lines = lines.replace("127.0.0.1:8000", f"127.0.0.1:{server}")
    (tmp_path / "Caddyfile").write_text(f"{head}{lines}}}\n", "utf-8")

    with (
        started(command, tmp_path, partial(is_open, https)),
        running(tmp_path, program=(*SERVE, "--https"), port=server),
    ):
        circle = let_in(browser_of(tmp_path), f"{site}/cards", tmp_path)

    assert circle.startswith(f"{site}/cards/circles/")


def test_prometheus_takes_the_alerts_and_the_metrics(app: Flask, tmp_path: Path) -> None:
    backups.note_backup(Path(app.instance_path), now())
    measured = create_app({"DATABASE_URL": app.config["DATABASE_URL"], "METRICS": True})
    figures = measured.test_client().get("/metrics").get_data()
    with measured.app_context():
        db.engine.dispose()
    alerts = (DEPLOY / "prometheus-alerts.yml").read_text("utf-8")
    named = set(re.findall(r"scorer_[a-z_]+", alerts))
    known = {line.split()[2] for line in figures.decode().splitlines() if line[:6] == "# TYPE"}

    assert {name.removesuffix("_bucket") for name in named} <= known
    promtool = program("promtool", "prometheus")
    run(promtool, "check", "rules", DEPLOY / "prometheus-alerts.yml", folder=tmp_path)
    checked = subprocess.run(
        [promtool, "check", "metrics"], input=figures, capture_output=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, b"")


#: Series of a server, whether it is up, and whether an old backup is reported.
OLD_BACKUPS = {
    "an old backup": ({"up": 1, "scorer_backup_age_seconds": 300_000}, True),
    "none ever": ({"up": 1}, True),
    "a new backup": ({"up": 1, "scorer_backup_age_seconds": 3_600}, False),
    "a server that is down": ({"up": 0}, False),
    "a server that is down, with what it said before": (
        {"up": 0, "scorer_backup_age_seconds": 300_000},
        False,
    ),
}


def test_old_backup_is_reported_of_a_server_that_is_up(tmp_path: Path) -> None:
    labels = '{job="scorer", instance="here"}'
    summary = "No backup of Scorer for three days"
    alert = {
        "exp_labels": {"severity": "warning", "job": "scorer", "instance": "here"},
        "exp_annotations": {
            "summary": summary,
            "description": "Look at `systemctl status scorer-backup`.",
        },
    }
    expected = {"eval_time": "3h", "alertname": "ScorerBackupOld"}
    tested = {
        "rule_files": [str(DEPLOY / "prometheus-alerts.yml")],
        "evaluation_interval": "1m",
        "tests": [
            {
                "name": name,
                "interval": "1m",
                "input_series": [
                    {"series": f"{one}{labels}", "values": f"{value}x240"}
                    for one, value in series.items()
                ],
                "alert_rule_test": [{**expected, "exp_alerts": [alert] * told}],
            }
            for name, (series, told) in OLD_BACKUPS.items()
        ],
    }
    (tmp_path / "tests.yml").write_text(yaml.safe_dump(tested), "utf-8")

    run(program("promtool", "prometheus"), "test", "rules", tmp_path / "tests.yml", folder=tmp_path)


@pytest.mark.parametrize("name", ["test.yml", "release.yml"])
def test_workflow_pins_its_actions_and_takes_rights_by_job(name: str) -> None:
    text = (CHECKOUT / ".github/workflows" / name).read_text("utf-8")
    workflow = yaml.safe_load(text)

    for used in re.findall(r"uses: (.+)", text):
        assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[0-9.]+", used)
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        assert "write-all" not in job["permissions"]
        assert job["timeout-minutes"]


def commands_of(unit: str) -> list[list[str]]:
    """List what a unit runs, one command after the other."""
    text = (DEPLOY / unit).read_text("utf-8")
    return [shlex.split(line) for line in re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)]


@pytest.mark.slow
def test_units_are_what_systemd_understands_and_calls_safe(tmp_path: Path) -> None:
    analyze = program("systemd-analyze", "systemd")
    for name in UNITS:
        text = (DEPLOY / name).read_text("utf-8").replace(INSTALLED, str(tmp_path))
        (tmp_path / name).write_text(text, "utf-8")
    for name in ("scorer", "restore-drill"):
        shutil.copy(DEPLOY / "restore-drill", tmp_path / name)
    files = [str(tmp_path / name) for name in UNITS]

    done = subprocess.run([analyze, "verify", *files], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    for file in files[:2]:
        most = f"--threshold={EXPOSURE}"
        run(analyze, "security", "--offline=true", most, file, folder=tmp_path)


def test_units_may_write_where_the_documents_put_the_logs() -> None:
    text = (CHECKOUT / "docs/logs.md").read_text("utf-8")
    (folder,) = set(re.findall(r"^/var/log/([\w-]+)/\S+ \{$", text, re.MULTILINE))

    units = [(DEPLOY / name).read_text("utf-8") for name in UNITS if name.endswith(".service")]

    assert len(units) == 2
    assert all(f"\nLogsDirectory={folder}\n" in unit for unit in units)


def back_up(backups: Path) -> str:
    """Run what the unit of the backups runs first; give what it prints."""
    (_, *words), _ = commands_of("scorer-backup.service")
    assert words[-1] == BACKUPS
    return commands.run(*words[:-1], str(backups)).stdout.decode()


@pytest.fixture(scope="module")
def backed_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a circle that was backed up as the timer does."""
    folder = tmp_path_factory.mktemp("instance")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCORER_INSTANCE", str(folder))
        assert commands.run("circle", "Bar", "--address", "").returncode == 0
        assert "It contains the secret key" in back_up(folder / "backups")
    return folder


@pytest.mark.slow
def test_backups_of_the_timer_are_restored_and_verified(backed_up: Path, tmp_path: Path) -> None:
    _, drill = commands_of("scorer-backup.service")
    shutil.copy(DEPLOY / "restore-drill", tmp_path)
    (tmp_path / "scorer").symlink_to(SCORER)
    log, here = tmp_path / "security.log", {INSTALLED: tmp_path, BACKUPS: backed_up / "backups"}
    for old, new in here.items():
        drill = [word.replace(old, str(new)) for word in drill]

    verified = run(*drill, folder=tmp_path, SCORER_SECURITY_LOG=str(log))

    assert "no differences" in verified.splitlines()[-1]
    assert not log.exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["restic", "rclone"])
def test_copies_elsewhere_are_encrypted_and_restored(
    name: str, backed_up: Path, tmp_path: Path
) -> None:
    for needed in {name, "age" if name == "rclone" else name}:
        program(needed, needed)
    drill = tmp_path / "drill"  # as the test before restores and verifies the same copy
    drill.write_text("#!/bin/sh\nfind $1 -name 'scorer-*' -exec sha256sum {} +\n", "ascii")
    drill.chmod(0o700)
    page = (CHECKOUT / "docs/hosting.md").read_text("utf-8")
    (recipe,) = re.findall(rf"```sh\n(BACKUPS=(?:(?!```).)*?\b{name} .*?)```", page, re.DOTALL)
    for old, new in {
        "/var/lib/scorer-backups": backed_up / "backups",
        "/mnt/away": tmp_path / "away",
        "/etc/scorer-restic.password": tmp_path / "password",
        "/etc/scorer-age.public": tmp_path / "age.public",
        "KEY=scorer-age.key": f"KEY={tmp_path}/age.key",
        "restore-drill": drill,
    }.items():
        recipe = recipe.replace(old, str(new))

    output = run("sh", "-e", "-c", recipe, folder=tmp_path)

    (copy,) = (backed_up / "backups").iterdir()
    assert output.splitlines()[-1].startswith(hashlib.sha256(copy.read_bytes()).hexdigest())
    kept = [file for file in (tmp_path / "away").rglob("*") if file.is_file()]
    assert kept
    assert not any(backups.is_database(file) for file in kept)


@pytest.mark.slow
@pytest.mark.postgres
def test_postgresql_is_set_up_by_the_file_and_backed_up(
    postgres_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = make_url(postgres_server).set(drivername="postgresql")
    text = re.sub(
        r"^--.*\n", "", (DEPLOY / "postgresql.sql").read_text("utf-8"), flags=re.MULTILINE
    )
    with psycopg.connect(admin.render_as_string(hide_password=False), autocommit=True) as server:
        try:
            for statement in filter(str.strip, text.split(";")):
                server.execute(statement.encode())
            address = admin.set(username="scorer", database="scorer")
            url = address.render_as_string(hide_password=False)
            monkeypatch.setenv("SCORER_INSTANCE", str(tmp_path))
            monkeypatch.setenv("SCORER_DATABASE_URL", url)
            assert commands.run("circle", "Bar", "--address", "").returncode == 0
            saved = back_up(tmp_path / "backups")
        finally:
            server.execute("DROP DATABASE IF EXISTS scorer WITH (FORCE)")
            server.execute("DROP ROLE IF EXISTS scorer")

    assert "It contains the secret key" in saved
    monkeypatch.delenv("SCORER_DATABASE_URL")
    (copy,) = (tmp_path / "backups").iterdir()
    assert commands.run("restore", str(copy)).returncode == 0
    assert b"no differences" in commands.run("verify").stdout


DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8").replace("\\\n", "")


def test_image_copies_what_is_there_and_what_is_not_ignored() -> None:
    copied = [
        source
        for line in re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE)
        for source in line.split()[:-1]
    ]
    let_through = re.findall(
        r"^!(.+)$", (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8"), re.MULTILINE
    )

    assert sorted(copied) == sorted(let_through)
    assert [source for source in copied if not (CHECKOUT / source).exists()] == []


def test_image_is_made_with_code_that_runs(tmp_path: Path) -> None:
    (code,) = re.findall(r"python -c '([^']+)'", DOCKERFILE)

    run(SCORER.with_name("python"), "-W", "error", "-c", code, folder=tmp_path)


def test_image_is_made_as_the_linter_wants_it(tmp_path: Path) -> None:
    linter = SCORER.with_name("hadolint")
    if not linter.exists():
        pytest.skip("hadolint has no wheel for this machine")

    assert run(linter, DEPLOY / "Dockerfile", folder=tmp_path) == ""
