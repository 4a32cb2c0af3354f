"""The forms of a notebook: what was pasted, and how it is to be read."""

from __future__ import annotations

from typing import Any

from flask_babel import lazy_gettext
from wtforms import FileField, Form, StringField, TextAreaField
from wtforms.validators import InputRequired

from scorer.games import find_game
from scorer.notebooks.guessing import ColumnRole, Plan, RowKind
from scorer.notebooks.tables import MOST_COLUMNS
from scorer.services.base.text import LONGEST_NAME
from scorer.services.files.notebooks import CHIAMATA, POINTS, LookedNotebook
from scorer.texts import say
from scorer.web.base.fields import ChoiceField, DayField, OpenChoiceField, RowsField, UUIDField
from scorer.web.base.forms import PageForm

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
        """Offer the games that a notebook is read as; a start of the server needs none of them."""
        super().__init__(*args, **kwargs)
        self.game.choices = [(POINTS, say("Free points")), (CHIAMATA, find_game(CHIAMATA).name)]

    @property
    def plan(self) -> Plan | None:
        """How the table is to be read; None where nobody was asked yet."""
        columns = self.columns.data[:MOST_COLUMNS]
        if not columns:
            return None
        roles = tuple(ColumnRole(one.role.chosen) for one in columns)
        return Plan(
            roles=roles,
            names=tuple(
                " ".join((one.player.data or "").split())[: 2 * LONGEST_NAME + 3]
                if role is ColumnRole.PLAYER
                else ""
                for one, role in zip(columns, roles, strict=True)
            ),
            rows=RowKind(self.rows.chosen or RowKind.DEALS),
            running=self.figures.chosen == RUNNING,
            month_first=self.order.chosen == MONTH_FIRST,
            decimal=self.decimal.chosen or ",",
        )

    @property
    def everybody(self) -> list[str]:
        """The names of who else played."""
        return [name for one in (self.who.data or "").split(",") if (name := " ".join(one.split()))]

    def filled_in(self, looked: LookedNotebook) -> NotebookForm:
        """Return the form filled in by a preview."""
        plan = looked.plan
        columns = zip(plan.roles, plan.names, strict=True)
        return NotebookForm(
            key=self.key.data,
            text=looked.text,
            columns=[{"role": role, "player": name} for role, name in columns],
            rows=plan.rows,
            figures=RUNNING if plan.running else SINGLE,
            order=MONTH_FIRST if plan.month_first else DAY_FIRST,
            decimal=plan.decimal,
            game=looked.game,
            rules=self.rules.data if looked.ruled else looked.rules,
            day=self.day.data,
            who=self.who.data,
        )
