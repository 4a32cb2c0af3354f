"""What tests of several folders share; the imports are late, because the rules need none of it."""

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings

if TYPE_CHECKING:
    # The installed wheel is tested without a browser.
    from playwright.sync_api import Browser

CHECKOUT = Path(__file__).parents[1]

# The search of open deals runs as Python, so that its lines are counted and nothing is compiled.
os.environ["NUMBA_DISABLE_JIT"] = "1"
# What a test starts runs the code of this checkout, too, wherever the environment was installed.
os.environ["PYTHONPATH"] = os.pathsep.join(
    filter(None, [str(CHECKOUT), os.environ.get("PYTHONPATH")])
)

# Validators of JSON would compile a grammar for addresses in other scripts, which takes seconds.
sys.modules["rfc3987_syntax"] = ModuleType("rfc3987_syntax")

# What is loaded and collected stays: nothing of it is garbage.
gc.disable()

NOT_RUN = ("skipped", "xfailed", "xpassed")
#: How many examples each profile of Hypothesis tries of 100 that a test names.
PROFILES = {"least": 5, "quick": 20, "full": 60, "long": 4000}

# The gate gives one answer for one commit: its examples follow from the code of the tests.
for _profile, _examples in PROFILES.items():
    settings.register_profile(
        _profile, max_examples=_examples, deadline=None, derandomize="CI" in os.environ
    )
settings.load_profile("quick")


def one_in_three(cases: dict[str, Any]) -> list[Any]:
    """Give the cases of a matrix by their names; `make test` tries every third."""
    return [
        pytest.param(case, id=name, marks=pytest.mark.slow if place % 3 else [])
        for place, (name, case) in enumerate(cases.items())
    ]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Trace no lines of what takes long: the short examples have to reach every one."""
    tracing = sys.gettrace()
    if any(item.get_closest_marker(name) for name in ("slow", "hypothesis", "untraced")):
        sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracing)


def pytest_collection_finish() -> None:
    """Look for garbage from here on, but seldom.

    Nothing is frozen: test_memory.py looks for every cache that there is.
    """
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let a run fail, where it is to be trusted, that left a test out."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter and any(reporter.stats.get(kind) for kind in NOT_RUN):
        reporter.write_line("A test was left out: here that is a failure.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    gc.collect()  # tells of what nobody closed
    gc.freeze()  # and the end of the process looks through the rest no more


@pytest.fixture(scope="session", autouse=True)
def _own_instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests away from the data and the settings of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith("SCORER_") and name not in {"SCORER_TEST_PG", "SCORER_BROWSER"}:
                patch.delenv(name)
        patch.setenv("SCORER_INSTANCE", str(tmp_path_factory.mktemp("instance")))
        patch.setenv("SCORER_SECURITY_LOG", "")
        yield


@pytest.fixture(scope="session", autouse=True)
def _compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep each template as it was compiled, for every app that a test of any worker makes."""
    from flask import Flask
    from jinja2 import FileSystemBytecodeCache

    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "templates"
    folder.mkdir(exist_ok=True)
    cache = FileSystemBytecodeCache(str(folder))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(Flask.jinja_options, "bytecode_cache", cache)
        yield


@pytest.fixture(scope="session")
def pragmas() -> Iterator[tuple[str, ...]]:
    """Give the settings of SQLite in the product; in the tests no commit waits for the disk."""
    from scorer.storage import engine

    of_the_product = engine.PRAGMAS
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "PRAGMAS", ("journal_mode=WAL", "synchronous=OFF"))
        yield of_the_product


@pytest.fixture(scope="session")
def sqlite_template(
    pragmas: object,  # noqa: ARG001  # the settings of the tests hold from here on
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Give a migrated SQLite file, to be copied."""
    from scorer.storage import migrate

    path = tmp_path_factory.mktemp("sqlite") / "template.sqlite"
    migrate.upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def own_migrations(tmp_path: Path) -> Iterator[Path]:
    """Give a folder of migrations that a test may add to."""
    from tests import revisions

    with revisions.own_folder(tmp_path) as folder:
        yield folder


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """Give the URL of a new SQLite database with all tables."""
    path = shutil.copy(sqlite_template, tmp_path / "scorer.sqlite")
    return f"sqlite:///{path}"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Give the URL of a PostgreSQL server."""
    from tests import databases

    with databases.postgres_server() as url:
        yield url


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> Iterator[str]:
    """Give the name of a migrated PostgreSQL database, to be copied."""
    from scorer.storage import migrate
    from tests import databases

    with databases.postgres_database(postgres_server) as url:
        migrate.upgrade(url)
        yield databases.name_of(url)


@pytest.fixture
def postgres_url(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """Give the URL of a new PostgreSQL database with all tables."""
    from tests import databases

    with databases.postgres_database(postgres_server, postgres_template) as url:
        yield url


@pytest.fixture(scope="session")
def shared_file(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the SQLite file of one test after the other, each of which begins with a new one."""
    path = tmp_path_factory.mktemp("shared") / "scorer.sqlite"
    return Path(shutil.copy(sqlite_template, path))


@pytest.fixture(scope="session")
def shared_postgres_url(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """Give the URL of a PostgreSQL database with all tables, for one test after the other."""
    from tests import databases

    with databases.postgres_database(postgres_server, postgres_template) as url:
        yield url


@pytest.fixture(scope="session")
def shared_apps() -> dict[str, Flask]:
    """Give the apps of the shared databases by their URLs: each compiles a statement once."""
    return {}


@pytest.fixture
def storage_app(database_url: str, shared_apps: dict[str, Flask]) -> Iterator[Flask]:
    """Give an app that is nothing but its storage, on a shared database, inside its context."""
    from scorer import storage
    from tests.storage.conftest import bare_app, leave_no_rows

    app = shared_apps.get(database_url) or bare_app(database_url)
    shared_apps[database_url] = app
    with app.app_context():
        yield app
        storage.db.session.rollback()
        if storage.db.engine.dialect.name == "postgresql":
            leave_no_rows()
        storage.db.engine.dispose()


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """Give the database of the app under test; a folder may ask for both engines instead."""
    return sqlite_url


@pytest.fixture
def app(database_url: str) -> Iterator[Flask]:
    """Give an app on a new database."""
    from scorer import create_app, storage

    app = create_app(
        {
            "TESTING": True,
            "DATABASE_URL": database_url,
            "SECRET_KEY": "a key for tests",
            "LAN_HTTP": True,
        }
    )
    yield app
    with app.app_context():
        storage.db.engine.dispose()


@pytest.fixture
def in_children(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read each file in a child process, with its limits, as a server does."""
    from scorer.services.base import sandbox
    from tests.data.reading import IN_A_CHILD

    monkeypatch.setattr(sandbox, "_answer", IN_A_CHILD)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Give a browser without scripts."""
    return app.test_client()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of a real server; tests share it, each in a circle of its own.

    It believes what a proxy would say, so that every test can come from another address.
    """
    from tests.serving import serving

    instance = tmp_path_factory.mktemp("site")
    (instance / "config.py").write_text("PROXY_HOPS = 1\n")
    with serving(instance) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Give a running Chromium."""
    from playwright.sync_api import sync_playwright

    from tests import chromium

    path = chromium.find_chromium()
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
        yield running
        running.close()
