"""Files of deals: written and read back, split, refused with line and column."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.cards.notation.deals import parse
from scorer.cards.notation.files import (
    MOST_DEALS,
    DealFile,
    FileDeal,
    FileHead,
    FileParts,
    begins,
    file_lines,
    read_file,
    write_file,
)
from scorer.errors import InvalidError
from scorer.games.briscola_chiamata import GAME
from scorer.languages import translate
from scorer.texts import visible
from tests.cards.card_deals import value_of, values
from tests.data.rows import rows
from tests.data.strategies import examples
from tests.samples import RECORD

HEADS = """smazzate: 1
game: briscola-chiamata
seats: Ada, Bea, Ciro, Dora, Ezio
"""
WORDS = st.text(min_size=1, max_size=12)
#: A comment keeps what can be seen of it.
LINES = WORDS.map(lambda text: visible(" ".join(text.split()))).filter(
    lambda text: text.strip("# ")
)
COMMENTS = st.lists(
    LINES.map(lambda text: text.lstrip("# ")).filter(lambda text: text.strip() == text != ""),
    max_size=2,
).map(tuple)
TEXTS = st.dictionaries(
    st.sampled_from(["circle", "title", "place", "event.kind", "weather"]), st.text(max_size=12)
)


def in_italian(file: DealFile) -> str:
    return "".join(f"{translate(line, 'it')}\n" for line in file_lines(file))


@st.composite
def files(draw: st.DrawFn) -> DealFile:
    """Give any parts of lawful deals, by any rules, with heads and comments."""
    deals = draw(st.lists(values(), max_size=3))
    numbers = draw(st.lists(st.integers(1, 99_999), min_size=3, max_size=3, unique=True))
    own = st.lists(st.tuples(st.just("briscola-chiamata.word"), st.text(max_size=8)), max_size=1)
    filed = (
        FileDeal(number, deal, tuple(FileHead(*head) for head in draw(own)), draw(COMMENTS))
        for number, deal in zip(numbers, deals, strict=False)
    )
    heads = tuple(FileHead(*head) for head in draw(TEXTS).items())
    return DealFile(GAME, heads, tuple(filed), draw(COMMENTS))


@examples(40)
@given(files())
def test_file_is_read_back_as_the_same(file: DealFile) -> None:
    assert read_file(write_file(file)) == file
    assert read_file(in_italian(file)) == file


@rows(__file__, "files")
def test_file_is_told_from_a_single_deal(text: str, is_file: bool) -> None:  # noqa: FBT001
    assert begins(text) is is_file


def test_comments_and_heads_stay_with_their_deal() -> None:
    written = f'# first\n{HEADS}# second\ntitle: "a # b" # third\ndeal: 1 # fourth\n #\na.b: c\n'
    file = read_file(written)

    assert file.comments == ("first", "second", "third")
    assert file.deals[0].comments == ("fourth",)
    assert file.heads == (FileHead("title", "a # b"),)
    assert file.deals[0].heads == (FileHead("a.b", "c"),)


def problems(text: str) -> list[str]:
    with pytest.raises(InvalidError) as raised:
        read_file(text)
    return [f"{problem.field} {problem.code}" for problem in raised.value.problems]


def test_deck_is_that_of_the_rules_of_the_evening() -> None:
    own = f"{HEADS}deck: italian-40\ndeal: 1\nrules: bastarda\n"

    assert len(read_file(own).deals) == 1


def test_file_has_no_end_of_deals_and_letters() -> None:
    many = "".join(f"deal: {number}\n" for number in range(1, MOST_DEALS + 2))

    assert problems(HEADS + many) == [f"{MOST_DEALS + 4}:11 too-many-deals"]
    assert problems(HEADS + "#" * 1_000_000) == ["1:1 too-long"]
    assert len(problems(HEADS + "".join(f"deal: {n}\n8X 9X\n" for n in range(1, 99)))) == 100


def test_text_of_another_deal_is_refused_at_its_number() -> None:
    known = value_of(RECORD)
    parts = FileParts(f"{HEADS}\ndeal: 1\ncaller: Ada 61 KC\n\ndeal: 2\n7B 8X\n")
    sheet = known.claim

    with pytest.raises(InvalidError) as raised:
        parts.read_beside(parts.deals[0], known, sheet)
    assert [(one.field, one.code) for one in raised.value.problems] == [("5:1", "other-deal")]
    with pytest.raises(InvalidError) as raised:
        parts.read_beside(parts.deals[1], known, sheet)
    assert [one.field for one in raised.value.problems] == ["9:4"]
    alike = FileParts(f"{HEADS}deal: 1\n7B 2D\n")
    assert parts.game is GAME
    read = alike.read_beside(alike.deals[0], known, sheet)
    assert read.tricks == parse(GAME, "7B 2D", known).tricks


@examples(100)
@given(st.lists(st.sampled_from([
    "smazzate: 1", "game: briscola-chiamata", "seats: A, B, C, D, E", "deal: 1", "deal: 2", "deal:",
    "caller: A K KC", "7B 2D", "# x", 'title: "', "a: b", "a.b: c", "rules: classic", "", ":", "\\",
    '"\\ud800": x', 'word: "\\ud800"', "date: 2026", "deck: x",
]), max_size=12))  # fmt: skip
def test_any_lines_are_read_or_refused(lines: list[str]) -> None:
    text = "\n".join(lines)
    try:
        file = read_file(HEADS + text)
    except InvalidError:
        return
    assert read_file(write_file(file)) == file
    assert write_file(file).encode()


#: The checkout, or the folder in which the installed wheel is tested.
HERE = Path(__file__).parents[2]
PAGE = (HERE / "docs/notation.md").read_text(encoding="utf-8")
EVENING_OF_PAGE = re.findall(r"^```\n(smazzate: 1\n.*?)```", PAGE, re.MULTILINE | re.DOTALL)
EXAMPLES = (HERE / "tests/data/examples.smazzate").read_text(encoding="utf-8")


def test_file_of_the_page_is_written_as_it_is_read() -> None:
    (evening,) = EVENING_OF_PAGE

    assert write_file(read_file(evening)) == evening


@pytest.mark.untraced
def test_thirty_examples_are_written_as_they_are_read() -> None:
    heads, *deals = re.split(r"\n(?=deal: )", EXAMPLES)
    whole = read_file(EXAMPLES)

    assert len(deals) == 30
    assert write_file(whole) == EXAMPLES
    assert read_file(in_italian(whole)) == whole
    assert (
        tuple(one for deal in deals for one in read_file(f"{heads}\n{deal}").deals) == whole.deals
    )
