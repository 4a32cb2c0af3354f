"""A deal as text that people can read, paste and send: written, and read leniently."""
