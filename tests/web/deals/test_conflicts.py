"""Two phones, one deal: both versions side by side, and each choice does what it says."""

import pytest

from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.rows import balances, deal_count

MINE = {"caller": "4", "partner": "alone", "card_points": "33", "suit": "C", "called_rank": "K"}


def conflict(phones: tuple[Phone, Phone]) -> Page:
    """Let both phones record deal 2; give what the second one is shown."""
    phones[0].record(2, caller="0", partner="1", card_points="72")
    return phones[1].sent("record", phones[1].deal(2, **MINE))


@pytest.mark.parametrize(
    ("button", "number", "paid"),
    [
        pytest.param("record", 3, [5, 3, -1, -1, -6], id="next"),
        pytest.param("amend", 2, [3, 2, 0, 0, -5], id="instead"),
    ],
)
def test_second_phone_may_record_its_own_after_the_other_or_in_its_place(
    phones: tuple[Phone, Phone], button: str, number: int, paid: list[int]
) -> None:
    page = conflict(phones)
    form = page.form(f"/{button}")
    assert page.status == 409
    for seen in ("Deal 2, twice", "72", "33", "Ada", "Ezio", "+2", "−4", "+1", "−1"):
        assert seen in page.words
    assert balances(phones[0]) == [4, 2, -2, -2, -2]

    answers = [phones[1].post(form.action, form.sends()) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [303, 303]
    assert deal_count(phones[0]) == number
    assert balances(phones[0]) == paid
    page = phones[0].page(f"deals/{number}/")
    for words in ("King of cups", "missed, 33 (61 needed)", form.sends().get("reason", "")):
        assert words in page.words


def test_choice_that_comes_too_late_is_a_conflict_again(phones: tuple[Phone, Phone]) -> None:
    page = conflict(phones)
    phones[0].record(3)
    phones[0].post("deals/2/void", {"version": "1", "reason": ""})

    forms = page.form("/record"), page.form("/amend")
    answers = [phones[1].post(form.action, form.sends()) for form in forms]

    assert [answer.status_code for answer in answers] == [409, 409]
    assert deal_count(phones[0]) == 3


def test_two_phones_that_amend_one_deal_see_both_versions(phones: tuple[Phone, Phone]) -> None:
    forms = [phone.page("deals/1/amend").form("/amend") for phone in phones]
    phones[0].post("deals/1/amend", forms[0].sends(card_points="50"))

    page = phones[1].sent("deals/1/amend", forms[1].sends(card_points="40"))
    form = page.form("/amend")
    phones[1].post(form.action, form.sends())

    assert page.status == 409
    assert all(points in page.words for points in ("50", "40"))
    assert not [one for one in page.forms if one.action.endswith("/record")]
    assert "missed, 40 (61 needed)" in phones[0].page("deals/1/").words


def test_second_phone_that_starts_the_deal_sees_both_and_may_take_over(
    phones: tuple[Phone, Phone],
) -> None:
    first, other = phones
    first.post("record/start", first.deal(2, caller="0", bid_points="70"))

    page = other.sent("record/start", other.deal(2, caller="4", bid_points="80"))
    kept = first.page().words
    form = page.form("/record/start")
    answers = [other.post(form.action, form.sends()) for _ in range(2)]

    assert page.status == 409
    assert "has already started deal 2" in page.words
    assert "Ada bid 70" in page.words
    assert "Ezio bid 80" in page.words
    assert other.url in page.links
    assert "Ada bid 70" in kept
    assert [answer.status_code for answer in answers] == [303, 303]
    assert "Ezio bid 80" in first.page().words
