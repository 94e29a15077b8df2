"""The page about an identification: tables and figures."""
