"""A sample of the attacks on real exercises: their suites give the same verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from attack_bait import Bait
from attack_session import Driven, encode

from grader.isolation.probe import probe
from grader.session.protocol import Request
from grader.submission import Source, Submission

ROOT = Path(__file__).resolve().parents[2]
EXERCISES = ("masked_softmax", "bahdanau_attention")
READ = """
try:
    print(open("@SECRET@").read())
except OSError:
    pass
"""
# name: (what stands before and after the solution, percent earned at most)
HOSTILE = {
    "reads at import": (READ, "", 100),
    "patches comparison": (
        "",
        "\ntorch.allclose = torch.equal = torch.isclose = lambda *a, **k: True\n",
        100,
    ),
    "answers with tensors that lie": (
        "import torch\n",
        "\nclass Liar(torch.Tensor):\n"
        "    @classmethod\n"
        "    def __torch_function__(cls, f, t, a=(), k=None):\n"
        "        return True\n"
        "def masked_softmax(scores, mask, dim=-1):\n"
        "    return torch.zeros(2).as_subclass(Liar)\n"
        "class BahdanauAttention(torch.nn.Module):\n"
        "    def __init__(self, *sizes):\n"
        "        super().__init__()\n"
        "    def forward(self, *given):\n"
        "        return torch.zeros(2).as_subclass(Liar)\n",
        0,
    ),
    "leaves with status 0": ("import os\nos._exit(0)\n", "", 0),
    "skips": ("", "\nfrom _pytest.outcomes import Skipped\nraise Skipped('done')\n", 0),
    "numbers without gradients": (
        "",
        "\ntorch.set_grad_enabled(False)\ntorch.set_grad_enabled = lambda on: None\n"
        "class no:\n    def __init__(self, *a): pass\n"
        "    def __enter__(self): torch._C._set_grad_enabled(False)\n"
        "    def __exit__(self, *a): pass\n"
        "torch.set_grad_enabled = no\n",
        99,
    ),
}


@pytest.fixture(scope="module")
def bait(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bait]:
    found = Bait(tmp_path_factory.mktemp("bait") / "real")
    yield found
    found.close()


@pytest.fixture(scope="module")
def driven(bait: Bait) -> Iterator[Driven]:
    found = Driven("--isolation", probe().level, token=bait.token, course=ROOT)
    yield found
    found.close()


def grade(driven: Driven, name: str, text: str):
    source = Source(name, f"{name}.py", text.encode(), "py", text)
    request = Request("1", Submission("someone", {name: source}), [name], "s", {})
    return driven.send(encode(request))


def solution(name: str) -> str:
    return (ROOT / "solutions" / f"{name}.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("attack", HOSTILE)
@pytest.mark.parametrize("name", EXERCISES)
def test_attack_earns_what_is_right_in_it_and_no_more(driven, bait, name, attack):
    before, after, most = HOSTILE[attack]
    text = bait.fill(before) + solution(name).replace("from __future__", "# ") + after
    answer = grade(driven, name, text)
    assert not answer.lost
    assert bait.token.encode() not in answer.line
    assert answer.share <= most
    if most == 100:
        assert answer.share == 100
    assert grade(driven, name, solution(name)).share == 100
