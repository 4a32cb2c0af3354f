from pathlib import Path

import pytest

from bench.kills import stopped
from bench.places import Place


@pytest.mark.slow
def test_stopped_while_phones_record_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    assert [figure.what for figure in stopped(Place(tmp_path), 4, 5) if not figure.held] == []
