package rules_test

import (
	"fmt"
	"slices"
	"strings"
)

// The abstract syntax of random projects, and how it is written in C. Each statement has a line of its own.

// A project is a program of several files.
type project struct {
	words   *words
	files   int
	globals []*global
	tables  []*table
	funcs   []*function
}

// A global is a variable of any file: an int, a handle, a lock or a structure.
type global struct{ name, typ string }

// A table is a constant array of functions.
type table struct {
	name, sig string // the type of what it holds
	entries   []string
}

// A function has its variables at its top and its labels on its outermost level.
type function struct {
	name, result  string
	params, local []variable
	body          []*stmt
	file          int
	static        bool
	end           int // line of its closing brace
}

type variable struct{ name, typ string }

// A stmt is a statement: do, set, if, for, while, return, goto, label, break, continue, exit.
type stmt struct {
	op          string
	name        string // of a label, or of the variable of a loop
	to, e       *expr
	body, other []*stmt
	line        int
}

// An expr is an expression. Its operators: int, var, field, deref, addr, none, ok, bad, func, entry, size;
// call of a function by name, through a pointer (icall) and of a function of the library (lib); ! and the
// binary ones.
type expr struct {
	op, name string
	n        int
	args     []*expr
}

func num(n int) *expr                         { return &expr{op: "int", n: n} }
func ref(name string) *expr                   { return &expr{op: "var", name: name} }
func node(op string, args ...*expr) *expr     { return &expr{op: op, args: args} }
func field(p *expr, name string) *expr        { return &expr{op: "field", name: name, args: []*expr{p}} }
func lib(name string, args ...*expr) *expr    { return &expr{op: "lib", name: name, args: args} }
func callTo(name string, args ...*expr) *expr { return &expr{op: "call", name: name, args: args} }
func do(e *expr) *stmt                        { return &stmt{op: "do", e: e} }
func set(to, e *expr) *stmt                   { return &stmt{op: "set", to: to, e: e} }
func when(c *expr, body ...*stmt) *stmt       { return &stmt{op: "if", e: c, body: body} }
func give(e *expr) *stmt                      { return &stmt{op: "return", e: e} }
func jump(label string) *stmt                 { return &stmt{op: "goto", name: label} }
func mark(label string) *stmt                 { return &stmt{op: "label", name: label} }
func either(c *expr, yes, no []*stmt) *stmt   { return &stmt{op: "if", e: c, body: yes, other: no} }
func (e *expr) clone() *expr {
	if e == nil {
		return nil
	}
	c := *e
	c.args = nil
	for _, a := range e.args {
		c.args = append(c.args, a.clone())
	}
	return &c
}

func cloneAll(all []*stmt) (to []*stmt) {
	for _, s := range all {
		c := *s
		c.to, c.e, c.body, c.other = s.to.clone(), s.e.clone(), cloneAll(s.body), cloneAll(s.other)
		to = append(to, &c)
	}
	return to
}

func (p *project) clone() *project {
	c := *p
	c.globals, c.tables, c.funcs = slices.Clone(p.globals), nil, nil
	for _, t := range p.tables {
		n := *t
		n.entries = slices.Clone(t.entries)
		c.tables = append(c.tables, &n)
	}
	for _, f := range p.funcs {
		n := *f
		n.params, n.local, n.body = slices.Clone(f.params), slices.Clone(f.local), cloneAll(f.body)
		c.funcs = append(c.funcs, &n)
	}
	return &c
}

func (p *project) function(name string) *function {
	for _, f := range p.funcs {
		if f.name == name {
			return f
		}
	}
	return nil
}

func (p *project) table(name string) *table {
	for _, t := range p.tables {
		if t.name == name {
			return t
		}
	}
	return nil
}

// typed is a declaration in C.
func (w *words) typed(typ, name string) string {
	switch typ {
	case "int", "void":
		return typ + " " + name
	case "H":
		return w.handle + name
	case "H*":
		return w.handle + "*" + name
	case "L":
		return w.lock + " " + name
	case "L*":
		return w.lock + " *" + name
	case "dev":
		return "struct dev " + name
	case "dev*":
		return "struct dev *" + name
	case "fn(dev*)":
		return "int (*" + name + ")(struct dev *)"
	case "fn(int)":
		return "int (*" + name + ")(int)"
	}
	panic(typ)
}

func (w *words) head(f *function) string {
	var params []string
	for _, v := range f.params {
		params = append(params, strings.TrimSpace(w.typed(v.typ, v.name)))
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	text := w.typed(f.result, f.name) + "(" + strings.Join(params, ", ") + ")"
	if f.static {
		text = "static " + text
	}
	return text
}

// write gives the texts of the files by name, and numbers the lines.
func (p *project) write() map[string]string {
	all := map[string]string{"all.h": p.header()}
	for k := range p.files {
		w := &writer{words: p.words}
		w.put(`#include "all.h"`)
		for _, f := range p.funcs {
			if f.file == k && f.static {
				w.put("%s;", p.words.head(f))
			}
		}
		if k == 0 {
			p.writeGlobals(w)
		}
		for _, f := range p.funcs {
			if f.file == k {
				w.function(f)
			}
		}
		all[fileName(k)] = w.b.String()
	}
	return all
}

func fileName(k int) string { return fmt.Sprintf("p%d.c", k) }

func (p *project) header() string {
	w := &writer{words: p.words}
	w.put("#ifndef ALL_H\n#define ALL_H")
	w.put("%s", strings.TrimSpace(p.words.head0))
	w.put("struct dev {")
	if p.words.lock != "" {
		w.put("\t%s;\n\t%s;", p.words.typed("L", "lock"), p.words.typed("L", "inner"))
	}
	if p.words.handle != "" {
		w.put("\t%s;", p.words.typed("H", "h"))
	}
	w.put("\tint n;\n\tstruct dev *peer;\n};")
	w.put("int ready(void);\nvoid note(int);\nvoid exit(int);")
	for _, g := range p.globals {
		w.put("extern %s;", p.words.typed(g.typ, g.name))
	}
	for _, t := range p.tables {
		w.put("extern %s;", p.words.typed("fn("+t.sig+")", "const "+t.name+"[]"))
	}
	for _, f := range p.funcs {
		if !f.static {
			w.put("%s;", p.words.head(f))
		}
	}
	w.put("#endif")
	return w.b.String()
}

func (p *project) writeGlobals(w *writer) {
	for _, g := range p.globals {
		init := ""
		if g.typ == "H" {
			init = " = " + p.words.none
		}
		w.put("%s%s;", p.words.typed(g.typ, g.name), init)
	}
	for _, t := range p.tables {
		w.put("%s = { %s };", p.words.typed("fn("+t.sig+")", "const "+t.name+"[]"), strings.Join(t.entries, ", "))
	}
}

// A writer writes a file.
type writer struct {
	words *words
	b     strings.Builder
	line  int // lines written
	depth int
}

func (w *writer) put(format string, args ...any) {
	text := strings.Repeat("\t", w.depth) + fmt.Sprintf(format, args...) + "\n"
	w.line += strings.Count(text, "\n")
	w.b.WriteString(text)
}

func (w *writer) function(f *function) {
	w.put("%s {", w.words.head(f))
	w.depth++
	for _, v := range f.local {
		init := "0"
		if v.typ == "H" {
			init = w.words.none
		}
		w.put("%s = %s;", w.words.typed(v.typ, v.name), init)
	}
	w.block(f.body)
	w.depth--
	w.put("}")
	f.end = w.line
}

func (w *writer) block(all []*stmt) {
	for _, s := range all {
		s.line = w.line + 1
		w.stmt(s)
	}
}

func (w *writer) stmt(s *stmt) {
	switch s.op {
	case "do":
		w.put("%s;", w.words.text(s.e))
	case "set":
		w.put("%s = %s;", w.words.text(s.to), w.words.text(s.e))
	case "if":
		w.nested(s, "if (%s) {", w.words.text(s.e))
	case "for":
		w.nested(s, "for (%[1]s = 0; %[1]s < %[2]s; %[1]s++) {", s.name, w.words.text(s.e))
	case "while":
		w.nested(s, "while (%s) {", w.words.text(s.e))
	case "return":
		if s.e == nil {
			w.put("return;")
		} else {
			w.put("return %s;", w.words.text(s.e))
		}
	case "goto":
		w.put("goto %s;", s.name)
	case "label":
		w.put("%s:;", s.name)
	case "exit":
		w.put("exit(1);")
	default:
		w.put("%s;", s.op)
	}
}

func (w *writer) nested(s *stmt, format string, args ...any) {
	w.put(format, args...)
	w.depth++
	w.block(s.body)
	w.depth--
	if len(s.other) > 0 {
		w.put("} else {")
		w.depth++
		w.block(s.other)
		w.depth--
	}
	w.put("}")
}

// text is an expression in C.
func (w *words) text(e *expr) string {
	var args []string
	for _, a := range e.args {
		args = append(args, w.text(a))
	}
	switch e.op {
	case "int":
		return fmt.Sprint(e.n)
	case "null":
		return "0"
	case "var", "func":
		return e.name
	case "field":
		if e.args[0].op == "addr" {
			return w.text(e.args[0].args[0]) + "." + e.name
		}
		return args[0] + "->" + e.name
	case "deref":
		return "*" + args[0]
	case "addr":
		return "&" + args[0]
	case "none":
		return w.none
	case "ok":
		return fmt.Sprintf(w.ok, args[0])
	case "bad":
		return fmt.Sprintf(w.bad, args[0])
	case "entry":
		return e.name + "[" + args[0] + "]"
	case "new":
		return "calloc(1, sizeof(struct dev))"
	case "lib":
		format := w.libs[e.name].text
		if !strings.Contains(format, "%s") {
			return format
		}
		return fmt.Sprintf(format, args[0])
	case "call":
		return e.name + "(" + strings.Join(args, ", ") + ")"
	case "icall":
		return args[0] + "(" + strings.Join(args[1:], ", ") + ")"
	case "!":
		return "!(" + args[0] + ")"
	case "&&", "||":
		return "(" + args[0] + ") " + e.op + " (" + args[1] + ")"
	}
	return args[0] + " " + e.op + " " + args[1]
}
