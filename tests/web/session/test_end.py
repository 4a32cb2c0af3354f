"""The end of a match on the page: who won and why, and the next match with one tap."""

from scorer.services.session.state import load_state
from tests.web.phones import Phone

FOUR = ("Ada", "Bea", "Ciro", "Dora")
BURRACO = {
    "clean-0": "1", "clean-1": "0", "dirty-0": "1", "dirty-1": "1", "semi_clean-0": "0",
    "semi_clean-1": "0", "closed": "0", "melded-0": "385", "melded-1": "210", "in_hand-0": "25",
    "in_hand-1": "95",
}  # fmt: skip


def match(phone: Phone, *deals: tuple[int, int], rules: str = "points-120") -> Phone:
    phone.start(FOUR, game="briscola", rules=rules, first_dealer="0")
    for number, points in enumerate(deals, start=1):
        taken = {f"card_points-{side}": str(n) for side, n in enumerate(points)}
        assert phone.enter(number, **taken).status_code == 303
    return phone


def test_end_says_who_won_why_and_two_taps_start_one_match_more(phone: Phone) -> None:
    page = match(phone, (70, 50), (40, 80)).page()
    on = phone.page("next")
    form = on.form("/next")
    first, second = (phone.post(form.action, form.sends()) for _ in range(2))
    over = phone.page()
    phone.url = first.location

    assert "Bea and Dora won" in page.words
    assert "target of 120 points" in page.words
    assert "With deal 2 · To 120 points" in page.words
    assert form.action in page.links
    assert "Ciro deals" in on.words
    assert form["game"] == "briscola"
    assert first.location == second.location
    assert first.location in over.links
    following = phone.page()
    assert "Friday · 2" in following.words
    assert "Record deal 1" in following.words
    assert "Ada and Ciro" in following.source


def test_level_match_says_that_it_goes_on(phone: Phone) -> None:
    page = match(phone, (60, 60), (60, 60)).page()

    assert "Level at 120" in page.words
    assert f"{phone.url}next" not in page.links
    assert phone.get("next").location == phone.url


def test_victory_points_are_shown_for_each_side(phone: Phone) -> None:
    phone.start(FOUR, game="burraco", rules="three-deals", first_dealer="0")
    for number in (1, 2, 3):
        phone.enter(number, **BURRACO)

    page = phone.page()
    shown = page.source.partition('aria-label="Victory points"')[2].partition("</ul>")[0]

    assert "1635 makes it 20–0" in page.words
    assert [line.partition("</b>")[0] for line in shown.split("<b>")[1:]] == ["20", "0"]
    assert "Ada and Ciro" in shown


def test_another_game_is_one_tap_and_so_are_other_partners(phone: Phone) -> None:
    match(phone, (40, 80), (40, 80))
    asked = phone.page("next")
    assert "Bea & Ciro" in asked.words
    form = asked.form("/next")

    answer = phone.post(form.action, form.sends(game="scopa", pairing="2"))
    phone.url = answer.location
    page = phone.page()

    assert "To 11 points" in page.words
    assert "Ada and Dora" in page.source
    with phone.app.app_context():
        assert load_state(*phone.keys).names == ("Ada", "Bea", "Dora", "Ciro")
