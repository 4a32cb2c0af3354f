"""A real server sends what waited for a web hook while no server ran."""

import time
from pathlib import Path

import pytest

from scorer.app import create_app
from scorer.services.circle import hooks
from scorer.storage import make_ready
from tests.services.circle.test_hooks import hooked, receiving
from tests.services.evenings import start
from tests.serving import running


def test_queue_outlives_the_server_and_is_sent_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCORER_INSTANCE", str(tmp_path))
    monkeypatch.setenv("SCORER_HOOKS_PRIVATE", "true")
    app = create_app()
    with receiving() as receiver:
        with app.app_context():
            make_ready()
            evening = hooked(start(), receiver.url)
            for _ in range(3):
                evening.record()
        with running(tmp_path, workers=2):
            deadline = time.monotonic() + 20
            while len(receiver.got) < 3 and time.monotonic() < deadline:
                time.sleep(0.1)
            time.sleep(hooks.EVERY + 0.5)

    assert [got.told["data"]["number"] for got in receiver.got] == [1, 2, 3]
