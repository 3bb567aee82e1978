"""Statistics: intervals, paired comparison, non-inferiority and summaries, as pure functions.

Nothing here reads a clock, a file or a global random state: equal data and an equal seed give an
equal result, whatever the order of the rows. See docs/design/statistics.md for the choices.
"""
