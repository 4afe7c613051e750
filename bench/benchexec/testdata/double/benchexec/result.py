"""A double of BenchExec's module of this name: the names that tool modules use."""

RESULT_TRUE_PROP = "true"
RESULT_FALSE_PROP = "false"
RESULT_FALSE_REACH = "false(unreach-call)"
RESULT_UNKNOWN = "unknown"
RESULT_ERROR = "ERROR"
RESULT_TIMEOUT = "TIMEOUT"
