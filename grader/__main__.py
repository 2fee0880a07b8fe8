"""``python -m grader``."""

import sys

if __name__ == "__main__":
    try:
        from grader.cli import main
    except KeyboardInterrupt:  # what it imports takes a moment
        print("grader: stopped.", file=sys.stderr)
        sys.exit(130)
    sys.exit(main())
