"""The figures and badges of players: what anybody would count who went through all the sheets."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from scorer.ledger.records import DealSearch
from scorer.rules.game import Outcome
from scorer.services.base import clock
from scorer.services.deals.history import find_deals
from scorer.services.figures import figures
from scorer.services.figures.badges import badges
from scorer.services.figures.figures import circle_figures, summaries
from scorer.services.figures.standings import HeadToHead, circle_standings, heads_to_head
from tests.services.evenings import FIVE, Evening, examples, players_of, sheet, start
from tests.services.files.test_session_import import kept
from tests.services.years import facts, play

GAME = "briscola-chiamata"
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@examples(12)
@given(data=st.data())
def test_every_figure_rests_on_the_deals_that_its_link_finds(data: st.DataObject) -> None:
    circle_id = play(data)
    found, told = circle_figures(circle_id), [fact for fact in facts(circle_id) if fact.stands]
    known = players_of(circle_id)
    names = {key: name for name, key in known.items()}

    def number(**asked: object) -> int | None:
        return find_deals(circle_id, DealSearch(**asked)).count  # type: ignore[arg-type]  # any of them

    assert found.players(GAME) == {known[name] for fact in told for name in fact.payouts}
    for player in data.draw(st.permutations(sorted(found.players(GAME))))[:3]:
        record, name = found.lifetime(GAME, player).record, names[player]
        paid = [fact.payouts[name] for fact in told if name in fact.payouts]
        assert (record.everything.deals, record.everything.points) == (len(paid), sum(paid))
        for part in ("caller", "alone", "partner", "defender"):
            assert number(player=player, role=part) == (
                record.parts[part].deals if part in record.parts else 0
            )
        for bid, tally in record.bids.items():
            calls = {"player": player, "role": "calls", "bids": (bid,)}
            assert number(**calls) == tally.deals
            assert number(**calls, made=True) == tally.made
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


def test_longest_run_of_calls_goes_over_evenings_and_is_the_oldest_as_long(
    evening: Evening,
) -> None:
    for points in (40, 70):
        evening.record(sheet("Ada", "Bea", points))
    later = evening.again()
    later.record(sheet("Bea", "Ada", 40))
    for points in (70, 80, 40, 70, 70, 70):
        later.record(sheet("Ada", "Bea", points))

    run = circle_figures(evening.circle_id).lifetime(GAME, evening.players["Ada"]).run

    assert run is not None
    assert run.length == 3
    assert (run.first.session_id, run.first.number) == (evening.session_id, 2)
    assert (run.last.session_id, run.last.number) == (later.session_id, 3)


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


def test_main_game_has_the_most_figures_whatever_its_name(evening: Evening) -> None:
    assert circle_figures(evening.circle_id).main_game is None
    evening.record()
    pairs = evening.again(game="briscola", rules="points-120", players=FIVE[:4], first_dealer=0)
    pairs.record({"card_points": [70, 50]})
    evening.again(game="scopa", rules=None, players=FIVE[:4], first_dealer=0)

    found = circle_figures(evening.circle_id)

    assert found.games == {GAME: 5, "briscola": 4}
    assert found.main_game == GAME


def told(evening: Evening, name: str, game: str = GAME) -> dict[str, list[int]]:
    """Give the badges of a player, each with the numbers of its deals."""
    found = badges(
        figures.circle_figures(evening.circle_id), players_of(evening.circle_id)[name], game
    )
    return {str(one.what): [deal.number for deal in one.deals] for one in found}


def test_badge_is_earned_by_deals_and_goes_with_them(evening: Evening) -> None:
    evening.record(sheet("Ada", "Bea", 40))
    evening.record(sheet("Ada", None, 120))
    evening.record(sheet("Ada", "Bea", 120, bid=105))
    assert told(evening, "Ada") == {
        "The first call made": [2],
        "Alone, and made": [2],
        "A call of the highest level, made: 101–120": [3],
    }
    assert told(evening, "Bea") == told(evening, "Ciro") == {}

    evening.void(2)
    evening.amend(3, sheet("Bea", "Ciro", 70), reason="it was Bea")
    assert told(evening, "Ada") == {}
    assert told(evening, "Bea") == {"The first call made": [3]}


def test_five_calls_in_a_row_are_deals_in_a_row_of_ones_own(evening: Evening) -> None:
    for points in (70, 40, 70, 70, 70, 70, 70):
        evening.record(sheet("Ada", "Bea", points))
        evening.record(sheet("Ciro", "Dora", 40))

    assert told(evening, "Ada")["5 calls made in a row"] == [5, 7, 9, 11, 13]
    assert "5 calls made in a row" not in told(evening, "Ciro")


def test_partner_of_five_callers_has_a_deal_with_each(evening: Evening) -> None:
    for caller in (*FIVE[1:], "Bea"):
        evening.record(sheet(caller, "Ada"))
    assert "Won as the partner of 5 callers" not in told(evening, "Ada")

    evening.again(players=("Ada", "Fulvia", *FIVE[2:])).record(sheet("Fulvia", "Ada"))
    assert told(evening, "Ada")["Won as the partner of 5 callers"] == [1, 2, 3, 4, 1]


def test_two_players_have_the_deals_with_and_against_each_other(evening: Evening) -> None:
    for written in (
        *(sheet("Ada", "Bea", 70), sheet("Ada", "Bea", 40), sheet("Ciro", "Dora", 40)),
        *(sheet("Ada", "Ciro", 70), sheet("Bea", None, 120), sheet("Bea", "Ezio", 40)),
    ):
        evening.record(written)
    evening.record({"offender": "Ada"}, Outcome.PENALTY)
    known = evening.players

    heads = heads_to_head(circle_figures(evening.circle_id), known["Ada"], GAME)

    bea = HeadToHead(together=3, won_together=2, against=3, won=2, lost=1)
    assert heads[known["Bea"]] == bea
    assert heads[known["Bea"]].deals == 6
    other_way = heads_to_head(circle_figures(evening.circle_id), known["Bea"], GAME)
    assert other_way[known["Ada"]] == replace(bea, won=1, lost=2)


def test_game_without_calls_has_badges_of_its_wins_alone() -> None:
    deals = [{"sheet": {"points": [9, 1, 1, 1, 1]}}] * 100
    deals[9] = {"sheet": {"points": [1, 9, 1, 1, 1]}}
    file = {"game": "points", "rules": "highest", "seats": FIVE, "deals": deals}
    evening = kept(file, start())

    assert told(evening, "Ada", "points") == {
        "10 deals won in a row": list(range(11, 21)),
        "The hundredth deal": [100],
    }
    assert told(evening, "Bea", "points") == {"The hundredth deal": [100]}
