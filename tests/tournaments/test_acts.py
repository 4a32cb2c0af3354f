"""What is done to a tournament: what it is then, and what is refused."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import ConflictError, InvalidError
from scorer.operations import tournament
from scorer.rules.questions import Reading, read
from scorer.tournaments.acts import (
    TOURNAMENT_ACTS,
    AddEntry,
    CloseTournament,
    DrawTurn,
    Forfeit,
    Penalise,
    PlanSettings,
    PublishTurn,
    ReopenTournament,
    ReturnEntry,
    SetPlan,
    SetPrizes,
    Substitute,
    TournamentAct,
    WithdrawEntry,
    WriteScores,
)
from scorer.tournaments.club import ClubEvening, Penalty, PlayedTable, TurnTime
from tests.data.strategies import examples
from tests.refusals import refused

NAMES = ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fulvia", "Gino", "Ines", "Lea", "Mara")


def evening(count: int = 4, people: int = 1, **settings: Any) -> ClubEvening:
    """Give a tournament before its first turn, with so many entries."""
    plan = {"kind": "danish", "repeat": "never", **settings.pop("plan", {})}
    said = {"plan": plan, "ties": ["difference", "lot"], **settings}
    club = ClubEvening(name="Tuesday", game="briscola", rules={}, settings=said, people=people)
    for entry in range(count):
        names = NAMES[entry * people : (entry + 1) * people]
        club = AddEntry(people=names).do(club)
    return club


def published(club: ClubEvening, turn: int = 1) -> ClubEvening:
    drawn = DrawTurn(turn=turn, log="the log").do(club)
    assert drawn.drawn is not None
    return PublishTurn(turn=turn, drawn=drawn.drawn.drawn).do(drawn)


def played(club: ClubEvening, turn: int = 1) -> ClubEvening:
    """Publish a turn, in which the first side of each table wins by its number."""
    club = published(club, turn)
    for number in range(1, len(club.turns[-1].tables) + 1):
        club = WriteScores(turn=turn, table=number, scores=(60 + number, 0)).do(club)
    return club


TURN_ACTS: dict[str, Callable[[int], TournamentAct]] = {
    "draw": lambda turn: DrawTurn(turn=turn),
    "publish": lambda turn: PublishTurn(turn=turn, drawn=2),
    "scores": lambda turn: WriteScores(turn=turn, table=1, scores=(1, 0)),
    "forfeit": lambda turn: Forfeit(turn=turn, table=1, entry=1),
    "penalise": lambda turn: Penalise(turn=turn, entry=1, points=1, reason="Late"),
}
OTHER_ACTS = {
    "enter": AddEntry(people=("Zed",)),
    "withdraw": WithdrawEntry(entry=1),
    "return": ReturnEntry(entry=4),
    "substitute": Substitute(entry=1, people=("Zed",)),
    "prizes": SetPrizes(prizes=("1. A ham",)),
    "close": CloseTournament(),
    "reopen": ReopenTournament(),
}


@pytest.fixture(scope="module")
def third_turn_drawn() -> ClubEvening:
    """Give a tournament of round robin whose third turn is drawn again, without entry 4."""
    club = evening(6, plan={"kind": "round-robin"})
    club = WithdrawEntry(entry=4).do(played(played(club), 2))
    return DrawTurn(turn=3, again=True).do(DrawTurn(turn=3).do(club))


@pytest.mark.parametrize("name", [*TURN_ACTS])
@pytest.mark.parametrize(("turn", "time"), [*enumerate(TurnTime, 1)])
def test_act_on_a_turn_is_done_when_the_table_says(
    name: str, turn: int, time: TurnTime, third_turn_drawn: ClubEvening
) -> None:
    done = True
    try:
        TURN_ACTS[name](turn).do(third_turn_drawn)
    except (ConflictError, InvalidError):
        done = False

    assert third_turn_drawn.time_of(turn) is time
    assert done == (time in TOURNAMENT_ACTS[name].times)


@pytest.mark.parametrize("name", [*OTHER_ACTS])
def test_other_acts_leave_turns_that_were_published(
    name: str, third_turn_drawn: ClubEvening
) -> None:
    before = replace(third_turn_drawn, over=name == "reopen")

    after = OTHER_ACTS[name].do(before)

    assert after != before
    assert after.published == before.published
    assert (after.entries != before.entries) == (TOURNAMENT_ACTS[name].times == (TurnTime.NEXT,))


def test_prizes_are_lines_that_can_be_named_after_the_end(third_turn_drawn: ClubEvening) -> None:
    over = replace(third_turn_drawn, over=True)

    club = SetPrizes(prizes=(" 1.  A ham ", "", "The youngest: Ada")).do(over)

    assert club.prizes == ("1. A ham", "The youngest: Ada")
    assert SetPrizes(prizes=club.prizes).do(club) is club
    for prizes in (("x" * 201,), ("x",) * 31):
        with refused("too-long"):
            SetPrizes(prizes=prizes).do(over)


def test_entries_are_numbered_and_named_by_their_people() -> None:
    club = evening(2, people=2)

    assert [(entry.id, entry.name) for entry in club.entries] == [
        ("1", "Ada, Bea"),
        ("2", "Ciro, Dora"),
    ]
    assert club.entry_of("DORA") is club.entries[1]
    assert club.entry_of("Zed") is None


def test_lots_are_drawn_by_a_seed_that_anybody_computes_from_the_file() -> None:
    club = DrawTurn(turn=1, log="the log").do(evening(8, plan={"draw": "lot"}))
    again = DrawTurn(turn=1, log="another log", again=True).do(club)

    assert club.drawn is not None
    answer = tournament(club.document)
    assert [[list(side) for side in table.sides] for table in club.drawn.tables] == [
        [[entry] for entry in table["sides"]] for table in answer["next"]["tables"]
    ]
    assert again.drawn is not None
    assert again.drawn.drawn == 2
    assert again.seed != club.seed
    assert DrawTurn(turn=1, log="a third one").do(club) is club


def test_draw_that_nobody_looked_at_is_not_published() -> None:
    drawn = DrawTurn(turn=1).do(evening())
    again = DrawTurn(turn=1, again=True).do(drawn)

    with pytest.raises(ConflictError):
        PublishTurn(turn=1, drawn=1).do(again)
    with pytest.raises(ConflictError):
        PublishTurn(turn=2, drawn=1).do(again)
    club = PublishTurn(turn=1, drawn=2).do(again)
    assert PublishTurn(turn=1, drawn=2).do(club) is club
    with pytest.raises(ConflictError):
        DrawTurn(turn=1).do(club)


def test_next_turn_waits_for_every_table_by_hand_or_as_it_was_played() -> None:
    club = published(evening())
    club = WriteScores(turn=1, table=1, scores=(70, 50)).do(club)

    assert club.open_tables == [2]
    with refused("tables-open"):
        DrawTurn(turn=2).do(club)
    still = replace(club, played={(1, 2): PlayedTable((30, 20), over=False, session="s")})
    assert still.open_tables == [2]
    over = replace(club, played={(1, 2): PlayedTable((30, 20), over=True, session="s")})
    assert over.open_tables == []
    assert over.document["rounds"][0]["tables"][1]["session"] == "s"
    assert published(over, 2).document["rounds"][0]["tables"][1]["scores"] == [30, 20]


def test_session_that_is_taken_up_in_a_turn_that_is_over_counts_as_it_stands() -> None:
    club = published(evening())
    club = WriteScores(turn=1, table=1, scores=(70, 50)).do(club)
    over = replace(club, played={(1, 2): PlayedTable((30, 20), over=True)})
    later = replace(published(over, 2), played={(1, 2): PlayedTable((30, 40), over=False)})

    assert later.scores(1, 2) == (30, 40)
    assert later.problems == []


def test_turn_is_no_longer_drawn_once_somebody_comes_or_goes() -> None:
    drawn = DrawTurn(turn=1).do(evening())

    assert AddEntry(people=("Zed",)).do(drawn).drawn is None
    gone = WithdrawEntry(entry=4).do(drawn)
    assert gone.drawn is None
    assert len(gone.entries) == 3


def test_late_entry_and_withdrawal_hold_from_the_next_turn_on() -> None:
    club = played(evening())
    late = AddEntry(people=("Zed",)).do(club)
    less = WithdrawEntry(entry=1).do(late)

    assert (less.entries[0].withdrawn, less.entries[-1].first) == (2, 2)
    assert less.document["entries"][0]["withdrawn"] == less.document["entries"][-1]["from"] == 2
    assert WithdrawEntry(entry=1).do(less) is less
    back = ReturnEntry(entry=1).do(less)
    assert back.entries[0].withdrawn is None
    assert ReturnEntry(entry=1).do(back) is back
    assert {"1", "5"} <= {e for t in published(back, 2).turns[1].tables for e in t.entries} | {
        *published(back, 2).turns[1].byes
    }
    with refused("too-late"):
        ReturnEntry(entry=1).do(published(less, 2))


def test_others_play_on_for_an_entry() -> None:
    club = Substitute(entry=1, people=("Zed", "Bea")).do(evening(2, people=2))

    assert club.entries[0].people == ("Zed", "Bea")
    with refused("entry-twice"):
        Substitute(entry=1, people=("Ciro", "Bea")).do(club)


def with_people(club: ClubEvening, turn: int, *tables: str) -> ClubEvening:
    """Say who sat at the tables of a turn: ``Ada Bea-Zed Dora``."""
    people = [tuple(tuple(side.split()) for side in table.split("-")) for table in tables]
    seated = {
        (turn, number): PlayedTable((0, 0), over=True, people=sides)
        for number, sides in enumerate(people, 1)
    }
    return replace(club, played={**club.played, **seated})


def test_singles_stand_by_the_tables_at_which_they_sat() -> None:
    club = evening(3, people=2, plan={"kind": "round-robin"}, bye={"points": 1})
    club = published(club)
    (table,), (bye,) = club.turns[0].tables, club.turns[0].byes
    club = WriteScores(turn=1, table=1, scores=(60, 0)).do(club)
    winners, losers = club.people_at(table.sides)
    assert club.seated(1, 1) == [winners, losers]
    club = with_people(club, 1, f"{' '.join(winners)}-{' '.join(losers)}")
    club = Substitute(entry=int(table.entries[0]), people=("Zed", winners[1])).do(club)
    club = Penalise(turn=1, entry=int(table.entries[1]), points=2, reason="Late").do(club)
    resting = club.by_id[bye].people

    assert club.seated(1, 1) == [winners, losers]
    places = {row.entry: (row.place, row.points, row.played) for row in club.singles}
    assert places == {
        **dict.fromkeys(winners, (1, 3, 1)),
        **dict.fromkeys(resting, (3, 1, 0)),
        "Zed": (5, 0, 0),
        **dict.fromkeys(losers, (6, -2, 1)),
    }
    gave_up = Forfeit(turn=1, table=1, entry=int(table.entries[0])).do(club)
    assert [row.entry for row in gave_up.singles if row.wins] == losers


@pytest.mark.parametrize(
    "club",
    [
        pytest.param(lambda: evening(4), id="everybody plays alone"),
        pytest.param(lambda: evening(4, people=2, plan={"kind": "knockout"}), id="knockout"),
        pytest.param(lambda: evening(1, people=2, plan={"kind": "?"}), id="no plan"),
    ],
)
def test_singles_stand_nowhere_of_their_own(club: Callable[[], ClubEvening]) -> None:
    assert club().singles == []


def test_forfeit_gives_the_table_to_the_other_side() -> None:
    club = published(evening(2))
    loser, winner = club.turns[0].tables[0].entries
    club = Forfeit(turn=1, table=1, entry=int(loser)).do(club)

    assert club.open_tables == []
    assert club.document["rounds"][0]["tables"][0]["forfeit"] == loser
    assert club.state.standings[0].entry == winner
    assert WriteScores(turn=1, table=1).do(club).open_tables == [1]


def test_penalty_takes_points_off_and_is_taken_back() -> None:
    club = Penalise(turn=1, entry=1, points=2, reason=" Late ").do(played(evening()))

    assert club.turns[0].penalties == {1: Penalty(2, "Late")}
    assert club.document["rounds"][0]["penalty"] == {"1": 2}
    assert Penalise(turn=1, entry=1, points=0, reason="Not late").do(club).turns[0].penalties == {}


def test_draw_is_not_published_while_a_table_plays_again() -> None:
    drawn = DrawTurn(turn=2).do(played(evening()))
    again = WriteScores(turn=1, table=2).do(drawn)

    with refused("tables-open"):
        PublishTurn(turn=2, drawn=1).do(again)


def test_tournament_ends_once_no_table_plays_and_goes_on_again() -> None:
    club = published(evening())
    with refused("tables-open"):
        CloseTournament().do(club)

    over = CloseTournament().do(DrawTurn(turn=2).do(played(evening())))

    assert (over.over, over.drawn) == (True, None)
    assert CloseTournament().do(over) is over
    with refused("tournament-over"):
        AddEntry(people=("Zed",)).do(over)
    assert not ReopenTournament().do(over).over


def test_seats_of_two_pairs_cross_and_partners_of_an_individual_turn_too() -> None:
    pairs, single = published(evening(2, people=2)), evening(8, plan={"kind": "individual"})
    alone = published(single)
    sides = alone.turns[0].tables[0].sides

    assert pairs.seats_at(pairs.turns[0].tables[0].sides) == ["Ada", "Ciro", "Bea", "Dora"]
    (one, partner), (other, third) = alone.people_at(sides)
    assert alone.seats_at(sides) == [one, other, partner, third]
    assert alone.document["rounds"][0]["tables"][0]["sides"] == [list(side) for side in sides]


def test_plan_is_another_one_until_the_first_turn_is_published() -> None:
    other = SetPlan(settings=PlanSettings(plan={"kind": "round-robin"}))
    club = other.do(DrawTurn(turn=1).do(evening()))

    assert (club.kind, club.drawn, club.state.fits) == ("round-robin", None, 3)
    assert club.settings["ties"] == ["difference", "lot"]
    with refused("too-late"):
        other.do(published(club))


@pytest.mark.parametrize("settings", [[], {"entries": []}, 5, None])
def test_settings_are_keys_of_the_plan_only(settings: Any) -> None:
    reading = Reading()

    assert read(SetPlan, {"settings": settings}, reading, "") is None
    assert reading.problems


def knockout() -> ClubEvening:
    return published(evening(plan={"kind": "knockout"}))


REFUSED: list[tuple[Callable[[], ClubEvening], TournamentAct, str]] = [
    (knockout, WriteScores(turn=1, table=1, scores=(60, 60)), "needs-a-winner"),
    (knockout, AddEntry(people=("Zed",)), "too-late"),
    (evening, AddEntry(people=("Ada",)), "entry-twice"),
    (evening, AddEntry(people=("Zed", "Zoe")), "people-count"),
    (lambda: evening(2, people=2), AddEntry(people=("Zed",)), "people-count"),
    (evening, AddEntry(people=("",)), "bad-name"),
    (evening, WithdrawEntry(entry=9), "unknown-entry"),
    (lambda: evening(2), WithdrawEntry(entry=1), "too-few"),
    (lambda: evening(1), DrawTurn(turn=1), "too-few"),
    (lambda: played(evening(2, plan={"rounds": 1})), DrawTurn(turn=2), "tournament-finished"),
    (evening, SetPlan(settings=PlanSettings(plan={"kind": "x"})), "unknown-plan"),
    (evening, SetPlan(settings=PlanSettings(plan=5)), "wrong-type"),
    (evening, WriteScores(turn=1, table=1, scores=(1, 0)), "wrong-table"),
    (lambda: published(evening()), WriteScores(turn=1, table=3, scores=(1, 0)), "wrong-table"),
    (lambda: published(evening()), WriteScores(turn=1, table=1, scores=(1,)), "missing-scores"),
    (lambda: published(evening()), Forfeit(turn=1, table=1, entry=9), "wrong-table"),
    (evening, Penalise(turn=1, entry=1, points=1, reason="late"), "wrong-turn"),
    (evening, Penalise(turn=1, entry=1, points=1, reason=""), "no-reason"),
]


@pytest.mark.parametrize(("club", "act", "wanted"), REFUSED)
def test_act_is_refused(club: Callable[[], ClubEvening], act: TournamentAct, wanted: str) -> None:
    with refused(wanted):
        act.do(club())


ANY_ACT = st.one_of(
    st.builds(AddEntry, people=st.tuples(st.sampled_from(NAMES))),
    *(st.builds(act, entry=st.integers(1, 6)) for act in (WithdrawEntry, ReturnEntry)),
    st.builds(DrawTurn, turn=st.integers(1, 4), again=st.booleans(), log=st.sampled_from("ab")),
    st.builds(PublishTurn, turn=st.integers(1, 4), drawn=st.integers(1, 2)),
    st.builds(
        WriteScores,
        turn=st.integers(1, 4),
        table=st.integers(1, 3),
        scores=st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9)),
    ),
    st.builds(Forfeit, turn=st.integers(1, 4), table=st.integers(1, 3), entry=st.integers(1, 6)),
    st.builds(CloseTournament),
    st.builds(ReopenTournament),
)


@examples(100)
@given(st.sampled_from(["danish", "mitchell", "round-robin"]), st.lists(ANY_ACT, max_size=40))
def test_whatever_is_done_leaves_a_document_that_can_be_read(
    kind: str, acts: list[TournamentAct]
) -> None:
    club = evening(plan={"kind": kind})
    for act in acts:
        with suppress(ConflictError, InvalidError):
            club = act.do(club)
    answer = tournament(club.document)

    assert {problem["code"] for problem in answer["problems"]} <= {"too-few", "missing-scores"}
    assert all(turn.published for turn in club.turns[:-1])


def test_every_act_has_an_example_here_a_name_of_its_own_and_words() -> None:
    lacking = TOURNAMENT_ACTS.keys() - {*TURN_ACTS, *OTHER_ACTS, SetPlan.name}
    assert not lacking, "how they are done is a row of TURN_ACTS or OTHER_ACTS above"
    assert len({act.noted for act in TOURNAMENT_ACTS.values()}) == len(TOURNAMENT_ACTS)
    assert all(act.done.template and act.subjects for act in TOURNAMENT_ACTS.values())
