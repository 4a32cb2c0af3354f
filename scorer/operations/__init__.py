"""The operations of the command line and of the API: the same answer from both.

Nothing here touches a file, a database or a request. Every function takes a ``translate`` that
turns a ``Text`` into words of the reader's language; by default they are English.
"""

from scorer.operations.checking import check
from scorer.operations.deal_files import check_file, solve_file
from scorer.operations.replaying import replay
from scorer.operations.requests import not_json, problem_list, with_repeated
from scorer.operations.rule_sets import rule_sets
from scorer.operations.scoring import score
from scorer.operations.solving import solve
