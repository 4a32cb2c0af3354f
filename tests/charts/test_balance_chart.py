import re
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from scorer.charts import THEMES, Balances, Wording
from tests.charts.evenings import FIVE, HOSTILE, SEVEN, TEN, WORDING, Picture, evening, session

TIED = session(FIVE, (0,) * 5, {1: {0: 4, 1: -1, 2: -1, 3: -1, 4: -1}})
CASES = {
    "no deal": evening(0),
    "one deal": evening(1),
    "four alike": TIED,
    "two seats": evening(2, FIVE[:2]),
    "twenty deals": evening(20, amended={4, 11}),
    "seven seats, two sit out": evening(20, SEVEN, sitting_out=2),
    "ten seats, half of them sit out": evening(20, TEN, sitting_out=5),
    "two came later": evening(20, SEVEN, since=(1, 1, 1, 1, 1, 7, 30)),
    "hostile names": evening(12, HOSTILE, sitting_out=2),
    "thousands": evening(60, SEVEN, scale=1000),
    "2,000 deals, all amended": evening(2000, SEVEN, amended=range(2001)),
    "no names": session(("", " "), (5, 5), {}),
}
every_case = pytest.mark.parametrize("case", CASES)
#: The narrowest and the widest, where less and more is asked for.
every_width = pytest.mark.parametrize(("asked", "width"), [(319, 320), (9999, 1200)])


@cache
def picture_of(case: str, width: int) -> Picture:
    """Draw a case once for all tests that look at it."""
    return Picture(CASES[case], width=width)


@every_case
@every_width
def test_a_chart_is_a_plain_picture_of_its_width_whose_text_can_be_read_at_arms_length(
    case: str, asked: int, width: int
) -> None:
    picture = picture_of(case, asked)
    assert len(picture.data) < 60_000
    height = picture.size()[1]
    assert picture.root.tag == "{http://www.w3.org/2000/svg}svg"
    assert picture.size()[0] == width
    assert picture.root.get("viewBox") == f"0 0 {width} {height}"
    assert 240 <= height <= 520

    allowed = {"svg", "title", "desc", "g", "defs", "path", "use", "text", "clipPath", "rect"}
    assert {element.tag.partition("}")[2] for element in picture.root.iter()} <= allowed
    for element in picture.root.iter():
        assert not {"style", "class"} & set(element.attrib)
        assert element.get("href", "#").startswith("#")
        assert "font-family" not in element.attrib or element is picture.root
    assert b"<!" not in picture.data
    assert b"matplotlib.org" not in picture.data

    assert all(label.size >= 13 for label in picture.labels())
    assert all(label.size >= 14 for label in picture.labels("name-"))


@every_case
@every_width
def test_names_at_the_line_ends_never_overlap_and_end_before_the_balance(
    case: str, asked: int, width: int
) -> None:
    picture = picture_of(case, asked)
    heights = sorted(label.y for label in picture.labels("balance-"))
    assert len(heights) == len(CASES[case].lines)
    assert {label.y for label in picture.labels("name-")} <= set(heights)
    assert all(below - above >= 19.8 for above, below in pairwise(heights))
    assert heights[0] >= 14
    assert heights[-1] <= picture.size()[1] - 26

    balance_width = max(len(label.text) for label in picture.labels("balance-")) * 14 * 0.55
    clipped = [group for group in picture.tagged("g") if group.get("clip-path")]
    assert len(clipped) == len(picture.labels("name-"))
    for group in clipped:
        room = picture.named(group.get("clip-path", "").removeprefix("url(#").removesuffix(")"))[0]
        right = float(room.get("x", "")) + float(room.get("width", ""))
        assert right <= width - 8 - balance_width
        assert float(room.get("height", "")) <= 24


@pytest.mark.parametrize(
    ("deals", "sitting_out", "width"), [(210, 0, 1200), (210, 0, 320), (2000, 2, 1200)]
)
def test_the_marks_of_a_line_are_bounded(deals: int, sitting_out: int, width: int) -> None:
    picture = Picture(evening(deals, SEVEN, sitting_out=sitting_out), width=width)
    for seat in range(7):
        assert 3 <= len(picture.marks(f"deals-{seat}")) <= 8


def test_texts_are_written_as_text_and_never_as_mark_up() -> None:
    nasty = "</title><script>alert('&amp;')</script> \x00\x08\x0b\ud800\uffff $x^2$"
    wording = Wording(title=nasty, description=nasty, deals=nasty, amended=nasty, no_deals=nasty)
    for balances in (evening(0, HOSTILE), evening(3, HOSTILE, amended={2})):
        picture = Picture(balances, wording, width=1200)
        assert picture.root.get("role") == "img"
        assert [child.tag.partition("}")[2] for child in picture.root[:2]] == ["title", "desc"]
        assert picture.root[0].text == "</title><script>alert('&amp;')</script> $x^2$"
        assert picture.root[1].text == picture.root[0].text
        assert not picture.tagged("script")


def test_names_are_shown_as_they_are_written() -> None:
    names = [label.text for label in Picture(evening(3, HOSTILE), width=1200).labels("name-")]
    assert names[0] == "<script>alert(1)</script>"
    assert names[1] == "$x^2$ & \\frac_1 ]]>"
    assert names[3].startswith("👨‍👩‍👧‍👦🇮🇹 Famiglia")
    assert names[6].endswith("lgo ﷺ")
    like_ours = ('style="fill: red"', 'id="text_1"', "1.23456", "<use style='a'/>")
    names = [label.text for label in Picture(evening(3, like_ours), width=1200).labels("name-")]
    assert names == [*like_ours]


def test_long_names_end_in_an_ellipsis_and_leftward_ones_begin_at_their_right_end() -> None:
    names = [label.text for label in Picture(evening(3, HOSTILE)).labels("name-")]
    assert all(name.rstrip("\u2069").endswith("…") for name in names[:6])
    assert all(len(name) > 2 for name in names)
    isolated = [(name[0], name[-1]) == ("\u2067", "\u2069") for name in names]
    assert isolated == [False, False, True, False, False, False, False]
    assert names[2][-2] == "…"


TWELVE = ("Giambattista", "Massimiliana", "Margheritina", "Fiordalisina", "Bartolomeuch")
LINES = zip(evening(9, TWELVE[:2], scale=205).lines, (TWELVE[:2], TWELVE[2:4]), strict=True)
PAIRS = replace(
    evening(9, TWELVE[:2], scale=205),
    lines=tuple(replace(line, names=names) for line, names in LINES),
)


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize(
    "balances",
    [
        pytest.param(evening(12, TWELVE), id="five"),
        pytest.param(evening(40, SEVEN, scale=2345, amended={3, 9}), id="high balances"),
        pytest.param(evening(0, TWELVE), id="no deal"),
        pytest.param(PAIRS, id="pairs"),
    ],
)
def test_every_text_is_within_the_picture(balances: Balances, width: int) -> None:
    words = replace(
        WORDING, no_deals="Ancora nessuna smazzata", names_format="%(names)s e %(last)s"
    )
    picture = Picture(balances, words, width=width)
    height = picture.size()[1]
    for label in picture.labels():
        start, end = label.spans()
        assert (start >= 0, end <= width) == (True, True), label
        assert label.size <= label.y <= height, label


def test_partners_are_named_as_a_language_joins_them_or_below_each_other() -> None:
    words = replace(WORDING, names_format="%(names)s e %(last)s")
    whole, narrow = (Picture(PAIRS, words, width=width) for width in (800, 320))
    assert whole.labels("name-0")[0].text == "Giambattista e Massimiliana"
    below = [label.text for label in narrow.labels("name-")]
    assert below == ["Giambattista", "Massimiliana", *TWELVE[2:4]]
    heights = sorted(label.y for label in narrow.labels("name-"))
    assert all(lower - upper >= 16 for upper, lower in pairwise(heights))


def test_names_of_twelve_letters_are_whole_on_the_smallest_phone() -> None:
    picture = Picture(evening(12, TWELVE, scale=25), width=320)
    assert {label.text for label in picture.labels("name-")} == set(TWELVE)


def test_balances_stand_beside_the_names_with_their_sign() -> None:
    deals = {1: {0: 12_345, 1: -12_345, 2: 0}, 2: {1: 12, 2: -12}}
    picture = Picture(session(FIVE[:3], (0, 0, 5), deals))
    assert [label.text for label in picture.labels("balance-")] == [
        "+12\u202f345",
        "−12\u202f333",
        "−7",
    ]
    before = Picture(session(("Ada", "Bea"), (30, -30), {}))
    assert [label.text for label in before.labels("balance-")] == ["+30", "−30"]


@every_case
def test_there_is_one_zero_line_and_it_is_named_zero(case: str) -> None:
    picture = picture_of(case, 319)
    ((left, y), (right, same)) = picture.points("zero")
    assert y == same
    assert left < right
    ticks = [label for label in picture.labels() if label.x < left and label.y < y + 200]
    assert all(re.fullmatch("−?[0-9\u202f]+", tick.text) for tick in ticks)
    zeros = [tick for tick in ticks if tick.text == "0"]
    assert [label.y - label.size * 0.36 for label in zeros] == [pytest.approx(y, abs=0.5)]


def test_a_line_goes_from_the_opening_through_the_running_balances() -> None:
    deals = {1: {0: 4, 1: -4}, 2: {0: -2, 1: 2}, 4: {0: 6, 1: -6}}
    balances = session(("Ada", "Bea"), (10, -10), deals)
    picture, turned = Picture(balances), Picture(replace(balances, lower_is_better=True))
    zero = picture.points("zero")[0][1]
    (x0, y0), (x1, y1), (x2, y2), (x4, y4) = picture.points("line-0")
    unit = (zero - y0) / 10
    assert unit > 0
    assert [zero - y for y in (y1, y2, y4)] == pytest.approx(
        [14 * unit, 12 * unit, 18 * unit], abs=1
    )
    assert turned.points("line-0")[0][1] > turned.points("zero")[0][1]
    assert x2 - x1 == pytest.approx(x1 - x0, abs=0.2)
    assert x4 - x2 == pytest.approx(2 * (x1 - x0), abs=0.2)


def test_who_sits_out_has_a_flat_line_and_no_mark() -> None:
    deals = {1: {0: 2, 1: -1, 2: -1}, 2: {0: 3, 1: -3}}
    picture = Picture(session(FIVE[:3], (0, 0, 0), deals))
    _, played, sat_out = picture.points("line-2")
    assert played[1] == pytest.approx(sat_out[1], abs=2)
    assert picture.marks("deals-2") == [played]
    assert len(picture.marks("deals-0")) == 2

    picture = Picture(session(FIVE[:3], (0, 0, 0), {1: {0: 2, 1: -2}}))
    assert "deals-2" not in picture.names()
    assert "line-2" in picture.names()


def test_lines_that_run_together_are_told_apart() -> None:
    picture = Picture(TIED)
    ends = sorted(picture.points(f"line-{seat}")[-1][1] for seat in range(1, 5))
    assert all(2 < below - above < 3 for above, below in pairwise(ends))


def test_amended_deals_have_a_ring_under_them_and_a_word_for_it() -> None:
    picture = Picture(evening(20, amended={4, 11}))
    line = picture.points("line-0")
    rings = picture.marks("amended")
    assert [x for x, _ in rings] == [line[4][0], line[11][0]]
    assert "amended" in [label.text for label in picture.labels()]

    without = Picture(evening(20))
    assert "amended" not in without.names()
    assert "amended" not in [label.text for label in without.labels()]
    rings = Picture(evening(2000, amended=range(2001))).marks("amended")
    assert all(right[0] - left[0] >= 9.9 for left, right in pairwise(rings))


def test_a_session_without_deals_says_so_in_full_and_names_who_plays() -> None:
    words = replace(WORDING, no_deals="Ancora nessuna smazzata")
    picture = Picture(evening(0), words, width=320)
    zero, *texts = [label.text for label in picture.labels()]
    named = [text for name in FIVE for text in (name, "0")]
    assert (zero, texts[-10:]) == ("0", named)
    assert " ".join(texts[:-10]) == words.no_deals
    assert not any(name.startswith("line-") for name in picture.names())


@pytest.mark.parametrize("theme", THEMES)
def test_every_seat_has_its_colour_on_its_ground(theme: str) -> None:
    picture = Picture(evening(5, TEN), theme=theme)
    ground = next(element for element in picture.tagged("path"))
    strokes = [picture.path(f"line-{seat}").get("stroke") for seat in range(10)]
    assert ground.get("fill") == THEMES[theme].ground
    assert strokes == [*THEMES[theme].seats]
    assert {label.fill for label in picture.labels("name-")} == {THEMES[theme].ink}


def test_the_line_of_a_guest_begins_where_the_guest_sat_down() -> None:
    picture = Picture(evening(10, SEVEN, since=(1, 1, 1, 1, 1, 4, 11)))

    assert [len(picture.points(f"line-{seat}")) for seat in (0, 5)] == [11, 8]
    assert "line-6" not in picture.names()
    assert picture.labels("name-")[-1].text == SEVEN[-1]
