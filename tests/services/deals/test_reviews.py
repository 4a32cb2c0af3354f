"""Dispute, confirm, uphold: who may say what of a deal, what settles it, and what others see."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from scorer.errors import ConflictError, RefusedError
from scorer.evening.acts import ACTS
from scorer.rules.game import Outcome
from scorer.services.base.author import Holder
from scorer.services.circle import circles
from scorer.services.deals.report import deal_report
from scorer.services.deals.sheet import score_sheet
from scorer.services.journal.verify import circle_findings
from scorer.services.session import sessions
from scorer.services.session.state import load_state
from scorer.storage import one_moment
from tests.data.rows import rows
from tests.services.evenings import Evening, hold, played_once, refused, sheet, start


@dataclass(frozen=True, slots=True)
class Table:
    """An evening whose phone is Ada's, and the phones of the others."""

    evening: Evening
    phones: dict[str, Holder]

    def say(self, kind: str, name: str, number: int = 1, **other: Any) -> bool:
        """Let somebody say something of a deal as it stands."""
        said = {"reason": "70, not 72"} if kind == "dispute" else {}
        return self.evening.do(number, ACTS[kind], by=self.phones[name], **said | other).new

    def said(self, number: int = 1) -> list[tuple[str, str | None]]:
        """Give what was said of a deal, and by whom."""
        return [(one.kind, one.written_by) for one in self.evening.deal(number).reviews]

    def marks(self) -> dict[int, str]:
        """Give how the score sheet marks each deal."""
        rows = score_sheet(load_state(*self.evening.keys)).rows
        marks = {
            row.number: "disputed" if row.disputed else "unconfirmed" if row.unconfirmed else ""
            for row in reversed(rows)
        }
        for row in rows:
            report = deal_report(*self.evening.keys, row.number)
            assert (report.deal.disputed, report.unconfirmed) == (row.disputed, row.unconfirmed)
        with one_moment():
            assert list(circle_findings(self.evening.circle_id)) == []
        return marks


@pytest.fixture
@played_once
def table() -> Table:
    """Let Ada write down a deal that she played with Bea; Ciro and Dora have phones too."""
    evening = start()
    by = hold(evening.by, "Ada")
    evening = Evening(evening.session_id, by)
    phones = {"Ada": by}
    for name in ("Bea", "Ciro", "Dora"):
        phones[name] = evening.let_in(name=name)
    evening.record(sheet("Ada", "Bea"))
    return Table(evening, phones)


def do(table: Table, acts: str) -> None:
    """Do what a line of a table names, one act after the other."""
    evening = table.evening
    others: dict[str, Callable[..., object]] = {
        "record": evening.record,
        "amend": lambda: evening.amend(1, sheet(points=50)),
        "void": lambda number="1": evening.void(int(number)),
        "restore": lambda: evening.restore(1),
        "rules": lambda: evening.change(1, rules="classic-plain"),
        "end": lambda: sessions.end_session(*evening.keys),
        "reopen": lambda: sessions.reopen_session(*evening.keys),
    }
    for name, *words in (act.split() for act in acts.split(", ") if act):
        if name in others:
            others[name](*words)
        else:
            assert table.say(name, words[0])


@rows(__file__, "marks")
def test_deals_are_marked_by_what_was_done_and_said(
    table: Table, acts: str, marks: list[str]
) -> None:
    do(table, acts)

    assert list(table.marks().values()) == marks


@rows(__file__, "conflicts")
def test_what_cannot_be_said_is_a_conflict(
    table: Table, acts: str, kind: str, other: dict[str, int]
) -> None:
    do(table, acts)
    before = table.said()

    with pytest.raises(ConflictError):
        table.say(kind, "Ciro", **other)

    assert table.said() == before


@pytest.mark.parametrize("name", ["Ada", "Bea"])
def test_side_that_wrote_it_down_cannot_confirm_it(table: Table, name: str) -> None:
    with pytest.raises(RefusedError):
        table.say("confirm", name)

    assert table.marks() == {1: "unconfirmed"}


def test_second_phone_of_the_writer_cannot_confirm_either(table: Table) -> None:
    table.phones["Ada"] = table.evening.let_in(name="Ada")

    with pytest.raises(RefusedError):
        table.say("confirm", "Ada")


def test_defender_that_wrote_it_down_is_confirmed_by_the_callers(table: Table) -> None:
    evening = Evening(table.evening.session_id, table.phones["Ciro"])
    evening.record(sheet("Ada", "Bea"))

    with pytest.raises(RefusedError):
        table.say("confirm", "Dora", 2)
    assert table.say("confirm", "Bea", 2)


@pytest.mark.parametrize(
    ("outcome", "written"),
    [
        pytest.param(Outcome.MISDEAL, None, id="misdeal"),
        pytest.param(Outcome.PENALTY, {"offender": "Ada"}, id="penalty"),
    ],
)
def test_deal_that_was_not_played_is_confirmed_by_anybody_else(
    table: Table, outcome: Outcome, written: Any
) -> None:
    table.evening.record(written, outcome)

    with pytest.raises(RefusedError):
        table.say("confirm", "Ada", 2)
    assert table.say("confirm", "Bea", 2)


def test_where_nobody_said_who_holds_the_phone_any_other_phone_confirms(table: Table) -> None:
    circles.hold(table.evening.circle_id, table.evening.by.phone_id, None)
    table.phones["nobody"] = circles.holder(table.evening.circle_id, table.evening.by.phone_id)
    Evening(table.evening.session_id, table.phones["nobody"]).record(sheet("Ada", "Bea"))

    with pytest.raises(RefusedError):
        table.say("confirm", "nobody", 2)
    assert table.say("confirm", "Bea", 2)


def test_phone_that_nobody_holds_may_dispute_and_confirm(table: Table) -> None:
    phone = table.phones["Ciro"]
    circles.hold(phone.circle_id, phone.phone_id, None)
    table.phones["nobody"] = circles.holder(phone.circle_id, phone.phone_id)

    assert table.say("confirm", "nobody")
    assert table.say("dispute", "nobody")
    assert table.said() == [("confirm", None), ("dispute", None)]


@pytest.mark.parametrize("name", ["Ada", "Bea", "Ciro"])
def test_anybody_disputes_a_deal_and_it_is_marked(table: Table, name: str) -> None:
    assert table.say("dispute", name)

    assert table.marks() == {1: "disputed"}
    (dispute,) = table.evening.deal(1).open_disputes
    assert (dispute.number, dispute.written_by, dispute.reason) == (1, name, "70, not 72")


@pytest.mark.parametrize("reason", ["", "  ", "\u200b", "x" * 201])
def test_dispute_needs_a_reason_of_one_line(table: Table, reason: str) -> None:
    with refused("reason"):
        table.say("dispute", "Ciro", reason=reason)
    assert table.marks() == {1: "unconfirmed"}


def test_reason_is_kept_on_one_line(table: Table) -> None:
    table.say("dispute", "Ciro", reason=" 70,\n not 72 ")

    assert table.evening.deal(1).reviews[0].reason == "70, not 72"


@pytest.mark.parametrize("kind", ["dispute", "confirm"])
def test_same_tap_twice_is_one(table: Table, kind: str) -> None:
    first = table.say(kind, "Ciro")
    before = load_state(*table.evening.keys).row.version
    again = table.say(kind, "Ciro", seen=0)

    assert (first, again) == (True, False)
    assert table.said() == [(kind, "Ciro")]
    assert load_state(*table.evening.keys).row.version == before


def test_tap_that_comes_again_after_the_answer_changes_nothing(table: Table) -> None:
    table.say("dispute", "Ciro")
    table.say("uphold", "Ada", seen=1)
    taps = [table.say("dispute", "Ciro", seen=0), table.say("uphold", "Ada", seen=1)]
    table.evening.amend(1, sheet(points=50))
    taps += [table.say("dispute", "Ciro", seen=0, version=1)]

    assert taps == [False, False, False]
    assert table.marks() == {1: "unconfirmed"}
    assert len(table.said()) == 2


def test_who_has_confirmed_a_deal_has_nothing_to_add(table: Table) -> None:
    table.say("confirm", "Ciro")

    assert not table.say("confirm", "Ciro", seen=1)
    assert table.said() == [("confirm", "Ciro")]


def test_two_players_may_confirm_at_one_moment(table: Table) -> None:
    assert table.say("confirm", "Ciro", seen=0)
    assert table.say("confirm", "Dora", seen=0)

    assert table.said() == [("confirm", "Ciro"), ("confirm", "Dora")]


def test_two_players_may_dispute_at_one_moment_and_the_pen_answers_both(table: Table) -> None:
    table.say("dispute", "Ciro", seen=0)
    table.say("dispute", "Dora", seen=0, reason="Ciro was the partner")

    with pytest.raises(ConflictError):
        table.say("uphold", "Ada", seen=1)
    assert table.say("uphold", "Ada", seen=2)
    assert table.marks() == {1: "unconfirmed"}


def test_history_tells_what_was_written_and_said_in_its_order(table: Table) -> None:
    table.say("confirm", "Ciro")
    table.say("dispute", "Dora")
    table.evening.amend(1, sheet(points=50))
    table.say("dispute", "Bea")
    table.say("uphold", "Ada")

    history = deal_report(*table.evening.keys, 1).history

    acts = [event.act for event in history[::-1]]
    assert acts == ["record", "confirm", "dispute", "amend", "dispute", "uphold"]
