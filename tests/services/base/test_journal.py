"""The journal: who did what to a circle, and what was there before."""

import ast
import importlib
import inspect
import json
import pkgutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest

import scorer.services
import scorer.web
from scorer.cli import main
from scorer.errors import InvalidError, NotFoundError
from scorer.evening.session_acts import (
    Cancel,
    ContinueTimer,
    End,
    Guest,
    PauseTimer,
    PlayOn,
    RemoveTimer,
    SessionAct,
    StartTimer,
)
from scorer.games import find_game
from scorer.roles import Role
from scorer.services.base import clock
from scorer.services.base.journal import Kind
from scorer.services.circle import circles, players
from scorer.services.circle.codes_and_tokens import make_code
from scorer.services.circle.players import find_player
from scorer.services.deals import deals
from scorer.services.files.session_files import keep, preview_session, session_file
from scorer.services.journal.circle_file import note_export
from scorer.services.journal.verify import verify
from scorer.services.session import house_rules, sessions
from scorer.services.session.acts import do
from scorer.services.session.sessions import start_next_match
from scorer.services.session.state import load_state
from scorer.storage import in_transaction, queries
from scorer.storage.models import JournalEntry
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import FIVE, Evening, sheet, start

MAY = datetime(2026, 5, 3, 20, tzinfo=UTC)


def entries(evening: Evening) -> list[JournalEntry]:
    return queries.journal.journal_entries(evening.circle_id)


def last(evening: Evening) -> JournalEntry:
    return entries(evening)[-1]


def link_of(evening: Evening) -> UUID:
    circles.make_link(evening.circle_id, "Bar", Role.PLAYER, "a secret", by=evening.by)
    return queries.circle.links(evening.circle_id)[-1].link_id


def kept_rules(evening: Evening) -> UUID:
    return house_rules.keep_rules(
        uuid4(), find_game("briscola-chiamata"), "Ours", {"preset": "classic"}, evening.by
    )


def edited_rules(evening: Evening) -> None:
    rules = {"preset": "classic", "sits_out": "dealer"}
    house_rules.save_version(kept_rules(evening), 1, "Ours", rules, evening.by)


def forget_deal(evening: Evening) -> None:
    do(*evening.keys, Cancel(key=evening.start_deal()), by=evening.by)


def cancel_and_resume(evening: Evening) -> None:
    key = evening.start_deal()
    do(*evening.keys, Cancel(key=key), by=evening.by)
    deals.resume_start(evening.session_id, key, evening.by)


def bring_in(evening: Evening) -> None:
    evening.record()
    document = session_file(evening.state)
    keep(preview_session(json.dumps(document), uuid4(), evening.circle_id), evening.by)


def merge(evening: Evening) -> None:
    away = in_transaction(lambda: find_player(evening.circle_id, "Zoe", evening.by))
    players.merge(evening.circle_id, evening.players["Ada"], away, by=evening.by)


def joined_by_link(evening: Evening) -> None:
    link_of(evening)
    circles.join("a secret", {})


def end(evening: Evening) -> None:
    do(*evening.keys, End(), by=evening.by)


def timed(evening: Evening, *acts: SessionAct) -> None:
    for act in (StartTimer(minutes=25), *acts):
        do(*evening.keys, act, by=evening.by)


def reopen(evening: Evening) -> None:
    end(evening)
    do(*evening.keys, PlayOn(), by=evening.by)


def retire(evening: Evening) -> UUID:
    key = evening.players["Ada"]
    players.retire(evening.circle_id, key, by=evening.by)
    return key


def code_of(evening: Evening) -> UUID:
    key = uuid4()
    hashes = {"code_hash": key.hex, "secret": key.hex}
    make_code(evening.circle_id, key, Role.PLAYER, name="Code", by=evening.by, **hashes)
    return key


def code_replaced(evening: Evening) -> UUID:
    key = code_of(evening)
    code_of(evening)
    return key


ACTS: dict[str, tuple[Callable[[Evening], object], str, str]] = {
    "link made": (link_of, "link", Kind.LINK_MADE),
    "code made": (code_of, "link", Kind.CODE_MADE),
    "code replaced": (code_replaced, "link", Kind.CODE_REPLACED),
    "link revoked": (
        lambda one: circles.revoke_link(one.circle_id, link_of(one), by=one.by),
        "link",
        Kind.LINK_REVOKED,
    ),
    "joined": (joined_by_link, "phone", Kind.JOINED),
    "sent away": (
        lambda one: circles.send_away(one.circle_id, one.let_in().phone_id, by=one.by),
        "phone",
        Kind.SENT_AWAY,
    ),
    "role given": (
        lambda one: circles.give_role(one.circle_id, one.let_in().phone_id, Role.OWNER, by=one.by),
        "phone",
        Kind.ROLE_GIVEN,
    ),
    "held": (
        lambda one: circles.hold(one.circle_id, one.by.phone_id, one.players["Ada"], by=one.by),
        "phone",
        Kind.HELD,
    ),
    "circle renamed": (
        lambda one: circles.rename_circle(one.circle_id, "Bar Sport", by=one.by),
        "circle",
        Kind.RENAMED,
    ),
    "time zone set": (
        lambda one: circles.set_zone(one.circle_id, "rome", by=one.by),
        "circle",
        Kind.ZONE_SET,
    ),
    "player renamed": (
        lambda one: players.rename(one.circle_id, one.players["Ada"], "Zed", by=one.by),
        "player",
        Kind.RENAMED,
    ),
    "session renamed": (
        lambda one: sessions.rename_session(*one.keys, "Saturday", by=one.by),
        "card_session",
        Kind.RENAMED,
    ),
    "merged": (merge, "player", Kind.MERGED),
    "retired": (retire, "player", Kind.RETIRED),
    "brought back": (
        lambda one: players.bring_back(one.circle_id, retire(one), by=one.by),
        "player",
        Kind.BROUGHT_BACK,
    ),
    "rules kept": (kept_rules, "rule_set_version", Kind.RULES_KEPT),
    "rules changed": (edited_rules, "rule_set_version", Kind.RULES_CHANGED),
    "rules retired": (
        lambda one: house_rules.retire_rules(one.circle_id, kept_rules(one), by=one.by),
        "rule_set",
        Kind.RETIRED,
    ),
    "guest seated": (
        lambda one: one.change(order=(0, 1, 2, 3, 4, 5), guests=[Guest("Gino", 3)]),
        "seat",
        Kind.SEATED,
    ),
    "ended": (end, "card_session", Kind.ENDED),
    "taken up": (reopen, "card_session", Kind.TAKEN_UP),
    "deal started": (Evening.start_deal, "started_deal", Kind.DEAL_STARTED),
    "deal forgotten": (forget_deal, "started_deal", Kind.DEAL_FORGOTTEN),
    "deal resumed": (cancel_and_resume, "started_deal", Kind.DEAL_RESUMED),
    "timer started": (timed, "timer", Kind.TIMER_STARTED),
    "timer paused": (lambda one: timed(one, PauseTimer()), "timer", Kind.TIMER_PAUSED),
    "timer continued": (
        lambda one: timed(one, PauseTimer(), ContinueTimer()),
        "timer",
        Kind.TIMER_CONTINUED,
    ),
    "timer removed": (lambda one: timed(one, RemoveTimer()), "timer", Kind.TIMER_REMOVED),
    "stake set": (
        lambda one: sessions.set_stake(*one.keys, 10, by=one.by),
        "card_session",
        Kind.STAKE_SET,
    ),
    "brought in": (bring_in, "card_session", Kind.BROUGHT_IN),
}


@BOTH_ENGINES
@pytest.mark.parametrize(("act", "subject", "kind"), ACTS.values(), ids=ACTS.keys())
def test_every_act_is_an_entry(act: Callable[[Evening], object], subject: str, kind: str) -> None:
    evening = start({"preset": "classic", "sits_out": "dealer"}, FIVE)
    before = len(entries(evening))

    act(evening)

    written = entries(evening)[before:]
    (entry,) = [one for one in written if (one.subject, one.kind) == (subject, kind)][:1]
    assert entry.at.tzinfo is not None
    assert entry.phone_id is not None
    assert verify(print).findings == 0


@pytest.mark.parametrize("again", [
    pytest.param(lambda one: circles.rename_circle(one.circle_id, "Same"), id="circle renamed"),
    pytest.param(lambda one: players.retire(one.circle_id, one.players["Ada"]), id="retired"),
    pytest.param(lambda one: do(one.circle_id, one.session_id, End()), id="ended"),
])  # fmt: skip
def test_what_changes_nothing_is_no_entry(
    evening: Evening, again: Callable[[Evening], None]
) -> None:
    again(evening)
    before = len(entries(evening))

    again(evening)

    assert len(entries(evening)) == before


def test_recording_a_deal_writes_no_entry(evening: Evening) -> None:
    before = len(entries(evening))

    evening.record()
    evening.amend(1, sheet("Bea", "Ada"))
    evening.void(1)

    assert len(entries(evening)) == before


def test_entry_says_who_and_on_which_phone_and_what_was_there_before(evening: Evening) -> None:
    circles.hold(evening.circle_id, evening.by.phone_id, evening.players["Bea"], by=evening.by)
    by = circles.holder(evening.circle_id, evening.by.phone_id)

    players.rename(evening.circle_id, evening.players["Ada"], "Zed", by=by)

    entry = last(evening)
    assert (entry.written_by, entry.phone_id) == ("Bea", by.phone_id)
    assert (entry.before, entry.after) == ({"name": "Ada"}, {"name": "Zed"})


def test_whoever_sits_at_the_command_line_has_neither_phone_nor_name() -> None:
    circles.begin_circle("From the shell")

    (circle_id,) = queries.circle.circle_ids()

    first, link = queries.journal.journal_entries(circle_id)
    assert [first.kind, link.kind] == ["circle-begun", "link-made"]
    assert {first.phone_id, first.written_by, link.phone_id} == {None}


def test_next_match_is_started_by_who_asked_for_it() -> None:
    evening = start({"preset": "classic", "session": {"end": "deals", "deals": 1}})
    evening.record()

    start_next_match(*evening.keys, by=evening.by)

    ended, started = entries(evening)[-2:]
    assert [ended.kind, started.kind] == ["ended", "session-started"]
    assert {ended.phone_id, started.phone_id} == {evening.by.phone_id}


def test_the_chain_of_a_session_begins_with_its_entry(evening: Evening) -> None:
    (entry,) = queries.journal.entries_about(
        evening.circle_id, "card_session", str(evening.session_id)
    )

    assert load_state(*evening.keys).row.chain == entry.chain
    assert [seat[1] for seat in (entry.after or {})["seats"]] == [0] * 5


def test_title_of_a_session_has_at_most_eighty_letters(evening: Evening) -> None:
    with pytest.raises(InvalidError):
        sessions.rename_session(*evening.keys, "x" * 81)
    with pytest.raises(NotFoundError):
        sessions.rename_session(evening.circle_id, uuid4(), "Saturday")

    sessions.rename_session(*evening.keys, " Saturday  at Bea’s ", by=evening.by)

    assert load_state(*evening.keys).row.title == "Saturday at Bea’s"


def rename(evening: Evening, old: str, new: str) -> None:
    players.rename(evening.circle_id, evening.players[old], new, by=evening.by)


@BOTH_ENGINES
def test_two_people_cannot_trade_names(evening: Evening) -> None:
    with clock.at(MAY):
        rename(evening, "Ada", "Zed")
    with clock.at(MAY + timedelta(days=364)), pytest.raises(InvalidError) as refused:
        rename(evening, "Dora", "ada")

    (problem,) = refused.value.problems
    assert (problem.code, problem.field) == ("former-name", "name")
    assert str(problem.message).startswith("Ada was the name of Zed until 2026-05-03.")
    assert evening.players["Dora"] is not None


def test_name_is_free_a_year_after_it_was_given_up(evening: Evening) -> None:
    with clock.at(MAY):
        rename(evening, "Ada", "Zed")
    with clock.at(MAY + timedelta(days=365)):
        rename(evening, "Dora", "Ada")

    assert evening.players["Ada"] is not None


def test_own_name_of_before_may_be_taken_again(evening: Evening) -> None:
    rename(evening, "Ada", "Zed")
    rename(evening, "Zed", "Ada")

    assert evening.players["Ada"] is not None


def test_name_of_who_was_merged_is_that_of_who_they_became(evening: Evening) -> None:
    with clock.at(MAY):
        for name in ("Zoe", "Zoë"):
            evening.again(players=(name, *FIVE[1:]))
        circle_id = evening.circle_id
        players.merge(circle_id, evening.players["Zoë"], evening.players["Zoe"], by=evening.by)
        with pytest.raises(InvalidError) as refused:
            rename(evening, "Dora", "Zoe")
        rename(evening, "Zoë", "Zoe")

    assert "Zoe was the name of Zoë until" in str(refused.value.problems[0].message)


def test_new_player_may_have_a_former_name(evening: Evening) -> None:
    rename(evening, "Ada", "Zed")

    evening.again()

    assert evening.players["Ada"] != evening.players["Zed"]


def test_the_operator_begins_circles_at_the_command_line(database_url: str) -> None:
    assert main(["circle", "Bar Sport", "--database", database_url]) == 0
    assert verify(print).findings == 0


def asking_who() -> set[str]:
    """Name the services that journal who did it, and do it for nobody where that isn't said."""
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(scorer.services.__path__, "scorer.services.")
    ]
    return {
        name
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        for parameter in inspect.signature(function).parameters.values()
        if parameter.name == "by" and parameter.default is None
    }


def calls() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted(Path(scorer.web.__path__[0]).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield path.name, node


def test_every_page_says_who_does_it() -> None:
    asking = asking_who()
    assert {"rename", "hold", "do", "start_session"} <= asking
    silent = [
        f"{file}:{call.lineno}"
        for file, call in calls()
        if isinstance(call.func, ast.Name | ast.Attribute)
        and getattr(call.func, "id", getattr(call.func, "attr", "")) in asking
        and "by" not in {keyword.arg for keyword in call.keywords}
    ]
    assert silent == []


def test_export_is_noted_and_changes_nothing(evening: Evening) -> None:
    note_export(evening.circle_id, by=evening.by)

    entry = last(evening)
    assert (entry.kind, entry.before, entry.after) == ("exported", None, None)
    assert (entry.subject, entry.phone_id) == ("circle", evening.by.phone_id)
    assert verify(print).findings == 0
    with pytest.raises(NotFoundError):
        note_export(uuid4())
