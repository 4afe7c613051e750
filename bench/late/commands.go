package main

// Commands on inputs that are made to be slow for them.
//
// Idea: where a program looks at its context once in so many rounds, an input that makes one round long makes it
// late. So there are systems of each shape on which some algorithm has long rounds: long chains and trees of τ, whose
// closures are large; many states with one signature; automata whose deterministic form is exponential; relations that
// are quadratic; and components whose composition is large. Every command that can work long has one or more.
//
// Cost: each command once for each time.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"magus/app/cli"
	"magus/app/input"
	"magus/bench/families"
)

// relations are those of `magus lts compare`.
var relations = []string{"strong-bisim", "branching-bisim", "dp-branching-bisim", "weak-bisim", "trace", "weak-trace",
	"trace-containment", "weak-trace-containment", "simulation", "weak-simulation", "failures", "failures-divergences"}

// systems are the LTSs that are compared, each with a like one.
var systems = []string{"chain", "tree", "random", "letters", "grid", "star"}

// onSystems are commands on a system S, and onOthers on other inputs, as the shell has them.
const (
	onSystems = `lts compare --reduce S.aut S2.aut
lts compare --search depth S.aut S2.aut
lts compare --certificate c.cert S.aut S2.aut
lts convert --determinize -o out.aut S.aut
lts convert --tau-closure -o out.aut S.aut
lts convert --reachable -o out.svg S.aut
lts info S.aut
lts trace --to-deadlock S.aut
lts trace --to-livelock S.aut
lts trace --trace a,b,a,b,a,b,c S.aut
lts compose -o out.aut S.aut S2.aut
lts compose --reduce -o out.aut S.aut S2.aut
lts simulate --do random S.aut`
	onOthers = `lts info part.lts:Large
lts compose -o out.aut part.lts:Large
lts compare part.lts:Large chain.aut
check loops.c loops.spec
check --engine loop loops.c loops.spec
check --engine bounded loops.c loops.spec
check --engine kinduction loops.c loops.spec
check ring.c ring.spec
check --compositional ring.c ring.spec
check pipeline.c pipeline.spec
check --compositional pipeline.c pipeline.spec
check star.c star.spec
check --compositional star.c star.spec
check --report page.html star.c star.spec
check --certificate c.cert pipeline.c pipeline.spec
check --property unreach-call threads.c
check --property no-data-race threads.c
check --property no-deadlock threads.c
check --memory-model tso --property unreach-call threads.c
dot product ring.c ring.spec
dot cfa main large.c
pointsto large.c
check --property unreach-call large.c
check --property terminates loops.c
check --property no-overflow large.c
check --property no-livelock loops.c
rules check many.c once.spec
rules check -j1 --cache kept many.c once.spec
rules check --report page.html large.c once.spec
rules plan -o b.ninja large.c once.spec
rules job --part 1/1 --cache kept2 many.c once.spec
lts check part.lts:Large
lts check --fairness none part.lts:Large
lts check --assert X part.lts:Large
init --dry-run large.c
init --dry-run --project --rule file large.c
fmt -d many.spec
suite s.toml
run r.magus
param check counters.param
param info counters.param
param simulate counters.param`
)

// commands are all.
func commands() []string {
	var all []string
	for _, s := range systems {
		for _, r := range relations {
			all = append(all, fmt.Sprintf("lts compare --relation %s %s.aut %s2.aut", r, s, s))
		}
		for _, r := range []string{"strong-bisim", "branching-bisim", "dp-branching-bisim", "weak-bisim", "weak-trace"} {
			all = append(all, fmt.Sprintf("lts minimize --relation %s -o out.aut %s.aut", r, s))
		}
		all = append(all, strings.Split(strings.ReplaceAll(onSystems, "S", s), "\n")...)
	}
	return append(all, strings.Split(onOthers, "\n")...)
}

// measureCommands tells each command that matches to end after each time.
func measureCommands(match *regexp.Regexp, after []time.Duration, out io.Writer) error {
	dir, err := os.MkdirTemp("", "late")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for name, text := range slow() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%8s %6s  %s\n", "late", "after", "command")
	for _, command := range commands() {
		if !match.MatchString(command) {
			continue
		}
		for _, d := range after {
			status, said := 0, &bytes.Buffer{}
			e, ended := measure(d, func(ctx context.Context, _ *string) {
				w := cli.System()
				w.Dir, w.Stdout, w.Stderr, w.Terminal = input.Dir(dir), io.Discard, said, false
				status = cli.Main(ctx, strings.Fields(command), w)
			})
			if !ended {
				first, _, _ := strings.Cut(said.String(), "\n")
				fmt.Fprintf(out, "%8s %6s  %s: exit status %d %s\n", "ended", d, command, status, first)
				break
			}
			fmt.Fprintf(out, "%7.2fs %6s  %s\n", e.late.Seconds(), d, command)
			if e.late > time.Second/2 {
				fmt.Fprintf(out, "    %s\n", strings.Join(e.where, " < "))
			}
		}
	}
	return nil
}

// slow are the files.
func slow() map[string]string {
	files := map[string]string{
		"loops.c": loops, "loops.spec": lockSpec, "threads.c": threads, "large.c": large(3000), "counters.param": counters,
		"once.spec": onceSpec,
		"r.magus":   "load loops.c loops.spec\ncheck\n", "s.toml": suite,
	}
	for name, edges := range map[string][]edge{"chain": chain(), "tree": tree(), "random": random(), "letters": letters(),
		"grid": grid(), "star": star()} {
		files[name+".aut"] = aut(edges)
		// The same with another order of its edges, and one transition more at the end.
		files[name+"2.aut"] = aut(append(slices.Clone(edges), edge{edges[len(edges)-1].to, "c", 0}))
	}
	const parts = 12
	var b strings.Builder
	for i := range parts {
		fmt.Fprintf(&b, "P%d = (a%d -> b%d -> c%d -> P%d).\n", i, i, i, i, i)
	}
	b.WriteString("||Large = (P0")
	for i := 1; i < parts; i++ {
		fmt.Fprintf(&b, " || P%d", i)
	}
	b.WriteString(").\nfluent F = <a0, b0>\nassert X = [](F -> <>(b1 && <> c2))\nprogress Q = {c3}\n")
	files["part.lts"] = b.String()
	files["many.c"], files["many.spec"] = many(200), manySpecs(60_000)
	for _, f := range families.All() {
		q := f.Of(500, false)
		files[f.Name+".c"], files[f.Name+".spec"] = q.C, q.Spec
	}
	return files
}

// An edge is a transition.
type edge struct {
	from  int
	label string
	to    int
}

func aut(edges []edge) string {
	states := 0
	for _, e := range edges {
		states = max(states, e.from+1, e.to+1)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "des (0, %d, %d)\n", len(edges), states)
	for _, e := range edges {
		fmt.Fprintf(&b, "(%d, \"%s\", %d)\n", e.from, e.label, e.to)
	}
	return b.String()
}

// chain is one of τ, with a visible step from each state to a random one: every closure is long.
func chain() []edge {
	const n = 30_000
	r := rand.New(rand.NewPCG(1, 1))
	var all []edge
	for i := range n {
		if i+1 < n {
			all = append(all, edge{i, "tau", i + 1})
		}
		all = append(all, edge{i, []string{"a", "b"}[r.IntN(2)], r.IntN(n)})
	}
	return all
}

// tree is a binary one of τ and a, and from its leaves back to the root.
func tree() []edge {
	const n = 1 << 16
	var all []edge
	for i := range n {
		if 2*i+2 < n {
			all = append(all, edge{i, "tau", 2*i + 1}, edge{i, "a", 2*i + 2})
		} else {
			all = append(all, edge{i, []string{"b", "tau"}[i%2], i % 97})
		}
	}
	return all
}

// random has random steps of three letters and τ.
func random() []edge {
	const n = 100_000
	r := rand.New(rand.NewPCG(2, 2))
	var all []edge
	for i := range n {
		for range 4 {
			all = append(all, edge{i, []string{"a", "b", "c", "tau"}[r.IntN(4)], r.IntN(n)})
		}
	}
	return all
}

// letters has the words whose letter 24 before the end is a: its deterministic form has 2^24 states.
func letters() []edge {
	all := []edge{{0, "a", 0}, {0, "b", 0}, {0, "a", 1}}
	for i := 1; i < 24; i++ {
		all = append(all, edge{i, "a", i + 1}, edge{i, "b", i + 1})
	}
	return append(all, edge{24, "end", 0})
}

// grid has τ to the right and a upwards.
func grid() []edge {
	const n = 300
	var all []edge
	for x := range n {
		for y := range n {
			if x+1 < n {
				all = append(all, edge{x*n + y, "tau", (x+1)*n + y})
			}
			if y+1 < n {
				all = append(all, edge{x*n + y, []string{"a", "b"}[x%2], x*n + y + 1})
			}
		}
	}
	return all
}

// star has steps from one state to all others and back by τ: all is one closure.
func star() []edge {
	const n = 50_000
	var all []edge
	for i := 1; i < n; i++ {
		all = append(all, edge{0, []string{"a", "b", "tau"}[i%3], i}, edge{i, "tau", 0})
	}
	return all
}

const (
	loops = `void lock(void);
void unlock(void);
extern unsigned in(void);
void work(void) {
	unsigned n = in(), a = 0, b = 0, held = 0;
	for (unsigned i = 0; i < n; i++) {
		a = a * a + i * n;
		b = b * b + i * n + (a ^ b) % 7;
		if (a * a * a == 3 * b + n && a > b) lock();
		if (a > 5 && !held) { lock(); held = 1; }
		else if (held) { unlock(); held = 0; }
	}
	if (held) unlock();
}
`
	lockSpec = `Lock = ( lock -> unlock -> Lock | return {} -> STOP ).
L = ( lock -> return {} -> STOP ).
U = ( unlock -> return {} -> STOP ).
procedure lock { abstract { L, 1, L }; }
procedure unlock { abstract { U, 1, U }; }
procedure work { abstract { Work, 1, Lock }; }
`
	threads = `#include <pthread.h>
extern void reach_error(void);
extern int in(void);
int a, b, c, n;
pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *p) {
	for (int i = 0; i < n; i++) {
		pthread_mutex_lock(&l);
		pthread_mutex_lock(&m);
		a = a * 3 + b * b;
		b = a * c + i;
		pthread_mutex_unlock(&m);
		pthread_mutex_unlock(&l);
		c = a + b;
	}
	return 0;
}
int main(void) {
	pthread_t t[4];
	n = in();
	for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);
	for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
	if (a == 77 * b && c == 12345677) reach_error();
	return 0;
}
`
	suite = `[[claim]]
files = ["loops.c", "loops.spec"]
verdict = "conforms"
[[claim]]
files = ["star.c", "star.spec"]
verdict = "conforms"
`
)

// onceSpec is a rule that is hard to decide of the functions of many.
const onceSpec = `rule once {
	lock: call lock;
	unlock: call unlock;
	Free = ( lock -> Held | unlock -> ERROR ), Held = ( lock -> ERROR | unlock -> Free ).
	begin Free;
}
`

// many are functions that take and release in loops over numbers.
func many(n int) string {
	var b strings.Builder
	b.WriteString("void lock(void);\nvoid unlock(void);\n")
	for i := range n {
		fmt.Fprintf(&b, "void w%d(unsigned n) {\n\tunsigned a = 0, b = 0, h = 0;\n"+
			"\tfor (unsigned i = 0; i < n; i++) {\n\t\ta = a * a + i * n;\n\t\tb = b * b + (a ^ b) %% 7;\n"+
			"\t\tif (a * a * a == 3 * b + n && a > b) lock();\n"+
			"\t\tif (a > 5 && !h) { lock(); h = 1; }\n\t\telse if (h) { unlock(); h = 0; }\n\t}\n"+
			"\tif (h) unlock();\n}\n", i)
	}
	return b.String()
}

// manySpecs are so many processes, in no layout.
func manySpecs(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "P%d = ( a -> b -> ( c -> P%d | d -> e -> STOP ) | f -> P%d ).\n", i, i, i)
	}
	return b.String()
}

// large is one function of many statements over many variables, with pointers.
func large(n int) string {
	var b strings.Builder
	b.WriteString("extern int in(void);\nextern void reach_error(void);\nint g[64], *p[64];\n" +
		"int main(void) {\n\tint x = in(), y = in();\n")
	for i := range n {
		fmt.Fprintf(&b, "\tif (x * %d > y) { p[%d] = &g[%d]; *p[(x + %d) & 63] = y * y; }\n", i+3, i%64, (i*7)%64, i)
		fmt.Fprintf(&b, "\telse { y = g[x & 63] + %d; x = x * y; }\n", i)
	}
	b.WriteString("\tif (x == 123456789 && y == 7) reach_error();\n\treturn 0;\n}\n")
	return b.String()
}

// counters are states between which processes move in pairs and by broadcasts, with numbers: no method ends soon.
const counters = `states q[0..9], wrong;
shared x, y, z: nat;
rule -> q[0] : x' = x + 1;
rule for i in 0..8: q[i] -> q[i+1] : x >= 2, y' = y + x, x' = x - 2;
rule for i in 0..8: q[i+1] -> q[i] : y >= 3, y' = y - 3, x' = x + 1;
rule for i in 1..9: q[i] -> q[0] : all q[5] -> q[6], z' = z + 1, x' = x + 3;
rule q[9], q[8] -> wrong, q[0] : z >= 40, x >= 30, y >= 20, x + y = 3 * z;
init q[0] >= 1, x = 0, y = 0, z = 0;
bad wrong, wrong;
`
