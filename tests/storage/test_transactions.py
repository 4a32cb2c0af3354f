"""Writing: whole or not at all, tried again where engines give up, and nowhere else."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import pytest
from sqlalchemy import delete, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from scorer.errors import existing
from scorer.storage import db, dry_run, in_transaction, models, queries, transactions, write
from scorer.storage.engine import Trouble, begin_writing, make_engine, trouble
from tests.storage.conftest import bare_app, opened
from tests.storage.evenings import FRIDAY, Evening, write_evening


class RefusedError(Exception):
    """What an engine says when it gives a transaction up."""

    def __init__(self, **codes: object) -> None:
        super().__init__("refused")
        self.__dict__.update(codes)


def a_circle(circle_id: UUID | None = None) -> models.Circle:
    return models.Circle(circle_id=circle_id or uuid4(), name="Friday", created_at=FRIDAY)


def failing(times: int, **codes: object) -> Callable[[], int]:
    """Return work that an engine refuses some times, and that says how often it was tried."""
    tries = []

    def work() -> int:
        tries.append(1)
        write(a_circle())
        if len(tries) <= times:
            raise DBAPIError("COMMIT", None, RefusedError(**codes))
        return len(tries)

    return work


@pytest.mark.usefixtures("app")
def test_work_is_committed_and_its_answer_given() -> None:
    def work() -> UUID:
        circle = a_circle()
        write(circle)
        return circle.circle_id

    found = queries.find(models.Circle, in_transaction(work))
    assert found is not None
    assert found.created_at == FRIDAY


@pytest.mark.usefixtures("app")
def test_what_is_rolled_back_gives_its_answer_and_is_undone() -> None:
    key = uuid4()

    def work() -> str:
        write(a_circle(key))
        found = queries.find(models.Circle, key)
        assert found is not None
        return found.name

    with dry_run():
        assert in_transaction(work) == "Friday"
    assert queries.find(models.Circle, key) is None


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_any_exception_undoes_everything(error: type[BaseException]) -> None:
    key = uuid4()

    def work() -> None:
        write(a_circle(key))
        raise error

    with pytest.raises(error):
        in_transaction(work)
    assert queries.find(models.Circle, key) is None


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    "codes",
    [
        pytest.param({"sqlstate": "40001"}, id="serialization failure"),
        pytest.param({"sqlstate": "40P01"}, id="deadlock"),
        pytest.param({"sqlite_errorcode": 5}, id="busy"),
        pytest.param({"sqlite_errorcode": 517}, id="busy snapshot"),
    ],
)
def test_work_in_the_way_of_others_is_done_again(codes: dict[str, object]) -> None:
    assert in_transaction(failing(3, **codes)) == 4
    assert len(queries.circle.circle_ids()) == 1


@pytest.mark.usefixtures("app")
def test_other_failures_are_not_tried_again() -> None:
    with pytest.raises(DBAPIError):
        in_transaction(failing(1, sqlstate="23505"))
    assert queries.circle.circle_ids() == []


@pytest.mark.usefixtures("app")
def test_trying_again_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transactions, "PATIENCE", 0.05)
    with pytest.raises(DBAPIError):
        in_transaction(failing(10_000, sqlstate="40001"))


@pytest.mark.postgres
def test_postgresql_names_its_own_failures(shared_postgres_url: str) -> None:
    refusal = text("DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END $$")
    engine = make_engine(shared_postgres_url)
    with engine.connect() as connection, pytest.raises(DBAPIError) as caught:
        connection.execute(refusal)
    engine.dispose()
    assert trouble(caught.value) is Trouble.BUSY


def test_sqlite_names_its_own_lock(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorer.storage.engine.PRAGMAS", ("busy_timeout=1", "journal_mode=WAL"))
    engine = make_engine(sqlite_url)
    other = make_engine(sqlite_url)
    with engine.begin() as first, other.begin() as second:
        begin_writing(first)
        with pytest.raises(DBAPIError) as caught:
            begin_writing(second)
    engine.dispose()
    other.dispose()
    assert trouble(caught.value) is Trouble.BUSY


def test_commit_that_fails_leaves_sqlite_no_lock(sqlite_url: str) -> None:
    def work() -> None:
        db.session.execute(text("PRAGMA defer_foreign_keys=ON"))
        db.session.execute(text("UPDATE seat SET player_id = circle_id WHERE seat = 0"))

    other = make_engine(sqlite_url)
    with opened(sqlite_url):
        write_evening()
        with pytest.raises(IntegrityError):
            in_transaction(work)
        with other.begin() as free:
            begin_writing(free)
        in_transaction(lambda: write(a_circle()))
    other.dispose()


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    "misplaced",
    [
        pytest.param(lambda: in_transaction(lambda: in_transaction(lambda: None)), id="nested"),
        pytest.param(lambda: write(a_circle()), id="row"),
        pytest.param(lambda: db.session.execute(delete(models.Circle)), id="statement"),
    ],
)
def test_nothing_is_written_but_in_one_transaction(misplaced: Callable[[], object]) -> None:
    with pytest.raises(RuntimeError, match="inside in_transaction"):
        misplaced()


@pytest.mark.usefixtures("app")
def test_work_sees_nothing_that_was_read_before_it(evening: Evening) -> None:
    before = queries.find(models.Circle, evening.circle_id)
    assert before is not None
    assert not in_transaction(lambda: before in db.session)
    assert before.name == "Friday"


@pytest.mark.usefixtures("app")
def test_what_work_gives_stays_readable(evening: Evening) -> None:
    found = in_transaction(lambda: queries.session.head_for_update(*evening.keys))
    assert existing(found).row.rules == {"slug": "classic"}


@pytest.mark.usefixtures("app")
def test_numbers_given_out_by_many_at_once_have_no_gaps(database_url: str) -> None:
    evening = write_evening(deals=0)
    others = bare_app(database_url)

    def take() -> int:
        found, *_ = existing(queries.session.head_for_update(*evening.keys))
        found.next_number += 1
        return int(found.next_number) - 1

    def phone(_: int) -> list[int]:
        with others.app_context():
            return [in_transaction(take) for _ in range(10)]

    with ThreadPoolExecutor(6) as phones:
        taken = [number for numbers in phones.map(phone, range(6)) for number in numbers]
    with others.app_context():
        db.engine.dispose()
    assert sorted(taken) == list(range(1, 61))
