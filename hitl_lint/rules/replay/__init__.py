"""HIL1xx: what runs again when a pause is answered."""
