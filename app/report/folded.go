package report

import "strings"

// A Row is consecutive steps of a run in one row of a table, as people read it.
type Row struct {
	Steps     string // their numbers, such as 3-7
	Where     string // file and lines
	Place     *Place // of the first step that has one; nil for none
	Procedure string
	Source    string
	Branch    string // what conditions turned out to be
	Action    string
	Values    string // that variables got
	Forbidden bool
	Model     bool // it is in the text of the model of the library
	Quiet     bool // nothing happens that matters later
}

// Folded are the steps of a run as the text of a report has them.
func (x *Counterexample) Folded() []Row {
	var all []Row
	for _, r := range rows(x.Steps, false) {
		shown := Row{Steps: r.numbers(), Where: r.where(true), Procedure: r.procedure, Source: r.source, Branch: r.branch,
			Action: r.action, Values: r.effects(), Forbidden: r.forbidden, Quiet: r.silent(),
			Model: strings.HasPrefix(r.file, "<")}
		for i := r.first; i <= r.last && shown.Place == nil; i++ {
			shown.Place = x.Steps[i-1].Place
		}
		all = append(all, shown)
	}
	return all
}
