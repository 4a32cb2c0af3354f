"""A server whose data, counts and metrics lie on a disk that fills up."""

import os
import signal
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from bench import disks
from bench.browsers import Listener
from bench.phones import in_one_session
from tests.serving import running

SIZE = 9 << 20


@pytest.mark.slow
def test_full_disk_refuses_writes_and_no_worker_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid():
        pytest.skip("only root may mount a disk")
    monkeypatch.setenv("SCORER_METRICS", "true")
    with disks.small_disk(tmp_path / "disk", SIZE) as disk:
        monkeypatch.setenv("TMPDIR", str(disk))
        with running(disk, workers=2) as server:
            phone = in_one_session(server.url, 1)[0]
            workers = server.workers()
            disks.fill(disk, 0)
            while not phone.refused:
                phone.record(70)
            with Listener(phone.browser) as listener:
                listening = listener.answer.status
            pages = [phone.browser.go("").status_code for _ in range(10)]
            metrics = urlopen(f"{server.url}/metrics").status
            alive = server.workers()
            os.kill(alive[0], signal.SIGKILL)
            while len(server.workers()) < len(alive) or alive[0] in server.workers():
                time.sleep(0.05)
            pages += [phone.browser.go("").status_code for _ in range(10)]
            with_new_worker = urlopen(f"{server.url}/metrics").status
            disks.make_room(disk)
            phone.record(70)

    assert phone.refused == [507]
    assert (listening, metrics, with_new_worker, set(pages)) == (200, 200, 200, {200})
    assert alive == workers
