package draw

import (
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/engine/cegar"
	"magus/internal/graph"
	"magus/internal/phrase"
	"magus/lts"
)

// Source gives the text of source lines.
type Source interface {
	// Line is line n (from 1) of a file, or "" where there is none.
	Line(file string, n int) string
}

// Path is a path of the trace in m, nil if it has none.
func Path(m *lts.LTS, trace []lts.Action) []lts.Edge {
	if trace == nil {
		return nil
	}
	path, _ := lts.Member(m, trace)
	return path
}

// LTS draws an LTS; a path in it, if not nil, is red.
func LTS(title string, m *lts.LTS, path []lts.Edge) *Picture {
	p := &Picture{title: title, noun: "state"}
	type step struct {
		from lts.State
		edge lts.Edge
	}
	taken, visited := map[step]bool{}, map[lts.State]bool{}
	at := m.Init()
	for _, e := range path {
		taken[step{at, e}] = true
		visited[at], visited[e.To] = true, true
		at = e.To
	}
	for s := range lts.State(m.NumStates()) {
		n := graph.Node{Label: m.StateName(s), Start: s == m.Init(), Highlight: visited[s]}
		if m.IsError(s) {
			n.Shape = "octagon"
		}
		out := m.Out(s)
		p.add(n, len(out) == 1 && out[0].Action == lts.Tau && out[0].To != s && !n.Start)
		for _, e := range out {
			label := "τ"
			if e.Action != lts.Tau {
				label = m.Actions().Name(e.Action)
			}
			p.edges = append(p.edges, graph.Edge{From: int(s), To: int(e.To), Label: label,
				Dashed: e.Action == lts.Tau, Highlight: taken[step{s, e}]})
		}
	}
	return p
}

// Specification draws the specification of a claim, which must be there; what it allows of the counterexample is red.
func Specification(v *cegar.View) *Picture {
	var path []lts.Edge
	if trace := v.Counterexample(); trace != nil && v.StatesAlong != nil {
		trace = lts.Project(trace, v.Spec.Alphabet())
		path = Path(v.Spec, trace[:max(0, len(v.StatesAlong(trace))-1)])
	}
	return LTS("specification", v.Spec, path)
}

// States draws the predicate abstraction MP of a component, which must be there,
// with what its states stand for. The counterexample is red: the component's path,
// or else any path of the trace.
func States(comp cegar.ComponentView, trace []lts.Action, src Source) *Picture {
	path := comp.Path
	if path == nil && !comp.Stale {
		path = Path(comp.MP.LTS, lts.Project(trace, comp.MP.LTS.Alphabet()))
	}
	p := LTS("MP of "+comp.Name+inFile(comp), comp.MP.LTS, path)
	p.label = func(s int, behind []int) string { return stateLabel(comp, s, behind, src) }
	p.place = func(s int) (place, bool) {
		loc, ok := comp.Graph.Loc(comp.MP.Node(lts.State(s)))
		if !ok {
			return place{}, false
		}
		return placeOf(comp, loc)
	}
	p.kind = func(s int) string { return comp.MP.PointString(lts.State(s)) }
	return p
}

// inFile names the file that a component begins in.
func inFile(comp cegar.ComponentView) string {
	for _, l := range comp.CFA.Locs {
		if l.Pos.IsValid() {
			return ", " + l.Pos.File
		}
	}
	return ""
}

const (
	labelWidth = 44 // of a line of a label
	labelLines = 4  // of what is known in a state
)

// stateLabel is the number of a state, its line of the source, and what is known there;
// behind other states, what was not known in all of them.
func stateLabel(comp cegar.ComponentView, s int, behind []int, src Source) string {
	text := fmt.Sprintf("%d", s)
	state := lts.State(s)
	loc, ok := comp.Graph.Loc(comp.MP.Node(state))
	if head := comp.MP.PointString(state); !ok {
		return text + "  " + head
	}
	if pos := comp.CFA.Locs[loc].Pos; pos.IsValid() {
		text += phrase.Clip(fmt.Sprintf("  %d: %s", pos.Line, SourceLine(src, pos)), labelWidth)
	} else {
		text += fmt.Sprintf("  L%d", loc)
	}
	lines := wrapped(news(comp, s, behind), labelWidth)
	if len(lines) > labelLines {
		lines = append(lines[:labelLines:labelLines], "...")
	}
	for _, l := range lines {
		text += "\n" + l
	}
	return text
}

// news is what is known in a state and not in all of those behind which it is.
func news(comp cegar.ComponentView, s int, behind []int) []string {
	known := Known(comp, lts.State(s))
	if len(behind) == 0 {
		return known
	}
	times := map[string]int{}
	for _, b := range behind {
		for _, l := range Known(comp, lts.State(b)) {
			times[l]++
		}
	}
	return slices.DeleteFunc(known, func(l string) bool { return times[l] == len(behind) })
}

// wrapped joins texts by commas into lines of a width, where they allow it.
func wrapped(texts []string, width int) []string {
	var lines []string
	for i, t := range texts {
		if i+1 < len(texts) {
			t += ","
		}
		if n := len(lines); n > 0 && len([]rune(lines[n-1]))+1+len([]rune(t)) <= width {
			lines[n-1] += " " + t
		} else {
			lines = append(lines, "  "+t)
		}
	}
	return lines
}

// Automaton draws the automaton of a component, with source lines and predicates;
// the locations that the counterexample goes through are red.
func Automaton(comp cegar.ComponentView, src Source) *Picture {
	p := &Picture{title: comp.Name + inFile(comp) + cutText(comp.CFA), noun: "location",
		label: func(l int, behind []int) string {
			return locationLabel(comp, cfa.Loc(l), behind, src)
		}}
	p.place = func(l int) (place, bool) { return placeOf(comp, cfa.Loc(l)) }
	p.decides = func(l int) bool {
		_, branch := comp.CFA.Locs[l].Stmt.(cfa.Branch)
		return branch
	}
	visited, taken := map[cfa.Loc]bool{}, map[[2]cfa.Loc]bool{}
	cut := map[cfa.Loc]bool{}
	for _, r := range comp.CFA.Refused {
		cut[r.At] = true
	}
	begins := map[cfa.Loc]string{} // of threads that are created
	for _, t := range comp.CFA.Threads {
		if t.Parent >= 0 && t.Entry >= 0 {
			begins[t.Entry] = t.Name
		}
	}
	last := cfa.Loc(-1)
	for _, l := range locations(comp) {
		visited[l], taken[[2]cfa.Loc{last, l}] = true, true
		last = l
	}
	for i := range comp.CFA.Locs {
		l, loc := cfa.Loc(i), &comp.CFA.Locs[i]
		_, isGoto := loc.Stmt.(cfa.Goto)
		p.add(graph.Node{Start: l == comp.CFA.Entry, Double: len(loc.Succ) == 0, Highlight: visited[l]},
			isGoto && l != comp.CFA.Entry && begins[l] == "")
		if cut[l] {
			continue // nothing is known of what follows
		}
		for k, to := range loc.Succ {
			e := graph.Edge{From: i, To: int(to), Label: edgeLabel(loc.Stmt, k), Highlight: taken[[2]cfa.Loc{l, to}]}
			if _, spawns := loc.Stmt.(cfa.Spawn); spawns && begins[to] != "" {
				e.Label, e.Dashed = "creates "+begins[to], true
			}
			p.edges = append(p.edges, e)
		}
	}
	return p
}

// cutText says where an automaton ends because what follows is not modelled: it is no automaton of
// the program then.
func cutText(auto *cfa.CFA) string {
	if len(auto.Refused) == 0 {
		return ""
	}
	first := auto.Refused[0]
	text := fmt.Sprintf(", CUT SHORT at %v", auto.Locs[first.At].Pos)
	if more := len(auto.Refused) - 1; more > 0 {
		text += fmt.Sprintf(" and %s more", phrase.Plural(more, "place"))
	}
	return text + ", where something is not modelled"
}

// placeOf is where a location is in the source.
func placeOf(comp cegar.ComponentView, l cfa.Loc) (place, bool) {
	loc := &comp.CFA.Locs[l]
	if !loc.Pos.IsValid() {
		return place{}, false
	}
	at := place{line: loc.Pos.Line}
	if loc.Frame >= 0 && loc.Frame < len(comp.CFA.Frames) {
		at.procedure = comp.CFA.Frames[loc.Frame].Proc
	}
	return at, true
}

// locations are those on the component's path in MP, without repetition of one
// that stays.
func locations(comp cegar.ComponentView) []cfa.Loc {
	if comp.Path == nil {
		return nil
	}
	states := []lts.State{comp.MP.LTS.Init()}
	for _, e := range comp.Path {
		states = append(states, e.To)
	}
	var all []cfa.Loc
	for _, s := range states {
		if l, ok := comp.Graph.Loc(comp.MP.Node(s)); ok && (len(all) == 0 || l != all[len(all)-1]) {
			all = append(all, l)
		}
	}
	return all
}

// edgeLabel is what stands at the k-th edge that leaves a statement.
func edgeLabel(s cfa.Stmt, k int) string {
	switch s := s.(type) {
	case cfa.Branch:
		return []string{"true", "false"}[k]
	case cfa.Act:
		return s.Action
	}
	return ""
}

// locationLabel is the statement, the source line, if it is not that of the location
// before in the same piece, and the predicates, if they are others than before.
func locationLabel(comp cegar.ComponentView, l cfa.Loc, behind []int, src Source) string {
	loc := &comp.CFA.Locs[l]
	statement := loc.Stmt.String()
	for _, r := range comp.CFA.Refused {
		if r.At == l {
			statement = "not modelled: " + r.Why.Error()
		}
	}
	label := strings.Join(broken(fmt.Sprintf("%d: %s", l, statement), labelWidth), "\n    ")
	for _, t := range comp.CFA.Threads {
		if t.Parent >= 0 && t.Entry == l {
			label = fmt.Sprintf("%d: thread %s begins\n", l, t.Name) + label
		}
	}
	continued := len(behind) == 1 && len(comp.CFA.Locs[behind[0]].Succ) == 1 &&
		sameLine(comp.CFA.Locs[behind[0]].Pos, loc.Pos)
	if text := SourceLine(src, loc.Pos); text != "" && !continued { // models of the library have none
		label += fmt.Sprintf("\n    line %d: %s", loc.Pos.Line, phrase.Clip(text, labelWidth-12))
	}
	if texts := predicates(comp, l); len(texts) > 0 &&
		!(len(behind) == 1 && slices.Equal(texts, predicates(comp, cfa.Loc(behind[0])))) {
		label += "\n" + strings.Join(broken("{"+phrase.Few(texts, 6)+"}", labelWidth), "\n ")
	}
	return label
}

// predicates are the texts of those at a location.
func predicates(comp cegar.ComponentView, l cfa.Loc) (texts []string) {
	for _, e := range comp.At(l) {
		texts = append(texts, e.String())
	}
	return texts
}

func sameLine(a, b cfa.Pos) bool { return a.File == b.File && a.Line == b.Line }

// broken is a text in lines of a width, between words where it can be.
func broken(text string, width int) []string {
	var lines []string
	for _, w := range strings.Split(text, " ") {
		for letters := []rune(w); len(letters) > width; letters = []rune(w) {
			lines, w = append(lines, string(letters[:width])), string(letters[width:])
		}
		if n := len(lines); n > 0 && len([]rune(lines[n-1]))+1+len([]rune(w)) <= width {
			lines[n-1] += " " + w
		} else {
			lines = append(lines, w)
		}
	}
	return lines
}

// Pointers draws pointers as boxes and what they point to.
func Pointers(auto *cfa.CFA) *Picture {
	p := &Picture{title: "pointers of " + auto.Name, noun: "node"}
	number := map[string]int{}
	node := func(name, shape string) int {
		n, ok := number[name]
		if !ok {
			n = len(p.nodes)
			number[name] = n
			p.add(graph.Node{Label: name, Shape: shape}, false)
		}
		return n
	}
	for _, x := range auto.PointsTo {
		node(x.Var.Name(), "box")
	}
	for _, x := range auto.PointsTo {
		for _, t := range x.Targets {
			p.edges = append(p.edges, graph.Edge{From: number[x.Var.Name()], To: node(t.Name, "")})
		}
	}
	return p
}

// shownLines is how many lines of the states of a block are listed.
const shownLines = 3

// Blocks draws the blocks of MA of a component, which must be there, with the lines of
// their states and their transitions. The counterexample is red, and so are the blocks of
// the last split. A block is one node: Graphviz gives up on boxes around nodes with
// edges in all directions between them.
func Blocks(comp cegar.ComponentView, trace []lts.Action, src Source) *Picture {
	q := comp.MA.Quotient()
	p := LTS("MA of "+comp.Name+inFile(comp), q, Path(q, lts.Project(trace, q.Alphabet())))
	p.noun = "block"
	split := map[int]bool{}
	for _, s := range comp.Splits {
		for _, b := range s.Into {
			split[b] = true
		}
	}
	for b := range comp.MA.NumBlocks() {
		p.nodes[b].Highlight = p.nodes[b].Highlight || split[b]
		p.nodes[b].Shape, p.nodes[b].Name, p.passes[b] = "", fmt.Sprintf("block %d", b), false
	}
	p.label = func(b int, _ []int) string { return blockLabel(comp, b, src) }
	return p
}

// blockLabel is the number of a block and the lines that its states are at.
func blockLabel(comp cegar.ComponentView, b int, src Source) string {
	all := comp.MA.Members(b)
	text := fmt.Sprintf("block %d: %s", b, phrase.Plural(len(all), "state"))
	var lines []string
	for _, s := range all {
		place := comp.MP.PointString(s)
		if loc, ok := comp.Graph.Loc(comp.MP.Node(s)); ok {
			if pos := comp.CFA.Locs[loc].Pos; pos.IsValid() {
				place = fmt.Sprintf("%d: %s", pos.Line, SourceLine(src, pos))
			}
		}
		if !slices.Contains(lines, place) {
			lines = append(lines, place)
		}
	}
	for _, place := range lines[:min(shownLines, len(lines))] {
		text += "\n  " + phrase.Clip(place, labelWidth-2)
	}
	if more := len(lines) - shownLines; more > 0 {
		text += "\n  and " + phrase.Plural(more, "line") + " more"
	}
	return text
}
