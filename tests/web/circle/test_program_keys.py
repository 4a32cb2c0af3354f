"""Keys of programs: made and taken back by owners, shown once, listed, and no phones."""

import re
import shutil
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from sqlalchemy.exc import OperationalError

from scorer import create_app
from scorer.cli import main
from scorer.roles import Role
from scorer.services.base import clock
from scorer.services.circle import circles, programs
from scorer.storage import queries
from tests.web.phones import Phone
from tests.web.programs import Bot
from tests.web.rows import findings

SHOWN = re.compile(r'id="link" readonly value="([^"]+)"')


def made(phone: Phone, role: str = "player", **other: str) -> str:
    """Make a key on the page, and give its secret."""
    form = {"key": str(uuid4()), "role": role, "life": "year", "name": "Chat bot", **other}
    shown = SHOWN.search(phone.post(f"{phone.circle_url}keys", form).text)
    return shown[1] if shown else ""


def key_ids(phone: Phone) -> list[UUID]:
    with phone.app.app_context():
        return [key.key_id for key in queries.circle.keys(phone.keys[0])]


def test_key_is_made_once_and_shown_once_to_one_browser_and_there_are_not_too_many(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, key = phone.start().let_in(Phone(phone.app), "owner"), str(uuid4())
    monkeypatch.setitem(phone.app.config, "PROGRAMS_A_CIRCLE", 1)

    secret = made(phone, key=key)

    assert (made(phone, key=key), made(other, key=key), len(key_ids(phone))) == (secret, "", 1)
    page = phone.page(f"{phone.circle_url}keys")
    assert "Chat bot Player" in page.told
    assert "not used yet" in page.words
    assert secret not in page.source
    assert Bot(phone, secret).ask("/api/v1/circles").get_json()["circles"][0]["role"] == "player"
    assert "last used on" in phone.page(f"{phone.circle_url}keys").words
    form = {"key": str(uuid4()), "role": "player", "life": "never", "name": "Second"}
    refused = phone.sent(f"{phone.circle_url}keys", form)
    assert (refused.status, len(key_ids(phone))) == (422, 1)
    assert "at most 1 keys" in refused.words


def test_key_does_what_its_role_may_under_its_name_and_is_no_phone(phone: Phone) -> None:
    bot = Bot(phone.start(), made(phone, "scorekeeper"))
    assert bot.record().status_code == 201

    assert bot.ask(f"{bot.deals}/1").get_json()["versions"][0]["phone"] == "Program Chat bot"
    assert "Chat bot" not in phone.page(f"{phone.circle_url}phones").words
    journal = phone.page(f"{phone.circle_url}journal").words
    assert "“Chat bot” was made" in journal
    (key_id,) = key_ids(phone)
    for act, sent in (("role", {"role": "owner"}), ("away", {}), ("holder", {"player_id": ""})):
        assert phone.post(f"{phone.circle_url}phones/{key_id}/{act}", sent).status_code == 404
    with phone.app.app_context():
        assert circles.owner_count(phone.keys[0]) == 1
    assert findings(phone) == []


def test_key_that_is_taken_back_or_runs_out_opens_nothing(phone: Phone) -> None:
    first, second = Bot(phone.start(), made(phone)), Bot(phone, made(phone))
    for _ in range(2):
        phone.post(f"{phone.circle_url}keys/{key_ids(phone)[0]}/revoke")

    statuses = [bot.ask("/api/v1/circles").status_code for bot in (first, second)]
    with clock.at(clock.now() + timedelta(days=366)):
        statuses.append(second.ask("/api/v1/circles").status_code)
        words = phone.page(f"{phone.circle_url}keys").words

    assert statuses == [401, 200, 401]
    assert "taken back" in words
    assert "ran out on" in words
    assert "“Chat bot” was taken back" in phone.page(f"{phone.circle_url}journal").words
    assert findings(phone) == []


def test_key_reads_while_nothing_can_be_written(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = Bot(phone.start(), made(phone))

    def full(*_: object) -> None:
        raise OperationalError("UPDATE phone", {}, OSError("database or disk is full"))

    monkeypatch.setattr(programs, "note_use", full)

    assert bot.ask("/api/v1/circles").status_code == 200


def test_command_makes_a_key_and_prints_it_once(
    tmp_path: Path,
    sqlite_template: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copy(sqlite_template, tmp_path / "scorer.sqlite")
    monkeypatch.setenv("SCORER_INSTANCE", str(tmp_path))
    assert main(["circle", "Bar Sport"]) == 0
    capsys.readouterr()

    statuses = [
        main(["key", "program", "bar sport", "Bot", "--role", "player", *days])
        for days in ([], ["--days", "30"])
    ]
    secrets = capsys.readouterr().out.split()
    refused = [
        main(["key", "program", *words.split("/")])
        for words in (
            "Bar Sport/Bot",
            "Bar Sport/Bot/--role/guest",
            "Bar Sport/Bot/--role/player/--days/0",
            "Bar Sport/ /--role/player",
            "Elsewhere/Bot/--role/player",
        )
    ]

    assert (statuses, refused) == ([0, 0], [2] * 5)
    with create_app().app_context():
        found = [programs.find_program(secret) for secret in secrets]
        listed = [key.row for key in programs.listed_keys(queries.circle.circle_ids()[0])]
    assert [one and one.by.role for one in found] == [Role.PLAYER, Role.PLAYER]
    spans = [row.expires_at and row.expires_at - row.created_at for row in listed]
    assert sorted(spans, key=bool) == [None, timedelta(days=30)]
    assert {row.name for row in listed} == {"Bot"}
