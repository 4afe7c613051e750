package lower

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/cfa/source"
	"magus/internal/countdown"
	"magus/smt/expr"
)

// large are programs each of which keeps one part of lowering busy for long.
func large() map[string]string {
	repeat := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	var doubled strings.Builder
	doubled.WriteString("int g; void f0(void) { g++; }\n")
	for i := 1; i < 24; i++ {
		fmt.Fprintf(&doubled, "void f%d(void) { f%d(); f%d(); }\n", i, i-1, i-1)
	}
	var deep strings.Builder
	deep.WriteString("extern int any(void);\nint f0(int x) { return x; }\n")
	for i := 1; i < 10_000; i++ {
		fmt.Fprintf(&deep, "int f%d(int x) { return f%d(x) + any(); }\n", i, i-1)
	}
	objects := "struct node { struct node *next; int a, b, c; };\nextern struct node *any(struct node *);\n" +
		"extern void know(void *);\n"
	return map[string]string{
		"inlining":       doubled.String() + "int main(void) { f23(); return g; }",
		"chain of calls": deep.String() + "int main(void) { return f9999(1); }",
		"pointers": objects + repeat(1500, "struct node n%d;\n") + "int main(void) {\nstruct node *p = any(0);\n" +
			repeat(1500, "know(&n%d);\n") + strings.Repeat("p->next = any(p->next); p = p->next; p->a = p->b + p->c;\n",
			1500) + "return p->a; }",
		"routines": objects + repeat(1000, "struct node n%d;\n") + "int main(void) {\n" +
			repeat(1000, "know(&n%[1]d); if (n%[1]d.a) know(&n%[1]d.next);\n") + "return 0; }",
		"copies": objects + "struct wide { struct node n[20]; int *p[400]; };\n" +
			repeat(60, "struct wide w%d;\n") + "int main(void) {\nstruct wide *p = 0;\n" +
			repeat(60, "know(&w%[1]d); p = any(0) ? p : &w%[1]d;\n") + strings.Repeat("*p = w0; know(p->p[3]);\n",
			200) + "return p->n[3].a; }",
		"branches": "extern int c(int);\nint main(void) {\nint x = c(0);\n" + strings.Repeat("if (x) {", 200) +
			strings.Repeat("}", 200) +
			strings.Repeat("if (c(x)) { if (x) ; else ; }\n", 15_000) + "return x; }",
	}
}

// Lowering ends soon after its context, whatever it is busy with.
func TestInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("lowers large programs")
	}
	for name, text := range large() {
		t.Run(name, func(t *testing.T) {
			p, err := source.Parse(context.Background(), []source.Source{{Name: "a.c", Text: []byte(text)}}, source.Options{})
			require.NoError(t, err)
			for _, after := range []time.Duration{time.Millisecond, 100 * time.Millisecond} {
				err := countdown.Hears(t, after, func(ctx context.Context) error {
					_, err := Lower(ctx, p, "main", expr.NewPool(), Options{InitGlobals: true})
					return err
				})
				if err != nil {
					require.ErrorIs(t, err, context.DeadlineExceeded)
				}
			}
		})
	}
}
