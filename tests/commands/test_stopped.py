"""Ctrl-C before there is a command that could answer it."""

import runpy
import sys
import types

import pytest


def test_ctrl_c_while_the_program_loads_is_no_traceback(monkeypatch, capsys):
    class Loading(types.ModuleType):
        def __getattr__(self, name):
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "grader.cli", Loading("grader.cli"))
    with pytest.raises(SystemExit, match="130"):
        runpy.run_module("grader", run_name="__main__")
    assert capsys.readouterr().err == "grader: stopped.\n"
