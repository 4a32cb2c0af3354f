"""The database of the application: `db.session` reads, `in_transaction` writes."""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock

import sqlalchemy as sa
from flask import Flask, current_app
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Connection, text
from sqlalchemy.exc import DatabaseError, DBAPIError, SQLAlchemyError

from scorer.errors import NotReadyError
from scorer.storage import migrate
from scorer.storage.engine import Mode, Trouble, database_url, engine_options, mode, prepare
from scorer.storage.models import Base
from scorer.texts import say

READY, REVISION = "scorer-ready", "scorer-revision"
OLDER = say(
    "The tables are of an older version of the program (%(found)s; this one has %(ours)s). "
    "Whoever runs the server has to upgrade them: scorer db upgrade."
)
NEWER = say(
    "The tables are of a newer version of the program (%(found)s; this one has %(ours)s). "
    "Whoever runs the server has to install that version."
)
#: How the session reads one moment. A transaction of SQLite always does, and an isolation level
#: would let its driver begin transactions by itself.
ONE_MOMENT = {"sqlite": {}, "postgresql": {"isolation_level": "REPEATABLE READ"}}
SIZES = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
    "postgresql": "SELECT pg_database_size(current_database())",
}
#: The table in which Alembic keeps the revision.
REVISION_TABLE = "alembic_version"
#: Kind, name and table of what the program never makes, but extensions of PostgreSQL may.
FOREIGN = {
    "sqlite": """
        SELECT type, name, tbl_name FROM sqlite_schema WHERE type IN ('trigger', 'view')
    """,
    "postgresql": """
        WITH here AS (
            SELECT oid, relname, relkind FROM pg_class
            WHERE relnamespace = current_schema()::text::regnamespace
        )
        SELECT 'trigger', tgname, relname FROM pg_trigger JOIN here ON here.oid = tgrelid
        WHERE NOT tgisinternal AND tgparentid = 0
        UNION ALL
        SELECT 'rule', rulename, relname FROM pg_rewrite JOIN here ON here.oid = ev_class
        WHERE rulename <> '_RETURN'
        UNION ALL
        SELECT 'view', relname, relname FROM here WHERE relkind IN ('v', 'm')
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = here.oid AND deptype = 'e')
    """,
}
#: The parts of partitioned tables, which an operator made by hand.
PARTS = {
    "sqlite": "SELECT 1 WHERE false",
    "postgresql": "SELECT relname FROM pg_class WHERE relispartition",
}
_bringing_up = Lock()
# Only the engine and the session of the extension are used: tables derive from `models.Base`.
# Rows stay readable after their transaction, without being loaded again.
db = SQLAlchemy(add_models_to_shell=False, session_options={"expire_on_commit": False})


def init_app(app: Flask) -> None:
    """Open the database at `SQLALCHEMY_DATABASE_URI` for the application.

    Raise UnknownRevisionError for one that a newer version of the program has migrated. One that
    is away or damaged is accepted: it is served as soon as it can be read.
    """
    url = database_url(app.config["SQLALCHEMY_DATABASE_URI"])
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = engine_options(url)
    db.init_app(app)
    app.teardown_appcontext(_let_go)
    with app.app_context():
        prepare(db.engine, watched=True)
    app.extensions[READY], app.extensions[REVISION] = False, migrate.newest()
    try:
        app.extensions[READY] = migrate.refuse_unknown(url) == migrate.newest()
    except DatabaseError as error:
        app.logger.warning("The database cannot be read yet: %s", error)


def _let_go(_: BaseException | None) -> None:
    """Close the session; ignore a lost connection, as the answer is ready."""
    try:
        db.session.close()
    except DBAPIError as error:
        current_app.logger.warning("A connection was lost while it was given back: %s", error)
        db.session.registry.clear()  # the session cannot be closed twice; its connection is gone


def make_ready() -> None:
    """Make the tables of a new database, and check the version of existing ones once.

    Raise NotReadyError for tables of another version: only the operator migrates existing data.
    """
    if current_app.extensions[READY]:
        return
    with _bringing_up:
        revision = migrate.current(db.engine.url)
        if revision is None:
            migrate.upgrade(db.engine.url)
        else:
            _refuse_other(revision)
        current_app.extensions[READY] = True


def check_tables(connection: Connection | None = None) -> None:
    """Raise NotReadyError if the tables are now of another version.

    Writes check it within their transaction, for which `migrate` waits.
    """
    if connection is None:
        with db.engine.connect() as fresh:
            check_tables(fresh)
        return
    try:
        _refuse_other(connection.scalar(migrate.CURRENT))
    except NotReadyError:
        current_app.extensions[READY] = False
        raise


def other_tables(trouble: Trouble | None) -> NotReadyError | None:
    """Return the error of tables of another version, if a statement failed because of them.

    For a missing column SQLite reports that the database is away.
    """
    if trouble is None or (trouble is Trouble.AWAY and db.engine.dialect.name == "sqlite"):
        try:
            db.session.rollback()  # gives its connection back
            check_tables()
        except NotReadyError as error:
            return error
        except SQLAlchemyError:
            return None
    return None


def _refuse_other(revision: str | None) -> None:
    ours = current_app.extensions[REVISION]
    if revision != ours:
        sentence = OLDER if revision is None or migrate.is_known(revision) else NEWER
        raise NotReadyError(replace(sentence, values={"found": revision or "–", "ours": ours}))


def upgrade(revision: str = "head") -> Path | None:
    """Migrate the application's tables up to a revision; return the copy that was made before."""
    return migrate.upgrade(db.engine.url, revision)


def downgrade(revision: str) -> None:
    """Migrate the application's tables back to an older revision."""
    migrate.downgrade(db.engine.url, revision)


def revision() -> str | None:
    return migrate.current(db.engine.url)


def database_mode() -> Mode:
    """Describe the engine of the application's data; raise DBAPIError if it does not answer."""
    return mode(db.engine)


def database_bytes() -> int:
    """Return the size of the data on the disk, on SQLite without the log beside the file."""
    return int(db.session.scalar(text(SIZES[db.engine.dialect.name])) or 0)


@contextmanager
def one_moment() -> Iterator[None]:
    """Read the database in the block as it is at one moment."""
    db.session.close()
    db.session.connection(execution_options=ONE_MOMENT[db.engine.dialect.name])
    try:
        yield
    finally:
        db.session.close()


def damages() -> Iterator[str]:
    """Yield what SQLite's integrity check finds in its file; nothing on PostgreSQL."""
    if db.engine.dialect.name == "sqlite":
        for line in db.session.scalars(text("PRAGMA integrity_check")):
            if line != "ok":
                yield line


def differences() -> Iterator[str]:
    """Name each missing or added table, column, key, index, trigger and view."""
    connection = db.session.connection()
    dialect = connection.dialect
    with warnings.catch_warnings(record=True) as unread:
        warnings.simplefilter("always")
        apart = {REVISION_TABLE, *connection.scalars(sa.text(PARTS[dialect.name]))}
        read = sa.MetaData()
        read.reflect(connection, only=lambda name, _: name not in apart, resolve_fks=False)
    reflected = read.tables
    yield from sorted({str(warning.message) for warning in unread})
    tables = Base.metadata.tables
    yield from (f"table {name} is missing" for name in sorted(tables.keys() - reflected.keys()))
    yield from _not_ours(f"table {name}" for name in reflected.keys() - tables.keys())
    for name in sorted(tables.keys() & reflected.keys()):
        ours, theirs = (set(_parts(known[name], dialect)) for known in (tables, reflected))
        yield from (f"{part} is missing" for part in sorted(ours - theirs))
        yield from _not_ours(theirs - ours)
    rows = connection.execute(sa.text(FOREIGN[dialect.name]))
    yield from _not_ours(
        f"{kind} {name}" if name == table else f"{kind} {name} on {table}"
        for kind, name, table in rows
    )


def _not_ours(parts: Iterable[str]) -> Iterator[str]:
    return (f"{part} is not the program’s" for part in sorted(parts))


def _parts(table: sa.Table, dialect: sa.Dialect) -> Iterator[str]:
    """Describe what a table consists of, the same way for a model and for what was read."""
    compiler = dialect.ddl_compiler(dialect, None)  # type: ignore[arg-type]  # no statement
    for column in table.columns:
        default = compiler.get_column_default_string(column) or ""
        plain = default.partition("::")[0].strip("'")  # PostgreSQL adds the type
        usual = f" DEFAULT {plain or repr(plain)}" if default else ""
        needed = "" if column.nullable else " NOT NULL"
        yield f"column {column} {column.type.compile(dialect)}{needed}{usual}"
    for constraint in table.constraints:
        # On PostgreSQL a foreign key refers also to each part of a partitioned table.
        if not isinstance(constraint, sa.ForeignKeyConstraint) or (
            constraint.elements[0].target_fullname.partition(".")[0] in Base.metadata.tables
        ):
            yield _constraint(constraint)
    for index in table.indexes:
        columns = ", ".join(str(getattr(part, "name", part)) for part in index.expressions)
        where = index.dialect_kwargs.get(f"{dialect.name}_where")
        of_some = "" if where is None else f" where {where}"
        yield f"{'unique ' if index.unique else ''}index {index.name} ({columns}){of_some}"


def _constraint(constraint: sa.Constraint) -> str:
    """Describe a key or check, without the text of the check, as engines write it differently."""
    kind = type(constraint).__name__.removesuffix("Constraint")
    columns = ", ".join(column.name for column in getattr(constraint, "columns", ()))
    name = f"{kind} {constraint.name} on {constraint.table}"
    if kind == "Check":
        return name
    if isinstance(constraint, sa.ForeignKeyConstraint):
        named = ", ".join(element.target_fullname for element in constraint.elements)
        return f"{name} ({columns}) of {named}, on delete {constraint.ondelete}"
    return f"{name} ({columns})"
