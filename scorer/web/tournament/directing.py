"""The page of a tournament, and what its directors do: each act has a form and an address."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, NamedTuple
from uuid import UUID

from flask import Response, flash, jsonify, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from wtforms import Field, StringField

from scorer.errors import ConflictError, InvalidError, refuse
from scorer.evening.session_acts import SESSION_ACTS, TIMED, StartTimer, TimerAct
from scorer.games import find_game
from scorer.roles import Role
from scorer.rules.questions import Reading, body_of, questions, read
from scorer.services.circle import players
from scorer.services.live.events import circle_version
from scorer.services.tournament.fees import EntryFee, Fees, charge_fee, charged_fees, note_fee_paid
from scorer.services.tournament.page import TournamentPage, time_turn, tournament_page
from scorer.services.tournament.tournaments import direct, load_tournament
from scorer.tournaments.acts import (
    TOURNAMENT_ACTS,
    Forfeit,
    Penalise,
    PlanSettings,
    ReturnEntry,
    SetPlan,
    SetPrizes,
    Substitute,
    TournamentAct,
    WithdrawEntry,
    WriteScores,
)
from scorer.tournaments.tournament import plan_room
from scorer.typed_text import one_line
from scorer.web.album.last_page import NamesForm, published
from scorer.web.base.access import current_holder, may
from scorer.web.base.fields import PrefixedField, WholeField, whole
from scorer.web.base.forms import BodyForm, PageForm, PeopleForm
from scorer.web.tournament.making import (
    BETWEEN,
    TIE_WORDS,
    TOURNAMENT,
    TournamentForm,
    pages,
    tournament_url,
)

#: The row of the fees, which has their form once it is open.
FEES = "fees"
#: The acts that read their answers from the same form; that of the plan has its own.
DIRECTED = {name: act for name, act in TOURNAMENT_ACTS.items() if act is not SetPlan}
#: Acts whose form stands with a table, or with an entry.
OF_A_TABLE = {WriteScores.name, Forfeit.name}
OF_AN_ENTRY = {WithdrawEntry.name, ReturnEntry.name, Substitute.name, Penalise.name}


class DirectorForm(BodyForm):
    """What the forms of a director send; each act reads its own answers."""

    body_type = body_of("DirectorsAnswers", *DIRECTED.values(), *TIMED)
    table: WholeField
    entry: WholeField
    minutes: WholeField
    people = StringField(default="")
    scores = PrefixedField()
    prizes = StringField(default="")

    def value(self, field: Field) -> Any:
        """Return the answer of a field as a document has it."""
        if field is self.people:
            return [name for name in map(one_line, BETWEEN.split(self.people.data or "")) if name]
        if field is self.scores:
            typed = {int(place): score for place, score in field.data.items() if place.isdigit()}
            return [whole(typed[place]) for place in sorted(typed)] or None
        if field is self.prizes:
            return (self.prizes.data or "").splitlines()
        return super().value(field)


class FeeForm(PeopleForm):
    """The fee of each, and who collects it."""

    body_type, ids = EntryFee, "fee-"


class RefusedAct(NamedTuple):
    """An act that was refused, and the form that was sent."""

    name: str
    form: DirectorForm

    def is_of(self, name: str, number: int | None = None) -> bool:
        """Whether the form of an act on a table or an entry was sent."""
        of = self.form.table.data if name in OF_A_TABLE else self.form.entry.data
        return self.name == name and number in (None, of)

    @property
    def messages(self) -> list[str]:
        """What is wrong, each said once."""
        return _messages(self.form)

    def typed(self, field: str, place: str = "") -> str:
        """Return what was typed into a box, to be shown again."""
        if field == "scores":
            return str(self.form.scores.data.get(place, ""))
        sent = self.form[field].raw_data
        return str(sent[0]) if sent else ""

    @property
    def row(self) -> str:
        """The row of the page in which the form stands."""
        if self.name in OF_A_TABLE:
            return f"by-hand-{self.form.table.data}"
        return f"person-{self.form.entry.data}"

    def is_on(self, page: TournamentPage) -> bool:
        """Whether the page still has the form, though another director may have gone on."""
        if page.evening.over:
            return self.name == SetPrizes.name
        if self.name in OF_A_TABLE:
            tables = page.current.tables if page.current else []
            return self.form.table.data in {table.number for table in tables}
        if self.name in SESSION_ACTS:
            return bool(page.current and page.current.open)
        if self.name in OF_AN_ENTRY:
            return str(self.form.entry.data) in page.evening.by_id
        return True


def _messages(form: PageForm) -> list[str]:
    every = (str(message) for messages in form.problems.values() for message in messages)
    return [*dict.fromkeys(every)]


def read_act(kind: type[TournamentAct], form: DirectorForm) -> TournamentAct:
    """Read an act as the pages send it; raise InvalidError."""
    reading = Reading()
    answers = {question.name: form.value(form[question.name]) for question in questions(kind)}
    act = read(kind, answers, reading, "")
    refuse(reading.problems)
    assert act is not None  # noqa: S101  # there are no problems
    return act


@pages.get(TOURNAMENT, least=Role.SPECTATOR)
def show(circle_id: UUID, tournament_id: UUID) -> str:
    """Show a tournament: one's own table, the turn, the standings, and what a director does."""
    return _page(circle_id, tournament_id)


def _page(
    circle_id: UUID,
    tournament_id: UUID,
    refused: RefusedAct | None = None,
    form: TournamentForm | None = None,
    fee: FeeForm | None = None,
) -> str:
    page = tournament_page(circle_id, tournament_id, current_holder().player)
    evening, fees = page.evening, charged_fees(circle_id, tournament_id)
    homeless = refused.messages if refused and not refused.is_on(page) else []
    if form and (page.current or evening.over):
        homeless = _messages(form)
    opened = refused.row if refused else FEES if fee else request.args.get("open", "")
    if opened == FEES:
        fee = fee or _fee_form(circle_id, fees)
    return render_template(
        "tournament/tournament.html",
        page=page,
        evening=evening,
        here={"circle_id": circle_id, "tournament_id": tournament_id},
        refused=refused,
        homeless=homeless,
        opened=opened,
        ties=TIE_WORDS,
        fees=fees,
        fee=fee,
        version=circle_version(circle_id),
        **(_for_directors(page, form) if may("tournaments.draw") else {}),
    )


def _fee_form(circle_id: UUID, fees: Fees) -> FeeForm:
    """Offer the fee of those who owe one already, or else a fee that this player collects."""
    collector, people = fees.collector or current_holder().player_id, players.everybody(circle_id)
    return FeeForm(None, people, collector=str(collector or ""), amount=fees.amount or None)


def _for_directors(page: TournamentPage, form: TournamentForm | None) -> dict[str, Any]:
    """Return what only directors see: public pages, and the plan as long as it can be changed."""
    circle_id, tournament_id = page.stored.key
    shown = {"published": published(circle_id, tournament_id), "names": NamesForm(names="initials")}
    if page.current:
        return shown
    evening = page.evening
    return shown | {
        "room": plan_room(evening.settings["plan"], len(evening.entries)),
        "form": form or TournamentForm.of(evening, tournament_id),
    }


@pages.get(f"{TOURNAMENT}/file", least=Role.SPECTATOR)
def file(circle_id: UUID, tournament_id: UUID) -> Response:
    """Answer the document, from which `scorer tournament` computes the same."""
    stored = load_tournament(circle_id, tournament_id)
    answer = jsonify({"id": str(tournament_id), **stored.evening.document})
    answer.headers["Content-Disposition"] = "attachment; filename=tournament.json"
    return answer


def view_of(kind: type[TournamentAct | TimerAct]) -> Callable[..., ResponseReturnValue]:
    """Make the view that does an act, perhaps to the timers of all tables that play."""

    def view(circle_id: UUID, tournament_id: UUID) -> ResponseReturnValue:
        form, by = DirectorForm(request.form), current_holder()
        if form.validate():
            try:
                if issubclass(kind, TimerAct):
                    answers = {"minutes": form.minutes.data or 0} if kind is StartTimer else {}
                    time_turn(circle_id, tournament_id, kind(**answers), by=by)
                else:
                    direct(circle_id, tournament_id, read_act(kind, form), by=by)
            except ConflictError:
                flash(gettext("Somebody was quicker. This is how it stands now."), "problem")
            except InvalidError as error:
                form.refuse(error.problems)
        if form.problems:
            page = _page(circle_id, tournament_id, RefusedAct(kind.name, form))
            return page, HTTPStatus.UNPROCESSABLE_ENTITY
        return redirect(tournament_url(circle_id, tournament_id), HTTPStatus.SEE_OTHER)

    view.__name__ = kind.name.replace("-", "_")
    return view


_TAPPED: tuple[type[TournamentAct | TimerAct], ...] = (*TIMED, *DIRECTED.values())
for _kind in _TAPPED:
    _post = pages.post(f"{TOURNAMENT}/{_kind.name}", least=_kind.least, limit=_kind.limit)
    _post(view_of(_kind))


@pages.post(f"{TOURNAMENT}/{SetPlan.name}", least=SetPlan.least)
def plan(circle_id: UUID, tournament_id: UUID) -> ResponseReturnValue:
    """Play by another plan, for other points or ties."""
    form, by = TournamentForm(request.form), current_holder()
    row = load_tournament(circle_id, tournament_id).row
    game = find_game(row.game)
    rules, _ = game.rules_from(row.rules)
    plan = SetPlan(settings=PlanSettings(form.settings(game, rules)))
    if form.validate() and form.attempt(direct, circle_id, tournament_id, plan, by=by):
        return redirect(tournament_url(circle_id, tournament_id), HTTPStatus.SEE_OTHER)
    return _page(circle_id, tournament_id, form=form), HTTPStatus.UNPROCESSABLE_ENTITY


@pages.post(f"{TOURNAMENT}/fee", least=Role.SCOREKEEPER, limit="money")
def charge(circle_id: UUID, tournament_id: UUID) -> ResponseReturnValue:
    """Charge the fee to everybody who owes none yet."""
    form, by = FeeForm(request.form, players.everybody(circle_id)), current_holder()
    key = circle_id, tournament_id
    if form.validate() and form.attempt(lambda: charge_fee(*key, form.body, by=by)):
        return _back_to_fees(*key)
    return _page(circle_id, tournament_id, fee=form), HTTPStatus.UNPROCESSABLE_ENTITY


@pages.post(f"{TOURNAMENT}/fee/<uuid:player_id>/paid", least=Role.SCOREKEEPER, limit="money")
def fee_paid(circle_id: UUID, tournament_id: UUID, player_id: UUID) -> ResponseReturnValue:
    note_fee_paid(circle_id, tournament_id, player_id, by=current_holder())
    return _back_to_fees(circle_id, tournament_id)


def _back_to_fees(circle_id: UUID, tournament_id: UUID) -> ResponseReturnValue:
    url = f"{tournament_url(circle_id, tournament_id)}?open={FEES}#{FEES}"
    return redirect(url, HTTPStatus.SEE_OTHER)
