"""Overwrite bytes of an SQLite file at random; tell what is found and what changes nothing."""

import random
import shutil
from pathlib import Path
from typing import NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from scorer.errors import ScorerError
from scorer.services.journal.circle_file import export_all
from scorer.services.journal.verify import verify
from tests.storage.conftest import opened

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
