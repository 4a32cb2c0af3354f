"""Damage done at random to the file of a database is found by `scorer verify`."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorer.storage import db
from tests.load.overwrites import overwritten
from tests.services.damages import an_evening
from tests.storage.conftest import SQLITE

if TYPE_CHECKING:
    from sqlalchemy import URL

TIMES = 20

pytestmark = pytest.mark.parametrize("database_url", [SQLITE], indirect=True)


def test_every_overwrite_that_changes_something_is_found(tmp_path: Path) -> None:
    for _ in range(3):
        an_evening()
    db.session.remove()
    url: URL = db.engine.url
    db.engine.dispose()
    chance = random.Random(7)
    whole = shutil.copy(url.database or "", tmp_path / "whole.sqlite")

    results = [overwritten(Path(whole), tmp_path / "copy.sqlite", chance) for _ in range(TIMES)]

    assert {result.found or result.same for result in results} == {True}
    assert sum(result.found for result in results) > TIMES // 3
