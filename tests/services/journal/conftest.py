import pytest

from tests.services.damages import an_evening
from tests.services.evenings import Evening


@pytest.fixture
def evening() -> Evening:
    """Play an evening with a row of every kind."""
    return an_evening()
