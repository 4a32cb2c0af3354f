"""Hostile text: whoever reads it takes time like its length, and never longer than that."""

from contextlib import suppress
from time import process_time

import pytest

from scorer.cards.notation import deals
from scorer.cards.notation.deals import parse
from scorer.cards.notation.files import read_file
from scorer.errors import InvalidError
from scorer.games.briscola_chiamata import GAME

LENGTH = 32_768
SEATS = "seats: Ada, Bea, Ciro, Dora, Ezio\n"
HEADS = ["", '"', "seats: ", "rules: {", *(
    f"{SEATS}{line}" for line in ("auction: ", "auction: Ada ", "caller: ", "result: ", "taken: ",
                                  "hand ", "discards: ", "1. ", "out: "))]  # fmt: skip
UNITS = ['"', '\\"', "\\", '"a"', '"\\', ' "', ':"', '"a"b', "n'", "#", '"#', " #", ":", "a:",
         "a ", "ab", " ", "\n", '\\"\n', ",", "> ", "1", "1 ", "1.\n", "@", "a @", "2@75,", "K ",
         "Re di ", "A", "[", '{"a":', "? ", "Ada ", "Ada 61, ", "\u0130", "\x00"]  # fmt: skip


#: `make test` tries every third.
EACH_HEAD = [
    pytest.param(head, marks=pytest.mark.slow if place % 3 else [])
    for place, head in enumerate(HEADS)
]


@pytest.mark.parametrize("head", EACH_HEAD)
def test_text_of_a_deal_is_read_in_time_like_its_length(
    head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deals, "LONGEST_TEXT", LENGTH)
    for unit in UNITS:
        text = head + unit * ((LENGTH - len(head)) // len(unit))
        began = process_time()
        with suppress(InvalidError):
            parse(GAME, text)
        took = process_time() - began

        # Not a measurement: what looks again at all that follows takes 5 s of this at once, what
        # doesn't a fraction of a second. Only the time of this process counts, on any machine.
        assert took < 2, (unit, took)


@pytest.mark.parametrize("head", ["", "title: ", "deal: 1\n"])
def test_file_of_deals_is_read_in_time_like_its_length(head: str) -> None:
    for unit in [*UNITS, "a.b-", "a-", "# \n"]:
        began = process_time()
        with suppress(InvalidError):
            read_file(
                f"smazzate: 1\ngame: briscola-chiamata\n{head}" + unit * (LENGTH // len(unit))
            )

        assert process_time() - began < 2, unit


def test_names_at_a_table_are_compared_with_few_others() -> None:
    names = ",".join(f"{number:x}" for number in range(1_000))

    with pytest.raises(InvalidError):
        parse(GAME, f"seats: {names}\nout: {names}")
