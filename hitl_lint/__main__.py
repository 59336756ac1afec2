"""`python -m hitl_lint`."""

from __future__ import annotations

from hitl_lint.start import main

if __name__ == "__main__":
    main()
