"""The buttons at the foot of every page."""

from __future__ import annotations

from wtforms import StringField

from scorer.web.forms import PageForm


class PreferenceForm(PageForm):
    """The language or the theme that was chosen, and the page to go on with."""

    language = StringField(default="")
    theme = StringField(default="")
    next = StringField(default="")
