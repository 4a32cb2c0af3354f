import pytest
from sqlalchemy import text

from scorer.storage import migrate
from scorer.storage.engine import make_engine


@pytest.mark.postgres
@pytest.mark.parametrize("turn", ["first", "second"])
def test_every_test_has_a_postgresql_database_of_its_own(postgres_url: str, turn: str) -> None:
    engine = make_engine(postgres_url)

    with engine.begin() as connection:
        connection.execute(text(f"CREATE TABLE the_only_one_of_the_{turn}_test (n integer)"))
        own = "SELECT count(*) FROM pg_tables WHERE tablename LIKE 'the_only_one%'"
        count = connection.scalar(text(own))
    engine.dispose()

    assert count == 1
    assert migrate.current(postgres_url) == migrate.newest()
