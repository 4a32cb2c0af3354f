"""Random evenings of all games: what is held in Python and its file come to the same."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import Evening
from scorer.errors import ConflictError, InvalidError, RefusedError
from scorer.evening.acts import ACTS, Amend, DealAct, Record, WrittenSheet
from scorer.evening.deal import Author
from scorer.evening.session_acts import Change, End, Guest, PlayOn
from scorer.games import find_game
from scorer.operations import replay
from scorer.rules.game import Outcome
from scorer.rules.seats import all_seats
from tests.data.strategies import examples
from tests.evening.random_evenings import GAMES, NAMES, answers, begun, sheet
from tests.evening.test_places import naive_places

DONE = ("record", "record", "record", "record", "amend", "void", "restore", "change", "change")
ADA, BEA = Author(UUID(int=1)), Author(UUID(int=2))


def seen(evening: Evening) -> Any:
    """Everything that can be seen of an evening."""
    deals = [(one.number, one.payouts, one.outcome, one.dealer) for one in evening.deals]
    held = (evening.balances, evening.standings(), evening.dealer, evening.progress)
    return deals, held, json.dumps(evening.document())


def change(rng: Random, evening: Evening) -> dict[str, Any]:
    """Give other rules, another order with guests in it, another to sit out or to deal."""
    asked: dict[str, Any] = {}
    if rng.random() < 0.4:
        asked["rules"] = rng.choice(GAMES[evening.game.slug])
    if rng.random() < 0.6:
        known = list(dict.fromkeys([*evening.names, *rng.sample(NAMES, 2)]))
        count = max(1, len(evening.terms.order) + rng.randint(-1, 2))
        asked["order"] = rng.sample(known, min(len(known), count))
    people: Sequence[str] = asked.get("order", evening.names)
    if rng.random() < 0.3:
        asked["sits_out"] = rng.sample(people, 1)
    if rng.random() < 0.3:
        asked["dealer"] = rng.choice(people)
    return asked


def act(rng: Random, evening: Evening) -> None:
    """Do something with an evening, whether it can be done or not."""
    name = rng.choice(DONE) if evening.deals else "record"
    if name == "change":
        evening.change(**change(rng, evening))
        return
    given, outcome = answers(rng, evening)
    if name == "record":
        chosen = {"dealer": rng.choice(evening.names)} if rng.random() < 0.1 else {}
        evening.record(given, outcome, **chosen)
        return
    number = rng.randint(1, len(evening.deals))
    if name == "amend":
        table = evening.deals[number - 1].entry.table
        if outcome == "played":
            given = sheet(rng, evening, [table.name(seat) for seat in table.active])
        evening.amend(number, given, outcome)
    else:
        getattr(evening, name)(number)


@pytest.mark.parametrize("slug", GAMES)
@examples(25)
@given(seed=st.integers(0, 10**9))
def test_file_of_an_evening_comes_to_the_same(slug: str, seed: int) -> None:
    rng = Random(seed)
    evening = begun(rng, slug)
    before = seen(evening)
    for _ in range(rng.randint(0, 25)):
        try:
            act(rng, evening)
        except InvalidError:
            assert seen(evening) == before
        else:
            before = seen(evening)

    ranked = evening.standings()
    assert {name: place for place, name, _ in ranked} == naive_places(evening)
    assert [place for place, _, _ in ranked] == sorted(place for place, _, _ in ranked)
    document = evening.document()
    answer, standing = replay(document), [one for one in evening.deals if not one.voided]
    assert answer["ok"], answer["problems"]
    assert [(one["payouts"], one["dealer"]) for one in answer["deals"]] == [
        (one.payouts, one.dealer) for one in standing
    ]
    assert [(one["place"], one["player"], one["balance"]) for one in answer["standings"]] == ranked
    assert (answer["finished"], tuple(answer["winners"])) == evening.progress
    again = Evening.read(document)
    assert again.document() == document
    assert (again.balances, again.standings()) == (evening.balances, evening.standings())


def recorded(rng: Random, evening: Evening) -> Record:
    given, outcome = answers(rng, evening)
    sheet = None if given is None else WrittenSheet(given)
    key = UUID(int=rng.getrandbits(128))
    return Record(key=key, number=evening.number, outcome=Outcome(outcome), sheet=sheet)


def changed(rng: Random, evening: Evening) -> Change:
    """Give other rules for some deals, or seats with guests, with who sits out and who deals."""
    since = rng.randint(1, evening.number)
    until = rng.choice([None, rng.randint(since, evening.number)])
    rules = rng.choice(GAMES[evening.game.slug])
    change = Change(from_number=since, next_number=evening.number, until_number=until)
    if rng.random() < 0.7:
        guests = [Guest(name, rng.randint(-3, 3)) for name in NAMES if name not in evening.names]
        guests = guests[: rng.choice([0, 0, 1])]
        room = max(2, len(evening.terms.order) + rng.randint(-1, 1))
        known = all_seats(len(evening.names) + len(guests))
        order = rng.sample(known, min(room, len(known)))
        out = rng.choice([None, None, order[:1], order[:2]])
        return replace(
            change,
            seats=tuple(order),
            sits_out=None if out is None else tuple(out),
            dealer=rng.choice([None, *order]),
            guests=tuple(guests),
            by_place=rng.random() < 0.5,
        )
    return replace(change, rules=rules)


def done(rng: Random, evening: Evening) -> Evening:
    """Do an act of a stored session, whether it can be done or not."""
    kind = rng.choice(("record", "record", "change", "deal", "deal", "end"))
    if kind != "deal" or not evening.deals:
        end = PlayOn() if evening.over else End()
        act = {"change": changed(rng, evening), "end": end}.get(kind, recorded(rng, evening))
        return act.apply(evening, ADA)
    deal = rng.choice(evening.deals)
    said: dict[str, Any] = {"version": deal.version, "reason": "No"}
    acts: list[type[DealAct]] = [Amend, *ACTS.values()]
    chosen = rng.choice(acts)
    if chosen is Amend:
        names = [deal.entry.table.name(seat) for seat in deal.entry.table.active]
        amend = Amend(**said, sheet=WrittenSheet(sheet(rng, evening, names)))
        return amend.apply(evening, deal, ADA)
    said |= {"seen": len(deal.reviews)} if "seen" in chosen.__dataclass_fields__ else {}
    return chosen(**said).apply(evening, deal, BEA)


@pytest.mark.parametrize("slug", GAMES)
@examples(25)
@given(seed=st.integers(0, 10**9))
def test_evening_of_the_facts_is_the_evening_that_the_acts_made(slug: str, seed: int) -> None:
    rng = Random(seed)
    evening = begun(rng, slug)
    before, facts = seen(evening), evening.facts_since(0)
    for _ in range(rng.randint(1, 20)):
        with suppress(InvalidError, ConflictError, RefusedError):
            after = done(rng, evening)
            assert seen(evening) == before
            assert after.facts_since(0)[: len(facts)] == facts
            evening, before, facts = after, seen(after), after.facts_since(0)

    again = replace(evening.begun(), changes=(), over=evening.over).take(*evening.facts_since(0))

    assert seen(again) == seen(evening)
    assert (again.waiting, again.written, again.next_table) == (
        evening.waiting,
        evening.written,
        evening.next_table,
    )
    assert [deal[-2:] for deal in again.deals] == [deal[-2:] for deal in evening.deals]
    answer = replay(evening.document())
    assert answer["ok"], answer["problems"]
    assert {row["player"]: row["balance"] for row in answer["standings"]} == evening.balances


@pytest.mark.parametrize("slug", [slug for slug in GAMES if not find_game(slug).eliminates])
@examples(30)
@given(seed=st.integers(0, 10**9))
def test_what_if_pays_as_the_same_evening_by_other_rules(slug: str, seed: int) -> None:
    rng = Random(seed)
    evening = begun(rng, slug)
    for _ in range(8):
        try:
            act(rng, evening)
        except InvalidError:
            continue
    before, rules = seen(evening), rng.choice(GAMES[slug])
    since = rng.randint(1, len(evening.deals) + 1)

    other = evening.what_if(rules, since)

    assert seen(evening) == before
    for then, now in zip(other.deals, evening.deals, strict=True):
        assert (then.dealer, then.outcome, then.voided) == (now.dealer, now.outcome, now.voided)
        if then.number < since:
            assert then.payouts == now.payouts
    answer = replay(other.document())
    assert answer["ok"], answer["problems"]
    assert {one["player"]: one["balance"] for one in answer["standings"]} == other.balances
