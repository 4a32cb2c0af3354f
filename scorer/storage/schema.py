"""What differs between the schema of the database and the models: `scorer verify` names it."""

import warnings
from collections.abc import Iterable, Iterator

import sqlalchemy as sa

from scorer.storage.database import db
from scorer.storage.models import Base

#: The table in which Alembic keeps the revision.
REVISION = "alembic_version"
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


def differences() -> Iterator[str]:
    """Name each missing or added table, column, key, index, trigger and view."""
    connection = db.session.connection()
    dialect = connection.dialect
    with warnings.catch_warnings(record=True) as unread:
        warnings.simplefilter("always")
        apart = {REVISION, *connection.scalars(sa.text(PARTS[dialect.name]))}
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
