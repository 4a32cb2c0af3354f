"""The last page, photos, notes."""
