"""Damage done at random to the file of a database is found by `scorer verify`."""

import random
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

from scorer.errors import ScorerError
from scorer.services.journal.circle_file import export_all
from scorer.services.journal.verify import verify
from scorer.storage import db
from tests.services.damages import an_evening
from tests.storage.conftest import opened

TIMES = 8
BYTES = 512


class Result(NamedTuple):
    """What came of an overwrite: whether verify found something, and whether all rows are same."""

    place: int
    found: bool
    same: bool


def overwritten(whole: Path, copy: Path, chance: random.Random) -> Result:
    """Overwrite some bytes of a copy and look at it."""
    for end in ("-wal", "-shm"):
        copy.with_name(copy.name + end).unlink(missing_ok=True)
    shutil.copy(whole, copy)
    place = chance.randrange(copy.stat().st_size - BYTES)
    with copy.open("r+b") as file:
        file.seek(place)
        file.write(chance.randbytes(BYTES))
    found = _found(copy)
    return Result(place, found, same=not found and rows(copy) == rows(whole))


def _found(path: Path) -> bool:
    try:
        with opened(f"sqlite:///{path}"):
            return verify(lambda _: None).findings > 0
    except (SQLAlchemyError, ScorerError):
        return True


def rows(path: Path) -> list[bytes]:
    """Give everything that is kept, circle by circle."""
    with opened(f"sqlite:///{path}"):
        return list(export_all())


@pytest.fixture
def url() -> URL:
    """Give the URL of a file with eight evenings that nobody has open."""
    for _ in range(8):
        an_evening()
    db.session.remove()
    url: URL = db.engine.url
    db.engine.dispose()
    return url


def results(url: URL, folder: Path, times: int) -> list[Result]:
    whole = shutil.copy(url.database or "", folder / "whole.sqlite")
    chance = random.Random(3)
    return [overwritten(Path(whole), folder / "copy.sqlite", chance) for _ in range(times)]


@pytest.mark.slow
def test_every_overwrite_that_changes_something_is_found(url: URL, tmp_path: Path) -> None:
    found = results(url, tmp_path, TIMES)

    assert {result.found or result.same for result in found} == {True}
    assert sum(result.found for result in found) >= TIMES // 3
