"""The history: what is found is what anybody would find who went through all the sheets."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games import find_game
from scorer.ledger.records import DealSearch
from scorer.services.base import clock
from scorer.services.deals import history
from scorer.services.deals.history import find_deals
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import Evening, examples, players_of, sheet, start
from tests.services.years import FIRST, PEOPLE, Fact, facts, play

Holds = Callable[[Fact], bool]
Told = list[tuple[UUID, int]]

GAME = find_game("briscola-chiamata")
LEVELS = [level.bids for level in GAME.levels]
ROLES = ("", "calls", "caller", "partner", "alone", "defender", "offender", "dealer")
PAIRS = (("caller", "partner"), ("", ""), ("defender", "alone"), ("", "dealer"))


def found(circle_id: UUID, search: DealSearch) -> Told:
    """Go through all the pages of what is found."""
    told: Told = []
    page = find_deals(circle_id, search)
    count = page.count
    while True:
        told += [(line.session.session_id, line.deal.number) for line in page.lines]
        if page.older is None:
            break
        page = find_deals(circle_id, search, page.older)
    assert count == len(told)
    return told


def played(fact: Fact, name: str, role: str) -> bool:
    """Say whether somebody played a part in a deal."""
    if role == "dealer":
        return fact.deal.dealer == name
    if role == "":
        return name in fact.payouts
    if not fact.stands or name not in fact.payouts:
        return False
    wanted = {"caller", "alone"} if role == "calls" else {role}
    return fact.role(name) in wanted


def both_played(fact: Fact, one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Say whether each of two played a part in a deal."""
    return played(fact, *one) and played(fact, *other)


def has(fact: Fact, **values: object) -> bool:
    """Say whether something is so of a deal."""
    return all(getattr(fact.deal, name) == value for name, value in values.items())


def against(fact: Fact, one: str, other: str) -> bool:
    """Say whether points went between two in a deal whose points add up."""
    both = fact.payouts.get(one, 0) * fact.payouts.get(other, 0)
    return fact.stands and both < 0 and sum(fact.payouts.values()) == 0


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a few deals be many."""
    monkeypatch.setattr(history, "PAGE", 3)


def cases(one: str, other: str, known: dict[str, UUID]) -> Iterator[tuple[DealSearch, Holds]]:
    """List what may be looked for, and how to see on a sheet whether it is that."""
    player, second = known[one], known[other]
    yield DealSearch(), lambda _: True
    for role in ROLES:
        yield DealSearch(player=player, role=role), partial(played, name=one, role=role)
    for role, part in PAIRS:
        search = DealSearch(player=player, role=role, other=second, other_role=part)
        yield search, partial(both_played, one=(one, role), other=(other, part))
    between = DealSearch(player=player, other=second, other_role="against")
    yield between, partial(against, one=one, other=other)
    yield DealSearch(made=True), lambda fact: fact.made is True
    yield DealSearch(made=False), lambda fact: fact.made is False
    for bids in LEVELS:
        yield DealSearch(bids=bids), partial(lambda fact, bids: fact.bid in bids, bids=bids)
    for outcome in ("played", "misdeal", "penalty", "redeal"):
        yield DealSearch(outcome=outcome), partial(has, outcome=outcome)
    yield DealSearch(state="stands"), partial(has, voided=False)
    yield DealSearch(state="voided"), partial(has, voided=True)
    yield DealSearch(state="amended"), partial(has, amended=True)
    yield DealSearch(state="disputed"), partial(has, disputed=True)
    yield DealSearch(role="alone"), lambda fact: any(played(fact, who, "alone") for who in PEOPLE)
    yield DealSearch(game="scopa"), lambda _: False
    yield DealSearch(game="briscola-chiamata", player=player), partial(played, name=one, role="")


@BOTH_ENGINES
@examples(6)
@given(data=st.data())
def test_what_somebody_looks_for_is_found(data: st.DataObject) -> None:
    circle_id = play(data)
    known, everything = players_of(circle_id), facts(circle_id)
    one, other = data.draw(st.permutations(list(known)))[:2]
    day = FIRST.replace(hour=0) + timedelta(days=data.draw(st.integers(0, 2)))
    of_day = DealSearch(since=day, until=day + timedelta(days=1))

    for search, holds in cases(one, other, known):
        expected = [(fact.session_id, fact.deal.number) for fact in everything if holds(fact)]
        assert found(circle_id, search) == expected, search
    expected = [(f.session_id, f.deal.number) for f in everything if f.day == str(day.date())]
    assert found(circle_id, of_day) == expected


def test_line_tells_the_deal_and_what_it_pays_the_player(evening: Evening) -> None:
    evening.record(sheet("Ada", "Bea", 70))
    evening.record(sheet("Ciro", None, 40))
    evening.void(2)
    bea = players_of(evening.circle_id)["Bea"]

    voided, made = find_deals(evening.circle_id, DealSearch(player=bea)).lines

    assert (str(made.text), made.amount) == ("Ada: 61 points, made, 70 (61 needed)", 1)
    assert (voided.deal.voided, voided.amount) == (True, 1)
    assert voided.session.row.title == "Friday"


def test_page_goes_on_after_the_last_deal_even_where_a_newer_one_came_meanwhile(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(7):
        evening.record()
    first = find_deals(evening.circle_id, DealSearch())
    evening.record()

    second = find_deals(evening.circle_id, DealSearch(), first.older)

    assert [line.deal.number for line in (*first.lines, *second.lines)] == [7, 6, 5, 4, 3, 2]
    assert (first.count, second.count) == (7, None)
    monkeypatch.setattr(history, "COUNTED", 4)  # many are not counted to the end
    assert find_deals(evening.circle_id, DealSearch()).count is None
    assert find_deals(evening.circle_id, DealSearch(outcome="misdeal")).count == 0


def days_of(evening: Evening, *days: str) -> None:
    """Start a session on each of these days."""
    for number, day in enumerate(days):
        moment = datetime.fromisoformat(f"{day}T20:{number:02}").replace(tzinfo=UTC)
        with clock.at(moment):
            evening.again(title=day)


def test_sessions_of_a_day_are_one_evening_and_stay_on_one_page() -> None:
    with clock.at(FIRST):
        evening = start(title="first")
    days_of(evening, "2026-02-06", "2026-02-13", "2026-02-13", "2026-02-13", "2026-02-20")

    newest, more = history.evenings(evening.circle_id)
    older, still_more = history.evenings(evening.circle_id, newest[-1][-1].row.session_id)
    oldest, no_more = history.evenings(evening.circle_id, older[-1][-1].row.session_id)

    assert [[line.row.title for line in one] for one in newest] == [["2026-02-20"]]
    assert [[line.row.title for line in one] for one in older] == [["2026-02-13"] * 3]
    assert [[line.row.title for line in one] for one in oldest] == [["2026-02-06"], ["first"]]
    assert (more, still_more, no_more) == (True, True, False)


@BOTH_ENGINES
def test_a_year_begins_with_its_last_evening_a_page_of_which_may_be_a_part() -> None:
    with clock.at(FIRST):
        evening = start(title="first")
    days_of(evening, "2024-12-30", "2024-12-31", "2022-05-06")

    shown, _ = history.evenings(evening.circle_id, year=2024)

    titles = [line.row.title for one in shown for line in one]
    assert titles == ["2024-12-31", "2024-12-30", "2022-05-06"]
    assert history.years(evening.circle_id) == [2026, 2025, 2024, 2023, 2022]
    newest, _ = history.evenings(evening.circle_id)
    assert history.evenings(evening.circle_id, year=2026)[0] == newest
    days_of(evening, *["2026-02-13"] * 4)
    parts, more = history.evenings(evening.circle_id)
    assert ([len(one) for one in parts], more) == ([3], True)
