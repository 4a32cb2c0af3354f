"""Badges and heads to heads: what anybody would count who went through all the sheets."""

from collections import Counter
from dataclasses import asdict

from hypothesis import given
from hypothesis import strategies as st

from scorer.services.figures import figures
from scorer.services.figures.badges import badges
from scorer.services.figures.standings import HeadToHead, heads_to_head
from tests.services.evenings import FIVE, Evening, examples, players_of, sheet, start
from tests.services.files.test_session_import import kept
from tests.services.years import Fact, facts, play

GAME = "briscola-chiamata"


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


def by_hand(played: list[Fact], one: str, other: str) -> Counter[str]:
    """Count the deals of two people from the sheets."""
    found: Counter[str] = Counter()
    for fact in played:
        if fact.outcome != "played" or not {one, other} <= fact.payouts.keys():
            continue
        sides = [fact.role(name) == "defender" for name in (one, other)]
        well = fact.made != sides[0]
        if sides[0] == sides[1]:
            found["together"] += 1
            found["won_together"] += well
        else:
            found["against"] += 1
            found["won"] += well
            found["lost"] += not well
    return found


@examples(8)
@given(st.data())
def test_two_players_have_the_deals_that_the_sheets_say(data: st.DataObject) -> None:
    figures.cache.clear()
    circle_id = play(data, most=2)
    played, known = [one for one in facts(circle_id) if one.stands], players_of(circle_id)
    for name in known:
        heads = heads_to_head(figures.circle_figures(circle_id), known[name], GAME)
        for other in known.keys() - {name}:
            head, expected = heads.get(known[other], HeadToHead()), by_hand(played, name, other)
            assert asdict(head) == {**asdict(HeadToHead()), **expected}
            assert head.deals == head.together + head.against


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
