"""The cards of a deal on a phone without scripts: written down, compared, replayed, as text."""

import json
import re
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorer.storage import queries
from tests.samples import RECORD
from tests.web.pages import Page
from tests.web.phones import JSON, Phone
from tests.web.rows import deal_count

TRICKS: list[list[str]] = RECORD["tricks"]
CARDS = [card for trick in TRICKS for card in trick]
TEXT = "\n".join(" ".join(trick) for trick in TRICKS)
#: Bea called the king of cups; by the cards Ciro was her partner, and they took 72.
CALLED = {"caller": "1", "bid_points": "70", "suit": "C", "called_rank": "K"}
RIGHT = {**CALLED, "partner": "2", "card_points": "72"}
#: What a page has where the cards and the sheet say the same.
AGREES = '<p class="agrees">'


@pytest.fixture
def started(phone: Phone) -> Phone:
    """Start a session and its first deal, of which the auction is written down."""
    phone.start()
    phone.post("record/start", phone.deal(1, **CALLED, card_points="", partner=""))
    return phone


@pytest.fixture
def recorded(phone: Phone) -> Phone:
    """Record a deal with another partner and other points than the cards show."""
    phone.start()
    phone.record(1, **{**RIGHT, "partner": "3", "card_points": "74"})
    return phone


def sent(page: Page, **answers: str) -> dict[str, str]:
    """What the form of the grid sends when something in it is tapped."""
    return {"play": page.forms[0]["play"], "seen": page.forms[0]["seen"], **answers}


def tap(phone: Phone, page: Page, **answers: str) -> Page:
    """Tap something on the page of a deal's cards."""
    answer = phone.post("deals/1/tricks/", sent(page, **answers))
    return (
        Page(phone.get(answer.headers["Location"])) if answer.status_code == 303 else Page(answer)
    )


def play(phone: Phone, cards: list[str]) -> Page:
    """Tap one card after the other."""
    page = phone.page("deals/1/tricks/")
    for card in cards:
        page = tap(phone, page, card=card)
    return page


def write(phone: Phone, text: str = TEXT) -> Page:
    """Write down the cards of a deal at once, as text."""
    return tap(phone, phone.page("deals/1/tricks/"), do="text", text=text)


def stored(phone: Phone) -> list[Any]:
    """The tricks that are written down, and their version."""
    with phone.app.app_context():
        circle, session = phone.keys
        (found,) = queries.deals.session_plays(circle, session).values()
        row = queries.deals.tricks(circle, next(iter(queries.deals.session_plays(circle, session))))
        assert row is not None
        return [row.version, found["tricks"]]


def kept(phone: Phone) -> int:
    with phone.app.app_context():
        return len(queries.deals.session_plays(*phone.keys))


def test_cards_are_tapped_a_trick_is_written_down_and_who_stops_goes_on_later(
    started: Phone,
) -> None:
    page = started.page("deals/1/tricks/")
    assert page.source.count('name="card"') == 40
    assert "from 0 to 120 (70 needed)" in page.words
    page = tap(started, page, card="7B")
    button = re.search(r'<button[^>]*value="7B"[^>]*>', page.source)
    assert button is not None
    assert "disabled" in button[0]
    assert "Bea plays." in page.words
    assert kept(started) == 0

    for card in TRICKS[0][1:]:
        page = tap(started, page, card=card)
    assert "Ezio takes trick 1: 6. Ezio leads." in page.words
    assert stored(started) == [1, TRICKS[:1]]
    answer = started.post("deals/1/tricks/", sent(play(started, TRICKS[1][:2]), do="stop"))

    assert answer.headers["Location"] == started.url
    assert stored(started) == [2, [TRICKS[0], TRICKS[1][:2]]]
    assert "Bea plays." in started.page("deals/1/tricks/").words


def test_deal_under_way_is_saved_by_one_tap_once_its_cards_show_it(started: Phone) -> None:
    write(started, "\n".join(map(" ".join, TRICKS[:2])))
    started.post("deals/1/tricks/record")
    assert 'class="flash flash-problem"' in started.page().source
    assert deal_count(started) == 0

    page = write(started)

    assert "made, at least 72 (70 needed)" in page.words
    saved = started.sent("deals/1/tricks/record")
    assert saved.status == 303
    deal = started.page("deals/1/")
    assert "Bea with Ciro: made, 72 (70 needed)" in deal.words
    assert AGREES in deal.source
    assert "so Ciro is the partner" in deal.words
    again = started.post("deals/1/tricks/record")
    assert again.status_code == 303
    assert "deals/2/" not in " ".join(started.page().links)


def test_differences_from_the_sheet_are_named_and_amended_by_one_tap(recorded: Phone) -> None:
    assert f"{recorded.url}deals/1/tricks/" in recorded.page().links
    page = write(recorded)

    assert "The cards say otherwise" in page.words
    assert (
        "Trick 6: Ciro played the King of cups, the called card, so Ciro is the partner."
        in page.words
    )
    assert "The sheet says that Dora was the partner." in page.words
    assert "took 72 card points." in page.words
    assert "; the sheet says 74." in page.words
    recorded.post("deals/1/tricks/keep", page.form("/keep").sends(note="Ezio remembers it so"))
    assert "“Ezio remembers it so”" in recorded.page("deals/1/").words
    assert stored(recorded)[0] == 2
    form = page.form("/tricks/amend")
    assert recorded.post("deals/1/tricks/amend", form.sends()).status_code == 303
    amended = recorded.page("deals/1/")
    assert "Bea with Ciro: made, 72 (70 needed)" in amended.words
    assert "As the cards show" in amended.words
    assert AGREES in amended.source


def test_deal_is_disputed_with_what_the_cards_show(recorded: Phone, app: Flask) -> None:
    write(recorded)
    player = recorded.let_in(Phone(app), "player")
    page = player.page("deals/1/")
    reason = re.search(r'name="reason" value="([^"]+)"', page.source)
    assert reason is not None
    assert reason[1].startswith("Trick 6: Ciro played the King of cups")
    assert len(reason[1]) <= 200
    assert "/tricks/amend" not in [form.action[-13:] for form in page.forms]

    player.post("deals/1/dispute", page.form("/dispute").sends(reason=reason[1]))

    assert reason[1] in player.page("deals/1/").words


def test_text_that_cannot_be_taken_is_kept_and_the_fault_told(started: Phone) -> None:
    for text, problem in (("7B 8X", "Line 1: "), ("7B " * 2_667, "at most 8000 letters")):
        page = write(started, text)

        assert page.status == 422
        assert problem in page.words
        assert text in page.source
    assert kept(started) == 0


def test_trick_may_be_forgotten_and_then_somebody_is_asked_who_leads(started: Phone) -> None:
    page = tap(started, started.page("deals/1/tricks/"), do="forget")

    assert "Who leads trick 2?" in page.words
    led = tap(started, page, leader="3")
    assert "Dora leads." in led.words
    assert "Ezio plays." in tap(started, led, card="7B").words


def test_called_card_is_asked_first_where_the_sheet_does_not_say_it(phone: Phone) -> None:
    phone.start()
    phone.record(1, caller="1", bid_points="70", partner="2", card_points="72")
    page = phone.page("deals/1/tricks/")

    assert "Which card was called?" in page.words
    called = tap(phone, page, card="KC")
    assert "Ada leads." in called.words
    assert play(phone, ["KC", *CARDS[:2]]).status == 200


def test_replay_goes_card_by_card_forward_and_back(recorded: Phone) -> None:
    assert recorded.get("deals/1/tricks/replay").location == f"{recorded.url}deals/1/"
    write(recorded)
    first, middle, last = (recorded.page(f"deals/1/tricks/replay?step={n}") for n in (0, 7, 99))

    assert "0 / 40" in first.words
    assert "Ada leads." in first.words
    assert "7 / 40" in middle.words
    replay = recorded.url + "deals/1/tricks/replay?step="
    assert {replay + step for step in ("5", "6", "8", "10")} <= set(middle.links)
    assert "40 / 40" in last.words
    assert "Bea takes trick 8: 13." in last.words
    assert replay + "41" not in last.links


def save(phone: Phone, tricks: list[Any], do: str = "save", **how: Any) -> TestResponse:
    """Send cards as the script does, which has seen none of them stored."""
    play = json.dumps({"called_card": "KC", "tricks": tricks})
    return phone.post("deals/1/tricks/", {"play": play, "seen": "0", "do": do}, **how)


def test_script_looks_and_writes_and_two_phones_do_not_overwrite_each_other(
    started: Phone, app: Flask
) -> None:
    other = started.let_in(Phone(app))
    looked = save(other, [["7B", "KC"]], "look", headers=JSON).get_json()
    written = save(other, TRICKS[:2], headers=JSON).get_json()

    late, plain = save(started, TRICKS[:1], headers=JSON), save(started, TRICKS[:1])

    assert looked.keys() == {"standing", "status", "roles"}
    assert (looked["status"], len(looked["roles"]), written["seen"]) == ("open", 1, 1)
    assert (late.status_code, late.json) == (409, {"ok": False})
    assert plain.status_code == 409
    assert 'id="conflict"' in plain.text
    assert "Cards: 5 of yours, 10 of theirs." in Page(plain).words
    assert plain.text.count('name="card"') == 0
    assert stored(started) == [1, TRICKS[:2]]
    assert tap(started, Page(plain), do="save").status == 200
    assert stored(started) == [2, TRICKS[:1]]


def test_what_our_page_never_sends_is_refused(started: Phone) -> None:
    plays = [None, "{", '{"tricks": 5}', '{"tricks": [{"leader": "9", "cards": []}]}']
    for sends in (*({"play": play, "seen": "0"} if play else {} for play in plays),
                  {"play": '{"tricks": []}', "seen": "0", "card": "??"}):  # fmt: skip
        assert started.post("deals/1/tricks/", sends).status_code == 400, sends


@pytest.mark.parametrize(
    "play",
    [
        pytest.param({"called_card": "AC", "tricks": TRICKS}, id="another called card"),
        pytest.param({"tricks": [["7B"] * 5]}, id="the same card again"),
        pytest.param({"tricks": [{"leader": "0", "winner": "0", "cards": TRICKS[0]}]},
                     id="another winner"),
        pytest.param({"tricks": [], "hands": {"0": ["AC", "AC"]}}, id="an odd hand"),
    ],
)  # fmt: skip
def test_whatever_can_be_read_is_written_down_and_every_page_shows_it(
    recorded: Phone, play: dict[str, Any]
) -> None:
    for do in ("back", "forget", "save"):
        sends = {"play": json.dumps(play), "seen": "0", "do": do}
        assert recorded.post("deals/1/tricks/", sends).status_code in (200, 303)

    for path in ("", "deals/1/", "deals/1/tricks/", "deals/1/tricks/replay?step=3"):
        assert recorded.get(path).status_code == 200
    assert kept(recorded) == 1


def test_only_a_deal_that_was_played_has_cards(phone: Phone) -> None:
    phone.start()
    phone.outcome(1, "misdeal")

    assert not [link for link in phone.page().links if "/tricks/" in link]
    assert phone.get("deals/1/tricks/").status_code == 404
    assert phone.get("deals/2/tricks/").status_code == 404
    assert "The cards" not in phone.page("deals/1/").words
