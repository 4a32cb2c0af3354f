"""Deals for programs: shown with their versions, recorded, amended, voided, restored, reviewed.

The services are those of the pages, so keys, versions, conflicts and the journal are, too.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple
from uuid import UUID

from flask import jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from scorer import operations
from scorer.api.access import current_writer, enter
from scorer.api.answers import as_json, moment, read_answer, speaker
from scorer.documents import decode
from scorer.errors import ConflictError, InvalidError, NotFoundError
from scorer.evening.setting import require
from scorer.routes import Routes
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.rules.sheet import Reading, choice_reader, line_reader, read_object
from scorer.services.base.roles import Holder, Role
from scorer.services.base.text import LONGEST_REASON
from scorer.services.book.state import SessionTerms
from scorer.services.book.writing import DealChange
from scorer.services.circle.circles import phone_words
from scorer.services.deals import deals
from scorer.services.deals.deals import DealEntry, Recorded
from scorer.services.deals.report import DealReport, VersionRow, deal_report
from scorer.services.deals.reviews import (
    CONFIRM,
    DISPUTE,
    confirm_deal,
    dispute_deal,
    uphold_deal,
    withdraw_dispute,
)
from scorer.services.live.events import session_mark
from scorer.texts import Text, say

blueprint = Routes(
    "api_deals",
    __name__,
    limit=("secret", "api"),
    url_prefix="/api/v1/circles/<uuid:circle>/sessions/<uuid:session>/deals",
)
blueprint.before_request(enter)
DEAL = "/<int(max=1000000):number>"
ENTRY_KEYS = frozenset({"outcome", "sheet"})
CHANGE_KEYS = frozenset({"version", "reason"})
SETTLING_KEYS = CHANGE_KEYS | {"seen"}
REVIEW_KEYS = SETTLING_KEYS | {"kind", "right"}
SAID = (DISPUTE, CONFIRM)
READ_OUTCOME, READ_REASON = choice_reader(Outcome), line_reader(LONGEST_REASON)
NO_KEY = say("A UUID is needed that this deal alone has, made by the program.")
NO_KIND = say("Say dispute or confirm.")
ONLY_DISPUTES = say("Only a dispute says what is right.")
PLAIN = say("A text, a whole number, true, false or null is needed.")
CONFLICT = say("Somebody else recorded the deal meanwhile. Look at what they wrote.")


class Body(NamedTuple):
    """The object that a program sent, and what was found wrong with it so far."""

    data: dict[str, Any]
    reading: Reading

    def number(self, name: str) -> int:
        """Read a whole number."""
        value = self.data.get(name)
        if require(self.data, name, self.reading) and type(value) is not int:
            self.reading.fault("wrong-type", name, say("A whole number is needed."))
        return value if type(value) is int else 0

    def key(self) -> UUID:
        """Read the key of a deal."""
        try:
            return UUID(self.data.get("key"))
        except (AttributeError, TypeError, ValueError):
            self.reading.fault("wrong-type" if "key" in self.data else "missing-key", "key", NO_KEY)
            return UUID(int=0)

    def change(self, number: int) -> DealChange:
        """Read which version of a deal is changed, and why."""
        reason = READ_REASON(self.data.get("reason", ""), self.reading, "reason")
        return DealChange(number, self.number("version"), reason)

    def outcome_and_sheet(self) -> tuple[Outcome, Any]:
        """Read what became of a deal, with its sheet where it has one."""
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
        """Read what is said of a deal: that it is disputed, or confirmed."""
        kind = self.data.get("kind")
        if kind not in SAID:
            self.reading.fault(
                "unknown-choice" if "kind" in self.data else "missing-key", "kind", NO_KIND
            )
        return str(kind)

    def right(self) -> dict[str, Any]:
        """Read what a dispute says is right, a plain value for each question."""
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
        """Read of which version something is said, after how many reviews, and what."""
        seen = self.number("seen") if "seen" in self.data else 0
        return replace(self.change(number), seen=seen, proposed_json=self.right())

    def check(self) -> None:
        """Raise InvalidError with every problem that was found."""
        if self.reading.problems:
            raise InvalidError(self.reading.problems)


class NotJsonError(Exception):
    """The body is no JSON."""


@blueprint.errorhandler(NotJsonError)
def answer_malformed(_: NotJsonError) -> ResponseReturnValue:
    """Answer 400, as the operations do."""
    return jsonify(operations.not_json(speaker())), HTTPStatus.BAD_REQUEST


def _body(keys: Collection[str]) -> Body:
    """Read the body as an object with these keys, whatever its content type."""
    try:
        data = decode(request.get_data())
    except ValueError:
        raise NotJsonError from None
    reading = Reading()
    found = read_object(data, keys, reading)
    if found is None:
        raise InvalidError(reading.problems)
    return Body(found, reading)


@blueprint.get(DEAL, least=Role.SPECTATOR)
def show(circle: UUID, session: UUID, number: int) -> Response:
    """Give a deal with all its versions, the oldest first."""
    mark = session_mark(circle, session)
    return read_answer(mark, lambda: _whole(deal_report(circle, session, number)))


@blueprint.post("", least=Role.SCOREKEEPER)
def record(circle: UUID, session: UUID) -> ResponseReturnValue:
    """Record the next deal; the same key again records nothing more."""
    body = _body(ENTRY_KEYS | {"key", "number"})
    key, number = body.key(), body.number("number")
    outcome, sheet = body.outcome_and_sheet()
    body.check()
    entry = DealEntry(key, number, sheet, outcome)
    return _written(circle, session, partial(deals.record_deal, session, entry))


@blueprint.put(DEAL, least=Role.SCOREKEEPER)
def amend(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
    """Write a new version of a deal."""
    body = _body(ENTRY_KEYS | CHANGE_KEYS)
    change, (outcome, sheet) = body.change(number), body.outcome_and_sheet()
    body.check()
    write = partial(deals.amend_deal, session, change, sheet, outcome=outcome)
    return _written(circle, session, write)


@blueprint.post(f"{DEAL}/void", least=Role.SCOREKEEPER)
def void(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
    """Strike a deal through."""
    return _written(circle, session, partial(deals.void_deal, session, _change(number)))


@blueprint.post(f"{DEAL}/restore", least=Role.SCOREKEEPER)
def restore(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
    """Let a voided deal count again."""
    return _written(circle, session, partial(deals.restore_deal, session, _change(number)))


@blueprint.get(f"{DEAL}/reviews", least=Role.SPECTATOR)
def reviews(circle: UUID, session: UUID, number: int) -> Response:
    """Give what was said of a deal, the oldest first."""
    mark = session_mark(circle, session)
    return read_answer(mark, lambda: _reviews(deal_report(circle, session, number)))


@blueprint.post(f"{DEAL}/reviews", least=Role.PLAYER, limit=("secret", "api", "dispute"))
def review(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
    """Dispute a deal, with what is right or without, or confirm it."""
    body = _body(REVIEW_KEYS)
    change, kind = body.review(number), body.kind()
    body.check()
    say_it = dispute_deal if kind == DISPUTE else confirm_deal
    return _said(circle, session, partial(say_it, session, change))


@blueprint.post(f"{DEAL}/uphold", least=Role.SCOREKEEPER)
def uphold(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
    """Settle a dispute: the deal is right as it stands."""
    return _said(circle, session, partial(uphold_deal, session, _settling(number)))


@blueprint.post(f"{DEAL}/withdraw", least=Role.PLAYER)
def withdraw(circle: UUID, session: UUID, number: int) -> ResponseReturnValue:
    """Take back what the program itself disputed."""
    return _said(circle, session, partial(withdraw_dispute, session, _settling(number)))


def _settling(number: int) -> DealChange:
    body = _body(SETTLING_KEYS)
    change = body.review(number)
    body.check()
    return change


def _said(circle: UUID, session: UUID, say_it: Callable[[Holder], bool]) -> ResponseReturnValue:
    """Say something of a deal, and tell all that was said of it."""
    number = (request.view_args or {})["number"]
    try:
        new = say_it(current_writer())
    except ConflictError as error:
        return _conflict(circle, session, *error.args), HTTPStatus.CONFLICT
    answer = _reviews(deal_report(circle, session, number))
    return as_json(answer), HTTPStatus.CREATED if new else HTTPStatus.OK


def _change(number: int) -> DealChange:
    body = _body(CHANGE_KEYS)
    change = body.change(number)
    body.check()
    return change


def _written(
    circle: UUID, session: UUID, write: Callable[[Holder], Recorded]
) -> ResponseReturnValue:
    """Write, and tell what the deal pays now; or what stands there instead."""
    try:
        recorded = write(current_writer())
    except ConflictError as error:
        return _conflict(circle, session, *error.args), HTTPStatus.CONFLICT
    report = deal_report(circle, session, recorded.number)
    answer = {key: _deal(report)[key] for key in ("number", "version", "payouts", "why")}
    created = recorded.new and request.endpoint == f"{blueprint.name}.{record.__name__}"
    return as_json(answer), HTTPStatus.CREATED if created else HTTPStatus.OK


def _conflict(circle: UUID, session: UUID, number: int) -> Response:
    problem = {"code": "conflict", "field": "", "message": speaker()(CONFLICT)}
    try:
        deal = _whole(deal_report(circle, session, number))
    except NotFoundError:  # the number is one that nobody has recorded yet
        deal = None
    return as_json({"ok": False, "problems": [problem], "deal": deal})


def _whole(report: DealReport) -> dict[str, Any]:
    return {**_deal(report), "versions": [_version(report.state, one) for one in report.versions]}


def _deal(report: DealReport) -> dict[str, Any]:
    state, deal, speak = report.state, report.deal, speaker()
    return {
        "number": deal.number,
        "version": deal.version,
        "outcome": deal.outcome,
        "dealer": state.names[deal.dealer],
        "sheet": state.answers_of(deal),
        "payouts": _by_name(state, report.payouts),
        "why": [{"rule": step.rule, "text": speak(step.text)} for step in report.score.steps],
        "state": _state(report),
    }


def _state(report: DealReport) -> str:
    deal = report.deal
    return "voided" if deal.voided else "disputed" if deal.disputed else "stands"


def _phone(name: str | None) -> str | None:
    phone = phone_words(name)
    return speaker()(phone) if isinstance(phone, Text) else phone


def _reviews(report: DealReport) -> dict[str, Any]:
    listed = [
        {
            "kind": one.kind,
            "version": one.version,
            "reason": one.reason,
            "right": report.proposed(one),
            "player": one.written_by,
            "phone": _phone(one.phone),
            "at": moment(one.at),
        }
        for one in report.reviews
    ]
    return {"state": _state(report), "reviews": listed}


def _version(state: SessionTerms, row: VersionRow) -> dict[str, Any]:
    return {
        "version": row.version,
        "act": row.act,
        "outcome": row.outcome,
        "dealer": state.names[row.dealer],
        "sheet": state.answers_of(row),
        "payouts": _by_name(state, row.payouts),
        "voided": row.voided,
        "reason": row.reason,
        "player": row.written_by,
        "phone": _phone(row.phone),
        "at": moment(row.at),
    }


def _by_name(
    state: SessionTerms, payouts: Mapping[Seat, int] | Mapping[int, int]
) -> dict[str, int]:
    return {state.names[seat]: amount for seat, amount in payouts.items()}
