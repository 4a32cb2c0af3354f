"""Who is at a session: what processes tell each other, the people, and passing the pen."""

from collections import Counter
from uuid import UUID, uuid4

import pytest

from scorer.errors import NotFoundError, RefusedError
from scorer.roles import Role
from scorer.services.base.journal import Kind
from scorer.services.circle.circles import give_role, phones
from scorer.services.live import presence
from scorer.services.live.presence import PresenceTable, pass_pen, presence_list, take_pen_back
from scorer.storage import queries
from tests.data.rows import rows
from tests.refusals import refused
from tests.services.evenings import Evening, start

SESSION = uuid4(), uuid4()
PHONE, ANOTHER = uuid4(), uuid4()


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(presence, "monotonic", clock)
    return clock


class Process:
    """The table of a process; it does what a step says, and may look at the other processes."""

    def __init__(self, others: "dict[str, Process]") -> None:
        self.others, self.heard = others, Counter[str]()
        self.told: list[str] = []
        self.table = PresenceTable(self.told.extend)
        self.slot = ""

    def begins(self) -> None:
        """Be one that has missed what the others told so far."""
        self.heard.update({name: len(other.told) for name, other in self.others.items()})

    def comes(self, deal: str, beside: str = "") -> None:
        self.slot = self.table.enter((*SESSION, ANOTHER if beside else PHONE), int(deal))

    def leaves(self) -> None:
        self.table.leave(self.slot)

    def saves(self, deal: str) -> None:
        self.table.end_writing((*SESSION, PHONE), int(deal))

    def keeps(self) -> None:
        self.table.keep()

    def expires(self) -> None:
        self.table.expire()

    def hears(self, name: str) -> None:
        """Hear what another one has told since this was last asked."""
        told = self.others[name].told
        for line in told[self.heard[name] :]:
            circle_id, _, rest = line.partition(" ")
            self.table.hear(UUID(circle_id), rest)
        self.heard[name] = len(told)

    def notices(self, *nothing: str) -> None:
        """Notice that somebody came, went or stopped writing since this was last asked."""
        assert self.table.changed == (set() if nothing else {SESSION[0]})
        self.table.changed.clear()

    def sees(self, *deals: str) -> None:
        assert [*self.table.phones(*SESSION).values()] == [*map(int, deals)]


@rows(__file__, "processes")
def test_processes_agree_on_who_is_here_and_who_writes(steps: list[str], clock: Clock) -> None:
    processes: dict[str, Process] = {}
    processes.update({name: Process(processes) for name in "ABC"})
    for step in steps:
        name, verb, *rest = step.split()
        if name == "wait":
            clock.now += int(verb)
        else:
            getattr(processes[name], verb)(*rest)


# The people, and the pen


@pytest.fixture
def table() -> PresenceTable:
    return PresenceTable(lambda _: None)


def come(table: PresenceTable, evening: Evening, phone_id: UUID, writes: int = 0) -> None:
    table.enter((*evening.keys, phone_id), writes)


def test_company_is_in_the_order_of_the_phones_with_names_and_the_pen(
    table: PresenceTable, evening: Evening
) -> None:
    bea, wall = evening.let_in(Role.PLAYER, "Bea"), evening.let_in(Role.SPECTATOR)
    come(table, evening, wall.phone_id)
    come(table, evening, bea.phone_id, writes=2)
    come(table, evening, uuid4())

    found = presence_list(table, *evening.keys, evening.by.phone_id, next_number=2).present
    later = presence_list(table, *evening.keys, evening.by.phone_id, next_number=3).present

    assert [one.writes for one in later] == [0, 0, 0]  # whoever has not heard of the save
    assert [(one.holder.name, one.holder.player, one.writes) for one in found] == [
        ("#1", evening.by.player, 0),
        (bea.name, "Bea", 2),
        (wall.name, None, 0),
    ]
    assert [one.has_pen for one in found] == [True, False, False]
    assert [one.can_take_pen for one in found] == [False, True, False]


def test_player_with_two_phones_is_here_once_with_the_pen(
    table: PresenceTable, evening: Evening
) -> None:
    both = [evening.let_in(role, "Bea") for role in (Role.PLAYER, Role.SCOREKEEPER)]
    for phone, writes in zip(both, (2, 0), strict=True):
        come(table, evening, phone.phone_id, writes)
    come(table, evening, both[0].phone_id)

    (found,) = presence_list(table, *evening.keys).present

    assert (found.holder.phone_id, found.has_pen, found.writes) == (both[1].phone_id, True, 2)


def roles(evening: Evening) -> list[Role]:
    return [one.role for one in phones(evening.circle_id)]


def test_scorekeeper_passes_the_pen_and_has_it_no_more(
    table: PresenceTable, evening: Evening
) -> None:
    keeper, *others = (evening.let_in(role) for role in (Role.SCOREKEEPER, *[Role.PLAYER] * 2))
    for phone in others:
        come(table, evening, phone.phone_id)

    pass_pen(table, evening.session_id, others[0].phone_id, keeper)
    with pytest.raises(RefusedError):
        pass_pen(table, evening.session_id, others[1].phone_id, keeper)

    assert roles(evening) == [Role.OWNER, Role.PLAYER, Role.SCOREKEEPER, Role.PLAYER]
    entries = queries.journal.entries_of_table(evening.circle_id, "phone")[-2:]
    assert [(one.kind, UUID(one.key), one.after) for one in entries] == [
        (Kind.ROLE_GIVEN, others[0].phone_id, {"role": "scorekeeper"}),
        (Kind.ROLE_GIVEN, keeper.phone_id, {"role": "player"}),
    ]
    assert {one.phone_id for one in entries} == {keeper.phone_id}


@pytest.mark.parametrize("role", [Role.OWNER, Role.SCOREKEEPER])
def test_pen_is_taken_back_once_by_whoever_passed_it(
    table: PresenceTable, evening: Evening, role: Role
) -> None:
    giver = evening.by if role is Role.OWNER else evening.let_in(role)
    player = evening.let_in(Role.PLAYER)
    before, version = roles(evening), evening.state.row.version
    come(table, evening, player.phone_id)
    pass_pen(table, evening.session_id, player.phone_id, giver)

    take_pen_back(evening.session_id, player.phone_id, giver)

    assert (roles(evening), evening.state.row.version) == (before, version + 2)
    with pytest.raises(RefusedError):
        take_pen_back(evening.session_id, player.phone_id, giver)


@pytest.mark.parametrize("taker", [True, False], ids=["taker", "giver"])
def test_pen_is_not_taken_back_once_an_owner_has_given_one_of_them_a_role(
    table: PresenceTable, evening: Evening, *, taker: bool
) -> None:
    giver, player = evening.let_in(Role.SCOREKEEPER), evening.let_in(Role.PLAYER)
    come(table, evening, player.phone_id)
    pass_pen(table, evening.session_id, player.phone_id, giver)
    for role in (Role.SPECTATOR, Role.SCOREKEEPER if taker else Role.PLAYER):
        give_role(evening.circle_id, (player if taker else giver).phone_id, role, by=evening.by)

    with pytest.raises(RefusedError):
        take_pen_back(evening.session_id, player.phone_id, giver)

    assert roles(evening) == [Role.OWNER, Role.PLAYER, Role.SCOREKEEPER]


@pytest.mark.parametrize("role", Role)
def test_pen_is_passed_to_a_player_who_is_here_only(
    table: PresenceTable, evening: Evening, role: Role
) -> None:
    other = evening.let_in(role)
    if role is not Role.PLAYER:
        come(table, evening, other.phone_id)

    with refused("not-here" if role is Role.PLAYER else "no-player"):
        pass_pen(table, evening.session_id, other.phone_id, evening.by)

    assert roles(evening) == [Role.OWNER, role]


def test_pen_stays_in_the_circle(table: PresenceTable, evening: Evening) -> None:
    other = start()
    player = other.let_in(Role.PLAYER)
    come(table, evening, player.phone_id)

    with pytest.raises(NotFoundError):
        pass_pen(table, evening.session_id, player.phone_id, evening.by)
    with pytest.raises(NotFoundError):
        pass_pen(table, other.session_id, player.phone_id, evening.by)
