"""Deals for programs: shown with their versions, recorded, amended, voided, restored, reviewed.

The services are those of the pages, with the same keys, versions, conflicts and journal.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from flask import request
from flask.typing import ResponseReturnValue

from scorer.api.access import current_writer
from scorer.api.answers import as_json, speaker, written
from scorer.api.routes import SESSION, CircleRoutes, read_document
from scorer.errors import ConflictError, InvalidError, NotFoundError, refuse
from scorer.evening.setting import require
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.rules.sheet import Reading, choice_reader, line_reader, read_object
from scorer.services.base.roles import Role
from scorer.services.base.text import LONGEST_REASON
from scorer.services.book.state import SessionTerms, load_state, paid_by
from scorer.services.book.writing import DealChange
from scorer.services.deals import deals
from scorer.services.deals.deals import DealEntry, RecordedDeal
from scorer.services.deals.report import DealReport, DealVersion, deal_report
from scorer.services.deals.reviews import CONFIRM, DISPUTE, UPHOLD, review_deal, withdraw_dispute
from scorer.texts import say

T = TypeVar("T")

blueprint = CircleRoutes("api_deals", __name__)
DEALS = f"{SESSION}/deals"
DEAL = f"{DEALS}/<int(max=1000000):number>"
ENTRY_KEYS = frozenset({"outcome", "sheet"})
CHANGE_KEYS = frozenset({"version", "reason"})
SETTLING_KEYS = CHANGE_KEYS | {"seen"}
REVIEW_KEYS = SETTLING_KEYS | {"kind", "right"}
READ_OUTCOME, READ_REASON = choice_reader(Outcome), line_reader(LONGEST_REASON)
NO_KEY = say("A UUID is needed that this deal alone has, made by the program.")
NO_KIND = say("Say dispute or confirm.")
ONLY_DISPUTES = say("Only a dispute says what is right.")
PLAIN = say("A text, a whole number, true, false or null is needed.")
CONFLICT = say("Somebody else recorded the deal meanwhile. Look at what they wrote.")


class Body(NamedTuple):
    """The object that a program sent, and the problems that were found in it so far."""

    data: dict[str, Any]
    reading: Reading

    def number(self, name: str) -> int:
        """Read a whole number; 0 where there is none."""
        value = self.data.get(name)
        if require(self.data, name, self.reading) and type(value) is not int:
            self.reading.fault("wrong-type", name, say("A whole number is needed."))
        return value if type(value) is int else 0

    def key(self) -> UUID:
        try:
            return UUID(self.data.get("key"))
        except (AttributeError, TypeError, ValueError):
            self.reading.fault("wrong-type" if "key" in self.data else "missing-key", "key", NO_KEY)
            return UUID(int=0)

    def entry(self) -> DealEntry:
        key, number = self.key(), self.number("number")
        outcome, sheet = self.outcome_and_sheet()
        return DealEntry(key, number, sheet, outcome)

    def change(self, number: int) -> DealChange:
        """Read which version of a deal is changed, and why."""
        reason = READ_REASON(self.data.get("reason", ""), self.reading, "reason")
        return DealChange(number, self.number("version"), reason)

    def outcome_and_sheet(self) -> tuple[Outcome, Any]:
        """Read the outcome of a deal, and its sheet if it has one."""
        value = self.data.get("outcome", Outcome.PLAYED.value)
        outcome: Outcome | None = READ_OUTCOME(value, self.reading, "outcome")
        sheet, paid = self.data.get("sheet"), outcome in {Outcome.PLAYED, Outcome.PENALTY, None}
        if paid:
            require(self.data, "sheet", self.reading)
        if sheet is not None and not paid:
            message = say("A deal that was not played has no sheet.")
            self.reading.fault("unexpected-sheet", "sheet", message)
        return outcome or Outcome.PLAYED, sheet

    def kind(self) -> str:
        kind = self.data.get("kind")
        if kind not in (DISPUTE, CONFIRM):
            self.reading.fault(
                "unknown-choice" if "kind" in self.data else "missing-key", "kind", NO_KIND
            )
        return str(kind)

    def right(self) -> dict[str, Any]:
        """Read the proposal of a dispute, a plain value for each question."""
        answers = self.data.get("right", {})
        if not isinstance(answers, dict):
            self.reading.fault("wrong-type", "right", say("An object with named fields is needed."))
            return {}
        if self.data.get("kind") != DISPUTE and answers:
            self.reading.fault("unexpected-right", "right", ONLY_DISPUTES)
        for name, answer in answers.items():
            if not isinstance(answer, str | int | None):
                self.reading.fault("wrong-type", f"right.{name}", PLAIN)
        return answers

    def review(self, number: int) -> DealChange:
        """Read which version is reviewed, after how many reviews, and the proposal."""
        seen = self.number("seen") if "seen" in self.data else 0
        return replace(self.change(number), seen=seen, proposed_json=self.right())


@blueprint.errorhandler(ConflictError)
def answer_conflict(error: ConflictError) -> ResponseReturnValue:
    """Answer 409 with the deal as it stands; null where nobody has recorded that number yet."""
    args = request.view_args or {}
    problem = {"code": "conflict", "field": "", "message": speaker()(CONFLICT)}
    try:
        deal = _whole(deal_report(args["circle"], args["session"], *error.args))
    except NotFoundError:
        deal = None
    answer = {"ok": False, "problems": [problem], "deal": deal}
    return as_json(answer), HTTPStatus.CONFLICT


def _read(keys: Collection[str], read: Callable[[Body], T]) -> T:
    """Read the body, an object with these keys, whatever its content type; raise InvalidError."""
    reading = Reading()
    data = read_object(read_document(), keys, reading)
    if data is None:
        raise InvalidError(reading.problems)
    content = read(Body(data, reading))
    refuse(reading.problems)
    return content


@blueprint.reads(DEAL, "ShownDeal")
def show(circle: UUID, session: UUID, number: int) -> dict[str, Any]:
    """Return a deal with all its versions, the oldest first."""
    return _whole(deal_report(circle, session, number))


@blueprint.post(DEALS, least=Role.SCOREKEEPER)
def record(circle: UUID, session: UUID) -> ResponseReturnValue:
    """Record the next deal; the same key again records nothing more."""
    entry = _read(ENTRY_KEYS | {"key", "number"}, Body.entry)
    recorded = deals.record_deal(load_state(circle, session), entry, current_writer())
    return _written(circle, session, recorded, created=recorded.new)


@blueprint.put(DEAL, least=Role.SCOREKEEPER)
def amend(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
    change, (outcome, sheet) = _read(
        ENTRY_KEYS | CHANGE_KEYS, lambda body: (body.change(number), body.outcome_and_sheet())
    )
    state, by = load_state(circle, session), current_writer()
    recorded = deals.amend_deal(state, change, sheet, by, outcome=outcome)
    return _written(circle, session, recorded)


@blueprint.post(f"{DEAL}/void", endpoint="void", least=Role.SCOREKEEPER)
@blueprint.post(f"{DEAL}/restore", endpoint="restore", least=Role.SCOREKEEPER)
def strike(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
    """Strike a deal through, or take that back."""
    change = _read(CHANGE_KEYS, lambda body: body.change(number))
    act = deals.void_deal if request.endpoint == "api_deals.void" else deals.restore_deal
    return _written(circle, session, act(session, change, current_writer()))


@blueprint.reads(f"{DEAL}/reviews", "Reviews")
def reviews(circle: UUID, session: UUID, number: int) -> dict[str, Any]:
    """Return the reviews of a deal, the oldest first."""
    report = deal_report(circle, session, number)
    reviews = [
        {
            "kind": row.kind,
            "version": row.version,
            "reason": row.reason,
            "right": report.proposed(row),
            **written(row),
        }
        for row in report.reviews
    ]
    return {"state": _state(report), "reviews": reviews}


@blueprint.post(f"{DEAL}/reviews", least=Role.PLAYER, limit=("secret", "api", "dispute"))
def review(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
    """Confirm a deal, or dispute it; a dispute may say what is right."""
    change, kind = _read(REVIEW_KEYS, lambda body: (body.review(number), body.kind()))
    new = review_deal(kind, session, change, current_writer())
    return _reviewed(circle, session, number, new=new)


@blueprint.post(f"{DEAL}/uphold", endpoint="uphold", least=Role.SCOREKEEPER)
@blueprint.post(f"{DEAL}/withdraw", endpoint="withdraw", least=Role.PLAYER)
def settle(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
    """Settle a dispute: the deal is right as it stands; or take back one's own."""
    change = _read(SETTLING_KEYS, lambda body: body.review(number))
    by = current_writer()
    if request.endpoint == "api_deals.withdraw":
        new = withdraw_dispute(session, change, by)
    else:
        new = review_deal(UPHOLD, session, change, by)
    return _reviewed(circle, session, number, new=new)


def _reviewed(circle: UUID, session: UUID, number: int, *, new: bool) -> ResponseReturnValue:
    """Answer the reviews of a deal; with 201 where one was added."""
    answer = reviews(circle, session, number)
    return as_json(answer), HTTPStatus.CREATED if new else HTTPStatus.OK


def _written(
    circle: UUID, session: UUID, recorded: RecordedDeal, *, created: bool = False
) -> ResponseReturnValue:
    """Answer with the present payouts of a written deal."""
    document = _deal(deal_report(circle, session, recorded.number))
    answer = {key: document[key] for key in ("number", "version", "payouts", "why")}
    return as_json(answer), HTTPStatus.CREATED if created else HTTPStatus.OK


def _whole(report: DealReport) -> dict[str, Any]:
    return {**_deal(report), "versions": [_version(report.state, row) for row in report.versions]}


def _deal(report: DealReport) -> dict[str, Any]:
    state, deal, speak = report.state, report.deal, speaker()
    return {
        "number": deal.number,
        "version": deal.version,
        "outcome": deal.outcome,
        "dealer": state.names[deal.dealer],
        "sheet": state.answers_of(deal),
        "payouts": by_name(state, report.payouts),
        "why": [{"rule": step.rule, "text": speak(step.text)} for step in report.score.steps],
        "state": _state(report),
    }


def _state(report: DealReport) -> str:
    deal = report.deal
    return "voided" if deal.voided else "disputed" if deal.disputed else "stands"


def _version(state: SessionTerms, row: DealVersion) -> dict[str, Any]:
    return {
        "version": row.version,
        "act": row.act,
        "outcome": row.outcome,
        "dealer": state.names[row.dealer],
        "sheet": state.answers_of(row),
        "payouts": by_name(state, paid_by(row)),
        "voided": row.voided,
        "reason": row.reason,
        **written(row),
    }


def by_name(state: SessionTerms, payouts: Mapping[Seat, int] | Mapping[int, int]) -> dict[str, int]:
    return {state.names[seat]: amount for seat, amount in payouts.items()}
