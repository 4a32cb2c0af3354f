"""A circle's own rules to look at: the list, one with its versions, its file and its link."""

import json
from http import HTTPStatus
from uuid import UUID

import segno
from flask import flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorer.games import all_games
from scorer.operations.rule_sets import rule_set as written_out
from scorer.routes import Routes
from scorer.services.base.roles import Role
from scorer.services.table import house_rules
from scorer.services.table.house_rules import packed, travelling
from scorer.web.base import downloads
from scorer.web.base.access import current_holder
from scorer.web.base.addresses import address_of, rule_set_url
from scorer.web.table.choosing import value_of
from scorer.web.table.rules_forms import LookForm

RULES = "/circles/<uuid:circle_id>/rules"
RULE_SET = f"{RULES}/<uuid:rule_set_id>"

pages = Routes("rule_sets", __name__)


@pages.get(f"{RULES}/", least=Role.SPECTATOR)
def index(circle_id: UUID) -> ResponseReturnValue:
    """List the circle's own rules, and what a new one may begin with."""
    listed = house_rules.own_rules(circle_id)
    return render_template(
        "table/house_rules.html",
        look=LookForm(),
        own=[own for own in listed if own.row.retired_at is None],
        retired=[own for own in listed if own.row.retired_at is not None],
        games=[
            (game, [game.describe(rules) for rules in game.presets.values()])
            for game in all_games()
        ],
    )


@pages.get(f"{RULE_SET}/", least=Role.SPECTATOR)
def show(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Show a rule set as its newest version says, or as an older one did."""
    version = request.args.get("version", type=int)
    own = house_rules.find_rules(circle_id, rule_set_id, version)
    return render_template(
        "table/house_rule.html",
        own=own,
        value=value_of(own.reference),
        versions=house_rules.versions(circle_id, rule_set_id),
    )


@pages.get(f"{RULE_SET}/share", least=Role.SPECTATOR)
def share(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Show the link that carries a rule set, as a code and as text."""
    own = house_rules.find_rules(circle_id, rule_set_id)
    code = packed(travelling(own.game, own.rules))
    url = address_of("rule_sets.bring", _anchor=code)
    qr = segno.make(url, error="l").svg_data_uri(scale=4, border=4, light="#fff", dark="#000")
    return render_template("table/share_rules.html", own=own, url=url, qr=qr)


@pages.get(f"{RULE_SET}/file", least=Role.SPECTATOR)
def download(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Give a rule set as a file, for `scorer score` or another circle."""
    own = house_rules.find_rules(circle_id, rule_set_id)
    text = json.dumps(written_out(own.game, own.rules), ensure_ascii=False, indent=1)
    title = f"{own.game.slug} {own.name}"
    return downloads.download(text, title, ending="json", mimetype="application/json")


@pages.post(f"{RULE_SET}/retire", least=Role.SCOREKEEPER)
def retire(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Put a rule set away."""
    house_rules.retire_rules(circle_id, rule_set_id, by=current_holder())
    flash(gettext("It is put away. What was played by it stays as it is."), "ok")
    return redirect(rule_set_url(circle_id, rule_set_id), HTTPStatus.SEE_OTHER)


@pages.post(f"{RULE_SET}/bring-back", least=Role.SCOREKEEPER)
def bring_back(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Offer a rule set again."""
    house_rules.bring_back_rules(circle_id, rule_set_id, by=current_holder())
    return redirect(rule_set_url(circle_id, rule_set_id), HTTPStatus.SEE_OTHER)
