"""Questions to the database: what they answer, and that no circle sees another."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from scorer.errors import existing
from scorer.ledger.records import DealSearch
from scorer.roles import Role
from scorer.rules.game import Outcome
from scorer.storage import db, dry_run, in_transaction, models, queries, write
from scorer.storage.queries import base
from tests.storage.evenings import (
    FRIDAY,
    NAMES,
    PAYOUTS,
    Evening,
    card_session,
    write_deal,
    write_evening,
)
from tests.storage.scopes import unscoped, watched

pytestmark = pytest.mark.usefixtures("app")

NOT_OF_A_CIRCLE = {
    *("about", "by_author", "on_phone"),
    "balance",
    "in_order",
    "seated",
    "circle_ids",
    "circle_sizes",
    "circles_with_link",
    "save_deals",
    "drop_circle",
    "hand_over",
    "journal_end",
    "keep_journal_end",
    "server_sizes",
    "key_by_secret",
    *("is_played", "table_by_secret", "table_of_phone"),
    "link_by_secret",
    "public_page_by_secret",
}
SCOPED = [
    question
    for room in vars(queries).values()
    if inspect.ismodule(room) and room is not base
    for name, question in vars(room).items()
    if inspect.isfunction(question) and question.__module__ == room.__name__
    if not name.startswith("_") and name not in NOT_OF_A_CIRCLE
]


#: The keys that are of one circle only.
OF_A_CIRCLE = {
    *("session_id", "session_ids", "deal_id", "link_id", "phone_id", "player_id"),
    *("player_ids", "rule_set_id", "search", "keys", "tournament_id"),
}


def arguments(question: Callable[..., Any], evening: Evening) -> dict[str, Any]:
    """Fill in what a question needs, with the keys of an evening."""
    known = {
        "circle_id": evening.circle_id,
        "circle_ids": [evening.circle_id],
        "session_id": evening.session_id,
        "session_ids": [evening.session_id],
        "deal_id": evening.deal_ids[0],
        "search": DealSearch(player=evening.player_ids[0]),
        "link_id": evening.link_id,
        "phone_id": evening.phone_id,
        "table": models.DealVersion if question.__name__ == "stored_by_deal" else models.Payout,
        "keys": [evening.phone_id, evening.link_id],
        "known": {evening.circle_id: evening.phone_id},
        "player_id": evening.player_ids[0],
        "player_ids": evening.player_ids,
        "other_id": evening.player_ids[1],
        "rule_set_id": evening.rule_set_id,
        "tournament_id": evening.tournament_id,
        "entry": 1,
        "numbers": [1, 2],
        "wanted": queries.journal.EntrySearch(
            person=[queries.journal.about("player", str(evening.player_ids[0]), 1, 9)],
            kinds=[("renamed", ())],
        ),
        "subject": "player",
        "key": str(evening.player_ids[0]),
        "kind": "renamed",
        "name": "player",
        "after": 0,
        "before": 9,
        "serial": 1,
        "since": FRIDAY - timedelta(days=1),
        "now": FRIDAY,
        "first": FRIDAY - timedelta(days=1),
        "end": FRIDAY + timedelta(days=1),
        "code_hash": "0" * 64,
        "limit": 100,
    }
    needed = inspect.signature(question).parameters.values()
    return {
        one.name: known[one.name]
        for one in needed
        if one.default is one.empty and one.kind is not one.VAR_POSITIONAL
    }


def ask(question: Callable[..., Any], given: dict[str, Any]) -> Any:
    return in_transaction(lambda: question(**given))


def test_no_answer_holds_anything_of_another_circle() -> None:
    ours, theirs = write_evening("our "), write_evening("their ")
    for question in SCOPED:
        answer = repr(ask(question, arguments(question, ours)))
        assert "their " not in answer, question
        assert str(theirs.circle_id) not in answer, question


def test_each_statement_that_is_executed_holds_all_of_its_tables_to_a_circle() -> None:
    ours = write_evening("our ")
    with watched(db.engine) as escaped:
        for question in SCOPED:
            if question is not queries.journal.strays:  # which counts what hangs on nothing
                ask(question, arguments(question, ours))

    assert escaped == set()


@pytest.mark.parametrize(
    ("statement", "tables"),
    [
        ("SELECT deal.number FROM deal WHERE deal.number = ?", {"deal"}),
        ("SELECT deal.number FROM deal WHERE deal.circle_id = ?", set()),
        ("SELECT d.number FROM deal AS d WHERE d.circle_id IN (?)", set()),
        ("SELECT 1 FROM deal JOIN seat ON 1 WHERE deal.circle_id = ?", {"seat"}),
        ("SELECT 1 FROM deal, seat WHERE deal.circle_id = seat.circle_id", {"deal", "seat"}),
        ("UPDATE seat SET player_id=? WHERE seat.circle_id = ?", set()),
        ("DELETE FROM seat WHERE seat.seat = ?", {"seat"}),
    ],
)
def test_statement_that_escapes_the_circle_is_found(statement: str, tables: set[str]) -> None:
    assert unscoped(statement) == tables


def test_the_keys_of_another_circle_find_nothing() -> None:
    ours, theirs = write_evening("our "), write_evening("their ")
    for question in SCOPED:
        given = arguments(question, theirs)
        if given.keys() & OF_A_CIRCLE:
            own = {"circle_id": ours.circle_id, "circle_ids": [ours.circle_id]}
            given |= {name: own[name] for name in own.keys() & given.keys()}
            assert not ask(question, given), question


def test_a_circle_that_does_not_exist_has_nothing() -> None:
    evening = replace(write_evening(), circle_id=uuid4())
    for question in SCOPED:
        answer = ask(question, arguments(question, evening))
        assert not (any(answer.values()) if isinstance(answer, dict) else answer), question


def test_row_is_found_by_its_whole_key() -> None:
    ours, theirs = write_evening("our "), write_evening("their ")

    found = queries.find(models.Link, ours.circle_id, ours.link_id)
    assert found is not None
    assert (found.circle_id, found.link_id) == (ours.circle_id, ours.link_id)
    assert queries.find(models.Link, ours.circle_id, theirs.link_id) is None


def test_a_phone_opens_its_own_circle_only() -> None:
    ours, theirs = write_evening("our "), write_evening("their ")
    known = {ours.circle_id: ours.phone_id, theirs.circle_id: ours.phone_id}
    assert [(one.circle_id, one.role) for one in queries.circle.opened_by(known)] == [
        (ours.circle_id, "scorekeeper")
    ]


def test_dropping_payouts_leaves_other_circles_alone() -> None:
    ours, theirs = write_evening("our "), write_evening("their ")
    in_transaction(lambda: queries.session.drop_payouts(*ours.keys, [1]))
    paid = [queries.journal.stored(*keys, models.Payout) for keys in (ours.keys, theirs.keys)]
    assert [{payout.number for payout in payouts} for payouts in paid] == [{2, 3}, {1, 2, 3}]


def test_circles_are_listed_by_name() -> None:
    late, early = write_evening("B "), write_evening("a ")
    found = queries.circle.circles([late.circle_id, early.circle_id, uuid4()])
    assert [one.name for one in found] == ["a Friday", "B Friday"]
    assert set(queries.circle.circle_ids()) == {late.circle_id, early.circle_id}


def test_a_secret_whose_link_is_gone_opens_nothing(evening: Evening) -> None:
    stray = models.LinkSecret(secret_hash="stray", circle_id=evening.circle_id, link_id=uuid4())
    in_transaction(lambda: write(stray))
    assert queries.circle.link_by_secret("stray") is None


def test_phones_are_listed_with_who_holds_them(evening: Evening) -> None:
    second = models.Phone(
        circle_id=evening.circle_id,
        phone_id=uuid4(),
        name="Phone 2",
        role=Role.PLAYER,
        joined_at=FRIDAY + timedelta(hours=1),
    )
    in_transaction(lambda: write(second))
    found = queries.circle.phones(evening.circle_id)
    assert [(one.name, one.player) for one in found] == [("Phone 1", "Ada"), ("Phone 2", None)]


def test_players_are_listed_by_name(evening: Evening) -> None:
    player = models.Player(
        circle_id=evening.circle_id, player_id=uuid4(), name="carla", created_at=FRIDAY
    )
    in_transaction(lambda: write(player))
    found = [one.name for one in queries.circle.players(evening.circle_id)]
    assert found == ["Ada", "Bea", "carla", "Ciro", "Dora", "Ezio"]


def test_players_of_the_newest_session_come_first(evening: Evening) -> None:
    newest = uuid4()
    dora, ezio = evening.player_ids[3:]
    rows = [
        models.Player(
            circle_id=evening.circle_id, player_id=uuid4(), name="Aldo", created_at=FRIDAY
        ),
        card_session(evening, newest, FRIDAY + timedelta(days=1), "newest"),
        models.Seat(circle_id=evening.circle_id, session_id=newest, seat=0, player_id=ezio),
        models.Seat(circle_id=evening.circle_id, session_id=newest, seat=1, player_id=dora),
    ]
    in_transaction(lambda: write(*rows))
    found = [one.name for one in queries.circle.players_last_used_first(evening.circle_id)]
    assert found == ["Dora", "Ezio", "Ada", "Bea", "Ciro", "Aldo"]


def test_sessions_of_two_players_are_those_where_both_have_a_seat(evening: Evening) -> None:
    ada, bea = evening.player_ids[:2]
    apart = uuid4()
    rows = [
        card_session(evening, apart, FRIDAY, "apart"),
        models.Seat(circle_id=evening.circle_id, session_id=apart, seat=0, player_id=ada),
    ]
    in_transaction(lambda: write(*rows))
    found = queries.circle.shared_sessions(evening.circle_id, ada, bea)
    assert [one.title for one in found] == ["newer", "older"]
    assert queries.circle.shared_sessions(evening.circle_id, ada, uuid4()) == []


def test_all_that_is_a_players_is_handed_over_within_the_circle() -> None:
    ours, theirs = write_evening("our "), write_evening("their ")
    ada = ours.player_ids[0]
    guest = models.Player(
        circle_id=ours.circle_id, player_id=uuid4(), name="our Adda", created_at=FRIDAY
    )
    guest_id = guest.player_id
    in_transaction(lambda: write(guest))

    in_transaction(lambda: queries.circle.hand_over(ours.circle_id, ada, guest_id))
    in_transaction(lambda: queries.circle.hand_over(ours.circle_id, theirs.player_ids[0], guest_id))

    seats = queries.session.seats(*ours.keys)
    assert [one.name for one in seats][:2] == ["our Adda", "our Bea"]
    assert queries.find(models.Player, ours.circle_id, ada) is None
    assert [one.player for one in queries.circle.phones(ours.circle_id)] == ["our Adda"]
    assert queries.session.seats(*theirs.keys)[0].name == "their Ada"


def test_sessions_are_listed_newest_first_with_how_they_stand(evening: Evening) -> None:
    newer, older = queries.session.sessions(evening.circle_id, limit=5)
    assert (newer.title, newer.played, newer.ended_at) == ("newer", 3, None)
    assert [(one.seat, one.name) for one in newer.standings] == list(enumerate(NAMES))
    assert [one.balance for one in newer.standings] == [6, 7, 17, 33, 37]
    assert (older.title, older.played) == ("older", 0)
    assert [one.balance for one in older.standings] == [0, 10, 20, 30, 40]


def test_deals_that_are_voided_or_were_not_played_are_not_counted_as_played(
    evening: Evening,
) -> None:
    in_transaction(lambda: write_deal(evening, uuid4(), 4, voided=True))
    in_transaction(lambda: write_deal(evening, uuid4(), 5, outcome="misdeal"))
    newer, _ = queries.session.sessions(evening.circle_id, limit=5)
    assert newer.played == 3


@pytest.mark.parametrize(
    ("sought", "titles"),
    [
        ({"until": FRIDAY}, ["older"]),
        ({"since": FRIDAY}, ["newer"]),
        ({"until": FRIDAY + timedelta(seconds=1)}, ["newer", "older"]),
    ],
)
def test_sessions_are_sought_from_a_moment_up_to_another_that_is_too_late(
    evening: Evening, sought: dict[str, Any], titles: list[str]
) -> None:
    found = queries.deals.find_sessions(evening.circle_id, DealSearch(**sought), limit=5)
    known = {evening.session_id: "newer", evening.older_id: "older"}
    assert [known[one] for one in found] == titles


def numbers_of(evening: Evening, **sought: Any) -> list[int]:
    found = queries.deals.find_deals(
        evening.circle_id, DealSearch(**sought), [evening.session_id], limit=9
    )
    return [deal.number for deal in found]


def test_voided_deal_is_found_by_whom_its_current_version_would_pay(evening: Evening) -> None:
    ada, bea, *_ = evening.player_ids

    def void_and_amend() -> None:
        write_deal(evening, deal_id := uuid4(), 4, voided=True)
        existing(queries.find(models.DealRow, evening.circle_id, deal_id)).version = 2
        write(
            models.DealVersion(
                **evening.of_deal(deal_id, 4),
                version=2,
                act="amend",
                outcome="played",
                dealer=0,
                sits_out=[0],
                stored=None,
                voided=True,
                payouts={"1": 1, "2": -1},
                at=FRIDAY,
            )
        )

    in_transaction(void_and_amend)
    assert numbers_of(evening, player=bea) == [4, 3, 2, 1]
    assert numbers_of(evening, player=ada) == [3, 2, 1]


def test_points_go_between_two_only_where_all_of_them_add_up_to_zero(evening: Evening) -> None:
    keys: dict[str, Any] = {"circle_id": evening.circle_id, "session_id": evening.session_id}

    def unbalanced() -> None:
        write_deal(evening, uuid4(), 4, outcome="misdeal")
        write(
            *(
                models.Payout(**keys, number=4, seat=seat, amount=paid)
                for seat, paid in ((0, 3), (1, -1))
            )
        )

    in_transaction(unbalanced)
    ada, bea, *_ = evening.player_ids
    assert numbers_of(evening, player=ada) == [4, 3, 2, 1]
    assert numbers_of(evening, player=ada, other=bea, other_role="against") == [3, 2, 1]


def test_sessions_are_listed_in_pages(evening: Evening) -> None:
    moment = FRIDAY - timedelta(days=30)
    twins = [card_session(evening, uuid4(), moment, f"twin {number}") for number in range(3)]
    in_transaction(lambda: write(*twins))
    seen, before = [], None
    while page := queries.session.sessions(evening.circle_id, limit=2, before=before):
        seen += [one.session_id for one in page]
        before = page[-1].session_id
    twin_ids = sorted((one.session_id for one in twins), reverse=True)
    assert seen == [evening.session_id, evening.older_id, *twin_ids]
    assert queries.session.session_count(evening.circle_id) == 5
    assert queries.session.session_ids(evening.circle_id) == seen[::-1]


def test_open_sessions_are_those_not_ended_in_the_circles_asked_for() -> None:
    first, second, _ = write_evening("1 "), write_evening("2 "), write_evening("3 ")
    found = queries.session.open_sessions([first.circle_id, second.circle_id])
    assert {one.title for one in found} == {"1 newer", "2 newer"}
    assert [len(one.standings) for one in found] == [5, 5]
    assert queries.session.open_sessions([]) == []


def test_what_changes_in_a_locked_session_is_written_with_the_transaction(
    evening: Evening,
) -> None:
    def work(title: str) -> str:
        locked, *_ = existing(queries.session.head_for_update(*evening.keys))
        before, locked.title = locked.title, title
        return before

    with dry_run():
        in_transaction(partial(work, "tried"))

    assert [in_transaction(partial(work, title)) for title in ("one", "two")] == ["newer", "one"]


def test_a_session_that_is_read_is_nobodys_row(evening: Evening) -> None:
    ((row, *_),) = queries.session.heads(evening.circle_id, [evening.session_id])
    row.title = "changed"
    in_transaction(db.session.flush)
    ((again, *_),) = queries.session.heads(evening.circle_id, [evening.session_id])
    assert again.title == "newer"


def test_balances_are_what_was_brought_in_and_every_payout(evening: Evening) -> None:
    opening = {seat: 10 * seat for seat in range(5)}
    assert queries.session.balances(*evening.keys, until=0) == opening
    assert queries.session.balances(*evening.keys, until=2) == {
        seat: opening[seat] + 2 * amount for seat, amount in enumerate(PAYOUTS)
    }
    assert queries.session.balances(*evening.keys) == queries.session.balances(
        *evening.keys, until=3
    )


def test_what_was_written_after_a_place_in_the_chain_is_listed_by_session(
    evening: Evening,
) -> None:
    of_deal = evening.of_deal(evening.deal_ids[0], 1)
    amended = models.DealVersion(
        **of_deal,
        version=2,
        act="amend",
        outcome="misdeal",
        dealer=1,
        sits_out=[3],
        stored=None,
        voided=False,
        payouts={"1": 2},
        written_by="Bea",
        reason="nine cards",
        at=FRIDAY + timedelta(minutes=5),
        serial=8,
        chain="its hash",
    )
    said = of_deal | evening.written("") | {"kind": "dispute", "version": 2}
    disputes = [
        models.ReviewRow(**said, review=4 + after, reason=f"dispute {after}", serial=9 + after)
        for after in range(2)
    ]
    in_transaction(lambda: write(amended, *disputes))
    of_both = evening.circle_id, [evening.session_id, evening.older_id]

    assert queries.session.versions_since(*of_both, 8) == {}
    ((of_session, (version,)),) = queries.session.versions_since(*of_both, 7).items()
    reviews = queries.session.reviews_since(*of_both, 8)[evening.session_id]

    assert (of_session, version.number, version.version) == (evening.session_id, 1, 2)
    assert (version.outcome, version.payouts) == (Outcome.MISDEAL, {1: 2})
    assert (version.sits_out, version.stored, version.at) == ([3], None, amended.at)
    assert (version.written_by, version.phone, version.reason) == ("Bea", None, "nine cards")
    assert [(one.reason, one.serial) for one in reviews] == [("dispute 0", 9), ("dispute 1", 10)]
    assert {(one.version, one.written_by, one.phone) for one in reviews} == {(2, "Ada", "Phone 1")}
    assert queries.journal.chain_at(*evening.keys, 8) == "its hash"
    assert queries.journal.chain_at(*evening.keys, 11) is None


def test_the_deal_under_way_and_the_timer_are_found(evening: Evening) -> None:
    (head,) = queries.session.heads(evening.circle_id, [evening.session_id])
    row, started, timer, place, journal = head
    assert started is not None
    assert timer is not None
    assert (timer.minutes, timer.since, timer.paused) == (25, FRIDAY, None)
    assert (row.title, started.number, started.stored) == ("newer", 4, {"caller": "1"})
    assert (place, journal) == (None, "0" * 64)
    heads = queries.session.heads(evening.circle_id, [evening.session_id, evening.older_id])
    beside = {head.row.title: (head.started is None, head.timer is None) for head in heads}
    assert beside == {"newer": (False, False), "older": (True, True)}


def test_a_rule_set_is_listed_as_its_newest_version_says(evening: Evening) -> None:
    (found,) = queries.session.rule_sets(evening.circle_id)
    assert (found.name, found.version, found.rules["floor"]) == ("House table", 2, 62)
    assert (found.written_by, found.phone, found.retired_at) == ("Ada", "Phone 1", None)
    versions = queries.session.rule_set_versions(evening.circle_id, evening.rule_set_id)
    assert [(one.version, one.rules["floor"]) for one in versions] == [(1, 61), (2, 62)]
