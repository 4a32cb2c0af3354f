"""Finite fields, and rings made of several: what tables without meeting twice are made of."""

from collections.abc import Iterator
from itertools import product

Digits = tuple[int, ...]


def prime_powers(number: int) -> list[tuple[int, int]]:
    """Return the primes of a number with their powers.

    >>> prime_powers(40)
    [(2, 3), (5, 1)]
    """
    powers, prime = [], 2
    while number > 1:
        power = 0
        while number % prime == 0:
            number //= prime
            power += 1
        powers += [(prime, power)] if power else []
        prime += 1
    return powers


class Field:
    """The field of a prime power: an element is a number whose digits are those of a polynomial."""

    def __init__(self, prime: int, power: int) -> None:
        self.prime, self.power, self.size = prime, power, int(prime**power)
        self.powers = next(
            powers
            for tail in product(range(prime), repeat=power)
            if len(powers := self._powers(tail)) == self.size - 1
        )
        self.logs = {element: log for log, element in enumerate(self.powers)}

    def _powers(self, tail: Digits) -> list[int]:
        """Return the powers of x until they come again, if x to the power of the degree is tail."""
        element: Digits = (1, *[0] * (self.power - 1))
        powers: list[int] = []
        while (number := self._number(element)) not in powers and number:
            powers.append(number)
            *low, high = element
            shifted = (0, *low)
            element = tuple((a + high * b) % self.prime for a, b in zip(shifted, tail, strict=True))
        return powers

    def _number(self, digits: Digits) -> int:
        return sum(digit * int(self.prime**place) for place, digit in enumerate(digits))

    def _digits(self, number: int) -> Iterator[int]:
        for _ in range(self.power):
            number, digit = divmod(number, self.prime)
            yield digit

    def add(self, one: int, other: int) -> int:
        digits = zip(self._digits(one), self._digits(other), strict=True)
        return self._number(tuple((a + b) % self.prime for a, b in digits))

    def times(self, one: int, other: int) -> int:
        if not one or not other:
            return 0
        return self.powers[(self.logs[one] + self.logs[other]) % (self.size - 1)]


class Ring:
    """A field for each prime power of a number, side by side.

    Two of its first ``units`` elements differ by one that has an inverse.
    """

    def __init__(self, size: int) -> None:
        self.fields = [Field(*power) for power in prime_powers(size)]
        self.units = min(field.size for field in self.fields)

    def table(self, column: int, turn: int, row: int) -> int:
        """Return column + turn × row, where the row is the same element of each field."""
        result, scale = 0, 1
        for field in self.fields:
            column, its_column = divmod(column, field.size)
            turn, its_turn = divmod(turn, field.size)
            result += scale * field.add(its_column, field.times(its_turn, row))
            scale *= field.size
        return result
