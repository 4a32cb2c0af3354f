"""What a phone is told is written, is on the disk by then, as `strace` sees it from outside."""

import re
import shutil
import time
from pathlib import Path

import pytest

from bench.phones import in_one_session
from tests.serving import SERVE, running

CALLS = ("-D", "-f", "--seccomp-bpf", "-ttt", "-e", "trace=fsync,fdatasync", "-e", "signal=none")
FLUSHED = re.compile(r"^\d+ +(\d+\.\d+) f(?:data)?sync\(", re.MULTILINE)


@pytest.mark.slow
def test_a_deal_is_on_the_disk_before_it_is_acknowledged(tmp_path: Path) -> None:
    strace, log, spans = shutil.which("strace"), tmp_path / "flushes", []
    assert strace, "strace is missing: apt-get install strace"
    with running(tmp_path, program=(strace, *CALLS, "-o", str(log), *SERVE)) as server:
        (phone,) = in_one_session(server.url, 1)
        for _ in range(10):
            sent = time.time()
            phone.record(70)
            spans.append((sent, time.time()))
    flushes = [float(moment) for moment in FLUSHED.findall(log.read_text("utf-8", "replace"))]

    assert len(phone.acknowledged) == 10
    assert all(any(sent < flush < told for flush in flushes) for sent, told in spans)
