"""Adds a hook to the import machinery.

tries = 'adds a hook to the import machinery'
stops = 'a fresh process for every submission'
seen = ['in_process', 'together']
mark = 'neighbour'
points = 100
"""

import importlib.abc
import importlib.machinery
import sys


class Hook(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name == "colorsys":
            return importlib.machinery.ModuleSpec(name, self)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.rgb_to_hsv = lambda *a: "hooked"


sys.modules.pop("colorsys", None)
sys.meta_path.insert(0, Hook())


def square(x):
    return x * x
