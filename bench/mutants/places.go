package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// Idea: a mutant is a replacement of a few bytes of one file, found on the syntax tree, so that lines stay
// where they are and the rest of the text is as people wrote it. What is changed: a comparison to its
// neighbour and its opposite, an arithmetic operator to its inverse, && to || and back, a condition to its
// opposite, to true and to false (it is evaluated all the same, so that what it does is done and no variable
// is unused), a number to the next, and an assignment or a call whose value nobody uses is left out. Left
// out: panics, since they are where nothing should come; the capacity of make, which changes nothing but
// time; and strings, whose words are no behaviour that a law could tell.
// Cost: one walk over each file.

// A mutant is one change of one file.
type mutant struct {
	file      string
	line, col int
	from, to  int // bytes of the file
	text      string
	change    string
}

func (m mutant) String() string { return fmt.Sprintf("%s:%d:%d: %s", m.file, m.line, m.col, m.change) }

// places are all mutants of the package in a folder, in the order of its text. Tests and files for other
// systems have none.
func places(folder string) ([]mutant, error) {
	pkg, err := build.ImportDir(folder, 0)
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, name := range pkg.GoFiles {
		file := filepath.Join(folder, name)
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		w := &walker{file: fset.File(tree.Pos()), name: file, text: text}
		ast.Inspect(tree, w.visit)
		all = append(all, w.found...)
	}
	slices.SortStableFunc(all, order)
	return all, nil
}

// order is that of the text.
func order(a, b mutant) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col))
}

// choose puts mutants into the order in which they run.
func choose(all []mutant, seed uint64) []mutant {
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// A walker finds the mutants of a file.
type walker struct {
	file  *token.File
	name  string
	text  []byte
	found []mutant
}

// others are what an operator may become.
func others(op token.Token) []token.Token {
	switch op {
	case token.LSS:
		return []token.Token{token.LEQ, token.GEQ}
	case token.LEQ:
		return []token.Token{token.LSS, token.GTR}
	case token.GTR:
		return []token.Token{token.GEQ, token.LEQ}
	case token.GEQ:
		return []token.Token{token.GTR, token.LSS}
	}
	inverse := map[token.Token]token.Token{
		token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
		token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
		token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND,
		token.SHL: token.SHR, token.SHR: token.SHL, token.INC: token.DEC, token.DEC: token.INC,
		token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.QUO_ASSIGN,
		token.OR_ASSIGN: token.AND_ASSIGN, token.AND_ASSIGN: token.OR_ASSIGN,
	}
	if to, ok := inverse[op]; ok {
		return []token.Token{to}
	}
	return nil
}

// visit adds the mutants of a node.
func (w *walker) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		w.operator(n.OpPos, n.Op)
	case *ast.IncDecStmt:
		w.operator(n.TokPos, n.Tok)
	case *ast.AssignStmt:
		w.operator(n.TokPos, n.Tok)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			w.add(n.OpPos, n.OpPos+1, " ", "! left out")
		}
	case *ast.IfStmt:
		w.condition(n.Cond)
	case *ast.ForStmt:
		w.condition(n.Cond)
	case *ast.BasicLit:
		if n.Kind == token.INT {
			w.add(n.Pos(), n.End(), "("+n.Value+"+1)", n.Value+" became "+n.Value+"+1")
		}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "make" && len(n.Args) == 3 {
			ast.Inspect(n.Args[1], w.visit)
			return false
		}
	case *ast.BlockStmt:
		w.statements(n.List)
	case *ast.CaseClause:
		w.statements(n.Body)
	case *ast.CommClause:
		w.statements(n.Body)
	case *ast.ImportSpec, *ast.ArrayType:
		return false
	}
	return true
}

// operator adds what an operator may become.
func (w *walker) operator(at token.Pos, op token.Token) {
	for _, to := range others(op) {
		w.add(at, at+token.Pos(len(op.String())), to.String(), op.String()+" became "+to.String())
	}
}

// condition adds the condition that always and that never holds, and its opposite unless an operator's is the same.
func (w *walker) condition(c ast.Expr) {
	if c == nil {
		return
	}
	text := w.between(c.Pos(), c.End())
	w.add(c.Pos(), c.End(), "(("+text+") || true)", "condition became true")
	w.add(c.Pos(), c.End(), "(("+text+") && false)", "condition became false")
	switch c := c.(type) {
	case *ast.UnaryExpr:
		return
	case *ast.BinaryExpr:
		if len(others(c.Op)) > 0 && c.Op != token.LAND && c.Op != token.LOR {
			return
		}
	}
	w.add(c.Pos(), c.End(), "!("+text+")", "condition became its opposite")
}

// statements adds those that can be left out.
func (w *walker) statements(list []ast.Stmt) {
	for _, s := range list {
		what := ""
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE && !blank(s.Lhs) {
				what = "assignment left out"
			}
		case *ast.IncDecStmt:
			what = "assignment left out"
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && !panics(call) {
				what = "call left out"
			}
		}
		if what != "" {
			w.add(s.Pos(), s.End(), "if false { "+w.between(s.Pos(), s.End())+" }", what)
		}
	}
}

// blank tells whether nothing is assigned.
func blank(left []ast.Expr) bool {
	return !slices.ContainsFunc(left, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return !ok || id.Name != "_"
	})
}

func panics(call *ast.CallExpr) bool {
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == "panic"
}

func (w *walker) between(from, to token.Pos) string {
	return string(w.text[w.file.Offset(from):w.file.Offset(to)])
}

func (w *walker) add(from, to token.Pos, text, change string) {
	at := w.file.Position(from)
	w.found = append(w.found, mutant{w.name, at.Line, at.Column, w.file.Offset(from), w.file.Offset(to), text, change})
}
