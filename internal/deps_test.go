// Package internal holds the test of who may import whom.
package internal

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rules is the statement of policy, in the manner of go/build/deps_test.go.
//
//	a, b < c     c may import a, b and whatever they may import
//	NONE < c     c may import nothing of the module
//	a !< b       b may import a neither directly nor by way of others
//	a only b, c  of the whole module, only b and c import a (a is a package of
//	             another module, or of the standard library)
//	b takes X, Y from a
//	             of package a, b uses the names X and Y only
//
// Packages are named within the module; magus is its root. Imports of other
// modules and of the standard library are free where no rule names them. Tests
// may import what they like.
const rules = `
	# Plain mathematics.
	NONE < internal/layered, internal/bitset, smt/softfloat, smt/sat;
	smt/softfloat < smt/expr, smt/elementary;
	NONE < internal/graph/dottest;
	internal/layered, internal/bitset < internal/graph;
	internal/bitset < minimize;

	# The decision procedure: one interface, two procedures in the house, an
	# outside one, and the two in the house together.
	smt/expr < smt/solver < smt/order, smt/smtlib;
	smt/expr, internal/bitset < smt/symbolic;
	internal/graph < smt/order;
	smt/solver, smt/sat < smt/bitblast;
	smt/softfloat, smt/solver < smt/boxes;
	smt/order, smt/bitblast, smt/boxes < smt/embedded;
	smt/solver < smt/checked, smt/record;
	smt/solver < smt/recurrence < predabs, engine/liveness, engine/termination;
	smt/embedded < smt/solvertest;
	smt/sat < smt/sat/drup;

	# Events: transition systems and their abstraction.
	internal/graph, internal/bitset < lts < actionref;
	lts < lts/cert < app/cli;
	lts < lts/fsp < app/cli;
	lts, lts/ltl, internal/graph < lts/assertion < lts/fsp;
	lts < lts/counting < engine/cegar;
	internal/pattern < app/compdb;
	cfa/source, specs, app/compdb, internal/phrase < app/input < app/options;
	app/input < app/outfile < app/job;
	evidence/witness < evidence/harness < app/cli;
	lts < bench/lts;
	cfa/lower < bench/lowering;
	smt/elementary < cfa/lower;
	app/cli < bench/late;
	smt/embedded < bench/queries;
	magus, internal/usage < bench/threads;
	NONE < internal/sample < bench/campaign;
	NONE < bench/families;
	magus, engine/cegar < bench/sequences, bench/ends;
	evidence/certificate < bench/ends;
	bench/families < bench/tables, bench/late;
	NONE < bench/mutants;
	NONE < bench/ruleproject;
	app/job, specs/rulebook < bench/planted;

	# Data: programs and their abstraction.
	internal/graph, internal/bitset < cfa/pointsto;
	NONE < cfa/cfatest;
	internal/graph, smt/expr < cfa < cfa/interp;
	internal/bitset < cfa/interp;
	cfa, internal/graph < cfa/cells < engine/cegar;
	cfa, cfa/pointsto, internal/phrase < cfa/memory < cfa/lower;
	NONE < internal/pattern < cfa/source/libc;
	NONE < cfa/source/builtin < cfa/source;
	NONE < cfa/source/lex < cfa/source/preprocess;
	cfa < cfa/source/preprocess < cfa/source/reword < cfa/source;
	cfa/source/libc < cfa/source/reword;
	cfa, cfa/source/libc, internal/phrase < cfa/source < cfa/lower;
	cfa/source/libc < app/cli;
	cfa/source !< cfa/memory;
	cfa/memory !< cfa/source;
	lts, smt/expr, internal/phrase, smt/solver, smt/embedded < specs;
	cfa < cfa/monitor < component;
	cfa/monitor, smt/embedded < component;
	cfa/lower, specs, lts, smt/solver, internal/phrase < component < predabs;
	specs < specs/rulebook < magus;
	internal/graph < engine/rules < magus;
	cfa, internal/phrase < evidence/verdict;
	minimize !< evidence/verdict;
	component, cfa/interp, evidence/verdict < evidence/witness;
	component, internal/graph, internal/phrase, evidence/verdict < evidence/coverage;
	NONE < engine/portfolio < engine/bounded, engine/threads, param/engine;
	component, internal/bitset, smt/bitblast, smt/symbolic < engine/bounded < engine/cegar;
	component, smt/expr < engine/invariants < engine/bounded, engine/cegar;
	engine/portfolio, component, predabs, lts, smt/solver < engine/summaries < engine/cegar;
	component, lts, smt/solver < engine/contracts < engine/cegar;
	NONE < lts/ltl;
	lts/ltl, engine/cegar, component, smt/solver, internal/graph, internal/bitset, evidence/witness, evidence/certificate, evidence/confirm < engine/liveness < magus;
	engine/summaries !< engine/bounded, evidence/certificate;
	engine/contracts !< engine/summaries, evidence/certificate;
	engine/summaries !< engine/contracts;
	predabs !< engine/contracts;
	engine/cegar, engine/bounded, engine/invariants, evidence/confirm, evidence/witness < engine/termination < magus;
	engine/bounded !< predabs;
	predabs !< engine/bounded;

	# The loop over both, and what is around it.
	predabs, actionref, minimize, evidence/witness, evidence/certificate, evidence/coverage < engine/cegar < magus;
	smt/embedded, smt/smtlib, smt/checked, smt/record < engine/cegar;

	# Verdicts are checked before they are told, whoever comes to one.
	evidence/verdict, evidence/certificate, smt/embedded < evidence/confirm < engine/cegar, engine/threaded;

	# Certificates are checked with nothing of the loop: of the component, what the
	# specification makes of its calls and returns, but not its graph; of lts, what
	# an LTS and an answer are.
	component, lts/cert < evidence/certificate;
	predabs !< evidence/certificate;
	evidence/certificate !< predabs;
	actionref !< evidence/certificate;
	minimize !< evidence/certificate;
	evidence/certificate takes Call, ChoiceFairness, Claim, Component, Copy, Divergences, Fairness, Live, NoDeadlock, NoError, NoFairness, NoLivelock, NoRace, Question, Simulation, StrongFairness, System, Terminates, WeakFairness from component;
	evidence/certificate takes Action, Edge, LTS, NewBuilder, Standing, State, SyntaxError, Tau from lts;
	lts/cert takes Action, Edge, Fails, Holds, LTS, Pair, Result, Simulated, Simulations, State, SyntaxError, Tau from lts;
	NONE < internal/phrase, app/report/junit;
	app/report < app/suite < app/page, app/cli;
	NONE < app/revision < app/cli;
	internal/phrase < app/project < app/cli;
	cfa/source < app/skeleton < app/cli;
	app/compdb < app/cli;
	internal/phrase, magus < app/report, app/draw;
	internal/phrase, magus < app/options;
	app/options, app/report, evidence/certificate < app/job;
	app/options, app/report, app/draw, app/report/junit < app/repl;
	NONE < internal/sample; # how much of a test is done
	internal/usage < internal/countdown; # how long
	NONE < internal/golden; # tests only
	NONE < internal/inorder < app/job;
	NONE < internal/metamorph, bench/benchexec, bench/conformance; # the one has tests only, the others start the program
	NONE < internal/usage < app/job, bench/lts, bench/lowering, bench/late;
	app/report < app/report/sarif < app/cli;
	app/report, cfa/source, internal/phrase < app/findings < app/cli;
	app/report, app/draw, internal/layered < app/page < app/cli;
	engine/cegar < app/report/svwitness < app/cli;
	evidence/certificate < app/cli;
	internal/pattern, app/suite, app/job, app/findings < app/lsp < app/cli;
	NONE < examples;
	app/repl, app/draw, app/page, examples < app/web < app/cli;
	app/job, app/repl < app/cli < cmd/magus;
	magus, app/cli < bench, bench/tables;

	# Systems of any number of processes: models, how they are searched, and how a
	# proof is checked, which knows only the models.
	NONE < param/syntax, param/linear, param/dbm;
	param/syntax, param/linear < param < param/mist, param/cert, param/paramtest;
	param, param/dbm < param/engine;
	param/engine !< param/cert;
	param/cert !< param/engine;
	param/cert takes And, Bool, Compare, Deadlock, Eq, Formula, Ge, Gt, Le, Linear, Lt, Model, Ne, Not, Op, Or, Proof, Range, Term, Truth, Variable from param;
	param/engine, param/mist, param/cert < app/cli;

	# Threads: orders of accesses know no programs.
	internal/bitset < cfa/events/order;
	cfa, cfa/events/order, internal/bitset, smt/symbolic < cfa/events;
	cfa/events, smt/solver < evidence/threadcert < evidence/certificate;
	cfa/interp, cfa/events, evidence/threadcert, smt/sat, smt/bitblast, internal/phrase < engine/threads;
	evidence/threadcert !< cfa/events;
	engine/threads !< evidence/threadcert;
	engine/threads !< evidence/certificate;
	evidence/threadcert takes Node from cfa/events/order;
	evidence/threadcert takes Bounds, ErrLarge, Program, Unroll from cfa/events;
	cfa, smt/expr < cfa/sequential < engine/threaded;
	cfa/sequential, internal/graph < cfa/joint < component;
	cfa < engine/threads/reduction;
	engine/threads, engine/threads/reduction, engine/cegar < engine/threaded < magus;
	predabs !< engine/threads;
	# The root alone asks whether a claim is about threads.
	app/repl takes Session from engine/threaded;
	bench/threads takes Session from engine/threaded;
	engine/cegar !< engine/threads;

	# The two levels know nothing of each other, nor does what chooses predicates
	# know what predicates are.
	cfa !< lts;
	lts !< cfa;
	actionref !< predabs;
	predabs !< actionref;
	minimize !< predabs;
	predabs !< minimize;

	# Each outside library has one door.
	modernc.org/cc/v4                  only cfa/source, cfa/lower;
	modernc.org/token                  only cfa/source;
	github.com/crillab/gophersat       only minimize;
	github.com/BurntSushi/toml         only app/suite, app/project;
	go.lsp.dev/protocol                only app/lsp;
	go.lsp.dev/jsonrpc2                only app/lsp;
	go.lsp.dev/uri                     only app/lsp;
	github.com/emicklei/dot            only internal/graph;
	github.com/spf13/cobra             only app/cli;
	github.com/chzyer/readline         only app/repl;
	github.com/stretchr/testify        only smt/solvertest, internal/golden, internal/countdown;
	testing                            only smt/solvertest, internal/sample, internal/golden, internal/countdown;

	# No files, processes, clocks and logs below the command line. An SMT solver
	# is a process; an fs.FileInfo has a time.
	os             only app/input, app/outfile, app/revision, internal/sample, internal/golden, internal/usage, app/job, app/cli, cmd/magus, bench/tables, bench/benchexec, bench/campaign, bench/conformance, bench/lts, bench/lowering, bench/late, bench/mutants, bench/queries, bench/planted, bench/ruleproject, bench/threads, bench/sequences, bench/ends;
	os/exec        only smt/smtlib, app/job, app/revision, app/cli, bench/campaign, bench/conformance, bench/tables, bench/queries, bench/mutants;
	os/signal      only cmd/magus, bench/mutants, bench/planted;
	syscall        only smt/smtlib, app/input, app/outfile, internal/usage, cmd/magus, bench/tables, bench/conformance;
	time           only smt/smtlib, cfa/source, app/options, internal/usage, internal/countdown, app/job, app/lsp, app/web, app/cli, bench/conformance, bench/tables, bench/lts, bench/lowering, bench/late, bench/mutants, bench/queries, bench/planted, bench/threads, bench/sequences, bench/ends;
	log            only NONE;
	log/slog       only NONE;
	net            only app/web;
	net/http       only app/web;
`

// folders are the folders from the top down, a line each. A package imports from its own folder and from
// those of lower lines only; folders of one line do not know each other.
const folders = `
	bench contrib
	cmd
	app
	magus
	param
	engine
	evidence
	predabs actionref minimize
	component
	specs
	cfa lts
	smt
	internal examples
`

// A policy is the rules, parsed.
type policy struct {
	below map[string][]string // b -> every a of a rule a < b
	never [][2]string         // a, b of a rule a !< b
	only  map[string][]string // who may import an outside package
	takes []selection
}

// A selection is the names of one package that another one may use.
type selection struct {
	user, used string
	names      []string
}

func parseRules(text string) (*policy, error) {
	p := &policy{below: map[string][]string{}, only: map[string][]string{}}
	var clean []string
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(line, "#")
		clean = append(clean, strings.Fields(code)...)
	}
	for rule := range strings.SplitSeq(strings.Join(clean, " "), ";") {
		rule = strings.TrimSpace(rule)
		if rule == "" {
			continue
		}
		if err := p.add(rule); err != nil {
			return nil, err
		}
	}
	return p, p.acyclic()
}

func (p *policy) add(rule string) error {
	if user, rest, ok := strings.Cut(rule, " takes "); ok {
		list, used, ok := strings.Cut(rest, " from ")
		if !ok {
			return fmt.Errorf("no rule: %q", rule)
		}
		p.takes = append(p.takes, selection{user, used, names(list)})
		return nil
	}
	if a, b, ok := strings.Cut(rule, " only "); ok {
		p.only[a] = names(b)
		return nil
	}
	if a, b, ok := strings.Cut(rule, " !< "); ok {
		p.never = append(p.never, [2]string{a, b})
		return nil
	}
	chain := strings.Split(rule, " < ")
	if len(chain) < 2 {
		return fmt.Errorf("no rule: %q", rule)
	}
	for i := 1; i < len(chain); i++ {
		for _, b := range names(chain[i]) {
			p.below[b] = append(p.below[b], names(chain[i-1])...)
		}
	}
	return nil
}

func names(list string) []string {
	var out []string
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "NONE" {
			out = append(out, name)
		}
	}
	return out
}

// allowed are the packages that b may import: everything on the way down.
func (p *policy) allowed(b string) map[string]bool {
	seen := map[string]bool{}
	var visit func(string)
	visit = func(name string) {
		for _, a := range p.below[name] {
			if !seen[a] {
				seen[a] = true
				visit(a)
			}
		}
	}
	visit(b)
	return seen
}

func (p *policy) acyclic() error {
	for b, as := range p.below {
		for _, a := range as {
			if _, ok := p.below[a]; !ok {
				return fmt.Errorf("%s stands below %s, but no rule says what it may import", a, b)
			}
		}
		if p.allowed(b)[b] {
			return fmt.Errorf("%s stands below itself", b)
		}
	}
	for _, n := range p.never {
		if p.allowed(n[1])[n[0]] {
			return fmt.Errorf("the rules let %s import %s, which must never be", n[1], n[0])
		}
	}
	return nil
}

// violations are the imports of a package that the rules do not allow.
func (p *policy) violations(pkg string, imports []string) []string {
	var wrong []string
	if _, ok := p.below[pkg]; !ok {
		return []string{pkg + ": no rule says what it may import"}
	}
	allowed := p.allowed(pkg)
	for _, path := range imports {
		name, own := inModule(path)
		switch {
		case own && !allowed[name]:
			wrong = append(wrong, fmt.Sprintf("%s imports %s", pkg, name))
		case !own:
			for outside, who := range p.only {
				if (path == outside || strings.HasPrefix(path, outside+"/") && strings.Contains(outside, ".")) &&
					!slices.Contains(who, pkg) {
					wrong = append(wrong, fmt.Sprintf("%s imports %s", pkg, path))
				}
			}
		}
	}
	slices.Sort(wrong)
	return wrong
}

// inModule is the name of an import path in the rules, if it is one of ours.
func inModule(path string) (string, bool) {
	if path == "magus" {
		return path, true
	}
	return strings.CutPrefix(path, "magus/")
}

// imports reads what each package of the module imports outside its tests.
func imports(t *testing.T, root string) map[string][]string {
	all := map[string][]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(dir)
		if pkg == "." {
			pkg = "magus"
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		all[pkg] = append(all[pkg], []string{}...)
		for _, spec := range file.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if !slices.Contains(all[pkg], p) {
				all[pkg] = append(all[pkg], p)
			}
		}
		return nil
	}))
	return all
}

func TestDependencies(t *testing.T) {
	p, err := parseRules(rules)
	require.NoError(t, err)
	all := imports(t, "..")
	require.Contains(t, all, "magus")
	require.Contains(t, all, "app/cli")
	for _, pkg := range slices.Sorted(maps.Keys(all)) {
		for _, wrong := range p.violations(pkg, all[pkg]) {
			t.Error(wrong)
		}
	}
}

// TestFolders: imports lead down.
func TestFolders(t *testing.T) {
	level := map[string]int{}
	for i, line := range strings.Split(strings.TrimSpace(folders), "\n") {
		for _, folder := range strings.Fields(line) {
			level[folder] = i
		}
	}
	folderOf := func(pkg string) string {
		folder, _, _ := strings.Cut(pkg, "/")
		_, known := level[folder]
		require.True(t, known, "folder %s has no level", folder)
		return folder
	}
	all := imports(t, "..")
	for _, pkg := range slices.Sorted(maps.Keys(all)) {
		for _, path := range all[pkg] {
			name, own := inModule(path)
			if !own {
				continue
			}
			from, to := folderOf(pkg), folderOf(name)
			if from != to && level[from] >= level[to] {
				t.Errorf("%s imports %s, which stands above it or beside it", pkg, name)
			}
		}
	}
}

// TestRooms: docs/design.md has a row for every package, or for the one that it is
// a part of.
func TestRooms(t *testing.T) {
	text, err := os.ReadFile("../docs/design.md")
	require.NoError(t, err)
	for pkg := range imports(t, "..") {
		if pkg == "bench" || strings.HasPrefix(pkg, "bench/") || pkg == "internal" || pkg == "internal/metamorph" {
			continue // measurements and tests
		}
		named := false
		for p := pkg; p != "." && !named; p = path.Dir(p) {
			named = strings.Contains(string(text), "`"+p+"`")
		}
		require.True(t, named, "%s has no row in docs/design.md", pkg)
	}
}

// What the checkers take from packages that they check.
func TestSelections(t *testing.T) {
	p, err := parseRules(rules)
	require.NoError(t, err)
	require.NotEmpty(t, p.takes)
	for _, s := range p.takes {
		files, err := filepath.Glob(filepath.Join("..", s.user, "*.go"))
		require.NoError(t, err)
		var used []string
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				used = append(used, selected(t, file, s.used)...)
			}
		}
		slices.Sort(used)
		require.Equal(t, s.names, slices.Compact(used), "what %s uses of %s", s.user, s.used)
	}
}

// selected are the names that a file uses of a package of the module.
func selected(t *testing.T, path, pkg string) []string {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	require.NoError(t, err)
	name := ""
	for _, spec := range file.Imports {
		if spec.Path.Value == strconv.Quote("magus/"+pkg) {
			require.Nil(t, spec.Name, path)
			name = filepath.Base(pkg)
		}
	}
	var used []string
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == name && name != "" {
				used = append(used, sel.Sel.Name)
			}
		}
		return true
	})
	return used
}

// The test of the test: policies that are broken, and imports that break them.
func TestRules(t *testing.T) {
	for text, want := range map[string]string{
		"NONE < a; a < b; b < a":   "stands below itself",
		"a < b":                    "no rule says what it may import",
		"NONE < a < b < c; a !< c": "must never be",
		"just words":               "no rule",
		"a takes B, C":             "no rule",
	} {
		_, err := parseRules(text)
		require.ErrorContains(t, err, want, text)
	}

	p, err := parseRules("NONE < a, x; a < b < magus; # remark\n x.org/y only b; os only NONE; a !< x")
	require.NoError(t, err)
	require.Empty(t, p.violations("magus", []string{"magus/a", "magus/b", "fmt", "os/exec"}))
	require.Empty(t, p.violations("b", []string{"magus/a", "x.org/y/z"}))
	require.Equal(t, []string{"a imports b", "a imports magus", "a imports os", "a imports x.org/y/z"},
		p.violations("a", []string{"magus/b", "magus", "x.org/y/z", "os"}))
	require.Equal(t, []string{"new: no rule says what it may import"}, p.violations("new", nil))
}
