"""Stored tournaments: their tables are sessions, whose balances are the results."""

from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any
from uuid import uuid4

import pytest

from scorer.errors import InvalidError, NotFoundError
from scorer.games import all_games
from scorer.operations import tournament
from scorer.rules.game import Game
from scorer.rules.seats import all_seats
from scorer.services.album.last_page import (
    open_page,
    publish_tournament,
    revoke,
    secrets_of,
    standing_pages,
)
from scorer.services.circle import players
from scorer.services.deals.history import evenings, past_sessions
from scorer.services.journal.journal_page import journal_page
from scorer.services.journal.verify import circle_findings
from scorer.services.money.ledger import void_entry
from scorer.services.session.state import load_state
from scorer.services.tournament.fees import EntryFee, charge_fee, note_fee_paid, tournament_fees
from scorer.services.tournament.page import near_names, tournament_page, usual_pairs
from scorer.services.tournament.tournaments import (
    check_new,
    direct,
    load_tournament,
    make_tournament,
    open_tournaments,
    tournaments,
)
from scorer.storage import queries
from scorer.tournaments.acts import (
    AddEntry,
    CloseTournament,
    DrawTurn,
    Forfeit,
    Penalise,
    PublishTurn,
    ReturnEntry,
    SetPrizes,
    Substitute,
    WithdrawEntry,
    WriteScores,
)
from tests.conftest import one_in_three
from tests.refusals import refused
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import Evening, at_once, players_of
from tests.services.tournaments import EIGHT, PAIRS, Directed, make, new_tournament


def test_tournament_is_played_at_its_tables_to_the_end(evening: Evening) -> None:
    club = Directed(evening.by, PAIRS)
    club.publish()
    first = club.play(1, 1, (71, 49))
    club.do(WriteScores(turn=1, table=2, scores=(5, 7)))
    club.do(Penalise(turn=1, entry=1, points=1, reason="Late"))
    club.do(AddEntry(people=("Lea", "Mara")))
    club.do(WithdrawEntry(entry=5))
    club.publish(2)
    club.play(2, 1, (50, 70))
    loser = club.stored.evening.turns[1].tables[1].entries[0]
    club.do(Forfeit(turn=2, table=2, entry=int(loser)))
    club.do(CloseTournament())

    stored = club.stored
    answer = tournament(stored.evening.document)
    assert answer["problems"] == []
    assert [row["entry"] for row in answer["standings"]] == [
        row.entry for row in stored.evening.state.standings
    ]
    table = {"table": 1, "sides": ["1", "2"], "scores": [71, 49], "session": str(first)}
    assert stored.evening.document["rounds"][0]["tables"][0] == table
    state = load_state(evening.circle_id, first)
    assert state.names == ("Ada", "Ciro", "Bea", "Dora")
    assert (state.row.title, state.row.ended_at is not None) == ("Tuesday · 1/1", True)
    assert state.place == (club.key[1], "Tuesday", 1, 1)
    assert open_tournaments(evening.circle_id) == []
    assert list(circle_findings(evening.circle_id)) == []


def test_result_of_a_turn_that_is_over_is_amended_and_comes_late(evening: Evening) -> None:
    club = Directed(evening.by, PAIRS)
    club.publish()
    first, second = (club.play(1, number, (71, 49)) for number in (1, 2))
    club.do(WithdrawEntry(entry=4))
    club.publish(2)

    club.do(WriteScores(turn=1, table=1, scores=(40, 80)))
    Evening(second, evening.by).amend(1, {"card_points": [49, 71]})
    for session_id in (first, second):
        with refused("session-ended"):
            Evening(session_id, evening.by).record({"card_points": [71, 49]})

    tables = club.stored.evening.document["rounds"][0]["tables"]
    assert [table["scores"] for table in tables] == [[40, 80], [49, 71]]
    assert list(circle_findings(evening.circle_id)) == []


@BOTH_ENGINES
def test_two_directors_who_publish_at_once_begin_each_table_once(evening: Evening) -> None:
    club = Directed(evening.by, PAIRS)
    club.do(DrawTurn(turn=1))

    at_once(lambda _: direct(*club.key, PublishTurn(turn=1, drawn=1), by=evening.by), 4)

    titles = {row.title for row in queries.session.sessions(evening.circle_id, limit=50)}
    assert titles == {"Friday", "Tuesday · 1/1", "Tuesday · 1/2"}
    assert queries.session.session_count(evening.circle_id) == 3
    assert list(circle_findings(evening.circle_id)) == []


def test_lists_name_a_tournament_once_and_whether_it_is_over(evening: Evening) -> None:
    club = Directed(evening.by, PAIRS)
    club.publish()
    for number in (1, 2):
        club.do(WriteScores(turn=1, table=number, scores=(2, 1)))
    club.publish(2)

    (listed,), _ = evenings(evening.circle_id)

    assert [one.tournament and one.tournament.name for one in listed] == ["Tuesday", None]
    assert past_sessions(evening.circle_id) == []
    for number in (1, 2):
        club.do(WriteScores(turn=2, table=number, scores=(2, 1)))
    others = {make(evening.circle_id, evening.by, PAIRS) for _ in range(3)}
    club.do(CloseTournament())
    assert {row.tournament_id for row in open_tournaments(evening.circle_id)} == others
    (past,) = past_sessions(evening.circle_id)
    assert past.tournament is not None
    assert past.tournament.tournament_id == club.key[1]


def test_near_names_of_the_circle_are_offered_but_not_those_who_are_named(evening: Evening) -> None:
    make(evening.circle_id, evening.by, ["Annamaria", "Giovanni", "Zoe"])
    giovanni = players_of(evening.circle_id)["Giovanni"]
    players.set_nickname(evening.circle_id, giovanni, "Nino")

    near = near_names(evening.circle_id, ["Anna Maria", "ZOE", "Zo", "Nino", "Giovana", "Unheard"])

    assert near == {"Anna Maria": ["Annamaria"], "Nino": ["Giovanni"], "Giovana": ["Giovanni"]}
    assert near_names(evening.circle_id, ["Anna Maria", "Annamaria"]) == {}


def test_usual_partner_is_the_one_of_most_sessions(evening: Evening) -> None:
    for names in ("Lea, Mara;Nora, Olga", "Lea, Mara;Nora, Zoe", "Lea, Nora;Mara, Olga"):
        Directed(evening.by, names.split(";"), name=names).publish()

    assert usual_pairs(evening.circle_id)[0] == ("Lea", "Mara")
    assert [*chain.from_iterable(usual_pairs(evening.circle_id))].count("Nora") == 1


def test_fees_are_owed_to_the_collector_paid_in_the_ledger_and_taken_back(evening: Evening) -> None:
    club = Directed(evening.by, PAIRS[:2])
    known = players_of(evening.circle_id)
    for field, who, amount in (("collector", None, 250), ("amount", known["Ada"], 0)):
        with refused(field):
            charge_fee(*club.key, EntryFee(collector=who, amount=amount), by=evening.by)
    fee = EntryFee(collector=known["Ada"], amount=250)
    for _ in range(2):
        with suppress(InvalidError):
            charge_fee(*club.key, fee, by=evening.by)
    club.do(AddEntry(people=("Lea", "Mara")))
    known = players_of(evening.circle_id)
    charge_fee(*club.key, fee, by=evening.by)
    for _ in range(2):
        note_fee_paid(*club.key, known["Bea"], by=evening.by)
    note_fee_paid(*club.key, known["Ada"], by=evening.by)

    fees = tournament_fees(*club.key)

    assert (fees.due, fees.paid, fees.collector, fees.amount) == (1500, 500, known["Ada"], 250)
    assert {line.name: line.paid for line in fees.lines if line.paid} == {"Ada": 250, "Bea": 250}
    accounts = queries.money.accounts(evening.circle_id)
    assert [accounts[known[name]] for name in ("Ada", "Bea", "Lea")] == [1000, 0, -250]
    for entry_id in {row.entry_id for row in queries.money.fee_postings(*club.key)}:
        void_entry(evening.circle_id, entry_id, by=evening.by)
    assert tournament_fees(*club.key).due == 0
    charge_fee(*club.key, EntryFee(collector=known["Bea"], amount=300), by=evening.by)
    assert {line.due for line in tournament_fees(*club.key).lines} == {300}
    assert list(circle_findings(evening.circle_id)) == []


def test_public_page_of_a_tournament_is_opened_by_its_secret(evening: Evening) -> None:
    club = Directed(evening.by, PAIRS)
    for _ in range(2):
        publish_tournament(*club.key, by=evening.by)

    (page_id,) = (page.page_id for page in standing_pages(*club.key))
    secret = secrets_of(page_id)[0]
    assert open_page(secret).tournament_id == club.key[1]
    assert list(circle_findings(evening.circle_id)) == []
    revoke(*club.key, page_id, by=evening.by)
    with pytest.raises(NotFoundError):
        open_page(secret)
    with pytest.raises(NotFoundError):
        publish_tournament(evening.circle_id, uuid4(), by=evening.by)


def test_journal_has_an_entry_of_each_act_and_of_what_follows_from_it(evening: Evening) -> None:
    club = Directed(evening.by, PAIRS)
    club.do(DrawTurn(turn=1))
    club.do(AddEntry(people=("Lea", "Mara")))
    club.do(WithdrawEntry(entry=5))
    club.publish()
    club.do(WithdrawEntry(entry=4))
    club.do(ReturnEntry(entry=4))
    club.do(Substitute(entry=4, people=("Zed", "Ines")))

    lines = journal_page(evening.circle_id, group="tournaments").lines

    assert [line.entry.kind for line in lines[::-1]] == [
        *("tournament-made", "turn-drawn", "turn-drawn", "entered", "turn-undrawn"),
        *["entry-withdrawn"] * 3,
        *("turn-drawn", "turn-drawn", "turn-published"),
        *("entry-withdrawn", "entry-returned", "substituted"),
    ]
    assert all("“Tuesday”" in str(line.text) for line in lines)
    assert list(circle_findings(evening.circle_id)) == []


def test_two_who_both_take_part_are_not_merged_and_others_are(evening: Evening) -> None:
    new = new_tournament(PAIRS)
    for _ in range(2):  # the same form, sent twice
        make_tournament(evening.circle_id, new, by=evening.by)
    known = players_of(evening.circle_id)

    (problem,) = players.merge_problems(evening.circle_id, known["Fulvia"], known["Gino"])
    assert problem.code == "both-entered"
    make(evening.circle_id, evening.by, ["Lea, Mara", "Nora, Olga"])
    known = players_of(evening.circle_id)
    players.merge(evening.circle_id, known["Gino"], known["Lea"], by=evening.by)

    first, _ = tournaments(evening.circle_id)[::-1]
    stored = load_tournament(evening.circle_id, first.tournament_id)
    assert [row.name for row in stored.evening.entries] == [*PAIRS]
    assert list(circle_findings(evening.circle_id)) == []


def test_page_tells_a_phone_its_table_sums_its_turns_and_gives_the_prizes(
    evening: Evening,
) -> None:
    club = Directed(evening.by, [*PAIRS, "Lea, Mara"])
    club.do(SetPrizes(prizes=("1. A ham", "2) A salami", "9 Nothing", "The youngest: Ada")))
    club.publish()
    seen = [tournament_page(*club.key, person).own for person in ("Bea", "Lea", "Nobody")]

    assert seen[0] is not None
    assert (seen[0].partners, seen[0].opponents) == (["Ada"], ["Ciro", "Dora"])
    assert seen[1] is not None
    assert seen[1].table is None
    assert seen[2] is None
    for number in (1, 2):
        club.play(1, number, (71, 49))
    club.do(Penalise(turn=1, entry=1, points=1, reason="Late"))
    club.publish(2)
    page = tournament_page(*club.key)
    assert all(line.points == sum(why.points for why in page.why(line)) for line in page.places)
    assert [why.points for line in page.places for why in page.why(line) if why.penalty] == [-1]
    known = club.stored.evening.by_id
    by_place = {
        place: [known[line.entry] for line in page.places if line.place == place]
        for place in (1, 2)
    }
    assert page.prizes == [
        *(("A ham", by_place[1]), ("A salami", by_place[2])),
        *(("Nothing", []), ("The youngest: Ada", [])),
    ]


def test_lowest_score_leads_where_the_rules_say_so(evening: Evening) -> None:
    rules = {"game": "ramino", "rules": {}, "people": 1}
    settings = {"plan": {"kind": "tables", "size": 4}, "points": {"kind": "places"}}
    club = Directed(evening.by, EIGHT[:4], settings=settings, **rules)
    club.publish()
    table = Evening(club.stored.session_at(1, 1), evening.by)

    table.record({"closed": "Bea", "hands": {"Ada": 30, "Ciro": 20, "Dora": 40}})

    (line,) = tournament_page(*club.key).turn(1).tables
    assert sorted(table.balances()) == [0, 20, 30, 40]
    assert sorted(line.scores or ()) == [-40, -30, -20, 0]


REFUSED = [
    ({"name": " "}, "bad-name"),
    ({"rules": {"target": -1}}, "out-of-range"),
    ({"game": "terziglio", "rules": {}}, "seats-count"),
    ({"game": "ramino", "rules": {}}, "wrong-sides"),
    ({"settings": {"plan": {"kind": "tables", "size": 3}}}, "people-count"),
]


@pytest.mark.parametrize(("changed", "code"), REFUSED, ids=str)
def test_new_tournament_is_refused(changed: dict[str, Any], code: str) -> None:
    with refused(code):
        check_new(replace(new_tournament(PAIRS), **changed))


@pytest.mark.parametrize("game", one_in_three({game.slug: game for game in all_games()}))
def test_tables_of_every_game_are_seated(evening: Evening, game: Game[Any, Any]) -> None:
    counts = game.seating(game.preset).for_session
    pairs = 4 in counts and len(game.sides(all_seats(4), game.preset)) == 2
    size = 4 if pairs else next(count for count in counts if count >= 3)
    names = PAIRS if pairs else [f"Player {number}" for number in range(2 * size)]
    plan = {"kind": "mitchell"} if pairs else {"kind": "tables", "size": size}
    rules, settings = {"preset": game.preset.slug}, {"plan": plan}
    club = Directed(evening.by, names, game=game.slug, rules=rules, settings=settings)
    club.publish()

    assert len(club.stored.tables) == 2
