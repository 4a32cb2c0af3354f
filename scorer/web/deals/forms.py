"""The forms of deals: what all entry forms share, and the small forms beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, ClassVar, cast
from uuid import UUID

from flask import abort, request
from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import RadioField, StringField
from wtforms.validators import InputRequired, NumberRange

from scorer.evening.acts import WrittenSheet
from scorer.rules.game import Game, Outcome, Table
from scorer.typed_text import REASON
from scorer.web.base.fields import HiddenNumberField, LineField, PrefixedField, UUIDField, whole
from scorer.web.base.forms import MOST_DEALS, PageForm


class KeyedForm(PageForm):
    """A form that writes a deal: ``key`` names it before it is stored, ``number`` is its place.

    ``version`` is the one that the phone knew, if it amends a deal.
    """

    key = UUIDField(validators=[InputRequired()])
    number = HiddenNumberField(validators=[InputRequired(), NumberRange(0, MOST_DEALS)])
    version = HiddenNumberField()

    @property
    def deal(self) -> tuple[UUID, int]:
        """The key and the number of a valid form."""
        return cast("UUID", self.key.data), cast("int", self.number.data)


class DealForm(KeyedForm):
    """The entry form of a deal: which deal it is, and the answers to its game's questions.

    ``seen`` is the number of its reviews that the phone knew, ``back`` the page to return to. A
    subclass has the questions of a
    game.
    """

    #: The game that the form is of; a form without one is derived.
    slug: ClassVar[str] = ""
    #: The template of the questions, and the module that makes them quick to answer.
    template: ClassVar[str]
    script: ClassVar[str]

    seen = HiddenNumberField()
    instead_of = UUIDField()
    action = StringField()
    reason = LineField(lazy_gettext("Why is it changed?"), REASON)
    back = StringField()

    def __init__(
        self, game: Game[Any, Any], table: Table[Any], sent: MultiDict[str, str] | None = None
    ) -> None:
        self.game, self.table = game, table
        super().__init__(sent)

    @classmethod
    def at(
        cls, game: Game[Any, Any], table: Table[Any], sent: MultiDict[str, str] | None = None
    ) -> DealForm:
        return cls(game, table, sent)

    @classmethod
    def values(cls, sheet: Any) -> dict[str, str]:
        """Return the values of the form for a sheet, to amend a deal."""
        raise NotImplementedError

    def ends(self) -> Mapping[str, Any]:
        """Return as data for ``static/live/evening.js`` when a session ends by the rules."""
        return {name: getattr(self.table.rules, name, None) for name in ("target", "deals")}

    @classmethod
    def decides(cls, sheet: Any, rules: Any) -> Mapping[str, Any]:
        """Return what a sheet by itself says about the end, beside what it pays."""
        return {}

    @classmethod
    def heard(
        cls, text: str, table: Table[Any], known: Mapping[str, str]
    ) -> tuple[dict[str, str], str]:
        """Return the answers in a spoken deal, and the words that were not understood."""
        return {}, text

    @classmethod
    def start_values(cls, start: Any) -> dict[str, str]:
        """Return the values of the form for the start of a deal."""
        return {}

    @classmethod
    def example(
        cls, game: Game[Any, Any], rules: Any, circle_id: UUID, sent: MultiDict[str, str]
    ) -> dict[str, Any] | None:
        """Return an example deal to show while the rules are edited; None if there is none."""
        return None

    def pays(self) -> dict[str, Any]:
        """Return as data for ``static/deals/pays.js`` what answers pay, if data suffice.

        ``fine`` is what a penalty pays each of ``sides`` but the offender's.
        """
        game, rules = self.game, self.table.rules
        fine = game.fine(rules) * (-1 if game.leads_lowest(rules) else 1)
        return {"sides": game.sides(self.table.active, rules), "fine": fine}

    def sheet(self) -> dict[str, Any]:
        """Return the answers as a sheet of docs/contract.md; what was not answered is left out."""
        raise NotImplementedError

    def start(self) -> dict[str, Any]:
        """Return the start of a deal, of games that have an auction."""
        return {}


#: What a form of a deal says beside its answers: a page on which it is sent again has its own.
BESIDE = {"csrf_token", "key", "number", "version", "seen", "instead_of", "action", "back"}


def sent_answers() -> dict[str, str]:
    """Return the answers in the form that was sent, to be sent again."""
    given = request.form.items(multi=True)
    return {name: value for name, value in given if name not in BESIDE}


def sent_deal() -> tuple[UUID, int]:
    """Return the key and the number of the deal that was sent; abort with 400 without them."""
    key, number = request.form.get("key", type=UUID), whole(request.form.get("number", ""))
    if key is None or number is None or not 0 <= number <= MOST_DEALS:
        abort(HTTPStatus.BAD_REQUEST)
    return key, number


def seat_name(table: Table[Any], seat: str | None) -> str:
    """Return the name of the seat with the number that was sent, or ""."""
    names = {str(number): name for number, name in enumerate(table.seats)}
    return names.get(seat or "", "")


class VersionForm(PageForm):
    """An act on a deal, by a phone that saw it at ``version``, and its reason.

    ``answer`` is the tapped reason, ``reason`` the typed one; ``key`` identifies the act. ``seen``
    is the number of reviews that the phone saw; ``right`` has a dispute's answers, by question.
    ``back`` is the page to return to.
    """

    key = UUIDField()
    version = HiddenNumberField(validators=[InputRequired()])
    seen = HiddenNumberField()
    answer = StringField()
    reason = LineField("", REASON)
    right = PrefixedField()
    back = StringField()

    @property
    def full_reason(self) -> str:
        """The tapped answer, before the words that were typed."""
        words = (self.answer.data or "", self.reason.data or "")
        return ": ".join(part.strip() for part in words if part.strip())


class OutcomeForm(KeyedForm):
    """A deal that was not played, a penalty, or an agreed result.

    ``payouts`` has what was agreed for each side, by its first seat, and ``buy_in`` who comes back
    in; with a version it amends a deal, of which so many reviews were ``seen``.
    """

    outcome = RadioField(
        choices=[outcome for outcome in Outcome if outcome is not Outcome.PLAYED]  # type: ignore[misc]  # WTForms takes plain values
    )
    offender = StringField()
    payouts = PrefixedField()
    reason = LineField(lazy_gettext("Why is it so?"), REASON)
    buy_in = PrefixedField()
    seen = HiddenNumberField()
    back = StringField()

    @property
    def became(self) -> Outcome:
        return Outcome(self.outcome.data)

    def sheet(self, names: Sequence[str]) -> WrittenSheet | None:
        """Return the sheet, for people of these names by seat; None for a deal without one."""
        by_seat = {str(seat): name for seat, name in enumerate(names)}
        if self.became is Outcome.PENALTY:
            offender = by_seat.get(self.offender.data or "")
            return WrittenSheet({"offender": offender} if offender else {})
        if self.became is not Outcome.AGREED:
            return None
        given = {seat: whole(text) for seat, text in self.payouts.data.items()}
        payouts = {
            by_seat.get(seat, seat): self.payouts.data[seat] if number is None else number
            for seat, number in given.items()
        }
        sheet = WrittenSheet({"payouts": payouts, "reason": self.reason.data or ""})
        if self.buy_in.data:
            sheet["buy_in"] = [by_seat.get(seat, seat) for seat in self.buy_in.data]
        return sheet


class KeepTricksForm(PageForm):
    """The reason to keep contradictory cards, by a phone that saw version ``seen``."""

    shown_at: ClassVar[Mapping[str, str]] = {"reason": "note"}

    seen = HiddenNumberField(validators=[InputRequired()])
    note = LineField(lazy_gettext("Why they are kept"), REASON)
