"""BenchExec's tool-info module for magus.

    PYTHONPATH=contrib/benchexec benchexec contrib/benchexec/magus.xml

Property files: unreach-call as in SV-COMP, and conformance.prp and no-deadlock.prp
for tasks whose input files are C files and specifications.
"""

import os
import re

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    def name(self):
        return "magus"

    def executable(self, tool_locator):
        return tool_locator.find_executable("magus")

    def version(self, executable):
        return self._version_from_tool(executable, arg="version", line_prefix="magus").split(" ")[0]

    def cmdline(self, executable, options, task, rlimits):
        words = [executable, "check"]
        if "--stats" not in options and "--json" not in options:
            words.append("--quiet")
        name = _property(task.property_file)
        if name:
            words += ["--property", name]
        model = (task.options or {}).get("data_model")
        if model:
            words += ["--data-model", model]
        # A second before the limit: then the answer is unknown with its reason.
        limit = rlimits.cputime or rlimits.walltime
        if limit and "--timeout" not in options:
            words += ["--timeout", f"{max(1, limit - 1)}s"]
        return words + options + list(task.input_files)

    def determine_result(self, run):
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        verdicts = {0: result.RESULT_TRUE_PROP, 3: result.RESULT_UNKNOWN}
        code = run.exit_code.value
        if code == 1:
            unreach = "unreach-call" in run.cmdline
            return result.RESULT_FALSE_REACH if unreach else result.RESULT_FALSE_PROP
        return verdicts.get(code, result.RESULT_ERROR)

    def get_value_from_output(self, output, identifier):
        """What the first group of a regular expression is in the last line that has it."""
        value = None
        for line in output:
            found = re.search(identifier, line)
            if found:
                value = found.group(1)
        return value


def _property(name):
    """The property that a file asks for, as magus calls it; none of specifications."""
    if not name or not os.path.exists(name):
        return None
    with open(name, encoding="utf-8") as f:
        text = f.read()
    if "G ! call(" in text:
        return "unreach-call"
    if "LTL(F end)" in text:
        return "terminates"
    return "no-deadlock" if "deadlock-free" in text else None
