"""What a script does to a deal on behalf of a phone: answered in JSON, and done once."""

from uuid import uuid4

from tests.web.phones import JSON, Phone
from tests.web.rows import balances

KEY = str(uuid4())
SEEN = {"key": KEY, "version": "1", "seen": "0"}


def test_problem_is_told_to_a_script(phones: tuple[Phone, Phone]) -> None:
    for path, sent, field in (
        ("deals/1/void", SEEN | {"reason": "x" * 999}, "reason"),
        ("deals/1/dispute", SEEN, "reason"),
        ("deals/1/confirm", SEEN, ""),  # on the phone that wrote
        ("outcome", {"key": KEY, "number": "2", "outcome": "penalty"}, "offender"),
    ):
        answer = phones[0].post(path, sent, headers=JSON)

        assert answer.status_code == 422, path
        assert [problem["field"] for problem in answer.get_json()["problems"]] == [field]


def test_act_on_a_deal_that_was_changed_ends_on_a_page_with_both(
    phones: tuple[Phone, Phone],
) -> None:
    first, other = phones
    first.post("deals/1/amend", {**first.deal(1, card_points="40"), "version": "1"})

    page = other.sent("deals/1/void", SEEN | {"answer": "Wrong caller", "reason": "It was Ciro"})

    assert page.status == 409
    assert f'data-settles="{KEY}"' in page.source
    for words in ("Amended", "Void deal 1", "Wrong caller: It was Ciro", "Leave it as it stands"):
        assert words in page.words
    assert balances(first) == [-2, -1, 1, 1, 1]
    form = page.form("/void")
    other.post(form.action, form.sends())
    assert balances(first) == [0, 0, 0, 0, 0]
    voided = first.page("deals/1/")
    assert "Wrong caller: It was Ciro" in voided.words
    first.post("deals/1/restore", voided.form("/restore").sends(reason="It was not"))
    assert balances(first) == [-2, -1, 1, 1, 1]
    assert "It was not" in first.page("deals/1/").words
