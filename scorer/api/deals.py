"""Deals for programs: shown with their versions, and what is done to them.

The services are those of the pages, with the same keys, versions, conflicts and journal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import Annotated, Any
from uuid import UUID

from flask import request
from flask.typing import ResponseReturnValue

from scorer.api.access import current_writer
from scorer.api.answers import as_json, signed, speaker
from scorer.api.routes import (
    OPERATIONS,
    SESSION,
    CircleRoutes,
    Key,
    Operation,
    acted,
    read_body,
)
from scorer.errors import ConflictError
from scorer.evening.acts import (
    ACTS,
    Accept,
    Amend,
    Confirm,
    DealAct,
    Dispute,
    Record,
    ReviewAct,
)
from scorer.evening.deal import Version
from scorer.rules.seats import Seat
from scorer.rules.sheet import Ask, Reading
from scorer.services.deals import deals
from scorer.services.deals.deals import Done
from scorer.services.deals.report import DealReport, deal_report
from scorer.services.session.state import SessionState, load_state
from scorer.texts import say

blueprint = CircleRoutes("api_deals", __name__)
DEALS = f"{SESSION}/deals"
DEAL = f"{DEALS}/<int(max=1000000):number>"
CONFLICT = say("Somebody else recorded the deal meanwhile. Look at what they wrote.")


@dataclass(frozen=True, kw_only=True)
class NewDeal(Record):
    """The next deal; the program makes its key, and sent again it is the same deal."""

    key: Key


class ReviewKind(StrEnum):
    """The kinds of reviews but for settling a dispute."""

    DISPUTE = Dispute.kind
    CONFIRM = Confirm.kind


@dataclass(frozen=True, kw_only=True)
class NewReview(Dispute):
    """A review; only a dispute may say what is right."""

    kind: Annotated[ReviewKind, Ask("Whether it is disputed or confirmed")] = field()  # type: ignore[misc]  # the others know theirs

    @staticmethod
    def check(body: dict[str, Any], reading: Reading) -> None:
        says = isinstance(body.get("right"), dict) and body["right"]
        if says and body.get("kind") != ReviewKind.DISPUTE:
            message = say("Only a dispute says what is right.")
            reading.fault("unexpected-right", "right", message)

    @property
    def act(self) -> DealAct:
        if self.kind is ReviewKind.CONFIRM:
            return Confirm(version=self.version, reason=self.reason, seen=self.seen)
        return Dispute(version=self.version, reason=self.reason, seen=self.seen, right=self.right)


@blueprint.errorhandler(ConflictError)
def answer_conflict(error: ConflictError) -> ResponseReturnValue:
    """Answer 409 with the deal as it stands, or with the next number if nobody has recorded it."""
    args, (number,) = request.view_args or {}, error.args
    key, speak = (args["circle"], args["session"]), speaker()
    following = load_state(*key).row.next_number
    if 0 < number < following:
        answer: dict[str, Any] = {"deal": _whole(deal_report(*key, number))}
        code, message = "conflict", CONFLICT
    else:
        answer = {"deal": None, "next_number": following}
        code, message = "not-next", say("The next deal is number %(number)s.", number=following)
    problem = {"code": code, "field": "", "message": speak(message)}
    return as_json({"ok": False, "problems": [problem], **answer}), HTTPStatus.CONFLICT


@blueprint.reads(DEAL, "ShownDeal")
def show(circle: UUID, session: UUID, number: int) -> dict[str, Any]:
    """Return a deal with all its versions, the oldest first."""
    return _whole(deal_report(circle, session, number))


@blueprint.post(DEALS, least=Record.least)
def record(circle: UUID, session: UUID) -> ResponseReturnValue:
    """Record the next deal; the same key again records nothing more."""
    recorded = acted(NewDeal, lambda body, by: deals.record_deal(session, body, by))
    return _written(circle, session, recorded, created=recorded.new)


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
            **signed(row),
        }
        for row in report.reviews
    ]
    return {"state": _state(report), "reviews": reviews}


def _done(circle: UUID, session: UUID, number: int, act: DealAct) -> ResponseReturnValue:
    """Do something to a deal; answer what it pays now, or its reviews, with 201 for a new one."""
    done = deals.do(circle, session, number, act, by=current_writer())
    if not isinstance(act, ReviewAct):
        return _written(circle, session, done)
    answer = reviews(circle, session, number)
    return as_json(answer), HTTPStatus.CREATED if done.new else HTTPStatus.OK


def _declare(method: str, rule: str, name: str, kind: type[DealAct], body: type[Any]) -> None:
    """Let programs do an act, and describe that."""

    def view(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
        said = read_body(body)
        return _done(circle, session, number, said.act if isinstance(said, NewReview) else said)

    view.__name__, view.__doc__ = kind.name, body.__doc__
    answer = "Reviews" if issubclass(kind, ReviewAct) else "WrittenDeal"
    OPERATIONS.append(Operation(method, rule, name, view, answer, body, conflicts=True))
    limits = ("secret", "api", *kind.limit)
    add = blueprint.put if method == "put" else blueprint.post
    add(rule, endpoint=name.partition("_")[0], least=kind.least, limit=limits)(view)


_declare("put", DEAL, "amend_deal", Amend, Amend)
_declare("post", f"{DEAL}/reviews", "review_deal", Dispute, NewReview)
for _kind in ACTS.values():
    if _kind not in {Dispute, Confirm, Accept}:  # reviews, and what only a page can show
        _declare("post", f"{DEAL}/{_kind.name}", f"{_kind.name}_deal", _kind, _kind)


def _written(
    circle: UUID, session: UUID, recorded: Done, *, created: bool = False
) -> ResponseReturnValue:
    """Answer with the present payouts of a written deal."""
    document = _deal(deal_report(circle, session, recorded.number))
    answer = {key: document[key] for key in ("number", "version", "payouts", "why", "won")}
    return as_json(answer), HTTPStatus.CREATED if created else HTTPStatus.OK


def _whole(report: DealReport) -> dict[str, Any]:
    return {**_deal(report), "versions": [_version(report.state, row) for row in report.versions]}


def _deal(report: DealReport) -> dict[str, Any]:
    state, deal, speak = report.state, report.deal, speaker()
    steps = () if deal.voided else report.score.steps
    return {
        "number": deal.number,
        "version": deal.version,
        "outcome": deal.outcome,
        "dealer": deal.dealer,
        "sheet": deal.entry.answers(state.names),
        "payouts": deal.payouts,
        "won": deal.won,
        "why": [{"rule": step.rule, "text": speak(step.text)} for step in steps],
        "state": _state(report),
    }


def _state(report: DealReport) -> str:
    deal = report.deal
    return "voided" if deal.voided else "disputed" if deal.disputed else "stands"


def _version(state: SessionState, row: Version) -> dict[str, Any]:
    return {
        "version": row.version,
        "act": row.act,
        "outcome": row.outcome,
        "dealer": state.names[row.dealer],
        "sheet": state.evening.entry_at(row).answers(state.names),
        "payouts": by_name(state, row.payouts),
        "voided": row.voided,
        "reason": row.reason,
        **signed(row),
    }


def by_name(state: SessionState, payouts: Mapping[Seat, int] | Mapping[int, int]) -> dict[str, int]:
    return {state.names[seat]: amount for seat, amount in payouts.items()}
