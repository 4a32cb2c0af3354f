import shutil
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scorer import create_app, settings


@pytest.fixture
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCORER_INSTANCE", str(tmp_path))
    return tmp_path


def test_secret_is_made_once_for_its_owner_only(instance: Path) -> None:
    first, second = (create_app().secret_key for _ in range(2))

    assert first == second
    assert len(str(first)) == 64
    assert stat.S_IMODE((instance / "secret.key").stat().st_mode) == 0o600


def test_starts_at_the_same_moment_agree_on_one_secret(instance: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        made = set(map(tuple, pool.map(settings.secret_keys, [instance] * 64)))

    assert len(made) == 1
    assert [path.name for path in instance.iterdir()] == ["secret.key"]


def test_data_is_kept_in_the_instance_folder(instance: Path) -> None:
    url = create_app().config["SQLALCHEMY_DATABASE_URI"]

    assert url.database == str(instance / "scorer.sqlite")


def test_environment_goes_before_the_file_and_the_caller_before_both(
    instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (instance / "config.py").write_text("PROXY_HOPS = 1\n", encoding="utf-8")
    from_file = create_app().config["PROXY_HOPS"]
    monkeypatch.setenv("SCORER_PROXY_HOPS", "2")
    from_environment = create_app().config["PROXY_HOPS"]
    from_caller = create_app({"PROXY_HOPS": 3}).config["PROXY_HOPS"]

    assert (from_file, from_environment, from_caller) == (1, 2, 3)


@pytest.mark.parametrize(
    ("given", "at_home", "value", "source"),
    [
        pytest.param({}, False, False, "default", id="another server"),
        pytest.param({}, True, True, "scorer serve without --https", id="at home"),
        pytest.param({"LAN_HTTP": "false"}, True, False, "the environment", id="set"),
        pytest.param({"PUBLIC_URL": "https://a.example"}, True, False, "PUBLIC_URL", id="https"),
        pytest.param(
            {"PUBLIC_URL": "http://a.example:8000"},
            True,
            True,
            "scorer serve without --https",
            id="http",
        ),
        pytest.param(
            {"PUBLIC_URL": "https://a.example", "LAN_HTTP": "true"},
            True,
            True,
            "the environment",
            id="set, beside https",
        ),
        pytest.param(
            {"CERTIFICATE": "a.crt", "CERTIFICATE_KEY": "a.key", "LAN_HTTP": "true"},
            True,
            False,
            "CERTIFICATE",
            id="certificate",
        ),
    ],
)
@pytest.mark.usefixtures("instance")
def test_plain_http_is_what_was_set_or_follows_from_the_rest(
    given: dict[str, str],
    *,
    at_home: bool,
    value: bool,
    source: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, text in given.items():
        monkeypatch.setenv(f"SCORER_{name}", text)

    read = settings.load(tmp_path, {"AT_HOME": at_home})["LAN_HTTP"]

    assert (read.value, read.source) == (value, source)


def test_installed_package_keeps_its_data_with_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SCORER_INSTANCE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setattr(settings, "CHECKOUT", tmp_path)

    folder = settings.instance_folder()

    assert settings.root() == settings.PACKAGE
    assert folder.is_dir()
    assert folder.name == "scorer"
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (None, None),
        ("", None),
        ("https://Scorer.example/", "https://scorer.example"),
        ("https://example.org/Cards/", "https://example.org/Cards"),
        ("http://192.0.2.7:8000", "http://192.0.2.7:8000"),
        ("http://[fd00::7]:8000/", "http://[fd00::7]:8000"),
    ],
)
def test_public_address_is_read(said: str | None, read: str | None) -> None:
    assert settings.public_url(said) == read
