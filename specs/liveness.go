package specs

import (
	"slices"
	"strings"
)

// What a file says of whole runs: progress, fluents, assertions of linear temporal logic.

// A Progress says that one of some actions happens again and again: always, or where one of If does.
type Progress struct {
	Name        string
	Pos         Pos
	Conditional bool
	If, Then    []string

	ifLabels, thenLabels []label
}

// A Fluent is a condition that holds from one of some actions on until one of others.
type Fluent struct {
	Name      string
	Pos       Pos
	On, Off   []string
	Initially bool

	onLabels, offLabels []label
}

// An Assertion is a formula of linear temporal logic with a name.
type Assertion struct {
	Name    string
	Pos     Pos
	Formula *Formula
}

// A Demand is a progress or an assertion that a program or a procedure is said to have.
type Demand struct {
	Progress bool // else an assertion
	Name     string
	Pos      Pos
}

// Word is the keyword of what is demanded.
func (d *Demand) Word() string {
	if d.Progress {
		return progressWord
	}
	return assertWord
}

// A Formula is one of linear temporal logic, as it is written.
type Formula struct {
	// Op is an operator, [] <> X U W && || ! -> <->, or true, false, prop.
	Op   string
	Args []*Formula
	Pos  Pos
	// Of prop: the name of a fluent, an assertion or an action; or several actions, of which one happens; or a condition.
	Name    string
	Actions []string
	Cond    *CExpr

	labels []label
}

const (
	progressWord = "progress"
	fluentWord   = "fluent"
	assertWord   = "assert"
	propOp       = "prop"
)

// Progress is the progress of that name, or nil.
func (f *File) Progress(name string) *Progress {
	i := slices.IndexFunc(f.progress, func(p *Progress) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return f.progress[i]
}

// Fluent is the fluent of that name, or nil.
func (f *File) Fluent(name string) *Fluent {
	i := slices.IndexFunc(f.fluents, func(x *Fluent) bool { return x.Name == name })
	if i < 0 {
		return nil
	}
	return f.fluents[i]
}

// Assertion is the assertion of that name, or nil.
func (f *File) Assertion(name string) *Assertion {
	i := slices.IndexFunc(f.assertions, func(a *Assertion) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return f.assertions[i]
}

// Conditions are the conditions on variables that assertions speak of, in the order of the text.
func (f *File) Conditions() []*CExpr {
	var all []*CExpr
	for _, a := range f.assertions {
		a.Formula.Walk(func(x *Formula) {
			if x.Cond != nil {
				all = append(all, x.Cond)
			}
		})
	}
	return all
}

// ConditionsAsked are the conditions on variables that a formula speaks of, also by other assertions.
func (f *File) ConditionsAsked(x *Formula) (all []*CExpr) {
	f.eachAsked(x, func(x *Formula) {
		if x.Cond != nil {
			all = append(all, x.Cond)
		}
	})
	return all
}

// eachAsked calls visit for the propositions of a formula, if there is one, and of the assertions that it speaks of.
func (f *File) eachAsked(x *Formula, visit func(*Formula)) {
	met := map[*Assertion]bool{}
	var in func(x *Formula)
	in = func(x *Formula) {
		x.Walk(func(x *Formula) {
			a := f.Assertion(x.Name)
			switch {
			case x.Op != propOp:
			case a == nil || f.Fluent(x.Name) != nil:
				visit(x)
			case !met[a]:
				met[a] = true
				in(a.Formula)
			}
		})
	}
	if x != nil {
		in(x)
	}
}

// Walk calls visit for the formula and all its parts.
func (x *Formula) Walk(visit func(*Formula)) {
	visit(x)
	for _, a := range x.Args {
		a.Walk(visit)
	}
}

// Of takes a condition on the variables of a component, server.queue > 0, apart: the names of components before its
// variables, and the condition without them.
func (e *CExpr) Of(components []string) (*CExpr, []string) {
	var found []string
	var in func(e *CExpr) *CExpr
	in = func(e *CExpr) *CExpr {
		if e.kind == exprMember && e.text[0] == '.' && e.args[0].kind == exprName &&
			slices.Contains(components, e.args[0].text) {
			if !slices.Contains(found, e.args[0].text) {
				found = append(found, e.args[0].text)
			}
			return &CExpr{kind: exprName, text: e.text[1:], pos: e.args[0].pos, src: e.src}
		}
		c := *e
		c.args = nil
		for _, a := range e.args {
			c.args = append(c.args, in(a))
		}
		return &c
	}
	return in(e), found
}

// declareLiveness checks the names of what is demanded, and of what formulas speak.
func (f *File) declareLiveness() []*Error {
	var errs []*Error
	seen := map[string]Pos{}
	once := func(name string, pos Pos, what string) {
		if first, ok := seen[name]; ok {
			errs = append(errs, f.errorAt(pos, "%s %s is defined a second time, first at %v", what, name, first))
			return
		}
		seen[name] = pos
	}
	for _, p := range f.progress {
		once(p.Name, p.Pos, "the progress")
	}
	clear(seen)
	for _, x := range f.fluents {
		once(x.Name, x.Pos, "the fluent")
		for _, on := range x.On {
			if slices.Contains(x.Off, on) {
				errs = append(errs, f.errorAt(x.Pos, "%s both begins and ends the fluent %s", on, x.Name))
			}
		}
	}
	for _, a := range f.assertions {
		once(a.Name, a.Pos, "the fluent or assertion")
	}
	for _, a := range f.assertions {
		if f.leadsBack(a, map[string]bool{}) {
			errs = append(errs, f.errorAt(a.Pos, "the assertion %s speaks of itself", a.Name))
		}
	}
	f.eachDemand(func(d *Demand) {
		if d.Progress && f.Progress(d.Name) == nil || !d.Progress && f.Assertion(d.Name) == nil {
			errs = append(errs, f.errorAt(d.Pos, "no %s %s is defined%s", d.Word(), d.Name,
				token{kind: tokIdent, text: d.Name}.misspelt(f.demandable(d.Progress)...)))
		}
	})
	return errs
}

func (f *File) demandable(progress bool) []string {
	var names []string
	for _, p := range f.progress {
		if progress {
			names = append(names, p.Name)
		}
	}
	for _, a := range f.assertions {
		if !progress {
			names = append(names, a.Name)
		}
	}
	return names
}

func (f *File) eachDemand(visit func(*Demand)) {
	for _, p := range f.Procedures {
		for _, d := range p.Demands {
			visit(d)
		}
	}
	for _, p := range f.Programs {
		for _, d := range p.Demands {
			visit(d)
		}
	}
}

// leadsBack reports whether an assertion speaks of itself; on are those that lead to it.
func (f *File) leadsBack(a *Assertion, on map[string]bool) (back bool) {
	if on[a.Name] {
		return true
	}
	on[a.Name] = true
	a.Formula.Walk(func(x *Formula) {
		if b := f.Assertion(x.Name); x.Op == propOp && b != nil && !back && f.leadsBack(b, on) {
			back = true
		}
	})
	delete(on, a.Name)
	return back
}

// liveness warns of what nothing demands.
func (w *warner) liveness() {
	used := map[string]bool{}
	var in func(a *Assertion)
	in = func(a *Assertion) {
		if a == nil || used[assertWord+a.Name] {
			return
		}
		used[assertWord+a.Name] = true
		a.Formula.Walk(func(x *Formula) {
			if x.Op == propOp && x.Name != "" {
				used[fluentWord+x.Name] = true
				in(w.f.Assertion(x.Name))
			}
		})
	}
	w.f.eachDemand(func(d *Demand) {
		if d.Progress {
			used[progressWord+d.Name] = true
		} else {
			in(w.f.Assertion(d.Name))
		}
	})
	for _, p := range w.f.progress {
		if !used[progressWord+p.Name] {
			w.add(p.Pos, "the progress %s is demanded of nothing: write progress %s; in a program", p.Name, p.Name)
		}
	}
	for _, a := range w.f.assertions {
		if !used[assertWord+a.Name] {
			w.add(a.Pos, "the assertion %s is demanded of nothing: write assert %s; in a program", a.Name, a.Name)
		}
	}
	for _, x := range w.f.fluents {
		if !used[fluentWord+x.Name] {
			w.add(x.Pos, "the fluent %s is used by nothing", x.Name)
		}
	}
}

func (p *Progress) print(b *strings.Builder) {
	b.WriteString("progress " + p.Name + " = ")
	if p.Conditional {
		b.WriteString("if ")
		printLabels(b, p.ifLabels)
		b.WriteString(" then ")
	}
	printLabels(b, p.thenLabels)
	b.WriteByte('\n')
}

func (x *Fluent) print(b *strings.Builder) {
	b.WriteString("fluent " + x.Name + " = <")
	printLabels(b, x.onLabels)
	b.WriteString(", ")
	printLabels(b, x.offLabels)
	b.WriteByte('>')
	if x.Initially {
		b.WriteString(" initially 1")
	}
	b.WriteByte('\n')
}

func (a *Assertion) print(b *strings.Builder) {
	b.WriteString("assert " + a.Name + " = " + a.Formula.String() + "\n")
}

// String writes the formula with parentheses around operands that are no names.
func (x *Formula) String() string {
	switch {
	case x.Op == propOp && x.Cond != nil:
		return x.Cond.inFormula()
	case x.Op == propOp && x.labels != nil:
		var b strings.Builder
		if len(x.labels) == 1 && x.Name != "" {
			x.labels[0].print(&b)
		} else {
			printLabels(&b, x.labels)
		}
		return b.String()
	case len(x.Args) == 0:
		return x.Op
	}
	operand := func(a *Formula) string {
		if len(a.Args) > 1 {
			return "(" + a.String() + ")"
		}
		return a.String()
	}
	if len(x.Args) == 1 {
		blank := " "
		if x.Op == "!" {
			blank = ""
		}
		return x.Op + blank + operand(x.Args[0])
	}
	return operand(x.Args[0]) + " " + x.Op + " " + operand(x.Args[1])
}

// inFormula writes a condition as formulas have it: in quotes where it is no comparison, or leads behind a pointer, for
// there -> would be the implication.
func (e *CExpr) inFormula() string {
	if text := e.String(); strings.Contains(text, "->") || !isComparison(e) {
		return `"` + text + `"`
	}
	return "(" + e.String() + ")"
}

func isComparison(e *CExpr) bool {
	return e.kind == exprBinary && binaryPrec[e.text] >= binaryPrec["=="] && binaryPrec[e.text] <= binaryPrec["<"]
}
