package repl

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"magus"
	"magus/cfa"
	"magus/internal/graph"
	"magus/lts"
)

// defaultLimit is how many nodes a drawing has at most, unless all are asked
// for: Graphviz needs seconds for a few hundred nodes that are well connected.
const defaultLimit = 300

func drawCommands() []*Command {
	kinds := []kind{kindObject, kindComponent, kindFlag}
	return []*Command{
		{Name: "dot", Group: groupDraw, Args: "OBJECT [FLAG...]", Short: "Print a drawing as DOT text",
			Long:    drawHelp,
			Example: "dot cfa server\ndot mp client --collapse > client.dot\ndot ma client --around 3 2", kinds: kinds, run: printDot},
		{Name: "draw", Group: groupDraw, Args: "OBJECT [FLAG...] FILE", Short: "Draw into a file, by Graphviz; FILE.svg, FILE.png, FILE.pdf or FILE.dot",
			Long: drawHelp, Example: "draw product product.svg", kinds: append(slices.Clone(kinds), kindFile), run: drawFile},
	}
}

const drawHelp = `OBJECT is one of

  cfa C         the automaton, with source lines and predicates
  mp C          the states of the predicate abstraction
  ma C          the blocks, with their members as clusters
  product       the composition
  points C      what pointers may point to
  spec [NAME]   the specification, or a definition of the files, such as the
                one that stands for a called routine

The counterexample is drawn red, and so are the blocks of the last split.

  --all             draw all nodes, however many
  --collapse        leave out states that only pass τ on
  --around N DEPTH  draw what is at most DEPTH transitions from node N
  --trace-only      draw the counterexample only`

// A picture is a drawing whose nodes can be left out.
type picture struct {
	title    string
	noun     string // what a node is
	nodes    []graph.Node
	label    func(i int) string // the label of a node that is drawn; nil: it has one
	cluster  []int              // by node: its box from 1, or 0
	collapse []bool             // by node: --collapse may leave it out
	members  map[int]string     // by node: what its box lists
	boxes    []string
	marked   []bool // by box
	edges    []graph.Edge
}

// A Drawing says how much of an object is drawn.
type Drawing struct {
	All, Collapse, TraceOnly bool
	Around                   string // "NODE,DEPTH", or ""
}

// drawOptions takes the flags out of the arguments.
func drawOptions(args []string) (d Drawing, rest []string, err error) {
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "--all":
			d.All = true
		case "--collapse":
			d.Collapse = true
		case "--trace-only":
			d.TraceOnly = true
		case "--around":
			if i+2 >= len(args) {
				return d, nil, errAround
			}
			d.Around = args[i+1] + "," + args[i+2]
			i += 2
		default:
			if strings.HasPrefix(args[i], "--") {
				return d, nil, fmt.Errorf("no flag %s%s", args[i], Suggest(args[i], drawFlags()))
			}
			rest = append(rest, args[i])
		}
	}
	return d, rest, nil
}

var errAround = errors.New("--around needs a node and a depth, two numbers")

// around is the node and the depth; the node is -1 for none.
func (d *Drawing) around() (node, depth int, err error) {
	if d.Around == "" {
		return -1, 0, nil
	}
	n, k, ok := strings.Cut(d.Around, ",")
	node, errNode := strconv.Atoi(n)
	depth, errDepth := strconv.Atoi(k)
	if !ok || errNode != nil || errDepth != nil || node < 0 || depth < 0 {
		return 0, 0, errAround
	}
	return node, depth, nil
}

func drawFlags() []string { return []string{"--all", "--around", "--collapse", "--trace-only"} }

// Objects are the words that name what can be drawn.
func Objects() []string { return []string{"cfa", "ma", "mp", "points", "product", "spec"} }

func printDot(ctx context.Context, c *call) error {
	text, err := c.dot(ctx)
	if err == nil {
		c.printf("%s", text)
	}
	return err
}

func drawFile(ctx context.Context, c *call) error {
	if len(c.args) < 2 {
		return c.usage()
	}
	file := c.args[len(c.args)-1]
	c.args = c.args[:len(c.args)-1]
	text, err := c.dot(ctx)
	if err != nil {
		return err
	}
	format, err := PictureFormat(file)
	out := []byte(text)
	if err == nil && format != "dot" {
		out, err = c.host.Render(ctx, out, format)
	}
	if err != nil {
		return err
	}
	return c.host.WriteFile(file, out)
}

// PictureFormat is the format of a picture by the name of its file.
func PictureFormat(file string) (string, error) {
	switch format := strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), "."); format {
	case "dot", "gv":
		return "dot", nil
	case "svg", "png", "pdf":
		return format, nil
	}
	return "", fmt.Errorf("%s: the name has to end with .svg, .png, .pdf or .dot", file)
}

// Dot is the DOT text of an object of the session, as it is after the event, or
// at the end without one. The automaton and specifications are drawn as they are
// at the beginning, and so are pointers, unless always says otherwise.
func (sh *Shell) Dot(ctx context.Context, object []string, event string, always bool, d Drawing) (string, error) {
	c := &call{Shell: sh, words: []word{{text: "dot"}}, args: object[1:]}
	if always || !slices.Contains([]string{"cfa", "points", "spec"}, object[0]) {
		stop := func(magus.Event) bool { return false }
		if event != "" {
			var err error
			if stop, err = sh.eventTest(strings.Fields(event)); err != nil {
				return "", err
			}
		}
		if _, err := sh.until(ctx, stop, nil); err != nil {
			return "", err
		}
	}
	return c.drawn(ctx, object[0], d)
}

// Claim begins with claim number n.
func (sh *Shell) Claim(ctx context.Context, n int) error { return sh.chooseClaim(ctx, strconv.Itoa(n)) }

// dot is the DOT text of the object that the arguments name.
func (c *call) dot(ctx context.Context) (string, error) {
	d, rest, err := drawOptions(c.args)
	if err != nil {
		return "", err
	}
	if len(rest) == 0 {
		return "", c.usage()
	}
	c.args = rest[1:]
	return c.drawn(ctx, rest[0], d)
}

func (c *call) drawn(ctx context.Context, object string, d Drawing) (string, error) {
	p, err := c.picture(ctx, object)
	if err != nil {
		return "", err
	}
	if len(c.args) > 0 {
		return "", c.usage()
	}
	return p.draw(d, c.limit, func(format string, args ...any) { fmt.Fprintf(c.host.Err, format, args...) })
}

func (c *call) picture(ctx context.Context, object string) (*picture, error) {
	v, err := c.view()
	if err != nil {
		return nil, err
	}
	switch object {
	case "product":
		m, err := c.product(ctx)
		if err != nil {
			return nil, err
		}
		return ltsPicture("product", m, pathIn(m, v.Trace)), nil
	case "spec":
		m, err := c.definition(strings.Join(c.args, ""))
		if err != nil {
			return nil, err
		}
		title := strings.Join(append([]string{"specification"}, c.args...), " ")
		c.args = nil
		return ltsPicture(title, m, nil), nil
	case "cfa", "mp", "ma", "points":
	default:
		return nil, fmt.Errorf("no object %s%s; there are %s", object, Suggest(object, Objects()), strings.Join(Objects(), ", "))
	}
	comp, i, err := c.component(0)
	switch {
	case err != nil:
		return nil, err
	case object == "points":
		auto, err := c.session.PointsTo(ctx, i)
		if err != nil {
			return nil, err
		}
		return pointsPicture(auto), nil
	case object == "cfa":
		return c.cfaPicture(comp), nil
	case object == "mp":
		if err := built(comp); err != nil {
			return nil, err
		}
		path := comp.Path
		if path == nil && !comp.Stale {
			path = pathIn(comp.MP.LTS, lts.Project(v.Trace, comp.MP.LTS.Alphabet()))
		}
		p := ltsPicture("MP of "+comp.Name, comp.MP.LTS, path)
		p.label = func(s int) string { return fmt.Sprintf("%d\n%s", s, stateText(comp, lts.State(s))) }
		return p, nil
	}
	if err := c.lumped(comp); err != nil {
		return nil, err
	}
	return maPicture(v, comp), nil
}

// pathIn is a path of the trace in m, if it has one.
func pathIn(m *lts.LTS, trace []lts.Action) []lts.Edge {
	if trace == nil {
		return nil
	}
	path, _ := lts.Member(m, trace)
	return path // nil if there is none
}

// ltsPicture draws an LTS with a path highlighted.
func ltsPicture(title string, m *lts.LTS, path []lts.Edge) *picture {
	p := &picture{title: title, noun: "state"}
	type step struct {
		from lts.State
		edge lts.Edge
	}
	on, visited := map[step]bool{}, map[lts.State]bool{}
	at := m.Init()
	for _, e := range path {
		on[step{at, e}] = true
		visited[at], visited[e.To] = true, true
		at = e.To
	}
	for s := range lts.State(m.NumStates()) {
		n := graph.Node{Label: m.StateName(s), Start: s == m.Init(), Highlight: visited[s]}
		if m.IsError(s) {
			n.Shape = "octagon"
		}
		p.add(n, 0, len(m.Out(s)) == 1 && m.Out(s)[0].Action == lts.Tau && m.Out(s)[0].To != s && !n.Start)
		for _, e := range m.Out(s) {
			label := "τ"
			if e.Action != lts.Tau {
				label = m.Actions().Name(e.Action)
			}
			p.edges = append(p.edges, graph.Edge{From: int(s), To: int(e.To), Label: label, Dashed: e.Action == lts.Tau, Highlight: on[step{s, e}]})
		}
	}
	return p
}

func (p *picture) add(n graph.Node, box int, collapse bool) {
	p.nodes, p.cluster = append(p.nodes, n), append(p.cluster, box)
	p.collapse = append(p.collapse, collapse)
}

// locationLabel is the statement, the source line and the predicates.
func (sh *Shell) locationLabel(comp magus.ComponentView, l int) string {
	loc := &comp.CFA.Locs[l]
	label := fmt.Sprintf("%d: %s", l, loc.Stmt)
	if loc.Pos.IsValid() {
		label += fmt.Sprintf("\n%s  %s", where(loc.Pos), clip(sh.source(loc.Pos), 40))
	}
	if ps := comp.At(cfa.Loc(l)); len(ps) > 0 {
		var texts []string
		for _, e := range ps {
			texts = append(texts, e.String())
		}
		label += "\n{" + few(texts, 6) + "}"
	}
	return label
}

// cfaPicture draws an automaton; what the counterexample goes through is
// highlighted.
func (c *call) cfaPicture(comp magus.ComponentView) *picture {
	p := &picture{title: comp.Name, noun: "location", label: func(l int) string { return c.locationLabel(comp, l) }}
	visited := map[cfa.Loc]bool{}
	taken := map[[2]cfa.Loc]bool{}
	if comp.Path != nil {
		last := cfa.Loc(-1)
		s := comp.MP.LTS.Init()
		for _, e := range append(slices.Clone(comp.Path), lts.Edge{}) {
			if l, ok := comp.Graph.Loc(comp.MP.Node(s)); ok && l != last {
				visited[l] = true
				taken[[2]cfa.Loc{last, l}] = true
				last = l
			}
			s = e.To
		}
	}
	for l := range comp.CFA.Locs {
		loc := &comp.CFA.Locs[l]
		_, isGoto := loc.Stmt.(cfa.Goto)
		p.add(graph.Node{Start: cfa.Loc(l) == comp.CFA.Entry, Double: len(loc.Succ) == 0, Highlight: visited[cfa.Loc(l)]}, 0, isGoto && cfa.Loc(l) != comp.CFA.Entry)
		for k, to := range loc.Succ {
			e := graph.Edge{From: l, To: int(to), Highlight: taken[[2]cfa.Loc{cfa.Loc(l), to}]}
			switch loc.Stmt.(type) {
			case cfa.Branch:
				e.Label = []string{"true", "false"}[k]
			case cfa.Act:
				e.Label = loc.Stmt.(cfa.Act).Action
			}
			p.edges = append(p.edges, e)
		}
	}
	return p
}

// pointsPicture draws pointers as boxes and what they point to.
func pointsPicture(auto *cfa.CFA) *picture {
	p := &picture{title: "pointers of " + auto.Name, noun: "node"}
	number := map[string]int{}
	node := func(name, shape string) int {
		n, ok := number[name]
		if !ok {
			n = len(p.nodes)
			number[name] = n
			p.add(graph.Node{Label: name, Shape: shape}, 0, false)
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

// shownMembers is how many members of a block are drawn.
const shownMembers = 8

// maPicture draws the blocks as boxes around their members; the transitions are
// those between blocks and start at the block's own node. The blocks of the last
// split, or else those of the counterexample, are highlighted.
func maPicture(v magus.View, comp magus.ComponentView) *picture {
	p := &picture{title: "MA of " + comp.Name, noun: "block"}
	q := comp.MA.Quotient()
	on := map[[2]int]map[lts.Action]bool{}
	visited := map[int]bool{}
	at := q.Init()
	for _, e := range pathIn(q, lts.Project(v.Trace, q.Alphabet())) {
		key := [2]int{int(at), int(e.To)}
		if on[key] == nil {
			on[key] = map[lts.Action]bool{}
		}
		on[key][e.Action] = true
		visited[int(at)], visited[int(e.To)] = true, true
		at = e.To
	}
	split := map[int]bool{}
	for _, s := range comp.Splits {
		for _, b := range s.Into {
			split[b] = true
		}
	}
	members := map[int]string{}
	for b := range comp.MA.NumBlocks() {
		p.boxes, p.marked = append(p.boxes, fmt.Sprintf("block %d", b)), append(p.marked, split[b])
		p.add(graph.Node{Label: strconv.Itoa(b), Start: lts.State(b) == q.Init(), Highlight: visited[b]}, b+1, false)
		all := comp.MA.Members(b)
		for _, s := range all[:min(shownMembers, len(all))] {
			members[b] += fmt.Sprintf("%d  %s\n", s, clip(stateText(comp, s), 60))
		}
		if more := len(all) - shownMembers; more > 0 {
			members[b] += fmt.Sprintf("and %d more\n", more)
		}
		for _, e := range q.Out(lts.State(b)) {
			p.edges = append(p.edges, graph.Edge{From: b, To: int(e.To), Label: q.Actions().Name(e.Action), Highlight: on[[2]int{b, int(e.To)}][e.Action]})
		}
	}
	p.members = members
	return p
}

// draw leaves out what is not wanted and gives DOT text.
func (p *picture) draw(d Drawing, limit int, warn func(format string, args ...any)) (string, error) {
	keep := make([]bool, len(p.nodes))
	for i := range keep {
		keep[i] = !d.TraceOnly || p.nodes[i].Highlight
	}
	if d.TraceOnly && !slices.Contains(keep, true) {
		return "", errors.New("--trace-only: there is no counterexample in this drawing")
	}
	if d.Collapse {
		p.skip(keep)
	}
	node, depth, err := d.around()
	switch {
	case err != nil:
		return "", err
	case node >= len(p.nodes):
		return "", fmt.Errorf("--around: no node %d; there are 0 to %d", node, len(p.nodes)-1)
	case node >= 0:
		p.near(node, depth, keep)
	}
	n := count(keep)
	if !d.All && n > limit {
		p.first(limit, keep)
		warn("the drawing shows %d of %d %ss; --all draws them all, --around N DEPTH a part\n", limit, n, p.noun)
	}
	return p.dot(keep, d.TraceOnly), nil
}

func count(keep []bool) (n int) {
	for _, k := range keep {
		if k {
			n++
		}
	}
	return n
}

// skip takes out nodes that only pass on: their predecessors lead to where they
// lead. A cycle of such nodes keeps one.
func (p *picture) skip(keep []bool) {
	next := make([]int, len(p.nodes))
	goesOn := make([]bool, len(p.nodes)) // the counterexample does not end here
	for i := range next {
		next[i] = -1
	}
	for _, e := range p.edges {
		goesOn[e.From] = goesOn[e.From] || e.Highlight
	}
	for _, e := range p.edges {
		if p.collapse[e.From] && keep[e.From] && (goesOn[e.From] || !p.nodes[e.From].Highlight) {
			next[e.From] = e.To
		}
	}
	end := func(i int) int {
		for steps := 0; next[i] >= 0 && steps < len(next); steps++ {
			i = next[i]
		}
		return i
	}
	target := make([]int, len(p.nodes))
	for i := range target {
		target[i] = end(i)
	}
	for i := range keep {
		if next[i] >= 0 && target[i] != i {
			keep[i] = false
		}
	}
	var edges []graph.Edge
	for _, e := range p.edges {
		if !keep[e.From] {
			continue
		}
		e.To = target[e.To]
		if !slices.Contains(edges, e) {
			edges = append(edges, e)
		}
	}
	p.edges = edges
}

// near keeps what is at most depth transitions from a node, in any direction.
func (p *picture) near(from, depth int, keep []bool) {
	distance := p.distances([]int{from}, true)
	for i := range keep {
		keep[i] = keep[i] && distance[i] >= 0 && distance[i] <= depth
	}
}

// first keeps the n nodes nearest to the start.
func (p *picture) first(n int, keep []bool) {
	var starts []int
	for i, node := range p.nodes {
		if node.Start && keep[i] {
			starts = append(starts, i)
		}
	}
	if starts == nil {
		starts = []int{slices.Index(keep, true)}
	}
	distance := p.distances(starts, false)
	far := len(p.nodes) + 1
	var order []int
	for i := range keep {
		if keep[i] {
			order = append(order, i)
		}
		if distance[i] < 0 {
			distance[i] = far
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return distance[a] - distance[b] })
	for _, i := range order[n:] {
		keep[i] = false
	}
}

// distances are those from some nodes; -1 where there is no way.
func (p *picture) distances(from []int, both bool) []int {
	adjacent := make([][]int, len(p.nodes))
	for _, e := range p.edges {
		adjacent[e.From] = append(adjacent[e.From], e.To)
		if both {
			adjacent[e.To] = append(adjacent[e.To], e.From)
		}
	}
	distance := make([]int, len(p.nodes))
	for i := range distance {
		distance[i] = -1
	}
	for _, i := range from {
		distance[i] = 0
	}
	for queue := from; len(queue) > 0; queue = queue[1:] {
		for _, k := range adjacent[queue[0]] {
			if distance[k] < 0 {
				distance[k] = distance[queue[0]] + 1
				queue = append(queue, k)
			}
		}
	}
	return distance
}

// dot writes the nodes that are kept and the edges between them.
func (p *picture) dot(keep []bool, onlyLit bool) string {
	d := graph.NewDrawing(p.title)
	number := make([]int, len(p.nodes))
	for i, n := range p.nodes {
		if !keep[i] {
			continue
		}
		if b := p.cluster[i]; b > 0 {
			n.Cluster = d.Cluster(p.boxes[b-1])
			if p.marked[b-1] {
				d.Highlight(n.Cluster)
			}
		}
		if p.label != nil {
			n.Label = p.label(i)
		}
		number[i] = d.Node(n)
		if list := p.members[i]; list != "" {
			d.Node(graph.Node{Label: list, Shape: "plaintext", Cluster: n.Cluster})
		}
	}
	var edges []graph.Edge
	for _, e := range p.edges {
		if keep[e.From] && keep[e.To] && (!onlyLit || e.Highlight) {
			e.From, e.To = number[e.From], number[e.To]
			edges = append(edges, e)
		}
	}
	for _, e := range together(edges) {
		d.Edge(e)
	}
	return d.String()
}

// shownLabels is how many actions of parallel transitions are drawn.
const shownLabels = 8

// together makes one edge of those that differ in their label only, in the place
// of the first.
func together(edges []graph.Edge) []graph.Edge {
	labels := map[graph.Edge][]string{}
	var order []graph.Edge
	for _, e := range edges {
		key := e
		key.Label = ""
		if labels[key] == nil {
			order = append(order, key)
		}
		labels[key] = append(labels[key], e.Label)
	}
	for i, e := range order {
		all := labels[e]
		if more := len(all) - shownLabels; more > 0 {
			all = append(all[:shownLabels:shownLabels], fmt.Sprintf("and %d more", more))
		}
		order[i].Label = strings.Join(all, "\n")
	}
	return order
}
