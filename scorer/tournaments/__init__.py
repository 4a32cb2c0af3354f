"""Club evenings: who sits where, turn after turn, and who stands where.

Nothing here knows a file, a clock, a request or a database. A document of facts comes in
(entries, plan, what was drawn and scored so far), and what it comes to goes out.
"""

from scorer.tournaments.facts import by_lot
from scorer.tournaments.tournament import TournamentState, outcome
