"""Seasons: months that need no name, spans that have one, who stands where in them, awards."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from scorer.errors import NotFoundError
from scorer.services.base import clock
from scorer.services.base.journal import Kind
from scorer.services.figures import seasons
from scorer.services.figures.seasons import NewSeason, calendar, name_season, season_page
from scorer.services.journal.journal_page import journal_page
from scorer.services.journal.verify import circle_findings
from scorer.storage import queries
from tests.refusals import refused
from tests.services.evenings import Evening, sheet, start

OCTOBER, NOVEMBER = (datetime(2026, month, 20, 20, tzinfo=UTC) for month in (10, 11))
WINTER = NewSeason(uuid4(), "Winter", date(2026, 10, 21), date(2027, 1, 31))


@pytest.fixture
def played() -> Iterator[Evening]:
    """Play three deals in October, which Ada wins, and two in November, which Bea wins."""
    with clock.at(OCTOBER):
        first = start()
        for _ in range(3):
            first.record(sheet("Ada", "Ciro"))
    with clock.at(NOVEMBER):
        second = first.again()
        for _ in range(2):
            second.record(sheet("Bea", "Dora"))
        yield second


def keep(played: Evening, new: NewSeason = WINTER) -> None:
    name_season(played.circle_id, new, by=played.by)


def test_months_need_no_name(played: Evening) -> None:
    found = calendar(played.circle_id)

    assert (found.year, list(found.years), list(found.named)) == (2026, [2026], [])
    told = [(one.season.key, list(one.days), [who.player.name for who in one.leaders], one.deals)
            for one in found.months]  # fmt: skip
    assert told == [
        ("2026-11", [(NOVEMBER.date(), 2)], ["Bea"], 2),
        ("2026-10", [(OCTOBER.date(), 3)], ["Ada"], 3),
    ]


def test_season_has_standings_and_awards_of_its_days_alone(played: Evening) -> None:
    keep(played)
    winter = season_page(played.circle_id, str(WINTER.key))
    october = season_page(played.circle_id, "2026-10")

    assert (winter.over, october.over) == (False, True)
    for found, first, deals in ((winter, "Bea", 2), (october, "Ada", 3)):
        assert found.standings
        assert found.standings.best_evening
        best = found.standings.places[0]
        assert (best.player.name, best.deals) == (first, deals)
        assert first in found.standings.best_evening.names
        assert found.most_deals
        assert found.most_deals.figure == deals
        level = [one.player.name for one in found.standings.places if one.deals == deals]
        assert found.most_deals.names == tuple(level)
        assert len(level) > 1
    assert winter.best_pair is None, "two deals together are too few"
    assert october.best_pair
    assert (october.best_pair.made, october.best_pair.deals) == (3, 3)


@pytest.mark.parametrize("key", ["2026-09", "2026-13", "0000-01", "winter!", "x", str(UUID(int=7))])
def test_what_is_no_season_is_not_found(played: Evening, key: str) -> None:
    with pytest.raises(NotFoundError):
        season_page(played.circle_id, key)


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        pytest.param({"name": " "}, "bad-name", id="no name"),
        pytest.param({"name": "x" * 41}, "bad-name", id="long name"),
        pytest.param({"name": "WINTER"}, "duplicate-name", id="a name that is taken"),
        pytest.param({"name": "x", "first": None}, "bad-date", id="no first day"),
        pytest.param({"name": "x", "last": date(2026, 1, 1)}, "bad-date", id="ends before"),
    ],
)
def test_season_that_cannot_be_is_refused(
    played: Evening, changed: dict[str, Any], code: str
) -> None:
    keep(played)
    with refused(code):
        keep(played, NewSeason(**{**asdict(WINTER), "key": uuid4(), **changed}))

    assert len(queries.circle.seasons(played.circle_id)) == 1


def test_same_key_is_the_same_season_and_there_are_no_more_than_there_may_be(
    played: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seasons, "MOST_SEASONS", 1)
    keep(played)
    keep(played)
    with refused("too-many"):
        keep(played, replace(WINTER, key=uuid4(), name="Spring"))
    seasons.drop_season(played.circle_id, WINTER.key, by=played.by)

    told = [line.entry.kind for line in journal_page(played.circle_id, group="names").lines[:2]]
    assert told == [Kind.SEASON_DROPPED, Kind.SEASON_NAMED]
    assert calendar(played.circle_id).named == []
    assert list(circle_findings(played.circle_id)) == []
    with pytest.raises(NotFoundError):
        seasons.drop_season(played.circle_id, WINTER.key, by=played.by)


def test_season_gets_another_name_and_the_journal_knows_it(played: Evening) -> None:
    keep(played)
    other = replace(WINTER, key=uuid4(), name="Spring")
    keep(played, other)

    seasons.rename_season(played.circle_id, WINTER.key, "  Cold  days", by=played.by)
    seasons.rename_season(played.circle_id, WINTER.key, "COLD days", by=played.by)

    assert season_page(played.circle_id, str(WINTER.key)).season.name == "COLD days"
    entry = journal_page(played.circle_id, group="names").lines[1].entry
    assert (entry.kind, entry.before, entry.after) == (
        Kind.RENAMED,
        {"name": "Winter"},
        {"name": "Cold days"},
    )
    for name, code in (("spring", "duplicate-name"), (" ", "bad-name"), ("x" * 41, "bad-name")):
        with refused(code):
            seasons.rename_season(played.circle_id, WINTER.key, name, by=played.by)
    assert list(circle_findings(played.circle_id)) == []
