"""What people do to the deals of an evening, each in one place.

An act declares the answers that it needs (its fields, read from a form or a document), the least
role, and its words. From that pages, the API with its description, the history of a deal and the
answer to a conflict are made. `apply` is pure: it returns the evening with what the act writes, the
same evening if the act was done before, or raises ConflictError, InvalidError or RefusedError.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, TypeVar

from scorer.errors import ConflictError, InvalidError, RefusedError
from scorer.evening.deal import CONFIRM, DISPUTE, UPHOLD, Author, Deal, Fact, Review
from scorer.evening.judging import WITH_SHEET, judged, unexpected_sheet
from scorer.evening.proposals import coded_answers, proposed_answers, read_proposal
from scorer.evening.setting import require
from scorer.evening.walk import LATER_DEAL, Walk
from scorer.roles import Role
from scorer.rules.game import Outcome, with_times
from scorer.rules.questions import Ask, Json, Reading, SentKey
from scorer.texts import Text, say
from scorer.typed_text import REASON

W = TypeVar("W", bound=Walk)

WITHOUT_SHEET = [outcome.value for outcome in Outcome if outcome not in WITH_SHEET]


class Act(ABC):
    """Something that people do to an evening."""

    #: What it is called in addresses and in the history of a deal, there also in words.
    name: ClassVar[str]
    done: ClassVar[Text]
    #: Of what kind its event is (contract.md).
    event: ClassVar[str]
    least: ClassVar[Role] = Role.SCOREKEEPER
    limit: ClassVar[tuple[str, ...]] = ()
    #: Of an act that writes versions of a deal: whether that was voided before (None: there was
    #: none) and is then, and whether all else stays.
    follows: ClassVar[tuple[tuple[bool | None, bool], ...]] = ()
    copies: ClassVar[bool] = False


@dataclass(frozen=True, kw_only=True)
class DealAct(Act):
    """An act on a deal, by a phone that saw it at ``version``, with ``seen`` reviews."""

    #: What its button says, and the form of the deal's page that shows its problems, if one does.
    wanted: ClassVar[Text]
    shown: ClassVar[str] = ""

    version: Annotated[int, Ask("The version of the deal that was seen")]
    reason: Annotated[str, Ask("Reason", typed=REASON)] = ""

    @abstractmethod
    def apply(self, evening: W, deal: Deal, by: Author) -> W:
        """Return the evening with what the act writes."""

    @classmethod
    def title(cls, number: int | str) -> Text:
        """Return what the act is called on a button that does it to a deal."""
        return say(cls.wanted.template, number=number)

    @staticmethod
    def possible(deal: Deal, _by: Author) -> bool:
        """Whether it can be done to a deal as it stands: then a phone is offered it."""
        return not deal.voided

    def check_seen(self, deal: Deal, seen: int | None = None) -> str:
        """Return the reason; raise ConflictError if the deal is not as the phone saw it."""
        if deal.version != self.version or (seen is not None and deal.settling_since(seen)):
            raise ConflictError(deal.number)
        return REASON.read(self.reason, "reason")

    def is_repeat(self, deal: Deal) -> bool:
        """Whether this act wrote the version after the one that the phone saw."""
        return (deal.version, deal.current.act) == (self.version + 1, self.name)


def with_facts(evening: W, since: int, *facts: Fact) -> W:
    """Return the evening with what is written about deals from a number on.

    Refuse it if by the balances before it another deal could not be, or would pay otherwise.
    """
    after = evening.take(*facts)
    if evening.game.balances_count:
        again = after.begun().again(after.deals, lambda number: number >= since)
        for deal, (booked, wrong) in zip(after.deals, again, strict=True):
            if not booked.voided and (wrong or booked.paid != deal.paid):
                raise InvalidError([LATER_DEAL])
    return after


class WrittenSheet(Json):
    """What the scorekeeper writes down for a deal, by the players' names."""


@dataclass(frozen=True, kw_only=True)
class DealAnswers:
    """The outcome of a deal, and its sheet if it was played or penalised."""

    outcome: Annotated[Outcome, Ask("What became of the deal")] = Outcome.PLAYED
    sheet: Annotated[WrittenSheet | None, Ask("The answers, with the players' names")] = None

    @staticmethod
    def check(body: dict[str, Any], reading: Reading) -> None:
        """Find that a sheet is missing, or there though nobody played."""
        if body.get("outcome") not in WITHOUT_SHEET:
            require(body, "sheet", reading)
        elif body.get("sheet") is not None:
            reading.problems.append(unexpected_sheet("sheet"))


@dataclass(frozen=True, kw_only=True)
class Record(DealAnswers, Act):
    """The next deal; the program makes its key, and sent again it is the same deal."""

    name = "record"
    done = say("Written down")
    event = "deal"
    follows = ((None, False),)

    key: SentKey
    number: Annotated[int, Ask("The number of the deal that is expected to be next")]

    def apply(self, evening: W, by: Author) -> W:
        earlier = next((deal for deal in evening.deals if deal.deal_id == self.key), None)
        if earlier is not None:
            return self._again(evening, earlier)
        self.check_next(evening, self.number)
        turn, after = evening.turn, replace(evening, started=None)
        entry = evening.judge(turn, self.sheet, self.outcome)
        after.write(entry, turn, by, key=self.key)
        return after

    @staticmethod
    def check_next(evening: Walk, number: int) -> None:
        """Raise InvalidError after the end, ConflictError if this is not the next deal."""
        if evening.over:
            message = say("This session has ended. Play on first, then record the deal.")
            raise InvalidError.of("session-ended", "", message)
        if number != evening.number:
            raise ConflictError(number)

    def _again(self, evening: W, earlier: Deal) -> W:
        """Let a key that was used be, if it was with the same sheet."""
        first = earlier.versions[0]
        given = with_times(self.sheet, (first.stored or {}).get("times", 1))
        table = replace(evening.entry_at(first).table, balances=earlier.entry.table.balances)
        try:
            entry = judged(evening.game, table, self.outcome, given)
        except InvalidError:
            raise ConflictError(earlier.number) from None
        if (entry.outcome, entry.stored) != (first.outcome, first.stored):
            raise ConflictError(earlier.number)
        return evening


@dataclass(frozen=True, kw_only=True)
class Amend(DealAct, DealAnswers):
    """A deal as it should be."""

    name = event = "amend"
    follows = ((False, False), (True, True))
    done = say("Amended")
    wanted = say("Amend deal %(number)s")

    #: With None later reviews don't matter.
    seen: int | None = field(default=None, metadata={"page": True})

    def apply(self, evening: W, deal: Deal, by: Author) -> W:
        times, table = evening.times_of(deal), deal.entry.table
        entry = judged(evening.game, table, self.outcome, self.sheet, times=times)
        same = (deal.entry.stored, deal.outcome) == (entry.stored, entry.outcome)
        if same and self.is_repeat(deal):
            return evening
        reason = self.check_seen(deal, self.seen)
        version = evening.version_of(entry, self.name, by, deal=deal, reason=reason)
        return with_facts(evening, deal.number, version)


@dataclass(frozen=True, kw_only=True)
class Void(DealAct):
    """Strike a deal through, with its dispute: it counts for nothing, and can be restored."""

    name = event = "void"
    done = say("Voided")
    wanted = say("Void deal %(number)s")
    shown = "void"
    copies = True
    follows = ((False, True),)

    def apply(self, evening: W, deal: Deal, by: Author) -> W:
        if self.is_repeat(deal):
            return evening
        reason = self.check_seen(deal)
        voided = dict(self.follows).get(deal.voided)
        if voided is None:
            raise ConflictError(deal.number)
        version = evening.version_of(
            deal.entry, self.name, by, deal=deal, voided=voided, reason=reason
        )
        return with_facts(evening, deal.number, version)


@dataclass(frozen=True, kw_only=True)
class Restore(Void):
    """Take back that a deal was struck through."""

    name = event = "restore"
    done = say("Restored")
    wanted = say("Restore deal %(number)s")
    follows = ((True, False),)

    @staticmethod
    def possible(deal: Deal, _by: Author) -> bool:
        return deal.voided


@dataclass(frozen=True, kw_only=True)
class ReviewAct(DealAct):
    """A review of a deal that was seen with a number of reviews."""

    event = "review"

    seen: Annotated[int, Ask("So many reviews were seen; left out, none")] = 0

    kind: ClassVar[str]

    @classmethod
    def wrote(cls, _before: Sequence[Review], review: Review) -> bool:
        """Whether it was this act by which a review was written, after those ``before``."""
        return review.kind == cls.kind

    def apply(self, evening: W, deal: Deal, by: Author) -> W:
        reason = REASON.read(self.reason, "reason")
        unseen = deal.reviews[max(self.seen, 0) :]
        proposal = self.proposal(evening, deal, reason) if deal.version == self.version else None
        same = self.kind, self.version, reason, by.phone_id, proposal
        for old in deal.reviews if self.kind == CONFIRM else unseen:
            if same == (old.kind, old.version, old.reason or "", old.phone_id, old.proposal):
                return evening
        if deal.version != self.version or deal.voided or self.is_late(deal, unseen):
            raise ConflictError(deal.number)
        self.allow(evening, deal, by)
        review = Review(
            deal_id=deal.deal_id,
            review=len(deal.reviews) + 1,
            number=deal.number,
            kind=self.kind,
            version=deal.version,
            serial=evening.written + 1,
            reason=reason or None,
            proposal=proposal,
            **by._asdict(),
        )
        return evening.take(review)

    def proposal(self, _evening: Walk, _deal: Deal, _reason: str) -> dict[str, Any] | None:
        """Read what is proposed instead; raise InvalidError."""
        return None

    @abstractmethod
    def is_late(self, deal: Deal, unseen: tuple[Review, ...]) -> bool:
        """Whether it is a conflict with a dispute, or with reviews that the phone has not seen."""

    def allow(self, evening: Walk, deal: Deal, by: Author) -> None:
        """Raise RefusedError if this is not for somebody to do."""


class Right(Json):
    """What a dispute says is right, a plain value for each question."""

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


@dataclass(frozen=True, kw_only=True)
class Dispute(ReviewAct):
    """A dispute of a deal; it says what is wrong, or what is right instead."""

    name = "dispute"
    kind = DISPUTE
    done = say("Disputed")
    wanted = say("Dispute deal %(number)s")
    shown = "dispute"
    least = Role.PLAYER
    limit = ("dispute",)

    right: Annotated[Right, Ask("What is right, by question")] = field(default_factory=Right)
    #: Choices by their codes, as a page sends them.
    coded: Mapping[str, str] = field(default_factory=dict, metadata={"page": True})

    def proposal(self, evening: Walk, deal: Deal, reason: str) -> dict[str, Any] | None:
        right = self.coded or coded_answers(evening, deal, self.right)
        proposal = read_proposal(evening, deal, right)
        if not reason and proposal is None:
            raise InvalidError.of("no-reason", "reason", say("Say in a few words what is wrong."))
        return proposal

    def is_late(self, _deal: Deal, unseen: tuple[Review, ...]) -> bool:
        return any(review.kind == UPHOLD for review in unseen)


@dataclass(frozen=True, kw_only=True)
class Confirm(ReviewAct):
    """Say that a deal is right, from another side than the one that wrote its version."""

    name = kind = CONFIRM
    done = say("Confirmed")
    wanted = say("Confirm deal %(number)s")
    shown = "dispute"
    least = Role.PLAYER

    #: Who signs on the phone that was handed over.
    signer: str = field(default="", metadata={"page": True})

    @staticmethod
    def possible(deal: Deal, _by: Author) -> bool:
        return not deal.voided and not deal.disputed

    def apply(self, evening: W, deal: Deal, by: Author) -> W:
        signed = by._replace(written_by=self.signer) if self.signer else by
        return super().apply(evening, deal, signed)

    def is_late(self, deal: Deal, _unseen: tuple[Review, ...]) -> bool:
        return deal.disputed

    def allow(self, evening: Walk, deal: Deal, by: Author) -> None:
        if self.signer and is_on_other_side(evening, deal, self.signer):
            return
        if not is_other_side(evening, deal, by):
            message = say("The other side confirms a deal, not the side that wrote it down.")
            raise RefusedError(message)


@dataclass(frozen=True, kw_only=True)
class Uphold(ReviewAct):
    """Settle a dispute: the deal is right as it stands."""

    name = kind = UPHOLD
    done = say("Upheld")
    wanted = say("Uphold deal %(number)s")
    shown = "uphold"

    @staticmethod
    def possible(deal: Deal, _by: Author) -> bool:
        return deal.disputed

    def is_late(self, deal: Deal, unseen: tuple[Review, ...]) -> bool:
        return not deal.disputed or any(review.kind == DISPUTE for review in unseen)


@dataclass(frozen=True, kw_only=True)
class Withdraw(Uphold):
    """Take one's own dispute back: the deal is upheld by whoever disputed it."""

    name = "withdraw"
    done = say("Withdrawn")
    wanted = say("Withdraw the dispute of deal %(number)s")
    shown = "dispute"
    least = Role.PLAYER

    @classmethod
    def wrote(cls, before: Sequence[Review], review: Review) -> bool:
        disputes = [earlier for earlier in before if earlier.kind == DISPUTE]
        return super().wrote(before, review) and bool(disputes) and is_own(disputes[-1], review)

    @staticmethod
    def possible(deal: Deal, by: Author) -> bool:
        return deal.disputed and may_withdraw(deal.open_disputes, by)

    def apply(self, evening: W, deal: Deal, by: Author) -> W:
        last = deal.reviews[-1:]
        is_repeat = any(r.kind == UPHOLD and is_own(r, by) for r in last)
        if not is_repeat and not may_withdraw(deal.open_disputes, by):
            raise RefusedError(say("Only the phone that disputes the deal can withdraw that."))
        return super().apply(evening, deal, by)


@dataclass(frozen=True, kw_only=True)
class Accept(DealAct):
    """Amend a disputed deal by the proposal of its newest dispute, with the dispute's reason."""

    name = "accept"
    event = "amend"
    done = say("Amended")
    wanted = say("Accept the proposal for deal %(number)s")

    seen: int = 0

    @staticmethod
    def possible(_deal: Deal, _by: Author) -> bool:
        return False  # another proposal than the phone saw is accepted on the deal's own page

    def apply(self, evening: W, deal: Deal, by: Author) -> W:
        settling = deal.settling_since(0)
        dispute = settling[-1] if settling else None
        if dispute is None or dispute.proposal is None or deal.voided:
            raise ConflictError(deal.number)
        outcome, sheet = proposed_answers(evening, deal, dispute.proposal)
        amend = Amend(
            version=self.version,
            seen=self.seen,
            reason=dispute.reason or "",
            outcome=outcome,
            sheet=None if sheet is None else WrittenSheet(sheet),
        )
        return amend.apply(evening, deal, by)


def is_own(review: Review, by: Any) -> bool:
    """Whether somebody wrote a review, a phone or a player on another one."""
    name = by.written_by
    return review.phone_id == by.phone_id or (name is not None and review.written_by == name)


def may_withdraw(disputes: list[Review], by: Any) -> bool:
    return bool(disputes) and all(is_own(dispute, by) for dispute in disputes)


def is_other_side(evening: Walk, deal: Deal, by: Any) -> bool:
    """Whether somebody was not on the side of whoever wrote the deal down.

    A player who sat out or had no seat was on no side. If the holder of either phone is unknown,
    any other phone counts as the other side.
    """
    if deal.current.phone_id == by.phone_id:
        return False
    return by.written_by is None or is_on_other_side(evening, deal, by.written_by)


def is_on_other_side(evening: Walk, deal: Deal, name: str) -> bool:
    """Whether a player was not on the side of whoever wrote the deal down, if that is known."""
    writer = deal.current.written_by
    if writer is None:
        return True
    sides = evening.game.sides(deal.entry.table.active, deal.entry.table.rules, deal.entry.played)
    named = [{evening.names[seat] for seat in side} for side in sides]
    return not any({name, writer} <= side for side in [*named, {writer}])


#: The acts on a deal that need no answers of its sheet, by name.
ACTS: dict[str, type[DealAct]] = {
    act.name: act for act in (Void, Restore, Dispute, Confirm, Uphold, Withdraw, Accept)
}
#: All that is done to deals.
DEAL_ACTS: dict[str, type[Act]] = {"record": Record, "amend": Amend, **ACTS}
#: Those of which versions of a deal are written.
VERSIONS: dict[str, type[Act]] = {name: act for name, act in DEAL_ACTS.items() if act.follows}
#: Those of which reviews are written; of acts of one kind the later one is more special.
REVIEWS = [act for act in ACTS.values() if issubclass(act, ReviewAct)]
KINDS = [*dict.fromkeys(act.kind for act in REVIEWS)]


def review_act(before: Sequence[Review], review: Review) -> type[ReviewAct]:
    """Return the act by which a review was written, after those ``before``."""
    return next(act for act in reversed(REVIEWS) if act.wrote(before, review))
