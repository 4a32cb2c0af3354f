"""Who is at a session: places in shared memory, the people who have them, and passing the pen."""

import os
from uuid import UUID, uuid4

import pytest

from scorer.errors import InvalidError, NotFoundError, RefusedError
from scorer.services.base.journal import Kind
from scorer.services.base.roles import Holder, Role
from scorer.services.circle import circles, players
from scorer.services.circle.circles import phones
from scorer.services.live import presence
from scorer.services.live.presence import Place, Present, Room, company, pass_pen
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
def room(clock: Clock) -> Room:  # noqa: ARG001  # the room goes by it
    return Room()


@pytest.fixture
def evening() -> Evening:
    return start()


def come(room: Room, evening: Evening, phone_id: UUID, writes: int = 0) -> Place:
    return Place(room, (*evening.keys, phone_id), writes)


def join(evening: Evening, role: Role, name: str = "") -> Holder:
    by = circles.join(circles.make_link(evening.circle_id, "A phone", role), {})
    if not name:
        return by
    found = next(one for one in players.active(evening.circle_id) if one.name == name)
    circles.hold(evening.circle_id, by.phone_id, found.player_id, by=by)
    return circles.holder(evening.circle_id, by.phone_id)


def here(room: Room, evening: Evening, also: UUID | None = None) -> tuple[Present, ...]:
    (mark,) = queries.live.marks(evening.circle_id, [evening.session_id])
    return company(room, evening.circle_id, mark, also).present


def seen(room: Room, evening: Evening) -> set[tuple[UUID, int]]:
    return {(one.phone_id, one.writes) for one in room.seen(*evening.keys)}


def test_place_lasts_while_its_phone_gives_signs_of_life(
    room: Room, clock: Clock, evening: Evening
) -> None:
    phone_id = uuid4()
    place = come(room, evening, phone_id)

    clock.now += presence.LASTS - 1
    place.keep()
    clock.now += presence.LASTS - 1
    assert seen(room, evening) == {(phone_id, 0)}

    clock.now += 2
    assert seen(room, evening) == set()


def test_phone_that_leaves_is_here_for_a_moment_more(
    room: Room, clock: Clock, evening: Evening
) -> None:
    place, before = come(room, evening, uuid4(), writes=8), room.state

    place.leave()

    assert room.state != before
    assert [writes for _, writes in seen(room, evening)] == [0]
    clock.now += presence.GRACE + 1
    assert seen(room, evening) == set()


def test_writing_is_over_by_itself(room: Room, clock: Clock, evening: Evening) -> None:
    phone_id = uuid4()
    place = come(room, evening, phone_id, writes=8)
    clock.now += presence.WRITES - 1
    place.keep()
    assert seen(room, evening) == {(phone_id, 8)}

    clock.now += 2

    assert seen(room, evening) == {(phone_id, 0)}


@pytest.mark.parametrize(
    ("saved", "left"),
    [
        pytest.param(8, 0, id="the deal that it writes"),
        pytest.param(9, 0, id="one after it"),
        pytest.param(7, 8, id="one before it"),
    ],
)
def test_writing_is_over_once_the_deal_is_saved_whatever_the_heartbeat_says(
    room: Room, evening: Evening, saved: int, left: int
) -> None:
    mine, other = uuid4(), uuid4()
    place = come(room, evening, mine, writes=8)
    come(room, evening, other, writes=8)
    before = room.state

    room.end_writing((*evening.keys, mine), saved)

    assert seen(room, evening) == {(mine, left), (other, 8)}
    assert (room.state == before) == bool(left)
    place.keep()
    assert seen(room, evening) == {(mine, left), (other, 8)}


def test_other_sessions_have_others(room: Room, evening: Evening) -> None:
    come(room, evening, uuid4())

    assert list(room.seen(evening.circle_id, uuid4())) == []
    assert list(room.seen(uuid4(), evening.session_id)) == []


def test_workers_of_a_server_share_the_places(room: Room, evening: Evening) -> None:
    phone_id, before = uuid4(), room.state

    child = os.fork()
    if not child:
        come(room, evening, phone_id)
        os._exit(0)
    os.waitpid(child, 0)

    assert room.state != before
    assert seen(room, evening) == {(phone_id, 0)}


def test_who_lost_a_place_to_another_process_takes_another(room: Room, evening: Evening) -> None:
    mine, other = uuid4(), uuid4()
    lost = come(room, evening, mine)
    come(room, evening, other)
    taken = bytearray(room._memory[lost._offset : lost._offset + presence._SIZE])
    taken[32:48], taken[-4:] = other.bytes, bytes(4)
    room.write(lost._offset, bytes(taken))
    assert seen(room, evening) == {(other, 0)}

    lost.leave()
    lost.keep()

    assert seen(room, evening) == {(mine, 0), (other, 0)}


def test_room_that_is_full_shows_who_is_in(
    evening: Evening, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "PLACES", 2)
    room, keys = Room(), [uuid4() for _ in range(3)]
    late = [come(room, evening, key) for key in keys][-1]
    assert seen(room, evening) == {(key, 0) for key in keys[:2]}

    late.leave()
    clock.now += presence.LASTS + 1
    late.keep()

    assert seen(room, evening) == {(keys[2], 0)}


def test_company_is_in_the_order_of_the_phones_with_names_and_the_pen(
    room: Room, evening: Evening
) -> None:
    bea, wall = join(evening, Role.PLAYER, "Bea"), join(evening, Role.SPECTATOR)
    come(room, evening, wall.phone_id)
    come(room, evening, bea.phone_id, writes=2)
    come(room, evening, uuid4())

    found = here(room, evening, also=evening.by.phone_id)

    assert [(one.phone, one.player, one.writes) for one in found] == [
        ("#1", evening.by.player, 0),
        (bea.name, "Bea", 2),
        (wall.name, None, 0),
    ]
    assert [one.has_pen for one in found] == [True, False, False]
    assert [one.can_take_pen for one in found] == [False, True, False]


def test_player_with_two_phones_is_here_once_with_the_pen(room: Room, evening: Evening) -> None:
    both = [join(evening, role, "Bea") for role in (Role.PLAYER, Role.SCOREKEEPER)]
    for phone, writes in zip(both, (2, 0), strict=True):
        come(room, evening, phone.phone_id, writes)
    come(room, evening, both[0].phone_id)

    (found,) = here(room, evening)

    assert (found.phone_id, found.has_pen, found.writes) == (both[1].phone_id, True, 2)


def test_pages_tell_of_so_many_and_count_the_others(
    room: Room, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "SHOWN", 1)
    come(room, evening, evening.by.phone_id)
    come(room, evening, join(evening, Role.PLAYER).phone_id)
    (mark,) = queries.live.marks(evening.circle_id, [evening.session_id])

    found = company(room, evening.circle_id, mark)

    assert ([one.phone for one in found.shown], found.more) == (["#1"], 1)


def test_scorekeeper_passes_the_pen_and_has_it_no_more(room: Room, evening: Evening) -> None:
    keeper, player = join(evening, Role.SCOREKEEPER), join(evening, Role.PLAYER, "Bea")
    come(room, evening, player.phone_id)

    taker = pass_pen(room, evening.session_id, player.phone_id, keeper)

    assert taker.player == "Bea"
    assert roles(evening) == [Role.OWNER, Role.PLAYER, Role.SCOREKEEPER]
    entries = queries.record.entries_about(evening.circle_id, "phone")[-2:]
    assert [(one.kind, UUID(one.key), one.after) for one in entries] == [
        (Kind.ROLE_GIVEN, player.phone_id, {"role": "scorekeeper"}),
        (Kind.ROLE_GIVEN, keeper.phone_id, {"role": "player"}),
    ]
    assert {one.phone_id for one in entries} == {keeper.phone_id}


def test_owner_passes_the_pen_and_stays_an_owner(room: Room, evening: Evening) -> None:
    player = join(evening, Role.PLAYER)
    come(room, evening, player.phone_id)

    pass_pen(room, evening.session_id, player.phone_id, evening.by)

    assert roles(evening) == [Role.OWNER, Role.SCOREKEEPER]


def roles(evening: Evening) -> list[Role]:
    return [one.role for one in phones(evening.circle_id)]


@pytest.mark.parametrize("role", [Role.SPECTATOR, Role.SCOREKEEPER, Role.OWNER])
def test_pen_is_passed_to_a_player_only(room: Room, evening: Evening, role: Role) -> None:
    other = join(evening, role)
    come(room, evening, other.phone_id)

    with pytest.raises(InvalidError) as refused:
        pass_pen(room, evening.session_id, other.phone_id, evening.by)

    assert [one.code for one in refused.value.problems] == ["no-player"]
    assert roles(evening) == [Role.OWNER, role]


def test_pen_is_passed_to_who_is_here_only(room: Room, evening: Evening) -> None:
    player = join(evening, Role.PLAYER)

    with pytest.raises(InvalidError) as refused:
        pass_pen(room, evening.session_id, player.phone_id, evening.by)

    assert [one.code for one in refused.value.problems] == ["not-here"]


def test_pen_that_was_passed_on_is_not_passed_again(room: Room, evening: Evening) -> None:
    keeper = join(evening, Role.SCOREKEEPER)
    first, second = join(evening, Role.PLAYER), join(evening, Role.PLAYER)
    come(room, evening, first.phone_id)
    come(room, evening, second.phone_id)
    pass_pen(room, evening.session_id, first.phone_id, keeper)

    with pytest.raises(RefusedError):
        pass_pen(room, evening.session_id, second.phone_id, keeper)

    assert roles(evening) == [Role.OWNER, Role.PLAYER, Role.SCOREKEEPER, Role.PLAYER]


def test_pen_stays_in_the_circle(room: Room, evening: Evening) -> None:
    other = start()
    player = join(other, Role.PLAYER)
    come(room, evening, player.phone_id)

    with pytest.raises(NotFoundError):
        pass_pen(room, evening.session_id, player.phone_id, evening.by)
    with pytest.raises(NotFoundError):
        pass_pen(room, other.session_id, player.phone_id, evening.by)
