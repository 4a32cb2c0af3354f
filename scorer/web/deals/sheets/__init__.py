"""The entry forms of the games: what each asks, and how its answers become a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorer.rules.game import Game
from scorer.web.deals.forms import DealForm
from scorer.web.deals.sheets import chiamata_example
from scorer.web.deals.sheets.briscola import BriscolaForm
from scorer.web.deals.sheets.burraco import BurracoForm
from scorer.web.deals.sheets.chiamata import ChiamataForm
from scorer.web.deals.sheets.derived import DerivedForm
from scorer.web.deals.sheets.scala_quaranta import ScalaForm
from scorer.web.deals.sheets.scopa import ScopaForm
from scorer.web.deals.sheets.tressette import TressetteForm

#: The games whose form is more than can be derived.
FORMS: dict[str, type[DealForm]] = {
    "briscola": BriscolaForm,
    "briscola-chiamata": ChiamataForm,
    "burraco": BurracoForm,
    "scala-quaranta": ScalaForm,
    "scopa": ScopaForm,
    "tressette": TressetteForm,
}

#: The games whose score tables are shown with an example deal while they are edited.
EXAMPLES = {"briscola-chiamata": chiamata_example}


def deal_form(game: Game[Any, Any]) -> type[DealForm]:
    """Return the entry form of a game: its own, or the one that follows from its sheet."""
    return FORMS.get(game.slug, DerivedForm)
