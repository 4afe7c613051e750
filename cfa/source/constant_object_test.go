package source

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConstantObjects: which objects are never assigned to. The library took p for constant, whose target is, and so
// functions that are called with p changed were proved not to notice; and table for one that anybody may change.
func TestConstantObjects(t *testing.T) {
	p, err := parseSource(`
int x, y;
typedef int *const fixed;
typedef int (*function)(void);
int one(void);
int *const pointer = &x;
int *const *p = &pointer;
int (*const table[])(void) = { one };
int *const array[2] = { &x, &y };
int *const (*toarray)[2] = &array;
const int *r = &x;
const int *const s = &x;
int **const last = 0;
const function ops[1] = { one };
fixed *behindname = 0;
int (*const alone)(void) = one;
`)
	require.NoError(t, err)
	f := p.Files[0]
	for name, want := range map[string]bool{"x": false, "pointer": true, "p": false, "table": true, "array": true,
		"toarray": false, "r": false, "s": true, "last": true, "ops": true, "behindname": false,
		"alone": true} {
		require.Equal(t, want, f.Objects[name].Const, name)
	}
}
