"""Tables that would be read wrongly by what most tables are like, and what must come out of each.

Either they are read as their writer meant them, or a doubt is shown, or a sentence says why nothing
was read; never is there a wrong figure without a word.
"""

from typing import NamedTuple

NO_COLUMNS = (
    "1: Nothing was read: there is no column of figures with a player above, of which each row is "
    "a deal or an evening."
)
NO_NAMES = "1: Nothing was read: nobody is named above the figures."
NO_CROSSES = "1: Nothing was read: a cross is no figure. Write what each one counts."
TURNED = "1: The players stand down the side: every column is read as a row."


def unread(row: int) -> str:
    return f"{row}: This row has other columns than the figures: it is not read."


def summed(row: int) -> str:
    return f"{row}: This row is the sum of the others: no deal. If it is one, number the rows."


def repeated(row: int) -> str:
    return f"{row}: This row repeats the one above: if it is the total, write so in front."


def may_run(row: int) -> str:
    return (
        f"{row}: These figures may be balances so far, and too few rows tell: look whether they "
        "are right."
    )


def nobodys(column: int) -> str:
    return f"1: The figures in column {column} are nobody’s: not read."


class Odd(NamedTuple):
    """A table: as it stands, the deals and balances of each evening in it, and every doubt."""

    name: str
    text: str
    evenings: list[tuple[int, dict[str, int]]]
    doubts: tuple[str, ...] = ()


THREE = {"Ada": 4, "Bea": 0, "Ciro": -4}
PINA = {"Ada": 4, "Zia Pina": 0, "Ciro": -4}
ODD = [
    Odd("a name of two words", "Ada  Zia Pina  Ciro\n3  -1  -2\n1  1  -2\n", [(2, PINA)]),
    Odd("one space in the rows", "Ada  Zia Pina  Ciro\n3 -1 -2\n1 1 -2\n", [(2, PINA)]),
    Odd(
        "columns of one width",
        "Ada    Zia Pina   Ciro\n  3          -1  -2\n  1   1  -2",
        [(2, PINA)],
    ),
    Odd(
        "which names are two words?",
        "Ada Zia Pina Ciro\n3 -1 -2\n1 1 -2\n",
        [],
        (unread(1), NO_NAMES),
    ),
    Odd("spaces, a day in front", "Ada Bea Ciro\n12/3/24 3 -1 -2\n12/3/24 1 1 -2\n", [(2, THREE)]),
    Odd("spaces, totals", "Ada Bea Ciro\n3 -1 -2\n1 1 -2\nTotale 4 0 -4\n", [(2, THREE)]),
    Odd("spaces, a blank", "Ada Bea Ciro\n3 -1 -2\n1 -1\n1 1 -2\n", [(2, THREE)], (unread(3),)),
    Odd(
        "spaces, a remark",
        "Ada Bea Ciro\n3 -1 -2\n1 1 -2 cappotto Ada\n2 -1 -1",
        [(2, {"Ada": 5, "Bea": -2, "Ciro": -3})],
        (unread(3),),
    ),
    Odd(
        "spaces, days above",
        "Serata del 5 marzo 2024\nAda Bea Ciro\n3 -1 -2\n1 1 -2\n",
        [(2, THREE)],
    ),
    Odd(
        "sums without a label",
        "Ada;Bea;Ciro\n3;-1;-2\n1;1;-2\n4;0;-4\n",
        [(2, THREE)],
        (summed(4),),
    ),
    Odd(
        "sums of numbered deals",
        "n;Ada;Bea\n1;3;-3\n2;1;-1\n;4;-4\n",
        [(2, {"Ada": 4, "Bea": -4})],
        (summed(4),),
    ),
    Odd(
        "a numbered deal that is the sum",
        "n;Ada;Bea\n1;3;-3\n2;1;-1\n3;4;-4\n",
        [(3, {"Ada": 8, "Bea": -8})],
    ),
    Odd(
        "sums of each evening",
        "Data;Ada;Bea\n1/2/24;3;-3\n;1;-1\n;4;-4\n8/2/24;2;-2\n;1;-1\n;3;-3\n",
        [(2, {"Ada": 4, "Bea": -4}), (2, {"Ada": 3, "Bea": -3})],
        (summed(4), summed(7)),
    ),
    Odd(
        "sums of all evenings",
        "Data;Ada;Bea\n1/2/24;3;-3\n8/2/24;1;-1\n;4;-4\n",
        [(1, {"Ada": 3, "Bea": -3}), (1, {"Ada": 1, "Bea": -1})],
        (summed(4),),
    ),
    Odd(
        "one deal and its sum",
        "Ada;Bea;Ciro\n3;-1;-2\n3;-1;-2\n",
        [(2, {"Ada": 6, "Bea": -2, "Ciro": -4})],
        (repeated(3),),
    ),
    Odd("sums below a line", "Ada;Bea;Ciro\n3;-1;-2\n1;1;-2\n---;---;---\n4;0;-4\n", [(2, THREE)]),
    Odd(
        "sums below one cell of a line",
        "Ada;Bea;Ciro\n3;-1;-2\n1;1;-2\n-----\n4;0;-4\n",
        [(2, THREE)],
    ),
    Odd(
        "one deal, its sum below a line", "Ada;Bea\n3;-3\n===\n3;-3\n", [(1, {"Ada": 3, "Bea": -3})]
    ),
    Odd(
        "wrong sums below a line",
        "Ada;Bea;Ciro\n3;-1;-2\n1;1;-2\n___\n5;0;-4\n",
        [(2, THREE)],
        ("5: The total of Ada is +5; the rows come to +4.",),
    ),
    Odd(
        "a line between evenings",
        "Ada;Bea\n3;-3\n1;-1\n---\n-1;1\n5;-5\n",
        [(2, {"Ada": 4, "Bea": -4}), (2, {"Ada": 4, "Bea": -4})],
    ),
    Odd(
        "deals below sums",
        "Ada;Bea\n3;-3\n1;-1\n---\n4;-4\n-1;1\n",
        [(2, {"Ada": 4, "Bea": -4}), (1, {"Ada": -1, "Bea": 1})],
    ),
    Odd("a line at the end", "Ada;Bea;Ciro\n3;-1;-2\n1;1;-2\n———;———;———\n", [(2, THREE)]),
    Odd("a row of dashes", "Ada;Bea;Ciro\n3;-1;-2\n—;—;—\n1;1;-2\n", [(2, THREE)]),
    Odd(
        "sums below their label", "Ada;Bea;Ciro\n3;-1;-2\n1;1;-2\nTotale;;\n4;0;-4\n", [(2, THREE)]
    ),
    Odd(
        "wrong sums below their label",
        "Ada;Bea;Ciro\n3;-1;-2\n1;1;-2\nTotale;;\n4;1;-4\n",
        [(2, THREE)],
        ("5: The total of Bea is +1; the rows come to 0.",),
    ),
    Odd(
        "a label behind the day",
        "Data;Ada;Bea\n1/2/24;3;-3\n;1;-1\n1/2/24;Totale;\n;4;-4\n",
        [(2, {"Ada": 4, "Bea": -4})],
    ),
    Odd(
        "balances so far of three rows",
        "Ada;Bea\n3;-3\n5;-5\n9;-9\n",
        [(3, {"Ada": 17, "Bea": -17})],
        (may_run(2),),
    ),
    Odd(
        "balances so far, or sums",
        "Ada;Bea\n3;-3\n5;-5\n8;-8\n",
        [(2, {"Ada": 8, "Bea": -8})],
        (summed(4),),
    ),
    Odd(
        "balances so far of two rows",
        "Ada;Bea\n3;-3\n5;-5\n",
        [(2, {"Ada": 8, "Bea": -8})],
        (may_run(2),),
    ),
    Odd(
        "points so far of three rows",
        "Ada;Bea\n3;1\n5;4\n9;4\n",
        [(3, {"Ada": 17, "Bea": 9})],
        (may_run(2),),
    ),
    Odd(
        "balances so far, the last again",
        "Ada;Bea\n3;1\n5;3\n9;3\n11;6\n11;6\n",
        [(5, {"Ada": 11, "Bea": 6})],
    ),
    Odd(
        "a day before the head", "Ada;Bea;Ciro\n12/3/2024;3;-1;-2\n12/3/2024;1;1;-2\n", [(2, THREE)]
    ),
    Odd("a number before the head", "Ada;Bea;Ciro\n1;3;-1;-2\n2;1;1;-2\n", [(2, THREE)]),
    Odd("a day and a number before", "Ada;Bea;Ciro\n12/3/24;1;3;-1;-2\n;2;1;1;-2\n", [(2, THREE)]),
    Odd(
        "a day before two rows of heads",
        "Ada;;Bea;\nPunti;Saldo;Punti;Saldo\n1/2/24;3;3;-3;-3\n;1;4;-1;-4\n",
        [(2, {"Ada": 4, "Bea": -4})],
    ),
    Odd("a remark behind the head", "Ada;Bea;Ciro\n3;-1;-2;cappotto\n1;1;-2;\n", [(2, THREE)]),
    Odd("words for numbers", "Ada;Bea\ndue;meno due\n1;-1\n", [(2, {"Ada": 3, "Bea": -3})]),
    Odd("words alone", "Ada;Bea\ndue;meno due\n", [(1, {"Ada": 2, "Bea": -2})]),
    Odd("a name that is a number", "Otto;Bea\n2;-2\n", [(1, {"Otto": 2, "Bea": -2})]),
    Odd(
        "Markdown",
        "| Ada | Bea | Ciro |\n|-----|:---:|----:|\n| 3 | -1 | -2 |\n| 1 | 1 | -2 |\n",
        [(2, THREE)],
    ),
    Odd(
        "Markdown without bars outside",
        "Ada | Bea | Ciro\n--- | --- | ---\n3 | -1 | -2\n1 | 1 | -2\n",
        [(2, THREE)],
    ),
    Odd(
        "Markdown with sums",
        "| | Ada | **Bea** |\n|---|---|---|\n| 1/2/24 | 3 | -3 |\n| | 1 | -1 |\n"
        "| **Totale** | **4** | -4 |\n",
        [(2, {"Ada": 4, "Bea": -4})],
    ),
    Odd(
        "a drawn table",
        "+-----+-----+\n| Ada | Bea |\n+-----+-----+\n|   3 |  -3 |\n|   1 |  -1 |\n+-----+-----+",
        [(2, {"Ada": 4, "Bea": -4})],
    ),
    Odd("crosses", "Ada;Bea;Ciro\nx;;\n;X;\n", [], (NO_CROSSES,)),
    Odd(
        "crosses and what they count",
        "Ada;Bea;Valore\nx;;3\n;×;2\n",
        [(2, {"Valore": 5})],
        ("1: The crosses below “Ada” are not read.", "1: The crosses below “Bea” are not read."),
    ),
    Odd(
        "a cross for who is away",
        "Ada;Bea;Ciro\n3;x;-3\nX;2;-2\n",
        [(2, {"Ada": 3, "Bea": 2, "Ciro": -5})],
    ),
    Odd("halves", "Ada;Bea;Ciro\n1½;-1;-½\n½;-1/2;0\n", [(2, {"Ada": 20, "Bea": -15, "Ciro": -5})]),
    Odd(
        "halves that look like days",
        "Ada;Bea\n1/2;-1/2\n1/2;-1/2\n2;-2\n",
        [(3, {"Ada": 30, "Bea": -30})],
    ),
    Odd("a half that looks like a day", "Ada;Bea\n1/2;-1/2\n", [(1, {"Ada": 5, "Bea": -5})]),
    Odd(
        "a dash as minus",
        "Ada;Bea;Ciro\n—3;1;2\n7;– 2;—5\n",
        [(2, {"Ada": 4, "Bea": -1, "Ciro": -3})],
    ),
    Odd(
        "one deal like the other", "Ada;Bea\n3;-3\n3;-3\n-1;1\n2;-2\n", [(4, {"Ada": 7, "Bea": -7})]
    ),
    Odd(
        "players down the side",
        "Giocatore;12/3/2024;19/3/2024\nAda;3;1\nBea;-3;-1\n",
        [(1, {"Ada": 3, "Bea": -3}), (1, {"Ada": 1, "Bea": -1})],
        (TURNED,),
    ),
    Odd(
        "players down the side, deals across",
        ";1;2;3;Totale\nAda;3;1;-1;3\nBea;-3;-1;1;-3\n",
        [(3, {"Ada": 3, "Bea": -3})],
        (TURNED,),
    ),
    Odd(
        "players down the side, deals by name",
        "Nome;Mano 1;Mano 2\nAda;3;-1\nBea;-3;1\n",
        [(2, {"Ada": 2, "Bea": -2})],
        (TURNED,),
    ),
    Odd("players down the side, no head", "Ada;3;1\nBea;-3;-1\n", [], (NO_NAMES,)),
    Odd(
        "players down the side, another head",
        "Giocatore;a casa;al bar\nAda;3;1\nBea;-3;-1\n",
        [(2, {"Ada": 4, "Bea": -4})],
        (TURNED,),
    ),
    Odd(
        "totals at the top, below their label",
        "Ada;Bea\nTotale;\n4;-4\n3;-3\n1;-1\n",
        [(2, {"Ada": 4, "Bea": -4})],
        (summed(3),),
    ),
    Odd(
        "totals at the top, above a line",
        "Ada;Bea\n4;-4\n---\n3;-3\n1;-1\n",
        [(2, {"Ada": 4, "Bea": -4})],
        (summed(2),),
    ),
    Odd(
        "no totals below their label",
        "Ada;Bea\nTotale;\n3;-3\n2;-2\n",
        [(2, {"Ada": 5, "Bea": -5})],
    ),
    Odd("a number before one row", "Ada;Bea\n1;3;-3\n", [(1, {"Ada": 1, "Bea": 3})], (nobodys(3),)),
    Odd(
        "one longer row",
        "Ada;Bea\n3;-3\n1;-1;5\n2;-2\n",
        [(3, {"Ada": 6, "Bea": -6})],
        (nobodys(3),),
    ),
    Odd(
        "two rows of words",
        "Ada;Bea\nventuno;meno ventuno\n1;-1\n",
        [(1, {"ventuno": 1, "meno ventuno": -1})],
        ("1: This row is not read: that below it is taken for the head.",),
    ),
    Odd(
        "Markdown with players down the side",
        "|Giocatore|1|2|\n|---|---|---|\n|Ada|3|-1|\n|Bea|-3|1|\n",
        [(2, {"Ada": 2, "Bea": -2})],
        (TURNED,),
    ),
    Odd(
        "a letter",
        "Caro diario, ieri sera Ada ha vinto.\nPoi siamo andati via.\n",
        [],
        (NO_COLUMNS,),
    ),
]
