"""The page of old notebooks: what was read, the questions, bring in, take back."""

from collections import defaultdict
from datetime import date
from decimal import Decimal
from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

from flask import abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_decimal, lazy_gettext, ngettext
from wtforms import BooleanField, StringField, TextAreaField
from wtforms.validators import InputRequired

from scorer.errors import InvalidError
from scorer.notebooks.columns import Use
from scorer.notebooks.rows import RowKind
from scorer.roles import Role
from scorer.routes import Routes
from scorer.services.files import notebooks as services
from scorer.services.files.notebook_files import LONGEST_FILE
from scorer.services.files.notebooks import NotebookPreview
from scorer.texts import MINUS, say
from scorer.typed_text import one_line
from scorer.web.base import access
from scorer.web.base.fields import ChoiceField, DayField, PrefixedField, UploadField, UUIDField
from scorer.web.base.forms import PageForm

USES = {
    Use.WHEN: say("The day"),
    Use.WHO: say("Who (a row each)"),
    Use.POINTS: say("Points"),
    Use.NONE: say("Not used"),
}
ROWS = {
    RowKind.DEAL: say("A deal"),
    RowKind.EVENING: say("A whole evening"),
    RowKind.RUNNING: say("Where everybody stood after it"),
}
ORDERS = {
    "day-first": say("3/12 is 3 December"),
    "month-first": say("3/12 is 12 March"),
}
#: What a page shows of the rows of a sheet, and the marks of people.
MOST_SHOWN, MARKS = 200, 10
PERSON, OTHER = "person:", "other"
NOTEBOOK = "/circles/<uuid:circle_id>/notebook"
LARGEST = 3 * 1024 * 1024

pages = Routes("notebooks", __name__)


class NotebookForm(PageForm):
    """A notebook as it was pasted or sent, and what was answered.

    A column is named by sheet and place, a row that is a ``total`` or has its day by ``on`` by
    sheet and number. ``ticked`` are evenings by number, of those ``listed``.
    """

    key = UUIDField(validators=[InputRequired()])
    text = TextAreaField(lazy_gettext("Paste it here"), default="")
    file = UploadField(lazy_gettext("Or a file: CSV, XLSX, XLS, ODS, JSON"))
    named = StringField(default="")
    row = ChoiceField("", None, ROWS)
    order = ChoiceField(lazy_gettext("Days in figures"), None, ORDERS)
    day = DayField(lazy_gettext("Which day?"))
    on = PrefixedField()
    column = PrefixedField()
    name = PrefixedField()
    total = PrefixedField()
    ticked = PrefixedField()
    listed = StringField(default="")
    lowest = BooleanField(lazy_gettext("The lowest leads"))
    action = StringField(default="")

    @property
    def answers(self) -> dict[str, Any]:
        """The answers as contract.md has them."""
        columns: dict[str, dict[str, Any]] = defaultdict(dict)
        for place, use in self.column.data.items():
            sheet, _, number = place.partition(".")
            person = self.name.data.get(place, "") if use == OTHER else use.removeprefix(PERSON)
            if use != OTHER and not use.startswith(PERSON):
                columns[sheet][number] = {"use": use}
            elif person:
                columns[sheet][number] = {"use": Use.PERSON, "person": one_line(person)}
        given = {
            "row": self.row.chosen,
            "order": self.order.chosen,
            "day": self.day.data and self.day.data.isoformat(),
            "days": self.on.data,
            "columns": columns,
            "totals": [*self.total.data],
        }
        return {name: answer for name, answer in given.items() if answer}

    def chosen(self, preview: NotebookPreview) -> list[int]:
        """The evenings to bring in: those ticked, or at first all that are not here."""
        ticked = self.ticked.data if self.listed.data == listing(preview) else preview.not_here
        return [n for n in range(len(preview.evenings)) if str(n) in {*map(str, ticked)}]


def listing(preview: NotebookPreview) -> str:
    """Return what tells the evenings of a page from others."""
    return " ".join(f"{e['day']}:{len(e['deals'])}:{e.get('session')}" for e in preview.evenings)


@pages.get(NOTEBOOK, least=Role.SCOREKEEPER)
def show(circle_id: UUID) -> ResponseReturnValue:
    """Show the form for a notebook, and those that were brought in."""
    return _page(circle_id, NotebookForm(key=uuid4()))


@pages.post(
    NOTEBOOK, least=Role.SCOREKEEPER, limit=("import", "file"), largest=LARGEST, sandboxed=True
)
def preview_sent(circle_id: UUID) -> ResponseReturnValue:
    """Show what a notebook comes to by the answers so far, or bring it in."""
    form = NotebookForm(request.form)
    sound, key = form.validate(), form.key.data
    if key is None:
        abort(HTTPStatus.BAD_REQUEST)
    preview = None
    try:
        preview = _preview(circle_id, form)
        if form.action.data == "keep" and sound:
            return _keep(circle_id, key, form, preview)
    except InvalidError as error:
        form.refuse(error.problems)
        sound = False
        if preview is None and form.answers and (text := form.text.data):
            preview = services.preview_notebook(circle_id, text.encode(), {})
    status = HTTPStatus.OK if sound else HTTPStatus.UNPROCESSABLE_ENTITY
    return _page(circle_id, form, preview), status


def _preview(circle_id: UUID, form: NotebookForm) -> NotebookPreview:
    sent = request.files.get("file")
    content = sent.read(LONGEST_FILE + 1) if sent else b""
    if content and sent:
        form.named.data = one_line(sent.filename or "")
    content = content or (form.text.data or "").replace("\0", "").encode()
    preview = services.preview_notebook(circle_id, content, form.answers)
    form.text.data = preview.notebook["text"]
    return preview


def _keep(
    circle_id: UUID, key: UUID, form: NotebookForm, preview: NotebookPreview
) -> ResponseReturnValue:
    if preview.notebook["open"]:
        raise InvalidError.of("open", "", say("Something is still open: answer it first."))
    sessions = services.keep(
        preview,
        key,
        access.current_holder(),
        chosen=form.chosen(preview),
        lowest_leads=form.lowest.data,
    )
    flash(ngettext("%(num)d evening is in.", "%(num)d evenings are in.", len(sessions)), "ok")
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


def _choices(column: dict[str, Any], people: list[str]) -> list[tuple[str, object]]:
    """Return what a column may be: people, near ones first, its own head, and the other uses."""
    names = dict.fromkeys([*column.get("offer", []), *people, column.get("person"), column["head"]])
    return [
        ("", say("Choose")),
        *(
            (PERSON + name, name if name in people else say("%(name)s, new", name=name))
            for name in filter(None, names)
        ),
        (OTHER, say("Another person")),
        *((use.value, words) for use, words in USES.items()),
    ]


def _page(circle_id: UUID, form: NotebookForm, preview: NotebookPreview | None = None) -> str:
    notebook = preview.notebook if preview else {"sheets": [], "readings": {}}
    columns = [
        (f"{sheet}.{place}", column)
        for sheet, of in enumerate(notebook["sheets"])
        for place, column in enumerate(of["columns"])
    ]
    seated = [name for figures in notebook["readings"].values() for name in figures]

    def scaled(figure: int) -> str:
        """Write a figure as it stands in the notebook."""
        decimal = format_decimal(abs(figure) * Decimal(notebook["unit"]))
        return f"{MINUS if figure < 0 else '+' if figure else ''}{decimal}"

    return render_template(
        "files/notebook.html",
        form=form,
        preview=preview,
        notebook=notebook,
        places=[(place, column) for place, column in columns if column["use"] is None],
        choices=_choices,
        rows=ROWS,
        person=PERSON,
        other=OTHER,
        seats={name: seat % MARKS for seat, name in enumerate(dict.fromkeys(seated))},
        scaled=scaled,
        dated=date.fromisoformat,
        most_shown=MOST_SHOWN,
        chosen=form.chosen(preview) if preview else (),
        listed=listing(preview) if preview else "",
        kept=services.kept_notebooks(circle_id),
    )
