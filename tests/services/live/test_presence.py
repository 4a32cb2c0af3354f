"""Who is at a session: what processes tell each other, the people, and passing the pen."""

from uuid import UUID, uuid4

import pytest

from scorer.errors import InvalidError, NotFoundError, RefusedError
from scorer.roles import Role
from scorer.services.base.journal import Kind
from scorer.services.circle.circles import give_role, phones
from scorer.services.live import presence
from scorer.services.live.presence import (
    PresenceTable,
    PresentPhone,
    pass_pen,
    presence_list,
    take_pen_back,
)
from scorer.storage import queries
from tests.services.evenings import Evening, start


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(presence, "monotonic", clock)
    return clock


@pytest.fixture
def told() -> list[str]:
    """Give the lines that the table tells other processes."""
    return []


@pytest.fixture
def table(clock: Clock, told: list[str]) -> PresenceTable:  # noqa: ARG001  # the table goes by it
    return PresenceTable(told.extend)


@pytest.fixture
def others(table: PresenceTable) -> PresenceTable:  # noqa: ARG001  # of the same clock
    """Give the table of another process, of which this one hears nothing by itself."""
    return PresenceTable(lambda _: None)


def hear(table: PresenceTable, told: list[str]) -> None:
    for line in told:
        circle_id, _, rest = line.partition(" ")
        table.hear(UUID(circle_id), rest)


def come(table: PresenceTable, evening: Evening, phone_id: UUID, writes: int = 0) -> str:
    return table.enter((*evening.keys, phone_id), writes)


def here(
    table: PresenceTable, evening: Evening, also: UUID | None = None
) -> tuple[PresentPhone, ...]:
    return presence_list(table, *evening.keys, also).present


def seen(table: PresenceTable, evening: Evening) -> set[tuple[UUID, int]]:
    return set(table.phones(*evening.keys).items())


def test_place_lasts_while_its_phone_gives_signs_of_life(
    table: PresenceTable, clock: Clock, evening: Evening
) -> None:
    phone_id = uuid4()
    come(table, evening, phone_id)

    clock.now += presence.LASTS - 1
    table.keep()
    clock.now += presence.LASTS - 1
    assert seen(table, evening) == {(phone_id, 0)}

    clock.now += 2
    assert seen(table, evening) == set()


def test_phone_that_leaves_is_here_for_a_moment_more(
    table: PresenceTable, clock: Clock, evening: Evening
) -> None:
    place = come(table, evening, uuid4(), writes=8)
    table.changed.clear()

    table.leave(place)

    assert table.changed == {evening.circle_id}
    assert [writes for _, writes in seen(table, evening)] == [0]
    clock.now += presence.GRACE + 1
    assert seen(table, evening) == set()


def test_writing_is_over_by_itself(table: PresenceTable, clock: Clock, evening: Evening) -> None:
    phone_id = uuid4()
    come(table, evening, phone_id, writes=8)
    clock.now += presence.LASTS - 1
    table.keep()
    clock.now += presence.WRITES - presence.LASTS
    assert seen(table, evening) == {(phone_id, 8)}

    clock.now += 2

    assert seen(table, evening) == {(phone_id, 0)}


@pytest.mark.parametrize(
    ("saved", "left"),
    [
        pytest.param(8, 0, id="the deal that it writes"),
        pytest.param(9, 0, id="one after it"),
        pytest.param(7, 8, id="one before it"),
    ],
)
def test_writing_is_over_once_the_deal_is_saved_whatever_the_heartbeat_says(
    table: PresenceTable, evening: Evening, saved: int, left: int
) -> None:
    mine, other = uuid4(), uuid4()
    come(table, evening, mine, writes=8)
    come(table, evening, other, writes=8)
    table.changed.clear()

    table.end_writing((*evening.keys, mine), saved)

    assert seen(table, evening) == {(mine, left), (other, 8)}
    assert table.changed == (set() if left else {evening.circle_id})
    table.keep()
    assert seen(table, evening) == {(mine, left), (other, 8)}


def test_page_of_a_process_that_has_not_heard_of_the_save_knows_the_next_deal(
    table: PresenceTable, evening: Evening
) -> None:
    come(table, evening, evening.by.phone_id, writes=8)

    lists = [presence_list(table, *evening.keys, next_number=number) for number in (8, 9)]
    assert [[phone.writes for phone in found.present] for found in lists] == [[8], [0]]


def test_who_hears_of_the_stream_after_the_deal_is_saved_never_says_that_it_is_written(
    table: PresenceTable, others: PresenceTable, told: list[str], evening: Evening, clock: Clock
) -> None:
    phone_id = uuid4()
    others.end_writing((*evening.keys, phone_id), 8)
    come(table, evening, phone_id, writes=8)
    hear(others, told)

    assert seen(others, evening) == {(phone_id, 0)}
    clock.now += presence.LASTS + 1
    others.expire()
    table.keep()
    told.clear()
    come(table, evening, phone_id, writes=8)
    hear(others, told)
    assert seen(others, evening) == {(phone_id, 8)}


def test_other_processes_hear_who_comes_writes_and_goes(
    table: PresenceTable, others: PresenceTable, told: list[str], evening: Evening, clock: Clock
) -> None:
    phone_id = uuid4()
    place = come(table, evening, phone_id, writes=8)
    hear(others, told)
    assert (seen(others, evening), others.changed) == ({(phone_id, 8)}, {evening.circle_id})

    told.clear()
    table.leave(place)
    hear(others, told)

    assert seen(others, evening) == {(phone_id, 0)}
    clock.now += presence.GRACE + 1
    others.changed.clear()
    others.expire()
    assert (seen(others, evening), others.changed) == (set(), {evening.circle_id})


def test_heartbeat_tells_a_process_that_began_later_and_changes_nothing_in_others(
    table: PresenceTable, others: PresenceTable, told: list[str], evening: Evening
) -> None:
    phone_id = uuid4()
    come(table, evening, phone_id)
    hear(others, told)
    others.changed.clear()
    later = PresenceTable(lambda _: None)
    told.clear()

    table.keep()
    hear(others, told)
    hear(later, told)

    assert (others.changed, seen(later, evening)) == (set(), {(phone_id, 0)})


@pytest.mark.parametrize("left", [False, True])
def test_deal_saved_by_another_process_ends_the_writing_and_keeps_nobody_who_has_left(
    table: PresenceTable, told: list[str], evening: Evening, clock: Clock, *, left: bool
) -> None:
    phone_id, answer = uuid4(), list[str]()
    other = PresenceTable(answer.extend)
    place = come(table, evening, phone_id, writes=8)
    hear(other, told)

    other.end_writing((*evening.keys, phone_id), 8)
    if left:
        table.leave(place)
    hear(table, answer)
    table.keep()

    assert seen(table, evening) == {(phone_id, 0)}
    clock.now += presence.GRACE + 1
    assert seen(table, evening) == (set() if left else {(phone_id, 0)})


def test_process_that_saves_a_deal_before_it_hears_of_the_stream_ends_the_writing_everywhere(
    table: PresenceTable, others: PresenceTable, told: list[str], evening: Evening
) -> None:
    phone_id, answer = uuid4(), list[str]()
    saving = PresenceTable(answer.extend)
    come(table, evening, phone_id, writes=8)
    hear(others, told)

    saving.end_writing((*evening.keys, phone_id), 8)
    hear(table, answer)
    hear(others, answer)
    hear(saving, told)
    for each in (table, others):
        assert seen(each, evening) == {(phone_id, 0)}
        assert each.changed == {evening.circle_id}

    assert seen(saving, evening) == {(phone_id, 0)}
    told.clear()
    table.keep()
    hear(saving, told)
    assert seen(saving, evening) == {(phone_id, 0)}


def test_process_leaves_what_it_told_itself(
    table: PresenceTable, told: list[str], evening: Evening
) -> None:
    table.leave(come(table, evening, uuid4(), writes=8))

    hear(table, told[:1])

    assert [writes for _, writes in seen(table, evening)] == [0]


def test_company_is_in_the_order_of_the_phones_with_names_and_the_pen(
    table: PresenceTable, evening: Evening
) -> None:
    bea, wall = evening.let_in(Role.PLAYER, "Bea"), evening.let_in(Role.SPECTATOR)
    come(table, evening, wall.phone_id)
    come(table, evening, bea.phone_id, writes=2)
    come(table, evening, uuid4())

    found = here(table, evening, also=evening.by.phone_id)

    assert [(one.phone, one.player, one.writes) for one in found] == [
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

    (found,) = here(table, evening)

    assert (found.phone_id, found.has_pen, found.writes) == (both[1].phone_id, True, 2)


def test_scorekeeper_passes_the_pen_and_has_it_no_more(
    table: PresenceTable, evening: Evening
) -> None:
    keeper, player = evening.let_in(Role.SCOREKEEPER), evening.let_in(Role.PLAYER, "Bea")
    come(table, evening, player.phone_id)

    pass_pen(table, evening.session_id, player.phone_id, keeper)

    assert roles(evening) == [Role.OWNER, Role.PLAYER, Role.SCOREKEEPER]
    entries = queries.journal.entries_of_table(evening.circle_id, "phone")[-2:]
    assert [(one.kind, UUID(one.key), one.after) for one in entries] == [
        (Kind.ROLE_GIVEN, player.phone_id, {"role": "scorekeeper"}),
        (Kind.ROLE_GIVEN, keeper.phone_id, {"role": "player"}),
    ]
    assert {one.phone_id for one in entries} == {keeper.phone_id}


def roles(evening: Evening) -> list[Role]:
    return [one.role for one in phones(evening.circle_id)]


@pytest.mark.parametrize("role", [Role.OWNER, Role.SCOREKEEPER])
def test_pen_is_taken_back_by_whoever_passed_it(
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


@pytest.mark.parametrize("given", ["taker", "giver"])
def test_pen_is_not_taken_back_once_an_owner_has_given_one_of_them_a_role(
    table: PresenceTable, evening: Evening, given: str
) -> None:
    giver, taker = evening.let_in(Role.SCOREKEEPER), evening.let_in(Role.PLAYER)
    come(table, evening, taker.phone_id)
    pass_pen(table, evening.session_id, taker.phone_id, giver)
    phone_id = (taker if given == "taker" else giver).phone_id
    for role in (Role.SPECTATOR, Role.SCOREKEEPER if given == "taker" else Role.PLAYER):
        give_role(evening.circle_id, phone_id, role, by=evening.by)

    with pytest.raises(RefusedError):
        take_pen_back(evening.session_id, taker.phone_id, giver)

    assert roles(evening) == [Role.OWNER, Role.PLAYER, Role.SCOREKEEPER]


@pytest.mark.parametrize("role", Role)
def test_pen_is_passed_to_a_player_who_is_here_only(
    table: PresenceTable, evening: Evening, role: Role
) -> None:
    other = evening.let_in(role)
    if role is not Role.PLAYER:
        come(table, evening, other.phone_id)

    with pytest.raises(InvalidError) as refused:
        pass_pen(table, evening.session_id, other.phone_id, evening.by)

    code = "not-here" if role is Role.PLAYER else "no-player"
    assert [one.code for one in refused.value.problems] == [code]
    assert roles(evening) == [Role.OWNER, role]


def test_pen_that_was_passed_on_is_not_passed_again(table: PresenceTable, evening: Evening) -> None:
    keeper = evening.let_in(Role.SCOREKEEPER)
    first, second = evening.let_in(Role.PLAYER), evening.let_in(Role.PLAYER)
    come(table, evening, first.phone_id)
    come(table, evening, second.phone_id)
    pass_pen(table, evening.session_id, first.phone_id, keeper)

    with pytest.raises(RefusedError):
        pass_pen(table, evening.session_id, second.phone_id, keeper)

    assert roles(evening) == [Role.OWNER, Role.PLAYER, Role.SCOREKEEPER, Role.PLAYER]


def test_pen_stays_in_the_circle(table: PresenceTable, evening: Evening) -> None:
    other = start()
    player = other.let_in(Role.PLAYER)
    come(table, evening, player.phone_id)

    with pytest.raises(NotFoundError):
        pass_pen(table, evening.session_id, player.phone_id, evening.by)
    with pytest.raises(NotFoundError):
        pass_pen(table, other.session_id, player.phone_id, evening.by)
