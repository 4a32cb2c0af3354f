"""Another secret key: who signs by it, and what the keys before it still open."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.sessions import SecureCookieSessionInterface

from scorer import create_app, settings
from scorer.cli import main
from scorer.errors import ScorerError
from scorer.services.base import clock
from tests.web.circle.test_link_secrets import cookie_of, secret_shown
from tests.web.conftest import app_with
from tests.web.phones import Phone

OLD, NEW = "the key of last year", "the key of today"
LENGTH_OF_SHA256 = 43


@pytest.fixture
def apps(shared_url: str) -> Iterator[Any]:
    """Give a way to make apps by other settings."""
    with ExitStack() as made:
        yield lambda **changed: made.enter_context(app_with(shared_url, **changed))


def began(app: Flask) -> Phone:
    """Let a phone begin a circle, with the tokens that its forms have."""
    phone = Phone(app)
    token = phone.page("/join").form("/join")["csrf_token"]
    return phone.start(csrf_token=token)


def test_phones_forms_and_links_outlast_a_new_key(apps: Any) -> None:
    phone = began(apps(SECRET_KEY=OLD))
    form = phone.page(f"{phone.circle_url}links").form("/links")
    phone.post(form.action, form.sends(name="Bea", role="player"))
    secret = secret_shown(phone)

    new = phone.moved(apps(SECRET_KEY=NEW, SECRET_KEY_FALLBACKS=f"the oldest,{OLD}"))

    assert new.get().status_code == 200
    assert secret
    assert secret_shown(new) == secret
    renamed = phone.page(f"{phone.circle_url}more").form("/rename").sends(name="By an old form")
    assert new.post(f"{phone.circle_url}rename", renamed).status_code == 303


def test_cookie_is_signed_by_the_new_key_on_the_next_day(apps: Any) -> None:
    phone = began(apps(SECRET_KEY=OLD))
    new = phone.moved(apps(SECRET_KEY=NEW, SECRET_KEY_FALLBACKS=[OLD]))

    with clock.at(clock.now() + timedelta(days=1)):
        new.get()

    assert new.moved(apps(SECRET_KEY=NEW)).get().status_code == 200
    assert phone.moved(apps(SECRET_KEY=NEW)).get().status_code == 404


def test_cookie_is_signed_with_sha_256_and_one_by_sha_1_is_not_read(apps: Any) -> None:
    app = apps(SECRET_KEY=OLD)
    phone = began(app)
    made = phone.client.get_cookie("scorer")
    before = SecureCookieSessionInterface().get_signing_serializer(app)
    assert made is not None
    assert before is not None

    known = Phone(app)
    known.client.set_cookie("scorer", str(before.dumps(cookie_of(phone))))

    assert len(made.value.rpartition(".")[2]) == LENGTH_OF_SHA256
    assert known.get(phone.url).status_code == 404


@pytest.fixture
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCORER_INSTANCE", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(("keep", "kept"), [([], 2), (["--keep", "1"], 1), (["--keep", "0"], 0)])
def test_command_puts_a_new_key_before_those_that_are_kept(
    instance: Path, keep: list[str], kept: int
) -> None:
    assert main(["key", "rotate"]) == main(["key", "rotate"]) == 0
    before = settings.secret_keys(instance)

    status = main(["key", "rotate", *keep])

    config = create_app().config
    after = [config["SECRET_KEY"], *config["SECRET_KEY_FALLBACKS"]]
    assert status == 0
    assert (after[1:], len(set(after))) == (before[:kept], kept + 1)
    assert (instance / settings.KEYS).stat().st_mode & 0o777 == 0o600


def test_key_that_is_a_setting_is_changed_there(
    instance: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCORER_SECRET_KEY", OLD)

    assert main(["key", "rotate"]) == 2
    assert "SECRET_KEY_FALLBACKS" in capsys.readouterr().err
    assert len(settings.secret_keys(instance)) == 1


def test_file_without_a_key_is_told_in_a_sentence(instance: Path) -> None:
    (instance / settings.KEYS).write_text("\n", encoding="ascii")

    with pytest.raises(ScorerError, match="contains no key"):
        create_app()
