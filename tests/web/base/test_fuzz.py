"""Whatever is sent to whichever form, there is an answer, and what is kept is sound."""

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorer.services.journal.verify import circle_findings
from scorer.storage import one_moment
from tests.data.strategies import examples
from tests.web.phones import Phone
from tests.web.routes import addresses, values
from tests.web.tables import keep_table

ODD = ["", "0", "1", "2", "-1", "7", "60", "61", "72", "120", "9" * 40, "9" * 4400, "1e9", "NaN",
       "A", "K", "2", "C", "alone", "made", "missed", "y", "record", "misdeal", "penalty", "played",
       "points", "deals", "open", "classic", "volata", "save", "{}",
       "add:score.bands", "remove:floor:0", "briscola-chiamata", "\x00", "\ud83d", "٣",
       "<b>", "../..", "//", "x" * 300, "00000000-0000-4000-8000-000000000007"]  # fmt: skip
EXPECTED = {200, 201, 204, 303, 400, 403, 404, 409, 413, 422, 429}


@pytest.fixture(scope="module")
def evening(app: Flask) -> Phone:
    """Begin an evening that everything is sent to."""
    phone = Phone(app).start(rules="ladder-bands")
    phone.link()
    keep_table(phone)
    for number in (1, 2):
        phone.record(number, bid_points="", bid_rank="K")
    return phone


@pytest.fixture(scope="module")
def names(app: Flask, evening: Phone) -> list[str]:
    """Give the name of every field of pages that send forms to themselves, and of some more."""
    given = values(evening)
    asked, sent = (addresses(app, method, given).values() for method in ("GET", "POST"))
    circle = evening.circle_url
    more = {
        evening.url,
        *(circle + one for one in ("more", "ledger", f"players/{given['player']}/")),
    }
    return sorted(
        set[str]().union(*(evening.page(path).names for path in {*asked} & {*sent} | more))
    )


TYPED = st.lists(st.sampled_from(ODD) | st.text(max_size=8), min_size=1, max_size=2)


@settings(examples(60), suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_is_sent_there_is_an_answer(
    app: Flask, evening: Phone, names: list[str], data: st.DataObject
) -> None:
    posts = addresses(app, "POST", values(evening))
    forms = st.dictionaries(st.sampled_from(names), TYPED, max_size=8)
    endpoint = data.draw(st.sampled_from(sorted(posts)))
    base = evening.deal(data.draw(st.integers(1, 9))) if data.draw(st.booleans()) else {}
    sent = {**{name: [value] for name, value in base.items()}, **data.draw(forms)}
    encoded = {
        name: [one.encode("utf-8", "replace") for one in many] for name, many in sent.items()
    }

    answer = evening.post(posts[endpoint], encoded)

    assert answer.status_code in EXPECTED, (endpoint, answer.status_code)


def test_what_was_kept_of_all_that_is_sound(app: Flask, evening: Phone) -> None:
    with app.app_context(), one_moment():
        assert list(circle_findings(evening.keys[0])) == []
