"""Sentences that know how to be translated later.

The rules and the games say what they mean with ``say``; only the edge (a page, an answer of the
API, the command line) knows the reader's language and turns a ``Text`` into words.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from difflib import get_close_matches
from unicodedata import combining, normalize

MINUS = "\N{MINUS SIGN}"
#: Where the app may be mounted, as its server or a proxy says it.
MOUNT = re.compile(r"(/[\w.~-]+)*", re.ASCII)
#: Control characters but tab and newline, and what changes the direction of the letters after it.
STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
)
#: A value at the end of a sentence.
AT_THE_END = re.compile(r"%\((\w+)\)s\.(?!\w)")
#: *e* or *a* right before a value of an Italian text.
BEFORE_VALUE = re.compile(r"(?<![\w’'])([ea]) (?=%\((\w+)\)s)", re.IGNORECASE)
TAG = re.compile("<[^>]*>")
#: The numbers from 0 to 20 as words, in Italian and in English.
NUMBER_WORDS = (
    (
        "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici "
        "quattordici quindici sedici diciassette diciotto diciannove venti"
    ),
    (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty"
    ),
)


@dataclass(frozen=True, slots=True)
class Text:
    """An English sentence with ``%(name)s`` places, and the values that go there.

    A value may be a ``Text`` itself: it is translated together with the sentence around it.
    """

    template: str
    values: Mapping[str, object]

    def __str__(self) -> str:
        return visible(with_one_stop(self.template, self.values) % self.values)


def visible(words: str) -> str:
    r"""Escape characters that steer a terminal or turn the text direction: ``\x1b``, ``\u202e``."""
    if words.isprintable():
        return words
    return STEERING.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), words)


def say(template: str, /, **values: object) -> Text:
    """Mark a sentence for translation and keep its values beside it."""
    return Text(template, values)


def as_it_is(words: str) -> Text:
    """Make a text of a name, or of figures, that no language says differently."""
    return Text("%(words)s", {"words": words})


def joined(names: Sequence[str]) -> Text:
    """Join names as a list: ``Ada``, ``Ada and Bea``, ``Ada, Bea and Ciro``.

    >>> print(joined(["Ada", "Bea", "Ciro"]))
    Ada, Bea and Ciro
    """
    if len(names) < 2:
        return as_it_is("".join(names))
    return say("%(names)s and %(last)s", names=", ".join(names[:-1]), last=names[-1])


def with_euphonic_d(template: str, values: Mapping[str, object]) -> str:
    """Write *ed* and *ad* in an Italian text before a value that begins with the same vowel.

    >>> with_euphonic_d("%(names)s e %(last)s", {"names": "Ugo", "last": "Ezio"})
    '%(names)s ed %(last)s'
    """

    def link(match: re.Match[str]) -> str:
        word, name = match.groups()
        first = re.search(r"\w", normalize("NFD", TAG.sub("", str(values[name]))))
        same = first is not None and first[0].lower() == word.lower()
        return f"{word}d " if same else match[0]

    return BEFORE_VALUE.sub(link, template)


def with_one_stop(template: str, values: Mapping[str, object]) -> str:
    """Leave out the full stop after a value that brings one, as a shortened name does.

    >>> with_one_stop("%(one)s met %(other)s.", {"one": "Ugo", "other": "Maria R."})
    '%(one)s met %(other)s'
    """
    if ")s." not in template:
        return template

    def end(match: re.Match[str]) -> str:
        return match[0][:-1] if str(values[match[1]]).endswith(".") else match[0]

    return AT_THE_END.sub(end, template)


def listed(parts: Iterable[Text | str], between: str = ", ") -> Text:
    """Join texts, each to be translated by itself.

    >>> print(listed([point_count(1), deal_count(5)], "; "))
    1 point; 5 deals
    """
    values: dict[str, object] = {f"part_{number}": part for number, part in enumerate(parts)}
    return Text(between.join(f"%({name})s" for name in values), values)


@dataclass(frozen=True, slots=True)
class Day:
    """A day among the values of a text, such as *Friday 20 November*."""

    day: date

    def __str__(self) -> str:
        return f"{self.day:%A} {self.day.day} {self.day:%B}"


@dataclass(frozen=True, slots=True)
class TypedAmount:
    """An amount of money among the values of a text, as one types it: without thousands marks.

    >>> str(TypedAmount(1_000_000, 2)), str(TypedAmount(1_000_000, 0))
    ('10000.00', '1000000')
    """

    cents: int
    decimals: int

    @property
    def value(self) -> Decimal:
        return Decimal(self.cents).scaleb(-self.decimals)

    def __str__(self) -> str:
        return f"{self.value:f}"


def often(times: int) -> Text:
    """Return how much something counts: ``double``, ``triple``, ``4 times``.

    >>> print(often(2), often(4))
    double 4 times
    """
    if times in (2, 3):
        return say("double") if times == 2 else say("triple")
    return say("%(times)s times", times=times)


def from_to(low: int, high: int) -> Text:
    """Write bounds: ``between 14 and 72``, or the one figure that is left.

    >>> print(from_to(14, 72), "or", from_to(72, 72))
    between 14 and 72 or 72
    """
    if low == high:
        return as_it_is(str(low))
    return say("between %(low)s and %(high)s", low=low, high=high)


def tricks(count: int) -> Text:
    return say("1 trick") if count == 1 else say("%(count)s tricks", count=count)


def card_count(count: int) -> Text:
    return say("1 card") if count == 1 else say("%(count)s cards", count=count)


def point_count(count: int) -> Text:
    return say("1 point") if count == 1 else say("%(count)s points", count=count)


def card_point_count(count: int) -> Text:
    return say("1 card point") if count == 1 else say("%(count)s card points", count=count)


def needed(target: int) -> Text:
    """Return how many points made a bid: ``1 was needed``, ``61 were needed``."""
    return say("1 was needed") if target == 1 else say("%(target)s were needed", target=target)


def deal_count(count: int) -> Text:
    return say("1 deal") if count == 1 else say("%(count)s deals", count=count)


def evening_count(count: int) -> Text:
    return say("1 evening") if count == 1 else say("%(count)s evenings", count=count)


def counted(count: int, noun: str) -> str:
    """Write a count for the operator, in English: ``1 circle``, ``2 circles``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def figures(values: Iterable[int | None]) -> str:
    """Write what the sides have beside each other: ``22–18``.

    >>> figures([22, 18]), figures([60, None])
    ('22–18', '60–·')
    """
    return "–".join("·" if value is None else str(value) for value in values)


def added(values: Iterable[int]) -> str:
    """Write what the sides have as a sum: ``22 + 17``."""
    return " + ".join(map(str, values))


def signed(amount: int, *, burden: bool = False) -> str:
    """Write game points as people do: ``+4``, ``0``, and a real minus sign in ``−1``.

    Where points are a burden nobody wins them: they have no plus.

    >>> signed(4), signed(0), signed(-1), signed(4, burden=True)
    ('+4', '0', '−1', '4')
    """
    if amount > 0:
        return str(amount) if burden else f"+{amount}"
    return f"{MINUS}{-amount}" if amount else "0"


LONGEST_WORD = 40
ALIKE = 0.7


def unaccented(word: str) -> str:
    """Fold case and accents, for comparison: ``Nicolò`` is ``nicolo``."""
    return "".join(letter for letter in normalize("NFKD", word.casefold()) if not combining(letter))


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like this one, whatever the case; None if none is.

    >>> nearest("Scoppa", ["briscola", "scopa"]), nearest("poker", ["briscola", "scopa"])
    ('scopa', None)
    """
    if len(word) > LONGEST_WORD:
        return None
    names = {name.casefold(): name for name in sorted(known)}
    matches = get_close_matches(word.strip().casefold(), names, n=1, cutoff=ALIKE)
    return names[matches[0]] if matches else None


def about(word: str, message: Text) -> Text:
    """Return the message about a word that somebody wrote, or that they wrote none.

    >>> str(about(" ", say("There is no game %(slug)s.", slug=" ")))
    'Nothing is written here.'
    """
    return message if word.strip() else say("Nothing is written here.")


def did_you_mean(message: Text, word: str, known: Iterable[str]) -> Text:
    """Add the most similar known word, or all of them."""
    known, message = tuple(known), about(word, message)
    meant = nearest(word, known)
    if meant is not None:
        return say("%(message)s Did you mean %(meant)s?", message=message, meant=meant)
    return say("%(message)s There are: %(all)s.", message=message, all=", ".join(known))
