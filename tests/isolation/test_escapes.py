"""Every attack at every level, and every attack with its layer taken away."""

from __future__ import annotations

import escapes
import pytest

# (who, level, what the host is made to lack)
CAGES = {
    "root in full": ("root", "full", ()),
    "root in full without Landlock": ("root", "full", ("landlock",)),
    "root in partial": ("root", "partial", ()),
    "root in partial under Docker": ("root", "partial", ("docker",)),
    "root in minimal": ("root", "minimal", ()),
    "user in full": ("user", "full", ()),
    "user in partial under Docker": ("user", "partial", ("docker",)),
    "user in minimal, no Landlock": ("user", "minimal", ("docker", "landlock")),
}


@pytest.mark.parametrize("attack", escapes.ATTACKS)
@pytest.mark.parametrize("name", CAGES)
def test_attack_is_stopped_at_every_level(name, attack, run_in):
    who, level, without = CAGES[name]
    run = run_in(who, level, without=frozenset(without))
    outcome, known = run.outcomes[attack], escapes.ATTACKS[attack]

    if level in known.leaks_at:
        assert outcome.escaped, "stopped, but the documentation calls it a leak"
        return
    if known.dies and outcome.signal == known.dies:
        return
    assert outcome.reply.startswith("stopped: "), str(outcome)


def weakened(who, layers) -> tuple[str, ...]:
    """The attacks of this user that exactly these layers stop."""
    return tuple(
        name
        for name, known in escapes.ATTACKS.items()
        if who in known.who and known.layers(who) == layers
    )


GROUPS = [
    pytest.param(who, layers, id=f"{who}: {', '.join(sorted(layers))}")
    for who in ("root", "user")
    for layers in sorted({a.layers(who) for a in escapes.ATTACKS.values()}, key=sorted)
    if layers and weakened(who, layers)
]


@pytest.mark.parametrize(("who", "layers"), GROUPS)
def test_attacks_work_once_all_their_layers_are_taken_away(who, layers, run_in):
    names = weakened(who, layers)
    run = run_in(who, "partial", leave_out=layers, cpu_s=10, names=names)

    stopped = {n: str(o) for n, o in run.outcomes.items() if not o.escaped}
    assert list(run.outcomes) == list(names)
    assert stopped == {}


@pytest.mark.parametrize(("who", "layers"), [g for g in GROUPS if len(g.values[1]) > 1])
def test_each_layer_of_several_stops_the_attacks_by_itself(who, layers, run_in):
    names = weakened(who, layers)
    for kept in layers:
        out = layers - {kept}
        run = run_in(who, "partial", leave_out=out, cpu_s=10, names=names)
        escaped = {n: str(o) for n, o in run.outcomes.items() if o.escaped}
        assert escaped == {}, f"{kept} alone lets them through"
