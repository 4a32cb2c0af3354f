"""Who sits out, as the session's page tells it and lets it be changed with one tap."""

import pytest
from flask import Flask

from scorer.services.session.state import load_state
from tests.services.evenings import SIX
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


@pytest.mark.parametrize("people", [SIX, SEVEN], ids=["the dealer alone", "another one, too"])
def test_dealer_who_sits_out_is_named_once(phone: Phone, people: tuple[str, ...]) -> None:
    phone.start(people, rules="classic-plain", first_dealer="0")

    for words in (phone.page(page).words for page in ("", "record", "tv")):
        assert "Ada deals and sits out" in words
        assert ("Gino out" in words) is ("Gino" in people)
        assert "Ada out" not in words
        assert "out, Ada" not in words


def test_one_tap_lets_somebody_else_sit_out_and_one_takes_it_back(six: Phone) -> None:
    choice = six.page().form("/sit-out")
    six.post(choice.action, choice.sends(chosen="3"))

    assert out_of(six) == ["Dora"]
    assert "By turn it would be Ada." in six.page().words

    forms = [form for form in six.page().forms if form.action.endswith("/sit-out")]
    back = next(form for form in forms if "instead" not in dict(form.fields))
    six.post(back.action, back.sends())
    assert out_of(six) == ["Ada"]
    six.record(1, caller="1", partner="2")
    for page in (six.get().text, six.get("deals/1/").text.partition("</section>")[0]):
        assert page.count('aria-label="did not play"') == 1


def test_odd_choice_changes_nothing(app: Flask, six: Phone) -> None:
    before = rows(app)
    odd: list[dict[str, str]] = [
        {},
        {"number": "x", "seen": "0"},
        {"number": "1", "seen": "0", "chosen": "1"},
        {"number": "1", "seen": "0", "chosen": "9", "instead": "0"},
        dict.fromkeys(("number", "seen", "chosen"), "9" * 40),
    ]

    for sent in odd:
        assert six.post("sit-out", sent).status_code == 303
        assert 'class="flash flash-problem"' in six.get().text, sent
    assert rows(app) == before
