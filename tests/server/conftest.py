"""A real server with several workers, on SQLite and on PostgreSQL; what it stored is verified."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.browsers import believe_phones
from scorer.services.journal.verify import verify
from tests.databases import begin_anew, postgres_database
from tests.serving import Server, running
from tests.storage.conftest import SQLITE, opened

WORKERS = 2
#: `make test` asks the other engine alone.
POSTGRES = pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.slow])


@pytest.fixture(scope="package")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a server's data; it believes where a phone says it comes from."""
    instance = tmp_path_factory.mktemp("load")
    believe_phones(instance)
    return instance


@pytest.fixture(scope="package", params=[SQLITE, POSTGRES])
def database_url(request: pytest.FixtureRequest, instance: Path) -> Iterator[str]:
    """Give the URL of the server's database, whose tables are there."""
    of = request.getfixturevalue
    if request.param == SQLITE:
        yield begin_anew(instance / "scorer.sqlite", of("sqlite_template"))
        return
    with postgres_database(of("postgres_server"), of("postgres_template")) as url:
        yield url


@pytest.fixture(scope="package")
def server(instance: Path, database_url: str) -> Iterator[Server]:
    """Serve with several workers; at the end all that any test has stored is sound."""
    with running(instance, database_url=database_url, workers=WORKERS) as server:
        yield server
        assert server.process.poll() is None
        faults: list[str] = []
        with opened(database_url):
            verify(faults.append)
        assert faults == []


@pytest.fixture(scope="package")
def other_site(instance: Path, database_url: str, server: Server) -> Iterator[str]:
    """Give the address of a second server of the same database, where that is PostgreSQL."""
    if database_url.startswith("sqlite"):
        yield server.url
        return
    with running(instance, database_url=database_url) as other:
        yield other.url


@pytest.fixture
def site(server: Server) -> str:
    """Give the server's address."""
    return server.url
