"""Rules and seats that change, a deal that is started, cancelled and resumed, and the end."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from scorer import Evening
from scorer.errors import ConflictError, InvalidError, RefusedError
from scorer.evening.acts import Dispute, Record, Void, WrittenSheet
from scorer.evening.deal import Author, Started
from scorer.evening.session_acts import (
    Cancel,
    Change,
    End,
    Guest,
    PlayOn,
    Resume,
    SessionAct,
    Sign,
    Start,
)
from scorer.rules.game import Outcome
from scorer.rules.seats import all_seats
from tests.data.examples import NAMES
from tests.data.rows import rows

ADA, BEA, CIRO, DORA, EZIO, FULVIA = all_seats(6)
FIVE_SEATS = (ADA, BEA, CIRO, DORA, EZIO)
SIX_SEATS = (*FIVE_SEATS, FULVIA)
SWAPPED = (BEA, ADA, CIRO, DORA, EZIO)
PEN, OTHER = Author(UUID(int=1), "Ada"), Author(UUID(int=2), "Bea")
KEY = UUID(int=9)
CALL = {"caller": "Ada", "bid": 70, "called_card": "KC"}


def sheet(caller: str = "Ada", partner: str | None = "Bea", **rest: Any) -> dict[str, Any]:
    return {"caller": caller, "bid": 61, "partner": partner, "card_points": 70, **rest}


@dataclass
class Table:
    """An evening, and what is done to it by the phone with the pen."""

    evening: Evening

    def do(self, act: SessionAct | Record, by: Author = PEN) -> "Table":
        self.evening = act.apply(self.evening, by)
        return self

    def change(
        self,
        since: int = 0,
        until: int | None = None,
        *,
        order: Any = None,
        rules: Any = None,
        reason: str = "We sat wrong",
        **seats: Any,
    ) -> "Table":
        """Change the seats or the rules from a deal on; without a number, from the next one."""
        following = self.evening.number
        act = Change(
            from_number=since or following,
            next_number=following,
            rules=rules,
            seats=order,
            until_number=until,
            reason=reason,
            most=10,
            **seats,
        )
        return self.do(act)

    def start(self, by: Author = PEN, *, key: UUID = KEY, **said: Any) -> "Table":
        instead_of = said.pop("instead_of", None)
        number, answers = said.pop("number", self.evening.number), CALL | said
        return self.do(Start(key=key, number=number, sheet=answers, instead_of=instead_of), by)

    def record(self, key: UUID = KEY, number: int = 0) -> "Table":
        answers = WrittenSheet(sheet(bid=70))
        return self.do(Record(key=key, number=number or self.evening.number, sheet=answers))

    @property
    def started(self) -> Started:
        assert self.evening.started is not None
        return self.evening.started

    @property
    def dealers(self) -> list[int]:
        return [deal.turn.dealer for deal in self.evening.deals]


def six() -> Table:
    """Six at the table; Ada deals first and sits out."""
    rules = {"preset": "classic-plain", "sits_out": "dealer"}
    return Table(Evening.begin("briscola-chiamata", NAMES[:6], rules))


def five(count: int = 0, rules: Any = "classic-plain") -> Table:
    """Five at the table and some deals; Ada deals first."""
    evening = Evening.begin("briscola-chiamata", NAMES[:5], rules)
    for _ in range(count):
        evening.record(sheet())
    return Table(evening)


def refused(act: Callable[[], object]) -> list[tuple[str, str]]:
    """Give the problems that an act is refused with."""
    with pytest.raises(InvalidError) as raised:
        act()
    return [(problem.code, problem.field) for problem in raised.value.problems]


# A change that reaches back


def test_what_was_written_may_belong_to_the_places() -> None:
    table = five(1)
    table.evening.record(sheet("Bea", "Ciro", called_card="KC"))
    table.evening.record({"offender": "Bea"}, "penalty")

    table.change(2, order=(ADA, CIRO, BEA, DORA, EZIO), dealer=CIRO, by_place=True)

    evening = table.evening
    answers = evening.deal(2).entry.answers(evening.names)
    assert answers is not None
    assert (answers["caller"], answers["partner"], answers["called_card"]) == ("Ciro", "Bea", "KC")
    assert evening.deal(3).entry.answers(evening.names) == {"offender": "Ciro"}
    assert [*evening.balances.values()] == [2 - 1 + 1, 1 + 1 + 1, -1 + 2 - 4, -1, -1]
    assert table.dealers == [ADA, CIRO, BEA]


def test_what_was_written_cannot_go_with_the_places_of_others() -> None:
    table = five(2)

    problems = refused(
        lambda: table.change(2, order=SIX_SEATS, guests=[Guest("Fulvia")], by_place=True)
    )

    assert problems == [("by-place", "deals.2")]


def test_rules_by_which_a_deal_cannot_have_been_played_are_refused() -> None:
    table = five(2)
    table.evening.record(sheet("Ada", None))

    problems = refused(lambda: table.change(1, rules={"call": {"own_card": False}}))
    others = refused(lambda: table.change(1, rules="four-balanced"))

    assert problems == [("own-card-forbidden", "deals.3")]
    assert others == [("seats-count", f"deals.{number}") for number in (1, 2, 3)]


@pytest.mark.parametrize(
    ("until", "problems"),
    [
        (None, [("not-at-the-table", "deals.2"), ("sits-out", "deals.3")]),
        (1, [("later-deal", "")]),
    ],
)
def test_rules_by_which_somebody_who_played_would_have_been_out_are_refused(
    until: int | None, problems: list[tuple[str, str]]
) -> None:
    table = Table(Evening.begin("scala-quaranta", NAMES[:3]))
    for hand in (60, 5, 5):
        answers = {"closed": "Ada", "hands": {"Bea": hand, "Ciro": 10}, "closed_in_hand": True}
        table.evening.record(answers)

    rules = {"preset": "to-101", "closed_in_hand_times": 2}

    assert refused(lambda: table.change(1, until, rules=rules)) == problems


def test_versions_name_the_change_they_follow_on() -> None:
    table = five(2)
    serial = table.evening.written + 1

    table.change(1, order=SWAPPED, dealer=EZIO, rules="classic")

    first, second = table.evening.deal(1).versions
    assert (first.change, second.change) == (None, serial)
    assert (second.act, second.reason, second.dealer) == ("amend", "We sat wrong", EZIO)
    (rules, seats) = table.evening.changes
    assert (rules.serial, seats.serial, second.serial) == (serial, serial + 1, serial + 2)
    assert (seats.reason, seats.written_by) == ("We sat wrong", "Ada")


@pytest.mark.parametrize(
    ("by_place", "order", "out"),
    [
        (False, (BEA, ADA, CIRO, DORA, EZIO, FULVIA), (BEA,)),
        (True, (BEA, ADA, CIRO, DORA, EZIO, FULVIA), (ADA,)),
        (False, (ADA, CIRO, DORA, EZIO, FULVIA), ()),
    ],
)
def test_whoever_was_chosen_to_sit_out_does_so_in_the_new_order(
    *, by_place: bool, order: tuple[int, ...], out: tuple[int, ...]
) -> None:
    table = six().change(1, 1, order=SIX_SEATS, sits_out=[BEA])
    table.evening.record(sheet("Ciro", "Dora"))

    table.change(1, order=order, by_place=by_place)

    assert table.evening.deal(1).entry.sits_out == out


def test_terms_are_those_of_the_next_deal_whoever_can_play_it() -> None:
    evening = five(1).evening

    after = Change(next_number=2, rules="four-balanced").next_terms(evening, PEN)

    assert (after.terms.rules.players, after.written) == (4, evening.written + 1)


# A change and the deal under way


@pytest.mark.parametrize(
    ("other", "code"),
    [
        pytest.param({"order": SIX_SEATS, "sits_out": [BEA]}, "sits-out", id="the caller sits out"),
        pytest.param({"order": (ADA, CIRO, DORA, EZIO, FULVIA)}, "sits-out", id="the caller goes"),
        pytest.param({"rules": {"preset": "ladder-bands", "sits_out": "dealer"}}, "bid-range",
                     id="the bid is none"),
    ],
)  # fmt: skip
def test_deal_under_way_that_could_not_go_on_is_named(other: dict[str, Any], code: str) -> None:
    table = six().start(caller="Bea", bid=61, called_card=None)

    assert refused(lambda: table.change(**other)) == [(code, "deals.1")]


@rows(__file__, "decks")
@pytest.mark.parametrize("seats", [{}, {"order": SWAPPED}], ids=["rules", "rules and seats"])
def test_deal_under_way_is_not_played_on_with_a_deck_that_lacks_its_cards(
    played: Any, known: dict[str, Any], other: Any, problem: str, seats: dict[str, Any]
) -> None:
    table = five(0, played).start(**known)

    first, *_ = refused(lambda: table.change(rules=other, **seats))

    assert first == (problem, "deals.1")


def test_deal_under_way_without_a_card_is_played_on_with_other_suits() -> None:
    table = five(1).start(called_card=None)

    table.change(rules={"preset": "classic-plain", "deck": "french-no-8-9-10"})

    assert table.evening.terms.rules.cards.italian is False
    assert table.started.deal_id == KEY


# What cannot be


@rows(__file__, "refused")
def test_what_cannot_be_is_refused(other: dict[str, Any], problem: str) -> None:
    table = five(2)
    if "rules" not in other:
        guests = [Guest(*guest) for guest in other.get("guests", ())]
        other = {"order": FIVE_SEATS, **other, "guests": guests}

    assert refused(lambda: table.change(**other)) == [tuple(problem.split())]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"next_number": 2}, id="recorded meanwhile"),
        pytest.param({"next_number": 3, "seen": 2}, id="amended meanwhile"),
        pytest.param({"next_number": 3, "seen": 9}, id="never seen"),
        pytest.param({"next_number": 3, "seen": -1}, id="never at all"),
    ],
)
def test_anything_written_since_the_phone_looked_is_a_conflict(change: dict[str, Any]) -> None:
    table = five(2)
    table.evening.amend(1, sheet("Ciro", "Ada"))

    with pytest.raises(ConflictError):
        table.do(Change(**change, from_number=1, seats=SWAPPED))


def test_reviews_that_were_written_meanwhile_are_no_conflict() -> None:
    table = five(1)
    change = Change(next_number=2, seats=SWAPPED, seen=table.evening.written)
    dispute = Dispute(version=1, reason="Ciro was alone")
    table.evening = dispute.apply(table.evening, table.evening.deal(1), OTHER)

    after = table.do(change).evening

    assert table.do(change).evening is after
    with pytest.raises(ConflictError):
        table.do(replace(change, from_number=1))


def test_same_change_sent_twice_is_one() -> None:
    table = five(2)
    change = Change(
        next_number=3,
        rules="classic",
        seats=SIX_SEATS,
        guests=(Guest("Fulvia"),),
        seen=table.evening.written,
    )

    after = table.do(change).evening

    assert table.do(change).evening is after
    assert (len(after.changes), after.names[FULVIA]) == (2, "Fulvia")
    with pytest.raises(ConflictError):
        table.do(change, OTHER)


@pytest.mark.parametrize(
    "other",
    [
        {"dealer": EZIO}, {"until_number": 3}, {"from_number": 2}, {"rules": None},
        {"seats": FIVE_SEATS}, {"rules": "volata"},
    ],
    ids=str,
)  # fmt: skip
def test_another_change_than_the_one_before_is_a_conflict(other: dict[str, Any]) -> None:
    table = five(2)
    seen = table.evening.written
    change = Change(next_number=3, rules="classic", seats=SWAPPED, seen=seen)
    table.do(change)

    with pytest.raises(ConflictError):
        table.do(replace(change, **other))


@pytest.mark.parametrize("outcome", [Outcome.PLAYED, Outcome.MISDEAL, Outcome.PENALTY])
def test_deal_is_not_recorded_by_rules_for_another_number(outcome: Outcome) -> None:
    table = five(1).change(2, 2, rules="four-balanced", order=(ADA, BEA, CIRO, DORA))
    table.change(2, order=(ADA, BEA, CIRO, DORA)).evening.record(sheet())
    written = {Outcome.PLAYED: sheet(), Outcome.PENALTY: {"offender": "Ada"}}.get(outcome)

    recording = refused(lambda: table.evening.record(written, outcome))
    starting = refused(table.start)

    assert recording == starting == [("seats-count", "")]
    assert table.change(order=FIVE_SEATS).evening.record(sheet()).number == 3


# The start of a deal


def test_started_deal_is_there_until_it_is_recorded_or_cancelled() -> None:
    table = five().start()

    assert (table.started.number, table.started.phone_id) == (1, PEN.phone_id)
    assert table.started.stored == {"caller": "0", "bid": "70", "called_card": "KC"}
    assert table.do(Cancel(key=KEY)).evening.started is None
    assert table.start().record().evening.started is None


def test_start_is_replaced_by_the_same_phone_or_by_name() -> None:
    table = five().start()
    for caller in ("Bea", "Ciro"):
        table.start(caller=caller)
    with pytest.raises(ConflictError):
        table.start(OTHER, key=uuid4())
    mine = uuid4()
    for _ in range(2):
        table.start(OTHER, key=mine, instead_of=KEY, caller="Dora")

    assert (table.started.deal_id, table.started.stored["caller"]) == (mine, "3")
    with pytest.raises(ConflictError):
        table.start()
    with pytest.raises(ConflictError):
        table.do(Cancel(key=KEY))


@pytest.mark.parametrize(
    ("said", "problem"), [({"partner": "Bea"}, "sheet.partner"), ({"bid": 200}, "sheet.bid")]
)
def test_what_nobody_may_know_or_bid_is_not_started(said: dict[str, Any], problem: str) -> None:
    assert problem in [field for _, field in refused(lambda: five().start(**said))]


def test_deal_is_started_by_the_number_of_the_next_one_until_the_end() -> None:
    table = five().record()

    assert table.start().evening.started is None
    for number in (1, 3):
        with pytest.raises(ConflictError):
            table.start(key=uuid4(), number=number)
    with pytest.raises(ConflictError):
        table.do(Cancel(key=KEY))
    table.do(End())
    assert refused(lambda: table.start(key=uuid4())) == [("session-ended", "")]
    assert table.do(PlayOn()).start(key=uuid4()).started.number == 2


def test_cancelled_start_comes_back_as_it_was_once() -> None:
    table = five().start()
    resume = Resume(key=KEY, cancelled=table.started)
    cancelled = table.do(Cancel(key=KEY)).evening
    assert table.do(Cancel(key=KEY)).evening is cancelled

    after = table.do(resume, OTHER).evening

    assert after.started == resume.cancelled
    assert table.do(resume).evening is after


@pytest.mark.parametrize(
    "since",
    [
        pytest.param(lambda table: table.start(key=uuid4()), id="another was started"),
        pytest.param(lambda table: table.record(), id="it was recorded"),
        pytest.param(lambda table: table.record(uuid4()), id="another was recorded"),
        pytest.param(lambda table: table.do(End()), id="the session ended"),
        pytest.param(
            lambda table: table.change(rules={"preset": "classic", "auction": {"minimum": 80}}),
            id="the rules forbid the bid",
        ),
        pytest.param(lambda table: table.change(rules="rulebook"), id="there is no such card"),
    ],
)
def test_start_does_not_come_back_over_what_was_done_since(
    since: Callable[[Table], object],
) -> None:
    table = five(0, "classic").start(called_card="KC", bid=70)
    cancelled = table.started
    since(table.do(Cancel(key=KEY)))

    with pytest.raises(ConflictError):
        table.do(Resume(key=KEY, cancelled=cancelled))


@pytest.mark.parametrize(
    "last",
    [
        None,
        Started(uuid4(), 1, {"caller": "0", "bid": "70"}, None, PEN.at),
        Started(KEY, 1, {"caller": 0}, None, PEN.at),
    ],
    ids=["none", "another", "damaged"],
)
def test_start_that_was_not_cancelled_last_does_not_come_back(last: Started | None) -> None:
    with pytest.raises(ConflictError):
        five().do(Resume(key=KEY, cancelled=last))


def test_session_ends_once_and_is_taken_up_again() -> None:
    table = five()
    ended = table.do(End()).evening

    assert ended.over
    assert table.do(End()).evening is ended
    assert not table.do(PlayOn()).evening.over


# The other side signs


def signed(table: Table) -> list[str | None]:
    """Give who signed each deal."""
    return [deal.reviews[-1].written_by if deal.confirmed else None for deal in table.evening.deals]


def sign(table: Table, by: Author = PEN, signer: str = "") -> Table:
    return table.do(Sign(seen=table.evening.written, signer=signer), by)


def written(*partners: str) -> Table:
    """Give deals that Ada called and wrote down, each with a partner."""
    table = five()
    for number, partner in enumerate(partners, 1):
        answers = WrittenSheet(sheet(partner=partner))
        table.do(Record(key=UUID(int=number), number=number, sheet=answers))
    return table


def test_other_side_signs_every_deal_on_its_own_phone_or_on_the_one_that_wrote() -> None:
    own = sign(written("Bea", "Bea"), Author(UUID(int=3), "Ciro"))
    handed = sign(written("Bea", "Bea"), PEN, "Dora")
    again = sign(handed, PEN, "Ezio")

    assert signed(own) == ["Ciro", "Ciro"]
    assert signed(again) == ["Dora", "Dora"]
    assert {deal.reviews[0].phone_id for deal in handed.evening.deals} == {PEN.phone_id}
    assert handed.do(Sign(seen=0), PEN).evening is handed.evening


def test_only_what_nobody_confirmed_as_it_stands_is_signed() -> None:
    table = sign(written("Bea"), PEN, "Dora")
    table.do(Record(key=UUID(int=2), number=2, sheet=WrittenSheet(sheet())))
    table.do(Record(key=UUID(int=3), number=3, sheet=WrittenSheet(sheet())))
    table.evening = Void(version=1).apply(table.evening, table.evening.deal(2), PEN)

    sign(table, PEN, "Ezio")

    assert signed(table) == ["Dora", None, "Ezio"]


@pytest.mark.parametrize("signer", ["", "Ada", "Bea"])
def test_side_that_wrote_does_not_sign(signer: str) -> None:
    with pytest.raises(RefusedError):
        sign(written("Bea"), PEN, signer)


def test_stranger_does_not_sign_and_nobody_signs_what_was_not_seen() -> None:
    table = written("Bea")

    assert refused(lambda: sign(table, PEN, "Zoe")) == [("unknown-player", "signer")]
    zoe = Author(UUID(int=3), "Zoe")
    assert refused(lambda: sign(table, zoe)) == [("unknown-player", "signer")]
    with pytest.raises(ConflictError):
        table.do(Sign(seen=table.evening.written - 1, signer="Dora"))
