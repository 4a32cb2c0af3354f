import pytest
from flask.testing import FlaskClient

from scorer import create_app


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """Give a visitor without cookies or tokens, to a server whose database isn't there."""
    nowhere = tmp_path_factory.mktemp("empty") / "missing" / "scorer.sqlite"
    app = create_app({"TESTING": True, "DATABASE_URL": f"sqlite:///{nowhere}", "LAN_HTTP": True})
    return app.test_client(use_cookies=False)
