"""Whatever is done to the money of a circle, it cancels to the cent, and evenings add up."""

from uuid import UUID, uuid4

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

from scorer.evening.session_acts import End, PlayOn
from scorer.ledger.money import added
from scorer.services.circle import players
from scorer.services.journal.verify import circle_findings
from scorer.services.money import ledger
from scorer.services.money.ledger import Cost, Payment, ledger_page
from scorer.services.session import sessions
from scorer.services.session.settling import PayTerms, Way, pay_of, post_evening, worth
from scorer.services.session.state import load_state
from scorer.services.session.writing import do
from scorer.storage import one_moment, queries
from tests.data.strategies import examples
from tests.services.evenings import FIVE, sheet, start

PEOPLE = st.integers(0, 4)
CENTS = st.integers(1, 2_000)
SHEETS = st.builds(
    sheet,
    caller=st.sampled_from(FIVE[:2]),
    partner=st.sampled_from(FIVE[2:]),
    points=st.integers(2, 118),
)


class Money(RuleBasedStateMachine):
    """Two sessions of five, and what they and others pay."""

    @initialize()
    def begin(self) -> None:
        first = start(stake=7)
        self.evenings = (first, first.again(players=("Adina", *FIVE[1:]), stake=None))
        self.circle_id, self.merged = first.circle_id, False
        self.by_hand: dict[UUID, dict[UUID, int]] = {}
        self.evenings[0].record()

    @property
    def people(self) -> list[UUID]:
        return [one.player_id for one in players.everybody(self.circle_id)]

    @rule(which=st.integers(0, 1), written=SHEETS)
    def record(self, which: int, written: dict[str, object]) -> None:
        evening = self.evenings[which]
        if evening.state.row.ended_at is None:
            if which:
                written = {**written, "caller": "Bea"}
            evening.record(written)

    @rule(which=st.integers(0, 1))
    def end_or_go_on(self, which: int) -> None:
        keys = self.evenings[which].keys
        ended = load_state(*keys).row.ended_at
        do(*keys, PlayOn() if ended else End())

    @rule(written=SHEETS)
    def amend(self, written: dict[str, object]) -> None:
        self.evenings[0].amend(1, written)

    @rule()
    def void_or_restore(self) -> None:
        evening = self.evenings[0]
        (evening.restore if evening.deal(1).voided else evening.void)(1)

    @rule(which=st.integers(0, 1), cents=st.none() | st.integers(1, 50))
    def set_stake(self, which: int, cents: int | None) -> None:
        sessions.set_stake(*self.evenings[which].keys, cents)

    @rule(which=st.integers(0, 1), way=st.sampled_from(Way), cents=CENTS)
    def pay_otherwise(self, which: int, way: Way, cents: int) -> None:
        keys = self.evenings[which].keys
        if load_state(*keys).row.ended_at is not None:
            post_evening(*keys, PayTerms(way, 0 if way is Way.NOTHING else cents))

    @rule(payer=PEOPLE, payee=PEOPLE, cents=CENTS)
    def pay(self, payer: int, payee: int, cents: int) -> None:
        who, whom = self.people[payer], self.people[payee]
        if who != whom:
            self.pay_between(who, whom, cents)

    @rule(per_cent=st.sampled_from((40, 100, 150)))
    def pay_as_proposed(self, per_cent: int) -> None:
        """Pay the first transfer in part, as it is, or too much, which turns it around."""
        proposal = ledger_page(self.circle_id).proposal
        handed = [
            {one.payer.player_id: one.cents, one.payee.player_id: -one.cents} for one in proposal
        ]
        left = added([queries.money.accounts(self.circle_id), *handed])
        assert set(left.values()) <= {0}
        for one in proposal[:1]:
            self.pay_between(
                one.payer.player_id, one.payee.player_id, max(1, one.cents * per_cent // 100)
            )

    def pay_between(self, who: UUID, whom: UUID, cents: int) -> None:
        payment = Payment(uuid4(), who, whom, cents)
        ledger.note_payment(self.circle_id, payment)
        self.by_hand[payment.key] = {who: cents, whom: -cents}

    @rule(payer=PEOPLE, cents=CENTS, parts=st.lists(st.integers(0, 9), min_size=5, max_size=5))
    def share(self, payer: int, cents: int, parts: list[int]) -> None:
        if any(parts):
            who = self.people[payer]
            among = dict(zip(self.people, parts, strict=False))
            cost = Cost(uuid4(), who, cents, among, note="Pizza")
            ledger.share_cost(self.circle_id, cost)
            lines = queries.money.postings(self.circle_id, [cost.key])[cost.key]
            assert sum(n for _, n in lines) == 0
            self.by_hand[cost.key] = added({one: n} for one, n in lines)

    @precondition(lambda self: self.by_hand)
    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.by_hand)))
        ledger.void_entry(self.circle_id, key)
        del self.by_hand[key]

    @precondition(lambda self: not self.merged)
    @rule()
    def merge(self) -> None:
        of = {one.name: one.player_id for one in players.everybody(self.circle_id)}
        players.merge(self.circle_id, of["Ada"], of["Adina"])
        self.merged = True
        for moved in self.by_hand.values():
            moved[of["Ada"]] = moved.get(of["Ada"], 0) + moved.pop(of["Adina"], 0)

    @invariant()
    def accounts_are_what_was_posted(self) -> None:
        posted = [*self.by_hand.values()]
        for evening in self.evenings:
            state = evening.state
            came_to = queries.money.posted(evening.keys[0], [evening.keys[1]])
            assert sum(came_to.values()) == 0
            pay = pay_of(*evening.keys)
            if state.row.ended_at is not None and pay is not None:
                wanted = worth(state, pay)
                assert {who: n for who, n in came_to.items() if n} == wanted
            posted.append(came_to)
        stand = queries.money.accounts(self.circle_id)
        assert sum(stand.values()) == 0
        assert {who: n for who, n in stand.items() if n} == {
            who: n for who, n in added(posted).items() if n
        }

    def teardown(self) -> None:
        with one_moment():
            assert list(circle_findings(self.circle_id)) == []


def test_money_cancels_whatever_is_done() -> None:
    thorough = settings(
        examples(20),
        stateful_step_count=12,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    run_state_machine_as_test(Money, settings=thorough)
