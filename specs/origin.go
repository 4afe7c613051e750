package specs

import (
	"context"
	"strings"

	"magus/lts"
)

// Where the states of an LTS come from.

// An origin is how people call a state, and the place of its definition: that of
// a named state, of the actions that a state without a name offers, or of STOP or
// ERROR where it is named first.
type origin struct {
	name string
	pos  Pos
}

// after is what a state without a name is called that a step from o leads to.
func (o origin) after(st step) string {
	sep := " "
	if !strings.Contains(o.name, " after ") {
		sep = " after "
	}
	return o.name + sep + st.labels[0].name
}

// Origins say of an LTS where the text defines its states.
type Origins struct {
	states []origin
	ends   map[[2]int]Pos
}

// Origins are those of the LTS of that name, as [File.LTS] builds it.
func (f *File) Origins(ctx context.Context, name string) (*Origins, error) {
	g, err := f.graph(ctx, name, lts.NewActions())
	if err != nil {
		return nil, err
	}
	o := &Origins{g.places, map[[2]int]Pos{}}
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
	return o.states[s].name, o.states[s].pos
}

// End is where the text says that a transition leads from one state to the other:
// the place of STOP behind an arrow, say. It is no place if nothing says so.
func (o *Origins) End(from, to lts.State) Pos { return o.ends[[2]int{int(from), int(to)}] }
