"""The chart: drawn once for each state of a session, then answered from the browser."""

from unittest.mock import Mock

import pytest

from scorer import charts
from tests.web.phones import Phone
from tests.web.session.test_seating import send

WAYS = ["", "?theme=dark", "?width=640", "?theme=dark&width=640"]


def test_chart_is_not_sent_again_until_the_session_changes(phone: Phone) -> None:
    phone.start().record(1)
    first = phone.get("chart.svg")
    known = {"If-None-Match": first.headers["ETag"]}

    again = phone.get("chart.svg", headers=known)
    phone.record(2)
    after = phone.get("chart.svg", headers=known)

    assert "Ada +4, Bea +2, Ciro −2, Dora −2, Ezio −2" in phone.page().source
    assert first.mimetype == "image/svg+xml"
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert after.status_code == 200
    assert after.headers["ETag"] != first.headers["ETag"]


def test_line_of_a_guest_begins_where_the_guest_joined(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = Mock(return_value=b"")
    monkeypatch.setattr(charts, "balance_chart", draw)
    phone.start(rules="classic-plain").record(1)
    phone.get("chart.svg")
    send(phone, guest=["Fulvia"])
    phone.get("chart.svg")

    starts = [[line.start for line in call.args[0].lines] for call in draw.call_args_list]
    assert starts == [[0] * 5, [0] * 5 + [1]]


def test_phones_that_ask_for_the_same_chart_get_one_drawing(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = Mock(side_effect=lambda *_, width, theme: f"{width} {theme}".encode())
    monkeypatch.setattr(charts, "balance_chart", draw)
    phone.start().record(1)

    answers = [phone.get(f"chart.svg{way}").text for way in WAYS * 2]
    phone.record(2)
    phone.get("chart.svg")

    expected = [(360, "light"), (360, "dark"), (640, "light"), (640, "dark")]
    assert answers == [f"{width} {theme}" for width, theme in expected] * 2
    drawn = [(call.kwargs["width"], call.kwargs["theme"]) for call in draw.call_args_list]
    assert drawn == [*expected, (360, "light")]
