"""The figures of players: what anybody would count who went through all the sheets."""

from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from scorer.games import find_game
from scorer.ledger.records import DealSearch, DealStatistics, DealTally
from scorer.services.base import clock
from scorer.services.deals.history import find_deals
from scorer.services.figures.figures import (
    CircleFigures,
    PlayerFigures,
    SessionFigures,
    circle_figures,
    summaries,
)
from scorer.services.figures.standings import circle_standings
from scorer.storage.queries.circle import CircleHeads
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import Evening, examples, players_of, sheet, start
from tests.services.years import Fact, facts, play

GAME = "briscola-chiamata"
NO_HEADS = CircleHeads("", "", "")
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
Counted = tuple[int, int, int]


def counted(deals: list[Fact], name: str) -> Counted:
    """Count deals, how many were made, and what they paid somebody."""
    made = sum(fact.made is True for fact in deals)
    return len(deals), made, sum(fact.payouts[name] for fact in deals)


def figure(tally: DealTally) -> Counted:
    """Give the figures of a tally."""
    return tally.deals, tally.made, tally.points


def flow_by_hand(deals: list[Fact], name: str) -> dict[str, tuple[int, Fraction]]:
    """Share every deal's losses out among its winners, and add up what went to and from one."""
    points: defaultdict[str, Fraction] = defaultdict(Fraction)
    number: Counter[str] = Counter()
    for fact in deals:
        if sum(fact.payouts.values()) != 0:
            continue
        won = sum(points for points in fact.payouts.values() if points > 0)
        for other, theirs in fact.payouts.items():
            mine = fact.payouts[name]
            if mine * theirs < 0:
                size = Fraction(abs(mine * theirs), won)
                points[other] += size if mine > 0 else -size
                number[other] += 1
    return {other: (number[other], points[other]) for other in number}


def check(lifetime: PlayerFigures, played: list[Fact], name: str, known: dict[str, UUID]) -> None:
    """Compare the figures of one player with what is counted by hand."""
    record, names = lifetime.record, {key: who for who, key in known.items()}
    roles = {fact.role(name) if fact.outcome == "played" else "penalty" for fact in played}

    assert figure(record.everything) == counted(played, name)
    assert set(record.parts) == roles
    for role in roles - {"penalty"}:
        of_role = [f for f in played if f.outcome == "played" and f.role(name) == role]
        assert figure(record.parts[role]) == counted(of_role, name)
    calls = [fact for fact in played if fact.bid and fact.sheet["caller"] == name]
    assert set(record.bids) == {fact.bid for fact in calls}
    for bid, tally in record.bids.items():
        assert figure(tally) == counted([fact for fact in calls if fact.bid == bid], name)
    for key, tally in record.partners.items():
        together = [fact for fact in calls if fact.sheet["partner"] == names[key]]
        assert figure(tally) == counted(together, name)
    for key, tally in record.callers.items():
        theirs = [
            f
            for f in played
            if f.bid and f.sheet["caller"] == names[key] and f.sheet["partner"] == name
        ]
        assert figure(tally) == counted(theirs, name)
    flow = {names[key]: (one.deals, one.points) for key, one in record.flow.items()}
    assert flow == flow_by_hand(played, name)
    assert record.unbalanced == sum(sum(fact.payouts.values()) != 0 for fact in played)
    keys = dict.fromkeys((fact.day, fact.session_id) for fact in played)
    assert [(str(one.day), one.points, one.deals) for one in lifetime.evenings] == [
        (
            day,
            sum(f.payouts[name] for f in played if f.session_id == key),
            sum(f.session_id == key for f in played),
        )
        for day, key in keys
    ]
    assert [made for _, made in lifetime.calls] == [fact.made for fact in calls]
    best = max(map(len, "".join("#" if f.made else " " for f in calls).split()), default=0)
    assert (lifetime.run.length if lifetime.run else 0) == (best if best > 1 else 0)


@BOTH_ENGINES
@examples(12)
@given(data=st.data())
def test_figures_are_those_of_all_the_sheets(data: st.DataObject) -> None:
    circle_id = play(data)
    known, everything = players_of(circle_id), facts(circle_id)[::-1]

    found = circle_figures(circle_id)

    paid = {name for fact in everything if fact.stands for name in fact.payouts}
    assert found.players(GAME) == {known[name] for name in paid}
    for name in paid:
        played = [fact for fact in everything if fact.stands and name in fact.payouts]
        check(found.lifetime(GAME, known[name]), played, name, known)


@examples(6)
@given(data=st.data())
def test_every_figure_rests_on_the_deals_that_its_link_finds(data: st.DataObject) -> None:
    circle_id = play(data)
    found = circle_figures(circle_id)

    def number(**asked: object) -> int | None:
        return find_deals(circle_id, DealSearch(**asked)).count  # type: ignore[arg-type]  # any of them

    for player in found.players(GAME):
        record = found.lifetime(GAME, player).record
        assert number(player=player, state="stands") == record.everything.deals
        for part in ("caller", "alone", "partner", "defender"):
            assert number(player=player, role=part) == (
                record.parts[part].deals if part in record.parts else 0
            )
        for bid, tally in record.bids.items():
            assert number(player=player, role="calls", bids=(bid,)) == tally.deals
        for who, tally in record.partners.items():
            pair = {"role": "caller", "other": who, "other_role": "partner"}
            assert number(player=player, **pair) == tally.deals
        for who, flow in record.flow.items():
            assert number(player=player, other=who, other_role="against") == flow.deals


def test_only_what_was_written_to_is_added_up_again(evening: Evening) -> None:
    evening.record()
    later = evening.again()
    later.record()
    first = circle_figures(evening.circle_id)
    same = circle_figures(evening.circle_id)
    later.record()
    after = circle_figures(evening.circle_id)

    assert same is first
    pairs = zip(first.sessions.values(), after.sessions.values(), strict=True)
    assert [one is other for one, other in pairs] == [True, False]


def test_longest_run_of_calls_goes_over_evenings(evening: Evening) -> None:
    for points in (40, 70):
        evening.record(sheet("Ada", "Bea", points))
    later = evening.again()
    later.record(sheet("Bea", "Ada", 40))
    for points in (70, 80, 40, 70):
        later.record(sheet("Ada", "Bea", points))

    run = circle_figures(evening.circle_id).lifetime(GAME, evening.players["Ada"]).run

    assert run is not None
    assert run.length == 3
    assert (run.first.session_id, run.first.number) == (evening.session_id, 2)
    assert (run.last.session_id, run.last.number) == (later.session_id, 3)


def test_longest_run_is_the_oldest_of_those_that_are_as_long(evening: Evening) -> None:
    for points in (70, 70, 40, 70, 70):
        evening.record(sheet("Ada", "Bea", points))

    run = circle_figures(evening.circle_id).lifetime(GAME, evening.players["Ada"]).run

    assert run is not None
    assert (run.length, run.first.number, run.last.number) == (2, 1, 2)


def test_two_sessions_of_a_day_are_two() -> None:
    with clock.at(NOON):
        evening = start()
        evening.record(sheet("Ada", "Bea", 70))
        evening.again().record(sheet("Ada", "Bea", 70))
    with clock.at(NOON + timedelta(days=1)):
        evening.again().record(sheet("Ada", "Bea", 70))

    found = circle_figures(evening.circle_id).lifetime(GAME, evening.players["Ada"])

    assert [(one.points, one.deals) for one in found.evenings] == [(2, 1), (2, 1), (2, 1)]
    assert found.balances == [2, 4, 6]
    standings = circle_standings(evening.circle_id, GAME, NOON.date(), NOON.date())
    assert standings
    assert standings.best_evening
    assert {one.player.name: one.evenings for one in standings.places}["Ada"] == 2
    assert standings.best_evening.names == ("Ada",)
    assert standings.best_evening.figure.points == 2
    (ada,) = [row for row in summaries(evening.circle_id) if row.player.name == "Ada"]
    assert ada.evenings == 3


def test_main_game_has_the_most_figures_whatever_its_name() -> None:
    def session(game: str, people: int) -> SessionFigures:
        played: dict[int, DealStatistics[int]] = {seat: DealStatistics() for seat in range(people)}
        seats = {seat: uuid4() for seat in played}
        return SessionFigures(
            session_id=uuid4(),
            game=game,
            game_name=find_game(game).name,
            started_at=NOON,
            day=NOON.date(),
            lowest_leads=False,
            adds_up=False,
            seats=seats,
            records=played,
            paid={},
        )

    sessions_ = (session("briscola", 5), session("scopa", 4), session("briscola", 0))
    found = CircleFigures(NO_HEADS, {}, {one.session_id: one for one in sessions_})

    assert found.games == {"briscola": 5, "scopa": 4}
    assert found.main_game == "briscola"
    assert CircleFigures(NO_HEADS, {}, {}).main_game is None
