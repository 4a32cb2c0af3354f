"""Deals for programs: shown with their versions, and what is done to them.

The services are those of the pages, with the same keys, versions, conflicts and journal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

from flask import request
from flask.typing import ResponseReturnValue

from scorer.api.answers import Signed, as_json, shaped, speaker
from scorer.api.routes import SESSION, CircleRoutes
from scorer.errors import ConflictError
from scorer.evening.acts import (
    ACTS,
    KINDS,
    VERSIONS,
    Accept,
    Amend,
    Confirm,
    DealAct,
    Dispute,
    Record,
    ReviewAct,
    Right,
)
from scorer.evening.deal import Review, Version
from scorer.operations.requests import Failure
from scorer.operations.scoring import WhyStep
from scorer.roles import Holder
from scorer.rules.game import Outcome
from scorer.rules.questions import Ask, Reading
from scorer.rules.seats import Seat
from scorer.services.deals import deals
from scorer.services.deals.report import DealReport, deal_report
from scorer.services.session.state import SessionState, load_state
from scorer.shapes import Name, OneOf, Points, Shape, Sheet, gives
from scorer.texts import say

blueprint = CircleRoutes("api_deals", __name__)
DEALS = f"{SESSION}/deals"
DEAL = f"{DEALS}/<int(max=1000000):number>"
CONFLICT = say("Somebody else recorded the deal meanwhile. Look at what they wrote.")


class WrittenDeal(Shape):
    """A deal as it is now."""

    number: int = gives("Its number in the session.", "deal.number")
    version: int = gives("Its version: each change writes another.", "deal.version")
    payouts: Points = gives("What it pays, by name; nothing while it is voided.", "deal.payouts")
    won: list[Name] = gives(
        "Who won it; empty where it was drawn, not played, or voided.", "deal.won"
    )
    why: list[WhyStep] = gives(
        "The arithmetic, step by step; empty where nothing is paid.",
        lambda report: () if report.deal.voided else report.deal.entry.score.steps,
    )


class Written(NamedTuple):
    """A version or a review of a deal, with its report."""

    report: DealReport
    row: Version | Review


class VersionAct(OneOf, words=VERSIONS):
    """What wrote a version of a deal."""


class ShownVersion(Signed):
    """A version of a deal."""

    version: int = gives("Its number, from 1.", "row.version")
    act: VersionAct = gives("What was done.", "row.act")
    outcome: Outcome = gives("What became of the deal.", "row.outcome")
    dealer: Name = gives("Who dealt.", lambda of: of.report.state.names[of.row.dealer])
    sheet: Sheet | None = gives(
        "The sheet, if there is one.",
        lambda of: of.report.state.evening.entry_at(of.row).answers(of.report.state.names),
    )
    payouts: Points = gives(
        "What it paid, by name.", lambda of: by_name(of.report.state, of.row.payouts)
    )
    voided: bool = gives("Whether the deal was voided.", "row.voided")
    reason: str | None = gives("Why it was written.", "row.reason")


def _state(report: DealReport) -> str:
    deal = report.deal
    return "voided" if deal.voided else "disputed" if deal.disputed else "stands"


#: Whether a deal counts, and whether somebody disputes it.
DealState = Literal["stands", "voided", "disputed"]


class ShownDeal(WrittenDeal):
    """A deal with all its versions."""

    outcome: Outcome = gives("What became of it.", "deal.outcome")
    dealer: Name = gives("Who dealt.", "deal.dealer")
    sheet: Sheet | None = gives(
        "The sheet, if there is one.", lambda of: of.deal.entry.answers(of.state.names)
    )
    state: DealState = gives("Whether it counts.", _state)
    versions: list[ShownVersion] = gives(
        "The versions, the oldest first.",
        lambda report: [Written(report, row) for row in report.deal.versions],
    )


class KindOfReview(OneOf, words=KINDS):
    """What a review says."""


class ListedReview(Signed):
    """A review of a deal."""

    kind: KindOfReview = gives("What was said.", "row.kind")
    version: int = gives("The version of the deal that was seen.", "row.version")
    reason: str | None = gives("Why.", "row.reason")
    right: Right | None = gives(
        "What a dispute says is right in that version.", lambda of: of.report.proposed(of.row)
    )


class Reviews(Shape):
    """The reviews of a deal."""

    state: DealState = gives("Whether the deal counts.", _state)
    reviews: list[ListedReview] = gives(
        "The reviews, the oldest first.",
        lambda report: [Written(report, row) for row in report.deal.reviews],
    )


def by_name(state: SessionState, payouts: Mapping[Seat, int] | Mapping[int, int]) -> dict[str, int]:
    return {state.names[seat]: amount for seat, amount in payouts.items()}


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
        answer: dict[str, Any] = {"deal": shaped(ShownDeal, deal_report(*key, number))}
        code, message = "conflict", CONFLICT
    else:
        answer = {"deal": None, "next_number": following}
        code, message = "not-next", say("The next deal is number %(number)s.", number=following)
    problem = {"code": code, "field": "", "message": speak(message)}
    return as_json({"ok": False, "problems": [problem], **answer}), HTTPStatus.CONFLICT


class Conflict(Failure):
    """Somebody else wrote meanwhile, or the number is not the next one. Nothing was written."""

    deal: ShownDeal | None = gives("The deal that is there, if there is one.")
    next_number: int = gives("The number of the next deal, if that is missing.", unsaid=True)


blueprint.reads(DEAL, ShownDeal, name="show")(deal_report)


@blueprint.reads(f"{DEAL}/reviews", Reviews)
def reviews(circle: UUID, session: UUID, number: int) -> DealReport:
    """Return the reviews of a deal, the oldest first."""
    return deal_report(circle, session, number)


CONFLICTS: dict[str, Any] = {"failures": {"409": Conflict}}
#: Of what writes a version of a deal: that is answered as it is then.
VERSIONED: dict[str, Any] = {**CONFLICTS, "answer": WrittenDeal, "makes": False}
RECORDED = {**VERSIONED, "makes": True, "body": Record, "least": Record.least}


@blueprint.writes("post", DEALS, deal_report, **RECORDED, name="record_deal")
def record(_circle: UUID, session: UUID, body: Record, *, by: Holder) -> deals.Done:
    """Record the next deal; the same key again records nothing more."""
    return deals.record_deal(session, body, by)


def _review(circle: UUID, session: UUID, number: int, sent: NewReview, *, by: Holder) -> deals.Done:
    return deals.do(circle, session, number, sent.act, by=by)


blueprint.does(Amend, DEAL, deals.do, deal_report, "amend_deal", method="put", **VERSIONED)
blueprint.does(NewReview, f"{DEAL}/reviews", _review, reviews, "review_deal", **CONFLICTS)
for _kind in ACTS.values():
    if _kind in {Dispute, Confirm, Accept}:  # reviews, and what only a page can show
        continue
    _reviews = issubclass(_kind, ReviewAct)
    _then, _facts = (reviews, CONFLICTS) if _reviews else (deal_report, VERSIONED)
    blueprint.does(_kind, f"{DEAL}/{_kind.name}", deals.do, _then, f"{_kind.name}_deal", **_facts)
