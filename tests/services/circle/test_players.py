"""Players: renamed, retired, brought back, two names of one person made one; and their marks."""

from dataclasses import replace

import pytest

from scorer.errors import InvalidError, RefusedError
from scorer.roles import Role
from scorer.services.base.journal import Kind
from scorer.services.circle import circles, players
from scorer.services.circle.circles import holder
from scorer.services.circle.players import JoinOrder, marks_of, marks_to_be
from scorer.services.figures.standings import circle_standings
from scorer.services.journal.journal_page import journal_page
from scorer.services.journal.verify import circle_findings
from scorer.storage import queries
from tests.refusals import refused
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import FIVE, Evening, sheet, start


def names(evening: Evening) -> list[str]:
    """Give the names of the circle's players."""
    return [player.name for player in queries.circle.players(evening.circle_id)]


def marks(evening: Evening) -> dict[str, int]:
    """Give the mark of everybody at the table."""
    state = evening.state
    return dict(zip(state.names, state.marks, strict=True))


def test_renamed_player_is_the_same_everywhere_but_in_what_was_written_and_comes_back_to_play(
    evening: Evening,
) -> None:
    ada = evening.players["Ada"]
    circles.hold(evening.circle_id, evening.by.phone_id, ada)
    by_ada = Evening(evening.session_id, holder(evening.circle_id, evening.by.phone_id))
    by_ada.record()

    players.rename(evening.circle_id, ada, "  Adele ")
    players.retire(evening.circle_id, ada)
    evening.again(players=("Adele", *FIVE[1:]))

    assert players.find(evening.circle_id, ada).retired_at is None
    assert queries.session.seats(*evening.keys)[0].name == "Adele"
    assert evening.deal(1).current.written_by == "Ada"
    assert list(circle_findings(evening.circle_id)) == []


@BOTH_ENGINES
def test_two_names_of_one_person_are_merged_with_seats_and_phones(evening: Evening) -> None:
    later = evening.again(players=("Adda", *FIVE[1:]))
    ada, adda = evening.players["Ada"], evening.players["Adda"]
    circles.hold(evening.circle_id, evening.by.phone_id, ada)
    since = players.find(evening.circle_id, ada).created_at
    players.retire(evening.circle_id, adda)
    evening.record()
    later.record(sheet("Adda"))

    players.merge(evening.circle_id, adda, ada)

    merged = players.find(evening.circle_id, adda)
    assert names(evening) == ["Adda", *FIVE[1:]]
    assert [queries.session.seats(*one.keys)[0].player_id for one in (evening, later)] == [
        adda,
        adda,
    ]
    assert holder(evening.circle_id, evening.by.phone_id).player == "Adda"
    assert (merged.created_at, merged.retired_at) == (since, None)
    assert list(circle_findings(evening.circle_id)) == []


LATER = ("Adda", "Fulvia", "Beata", "Gino", "Lia")


@pytest.mark.parametrize(
    "merges",
    [
        pytest.param([("Ada", "Adda")], id="the later goes"),
        pytest.param([("Adda", "Ada"), ("Bea", "Beata")], id="two, the first one first"),
        pytest.param([("Ezio", "Adda"), ("Fulvia", "Dora")], id="neighbours, then one of them"),
    ],
)
def test_marks_of_everybody_else_stay_when_two_are_merged(
    evening: Evening, merges: list[tuple[str, str]]
) -> None:
    later = evening.again(players=LATER)
    both = {name for pair in merges for name in pair}
    before = {**marks(evening), **marks(later)}

    for stays, goes in merges:
        players.merge(evening.circle_id, evening.players[stays], evening.players[goes])

    after = {**marks(evening), **marks(later)}
    assert {name: mark for name, mark in after.items() if name not in both} == {
        name: mark for name, mark in before.items() if name not in both
    }
    assert {stays: after[stays] for stays, _ in merges} == {
        stays: min(before[stays], before[goes]) for stays, goes in merges
    }


def test_new_player_gets_the_mark_that_the_form_shows_after_a_merge(evening: Evening) -> None:
    evening.again(players=LATER)
    players.merge(evening.circle_id, evening.players["Ezio"], evening.players["Lia"])
    people = ("Zeno", "Ada", "Gino", "Bea", "Ciro")

    shown = players.marks_to_be(people, players.join_order(evening.circle_id))

    assert dict(zip(people, shown, strict=True)) == marks(evening.again(players=people))


def test_two_who_sat_at_one_table_are_two_people() -> None:
    evening = start(title="Friday")
    evening.again(title="The last time")
    before = names(evening)

    with pytest.raises(InvalidError) as error:
        players.merge(evening.circle_id, evening.players["Ada"], evening.players["Bea"])

    (problem,) = error.value.problems
    assert problem.code == "both-seated"
    assert "The last time" in str(problem.message)
    assert names(evening) == before
    with refused("same-player"):
        players.merge(evening.circle_id, evening.players["Ada"], evening.players["Ada"])


def test_nickname_is_kept_shown_and_in_the_journal(evening: Evening) -> None:
    evening.record()
    ada, bea = (one.player_id for one in players.everybody(evening.circle_id)[:2])
    players.set_nickname(evening.circle_id, ada, "  the   Fox ", by=evening.by)

    assert players.find(evening.circle_id, ada).nickname == "the Fox"
    found = circle_standings(evening.circle_id, "", None, None)
    assert found
    assert {one.player.nickname for one in found.places} == {"the Fox", ""}
    line = journal_page(evening.circle_id, group="names").lines[0]
    assert line.entry.kind == Kind.NICKNAMED
    assert [one.new for one in line.changes] == ["the Fox"]
    with pytest.raises(InvalidError):
        players.set_nickname(evening.circle_id, bea, "x" * 21, by=evening.by)
    assert list(circle_findings(evening.circle_id)) == []


def test_nickname_is_for_an_owner_or_oneself_to_choose_and_goes_with_who_is_merged(
    evening: Evening,
) -> None:
    evening.again(players=("Gino", *FIVE[1:]))
    ada, bea, gino = (evening.players[name] for name in ("Ada", "Bea", "Gino"))
    hers = replace(evening.by, role=Role.PLAYER, player_id=bea)
    players.set_nickname(evening.circle_id, bea, "the Bee", by=hers)
    watching = replace(hers, role=Role.SPECTATOR)
    for whose, by in ((ada, hers), (bea, watching)):
        with pytest.raises(RefusedError):
            players.set_nickname(evening.circle_id, whose, "the Ox", by=by)

    players.set_nickname(evening.circle_id, gino, "the Ox", by=evening.by)
    players.merge(evening.circle_id, ada, gino, by=evening.by)

    assert players.find(evening.circle_id, ada).nickname == "the Ox"
    assert list(circle_findings(evening.circle_id)) == []


def sits(place: int, joined: int = 0) -> tuple[int, int]:
    return joined, place


@pytest.mark.parametrize(
    ("seats", "marks"),
    [
        pytest.param([], (), id="nobody"),
        pytest.param([sits(0), sits(1), sits(2)], (0, 1, 2), id="the first session"),
        pytest.param([sits(2), sits(7), sits(0)], (2, 7, 0), id="others, in another order"),
        pytest.param([sits(0), sits(10)], (0, 1), id="the eleventh has the next free one"),
        pytest.param([sits(10), sits(0)], (1, 0), id="wherever they sit"),
        pytest.param([sits(10), sits(1)], (0, 1), id="the eleventh without the first"),
        pytest.param([sits(10), sits(11), sits(0)], (1, 2, 0), id="two of them"),
        pytest.param([sits(10), sits(0, joined=4)], (0, 1), id="a guest takes none away"),
        pytest.param([sits(9), sits(19)], (9, 0), id="after the last comes the first"),
        pytest.param([sits(10 * seat) for seat in range(10)], (*range(10),), id="ten have ten"),
    ],
)
def test_mark_is_that_of_the_player(seats: list[tuple[int, int]], marks: tuple[int, ...]) -> None:
    assert marks_of(seats) == marks


def test_who_is_new_comes_after_those_who_are_there() -> None:
    order = JoinOrder({"ada": 0, "bea": 1}, 2)

    assert marks_to_be(["Fede", "BEA", "", "Ada"], order) == (2, 1, 3, 0)
