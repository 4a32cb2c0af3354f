"""Damage done at random to the file of a database is found by `scorer verify`."""

import random
import shutil
from pathlib import Path

import pytest
from sqlalchemy import URL

from load.overwrites import Result, overwritten
from scorer.storage import db
from tests.services.damages import an_evening
from tests.storage.conftest import SQLITE

pytestmark = pytest.mark.parametrize("database_url", [SQLITE], indirect=True)


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


@pytest.mark.parametrize("times", [6, pytest.param(20, marks=pytest.mark.slow)])
def test_every_overwrite_that_changes_something_is_found(
    url: URL, tmp_path: Path, times: int
) -> None:
    found = results(url, tmp_path, times)

    assert {result.found or result.same for result in found} == {True}
    assert sum(result.found for result in found) >= times // 3
