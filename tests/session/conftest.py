"""Real sessions with a real zygote, for tests that talk to them as a batch does."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from asked import ENGINE, Asked


@pytest.fixture(scope="session")
def engine() -> Iterator[Asked]:
    """A warm session without isolation, shared: it must survive everything."""
    asked = Asked(ENGINE, "none")
    yield asked
    asked.close()


@pytest.fixture(scope="session")
def elsewhere(root: Path) -> Iterator[Asked]:
    """A session with workers started anew, without what only Linux has."""
    program = (root / "tests" / "support" / "other_system.py", ENGINE)
    asked = Asked(ENGINE, "none", program)
    yield asked
    asked.close()


@pytest.fixture(scope="session")
def solution() -> dict[str, str]:
    """Source texts of the engine course's solutions."""
    return {
        path.stem: path.read_text(encoding="utf-8")
        for path in (ENGINE / "solutions").glob("*.py")
    }
