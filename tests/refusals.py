"""What is refused, and for which problems."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from scorer.errors import InvalidError


@contextmanager
def refused(*wanted: str) -> Iterator[None]:
    """Hold that what runs is refused for these problems: by code, by field, or by both."""
    with pytest.raises(InvalidError) as error:
        yield
    problems = error.value.problems
    assert len(problems) == len(wanted), problems
    for problem, want in zip(problems, wanted, strict=True):
        assert want in {problem.code, problem.field, f"{problem.code} {problem.field}"}
