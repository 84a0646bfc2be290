"""Programs that check the project itself; not shipped in the wheel."""
