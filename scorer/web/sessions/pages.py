"""The blueprint of the card sessions, and what its pages have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, flash
from flask_babel import gettext

from scorer.texts import signed

if TYPE_CHECKING:
    from collections.abc import Iterable


SESSION = "/circles/<uuid:circle_id>/sessions/<uuid:session_id>"

pages = Blueprint("sessions", __name__)


def warn_of_openings(opening: Iterable[int], stake: int | None, *, lowest_leads: bool) -> None:
    """Flash a warning where balances brought in don't cancel out and are paid in money."""
    total = sum(opening)
    if total and stake and not lowest_leads:
        flash(
            gettext(
                "The balances brought in make %(sum)s together, not 0: when you settle up, "
                "that much is owed by nobody or goes to nobody.",
                sum=signed(total),
            ),
            "problem",
        )
