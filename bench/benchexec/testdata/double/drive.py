"""Calls the tool module as BenchExec would: what it prints is compared by the test.

usage: drive.py EXECUTABLE PROPERTY-FILE INPUT... ; the task's data model is ILP32, its limit 60 s
"""

import subprocess
import sys
from types import SimpleNamespace

from magustool.magus import Tool

tool = Tool()
executable, prop, inputs = sys.argv[1], sys.argv[2], sys.argv[3:]
print("name", tool.name())
print("version", tool.version(executable))
print("executable", tool.executable(SimpleNamespace(find_executable=lambda name: "found " + name)))
for options, limit in ([], 60), (["--stats", "--timeout", "5s"], None):
    task = SimpleNamespace(property_file=prop, input_files=inputs, options={"data_model": "ILP32"})
    limits = SimpleNamespace(cputime=limit, walltime=None)
    cmdline = tool.cmdline(executable, options, task, limits)
    print("cmdline", *cmdline[1:])
    done = subprocess.run(cmdline, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    run = SimpleNamespace(cmdline=cmdline, exit_code=SimpleNamespace(value=done.returncode), output=lines, was_timeout=False)
    print("result", tool.determine_result(run))
    print("iterations", tool.get_value_from_output(lines, r"iterations ([0-9]+)"))
for code, timeout in (0, False), (3, False), (2, False), (70, False), (None, False), (None, True):
    run = SimpleNamespace(cmdline=["magus", "check"], exit_code=SimpleNamespace(value=code), output=[], was_timeout=timeout)
    print("status", code, tool.determine_result(run))
