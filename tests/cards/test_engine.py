from scorer.cards import engine
from scorer.games import all_games, find_game
from scorer.rules.game import Table
from scorer.rules.seats import all_seats
from scorer.rules.sheet import Reading
from tests.cards.card_deals import MONTE_RECORD, value_of
from tests.cards.test_card_deal import MONTE, POINTS
from tests.samples import RECORD

SCOPA = find_game("scopa")
PEOPLE = ("Ada", "Bea", "Ciro", "Dora")


def test_three_games_are_written_down_card_by_card_among_so_many() -> None:
    counts = {
        game.slug: [n for n in range(2, 7) if engine.supports_cards(game, n)]
        for game in all_games()
    }

    assert {slug: told for slug, told in counts.items() if told} == {
        "briscola-chiamata": [2, 3, 4, 5, 6],
        "briscola": [2, 4],
        "tressette": [4],
    }
    assert [engine.supports_cards(find_game(slug)) for slug in ("briscola", "scopa")] == [
        True,
        False,
    ]


def test_game_without_an_engine_examines_nothing() -> None:
    assert SCOPA is not None
    table, reading = Table(SCOPA.preset, PEOPLE, all_seats(4)), Reading(PEOPLE)

    assert engine.at_table(SCOPA, table) == table
    assert engine.deal_class(SCOPA, {"tricks": []}, table, reading) is None
    assert [(p.code, p.field) for p in reading.problems] == [("no-check", "game")]


def test_deal_is_opened_by_its_game_with_nothing_known() -> None:
    game, begun = find_game("briscola-chiamata"), value_of(RECORD)

    opened = engine.new_deal(game, begun.table, begun.dealer)

    assert opened == POINTS
    assert (opened.hands, opened.tricks, opened.discards) == ({}, (), None)


def test_neighbour_of_the_caller_becomes_the_partner_by_showing() -> None:
    assert MONTE.partner_by_showing == "Ciro"
    assert POINTS.partner_by_showing is None


def test_script_knows_the_claim_but_no_deal_with_hands_or_faults() -> None:
    claim, twice = MONTE_RECORD["claim"], [["7B", "7B"]]
    partner = value_of({**MONTE_RECORD, "claim": {**claim, "partner": "Dora"}})
    hands = value_of({**MONTE_RECORD, "hands": {"Ada": ["7B"]}})
    discarding = value_of({**MONTE_RECORD, "discards": ["7B"]})
    state = partner.script_state()

    assert state is not None
    assert (state["caller"], state["said"], state["monte"], len(state["cards"])) == (1, 3, 5, 40)
    assert [one.code for one in discarding.examined.problems] == ["discard-count"]
    assert discarding.script_state() is not None
    assert POINTS.script_state() is None
    assert hands.script_state() is None
    assert value_of({**MONTE_RECORD, "tricks": twice}).script_state() is None


def test_deal_with_a_call_tells_what_pages_ask_of_it() -> None:
    assert MONTE.laid_aside == 5
    assert str(MONTE.trump_question) == "Which card was called?"
    assert {*MONTE.role_names} == {"caller", "partner", "alone", "candidate"}
    assert (MONTE.analysed_side, MONTE.lying_open, MONTE.side_names) == (None, None, ())
    assert POINTS.trump_key == "called_card"
    assert [proof.steps for proof in value_of({**RECORD, "tricks": []}).prove()] == []
    assert len(value_of(RECORD).prove()) == 1
    assert find_game("briscola-chiamata").has_auction
    assert not find_game("briscola").has_auction


def test_game_brings_the_card_that_must_be_known_or_asks_for_none() -> None:
    table = Table(find_game("tressette").preset, PEOPLE, all_seats(4))
    deal = engine.new_deal(find_game("tressette"), table, None)

    assert (deal.trump_known, deal.asks_trump(None)) == (True, False)
