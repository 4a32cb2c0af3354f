"""The entry forms of the games: what each asks, and how its answers become a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from scorer.web.sheets import chiamata_example
from scorer.web.sheets.briscola import BriscolaForm
from scorer.web.sheets.briscola_chiamata import ChiamataForm
from scorer.web.sheets.burraco import BurracoForm
from scorer.web.sheets.derived import DerivedForm
from scorer.web.sheets.scala_quaranta import ScalaForm
from scorer.web.sheets.scopa import ScopaForm
from scorer.web.sheets.tressette import TressetteForm

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from werkzeug.datastructures import MultiDict

    from scorer.errors import Problem
    from scorer.rules.game import Game, Table


class Answers(Protocol):
    """What a browser sent for a deal."""

    def sheet(self, table: Table[Any]) -> dict[str, Any]:
        """Write the answers as a sheet; what was not answered is left out."""

    def start(self, table: Table[Any]) -> dict[str, Any]:
        """Write what is known before the play."""


class SheetForm(Protocol):
    """The entry form of a game."""

    @property
    def template(self) -> str:
        """The template of the questions."""

    @property
    def script(self) -> str:
        """The module that makes the form quick."""

    def __call__(self, sent: MultiDict[str, str], /) -> Answers:
        """Take what a browser sent."""

    def questions(self, table: Table[Any], filled: Mapping[str, str], /, *, times: int = 1) -> Any:
        """Say what is asked of one deal, as the template takes it; what has an answer is."""

    def placed(self, problems: Sequence[Problem], table: Table[Any], /) -> list[Problem]:
        """Put every problem to the field that it is shown at."""

    def values(self, sheet: Any) -> dict[str, str]:
        """Fill the form from a sheet, to amend a deal."""

    def start_values(self, stored: Any) -> dict[str, str]:
        """Fill the form with what was said before the play."""


#: The games whose form is more than can be derived.
FORMS: dict[str, Callable[[Game[Any, Any]], SheetForm]] = {
    "briscola": BriscolaForm,
    "briscola-chiamata": lambda _: ChiamataForm,
    "burraco": BurracoForm,
    "scala-quaranta": ScalaForm,
    "scopa": ScopaForm,
    "tressette": TressetteForm,
}

#: The games whose score tables are shown with an example deal while they are edited.
EXAMPLES = {"briscola-chiamata": chiamata_example}


def sheet_form(game: Game[Any, Any]) -> SheetForm:
    """Give the entry form of a game: its own, or the one that follows from its sheet."""
    return FORMS.get(game.slug, DerivedForm)(game)
