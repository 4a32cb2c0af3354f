"""Import of rules by a link or a file: previewed first, then kept by a scorekeeper."""

import json
from collections.abc import Sequence
from http import HTTPStatus
from uuid import UUID, uuid4

from flask import abort, redirect, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import CombinedMultiDict

from scorer.errors import InvalidError, Problem
from scorer.services.base.roles import Role
from scorer.services.circle import circles
from scorer.services.table import house_rules
from scorer.services.table.house_rules import (
    LONGEST_DOCUMENT,
    ImportedRules,
    NewRuleSet,
    preview_rules,
)
from scorer.web.base import access
from scorer.web.base.addresses import rule_set_url
from scorer.web.table.rules_forms import KeepRulesForm, LookForm
from scorer.web.table.showing import RULES, pages


@pages.get("/bring")
def bring() -> ResponseReturnValue:
    """Ask for a table; the script takes it from the fragment of the link."""
    return _ask(LookForm())


@pages.post("/bring", limit="file")
def bring_sent() -> ResponseReturnValue:
    """Show a table that came by a link or as a file, or what is wrong with it."""
    form = LookForm(CombinedMultiDict([request.form, request.files]))
    text = form.file.data.read(LONGEST_DOCUMENT + 1) if form.file.data else b""
    try:
        brought = preview_rules(text or form.document.data or "")
    except InvalidError as error:
        return _ask(form, error.problems), HTTPStatus.UNPROCESSABLE_ENTITY
    return _show(brought, KeepRulesForm(key=uuid4(), name=brought.rules.name))


@pages.post(f"{RULES}/bring", least=Role.SCOREKEEPER, limit=("import", "file"))
def bring_in(circle_id: UUID) -> ResponseReturnValue:
    """Keep a table that was looked at, as a rule set of the circle."""
    form = KeepRulesForm(request.form)
    if not form.validate() or form.key.data is None:
        abort(HTTPStatus.BAD_REQUEST)
    try:
        brought = preview_rules(form.document.data or "")
    except InvalidError as error:
        page = _ask(LookForm(document=form.document.data), error.problems)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    wanted = NewRuleSet(form.key.data, brought.game.slug, form.name.data or "", brought.document)
    try:
        rule_set_id = house_rules.keep_rules(wanted, access.current_holder())
    except InvalidError as error:
        form.refuse(error.problems)
        return _show(brought, form), HTTPStatus.UNPROCESSABLE_ENTITY
    return redirect(rule_set_url(circle_id, rule_set_id), HTTPStatus.SEE_OTHER)


def _ask(form: LookForm, faults: Sequence[Problem] = ()) -> str:
    return render_template("table/bring.html", brought=None, form=form, faults=faults)


def _show(brought: ImportedRules, form: KeepRulesForm) -> str:
    opened = circles.opened_circles(access.known_phones(), access.used_at())
    return render_template(
        "table/bring.html",
        brought=brought,
        table=brought.game.describe(brought.rules),
        document=json.dumps(brought.document, ensure_ascii=False),
        circles=[circle for circle in opened if circle.role.reaches(Role.SCOREKEEPER)],
        form=form,
    )
