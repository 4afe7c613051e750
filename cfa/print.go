package cfa

import (
	"fmt"
	"strings"

	"magus/internal/graph"
	"magus/smt/expr"
)

// String is "x = e", or "x = ? // source" for any value.
func (s Assign) String() string {
	if s.Memory != nil && s.Memory.Kind != Read {
		value := "?"
		if s.RHS != nil {
			value = s.RHS.String()
		}
		return fmt.Sprintf("%v = %s // %v", s.LHS, value, s.Memory)
	}
	switch {
	case s.RHS != nil:
		return fmt.Sprintf("%v = %v", s.LHS, s.RHS)
	case s.Approx != "":
		return fmt.Sprintf("%v = ? // %s, not modelled: %s", s.LHS, s.Nondet, s.Approx)
	}
	return fmt.Sprintf("%v = ? // %s", s.LHS, s.Nondet)
}

// String is "if (e)".
func (s Branch) String() string { return fmt.Sprintf("if (%v)", s.Cond) }

// String is "goto".
func (Goto) String() string { return "goto" }

// String is "x = f(e, …)", followed by what the call may change.
func (s Call) String() string {
	var b strings.Builder
	if s.LHS != nil {
		fmt.Fprintf(&b, "%v = ", s.LHS)
	}
	fmt.Fprintf(&b, "%s(%s)", s.Callee, list(s.Args))
	if len(s.Clobbers) > 0 {
		fmt.Fprintf(&b, " // may change %s", list(s.Clobbers))
	}
	return b.String()
}

// String is "action a".
func (s Act) String() string {
	switch {
	case s.Message == nil:
		return "action " + s.Action
	case !s.Message.Sends:
		return "receive " + s.Action
	}
	var all []string
	for _, v := range s.sent() {
		all = append(all, v.String())
	}
	return fmt.Sprintf("send %s(%s)", s.Action, strings.Join(all, ", "))
}

// sent are the values that an action sends.
func (s Act) sent() (all []*expr.Expr) {
	if s.Message == nil || !s.Message.Sends {
		return nil
	}
	for _, p := range s.Message.Parts {
		all = append(all, p.Value)
	}
	return all
}

// String is "return e".
func (s Return) String() string {
	if s.Value == nil {
		return "return"
	}
	return fmt.Sprintf("return %v", s.Value)
}

// String is "halt // reason".
func (s Halt) String() string { return "halt // " + s.Reason }

func list(es []*expr.Expr) string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = e.String()
	}
	return strings.Join(parts, ", ")
}

// String lists variables, instances, locations and warnings, one a line.
func (c *CFA) String() string {
	var b strings.Builder
	ret := c.Ret.String()
	if c.Ret.IsBool() {
		ret = "void"
	}
	fmt.Fprintf(&b, "%s %s(%s)\n", ret, c.Name, list(c.Params))
	for _, v := range c.Vars {
		fmt.Fprintf(&b, "  %v %v", v.Expr.Type(), v.Expr)
		if v.Frame > 0 {
			fmt.Fprintf(&b, " in %d", v.Frame)
		}
		b.WriteString("\n")
	}
	for i, f := range c.Frames {
		if i > 0 {
			fmt.Fprintf(&b, "  instance %d: %s called from %d at %d:%d\n", i, f.Proc, f.Parent, f.Call.Line, f.Call.Col)
		}
	}
	for i, t := range c.Threads {
		fmt.Fprintf(&b, "  thread %d: %s from %d\n", i, t.Name, t.Entry)
	}
	for i, l := range c.Locs {
		fmt.Fprintf(&b, "%d: %v", i, l.Stmt)
		switch _, spawns := l.Stmt.(Spawn); {
		case spawns:
			fmt.Fprintf(&b, " -> %d, %d", l.Succ[0], l.Succ[1])
		case len(l.Succ) == 1:
			fmt.Fprintf(&b, " -> %d", l.Succ[0])
		case len(l.Succ) == 2:
			fmt.Fprintf(&b, " -> %d else %d", l.Succ[0], l.Succ[1])
		}
		fmt.Fprintf(&b, "  @%d:%d\n", l.Pos.Line, l.Pos.Col)
	}
	for _, w := range c.Warnings {
		fmt.Fprintf(&b, "warning %d:%d: %s\n", w.Pos.Line, w.Pos.Col, w.Text)
	}
	return b.String()
}

// Dot draws the automaton in Graphviz's language, each inlined instance in a
// box of its own.
func (c *CFA) Dot() string {
	d := graph.NewDrawing(c.Name)
	boxes := make([]graph.Cluster, len(c.Frames))
	for i, f := range c.Frames[1:] {
		boxes[i+1] = d.Cluster(f.Proc)
	}
	for i, l := range c.Locs {
		n := graph.Node{Label: fmt.Sprintf("%v\n%d:%d", l.Stmt, l.Pos.Line, l.Pos.Col),
			Start: Loc(i) == c.Entry, Cluster: boxes[l.Frame]}
		switch l.Stmt.(type) {
		case Branch:
			n.Shape = "diamond"
		case Return, Halt, End:
			n.Double = true
		}
		d.Node(n)
	}
	for i, l := range c.Locs {
		for k, s := range l.Succ {
			e := graph.Edge{From: i, To: int(s)}
			if _, spawns := l.Stmt.(Spawn); spawns {
				e.Label = [2]string{"", "begins"}[k]
			} else if len(l.Succ) == 2 {
				e.Label = [2]string{"yes", "no"}[k]
			}
			d.Edge(e)
		}
	}
	return d.String()
}
