"""What a phone makes of its data and what waits on it, held to the evening of the server."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any
from uuid import UUID

import pytest

from scorer import Evening
from scorer.errors import InvalidError
from scorer.evening.acts import Amend, Record, Restore, Void, WrittenSheet
from scorer.evening.deal import Author
from scorer.games import find_game
from scorer.rules.game import Outcome
from scorer.web.deals.entry_forms import deal_form
from scorer.web.deals.entry_forms.derived import DerivedForm
from scorer.web.deals.outcomes import agreed_values
from scorer.web.deals.phone_data import evening_data
from tests.data.strategies import examples
from tests.evening.random_evenings import GAMES, answers, begun, sheet
from tests.evening.test_random_evenings import act
from tests.static.conftest import CallScript

#: So many random queues of each game: a thousand in all where every example is tried.
QUEUES = examples(120).max_examples
#: The games whose forms say what answers pay.
PAID = [slug for slug in GAMES if deal_form(find_game(slug)) is not DerivedForm]
KINDS = ("record", "record", "record", "amend", "void", "restore")
NOBODY = Author()


def random_evening(rng: Random, slug: str) -> Evening:
    evening = begun(rng, slug)
    for _ in range(rng.randint(0, 12)):
        try:
            act(rng, evening)
        except InvalidError:
            continue
    return evening


def done(rng: Random, evening: Evening, first: int) -> tuple[dict[str, Any], Evening]:
    """Do one more thing, to a deal from ``first`` on: as a phone keeps it, and what it comes to."""
    kind = rng.choice(KINDS) if evening.number > first else "record"
    if kind == "record":
        given, outcome = answers(rng, evening)
        number, key = evening.number, UUID(int=rng.getrandbits(128))
        record = Record(key=key, number=number, sheet=given, outcome=Outcome(outcome))
        after = record.apply(evening, NOBODY)
        return kept(kind, number, sent(after, number)), after
    deal = evening.deal(rng.randrange(first, evening.number))
    number, version = deal.number, deal.version
    if kind == "amend":
        table = deal.entry.table
        right = WrittenSheet(sheet(rng, evening, [table.name(seat) for seat in table.active]))
        after = Amend(version=version, sheet=right).apply(evening, deal, NOBODY)
        return kept(kind, number, sent(after, number)), after
    name, taken_back = ("restore", Restore) if deal.voided else ("void", Void)
    return kept(name, number, {}), taken_back(version=version).apply(evening, deal, NOBODY)


def sent(evening: Evening, number: int) -> Mapping[str, str]:
    """Return what the form of a deal sends."""
    entry = evening.deal(number).entry
    if entry.outcome is Outcome.PLAYED:
        return deal_form(evening.game).values(entry.played)
    if entry.outcome is Outcome.AGREED:
        return {**agreed_values(entry.sheet)}
    offender = {"offender": str(entry.sheet.offender)} if entry.sheet else {}
    return {"outcome": entry.outcome.value, **offender}


def kept(kind: str, number: int, body: Mapping[str, str]) -> dict[str, Any]:
    told: dict[str, Any] = {"title": "", "facts": [], "state": "", "foretold": None}
    return {"kind": kind, "number": number, "body": [*body.items()], **told}


def known(evening: Evening, most: int) -> dict[str, Any]:
    """Return what a page gives of an evening, each player in a place of their own."""
    sides = dict(enumerate(evening.names))
    return {**evening_data(evening, most), "sides": sides, "closed": False, "over": ""}


def held(evening: Evening, first: int) -> dict[str, Any]:
    """Return what the server says of an evening."""
    turn, rules = evening.turn, evening.terms.rules
    table = evening.table(turn.dealer)
    return {
        "deals": [
            (deal.number, deal.turn.dealer, deal.voided, deal.totals)
            for deal in evening.deals[first - 1 :]
        ],
        "balances": evening.totals,
        "standings": evening.ranked(),
        "out": sorted(evening.out),
        "turn": (*turn, table.active, table.sits_out),
        "goes on": len(table.active) in evening.game.seating(rules).playing,
        "ended": evening.ended is not None,
    }


def folded(then: dict[str, Any]) -> dict[str, Any]:
    """Return what the script says of it."""
    asked, standings = then["asked"], then["standings"]
    return {
        "deals": [
            [deal["number"], deal["dealer"], deal["voided"], deal["balances"]]
            for deal in then["deals"]
        ],
        "balances": asked["balances"],
        "standings": [[row["place"], row["seat"], row["balance"]] for row in standings],
        "out": sorted(row["seat"] for row in standings if row["out"]),
        "turn": [asked["dealer"], asked["times"], asked["active"], asked["sits_out"]],
        "goes on": "next" in then,
        "ended": then["ended"],
    }


@pytest.mark.parametrize("slug", PAID)
def test_queue_comes_to_what_the_server_makes_of_it(call_script: CallScript, slug: str) -> None:
    rng, questions, expected = Random(slug), [], []
    for _ in range(QUEUES):
        evening = random_evening(rng, slug)
        data, queue = known(evening, rng.choice([0, 2, 200])), []
        first = data["number"]
        for _ in range(rng.randint(1, 6)):
            try:
                one, evening = done(rng, evening, first)
            except InvalidError:
                continue
            queue.append(one)
        questions.append(("foresee", json.loads(json.dumps([data, queue]))))
        expected.append(json.loads(json.dumps(held(evening, first))))

    told = call_script("live/evening.js", questions)

    certain = [at for at, then in enumerate(told) if not then["unknown"]]
    assert len(certain) > QUEUES / 2
    for at in certain:
        assert folded(told[at]) == expected[at], json.dumps(questions[at])
