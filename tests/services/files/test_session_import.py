"""A session file in and out: it is previewed, kept as a session, and comes to the same balances."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest

from scorer.errors import InvalidError
from scorer.evening.session_acts import PlayOn
from scorer.games import all_games
from scorer.operations import replay
from scorer.rules.game import Outcome
from scorer.services.cards.tricks import TricksEntry, write_tricks
from scorer.services.files.session_files import (
    deal_of,
    keep,
    kept_before,
    preview_session,
    session_file,
)
from scorer.services.journal.verify import circle_findings
from scorer.services.session.writing import do
from scorer.storage import queries
from tests.conftest import one_in_three
from tests.data import golden
from tests.samples import RECORD
from tests.services.damages import an_evening
from tests.services.evenings import FIVE, Evening, played_once, sheet, start

TRICKS: list[list[str]] = RECORD["tricks"]
SHEET = {"caller": "Ada", "bid": "65", "partner": "Bea", "card_points": 70}


def document(**other: Any) -> dict[str, Any]:
    written = {
        "format": "scorer-session/1",
        "game": "briscola-chiamata",
        "rules": "classic",
        "title": "Friday",
        "date": "2026-11-20",
        "seats": list(FIVE),
        "opening": {"Ada": 13, "Bea": -12},
        "deals": [
            {"dealer": "Ezio", "sheet": SHEET},
            {"outcome": "misdeal"},
            {"sheet": {**SHEET, "partner": None}},
        ],
    }
    return written | other


def kept(given: dict[str, Any], state: Evening, key: UUID | None = None) -> Evening:
    """Bring a session file into a circle."""
    preview = preview_session(json.dumps(given), key or uuid4(), state.circle_id)
    return Evening(keep(preview, state.by), state.by)


def balances(answer: dict[str, Any]) -> dict[str, int]:
    return {line["player"]: line["balance"] for line in answer["standings"]}


def stored_balances(evening: Evening) -> dict[str, int]:
    names = evening.state.names
    return dict(zip(names, evening.balances(), strict=True))


@played_once
def four_from_now_on() -> Evening:
    """What was changed after the last deal."""
    evening = start("classic-plain", opening=[3, 0, 0, 0, -3])
    evening.record(sheet())
    evening.change(order=(3, 2, 1, 0), rules="four-balanced")
    return evening


@played_once
def with_cards() -> Evening:
    """Cards that agree with the sheet, that don't and are kept with a note, in part, and voided."""
    evening = start()
    for partner in ("Ciro", "Dora", "Ciro", "Ciro"):
        evening.record(sheet("Bea", partner, points=72, called_card="KC"))
    evening.record(None, Outcome.MISDEAL)
    write_cards(evening, 1, {"tricks": TRICKS})
    write_cards(evening, 2, {"tricks": TRICKS[:6], "discards": ["8X"]}, "Ezio remembers it so")
    write_cards(
        evening,
        3,
        {
            "called_card": "AC",
            "hands": {"1": ["KC"]},
            "auction": [["0", "pass"], ["1", 61]],
            "tricks": [None, {"leader": "4", "cards": TRICKS[1], "winner": "2"}, TRICKS[2][:3]],
        },
    )
    write_cards(evening, 4, {"tricks": TRICKS})
    evening.void(4)
    return evening


def write_cards(evening: Evening, number: int, play: dict[str, Any], note: str = "") -> None:
    write_tricks(evening.session_id, TricksEntry(number, 0, play, note), evening.by)


def cards_of(evening: Evening) -> list[dict[str, Any]]:
    """The cards as they are stored, of the deals that stand."""
    found = queries.deals.session_plays(*evening.keys)
    standing = [deal for deal in evening.state.deals if not deal.voided]
    return [found[deal.deal_id] for deal in standing if deal.deal_id in found]


@pytest.mark.parametrize("build", [an_evening, four_from_now_on, with_cards])
def test_exported_session_is_imported_with_equal_deals_and_balances_and_found_again(
    build: Callable[[], Evening],
) -> None:
    evening = build()

    assert_comes_in_again(evening)

    written = session_file(evening.state)
    assert [found_again(written, one) for one in (evening, start())] == [2, 0]


def assert_comes_in_again(evening: Evening) -> None:
    """Take a session out and bring it in again: it is the same, and sound."""
    written = session_file(evening.state)

    copy = kept(written, evening)
    again = session_file(copy.state)

    assert again == written
    assert replay(again) == replay(written)
    assert balances(replay(written)) == stored_balances(evening)
    assert cards_of(copy) == cards_of(evening)
    assert copy.balances() == evening.balances()
    assert copy.state.evening.result == evening.state.evening.result
    assert list(circle_findings(evening.circle_id)) == []


#: The longest evening of each game: `tests/operations/test_replay.py` replays them all.
LONGEST = {
    game.slug: max(golden.evenings(game), key=lambda one: len(one.session["deals"]))
    for game in all_games()
}


@pytest.mark.parametrize("golden_evening", one_in_three(LONGEST))
def test_evening_of_every_game_is_kept_voided_and_restored_as_it_is_replayed(
    golden_evening: golden.Evening,
) -> None:
    answer = golden_evening.answer
    evening = kept(golden_evening.session, start())
    last = len(answer["deals"])

    def stands() -> tuple[dict[str, int], list[str]]:
        return stored_balances(evening), [*evening.state.evening.progress.winners]

    before = stands()
    evening.void(last)
    replayed, voided = replay(session_file(evening.state)), stands()
    evening.restore(last)

    assert before == stands() == (balances(answer), answer["winners"])
    assert voided == (balances(replayed), replayed["winners"])
    assert list(circle_findings(evening.circle_id)) == []


def test_imported_session_is_played_on_as_it_was_left() -> None:
    evening = four_from_now_on()
    copy = kept(session_file(evening.state), evening)
    do(*copy.keys, PlayOn())

    for one in (evening, copy):
        one.record(sheet("Dora", "Ada"))

    assert session_file(copy.state) == session_file(evening.state)
    assert list(circle_findings(copy.circle_id)) == []


def test_names_that_the_circle_writes_otherwise_are_the_same_people() -> None:
    seats = ["EZIO", " Ada", "Bea ", "Ciro", "Dora", "Fulvia\t"]
    sheet = {**SHEET, "caller": " Ada", "partner": "EZIO"}
    deal = {"sheet": sheet, "dealer": "Bea ", "seats": seats, "sits_out": ["Bea "]}

    copy = kept(document(seats=seats, opening={}, deals=[deal]), start())

    assert copy.state.names == ("Ezio", "Ada", "Bea", "Ciro", "Dora", "Fulvia")
    assert copy.balances() == [1, 2, 0, -1, -1, -1]
    assert list(circle_findings(copy.circle_id)) == []


def test_imported_session_is_dated_ended_and_signed_and_the_rest_as_the_replay_takes_it() -> None:
    bare = {key: document()[key] for key in ("game", "seats")} | {"deals": [{"sheet": SHEET}] * 3}
    circle = start()

    copy, other = kept(document(), circle), kept(bare, circle)

    row, deal = copy.state.row, copy.deal(1)
    assert (row.title, row.started_at.date().isoformat()) == ("Friday", "2026-11-20")
    assert row.ended_at is not None
    assert stored_balances(copy) == balances(replay(document()))
    assert deal.versions[0].at > row.started_at
    assert [version.act for version in deal.versions] == ["record"]
    assert [other.deal(number).dealer for number in (1, 2, 3)] == ["Ada", "Bea", "Ciro"]
    assert stored_balances(other) == balances(replay(bare))
    assert not other.state.row.title
    assert session_file(kept(document(deals=[]), circle).state)["deals"] == []


def found_again(given: dict[str, Any], state: Evening) -> int:
    """Say how often the circle has the session of a file."""
    return len(
        kept_before(preview_session(json.dumps(given), uuid4(), state.circle_id), state.circle_id)
    )


@pytest.mark.parametrize(
    ("other", "times"),
    [
        pytest.param({}, 1, id="as it was"),
        pytest.param({"title": "Saturday"}, 1, id="called otherwise"),
        pytest.param({"deals": document()["deals"][:1]}, 1, id="before it was over"),
        pytest.param({"deals": [*document()["deals"], {"outcome": "misdeal"}]}, 1, id="longer"),
        pytest.param({"date": "2026-11-21"}, 0, id="of another day"),
        pytest.param({"deals": document()["deals"][2:]}, 0, id="other deals"),
        pytest.param({"deals": []}, 0, id="nothing played"),
    ],
)
def test_session_is_the_same_as_far_as_its_deals_pay_the_same(
    other: dict[str, Any], times: int
) -> None:
    state = start()
    kept(document(), state)

    assert found_again(document(**other), state) == times


def problems_of(text: str) -> list[tuple[str, str, int | None]]:
    with pytest.raises(InvalidError) as raised:
        preview_session(text, uuid4(), uuid4())
    return [(one.code, one.field, deal_of(one)) for one in raised.value.problems]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("{", [("no-session-file", "", None)]),
        ("", [("no-session-file", "", None)]),
        ('{"a": 1}', [("no-session-file", "", None)]),
        (" " * 400_001, [("too-long", "", None)]),
        ("[]", [("no-session-file", "", None)]),
        (json.dumps(document(deals=[{}] * 5_001)), [("too-many-deals", "deals", None)]),
        (json.dumps(document(date="Friday")), [("bad-date", "date", None)]),
        (json.dumps(document(title="x" * 81)), [("bad-name", "title", None)]),
        (json.dumps(document(seats=["x" * 41, *FIVE[1:]], deals=[], opening={})),
         [("bad-name", "players", None)]),
        (json.dumps(document(seats=[*"abcdef", *FIVE], deals=[], next={"seats": list(FIVE)})),
         [("seats-count", "players", None)]),
        (json.dumps(document(deals=[{"outcome": "misdeal"}, {"sheet": SHEET, "play": {
            "called_card": "KC", "tricks": [], "note": "x" * 201}}])),
         [("too-long", "deals[1].play.note", 2)]),
    ],
)  # fmt: skip
def test_file_that_cannot_be_kept_is_told(
    given: str, told: list[tuple[str, str, int | None]]
) -> None:
    assert problems_of(given) == told


def test_every_problem_is_told_with_its_deal_and_nothing_is_kept() -> None:
    wrong = [{"sheet": {**SHEET, "partner": "Ada"}}, {"outcome": "x"}, {"sheet": SHEET}]

    found = problems_of(json.dumps(document(deals=wrong)))

    assert [deal for _, _, deal in found] == [1, 2]
    assert found[0][:2] == ("caller-is-partner", "deals[0].sheet.partner")
    assert queries.circle.circle_ids() == []


def test_cards_come_out_with_names_and_in_with_who_wrote_them() -> None:
    evening = with_cards()

    first, second, third, _ = session_file(evening.state)["deals"]
    copy = kept(session_file(evening.state), evening)
    row = queries.deals.tricks(copy.circle_id, copy.deal(2).deal_id)

    assert first["play"] == {"called_card": "KC", "tricks": TRICKS}
    assert second["play"]["note"] == "Ezio remembers it so"
    assert third["play"]["tricks"][1] == {"leader": "Ezio", "cards": TRICKS[1], "winner": "Ciro"}
    assert third["play"]["auction"] == [["Ada", "pass"], ["Bea", "61"]]
    assert row is not None
    assert (row.version, row.reason) == (1, "Ezio remembers it so")
    assert (row.phone_id, row.written_by) == (evening.by.phone_id, evening.by.player)


def test_deals_with_cards_are_counted_and_what_is_odd_in_them_is_told() -> None:
    play = {"called_card": "KC", "tricks": TRICKS}
    deals = [{"dealer": "Ezio", "sheet": SHEET, "play": play}, {"sheet": SHEET, "play": {}}]

    preview = preview_session(json.dumps(document(deals=deals)), uuid4(), uuid4())

    assert preview.plays == 1
    assert ("wrong-partner", 1) in [(one.code, deal_of(one)) for one in preview.odd]


@pytest.mark.parametrize("text", ["8X\0", "\ud800", "x" * 5000])
def test_whatever_was_written_for_a_card_can_be_kept(text: str) -> None:
    play = {"called_card": "KC", "tricks": [["7B", text]]}
    given = document(deals=[{"dealer": "Ezio", "sheet": SHEET, "play": play}])

    (told,) = cards_of(kept(given, start()))

    assert told["tricks"][0][0] == "7B"
    assert len(told["tricks"][0][1]) <= 20


def test_names_that_look_like_seats_are_no_seats() -> None:
    evening = start(players=["4", "3", "2", "1", "0"])
    evening.record(sheet("4", "3"))

    (deal,) = session_file(evening.state)["deals"]

    assert evening.deal(1).entry.stored is not None
    assert (deal["sheet"]["caller"], deal["sheet"]["partner"]) == ("4", "3")
    assert evening.balances() == [2, 1, -1, -1, -1]
