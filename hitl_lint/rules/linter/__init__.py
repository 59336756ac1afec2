"""Rules about the linter's own business: files it cannot read, comments that steer it."""
