"""Design of motions that excite what is to be identified."""
