"""The score sheet: pages of twenty deals, each with the balances as the replayed file has them."""

import re

import pytest
from flask import Flask

from scorer.games import find_game
from scorer.operations import replay
from scorer.services.files.session_files import session_file
from scorer.services.session.state import load_state
from scorer.texts import MINUS
from tests.services.evenings import FIVE
from tests.web.phones import Phone

Rows = dict[int, list[str]]

DEALS = 32
VOIDED = {7, 16, 17, 31}
MISDEAL = {13, 27}
CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)
ROW = re.compile(r'<tr[^>]*>\s*<th scope="row".*?deals/(\d+)/.*?</th>(.*?)</tr>', re.DOTALL)
TAG = re.compile(r"<[^>]+>")


@pytest.fixture(scope="module")
def evening(app: Flask) -> Phone:
    """Play three pages of deals, some of them voided, amended or not played."""
    phone = Phone(app).start(rules="ladder-bands")
    for number in range(1, DEALS + 1):
        if number in MISDEAL:
            phone.outcome(number, "misdeal")
        else:
            caller, partner = number % 5, (number * 2 + 1) % 5
            alone = partner == caller
            phone.record(
                number,
                caller=str(caller),
                partner="alone" if alone else str(partner),
                bid_rank="2",
                bid_points=str(62 + number),
                card_points=str(60 + number % 50),
            )
    for number in VOIDED:
        phone.post(f"deals/{number}/void", {"version": "1", "reason": ""})
    form = phone.page("deals/20/amend").form("/amend")
    phone.post("deals/20/amend", form.sends(card_points="2", partner="alone", caller="1"))
    return phone


def sheet(source: str) -> Rows:
    """Read the figures off a page: deal -> what stands in the cells of the seats."""
    return {
        int(number): [TAG.sub("", cell).split()[0] for cell in CELL.findall(cells)[: len(FIVE)]]
        for number, cells in ROW.findall(source)
    }


def expected(phone: Phone) -> tuple[Rows, Rows]:
    """Give payouts and balances of every deal that stands, from the replayed file."""
    with phone.app.app_context():
        answer = replay(session_file(load_state(*phone.keys)))
    standing = [number for number in range(1, DEALS + 1) if number not in VOIDED]
    deals = list(zip(standing, answer["deals"], strict=True))
    payouts, balances = (
        {number: [written(deal[what].get(name)) for name in FIVE] for number, deal in deals}
        for what in ("payouts", "balances")
    )
    return payouts, balances


def written(amount: int | None) -> str:
    if amount is None:
        return "–"
    return f"+{amount}" if amount > 0 else f"{MINUS}{-amount}" if amount else "0"


def pages(phone: Phone, show: str, last: list[str]) -> list[Rows]:
    """Leaf through the sheet from the newest page to the oldest one; each ends with the totals."""
    found, query = [], f"show={show}"
    while query:
        page = phone.page(f"?{query}")
        foot = page.source.partition("<tfoot>")[2].partition("</tfoot>")[0]
        assert [TAG.sub("", cell).strip() for cell in CELL.findall(foot)][:5] == last
        found.append(sheet(page.source))
        links = re.findall(rf"show={show}&before=(\d+)#sheet", " ".join(page.links))
        older = [number for number in links if int(number) <= min(found[-1])]
        query = f"show={show}&before={older[0]}" if older else ""
    return found


@pytest.mark.parametrize(("show", "place"), [("payouts", 0), ("balances", 1)])
def test_pages_hold_fifteen_deals_newest_first_with_the_figures_of_the_replayed_file(
    evening: Phone, show: str, place: int
) -> None:
    figures, totals = expected(evening)[place], expected(evening)[1][DEALS]

    found = pages(evening, show, totals)

    shown = {number: row for page in found for number, row in page.items()}
    assert [len(page) for page in found] == [15, 15, 2]
    assert list(shown) == list(range(DEALS, 0, -1))
    assert {number: shown[number] for number in figures} == figures
    assert (shown[13] == [written(None)] * 5) == (show == "payouts")


def turned(phone: Phone) -> list[str]:
    page, paper = phone.page(), phone.page("sheet")
    found: list[str] = re.findall(r'data-turned="([^"]*)"', page.source)
    assert all(f"<b>{text}</b>" in page.source and text in paper.source for text in found)
    return found


def test_amended_deal_says_that_another_side_has_won_it(phone: Phone) -> None:
    phone.start(["Ada", "Bea", "Ciro", "Dora"], game="briscola", rules="best-of-3")
    for number, winner in enumerate(("0", "1", "nobody"), 1):
        phone.enter(number, winner=winner)

    def amend(number: int, winner: str) -> list[str]:
        form = phone.page(f"deals/{number}/amend").form("/amend")
        assert phone.post(f"deals/{number}/amend", form.sends(winner=winner)).status_code == 303
        return turned(phone)

    assert turned(phone) == []
    assert amend(1, "1") == ["Deal 1 goes from Ada and Ciro to Bea and Dora."]
    assert amend(1, "0") == []
    assert amend(3, "1") == ["Deal 3 goes from nobody to Bea and Dora."]
    phone.post("deals/3/void", {"version": "2", "reason": ""})
    assert turned(phone) == []


@pytest.mark.parametrize(("game", "players"), [("briscola-chiamata", 5), ("burraco", 4)])
def test_deal_is_voided_for_what_goes_wrong_in_its_game(
    phone: Phone, game: str, players: int
) -> None:
    rules = find_game(game).preset.slug
    phone.start(FIVE[:players], game=game, rules=rules, first_dealer="0")
    phone.outcome(1, "misdeal")

    offered = re.findall(r'name="answer" value="([^"]*)"', phone.page("deals/1/").source)

    mistakes = [str(text) for text in find_game(game).mistakes]
    assert (offered[:-2], bool(mistakes)) == (mistakes, True)
