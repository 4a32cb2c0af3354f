"""Figures: how they are written, and which sign they show."""

from fractions import Fraction

import pytest
from flask import Flask

from scorer.web.figures.records import exact, shown_sign
from scorer.web.session.choosing import LAST, place_of


@pytest.mark.parametrize(
    ("points", "written", "sign"),
    [
        (Fraction(0), "0", "zero"),
        (Fraction(3), "+3", "plus"),
        (Fraction(-10, 3), "−3.3", "minus"),
        (Fraction(-1, 1000), "0.0", "zero"),
        (Fraction(1, 20), "0.0", "zero"),
        (Fraction(6, 100), "+0.1", "plus"),
    ],
    ids=str,
)
def test_figure_shows_the_sign_that_is_written(
    app: Flask, points: Fraction, written: str, sign: str
) -> None:
    with app.test_request_context(headers={"Accept-Language": "en"}):
        assert exact(points) == written
    assert shown_sign(written) == sign


@pytest.mark.parametrize(
    ("typed", "place"),
    [("3", 3), (" 3 ", 3), ("03", 3), ("99", 99), ("-1", -1)]
    + [(text, LAST) for text in (None, "", "x", "1.5", "100", "²", "٣", "9" * 5000)],
    ids=lambda value: str(value)[:8],
)
def test_place_is_read_as_any_whole_number_and_else_is_the_last(
    typed: str | None, place: int
) -> None:
    assert place_of(typed) == place
