"""The figures of `make bench`: how quick the operations, the pages and the writes are.

Every figure of a page or a write stands beside a bare Flask route of the same run, so that the
machine, its disk and whatever else it does count on both sides.
"""
