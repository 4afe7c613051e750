package repl

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/app/draw"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/internal/graph"
	"magus/internal/phrase"
)

// drawCommands are the commands that draw.
func drawCommands() []*Command {
	return []*Command{
		{Name: "dot", Group: groupDraw, Args: "OBJECT [FLAG...]", Short: "Print a drawing as DOT text",
			Long:    drawHelp,
			Example: "dot cfa server\ndot mp client --unfold > client.dot\ndot ma client --around 3 2",
			kinds:   []kind{kindObject}, run: printDot},
		{Name: "draw", Group: groupDraw, Args: "OBJECT [FLAG...] FILE",
			Short: "Draw into a file: FILE.svg, FILE.dot, or by Graphviz FILE.png, FILE.pdf",
			Long:  drawHelp, Example: "draw product product.svg", kinds: []kind{kindObject}, run: drawFile},
	}
}

const drawHelp = `OBJECT is one of

  cfa C         the automaton, with source lines and predicates
  mp C          the states of the predicate abstraction
  ma C          the blocks, with the lines of their states
  product       the composition
  points C      what pointers may point to
  spec [NAME]   the specification, or a definition of the files, such as the
                one that stands for a called routine
  run           the run that was found, with a lane for each thread or
                component: what each does, with values, and what is before what
  waits         who waits for whom at the end, of a deadlock
  lasso         what comes again and again in a run that is wrong as a whole,
                and what comes before

The counterexample is drawn red, and so are the blocks of the last split.

Straight pieces are one box, and states that only pass τ on are left out. Of
more than 40 boxes, or than fit on a page, the drawing is an overview. In it
procedures, bodies of loops and blocks, or states that are alike, are folded
to one box each.

  --all             fold nothing; an SVG of more than 500 boxes is refused
  --open N          draw what is in folded part N; more often, in parts within
  --unfold          draw each state for itself
  --around N DEPTH  draw what is at most DEPTH transitions from node N
  --trace-only      draw the counterexample only
  --layout own|dot  who lays out SVG: magus, as is without it, or Graphviz`

// drawOptions takes the flags out of the arguments.
func drawOptions(args []string) (d draw.Selection, rest []string, err error) {
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "--all":
			d.All = true
		case "--collapse": // as it is without a flag
		case "--unfold":
			d.Unfold = true
		case "--trace-only":
			d.TraceOnly = true
		case "--around":
			numbers := append(slices.Clone(args[i+1:]), "", "")
			if d.Around, err = draw.ParseAround(numbers[0], numbers[1]); err != nil {
				return d, nil, err
			}
			i += 2
		case "--open":
			number := append(slices.Clone(args[i+1:]), "")[0]
			if d.Open, err = draw.ParseOpen(d.Open, number); err != nil {
				return d, nil, err
			}
			i++
		case "--layout":
			name := append(slices.Clone(args[i+1:]), "")[0]
			if d.Layout, err = draw.ParseLayout(name); err != nil {
				return d, nil, err
			}
			i++
		default:
			if strings.HasPrefix(args[i], "--") {
				return d, nil, fmt.Errorf("no flag %s%s", args[i], phrase.Suggest(args[i], drawFlags()))
			}
			rest = append(rest, args[i])
		}
	}
	return d, rest, nil
}

// drawFlags are the flags of a drawing.
func drawFlags() []string {
	return []string{"--all", "--around", "--layout", "--open", "--trace-only", "--unfold"}
}

// Objects are the words that name what can be drawn.
func Objects() []string {
	return []string{"cfa", "lasso", "ma", "mp", "points", "product", "run", "spec", "waits"}
}

// printDot is the command dot.
func printDot(ctx context.Context, c *call) error {
	d, _, err := c.dot(ctx)
	if err == nil {
		c.printf("%s", d)
	}
	return err
}

// drawFile is the command draw.
func drawFile(ctx context.Context, c *call) error {
	if len(c.args) < 2 {
		return c.usage()
	}
	file := c.args[len(c.args)-1]
	c.args = c.args[:len(c.args)-1]
	d, layout, err := c.dot(ctx)
	if err != nil {
		return err
	}
	out, err := c.Render(ctx, d, file, layout)
	if err != nil {
		return err
	}
	if err := c.host.WriteFile(file, out); err != nil {
		return err
	}
	c.printf("drawn in %s\n", file)
	return nil
}

// Render is a drawing in the format that the name of a file asks for.
func (sh *Shell) Render(ctx context.Context, d *graph.Drawing, file string, layout draw.Layout) ([]byte, error) {
	switch format, err := draw.Format(file); {
	case err != nil:
		return nil, err
	case format == "dot":
		text, err := d.DOT(ctx)
		return []byte(text), err
	case draw.TooLarge(d) != nil:
		return nil, draw.TooLarge(d)
	case format == "svg" && layout != draw.Dot:
		return d.SVG(ctx)
	default:
		text, err := d.DOT(ctx)
		if err != nil {
			return nil, err
		}
		return sh.host.Render(ctx, []byte(text), format)
	}
}

// Drawing is an object of the session, as it is after the event, or at
// the end without one. The automaton and specifications are drawn as they are
// at the beginning, and so are pointers, unless always says otherwise.
func (sh *Shell) Drawing(ctx context.Context, object []string, event string, always bool,
	d draw.Selection) (*graph.Drawing, error) {
	c := &call{Shell: sh, words: []word{{text: "dot"}}, args: object[1:]}
	ofEnd := object[0] == "waits" || object[0] == "lasso" || object[0] == "run"
	if s, err := sh.threadSession(ctx); ofEnd && (err != nil || s != nil) {
		if err == nil {
			limited, cancel := sh.host.Within(ctx, 0)
			defer cancel()
			err = toEnd(ctx, limited, s)
		}
		if err != nil {
			return nil, err
		}
		return c.drawn(ctx, object[0], d)
	}
	if ofEnd {
		event = "" // it is shown at the end
	}
	if always || !slices.Contains([]string{"cfa", "points", "spec"}, object[0]) {
		stop := func(cegar.Event) bool { return false }
		if event != "" {
			var err error
			if stop, err = sh.stepper.eventTest(strings.Fields(event)); err != nil {
				return nil, err
			}
		}
		if _, err := sh.stepper.until(ctx, stop, nil); err != nil {
			return nil, err
		}
		if o := sh.session.View().Outcome; o != nil && o.Verdict == verdict.Unknown {
			fmt.Fprintf(sh.host.Err, "the check has ended as unknown: %s; the drawing shows what it had found\n", o.Reason)
		}
	}
	return c.drawn(ctx, object[0], d)
}

// Claim begins with claim number n.
func (sh *Shell) Claim(ctx context.Context, n int) error {
	return sh.loader.chooseClaim(ctx, strconv.Itoa(n))
}

// drawn is what is selected of the object that the arguments
// name.
func (c *call) drawn(ctx context.Context, object string, d draw.Selection) (*graph.Drawing, error) {
	if object == "run" {
		if len(c.args) > 0 {
			return nil, c.usage()
		}
		return c.lanes(ctx)
	}
	p, err := c.picture(ctx, object)
	if err != nil {
		return nil, err
	}
	if len(c.args) > 0 {
		return nil, c.usage()
	}
	d.Limit = c.limit
	take := p.Page
	if c.limit != draw.DefaultLimit || d.Layout == draw.Dot {
		take = p.Drawing // somebody says how many
	}
	drawing, note, err := take(ctx, d)
	if note != "" {
		fmt.Fprintln(c.host.Err, note)
	}
	return drawing, err
}

// dot is a drawing of the object that the arguments name, and who lays it out.
func (c *call) dot(ctx context.Context) (*graph.Drawing, draw.Layout, error) {
	d, rest, err := drawOptions(c.args)
	if err != nil {
		return nil, "", err
	}
	if len(rest) == 0 {
		return nil, "", c.usage()
	}
	c.args = rest[1:]
	drawing, err := c.drawn(ctx, rest[0], d)
	return drawing, d.Layout, err
}

// picture takes the object and its name from the arguments.
func (c *call) picture(ctx context.Context, object string) (*draw.Picture, error) {
	switch object {
	case "waits":
		return c.waits(ctx)
	case "lasso":
		return c.lasso(ctx)
	}
	v, err := c.view()
	if err != nil {
		return nil, err
	}
	switch object {
	case "product":
		if search, err := c.threadSession(ctx); search != nil || err != nil {
			return nil, cmp.Or(err, c.noComposition(search))
		}
		m, err := c.product(ctx)
		if err != nil {
			return nil, err
		}
		return draw.LTS("product", m, draw.Path(m, v.Counterexample())), nil
	case "spec":
		if len(c.args) == 0 && v.Spec != nil && v.Counterexample() != nil {
			return draw.Specification(&v), nil
		}
		m, err := c.definition(ctx, strings.Join(c.args, ""))
		if err != nil {
			return nil, err
		}
		title := strings.Join(append([]string{"specification"}, c.args...), " ")
		c.args = nil
		return draw.LTS(title, m, nil), nil
	case "cfa", "mp", "ma", "points":
		p, err := c.componentPicture(ctx, v, object)
		if err == nil {
			err = c.noMore()
			c.args = nil
		}
		return p, err
	}
	hint := phrase.Suggest(object, Objects())
	if hint == "" {
		hint = "; there are " + strings.Join(Objects(), ", ")
	}
	return nil, fmt.Errorf("no object %s%s", object, hint)
}

// componentPicture draws something of the component that the arguments name.
func (c *call) componentPicture(ctx context.Context, v cegar.View, object string) (*draw.Picture, error) {
	comp, i, err := c.component(0)
	if err != nil {
		return nil, err
	}
	search, err := c.threadSession(ctx)
	if err != nil {
		return nil, err
	}
	if search != nil && (object == "cfa" || object == "mp" || object == "ma") {
		if t, ok := ofThreads(search); ok {
			return c.threadsPicture(t, object)
		}
		if object != "cfa" {
			return nil, fmt.Errorf("%s has no %s; lasso is the run that was found", searchName(search), strings.ToUpper(object))
		}
	}
	switch object {
	case "cfa":
		return draw.Automaton(comp, c.host.Engine), nil
	case "points":
		auto, err := c.session.PointsTo(ctx, i)
		if err != nil {
			return nil, err
		}
		return draw.Pointers(auto), nil
	case "mp":
		if err := c.needMP(comp); err != nil {
			return nil, err
		}
		return draw.States(comp, v.Counterexample(), c.host.Engine), nil
	}
	if err := c.needMA(comp); err != nil {
		return nil, err
	}
	return draw.Blocks(comp, v.Counterexample(), c.host.Engine), nil
}
