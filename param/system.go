package param

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"magus/param/linear"
	"magus/param/syntax"
)

// Idea: the form that decision procedures work on. Names with few values (booleans, small ranges) are
// the control part of a configuration, a bit for each value; all others are dimensions, natural numbers.
// Formulas become disjunctions of cubes, each a mask of control bits and a conjunction of inequalities;
// a rule becomes cases, in each of which guard and update are such conjunctions and affine functions.
// Deviation from the paper: updates are functions, not relations, so the configurations before a step
// are found by substitution and nothing has to be eliminated.
// Cost: disjunctions multiply; maxCubes ends that.

// maxCubes bounds the disjunctions of one formula or rule.
const maxCubes = 4096

// smallRange is how many values a control variable can have.
const smallRange = 8

// A System is a compiled model.
type System struct {
	Model  *Model
	Dims   []int // the names that are dimensions
	Groups []Group
	Cases  []Case
	Init   []Cube
	Plain  *System   // the same model with names that have a range as the only control; nil if this is it
	Facts  []Formula // what makes control of names that have no range: invariants
	Bad    [][]Cube  // of each property

	dimOf, groupOf []int // by name; -1 where it is the other
}

// A Group is a control variable: its bits in a mask, one for each value.
type Group struct {
	Name  int
	Shift int
	Lo    int64
	Bits  uint64
}

// A Cube is a set of configurations: those whose control values are in the mask and whose dimensions
// satisfy the atoms. Invariant: every group has a bit in Control.
type Cube struct {
	Control uint64
	Atoms   []linear.Atom
}

// A Case is one way to take a rule.
type Case struct {
	Rule   int
	Guard  Cube     // with what the update needs so that no value leaves its range
	Clear  uint64   // bits of the control variables that are set
	Set    uint64   // and their new values
	Update []Affine // of each dimension
	Moves  []int    // the dimensions that the update changes
}

// Affine is Σ Coef·x + Const; nil coefficients mean that the dimension keeps its value.
type Affine struct {
	Coef  []int64
	Const int64
}

// All is the mask of all control values.
func (s *System) All() uint64 {
	all := uint64(0)
	for _, g := range s.Groups {
		all |= g.Bits
	}
	return all
}

// Possible reports whether every group has a bit in a mask.
func (s *System) Possible(control uint64) bool {
	for _, g := range s.Groups {
		if control&g.Bits == 0 {
			return false
		}
	}
	return true
}

// Before is the mask from which the case's control update leads into a mask; false if there is none.
func (s *System) Before(c *Case, control uint64) (uint64, bool) {
	before := (control | c.Clear) & c.Guard.Control
	return before, c.Set&^control == 0 && s.Possible(before)
}

// After is where the case leads from a mask; false if its guard excludes it.
func (s *System) After(c *Case, control uint64) (uint64, bool) {
	control &= c.Guard.Control
	return control&^c.Clear | c.Set, s.Possible(control)
}

// Split parts a configuration into control bits and dimensions.
func (s *System) Split(c Config) (control uint64, point []int64) {
	for _, g := range s.Groups {
		control |= 1 << (g.Shift + int(c[g.Name]-g.Lo))
	}
	point = make([]int64, len(s.Dims))
	for i, name := range s.Dims {
		point[i] = c[name]
	}
	return control, point
}

// Join is the configuration of a point and the lowest control values of a mask.
func (s *System) Join(control uint64, point []int64) Config {
	c := make(Config, len(s.Model.Names))
	for _, g := range s.Groups {
		c[g.Name] = g.Lo + int64(bits.TrailingZeros64(control&g.Bits)-g.Shift)
	}
	for i, name := range s.Dims {
		c[name] = point[i]
	}
	return c
}

// DimName is the name of a dimension.
func (s *System) DimName(i int) string { return s.Model.Names[s.Dims[i]].Text }

// Compile makes the system of a model. The error is a *syntax.Error at what is too large for it, or
// that the context has ended.
func Compile(ctx context.Context, m *Model) (*System, error) {
	few, facts, err := bounded(ctx, m)
	if err != nil {
		return nil, err
	}
	plain, err := compile(ctx, m, controlled(m, make([]span, len(m.Names))))
	if err != nil || len(facts) == 0 {
		return plain, err
	}
	s, err := compile(ctx, m, controlled(m, few))
	if err != nil {
		return nil, err
	}
	s.Facts, s.Plain = facts, plain
	return s, nil
}

// compile makes the system whose control variables have the given values.
func compile(ctx context.Context, m *Model, control []span) (*System, error) {
	s := &System{Model: m, dimOf: make([]int, len(m.Names)), groupOf: make([]int, len(m.Names))}
	shift := 0
	for i := range m.Names {
		s.dimOf[i], s.groupOf[i] = -1, -1
		if c := control[i]; c.size > 0 {
			s.groupOf[i] = len(s.Groups)
			s.Groups = append(s.Groups, Group{Name: i, Shift: shift, Lo: c.lo, Bits: (1<<c.size - 1) << shift})
			shift += c.size
			continue
		}
		s.dimOf[i] = len(s.Dims)
		s.Dims = append(s.Dims, i)
	}
	for i := range m.Rules {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		cases, err := s.compileRule(ctx, i)
		if err != nil {
			return nil, at(m.Rules[i].Pos, err)
		}
		s.Cases = append(s.Cases, cases...)
	}
	var err error
	within := s.ranges()
	if s.Init, err = s.cubes(ctx, And{m.Given, m.Init, within}); err != nil {
		return nil, at(m.InitPos, fmt.Errorf("init: %w", err))
	}
	for _, p := range m.Bad {
		bad, err := s.cubes(ctx, And{p.Formula, within})
		if err != nil {
			return nil, at(p.Pos, err)
		}
		s.Bad = append(s.Bad, bad)
	}
	return s, nil
}

// A span is the values that a name can have: size of them, from lo. Size 0 is any number.
type span struct {
	lo   int64
	size int
}

// controlled are the values of the names that become control variables, 64 in all: those with few values
// by their type or as few says, whose updates read nothing but such names.
func controlled(m *Model, few []span) []span {
	control := make([]span, len(m.Names))
	bits := 0
	for i, n := range m.Names {
		c := few[i]
		if n.Kind == Bool || n.Kind == Range {
			c = span{n.Lo, int(min(n.Hi-n.Lo, smallRange)) + 1}
		}
		if c.size <= smallRange && bits+c.size <= 64 {
			control[i] = c
			bits += c.size
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range m.Rules {
			for name, value := range newValues(&m.Rules[i]) {
				reads := func(t Term) bool { return control[t.Var].size == 0 }
				if control[name].size > 0 && slices.ContainsFunc(value.Terms, reads) {
					control[name], changed = span{}, true
				}
			}
		}
	}
	return control
}

// at is the error that something at a place is too large; a context that ended stays what it is.
func at(pos syntax.Pos, err error) error {
	if errors.Is(err, errTooManyCubes) {
		return &syntax.Error{Pos: pos, Message: err.Error(), Limit: true}
	}
	return err
}

// ranges says of range variables that are dimensions what they can be.
func (s *System) ranges() Formula {
	var and And
	for _, i := range s.Dims {
		if n := s.Model.Names[i]; n.Kind == Range || n.Kind == Bool {
			and = append(and, Compare{Ge, Variable(i), Linear{Const: n.Lo}}, Compare{Le, Variable(i), Linear{Const: n.Hi}})
		}
	}
	return and
}
