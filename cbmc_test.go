package magus_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"time"

	"magus"
	"magus/cfa"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/internal/sample"
	"magus/specs"

	"github.com/stretchr/testify/require"
)

// Verdicts against those of CBMC, a bounded model checker of C, where it is
// installed. It shares nothing with magus: it reads the C itself, and the
// random specifications are read by a few regular expressions here.
//
// Components share no memory. So a composition has a trace exactly if each
// component, run alone, can perform its part of it. The program for CBMC
// guesses a trace of at most so many actions, runs the components one after the
// other with __MAGUS_ACTION__ demanding the next action of their part, follows
// the trace in the specification by sets of its states, and asserts that it is
// allowed. The components' own text is compiled as it is.
//
// CBMC may not fail where the verdict is conforms, and has to fail where it is
// violates, with bounds as large as the violation's run.
//
// MAGUS_PEERS sets the number of programs.

// cbmc is the way to call it; the test is skipped where it is not installed.
func cbmc(t *testing.T) []string {
	path, err := exec.LookPath("cbmc")
	if err != nil {
		t.Skipf("cbmc is not in PATH: %v", err)
	}
	out, err := exec.Command(path, "--version").Output()
	require.NoError(t, err)
	command := []string{path, "--verbosity", "2"}
	major, _, _ := strings.Cut(string(out), ".")
	if n, err := strconv.Atoi(major); err == nil && n >= 6 {
		// What used to be chosen is the default since then.
		command = append(command, "--no-standard-checks", "--no-unwinding-assertions")
	}
	t.Logf("cbmc %s", strings.TrimSpace(string(out)))
	return command
}

// fails says whether CBMC finds an assertion that fails.
func fails(ctx context.Context, command []string, file string, unwind int, options ...string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	args := slices.Concat(command[1:], []string{"--unwind", strconv.Itoa(unwind)}, options, []string{file})
	cmd := exec.CommandContext(ctx, command[0], args...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err == nil:
		return false, nil
	case errors.As(err, &exit) && exit.ExitCode() == 10:
		return true, nil
	}
	return false, fmt.Errorf("cbmc: %w\n%s", err, out)
}

func TestRandomProgramsAgainstCBMC(t *testing.T) {
	command := cbmc(t)
	programs := sample.Count(40)
	p := &peer{dir: t.TempDir(), command: command}
	count := map[string]int{}
	for seed := range sample.Seeds(0, programs) {
		g := &generator{r: rand.New(rand.NewPCG(seed, 11))}
		c, spec := g.program()
		outcome, err := p.compare(t.Context(), c, spec)
		var d *disagreement
		if errors.As(err, &d) {
			p.keep(t, seed, c, spec, d)
		}
		require.NoError(t, err, "%s\n%s", c, spec)
		count[outcome]++
	}
	t.Logf("%d programs: %v", programs, count)
	if !sample.Whole() {
		return
	}
	require.Positive(t, count["conforms"])
	require.Positive(t, count["violates"])
	require.Less(t, 4*(programs-count["conforms"]-count["violates"]), programs, "most are decided by both")
}

// TestSmallProgramsAgainstCBMC: where CBMC finds that an assertion of a small
// program fails, or a pointer is invalid, the verdict is not conforms, and most
// violations it finds. The others are of functions without a body, which
// change nothing for CBMC, and of malloc, which never fails there.
func TestSmallProgramsAgainstCBMC(t *testing.T) {
	command := cbmc(t)
	files, err := filepath.Glob("testdata/memory/*.c")
	require.NoError(t, err)
	asserting, err := filepath.Glob("examples/assert/*.c")
	require.NoError(t, err)
	files = append(files, asserting...)
	violations, confirmed := 0, 0
	for _, file := range files {
		p := readSmall(t, file)
		verdict := p.outcome(t).Verdict
		options := []string{"--function", p.entry}
		if p.pointers {
			options = append(options, "--pointer-check", "--bounds-check")
		}
		failed, err := fails(t.Context(), command, file, 12, options...)
		require.NoError(t, err, file)
		if failed {
			require.NotEqual(t, magus.Conforms, verdict, file)
		}
		if verdict == magus.Violates {
			violations++
			if failed {
				confirmed++
			}
		}
	}
	t.Logf("%d programs, %d violations, %d of them found by CBMC", len(files), violations, confirmed)
	require.Greater(t, 4*confirmed, 3*violations)
}

// A peer decides bounded programs.
type peer struct {
	dir     string
	command []string
}

// Bounds where nothing says how far to go, and the largest.
const (
	someActions, mostActions = 6, 24
	someUnwind, mostUnwind   = 5, 16
)

// A disagreement is between magus and CBMC.
type disagreement struct {
	verdict magus.Verdict // of magus
	unwind  int
	text    string // for CBMC
}

func (d *disagreement) Error() string {
	return fmt.Sprintf("%v, and cbmc --unwind %d says that it is otherwise of\n%s", d.verdict, d.unwind, d.text)
}

// compare has both decide a program. The error is a *[disagreement], or says
// what else went wrong; that one of them did not decide is an outcome.
func (p *peer) compare(ctx context.Context, c, spec string) (outcome string, err error) {
	o, err := outcomeOf(ctx, c, spec)
	if err != nil {
		return "", err
	}
	actions, unwind := someActions, someUnwind
	switch {
	case o.Verdict == magus.Unknown:
		return "unknown", nil
	case o.Verdict == magus.Violates:
		actions, unwind = max(len(o.Run.Full), 1), rounds(o.Run)+2
		if actions > mostActions || unwind > mostUnwind {
			return "violates too late", nil
		}
	}
	text, err := boundedProgram(c, spec, actions)
	if err != nil {
		return "", err
	}
	file := filepath.Join(p.dir, "p.c")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return "", err
	}
	failed, err := fails(ctx, p.command, file, unwind)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "time-out", nil
	case err != nil:
		return "", err
	case failed != (o.Verdict == magus.Violates):
		return "", &disagreement{o.Verdict, unwind, text}
	}
	return o.Verdict.String(), nil
}

// keep makes a program smaller on which the two disagree, keeps it for
// [TestKeptPrograms] with CBMC's verdict, and fails.
func (p *peer) keep(t *testing.T, seed uint64, c, spec string, d *disagreement) {
	c = shrink(c, func(c string) bool {
		var smaller *disagreement
		_, err := p.compare(t.Context(), c, spec)
		if !errors.As(err, &smaller) {
			return false
		}
		d = smaller
		return true
	})
	want := magus.Conforms
	if d.verdict == want {
		want = magus.Violates
	}
	file := filepath.Join("testdata", "random", fmt.Sprintf("cbmc%d.txtar", seed))
	text := fmt.Sprintf("%v: says CBMC\n-- p.c --\n%s-- p.spec --\n%s", want, c, spec)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	require.NoError(t, d, "%s has it\n%s", file, text)
}

// outcomeOf decides the claim about the whole program.
func outcomeOf(ctx context.Context, c, spec string) (*magus.Outcome, error) {
	p, err := magus.Load(ctx, magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(c)}},
		Specs: []specs.Source{{Name: "p.spec", Text: []byte(spec)}}})
	if err != nil {
		return nil, err
	}
	claims, err := p.Claims(magus.Selection{})
	if err != nil {
		return nil, err
	}
	s, err := cegar.NewSession(ctx, claims[len(claims)-1],
		cegar.Options{Loop: cegar.Loop{ReduceIterations: 1, MaxIterations: 400}})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Run(ctx, nil), nil
}

// rounds is how often a run comes to one place, at most: no loop goes round more
// often.
func rounds(r *magus.Run) int {
	type place struct {
		component int
		pos       cfa.Pos
	}
	count, most := map[place]int{}, 0
	for _, s := range r.Steps {
		for _, i := range append(slices.Clone(s.Joins), s.Component) {
			at := place{i, s.Pos}
			count[at]++
			most = max(most, count[at])
		}
	}
	return most
}

// boundedProgram is the program for CBMC about traces of at most so many
// actions.
func boundedProgram(c, spec string, actions int) (string, error) {
	m, err := readModel(c, spec)
	if err != nil {
		return "", err
	}
	m.Actions = make([]int, actions)
	for i := range m.Actions {
		m.Actions[i] = i
	}
	var b bytes.Buffer
	err = boundedTemplate.Execute(&b, m)
	return b.String(), err
}

var boundedTemplate = template.Must(template.New("").
	Parse(`// Does a trace of at most {{len .Actions}} actions violate the specification?
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
char nondet_char(void);
void abort(void);
void *malloc(__SIZE_TYPE__);
void free(void *);
#define malloc(size) (__VERIFIER_nondet_bool() ? malloc(size) : 0)
#define __VERIFIER_assume(holds) __CPROVER_assume(holds)

static char trace[{{len .Actions}}]; // the guess
static int length;
static char own[{{len .Actions}}]; // what of it concerns the component that runs
static int owned, at;

// act performs the next action; the result says whether it was the last.
static int act(char a) {
	__CPROVER_assume(at < owned && own[at] == a);
	return ++at == owned;
}
#define __MAGUS_ACTION__(name) if (act((name)[0])) return 0
{{range .Routines}}
static int {{.Name}}(int a, int b) {
	int way = __VERIFIER_nondet_int(), r = __VERIFIER_nondet_int();
{{- range $i, $way := .Ways}}
	if (way == {{$i}} && ({{.Guard}})) {
		{{- range .Actions}}
		if (act('{{.}}')) return 0;
		{{- end}}
		__CPROVER_assume({{.Result}});
		return r;
	}
{{- end}}
	__CPROVER_assume(0);
	return 0;
}
{{end}}
{{.Text}}
{{- range .Components}}
static int alphabet_{{.Name}}(char a) {
	return 0{{range .Alphabet}} || a == '{{.}}'{{end}};
}

static void run_{{.Name}}(void) {
	owned = at = 0;
	{{- $name := .Name}}
	{{- range $.Actions}}
	if ({{.}} < length && alphabet_{{$name}}(trace[{{.}}])) own[owned++] = trace[{{.}}];
	{{- end}}
	if (owned == 0) return;
	{{$.Global}}
	int r = {{.Name}}();
	{{- if .Returns}}
	if (at < owned) act({{range .Returns}}{{.Holds}} ? '{{.Action}}' : {{end}}'{{.Other}}');
	{{- end}}
	__CPROVER_assume(at == owned);
}
{{end}}
static int observed(char a) {
	return 0{{range .Observed}} || a == '{{.}}'{{end}};
}

// closure adds what τ leads to, in as many steps as there are states.
static unsigned closure(unsigned states) {
	{{- range .States}}
	{{- range $.Taus}}
	if (states & {{.From}}u) states |= {{.To}}u;
	{{- end}}
	{{- end}}
	return states;
}

// step follows a set of states of the specification.
static unsigned step(unsigned from, char a) {
	unsigned to = 0;
	if (!observed(a)) return from;
	{{- range .Edges}}
	if (from & {{.From}}u && a == '{{.Action}}') to |= {{.To}}u;
	{{- end}}
	return closure(to);
}

int main(void) {
	unsigned states = closure(1);
	length = __VERIFIER_nondet_int();
	__CPROVER_assume(0 <= length && length <= {{len .Actions}});
	{{- range $i := .Actions}}
	trace[{{$i}}] = nondet_char();
	__CPROVER_assume({{$i}} >= length{{range $.Components}} || alphabet_{{.Name}}(trace[{{$i}}]){{end}});
	{{- end}}
	{{- range .Components}}
	run_{{.Name}}();
	{{- end}}
	{{- range .Actions}}
	if ({{.}} < length) states = step(states, trace[{{.}}]);
	{{- end}}
	__CPROVER_assert({{if .Errors}}!(states & {{.Errors}}u){{else}}states != 0{{end}}, "the trace is allowed");
	return 0;
}
`))

// A model is what the template needs. Actions are single characters: their
// names, and capital letters for returns.
type model struct {
	Text       string // of the components
	Global     string // gives each a global of its own
	Actions    []int  // positions of the trace
	Components []*modelComponent
	Routines   []modelRoutine
	States     []string // of the specification
	Observed   []string // its alphabet
	Edges      []modelEdge
	Taus       []modelEdge
	Errors     uint // the ERROR state as a set; 0: it cannot be reached

	capitals byte // in use
}

type modelComponent struct {
	Name     string
	Alphabet []string
	Returns  []modelReturn // that the specification mentions
	Other    string        // the action of all other returns
}

type modelReturn struct{ Holds, Action string }

type modelRoutine struct {
	Name string
	Ways []modelWay
}

// A modelWay is one thing that a routine may do where its guard holds.
type modelWay struct {
	Guard   string // about a and b
	Actions []string
	Result  string // about r
}

type modelEdge struct {
	From, To uint // sets of one state
	Action   string
}

var (
	definitionText = regexp.MustCompile(`(?m)^(\w+) = \( (.*) \)[,.]$`)
	procedureText  = regexp.MustCompile(`procedure (\w+) \{ (.*) \}\n`)
	abstractText   = regexp.MustCompile(`abstract \{ \((.*?)\), (\w+) \}`)
	programText    = regexp.MustCompile(`program (.*) \{ specification \w+, \{.*\}, S0; \}`)
	prototypeText  = regexp.MustCompile(`(?m)^[\w ]+ \*?\w+\([^()]*\);\n`)
	globalText     = regexp.MustCompile(`(?m)^int (global = \d+;)$`)
	callText       = regexp.MustCompile(`(?m)^(\t+(?:.* = )?[fh]\d\(.*\);)$`)
	actionText     = regexp.MustCompile(`__MAGUS_ACTION__\("(\w)"\)`)
	functionText   = regexp.MustCompile(`(?ms)^(?:static )?int (\w+)\([^()]*\) \{$(.*?)^\}$`)
	returnText     = regexp.MustCompile(`^(?:(\w+):)?return \{(.*)\}$`)
)

// readModel reads what [generator.program] writes, and nothing else.
func readModel(c, spec string) (*model, error) {
	m := &model{Text: callText.ReplaceAllString(prototypeText.ReplaceAllString(c, ""), "$1 if (at == owned) return 0;")}
	if g := globalText.FindStringSubmatch(c); g != nil {
		m.Global = g[1]
	}
	program := programText.FindStringSubmatch(spec)
	if program == nil {
		return nil, errors.New("this is not what the generator writes")
	}
	for _, name := range strings.Split(program[1], ", ") {
		m.Components = append(m.Components, &modelComponent{Name: name})
	}
	definitions := map[string][][]string{} // alternatives, each a row of words
	for _, d := range definitionText.FindAllStringSubmatch(spec, -1) {
		for _, alternative := range strings.Split(d[2], " | ") {
			definitions[d[1]] = append(definitions[d[1]], strings.Split(alternative, " -> "))
		}
		if d[1][0] == 'S' {
			m.States = append(m.States, d[1])
		}
	}
	for _, p := range procedureText.FindAllStringSubmatch(spec, -1) {
		r := modelRoutine{Name: p[1]}
		for _, a := range abstractText.FindAllStringSubmatch(p[2], -1) {
			guard := strings.NewReplacer("$1", "a", "$2", "b").Replace(a[1])
			for _, words := range definitions[a[2]] {
				last := len(words) - 2 // the return; what follows is STOP
				r.Ways = append(r.Ways, modelWay{guard, words[:last], result(words[last])})
			}
		}
		m.Routines = append(m.Routines, r)
	}
	m.specification(definitions)
	bodies := map[string]string{}
	for _, f := range functionText.FindAllStringSubmatch(c, -1) {
		bodies[f[1]] = f[2]
	}
	for _, component := range m.Components {
		if _, ok := bodies[component.Name]; !ok {
			return nil, fmt.Errorf("no body of %s", component.Name)
		}
		component.Alphabet = append(m.mentions(bodies, component.Name), component.Alphabet...)
	}
	return m, nil
}

// result is return {$0 == 1} in C, about r.
func result(word string) string {
	return strings.ReplaceAll(returnText.FindStringSubmatch(word)[2], "$0", "r")
}

// capital is a letter for an action that has none.
func (m *model) capital() string {
	m.capitals++
	return string('A' + m.capitals - 1)
}

// returned is the action of a return that the specification mentions. With the
// first, all of the component's returns are observed.
func (m *model) returned(component, holds string) string {
	i := slices.IndexFunc(m.Components, func(c *modelComponent) bool { return c.Name == component })
	c := m.Components[max(i, 0)] // the only one, if none is named
	for _, r := range c.Returns {
		if r.Holds == holds {
			return r.Action
		}
	}
	if c.Other == "" {
		c.Other = m.capital()
		c.Alphabet, m.Observed = append(c.Alphabet, c.Other), append(m.Observed, c.Other)
	}
	action := m.capital()
	c.Returns = append(c.Returns, modelReturn{holds, action})
	c.Alphabet = append(c.Alphabet, action)
	return action
}

// specification makes edges of the definitions.
func (m *model) specification(definitions map[string][][]string) {
	set := func(name string) uint {
		switch i := slices.Index(m.States, name); {
		case name == "ERROR":
			return 1 << len(m.States)
		case i < 0: // STOP
			return 2 << len(m.States)
		default:
			return 1 << i
		}
	}
	for _, state := range m.States {
		for _, words := range definitions[state] {
			action := words[0]
			if r := returnText.FindStringSubmatch(action); r != nil {
				action = m.returned(r[1], result(action))
			}
			e := modelEdge{set(state), set(words[1]), action}
			if action == "tau" {
				m.Taus = append(m.Taus, e)
				continue
			}
			m.Edges = append(m.Edges, e)
			if !slices.Contains(m.Observed, action) {
				m.Observed = append(m.Observed, action)
			}
		}
	}
	reached := uint(1)
	for range m.States {
		for _, e := range slices.Concat(m.Edges, m.Taus) {
			if reached&e.From != 0 {
				reached |= e.To
			}
		}
	}
	m.Errors = reached & set("ERROR")
}

// mentions are the actions in the text of a function and of those with a body
// that it calls, and of routines.
func (m *model) mentions(bodies map[string]string, name string) (actions []string) {
	for _, a := range actionText.FindAllStringSubmatch(bodies[name], -1) {
		actions = append(actions, a[1])
	}
	for callee := range bodies {
		if strings.Contains(bodies[name], callee+"(") {
			actions = append(actions, m.mentions(bodies, callee)...)
		}
	}
	for _, r := range m.Routines {
		if strings.Contains(bodies[name], r.Name+"(") {
			for _, w := range r.Ways {
				actions = append(actions, w.Actions...)
			}
		}
	}
	slices.Sort(actions)
	return slices.Compact(actions)
}
