from pathlib import Path

import pytest

from load import bars


@pytest.mark.slow
def test_stopped_while_phones_record_nothing_is_lost_or_doubled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bars, "DEALS", 4)

    assert bars.stopped(bars.Place(tmp_path)).faults == []
