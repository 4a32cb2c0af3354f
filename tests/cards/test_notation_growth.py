"""Hostile text: whoever reads it takes time like its length, and never longer than that."""

from functools import partial

import pytest

from scorer.cards.notation.deals import LONGEST_TEXT, parse
from scorer.cards.notation.files import read_file
from scorer.errors import InvalidError
from scorer.games.briscola_chiamata import GAME
from tests.growth import is_linear

#: A file may be longer, by far.
LONGEST_FILE = 16_384
pytestmark = pytest.mark.untraced
SEATS = "seats: Ada, Bea, Ciro, Dora, Ezio\n"
HEADS = ["", '"', "seats: ", "rules: {", *(
    f"{SEATS}{line}" for line in ("auction: ", "auction: Ada ", "caller: ", "result: ", "taken: ",
                                  "hand ", "discards: ", "1. ", "out: "))]  # fmt: skip
UNITS = ['"', '\\"', "\\", '"a"', '"\\', ' "', ':"', '"a"b', "n'", "#", '"#', " #", ":", "a:",
         "a ", "ab", " ", "\n", '\\"\n', ",", "> ", "1", "1 ", "1.\n", "@", "a @", "2@75,", "K ",
         "Re di ", "A", "[", '{"a":', "? ", "Ada ", "Ada 61, ", "\u0130", "\x00"]  # fmt: skip


def begun_with(head: str, unit: str, length: int) -> str:
    return head + unit * (length // len(unit))


#: `make test` tries every third.
EACH_HEAD = [
    pytest.param(head, marks=pytest.mark.slow if place % 3 else [])
    for place, head in enumerate(HEADS)
]


@pytest.mark.parametrize("head", EACH_HEAD)
def test_text_of_a_deal_is_read_in_time_like_its_length(head: str) -> None:
    for unit in UNITS:
        sent = partial(begun_with, head, unit)
        assert is_linear(partial(parse, GAME), sent, LONGEST_TEXT - len(head)), unit


@pytest.mark.parametrize("head", ["", "title: ", "deal: 1\n"])
def test_file_of_deals_is_read_in_time_like_its_length(head: str) -> None:
    for unit in [*UNITS, "a.b-", "a-", "# \n"]:
        sent = partial(begun_with, f"smazzate: 1\ngame: briscola-chiamata\n{head}", unit)
        assert is_linear(read_file, sent, LONGEST_FILE), unit


def test_names_at_a_table_are_compared_with_few_others() -> None:
    names = ",".join(f"{number:x}" for number in range(1_000))

    with pytest.raises(InvalidError):
        parse(GAME, f"seats: {names}\nout: {names}")
