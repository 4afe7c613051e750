package component

// What is assumed by hand of how a component starts, as the lowering and the outcome need it.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/internal/phrase"
	"magus/smt/expr"
	"magus/smt/solver"
	"magus/specs"
)

// start is an assumption as the lowering needs it.
func (c *Claim) start(a Assumption) lower.Start {
	proc := c.Program.Procedure(c.Procedures[a.Component])
	names := source.ParameterNames(proc)
	return lower.Start{Text: a.Cond.String(), Initial: !a.Followed,
		Cond: func(p *expr.Pool, at lower.ObservedScope) (*expr.Expr, error) {
			return a.Cond.Cond(p, startScope{ruleScope{c.Sources, p, at}, names}, c.LongWidth)
		}}
}

// A startScope is what an assumption may name where a procedure starts.
type startScope struct {
	ruleScope
	names []string // of the parameters
}

// Follows reports whether a path leads behind a pointer, or to a part of something.
func (s startScope) Follows(path string) bool { return strings.ContainsAny(path, "*&>.[") }

// Lookup finds a parameter, a global or an enumeration constant.
func (s startScope) Lookup(name string, pos specs.Pos) (*expr.Expr, error) {
	if i := slices.Index(s.names, name); i >= 0 {
		return s.Arg(i + 1)
	}
	if e, ok := s.sources.Program.Enumerator(s.pool, name); ok {
		return e, nil
	}
	return s.Path(name)
}

// isFollowed reports whether a condition leads behind pointers in another way than by a parameter to a member.
func isFollowed(cond *specs.CExpr, params []string) bool {
	return slices.ContainsFunc(cond.Places(), func(place string) bool {
		root := strings.TrimLeft(place, "*&")
		end := strings.IndexAny(root+".", ".[-")
		isParameter := strings.HasPrefix(root, "$") || slices.Contains(params, root[:end])
		switch {
		case root != place:
			return true
		case strings.Contains(root, "->"):
			return !isParameter || strings.Count(root, "->") > 1 || strings.Contains(root, "[")
		}
		return isParameter && strings.Contains(root, "[")
	})
}

// checkSatisfied says where no start of component i satisfies its guard and what is assumed by hand.
func (b *binder) checkSatisfied(ctx context.Context, i int, guard *expr.Expr) error {
	if guard == nil || !slices.ContainsFunc(b.Assumed, func(a Assumption) bool { return a.Component == i }) {
		return nil
	}
	result, err := b.solver.Check(ctx, guard)
	if err != nil || result != solver.Unsat {
		return err
	}
	var texts []string
	for _, a := range b.assumed(i) {
		texts = append(texts, a.String())
	}
	return &InputError{Msg: fmt.Sprintf("%s never starts where %s: nothing satisfies it, so nothing would be checked",
		b.Procedures[i], strings.Join(texts, " && "))}
}

// unchecked are remarks on the calls of a component's procedure by code that is not looked at, of which it is not known
// whether they keep what is assumed of its start; those that break it by their constants are told so.
func (b *binder) unchecked(i int) (all []cfa.Warning) {
	var calls []source.CallSite
	for _, call := range b.Program.CallsOf(b.Procedures[i]) {
		if !slices.ContainsFunc(b.auto.Frames, func(f cfa.Frame) bool { return f.Proc == call.Within }) {
			calls = append(calls, call)
		}
	}
	for _, a := range b.Assumed {
		if a.Component != i {
			continue
		}
		broken, open := b.brokenBy(a, calls)
		about := fmt.Sprintf("what is assumed where %s starts, %v", b.Procedures[i], a.Cond)
		for _, call := range broken {
			all = append(all, cfa.Warning{Pos: call.Pos, Text: call.Within + " breaks " + about, Kind: cfa.AboutAbstraction})
		}
		if len(open) > 0 {
			text := "it is not checked that this call keeps " + about
			if n := len(open) - 1; n > 0 {
				text += fmt.Sprintf(" (and %s more)", phrase.Plural(n, "call"))
			}
			all = append(all, cfa.Warning{Pos: open[0].Pos, Text: text, Kind: cfa.AboutAbstraction})
		}
	}
	return all
}

// brokenBy are calls that break an assumption by their constants, and those of which it is not known.
func (b *binder) brokenBy(a Assumption, calls []source.CallSite) (broken, open []source.CallSite) {
	for _, call := range calls {
		switch holds := b.heldBy(a, call); {
		case holds == nil:
			open = append(open, call)
		case holds.IsFalse():
			broken = append(broken, call)
		}
	}
	return broken, open
}

// heldBy is whether a call keeps an assumption by its constants; nil where they do not tell.
func (b *binder) heldBy(a Assumption, call source.CallSite) *expr.Expr {
	p := expr.NewPool()
	params := source.Parameters(b.Program.Procedure(b.Procedures[a.Component]).Type)
	in := constantScope{names: source.ParameterNames(b.Program.Procedure(b.Procedures[a.Component]))}
	for k := range params {
		v := (*expr.Expr)(nil)
		if k < len(b.auto.Params) && k < len(call.Args) && call.Args[k] != nil {
			v = p.Int(b.auto.Params[k].Type(), *call.Args[k])
		}
		in.args = append(in.args, v)
	}
	c, err := a.Cond.Cond(p, in, b.LongWidth)
	if err != nil || !c.IsFalse() && !c.IsTrue() {
		return nil
	}
	return c
}

// A constantScope has arguments that are constants.
type constantScope struct {
	names []string
	args  []*expr.Expr // nil: not known
}

// Lookup finds a parameter.
func (s constantScope) Lookup(name string, _ specs.Pos) (*expr.Expr, error) {
	return s.Arg(slices.Index(s.names, name) + 1)
}

// Arg is $i.
func (s constantScope) Arg(i int) (*expr.Expr, error) {
	if i < 1 || i > len(s.args) || s.args[i-1] == nil {
		return nil, fmt.Errorf("it is no constant")
	}
	return s.args[i-1], nil
}
