"""House rules on the pages: copied, edited with their problems beside them, and sent around."""

import io
import json
import re
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from hypothesis import given

from scorer.games import all_games, find_game
from scorer.rules.options import differences, flat, options
from scorer.rules.questions import write
from scorer.services.session.house_rules import OwnRules
from scorer.web.session.rules_forms import filled_in
from tests.data.rows import rows as rows_of
from tests.data.strategies import examples, rule_sets
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.tables import GAME, filled, keep_table, sums, tables

CHIAMATA = find_game(GAME)
ODD = {"preset": "classic", "score": {"partner": 2}}
BANDS: dict[str, Any] = {"score__bands.0": ["0", "71"], "score__bands.1": ["1", "2"]}


@pytest.fixture(scope="module")
def looking(app: Flask) -> Phone:
    """Give an owner in whose circle no rules are kept."""
    return Phone(app).start()


def new_url(phone: Phone) -> str:
    return f"{phone.circle_url}rules/new"


def url_of(phone: Phone, own: OwnRules) -> str:
    return f"{phone.circle_url}rules/{own.row.rule_set_id}/"


def sent(name: str = "House table", action: str = "save", **other: Any) -> dict[str, Any]:
    form = filled(other.pop("rules", "classic"), **other)
    return {"name": name, "action": action, **form}


def test_two_who_edit_see_what_the_other_saved_and_each_version_is_shown(owner: Phone) -> None:
    own = keep_table(owner)
    page = f"{url_of(owner, own)}edit"
    mine = sent(floor="63") | {"version": "1"}
    form = owner.page(page).form("/edit").lists()
    owner.post(page, {**form, "action": "save", "rules.floor": "62"})
    shown, older = (owner.page(url_of(owner, own) + asked) for asked in ("", "?version=1"))
    assert "Least card points to win" in shown.words
    assert "version 2" in shown.words
    assert "This is an older version." in older.words

    told = Page(owner.post(page, mine))
    again = owner.post(page, {**told.form("/edit").lists(), "action": "save"})

    assert told.status == 409
    assert "Version 2 was saved meanwhile" in told.words
    assert "yours 63, theirs 62" in told.words
    assert again.status_code == 303
    (edited,) = tables(owner)
    assert (edited.row.version, edited.rules.floor) == (3, 63)


def test_odd_sources_and_buttons_open_the_form_all_the_same(looking: Phone) -> None:
    where, none = new_url(looking), uuid4()
    odd = ["from=poker", f"from={none}", f"from={none}.{'9' * 20}", "session=x", "game=scopa"]
    buttons = ["add:floor", "add", "remove", "", "remove:score.bands:x", "remove:score.bands:99"]

    for query in (*odd, f"from={'9' * 5000}", "game=scopa&from=classic"):
        assert looking.get(f"{where}?{query}").status_code == 200, query
    for action in (*buttons, f"remove:score.bands:{'9' * 5000}"):
        assert looking.post(where, sent(action=action)).status_code == 200, action
    assert tables(looking) == []


def test_rows_come_and_go_without_scripts(looking: Phone) -> None:
    form = sent(action="add:score.bands", **BANDS)

    more = looking.sent(new_url(looking), form).form("/rules/new").lists()
    fewer = more | {"action": "remove:score.bands:1"}
    less = looking.sent(new_url(looking), fewer).form("/rules/new").lists()

    assert more["rules.score.bands.0"] == ["0", "71", ""]
    assert less["rules.score.bands.0"] == ["0", ""]
    assert less["rules.score.bands.1"] == ["1", ""]
    assert tables(looking) == []


def test_look_shows_what_the_table_pays_and_an_example_deal(looking: Phone) -> None:
    form = sent(action="look", score__partner="2", **BANDS)
    example = {"caller": "1", "partner": "3", "bid": "@75", "points": "80"}
    form |= {f"example.{name}": value for name, value in example.items()}

    page = looking.sent(new_url(looking), form)

    assert page.status == 200
    assert all(told in page.words for told in sums(ODD))
    assert "Bea with Dora: made, 80 (75 needed)" in page.words
    assert "Together that makes +2: not zero." in page.words
    assert "The bid of 75 makes the deal worth 2." in page.words
    assert page.form("/rules/new").lists()["example.partner"] == ["3"]


@rows_of(__file__, "examples")
def test_example_deal_is_paid_by_the_table(
    looking: Phone, rules: Any, example: dict[str, str], words: str, alone: list[str]
) -> None:
    form = sent(action="look", rules=rules)
    form |= {f"example.{name}": value for name, value in example.items()}

    page = looking.sent(new_url(looking), form)

    assert page.status == 200
    assert words in page.words
    assert re.findall(r'<option value="alone"[^>]*>([^<]+)</option>', page.source) == alone


def test_preview_is_the_part_of_the_page_that_follows_what_is_typed(looking: Phone) -> None:
    where = f"{looking.circle_url}rules/preview"

    sound, odd = (looking.post(where, sent(score__partner=weight)) for weight in ("1", "x"))

    assert (sound.status_code, odd.status_code) == (200, 422)
    assert all(told in sound.text for told in sums("classic"))
    assert 'data-field="rules.score.partner">A whole number is needed.' in odd.text
    assert "Correct what is marked" in odd.text
    assert tables(looking) == []


def test_table_is_put_away_and_brought_back(owner: Phone) -> None:
    own = keep_table(owner)
    owner.post(f"{url_of(owner, own)}retire")
    away = owner.page(url_of(owner, own)).words
    listed = owner.page(f"{owner.circle_url}rules/").words
    owner.post(f"{url_of(owner, own)}bring-back")

    assert "This table is put away" in away
    assert "Put away" in listed
    assert "This table is put away" not in owner.page(url_of(owner, own)).words


def test_file_is_the_contracts_object_and_comes_back_in_as_a_link_does(
    app: Flask, owner: Phone
) -> None:
    own, other = keep_table(owner, rules=ODD), Phone(app).start()
    document = owner.get(f"{url_of(owner, own)}file").get_json()
    deal = {"game": GAME, "rules": document, "seats": list("ABCDE")}
    deal["sheet"] = {"caller": "A", "bid": 61, "partner": "B", "card_points": 70}
    shared = owner.page(f"{url_of(owner, own)}share")
    link = next(part for part in shared.source.split('"') if "/bring#" in part)

    scored = owner.client.post("/api/v1/score", json=deal)
    by_file = owner.sent("/bring", {"file": (io.BytesIO(json.dumps(document).encode()), "x.json")})
    by_link = other.sent("/bring", {"document": link.partition("#")[2]})
    form = by_link.form("/rules/bring")
    answer = other.post(form.action, {**form.lists(), "name": "Theirs"})

    assert document["zero_sum"] == {"partnered": False, "alone": True}
    assert scored.get_json()["payouts"]["B"] == 2
    for looked in (by_file, by_link):
        assert looked.status == 200
        assert "House table" in looked.words
        assert all(told in looked.words for told in sums(ODD))
    (kept,) = tables(other)
    assert answer.location == url_of(other, kept)
    assert (kept.row.name, kept.rules.score.partner) == ("Theirs", 2)
    assert "Ada" not in json.dumps(form.lists())


def test_what_is_no_table_is_refused_where_it_was_pasted(looking: Phone) -> None:
    keeping = {"key": str(uuid4()), "document": '{"floor": 200}', "name": "x"}

    for where in ("/bring", f"{looking.circle_url}rules/bring"):
        page = looking.sent(where, {**keeping, "file": "not sent as one"})
        assert (page.status, "At most 120." in page.words) == (422, True)
    assert tables(looking) == []


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_options_of_every_game_are_asked_with_their_hints_edited_and_kept(
    owner: Phone, game: Any
) -> None:
    slugs = list(game.presets)
    for slug in (slugs[0], slugs[-1]):
        page = owner.page(f"{new_url(owner)}?game={game.slug}&from={slug}")
        check_options(page, game)
        form = page.form("/rules/new").lists()
        assert form["name"] == [f"{game.presets[slug].name}, our way"]
        answer = owner.post(new_url(owner), {**form, "name": slug, "action": "save"})
        assert answer.status_code == 303, Page(answer).problems
        own = next(one for one in tables(owner) if one.row.name == slug and one.game == game)
        assert differences(own.rules, game.presets[slug]) == ()
    for path in ("", "share"):
        assert owner.get(url_of(owner, tables(owner)[-1]) + path).status_code == 200


def check_options(page: Page, game: Any) -> None:
    """Look that every option is asked for, and that its hint is told."""
    for option in flat(options(game.rules_type)):
        names = {f"rules.{option.path}"}
        if option.columns:
            names = {f"rules.{option.path}.{column}" for column in range(len(option.columns))}
        if not option.parts or option.optional:
            assert names <= page.names, option.path
        assert " ".join(str(option.hint).split()) in page.words or not option.hint


@examples(60)
@given(rule_sets())
def test_form_says_what_it_was_filled_in_with(document: dict[str, Any]) -> None:
    rules, problems = CHIAMATA.rules_from(document)
    assert problems == []

    form = filled_in(CHIAMATA, rules)

    again, problems = CHIAMATA.rules_from(form.document)
    assert problems == []
    assert differences(rules, again) == ()
    texts = {"slug", "name", "source"}
    assert form.document == {
        key: n for key, n in write(rules, whole=True).items() if key not in texts
    }
