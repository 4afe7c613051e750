package memory_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/internal/sample"
)

// The oracle: programs of operations on cells, pointers to cells and numbers, each of which is a text in C
// and a function in Go. It knows nothing of objects, of what a pointer may point to, or of how memory is
// modelled: a pointer is the number of a cell.

// Cells in the order of memory: a[3], b[2], s.l, s.r, u.l, u.r, h[2].
const (
	cellA = 0
	cellB = 3
	cellS = 5
	cellU = 7
	cellH = 9
	cells = 11
)

// A machine is what a program works on.
type machine struct {
	cell  [cells]int
	p     [3]int // pointers p, q, r
	x     [2]int // numbers x, y
	input [2]int // i, j
}

// An operation does the same in both languages.
type operation struct {
	c  string
	do func(m *machine)
}

// place is an expression for the address of a cell.
func place(r *rand.Rand) (c string, at func(m *machine) int) {
	fixed := func(n int) func(*machine) int { return func(*machine) int { return n } }
	switch r.IntN(8) {
	case 0:
		n := r.IntN(3)
		return fmt.Sprintf("&a[%d]", n), fixed(cellA + n)
	case 1, 2:
		k := r.IntN(2)
		return "&a[" + "ij"[k:k+1] + "]", func(m *machine) int { return cellA + m.input[k] }
	case 3:
		k := r.IntN(2)
		return "&b[" + "ij"[k:k+1] + " & 1]", func(m *machine) int { return cellB + m.input[k]&1 }
	case 4:
		n := r.IntN(2)
		return "&s." + "lr"[n:n+1], fixed(cellS + n)
	case 5:
		n := r.IntN(2)
		return "&u." + "lr"[n:n+1], fixed(cellU + n)
	case 6:
		n := r.IntN(2)
		return fmt.Sprintf("h + %d", n), fixed(cellH + n)
	}
	k := r.IntN(3)
	return "pqr"[k : k+1], func(m *machine) int { return m.p[k] }
}

func random(r *rand.Rand) operation {
	k, l, n := r.IntN(3), r.IntN(2), r.IntN(5)
	p, x := "pqr"[k:k+1], "xy"[l:l+1]
	text, at := place(r)
	switch r.IntN(13) {
	case 0, 1:
		return operation{p + " = " + text + ";", func(m *machine) { m.p[k] = at(m) }}
	case 2:
		return operation{fmt.Sprintf("*%s = %d;", p, n), func(m *machine) { m.cell[m.p[k]] = n }}
	case 3:
		return operation{fmt.Sprintf("*%s = %s;", p, x), func(m *machine) { m.cell[m.p[k]] = m.x[l] }}
	case 4:
		return operation{fmt.Sprintf("%s = *%s;", x, p), func(m *machine) { m.x[l] = m.cell[m.p[k]] }}
	case 5:
		return operation{fmt.Sprintf("*(%s) += %d;", text, n), func(m *machine) { m.cell[at(m)] += n }}
	case 6:
		return operation{fmt.Sprintf("if (%s == %s) %s = %d;", p, text, x, n), func(m *machine) {
			if m.p[k] == at(m) {
				m.x[l] = n
			}
		}}
	case 7:
		return operation{fmt.Sprintf("if (i == %d) %s = %s;", n%3, p, text), func(m *machine) {
			if m.input[0] == n%3 {
				m.p[k] = at(m)
			}
		}}
	case 8:
		if l == 0 {
			return operation{"u = s;", func(m *machine) { copy(m.cell[cellU:cellU+2], m.cell[cellS:cellS+2]) }}
		}
		return operation{"*ps = u;", func(m *machine) { copy(m.cell[cellS:cellS+2], m.cell[cellU:cellU+2]) }}
	case 9:
		return operation{fmt.Sprintf("%s = put(%s, %d);", x, text, n), func(m *machine) {
			c := at(m)
			m.x[l], m.cell[c] = m.cell[c], n
		}}
	case 10:
		return operation{fmt.Sprintf("lead(&%s, %s);", p, text), func(m *machine) { m.p[k] = at(m) }}
	case 11:
		return operation{fmt.Sprintf("*(unsigned char *)(%s) = %d;", text, n), func(m *machine) {
			c := at(m)
			m.cell[c] = m.cell[c]&^0xff | n
		}}
	}
	return operation{fmt.Sprintf("%s = a[j] + (%s != %s);", x, p, text), func(m *machine) {
		m.x[l] = m.cell[cellA+m.input[1]]
		if m.p[k] != at(m) {
			m.x[l]++
		}
	}}
}

const prelude = `
int __VERIFIER_nondet_int(void); void reach_error(void); void *malloc(unsigned long);
struct pair { int l, r; };
int a[3], b[2]; struct pair s, u, *ps = &s;
static int put(int *to, int n) { int before = *to; *to = n; return before; }
static void lead(int **w, int *to) { *w = to; }
int main(void) {
	int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
	if (i < 0 || i > 2 || j < 0 || j > 2) return 0;
	int *h = malloc(2 * sizeof *h);
	if (!h) return 0;
	h[0] = 0; h[1] = 0;
	int *p = a, *q = &b[1], *r = &s.r, x = 0, y = 0;
`

// Random programs with pointers come to those values that their operations come to, for some inputs.
func TestPointersDoWhatTheirOperationsDo(t *testing.T) {
	sample.Long(t)
	count := 400
	if testing.Short() {
		count = 120
	}
	violated := 0
	for seed := range uint64(count) {
		r := rand.New(rand.NewPCG(seed, 3))
		var program []operation
		for range 3 + r.IntN(7) {
			program = append(program, random(r))
		}
		ends := map[[3]int]bool{}
		var some [3]int
		watched := r.IntN(cells)
		for i := range 3 {
			for j := range 3 {
				m := machine{p: [3]int{cellA, cellB + 1, cellS + 1}, input: [2]int{i, j}}
				for _, o := range program {
					o.do(&m)
				}
				end := [3]int{m.x[0], m.cell[m.p[0]], m.cell[watched]}
				ends[end] = true
				if i*3+j == r.IntN(9) || i+j == 0 {
					some = end
				}
			}
		}
		if r.IntN(2) == 0 {
			some[r.IntN(3)] += 1 - 2*r.IntN(2)
		}
		names := []string{"a[0]", "a[1]", "a[2]", "b[0]", "b[1]", "s.l", "s.r", "u.l", "u.r", "h[0]", "h[1]"}
		var text strings.Builder
		text.WriteString(prelude)
		for _, o := range program {
			text.WriteString("\t" + o.c + "\n")
		}
		fmt.Fprintf(&text, "\tif (x == %d && *p == %d && %s == %d) reach_error();\n\treturn y;\n}\n", some[0],
			some[1], names[watched], some[2])
		want := "conforms"
		if ends[some] {
			want = "violates"
			violated++
		}
		require.Equal(t, want, decided(t, text.String()), "%d\n%s", seed, &text)
	}
	require.Greater(t, violated, count/4)
	require.Less(t, violated, 3*count/4)
}

func decided(t *testing.T, text string) string {
	t.Helper()
	project, err := magus.Load(context.Background(), magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(text)}}})
	require.NoError(t, err, text)
	claim, err := project.Property(magus.Property{})
	require.NoError(t, err)
	outcome, err := magus.Check(context.Background(), claim, magus.Options{}, nil)
	require.NoError(t, err)
	return outcome.Verdict.String()
}
