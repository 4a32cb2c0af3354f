"""The security log: each event in a line of JSON, without secrets and without what was typed."""

import json
import re
import shutil
import sys
from collections.abc import Iterator
from configparser import RawConfigParser
from datetime import UTC, datetime
from pathlib import Path
from socket import AF_UNIX, socket
from typing import Any

import pytest
from flask import Flask

from scorer import create_app, logs
from scorer.cli import main
from scorer.logs import COMMANDS, ENTERED, SECURITY
from scorer.roles import Role
from scorer.routes import FACTS
from scorer.services.base import clock
from scorer.settings import CHECKOUT, SettingsError
from scorer.web.circle.sharing import MOST_WRONG
from tests.services.evenings import FIVE
from tests.web.conftest import SETTINGS, app_with
from tests.web.figures.test_players import with_adda
from tests.web.phones import Phone
from tests.web.rows import link_ids, phone_ids

DOCUMENT = (CHECKOUT / "docs/logs.md").read_text(encoding="utf-8")
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


class Log:
    """An app and the file that its security log goes to."""

    def __init__(self, app: Flask, file: Path) -> None:
        self.app = app
        self.file = file

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Read what was written."""
        return [json.loads(line) for line in self.file.read_text(encoding="ascii").splitlines()]

    @property
    def events(self) -> list[str]:
        """Name what was written."""
        return [line["event"] for line in self.lines]

    def phone(self) -> Phone:
        """Give a phone."""
        return Phone(self.app)


@pytest.fixture(scope="module")
def logging(shared_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Log]:
    file = tmp_path_factory.mktemp("log") / "security.log"
    with app_with(shared_url, SECURITY_LOG=str(file)) as app:
        yield Log(app, file)
    logs._open(SECURITY, "SECURITY_LOG", None)


@pytest.fixture
def log(logging: Log) -> Log:
    """Give the app, with nothing in its log yet, whichever log a test before has opened."""
    logs._open(SECURITY, "SECURITY_LOG", str(logging.file))
    logging.file.write_text("")
    return logging


def test_who_comes_in_and_what_owners_do_is_told(log: Log) -> None:
    owner, guest = log.phone(), log.phone()
    merge = with_adda(owner)
    circle, code = owner.circle_url, owner.link().partition("#")[2]
    with clock.at(NOON):
        guest.post("/join", {"code": code})
    away = phone_ids(owner)[0]  # at noon it came before the owner
    guest.post("/join", {"code": "guessed"})
    owner.post(f"{circle}phones/{away}/role", {"role": "player"})
    owner.post(f"{circle}phones/{away}/away")
    guest.get(owner.url)
    owner.post(f"{circle}links/{link_ids(owner)[0]}/revoke")
    guest.post("/join", {"code": code})
    owner.post(f"{circle}rename", {"name": ""})
    owner.post(f"{circle}rename", {"name": "Friday"})
    owner.post(f"{circle}zone", {"zone": "Nowhere"})
    owner.post(f"{circle}zone", {"zone": "Europe/Rome"})
    owner.post(f"{circle}file")
    owner.post(merge, {"other": owner.player("Adda")})
    owner.post(merge, {"other": owner.player("Adda"), "sure": "yes"})
    owner.post(f"{circle}delete", {"name": "Friday"})

    assert log.events == [
        "circle-begun", "link-made", "joined", "join-failed", "role-given", "phone-sent-away",
        "stranger", "link-revoked", "join-failed", "circle-renamed", "zone-set",
        "circle-exported", "players-merged", "circle-deleted",
    ]  # fmt: skip
    assert log.lines[2] == {
        "at": "2026-11-22T12:00:00Z",
        "event": "joined",
        "address": guest.client.environ_base["REMOTE_ADDR"],
        "circle": str(owner.keys[0]),
        "phone": str(away),
        "method": "POST",
        "endpoint": "circles.join_sent",
    }
    assert log.lines[4]["of_phone"] == str(away)
    assert {line["circle"] for line in log.lines if line["event"] != "join-failed"} == {
        str(owner.keys[0])
    }


def test_what_programs_do_and_who_is_refused_is_told(log: Log) -> None:
    owner, other, program = log.phone().start(), log.phone().start(), log.phone()
    address = f"/api/v1{owner.url}deals"
    deal = json.dumps({"key": str(owner.keys[1]), "number": 1, "outcome": "misdeal"})
    pen, watching = (
        {"Authorization": f"Bearer {owner.secret(role)}"} for role in ("scorekeeper", "spectator")
    )
    before = len(log.events)
    program.post(address, deal, headers=pen)
    program.post(address, deal, headers=pen)
    program.post(address, deal, headers=watching)
    program.get(f"/api/v1{other.circle_url}sessions", headers=pen)
    program.get(f"{address}/1", headers={"Authorization": "Bearer guessed"})
    program.get(f"{address}/1")
    owner.post("record", owner.deal(), headers={"Origin": "https://evil.example"})
    owner.get(headers={"Host": "evil.example"})
    spectator = owner.let_in(log.phone(), role="spectator")
    spectator.get("record")
    with clock.at(NOON):
        for _ in range(MOST_WRONG + 1):
            spectator.post("/join", {"code": "guessed"})

    told, lines = log.events[before:], log.lines[before:]
    assert told[:4] == ["joined", "refused", "stranger", "join-failed"]
    assert told[4:8] == ["foreign-site", "foreign-host", "joined", "refused"]
    assert told[-2:] == ["join-failed", "throttled"]
    assert lines[0]["phone"] == str(phone_ids(owner)[1])
    assert lines[0]["of_session"] == str(owner.keys[1])
    assert lines[2]["circle"] == str(other.keys[0])
    assert lines[7]["endpoint"] == "deals.record"
    assert lines[7]["phone"] == str(phone_ids(owner)[2])


def test_what_the_operator_does_at_the_command_line_is_told(
    tmp_path: Path,
    sqlite_template: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "security.log"
    for name in ("scorer", "other"):
        shutil.copy(sqlite_template, tmp_path / f"{name}.sqlite")
    monkeypatch.setenv("SCORER_INSTANCE", str(tmp_path))
    monkeypatch.setenv("SCORER_SECURITY_LOG", str(file))
    kept, copy = tmp_path / "circle.jsonl", tmp_path / "copy.sqlite"
    other = f"sqlite:///{tmp_path}/other.sqlite"
    commands = [
        ("circle-begun", "circle", ["Bar Sport"]),
        ("circle-exported", "export", ["Bar Sport", str(kept)]),
        ("backup-made", "backup", [str(copy)]),
        ("database-restored", "restore", [str(copy)]),
        ("circle-imported", "import", [str(kept), "--database", other]),
        ("key-rotated", "key", ["rotate"]),
        ("key-made", "key", ["program", "Bar Sport", "Bot", "--role", "player", "--days", "30"]),
        ("database-downgraded", "db", ["downgrade"]),
    ]
    for _, command, more in commands:
        assert main([command, *more]) == 0, command
    create_app({**SETTINGS, "SECURITY_LOG": None})
    text = file.read_text(encoding="ascii")
    lines = [json.loads(line) for line in text.splitlines()]
    secret = capsys.readouterr().out.splitlines()[0].partition("#")[2]

    assert [line["event"] for line in lines] == [event for event, *_ in commands]
    assert [line["command"] for line in lines] == [
        "program" if event == "key-made" else command for event, command, _ in commands
    ]
    circle = {line["circle"] for line in lines if "circle" in line}
    assert len(circle) == 1
    assert secret
    assert secret not in text
    assert "Bar Sport" not in text


def test_nothing_secret_and_nothing_typed_is_told(log: Log) -> None:
    owner, typed = log.phone(), 'Zo\n"event": "joined" <b>é'
    owner.start([typed, *FIVE[1:]], title=typed)
    code = owner.link(name=typed).partition("#")[2]
    log.phone().post("/join", {"code": code}, headers={"User-Agent": typed.replace("\n", " ")})
    log.phone().post("/join", {"code": typed})
    owner.post(f"{owner.circle_url}rename", {"name": typed})
    owner.get(f"{owner.circle_url}links/{code}")
    cookie = owner.client.get_cookie("scorer")

    text = log.file.read_text(encoding="ascii")
    assert cookie is not None
    assert all(part not in text for part in (code, cookie.value, "Zo", "<b>", '\\"event'))
    assert len(log.lines) == 5


def test_file_is_its_owners_alone_and_is_begun_anew_when_it_was_moved(log: Log) -> None:
    log.phone().start()
    log.file.rename(log.file.with_name("security.log.1"))

    log.phone().start()

    assert log.file.stat().st_mode & 0o777 == 0o600
    assert log.events == ["circle-begun"]


def test_log_goes_to_standard_error_unless_told_otherwise(
    capfd: pytest.CaptureFixture[str],
) -> None:
    app = create_app({**SETTINGS, "SECURITY_LOG": "-"})
    app.test_client().get("/rules/", headers={"Host": "evil.example"})
    create_app({**SETTINGS, "SECURITY_LOG": None})
    app.test_client().get("/rules/", headers={"Host": "evil.example"})

    (line,) = capfd.readouterr().err.splitlines()
    assert json.loads(line)["event"] == "foreign-host"
    assert sys.stderr is not None
    assert [type(one).__name__ for one in SECURITY.handlers] == ["NullHandler"]


@pytest.mark.parametrize("setting", ["SECURITY_LOG", "ACCESS_LOG"])
def test_file_that_cannot_be_opened_stops_the_start(tmp_path: Path, setting: str) -> None:
    with socket(AF_UNIX) as other:
        other.bind(str(tmp_path / "log"))  # to nobody a file, also not to root
    with pytest.raises(SettingsError, match=f"SCORER_{setting} names a file"):
        create_app({**SETTINGS, setting: str(tmp_path / "log")})


@pytest.mark.parametrize("setting", ["SECURITY_LOG", "ACCESS_LOG"])
def test_log_that_fails_later_fails_no_answer_and_is_told_on_standard_error(
    setting: str, shared_url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "logs/scorer.log"
    file.parent.mkdir()
    with app_with(shared_url, **{setting: str(file)}) as app:
        file.parent.rename(tmp_path / "away")
        without_it = Phone(app).start()
        told = capfd.readouterr().err
        file.parent.mkdir()
        with_it = Phone(app).start()

    create_app({**SETTINGS, "SECURITY_LOG": None})
    assert without_it.url
    assert with_it.url
    assert f"Cannot write {file}: " in told
    assert '"sessions.new_sent"' in told
    assert '"sessions.new_sent"' in file.read_text(encoding="ascii")
    assert '"sessions.new_sent"' not in capfd.readouterr().err


def test_log_on_a_full_disk_fails_no_answer(
    shared_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with app_with(shared_url, SECURITY_LOG="/dev/full") as app:
        statuses = [app.test_client().post("/join", data={"code": "x"}).status_code for _ in "12"]

    create_app({**SETTINGS, "SECURITY_LOG": None})
    assert statuses == [400, 400]
    assert capfd.readouterr().err.count('"event": "without-token"') == 2


def test_every_event_is_documented_and_every_page_of_one_is_there(app: Flask) -> None:
    written = set(re.findall(r"^\| `([a-z-]+)` \|", DOCUMENT, re.MULTILINE))
    refused = {"refused", "foreign-site", "foreign-host", "without-token", "throttled"}

    done = {
        *ENTERED.values(),
        *(facts.logged for facts in FACTS.values() if facts.logged),
        *COMMANDS.values(),
    }
    assert written == {*done, *refused, "join-failed", "stranger"}
    assert ENTERED.keys() <= app.view_functions.keys()


def test_every_form_of_owners_is_an_event(app: Flask) -> None:
    forms = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    of_owners = {endpoint for endpoint, facts in FACTS.items() if facts.least is Role.OWNER}

    assert (forms & of_owners) - {name for name, facts in FACTS.items() if facts.logged} == {
        "circles.no_recovery",
        "circles.stay_unnamed",
    }  # which let nobody do anything


def test_filter_of_fail2ban_finds_the_addresses_of_who_was_refused(log: Log) -> None:
    block = re.search(r"```ini\n(# /etc/fail2ban/filter\.d.*?)```", DOCUMENT, re.DOTALL)
    assert block
    config = RawConfigParser()
    config.read_string(block[1])
    moment = NOON.strftime(config["Definition"]["datepattern"].replace("%%", "%"))
    failing = config["Definition"]["failregex"].replace("<ADDR>", r"(?P<ip>[0-9a-fA-F:.]+)")
    guesser = log.phone()
    with clock.at(NOON):
        owner = log.phone().start()
        guesser.post("/join", {"code": "guessed"})
        guesser.get(owner.url)
        guesser.post("/join", {"code": "x"}, headers={"Origin": "https://evil.example"})

    lines = log.file.read_text(encoding="ascii").splitlines()
    found = [re.search(failing, line.replace(moment, "")) for line in lines]

    assert [moment in line for line in lines] == [True] * 4
    assert log.events == ["circle-begun", "join-failed", "stranger", "foreign-site"]
    guessed = guesser.client.environ_base["REMOTE_ADDR"]
    assert [match and match["ip"] for match in found] == [None, guessed, None, None]
