"""The page of old notebooks: preview, correct, keep as evenings, take back."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

from flask import abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, lazy_gettext, ngettext
from werkzeug.datastructures import CombinedMultiDict
from wtforms import FileField, Form, StringField, TextAreaField
from wtforms.validators import InputRequired

from scorer.errors import InvalidError
from scorer.games import find_game
from scorer.notebooks.guessing import ColumnRole, Plan, RowKind
from scorer.notebooks.tables import MOST_COLUMNS
from scorer.roles import Role
from scorer.routes import Routes
from scorer.services.circle import players
from scorer.services.files import notebooks as services
from scorer.services.files.notebook_files import LONGEST_FILE
from scorer.services.files.notebooks import CHIAMATA, POINTS, NotebookPreview
from scorer.services.session.house_rules import read_choice
from scorer.texts import say
from scorer.typed_text import LONGEST_NAME
from scorer.web.base import access
from scorer.web.base.fields import ChoiceField, DayField, OpenChoiceField, RowsField, UUIDField
from scorer.web.base.filters import in_words
from scorer.web.base.forms import PageForm
from scorer.web.base.pages import session_url
from scorer.web.session.choosing import offers

ROLES = {
    ColumnRole.NOTHING: say("nothing that counts"),
    ColumnRole.PLAYER: say("figures of a player"),
    ColumnRole.DAY: say("the day"),
    ColumnRole.TITLE: say("the name of the evening"),
    ColumnRole.NUMBER: say("the number of the deal"),
    ColumnRole.VOIDED: say("whether it is voided"),
    ColumnRole.CALLER: say("the caller"),
    ColumnRole.BID: say("the bid"),
    ColumnRole.CARD: say("the called card"),
    ColumnRole.PARTNER: say("the partner"),
    ColumnRole.POINTS: say("the card points of the caller’s side"),
    ColumnRole.RESULT: say("made or missed"),
}
ROWS = {RowKind.DEALS: say("A deal"), RowKind.EVENINGS: say("A whole evening")}
SINGLE, RUNNING = "single", "running"
FIGURES = {
    SINGLE: say("What the row alone brought"),
    RUNNING: say("The balance so far"),
}
DAY_FIRST, MONTH_FIRST = "day", "month"
ORDERS = {DAY_FIRST: say("3/12 is 3 December"), MONTH_FIRST: say("3/12 is 12 March")}
DECIMALS = {",": say("A comma, as in 2,50"), ".": say("A point, as in 2.50")}

NOTEBOOK = "/circles/<uuid:circle_id>/notebook"
KEEP = "keep"

pages = Routes("notebooks", __name__)


class ColumnRow(Form):
    """A column of the table: its role, and the player of its figures."""

    role = ChoiceField("", None, ROLES)
    player = StringField(default="")


class NotebookForm(PageForm):
    """A notebook as it was pasted or sent, and the plan that it is read by."""

    key = UUIDField(validators=[InputRequired()])
    text = TextAreaField(lazy_gettext("Paste it here"), default="")
    file = FileField(lazy_gettext("Or a file: CSV, TSV or XLSX"))
    columns = RowsField(ColumnRow)
    rows = ChoiceField(lazy_gettext("What is a row?"), None, ROWS, default=RowKind.DEALS)
    figures = ChoiceField(lazy_gettext("What are the figures?"), None, FIGURES, default=SINGLE)
    order = ChoiceField(lazy_gettext("Days in figures"), None, ORDERS, default=DAY_FIRST)
    decimal = ChoiceField(lazy_gettext("Before decimals"), None, DECIMALS, default=",")
    game = ChoiceField(lazy_gettext("Game"))
    rules = OpenChoiceField(lazy_gettext("Rules"))
    day = DayField(lazy_gettext("Day of the evening that has none"))
    who = StringField(lazy_gettext("Who else played, where the table doesn’t say"), default="")
    action = StringField(default="")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offer the games that a notebook may be of, which are loaded only now."""
        super().__init__(*args, **kwargs)
        self.game.choices = [(POINTS, say("Free points")), (CHIAMATA, find_game(CHIAMATA).name)]

    @property
    def plan(self) -> Plan | None:
        """Return the plan for reading the table; None before any answer."""
        columns = self.columns.data[:MOST_COLUMNS]
        if not columns:
            return None
        roles = tuple(ColumnRole(column.role.chosen) for column in columns)
        return Plan(
            roles=roles,
            names=tuple(
                " ".join((column.player.data or "").split())[: 2 * LONGEST_NAME + 3]
                if role is ColumnRole.PLAYER
                else ""
                for column, role in zip(columns, roles, strict=True)
            ),
            rows=RowKind(self.rows.chosen or RowKind.DEALS),
            running=self.figures.chosen == RUNNING,
            month_first=self.order.chosen == MONTH_FIRST,
            decimal=self.decimal.chosen or ",",
        )

    @property
    def everybody(self) -> list[str]:
        typed = (self.who.data or "").split(",")
        return [name for part in typed if (name := " ".join(part.split()))]

    def filled_in(self, preview: NotebookPreview) -> NotebookForm:
        plan = preview.plan
        columns = zip(plan.roles, plan.names, strict=True)
        return NotebookForm(
            key=self.key.data,
            text=preview.text,
            columns=[{"role": role, "player": name} for role, name in columns],
            rows=plan.rows,
            figures=RUNNING if plan.running else SINGLE,
            order=MONTH_FIRST if plan.month_first else DAY_FIRST,
            decimal=plan.decimal,
            game=preview.game,
            rules=self.rules.data if preview.ruled else preview.rules,
            day=self.day.data,
            who=self.who.data,
        )


@pages.get(NOTEBOOK, least=Role.SCOREKEEPER)
def show(circle_id: UUID) -> ResponseReturnValue:
    """Show the form for a notebook, and the list of imported ones."""
    return _page(circle_id, NotebookForm(key=uuid4()))


@pages.post(NOTEBOOK, least=Role.SCOREKEEPER, limit=("import", "file"), sandboxed=True)
def preview_sent(circle_id: UUID) -> ResponseReturnValue:
    form = NotebookForm(CombinedMultiDict([request.files, request.form]))
    sound, key = form.validate(), form.key.data
    if key is None:
        abort(HTTPStatus.BAD_REQUEST)
    try:
        preview = _preview(circle_id, key, form)
        if form.action.data == KEEP and sound:
            return _keep(circle_id, key, preview)
    except InvalidError as error:
        form.refuse(error.problems)
        return _page(circle_id, form), HTTPStatus.UNPROCESSABLE_ENTITY
    if not sound:
        return _page(circle_id, form, preview), HTTPStatus.UNPROCESSABLE_ENTITY
    return _page(circle_id, form.filled_in(preview), preview)


def _preview(circle_id: UUID, key: UUID, form: NotebookForm) -> NotebookPreview:
    """Read the text that was pasted, or else the file."""
    sent = request.files.get("file")
    text = form.text.data or ""
    if not text.strip() and sent:
        text = services.text_of(sent.read(LONGEST_FILE + 1))
    game = find_game(form.game.chosen or CHIAMATA)
    rules = read_choice(circle_id, game, form.rules.data or "")
    choice = services.NotebookChoice(
        game=form.game.chosen,
        rules=rules.document if rules else None,
        day=form.day.data,
        who=form.everybody,
    )
    return services.preview_notebook(circle_id, key, text, form.plan, choice)


def _keep(circle_id: UUID, key: UUID, preview: NotebookPreview) -> ResponseReturnValue:
    sessions = services.keep(preview, key, access.current_holder())
    flash(
        ngettext("%(num)d evening is kept.", "%(num)d evenings are kept.", len(sessions))
        + " "
        + gettext("“Bring in an old notebook” takes them back."),
        "ok",
    )
    if len(sessions) == 1:
        return redirect(session_url(circle_id, sessions[0]), HTTPStatus.SEE_OTHER)
    return redirect(url_for("notebooks.show", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.post(f"{NOTEBOOK}/<uuid:notebook_id>/back", least=Role.SCOREKEEPER)
def take_back(circle_id: UUID, notebook_id: UUID) -> ResponseReturnValue:
    try:
        count = services.take_back(circle_id, notebook_id, by=access.current_holder())
    except InvalidError as error:
        form = NotebookForm(key=uuid4())
        form.refuse(error.problems)
        return _page(circle_id, form), HTTPStatus.UNPROCESSABLE_ENTITY
    message = ngettext("%(num)d evening is gone again.", "%(num)d evenings are gone again.", count)
    flash(message, "ok")
    return redirect(url_for("notebooks.show", circle_id=circle_id), HTTPStatus.SEE_OTHER)


def _page(circle_id: UUID, form: NotebookForm, preview: NotebookPreview | None = None) -> str:
    game = find_game(preview.game if preview else CHIAMATA)
    form.rules.choices = [
        (offer.value, in_words(offer.name))
        for offer in offers(circle_id, game, form.rules.data or "")
    ]
    return render_template(
        "files/notebook.html",
        form=form,
        preview=preview,
        game=game,
        most_doubts=services.MOST_DOUBTS,
        known=list(players.names(circle_id).values()),
        kept=services.kept_notebooks(circle_id),
    )
