"""The cards beside the sheet: what they prove, where they differ, and what is done about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from flask import abort, flash, redirect, request
from flask_babel import gettext

from scorer.cards import chiamata, engine
from scorer.errors import ConflictError, InvalidError, NotFoundError
from scorer.services.deals import DealChange
from scorer.services.tricks import (
    TricksEntry,
    amend_by_tricks,
    differences,
    open_tricks,
    record_by_tricks,
    sheet_by_tricks,
    tricks_at,
    write_tricks,
)
from scorer.services.typed_text import LONGEST_REASON
from scorer.texts import Text
from scorer.web.access import current_holder
from scorer.web.deals.pages import keep_undo, sent_version
from scorer.web.filters import in_words
from scorer.web.forms.deals import VersionForm
from scorer.web.forms.tricks import KeepTricksForm
from scorer.web.tricks.pages import back_url, pages
from scorer.web.tricks.views import trick_rows
from scorer.web.views import phone_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from uuid import UUID

    from flask.typing import ResponseReturnValue

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
    """The cards of a deal, as the deal's page shows them: who wrote them down, and what they prove.

    ``proofs``, ``differences`` and ``faults`` are told step by step. ``amend`` is there where the
    cards are enough for a whole sheet; ``reason`` is what a dispute says of them.
    """

    by: str | None
    phone: Text | str | None
    at: datetime
    over: bool
    proofs: list[list[StepView]]
    differences: list[list[StepView]]
    faults: list[StepView]
    amend: VersionForm | None
    keep: KeepTricksForm
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
    now, found = deal.state, differences(tricks)
    rows = trick_rows(deal, now)
    partner, result = chiamata.prove_partner(deal), chiamata.prove_result(deal)
    known = partner is not None and result is not None and partner.conclusion in result.steps
    proved = [proof for proof in (None if known else partner, result) if proof is not None]
    compared = [Compared(one, _proof(tricks, one)) for one in found]
    faults = [one for one in deal.examined.problems if "claim" not in one.where]
    whole = bool(found) and not faults and sheet_by_tricks(tricks) is not None
    return TricksBeside(
        by=written.written_by,
        phone=phone_words(written.phone),
        at=written.at,
        over=now.over,
        proofs=[_steps(proof, rows) for proof in proved],
        differences=[_told(one, rows) for one in compared],
        faults=[StepView(one.message, _step(rows, one.where.get("trick"))) for one in faults],
        amend=VersionForm(version=tricks.version) if whole else None,
        keep=KeepTricksForm(seen=written.version, note=written.note),
        reason=_reason(map(_telling, compared) if compared else [one.message for one in faults]),
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
    return next((row.step for row in rows if row.trick.number == number), None)


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


@pages.post("/record")
def record(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Write the deal under way on the sheet, as its cards prove it."""
    tricks = open_tricks(circle_id, session_id, number)

    def work() -> None:
        keep_undo(session_id, record_by_tricks(tricks, current_holder()))

    return _attempt(tricks, work)


@pages.post("/amend")
def amend(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Amend the sheet to what the cards prove: one tap."""
    tricks, form = open_tricks(circle_id, session_id, number), sent_version()
    change = DealChange(number, form.version.data or 0, gettext("As the cards show"))
    return _attempt(tricks, lambda: amend_by_tricks(tricks, change, current_holder()))


@pages.post("/keep")
def keep(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Keep the cards as they are, whatever they contradict, with a note."""
    tricks, form = open_tricks(circle_id, session_id, number), KeepTricksForm(request.form)
    if not form.validate():
        abort(HTTPStatus.BAD_REQUEST)
    play, seen = engine.stored_play(tricks.deal), form.seen.data or 0
    entry = TricksEntry(number, seen, play, form.note.data or "")
    return _attempt(tricks, lambda: write_tricks(session_id, entry, current_holder()))


def _attempt(tricks: Tricks, work: Callable[[], object]) -> ResponseReturnValue:
    """Do it, and go back to where one came from; what stands in the way is said there."""
    try:
        work()
    except InvalidError as error:
        flash(in_words(error.problems[0].message), "problem")
    except ConflictError:
        flash(
            gettext(
                "Deal %(number)s was changed meanwhile: look at it first.", number=tricks.number
            ),
            "problem",
        )
    return redirect(back_url(tricks), HTTPStatus.SEE_OTHER)
