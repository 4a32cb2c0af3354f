import os
from pathlib import Path

import pytest

from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Past

pytestmark = pytest.mark.browser


def test_picture_of_a_session_can_be_taken_for_the_readme(
    take: Take, past: Past, tmp_path: Path
) -> None:
    path = Path(os.environ.get("README_PICTURE", tmp_path / "session.png"))
    page = take(Model(390, 844), past.keeper).page

    page.goto(past.mixed)
    page.screenshot(path=path)

    assert path.read_bytes().startswith(b"\x89PNG")
