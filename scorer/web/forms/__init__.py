"""The forms of the pages: what each sends, how it is read, and what is wrong with it.

Every form is a WTForms form. Its validators say what a field needs to be readable at all; whether
the answers are right is for the services and the rules to say, and `PageForm.refuse` shows their
problems at the fields. Tokens against forgery are checked for the whole app, before any view runs;
the macro `ui.csrf` sends them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, ClassVar, Self

from flask import abort, request
from wtforms import Form

from scorer.errors import Problem
from scorer.rules.sheet import NO_ANSWER, missing
from scorer.web.filters import in_words


class PageForm(Form):
    """A form that a page shows and reads back."""

    #: The field that shows a problem whose path names none of the form's own.
    shown_at: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def sent(cls) -> Self:
        """Read the form of the request; abort with 400 where no page of ours sends it so."""
        form = cls(request.form)
        if not form.validate():
            abort(HTTPStatus.BAD_REQUEST)
        return form

    @property
    def problems(self) -> dict[str, Sequence[str]]:
        """What is wrong, by the name of the field; "" is the form as a whole."""
        found = {field.name: field.errors for field in self if field.errors}
        return found | ({"": self.form_errors} if self.form_errors else {})

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show each problem at the field that its path names, or else at the form as a whole."""
        for problem in problems:
            path = problem.field.removeprefix("sheet.").removeprefix("rules.")
            name = self.shown_at.get(path, path)
            message = in_words(problem.message)
            if name in self:
                plain = problem.message.template == missing("").template
                self[name].errors = [*self[name].errors, in_words(NO_ANSWER) if plain else message]
            else:
                self.form_errors.append(message)

    def as_json(self) -> list[dict[str, str]]:
        """List what is wrong as a script is told: the field, empty for the whole form, and why."""
        found = [("", self.form_errors), *((field.name, field.errors) for field in self)]
        return [{"field": name, "message": str(one)} for name, errors in found for one in errors]
