package cli

// The search of `magus param step` in a browser.
//
// Idea: a cube is a conjunction. What it says of one local state or variable stands in the column of that one, what it
// says of several stands beside. So what the sets and the counterexample say of each number of processes can be read
// down a column.

import (
	"context"
	"errors"
	"strings"

	"magus/app/repl"
	"magus/app/web"
	"magus/internal/pattern"
	"magus/internal/phrase"
	"magus/param"
	paramengine "magus/param/engine"
)

// mostSets is how many sets pages show.
const mostSets = 300

// Do implements [web.Other].
func (sh *stepper) Do(ctx context.Context, line string) error {
	words := strings.Fields(line)
	switch {
	case len(words) == 0:
		return errors.New("no command")
	case words[0] == "exit" || words[0] == "quit":
		return &repl.Closed{Status: sh.status()}
	}
	return sh.execute(ctx, words)
}

// Show implements [web.Other].
func (sh *stepper) Show(st *web.State) {
	m := sh.sys.Model
	claim := "no number of processes reaches " + m.Formula(m.Bad[sh.property].Formula)
	st.Session = &web.Session{Loaded: true, Files: []string{sh.file}, Claims: []string{claim}, Next: "search"}
	st.Sources = []web.Source{{Name: sh.file, Lines: strings.Split(strings.TrimRight(sh.text, "\n"), "\n")}}
	p := &web.Processes{Locals: len(m.Locals())}
	for _, v := range sh.columns() {
		p.Columns = append(p.Columns, m.Names[v].Text)
	}
	st.Processes = p
	sh.showSearch(st.Session, p)
	if sh.last != nil {
		for i, c := range sh.last.Cubes {
			s := web.ProcessStep{}
			if i > 0 {
				r := sh.last.Path[i-1]
				s.Rule, s.Refused, s.Place = m.RuleName(r), i-1 == sh.last.Step, sh.placeOf(r)
			}
			s.Cells, s.Also = sh.cells(c)
			p.Trace = append(p.Trace, s)
		}
	}
	if o := sh.outcome; o != nil {
		st.Session.Verdict = map[paramengine.Answer]string{paramengine.Safe: "safe",
			paramengine.Unsafe: "unsafe"}[o.Answer]
		if st.Session.Verdict == "" {
			st.Session.Verdict, st.Session.Reason = "unknown", o.Reason
		}
		sh.showRun(p)
	}
}

// placeOf is the line of a rule; nil if it has none, as in another language.
func (sh *stepper) placeOf(rule int) *web.Place {
	line := sh.sys.Model.Rules[rule].Pos.Line
	if line < 1 {
		return nil
	}
	return &web.Place{File: sh.file, Line: line}
}

// columns are the local states, and then the shared variables.
func (sh *stepper) columns() []int {
	all := sh.sys.Model.Locals()
	for i, n := range sh.sys.Model.Names {
		if n.Kind != param.Local {
			all = append(all, i)
		}
	}
	return all
}

// showSearch says how far the search is, and what it has found.
func (sh *stepper) showSearch(session *web.Session, p *web.Processes) {
	for _, z := range sh.knownZones() {
		p.Zones = append(p.Zones, z.Format(sh.sys.DimName))
	}
	v, ok := sh.session.View()
	if !ok || sh.outcome != nil {
		return
	}
	session.Iteration, p.Method = v.Iteration, v.Method
	for i, s := range v.Sets {
		if i == mostSets {
			p.Left = phrase.Plural(len(v.Sets)-mostSets, "set") + " more; sets shows them at the terminal"
			break
		}
		t := web.ProcessSet{Number: i, Mark: "waits", Next: s.Next}
		switch {
		case s.Covered:
			t.Mark = "within another"
		case s.Expanded:
			t.Mark = "expanded"
		}
		if s.Rule >= 0 {
			t.Rule, t.Place = sh.sys.Model.RuleName(s.Rule), sh.placeOf(s.Rule)
		}
		t.Cells, t.Also = sh.cells(s.Cube)
		p.Sets = append(p.Sets, t)
	}
}

// ofOne is what is said of one number.
var ofOne = pattern.New(`^(\S+) (=|>=|<=) (-?\d+)$`)

// cells are what a cube says of each column, and what of several.
func (sh *stepper) cells(c param.Cube) (cells []string, also string) {
	m := sh.sys.Model
	parts := []param.Formula{sh.sys.Formula(c)}
	if and, ok := parts[0].(param.And); ok {
		parts = and
	}
	said, others := map[string][]string{}, []string{}
	for _, f := range parts {
		text := m.Formula(f)
		if one := ofOne().FindStringSubmatch(text); one != nil {
			sign := strings.NewReplacer(">=", "≥ ", "<=", "≤ ", "=", "").Replace(one[2])
			said[one[1]] = append(said[one[1]], sign+one[3])
		} else if text != "" {
			others = append(others, text)
		}
	}
	for _, v := range sh.columns() {
		cells = append(cells, strings.Join(said[m.Names[v].Text], ", "))
	}
	return cells, strings.Join(others, ", ")
}

// showRun says where the processes are along the run that violates the property.
func (sh *stepper) showRun(p *web.Processes) {
	m := sh.sys.Model
	if sh.outcome.Run == nil {
		return
	}
	rows, err := m.Rows(*sh.outcome.Run)
	if err != nil {
		return // report says so
	}
	for _, r := range rows {
		s := web.ProcessStep{}
		if r.Rule >= 0 {
			s.Rule, s.Place = m.RuleName(r.Rule), sh.placeOf(r.Rule)
		}
		for _, v := range sh.columns() {
			s.Cells = append(s.Cells, valueOf(m, v, r.Config[v]))
		}
		p.Run = append(p.Run, s)
	}
}
