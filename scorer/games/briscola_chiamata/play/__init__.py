"""Deals written down card by card: who won each trick, what is proved, what is impossible."""
