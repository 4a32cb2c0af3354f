"""Questions to the database: what they answer, and that no circle sees another."""

import inspect
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from scorer.errors import existing
from scorer.ledger.records import DealSearch
from scorer.storage import db, dry_run, in_transaction, models, queries, write
from scorer.storage.queries import base
from tests.storage.evenings import FRIDAY, Evening, write_evening
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
    *("player_ids", "rule_set_id", "search", "keys", "tournament_id", "subject_id"),
    "entry_ids",
}


def arguments(question: Callable[..., Any], evening: Evening) -> dict[str, Any]:
    """Fill in what a question needs, with the keys of an evening."""
    known = {
        **evening.known,
        "circle_ids": [evening.circle_id],
        "session_ids": [evening.session_id],
        "subject_id": evening.session_id,
        "search": DealSearch(player=evening.player_ids[0]),
        "table": models.DealVersion if question.__name__ == "stored_by_deal" else models.Payout,
        "keys": [evening.known[name] for name in ("phone_id", "link_id")],
        "known": {evening.circle_id: evening.known["phone_id"]},
        "player_ids": evening.player_ids,
        "other_id": evening.player_ids[1],
        "entry": 1,
        "entry_ids": [evening.known["entry_id"]],
        "numbers": [1, 2],
        "games": ["briscola-chiamata"],
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
        assert [key for key in theirs.every_key if str(key) in answer] == [], question


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


def test_a_phone_opens_its_own_circle_only() -> None:
    ours, theirs = write_evening("our "), write_evening("their ")
    known = dict.fromkeys((ours.circle_id, theirs.circle_id), ours.known["phone_id"])
    assert [(one.circle_id, one.role) for one in queries.circle.opened_by(known)] == [
        (ours.circle_id, "scorekeeper")
    ]


def test_dropping_payouts_leaves_other_circles_alone() -> None:
    ours, theirs = write_evening("our "), write_evening("their ")
    in_transaction(lambda: queries.session.drop_payouts(*ours.keys, [1]))
    paid = [queries.journal.stored(*keys, models.Payout) for keys in (ours.keys, theirs.keys)]
    assert [{payout.number for payout in payouts} for payouts in paid] == [{2, 3}, {1, 2, 3}]


def test_a_secret_whose_link_is_gone_opens_nothing(evening: Evening) -> None:
    stray = models.LinkSecret(secret_hash="stray", circle_id=evening.circle_id, link_id=uuid4())
    in_transaction(lambda: write(stray))
    assert queries.circle.link_by_secret("stray") is None


def test_players_of_the_newest_session_come_first(evening: Evening) -> None:
    newest = uuid4()
    dora, ezio = evening.player_ids[3:]
    rows = [
        evening.row(models.Player, player_id=uuid4(), name="Aldo"),
        evening.row(models.CardSession, session_id=newest, started_at=FRIDAY + timedelta(days=1)),
        *(
            evening.row(models.Seat, session_id=newest, seat=seat, player_id=player_id)
            for seat, player_id in enumerate((ezio, dora))
        ),
    ]
    in_transaction(lambda: write(*rows))
    found = [one.name for one in queries.circle.players_last_used_first(evening.circle_id)]
    assert found == ["Dora", "Ezio", "Ada", "Bea", "Ciro", "Aldo"]


def test_sessions_are_listed_in_pages(evening: Evening) -> None:
    moment = FRIDAY - timedelta(days=30)
    twin_ids = [uuid4() for _ in range(3)]
    in_transaction(
        lambda: write(
            *(
                evening.row(models.CardSession, session_id=key, started_at=moment)
                for key in twin_ids
            )
        )
    )
    seen, before = [], None
    while page := queries.session.sessions(evening.circle_id, limit=2, before=before):
        seen += [one.session_id for one in page]
        before = page[-1].session_id
    assert seen == [evening.session_id, evening.older_id, *sorted(twin_ids, reverse=True)]
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
