package repl

// Looking at states: of the abstractions, their composition, the specification.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"magus/app/draw"
	"magus/component"
	"magus/engine/cegar"
	"magus/internal/phrase"
	"magus/lts"
	"magus/smt/expr"
)

// shown is how many states a list has at most.
const shown = 60

// listStates prints a line for each state, but not too many; what shows one of the
// others.
func (sh *views) listStates(states []int, what string, line func(s int) string) {
	for _, s := range states[:min(len(states), shown)] {
		sh.row("%s", line(s))
	}
	if n := len(states); n > shown {
		sh.printf("and %d more; %s shows one\n", n-shown, what)
	}
}

// matching are the numbers below n that are wanted.
func matching(n int, wanted func(int) bool) (all []int) {
	for s := range n {
		if wanted(s) {
			all = append(all, s)
		}
	}
	return all
}

// lookMP is the command mp.
func lookMP(_ context.Context, c *call) error {
	comp, err := c.filtered()
	if err != nil {
		return err
	}
	if err := c.needMP(comp); err != nil {
		return err
	}
	m := comp.MP.LTS
	wanted, err := c.filters(comp, m)
	if err != nil {
		return err
	}
	c.printf("MP of %s: %s, %s, %s%s\n", comp.Name, phrase.Plural(m.NumStates(), "state"),
		phrase.Plural(transitions(m), "transition"),
		phrase.Plural(len(comp.Chosen), "predicate"), staleText(comp))
	c.views.listStates(matching(m.NumStates(), func(s int) bool { return wanted.of(s, []lts.State{lts.State(s)}) }),
		"state "+comp.Name+" S", func(s int) string {
			return fmt.Sprintf("%5d  %-44s %s", s, draw.State(comp, lts.State(s)), edgesText(m, lts.State(s)))
		})
	return nil
}

// staleText says that an abstraction is not the one of the predicates chosen now.
func staleText(comp cegar.ComponentView) string {
	if comp.Stale {
		return " (of the predicates before the last refinement)"
	}
	return ""
}

// transitions counts the transitions of an LTS.
func transitions(m *lts.LTS) int {
	n := 0
	for s := range m.NumStates() {
		n += len(m.Out(lts.State(s)))
	}
	return n
}

// edgesText writes the transitions that leave a state, the first few if there are
// many.
func edgesText(m *lts.LTS, s lts.State) string {
	parts := byAction(m, s)
	if more := len(parts) - 6; more > 0 {
		parts = append(parts[:6:6], fmt.Sprintf("and %d more actions", more))
	}
	return strings.Join(parts, "; ")
}

// byAction writes the transitions that leave a state, one text for each action:
// "a -> 3, 4".
func byAction(m *lts.LTS, s lts.State) []string {
	var parts []string
	out := m.Out(s)
	for len(out) > 0 {
		a, k := out[0].Action, 1
		text := edgeText(m, out[0])
		for ; k < len(out) && out[k].Action == a; k++ {
			text += fmt.Sprintf(", %d", out[k].To)
		}
		parts = append(parts, text)
		out = out[k:]
	}
	return parts
}

// edgeText is a transition: its action and where it leads.
func edgeText(m *lts.LTS, e lts.Edge) string {
	if e.Action == lts.Tau {
		return fmt.Sprintf("-> %d", e.To)
	}
	return fmt.Sprintf("%s -> %d", actionWord(m.Actions().Name(e.Action)), e.To)
}

// ErrOneLevel is the error where blocks are asked for.
var ErrOneLevel = errors.New("level two is off: there are no blocks; set action-abstraction on and reload")

// lookMA is the command ma.
func lookMA(_ context.Context, c *call) error {
	comp, err := c.filtered()
	if err != nil {
		return err
	}
	if err := c.needMA(comp); err != nil {
		return err
	}
	q := comp.MA.Quotient()
	wanted, err := c.filters(comp, q)
	if err != nil {
		return err
	}
	c.printf("MA of %s: %s over %s of MP, %s%s\n", comp.Name, phrase.Plural(comp.MA.NumBlocks(), "block"),
		phrase.Plural(comp.MP.LTS.NumStates(), "state"), phrase.Plural(transitions(q), "transition"), staleText(comp))
	c.views.listStates(matching(comp.MA.NumBlocks(), func(b int) bool { return wanted.of(b, comp.MA.Members(b)) }),
		"block "+comp.Name+" B", func(b int) string {
			return fmt.Sprintf("%5d  %-12s %s", b, phrase.Plural(len(comp.MA.Members(b)), "member"), edgesText(q, lts.State(b)))
		})
	return nil
}

// implementations are the LTSs that are composed and checked.
func implementations(v cegar.View) ([]*lts.LTS, error) {
	var ms []*lts.LTS
	for _, comp := range v.Components {
		switch {
		case comp.MP == nil || v.Levels == 2 && comp.MA == nil:
			return nil, notBuiltIn(v, "the abstraction of "+comp.Name)
		case v.Levels == 2:
			ms = append(ms, comp.MA.Quotient())
		default:
			ms = append(ms, comp.MP.LTS)
		}
	}
	if ms == nil {
		return nil, errors.New("there are no components")
	}
	return ms, nil
}

// maxProduct bounds the states of a product that is looked at.
const maxProduct = 200_000

// lookProduct is the command product.
func lookProduct(ctx context.Context, c *call) error {
	m, err := c.product(ctx)
	if err != nil {
		return err
	}
	c.printf("product: %s, %s\n", phrase.Plural(m.NumStates(), "state"), phrase.Plural(transitions(m), "transition"))
	c.views.listStates(matching(m.NumStates(), func(int) bool { return true }), "dot product --around S 1",
		func(s int) string {
			return fmt.Sprintf("%5d  %-20s %s", s, m.StateName(lts.State(s)), edgesText(m, lts.State(s)))
		})
	return nil
}

// lookSpec is the command spec.
func lookSpec(ctx context.Context, c *call) error {
	if _, err := c.view(); err != nil {
		return err
	}
	if len(c.args) > 1 {
		return c.usage()
	}
	m, err := c.definition(ctx, strings.Join(c.args, ""))
	if err != nil {
		return err
	}
	c.printf("%s", m.String())
	return nil
}

// lookAlphabet is the command alphabet.
func lookAlphabet(_ context.Context, c *call) error {
	v, err := c.view()
	if err != nil {
		return err
	}
	only := -1
	if len(c.args) > 0 {
		if _, only, err = c.single(); err != nil {
			return err
		}
	}
	by := map[string][]string{}
	for i, comp := range v.Components {
		if comp.MP == nil {
			return c.needMP(comp)
		}
		for _, a := range comp.MP.LTS.Alphabet() {
			if only < 0 || only == i {
				by[v.Actions.Name(a)] = append(by[v.Actions.Name(a)], comp.Name)
			}
		}
	}
	if only < 0 {
		for _, a := range v.Spec.Alphabet() {
			by[v.Actions.Name(a)] = append(by[v.Actions.Name(a)], "the specification")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		c.printf("%-30s %s\n", actionWord(name), strings.Join(by[name], ", "))
	}
	return nil
}

// lookState is the command state.
func lookState(_ context.Context, c *call) error {
	comp, _, err := c.component(1)
	if err != nil {
		return err
	}
	if len(c.args) != 1 {
		return c.usage()
	}
	s, err := c.stateOf(comp, c.args[0])
	if err != nil {
		return err
	}
	c.printf("state %d of MP of %s%s\n", s, comp.Name, staleText(comp))
	c.printf("stands for  %s\n", draw.State(comp, s))
	if l, ok := comp.Graph.Loc(comp.MP.Node(s)); ok {
		loc := &comp.CFA.Locs[l]
		c.printf("statement   %s\n", loc.Stmt)
		if loc.Pos.IsValid() {
			c.printf("source      %s: %s\n", where(loc.Pos), c.views.source(loc.Pos))
		}
	}
	if comp.MA != nil && !comp.Stale {
		if b := comp.MA.Block(s); b >= 0 {
			c.printf("block       %d\n", b)
		}
	}
	standing := comp.Graph.Standing()
	for _, e := range comp.MP.LTS.Out(s) {
		if at, says := standing[e.Action]; says {
			c.printf("stands      %s\n", standsText(comp, at))
		} else {
			c.printf("  %s  %s\n", edgeText(comp.MP.LTS, e), draw.State(comp, e.To))
		}
	}
	return nil
}

// standsText says what a component offers where it stands still, and what it refuses.
func standsText(comp cegar.ComponentView, at lts.Standing) string {
	standing := comp.Graph.Standing()
	refused := slices.DeleteFunc(slices.Clone(comp.MP.LTS.Alphabet()), func(a lts.Action) bool {
		_, says := standing[a]
		return says || slices.Contains(at.Offers, a)
	})
	text := "it has ended"
	if !at.Ended {
		text = "it waits for ever"
		if len(at.Offers) > 0 {
			text = "it waits for " + strings.Join(comp.MP.LTS.Actions().Names(at.Offers), " or ")
		}
	}
	if len(refused) > 0 {
		text += ", and refuses " + strings.Join(comp.MP.LTS.Actions().Names(refused), ", ")
	}
	return text
}

// blockOf reads a block.
func blockOf(comp cegar.ComponentView, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= comp.MA.NumBlocks() {
		return 0, fmt.Errorf("no block %s; MA of %s has 0 to %d", text, comp.Name, comp.MA.NumBlocks()-1)
	}
	return n, nil
}

// lookBlock is the command block.
func lookBlock(_ context.Context, c *call) error {
	comp, _, err := c.component(1)
	if err != nil {
		return err
	}
	if len(c.args) != 1 {
		return c.usage()
	}
	if err := c.needMA(comp); err != nil {
		return err
	}
	b, err := blockOf(comp, c.args[0])
	if err != nil {
		return err
	}
	members := comp.MA.Members(b)
	c.printf("block %d of %s: %s\n", b, comp.Name, phrase.Plural(len(members), "member"))
	c.views.listStates(matching(len(members), func(int) bool { return true }), "state "+comp.Name+" S",
		func(i int) string {
			return fmt.Sprintf("%5d  %s", members[i], draw.State(comp, members[i]))
		})
	for _, text := range byAction(comp.MA.Quotient(), lts.State(b)) {
		c.printf("  %s\n", text)
	}
	return nil
}

// lookWhy is the command why.
func lookWhy(_ context.Context, c *call) error {
	comp, _, err := c.component(2)
	if err != nil {
		return err
	}
	if len(c.args) < 2 || len(c.args) > 3 {
		return c.usage()
	}
	from, err := c.stateOf(comp, c.args[0])
	if err != nil {
		return err
	}
	to, err := c.stateOf(comp, c.args[len(c.args)-1])
	if err != nil {
		return err
	}
	found := false
	for _, id := range comp.Graph.Out(comp.MP.Node(from)) {
		e := &comp.Graph.Edges[id]
		name := comp.MP.LTS.Actions().Name(e.Action)
		if e.To != comp.MP.Node(to) || !slices.Contains(comp.MP.LTS.OutBy(from, e.Action),
			lts.Edge{Action: e.Action, To: to}) ||
			len(c.args) == 3 && c.args[1] != name {
			continue
		}
		found = true
		c.views.admitted(comp, from, to, e)
	}
	if !found {
		return fmt.Errorf("MP of %s has no such transition from %d to %d; state %d shows those there are",
			comp.Name, from, to, from)
	}
	return nil
}

// admitted shows the query of a transition: the literals before it, the guard,
// and the literals after it as weakest preconditions.
func (sh *views) admitted(comp cegar.ComponentView, from, to lts.State, e *component.Edge) {
	sh.printf("%s\n", edgeText(comp.MP.LTS, lts.Edge{Action: e.Action, To: to}))
	for _, part := range comp.Graph.Parts(int32(e.ID)) {
		if l := comp.Graph.Base().Edges[part].Loc; l >= 0 {
			loc := &comp.CFA.Locs[l]
			sh.printf("  statement    %s   (%s)\n", loc.Stmt, where(loc.Pos))
		}
	}
	for _, u := range e.Update {
		sh.printf("  update       %v = %v\n", u.Var, u.Term)
	}
	list := func(head string, es []*expr.Expr, text func(*expr.Expr) string) {
		for i, l := range es {
			if i > 0 {
				head = ""
			}
			sh.printf("  %-12s %s\n", head, text(l))
		}
	}
	plain := func(l *expr.Expr) string { return l.String() }
	list("before", comp.MP.Literals(from), plain)
	list("guard", e.Guard, plain)
	by := map[*expr.Expr]*expr.Expr{}
	for _, u := range e.Update {
		by[u.Var] = u.Term
	}
	list("after", comp.MP.Literals(to), func(l *expr.Expr) string {
		if w := comp.CFA.Pool.Subst(l, by); w != l {
			return fmt.Sprintf("%v, before it: %v", l, w)
		}
		return l.String()
	})
	sh.printf("  these can hold together, so the transition is there\n")
}
