"""Metrics of SQL queries and of the tables that they return."""
