package cli

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"magus/app/input"
	"magus/param"
	"magus/param/linear"
)

// simulateFlags are the flags of `magus param simulate`.
type simulateFlags struct {
	paramFlags
	processes, steps int
	seed             uint64
	set              []string
}

func newParamSimulate(w *World, status *int) *cobra.Command {
	f := &simulateFlags{}
	c := f.paramCommand(w, status, &cobra.Command{
		Use:   "simulate [flags] FILE",
		Short: "Show a random run",
		Long: `Simulate begins in an initial configuration with the given number of processes and takes
rules at random. The same seed gives the same run. Exit status: 1 if the run reaches a
bad configuration, where it ends, 2 if there is no such initial configuration.`,
		Example: "  magus param simulate --processes 4 --steps 12 readers-writers.param",
	}, arguments(1, 1), func(ctx context.Context, args []string) (int, error) { return f.run(ctx, w, args[0]) })
	fs := c.Flags()
	fs.IntVar(&f.processes, "processes", 3, "begin with `N` processes; -1 for as few as there can be")
	fs.IntVar(&f.steps, "steps", 20, "take at most `N` steps")
	fs.Uint64Var(&f.seed, "seed", 1, "the `NUMBER` that random choices depend on")
	fs.StringArrayVar(&f.set, "set", nil, "begin with `NAME=NUMBER` (repeatable)")
	return c
}

func (f *simulateFlags) run(ctx context.Context, w *World, name string) (int, error) {
	m, _, err := readModel(w, name)
	if err != nil {
		return 0, err
	}
	if err := f.restrict(m); err != nil {
		return 0, err
	}
	sys, err := param.Compile(ctx, m)
	if err != nil {
		return 0, err
	}
	start, ok := initialConfig(ctx, sys)
	if !ok {
		return 0, input.Errorf("%s: no initial configuration was found%s; see --processes and --set", name, f.wanted(m))
	}
	run, bad := f.walk(ctx, m, start)
	rows, err := m.Rows(run)
	if err != nil {
		return 0, err
	}
	var b strings.Builder
	writeRows(&b, m, rows)
	status := exitConforms
	switch last := rows[len(rows)-1]; {
	case bad >= 0:
		fmt.Fprintf(&b, "bad: %s\n", m.Formula(m.Bad[bad].Formula))
		status = exitViolates
	case len(run.Rules) < f.steps && ctx.Err() == nil:
		fmt.Fprintf(&b, "no rule can be taken in %s\n", m.Config(last.Config))
	}
	_, err = io.WriteString(w.Stdout, b.String())
	return status, err
}

func (f *simulateFlags) wanted(m *param.Model) string {
	if f.processes < 0 || len(m.Locals()) == 0 {
		return ""
	}
	return fmt.Sprintf(" with %d processes", f.processes)
}

// restrict adds to init what the flags say.
func (f *simulateFlags) restrict(m *param.Model) error {
	also := param.And{m.Init}
	if f.processes >= 0 && len(m.Locals()) > 0 {
		all := param.Linear{}
		for _, q := range m.Locals() {
			all = all.Add(1, param.Variable(q))
		}
		also = append(also, param.Compare{Op: param.Eq, Left: all, Right: param.Linear{Const: int64(f.processes)}})
	}
	for _, s := range f.set {
		name, number, _ := strings.Cut(s, "=")
		n, err := strconv.ParseInt(number, 10, 32)
		if err != nil || n < 0 {
			return &usageError{fmt.Sprintf("--set %s: expected NAME=NUMBER", s), "magus param simulate"}
		}
		found := false
		for i, known := range m.Names {
			if known.Text == name {
				also = append(also, param.Compare{Op: param.Eq, Left: param.Variable(i), Right: param.Linear{Const: n}})
				found = true
			}
		}
		if !found {
			return &usageError{fmt.Sprintf("--set %s: the model has no name %s", s, name), "magus param simulate"}
		}
	}
	m.Init = also
	return nil
}

// initialConfig is an initial configuration with small values.
func initialConfig(ctx context.Context, sys *param.System) (param.Config, bool) {
	for _, c := range sys.Init {
		if x, ok := linear.Point(ctx, len(sys.Dims), c.Atoms); ok {
			return sys.Join(c.Control, x), true
		}
	}
	return nil, false
}

// walk takes rules at random; bad is the number of the property whose bad configuration it reaches, or -1.
func (f *simulateFlags) walk(ctx context.Context, m *param.Model, start param.Config) (run param.Run, bad int) {
	r := rand.New(rand.NewPCG(f.seed, 0))
	run.Start = start
	at := start
	for {
		for i, p := range m.Bad {
			if m.Holds(p.Formula, at) {
				return run, i
			}
		}
		if len(run.Rules) >= f.steps || ctx.Err() != nil {
			return run, -1
		}
		var rules []int
		var nexts []param.Config
		for i := range m.Rules {
			if next, ok := m.Fire(i, at); ok {
				rules, nexts = append(rules, i), append(nexts, next)
			}
		}
		if len(rules) == 0 {
			return run, -1
		}
		k := r.IntN(len(rules))
		run.Rules, at = append(run.Rules, rules[k]), nexts[k]
	}
}
