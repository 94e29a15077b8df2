"""Logs: what sensors measured, from files in four formats, checked and in SI units."""
