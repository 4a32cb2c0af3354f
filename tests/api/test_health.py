from pathlib import Path

import pytest
from flask import Flask

from scorer import __version__, create_app
from scorer.storage import db
from tests.data.rows import rows


def test_health_names_the_engine_and_its_mode(app: Flask) -> None:
    answer = app.test_client().get("/health").get_json()

    assert answer["ok"] is True
    assert answer["version"] == __version__
    assert answer["database"]["engine"] == "sqlite"
    assert answer["database"]["checkpoints"] in {"automatic", "one process"}


@rows(__file__, "others")
@pytest.mark.parametrize("hops", [0, 1])
def test_health_says_no_more_than_ok_to_others(
    database_url: str, address: str, headers: dict[str, str], hops: int
) -> None:
    app = create_app({"DATABASE_URL": database_url, "LAN_HTTP": True, "PROXY_HOPS": hops})

    asked = app.test_client().get("/health", headers=headers, environ_base={"REMOTE_ADDR": address})

    assert asked.get_json() == {"ok": True}
    with app.app_context():
        db.engine.dispose()


def test_health_is_bad_where_the_database_is_away(app: Flask, tmp_path: Path) -> None:
    with app.app_context():
        db.engine.dispose()
    (tmp_path / "scorer.sqlite").unlink()
    (tmp_path / "scorer.sqlite").mkdir()

    assert app.test_client().get("/health").status_code == 503
