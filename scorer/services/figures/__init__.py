"""Standings, players, ratings, seasons."""
