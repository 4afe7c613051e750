package page

import (
	"fmt"
	"slices"

	"magus/app/report"
)

// file is a source with what the check saw of it.
type file struct {
	Name  string
	Lines []sourceLine
}

// sourceLine is one line of a source.
type sourceLine struct {
	Number  int
	Text    string
	At      string
	Visits  int    // of counterexamples
	Mark    string // "+" reached by a proof, "-" not, "~" in part
	Because string // nothing reaches it
	Values  string // that a counterexample gives last
}

// marks is what is known of one line.
type marks struct {
	visits, reached, missed int
	because, values         string
}

// files are the sources that the check's places lie in, in order, and what was left out.
func (s Settings) files(claims []claim) (all []file, notes []string) {
	seen := map[string]map[int]*marks{}
	var names []string
	mark := func(p *report.Place) *marks {
		if p == nil || p.Line < 1 {
			return &marks{}
		}
		if seen[p.File] == nil {
			seen[p.File] = map[int]*marks{}
			names = append(names, p.File)
		}
		m := seen[p.File][p.Line]
		if m == nil {
			m = &marks{}
			seen[p.File][p.Line] = m
		}
		return m
	}
	for _, c := range claims {
		for _, p := range c.Procedures {
			mark(p.Place)
		}
		if c.Counterexample != nil {
			markRun(c.Counterexample, mark)
		}
	}
	for _, c := range s.Covered {
		markProof(c, mark)
	}
	left := maxLines
	for _, name := range names {
		f := s.file(name, seen[name], left)
		left -= len(f.Lines)
		if len(f.Lines) == 0 {
			notes = append(notes, fmt.Sprintf("%s: not shown; the page has %d lines of sources", name, maxLines))
			continue
		}
		all = append(all, f)
	}
	return all, notes
}

// markRun marks what a counterexample goes through.
func markRun(x *report.Counterexample, mark func(*report.Place) *marks) {
	for _, st := range x.Steps {
		m := mark(st.Place)
		if st.Rounds == nil {
			m.visits++
		} else {
			for i := range st.Rounds.Lines {
				mark(&st.Rounds.Lines[i]).visits += int(st.Rounds.Times)
			}
		}
		if text := valuesOf(st); text != "" {
			m.values = text
		}
		for _, o := range st.Others {
			mark(o.Place).visits++
		}
	}
}

// valuesOf are the values that a step changes, as text.
func valuesOf(st report.Step) string {
	text := ""
	for _, v := range st.Values {
		if v.Idle {
			continue
		}
		if text != "" {
			text += ", "
		}
		if v.State != "" {
			text += v.State
			continue
		}
		text += v.Name + " = " + v.Value
		if v.Named != "" {
			text += " " + v.Named
		}
	}
	return text
}

// markProof marks what a proof reached.
func markProof(c report.Covered, mark func(*report.Place) *marks) {
	for _, covered := range c.Coverage {
		for _, st := range covered.Statements {
			m := mark(report.NewPlace(st.Pos))
			if st.Reached {
				m.reached++
			} else {
				m.missed++
				m.because = st.Because.String()
			}
		}
	}
}

// behind is how many lines are shown behind the last one that is marked.
const behind = 3

// file is a source up to its last line that is marked, if there is room for it.
func (s Settings) file(name string, seen map[int]*marks, room int) file {
	f := file{Name: name}
	last := 0
	for n := range seen {
		last = max(last, n+behind)
	}
	if s.Sources == nil || last > room {
		return f
	}
	for n := 1; n <= last; n++ {
		l := sourceLine{Number: n, Text: s.Sources.Line(name, n), At: fmt.Sprintf("%s:%d", name, n)}
		if m := seen[n]; m != nil {
			l.Visits, l.Values, l.Mark = m.visits, m.values, m.mark()
			if m.reached == 0 {
				l.Because = m.because
			}
		}
		f.Lines = append(f.Lines, l)
	}
	for len(f.Lines) > 0 && f.Lines[len(f.Lines)-1].Text == "" && seen[len(f.Lines)] == nil {
		f.Lines = slices.Delete(f.Lines, len(f.Lines)-1, len(f.Lines))
	}
	return f
}

// mark is what a proof reached of a line.
func (m *marks) mark() string {
	switch {
	case m.reached > 0 && m.missed > 0:
		return "~"
	case m.reached > 0:
		return "+"
	case m.missed > 0:
		return "-"
	}
	return ""
}
