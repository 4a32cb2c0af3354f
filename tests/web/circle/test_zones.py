"""The time zone of a circle, and titles that nobody typed."""

from datetime import UTC, datetime

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
    phone.start(zone="Europe/Paris")
    phone.start(circle=str(phone.keys[0]), zone="Asia/Tokyo")
    with app.app_context():
        assert circles.find(phone.keys[0]).zone == "Europe/Paris"

    for typed, zone in NAMED.items():
        assert phone.post(f"{phone.circle_url}zone", {"zone": typed}).status_code == 303
        with app.app_context():
            assert circles.find(phone.keys[0]).zone == zone
    assert findings(phone) == []
    phone.start(zone="x" * 9_999)
    with app.app_context():
        assert circles.find(phone.keys[0]).zone == ""


def test_zone_that_this_machine_does_not_know_is_utc() -> None:
    assert [zone_called(name) for name in ("", "Atlantis", "../x")] == [UTC] * 3


def test_days_and_times_are_those_of_the_zone_or_left_to_the_script(
    phone: Phone,
) -> None:
    with clock.at(LATE):
        phone.start().record(1)
        paths = phone.circle_url, f"{phone.circle_url}evenings/", "deals/1/"
        *before, plain = [phone.get(path).text for path in paths]
        phone.post(f"{phone.circle_url}zone", {"zone": "Europe/Rome"})
        *after, in_zone = [phone.get(path).text for path in paths]
        home = phone.get("/").text

    assert all("20 Nov" in page for page in before)
    assert all("21 Nov" in page for page in after)
    assert "Saturday 21 November" in home
    assert "from=2026-11-21" in after[1]
    for day, told in (("2026-11-21", "1 deal"), ("2026-11-20", "No deal matches")):
        assert told in phone.get(f"{phone.circle_url}deals/?from={day}&to={day}").text
    assert ("data-local" in plain, "data-local" in in_zone) == (True, False)
    assert "23:30" in plain
    assert "00:30" in in_zone


def test_title_that_nobody_typed_is_the_day_in_the_readers_language(phone: Phone) -> None:
    with clock.at(LATE):
        phone.start(title="").record(1)
        phone.post("end")
    italian = phone.get(headers={"Accept-Language": "it"}).text

    assert "<h1>Friday 20 November</h1>" in phone.get("").text
    assert "<h1>venerdì 20 novembre</h1>" in italian
    assert "“Friday 20 November” ended" in phone.get(f"{phone.circle_url}journal").text
