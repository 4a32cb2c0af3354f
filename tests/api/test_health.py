from pathlib import Path

import pytest
from flask import Flask

from scorer import __version__, create_app
from scorer.storage import db

#: Whoever asks from the network, by a socket of a proxy, by a proxy or by a gateway.
OTHERS: list[tuple[str, dict[str, str]]] = [
    *((address, {}) for address in ("192.168.1.7", "2001:db8::7", "")),
    ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}),
    ("127.0.0.1", {"Forwarded": "for=127.0.0.1"}),
    ("::1", {"Via": "1.1 scorer.example"}),
]


def test_health_names_the_engine_and_its_mode(app: Flask) -> None:
    answer = app.test_client().get("/health").get_json()

    assert answer["ok"] is True
    assert answer["version"] == __version__
    assert answer["database"]["engine"] == "sqlite"
    assert answer["database"]["checkpoints"] in {"automatic", "one process"}


@pytest.mark.parametrize("hops", [0, 1])
def test_health_says_no_more_than_ok_to_others(database_url: str, hops: int) -> None:
    app = create_app({"DATABASE_URL": database_url, "LAN_HTTP": True, "PROXY_HOPS": hops})

    for address, headers in OTHERS:
        here = {"REMOTE_ADDR": address}
        asked = app.test_client().get("/health", headers=headers, environ_base=here)
        assert asked.get_json() == {"ok": True}, (address, headers)
    with app.app_context():
        db.engine.dispose()


def test_health_is_bad_where_the_database_is_away(app: Flask, tmp_path: Path) -> None:
    with app.app_context():
        db.engine.dispose()
    (tmp_path / "scorer.sqlite").unlink()
    (tmp_path / "scorer.sqlite").mkdir()

    assert app.test_client().get("/health").status_code == 503
