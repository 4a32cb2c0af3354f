"""Whatever is done to an evening, it agrees with a plain list of deals that is added up by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hypothesis import settings
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
from scorer.operations import replay
from tests.data.strategies import examples

NAMES = ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fede", "Gino", "Ilia")
RULES: tuple[dict[str, Any], ...] = (
    {"preset": "highest", "target": None, "deals": None},
    {"preset": "highest", "target": 20, "deals": None},
    {"preset": "lowest", "target": 20, "deals": None},
    {"preset": "highest", "target": None, "deals": 3},
)


class Line(NamedTuple):
    """A deal as somebody would note it: who dealt, how it went, and by which terms."""

    dealer: str
    outcome: str
    answers: Any
    rules: dict[str, Any]
    order: tuple[str, ...]
    playing: tuple[str, ...]
    voided: bool = False

    @property
    def paid(self) -> dict[str, int]:
        """What it pays: the figures of the sheet, a point to each from who is fined, or nothing."""
        if self.outcome == "played":
            return dict(zip(self.playing, self.answers["points"], strict=True))
        if self.outcome == "misdeal":
            return {}
        point = -1 if self.rules["preset"] == "lowest" else 1
        fine = -point * (len(self.playing) - 1)
        return {name: fine if name == self.answers["offender"] else point for name in self.playing}

    @property
    def counts(self) -> dict[str, int]:
        return {} if self.voided else self.paid


@dataclass
class Notes:
    """An evening of the game in which a sheet says what everybody gets, noted line by line."""

    names: list[str]
    opening: dict[str, int]
    first: str
    rules: dict[str, Any]
    order: tuple[str, ...]
    out: tuple[str, ...] = ()
    chosen: tuple[int, str] | None = None
    lines: list[Line] = field(default_factory=list)

    @property
    def playing(self) -> tuple[str, ...]:
        return tuple(name for name in self.order if name not in self.out)

    @property
    def standing(self) -> list[Line]:
        return [line for line in self.lines if not line.voided]

    @property
    def balances(self) -> dict[str, int]:
        balances = {name: self.opening.get(name, 0) for name in self.names}
        for line in self.standing:
            for name, amount in line.paid.items():
                balances[name] += amount
        return balances

    @property
    def dealer(self) -> str | None:
        """Who deals next; None where whoever dealt last, or was to deal first, has left."""
        if self.chosen and all(line.voided for line in self.lines[self.chosen[0] - 1 :]):
            return self.chosen[1]
        if not self.standing:
            return self.first if self.first in self.order else None
        last = self.standing[-1]
        if last.dealer not in self.order:
            return None
        move = last.outcome == "played"
        return self.order[(self.order.index(last.dealer) + move) % len(self.order)]

    @property
    def winner(self) -> str | None:
        balances, played = {name: self.opening.get(name, 0) for name in self.names}, 0
        for line in self.standing:
            played += line.outcome == "played"
            for name, amount in line.paid.items():
                balances[name] += amount
            here = [balances[name] for name in line.order]
            best = min(here) if line.rules["preset"] == "lowest" else max(here)
            target, deals = line.rules["target"], line.rules["deals"]
            over = (target and max(here) >= target) or (deals and played >= deals)
            if over and here.count(best) == 1:
                return line.order[here.index(best)]
        return None


class Evenings(RuleBasedStateMachine):
    """An evening, and the notes of it."""

    @initialize(
        count=st.integers(2, 5), rules=st.sampled_from(RULES), first=st.integers(0, 1),
        opening=st.dictionaries(st.sampled_from(NAMES[:2]), st.integers(-9, 9)),
    )  # fmt: skip
    def begin(self, count: int, rules: dict[str, Any], first: int, opening: dict[str, int]) -> None:
        names = NAMES[:count]
        self.evening = Evening.begin("points", names, rules, dealer=names[first], opening=opening)
        self.notes = Notes(list(names), opening, names[first], rules, names)

    @rule(data=st.data(), many=st.integers(1, 3))
    def record(self, data: st.DataObject, many: int) -> None:
        notes = self.notes
        for _ in range(many):
            outcome, answers = data.draw(went(notes.playing))
            expected = notes.dealer
            dealer = expected or notes.playing[0]
            line = Line(dealer, outcome, answers, notes.rules, notes.order, notes.playing)
            notes.lines.append(line)
            deal = self.evening.record(answers, outcome, dealer=None if expected else dealer)
            assert (deal.number, deal.dealer, deal.outcome) == (len(notes.lines), dealer, outcome)
            assert deal.payouts == line.paid

    def some_deal(self, data: st.DataObject) -> int:
        return data.draw(st.integers(1, len(self.notes.lines)))

    @precondition(lambda self: self.notes.lines)
    @rule(data=st.data())
    def amend(self, data: st.DataObject) -> None:
        number = self.some_deal(data)
        line = self.notes.lines[number - 1]
        outcome, answers = data.draw(went(line.playing))
        line = line._replace(outcome=outcome, answers=answers)
        self.notes.lines[number - 1] = line
        assert self.evening.amend(number, answers, outcome).payouts == line.counts

    @precondition(lambda self: self.notes.lines)
    @rule(data=st.data(), voided=st.booleans())
    def void_or_restore(self, data: st.DataObject, *, voided: bool) -> None:
        number = self.some_deal(data)
        line = self.notes.lines[number - 1]._replace(voided=voided)
        self.notes.lines[number - 1] = line
        act = self.evening.void if voided else self.evening.restore
        assert act(number).payouts == line.counts

    @rule(rules=st.sampled_from(RULES))
    def change_rules(self, rules: dict[str, Any]) -> None:
        self.notes.rules = rules
        self.evening.change(rules=rules)

    @rule(data=st.data())
    def change_seats(self, data: st.DataObject) -> None:
        notes = self.notes
        order = data.draw(st.permutations(NAMES))[: data.draw(st.integers(2, 6))]
        out = data.draw(st.sampled_from([(), (order[0],)])) if len(order) > 2 else ()
        dealer = data.draw(st.none() | st.sampled_from(order))
        notes.names += [name for name in order if name not in notes.names]
        notes.order, notes.out = tuple(order), out
        notes.chosen = None if dealer is None else (len(notes.lines) + 1, dealer)
        self.evening.change(order=order, sits_out=out, dealer=dealer)

    @rule(data=st.data())
    def choose_dealer(self, data: st.DataObject) -> None:
        dealer = data.draw(st.sampled_from(self.notes.order))
        self.notes.chosen = len(self.notes.lines) + 1, dealer
        self.evening.change(dealer=dealer)

    @rule(data=st.data(), rules=st.sampled_from(RULES))
    def ask_what_if(self, data: st.DataObject, rules: dict[str, Any]) -> None:
        since = data.draw(st.integers(1, len(self.notes.lines) + 1))
        other = self.evening.what_if(rules, since)
        before, after = self.notes.lines[: since - 1], self.notes.lines[since - 1 :]
        lines = [*before, *(line._replace(rules=rules) for line in after)]
        assert [deal.payouts for deal in other.deals] == [line.counts for line in lines]

    @invariant()
    def evening_is_as_in_the_notes(self) -> None:
        notes, evening = self.notes, self.evening
        assert evening.balances == notes.balances
        assert [deal.payouts for deal in evening.deals] == [line.counts for line in notes.lines]
        assert [deal.voided for deal in evening.deals] == [line.voided for line in notes.lines]
        assert notes.dealer in (None, evening.dealer)
        assert evening.dealer in notes.order
        sign = 1 if notes.rules["preset"] == "lowest" else -1
        ranked = sorted(notes.balances.items(), key=lambda one: sign * one[1])
        assert [balance for _, _, balance in evening.standings()] == [n for _, n in ranked]
        winners = () if notes.winner is None else (notes.winner,)
        assert evening.progress == (notes.winner is not None, winners)

    @invariant()
    def file_tells_the_same(self) -> None:
        document = self.evening.document()
        answer = replay(document)
        standing = self.notes.standing
        assert answer["ok"], answer["problems"]
        assert [deal["payouts"] for deal in answer["deals"]] == [line.paid for line in standing]
        assert [deal["dealer"] for deal in answer["deals"]] == [line.dealer for line in standing]
        assert {line["player"]: line["balance"] for line in answer["standings"]} == (
            self.notes.balances
        )
        assert tuple(answer["winners"]) == self.evening.progress.winners
        assert Evening.read(document).document() == document


@st.composite
def went(draw: st.DrawFn, playing: Sequence[str]) -> tuple[str, Any]:
    """Say how a deal went: its outcome and its answers."""
    outcome = draw(st.sampled_from(["played", "played", "played", "misdeal", "penalty"]))
    if outcome == "misdeal":
        return outcome, None
    if outcome == "penalty":
        return outcome, {"offender": draw(st.sampled_from(playing))}
    count = len(playing)
    return outcome, {"points": draw(st.lists(st.integers(-9, 9), min_size=count, max_size=count))}


def test_whatever_is_done_the_evening_is_as_in_the_notes() -> None:
    run_state_machine_as_test(Evenings, settings=settings(examples(60), stateful_step_count=20))
