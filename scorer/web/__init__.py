"""The pages."""

from importlib import import_module
from pkgutil import walk_packages

from flask import Blueprint, Flask

from scorer.web.base import access, addresses, assets, choices, filters, headers


def register(app: Flask) -> None:
    """Add the pages to the app, and the headers of every answer.

    All modules below are searched for their ``pages``; several may add views to the same ones.
    """
    app.url_value_preprocessor(choices.speak)
    headers.register(app)
    addresses.register(app)
    access.register(app)
    assets.register(app)
    filters.register(app)
    app.context_processor(choices.add_to_templates)
    names = [module.name for module in walk_packages(__path__, f"{__name__}.")]
    values = [getattr(import_module(name), "pages", None) for name in names]
    for pages in dict.fromkeys(pages for pages in values if isinstance(pages, Blueprint)):
        app.register_blueprint(pages)
