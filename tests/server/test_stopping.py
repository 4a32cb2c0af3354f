from pathlib import Path

import pytest

from bench.kills import stopped
from bench.places import Place


@pytest.mark.slow
def test_stopped_while_phones_record_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    place = Place(tmp_path, workers=2)

    assert [figure.what for figure in stopped(place, 4, 5) if not figure.held] == []
