"""Free points on the pages, and a bonus by the name that a group typed."""

import re

from scorer.services.files.session_files import session_file
from scorer.services.session.state import load_state
from tests.data.rows import rows
from tests.web.pages import Page
from tests.web.phones import Phone

THREE = ("Ada", "Bea", "Ciro")


def points(*figures: str) -> dict[str, str]:
    """Fill in the boxes of a deal."""
    return {f"points-{side}": figure for side, figure in enumerate(figures)}


def test_form_takes_a_minus_and_names_everybody(phone: Phone) -> None:
    phone.start((*THREE, "Dora"), game="points", rules="zero-sum", first_dealer="0")
    form = phone.page("record")
    refused = Page(phone.enter(1, **points("3", "-1", "-1", "")))

    assert form.source.count("data-sign=") == 4
    assert 'data-total="0"' in form.source
    assert form.source.count('class="side-names whose"') == 4
    assert "The points add up to +1, not to 0." in refused.words


def began(phone: Phone, **other: str) -> Phone:
    agreed = {"rules": "highest", "end": "open", "title": "", **other}
    return phone.start(THREE, game="points", first_dealer="0", **agreed)


@rows(__file__, "ends")
def test_session_has_the_name_the_direction_and_the_end_that_were_typed(
    phone: Phone, sent: dict[str, str], told: str, rules: dict[str, object]
) -> None:
    began(phone, **{"called": "Hearts", **sent})
    again = phone.page(f"/sessions/new?circle={phone.keys[0]}&like={phone.keys[1]}")

    with phone.app.app_context():
        stored = session_file(load_state(*phone.keys))["rules"]
    assert {key: stored[key] for key in rules} == rules
    assert told in phone.page().told
    assert again.form("/new").sends()["called"] == sent.get("called", "Hearts")


def test_name_is_what_title_list_standings_text_and_table_call_it(phone: Phone) -> None:
    began(phone, called=" Hearts  ", rules="lowest", end="deals", deals="1")
    phone.enter(1, **points("13", "8", "5"))
    again = phone.page(f"/sessions/new?circle={phone.keys[0]}&like={phone.keys[1]}")
    last = phone.page("last")

    assert re.findall(r"<title>(.*?) · scorer", phone.page().source) == ["Hearts"]
    assert "Free points · 1 deal" in phone.page().told
    assert "Hearts" in phone.page(phone.circle_url).words
    assert re.search(r"<h1>Hearts</h1>.*1 deal played", last.source)
    began(phone, called="Rami", circle=str(phone.keys[0]), title="Sunday")
    assert "Rami · Open end" in phone.page().told
    assert again.form("/new").sends() | {"called": "Hearts", "end": "deals", "deals": "1"} == (
        again.form("/new").sends()
    )
