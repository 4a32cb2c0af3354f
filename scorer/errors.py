"""What can be wrong: the problems of an input, and the errors of a call."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self, TypeVar

from scorer.texts import Text

T = TypeVar("T")
MOST_PROBLEMS = 100


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of an input: a stable code, the path of the field, a sentence."""

    code: str
    field: str
    message: Text


class ScorerError(Exception):
    """The root of every error that the project raises on purpose."""


class UnknownGameError(ScorerError):
    """No game of that name."""


class NotFoundError(ScorerError):
    """The thing is not there, or belongs to another circle; the answer doesn't tell which."""


def existing(thing: T | None) -> T:
    """Return the row or value; raise NotFoundError for None."""
    if thing is None:
        raise NotFoundError
    return thing


class RefusedError(ScorerError):
    """The sender may not do that; the message says who may."""

    def __init__(self, message: Text, title: Text | None = None) -> None:
        self.message, self.title = message, title
        super().__init__(str(message))


class ForeignHostError(RefusedError):
    """The request names a host that isn't the server's."""


class ForeignSiteError(RefusedError):
    """A page of another site tried to write."""


class LaterError(ScorerError):
    """Not now; try again after `seconds`."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(f"{seconds} s")


class TooOftenError(LaterError):
    """The same was requested too often."""


class BusyError(LaterError):
    """The server has no room for it."""


class NotReadyError(ScorerError):
    """This version of the program can't use the database; the message says why."""

    def __init__(self, message: Text) -> None:
        self.message = message
        super().__init__(str(message))


class ConflictError(ScorerError):
    """Somebody else wrote the same thing meanwhile; nothing was overwritten or doubled."""


class InvalidError(ScorerError):
    """The input has problems; nothing was written."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{p.field}: {p.message}" for p in self.problems))

    @classmethod
    def of(cls, code: str, field: str, message: Text) -> Self:
        """Make the error of one problem; ``field`` is its path."""
        return cls([Problem(code, field, message)])


def refuse(problems: Iterable[Problem]) -> None:
    """Raise InvalidError if there are any problems."""
    if all_problems := tuple(problems):
        raise InvalidError(all_problems)
