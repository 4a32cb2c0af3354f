"""A new session: agreed on in one form, with its problems beside the questions."""

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask

from scorer.games import all_games, find_game
from scorer.storage.models import MOST_AT_TABLE
from tests.services.evenings import FIVE, SIX
from tests.web.pages import Form, Page
from tests.web.phones import Phone
from tests.web.rows import rows, state_of

LONG = "è" * 10_000
FOUR = FIVE[:4]
OPENING = ["1", "2", "3", ""]


@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_page_is_light_and_without_scripts_one_link_leads_to_each_table(
    phone: Phone, game: str
) -> None:
    phone.start()
    answer = phone.get(f"/sessions/new?game={game}&circle={phone.keys[0]}")
    drawn = re.sub("(?s)<template.*?</template>|<noscript>.*?</noscript>", "", answer.text)
    (everything,) = (link for link in Page(answer).links if "all=1" in link)
    page = phone.page(everything)

    assert answer.status_code == 200
    assert len(answer.data) <= 30_000
    assert len(re.findall("<[a-z]", drawn)) <= 400
    assert page.form("/sessions/new").lists()["place"] == list(map(str, range(1, most(game) + 1)))
    if find_game(game).named_by_session:
        return
    for slug in find_game(game).presets:
        assert f"/rules/{game}/{slug}/" in page.links


def most(game: str) -> int:
    """Return how many can play by some rules of a game."""
    found = find_game(game)
    seatings = [found.seating(rules) for rules in found.presets.values()]
    return max(n for seating in seatings for n in range(1, MOST_AT_TABLE + 1) if seating.fits(n))


def test_page_without_scripts_is_enough(phone: Phone) -> None:
    sent = phone.page("/sessions/new").form("/sessions/new").lists()
    sent["player"] = ["Bea", "Ada", "", "Ciro", "Dora", "Ezio", ""]
    sent["place"] = ["2", "1", "3", "4", "5", "6", "7"]
    sent["first_dealer"] = ["0"]
    sent |= {"openings": ["1"], "opening": ["-12", "13", "", "", " −1 ", "0"]}

    answer = phone.post("/sessions/new", sent)

    assert answer.status_code == 303
    phone.url = answer.headers["Location"]
    state = state_of(phone)
    assert state.names == FIVE
    assert state.names[state.evening.turn.dealer] == "Bea"
    assert list(state.opening.values()) == [13, -12, 0, -1, 0]
    assert state.row.title == ""


def test_another_session_like_the_last_one_is_two_taps_for_those_who_stayed_as_they_sat(
    phone: Phone,
) -> None:
    phone.start(SIX, rules="volata", end="deals", deals="7", stake="0.20", first_dealer="0")
    phone.record(1, bid_points="", bid_rank="K", caller="1", partner="2")
    circle, session = phone.keys
    change = {"seen": "1", "next_number": "2", "since": "2", "dealer": "1"}
    seats = {"seat": ["0", "1", "2", "3", "4", "5"], "place": ["1", "4", "3", "2", "5", "6"]}
    gone = {**change, **seats, "here": ["1", "2", "3", "4", "5"]}
    assert phone.post("table", gone).status_code == 303

    form = phone.page(f"/sessions/new?circle={circle}&like={session}").form("/sessions/new")
    before, answer = state_of(phone), phone.post("/sessions/new", form.lists())

    phone.url = answer.headers["Location"]
    state = state_of(phone)
    assert (state.circle_id, state.row.session_id == session) == (circle, False)
    assert state.names == ("Dora", "Ciro", "Bea", "Ezio", "Fulvia")
    assert (state.rules.slug, state.rules.session) == ("volata", before.rules.session)
    assert state.row.stake_cents == 20
    assert state.names[state.evening.turn.dealer] == "Bea"


def test_rules_that_the_circle_used_last_for_the_game_are_proposed(phone: Phone) -> None:
    phone.start(rules="volata", end="points", target="21")
    circle = str(phone.keys[0])
    phone.start(["Ada", "Bea", "Ciro"], game="burraco", rules="to-1005", circle=circle)
    phone.start(["Ada", "Bea"], game="briscola", rules="best-of-5", circle=circle)

    def proposed(game: str, more: str = "") -> tuple[str, str | None]:
        page = phone.page(f"/sessions/new?circle={circle}&game={game}{more}")
        form = page.form("/sessions/new")
        assert ("data-picked" in page.source) is (game != "scopa")
        return form["rules"], dict(form.fields).get("target")

    assert proposed("briscola-chiamata") == ("volata", "21")
    assert proposed("burraco") == ("to-1005", None)
    assert proposed("burraco", "&rules=to-505") == ("to-505", None)
    assert proposed("briscola") == ("best-of-5", None)
    assert proposed("scopa") == (find_game("scopa").preset.slug, None)


def sorted_by(seed: str, names: Sequence[str]) -> list[str]:
    """Sort names by the hashes of a seed and each, as anybody can."""
    return sorted(names, key=lambda name: sha256(f"{seed}/{name}".encode()).hexdigest())


def drawn(phone: Phone, sent: Mapping[str, Any], number: int) -> tuple[str, list[str], Form]:
    """Draw lots for four with 1, 2, 3 and nothing before; give their seed, names and form."""
    page = phone.sent("/sessions/new", {**sent, "by_lot": "seats"})
    form = page.form("/sessions/new")
    names = [value for name, value in form.fields if name == "player" and value]
    seed = form["lots"]
    dealer = sorted_by(f"{seed}/dealer", FOUR)[0]
    assert seed.partition("/")[2] == str(number)
    assert (page.status, names) == (200, sorted_by(seed, FOUR))
    assert names[int(form["first_dealer"])] == dealer
    assert f"By lot, no. {number}: {dealer} deals first." in page.words
    assert f"Together: {names[0]} and {names[2]} · {names[1]} and {names[3]}." in page.words
    opening = [value for name, value in form.fields if name == "opening"]
    assert dict(zip(names, opening, strict=False)) == dict(zip(FOUR, OPENING, strict=True))
    return seed, names, form


def test_lots_are_drawn_as_anybody_can_compute_and_the_journal_keeps_those_that_were_played_by(
    phone: Phone,
) -> None:
    circle = str(phone.start().keys[0])
    sent = phone.agreed(FOUR, game="briscola", rules="points-120", title="Lots")
    sent |= {"openings": "1", "opening": OPENING}
    first, _, form = drawn(phone, sent, 1)
    assert first == f"{UUID(sent['key']).hex[:12]}/1"
    assert (form["rules"], form["title"], form["key"]) == ("points-120", "Lots", sent["key"])
    _, _, form = drawn(phone, sent | {"circle": circle}, 1)
    seed, names, form = drawn(phone, form.lists(), 2)

    moved = {**form.lists(), "key": str(uuid4()), "place": ["2", "1", "3", "4"]}
    assert phone.post("/sessions/new", moved).status_code == 303
    assert seed not in phone.page(f"/circles/{circle}/journal").words
    phone.url = phone.post("/sessions/new", form.lists()).headers["Location"]

    assert state_of(phone).names == tuple(names)
    assert seed in phone.page(f"/circles/{circle}/journal").words
    nobody = phone.sent("/sessions/new", phone.agreed([], by_lot="seats", lots="x/y"))
    assert (nobody.status, list(nobody.problems)) == (422, ["players"])


def test_form_that_our_page_did_not_make_is_refused(app: Flask, phone: Phone) -> None:
    before, sent = rows(app), phone.agreed()
    odd = [{"circle": "x"}, {"circle": LONG}, {"game": "poker"}, {"game": ""}]
    without = {name: value for name, value in sent.items() if name != "game"}

    for form in (without, *(sent | other for other in odd)):
        assert phone.post("/sessions/new", form).status_code == 400, form
    assert rows(app) == before


ODD = [
    {"place": ["x", "", "-1", "9" * 5000, "²"], "end": "never"},
    {"place": [], "first_dealer": "x", "stake": " 0,5 "},
    {"place": ["1"] * 500, "first_dealer": "9" * 5000, "title": " \x00 "},
    {"first_dealer": "-1", "end": "open", "target": "", "deals": ""},
]


@pytest.mark.parametrize("other", ODD, ids=str)
def test_what_does_not_matter_does_not_stop_anybody(phone: Phone, other: dict[str, Any]) -> None:
    answer = phone.post("/sessions/new", phone.agreed(**other))

    assert answer.status_code == 303
    phone.url = answer.headers["Location"]
    assert set(state_of(phone).names) == set(FIVE)
    assert state_of(phone).row.title in {"Friday", ""}


def test_form_opens_whatever_is_asked_and_kind_and_rules_are_picked_by_each_other(
    phone: Phone,
) -> None:
    odd = ["circle=x", "circle=&like=", f"like={UUID(int=7)}", "rules=poker", f"rules={'x' * 3000}"]
    picked = {
        "kind=points": ("points", "classic"),
        "kind=cards": ("cards", "ladder-bands"),
        "rules=volata": ("cards", "volata"),
        **dict.fromkeys(["", "kind=dice", "like=x", *odd], ("points", "classic")),
    }

    for query, expected in picked.items():
        page = phone.page(f"/sessions/new?{query}")
        form = page.form("/sessions/new")
        assert (page.status, form["kind"], form["rules"]) == (200, *expected), query
        words = page.words
        assert words.index("Who plays") < words.index("with cards or with points?")
        assert words.index("Rules") < words.index("Balances from before")
    assert phone.get("/sessions/new?game=poker").status_code == 400


def test_refused_number_of_people_is_told_which_rules_are_for_so_many(phone: Phone) -> None:
    page = phone.sent("/sessions/new", phone.agreed(FIVE, game="points", rules="pairs"))

    assert page.status == 422
    assert "The highest leads · The lowest leads" in page.words
    assert 'value="pairs" checked' in page.source
    assert "The highest leads · " not in phone.page("/sessions/new?game=points").words
