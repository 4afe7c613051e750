package lts

import "errors"

// product enumerates the transitions of M_1 ‖ … ‖ M_n on the fly (Chaki et al., "Efficient Verification of
// Sequential and Concurrent C Programs" (2004), definition 5, generalised from two components to n: an action
// is performed by all components that have it in their alphabet, together). It keeps scratch space and serves
// one search at a time.
type product struct {
	components []*LTS
	offsets    []int32 // owners of action a: owners[offsets[a]:offsets[a+1]]
	owners     []int32 // components with the action in their alphabet, ascending
	next       []State // scratch: the successor handed to emit
	choices    [][]Edge
}

var (
	errNoComponent    = errors.New("lts: a composition needs at least one component")
	errForeignActions = errors.New("lts: the LTSs are numbered by different Actions tables")
)

func newProduct(ms []*LTS) (*product, error) {
	if len(ms) == 0 {
		return nil, errNoComponent
	}
	last := Tau
	for _, m := range ms {
		if m.actions != ms[0].actions {
			return nil, errForeignActions
		}
		if n := len(m.alphabet); n > 0 {
			last = max(last, m.alphabet[n-1])
		}
	}
	p := &product{components: ms, next: make([]State, len(ms)), choices: make([][]Edge, len(ms))}
	p.offsets = make([]int32, last+2)
	for a := Tau; a <= last; a++ {
		for i, m := range ms {
			if m.HasAction(a) {
				p.owners = append(p.owners, int32(i))
			}
		}
		p.offsets[a+1] = int32(len(p.owners))
	}
	return p, nil
}

// lastAction is the greatest action of any component's alphabet, or Tau.
func (p *product) lastAction() Action { return Action(len(p.offsets) - 2) }

// ownersOf returns the components that take part in visible action a, ascending.
func (p *product) ownersOf(a Action) []int32 { return p.owners[p.offsets[a]:p.offsets[a+1]] }

// initial returns the tuple of initial states.
func (p *product) initial() []State {
	at := make([]State, len(p.components))
	for i, m := range p.components {
		at[i] = m.init
	}
	return at
}

// emitFunc receives one transition; next is only valid during the call. It returns false to stop.
type emitFunc func(a Action, next []State) bool

// successors calls emit for each transition that leaves at: component by component, each with the
// actions it owns first, in the order of its edges. The result is false if emit stopped it.
func (p *product) successors(at []State, emit emitFunc) bool {
	copy(p.next, at)
	for i, m := range p.components {
		for out := m.Out(at[i]); len(out) > 0; {
			k := countFirst(out, out[0].Action)
			if !p.perform(at, i, out[:k], emit) {
				return false
			}
			out = out[k:]
		}
	}
	return true
}

// perform emits the transitions that begin with component i's transitions of one action, unless they
// begin with another component's.
func (p *product) perform(at []State, i int, group []Edge, emit emitFunc) bool {
	a := group[0].Action
	if a != Tau {
		if owners := p.ownersOf(a); len(owners) > 1 {
			return owners[0] != int32(i) || p.synchronise(at, a, group, owners, emit)
		}
	}
	for _, e := range group {
		p.next[i] = e.To
		if !emit(a, p.next) {
			return false
		}
	}
	p.next[i] = at[i]
	return true
}

// synchronise emits every combination of a-transitions of the owners; first are those of owners[0].
func (p *product) synchronise(at []State, a Action, first []Edge, owners []int32, emit emitFunc) bool {
	p.choices[0] = first
	for j, i := range owners[1:] {
		p.choices[j+1] = p.components[i].OutBy(at[i], a)
		if len(p.choices[j+1]) == 0 {
			return true
		}
	}
	goOn := p.combine(a, owners, 0, emit)
	for _, i := range owners {
		p.next[i] = at[i]
	}
	return goOn
}

func (p *product) combine(a Action, owners []int32, j int, emit emitFunc) bool {
	if j == len(owners) {
		return emit(a, p.next)
	}
	for _, e := range p.choices[j] {
		p.next[owners[j]] = e.To
		if !p.combine(a, owners, j+1, emit) {
			return false
		}
	}
	return true
}
