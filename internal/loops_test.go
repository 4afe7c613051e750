package internal

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// endless is the statement of policy about loops that nothing counts: neither a range, nor a loop with a
// third part, nor one whose condition compares with < or > or looks for nil. Such a loop sees a context, by itself or by
// what it calls with it, or stands here, with the reason why it ends without one:
//
//	nodes   a turn takes a node, location, state or term out of a list in which each is once, or as often as
//	        something about it grows: linear in a structure that was built under a context
//	less    a turn makes something smaller: a list is taken apart, a number divided, two become one
//	chain   a turn goes a step along a chain, up a tree, or to the next place of a table that has a free one
//	text    a turn reads a word or a character of a text
//	steps   at most a limit that the loop has, or an error, ends it
//
// What one turn costs, and loops that are counted, this does not see; that interruptions are heard within all
// phases is tested where they are (cmd/magus/endless_test.go, internal/cli/interrupt_test.go).
const endless = `
	actionref: nodes follow, step; less findPath;
	bounded: nodes sort, findPlaces, closing; less mergeOpposites;
	cegar: nodes silently, moves, heads;
	cfa: nodes reachable, postorder, renumber, each, flow; less prune, compact; chain end, newThreads, NewVar, Temp, UniqueName, WithLine;
	cfa/interp: nodes closure, liveAtEntry; chain stands, next; steps turn;
	cfa/lower: nodes alphabet, onlyComputes, flatten; text asm, conversions, scans; chain innermost, onlyStatement, exit, enterScope;
	cfa/memory: less search, gcd;
	cfa/pointsto: nodes From; chain find; less gcd;
	cfa/source: text sum, written, checkText; chain Inspect, asWritten, Unparen, Callee, StripPointerCasts;
	internal/certificate: nodes closed, blocksBefore; less cone; chain visible;
	internal/coverage: nodes reach, lose;
	internal/draw: less unite;
	internal/graph: nodes Reachable, search;
	internal/layered: nodes link, turn; chain bound, portions;
	internal/sat: nodes redundant; chain analyze; less down, decide;
	internal/solver/bitblast: steps leaves;
	internal/solver/embedded: chain flatten;
	internal/solver/order: nodes visit; chain Relaxed, find;
	internal/svwitness: chain cube; less join;
	lts: nodes reach; text nextLine, longLine; chain AddState, intern, apart, grow, root, runOf; steps play, explain; less smaller, order, needs, steps, successors, refine, answer;
	lts/cert: text certificate, end, labels, simulations, pairs; nodes closed;
	lts/counting: nodes closed;
	lts/fsp: text scan, Parse, progressItem, process, params, primitive, body, target, arguments, choice, label, setName, relabelSet, indices, composite, level; chain decide;
	minimize: less greedy, trimmed; steps abort;
	param: text model, states, shared, formula, conjunction, comparison, sum, index, assignment, sources, ParseProof; less merge, controlled;
	param/cert: less empty;
	param/linear: steps solve; less gcd;
	predabs: less mergeAtoms; chain grow, find;
	specs: nodes rooted; text scan, typeName, parseFile, statements, predicates, program, specification, process, definition, parallel, choice, branch, labels, label, renamings; less trimZeros;
	threads: nodes heads, escapes, effects, walk, defined;
	threads/events: nodes concurrent; chain preserved, common, visit;
	threads/order: nodes Linear, Sorted, endReason; chain collect;
	threads/regions: nodes concurrent, findSections, track, regions, commutes;
`

// outside are folders whose loops are not looked at: what is around the engines, which waits for
// people or writes what they have found, benchmarks, and what only tests use.
var outside = []string{"cmd", "bench", "contrib", "examples", "internal/cli", "internal/repl", "internal/lsp", "internal/options", "internal/input", "internal/compdb",
	"internal/report", "internal/page", "internal/phrase", "internal/suite", "internal/harness", "internal/job", "internal/metamorph", "internal/graph/dottest", "internal/solver/smtlib",
	"internal/solver/solvertest", "internal/sat/drup", "internal/draw/drawtest", "cfa/cfatest", "param/paramtest", "cfa/source/libc", "param/mist", "param/syntax"}

// TestLoopsSeeTheirContext: every loop that nothing counts sees a context, or is listed; and what is listed is there.
func TestLoopsSeeTheirContext(t *testing.T) {
	listed := map[string]bool{}
	for entry := range strings.SplitSeq(strings.TrimSpace(endless), "\n") {
		dir, rest, ok := strings.Cut(strings.TrimSpace(entry), ": ")
		require.True(t, ok, entry)
		for kind := range strings.SplitSeq(strings.Trim(rest, ";"), ";") {
			reason, list, ok := strings.Cut(strings.TrimSpace(kind), " ")
			require.True(t, ok && slices.Contains([]string{"nodes", "less", "chain", "text", "steps"}, reason), kind)
			for _, name := range names(list) {
				require.NotContains(t, listed, dir+": "+name)
				listed[dir+": "+name] = false
			}
		}
	}
	files := token.NewFileSet()
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		name := strings.TrimPrefix(filepath.ToSlash(file), "../")
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains(outside, name) || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && name != ".."):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		syntax, err := parser.ParseFile(files, name, text, 0)
		if err != nil {
			return err
		}
		for _, decl := range syntax.Decls {
			for _, l := range endlessLoops(decl) {
				key := fmt.Sprintf("%s: %s", path.Dir(name), decl.(*ast.FuncDecl).Name.Name)
				if _, is := listed[key]; !is {
					t.Errorf("%v: %s: this loop is not counted and sees no context: let it see one, or list it above with the reason why it ends", files.Position(l.Pos()), key)
				}
				listed[key] = true
			}
		}
		return nil
	})
	require.NoError(t, err)
	for key, met := range listed {
		require.True(t, met, "%s has no such loop", key)
	}
}

// TestEndlessLoopsAreSeen: which loops the test before finds.
func TestEndlessLoopsAreSeen(t *testing.T) {
	for text, want := range map[string]int{
		"for { x() }":                         1,
		"for len(x) > 0 { x = x[1:] }":        1,
		"for changed { }":                     1,
		"for x != y { }":                      1,
		"for { if ctx.Err() != nil { } }":     0,
		"for { s.step(ctx) }":                 0,
		"for i < 3 { i++ }":                   0,
		"for p != nil { p = p.up }":           0,
		"for i := 0; ; i++ { }":               0,
		"for range x { for { } }":             1,
		"func() { for len(w) > 0 { y() } }()": 1,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {\n"+text+"\n}\n", 0)
		require.NoError(t, err)
		require.Len(t, endlessLoops(f.Decls[0]), want, text)
	}
}

// endlessLoops are the loops of a function that nothing counts and that see no context.
func endlessLoops(decl ast.Decl) []*ast.ForStmt {
	var all []*ast.ForStmt
	if f, ok := decl.(*ast.FuncDecl); !ok || f.Body == nil {
		return nil
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		if l, ok := n.(*ast.ForStmt); ok && l.Post == nil && !isCounted(l.Cond) && !seesContext(l) {
			all = append(all, l)
		}
		return true
	})
	return all
}

// isCounted reports whether a condition compares numbers, other than a length, or looks for nil.
func isCounted(cond ast.Expr) bool {
	b, ok := cond.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	switch b.Op {
	case token.LAND:
		return isCounted(b.X) || isCounted(b.Y)
	case token.LOR:
		return isCounted(b.X) && isCounted(b.Y)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		call, ok := b.X.(*ast.CallExpr)
		if !ok {
			return true
		}
		name, ok := call.Fun.(*ast.Ident)
		return !ok || name.Name != "len"
	case token.NEQ:
		y, ok := b.Y.(*ast.Ident)
		return ok && y.Name == "nil"
	}
	return false
}

// seesContext reports whether something in a loop has the name of a context, of what counts looks at one, or of what asks
// whether one has ended.
func seesContext(l *ast.ForStmt) bool {
	sees := false
	ast.Inspect(l, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && slices.Contains([]string{"ctx", "tick", "Err", "interrupted"}, id.Name) {
			sees = true
		}
		return !sees
	})
	return sees
}
