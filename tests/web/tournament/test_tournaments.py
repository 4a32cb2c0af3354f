"""Pages of a tournament: made, drawn, published, played, ended, and what is refused where."""

import html
import re
from itertools import chain, islice
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorer.games import all_games
from scorer.services.base.clock import now
from tests.services.tournaments import PAIRS
from tests.web.pages import Page
from tests.web.phones import Phone

NAMES = "\n".join(PAIRS)


def filled(**other: Any) -> dict[str, Any]:
    """Fill in the form of a new tournament at briscola."""
    return {
        "key": str(uuid4()),
        "game": "briscola",
        "name": "Tuesday",
        "rules": "best-of-3",
        "deals": "1",
        "people": "2",
        "names": NAMES,
        "plan": "mitchell",
        "rounds": "2",
        "groups": "2",
        "points": "result",
        "ties": "difference",
        **other,
    }


@pytest.fixture
def club(owner: Phone) -> str:
    """Give the address of a tournament of four pairs in the owner's circle."""
    return begun(owner)


def begun(owner: Phone) -> str:
    answer = owner.post(f"{owner.circle_url}tournaments/new", filled())
    assert answer.status_code == 303, Page(answer).problems
    return str(answer.headers["Location"])


@pytest.fixture(scope="module")
def playing(app: Flask) -> tuple[Phone, str]:
    """Give an owner and a tournament that plays its first turn, in which nothing is written."""
    owner = Phone(app).start()
    club = begun(owner)
    publish(owner, club)
    return owner, club


def tap(phone: Phone, url: str, act: str, number: int = 0, **typed: str) -> Page:
    """Send the form of an act as the page has it, or its rows; give the page after that."""
    page = phone.page(url)
    rows = (phone.page(link) for link in dict.fromkeys(page.links) if "?open=" in link)
    found = (
        form for one in chain([page], rows) for form in one.forms if form.action.endswith(f"/{act}")
    )
    forms = [*islice(found, number + 1)]
    answer = phone.post(forms[number].action, forms[number].sends(**typed))
    return phone.page(url) if answer.status_code == 303 else Page(answer)


def publish(phone: Phone, url: str) -> Page:
    """Draw the next turn and publish it; give the page after that."""
    tap(phone, url, "draw")
    return tap(phone, url, "publish")


def by_hand(phone: Phone, url: str, turn: str = "1", tables: str = "12") -> None:
    """Write the results of both tables of a turn, or of one."""
    for number in tables:
        typed = {"turn": turn, "table": number, "scores-0": "2", "scores-1": "1"}
        assert phone.post(f"{url}/scores", typed).status_code == 303


def file(phone: Phone, url: str) -> dict[str, Any]:
    return dict(phone.get(f"{url}/file").get_json())


def test_singles_stand_beside_their_pairs_and_the_season_sums_tournaments(
    owner: Phone, club: str
) -> None:
    publish(owner, club)
    by_hand(owner, club)
    substitute = {"entry": "1", "people": "Zed, Bea"}
    assert owner.post(f"{club}/substitute", substitute).status_code == 303
    alone = owner.page(f"{club}?open=singles")
    tap(owner, club, "close")
    seasons = f"{owner.circle_url}seasons/"
    month = owner.page(f"{seasons}{now():%Y-%m}")
    opened = [owner.page(link) for link in month.links if "?open=person-briscola" in link]

    points = dict(re.findall(r"([A-Z]\w+) · <b>([^<]+)</b></li>", alone.source))
    assert points["Ada"] == points["Bea"]
    assert points["Zed"] == "0"
    assert len(opened) == 9
    assert sum("was there" in page.told for page in opened) == 1
    assert all(club in page.links for page in opened)


REFUSED = [
    ("enter", {"people": "Ada, Zed"}, "Ada is entered twice."),
    ("substitute", {"people": "Ciro, Zed"}, "Ciro is entered twice."),
    ("scores", {"turn": "1", "scores-0": "x", "scores-1": "1"}, ""),
    ("forfeit", {"turn": "1", "entry": "9"}, "does not sit at this table"),
    ("penalise", {"turn": "1", "points": "2", "reason": " "}, "Say in a few words why."),
    ("close", {}, "These tables still play: 1, 2."),
]


def test_phone_says_where_to_go_next_and_the_director_what_goes_no_more(
    app: Flask, owner: Phone, club: str
) -> None:
    player = owner.let_in(Phone(app), "player").hold("Bea")
    publish(owner, club)
    before = player.page(player.circle_url)
    (first,) = {link for link in before.links if "/sessions/" in link and link != player.url}
    player.url = first
    by_hand(owner, club)
    waits, version = player.page(first).told, player.get(f"{first}version").get_json()["version"]
    publish(owner, club)

    after = player.page(first)

    assert "Table 1 with Ada, against Ciro, Dora" in before.told
    assert "Next: " not in waits
    assert "Next: Table 1 with Ada, against " in after.told
    assert player.get(f"{first}version").get_json()["version"] > version
    following = next(link for link in after.links if "/sessions/" in link and first not in link)
    assert "Next: " not in player.page(following).told
    assert "Next: " not in owner.page(first).told
    by_hand(owner, club, "2")
    unknown = owner.sent(f"{club}/withdraw", {"entry": "9"})
    tap(owner, club, "close")
    assert "with Ada" not in player.page(player.circle_url).told
    closed = owner.sent(f"{club}/enter", {"people": "Zed, Zoe"})
    refused = (unknown, "No entry has the id 9."), (closed, "This tournament is over.")
    for page, why in refused:  # the form is gone: it is said above all others
        (said,) = re.findall(r'<p class="notice" role="alert">([^<]+)</p>', page.source)
        assert (page.status, why in html.unescape(said)) == (422, True)


@pytest.mark.parametrize(("act", "typed", "why"), REFUSED)
def test_refused_act_says_why_in_its_form_and_keeps_what_was_typed(
    playing: tuple[Phone, str], act: str, typed: dict[str, str], why: str
) -> None:
    owner, club = playing
    before = file(owner, club)

    page = owner.sent(f"{club}/{act}", {"turn": "1", "table": "1", "entry": "1", **typed})

    assert page.status == 422
    said = re.findall(r'<p class="problem" role="alert">([^<]+)</p>', page.source)
    assert len(said) == 1
    assert why in html.unescape(said[0])
    boxes = {name: value for name, value in typed.items() if name not in {"turn", "entry"}}
    forms = (dict(form.fields) for form in page.forms if form.action.endswith(f"/{act}"))
    assert not boxes or any(
        boxes.items() <= form.items() and form.get("table", "1") == form.get("entry", "1") == "1"
        for form in forms
    )
    assert file(owner, club) == before


def test_director_changes_entries_and_results(owner: Phone, club: str) -> None:
    tap(owner, club, "enter", people="Zed e Zoe")
    tap(owner, club, "withdraw", 4)
    publish(owner, club)
    first, second = f"{club}?open=by-hand-1", f"{club}?open=person-2"
    tap(owner, first, "forfeit")
    tap(owner, f"{club}?open=by-hand-2", "scores")
    tap(owner, f"{club}?open=person-1", "substitute", people="Zed, Bea")
    tap(owner, f"{club}?open=person-1", "penalise", points="2", reason="Late")
    tap(owner, second, "withdraw")
    page = tap(owner, second, "return")

    assert "Zed, Bea" in page.told
    assert "penalty: Late" in owner.page(f"{club}?open=entry-1").told


def test_plan_is_changed_until_the_first_turn_is_published_as_it_was_seen(
    owner: Phone, club: str
) -> None:
    form = owner.page(club).form("/plan")
    answer = owner.post(form.action, form.sends(plan="danish", rounds="3"))
    assert answer.status_code == 303
    assert file(owner, club)["plan"]["kind"] == "danish"

    page = owner.sent(form.action, form.sends(plan="tables"))
    assert page.status == 422
    assert owner.sent(form.action, form.sends(rounds="99")).problems["rounds"]
    tap(owner, club, "draw")
    tap(owner, club, "draw", again="y")
    stale = owner.post(f"{club}/publish", {"turn": "1", "drawn": "1"}, follow_redirects=True)
    assert "Somebody was quicker." in Page(stale).told
    assert "sessions/" not in "".join(owner.page(club).links)
    tap(owner, club, "publish")
    assert not any(form.action.endswith("/plan") for form in owner.page(club).forms)
    assert owner.sent(form.action, form.sends()).status == 422


def test_big_screen_turns_its_pages_by_itself(owner: Phone, club: str) -> None:
    for number in range(9):
        owner.post(f"{club}/enter", {"people": f"Anna {number}, Bice {number}"})
    publish(owner, club)

    first, second = owner.page(f"{club}/tv"), owner.page(f"{club}/tv?page=1")

    assert f"url={club}/tv?page=1" in first.source
    assert f"url={club}/tv?page=0" in second.source
    assert (first.source.count("<li class"), second.source.count("<li class")) == (10, 3)


def test_list_is_looked_at_before_a_tournament_of_any_game_is_made(owner: Phone) -> None:
    new = f"{owner.circle_url}tournaments/new"
    others = {link for link in owner.page(new).links if "tournaments/new?game=" in link}
    assert len(others) == len(all_games())
    for link in others:
        assert owner.page(link).form("tournaments/new")["game"] in link
    form = filled(names=NAMES + "\nLea\nMara", name="", action="look")
    page = owner.sent(new, form)

    assert page.status == 200
    assert form["names"] in page.source
    said = page.told
    assert "5 entries: Ada, Bea" in said
    assert "Everybody meets everybody 5 turns fit, not everybody meets everybody" in said
    assert "No tournament yet" in owner.page(f"{owner.circle_url}tournaments").told

    alone = filled(names="Ada\nBea\nCiro\nDora\nEzio\nFulvia", people="1", plan="tables")
    assert file(owner, owner.post(new, alone).headers["Location"])["plan"]["size"] == 3


def test_name_like_one_of_the_circle_is_asked_about_and_never_assumed(owner: Phone) -> None:
    url = f"{owner.circle_url}tournaments/new"
    owner.post(url, filled(names="Annamaria, Bea\nCiro, Dora", rounds="1"))
    typed = filled(names="Anna Maria, Lea\nCiro, Dora", rounds="1")

    page = owner.sent(url, typed)
    assert (page.status, [*page.problems]) == (422, ["names"])
    form = page.form("tournaments/new")
    assert typed["names"] in page.source
    assert form["person-Anna Maria"] == "Anna Maria"

    made = {}
    for meant in ("Annamaria", "Anna Maria"):
        key = {"key": str(uuid4()), "person-Anna Maria": meant}
        answer = owner.post(url, typed | key)
        made[meant] = file(owner, answer.headers["Location"])["entries"][0]["name"]
    assert made == {"Annamaria": "Annamaria, Lea", "Anna Maria": "Anna Maria, Lea"}


def test_usual_pairs_are_offered_and_take_who_is_alone_in_the_list(owner: Phone, club: str) -> None:
    publish(owner, club)
    url = f"{owner.circle_url}tournaments/new"
    usual = re.findall(r'name="pairs" value="([^"]+)"', owner.page(url).source)
    assert sorted(usual) == [pair.replace(", ", "\t") for pair in PAIRS]

    names = "Bea\nLea\nAda\nMara"
    answer = owner.post(url, filled(names=names, pairs=usual[:1], rounds="1"))

    entries = file(owner, answer.headers["Location"])["entries"]
    assert next(entry["name"] for entry in entries) == "Ada, Bea"
    assert len(entries) == 2


def test_fees_are_charged_once_and_marked_as_paid(owner: Phone, club: str) -> None:
    assert f"{club}?open=fees#fees" in owner.page(club).links
    opened = owner.page(f"{club}?open=fees")
    form = opened.form("/fee")
    bad = owner.sent(form.action, form.sends(amount="", collector=""))
    assert (bad.status, {*bad.problems}) == (422, {"amount", "collector"})
    collector = re.search(r'value="([0-9a-f-]{36})"[^>]*>Bea<', opened.source)
    assert collector
    typed = form.sends(amount="2.50", collector=collector[1])
    assert owner.post(form.action, typed).status_code == 303

    page = tap(owner, club, "paid")

    assert "€5.00 of €20.00 paid" in page.told
    assert owner.sent(form.action, typed).status == 422


def test_paper_and_table_have_all_and_the_public_page_initials_unless_names_are_chosen(
    app: Flask, owner: Phone, club: str
) -> None:
    assert owner.page(f"{club}/paper").status == 200
    publish(owner, club)
    by_hand(owner, club, tables="1")
    paper = owner.page(f"{club}/paper")
    assert paper.source.count("data:image/svg") == 2
    assert "Ada · Table" in paper.told
    heading, *table = owner.get(f"{club}/standings.csv").text.lstrip("\ufeff").splitlines()
    assert heading == "Place,Name,Points,Tables,Scored,Difference"
    assert len(table) == 4
    stranger, seen, url = Phone(app), {}, ""
    for names in ("initials", "full"):
        form = owner.page(club).form(f"{club}/public")
        assert form["names"] == "initials"
        assert owner.post(form.action, form.sends(names=names)).status_code == 303
        *_, url = re.findall(r'value="[^"]*(/evening/[^"]+)"', owner.page(club).source)
        seen[names] = stranger.page(url)
        assert seen[names].status == 200

    assert not any(name in seen["initials"].told for name in ", ".join(PAIRS).split(", "))
    assert "Ada, Bea" in seen["full"].told
    for page in seen.values():
        assert "2 – 1" in page.told
        assert not any("/circles/" in link for link in page.links)
    assert stranger.get(f"{url.partition('?')[0]}picture.png").status_code == 404
    for form in owner.page(club).forms:
        if form.action.endswith("/revoke"):
            owner.post(form.action, form.sends())
    assert stranger.page(url).status == 404
