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

// HeldBy: the procedures in a member, where nothing else is stored in it.
func TestHeldBy(t *testing.T) {
	p, err := parseSource(`
typedef void (*fn)(void);
void f(void) {} void g(void) {} void ext(void);
struct ops { fn init, set, cast, given, escaped, outside, none, copied; };
struct ops table = { f, g }, tables[] = { { .cast = (fn)&g, .init = g }, { .outside = ext } };
void store(struct ops *o, struct ops *p, fn x, fn **to)
{
	o->set = 0; o->given = f; o->given = x; o->escaped = f; *to = &o->escaped;
	o->copied = f; o->copied = p->copied; *o = (struct ops){ .init = f };
}`)
	require.NoError(t, err)
	for member, want := range map[string]string{"init": "f g", "set": "g", "cast": "g", "given": "", "escaped": "",
		"outside": "", "none": "", "copied": "f"} {
		procs, known := p.HeldBy([]string{"ops." + member})
		var names []string
		for _, pr := range procs {
			names = append(names, pr.Name)
		}
		require.Equal(t, want, strings.Join(names, " "), member)
		require.Equal(t, want != "", known, member)
	}
}

// CallsOf: calls by name, with the arguments that are constants.
func TestCallsOf(t *testing.T) {
	p, err := parseSource("int f(int a, unsigned b) { return a; }\nint g(int x) { return f(-3, 2u) + (*f)(x, sizeof(int)); }")
	require.NoError(t, err)
	calls := p.CallsOf("f")
	require.Len(t, calls, 2)
	require.Equal(t, "g", calls[0].Within)
	require.Equal(t, []int64{-3, 2, 4}, []int64{*calls[0].Args[0], *calls[0].Args[1], *calls[1].Args[1]})
	require.Nil(t, calls[1].Args[0])
	require.Empty(t, p.CallsOf("g"))
	require.Empty(t, p.CallsOf("none"))
}
