"""The pages."""

from flask import Flask

from scorer.web.album import last_page, notes, public_pages
from scorer.web.base import access, assets, choices, filters, headers, offline, origins
from scorer.web.cards import bringing as bringing_cards
from scorer.web.cards import entry as card_entry
from scorer.web.cards import pages as card_pages
from scorer.web.circle import circles, own_phones, sharing
from scorer.web.deals import acts, entry, history, report
from scorer.web.deals import pages as deal_pages
from scorer.web.figures import charts, players, seasons, years
from scorer.web.files import notebooks
from scorer.web.files import sessions as session_files
from scorer.web.live import pages as live_pages
from scorer.web.money import ledger
from scorer.web.record import journal
from scorer.web.table import games, house_rules, new, rules, seating, show

VIEWS = (
    circles,
    sharing,
    own_phones,
    new,
    show,
    rules,
    seating,
    live_pages,
    last_page,
    session_files,
    deal_pages,
    entry,
    acts,
    report,
    card_pages,
    card_entry,
    bringing_cards,
    charts,
    players,
    years,
    house_rules,
    history,
    seasons,
    journal,
    ledger,
    notebooks,
    notes,
    public_pages,
    games,
    choices,
    offline,
)


def register(app: Flask) -> None:
    """Add the pages to the app, and what every answer carries."""
    headers.register(app)
    origins.register(app)
    access.register(app)
    assets.register(app)
    filters.register(app)
    app.context_processor(choices.add_to_templates)
    for blueprint in dict.fromkeys(view.pages for view in VIEWS):
        app.register_blueprint(blueprint)
