"""Agreed results: what the table decides that a deal pays, written down on a small form."""

from typing import Any

from scorer.services.journal.verify import circle_findings
from scorer.services.session.state import load_state
from tests.web.pages import Form, Page
from tests.web.phones import Phone

WHY = "Mixed cards, art. 32"


def agreed_form(page: Page) -> Form:
    return next(form for form in page.forms if dict(form.fields).get("outcome") == "agreed")


def write(phone: Phone, path: str = "", reason: str = WHY, **payouts: str) -> Page:
    """Fill in the form of an agreed result, by the seats of the players, and send it."""
    form = agreed_form(phone.page(path))
    figures = {f"payouts-{seat.removeprefix('seat')}": text for seat, text in payouts.items()}
    return phone.sent(form.action, form.sends(reason=reason, **figures))


def deals_of(phone: Phone) -> list[tuple[str, dict[str, int], Any]]:
    with phone.app.app_context():
        assert list(circle_findings(phone.keys[0])) == []
        deals = load_state(*phone.keys).deals
        return [(deal.outcome, deal.payouts, deal.entry.answers(FIVE)) for deal in deals]


FIVE = ("Ada", "Bea", "Ciro", "Dora", "Ezio")
ONE = {"Ada": 2, "Bea": -2, "Ciro": 0, "Dora": 0, "Ezio": 0}


def test_what_is_wrong_is_said_on_a_page_that_keeps_what_was_typed(owner: Phone) -> None:
    page = write(owner, reason=" ", seat0="2", seat1="x")

    assert (page.status, deals_of(owner)) == (422, [])
    assert {"", "reason"} <= page.problems.keys()
    form = agreed_form(page)
    assert (form["payouts-0"], form["payouts-1"]) == ("2", "x")
    owner.post(form.action, form.sends(**{"payouts-1": "−2", "reason": WHY}))
    assert deals_of(owner) == [("agreed", ONE, {"payouts": ONE, "reason": WHY})]
    for path in ("", "deals/1/"):
        assert f"Agreed: {WHY}" in owner.page(path).words
    assert "Record deal 2" in owner.page().words


def test_a_played_deal_is_amended_to_it_and_back(owner: Phone) -> None:
    owner.record()
    assert write(owner, "deals/1/agreed", seat2="4", seat3="-4").status == 303
    assert deals_of(owner)[0][:2] == ("agreed", {**dict.fromkeys(FIVE, 0), "Ciro": 4, "Dora": -4})

    again = agreed_form(owner.page("deals/1/agreed"))
    for other in ({"outcome": "misdeal"}, {"version": ""}):
        assert owner.post(again.action, again.sends(**other)).status_code == 400
    assert (again["payouts-2"], again["reason"], again["version"]) == ("4", WHY, "2")
    assert owner.sent(again.action, again.sends(**{"payouts-2": "5"})).status == 422

    amend = owner.page("deals/1/amend").form("/amend")
    played = {**owner.deal(1), "version": "2"}
    assert owner.post(amend.action, amend.sends(**played)).status_code == 303
    assert deals_of(owner)[0][0] == "played"
    assert owner.page("deals/1/").words.count("Amended") >= 2
