"""The page of the journal: everything that was done in a circle besides its deals."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict

from scorer.roles import Role
from scorer.routes import Routes
from scorer.services.circle.names import END
from scorer.services.journal.journal_page import (
    GROUPS,
    JournalLine,
    JournalPage,
    doers,
    journal_page,
)
from scorer.texts import Text
from scorer.web.base.access import zone_here
from scorer.web.base.fields import ANYBODY, ANYTHING, NO_SUCH_PLAYER, ChoiceField
from scorer.web.base.forms import DatesForm
from scorer.web.base.pages import CIRCLE

NOTHING = JournalPage((), None)

pages = Routes("journal", __name__, url_prefix=CIRCLE)


@pages.get("/journal", least=Role.SPECTATOR)
def show(circle_id: UUID) -> ResponseReturnValue:
    """List the acts in a circle, newest first."""
    form = JournalForm(request.args, doers(circle_id))
    if "" in request.args.values():
        return redirect(_url(circle_id, **form.criteria), HTTPStatus.SEE_OTHER)
    before = request.args.get("before", type=int)
    before = before if before and 0 < before < END else None
    sound = form.validate()
    journal = (
        journal_page(circle_id, before=before, zone=zone_here(), **form.sought)
        if sound
        else NOTHING
    )
    page = render_template(
        "journal/journal.html",
        form=form,
        lines=[(line, _about(circle_id, line)) for line in journal.lines],
        older=_url(circle_id, **form.criteria, before=journal.older) if journal.older else None,
        newest=_url(circle_id, **form.criteria) if before else None,
    )
    return page, HTTPStatus.OK if sound else HTTPStatus.UNPROCESSABLE_ENTITY


def _url(circle_id: UUID, **criteria: Any) -> str:
    return url_for("journal.show", circle_id=circle_id, **criteria)


def _about(circle_id: UUID, line: JournalLine) -> str | None:
    """Return the address of an entry's subject; None if it has no page."""
    key, _, number = line.key.partition("/")
    match line.subject:
        case "player":
            return url_for("players.show", circle_id=circle_id, player_id=key)
        case "rule_set" | "rule_set_version":
            version = number or None
            return url_for("rule_sets.show", circle_id=circle_id, rule_set_id=key, version=version)
        case "card_session" | "seat" | "started_deal" | "timer":
            return url_for("sessions.show", circle_id=circle_id, session_id=key)
        case subject if subject.startswith("tournament"):
            return url_for("tournaments.show", circle_id=circle_id, tournament_id=key)
        case "note":
            return url_for("notes.show", circle_id=circle_id, session_id=key)
        case "season":
            return url_for("seasons.index", circle_id=circle_id)
        case "ledger_entry":
            return url_for("ledger.show", circle_id=circle_id, _anchor=f"entry-{key}")
        case _:
            return None


class JournalForm(DatesForm):
    """The search of the journal."""

    player = ChoiceField(lazy_gettext("Who"), ANYBODY, unknown=NO_SUCH_PLAYER)
    kind = ChoiceField(
        lazy_gettext("What"), ANYTHING, {code: words for code, (words, _) in GROUPS.items()}
    )

    def __init__(self, args: MultiDict[str, str], doers: Mapping[str, Text | str]) -> None:
        super().__init__(args)
        self.player.choices += doers.items()

    @property
    def sought(self) -> dict[str, Any]:
        return {**self.moments, "who": self.player.chosen, "group": self.kind.chosen}
