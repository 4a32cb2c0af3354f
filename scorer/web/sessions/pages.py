"""The blueprint of the card sessions."""

from __future__ import annotations

from flask import Blueprint

from scorer.web.views import phone_words

SESSION = "/circles/<uuid:circle_id>/sessions/<uuid:session_id>"

pages = Blueprint("sessions", __name__)
pages.add_app_template_filter(phone_words, "phone")
