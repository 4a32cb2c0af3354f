"""A circle's own rules to look at: the list, one with its versions, its file and its link."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

import segno
from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext

from scorer.games import all_games
from scorer.operations.rule_sets import rule_set as written_out
from scorer.services import rule_sets
from scorer.services.rule_set_links import packed, travelling
from scorer.web import downloads
from scorer.web.rule_sets.choosing import value_of
from scorer.web.rule_sets.pages import RULE_SET, RULES, pages, rule_set_url
from scorer.web.views import circle_view, phone_words

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.rules.description import Description
    from scorer.rules.options import Difference
    from scorer.services.rule_sets import OwnRules, VersionChanges
    from scorer.texts import Text


class Line(NamedTuple):
    """A rule set in the list."""

    rule_set_id: UUID
    name: str
    game_name: Text
    version: int
    retired: bool
    table: Description


class VersionView(NamedTuple):
    """A version of a rule set: who wrote it and when, and what it changed."""

    number: int
    by: str | None
    phone: Text | str | None
    at: datetime
    changes: tuple[Difference, ...]


@pages.get(f"{RULES}/")
def index(circle_id: UUID) -> ResponseReturnValue:
    """List the circle's own rules, and what a new one may begin with."""
    lines = [_line(own) for own in rule_sets.own_rules(circle_id)]
    return render_template(
        "rule_sets/index.html",
        circle=circle_view(circle_id),
        lines=[line for line in lines if not line.retired],
        retired=[line for line in lines if line.retired],
        games=[
            (game, [game.describe(one) for one in game.presets.values()]) for game in all_games()
        ],
    )


def _line(own: OwnRules) -> Line:
    return Line(
        own.rule_set_id,
        own.name,
        own.game.name,
        own.version,
        own.row.retired_at is not None,
        own.game.describe(own.rules),
    )


@pages.get(f"{RULE_SET}/")
def show(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Show a rule set as its newest version says, or as an older one did."""
    version = request.args.get("version", type=int)
    own = rule_sets.find_rules(circle_id, rule_set_id, version)
    return render_template(
        "rule_sets/show.html",
        circle=circle_view(circle_id),
        own=own,
        value=value_of(own.reference),
        table=own.game.describe(own.rules),
        versions=[_version(one) for one in rule_sets.versions(circle_id, rule_set_id)],
    )


def _version(told: VersionChanges) -> VersionView:
    row = told.own.row
    return VersionView(row.version, row.written_by, phone_words(row.phone), row.at, told.changes)


@pages.get(f"{RULE_SET}/share")
def share(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Show the link that carries a rule set, as a code and as text."""
    own = rule_sets.find_rules(circle_id, rule_set_id)
    code = packed(travelling(own.game, own.rules))
    url = url_for("rule_sets.bring", _external=True, _anchor=code)
    qr = segno.make(url, error="l").svg_data_uri(scale=4, border=4, light="#fff", dark="#000")
    return render_template(
        "rule_sets/share.html", circle=circle_view(circle_id), own=own, url=url, qr=qr
    )


@pages.get(f"{RULE_SET}/file")
def download(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Give a rule set as a file, for `scorer score` or another circle."""
    own = rule_sets.find_rules(circle_id, rule_set_id)
    text = json.dumps(written_out(own.game, own.rules), ensure_ascii=False, indent=1)
    title = f"{own.game.slug} {own.name}"
    return downloads.download(text, title, ending="json", mimetype="application/json")


@pages.post(f"{RULE_SET}/retire")
def retire(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Put a rule set away."""
    rule_sets.retire_rules(circle_id, rule_set_id)
    flash(gettext("It is put away. What was played by it stays as it is."), "ok")
    return redirect(rule_set_url(circle_id, rule_set_id), HTTPStatus.SEE_OTHER)


@pages.post(f"{RULE_SET}/bring-back")
def bring_back(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Offer a rule set again."""
    rule_sets.bring_back_rules(circle_id, rule_set_id)
    return redirect(rule_set_url(circle_id, rule_set_id), HTTPStatus.SEE_OTHER)
