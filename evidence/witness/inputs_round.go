package witness

// What a run needs that goes round for ever, or a number of times as a program does it.
//
// Idea: a part goes round by the same statements with the same choices. So what it chooses in one round is
// asked for again, and where a round has actions, these are performed as often. Of a part that goes round
// without an action there are only its choices, or nothing: it is told that it goes on for ever behind its
// last action.
//
// Cost: linear in the run.

// Rounds is how often a program goes round.
const Rounds = 3

// A Circle is where, in the script of a part, what comes again and again begins, and how many statements it
// has: none of a part that does not go round.
type Circle struct {
	From, Length int
	Within       bool // it begins within a routine that is known by its abstraction
}

// circle is that of a part which goes round from so many edges on, up to so many.
func (p *Part) circle(from, to int) Circle {
	begin, within := p.begins(from)
	end, _ := p.begins(to)
	return Circle{begin, end - begin, within}
}

// asked is what is asked for in a circle: so many choices and actions came before it.
func (c Circle) asked(in *ComponentInputs, choices, actions int) {
	stem, round := in.Trace[:actions:actions], in.Trace[actions:]
	for range Rounds {
		stem = append(stem, round...)
	}
	in.Trace, in.Endless = stem, len(round) == 0
	times := uint64(Rounds - 1)
	if in.Endless { // it is seen that they are asked for once more
		times = Rounds
	}
	if last := len(in.Choices); last > choices {
		in.Again = append(in.Again, Again{choices, last, times})
	}
}

// circled is the circle of a part, if it goes round.
func (v *Violation) circled(i int) (c Circle, goes bool) {
	if v.Circles == nil {
		return c, false
	}
	return v.Circles[i], v.Circles[i].Length > 0
}
