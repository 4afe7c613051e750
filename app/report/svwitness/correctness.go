package svwitness

// The invariants of a proof.
//
// Idea: predicate abstraction knows every abstract state that a location can be reached in, and what of
// its predicates holds there. So at the head of a loop one of these states holds: a disjunction of
// conjunctions, over all inlined copies of the function. What a state says of variables that the
// function does not see, or that C cannot say, is left out of it, which makes it weaker; then equal and
// weaker ones absorb others, and two that differ in the sign of one literal are joined. Of what is
// too long, what all have in common is left. A proof by layers has one conjunction for a location, of what package
// bounded finds to hold there.
//
// A head that is also reached by calls that the automaton does not follow has no invariant: of
// recursion only a part is inlined.
//
// Cost: quadratic in the states of a head, of which there are at most maxCubes.

import (
	"context"
	"maps"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source"
	"magus/component"
	"magus/engine/bounded"
	"magus/engine/cegar"
	"magus/internal/pattern"
	"magus/lts"
	"magus/predabs"
	"magus/smt/expr"
)

// maxCubes and maxText bound an invariant.
const (
	maxCubes = 200
	maxText  = 4000
)

// A Proof is a component with what shows that it does no error: an abstraction, or layers.
type Proof struct {
	CFA    *cfa.CFA
	Graph  *component.Graph
	MP     *predabs.MP       // nil with layers
	Layers *cegar.LayersView // nil with an abstraction
}

// Correctness is what a proof says of the heads of loops, and of labels, in the order of
// the files.
func Correctness(ctx context.Context, proof Proof, program *source.Program,
	units []source.Source) ([]Invariant, error) {
	x := &extraction{proof: proof, places: newPlaces(units), program: program, states: map[cfa.Loc][][]*expr.Expr{}}
	if proof.MP != nil {
		x.abstract()
	} else if err := x.layers(ctx); err != nil {
		return nil, err
	}
	heads, order := map[cfa.Pos][]cfa.Head{}, []cfa.Pos{}
	partly := partlyFollowed(proof.CFA)
	for _, h := range proof.CFA.Sight.Heads {
		if partly[proof.CFA.Frames[h.Frame].Proc] {
			continue
		}
		if heads[h.Pos] == nil {
			order = append(order, h.Pos)
		}
		heads[h.Pos] = append(heads[h.Pos], h)
	}
	var all []Invariant
	for _, pos := range order {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if v, ok := x.invariant(heads[pos]); ok {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b Invariant) int { return a.Location.compare(b.Location) })
	return all, nil
}

// abstract takes the states of an abstraction.
func (x *extraction) abstract() {
	mp := x.proof.MP
	for s := range lts.State(mp.LTS.NumStates()) {
		if n := mp.Node(s); n != component.Init && n != component.Stop {
			loc, _, _ := x.proof.Graph.Point(n)
			x.states[loc] = append(x.states[loc], mp.Literals(s))
		}
	}
}

// layers asks what holds at heads by a proof without abstraction.
func (x *extraction) layers(ctx context.Context) error {
	c, g := x.proof.CFA, x.proof.Graph.Base()
	var at []component.Node
	for _, h := range c.Sight.Heads {
		for _, loc := range c.Sight.At(h.Point) {
			at = append(at, g.At(loc))
		}
	}
	holds, err := bounded.Always(ctx, g, x.proof.Layers.Spec, x.proof.Layers.Induction, at)
	for n, literals := range holds {
		loc, _, _ := g.Point(n)
		x.states[loc] = [][]*expr.Expr{literals}
	}
	return err
}

func (l Location) compare(m Location) int {
	if l.File != m.File {
		return strings.Compare(l.File, m.File)
	}
	if l.Line != m.Line {
		return l.Line - m.Line
	}
	return l.Column - m.Column
}

// partlyFollowed are the procedures of which there may be calls that are not inlined: those that call
// themselves, and what they call.
func partlyFollowed(c *cfa.CFA) map[string]bool {
	recursive, partly := map[string]bool{}, map[string]bool{}
	callers := func(f int, yield func(proc string)) {
		for f = c.Frames[f].Parent; f >= 0; f = c.Frames[f].Parent {
			yield(c.Frames[f].Proc)
		}
	}
	for f := range c.Frames {
		callers(f, func(proc string) {
			if proc == c.Frames[f].Proc {
				recursive[proc] = true
			}
		})
	}
	for f := range c.Frames {
		partly[c.Frames[f].Proc] = partly[c.Frames[f].Proc] || recursive[c.Frames[f].Proc]
		callers(f, func(proc string) {
			if recursive[proc] {
				partly[c.Frames[f].Proc] = true
			}
		})
	}
	return partly
}

// extraction makes invariants of one proof.
type extraction struct {
	proof   Proof
	places  *places
	program *source.Program
	states  map[cfa.Loc][][]*expr.Expr // by location: conjunctions, one of which holds
}

// A cube is a conjunction: the texts of conditions, with their signs.
type cube map[string]bool

// invariant is that of the copies of one head; false if there is nothing to say.
func (x *extraction) invariant(copies []cfa.Head) (Invariant, bool) {
	c := x.proof.CFA
	at, ok := x.places.place(c, copies[0].Frame, copies[0].Pos)
	if !ok || !x.stands(at, copies[0].Loop) {
		return Invariant{}, false
	}
	visible := x.program.Visible(copies[0].Pos)
	if visible == nil {
		return Invariant{}, false
	}
	var all []cube
	for _, h := range copies {
		locs := c.Sight.At(h.Point)
		if len(locs) == 0 {
			return Invariant{}, false
		}
		s := speller{x.names(visible, h.Frame)}
		for _, loc := range locs {
			if x.proof.Layers == nil && x.proof.Graph.Passed(x.proof.Graph.At(loc)) {
				return Invariant{}, false // of what holds within a large block the proof does not speak
			}
			for _, literals := range x.states[loc] {
				all = append(all, s.cube(literals))
			}
		}
	}
	text := either(all)
	return Invariant{copies[0].Loop, at, text}, text != ""
}

// label is a label of a statement.
var label = pattern.New(`^[A-Za-z_]\w*\s*:`)

// stands reports whether the loop or the label stands in the text, and is not what a macro makes: then
// other statements may stand at the same place.
func (x *extraction) stands(at Location, loop bool) bool {
	if loop {
		return slices.Contains([]string{"for", "while"}, x.places.word(at))
	}
	return label().MatchString(x.places.rest(at))
}

// either is the disjunction of conjunctions, or of what they have in common if it is too long;
// "" if it says nothing.
func either(all []cube) string {
	var cubes []cube
	for _, c := range all {
		if cubes = absorb(cubes, c); len(cubes) > maxCubes {
			return disjunction(common(all))
		}
	}
	if text := disjunction(join(cubes)); len(text) <= maxText {
		return text
	}
	return disjunction(common(all))
}

// common is what all say.
func common(all []cube) []cube {
	c := maps.Clone(all[0])
	for _, d := range all[1:] {
		maps.DeleteFunc(c, func(text string, sign bool) bool {
			has, ok := d[text]
			return !ok || has != sign
		})
	}
	return []cube{c}
}

// named is what a variable's name looks like in C, with its root.
var named = pattern.New(`^([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*|\[\d+\])*)$`)

// names are the names that variables have in a frame, where names mean what visible says.
func (x *extraction) names(visible func(string) (source.Named, bool), frame int) func(*expr.Expr) (string, bool) {
	vars := map[*expr.Expr]cfa.Var{}
	globals := map[string]int{}
	for _, v := range x.proof.CFA.Vars {
		vars[v.Expr] = v
		if v.Kind == cfa.Global && v.Proc == "" {
			globals[v.Name]++
		}
	}
	return func(e *expr.Expr) (string, bool) {
		v, ok := vars[e]
		m := named().FindStringSubmatch(v.Name)
		if !ok || m == nil || v.Kind == cfa.Temp {
			return "", false
		}
		is, ok := visible(m[1])
		switch {
		case !ok:
			return "", false
		case v.Kind == cfa.Global && (v.Proc != "" || !is.Global || globals[v.Name] > 1):
			return "", false
		case v.Kind != cfa.Global && (v.Frame != frame || is.Pos != v.Pos):
			return "", false
		case m[2] == "":
			return v.Name, is.Integer
		}
		// A part may be a pointer, which is compared with addresses of the model.
		return v.Name, is.Parts && v.Expr.Type() != expr.Uint64 && v.Expr.Type() != expr.Uint32
	}
}

// cube is what literals say that has a text.
func (s speller) cube(literals []*expr.Expr) cube {
	c := cube{}
	for _, l := range literals {
		sign := true
		for l.Op() == expr.Not {
			l, sign = l.Args()[0], !sign
		}
		if text, ok := s.text(l); ok && len(text) <= maxText {
			c[text] = sign
		}
	}
	return c
}

// weaker reports whether a says nothing that b does not.
func weaker(a, b cube) bool {
	for text, sign := range a {
		if has, ok := b[text]; !ok || has != sign {
			return false
		}
	}
	return true
}

// absorb adds a cube to a disjunction.
func absorb(all []cube, c cube) []cube {
	for _, has := range all {
		if weaker(has, c) {
			return all
		}
	}
	all = slices.DeleteFunc(all, func(has cube) bool { return weaker(c, has) })
	return append(all, c)
}

// join replaces pairs that differ in one sign by what they have in common, as long as there are any.
func join(all []cube) []cube {
	for {
		c, ok := joined(all)
		if !ok {
			return all
		}
		all = absorb(all, c)
	}
}

func joined(all []cube) (cube, bool) {
	for i, a := range all {
		for _, b := range all[i+1:] {
			if len(a) != len(b) {
				continue
			}
			differs, n := "", 0
			for text, sign := range a {
				if has, ok := b[text]; !ok {
					n = 2
				} else if has != sign {
					differs, n = text, n+1
				}
			}
			if n == 1 {
				c := cube{}
				for text, sign := range a {
					if text != differs {
						c[text] = sign
					}
				}
				return c, true
			}
		}
	}
	return nil, false
}

// disjunction is the text of one, "" if it says nothing.
func disjunction(all []cube) string {
	var parts []string
	for _, c := range all {
		var literals []string
		for text, sign := range c {
			if !sign {
				text = "!" + text
			}
			literals = append(literals, text)
		}
		if len(literals) == 0 {
			return ""
		}
		slices.Sort(literals)
		parts = append(parts, "("+strings.Join(literals, " && ")+")")
	}
	slices.Sort(parts)
	return strings.Join(parts, " || ")
}
