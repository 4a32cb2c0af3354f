"""Free points on the pages, and a bonus by the name that a group typed."""

import re
from uuid import uuid4

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

    assert re.findall(r'<span class="name"><span>(\w+)', page.source)[:3] == ["Ciro", "Bea", "Ada"]
    assert "session burden" in page.source
    assert "lifelong burden" in circle.source


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
            "rules.cappotto_times": "2", "rules.first_leader": "next-of-dealer",
            "rules.bonus": NAME}  # fmt: skip
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
