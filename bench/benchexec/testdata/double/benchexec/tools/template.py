"""A double of BenchExec's module of this name: a base class that runs the tool for its version."""

import subprocess


class BaseTool2:
    def _version_from_tool(self, executable, arg="--version", line_prefix=None):
        out = subprocess.run([executable, arg], capture_output=True, text=True, check=True).stdout
        for line in out.splitlines():
            if line_prefix and line.startswith(line_prefix):
                return line[len(line_prefix) :].strip()
        return ""
