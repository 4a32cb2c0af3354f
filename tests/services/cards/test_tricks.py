"""The cards of a deal: their versions, two phones that write them, and what the sheet gets."""

from contextlib import suppress
from typing import Any
from uuid import UUID, uuid4

import pytest

from scorer.cards.games import examined
from scorer.cards.line import follow
from scorer.errors import ConflictError, NotFoundError
from scorer.evening.acts import Record, WrittenSheet
from scorer.evening.session_acts import Cancel, Guest, Start
from scorer.operations import replay
from scorer.roles import Holder
from scorer.rules.seats import Seat
from scorer.services.cards.tricks import Tricks, TricksEntry, open_tricks, write_tricks
from scorer.services.deals import deals
from scorer.services.files.session_files import session_file
from scorer.services.journal.verify import circle_findings
from scorer.services.session.writing import do
from scorer.storage import db, models
from tests.samples import RECORD
from tests.services.evenings import FIVE, SIX, Evening, at_once, played_once, sheet, start

TRICKS: list[Any] = RECORD["tricks"]
#: Ciro had the king of cups, and he and Bea took 72.
RIGHT = sheet("Bea", "Ciro", points=72, called_card="KC")
WRONG = sheet("Bea", "Dora", points=74, called_card="KC")


@pytest.fixture
@played_once
def evening() -> Evening:
    """Start an evening with a deal whose sheet says otherwise than its cards."""
    evening = start()
    evening.record(WRONG)
    return evening


def lay(
    evening: Evening,
    tricks: list[Any],
    seen: int = 0,
    *,
    by: Holder | None = None,
    number: int = 1,
    **other: Any,
) -> int:
    """Write the cards of a deal down."""
    note = other.pop("note", "")
    entry = TricksEntry(number, seen, {"tricks": tricks, **other}, note)
    return write_tricks(evening.session_id, entry, by or evening.by)


def opened(evening: Evening, number: int = 1) -> Tricks:
    return open_tricks(*evening.keys, number)


def laid(evening: Evening, number: int = 1) -> tuple[int, list[Any]]:
    """Give the version of the cards, and the cards."""
    written = opened(evening, number).written
    return (0, []) if written is None else (written.version, written.cards["tricks"])


def codes(evening: Evening, number: int = 1) -> list[str]:
    return [one.code for one in opened(evening, number).differences]


def begin(evening: Evening, key: UUID) -> None:
    said = {"caller": "Bea", "bid": 61, "called_card": "KC"}
    do(*evening.keys, Start(key=key, number=evening.next_number(), sheet=said), by=evening.by)


def test_every_writing_is_a_version_until_another_phone_has_written(evening: Evening) -> None:
    assert [lay(evening, TRICKS[:1]), lay(evening, TRICKS[:2], 1)] == [1, 2]
    assert lay(evening, TRICKS[:2], 2) == 2
    assert lay(evening, TRICKS[:2], 0) == 2
    assert lay(evening, TRICKS[:2], 2, note="Ezio remembers it so", by=evening.let_in()) == 3
    with pytest.raises(ConflictError):  # the phone goes on only until another has followed it
        lay(evening, TRICKS[:4], 2)

    stored = db.session.query(models.Play).order_by(models.Play.version).all()
    assert [(row.version, len(row.cards["tricks"]), row.reason) for row in stored] == [
        (1, 1, None),
        (2, 2, None),
        (3, 2, "Ezio remembers it so"),
    ]


def test_of_phones_that_write_at_once_one_is_written_and_the_others_are_told(
    evening: Evening,
) -> None:
    phones = [evening.let_in() for _ in range(4)]

    def attempt(number: int) -> bool:
        with suppress(ConflictError):
            return bool(lay(evening, TRICKS[: number + 1], by=phones[number]))
        return False

    written = at_once(attempt, 4)

    assert written.count(True) == 1
    assert laid(evening) == (1, TRICKS[: written.index(True) + 1])


@pytest.mark.parametrize("by_cards", [True, False], ids=["by its cards", "by its sheet"])
def test_deal_under_way_takes_its_cards_along(*, by_cards: bool) -> None:
    evening, key = start(), uuid4()
    begin(evening, key)
    assert opened(evening).deal_id == key
    lay(evening, TRICKS)

    right = opened(evening).proved() if by_cards else RIGHT
    entry = Record(key=key, number=1, sheet=WrittenSheet(right))
    deals.record_deal(evening.session_id, entry, evening.by)

    assert (laid(evening), codes(evening)) == ((1, TRICKS), [])
    assert evening.balances() == [-1, 2, 1, -1, -1]


@pytest.mark.parametrize("brought_back", [False, True])
def test_deal_that_was_taken_back_has_its_cards_only_if_it_is_brought_back(
    *, brought_back: bool
) -> None:
    evening, key = start(), uuid4()
    begin(evening, key)
    lay(evening, TRICKS[:1])
    do(*evening.keys, Cancel(key=key), by=evening.by)

    with pytest.raises(NotFoundError):
        lay(evening, TRICKS[:2], 1)

    if brought_back:
        deals.resume_start(evening.session_id, key, evening.by)
    else:
        begin(evening, uuid4())
    assert laid(evening) == ((1, TRICKS[:1]) if brought_back else (0, []))


def test_cards_stay_with_those_who_played_and_are_told_where_another_deck_has_them_not() -> None:
    evening = start({"preset": "classic", "sits_out": "dealer"}, SIX, first_dealer=5)
    evening.record(RIGHT)
    lay(evening, TRICKS)

    evening.change(order=[3, 1, 0, 2, 4, 5])

    assert codes(evening) == []
    assert opened(evening).board.table.active == (0, 1, 2, 3, 4)
    deck = {"deck": "french-no-7-8-9", "sits_out": "dealer"}
    evening.change(since=1, rules={"preset": "classic", **deck})
    problems = examined(opened(evening).board).problems
    assert "card-not-in-deck" in {problem.code for problem in problems}
    assert laid(evening) == (1, TRICKS)
    assert replay(session_file(evening.state))["ok"]
    assert list(circle_findings(evening.circle_id)) == []


FOUR = {"preset": "four-balanced", "cards_each": 8, "dead_hand": True}


def test_cards_of_a_dead_hand_are_its_own_still_when_a_guest_has_joined() -> None:
    evening = start(FOUR, FIVE[:4], first_dealer=3)
    evening.record(sheet("Bea", None, points=61, called_card="KC"))
    told = [
        {"leader": "0", "cards": TRICKS[0], "winner": "dead"},
        None,
        {"leader": "dead", "cards": TRICKS[3]},
    ]
    lay(evening, told)
    before = opened(evening).board

    dealers_sit_out = {**FOUR, "sits_out": "dealer"}
    evening.change(order=(0, 1, 2, 3, 4), guests=[Guest("Morto")], rules=dealers_sit_out)

    after = opened(evening).board
    assert laid(evening) == (1, told)
    assert [before.table.name(Seat(4)), after.table.name(Seat(4))] == ["Morto", "Morto"]
    assert (before.table.seats[-1], after.table.seats[-1]) == ("Morto", "Morto 2")
    assert follow(before).leaders == [Seat(0), None, Seat(4)]
    assert follow(after).leaders == [Seat(0), None, Seat(5)]
    file = session_file(evening.state)
    assert file["deals"][0]["play"]["tricks"][0]["winner"] == "Morto 2"
    assert replay(file)["ok"]
