"""Numerical methods that know nothing about robots: one of each."""
