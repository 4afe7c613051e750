package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
)

func TestConstants(t *testing.T) {
	chain := ""
	for i := range 30 {
		chain += fmt.Sprintf("#define C%d (C%d | C%d)\n", i, i+1, i+1)
	}
	p, err := Parse(t.Context(), []Source{{Name: "a.c", Text: []byte(`#define OPEN_READ 0x1u
#define OPEN_WRITE (1 << 1)
#define OPEN_BOTH (OPEN_READ | OPEN_WRITE)
#define OPEN_MIXED 1 + 2 << 3
#define OPEN_CALL(x) x
#define OPEN_TEXT "x"
#define OPEN_ITSELF OPEN_ITSELF
#define CLOSED -1

#define LIMIT ~7
#define EMPTY
#define LIMIT_TWO LIMIT
` + chain + `
struct s { int flags; int state; };
int f(int mode, struct s *s, int n, int twice)
{
	int a[2];
	if (mode & OPEN_WRITE)
		mode = OPEN_BOTH;
	s->flags |= OPEN_READ;
	a[0] = n ? CLOSED : OPEN_READ;
	switch (s->state) {
	case CLOSED: ;
	}
	if (n < LIMIT)
		return 1;
	twice = OPEN_READ * 2;
	return a[0] == 3;
}
`)}}, Options{})
	require.NoError(t, err)
	all := p.constants()
	values := map[string]int64{}
	for name, k := range all.byName {
		if k != nil && !strings.HasPrefix(k.pos.File, "/") {
			values[name] = k.value
		}
	}
	require.Subset(t, values, map[string]int64{"OPEN_READ": 1, "OPEN_WRITE": 2, "OPEN_BOTH": 3, "CLOSED": -1,
		"LIMIT": -8, "LIMIT_TWO": -8})
	for _, name := range []string{"OPEN_MIXED", "OPEN_CALL", "OPEN_TEXT", "OPEN_ITSELF", "EMPTY", "C0"} {
		require.NotContains(t, values, name)
	}
	require.Len(t, all.group[all.byName["OPEN_WRITE"]], 3)
	require.Len(t, all.group[all.byName["CLOSED"]], 1)

	names := p.Enumerations([]string{"f"})
	at := func(line, col int) cfa.Pos { return cfa.Pos{File: "a.c", Line: line, Col: col} }
	head := 12 + 30 + 1 // lines before the structure
	mode := names.Of("mode", at(head+2, 11))
	require.Equal(t, []string{"OPEN_READ", "OPEN_WRITE", "OPEN_BOTH", ""},
		[]string{mode.Name(1), mode.Name(2), mode.Name(3), mode.Name(4)})
	require.Equal(t, "OPEN_READ", names.Of("(*s).flags", cfa.Pos{}).Name(1))
	require.Equal(t, "OPEN_READ", names.Of("x[3]->flags", cfa.Pos{}).Name(1))
	require.Equal(t, "CLOSED", names.Of("s->state", cfa.Pos{}).Name(-1))
	require.Equal(t, "CLOSED", names.Of("a[0]", at(head+4, 6)).Name(-1))
	require.Empty(t, names.Of("n", at(head+2, 34)).Name(-8))
	require.Empty(t, names.Of("twice", at(head+2, 41)).Name(2))
}
