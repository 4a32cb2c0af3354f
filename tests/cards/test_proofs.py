"""Proofs: nothing is missing in them and nothing is too much, and they say what happened."""

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import reduce
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.cards.board import Board
from scorer.cards.chiamata import evidence_of
from scorer.cards.faults import Finding
from scorer.cards.games import examined
from scorer.cards.line import follow
from scorer.cards.proofs import (
    PARTNER,
    Proof,
    ProofPart,
    aside_text,
    call_text,
    counted,
    counts_as_exactly,
    each_by_itself,
    parts,
    prove_partner,
    prove_result,
    same_partner,
    same_takers,
    verdict,
    winner_text,
    without,
)
from scorer.cards.standing import standing
from tests.cards.card_deals import LADDER, prove_all, value_of
from tests.cards.sides_deals import bare as bare_deal
from tests.cards.sides_deals import tressette
from tests.cards.test_faulty_records import FAULTS
from tests.data.strategies import examples
from tests.games.played import bare, deals, shown, whole
from tests.games.played import parts as parts_of
from tests.games.tables import Deal as Played
from tests.games.tables import play, worth
from tests.samples import RECORD

SAID: dict[str, Any] = {"caller": "Bea", "bid": "K", "called_card": "KC"}
TRICKS = RECORD["tricks"]


def only(deal: Board, kept: Collection[ProofPart]) -> Board:
    """What is left of a deal once every other part is gone."""
    return reduce(without, [part for part in parts(deal) if part not in kept], deal)


def check_irreducible(proof: Proof, deal: Board, shows: Callable[[Board], bool]) -> None:
    """What is left shows it, nothing without any part of it does, and every step rests on parts.

    Who led a trick is told by the whole deal, unless the record shows it only as it was written.
    """
    left, whole = parts(proof.board), each_by_itself(deal)
    start = whole if shows(whole) else deal
    assert shows(proof.board)
    assert proof.board == only(start, left)
    assert not any(shows(without(proof.board, part)) for part in left)
    told = [part for step in [*proof.steps, proof.conclusion] for part in step.parts]
    assert all(step.parts for step in proof.steps)
    assert {part for part in told if part in left} | {PARTNER} >= set(left)


def check_result(proof: Proof, deal: Board) -> None:
    """It is as early as it can be, and nothing can be left out of it."""
    known, status = believing(deal), evidence_of(deal).status

    def shows(left: Board) -> bool:
        alike = same_partner(left, known) and same_takers(left, known)
        return alike and evidence_of(left).status == status

    check_irreducible(proof, decided(known, shows), shows)


def believing(deal: Board) -> Board:
    """Write down who is proved to be the partner: proofs of the result may begin with that."""
    side = evidence_of(deal).side
    claim = replace(deal.claim, partner=side.partner)
    return replace(deal, claim=claim) if side.proved else deal


def decided(deal: Board, shows: Callable[[Board], bool]) -> Board:
    """Leave out what came after the trick that decided it, unless a card is in doubt."""
    whole, count = each_by_itself(deal), len(deal.tricks)
    begun = (replace(whole, tricks=whole.tricks[:number]) for number in range(count))
    return deal if follow(deal).doubtful else next(filter(shows, begun), deal)


@examples(40)
@given(st.data())
def test_parts_of_a_deal_are_kept_and_nothing_else(data: st.DataObject) -> None:
    deal = value_of(data.draw(parts_of(data.draw(deals()))))
    every = parts(deal)
    kept = data.draw(st.sets(st.sampled_from(every))) if every else set()

    left = only(deal, kept)

    assert set(parts(left)) == kept
    assert [pile for pile in left.tricks if pile] == [
        pile
        for index, pile in enumerate(deal.tricks)
        if pile and ProofPart("tricks", index) in kept
    ]


@examples(50)
@given(st.data())
def test_nothing_can_be_left_out_of_the_proof_of_a_partner(data: st.DataObject) -> None:
    played: Played = data.draw(deals())
    deal = value_of(data.draw(parts_of(played)))
    side = evidence_of(deal).side

    proof = prove_partner(deal)

    assert (proof is None) is (len(side.candidates) > 1)
    if proof is not None:
        check_irreducible(proof, deal, lambda left: evidence_of(left).side == side)
        assert proof.steps == ()
        assert (played.partner or played.caller) in str(proof.conclusion.text)


@examples(50)
@given(st.data())
def test_nothing_can_be_left_out_of_the_proof_of_a_result(data: st.DataObject) -> None:
    played: Played = data.draw(deals())
    deal = value_of(data.draw(parts_of(played)))

    proof = prove_result(deal)

    assert (proof is None) is (evidence_of(deal).status == "open")
    if proof is not None:
        check_result(proof, deal)
        low, high = evidence_of(proof.board).bounds
        assert low <= played.side_points <= high


@pytest.mark.parametrize(("preset", "seed"), [("monte-5", 3), ("monte-6", 2), ("monte-7", 21)])
def test_partner_who_was_shown_is_not_forgotten_in_the_result(preset: str, seed: int) -> None:
    played = play({"preset": preset}, seed)
    assert shown(played)

    explained = prove_all(value_of(whole(played)))

    assert explained.partner is not None
    assert explained.result is not None
    assert f"{played.partner} is the partner" in str(explained.partner.conclusion.text)
    assert not [step for step in explained.result.steps if "alone" in str(step.text)]


def decided_after(proof: Proof) -> int:
    """The trick that a proof names at its end, or none."""
    found = re.match(r"After trick (\d+) ", str(proof.conclusion.text))
    return int(found[1]) if found else 0


@examples(100)
@given(deals())
def test_trick_that_a_proof_names_decided_the_result_and_the_one_before_did_not(
    played: Played,
) -> None:
    record = bare(whole(played))
    proof = prove_result(value_of(record))
    assert proof is not None
    last = decided_after(proof)
    counting = [step for step in proof.steps if " card points for " in str(step.text)]
    told = max(
        (max(step.tricks) for step in proof.steps if step not in counting and step.tricks),
        default=0,
    )

    after, before = (
        evidence_of(value_of({**record, "tricks": record["tricks"][:count]})).bounds
        for count in (max(last, told), max(0, last - 1))
    )

    assert decides(after, played)
    assert last <= told or not decides(before, played)
    for step in counting:
        assert str(step.text) == counted_in_words(step.tricks, played)
    assert [number for step in counting for number in step.tricks][-1:] == [last] * bool(counting)


def counted_in_words(numbers: list[int], played: Played) -> str:
    """Say who took the card points of a trick; without one, those of the discards."""
    for number in numbers:
        trick = played.tricks[number - 1]
        points = sum(worth(card, played.rules) for card in trick.cards)
        return f"Trick {number}: {points} card points for {trick.winner}."
    points, name = sum(worth(card, played.rules) for card in played.discards), played.tricks[-1][2]
    return f"The cards laid aside go with the last trick: {points} card points for {name}."


def decides(bounds: tuple[int, int], played: Played) -> bool:
    """Whether nothing that is left open changes the result any more."""
    return bounds[0] >= played.target or bounds[1] < played.target


@pytest.mark.parametrize("make", FAULTS)
@examples(4)
@given(deals(), st.booleans(), st.integers(0, 10**6))
def test_nothing_can_be_left_out_of_the_proof_of_a_problem(
    make: Callable[[Played, dict[str, Any], Random], object],
    played: Played,
    all_told: bool,  # noqa: FBT001  # drawn
    seed: int,
) -> None:
    record = whole(played) if all_told else bare(whole(played))
    make(played, record, Random(seed))
    deal = value_of(record)

    explained = prove_all(deal)

    if explained.result is not None:
        check_result(explained.result, deal)
    for finding, proof in zip(examined(deal).problems, explained.problems, strict=True):
        if finding.code == "wrong-result":
            assert proof == explained.result
        else:
            check_irreducible(proof, deal, finds(finding, deal))


def finds(finding: Finding, deal: Board) -> Callable[[Board], bool]:
    """Whether the same is found in what is left of a deal, and nothing that the deal denies."""
    claim = finding.where.get("claim")

    def shows(left: Board) -> bool:
        side = claim not in ("partner", "card_points", "cappotto") or same_partner(left, deal)
        tricks = not str(claim).endswith(("points", "cappotto")) or same_takers(left, deal)
        found = finding[:2] in [one[:2] for one in examined(left).problems]
        return side and tricks and found and counts_as_exactly(left, deal, finding)

    return shows


def told(proof: Proof | None) -> list[str]:
    assert proof is not None
    return [str(step.text) for step in [*proof.steps, proof.conclusion]]


def g1(**change: Any) -> Board:
    return value_of({**RECORD, "rules": LADDER, "claim": SAID, **change})


def test_step_of_a_proof_names_its_tricks() -> None:
    deal = g1(claim={**SAID, "bid": "2@73", "partner": "Ciro"}, tricks=TRICKS[:5])

    partner, missed = prove_partner(g1()), prove_result(deal)

    assert partner is not None
    assert missed is not None
    assert partner.conclusion.tricks == [6]
    assert [step.tricks for step in missed.steps] == [[], [1], [2], [4]]
    assert str(standing(deal)) == "Caller’s side: missed, at most 72 (73 needed)"


def test_drawn_deal_says_so_where_it_stands() -> None:
    deal = g1(rules={**LADDER, "draw": {"card_points": 72}})

    assert str(standing(deal)) == "Caller’s side: a draw, 72 (61 needed)"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param({}, "the caller's side took 72 of 61: made.", id="whole"),
        pytest.param(
            {"claim": {"caller": "Ezio", "bid": "3", "called_card": "3B"}, "tricks": TRICKS[:5]},
            "the caller's side took at least 64 of 61: made.",
            id="made early",
        ),
        pytest.param(
            {"claim": {**SAID, "bid": "2@73", "partner": "Ciro"}, "tricks": TRICKS[:5]},
            "the caller's side took at most 72 of 73: missed.",
            id="missed early",
        ),
        pytest.param(
            {"rules": {**LADDER, "draw": {"card_points": 72}}},
            "the caller's side took 72 of 61: a draw.",
            id="drawn",
        ),
        pytest.param({"tricks": TRICKS[:2]}, "None", id="open"),
    ],
)
def test_verdict_says_what_was_taken_of_what_was_needed(change: dict[str, Any], said: str) -> None:
    assert said in str(verdict(g1(**change)))


def test_there_is_no_verdict_without_a_caller() -> None:
    assert verdict(value_of(bare_deal(tressette(5)))) is None


def test_part_of_a_deal_excludes_no_partner_whom_the_whole_deal_allows() -> None:
    winners = ["Ezio", "Dora", "Bea", "Ezio", "Bea", "Ciro", "Bea", "Bea"]
    tricks: list[Any] = [
        {"leader": leader, "cards": [*cards], "winner": winner}
        for leader, cards, winner in zip(["Ada", *winners], TRICKS, winners, strict=False)
    ]
    # Ciro had the called card: now Ada has it, too, and Dora.
    tricks[0]["cards"][0] = tricks[6]["cards"][1] = "KC"
    deal = g1(tricks=tricks)
    smaller = without(deal, ProofPart("tricks", 0))

    assert len(evidence_of(deal).side.candidates) == 3
    assert (evidence_of(smaller).players, len(evidence_of(smaller).side.candidates)) == (None, 2)
    assert same_partner(deal, deal)
    assert not same_partner(smaller, deal)


def test_part_of_a_deal_counts_no_card_laid_aside_that_is_there_twice_in_the_whole_deal() -> None:
    played = play("monte-5", 3)
    record = whole(played)
    card = max(played.discards, key=lambda card: worth(card, played.rules))
    record["tricks"][0]["cards"][0] = card
    deal = value_of(record)
    smaller = without(deal, ProofPart("tricks", 0))

    assert worth(card, played.rules) > 0
    assert same_takers(deal, deal)
    assert not same_takers(smaller, deal)


def test_nothing_is_said_of_a_trick_that_nobody_is_known_to_have_taken() -> None:
    deal = g1(dealer=None, tricks=TRICKS[:1])

    assert counted(deal, 0) is None
    assert aside_text(deal) is None
    assert winner_text(deal, 0) is None
    assert call_text(deal, 0) is None


@pytest.mark.parametrize(("rules", "bid"), [("ladder-bands", "A"), ("classic", 61)])
def test_cappotto_that_is_denied_is_proved_by_all_that_it_counts(rules: str, bid: Any) -> None:
    trumps = ["AC", "3C", "KC", "QC", "JC", "7C", "6C", "5C"]
    others = iter(["4C", "2C", *(rank + suit for suit in "DSB" for rank in "A3KQJ76542")])
    tricks = [[trump, *(next(others) for _ in range(4))] for trump in trumps]
    tricks[0][:2] = reversed(tricks[0][:2])
    claim = {"caller": "Bea", "bid": bid, "called_card": "AC", "partner": None, "cappotto": False}
    deal = value_of({**RECORD, "rules": rules, "claim": claim, "tricks": tricks})

    (proof,) = prove_all(deal).problems

    tricks_counted = [part.key for part in parts(proof.board) if part.kind == "tricks"]
    worths = [follow(deal).worths[index] for index in tricks_counted]
    assert told(proof)[-1] == "It was a cappotto: one side took everything."
    assert sum(worths) == 120
    assert len(tricks_counted) == 8 if rules == "ladder-bands" else 0 not in worths
