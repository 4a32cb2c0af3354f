"""What all card games share: cards, seats, sheets, tables, matches. Standard library only."""
