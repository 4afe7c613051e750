package source

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMentions(t *testing.T) {
	text := `void lock(void);
extern void __MAGUS_ACTION__(const char *);
enum { OPEN = 2 };
static int n;
int f(int x)
{
	int y = x + n;
	lock();
	__MAGUS_ACTION__("go");
	return y == OPEN;
}
int g(void) { return f(1); }
`
	p, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(text)}}, Options{})
	require.NoError(t, err)
	all := p.Mentions()
	slices.SortFunc(all, func(a, b Mention) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	var got []string
	for _, m := range all {
		s := fmt.Sprintf("%d:%d %s %s", m.Pos.Line, m.Pos.Col,
			[]string{"function", "variable", "enumerator", "action"}[m.Kind], m.Name)
		if m.Defines {
			s += " defined"
		} else if m.Declared.IsValid() {
			s += fmt.Sprintf(" of %d:%d", m.Declared.Line, m.Declared.Col)
		}
		if m.Within != "" {
			s += " in " + m.Within
		}
		got = append(got, s)
	}
	assert.Equal(t, []string{
		"1:6 function lock defined",
		"2:13 function __MAGUS_ACTION__ defined",
		"3:8 enumerator OPEN defined",
		"4:12 variable n defined",
		"5:5 function f defined in f",
		"5:11 variable x defined in f",
		"7:6 variable y defined in f",
		"7:10 variable x of 5:11 in f",
		"7:14 variable n of 4:12 in f",
		"8:2 function lock of 1:6 in f",
		"9:2 function __MAGUS_ACTION__ of 2:13 in f",
		"9:19 action go in f",
		"10:9 variable y of 7:6 in f",
		"10:14 enumerator OPEN of 3:8 in f",
		"12:5 function g defined in g",
		"12:22 function f of 5:5 in g",
	}, got)
}
