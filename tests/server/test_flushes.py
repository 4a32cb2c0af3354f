"""What a phone is told is written, is on the disk by then."""

from pathlib import Path

import pytest

from load import flushes
from load.phones import in_one_session
from tests.serving import SERVE, running


@pytest.mark.slow
def test_a_deal_is_on_the_disk_before_it_is_acknowledged(tmp_path: Path) -> None:
    log = tmp_path / "flushes"
    with running(tmp_path, program=flushes.watched(SERVE, log)) as server:
        (phone,) = in_one_session(server.url, 1)
        spans = flushes.timed(lambda: phone.record(70), 10)

    assert len(phone.acknowledged) == 10
    assert min(flushes.within(flushes.moments(log), spans)) >= 1
