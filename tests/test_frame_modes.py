"""Who else on the machine can read the data: nobody."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from scorer.cli import main
from scorer.storage import migrate
from scorer.storage.backups import back_up, hide_data, restore

COPIES = (
    "scorer-2026_11_19_circles-20261120T203000123456.sqlite",
    "scorer-before-20261120T203000123456.sqlite",
    "scorer-before-20261120T203000123456.sqlite-wal",
)


def mode(path: Path) -> str:
    return f"{stat.S_IMODE(path.stat().st_mode):o}"


def modes(folder: Path) -> dict[str, str]:
    return {path.name: mode(path) for path in folder.iterdir()}


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


@pytest.fixture
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "instance"
    folder.mkdir(mode=0o755)
    monkeypatch.setenv("SCORER_INSTANCE", str(folder))
    return folder


def test_what_is_there_is_put_right(sqlite_template: Path, instance: Path) -> None:
    shutil.copy(sqlite_template, instance / "scorer.sqlite")
    for name in (*COPIES, "config.py", "secret.key", "scorer.sqlite-shm"):
        (instance / name).touch()
    (instance / "secret.key").write_text("a key for tests", encoding="ascii")
    (instance / "backups").mkdir()
    linked = instance.parent / "linked"
    linked.touch()
    (instance / "link").symlink_to(linked)
    others = instance / "of another user"
    others.touch()
    with suppress(PermissionError):
        os.chown(others, 1, 1)
    theirs = others.stat().st_uid != os.geteuid()
    for path in (*instance.iterdir(), instance):
        path.chmod(0o777 if path.is_dir() else 0o666)

    hide_data(instance, f"sqlite:///{instance / 'scorer.sqlite'}")

    made = modes(instance)
    assert made.pop("link") == "666"
    assert made.pop("of another user") == ("666" if theirs else "600")
    assert made.pop("backups") == "700"
    assert set(made.values()) == {"600"}
    assert mode(instance) == "700"


def test_database_in_a_folder_of_others_is_hidden_alone(
    sqlite_template: Path, instance: Path, tmp_path: Path
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shutil.copy(sqlite_template, shared / "scorer.sqlite")
    for name in (*COPIES, "scorer-of-others.sqlite", "other.txt"):
        (shared / name).touch()
    for path in (*shared.iterdir(), shared):
        path.chmod(0o755)

    hide_data(instance, f"sqlite:///{shared / 'scorer.sqlite'}")

    made = modes(shared)
    assert (made.pop("scorer-of-others.sqlite"), made.pop("other.txt")) == ("755", "755")
    assert {made[name] for name in ("scorer.sqlite", *COPIES)} == {"700"}
    assert mode(shared) == "755"


def test_folder_that_everybody_writes_to_stays_so(instance: Path) -> None:
    instance.chmod(0o1777)

    hide_data(instance, "sqlite:///:memory:")

    assert mode(instance) == "1777"


def test_copies_are_read_by_their_owner_alone(
    sqlite_template: Path, instance: Path, tmp_path: Path
) -> None:
    database, target = instance / "scorer.sqlite", tmp_path / "usb"
    target.mkdir(mode=0o755)
    shutil.copy(sqlite_template, database)
    database.chmod(0o644)

    with umask(0):
        back_up(database, target / "backup.sqlite")
        kept, _ = restore(target / "backup.sqlite", database)
        migrate.downgrade(f"sqlite:///{database}", "-1")

    assert kept is not None
    assert modes(target) == {"backup.sqlite": "600"}
    assert mode(target) == "755"
    copies = {name: mode for name, mode in modes(instance).items() if "-" in name}
    assert len(copies) == 2
    assert set(copies.values()) == {"600"}


def test_commands_write_files_for_their_owner_alone(
    instance: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with umask(0):
        assert main(["circle", "Bar", "--address", ""]) == 0
        assert main(["export", "Bar", str(tmp_path / "circle.jsonl")]) == 0
        assert main(["backup", str(tmp_path / "backup.sqlite")]) == 0
        assert os.umask(0) == 0
    capfdbinary.readouterr()

    assert mode(instance / "scorer.sqlite") == "600"
    assert mode(tmp_path / "circle.jsonl") == mode(tmp_path / "backup.sqlite") == "600"
