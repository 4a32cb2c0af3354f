"""The entry forms of the games, every one in a module of this folder; the others are derived."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from scorer.rules.game import Game
from scorer.web.deals.entry_forms.derived import DerivedForm
from scorer.web.deals.forms import DealForm


def deal_form(game: Game[Any, Any]) -> type[DealForm]:
    """Return the entry form of a game: its own, or the one that follows from its sheet."""
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    values = (value for module in modules for value in vars(module).values())
    forms = (form for form in values if isinstance(form, type) and issubclass(form, DealForm))
    return next((form for form in forms if form.slug == game.slug), DerivedForm)
