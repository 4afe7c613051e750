package repl

// Filters of mp and ma: states at a place, with a predicate, with an action.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/app/draw"
	"magus/cfa"
	"magus/engine/cegar"
	"magus/internal/phrase"
	"magus/lts"
)

const filterHelp = `Of several filters all have to hold:

  at LOC, at FILE:LINE   states at a location, or at a line of the source
  with TEXT              states in which something is known with this text in it
  does ACTION            states that a transition with this action leaves

A block is shown if one of its members is at the place, or knows so.`

// A stateFilter says which states are wanted.
type stateFilter struct {
	comp   cegar.ComponentView
	m      *lts.LTS // whose transitions count
	points []string
	texts  []string
	acts   []lts.Action
}

// filtered takes a component that filters may follow.
func (c *call) filtered() (cegar.ComponentView, error) {
	comp, _, err := c.component(0)
	if err == nil && len(c.args) == 1 && !slices.Contains(filterWords, c.args[0]) {
		err = c.noMore() // the name or number of a component, rather than a filter
		c.args = nil
	}
	return comp, err
}

// filters reads what the arguments that are left want.
func (c *call) filters(comp cegar.ComponentView, m *lts.LTS) (*stateFilter, error) {
	f := &stateFilter{comp: comp, m: m}
	for ; len(c.args) > 0; c.args = c.args[2:] {
		word := c.args[0]
		if !slices.Contains(filterWords, word) {
			return nil, fmt.Errorf("no filter %s%s; there are at LOC, with TEXT, does ACTION", word,
				phrase.Suggest(word, filterWords))
		}
		if len(c.args) == 1 {
			return nil, fmt.Errorf("%s: what is wanted is missing", word)
		}
		if err := f.add(word, c.args[1]); err != nil {
			return nil, err
		}
	}
	return f, nil
}

var filterWords = []string{"at", "with", "does"}

// add adds a filter.
func (f *stateFilter) add(word, text string) error {
	switch word {
	case "at":
		if file, line, ok := strings.Cut(text, ":"); ok {
			if n, err := strconv.Atoi(line); err != nil || n < 1 || file == "" {
				return fmt.Errorf("at %s: expected FILE:LINE", text)
			}
			if !slices.ContainsFunc(f.comp.CFA.Locs, func(l cfa.Location) bool { return atLine(l.Pos, file, line) }) {
				return fmt.Errorf("%s has nothing at %s", f.comp.Name, text)
			}
		} else if _, err := location(f.comp.CFA, text); err != nil {
			return err
		}
		f.points = append(f.points, strings.TrimPrefix(text, "L"))
	case "with":
		f.texts = append(f.texts, text)
	case "does":
		var names []string
		for _, a := range f.m.Alphabet() {
			name := f.m.Actions().Name(a)
			names = append(names, actionWord(name))
			if name == text || actionWord(name) == text {
				f.acts = append(f.acts, a)
				return nil
			}
		}
		return fmt.Errorf("%s has no action %s%s", f.comp.Name, text, phrase.Suggest(text, names))
	}
	return nil
}

// of says whether a state, which stands for states of MP, is wanted.
func (f *stateFilter) of(s int, members []lts.State) bool {
	for _, a := range f.acts {
		if len(f.m.OutBy(lts.State(s), a)) == 0 {
			return false
		}
	}
	if len(f.points)+len(f.texts) == 0 {
		return true
	}
	return slices.ContainsFunc(members, f.member)
}

// member says whether a state of MP is at the places and knows the texts.
func (f *stateFilter) member(s lts.State) bool {
	loc, ok := f.comp.Graph.Loc(f.comp.MP.Node(s))
	for _, place := range f.points {
		if !ok || !at(place, f.comp.CFA, loc) {
			return false
		}
	}
	known := draw.Known(f.comp, s)
	for _, text := range f.texts {
		if !slices.ContainsFunc(known, func(k string) bool { return strings.Contains(k, text) }) {
			return false
		}
	}
	return true
}

// at says whether a location is a place.
func at(place string, c *cfa.CFA, loc cfa.Loc) bool {
	file, line, ok := strings.Cut(place, ":")
	if !ok {
		return place == strconv.Itoa(int(loc))
	}
	return atLine(c.Locs[loc].Pos, file, line)
}

// atLine says whether a place is on a line of a file, which may be named by the end of its path.
func atLine(pos cfa.Pos, file, line string) bool {
	return strconv.Itoa(pos.Line) == line && (pos.File == file || strings.HasSuffix(pos.File, "/"+file))
}
