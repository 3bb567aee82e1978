"""The tools that a metric may ask for, as plain interfaces."""
