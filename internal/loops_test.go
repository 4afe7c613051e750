package internal

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
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
// third part, nor one whose condition compares with < or > or looks for nil; and about those that go over a list which
// grows meanwhile, by what they do or call. Such a loop sees a context, by itself or by
// what it calls with it, or stands here, with the reason why it ends without one:
//
//	nodes   a pass takes a node, location, state or term out of a list in which each is once, or as often as
//	        something about it grows: linear in a structure that was built under a context
//	less    a pass makes something smaller: a list is taken apart, a number divided, two become one
//	chain   a pass goes a step along a chain, up a tree, or to the next place of a table that has a free one
//	text    a pass reads a word or a character of a text
//	steps   at most a limit that the loop has, or an error, ends it
//
// What one pass costs, and loops that are counted, this does not see; that interruptions are heard within all
// phases is tested where they are (cmd/magus/endless_test.go, app/cli/interrupt_test.go).
const endless = `
	actionref: nodes follow, step; less findPath;
	engine/bounded: nodes findCutPoints, closing; less mergeOpposites;
	engine/contracts: nodes inputsOf, outputs, define, read, reached;
	engine/cegar: nodes silently, moves;
	engine/liveness: nodes leads, walk, folded, first, behind, onward, liveness; chain trap; steps round;
	lts/ltl: nodes expand, ForEver, components, of; less reduced;
	engine/summaries: chain flatten;
	engine/termination: chain begins; nodes relevant;
	cfa: nodes each, flow; less prune, compact; chain newThreads, NewVar, Temp, UniqueName;
	cfa/interp: chain waitsWithin, next; steps section;
	cfa/lower: nodes onlyComputes, flatten; text place, asm, conversionsOf, scans; chain innermost, onlyStatement, leave, enterScope;
	cfa/memory: nodes locations, findCarriers; less searchAddress, gcd;
	cfa/pointsto: nodes From, spread; less gcd;
	app/findings: text parse;
	app/project: chain Find;
	app/skeleton: nodes events; chain process;
	cfa/source/lex: text Units, characterUnits, Comments;
	cfa/source/preprocess: text conditionTokens, operand, conditional, binary, include, put, pragmaOperator, skipLine, restOfLine, arguments, replaced; steps shift, next, Run;
	cfa/source/reword: text autoType, withoutParens, labelledValues, parametersIn, leastLengths, isDeclared, typeofQualifiers, isSimpleString, initialises, declared, made, staticLiteral, declaration, declaredNames, namesDeclared, behindAsterisks, isRecord, tagged, named, enumeration, chosenEnumerations, add, unknownLengths, filledLiterals, operandEnd, postfixEnd;
	cfa/source: text sum, written; nodes reached; chain ParameterLength, inspect, nameOf, asWritten, Unparen, Callee, StripPointerCasts, designator;
	component: nodes closed, divide, divideFrom, readFirst, writes, Lasting;
	evidence/certificate: nodes closed, blocksBefore, stands, resting, passedOn, closure, restsOn, holdsOf, procedure, within; less cone; chain visible;
	app/draw: less unite; nodes nested, sizes, within, dominators, visit; chain meet;
	internal/graph: nodes Reachable, search; chain Find;
	internal/layered: nodes link, backEdges, blocks; less straighten; chain bound;
	smt/sat: nodes redundant; chain analyze; less down, decide;
	smt/softfloat: chain decimal;
	smt/bitblast: nodes reach, price; less mergeAtoms; steps leaves, reduce;
	smt/embedded: chain flatten;
	smt/order: nodes visit; chain Relaxed;
	lts: nodes reach, tauOrder, cutParts, inertly, onlyReachable, add, shortestPath, Reachable; text nextLine, longLine, part; chain AddState, intern, apart, grow, move, root, runOf, round; steps play, explain; less smaller, order, goOn, needs, steps, successors, refine, answer;
	lts/cert: text certificate, end, labels, simulations, pairs; nodes closed;
	lts/fsp: nodes product, escapes; text scan, Parse, progressItem, parse, formula, disjunction, conjunction, temporal, process, params, primitive, body, target, arguments, choice, label, setName, relabelSet, indices, composite, level; chain decide;
	minimize: less greedy, trimmed; steps abort;
	param: text model, states, shared, formula, conjunction, comparison, sum, index, assignment, sources, ParseProof; less merge, controlled;
	param/cert: less empty;
	param/linear: less gcd;
	predabs: less mergeAtoms; chain grow; steps FeasibleTree;
	specs: nodes rooted, reached, flow, named; text typeName, parseFile, statements, predicates, program, specification, shared, buffers, process, definition, parallel, choice, branch, labels, label, renamings, ruleName, names, callees, callee, ruleStates, ruleMoves, assigns, formula, atCondition, relation; less trimZeros;
	cfa/monitor: nodes reached;
	cfa/sequential: nodes ahead, Heads, escapes, walk, contract;
	evidence/threadcert: nodes close, explain;
	cfa/events: chain preserved, common, visit;
	cfa/events/order: nodes Linear, Sorted, endReason; chain collect;
	engine/threads/reduction: nodes findSections, regions, commutes;
	evidence/witness: nodes rounds, followers;
`

// outside are folders whose loops are not looked at: what is around the engines, which waits for
// people or writes what they have found, benchmarks, and what only tests use.
var outside = []string{"cmd", "bench", "contrib", "examples", "app/cli", "app/repl", "app/lsp",
	"app/options", "app/input", "app/compdb",
	"app/report", "app/page", "internal/phrase", "app/suite", "evidence/harness", "app/job",
	"internal/metamorph", "internal/graph/dottest", "smt/smtlib",
	"smt/solvertest", "smt/sat/drup", "app/draw/drawtest", "cfa/cfatest", "param/paramtest",
	"cfa/source/libc", "param/mist", "param/syntax"}

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
	type parsed struct {
		dir    string
		syntax *ast.File
	}
	var all []parsed
	grows := map[string]growth{} // by folder
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		name := strings.TrimPrefix(filepath.ToSlash(file), "../")
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains(outside, name) || d.Name() == "testdata" ||
			strings.HasPrefix(d.Name(), ".") && name != ".."):
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
		dir := path.Dir(name)
		if grows[dir] == nil {
			grows[dir] = growth{}
		}
		grows[dir].add(syntax)
		all = append(all, parsed{dir, syntax})
		return nil
	})
	require.NoError(t, err)
	for _, f := range all {
		for _, decl := range f.syntax.Decls {
			for _, l := range endlessLoops(decl, grows[f.dir]) {
				key := fmt.Sprintf("%s: %s", f.dir, decl.(*ast.FuncDecl).Name.Name)
				if _, is := listed[key]; !is {
					t.Errorf("%v: %s: this loop is not counted and sees no context: let it see one, "+
						"or list it above with the reason why it ends", files.Position(l.Pos()), key)
				}
				listed[key] = true
			}
		}
	}
	for key, met := range listed {
		require.True(t, met, "%s has no such loop", key)
	}
}

// TestEndlessLoopsAreSeen: which loops the test before finds.
func TestEndlessLoopsAreSeen(t *testing.T) {
	for text, want := range map[string]int{
		"for { x() }":                                      1,
		"for len(x) > 0 { x = x[1:] }":                     1,
		"for changed { }":                                  1,
		"for x != y { }":                                   1,
		"for { if ctx.Err() != nil { } }":                  0,
		"for { s.step(ctx) }":                              0,
		"for i < 3 { i++ }":                                0,
		"for p != nil { p = p.up }":                        0,
		"for i := 0; ; i++ { }":                            0,
		"for range x { for { } }":                          1,
		"func() { for len(w) > 0 { y() } }()":              1,
		"for i := 0; i < len(w); i++ { w = append(w, i) }": 1,
		"for i := 0; i < len(s.w); i++ { if x { s.w = append(s.w, i) } }":                         1,
		"for i := 0; i < len(w); i++ { v = append(v, i) }":                                        0,
		"for i := 0; i < len(w); i++ { w = append(w, ctx.Err()) }":                                0,
		"for i := 0; i < len(w); i++ { w = append(w[:i], w[i+1:]...) }":                           0,
		"for i := 0; i < len(w); i++ { s.w = append(s.w, i) }":                                    0,
		"for i := 0; i < len(w) && !x; i++ { w = append(w, i) }":                                  1,
		"add := func() { w = append(w, 1) }; for i := 0; i < len(w); i++ { add() }":               1,
		"for i := 0; i < len(s.w); i++ { s.more() } }; func (s *t) more() { s.w = append(s.w, 1)": 1,
		"for i := 0; i < len(s.w); i++ { s.less() } }; func (s *t) more() { s.w = append(s.w, 1)": 0,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {\n"+text+"\n}\n", 0)
		require.NoError(t, err)
		grows := growth{}
		grows.add(f)
		require.Len(t, endlessLoops(f.Decls[0], grows), want, text)
	}
}

// endlessLoops are the loops of a function that nothing counts and that see no context.
func endlessLoops(decl ast.Decl, grows growth) []*ast.ForStmt {
	var all []*ast.ForStmt
	if f, ok := decl.(*ast.FuncDecl); !ok || f.Body == nil {
		return nil
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		if l, ok := n.(*ast.ForStmt); ok && (l.Post == nil && !isCounted(l.Cond) || grows.list(l)) && !seesContext(l) {
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

// seesContext reports whether something in a loop has the name of a context, of what counts looks at one, or
// of what asks whether one has ended.
func seesContext(l *ast.ForStmt) bool {
	sees := false
	ast.Inspect(l, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && slices.Contains([]string{"ctx", "tick", "Err", "interrupted", "over"}, id.Name) {
			sees = true
		}
		return !sees
	})
	return sees
}

// A growth has for each function of a package, and each function literal that has a name, the names of the
// lists that it appends to.
type growth map[string]map[string]bool

// add notes what the functions of a file append to.
func (g growth) add(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				g.note(n.Name.Name, n.Body)
			}
		case *ast.AssignStmt:
			for i, x := range n.Rhs {
				if lit, ok := x.(*ast.FuncLit); ok && i < len(n.Lhs) {
					g.note(lastName(n.Lhs[i]), lit.Body)
				}
			}
		}
		return true
	})
}

func (g growth) note(name string, body ast.Node) {
	for list := range appended(body, lastName) {
		if g[name] == nil {
			g[name] = map[string]bool{}
		}
		g[name][list] = true
	}
}

// list reports whether a loop goes on while a number is less than the length of a list, and it, or what it
// calls, appends to one of this name.
func (g growth) list(l *ast.ForStmt) bool {
	var walked ast.Expr
	ast.Inspect(l, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.LSS && l.Cond != nil && b.Pos() >= l.Cond.Pos() &&
			b.End() <= l.Cond.End() {
			if call, ok := b.Y.(*ast.CallExpr); ok && lastName(call.Fun) == "len" && len(call.Args) == 1 {
				walked = call.Args[0]
			}
		}
		return true
	})
	if walked == nil {
		return false
	}
	found := appended(l.Body, types.ExprString)[types.ExprString(walked)]
	ast.Inspect(l.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || g[lastName(call.Fun)][lastName(walked)]
		}
		return !found
	})
	return found
}

// appended are the lists that something appends to, as they are called; not those that it takes apart, which
// are shorter afterwards.
func appended(n ast.Node, called func(ast.Expr) string) map[string]bool {
	lists := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for i, x := range a.Rhs {
				if call, ok := x.(*ast.CallExpr); ok && lastName(call.Fun) == "append" && i < len(a.Lhs) {
					if _, part := call.Args[0].(*ast.SliceExpr); !part {
						lists[called(a.Lhs[i])] = true
					}
				}
			}
		}
		return true
	})
	return lists
}

// lastName is the name of a variable, a member or a function; "" of anything else.
func lastName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}
