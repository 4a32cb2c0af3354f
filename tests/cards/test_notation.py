"""Deals as text: written and read back, read leniently, refused with line and column."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.cards.board import Board
from scorer.cards.call import with_dead_hand
from scorer.cards.games import begin
from scorer.cards.notation import deals as notation
from scorer.cards.notation.deals import text_lines, write_text
from scorer.errors import InvalidError
from scorer.games.briscola_chiamata import GAME
from scorer.languages import translate
from scorer.operations import check
from scorer.rules.game import Table
from scorer.rules.seats import Seat
from tests.cards.card_deals import request, table_of, value_of, values
from tests.data.strategies import examples
from tests.games.played import deals, parts
from tests.games.tables import Deal as Played
from tests.samples import RECORD

TABLE, DEALER = table_of(RECORD)
BEGUN = begin(GAME, TABLE, DEALER)
HEADING = "seats: Ada, Bea, Ciro, Dora, Ezio\ndealer: Ezio\ncaller: Bea K KC\n"
NAMES = st.text(min_size=1, max_size=12).filter(lambda name: name.strip() == name)


def parse(text: str, known: Board | None = None) -> Board:
    return notation.parse(GAME, text, known)


def in_italian(deal: Board) -> str:
    return "".join(f"{translate(line, 'it')}\n" for line in text_lines(deal))


def renamed(deal: Board, names: list[str]) -> Board:
    return replace(deal, table=with_dead_hand(replace(deal.table, seats=tuple(names))))


@examples(60)
@given(values(), st.integers(0, 40), st.data())
def test_every_moment_of_a_deal_of_any_people_is_text(
    deal: Board, steps: int, data: st.DataObject
) -> None:
    count = len(deal.table.seats[: deal.facts.dead])
    names = data.draw(st.lists(NAMES, min_size=count, max_size=count, unique=True))
    for _ in range(steps):
        deal = deal.back()
    plain, deal = write_text(deal), renamed(deal, names)

    again = parse(write_text(deal))
    if again.facts.deck.letters == deal.facts.deck.letters:
        assert again == deal == parse(in_italian(deal))
    else:  # C, D and S are suits in the letters of either deck
        assert re.search(r"\b(?:10|[AKQJ2-9])[BH]\b", plain) is None


@examples(60)
@given(st.data())
def test_body_of_a_request_is_kept_without_loss(data: st.DataObject) -> None:
    played: Played = data.draw(deals())
    record = data.draw(parts(played))
    deal = value_of(record)

    again = {**record, **request(deal)}

    assert value_of(again) == deal
    assert check(again) == check(without_empty_end(record))


def without_empty_end(record: dict[str, Any]) -> dict[str, Any]:
    """A last trick of which nothing is known is no trick."""
    last = record["tricks"][-1:]
    empty = last in ([[]], [{"cards": [], "winner": None}])
    return {**record, "tricks": record["tricks"][:-1]} if empty else record


def test_everything_that_can_be_said_is_in_the_text() -> None:
    text = (
        'rules: {"preset": "monte-7", "floor": 60}\n'
        'seats: Ada, Bea, Ciro, Dora, Ezio, "Zia Pina", Gino\n'
        "dealer: Gino\n"
        "out: Gino\n"
        "auction: Ada 61, Bea 75, Ciro pass\n"
        "caller: Bea 75 KC\n"
        "result: alone, no cappotto\n"
        'taken: Ada 10, "Zia Pina" 4\n'
        "hand Ada:\n"
        'hand "Zia Pina": KS QS\n'
        "discards: 2C 4C\n"
        "1. 7B\n"
        '2. "Zia Pina": 2D > Ada\n'
        "3. ?\n"
        "4. Ada:\n"
    )
    italian = (
        'regole: {"preset": "monte-7", "floor": 60}\n'
        'posti: Ada, Bea, Ciro, Dora, Ezio, "Zia Pina", Gino\n'
        "mazziere: Gino\n"
        "fuori: Gino\n"
        "asta: Ada 61, Bea 75, Ciro passo\n"
        "chiamante: Bea 75 RC\n"
        "risultato: in mano, senza cappotto\n"
        'presi: Ada 10, "Zia Pina" 4\n'
        "mano Ada:\n"
        'mano "Zia Pina": RS CS\n'
        "scarti: 2C 4C\n"
        "1. 7B\n"
        '2. "Zia Pina": 2D > Ada\n'
        "3. ?\n"
        "4. Ada:\n"
    )

    deal = parse(text)

    assert write_text(deal) == text
    assert in_italian(deal) == italian
    assert parse(italian) == deal


def test_card_that_could_not_be_read_stays_in_the_text_to_be_put_right() -> None:
    deal = value_of({**RECORD, "tricks": [["7B", "8 X"]]})

    assert write_text(deal).endswith('1. 7B "8 X"\n')
    assert problems(write_text(deal)) == ["6:7 card-not-in-deck"]
    assert value_of({**RECORD, **request(deal)}) == deal


def test_name_that_begins_like_another_is_told_from_it() -> None:
    text = "seats: Ada, Ada Maria, ada, Dora, Ezio\ncaller: Ada Maria K KC\nada: 7B\nAda: 2B"
    deal = parse(text)

    assert deal.claim.caller == Seat(1)
    assert [trick.leader for trick in deal.tricks if trick] == [Seat(2), Seat(0)]


def test_people_and_call_of_a_deal_that_is_known_need_not_be_told() -> None:
    known = value_of({**RECORD, "tricks": []})
    deal = parse("7B 2D", known)

    assert deal == value_of({**RECORD, "tricks": [["7B", "2D"]]})
    assert parse("dealer: Ada\nrules: bastarda", BEGUN) == replace(BEGUN, dealer=Seat(0))
    assert parse("result: alone", known).claim == replace(known.claim, partner=None)
    with pytest.raises(InvalidError):
        parse("seats: Ada, Enzo", known)


def test_seats_are_listed_in_the_order_in_which_they_play() -> None:
    order = tuple(map(Seat, (3, 0, 4, 1, 5)))
    table = Table(TABLE.rules, (*TABLE.seats, "Fede", "Gino"), order, order)
    known = begin(GAME, table, None)
    deal = replace(known, dealer=Seat(3), hands={Seat(5): (0,)})

    assert write_text(deal).splitlines()[1:] == [
        "seats: Dora, Ada, Ezio, Bea, Fede",
        "dealer: Dora",
        "hand Fede: AC",
    ]
    assert parse(write_text(deal), known) == deal
    assert request(deal)["seats"] == ["Dora", "Ada", "Ezio", "Bea", "Fede"]


def problems(text: str) -> list[str]:
    with pytest.raises(InvalidError) as raised:
        parse(text)
    return [f"{problem.field} {problem.code}" for problem in raised.value.problems]


def test_first_hundred_faults_are_told() -> None:
    assert problems(HEADING + "#" * 8_000) == ["1:1 too-long"]
    assert problems(HEADING + "1.\n" * 200 + "8X " * 200)[99:] == [
        "104:3 trick-count",
        "1:1 too-many-problems",
    ]
    assert len(problems(HEADING + "1. " + "8X " * 200)) == 101


def test_line_ends_of_browsers_make_no_text_too_long() -> None:
    lines = (HEADING + "1. 7B").ljust(8_000, "\n")

    assert parse(lines.replace("\n", "\r\n")) == parse(HEADING + "1. 7B")


def test_quotation_mark_behind_a_backslash_opens_no_text() -> None:
    assert problems(HEADING + '1. \\"7B # 8B') == ["4:4 card-not-in-deck"]
    assert parse(HEADING + '1. 7B # "8B') == parse(HEADING + "1. 7B")


WORDS = ["seats:", "A", "B", "C", "D", "E", ",", "caller:", "K", "KC", "re di coppe", ">", "\n",
         "1.", "2)", "?", "-", '"', ":", "7B", "hand", "result:", "with", "alone", "72", "#",
         "auction:", "pass", "2@75", "@", "dealer:", "out:", "rules:", "{", "}", "\\"]  # fmt: skip
ANY_WORDS = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)


@examples(200)
@given(st.sampled_from(["", HEADING]), st.text(max_size=200) | ANY_WORDS)
def test_any_text_is_read_or_refused(heading: str, text: str) -> None:
    try:
        deal = parse(heading + text)
    except InvalidError:
        return
    assert parse(write_text(deal)) == deal
