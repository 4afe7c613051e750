package specs

import (
	"context"
	"slices"
	"strings"

	"magus/lts"
)

// Where the states of an LTS come from.

// An origin is how people call a state, and the place of its definition: that of
// a named state, of the actions that a state without a name offers, or of STOP or
// ERROR where it is named first.
//
// A state without a name is called by the named state and the actions that lead
// from there to it. The states on the way share what they have in common: names
// that are spelt out would grow with the square of the number of actions.
type origin struct {
	name   string  // of a named state; the last action on the way to one without
	before *origin // where that action leads from; nil for a named state
	pos    Pos
}

func named(name string, pos Pos) *origin { return &origin{name: name, pos: pos} }

// after is the origin of a state without a name that a step from o leads to.
func (o *origin) after(st step, pos Pos) *origin { return &origin{st.labels[0].name, o, pos} }

// String is how people call the state, "idle after req ack".
func (o *origin) String() string {
	var actions []string
	for ; o.before != nil; o = o.before {
		actions = append(actions, o.name)
	}
	if len(actions) == 0 {
		return o.name
	}
	slices.Reverse(actions)
	return o.name + " after " + strings.Join(actions, " ")
}

// Origins say of an LTS where the text defines its states.
type Origins struct {
	states []*origin
	ends   map[[2]int]Pos
}

// Origins are those of the LTS of that name, as [File.LTS] builds it.
func (f *File) Origins(ctx context.Context, name string) (*Origins, error) {
	g, err := f.graph(ctx, name, lts.NewActions())
	if err != nil {
		return nil, err
	}
	o := &Origins{g.origins, map[[2]int]Pos{}}
	for _, e := range g.edges {
		key := [2]int{e.from, e.to}
		if _, known := o.ends[key]; !known {
			o.ends[key] = e.end
		}
	}
	return o, nil
}

// State is what people call a state, and where it is defined.
func (o *Origins) State(s lts.State) (name string, pos Pos) {
	return o.states[s].String(), o.states[s].pos
}

// NumStates counts the states.
func (o *Origins) NumStates() int { return len(o.states) }

// End is where the text says that a transition leads from one state to the other:
// the place of STOP behind an arrow, say. It is no place if nothing says so.
func (o *Origins) End(from, to lts.State) Pos { return o.ends[[2]int{int(from), int(to)}] }
