"""A viewer in the browser: robots at rest and in motion under sliders, and results played back."""
