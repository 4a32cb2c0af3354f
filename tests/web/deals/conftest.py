import pytest
from flask import Flask

from tests.web.phones import Phone


@pytest.fixture
def phones(app: Flask) -> tuple[Phone, Phone]:
    """Give two phones at one table; the first one has recorded deal 1."""
    first = Phone(app).start()
    first.record(1)
    return first, first.let_in(Phone(app))
