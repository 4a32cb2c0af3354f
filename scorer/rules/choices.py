"""Choices that know their own name: what a document says, and what people read."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self

    from scorer.texts import Text


class Choice(StrEnum):
    """An enum of choices, each written as its code and its name: ``"caller", say("The caller")``.

    It is the code alone wherever it is compared, written or read.
    """

    words: Text

    def __new__(cls, code: str, words: Text) -> Self:
        """Make a choice of its code, and keep its name beside it."""
        choice = str.__new__(cls, code)
        choice._value_ = code
        choice.words = words
        return choice
