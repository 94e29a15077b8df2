"""Rods: strain modes, integration along the length, slices with mass, sheaths."""
