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

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/specs"
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
func fails(ctx context.Context, command []string, file string, unwind int) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], "--unwind", strconv.Itoa(unwind), file)...)
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
	programs := 60
	if testing.Short() {
		programs = 10
	}
	if n, err := strconv.Atoi(os.Getenv("MAGUS_PEERS")); err == nil {
		programs = n
	}
	p := &peer{dir: t.TempDir(), command: command}
	count := map[string]int{}
	for seed := range uint64(programs) {
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
	require.Positive(t, count["conforms"])
	require.Positive(t, count["violates"])
	require.Less(t, 4*(programs-count["conforms"]-count["violates"]), programs, "most are decided by both")
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
		actions, unwind = max(len(o.Run.Full), 1), turns(o.Run)+1
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
	p, err := magus.Load(ctx, magus.Input{C: []cfa.Source{{Name: "p.c", Text: []byte(c)}}, Specs: []specs.Source{{Name: "p.spec", Text: []byte(spec)}}})
	if err != nil {
		return nil, err
	}
	claims, err := p.Claims(magus.Selection{})
	if err != nil {
		return nil, err
	}
	s, err := magus.NewSession(ctx, claims[len(claims)-1], magus.Options{ReduceTurns: 1, MaxIterations: 400})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Run(ctx, nil), nil
}

// turns is how often a run comes to one place, at most: no loop goes round more
// often.
func turns(r *magus.Run) int {
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

var boundedTemplate = template.Must(template.New("").Parse(`// Does a trace of at most {{len .Actions}} actions violate the specification?
_Bool __VERIFIER_nondet_bool(void);
int nondet_int(void);
char nondet_char(void);

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
static int routine_{{.Name}}(int p) {
	int way = nondet_int(), r = nondet_int();
{{- range $i, $way := .Ways}}
	if (way == {{$i}} && {{.Guard}}) {
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
#define {{.Name}}(p) routine_{{.Name}}(p); if (at == owned) return 0
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
	int r = {{.Name}}();
	{{- if $.Returns}}
	if (at < owned) act({{range $.Returns}}{{.Holds}} ? '{{.Action}}' : {{end}}'*');
	{{- end}}
	__CPROVER_assume(at == owned);
}
{{end}}
static int observed(char a) {
	return 0{{range .Observed}} || a == '{{.}}'{{end}};
}

// step follows a set of states of the specification.
static unsigned step(unsigned from, char a) {
	unsigned to = 0;
	if (!observed(a)) return from;
	{{- range .Edges}}
	if (from & {{.From}}u && a == '{{.Action}}') to |= {{.To}}u;
	{{- end}}
	return to;
}

int main(void) {
	unsigned states = 1;
	length = nondet_int();
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

// A model is what the template needs. Actions are single characters.
type model struct {
	Text       string
	Actions    []int // positions of the trace
	Components []modelComponent
	Routines   []modelRoutine
	Returns    []modelReturn
	Observed   []string // the specification's alphabet
	Edges      []modelEdge
	Errors     uint // the ERROR state as a set; 0: not mentioned
}

type modelComponent struct {
	Name     string
	Alphabet []string
}

type modelRoutine struct {
	Name string
	Ways []modelWay
}

// A modelWay is one thing that a routine may do where its guard holds.
type modelWay struct {
	Guard   string // about p
	Actions []string
	Result  string // about r
}

type modelReturn struct{ Holds, Action string }

type modelEdge struct {
	From, To uint // sets of one state
	Action   string
}

var (
	definitionText = regexp.MustCompile(`(?m)^(\w+) = \( (.*) \)[,.]$`)
	procedureText  = regexp.MustCompile(`procedure (\w+) \{ (.*) \}\n`)
	abstractText   = regexp.MustCompile(`abstract \{ \((.*?)\), (\w+) \}`)
	programText    = regexp.MustCompile(`program (.*) \{ specification \w+, \{.*\}, S0; \}`)
	prototypeText  = regexp.MustCompile(`(?m)^void __MAGUS_ACTION__.*\n|^_Bool __VERIFIER_nondet_bool.*\n|^int \w+\(int\);\n`)
	actionText     = regexp.MustCompile(`__MAGUS_ACTION__\("(\w)"\)`)
	functionText   = regexp.MustCompile(`(?ms)^int (\w+)\(void\) \{$(.*?)^\}$`)
)

// readModel reads what [generator.program] writes, and nothing else.
func readModel(c, spec string) (*model, error) {
	m := &model{Text: prototypeText.ReplaceAllString(c, "")}
	definitions := map[string][][]string{} // alternatives, each a row of words
	var states []string
	for _, d := range definitionText.FindAllStringSubmatch(spec, -1) {
		for _, alternative := range strings.Split(d[2], " | ") {
			definitions[d[1]] = append(definitions[d[1]], strings.Split(alternative, " -> "))
		}
		if d[1][0] == 'S' {
			states = append(states, d[1])
		}
	}
	for _, p := range procedureText.FindAllStringSubmatch(spec, -1) {
		r := modelRoutine{Name: p[1]}
		for _, a := range abstractText.FindAllStringSubmatch(p[2], -1) {
			for _, words := range definitions[a[2]] {
				last := len(words) - 2 // the return; what follows is STOP
				r.Ways = append(r.Ways, modelWay{strings.ReplaceAll(a[1], "$1", "p"), words[:last], condition(words[last])})
			}
		}
		m.Routines = append(m.Routines, r)
	}
	m.specification(states, definitions)
	bodies := map[string]string{}
	for _, f := range functionText.FindAllStringSubmatch(c, -1) {
		bodies[f[1]] = f[2]
	}
	program := programText.FindStringSubmatch(spec)
	if program == nil || len(states) == 0 {
		return nil, errors.New("this is not what the generator writes")
	}
	for _, name := range strings.Split(program[1], ", ") {
		if bodies[name] == "" {
			return nil, fmt.Errorf("no body of %s", name)
		}
		m.Components = append(m.Components, modelComponent{name, m.alphabet(bodies[name])})
	}
	return m, nil
}

// condition is {$0 == 1} in C, about r.
func condition(word string) string {
	word = strings.TrimPrefix(word, "return {")
	return strings.ReplaceAll(strings.TrimSuffix(word, "}"), "$0", "r")
}

// specification makes edges of the definitions. A return is an action with the
// number of its condition.
func (m *model) specification(states []string, definitions map[string][][]string) {
	set := func(name string) uint {
		switch i := slices.Index(states, name); {
		case name == "ERROR":
			m.Errors = 1 << len(states)
			return m.Errors
		case i < 0: // STOP
			return 2 << len(states)
		default:
			return 1 << i
		}
	}
	for _, state := range states {
		for _, words := range definitions[state] {
			action := words[0]
			if strings.HasPrefix(action, "return") {
				holds := condition(action)
				i := slices.IndexFunc(m.Returns, func(r modelReturn) bool { return r.Holds == holds })
				if i < 0 {
					i = len(m.Returns)
					m.Returns = append(m.Returns, modelReturn{holds, strconv.Itoa(i)})
				}
				action = m.Returns[i].Action
			}
			m.Edges = append(m.Edges, modelEdge{set(state), set(words[1]), action})
			m.Observed = append(m.Observed, action)
		}
	}
	if len(m.Returns) > 0 {
		m.Observed = append(m.Observed, "*")
	}
	slices.Sort(m.Observed)
	m.Observed = slices.Compact(m.Observed)
}

// alphabet are the actions that a component mentions, those of the routines
// that it calls, and its returns if any is observed.
func (m *model) alphabet(body string) (actions []string) {
	for _, a := range actionText.FindAllStringSubmatch(body, -1) {
		actions = append(actions, a[1])
	}
	for _, r := range m.Routines {
		if strings.Contains(body, r.Name+"(") {
			for _, w := range r.Ways {
				actions = append(actions, w.Actions...)
			}
		}
	}
	if len(m.Returns) > 0 {
		for _, r := range m.Returns {
			actions = append(actions, r.Action)
		}
		actions = append(actions, "*")
	}
	slices.Sort(actions)
	return slices.Compact(actions)
}
