"""A rule set told to the people at a table, so that they can agree on it: in words and figures."""

from dataclasses import dataclass

from scorer.texts import Text


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table of figures: for which bid, and what each role is paid.

    ``kind`` marks rows that are no ordinary result, such as ``cappotto``.
    """

    label: Text
    figures: tuple[int, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A property that was computed for a rule set, and whether it holds.

    ``about`` is ``sum`` where winnings and losses are compared, ``symmetry`` where made and missed.
    """

    text: Text
    holds: bool
    about: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a rule set was read: a name, and an address if it has one."""

    name: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Description:
    """Everything that a page shows of a rule set.

    ``words`` are the rules in plain sentences. ``rows`` say what a made deal pays, and
    ``loss_rows`` what a missed one pays, if it doesn't cost the same; the first of ``columns``
    heads the labels. Without rows, the words say what is paid.
    """

    slug: str
    name: Text
    blurb: Text
    players: int
    seats_text: Text
    words: tuple[Text, ...]
    sources: tuple[Source, ...]
    columns: tuple[Text, ...] = ()
    rows: tuple[Row, ...] = ()
    loss_rows: tuple[Row, ...] = ()
    checks: tuple[Check, ...] = ()

    @property
    def zero_sum(self) -> bool | None:
        """Whether winnings and losses cancel; None if the game has no such check."""
        return self._holds("sum")

    @property
    def symmetric(self) -> bool | None:
        """Whether a missed bid costs what it pays when made; None if the game has no such check."""
        return self._holds("symmetry")

    def _holds(self, about: str) -> bool | None:
        answers = [check.holds for check in self.checks if check.about == about]
        return all(answers) if answers else None
