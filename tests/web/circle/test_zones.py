"""The time zone of a circle, and titles that nobody typed."""

from datetime import UTC, datetime

import pytest
from flask import Flask

from scorer.services.base import clock
from scorer.services.base.clock import zone_called
from scorer.services.circle import circles
from tests.web.phones import Phone
from tests.web.rows import findings

#: Past midnight in Italy, and not in England.
LATE = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)


#: Its name, a city, two words, the zone of no city, and that of each phone.
NAMED = {
    "Europe/Rome": "Europe/Rome",
    " rome ": "Europe/Rome",
    "new york": "America/New_York",
    "utc": "UTC",
    "": "",
}


def test_zone_is_kept_by_its_name(phone: Phone, app: Flask) -> None:
    phone.start()

    for typed, zone in NAMED.items():
        assert phone.post(f"{phone.circle_url}zone", {"zone": typed}).status_code == 303
        with app.app_context():
            assert circles.find(phone.keys[0]).zone == zone
    assert findings(phone) == []


@pytest.mark.parametrize(
    ("sent", "zone"),
    [("Europe/Rome", "Europe/Rome"), ("", ""), ("Atlantis", ""), ("x" * 9_999, "")],
)
def test_circle_begins_in_the_zone_that_its_form_sends(
    phone: Phone, app: Flask, sent: str, zone: str
) -> None:
    phone.start(zone=sent)
    phone.start(circle=str(phone.keys[0]), zone="Asia/Tokyo")

    with app.app_context():
        assert circles.find(phone.keys[0]).zone == zone
    assert findings(phone) == []


def test_zone_that_this_machine_does_not_know_is_utc() -> None:
    assert [zone_called(name) for name in ("", "Atlantis", "../x")] == [UTC] * 3


def test_days_are_those_of_the_zone(phone: Phone) -> None:
    with clock.at(LATE):
        phone.start().record(1)
        before = [phone.get(phone.circle_url).text, phone.get(f"{phone.circle_url}evenings/").text]
        phone.post(f"{phone.circle_url}zone", {"zone": "Europe/Rome"})
        after = [phone.get(phone.circle_url).text, phone.get(f"{phone.circle_url}evenings/").text]
        home = phone.get("/").text

    assert all("20 November" in page or "20 Nov" in page for page in before)
    assert all("21 November" in page or "21 Nov" in page for page in after)
    assert "Saturday 21 November" in home
    assert "from=2026-11-21" in after[1]
    found = phone.get(f"{phone.circle_url}deals/?from=2026-11-21&to=2026-11-21").text
    assert "1 deal" in found
    assert (
        "No deal matches"
        in phone.get(f"{phone.circle_url}deals/?from=2026-11-20&to=2026-11-20").text
    )


def test_times_are_left_to_the_script_only_without_a_zone(phone: Phone) -> None:
    with clock.at(LATE):
        phone.start().record(1)
        plain = phone.get("deals/1/").text
        phone.post(f"{phone.circle_url}zone", {"zone": "Europe/Rome"})
        in_zone = phone.get("deals/1/").text

    assert "data-local" in plain
    assert "23:30" in plain
    assert "data-local" not in in_zone
    assert "00:30" in in_zone


def test_title_that_nobody_typed_is_the_day_in_the_readers_language(phone: Phone) -> None:
    with clock.at(LATE):
        phone.start(title="").record(1)
        phone.post("end")
    italian = phone.get(headers={"Accept-Language": "it"}).text

    assert "<h1>Friday 20 November</h1>" in phone.get("").text
    assert "<h1>venerdì 20 novembre</h1>" in italian
    assert "“Friday 20 November” ended" in phone.get(f"{phone.circle_url}journal").text
