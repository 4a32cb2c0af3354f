"""Deals for programs: shown with their versions, recorded, amended, voided, restored, reviewed.

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
from scorer.api.routes import SESSION, CircleRoutes, Json, Key, acted, read_body
from scorer.errors import ConflictError
from scorer.evening.judging import WITH_SHEET, unexpected_sheet
from scorer.evening.setting import require
from scorer.roles import Role
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.rules.sheet import Ask, Reading
from scorer.services.base.author import Holder
from scorer.services.deals import deals
from scorer.services.deals.deals import DealEntry, RecordedDeal
from scorer.services.deals.report import DealReport, DealVersion, deal_report
from scorer.services.deals.reviews import UPHOLD, review_deal, withdraw_dispute
from scorer.services.session.state import SessionTerms, load_state, paid_by
from scorer.services.session.writing import DealChange
from scorer.texts import say
from scorer.typed_text import LONGEST_REASON

blueprint = CircleRoutes("api_deals", __name__)
DEALS = f"{SESSION}/deals"
DEAL = f"{DEALS}/<int(max=1000000):number>"
WITHOUT_SHEET = [outcome.value for outcome in Outcome if outcome not in WITH_SHEET]
CONFLICT = say("Somebody else recorded the deal meanwhile. Look at what they wrote.")


@dataclass(frozen=True, kw_only=True)
class DealBody:
    """The outcome of a deal, and its sheet if it was played or penalised."""

    outcome: Outcome = Outcome.PLAYED
    sheet: Json | None = None

    @staticmethod
    def check(body: dict[str, Any], reading: Reading) -> None:
        """Find that a sheet is missing, or there though nobody played."""
        if body.get("outcome") not in WITHOUT_SHEET:
            require(body, "sheet", reading)
        elif body.get("sheet") is not None:
            reading.problems.append(unexpected_sheet("sheet"))


@dataclass(frozen=True, kw_only=True)
class NewDeal(DealBody):
    """The next deal; the program makes its key, and sent again it is the same deal."""

    key: Key
    number: int


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change of a deal that was seen in a version."""

    version: int
    reason: Annotated[str, Ask("Reason", longest=LONGEST_REASON)] = ""


@dataclass(frozen=True, kw_only=True)
class Amendment(Change, DealBody):
    """A deal as it should be."""


@dataclass(frozen=True, kw_only=True)
class Settling(Change):
    """A review of a deal that was seen with a number of reviews."""

    seen: int = 0


class Right(Json):
    """The proposal of a dispute, a plain value for each question."""

    @classmethod
    def read_wire(cls, value: Any, reading: Reading, path: str) -> Any:
        if not isinstance(value, dict):
            reading.fault("wrong-type", path, say("An object with named fields is needed."))
            return None
        for name, answer in value.items():
            if not isinstance(answer, str | int | None):
                message = say("A text, a whole number, true, false or null is needed.")
                reading.fault("wrong-type", f"{path}.{name}", message)
        return value


class ReviewKind(StrEnum):
    """The kinds of reviews but for settling a dispute."""

    DISPUTE = "dispute"
    CONFIRM = "confirm"


@dataclass(frozen=True, kw_only=True)
class NewReview(Settling):
    """A review; only a dispute may say what is right."""

    kind: ReviewKind
    right: Right = field(default_factory=Right)

    @staticmethod
    def check(body: dict[str, Any], reading: Reading) -> None:
        says = isinstance(body.get("right"), dict) and body["right"]
        if says and body.get("kind") != ReviewKind.DISPUTE:
            message = say("Only a dispute says what is right.")
            reading.fault("unexpected-right", "right", message)


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


@blueprint.post(DEALS, least=Role.SCOREKEEPER)
def record(circle: UUID, session: UUID) -> ResponseReturnValue:
    """Record the next deal; the same key again records nothing more."""

    def act(body: NewDeal, by: Holder) -> RecordedDeal:
        entry = DealEntry(body.key, body.number, body.sheet, body.outcome)
        return deals.record_deal(load_state(circle, session), entry, by)

    recorded = acted(NewDeal, act)
    return _written(circle, session, recorded, created=recorded.new)


@blueprint.put(DEAL, least=Role.SCOREKEEPER)
def amend(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
    body = read_body(Amendment)
    change = DealChange(number, body.version, body.reason)
    state, by = load_state(circle, session), current_writer()
    recorded = deals.amend_deal(state, change, body.sheet, by, outcome=body.outcome)
    return _written(circle, session, recorded)


@blueprint.post(f"{DEAL}/void", endpoint="void", least=Role.SCOREKEEPER)
@blueprint.post(f"{DEAL}/restore", endpoint="restore", least=Role.SCOREKEEPER)
def strike(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
    """Strike a deal through, or take that back."""
    body = read_body(Change)
    change = DealChange(number, body.version, body.reason)
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
            **signed(row),
        }
        for row in report.reviews
    ]
    return {"state": _state(report), "reviews": reviews}


@blueprint.post(f"{DEAL}/reviews", least=Role.PLAYER, limit=("secret", "api", "dispute"))
def review(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
    """Confirm a deal, or dispute it; a dispute may say what is right."""
    body = read_body(NewReview)
    change = DealChange(number, body.version, body.reason, body.seen, proposed_json=body.right)
    new = review_deal(body.kind.value, session, change, current_writer())
    return _reviewed(circle, session, number, new=new)


@blueprint.post(f"{DEAL}/uphold", endpoint="uphold", least=Role.SCOREKEEPER)
@blueprint.post(f"{DEAL}/withdraw", endpoint="withdraw", least=Role.PLAYER)
def settle(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
    """Settle a dispute: the deal is right as it stands; or take back one's own."""
    body, by = read_body(Settling), current_writer()
    change = DealChange(number, body.version, body.reason, body.seen)
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
        "dealer": state.names[deal.dealer],
        "sheet": state.answers_of(deal),
        "payouts": {} if deal.voided else by_name(state, report.payouts),
        "won": state.deal_of(deal).won,
        "why": [{"rule": step.rule, "text": speak(step.text)} for step in steps],
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
        **signed(row),
    }


def by_name(state: SessionTerms, payouts: Mapping[Seat, int] | Mapping[int, int]) -> dict[str, int]:
    return {state.names[seat]: amount for seat, amount in payouts.items()}
