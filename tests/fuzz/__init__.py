"""Fuzzers: seeded, short as tests, long on request (make fuzz)."""
