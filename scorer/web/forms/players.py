"""The form that makes two players one."""

from __future__ import annotations

from flask_babel import lazy_gettext
from wtforms import BooleanField
from wtforms.validators import InputRequired

from scorer.web.forms import PageForm
from scorer.web.forms.fields import UUIDField


class MergeForm(PageForm):
    """Who the same person is, and that this is sure."""

    other = UUIDField(validators=[InputRequired(lazy_gettext("Choose another name"))])
    sure = BooleanField(
        lazy_gettext("They are one person"), [InputRequired(lazy_gettext("Tick this first."))]
    )
