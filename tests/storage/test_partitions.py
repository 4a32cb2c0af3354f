"""The schema on a cluster: every table of a circle can be spread by the circle's key."""

import pytest
from sqlalchemy import Table, UniqueConstraint

from scorer.storage.models import Base

APART = {"link_secret", "throttle"}
OF_A_CIRCLE = [table for table in Base.metadata.sorted_tables if table.name not in APART]


@pytest.mark.parametrize("table", OF_A_CIRCLE, ids=str)
def test_every_key_of_a_circles_table_starts_with_the_circle(table: Table) -> None:
    unique = [one for one in table.constraints if isinstance(one, UniqueConstraint)]
    keys = [table.primary_key.columns, *(one.columns for one in unique)]
    keys += [one.columns for one in table.foreign_key_constraints]
    for columns in (*keys, *(one.columns for one in table.indexes)):
        assert next(iter(columns)).name == "circle_id"
