package lsp

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"
)

// The rules are checked from a lens at the top of C. What they forbid is a warning, which an action offers to
// allow; it is allowed when somebody has written why.
func TestRulesAreCheckedInPlace(t *testing.T) {
	const c = "#include <pthread.h>\n\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\nint twice(void)\n{\n" +
		"\tpthread_mutex_lock(&m);\n\tpthread_mutex_lock(&m);\n\tpthread_mutex_unlock(&m);\n\treturn 0;\n}\n"
	e := start(t, map[string]string{"twice.c": c})
	e.open("twice.c", c)
	lenses := e.lenses("twice.c")
	require.Equal(t, []string{"1: check the rules"}, titles(lenses))
	require.Equal(t, "rules: 1 finding", e.click(lenses[0]))
	e.expect("twice.c", "rule pthread-mutex: ")
	e.mu.Lock()
	d := e.diagnostics["twice.c"][0]
	e.mu.Unlock()
	assert.Equal(t, protocol.DiagnosticSeverityWarning, d.Severity)
	assert.Equal(t, uint32(7), d.Range.Start.Line)
	assert.NotEmpty(t, d.RelatedInformation)

	offers := e.offers("twice.c", strings.Replace(c, "\tpthread_mutex_lock(&m);\n\tpthread_mutex_unlock", "\t‸pthread_mutex_lock(&m);\n\tpthread_mutex_unlock", 1), d)
	require.Len(t, offers, 1)
	assert.Equal(t, "allow pthread-mutex here, for a reason that you write", offers[0].Title)
	now := applied(c, offers[0].Edit.Changes[e.uri("twice.c")])
	require.Contains(t, now, "\tpthread_mutex_lock(&m);\n\t// magus: allow pthread-mutex: \n\tpthread_mutex_lock(&m);\n")
	e.change("twice.c", now)
	require.Equal(t, []string{"1: check again (before the change: rules: 1 finding)"}, titles(e.lenses("twice.c")))
	require.Equal(t, "rules: 1 finding", e.click(e.lenses("twice.c")[0]), "no reason was given")
	e.change("twice.c", strings.Replace(now, "mutex: \n", "mutex: to try it out\n", 1))
	require.Equal(t, "rules: nothing found", e.click(e.lenses("twice.c")[0]))
	e.expect("twice.c")
}
