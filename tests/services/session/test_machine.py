"""Whatever is done to a session, in whatever order, it agrees with the reference model."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from scorer.errors import ConflictError, InvalidError
from scorer.evening.acts import ACTS, Amend, Dispute, Restore, Void
from scorer.evening.session_acts import Cancel, Change, End, Guest, NewRules, NewSeats, PlayOn
from scorer.operations import replay
from scorer.roles import Role
from scorer.rules.game import Outcome
from scorer.services.circle import circles
from scorer.services.deals.sheet import score_sheet
from scorer.services.files.session_files import session_file
from scorer.services.journal.verify import circle_findings
from scorer.services.session.acts import do
from scorer.services.session.state import load_state
from scorer.storage import in_transaction, models, one_moment, queries
from tests.data.strategies import examples, sheets
from tests.games.oracle import rules_of
from tests.services.evenings import start
from tests.services.reference_model import Note, ReferenceModel, RefusedError, Terms
from tests.storage.conftest import SQLITE

#: So many sessions of so many steps, in the full profile.
SESSIONS, STEPS = 25, 30
NAMES = ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fede", "Gino", "Ilia", "Lia", "Mara")
THROW_IN = {"max_points": 4, "times": 2, "same_dealer": False}
RULES: tuple[dict[str, Any], ...] = (
    {"preset": "classic", "session": {"end": "deals", "deals": 2}, "throw_in": THROW_IN},
    {"preset": "classic-plain", "sits_out": "dealer", "session": {"end": "deals", "deals": 4}},
    {"preset": "scighera", "sits_out": "dealer", "session": {"end": "deals", "deals": 3}},
    {"preset": "volata", "session": {"end": "target", "target": 4, "tie": "shared"}},
    {"preset": "ladder-bands", "session": {"end": "target", "target": 6}, "throw_in": THROW_IN},
    {"preset": "four-balanced", "session": {"end": "open"}, "throw_in": THROW_IN},
    {"preset": "monte-6"},
    {"preset": "declared-points"},
    {
        "preset": "classic",
        "auction": {"all_pass_times": 2, "maximum": 62},
        "throw_in": {**THROW_IN, "compound": True},
        "draw": {"card_points": 60, "times": 2},
    },
)
#: What was agreed has its own random sessions: tests/evening/test_random_evenings.py.
NOT_PLAYED = tuple(
    outcome.value for outcome in Outcome if outcome not in {Outcome.PLAYED, Outcome.AGREED}
)


class Sessions(RuleBasedStateMachine):
    """One session in the database and in the reference model; ``begun`` counts them all."""

    begun = 0

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        agreed = data.draw(st.sampled_from(RULES))
        rules = rules_of(agreed)
        more = data.draw(st.integers(0, 2)) if rules["sits_out"] else 0
        names = NAMES[: rules["players"] + more]
        first, opening = data.draw(st.integers(0, len(names) - 1)), data.draw(balances(len(names)))
        self.evening = start(agreed, names, first_dealer=first, opening=opening)
        circle_id = self.evening.circle_id
        self.other = in_transaction(lambda: circles.new_phone(circle_id, Role.PLAYER))
        began = Terms(rules, names)
        self.model = ReferenceModel(
            list(names), dict(zip(names, opening, strict=True)), names[first], began
        )
        Sessions.begun += 1
        self.record_some(data)

    # What people do

    @rule(data=st.data())
    def record_some(self, data: st.DataObject) -> None:
        for _ in range(data.draw(st.integers(1, 4))):
            self.record(data)

    def record(self, data: st.DataObject) -> None:
        terms, dealer = self.model.turn()
        outcome, sheet = drawn(data, terms.rules, terms.playing(dealer))
        self.both(
            lambda model: model.record((outcome, sheet)),
            lambda: self.evening.record(sheet, Outcome(outcome)),
        )

    @precondition(lambda self: self.model.lines)
    @rule(data=st.data())
    def amend(self, data: st.DataObject) -> None:
        self.amend_one(data, *self.a_deal(data))

    @precondition(lambda self: self.carrying())
    @rule(data=st.data())
    def amend_what_counts_more(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(self.carrying()))
        self.amend_one(data, number, self.version_of(number))

    def carrying(self) -> list[int]:
        """Number the deals that count more than once, because of one that was thrown in."""
        sheets = ((line.now.sheet or {}) for line in self.model.lines)
        return [n for n, sheet in enumerate(sheets, start=1) if sheet.get("times", 1) > 1]

    def amend_one(self, data: st.DataObject, number: int, version: int) -> None:
        terms, stands = self.model.terms(number), self.model.lines[number - 1].now
        playing = [name for name in terms.order if name not in stands.out]
        outcome, sheet = drawn(data, terms.rules, playing)
        said = {"outcome": Outcome(outcome), "sheet": sheet, "version": version}
        self.both(
            lambda model: model.amend(number, (outcome, sheet)),
            lambda: self.evening.do(number, Amend, **said),
        )

    @precondition(lambda self: self.model.lines)
    @rule(data=st.data())
    def void_or_restore(self, data: st.DataObject) -> None:
        number, version = self.a_deal(data)
        voided = self.model.lines[number - 1].now.voided
        for _ in range(2):
            self.evening.do(number, Restore if voided else Void, version=version)
        self.model.void(number)

    @precondition(lambda self: self.model.lines)
    @rule(data=st.data(), kind=st.sampled_from(["dispute", "confirm", "uphold"]))
    def say(self, data: st.DataObject, kind: str) -> None:
        number, version = self.a_deal(data)
        seen = len(self.model.lines[number - 1].said)
        reason = "No" if kind == "dispute" else ""
        said = {"version": version, "seen": seen, "reason": reason}
        self.both(
            lambda model: model.say(kind, number),
            lambda: self.evening.do(number, ACTS[kind], by=self.other, **said),
        )

    @precondition(lambda self: self.model.lines)
    @rule(data=st.data(), back=st.integers(1, 3))
    def nothing_is_done_to_what_was_changed_meanwhile(self, data: st.DataObject, back: int) -> None:
        number, version = self.a_deal(data)
        late = version - back - 1
        with pytest.raises(ConflictError):
            self.evening.do(number, Amend, version=late, outcome=Outcome.MISDEAL)
        with pytest.raises(ConflictError):
            self.evening.do(number, Dispute, by=self.other, version=late, reason="No")

    @rule(data=st.data())
    def do_something_else(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from([self.start_deal, self.forget_the_start, self.end_or_go_on]))(
            data
        )
        if self.model.ended and data.draw(st.booleans()):
            self.end_or_go_on(data)

    def start_deal(self, data: st.DataObject) -> None:
        caller = data.draw(st.sampled_from(self.model.names))
        terms, _ = self.model.turn()
        bid = "K" if terms.rules["floor"] else "75"
        self.both(
            lambda model: model.start(caller, bid),
            lambda: self.evening.start_deal({"caller": caller, "bid": bid}),
        )

    def forget_the_start(self, _data: st.DataObject) -> None:
        started = queries.find(models.StartedDeal, *self.evening.keys)
        key = uuid4() if started is None else started.deal_id
        do(*self.evening.keys, Cancel(key=key), by=self.evening.by)
        self.model.started = None

    def end_or_go_on(self, _data: st.DataObject) -> None:
        do(*self.evening.keys, PlayOn() if self.model.ended else End())
        self.model.ended = not self.model.ended

    @rule(data=st.data(), agreed=st.sampled_from(RULES))
    def change_rules(self, data: st.DataObject, agreed: dict[str, Any]) -> None:
        since, until = self.some_deals(data)
        change = Change(since, self.model.following, NewRules(agreed), None, until)
        self.both(
            lambda model: model.change_rules(since, until, rules_of(agreed)),
            lambda: do(*self.evening.keys, change, by=self.evening.by),
        )

    @rule(data=st.data(), by_place=st.booleans())
    def sit_in_another_order(self, data: st.DataObject, *, by_place: bool) -> None:
        since, until = self.some_deals(data)
        order = tuple(data.draw(st.permutations(self.model.terms(since).order)))
        dealer = data.draw(st.none() | st.sampled_from(order))
        self.sit(Note(since, until, None, order, None, dealer), {}, by_place=by_place)

    @rule(data=st.data(), by_place=st.booleans())
    def come_and_go(self, data: st.DataObject, *, by_place: bool) -> None:
        since, until = self.some_deals(data)
        guests, terms = self.guests(data), self.model.terms(since)
        known = [*self.model.names, *guests]
        count = terms.rules["players"] + data.draw(st.sampled_from([0, 1, 2, 0, 1, 2, -1, 3]))
        order = tuple(data.draw(st.permutations(known))[:count])
        out = data.draw(st.none() | waiting(order, len(order) - terms.rules["players"]))
        dealer = data.draw(st.none() | st.sampled_from(order))
        self.sit(Note(since, until, None, order, out, dealer), guests, by_place=by_place)

    @rule(data=st.data())
    def let_somebody_wait(self, data: st.DataObject) -> None:
        since, until = self.some_deals(data)
        terms = self.model.terms(since)
        out = data.draw(waiting(terms.order, len(terms.order) - terms.rules["players"]))
        self.sit(Note(since, until, None, terms.order, out, None), {}, by_place=False)

    def sit(self, note: Note, guests: dict[str, int], *, by_place: bool) -> None:
        """Change who sits where."""
        known = [*self.model.names, *guests]
        seats = NewSeats(
            [known.index(name) for name in note.order],
            None if note.out is None else [known.index(name) for name in note.out],
            None if note.dealer is None else known.index(note.dealer),
            [Guest(name, opening) for name, opening in guests.items()],
            by_place,
        )
        change = Change(note.since, self.model.following, None, seats, note.until)
        self.both(
            lambda model: model.change_seats(note, guests, by_place=by_place),
            lambda: do(*self.evening.keys, change, by=self.evening.by),
        )

    @rule()
    def play_the_file_again(self) -> None:
        answer = replay(session_file(self.evening.state))
        assert answer["ok"], answer["problems"]
        replayed = {line["player"]: line["balance"] for line in answer["standings"]}
        assert replayed == self.model.balances()

    # How it is done, and looked at

    def both(
        self, in_model: Callable[[ReferenceModel], None], really: Callable[[], object]
    ) -> None:
        """Do it in the model and in the database: both do it, or both refuse."""
        after = deepcopy(self.model)
        try:
            in_model(after)
        except RefusedError:
            with pytest.raises((InvalidError, ConflictError)):
                really()
        else:
            really()
            self.model = after

    def a_deal(self, data: st.DataObject) -> tuple[int, int]:
        """Draw a deal that is there; give its number and its version."""
        number = data.draw(st.integers(1, len(self.model.lines)))
        return number, self.version_of(number)

    def version_of(self, number: int) -> int:
        """Say which version of a deal is the last."""
        return len(self.model.lines[number - 1].versions)

    def some_deals(self, data: st.DataObject) -> tuple[int, int | None]:
        """Draw from which deal on something is changed, and up to which."""
        following = self.model.following
        since = data.draw(st.integers(1, following))
        return since, data.draw(st.none() | st.integers(since, following))

    def guests(self, data: st.DataObject) -> dict[str, int]:
        """Draw who comes in, with which balance."""
        left = [name for name in NAMES if name not in self.model.names]
        coming = left[: data.draw(st.sampled_from([0, 0, 1, 2]))]
        return {name: data.draw(st.integers(-3, 3)) for name in coming}

    @invariant()
    def table_is_as_in_the_model(self) -> None:
        state, model = load_state(*self.evening.keys), self.model
        terms, dealer = model.turn()
        named = [
            state.names[seat]
            for seat in (*state.order, state.evening.turn.dealer, *state.table().active)
        ]
        assert named == [*terms.order, dealer, *terms.playing(dealer)]
        assert state.evening.turn.times == model.times(model.following)
        assert list(state.names) == model.names
        assert (
            state.row.ended_at is not None,
            state.row.next_number,
            state.row.finished_number,
        ) == (
            model.ended,
            model.following,
            model.finished(),
        )
        assert state.row.written == model.moment
        started = queries.find(models.StartedDeal, *self.evening.keys)
        assert (started is None) == (model.started is None)
        assert started is None or state.names[started.dealer] == dealer

    @invariant()
    def balances_are_as_in_the_model(self) -> None:
        names = self.model.names
        real = queries.session.balances(*self.evening.keys)
        assert {names[seat]: balance for seat, balance in real.items()} == self.model.balances()

    @invariant()
    def score_sheet_is_as_in_the_model(self) -> None:
        waiting, names = self.model.unconfirmed(), self.model.names
        for row in score_sheet(load_state(*self.evening.keys)).rows:
            line = self.model.lines[row.number - 1]
            marks = (row.voided, row.amended, row.disputed)
            assert marks == (line.now.voided, line.amended, line.open_dispute)
            assert row.unconfirmed == (row.number in waiting)
            cells = {names[cell.seat]: cell.balance for cell in row.cells}
            order = self.model.terms(row.number).order
            assert cells == {
                name: balance if name in order else None
                for name, balance in self.model.balances(row.number).items()
            }

    @invariant()
    def history_is_as_in_the_model(self) -> None:
        names = self.model.names
        deals_ = queries.journal.stored(*self.evening.keys, models.DealRow, models.DealRow.number)
        stored = queries.journal.stored_by_deal(*self.evening.keys, models.DealVersion)
        for line, deal in zip(self.model.lines, deals_, strict=True):
            for written, version in zip(line.versions, stored[deal.deal_id], strict=True):
                assert (written.act, written.dealer, written.outcome, written.voided) == (
                    version.act,
                    names[version.dealer],
                    version.outcome,
                    version.voided,
                )
                assert set(written.out) == {names[seat] for seat in version.sits_out}
                paid = {names[int(seat)]: n for seat, n in version.payouts.items()}
                assert paid == written.paid

    def teardown(self) -> None:
        if hasattr(self, "model"):
            self.play_the_file_again()
            with one_moment():
                assert list(circle_findings(self.evening.circle_id)) == []


def balances(count: int) -> st.SearchStrategy[list[int]]:
    """Draw what is brought in."""
    return st.just([0] * count) | st.lists(st.integers(-3, 3), min_size=count, max_size=count)


def waiting(order: Sequence[str], count: int) -> st.SearchStrategy[tuple[str, ...]]:
    """Draw who is chosen to sit out, mostly as many as there are too many."""
    many = st.just(max(count, 0)) | st.integers(0, len(order))
    return many.flatmap(lambda n: st.permutations(order).map(lambda names: tuple(names[:n])))


def drawn(data: st.DataObject, rules: dict[str, Any], playing: Sequence[str]) -> tuple[str, Any]:
    """Draw what becomes of a deal, and what is written for it."""
    thrown = ["thrown-in"] * 2 if rules["throw_in"] else []
    outcome = data.draw(st.sampled_from(["played", "played", "played", *thrown, *NOT_PLAYED]))
    if outcome == "penalty":
        return outcome, {"offender": data.draw(st.sampled_from(playing))}
    if outcome == "played" and len(playing) > 1:
        return outcome, data.draw(sheets(rules, list(playing)))
    return ("misdeal" if outcome == "played" else outcome), None


@pytest.mark.parametrize("database_url", [SQLITE], indirect=True)
@pytest.mark.usefixtures("app")
def test_whatever_is_done_the_session_is_as_in_the_model() -> None:
    looked_at = settings(
        examples(SESSIONS),
        stateful_step_count=STEPS,
        suppress_health_check=list(HealthCheck),
    )
    before = Sessions.begun

    run_state_machine_as_test(Sessions, settings=looked_at)

    assert Sessions.begun - before >= looked_at.max_examples
