"""The page of old notebooks: preview, correct, keep as evenings, take back."""

from http import HTTPStatus
from uuid import UUID, uuid4

from flask import abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, ngettext
from werkzeug.datastructures import CombinedMultiDict

from scorer.errors import InvalidError
from scorer.games import find_game
from scorer.routes import Routes
from scorer.services.base.roles import Role
from scorer.services.circle import players
from scorer.services.files import notebooks as services
from scorer.services.files.notebook_files import LONGEST_FILE
from scorer.services.files.notebooks import LookedNotebook
from scorer.web.base import access
from scorer.web.base.addresses import session_url
from scorer.web.base.filters import in_words
from scorer.web.files.forms import NotebookForm
from scorer.web.table.choosing import offers, read_choice

NOTEBOOK = "/circles/<uuid:circle_id>/notebook"
KEEP = "keep"

pages = Routes("notebooks", __name__)


@pages.get(NOTEBOOK, least=Role.SCOREKEEPER)
def show(circle_id: UUID) -> ResponseReturnValue:
    """Ask for a notebook, and list those that were brought in."""
    return _page(circle_id, NotebookForm(key=uuid4()))


@pages.post(NOTEBOOK, least=Role.SCOREKEEPER, limit=("import", "file"), sandboxed=True)
def look_sent(circle_id: UUID) -> ResponseReturnValue:
    """Preview a notebook, or keep it."""
    form = NotebookForm(CombinedMultiDict([request.files, request.form]))
    sound, key = form.validate(), form.key.data
    if key is None:
        abort(HTTPStatus.BAD_REQUEST)
    try:
        looked = _look(circle_id, key, form)
        if form.action.data == KEEP and sound:
            return _keep(circle_id, key, looked)
    except InvalidError as error:
        form.refuse(error.problems)
        return _page(circle_id, form), HTTPStatus.UNPROCESSABLE_ENTITY
    if not sound:
        return _page(circle_id, form, looked), HTTPStatus.UNPROCESSABLE_ENTITY
    return _page(circle_id, form.filled_in(looked), looked)


def _look(circle_id: UUID, key: UUID, form: NotebookForm) -> LookedNotebook:
    """Read the text that was pasted, or else the file."""
    sent = request.files.get("file")
    text = form.text.data or ""
    if not text.strip() and sent:
        text = services.text_of(sent.read(LONGEST_FILE + 1))
    game = find_game(form.game.chosen or services.CHIAMATA)
    rules = read_choice(circle_id, game, form.rules.data or "")
    choice = services.NotebookChoice(
        game=form.game.chosen,
        rules=rules.document if rules else None,
        day=form.day.data,
        who=form.everybody,
    )
    return services.look(circle_id, key, text, form.plan, choice)


def _keep(circle_id: UUID, key: UUID, looked: LookedNotebook) -> ResponseReturnValue:
    sessions = services.keep(looked, key, access.current_holder())
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
    """Delete the evenings of a notebook."""
    try:
        count = services.take_back(circle_id, notebook_id, by=access.current_holder())
    except InvalidError as error:
        form = NotebookForm(key=uuid4())
        form.refuse(error.problems)
        return _page(circle_id, form), HTTPStatus.UNPROCESSABLE_ENTITY
    message = ngettext("%(num)d evening is gone again.", "%(num)d evenings are gone again.", count)
    flash(message, "ok")
    return redirect(url_for("notebooks.show", circle_id=circle_id), HTTPStatus.SEE_OTHER)


def _page(circle_id: UUID, form: NotebookForm, looked: LookedNotebook | None = None) -> str:
    game = find_game(looked.game if looked else services.CHIAMATA)
    form.rules.choices = [
        (one.value, in_words(one.name)) for one in offers(circle_id, game, form.rules.data or "")
    ]
    return render_template(
        "files/notebook.html",
        form=form,
        looked=looked,
        game=game,
        most_doubts=services.MOST_DOUBTS,
        known=list(players.names(circle_id).values()),
        kept=services.kept_notebooks(circle_id),
    )
