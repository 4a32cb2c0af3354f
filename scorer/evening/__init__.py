"""An evening at the table: whose turn it is, what each deal pays, and the balances.

Nothing here knows a file, a request or a database.

>>> from scorer import Evening
>>> evening = Evening.begin("briscola-chiamata", ["Ada", "Bea", "Ciro", "Dora", "Ezio"])
>>> evening.dealer
'Ada'
>>> sheet = {"caller": "Bea", "partner": "Dora", "bid": "66", "card_points": 70}
>>> evening.record(sheet).payouts
{'Ada': -1, 'Bea': 2, 'Ciro': -1, 'Dora': 1, 'Ezio': -1}
>>> evening.standings()
[(1, 'Bea', 2), (2, 'Dora', 1), (3, 'Ada', -1), (3, 'Ciro', -1), (3, 'Ezio', -1)]
>>> evening.why(1)[0]
"Bea bid 66 and needed 66 card points. The caller's side took 70: made."
>>> evening.record(outcome="misdeal").payouts, evening.dealer
({}, 'Bea')
>>> evening.amend(1, {**sheet, "card_points": 60}).payouts
{'Ada': 1, 'Bea': -2, 'Ciro': 1, 'Dora': -1, 'Ezio': 1}
>>> evening.what_if("monte-5").standings()[0]
(1, 'Ada', 1)
>>> evening.change(order=["Ada", "Bea", "Fulvia", "Dora", "Ezio"])
>>> evening.record({**sheet, "bid": "300"})
Traceback (most recent call last):
scorer.errors.InvalidError: sheet.bid: Points are bid from 61 to 120.
>>> Evening.read(evening.document()).balances
{'Ada': 1, 'Bea': -2, 'Ciro': 1, 'Dora': -1, 'Ezio': 1, 'Fulvia': 0}
"""

from scorer.evening.deal import Deal
from scorer.evening.document import FORMAT
from scorer.evening.evening import Evening
from scorer.evening.judging import (
    NUMBERS,
    OFFENDER,
    WITH_SHEET,
    JudgedDeal,
    judge,
    judged,
    judged_formerly,
)
from scorer.evening.terms import NOW, Terms, TermsChange
from scorer.evening.walk import NO_TABLE
