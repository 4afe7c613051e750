package mist

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"magus/param"
	"magus/param/linear"
)

// Write writes one property of a system as mist's format has it. Every value of a control variable
// becomes a place that holds one token or none. The error says what mist cannot express.
func Write(sys *param.System, property int) (string, error) {
	if sys.Plain != nil {
		sys = sys.Plain
	}
	w := &writer{sys: sys}
	if err := w.write(property); err != nil {
		return "", err
	}
	return w.out.String(), nil
}

type writer struct {
	sys *param.System
	out strings.Builder
}

func (w *writer) write(property int) error {
	w.out.WriteString("vars\n\t" + strings.Join(w.names(), " ") + "\n\nrules\n")
	for i := range w.sys.Cases {
		c := &w.sys.Cases[i]
		if err := w.rule(c); err != nil {
			return fmt.Errorf("the rule %s: %w", w.sys.Model.RuleName(c.Rule), err)
		}
	}
	if len(w.sys.Init) != 1 {
		return errors.New("init is no single conjunction")
	}
	lines, err := w.lines(w.sys.Init[0], true)
	if err != nil {
		return fmt.Errorf("init: %w", err)
	}
	if len(lines) != 1 {
		return errors.New("init leaves several values to a variable with a range")
	}
	w.out.WriteString("init\n\t" + lines[0] + "\n\ntarget\n")
	for _, b := range w.sys.Bad[property] {
		lines, err := w.lines(b, false)
		if err != nil {
			return fmt.Errorf("bad: %w", err)
		}
		for _, l := range lines {
			w.out.WriteString("\t" + l + "\n")
		}
	}
	return nil
}

// plain is a name without brackets.
func plain(name string) string { return strings.NewReplacer("[", "_", "]", "").Replace(name) }

func (w *writer) names() []string {
	var names []string
	for d := range w.sys.Dims {
		names = append(names, plain(w.sys.DimName(d)))
	}
	for _, g := range w.sys.Groups {
		for b := range bits.OnesCount64(g.Bits) {
			names = append(names, w.place(g, b))
		}
	}
	return names
}

func (w *writer) place(g param.Group, bit int) string {
	return fmt.Sprintf("%s_is_%d", plain(w.sys.Model.Names[g.Name].Text), g.Lo+int64(bit))
}

// rule writes a case for each value of the control variables that it reads or sets.
func (w *writer) rule(c *param.Case) error {
	var open []param.Group
	for _, g := range w.sys.Groups {
		if c.Guard.Control&g.Bits != g.Bits || c.Clear&g.Bits != 0 {
			open = append(open, g)
		}
	}
	conditions, err := w.conditions(c.Guard.Atoms, false)
	if err != nil {
		return err
	}
	updates, err := w.updates(c)
	if err != nil {
		return err
	}
	return w.each(c, open, conditions, updates)
}

// each goes through the values of the open control variables.
func (w *writer) each(c *param.Case, open []param.Group, conditions, updates []string) error {
	if len(open) == 0 {
		if len(conditions) == 0 {
			conditions = []string{"true"}
		}
		_, err := fmt.Fprintf(&w.out, "\t%s ->\n\t\t%s;\n", strings.Join(conditions, ", "), strings.Join(updates, ",\n\t\t"))
		return err
	}
	g := open[0]
	for mask := c.Guard.Control & g.Bits; mask != 0; mask &= mask - 1 {
		old := bits.TrailingZeros64(mask) - g.Shift
		us := slices.Clip(updates)
		if set := c.Set & g.Bits; set != 0 {
			if next := bits.TrailingZeros64(set) - g.Shift; next != old {
				from, to := w.place(g, old), w.place(g, next)
				us = append(us, fmt.Sprintf("%s' = %s-1", from, from), fmt.Sprintf("%s' = %s+1", to, to))
			}
		}
		if err := w.each(c, open[1:], append(slices.Clip(conditions), w.place(g, old)+" >= 1"), us); err != nil {
			return err
		}
	}
	return nil
}

// conditions are intervals of single dimensions, of all of them or of those that are restricted.
func (w *writer) conditions(atoms []linear.Atom, all bool) ([]string, error) {
	n := len(w.sys.Dims)
	low, high := make([]int64, n), slices.Repeat([]int64{-1}, n)
	for _, a := range atoms {
		d := -1
		for i, c := range a.Coef {
			if c != 0 && d >= 0 {
				return nil, fmt.Errorf("%s relates several names", a.Format(w.sys.DimName))
			} else if c != 0 {
				d = i
			}
		}
		switch {
		case d < 0:
		case a.Coef[d] < 0:
			low[d] = max(low[d], -a.Bound)
		case high[d] < 0:
			high[d] = a.Bound
		default:
			high[d] = min(high[d], a.Bound)
		}
	}
	var out []string
	for d := range n {
		switch name := plain(w.sys.DimName(d)); {
		case high[d] < 0 && (low[d] > 0 || all):
			out = append(out, fmt.Sprintf("%s >= %d", name, low[d]))
		case high[d] < 0:
		case low[d] == high[d]:
			out = append(out, fmt.Sprintf("%s = %d", name, low[d]))
		default:
			out = append(out, fmt.Sprintf("%s in [%d,%d]", name, low[d], high[d]))
		}
	}
	return out, nil
}

// updates are additions and transfers.
func (w *writer) updates(c *param.Case) ([]string, error) {
	target := map[int]int{} // where a dimension is moved to
	for _, d := range c.Moves {
		for j, k := range c.Update[d].Coef {
			if k == 0 || j == d {
				continue
			}
			if _, twice := target[j]; twice || k != 1 || c.Update[j].Coef == nil || c.Update[j].Coef[j] != 0 {
				return nil, fmt.Errorf("%s' copies or multiplies %s, which is not moved", w.sys.DimName(d), w.sys.DimName(j))
			}
			target[j] = d
		}
	}
	var out []string
	for _, d := range c.Moves {
		text, err := w.update(c, d, target)
		if err != nil {
			return nil, err
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return out, nil
}

func (w *writer) update(c *param.Case, d int, target map[int]int) (string, error) {
	u, name := c.Update[d], plain(w.sys.DimName(d))
	var sum []string
	if u.Coef[d] == 1 {
		sum = append(sum, name)
	} else if u.Coef[d] != 0 {
		return "", fmt.Errorf("%s' multiplies %s", name, name)
	}
	for j, k := range u.Coef {
		if j != d && k != 0 {
			sum = append(sum, plain(w.sys.DimName(j)))
		}
	}
	if _, moved := target[d]; !moved && u.Coef[d] == 0 {
		old, fixed := c.Fixed(d)
		if !fixed {
			return "", fmt.Errorf("%s' = %d forgets what %s was", name, u.Const, name)
		}
		if len(sum) > 0 {
			return "", fmt.Errorf("%s' forgets what %s was", name, name)
		}
		return w.sum(name, []string{name}, u.Const-old), nil
	}
	if len(sum) == 0 && u.Const > 0 {
		return "", fmt.Errorf("%s' = %d after all of %s has moved", name, u.Const, name)
	}
	return w.sum(name, sum, u.Const), nil
}

func (w *writer) sum(name string, sum []string, constant int64) string {
	switch text := strings.Join(sum, "+"); {
	case len(sum) == 0:
		return fmt.Sprintf("%s' = %d", name, constant)
	case constant < 0:
		return fmt.Sprintf("%s' = %s-%d", name, text, -constant)
	default:
		return fmt.Sprintf("%s' = %s+%d", name, text, constant)
	}
}

// lines are a cube, one line for each choice of control values; of an initial one everything is said.
func (w *writer) lines(c param.Cube, initial bool) ([]string, error) {
	conditions, err := w.conditions(c.Atoms, initial)
	if err != nil {
		return nil, err
	}
	all := [][]string{conditions}
	for _, g := range w.sys.Groups {
		if c.Control&g.Bits == g.Bits && !initial {
			continue
		}
		var next [][]string
		for mask := c.Control & g.Bits; mask != 0; mask &= mask - 1 {
			value := bits.TrailingZeros64(mask) - g.Shift
			for _, line := range all {
				next = append(next, append(slices.Clip(line), w.token(g, value, initial)...))
			}
		}
		all = next
	}
	var out []string
	for _, line := range all {
		out = append(out, strings.Join(line, ", "))
	}
	return out, nil
}

// token says where the token of a control variable is, and if it matters where it is not.
func (w *writer) token(g param.Group, value int, everywhere bool) []string {
	if !everywhere {
		return []string{w.place(g, value) + " >= 1"}
	}
	var out []string
	for b := range bits.OnesCount64(g.Bits) {
		k := 0
		if b == value {
			k = 1
		}
		out = append(out, fmt.Sprintf("%s = %d", w.place(g, b), k))
	}
	return out
}
