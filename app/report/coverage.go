package report

import (
	"fmt"
	"strings"

	"magus/cfa"
	"magus/evidence/verdict"
	"magus/internal/phrase"
)

// A Coverage is what a proof reached of one component: the statements in sight that
// it could not exclude.
type Coverage struct {
	Component  string `json:"component"`
	Statements int    `json:"statements"` // in sight
	Reached    int    `json:"reached"`    // of them
	// HasEnd says that the component's procedure has an end as far as its text tells,
	// EndReached that the proof reached it.
	HasEnd     bool        `json:"hasEnd"`
	EndReached bool        `json:"endReached"`
	Unreached  []Unreached `json:"unreached"` // statements, in the order of the text
}

// An Unreached is a statement that no run reaches.
type Unreached struct {
	Place     *Place  `json:"place"`
	Procedure string  `json:"procedure"`
	Because   Blocker `json:"because"`
}

// An Blocker is the first thing that keeps control from a statement.
type Blocker struct {
	Kind  string `json:"kind"` // one of the schema's list
	Place *Place `json:"place,omitempty"`
	Text  string `json:"text"`
}

// A Doubt is why a proof may be about less than it seems.
type Doubt struct {
	Kind  string `json:"kind"` // one of the schema's list
	Place *Place `json:"place,omitempty"`
	Text  string `json:"text"`
}

// NewCoverage is a coverage in the form of the report.
func NewCoverage(c *verdict.Coverage) Coverage {
	r := Coverage{Component: c.Component, Statements: len(c.Statements), Reached: c.Reached, HasEnd: c.Returns,
		EndReached: c.ReturnReached, Unreached: []Unreached{}}
	for _, st := range c.Statements {
		if !st.Reached {
			r.Unreached = append(r.Unreached, Unreached{NewPlace(st.Pos), st.Proc, newBlocker(st.Because)})
		}
	}
	return r
}

func newBlocker(o cfa.Blocker) Blocker {
	return Blocker{string(o.Kind), NewPlace(o.Pos), o.String()}
}

func newDoubts(doubts []verdict.Doubt) []Doubt {
	var all []Doubt
	for _, d := range doubts {
		all = append(all, Doubt{string(d.Kind), NewPlace(d.Pos), d.Text})
	}
	return all
}

// writeDoubts writes the warnings of a claim.
func writeDoubts(b *strings.Builder, doubts []Doubt, how Text) {
	for _, d := range doubts {
		fmt.Fprintln(b, how.Wrapped(reason("warning: "+d.Text, d.Place), 0))
	}
}

// writeReached writes how many statements were reached, where that is not all.
func writeReached(b *strings.Builder, cs []Coverage, how Text) {
	for _, c := range cs {
		if c.Reached < c.Statements {
			fmt.Fprintf(b, "  %s\n", how.Wrapped(c.reached(), 2))
		}
	}
}

func (c Coverage) reached() string {
	return fmt.Sprintf("reached %d of %s of %s", c.Reached, phrase.Plural(c.Statements, "statement"), c.Component)
}

// WriteCoverage writes how many statements were reached, and which were not.
func WriteCoverage(b *strings.Builder, c Coverage, how Text) {
	fmt.Fprintf(b, "%s\n", how.Wrapped(c.reached(), 0))
	writeUnreached(b, []Coverage{c}, how)
}

// writeUnreached writes the statements that are not reached: those that follow each
// other and have one blocker in one line.
func writeUnreached(b *strings.Builder, cs []Coverage, how Text) {
	t := table{right: make([]bool, 3), narrow: []int{0}}
	t.add("never reached", "", "because")
	for _, c := range cs {
		for i := 0; i < len(c.Unreached); {
			first := c.Unreached[i]
			n := 1
			for i+n < len(c.Unreached) && c.Unreached[i+n].follows(first) {
				n++
			}
			t.add(first.Place.String(), counted(n), reason(first.Because.Text, first.Because.Place))
			i += n
		}
	}
	if len(t.rows) > 1 {
		t.write(b, "  ", Text{Width: how.Width})
	}
}

// follows reports whether a statement is told together with one before.
func (u Unreached) follows(first Unreached) bool {
	return u.Procedure == first.Procedure && u.Place.File == first.Place.File &&
		u.Because.Text == first.Because.Text && samePlace(u.Because.Place, first.Because.Place)
}

func samePlace(a, b *Place) bool { return a == b || a != nil && b != nil && *a == *b }

func counted(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf("and %d more", n-1)
}
