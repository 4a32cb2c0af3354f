"""The operations of the command line and of the API: the same answer from both.

Nothing here touches a file, a database or a request. Every function takes a ``translate`` that
turns a ``Text`` into words of the reader's language; by default they are English.
"""

from scorer.operations.checking import check
from scorer.operations.requests import not_json, problem_list, with_repeated
from scorer.operations.scoring import replay, rule_sets, score
from scorer.operations.solving import check_file, solve, solve_file
from scorer.operations.tournaments import tournament
