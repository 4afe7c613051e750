package smtlib

import (
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"magus/smt/expr"
	"magus/smt/solver"
)

// A Config says which solver to run. The zero value is z3 on the PATH.
type Config struct {
	// Kind is the solver's name, "z3" or "cvc5"; it decides on the arguments.
	Kind string
	// Path is the executable; by default the one of the name Kind on the PATH.
	Path string
	// Args replace the usual arguments, which make the solver read SMT-LIB
	// from its standard input.
	Args []string
	// Timeout bounds each Check, beside its context; 0 is no bound.
	Timeout time.Duration
	// Effort bounds each Check in the solver's own unit of work, so that where it
	// ends does not depend on the machine; 0 is no bound.
	Effort int
}

// kind is what the solvers differ in.
type kind struct {
	name   string
	args   []string
	effort string // the argument that bounds the effort of each query
}

var kinds = []kind{
	{name: "z3", args: []string{"-in", "-smt2"}, effort: "rlimit="},
	{name: "cvc5", args: []string{"--lang=smt2", "--incremental"}, effort: "--rlimit-per="},
}

// Factory opens solvers of this configuration.
func (c Config) Factory() solver.Factory {
	return func(p *expr.Pool) (solver.Full, error) { return New(p, c) }
}

// command is the executable with its arguments.
func (c Config) command() (name, path string, args []string, err error) {
	name = c.Kind
	if name == "" {
		name = kinds[0].name
	}
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	if i < 0 {
		return "", "", nil, fmt.Errorf("no solver of the name %q is known: choose %s", name, strings.Join(names(), " or "))
	}
	path, args = c.Path, c.Args
	if path == "" {
		path = name
	}
	if args == nil {
		args = kinds[i].args
	}
	if c.Effort > 0 {
		args = append(slices.Clone(args), kinds[i].effort+strconv.Itoa(c.Effort))
	}
	if path, err = exec.LookPath(path); err != nil {
		return "", "", nil, fmt.Errorf("solver %s cannot be run: %w", name, err)
	}
	return name, path, args, nil
}

func names() []string {
	var ns []string
	for _, k := range kinds {
		ns = append(ns, k.name)
	}
	return ns
}
