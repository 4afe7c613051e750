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
