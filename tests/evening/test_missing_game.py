"""An evening of a game that is not installed: as it was paid, and its sheets by seat."""

from scorer import Evening
from scorer.evening.terms import Terms
from scorer.rules.missing_game import missing_game
from scorer.rules.questions import write

NAMES = ("Ada", "Bea", "Ciro")


def test_deals_are_written_by_seat_and_read_again_where_the_game_is_installed() -> None:
    played = Evening.begin("machiavelli", NAMES, "open")
    played.record({"closed": "Ada", "hands": {"Bea": 12, "Ciro": 30}})
    played.record({"payouts": {"Bea": 9}, "reason": "mixed cards"}, "agreed")
    game = missing_game("machiavelli")
    rules, _ = game.rules_from(write(played.terms.rules))
    begun = Evening(
        game=game,
        names=NAMES,
        began=Terms(rules, played.terms.order),
        totals=dict.fromkeys(played.terms.order, 0),
    )

    kept = begun.take(*played.facts_since(0))

    assert kept.balances == played.balances
    assert [deal.entry.made for deal in kept.deals] == [None, None]
    assert str(kept.deals[0].entry.text) == "Ada 0, Bea 12, Ciro 30"
    document = kept.document()
    first, second = document["deals"]
    assert first["sheet"] == {"closed": "0", "hands": {"1": 12, "2": 30}}
    assert [deal.get("by_seat") for deal in (first, second)] == [True, None]
    assert Evening.read(document).document() == played.document()
