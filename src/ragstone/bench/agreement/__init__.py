"""Agreement with people: a judge's answers on rows that people labelled."""
