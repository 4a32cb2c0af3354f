"""Whatever is done to an evening, in whatever order, it agrees with the reference model."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any
from uuid import UUID, uuid4

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

from scorer import Evening
from scorer.errors import ConflictError, InvalidError
from scorer.evening.acts import ACTS, Amend, DealAct, Dispute, Record, Restore, Void, WrittenSheet
from scorer.evening.deal import Author
from scorer.evening.session_acts import (
    Cancel,
    Change,
    End,
    Guest,
    NewRules,
    NewSeats,
    PlayOn,
    SessionAct,
    Start,
)
from scorer.operations import replay
from scorer.rules.game import Outcome
from tests.data.strategies import examples, sheets
from tests.evening.reference_model import MOST, Note, ReferenceModel, RefusedError, Terms
from tests.games.oracle import rules_of

#: So many evenings of so many steps, in the full profile.
EVENINGS, STEPS = 25, 30
#: The phone that writes, and another one.
PEN, OTHER = Author(UUID(int=1)), Author(UUID(int=2))
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


class Evenings(RuleBasedStateMachine):
    """One evening in memory and in the reference model; ``begun`` counts them all."""

    begun = 0

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        agreed = data.draw(st.sampled_from(RULES))
        rules = rules_of(agreed)
        more = data.draw(st.integers(0, 2)) if rules["sits_out"] else 0
        names = NAMES[: rules["players"] + more]
        first, opening = data.draw(st.integers(0, len(names) - 1)), data.draw(balances(len(names)))
        brought = dict(zip(names, opening, strict=True))
        self.evening = Evening.begin(
            "briscola-chiamata", names, agreed, dealer=names[first], opening=brought
        )
        self.model = ReferenceModel(list(names), brought, names[first], Terms(rules, names))
        Evenings.begun += 1
        self.record_some(data)

    # What people do

    @rule(data=st.data())
    def record_some(self, data: st.DataObject) -> None:
        for _ in range(data.draw(st.integers(1, 4))):
            self.record(data)

    def record(self, data: st.DataObject) -> None:
        terms, dealer = self.model.turn()
        outcome, sheet = drawn(data, terms.rules, terms.playing(dealer))
        record = Record(
            key=uuid4(),
            number=self.evening.number,
            outcome=Outcome(outcome),
            sheet=None if sheet is None else WrittenSheet(sheet),
        )
        self.both(lambda model: model.record((outcome, sheet)), lambda: self.do(record))

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
        answers = None if sheet is None else WrittenSheet(sheet)
        amend = Amend(version=version, outcome=Outcome(outcome), sheet=answers)
        self.both(
            lambda model: model.amend(number, (outcome, sheet)),
            lambda: self.do_to_deal(number, amend),
        )

    @precondition(lambda self: self.model.lines)
    @rule(data=st.data())
    def void_or_restore(self, data: st.DataObject) -> None:
        number, version = self.a_deal(data)
        voided = self.model.lines[number - 1].now.voided
        act = Restore(version=version) if voided else Void(version=version)
        for _ in range(2):
            self.do_to_deal(number, act)
        self.model.void(number)

    @precondition(lambda self: self.model.lines)
    @rule(data=st.data(), kind=st.sampled_from(["dispute", "confirm", "uphold"]))
    def say(self, data: st.DataObject, kind: str) -> None:
        number, version = self.a_deal(data)
        seen = len(self.model.lines[number - 1].said)
        reason = "No" if kind == "dispute" else ""
        said: dict[str, Any] = {"version": version, "seen": seen, "reason": reason}
        self.both(
            lambda model: model.say(kind, number),
            lambda: self.do_to_deal(number, ACTS[kind](**said), OTHER),
        )

    @precondition(lambda self: self.model.lines)
    @rule(data=st.data(), back=st.integers(1, 3))
    def nothing_is_done_to_what_was_changed_meanwhile(self, data: st.DataObject, back: int) -> None:
        number, version = self.a_deal(data)
        late = version - back - 1
        with pytest.raises(ConflictError):
            self.do_to_deal(number, Amend(version=late, outcome=Outcome.MISDEAL))
        with pytest.raises(ConflictError):
            self.do_to_deal(number, Dispute(version=late, reason="Too late"), OTHER)

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
        start = Start(key=uuid4(), number=self.evening.number, sheet={"caller": caller, "bid": bid})
        self.both(lambda model: model.start(caller, bid), lambda: self.do(start))

    def forget_the_start(self, _data: st.DataObject) -> None:
        started = self.evening.started
        self.do(Cancel(key=uuid4() if started is None else started.deal_id))
        self.model.started = None

    def end_or_go_on(self, _data: st.DataObject) -> None:
        self.do(PlayOn() if self.model.ended else End())
        self.model.ended = not self.model.ended

    @rule(data=st.data(), agreed=st.sampled_from(RULES))
    def change_rules(self, data: st.DataObject, agreed: dict[str, Any]) -> None:
        since, until = self.some_deals(data)
        change = Change(since, self.model.following, NewRules(agreed), None, until, most=MOST)
        self.both(
            lambda model: model.change_rules(since, until, rules_of(agreed)),
            lambda: self.do(change),
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
        change = Change(note.since, self.model.following, None, seats, note.until, most=MOST)
        self.both(
            lambda model: model.change_seats(note, guests, by_place=by_place),
            lambda: self.do(change),
        )

    @rule()
    def play_the_file_again(self) -> None:
        answer = replay(self.evening.document())
        assert answer["ok"], answer["problems"]
        replayed = {line["player"]: line["balance"] for line in answer["standings"]}
        assert replayed == self.model.balances()

    # How it is done, and looked at

    def both(
        self, in_model: Callable[[ReferenceModel], None], really: Callable[[], object]
    ) -> None:
        """Do it in the model and to the evening: both do it, or both refuse."""
        after = deepcopy(self.model)
        try:
            in_model(after)
        except RefusedError:
            with pytest.raises((InvalidError, ConflictError)):
                really()
        else:
            really()
            self.model = after

    def do(self, act: SessionAct | Record) -> None:
        self.evening = act.apply(self.evening, PEN)

    def do_to_deal(self, number: int, act: DealAct, by: Author = PEN) -> None:
        self.evening = act.apply(self.evening, self.evening.deal(number), by)

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
        evening, model = self.evening, self.model
        terms, dealer = model.turn()
        playing = [evening.names[seat] for seat in evening.next_table.active]
        assert [evening.names[seat] for seat in evening.terms.order] == [*terms.order]
        assert (evening.dealer, playing) == (dealer, [*terms.playing(dealer)])
        assert evening.turn.times == model.times(model.following)
        assert list(evening.names) == model.names
        assert (evening.over, evening.number, evening.ended) == (
            model.ended,
            model.following,
            model.finished(),
        )
        assert evening.written == model.moment
        assert (evening.started is None) == (model.started is None)

    @invariant()
    def balances_are_as_in_the_model(self) -> None:
        assert self.evening.balances == self.model.balances()

    @invariant()
    def deals_are_as_in_the_model(self) -> None:
        unconfirmed, names = self.model.unconfirmed(), self.model.names
        assert set(self.evening.waiting) == unconfirmed
        for deal, line in zip(self.evening.deals, self.model.lines, strict=True):
            marks = (deal.voided, deal.amended, deal.disputed)
            assert marks == (line.now.voided, line.amended, line.open_dispute)
            here = [names[seat] for seat in deal.entry.table.here]
            assert here == [*self.model.terms(deal.number).order]
            assert deal.named_totals == self.model.balances(deal.number)
            for written, version in zip(line.versions, deal.versions, strict=True):
                assert (written.act, written.dealer, written.outcome, written.voided) == (
                    version.act,
                    names[version.dealer],
                    version.outcome,
                    version.voided,
                )
                assert set(written.out) == {names[seat] for seat in version.sits_out}
                paid = {names[seat]: amount for seat, amount in version.payouts.items()}
                assert paid == written.paid

    def teardown(self) -> None:
        if hasattr(self, "model"):
            self.play_the_file_again()


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


def test_whatever_is_done_the_evening_is_as_in_the_model() -> None:
    looked_at = settings(
        examples(EVENINGS), stateful_step_count=STEPS, suppress_health_check=list(HealthCheck)
    )
    before = Evenings.begun

    run_state_machine_as_test(Evenings, settings=looked_at)

    assert Evenings.begun - before >= looked_at.max_examples
