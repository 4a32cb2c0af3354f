"""Fields that WTForms doesn't have."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask_babel import lazy_gettext
from wtforms import Field
from wtforms.widgets import HiddenInput


class UUIDField(Field):
    """The key of something on the page; ``data`` is a UUID, or None when nothing was sent."""

    widget = HiddenInput()
    data: UUID | None

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Read the key."""
        self.data = None
        if valuelist and valuelist[0]:
            try:
                self.data = UUID(valuelist[0])
            except ValueError as error:
                message = lazy_gettext("That cannot be read. Load the page again.")
                raise ValueError(message) from error

    def _value(self) -> str:
        return str(self.data or "")
