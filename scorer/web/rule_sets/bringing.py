"""Rules that come from elsewhere, by a link or a file: shown first, and kept by who has the pen."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from flask import redirect, render_template, request

from scorer.errors import InvalidError
from scorer.services import circles, rule_sets
from scorer.services.roles import Role
from scorer.services.rule_set_links import LONGEST_DOCUMENT, look_at_rules
from scorer.services.rule_sets import NewRuleSet
from scorer.web import access
from scorer.web.rule_sets.pages import RULES, pages, rule_set_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask.typing import ResponseReturnValue

    from scorer.errors import Problem
    from scorer.services.rule_set_links import Brought


@pages.get("/bring")
def bring() -> ResponseReturnValue:
    """Ask for a table; the script takes it from the fragment of the link."""
    return _page(None)


@pages.post("/bring")
def bring_sent() -> ResponseReturnValue:
    """Show a table that came by a link or as a file, or what is wrong with it."""
    sent = request.files.get("file")
    text = sent.read(LONGEST_DOCUMENT + 1) if sent else b""
    try:
        brought = look_at_rules(text or request.form.get("document", ""))
    except InvalidError as error:
        return _page(None, error.problems), HTTPStatus.UNPROCESSABLE_ENTITY
    return _page(brought)


@pages.post(f"{RULES}/bring")
def bring_in(circle_id: UUID) -> ResponseReturnValue:
    """Keep a table that was looked at, as a rule set of the circle."""
    try:
        brought = look_at_rules(request.form.get("document", ""))
    except InvalidError as error:
        return _page(None, error.problems), HTTPStatus.UNPROCESSABLE_ENTITY
    name = request.form.get("name", "")
    wanted = NewRuleSet(_key(), brought.game.slug, name, brought.document)
    try:
        rule_set_id = rule_sets.keep_rules(wanted, access.current_holder())
    except InvalidError as error:
        return _page(brought, error.problems), HTTPStatus.UNPROCESSABLE_ENTITY
    return redirect(rule_set_url(circle_id, rule_set_id), HTTPStatus.SEE_OTHER)


def _key() -> UUID:
    """The key under which the rules are kept: the same form sent twice is one rule set."""
    try:
        return UUID(request.form.get("key", ""))
    except ValueError:
        return uuid4()


def _page(brought: Brought | None, problems: Sequence[Problem] = ()) -> str:
    opened = circles.opened_circles(access.known_phones())
    return render_template(
        "rule_sets/bring.html",
        typed=request.form.get("document", ""),
        brought=brought,
        table=brought.game.describe(brought.rules) if brought else None,
        document=json.dumps(brought.document, ensure_ascii=False) if brought else "",
        name=request.form.get("name") or (brought.rules.name if brought else ""),
        circles=[one for one in opened if one.role.reaches(Role.SCOREKEEPER)],
        problems=problems,
        key=_key(),
    )
