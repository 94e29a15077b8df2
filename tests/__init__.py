"""Tests by kind of truth: exact, order, identity, oracle; then verbs, cli and papers."""
