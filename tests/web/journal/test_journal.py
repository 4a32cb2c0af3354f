"""The journal on the phone: every act in words, looked for, paged; titles, names, the witness."""

import re
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorer.services.base.journal import Kind
from scorer.services.circle import circles
from scorer.services.journal.journal_page import GROUPS, NOTHING_MORE, SENTENCES
from scorer.storage import in_transaction, queries
from tests.data.rows import rows
from tests.services.evenings import FIVE, selects
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.programs import bot_of
from tests.web.rows import findings, link_ids, phone_ids, player_ids, state_of

#: So many entries are a page where a test says so.
PAGE = 6


def journal(phone: Phone, **asked: str) -> Page:
    return Page(phone.get(f"{phone.circle_url}journal", query_string=asked))


def lines(phone: Phone, **asked: str) -> list[str]:
    """Give what each entry of the page says, in one line."""
    source = phone.get(f"{phone.circle_url}journal", query_string=asked).text
    entries = re.findall(r'<div class="grow">(\s*<p>.*?)</li>', source, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", entry).split()) for entry in entries]


@pytest.fixture
def two(app: Flask) -> tuple[Phone, Phone]:
    """Give Bea’s phone, which owns a circle that plays, and Ciro’s, a player’s."""
    phone, other = Phone(app).start(stake="0.10").hold("Bea"), Phone(app)
    phone.let_in(other, "player").hold("Ciro")
    return phone, other


@rows(__file__, "acts")
def test_act_is_said_with_who_did_it(
    two: tuple[Phone, Phone], acts: list[list[Any]], said: list[str]
) -> None:
    phone, other = two
    of_players = zip(FIVE, player_ids(phone), strict=True)
    about = {"circle": phone.circle_url, "phone 2": phone_ids(phone)[1], "key": uuid4(),
             "link": link_ids(phone)[0], **dict(of_players)}  # fmt: skip
    about["the pen"] = phone.link("The pen", "scorekeeper")
    before = len(lines(phone))

    for who, path, *forms in acts:
        sent = {name: typed.format_map(about) for form in forms for name, typed in form.items()}
        answer = (phone if who == "owner" else other).post(path.format_map(about), sent)
        assert answer.status_code < 400

    found = lines(phone)
    new = found[: len(found) - before]
    for words in said:
        (line,) = [line for line in new if line.startswith(words)]
        assert re.match(r" ?(Bea · Phone 1|Ciro · Phone 2), ", line.removeprefix(words)), line
    assert findings(phone) == []


def test_beginning_is_said_with_what_was_agreed(two: tuple[Phone, Phone]) -> None:
    found = "\n".join(lines(two[0]))

    for words in (
        "The circle “Ada, Bea, Ciro” began.",
        "The session “Friday” began. Game Briscola Chiamata Rules Classic Players Ada, Bea, Ciro",
        "Players Ada, Bea, Ciro, Dora, Ezio",
        "Stake €0.10 Bea (holds it today) · Phone 1",
        "Phone 1 is the phone of Bea now.",
        "Phone 2 came in. Role Player Link Another phone",
        "The link “Another phone” was made. Role Player Runs out",
        "Ada is among the players.",
    ):
        assert words in found
    before = {"to": "2020-01-01"}
    assert lines(two[0], **before) == []
    assert "Nothing of the kind was done." in journal(two[0], **before).words


def test_long_journal_has_pages(two: tuple[Phone, Phone], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorer.services.journal.journal_page.PAGE", PAGE)
    phone, _ = two
    for _ in range(PAGE // 2 + 1):
        phone.post("end")
        phone.post("reopen")

    first = journal(phone, kind="evenings")
    older = next(link for link in first.links if "before=" in link)
    rest = Page(phone.get(older))

    assert len(lines(phone)) == PAGE
    assert "kind=evenings" in older
    assert "The session “Friday” began." in rest.words
    assert any(link.endswith("journal?kind=evenings") for link in rest.links)

    bot = bot_of(phone, "owner")
    newest = bot.ask(f"{bot.circle}/journal?kind=evenings").get_json()
    oldest = bot.ask(newest["next"]).get_json()

    assert len(newest["entries"]) == PAGE
    assert oldest["next"] is None


def test_page_asks_the_database_as_often_however_much_was_done(two: tuple[Phone, Phone]) -> None:
    phone, other = two
    asked = []
    for times in (1, 6):
        for number in range(times):
            phone.start(circle=str(phone.keys[0]), title=f"{times} {number}")
            phone.post("record/start", phone.deal())
            other.hold("Ciro" if number % 2 else "Dora")
            ada = f"{phone.circle_url}players/{player_ids(phone)[0]}"
            phone.post(f"{ada}/rename", {"name": f"Ada {times} {number}"})
        with phone.app.app_context(), selects() as found:
            journal(phone)
        asked.append(len(found))

    assert asked[0] == asked[1] < 30


def test_phone_that_nobody_named_and_the_operator_can_be_looked_for(
    two: tuple[Phone, Phone], app: Flask
) -> None:
    phone, other = two
    circle_id, _ = phone.keys
    phone.let_in(Phone(app), "spectator").post("csv")
    third = str(phone_ids(phone)[2])
    before = journal(phone).source
    with app.app_context():
        circles.rename_circle(circle_id, "Club")

    offered = re.findall(r'<option value="([^"]*)"', before)
    assert third in offered
    assert not {"operator", *map(str, phone_ids(phone)[:2])} & set(offered)
    assert [line[:20] for line in lines(phone, player=third)] == [
        "The session “Friday”", "Phone 3 came in. Rol",
    ]  # fmt: skip
    (line,) = lines(other, player="operator")
    assert line.startswith("The circle “Ada, Bea, Ciro” is called “Club” now. the op")


def test_witness_stands_on_the_page_and_an_entry_of_a_newer_version_is_said_to_be_something(
    phone: Phone,
) -> None:
    phone.start().record()
    page, state = phone.page(), state_of(phone)

    assert state.letters in page.told.partition("Seal of the session")[2]
    assert state.letters in phone.post("csv").text
    assert any(link.endswith("/journal#proof") for link in page.links)
    with phone.app.app_context():

        def work() -> None:
            (*_, last) = queries.journal.journal_entries(phone.keys[0])
            last.kind = "unheard-of"

        in_transaction(work)

    assert lines(phone)[0].startswith(str(NOTHING_MORE))


def test_every_kind_is_in_one_group_for_each_subject() -> None:
    pairs = {
        (kind, subject): [name for name, (_, kinds) in GROUPS.items() if (kind, subject) in kinds]
        for kind, subject in SENTENCES
    }

    assert {pair: found for pair, found in pairs.items() if len(found) != 1} == {}
    assert {Kind(kind) for kind, _ in SENTENCES} == set(Kind)
