#!/usr/bin/env bash
# Run once, as root, when the image is built. AUTOGRADER_ROOT and GRADER_PYTHON are
# for trying it elsewhere: another root, an environment that is there already.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}

if [ -z "${GRADER_PYTHON:-}" ]; then
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends python3 python3-venv python3-pip libseccomp2
  python3 -m venv "$root/venv"
  "$root/venv/bin/python" -m pip install --quiet --extra-index-url \
    https://download.pytorch.org/whl/cpu -r "$root/source/requirements.txt"
fi

# Suites, solutions and mistakes: for root alone. Student code has another uid.
chmod -R u=rwX,go= "$root/source/course"
chmod u+x "$root/source/run_autograder"
