"""Did you mean: what a word that nobody knows was probably meant to be."""

from collections.abc import Iterable
from difflib import get_close_matches

from scorer.texts import Text, say

LONGEST_WORD = 40
ALIKE = 0.7


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


def did_you_mean(message: Text, word: str, known: Iterable[str]) -> Text:
    """Add the known word that was probably meant, or else all of them."""
    known = tuple(known)
    meant = nearest(word, known)
    if meant is not None:
        return say("%(message)s Did you mean %(meant)s?", message=message, meant=meant)
    return say("%(message)s There are: %(all)s.", message=message, all=", ".join(known))
