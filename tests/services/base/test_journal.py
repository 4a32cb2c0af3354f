"""The journal: who did what to a circle, and what was there before."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import scorer.services
import scorer.web
from scorer.evening.session_acts import End
from scorer.services.base import clock
from scorer.services.circle import circles, players
from scorer.services.session.sessions import start_next_match
from scorer.services.session.writing import do
from scorer.storage import queries
from scorer.storage.models import JournalEntry
from tests.refusals import refused
from tests.services.evenings import FIVE, Evening, sheet, start

MAY = datetime(2026, 5, 3, 20, tzinfo=UTC)


def entries(evening: Evening) -> list[JournalEntry]:
    return queries.journal.journal_entries(evening.circle_id)


def write_a_deal(evening: Evening) -> None:
    number = evening.record().number
    evening.amend(number, sheet("Bea", "Ada"))
    evening.void(number)


@pytest.mark.parametrize("again", [
    pytest.param(lambda one: circles.rename_circle(one.circle_id, "Same"), id="circle renamed"),
    pytest.param(lambda one: players.retire(one.circle_id, one.players["Ada"]), id="retired"),
    pytest.param(lambda one: do(one.circle_id, one.session_id, End()), id="ended"),
    pytest.param(write_a_deal, id="deals, which are in the chain of the session"),
])  # fmt: skip
def test_what_changes_nothing_or_only_deals_is_no_entry(
    evening: Evening, again: Callable[[Evening], None]
) -> None:
    again(evening)
    before = len(entries(evening))

    again(evening)

    assert len(entries(evening)) == before


def test_entry_says_who_and_on_which_phone_and_what_was_there_before(evening: Evening) -> None:
    circles.hold(evening.circle_id, evening.by.phone_id, evening.players["Bea"], by=evening.by)
    by = circles.holder(evening.circle_id, evening.by.phone_id)

    players.rename(evening.circle_id, evening.players["Ada"], "Zed", by=by)

    entry = entries(evening)[-1]
    assert (entry.written_by, entry.phone_id) == ("Bea", by.phone_id)
    assert (entry.before, entry.after) == ({"name": "Ada"}, {"name": "Zed"})


def test_session_begins_with_its_entry_and_the_next_is_started_by_who_asked_for_it() -> None:
    evening = start({"preset": "classic", "session": {"end": "deals", "deals": 1}})
    (entry,) = queries.journal.entries_about(
        evening.circle_id, "card_session", str(evening.session_id)
    )
    assert evening.state.row.chain == entry.chain
    evening.record()

    start_next_match(*evening.keys, by=evening.by)

    done = entries(evening)[-2:]
    assert [one.kind for one in done] == ["ended", "session-started"]
    assert {one.phone_id for one in done} == {evening.by.phone_id}


def test_whoever_sits_at_the_command_line_has_neither_phone_nor_name() -> None:
    circles.begin_circle("From the shell")

    (circle_id,) = queries.circle.circle_ids()

    first, link = queries.journal.journal_entries(circle_id)
    assert [first.kind, link.kind] == ["circle-begun", "link-made"]
    assert {first.phone_id, first.written_by, link.phone_id} == {None}


def rename(evening: Evening, old: str, new: str) -> None:
    players.rename(evening.circle_id, evening.players[old], new, by=evening.by)


def test_name_is_free_a_year_after_it_was_given_up_but_for_who_had_it(
    evening: Evening,
) -> None:
    with clock.at(MAY):
        rename(evening, "Ada", "Zed")
    with clock.at(MAY + timedelta(days=364)), refused("former-name name"):
        rename(evening, "Dora", "ada")
    assert {"Dora", "Zed"} <= evening.players.keys()

    with clock.at(MAY + timedelta(days=365)):
        rename(evening, "Dora", "Ada")
    assert {"Ada", "Zed"} <= evening.players.keys()
    rename(evening, "Zed", "Zoe")
    rename(evening, "Zoe", "Zed")


def test_name_of_who_was_merged_is_that_of_who_they_became(evening: Evening) -> None:
    with clock.at(MAY):
        for name in ("Zoe", "Zoë"):
            evening.again(players=(name, *FIVE[1:]))
        circle_id = evening.circle_id
        players.merge(circle_id, evening.players["Zoë"], evening.players["Zoe"], by=evening.by)
        with refused("former-name name"):
            rename(evening, "Dora", "Zoe")
        rename(evening, "Zoë", "Zoe")
        evening.again(players=("Zoë", *FIVE[1:]))

    assert {"Zoe", "Zoë"} <= evening.players.keys()  # a new player may have a former name


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


def test_every_page_says_who_does_it() -> None:
    asking = asking_who()
    assert {"rename", "hold", "do", "start_session"} <= asking
    silent = [
        f"{path.name}:{call.lineno}"
        for path in sorted(Path(scorer.web.__path__[0]).rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name | ast.Attribute)
        and getattr(call.func, "id", getattr(call.func, "attr", "")) in asking
        and "by" not in {keyword.arg for keyword in call.keywords}
    ]
    assert silent == []
