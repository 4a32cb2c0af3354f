"""The cards of a deal beside its sheet: what they prove, and where the two differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scorer.errors import NotFoundError
from scorer.services.base.text import LONGEST_REASON
from scorer.services.cards.tricks import tricks_at
from scorer.web.base.filters import in_words
from scorer.web.cards.forms import KeepTricksForm
from scorer.web.cards.views import trick_rows
from scorer.web.deals.forms import VersionForm

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorer.cards.engine import Proof
    from scorer.rules.findings import Finding
    from scorer.services.cards.tricks import Tricks
    from scorer.services.deals.report import DealReport
    from scorer.texts import Text
    from scorer.web.cards.views import TrickLine

#: Differences whose proof doesn't say what is right instead: their own message goes first.
SUMMED_UP = {"points-mismatch", "wrong-result"}


class ProofLine(NamedTuple):
    """A sentence of a proof, and the step of the replay that shows it, if one does."""

    text: Text
    step: int | None


class Difference(NamedTuple):
    """A difference between the cards and the sheet; no proof where the sheet alone is at fault."""

    finding: Finding
    proof: Proof | None

    def lines(self, rows: list[TrickLine]) -> list[ProofLine]:
        """Return the proof line by line, below the message where the proof says less."""
        message = ProofLine(self.finding.message, None)
        if self.proof is None:
            return [message]
        lines = _lines(self.proof, rows)
        return [message, *lines] if self.finding.code in SUMMED_UP else lines

    @property
    def sentence(self) -> Text:
        """The one sentence that says most: where the called card was, or what the deal came to."""
        if self.proof is None or self.finding.code in SUMMED_UP:
            return self.finding.message
        by_tricks = len(self.proof.steps) != 1 or not self.proof.steps[0].tricks
        return self.proof.conclusion.text if by_tricks else self.proof.steps[0].text


@dataclass(frozen=True, slots=True)
class TricksBeside:
    """The cards of a deal, as the deal's page shows them beside the sheet.

    ``amend`` is the form that amends the sheet, where the cards prove a whole one; ``reason`` is
    the reason of a dispute for what the cards show.
    """

    over: bool
    proofs: list[list[ProofLine]]
    differences: list[list[ProofLine]]
    faults: list[ProofLine]
    amend: VersionForm | None
    keep: KeepTricksForm
    reason: str


def may_have_tricks(report: DealReport) -> Tricks | None:
    """Open the cards of a deal, of a game whose cards can be written down."""
    try:
        return tricks_at(report.state, report.deal.number)
    except NotFoundError:
        return None


def beside(tricks: Tricks, refused: KeepTricksForm | None = None) -> TricksBeside | None:
    """Compare the cards of a deal with its sheet; None while nobody has written any down.

    ``refused`` is the form to keep the cards as it was sent, with its problems.
    """
    written, deal = tricks.written, tricks.deal
    if written is None or not deal.trump_known:
        return None
    now = deal.state
    rows = trick_rows(deal, now)
    found = [
        Difference(one, deal.prove_problem(one) if one in deal.examined.problems else None)
        for one in tricks.differences
    ]
    faults = [one for one in deal.examined.problems if "claim" not in one.where]
    whole = bool(found) and not faults and tricks.proved_sheet is not None
    return TricksBeside(
        over=now.over,
        proofs=[_lines(proof, rows) for proof in deal.prove()],
        differences=[one.lines(rows) for one in found],
        faults=[ProofLine(one.message, _step(rows, one.where.get("trick"))) for one in faults],
        amend=VersionForm(version=tricks.version) if whole else None,
        keep=refused or KeepTricksForm(seen=written.version, note=written.reason),
        reason=_reason([one.sentence for one in found] or [one.message for one in faults]),
    )


def _lines(proof: Proof, rows: list[TrickLine]) -> list[ProofLine]:
    steps = [*proof.steps, proof.conclusion]
    return [
        ProofLine(step.text, _step(rows, step.tricks[0] if step.tricks else None)) for step in steps
    ]


def _step(rows: list[TrickLine], number: object) -> int | None:
    return next((row.step for row in rows if row.trick.number == number), None)


def _reason(sentences: Iterable[Text]) -> str:
    """Join the sentences, each once, and cut them to the length of a reason."""
    reason = " ".join(dict.fromkeys(map(in_words, sentences)))
    return reason if len(reason) <= LONGEST_REASON else f"{reason[: LONGEST_REASON - 1]}…"
