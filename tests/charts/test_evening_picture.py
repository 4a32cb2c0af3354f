"""The picture of an evening: its size, that everything fits into it, its letters."""

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

import matplotlib.image
import pytest

from scorer.charts import (
    Duel,
    Picture,
    PictureLine,
    Year,
    duel_chart,
    evening_chart,
    year_chart,
)
from scorer.charts.drawing import drawing
from scorer.charts.picture import (
    CARD,
    LAYOUTS,
    Canvas,
    PictureLayout,
    draw,
    draw_duel,
    draw_year,
    known,
)
from scorer.charts.style import THEMES

TWENTY = "WWWWWWWWWWMMMMMMMMMM"


def picture(people: int, name: str = TWENTY, *, deals: int = 30, partners: int = 1) -> Picture:
    return Picture(
        heading=name * 2,
        below=name * 4,
        people=tuple(
            PictureLine(
                place + 1,
                (name,) * partners,
                place % 10,
                tuple((-1) ** place * place * deal for deal in range(deals + 1)),
                "€ 1,234.50",
            )
            for place in range(people)
        ),
        titles=((name * 2, name * 4),) * 5,
    )


@pytest.mark.parametrize("shape", LAYOUTS)
@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(picture(12), id="twelve of twenty letters"),
        pytest.param(picture(2, deals=1), id="two"),
        pytest.param(picture(4, partners=2), id="partners"),
    ],
)
def test_every_text_fits_and_none_lies_on_another(shape: str, shown: Picture) -> None:
    assert_all_fits(draw, shown, LAYOUTS[shape])


def year(name: str, months: tuple[int, ...] = (3, -2, 6, 4, -50, 9, 2, -1, 5, 140, 7, -3)) -> Year:
    return Year(
        circle=name * 3,
        heading=name * 2,
        mark=3,
        place="12",
        figures=(("138", name), ("+1,239", name * 2), ("4,120", name)),
        months=months,
        letters="GFMAMGLASOND",
        facts=((name, name, name),) * 6,
        made_by="scored with Scorer",
    )


def duel(name: str, evenings: int = 30) -> Duel:
    return Duel(
        circle=name * 3,
        names=(name, name),
        marks=(3, 4),
        won=(evenings, 0),
        words=name * 3,
        evenings=tuple((n % 7 - 3, n % 5 - 2) for n in range(evenings)),
        ahead=tuple((0, 1, None)[n % 3] for n in range(evenings)),
        days=("9 Jan", "27 Nov"),
        facts=(("+1,026", name * 2, "12 of 19"),) * 6,
        made_by="scored with Scorer",
    )


@pytest.mark.parametrize("name", [TWENTY, "Rosa"])
def test_every_text_of_a_year_and_of_a_duel_fits(name: str) -> None:
    assert_all_fits(draw_year, year(name), CARD)
    assert_all_fits(draw_duel, duel(name), CARD)


def test_what_has_nothing_yet_or_burdens_is_drawn() -> None:
    low = replace(year("Rosa", (4, 0, 9) + (0,) * 9), lower_is_better=True)
    for png in (
        evening_chart(picture(3, deals=0)),
        year_chart(year("Rosa", (0,) * 12)),
        year_chart(low, theme="dark"),
        duel_chart(duel("Rosa", 0)),
        duel_chart(duel("Rosa", 1), theme="dark"),
    ):
        assert png.startswith(b"\x89PNG")


def assert_all_fits(
    drawn: Callable[..., None], shown: Picture | Year | Duel, layout: PictureLayout
) -> None:
    """Measure each text of a picture: it is within the picture and on no other one."""
    with drawing(THEMES["light"]):
        drawn(sheet := Canvas(layout, THEMES["light"]), shown)
        sheet.figure.draw_without_rendering()
        texts = [text for axes in sheet.figure.axes for text in axes.texts]
        boxes = [(text, text.get_window_extent()) for text in texts]
    width, height = layout.size

    for text, box in boxes:
        assert 0 <= box.x0 <= box.x1 <= width, text
        assert 0 <= box.y0 <= box.y1 <= height, text
    apart = [(a.get_text(), b.get_text()) for a, at in boxes for b, to in boxes if a is not b
             and at.shrunk(0.9, 0.5).overlaps(to)]  # fmt: skip
    assert apart == []


@pytest.mark.parametrize("shape", LAYOUTS)
def test_picture_has_its_size_and_is_not_blank(shape: str) -> None:
    shown = replace(picture(5, "Rosa"), lower_is_better=True)
    png = evening_chart(shown, shape=shape, theme="dark")

    pixels = matplotlib.image.imread(BytesIO(png), format="png")
    width, height = LAYOUTS[shape].size
    assert pixels.shape[:2] == (height, width)
    assert len({tuple(pixel) for row in pixels[::9] for pixel in row[::9]}) > 10


def test_letters_that_the_font_lacks_are_left_out() -> None:
    assert [known(name) for name in ("Rosa 🌹 Z", "花子", "é")] == ["Rosa Z", "□□", "é"]
