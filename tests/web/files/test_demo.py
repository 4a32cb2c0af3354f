from datetime import timedelta

import pytest
from flask import Flask

from scorer.services.base.clock import at, now
from scorer.services.files import demo
from tests.web.phones import Phone


def test_each_visitor_gets_a_circle_for_an_hour(
    app: Flask, owner: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.config, "DEMO", True)
    monkeypatch.setattr(demo, "MOST_CIRCLES", 100_000)  # other tests have begun hundreds
    first, second = Phone(app), Phone(app, address="192.0.2.2")

    home = first.page("/")
    circles = [phone.post("/demo").location for phone in (first, second)]
    page = first.page(circles[0])

    assert next(form.action for form in home.forms) == "/demo"
    assert "is deleted after an hour" in page.words
    assert "Friday at Bea’s" in page.words
    assert second.get(circles[0]).status_code == 404
    for minutes, status in ((59, 200), (61, 404)):
        with app.app_context(), at(now() + timedelta(minutes=minutes)):
            demo.wipe()
        assert first.get(circles[0]).status_code == status
    assert owner.get(owner.circle_url).status_code == 200


def test_demo_has_so_many_circles_and_an_address_so_many_a_minute(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.config, "DEMO", True)
    monkeypatch.setattr(demo, "MOST_CIRCLES", 0)
    visitor = Phone(app)

    statuses = [visitor.post("/demo").status_code for _ in range(4)]

    assert statuses == [503, 503, 503, 429]
