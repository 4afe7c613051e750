package component

// What procedures that stand once assign, and which variables are their own.
//
// Idea: a variable is a procedure's own if nobody else's text names it, no pointer leads to it, and the
// procedure assigns it before it reads it: then it does not matter what another call of the procedure left
// there, and no other procedure changes it.
//
// Source: the scopes of Ball, Rajamani: Bebop (SPIN 2000); liveness, as in any compiler. Cost: for what
// bodies assign, the number of procedures times that of variables; for what is read first, a pass over a
// procedure for each of its variables.

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// findWrites finds what procedures assign, and whose text names a variable.
func (b *procedureBuilder) findWrites() {
	b.assig, b.names = make([]map[*expr.Expr]bool, len(b.List)), map[*expr.Expr]map[int]bool{}
	for p := range b.List {
		b.assig[p] = map[*expr.Expr]bool{}
	}
	for _, e := range b.base.Edges {
		p := b.Of[e.From]
		if l, ok := b.base.Loc(e.From); p < 0 || ok && (b.isTest(l) || b.isPast(l)) {
			continue
		}
		mentioned := slices.Clone(e.Guard)
		for _, u := range e.Update {
			b.assig[p][u.Var] = true
			mentioned = append(mentioned, u.Var, u.Term)
		}
		for _, v := range b.base.concernedBy(mentioned) {
			if b.names[v] == nil {
				b.names[v] = map[int]bool{}
			}
			b.names[v][p] = true
		}
	}
}

// concernedBy are the variables of terms, and those that their fresh variables are new values of.
func (g *Graph) concernedBy(terms []*expr.Expr) []*expr.Expr {
	var all []*expr.Expr
	for _, t := range terms {
		all = append(all, g.Concerned(t)...)
	}
	return all
}

// own finds what procedures own: what their text alone names, and assigns before it is read.
func (b *procedureBuilder) own() error {
	for v, by := range b.names {
		if len(by) == 1 && by[0] {
			b.owner[v] = 0
		}
	}
	for i, body := range b.comp.CFA.Bodied {
		p := i + 1
		if b.List[p].Entry == 0 {
			continue // never called
		}
		var mine []*expr.Expr
		for _, v := range body.Own {
			if len(b.names[v]) == 1 && b.names[v][p] {
				mine = append(mine, v)
			}
		}
		read := b.readFirst(p, mine)
		for _, v := range mine {
			if !read[v] {
				b.owner[v] = p
			}
		}
		if body.Cycle >= 0 {
			if err := b.recursive(p, body, read); err != nil {
				return err
			}
		}
		b.keep(p, body)
	}
	for p := range b.List {
		b.List[p].Writes = b.writes(p)
	}
	return nil
}

// recursive is an error if a procedure that calls itself has a variable that there would have to be several of.
func (b *procedureBuilder) recursive(p int, body cfa.Body, read map[*expr.Expr]bool) error {
	name := body.Addressed
	for _, v := range body.Own {
		if o, owned := b.owner[v]; name == "" && b.names[v] != nil && (!owned || o != p) {
			name = v.Name()
		}
	}
	if name == "" {
		return nil
	}
	pos := b.comp.CFA.Frames[body.Frame].Call
	return &cfa.UnsupportedError{Pos: pos,
		What: fmt.Sprintf("a summary of %s, which calls itself and has %s", body.Proc, name),
		Hint: "that has an address, or is not known to belong to one call"}
}

// keep finds the parameters of a procedure that keep their values.
func (b *procedureBuilder) keep(p int, body cfa.Body) {
	times := map[*expr.Expr]int{}
	from := map[*expr.Expr]*expr.Expr{}
	for _, e := range b.base.Edges {
		if b.Of[e.From] != p {
			continue
		}
		for _, u := range e.Update {
			times[u.Var]++
			if slices.Contains(body.Passing, u.Term) {
				from[u.Var] = u.Term
			}
		}
	}
	// The passed values are read at the entry, before anything else is called.
	at := b.List[p].Entry
	for range b.base.nodes {
		out := b.base.Out(at)
		if len(out) != 1 {
			return
		}
		e := &b.base.Edges[out[0]]
		if len(e.Update) != 1 || len(e.Guard) > 0 || from[e.Update[0].Var] != e.Update[0].Term {
			return
		}
		if v := e.Update[0].Var; times[v] == 1 && b.Owns(p, v) {
			b.List[p].Kept[v] = e.Update[0].Term
		}
		at = e.To
	}
}

// readFirst are those of some variables that may be read in a procedure before it assigns them.
func (b *procedureBuilder) readFirst(p int, of []*expr.Expr) map[*expr.Expr]bool {
	read := map[*expr.Expr]bool{}
	for _, v := range of {
		seen := map[Node]bool{b.List[p].Entry: true}
		todo := []Node{b.List[p].Entry}
		for len(todo) > 0 && !read[v] {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, step := range b.stepsOf(n) {
				reads, writes := b.base.uses(step.edges, v)
				read[v] = read[v] || reads
				if !writes && !seen[step.to] {
					seen[step.to] = true
					todo = append(todo, step.to)
				}
			}
		}
	}
	return read
}

// A procedureStep is an edge of a procedure, or a call with all that it does.
type procedureStep struct {
	edges []Edge
	to    Node
}

// stepsOf are the steps from a node.
func (b *procedureBuilder) stepsOf(n Node) (all []procedureStep) {
	l, isLoc := b.base.Loc(n)
	if call, ok := b.calls[l]; isLoc && ok {
		if back, returns := b.backs[call]; returns {
			all = append(all, procedureStep{to: b.base.At(back)})
		}
		return all
	}
	if isLoc && b.isTest(l) {
		return nil
	}
	for _, id := range b.base.Out(n) {
		e := b.base.Edges[id]
		all = append(all, procedureStep{[]Edge{e}, e.To})
	}
	return all
}

// uses says whether edges read or write a variable.
func (g *Graph) uses(edges []Edge, v *expr.Expr) (reads, writes bool) {
	for _, e := range edges {
		for _, c := range e.Guard {
			reads = reads || slices.Contains(expr.Vars(c), v)
		}
		for _, u := range e.Update {
			reads = reads || slices.Contains(expr.Vars(u.Term), v)
			writes = writes || u.Var == v
		}
	}
	return reads, writes
}

// writes is what a call of a procedure may change, in the order of the automaton's variables, without what it or a
// procedure that it calls owns.
func (b *procedureBuilder) writes(p int) []*expr.Expr {
	reached := map[int]bool{}
	todo := []int{p}
	for len(todo) > 0 {
		q := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if reached[q] {
			continue
		}
		reached[q] = true
		for next := range b.leads[q] {
			todo = append(todo, next)
		}
	}
	assigned := map[*expr.Expr]bool{}
	for q := range reached {
		for v := range b.assig[q] {
			_, owned := b.owner[v]
			if _, isSite := b.site[v]; !owned && !isSite {
				assigned[v] = true
			}
		}
	}
	var all []*expr.Expr
	for _, v := range b.comp.CFA.Vars {
		if assigned[v.Expr] {
			all = append(all, v.Expr)
		}
	}
	return all
}
