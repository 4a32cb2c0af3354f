"""The pages."""

from importlib import import_module
from pkgutil import iter_modules

from flask import Blueprint, Flask

from scorer.web.base import access, addresses, assets, choices, filters, headers


def register(app: Flask) -> None:
    """Add the pages to the app, and the headers of every answer.

    All modules below are searched for their ``pages``; several may add views to the same ones.
    """
    headers.register(app)
    addresses.register(app)
    access.register(app)
    assets.register(app)
    filters.register(app)
    app.context_processor(choices.add_to_templates)
    areas = [import_module(f"{__name__}.{area.name}") for area in iter_modules(__path__)]
    names = (
        part.name for area in areas for part in iter_modules(area.__path__, f"{area.__name__}.")
    )
    values = [getattr(import_module(name), "pages", None) for name in names]
    for pages in dict.fromkeys(pages for pages in values if isinstance(pages, Blueprint)):
        app.register_blueprint(pages)
