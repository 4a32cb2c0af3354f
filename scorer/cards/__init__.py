"""Deals written down card by card: laid out, examined, proved, played again.

``engine`` is the one module that the rest of the program imports. Laying tricks out and finding
faults in them works for every ``CardDeal``; a subpackage holds what only one game has, such as the
call and the partner of Briscola Chiamata.
"""
