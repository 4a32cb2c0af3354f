"""Pairs of a list: the first in its order that leaves the rest pairable.

A matching is maximum if no path leads from a free vertex to another one over edges that are not in
it and in it by turns. Edmonds' blossom search finds such a path in a graph of any shape.
"""

from collections.abc import Sequence

FREE, GONE = -1, -2
#: After so many pairs tried in vain, any number of meetings again is accepted: then none fails.
MOST_TRIES = 200

#: What a pair breaks: nothing, the rule against a meeting again, or being kept apart.
ALLOWED, REPEATED, APART = 0, 1, 2
Levels = Sequence[Sequence[int]]
Pairs = list[tuple[int, int]]


def first_pairs(levels: Levels) -> Pairs:
    """Pair an even number of vertices; ``levels[a][b]`` is what the pair of a and b breaks.

    As few as possible are kept apart in vain, then as few meet again, then the first vertex gets
    the nearest that is possible, then the next that is left, and so on.

    >>> first_pairs([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    [(0, 2), (1, 3)]
    """
    count = range(len(levels))
    strict = Matching.of([[b for b in count if b != a and not levels[a][b]] for a in count])
    loose = Matching.of([[b for b in count if b != a and levels[a][b] < APART] for a in count])
    apart = loose.free // 2
    repeats = strict.free // 2 - apart
    search = PairSearch(levels)
    while True:
        pairs = search.run(list(count), strict, loose, apart, repeats)
        if pairs is not None:
            return pairs
        repeats = repeats + 1 if search.tries <= MOST_TRIES else len(levels)


class PairSearch:
    """The search for the first pairs that break no more than a number of rules.

    Without pairs to keep apart it never goes back: then the sizes of two matchings decide exactly
    whether the rest can be paired.
    """

    def __init__(self, levels: Levels) -> None:
        self.levels, self.tries = levels, 0

    def run(
        self, left: list[int], strict: "Matching", loose: "Matching", apart: int, repeats: int
    ) -> Pairs | None:
        """Pair those who are left with at most so many broken rules; None if that fails."""
        if not left:
            return []
        first, *others = left
        for other in others:
            level = self.levels[first][other]
            apart_left, repeats_left = apart - (level == APART), repeats - (level == REPEATED)
            if apart_left < 0 or repeats_left < 0:
                continue
            rest = strict.without(first, other)
            if rest.free > 2 * (apart_left + repeats_left):
                continue
            loose_rest = loose.without(first, other) if repeats or apart else loose
            if loose_rest.free > 2 * apart_left:
                continue
            after = [vertex for vertex in others if vertex != other]
            pairs = self.run(after, rest, loose_rest, apart_left, repeats_left)
            if pairs is not None:
                return [(first, other), *pairs]
            self.tries += 1
            if self.tries > MOST_TRIES:
                break
        return None


class Matching:
    """A maximum matching: the mate of each vertex; ``free`` counts those without one."""

    def __init__(self, neighbours: list[list[int]], mates: list[int]) -> None:
        self.neighbours, self.mates = neighbours, mates
        for vertex, mate in enumerate(mates):
            if mate == FREE:
                BlossomSearch(neighbours, mates, vertex).run()
        self.free = mates.count(FREE)

    @classmethod
    def of(cls, neighbours: list[list[int]]) -> "Matching":
        """Match a whole graph; each vertex gets its first free neighbour to begin with."""
        mates = [FREE] * len(neighbours)
        for vertex, others in enumerate(neighbours):
            if mates[vertex] == FREE:
                mate = next((other for other in others if mates[other] == FREE), FREE)
                if mate != FREE:
                    mates[vertex], mates[mate] = mate, vertex
        return cls(neighbours, mates)

    def without(self, *gone: int) -> "Matching":
        """Return a maximum matching of the graph without some vertices."""
        mates = [*self.mates]
        for vertex in gone:
            if mates[vertex] >= 0:
                mates[mates[vertex]] = FREE
            mates[vertex] = GONE
        return Matching(self.neighbours, mates)


class BlossomSearch:
    """One search for a path from a free vertex to another; odd cycles are shrunk to their base."""

    def __init__(self, neighbours: list[list[int]], mates: list[int], root: int) -> None:
        self.neighbours, self.mates, self.root = neighbours, mates, root
        self.parents = [FREE] * len(mates)
        self.bases = list(range(len(mates)))
        self.queue, self.queued = [root], {root}

    def run(self) -> None:
        """Make the matching larger by one edge, if a path from the root does."""
        for vertex in self.queue:  # it grows meanwhile
            for other in self.neighbours[vertex]:
                if self._is_inside(vertex, other):
                    continue
                mate = self.mates[other]
                if other == self.root or (mate >= 0 and self.parents[mate] != FREE):
                    self._shrink(vertex, other)
                elif self.parents[other] == FREE:
                    self.parents[other] = vertex
                    if mate == FREE:
                        self._flip(other)
                        return
                    self._enqueue(mate)

    def _is_inside(self, vertex: int, other: int) -> bool:
        """Whether the edge is of no use: a vertex that is gone, one blossom, or a matched edge."""
        mate = self.mates[other]
        return mate in (GONE, vertex) or self.bases[vertex] == self.bases[other]

    def _enqueue(self, vertex: int) -> None:
        if vertex not in self.queued:
            self.queued.add(vertex)
            self.queue.append(vertex)

    def _flip(self, vertex: int) -> None:
        while vertex != FREE:
            before = self.parents[vertex]
            after = self.mates[before]
            self.mates[vertex], self.mates[before] = before, vertex
            vertex = after

    def _shrink(self, vertex: int, other: int) -> None:
        base = self._common_base(vertex, other)
        inside = self._mark(vertex, base, other) | self._mark(other, base, vertex)
        for number, its_base in enumerate(self.bases):
            if its_base in inside:
                self.bases[number] = base
                self._enqueue(number)

    def _common_base(self, vertex: int, other: int) -> int:
        passed = set()
        while True:
            vertex = self.bases[vertex]
            passed.add(vertex)
            if vertex == self.root or self.mates[vertex] == FREE:
                break
            vertex = self.parents[self.mates[vertex]]
        other = self.bases[other]
        while other not in passed:
            other = self.bases[self.parents[self.mates[other]]]
        return other

    def _mark(self, vertex: int, base: int, child: int) -> set[int]:
        inside = set()
        while self.bases[vertex] != base:
            mate = self.mates[vertex]
            inside |= {self.bases[vertex], self.bases[mate]}
            self.parents[vertex] = child
            vertex, child = self.parents[mate], mate
        return inside
