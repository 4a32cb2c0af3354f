"""The money of a circle: what evenings post, payments, costs, and what is made of them."""

from contextlib import nullcontext
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from scorer.errors import NotFoundError, RefusedError
from scorer.evening.session_acts import End, Guest, PlayOn
from scorer.roles import Role
from scorer.services.base.clock import now
from scorer.services.base.journal import Kind
from scorer.services.journal.journal_page import journal_page
from scorer.services.journal.verify import circle_findings
from scorer.services.money import ledger
from scorer.services.money.evenings import deal_by_deal, evening_money
from scorer.services.money.ledger import Cost, Payment, ledger_page
from scorer.services.session.settling import PayTerms, Way, post_evening, still_to_post
from scorer.services.session.writing import do
from scorer.storage import models, queries
from tests.data.rows import rows
from tests.refusals import refused
from tests.services.evenings import FIVE, Evening, hold, played_once, sheet, start


@played_once
def played(**other: Any) -> Evening:
    """Play an evening of one deal, at ten cents a point unless it is said otherwise."""
    evening = start(**{"stake": 10, **other})
    evening.record()
    return evening


@played_once
def ended(**other: Any) -> Evening:
    evening = played(**other)
    do(*evening.keys, End(), by=evening.by)
    return evening


@pytest.fixture
def evening() -> Evening:
    return ended()


def accounts(evening: Evening) -> dict[str, int]:
    return {one.name: one.cents for one in ledger_page(evening.circle_id).accounts}


def kinds(evening: Evening) -> list[str]:
    return [row.kind for row in queries.money.ledger_entries(evening.circle_id)]


def worth(evening: Evening, stake: int = 10) -> dict[str, int]:
    """Give stake × balance, counted from the sheet."""
    return dict(zip(FIVE, (stake * n for n in evening.balances()), strict=True))


def pay(evening: Evening, payer: str, payee: str, cents: int | None, **other: Any) -> UUID:
    of, key, by = evening.players, uuid4(), other.pop("by", evening.by)
    payment = Payment(key, of.get(payer), of.get(payee), cents, **other)
    ledger.note_payment(evening.circle_id, payment, by=by)
    return key


def share(
    evening: Evening, payer: str, cents: int | None, note: str = "Pizza", **parts: int
) -> UUID:
    of, key = evening.players, uuid4()
    cost = Cost(key, of.get(payer), cents, {of[name]: n for name, n in parts.items()}, note=note)
    ledger.share_cost(evening.circle_id, cost, by=evening.by)
    return key


# Evenings


@pytest.mark.parametrize("way", Way)
def test_what_was_posted_is_followed_down_to_its_deals(way: Way) -> None:
    evening = played()
    for caller, partner, points in (("Ciro", "Dora", 50), ("Ada", "Bea", 70), ("Bea", None, 120)):
        evening.record(sheet(caller, partner, points))
    evening.void(3)
    do(*evening.keys, End(), by=evening.by)
    evening.amend(1, sheet("Ezio", "Ada", 90), reason="x")
    pay = PayTerms(Way.NOTHING) if way is Way.NOTHING else PayTerms(way, 25)
    post_evening(*evening.keys, pay, by=evening.by)
    found = evening_money(*evening.keys)

    followed = [deal_by_deal(found, player_id) for player_id in evening.players.values()]

    for one in followed:
        cents = [deal.cents for deal in one.deals if deal.cents is not None]
        assert sum(deal.points for deal in one.deals) == one.balance == one.deals[-1].balance
        assert {deal.number for deal in one.deals} <= {1, 2, 4}
        assert one.cents == one.posted
        if way is Way.POINTS:
            assert sum(cents) + one.shared == one.cents
        else:
            assert not cents
    assert {one.name: one.posted for one in followed if one.posted} == {
        name: cents for name, cents in accounts(evening).items() if cents
    }
    places = {
        Way.PLACE: (one.place - 1 for one in followed),
        Way.DIFFERENCE: (one.behind for one in followed),
    }
    for one, steps in zip(followed, places.get(way, ()), strict=False):
        assert one.place == 1 or one.cents == -25 * steps


def test_cents_that_nobody_owes_are_told_apart_from_the_deals() -> None:
    evening = played()
    evening.change(order=(0, 5, 1, 2, 3, 4), guests=[Guest("Fulvia", 7)])
    do(*evening.keys, End(), by=evening.by)
    found = evening_money(*evening.keys)

    fulvia = deal_by_deal(found, evening.players["Fulvia"])

    assert [(deal.number, deal.points, deal.cents) for deal in fulvia.deals] == [(None, 7, 70)]
    assert (fulvia.cents, fulvia.shared, fulvia.posted) == (21, -49, 21)
    for money, player_id in ((found, uuid4()), (evening_money(*played().keys), uuid4())):
        with pytest.raises(NotFoundError):
            deal_by_deal(money, player_id)


def still(evening: Evening) -> dict[UUID, int]:
    """Give what an end by now would post."""
    (row,) = queries.session.sessions_by_key(evening.circle_id, [evening.session_id])
    return {player: cents for player, cents in still_to_post(row).items() if cents}


def test_end_posts_once_what_was_still_to_be_posted_and_later_changes_the_difference() -> None:
    evening = played()
    before = still(evening)
    assert accounts(evening) == {}

    for _ in range(2):
        do(*evening.keys, End(), by=evening.by)

    assert accounts(evening) == worth(evening) == {
        "Ada": 20, "Bea": 10, "Ciro": -10, "Dora": -10, "Ezio": -10,
    }  # fmt: skip
    assert (before, still(evening)) == (queries.money.accounts(evening.circle_id), {})
    evening.amend(1, sheet(points=40))
    assert accounts(evening) == worth(evening)
    for act in (evening.void, evening.restore, evening.void):
        act(1)
        assert accounts(evening) == worth(evening)
    do(*evening.keys, PlayOn(), by=evening.by)
    evening.record()
    more = still(evening)
    assert set(accounts(evening).values()) == {0}
    do(*evening.keys, End(), by=evening.by)
    assert accounts(evening) == worth(evening)
    assert queries.money.accounts(evening.circle_id) == more
    entries = queries.money.ledger_entries(evening.circle_id)
    assert [(one.kind, one.number) for one in entries] == [
        *(("evening", None), *[("correction", 1)] * 4, ("correction", None)),
    ]


def test_evening_is_not_posted_without_money_or_deals_or_its_end_until_somebody_counts_it() -> None:
    empty, evening = start(stake=10), ended(stake=None)
    do(*empty.keys, End())
    evening.amend(1, sheet(points=40))
    assert kinds(empty) == kinds(evening) == []
    with refused("session-open"):
        post_evening(*played().keys, PayTerms(Way.POT, 100))
    for pay, problem in (
        (PayTerms(Way.POINTS, 0), "out-of-range stake"),
        (PayTerms(Way.POT, 10**7), "out-of-range stake"),
        (PayTerms(Way.POT, 10, -1), "out-of-range fee"),
    ):
        with refused(problem):
            post_evening(*evening.keys, pay, by=evening.by)

    post_evening(*evening.keys, PayTerms(Way.POINTS, 10), by=evening.by)

    assert accounts(evening) == worth(evening)
    assert ledger_page(evening.circle_id).unposted == []


@pytest.mark.parametrize(
    ("pay", "amounts"),
    [
        pytest.param(PayTerms(Way.DIFFERENCE, 10), [-400, -700, 1600, -500], id="difference"),
        pytest.param(PayTerms(Way.PLACE, 100), [-100, -300, 600, -200], id="place"),
        pytest.param(PayTerms(Way.POT, 500), [-500, -500, 1500, -500], id="pot"),
        pytest.param(PayTerms(Way.NOTHING), [0, 0, 0, 0], id="no money"),
    ],
)
def test_game_in_which_the_lowest_leads_is_paid_as_the_group_says(
    pay: PayTerms, amounts: list[int]
) -> None:
    evening = start({"preset": "lowest"}, FIVE[:4], game="points", first_dealer=0, stake=10)
    evening.record({"points": [50, 80, 10, 60]})
    do(*evening.keys, End())
    assert kinds(evening) == []
    assert len(ledger_page(evening.circle_id).unposted) == 1

    post_evening(*evening.keys, pay, by=evening.by)

    shown = evening_money(*evening.keys)
    assert (shown.pay, [one.cents for one in shown.shares]) == (pay, amounts)


# Payments and costs


def test_everybody_can_settle_through_a_banker_who_has_no_account(evening: Evening) -> None:
    assert ledger_page(evening.circle_id).exact
    evening.again(players=("Adina", *FIVE[1:]))

    page = ledger_page(evening.circle_id, banker=evening.players["Adina"])

    assert not page.exact
    assert len(page.proposal) == sum(1 for one in page.accounts if one.cents)
    assert all("Adina" in {one.payer.name, one.payee.name} for one in page.proposal)
    assert "Adina" not in {one.name for one in page.accounts}


def test_cost_of_earlier_versions_keeps_its_amounts() -> None:
    evening = ended(stake=None)
    ada, bea = (evening.players[name] for name in ("Ada", "Bea"))
    for key in (uuid4() for _ in range(9)):  # the odd cent always fell on the first
        cost = Cost(key, ada, 3, {ada: 1, bea: 1}, note="Cards")
        entry = ledger._entry(evening.circle_id, "cost", cost, evening.by, None)
        ledger._write(Kind.COST_SHARED, entry, [(ada, 3), (ada, -2), (bea, -1)], evening.by)
        ledger.share_cost(evening.circle_id, cost, by=evening.by)

    assert accounts(evening) == {"Ada": 9, "Bea": -9}
    assert list(circle_findings(evening.circle_id)) == []


@pytest.mark.parametrize("way", [Way.DIFFERENCE, Way.PLACE, Way.POT])
def test_deal_that_is_amended_to_the_same_figures_corrects_nothing(way: Way) -> None:
    evening = start(stake=None)
    evening.record(sheet(partner=None, points=60))
    evening.record(sheet("Bea", None, 60))
    do(*evening.keys, End(), by=evening.by)
    post_evening(*evening.keys, PayTerms(way, 7))
    before = kinds(evening), accounts(evening)

    evening.amend(1, sheet(partner=None, points=59), reason="Counted again")

    assert (kinds(evening), accounts(evening)) == before
    assert before[0] == ["evening"]


LATER = (now() + timedelta(days=3)).date()


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ({"payee": "Ada"}, "same-player payee"),
        ({"payee": "Nobody"}, "unknown-player payee"),
        ({"payer": ""}, "unknown-player payer"),
        ({"cents": 0}, "out-of-range amount"),
        ({"cents": None}, "out-of-range amount"),
        ({"means": "shells"}, "unknown-means means"),
        ({"note": "x" * 201}, "too-long note"),
        ({"day": LATER}, "bad-date day"),
        ({"Ada": 0}, "nobody among"),
        ({"Ada": 1, "note": ""}, "bad-name note"),
        ({"Ada": -1}, "out-of-range among"),
        ({"Ada": 1, "cents": None}, "out-of-range amount"),
    ],
)
def test_payment_or_cost_is_checked(evening: Evening, typed: dict[str, Any], problem: str) -> None:
    with refused(problem):
        if "Ada" in typed:
            share(evening, **{"payer": "Ada", "cents": 100, **typed})
        else:
            pay(evening, **{"payer": "Ada", "payee": "Bea", "cents": 5, **typed})


@rows(__file__, "confirming")
def test_payment_is_confirmed_by_the_first_phone_of_who_got_it_and_by_an_owner(
    evening: Evening,
    role: str,
    held: list[str],
    *,
    confirms: bool,
    vouches: bool,
    notes: bool | None,
) -> None:
    ada, other = evening.let_in(name="Ada"), evening.let_in(Role(role))
    key = pay(evening, "Ciro", "Ada", 10)
    for name in held:
        other = hold(other, name)

    refusal = nullcontext() if confirms else pytest.raises(RefusedError)
    with refusal:
        ledger.confirm_payment(evening.circle_id, key, by=other)
    assert ledger_page(evening.circle_id).lines[0].vouched_for == vouches
    ledger.confirm_payment(evening.circle_id, key, by=ada)

    if notes is not None:  # else the phone may not write of others
        key = pay(evening, "Ciro", "Ada", 1, by=other)
        noted = queries.find(models.LedgerEntry, evening.circle_id, key)
        assert noted
        assert (noted.confirmed_at is not None) == notes


def test_phone_without_the_pen_writes_and_takes_back_only_of_its_own_player(
    evening: Evening,
) -> None:
    before, nobody = accounts(evening), evening.let_in()
    ada, bea = (evening.let_in(name=name) for name in ("Ada", "Bea"))
    for by in (ada, nobody):
        with pytest.raises(RefusedError):
            pay(evening, "Bea", "Ciro", 5, by=by)
    key = pay(evening, "Ada", "Bea", 5, by=ada)
    with pytest.raises(RefusedError):
        ledger.void_entry(evening.circle_id, key, by=bea)
    assert kinds(evening) == ["evening", "payment"]

    ledger.void_entry(evening.circle_id, key, by=ada)
    ledger.void_entry(evening.circle_id, key, by=evening.by)

    assert accounts(evening) == before
    line = ledger_page(evening.circle_id).lines[0]
    assert (line.row.entry_id, line.row.voided_at is None) == (key, False)
    with pytest.raises(NotFoundError):
        ledger.confirm_payment(evening.circle_id, key, by=bea)
    (of_the_evening,) = queries.money.ledger_entries(evening.circle_id)
    for entry_id in (of_the_evening.entry_id, uuid4()):  # an evening is paid another way
        with pytest.raises(NotFoundError):
            ledger.void_entry(evening.circle_id, entry_id)


# What is made of it


def test_journal_tells_of_the_money(evening: Evening) -> None:
    ada = evening.let_in(name="Ada")
    key = pay(evening, "Ciro", "Ada", 10)
    ledger.confirm_payment(evening.circle_id, key, by=ada)
    share(evening, "Dora", 90, Dora=1, Ezio=1)
    ledger.void_entry(evening.circle_id, key)
    ledger.choose_currency(evening.circle_id, "CHF")
    post_evening(*evening.keys, PayTerms(Way.NOTHING))

    told = [line.entry.kind for line in journal_page(evening.circle_id, group="money").lines]

    assert told[::-1] == [
        *(Kind.EVENING_POSTED, Kind.PAYMENT_NOTED, Kind.PAYMENT_CONFIRMED, Kind.COST_SHARED),
        *(Kind.MONEY_VOIDED, Kind.CURRENCY_CHOSEN, Kind.CORRECTION_POSTED),
    ]
    assert list(circle_findings(evening.circle_id)) == []


def test_entries_are_found_by_person_and_span(evening: Evening) -> None:
    week = timedelta(days=7)
    pay(evening, "Ciro", "Ada", 10, day=(now() - 2 * week).date())
    share(evening, "Dora", 90, Dora=1, Ezio=1)

    def found(**sought: Any) -> list[str]:
        page = ledger_page(evening.circle_id, **sought)
        return [line.row.kind for line in page.lines]

    assert found() == ["cost", "evening", "payment"]
    assert found(player=evening.players["Ciro"]) == ["evening", "payment"]
    assert found(since=now() - week) == ["cost", "evening"]
    assert found(until=now() - week) == ["payment"]


CLOSED = {"closed": "Ada", "hands": {"Bea": 70, "Ciro": 20}}


def test_evening_where_somebody_bought_in_is_offered_as_a_pot_at_the_fee_of_its_rules() -> None:
    players = FIVE[:3]
    rules = {"preset": "buy-in", "limit": 60, "fee": 50}
    evening = start(rules, players, game="scala-quaranta", first_dealer=0, stake=10)
    evening.record({**CLOSED, "buy_in": ["Bea"]})
    money = evening_money(*evening.keys)

    assert money.offered == PayTerms(Way.POT, 0, 50)
    assert (money.by_points, money.buys_in) == (False, True)


@pytest.mark.parametrize(
    ("game", "players", "sheets", "way"),
    [
        pytest.param("scala-quaranta", FIVE[:3], [CLOSED], Way.DIFFERENCE, id="lowest leads"),
        pytest.param("briscola", FIVE[:2], [{"card_points": [70, 50]}], Way.DIFFERENCE, id="sums"),
        pytest.param("points", FIVE[:2], [{"points": [3, -2]}], Way.POINTS, id="below zero"),
        pytest.param("briscola-chiamata", FIVE, [sheet()], Way.POINTS, id="cancels"),
        pytest.param("briscola-chiamata", FIVE, [], Way.POINTS, id="nothing played"),
    ],
)
def test_points_are_offered_where_they_come_to_money(
    game: str, players: tuple[str, ...], sheets: list[Any], way: Way
) -> None:
    evening = start(None, players, game=game, first_dealer=0)
    for written in sheets:
        evening.record(written)
    money = evening_money(*evening.keys)

    assert (money.offered.way, money.by_points) == (way, way is Way.POINTS)
