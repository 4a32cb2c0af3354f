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
from tests.data.rows import rows as rows_of
from tests.services.evenings import FIVE, SIX
from tests.web.pages import Form, Page
from tests.web.phones import Phone
from tests.web.rows import rows, state_of

LONG = "è" * 10_000
FOUR = FIVE[:4]


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


def test_another_session_like_the_last_one_is_two_taps(phone: Phone) -> None:
    phone.start(SIX, rules="volata", end="deals", deals="7", stake="0.20")
    phone.record(1, bid_points="", bid_rank="K", caller="0", partner="1")
    circle, session = phone.keys

    form = phone.page(f"/sessions/new?circle={circle}&like={session}").form("/sessions/new")
    answer = phone.post("/sessions/new", form.lists())

    assert answer.status_code == 303
    before, phone.url = state_of(phone), answer.headers["Location"]
    state = state_of(phone)
    assert state.row.session_id != session
    assert state.circle_id == circle
    assert state.names == before.names
    assert (state.rules.slug, state.rules.session) == ("volata", before.rules.session)
    assert state.row.stake_cents == 20
    assert state.evening.turn.dealer == before.evening.turn.dealer


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


def test_like_the_last_time_are_those_who_stayed_in_the_order_they_sat(phone: Phone) -> None:
    phone.start(rules="classic-plain", first_dealer="0")
    phone.record(1)
    circle, session = phone.keys
    sent = {
        "seen": "1",
        "next_number": "2",
        "since": "2",
        "guest": "Fulvia",
        "dealer": "1",
        "seat": ["0", "1", "2", "3", "4", "new"],
        "place": ["1", "4", "3", "2", "5", "6"],
        "here": ["1", "2", "3", "4"],
    }
    assert phone.post("table", sent).status_code == 303

    form = phone.page(f"/sessions/new?circle={circle}&like={session}").form("/sessions/new")

    names = [value for name, value in form.fields if name == "player" and value]
    assert names == ["Dora", "Ciro", "Bea", "Ezio", "Fulvia"]
    assert names[int(form["first_dealer"])] == "Bea"


def by_lot(phone: Phone, sent: Mapping[str, Any], what: str = "seats") -> tuple[Page, Form]:
    """Draw lots; give the page that comes back and its form."""
    page = phone.sent("/sessions/new", {**sent, "by_lot": what})
    return page, page.form("/sessions/new")


def seated(form: Form) -> list[str]:
    return [value for name, value in form.fields if name == "player" and value]


def sorted_by(seed: str, names: Sequence[str]) -> list[str]:
    """Sort names by the hashes of a seed and each, as anybody can."""
    return sorted(names, key=lambda name: sha256(f"{seed}/{name}".encode()).hexdigest())


def test_seats_and_first_dealer_come_by_lot_as_anybody_can_compute(phone: Phone) -> None:
    sent = phone.agreed(rules="volata", title="Lots", openings="1", opening=["1", "2", "3", "", ""])

    page, form = by_lot(phone, sent)

    seed, names = form["lots"], seated(form)
    assert page.status == 200
    assert (form["rules"], form["title"], form["key"]) == ("volata", "Lots", sent["key"])
    assert seed == f"{UUID(sent['key']).hex[:12]}/1"
    assert names == sorted_by(seed, FIVE)
    assert seed in page.words
    dealer = sorted_by(f"{seed}/dealer", FIVE)[0]
    assert names[int(form["first_dealer"])] == dealer
    assert f"By lot, no. 1: {dealer} deals first." in page.words
    brought = [value for name, value in form.fields if name == "opening"]
    wanted = dict(zip(FIVE, ["1", "2", "3", "", ""], strict=True))
    assert dict(zip(names, brought, strict=False)) == wanted


def test_lots_are_drawn_anew_and_the_journal_keeps_those_that_were_played_by(
    phone: Phone,
) -> None:
    circle = str(phone.start().keys[0])
    _, first = by_lot(phone, phone.agreed(FOUR, circle=circle, game="briscola", rules="points-120"))
    page, second = by_lot(phone, first.lists())
    seed, names = second["lots"], seated(second)
    assert second["lots"].partition("/")[2] == "2"
    assert names == sorted_by(seed, FOUR)
    assert f"Together: {names[0]} and {names[2]} · {names[1]} and {names[3]}." in page.words

    moved = {**second.lists(), "key": str(uuid4()), "place": ["2", "1", "3", "4"]}
    assert phone.post("/sessions/new", moved).status_code == 303
    assert seed not in phone.page(f"/circles/{circle}/journal").words
    phone.url = phone.post("/sessions/new", second.lists()).headers["Location"]

    assert state_of(phone).names == tuple(names)
    assert seed in phone.page(f"/circles/{circle}/journal").words


def test_lots_need_names(phone: Phone) -> None:
    page = phone.sent("/sessions/new", {**phone.agreed([]), "by_lot": "seats", "lots": "x/y"})

    assert (page.status, list(page.problems)) == (422, ["players"])


def test_form_that_our_page_did_not_make_is_refused(app: Flask, phone: Phone) -> None:
    before, sent = rows(app), phone.agreed()
    odd = [{"circle": "x"}, {"circle": LONG}, {"game": "poker"}, {"game": ""}]
    without = {name: value for name, value in sent.items() if name != "game"}

    for form in (without, *(sent | other for other in odd)):
        assert phone.post("/sessions/new", form).status_code == 400, form
    assert rows(app) == before


@pytest.mark.parametrize(
    "other",
    [{"place": ["x", "", "-1", "9" * 5000, "²"]}, {"place": []}, {"place": ["1"] * 500},
     {"first_dealer": "x"}, {"first_dealer": ""}, {"first_dealer": "9" * 5000},
     {"first_dealer": "-1"}, {"end": "never"}, {"end": "open", "target": "", "deals": ""},
     {"stake": " 0,5 "}, {"title": " \x00 "}],
    ids=str,
)  # fmt: skip
def test_what_does_not_matter_does_not_stop_anybody(phone: Phone, other: dict[str, Any]) -> None:
    answer = phone.post("/sessions/new", phone.agreed(**other))

    assert answer.status_code == 303
    phone.url = answer.headers["Location"]
    assert set(state_of(phone).names) == set(FIVE)
    assert state_of(phone).row.title in {"Friday", ""}


@pytest.mark.parametrize(
    "query",
    ["circle=x", "like=x", "circle=&like=", f"like={UUID(int=7)}", "rules=poker", "rules=volata",
     f"rules={'x' * 3000}"],
)  # fmt: skip
def test_odd_address_of_the_form_opens_it_all_the_same(phone: Phone, query: str) -> None:
    assert phone.get(f"/sessions/new?{query}").status_code == 200


def test_unknown_game_in_the_address_is_refused(phone: Phone) -> None:
    assert phone.get("/sessions/new?game=poker").status_code == 400


@rows_of(__file__, "kinds")
def test_cards_or_points_is_asked_among_the_rules_and_picks_them(
    phone: Phone, asked: str, kind: str, rules: str
) -> None:
    page = phone.page(f"/sessions/new{asked}")
    form = page.form("/sessions/new")

    assert (form["kind"], form["rules"]) == (kind, rules)
    words = page.words
    assert words.index("Who plays") < words.index("with cards or with points?")
    assert words.index("Rules") < words.index("Balances from before")


def test_refused_number_of_people_is_told_which_rules_are_for_so_many(phone: Phone) -> None:
    form = phone.agreed(FIVE, game="points", rules="pairs")

    answer = phone.post("/sessions/new", form)

    page = Page(answer)
    assert answer.status_code == 422
    assert "The highest leads · The lowest leads" in page.words
    assert 'value="pairs" checked' in answer.text
    assert "The highest leads · " not in phone.page("/sessions/new?game=points").words
