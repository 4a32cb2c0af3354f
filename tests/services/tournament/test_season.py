"""The tournaments of a season: which are in it, and what they sum to."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from scorer.errors import NotFoundError
from scorer.services.base import clock
from scorer.services.base.journal import Kind
from scorer.services.figures.seasons import (
    NewSeason,
    find_season,
    name_season,
    season_page,
    set_season_points,
)
from scorer.services.journal.journal_page import journal_page
from scorer.services.journal.verify import circle_findings
from scorer.services.tournament.season import TournamentSeason, tournament_seasons
from scorer.services.tournament.tournaments import tournaments
from scorer.tournaments.acts import (
    CloseTournament,
    ReopenTournament,
    Substitute,
    TournamentAct,
    WriteScores,
)
from tests.refusals import refused
from tests.services.evenings import Evening
from tests.services.tournaments import PAIRS, Directed

OCTOBER, NOVEMBER = (datetime(2026, month, 20, 20, tzinfo=UTC) for month in (10, 11))
ROUND_ROBIN = {"plan": {"kind": "round-robin", "rounds": 1}, "ties": ["difference"]}


def played(evening: Evening, moment: datetime = OCTOBER, *acts: TournamentAct) -> Directed:
    """Hold a tournament of one turn, in which the first pair wins by more than the third."""
    with clock.at(moment):
        club = Directed(evening.by, PAIRS, settings=ROUND_ROBIN)
        club.publish()
        club.play(1, 1, (71, 49))
        club.play(1, 2, (70, 50))
        for act in (*acts, CloseTournament()):
            club.do(act)
    return club


def season_of(evening: Evening, key: str = "2026-10") -> list[TournamentSeason]:
    return tournament_seasons(evening.circle_id, find_season(evening.circle_id, key))


def totals(season: TournamentSeason) -> dict[str, tuple[int, int, int]]:
    """Give the place, the points and the presences of each by name."""
    return {
        season.names[total.person]: (total.place, total.points, total.presences)
        for total in season.totals
    }


def test_season_has_the_places_that_the_pages_of_its_tournaments_show(evening: Evening) -> None:
    first, second = played(evening), played(evening)
    played(evening, NOVEMBER)
    (season,) = season_of(evening)

    standings = first.stored.evening.state.standings
    known = first.stored.evening.by_id
    shown = {person: row.place for row in standings for person in known[row.entry].people}
    of_first = {season.names[who]: place for who, place in season.tournaments[0].places.items()}
    assert of_first == shown
    assert {one.tournament_id for one in season.tournaments} == {first.key[1], second.key[1]}
    assert set(shown.values()) == {1, 2, 3, 4}
    points = {1: 10, 2: 8, 3: 6, 4: 4}
    assert {name: total[1:] for name, total in totals(season).items()} == {
        name: (points[place], 2) for name, place in shown.items()
    }


def test_season_counts_substitutes_and_what_is_taken_up_again_or_won_by_hand(
    evening: Evening,
) -> None:
    club = played(evening, OCTOBER, Substitute(entry=1, people=("Zed", "Bea")))
    (before,) = season_of(evening)
    of_all = totals(before)
    assert of_all["Ada"][1:] == (0, 1)  # who was replaced was there
    assert of_all["Zed"] == of_all["Bea"]
    assert of_all["Zed"][1] > 0
    (winner,) = (row.entry for row in club.stored.evening.state.standings if row.place == 1)
    club.do(ReopenTournament())
    assert season_of(evening) == []
    sides = club.stored.evening.turns[0].tables
    table = next(number for number, one in enumerate(sides, 1) if winner in one.entries)
    scores = tuple(int(winner not in side) for side in sides[table - 1].sides)
    club.do(WriteScores(turn=1, table=table, scores=scores))
    club.do(CloseTournament())
    (after,) = season_of(evening)

    won = {name for name, total in totals(before).items() if total[0] == 1}
    assert won == {*club.stored.evening.by_id[winner].people}
    assert not won & {name for name, total in totals(after).items() if total[0] == 1}


def test_owner_says_what_places_are_worth_and_how_many_count(evening: Evening) -> None:
    played(evening)
    played(evening)
    new = NewSeason(uuid4(), "Autumn", OCTOBER.date(), NOVEMBER.date())
    name_season(evening.circle_id, new, by=evening.by)
    key = evening.circle_id, new.key
    for values, best in (((), 1), ((3, None), 1), ((1_001,), 1), ((3, -1), None), ((3,), 0)):
        with refused("out-of-range"):
            set_season_points(*key, values, best, by=evening.by)

    set_season_points(*key, (30, 20, 10), 1, by=evening.by)

    (season,) = season_of(evening, str(new.key))
    assert sorted({total[:2] for total in totals(season).values()}) == [(1, 30), (3, 20), (5, 10)]
    assert season_page(evening.circle_id, str(new.key)).season.points.best == 1
    told = journal_page(evening.circle_id, group="names").lines[0].entry
    assert told.kind == Kind.SEASON_POINTS_SET
    assert list(circle_findings(evening.circle_id)) == []
    with pytest.raises(NotFoundError):
        set_season_points(evening.circle_id, UUID(int=1), (1,), None, by=evening.by)
    assert len(tournaments(evening.circle_id)) == 2
