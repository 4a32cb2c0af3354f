"""Who sits out, as the session's page tells it and lets it be changed with one tap."""

import pytest
from flask import Flask

from scorer.services.session.state import load_state
from tests.data.rows import rows as rows_of
from tests.services.evenings import SIX
from tests.web.pages import Form
from tests.web.phones import Phone
from tests.web.rows import rows

SEVEN = (*SIX, "Gino")


@pytest.fixture
def six(phone: Phone) -> Phone:
    """Six at the table; Ada deals first and sits out."""
    return phone.start(SIX, rules="classic-plain", first_dealer="0")


def out_of(phone: Phone) -> list[str]:
    """Name those who sit out the next deal."""
    with phone.app.app_context():
        state = load_state(*phone.keys)
        return [state.names[seat] for seat in state.order if seat not in state.table().active]


def forms(phone: Phone) -> list[Form]:
    return [form for form in phone.page().forms if form.action.endswith("/sit-out")]


@pytest.mark.parametrize("page", ["", "record", "tv"])
@pytest.mark.parametrize(
    ("people", "has_others"),
    [
        pytest.param(SIX, False, id="the dealer alone"),
        pytest.param(SEVEN, True, id="another one, too"),
    ],
)
def test_dealer_who_sits_out_is_named_once(
    phone: Phone, *, people: tuple[str, ...], has_others: bool, page: str
) -> None:
    phone.start(people, rules="classic-plain", first_dealer="0")

    words = phone.page(page).words

    assert "Ada deals and sits out" in words
    assert ("Gino out" in words) is has_others
    assert "Ada out" not in words
    assert "out, Ada" not in words


def test_one_tap_lets_somebody_else_sit_out_and_one_takes_it_back(six: Phone) -> None:
    (choice,) = forms(six)
    six.post(choice.action, choice.sends(chosen="3"))

    words = six.page().words
    assert out_of(six) == ["Dora"]
    assert "Chosen for this deal. By turn it would be Ada." in words

    back = next(form for form in forms(six) if "instead" not in dict(form.fields))
    six.post(back.action, back.sends())
    assert out_of(six) == ["Ada"]


def test_figures_of_who_sat_out_are_left_blank(six: Phone) -> None:
    six.record(1, caller="1", partner="2")

    sheet, deal = six.get().text, six.get("deals/1/").text

    assert sheet.count('aria-label="did not play"') == 1
    assert deal.partition("</section>")[0].count('aria-label="did not play"') == 1


@rows_of(__file__, "odd")
def test_odd_choice_changes_nothing(app: Flask, six: Phone, sent: dict[str, str]) -> None:
    before = rows(app)

    assert six.post("sit-out", sent).status_code == 303
    assert 'class="flash flash-problem"' in six.get().text
    assert rows(app) == before
