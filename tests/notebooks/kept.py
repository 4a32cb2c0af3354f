"""Thirty-two notebooks, made up in the manner of those that people keep.

Each says how far it is understood: as it is, after one question, or not at all; and what its
evenings come to then.
"""

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple


class Kept(NamedTuple):
    """A notebook: what was pasted, the one correction that it needs, and what is in it.

    ``evenings`` has the day, the number of deals and the balances of each; none is one that is
    refused. ``names`` and ``roles`` correct columns by their place.
    """

    name: str
    text: str
    evenings: list[tuple[date | None, int, dict[str, int]]]
    question: Mapping[str, Any] = MappingProxyType({})
    doubts: int = 0


def on(month: int, day: int, year: int = 2024) -> date:
    return date(year, month, day)


AS_IT_IS = [
    Kept(
        "an evening as CSV",
        "Ada,Bea,Ciro,Dora,Ezio\n2,1,-1,-1,-1\n-2,-1,1,1,1\n4,-1,-1,-1,-1\n",
        [(None, 3, {"Ada": 4, "Bea": -1, "Ciro": -1, "Dora": -1, "Ezio": -1})],
    ),
    Kept(
        "copied from a spreadsheet, with a line of totals",
        "Ada\tBea\tCiro\n3\t-1\t-2\n1\t1\t-2\nTotale\t\t\n",
        [(None, 2, {"Ada": 4, "Bea": 0, "Ciro": -4})],
    ),
    Kept(
        "Italian dates and decimals, semicolons",
        "Data;Ada;Bea;Ciro\n12/03/2024;2,50;-1,25;-1,25\n;-1,00;0,50;0,50\n"
        "19/03/2024;3,00;-1,50;-1,50\n",
        [
            (on(3, 12), 2, {"Ada": 150, "Bea": -75, "Ciro": -75}),
            (on(3, 19), 1, {"Ada": 300, "Bea": -150, "Ciro": -150}),
        ],
    ),
    Kept(
        "German dates and decimals, with the day of the week",
        "Datum;Ada;Bea;Ciro\nMi 14.02.24;1.250,5;-625,25;-625,25\nMi 21.02.24;-10;5;5\n",
        [
            (on(2, 14), 1, {"Ada": 125050, "Bea": -62525, "Ciro": -62525}),
            (on(2, 21), 1, {"Ada": -1000, "Bea": 500, "Ciro": 500}),
        ],
    ),
    Kept(
        "English decimals with thousands",
        'Date,Ada,Bea\n2024-01-05,"1,200.50","-1,200.50"\n2024-01-12,-0.50,0.50\n',
        [
            (on(1, 5), 1, {"Ada": 12005, "Bea": -12005}),
            (on(1, 12), 1, {"Ada": -5, "Bea": 5}),
        ],
    ),
    Kept(
        "whole evenings, months by name",
        "Serata;Ada;Bea;Ciro;Dora\n12 marzo 2024;10;-4;-4;-2\n19 marzo 2024;-3;5;assente;-2\n"
        "2 aprile 2024;1;1;-2;-\n",
        [
            (on(3, 12), 1, {"Ada": 10, "Bea": -4, "Ciro": -4, "Dora": -2}),
            (on(3, 19), 1, {"Ada": -3, "Bea": 5, "Dora": -2}),
            (on(4, 2), 1, {"Ada": 1, "Bea": 1, "Ciro": -2}),
        ],
    ),
    Kept(
        "American dates that tell by themselves",
        "Date,Ada,Bea\n3/12/2024,5,-5\n3/26/2024,-2,2\n",
        [(on(3, 12), 1, {"Ada": 5, "Bea": -5}), (on(3, 26), 1, {"Ada": -2, "Bea": 2})],
    ),
    Kept(
        "running totals of points, as Scopa has them",
        "Mano\tAda\tBea\n1\t3\t1\n2\t5\t3\n3\t9\t3\n4\t11\t6\n",
        [(None, 4, {"Ada": 11, "Bea": 6})],
    ),
    Kept(
        "running totals that go up and down",
        "Ada;Bea;Ciro\n4;-2;-2\n6;-1;-5\n8;-3;-5\n7;-2;-5\n10;-3;-7\n",
        [(None, 5, {"Ada": 10, "Bea": -3, "Ciro": -7})],
    ),
    Kept(
        "running totals, which the line of totals says",
        "mano;Ada;Bea\n1;2;-2\n2;1;-1\n3;5;-5\nTotale;5;-5\n",
        [(None, 3, {"Ada": 5, "Bea": -5})],
    ),
    Kept(
        "totals in front, as the last row",
        "Data;Ada;Bea;Ciro\n5/9/2023;3;-1;-2\n12/9/2023;1;1;-2\n26/9/2023;-2;4;-2\nTOTALE;2;4;-6\n",
        [
            (on(9, 5, 2023), 1, {"Ada": 3, "Bea": -1, "Ciro": -2}),
            (on(9, 12, 2023), 1, {"Ada": 1, "Bea": 1, "Ciro": -2}),
            (on(9, 26, 2023), 1, {"Ada": -2, "Bea": 4, "Ciro": -2}),
        ],
    ),
    Kept(
        "two evenings beside each other, their days above",
        "12.03.24;;;;19.03.24;;\nAda;Bea;Ciro;;Ada;Bea;Ciro\n3;-1;-2;;1;1;-2\n-2;1;1;;;;\n",
        [
            (on(3, 12), 2, {"Ada": 1, "Bea": 0, "Ciro": -1}),
            (on(3, 19), 1, {"Ada": 1, "Bea": 1, "Ciro": -2}),
        ],
    ),
    Kept(
        "two evenings beside each other without a gap, in another order",
        "Ada\tBea\tCiro\tAda\tCiro\tBea\n3\t-1\t-2\t4\t-2\t-2\n",
        [
            (None, 1, {"Ada": 3, "Bea": -1, "Ciro": -2}),
            (None, 1, {"Ada": 4, "Bea": -2, "Ciro": -2}),
        ],
    ),
    Kept(
        "evenings below each other, each with its head",
        "Serata del 5 gennaio 2024;;\nAda;Bea;Ciro\n2;-1;-1\n-2;1;1\n;;\n"
        "Serata del 12 gennaio 2024;;\nAda;Bea;Dora\n4;-2;-2\n",
        [
            (on(1, 5), 2, {"Ada": 0, "Bea": 0, "Ciro": 0}),
            (on(1, 12), 1, {"Ada": 4, "Bea": -2, "Dora": -2}),
        ],
    ),
    Kept(
        "a merged head: points and balance below each name",
        "Ada;;Bea;\nPunti;Saldo;Punti;Saldo\n3;3;-3;-3\n1;4;-1;-4\n",
        [(None, 2, {"Ada": 4, "Bea": -4})],
    ),
    Kept(
        "emoji in heads and cells",
        "📅 Data;Ada 👑;Bea 🐢;Ciro 🃏\n1/2/2024;🏆 5;−2;−3\n15/2/2024;-1;🏆 3;😭 -2\n",
        [
            (on(2, 1), 1, {"Ada": 5, "Bea": -2, "Ciro": -3}),
            (on(2, 15), 1, {"Ada": -1, "Bea": 3, "Ciro": -2}),
        ],
    ),
    Kept(
        "a title above, notes and a check at the side",
        "TORNEO DEL BAR;;;;;\nn.;Ada;Bea;Ciro;Somma;Note\n1;2;-1;-1;0;\n2;-4;2;2;0;cappotto!\n",
        [(None, 2, {"Ada": -2, "Bea": 1, "Ciro": 1})],
    ),
    Kept(
        "six at the table, one sits out each deal",
        "Ada,Bea,Ciro,Dora,Ezio,Fulvia\n-,2,1,-1,-1,-1\n4,-,-1,-1,-1,-1\n",
        [(None, 2, {"Ada": 4, "Bea": 2, "Ciro": 0, "Dora": -2, "Ezio": -2, "Fulvia": -2})],
    ),
    Kept(
        "spaces between the columns, and the euro sign",
        "Ada  Bea  Ciro\n€2,00  -€1,00  -€1,00\n",
        [(None, 1, {"Ada": 2, "Bea": -1, "Ciro": -1})],
    ),
    Kept(
        "only the winner of each deal is written",
        "Ada;Bea;Ciro\n1;;\n;2;\n1;;\n",
        [(None, 3, {"Ada": 2, "Bea": 2, "Ciro": 0})],
    ),
    Kept(
        "a table of a text page, with bars",
        "| Ada | Bea | Ciro |\n| 3 | -1 | -2 |\n| -1 | 2 | -1 |\n",
        [(None, 2, {"Ada": 2, "Bea": 1, "Ciro": -3})],
    ),
    Kept(
        "losses in brackets, as accountants write them",
        "Date\tAda\tBea\nMarch 12, 2024\t7\t(7)\nMarch 19, 2024\t(2)\t2\n",
        [(on(3, 12), 1, {"Ada": 7, "Bea": -7}), (on(3, 19), 1, {"Ada": -2, "Bea": 2})],
    ),
    Kept(
        "days without a year",
        "giorno;Ada;Bea\nven 6/11;2;-2\nven 13/11;-1;1\n",
        [(on(11, 6, 2026), 1, {"Ada": 2, "Bea": -2}), (on(11, 13, 2026), 1, {"Ada": -1, "Bea": 1})],
    ),
    Kept(
        "a row that doesn't cancel among others that do",
        "Ada;Bea;Ciro\n2;-1;-1\n3;-1;-1\n-2;1;1\n",
        [(None, 3, {"Ada": 3, "Bea": -1, "Ciro": -1})],
        doubts=1,
    ),
    Kept(
        "Briscola Chiamata in Italian",
        "Data;Chiamante;Chiamata;Carta;Socio;Punti;Ada;Bea;Ciro;Dora;Ezio\n"
        "12/3/2024;Ada;65;re di coppe;Bea;70;2;1;-1;-1;-1\n"
        ";Ciro;61;;in mano;50;1;1;-4;1;1\n",
        [(on(3, 12), 2, {"Ada": 3, "Bea": 2, "Ciro": -5, "Dora": 0, "Ezio": 0})],
    ),
    Kept(
        "players down, evenings across",
        "Giocatore;12/3/2024;19/3/2024\nAda;3;1\nBea;-3;-1\n",
        [(on(3, 12), 1, {"Ada": 3, "Bea": -3}), (on(3, 19), 1, {"Ada": 1, "Bea": -1})],
        doubts=1,
    ),
]
AFTER_ONE_QUESTION = [
    Kept(
        "no head: who are they?",
        "3;-1;-2\n1;1;-2\n",
        [(None, 2, {"Ada": 4, "Bea": 0, "Ciro": -4})],
        {"names": {0: "Ada", 1: "Bea", 2: "Ciro"}},
    ),
    Kept(
        "two running totals only: too few rows tell",
        "Ada;Bea\n3;-3\n5;-5\n",
        [(None, 2, {"Ada": 5, "Bea": -5})],
        {"running": True},
    ),
    Kept(
        "3/4/2024, which is the month?",
        "Date,Ada,Bea\n3/4/2024,5,-5\n10/4/2024,-5,5\n",
        [(on(3, 4), 1, {"Ada": 5, "Bea": -5}), (on(10, 4), 1, {"Ada": -5, "Bea": 5})],
        {"month_first": True},
    ),
    Kept(
        "a column of figures that is nobody: the pot",
        "Ada;Bea;Cassa comune\n3;-4;1\n-2;1;1\n",
        [(None, 2, {"Ada": 1, "Bea": -3})],
        {"roles": {2: ""}},
    ),
    Kept(
        "an afternoon and an evening of one day",
        "Data;Ada;Bea\n12/3/2024;10;-10\n12/3/2024;-4;4\n",
        [(on(3, 12), 1, {"Ada": 10, "Bea": -10}), (on(3, 12), 1, {"Ada": -4, "Bea": 4})],
        {"rows": "evenings"},
    ),
]
REFUSED = [
    Kept(
        "a letter", "Caro diario, ieri sera Ada ha vinto tre partite.\nPoi siamo andati via.\n", []
    ),
]
