package source

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const membersText = `
struct in { int a; int b; };
typedef struct out { int n; struct in s; struct in all[2]; int *p; } out_t;
void *memset(void *, int, unsigned long);
void name(struct in *x) { x->a = 1; }
void step(struct in *x) { x->a++; --x->b; x->a += 2; }
void copy(struct in *x, struct in y) { *x = y; }
void whole(out_t *x) { x->s = x->all[1]; }
void bytes(out_t *x) { memset((void *)x->all, 0, sizeof x->all); }
void through(int *p) { *p = 1; }
void other(long *p, out_t *x, int n) { *p = 1; n = x->n; x->p[2] = 1; }
int *taken(struct in *x) { return &x->b; }
`

// AssignedMembers: each function with the members that it may assign to.
func TestAssignedMembers(t *testing.T) {
	p, err := parseSource(membersText)
	require.NoError(t, err)
	got := map[string]string{}
	for _, u := range p.AssignedMembers() {
		got[u.Within] = strings.TrimSpace(got[u.Within] + " " + u.Name)
	}
	require.Equal(t, map[string]string{
		"name": "=in.a", "step": "=in.a =in.b", "copy": "=in.a =in.b", "whole": "=in.a =in.b =out.s =out_t.s",
		"bytes": "=in.a =in.b", "through": "=in.b", "other": "=in.b",
	}, got)
}

// CallsOf: calls by name, with the arguments that are constants.
func TestCallsOf(t *testing.T) {
	p, err := parseSource("int f(int a, unsigned b) { return a; }\n" +
		"int g(int x) { return f(-3, 2u) + (*f)(x, sizeof(int)); }")
	require.NoError(t, err)
	calls := p.CallsOf("f")
	require.Len(t, calls, 2)
	require.Equal(t, "g", calls[0].Within)
	require.Equal(t, []int64{-3, 2, 4}, []int64{*calls[0].Args[0], *calls[0].Args[1], *calls[1].Args[1]})
	require.Nil(t, calls[1].Args[0])
	require.Empty(t, p.CallsOf("g"))
	require.Empty(t, p.CallsOf("none"))
}
