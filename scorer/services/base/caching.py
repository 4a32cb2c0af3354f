"""Caches of one process, for values that many phones ask for."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class LRUCache(Generic[Value]):
    """The values used last, the newest always, up to a size in all; each has its ``cost``."""

    def __init__(self, size: int, cost: Callable[[Value], int]) -> None:
        self._size, self._cost = size, cost
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._total, self._lock = 0, Lock()

    def look_up(self, key: Hashable) -> Value | None:
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Hashable, value: Value) -> None:
        """Cache a value, and evict the least recently used ones beyond the size."""
        with self._lock:
            if key in self._values:
                self._total -= self._cost(self._values.pop(key))
            self._values[key] = value
            self._total += self._cost(value)
            while self._total > self._size and len(self._values) > 1:
                _, evicted = self._values.popitem(last=False)
                self._total -= self._cost(evicted)

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value of a key; ``make`` runs if it is not cached, outside the lock."""
        value = self.look_up(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
            self._total = 0
