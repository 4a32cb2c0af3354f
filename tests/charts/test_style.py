from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from scorer.charts import SEAT_COLOURS, SEAT_MARKS, THEMES
from scorer.charts.style import Theme, corners

# How linear red, green and blue look to eyes that lack one kind of cone (Machado and others, 2009).
EYES = {
    "normal": np.eye(3),
    "red-blind": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "green-blind": np.array(
        [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]
    ),
    "blue-blind": np.array(
        [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]
    ),
}
TO_CONES = np.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]])
TO_OKLAB = np.array(
    [[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]]
)

Colour = np.ndarray[tuple[int], np.dtype[np.float64]]


def linear(colour: str) -> Colour:
    parts = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    return float(linear(colour) @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(one: str, other: str) -> float:
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def difference(one: str, other: str, eye: str) -> float:
    seen = [np.clip(EYES[eye] @ linear(colour), 0, 1) for colour in (one, other)]
    first, second = (TO_OKLAB @ np.cbrt(TO_CONES @ colour) for colour in seen)
    return float(np.linalg.norm(first - second))


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_seat_colours_stand_out_from_their_ground_and_text_more(theme: Theme) -> None:
    assert all(contrast(colour, theme.ground) >= 3.3 for colour in theme.seats)
    assert contrast(theme.ink, theme.ground) >= 12
    assert contrast(theme.muted, theme.ground) >= 6
    assert contrast(theme.zero, theme.ground) >= 3


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("theme", THEMES)
def test_any_two_seats_differ_to_every_eye(theme: str, eye: str) -> None:
    pairs = combinations(THEMES[theme].seats, 2)
    assert min(difference(one, other, eye) for one, other in pairs) >= 0.085
    assert len({*SEAT_MARKS}) == len(SEAT_MARKS) == len(SEAT_COLOURS) == 10


@pytest.mark.parametrize("mark", SEAT_MARKS)
def test_marks_fit_their_box_and_have_about_the_same_area(mark: str) -> None:
    points = corners(mark)
    assert all(abs(value) <= 12 for point in points for value in point)
    if points:
        pairs = zip(points, [*points[1:], points[0]], strict=True)
        area = abs(sum(x * y2 - x2 * y for (x, y), (x2, y2) in pairs)) / 2
        assert 170 <= area <= 270


def test_pages_show_the_same_colours_and_marks() -> None:
    static = Path(__file__).parents[2] / "static"
    css, dark = ((static / f"base/{name}.css").read_text("utf-8") for name in ("scorer", "dark"))
    symbols = (static / "base/symbols.svg").read_text(encoding="utf-8")

    for seat, ((light, night), mark) in enumerate(
        zip(SEAT_COLOURS.values(), SEAT_MARKS, strict=True)
    ):
        assert css.count(f"--seat-{seat}: {light};") == 1
        assert dark.count(f"--seat-{seat}: {night};") == 1
        assert f".seat-{seat} {{ --seat: var(--seat-{seat}); }}" in css
        path = "M" + "L".join(f"{x:g} {y:g}" for x, y in corners(mark)) + "z"
        path = path if mark else "M-9 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0z"
        assert f'id="mark-{seat}" viewBox="-12 -12 24 24"><path d="{path}"/>' in symbols
