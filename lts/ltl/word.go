package ltl

// What a formula says of an ultimately periodic word.
//
// Idea: there are as many suffixes as positions of stem and loop. Of each subformula it is found where it holds, from
// the inside out; until is a least fixed point over the positions, release a greatest.
//
// Cost: the subformulas times the positions, squared at worst.

// A Word is a stem and then a loop for ever: the propositions that hold at each position. The loop is not empty.
type Word struct{ Stem, Loop []uint64 }

// at is the valuation of a position.
func (w Word) at(i int) uint64 {
	if i < len(w.Stem) {
		return w.Stem[i]
	}
	return w.Loop[i-len(w.Stem)]
}

// Holds reports whether a formula holds of a word, from its first position on.
func Holds(f *Formula, w Word) bool {
	return (&evaluation{w, len(w.Stem) + len(w.Loop), map[*Formula][]bool{}}).of(f)[0]
}

type evaluation struct {
	word  Word
	n     int
	known map[*Formula][]bool // where it holds
}

func (e *evaluation) of(f *Formula) []bool {
	if f == nil {
		return nil
	}
	if k, ok := e.known[f]; ok {
		return k
	}
	l, r, at := e.of(f.l), e.of(f.r), make([]bool, e.n)
	next := func(i int) int {
		if i+1 == e.n {
			return len(e.word.Stem)
		}
		return i + 1
	}
	for i := range at {
		has := e.word.at(i)>>f.prop&1 == 1
		switch f.op {
		case True, Release:
			at[i] = true
		case Prop:
			at[i] = has
		case NotProp:
			at[i] = !has
		case And:
			at[i] = l[i] && r[i]
		case Or:
			at[i] = l[i] || r[i]
		case Next:
			at[i] = l[next(i)]
		}
	}
	for changed := f.op == Until || f.op == Release; changed; {
		changed = false
		for i := e.n - 1; i >= 0; i-- {
			now := r[i] || l[i] && at[next(i)]
			if f.op == Release {
				now = r[i] && (l[i] || at[next(i)])
			}
			changed = changed || now != at[i]
			at[i] = now
		}
	}
	e.known[f] = at
	return at
}
