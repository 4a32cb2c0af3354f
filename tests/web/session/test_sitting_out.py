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


@pytest.mark.parametrize(
    ("people", "told", "following"),
    [
        (SIX, "6 at the table: the dealer sits out.", "then Bea"),
        (SEVEN, "7 at the table: the dealer sits out, and whoever dealt last.", "then Ada and Bea"),
    ],
)
def test_page_says_who_sits_out_why_and_who_does_then(
    phone: Phone, people: tuple[str, ...], told: str, following: str
) -> None:
    words = phone.start(people, rules="classic-plain", first_dealer="0").page().words

    assert told in words
    assert following in words


@pytest.mark.parametrize("page", ["", "record", "record?step=start", "tv"])
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


def test_nothing_is_said_where_everybody_plays(phone: Phone) -> None:
    assert "sits out" not in phone.start().page().words


def test_one_tap_lets_somebody_else_sit_out_and_one_takes_it_back(six: Phone) -> None:
    (choice,) = forms(six)
    six.post(choice.action, choice.sends(chosen="3"))

    words = six.page().words
    assert out_of(six) == ["Dora"]
    assert "Chosen for this deal. By turn it would be Ada." in words

    back = next(form for form in forms(six) if "instead" not in dict(form.fields))
    six.post(back.action, back.sends())
    assert out_of(six) == ["Ada"]


def test_page_counts_how_often_each_has_sat_out_and_offers_to_make_it_even(six: Phone) -> None:
    six.record(1, caller="1", partner="2")
    six.post("sit-out", {"number": "2", "seen": "1", "instead": "1", "chosen": "2"})
    six.record(2, caller="0", partner="1")

    page = six.page()
    assert "Ciro is one turn ahead." in page.words
    assert "Bea owes a turn." in page.words
    offered = forms(six)[0]
    six.post(offered.action, offered.sends())

    assert out_of(six) == ["Bea"]


def test_figures_of_who_sat_out_are_left_blank(six: Phone) -> None:
    six.record(1, caller="1", partner="2")

    sheet, deal = six.get().text, six.get("deals/1/").text

    assert sheet.count('aria-label="did not play"') == 1
    assert deal.partition("</section>")[0].count('aria-label="did not play"') == 1


def test_stale_choice_changes_nothing_and_says_so(app: Flask, six: Phone) -> None:
    six.record(1, caller="1", partner="2")
    before = rows(app)

    answer = six.post("sit-out", {"number": "2", "seen": "0", "instead": "1", "chosen": "2"})

    assert answer.status_code == 303
    assert "Something was written meanwhile." in six.page().words
    assert rows(app) == before


@rows_of(__file__, "odd")
def test_odd_choice_changes_nothing(app: Flask, six: Phone, sent: dict[str, str]) -> None:
    before = rows(app)

    assert six.post("sit-out", sent).status_code == 303
    assert 'class="flash flash-problem"' in six.get().text
    assert rows(app) == before


def test_spectator_sees_the_rota_and_no_button(six: Phone) -> None:
    watcher = six.let_in(Phone(six.app), "spectator")

    assert "then Bea" in watcher.page().words
    assert forms(watcher) == []
