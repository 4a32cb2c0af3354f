"""A deal's own page: what it pays and why, what-if, the cards, history."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any, NamedTuple
from uuid import UUID

from flask import render_template, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorer.cards.faults import Finding
from scorer.cards.games import examined
from scorer.cards.proofs import Proof, prove, prove_problem, verdict
from scorer.errors import NotFoundError
from scorer.evening.acts import ACTS
from scorer.roles import Role
from scorer.rules.seats import Seat, every_seat
from scorer.services.base.journal import as_author
from scorer.services.cards.tricks import Tricks, tricks_at
from scorer.services.deals.report import DealReport, deal_report
from scorer.services.deals.what_if import TableWhatIf, tables_what_if
from scorer.texts import Text
from scorer.typed_text import REASON
from scorer.web.album.notes import NoteForm, shown_notes
from scorer.web.base.access import current_holder, may
from scorer.web.base.filters import in_words
from scorer.web.base.pages import SeatView, amounts, odd_texts, place, rule_set_url, seat_views
from scorer.web.cards.views import TrickLine, trick_rows
from scorer.web.deals.blueprint import DEAL, VOID_REASONS, pages
from scorer.web.deals.conflict import both_payouts
from scorer.web.deals.forms import KeepTricksForm, VersionForm


class LinkedWhatIf(NamedTuple):
    """The deal by the rules of one table, and the address of that table."""

    url: str
    name: Text
    payouts: list[SeatView]
    what_if: TableWhatIf


@pages.get(f"{DEAL}/", least=Role.SPECTATOR, kept=True)
def show(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    return report_page(deal_report(circle_id, session_id, number))


def report_page(
    report: DealReport, keep: KeepTricksForm | None = None, /, **sent: VersionForm
) -> str:
    """Show a deal; a form that was ``sent`` is shown again with its problems."""
    state, deal = report.state, report.deal
    tricks: Tricks | None = None
    with suppress(NotFoundError):  # a game without cards
        tricks = tricks_at(state, deal.number)
    payouts = _paid(report, deal.entry.paid) if deal.entry.paid else []
    proposal, here = report.proposal, current_holder()
    settle = VersionForm(version=deal.version, seen=len(deal.reviews))
    forms = {act.shown or "settle": settle for act in ACTS.values()}
    return render_template(
        "deals/deal.html",
        **place(state),
        report=report,
        deal=deal,
        payouts=payouts,
        paid=partial(_paid, report),
        dealer=SeatView(deal.turn.dealer, deal.dealer),
        sits_out=seat_views(state.names, deal.entry.sits_out),
        odd=odd_texts(state.game.describe(report.deal.entry.table.rules)),
        what_if=_what_if(report, payouts),
        void_reasons=(*state.game.mistakes, *VOID_REASONS),
        question=report.question(here) if may("deals.dispute") else None,
        proposal=proposal,
        both=both_payouts(report, proposal.payouts) if proposal else [],
        offered={
            name
            for name, act in ACTS.items()
            if may(f"deals.{name}") and act.possible(deal, as_author(here))
        },
        **{**forms, **sent},
        tricks=tricks,
        beside=None if tricks is None else beside(tricks, keep),
        **shown_notes(state.circle_id, state.session_id, deal.number),
        note_form=NoteForm.new(deal.number),
    )


def _paid(report: DealReport, paid: Mapping[Seat, int]) -> list[SeatView]:
    """List what everybody at the table is paid, partners together."""
    sides = report.state.game.around(report.deal.entry.table)
    gone = tuple(seat for seat in paid if not any(seat in side for side in sides))
    return amounts(report.state.names, (*sides, *every_seat(gone)), paid)


class OtherTables(NamedTuple):
    """The deal by other tables: those that pay otherwise, those that pay the same, and the rest."""

    differing: list[LinkedWhatIf]
    same: list[LinkedWhatIf]
    refused: dict[str, list[LinkedWhatIf]]

    @property
    def groups(self) -> list[tuple[str, list[LinkedWhatIf]]]:
        """The tables that pay the same or can't say, by reason."""
        same = [(gettext("Pays the same"), self.same)] if self.same else []
        return [*same, *self.refused.items()]

    @property
    def folded(self) -> int:
        return len(self.differing[3:]) + sum(len(tables) for _, tables in self.groups)


def _what_if(report: DealReport, payouts: list[SeatView]) -> OtherTables | None:
    """Sort the tables by what they pay, of the circle's own those that this phone may see."""
    state, played = report.state, report.state.game.describe(report.deal.entry.table.rules).name
    others = OtherTables([], [], {})
    sees_own = may("rule_sets.show")
    for what_if in tables_what_if(report):
        if what_if.own is not None and not sees_own:
            continue
        if what_if.own is not None:
            url = rule_set_url(state.circle_id, what_if.own.row.rule_set_id)
        else:
            url = url_for("games.preset", slug=state.game.slug, preset=what_if.rules.slug)
        name, score = state.game.describe(what_if.rules).name, what_if.score
        table = LinkedWhatIf(url, name, _paid(report, score.payouts) if score else [], what_if)
        if what_if.refusal is not None:
            others.refused.setdefault(in_words(what_if.refusal), []).append(table)
        elif table.payouts != payouts:
            others.differing.append(table)
        elif what_if.own is not None or name != played:
            others.same.append(table)
    return others if any(others) else None


#: Differences whose proof doesn't say what is right instead: their own message goes first.
SUMMED_UP = {"points-mismatch", "wrong-result"}


class ProofLine(NamedTuple):
    """A sentence of a proof, and the step of the replay that shows it, if one does."""

    text: Text
    step: int | None


class CardDifference(NamedTuple):
    """A difference between the cards and the sheet; without a proof if the sheet alone is wrong."""

    finding: Finding
    proof: Proof | None

    def lines(self, rows: list[TrickLine]) -> list[ProofLine]:
        """Return the proof line by line, after the message if that says more."""
        message = ProofLine(self.finding.message, None)
        if self.proof is None:
            return [message]
        lines = _lines(self.proof, rows)
        return [message, *lines] if self.finding.code in SUMMED_UP else lines

    @property
    def sentence(self) -> Text:
        """The most important sentence: where the called card was, or the result of the deal."""
        if self.proof is None or self.finding.code in SUMMED_UP:
            return self.finding.message
        by_tricks = len(self.proof.steps) != 1 or not self.proof.steps[0].tricks
        return self.proof.conclusion.text if by_tricks else self.proof.steps[0].text


def beside(tricks: Tricks, refused: KeepTricksForm | None = None) -> dict[str, Any] | None:
    """Return the values of the page about the cards of a deal; None if nobody has entered any.

    ``refused`` is the form to store contradictory cards, as sent, with its problems. ``amend``
    amends the sheet, if the cards prove a complete one; ``reason`` is a dispute's, from the cards.
    """
    written, board = tricks.written, tricks.board
    if written is None or not board.ready:
        return None
    rows, problems = trick_rows(board), examined(board).problems
    differences = [
        CardDifference(finding, prove_problem(board, finding) if finding in problems else None)
        for finding in tricks.differences
    ]
    faults = [finding for finding in problems if "claim" not in finding.where]
    whole = bool(differences) and not faults and tricks.proved_sheet is not None
    sentences = [difference.sentence for difference in differences]
    against = [difference.lines(rows) for difference in differences]
    ends = [lines[-1].text for lines in against]
    said = chain.from_iterable(zip(sentences, ends, strict=True))
    proofs, result = [_lines(proof, rows) for proof in prove(board)], verdict(board)
    return {
        "over": board.over,
        "conclusions": [result] if result else [lines[-1].text for lines in proofs],
        "steps": [*against, *proofs],
        "differences": list(dict.fromkeys(map(in_words, said))),
        "faults": [
            ProofLine(finding.message, _step(rows, finding.where.get("trick")))
            for finding in faults
        ],
        "amend": VersionForm(version=tricks.version) if whole else None,
        "keep": refused or KeepTricksForm(seen=written.version, note=written.reason),
        "reason": _reason(sentences or [finding.message for finding in faults]),
    }


def _lines(proof: Proof, rows: list[TrickLine]) -> list[ProofLine]:
    steps = [*proof.steps, proof.conclusion]
    return [
        ProofLine(step.text, _step(rows, step.tricks[0] if step.tricks else None)) for step in steps
    ]


def _step(rows: list[TrickLine], number: object) -> int | None:
    return next((row.step for row in rows if row.number == number), None)


def _reason(sentences: Iterable[Text]) -> str:
    """Join the sentences, each once, and cut them to the length of a reason."""
    reason = " ".join(dict.fromkeys(map(in_words, sentences)))
    return reason if len(reason) <= REASON.longest else f"{reason[: REASON.longest - 1]}…"
