"""Evenings in money, payments, costs."""
