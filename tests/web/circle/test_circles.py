"""Circles on the phone: home, links, joining, who holds the phone, being sent away."""

import re
from datetime import UTC, datetime, timedelta

from flask import Flask

from scorer.services.base import clock
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.rows import link_ids

LONG = "ù" * 10_000


def test_home_shows_the_circles_of_this_phone_only(app: Flask, phone: Phone) -> None:
    phone.start(title="Our evening").record(1)
    stranger = Phone(app).start(title="Their evening")

    ours, theirs, nobody = phone.page("/"), stranger.page("/"), Phone(app).page("/")

    assert "Our evening" in ours.words
    assert phone.url in ours.links
    assert "+2" in ours.words
    assert "Their evening" not in ours.words
    assert "Our evening" not in theirs.words
    assert "evening" not in nobody.words.replace("evenings", "")


def test_secret_is_shown_for_some_minutes_to_the_phone_that_made_the_link(
    app: Flask, phone: Phone
) -> None:
    other = phone.start().let_in(Phone(app), role="owner")
    where = f"{phone.circle_url}links"
    made = phone.post(f"{phone.circle_url}links", {"name": "Bea’s phone", "role": "player"})

    first = phone.get(made.location)
    with clock.at(datetime.now(UTC) + timedelta(minutes=11)):
        late = phone.moved(app).get(where)
    again = phone.get(where, headers={"Accept-Language": "it"})

    assert (made.status_code, made.location) == (303, where)
    secret = re.findall(r"/join#[\w-]+", first.text)
    assert secret
    assert re.findall(r"/join#[\w-]+", again.text) == secret
    assert "data:image/svg+xml" in first.text
    assert "sees the circle as a player" in first.text
    assert first.cache_control.no_store
    foreign = [late, other.get(where)]
    for link_id in link_ids(phone):
        phone.post(f"{where}/{link_id}/revoke")
    for page in (*foreign, phone.get(where), phone.start().get(f"{phone.circle_url}links")):
        assert page.status_code == 200
        assert "/join#" not in page.text


def test_revoking_asks_first_names_the_phones_that_go_and_warns_of_ones_own(
    app: Flask, phone: Phone
) -> None:
    owner = phone.start(title="Our evening").let_in(Phone(app), role="owner")
    (own,) = link_ids(phone)
    phone.let_in(Phone(app)).hold("Dora")
    phone.link(name="Not used")

    page = owner.page(f"{phone.circle_url}phones")
    answer = owner.post(f"{phone.circle_url}links/{own}/revoke")

    asked = re.findall(r"<details.*?</details>", page.source, re.DOTALL)
    used = next(one for one in asked if "/revoke" in one and "Dora" in one)
    unused = next(one for one in asked if "Nobody uses it now" in one)
    assert page.source.count("/revoke") == sum(one.count("/revoke") for one in asked) == 3
    assert "The phone in your hand" not in used + unused
    assert page.words.count("The phone in your hand") == 2
    assert answer.location == "/"
    assert "Ada, Bea, Ciro no longer" in owner.page("/").words


def test_phone_is_nobody_s_only_where_nobody_was_chosen(phone: Phone) -> None:
    phone.start().hold("Dora")

    for number, (player, status, writer) in enumerate(
        (("x", 400, "Dora"), (LONG, 400, "Dora"), ("", 303, "Phone 1")), start=1
    ):
        answer = phone.post(f"{phone.circle_url}hold", {"player_id": player})
        phone.record(number)
        assert answer.status_code == status
        assert f"Written down by {writer}" in phone.page(f"deals/{number}/").told


def test_circle_shows_what_was_played_last_and_leads_to_all_of_it(phone: Phone) -> None:
    phone.start()
    circle = str(phone.keys[0])
    for number in range(4):
        answer = phone.post("/sessions/new", phone.agreed(circle=circle, title=f"Evening {number}"))
        phone.post(answer.headers["Location"] + "end")

    page = Page(phone.get(phone.circle_url))

    assert "Friday" in page.words
    assert [number for number in range(4) if f"Evening {number}" in page.words] == [1, 2, 3]
    for path in ("evenings/", "standings", "ledger", "more"):
        assert phone.circle_url + path in page.links
    more = phone.page(f"{phone.circle_url}more").links
    for path in ("deals/", "seasons/", "journal", "feed", "players/", "rules/", "phones", "own"):
        assert phone.circle_url + path in more


def test_a_circle_without_a_name_is_asked_after_its_first_evening_till_it_answers(
    phone: Phone,
) -> None:
    phone.start(("Nonna Pina", "Bea", "Ciro", "Dora", "Ezio")).record(1)
    assert "What do you call yourselves?" not in phone.page(phone.circle_url).words
    phone.post("end")
    page = phone.page(phone.circle_url)
    offers = re.findall(r'class="name-chip" name="name" value="([^"]+)"', page.source)

    assert [offer.split()[-1] for offer in offers] == ["table", "table"]
    assert offers[1] == "Nonna’s table"
    assert "Nonna, Bea, Ciro" in page.words
    other = phone.let_in(Phone(phone.app), "player")
    assert "What do you call" not in other.page(phone.circle_url).words
    for act, sent in (("unnamed", {}), ("rename", {"name": offers[0], "asked": "y"})):
        assert phone.post(phone.circle_url + act, sent).location == phone.circle_url
        assert "What do you call" not in phone.page(phone.circle_url).words
    assert offers[0] in phone.page(phone.circle_url).words
