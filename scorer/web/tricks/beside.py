"""What a deal's page shows of its cards: the proof beside the sheet, and every difference."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from scorer.cards import engine
from scorer.errors import NotFoundError
from scorer.services.tricks import differences, sheet_by_tricks, tricks_at
from scorer.services.typed_text import LONGEST_REASON
from scorer.texts import Text
from scorer.web.filters import in_words
from scorer.web.tricks.views import trick_rows
from scorer.web.views import phone_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorer.cards.engine import Proof
    from scorer.rules.findings import Finding
    from scorer.services.deal_report import DealReport
    from scorer.services.tricks import Tricks
    from scorer.web.tricks.views import TrickLine

#: Where the least that shows a difference doesn't show what is right instead.
SUMMED_UP = {"points-mismatch", "wrong-result"}


class StepView(NamedTuple):
    """A sentence of a proof, and the step of the replay at which it is seen; None without one."""

    text: Text
    at: int | None


class Compared(NamedTuple):
    """A difference between the cards and the sheet, and why it is one."""

    finding: Finding
    proof: Proof | None


@dataclass(frozen=True, slots=True)
class TricksBeside:
    """The cards of a deal, as the deal's page shows them.

    ``problems`` are each a proof; ``amended`` says whether the cards are enough for a whole sheet,
    and ``reason`` is what a dispute says of them.
    """

    seen: int
    by: str | None
    phone: Text | str | None
    at: datetime
    note: str | None
    over: bool
    proofs: list[list[StepView]]
    differences: list[list[StepView]]
    faults: list[StepView]
    amended: bool
    reason: str


def may_have_tricks(report: DealReport) -> Tricks | None:
    """Open the cards of a deal, of a game whose cards can be written down."""
    try:
        return tricks_at(report.state, report.deal.number)
    except NotFoundError:
        return None


def beside(tricks: Tricks) -> TricksBeside | None:
    """Tell the cards of a deal beside its sheet; None while nobody has written any down."""
    written, deal = tricks.written, tricks.deal
    if written is None or deal.claim is None:
        return None
    now, found = engine.play_state(deal), differences(tricks)
    rows = trick_rows(deal, now)
    partner, result = engine.prove_partner(deal), engine.prove_result(deal)
    known = partner is not None and result is not None and partner.conclusion in result.steps
    proved = [proof for proof in (None if known else partner, result) if proof is not None]
    compared = [Compared(one, _proof(tricks, one)) for one in found]
    faults = [one for one in deal.examined.problems if "claim" not in one.where]
    return TricksBeside(
        written.version,
        written.written_by,
        phone_words(written.phone),
        written.at,
        written.note,
        now.over,
        [_steps(proof, rows) for proof in proved],
        [_told(one, rows) for one in compared],
        [StepView(one.message, _step(rows, one.where.get("trick"))) for one in faults],
        bool(found) and not faults and sheet_by_tricks(tricks) is not None,
        _reason(map(_telling, compared) if compared else [one.message for one in faults]),
    )


def _proof(tricks: Tricks, finding: Finding) -> Proof | None:
    """Prove a difference, where it follows from the cards and not from the sheet alone."""
    if finding not in tricks.deal.examined.problems:
        return None
    return engine.prove_problem(tricks.deal, finding)


def _told(one: Compared, rows: list[TrickLine]) -> list[StepView]:
    """Say what it really came to before why that is so, where the proof says less."""
    summed_up = [StepView(one.finding.message, None)]
    if one.proof is None:
        return summed_up
    steps = _steps(one.proof, rows)
    return [*summed_up, *steps] if one.finding.code in SUMMED_UP else steps


def _steps(proof: Proof, rows: list[TrickLine]) -> list[StepView]:
    steps = [*proof.steps, proof.conclusion]
    return [
        StepView(step.text, _step(rows, step.tricks[0] if step.tricks else None)) for step in steps
    ]


def _step(rows: list[TrickLine], number: object) -> int | None:
    return next((row.step for row in rows if row.number == number), None)


def _reason(told: Iterable[Text]) -> str:
    """Say in one line what the cards show, as far as there is room."""
    reason = " ".join(dict.fromkeys(map(in_words, told)))
    return reason if len(reason) <= LONGEST_REASON else f"{reason[: LONGEST_REASON - 1]}…"


def _telling(one: Compared) -> Text:
    """The sentence that says most: where the called card was, or what it came to."""
    if one.proof is None or one.finding.code in SUMMED_UP:
        return one.finding.message
    by_tricks = len(one.proof.steps) != 1 or not one.proof.steps[0].tricks
    return one.proof.conclusion.text if by_tricks else one.proof.steps[0].text
