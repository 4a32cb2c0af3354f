"""Compile the search by numba, where the extra ``solver`` is installed; else Python runs it.

What was compiled is kept on disk. ``NUMBA_DISABLE_JIT=1`` turns it off.
"""

from collections.abc import Callable, Iterable, MutableSequence
from contextlib import suppress
from importlib import import_module
from typing import Any, TypeVar

F = TypeVar("F", bound="Callable[..., Any]")


#: None if numba is not installed, or turned off.
NUMBA: Any = None
with suppress(ImportError):
    numba = import_module("numba")
    NUMBA = None if numba.config.DISABLE_JIT else numba
ENGINE = "Python" if NUMBA is None else "numba"


def compiled(function: F) -> F:
    """Compile a function as part of those that call it."""
    return function if NUMBA is None else NUMBA.njit(function, forceinline=True)


def compiled_for(state: type[Any], numbers: int) -> Callable[[F], F]:
    """Compile a function of a state and some ``numbers`` that returns a number; store it on disk.

    The types are declared, as a function that calls itself needs them.
    """

    def compile_now(function: F) -> F:
        if NUMBA is None:
            return function
        types = NUMBA.types
        arrays = types.NamedUniTuple(types.int64[::1], len(state._fields), state)
        signature = types.int64(arrays, *[types.int64] * numbers)
        try:
            return NUMBA.njit(signature, cache=True)(function)  # type: ignore[no-any-return]
        except RuntimeError:  # nowhere to keep it
            return NUMBA.njit(signature)(function)  # type: ignore[no-any-return]

    return compile_now


def array_of(numbers: Iterable[int]) -> MutableSequence[int]:
    """Return numbers as the search takes them."""
    if NUMBA is None:
        return list(numbers)
    array: MutableSequence[int] = import_module("numpy").fromiter(numbers, "int64")
    return array


def zeros(count: int) -> MutableSequence[int]:
    """Return an array of zeros; compiled, it takes no memory before it is written to."""
    if NUMBA is None:
        return [0] * count
    array: MutableSequence[int] = import_module("numpy").zeros(count, "int64")
    return array
