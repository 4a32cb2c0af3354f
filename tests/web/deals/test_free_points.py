"""Free points on the pages, and a bonus by the name that a group typed."""

import re
from uuid import uuid4

from scorer.services.files.session_files import session_file
from scorer.services.session.state import load_state
from tests.data.rows import rows
from tests.web.pages import Page
from tests.web.phones import Phone

THREE = ("Ada", "Bea", "Ciro")
NAME = "<b>busso</b> 100%s"
ESCAPED = "&lt;b&gt;busso&lt;/b&gt; 100%s"


def points(*figures: str) -> dict[str, str]:
    """Fill in the boxes of a deal."""
    return {f"points-{side}": figure for side, figure in enumerate(figures)}


def write_down(phone: Phone, number: int, **boxes: str) -> Page:
    """Send the form of a deal; return the page that comes after it."""
    return phone.sent("record", {"key": str(uuid4()), "number": str(number), **boxes})


def test_lowest_leads_everywhere_where_the_rules_say_so(phone: Phone) -> None:
    phone.start(THREE, game="points", rules="lowest", first_dealer="0")

    write_down(phone, 1, **points("13", "−2", "-5"))
    page, circle = phone.page(), phone.page(phone.circle_url)

    assert re.findall(r'<span class="name"><span class="usual">(\w+)', page.source)[:3] == [
        "Ciro",
        "Bea",
        "Ada",
    ]
    assert "session burden" in page.source
    assert "session-card burden" in circle.source


def test_form_takes_a_minus_and_names_everybody(phone: Phone) -> None:
    phone.start((*THREE, "Dora"), game="points", rules="zero-sum", first_dealer="0")
    form = phone.page("record")
    refused = write_down(phone, 1, **points("3", "-1", "-1", ""))

    assert form.source.count("data-sign=") == 4
    assert 'data-total="0"' in form.source
    assert form.source.count('class="side-names whose"') == 4
    assert "The points add up to +1, not to 0." in refused.words


def test_bonus_is_asked_and_told_by_its_name(phone: Phone) -> None:
    phone.start(THREE[:2], game="tressette", rules="to-21", first_dealer="0")
    made = {"game": "tressette", "name": "Ours", "key": str(uuid4()), "action": "save",
            "rules.target": "21", "rules.end": "end-of-deal", "rules.declarations": "y",
            "rules.cappotto": "points", "rules.cappotto_times": "2",
            "rules.first_leader": "next-of-dealer", "rules.bonus": NAME}  # fmt: skip
    kept = phone.post(f"{phone.circle_url}rules/new", made)
    assert kept.status_code == 303, kept.text
    shown = phone.get(kept.headers["Location"])
    rule_set = kept.headers["Location"].rstrip("/").rpartition("/")[2].partition("?")[0]
    phone.start(THREE[:2], game="tressette", rules=rule_set, first_dealer="0",
                circle=phone.circle_url.rstrip("/").rpartition("/")[2])  # fmt: skip

    form = phone.page("record").source
    fields = {"hand_points-0": "7", "hand_points-1": "4", "bonus-0": "-3", "bonus-1": "2"}
    write_down(phone, 1, **fields)
    deal = phone.page("deals/1/").source

    for which, page in (("shown", shown.text), ("form", form), ("deal", deal)):
        assert ESCAPED in page, which
        assert NAME not in page
    assert f"Ada: {ESCAPED} → −3." in deal


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
    write_down(phone, 1, **points("13", "8", "5"))
    again = phone.page(f"/sessions/new?circle={phone.keys[0]}&like={phone.keys[1]}")
    last = phone.page("last")

    assert re.findall(r"<title>(.*?) · scorer", phone.page().source) == ["Hearts"]
    assert "Free points · 1 deal" in phone.page().told
    assert "Hearts" in phone.page(phone.circle_url).words
    assert re.search(r"<h1>Hearts</h1>.*1 deal played", last.source)
    began(phone, called="Rami", circle=str(phone.keys[0]), title="Sunday")
    write_down(phone, 1, **points("1", "2", "3"))
    assert "Rami · Open end" in phone.page().told
    assert again.form("/new").sends() | {"called": "Hearts", "end": "deals", "deals": "1"} == (
        again.form("/new").sends()
    )


@rows(__file__, "wrong ends")
def test_end_needs_its_number(phone: Phone, sent: dict[str, str], field: str) -> None:
    form = {"game": "points", "rules": "highest", "called": "Hearts", **sent}
    answer = phone.post("/sessions/new", phone.agreed(THREE, **form))

    assert (answer.status_code, set(Page(answer).problems)) == (422, {field})
