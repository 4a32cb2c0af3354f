"""The blueprint of the card sessions."""

from __future__ import annotations

from flask import Blueprint

SESSION = "/circles/<uuid:circle_id>/sessions/<uuid:session_id>"

pages = Blueprint("sessions", __name__)
