package cells_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cells"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/smt/expr"
)

const declared = `extern void reach_error(void); extern int nondet(void); void *memset(void *, int, unsigned long); void unknown(int *);
struct s { int x; char y; };
int main(void) { int i = nondet(), j = nondet(), n = nondet(); `

// TestChosen: which arrays are followed, and which statements change their cells.
func TestChosen(t *testing.T) {
	for _, test := range []struct {
		name, text string
		cells      []string // assignments to cells, in the order of the program
	}{
		{"a store and a load", "int a[100]; a[i] = 3; return a[j];", []string{"a_0 = ?", "a_0 = 3", "a_0 = ?"}},
		{"begins with zeros", "static int a[100]; a[i] = 3; return a[j];",
			[]string{"main::a_0 = 0", "main::a_0 = 3", "main::a_0 = ?"}},
		{"begins with values", "static int a[100] = {[7] = 5}; a[i] = 3; return a[j];",
			[]string{"main::a_0 = __magus_index_main::a == 7 ? 5 : 0", "main::a_0 = 3", "main::a_0 = ?"}},
		{"members", "struct s a[100]; a[i].x = 1; a[i].y = 2; return a[j].y;", []string{"a_4 = ?", "a_4 = 2", "a_4 = ?"}},
		{"another array", "int a[100], b[100]; b[i] = 3; return a[j];", []string{"a_0 = ?"}},
		{"as bytes", "int a[100]; ((char *)a)[i] = 3; return a[j];", []string{"a_0 = ?", "a_0 = ?"}},
		{"all of it", "int a[100]; memset(a, 0, sizeof a); return a[j];", []string{"a_0 = ?", "a_0 = 0"}},
		{"a piece of it", "int a[100]; memset(a, 0, n); return a[j];", []string{"a_0 = ?", "a_0 = ?"}},
		{"by a pointer to one of two", "int a[100], b[100], *p = n ? a : b; p[i] = 3; return a[j];",
			[]string{"a_0 = ?", "a_0 = 3", "a_0 = ?", "a_0 = ?"}},
		{"allocated", "int *a = __builtin_calloc(100, 4); a[i] = 3; return a[j];",
			[]string{"__builtin_calloc@3:73#1_0 = 3", "__builtin_calloc@3:73#1_0 = ?", "__builtin_calloc@3:73#1_0 = 0"}},
		{"a routine without a body", "int a[100]; unknown(a); return a[j];", nil},
		{"few elements", "int a[10]; a[i] = 3; return a[j];", nil},
		{"of a length that is not constant", "int a[n]; a[i] = 3; return a[j];",
			[]string{"a@3:68#1_0 = 3", "a@3:68#1_0 = ?", "a@3:68#1_0 = ?"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := lowered(t, declared+test.text+" }")
			out, err := cells.Chosen(t.Context(), c, cells.Shared)
			if test.cells == nil {
				require.ErrorIs(t, err, cells.ErrNone)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.cells, assigned(out))
			for _, fault := range out.Check() {
				require.True(t, strings.Contains(fault, "not reachable") || strings.Contains(fault, "goto"), fault)
			}
			_, err = cells.Chosen(t.Context(), c, cells.Apart)
			require.ErrorIs(t, err, cells.ErrNone, "there is one array only")
		})
	}
}

// TestPair: each store is one to two cells, a read gives the one whose index it is of, and errors want the last two
// reads to be at chosen indices.
func TestPair(t *testing.T) {
	text := declared + "static int a[100]; a[i] = 3; if (a[i] != a[j]) reach_error(); return 0; }"
	c := lowered(t, text)
	out, err := cells.Chosen(t.Context(), c, cells.Pair)
	require.NoError(t, err)
	require.Equal(t, []string{"main::a_0#1 = 0", "main::a_0 = 0", "main::a_0#1 = 3", "main::a_0 = 3", "main::a_0 = ?",
		"main::a_0#1 = ?"}, assigned(out))
	var flags, asked []string
	for _, l := range out.Locs {
		switch s := l.Stmt.(type) {
		case cfa.Assign:
			if strings.HasPrefix(s.LHS.Name(), "__magus_read_before") && !s.RHS.IsConst() {
				flags = append(flags, s.RHS.Name())
			}
		case cfa.Branch:
			if name := s.Cond.String(); strings.HasPrefix(name, "__magus_read_") {
				asked = append(asked, name)
			}
		}
	}
	require.NotEmpty(t, flags)
	for _, f := range flags {
		require.Equal(t, "__magus_read_last_main::a", f)
	}
	require.Len(t, asked, 2, "%v", asked)
	for _, fault := range out.Check() {
		require.True(t, strings.Contains(fault, "not reachable") || strings.Contains(fault, "goto"), fault)
	}
}

// TestReadTwice: a second read gives what the first one gave, also where an element has a variable, unless something is
// stored between them.
func TestReadTwice(t *testing.T) {
	for _, test := range []struct {
		text string
		same bool
	}{
		{"a[0] = 1; if (a[i] > j) j = a[i];", true},
		{"a[0] = 1; if (a[i] > j) { a[n] = 2; j = a[i]; }", false},
		{"a[0] = 1; if (a[i] > j) { i = n; j = a[i]; }", false},
		{"a[0] = 1; if (n) j = a[i]; else j = 5; n = a[i];", false},
	} {
		out, err := cells.Chosen(t.Context(), lowered(t, declared+"int a[100]; "+test.text+" return j; }"), cells.Shared)
		require.NoError(t, err)
		same := false
		for l := range out.Locs {
			a, ok := out.Locs[l].Stmt.(cfa.Assign)
			same = same || ok && a.RHS != nil && strings.HasPrefix(a.LHS.Name(), "a[i]") && strings.HasPrefix(a.RHS.String(), "a[i]")
		}
		require.Equal(t, test.same, same, test.text)
	}
}

// assigned are the assignments to cells that control comes to.
func assigned(c *cfa.CFA) (all []string) {
	seen := map[cfa.Loc]bool{}
	var visit func(l cfa.Loc)
	visit = func(l cfa.Loc) {
		if seen[l] {
			return
		}
		seen[l] = true
		if a, ok := c.Locs[l].Stmt.(cfa.Assign); ok && strings.HasPrefix(a.LHS.Name(), "__magus_cell_") {
			value := "?"
			if a.RHS != nil {
				value = a.RHS.String()
			}
			all = append(all, strings.TrimPrefix(a.LHS.Name(), "__magus_cell_")+" = "+value)
		}
		for _, to := range c.Locs[l].Succ {
			visit(to)
		}
	}
	visit(c.Entry)
	return all
}

func lowered(t *testing.T, text string) *cfa.CFA {
	t.Helper()
	program, err := source.Parse(t.Context(), []source.Source{{Name: "p.c", Text: []byte(text)}}, source.Options{})
	require.NoError(t, err)
	c, err := lower.Lower(t.Context(), program, "main", expr.NewPool(), lower.Options{InitGlobals: true, Recorded: true})
	require.NoError(t, err)
	return c
}
