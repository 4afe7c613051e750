package repl

// Saved sessions.
//
// Idea: the loop is deterministic, so a session is what led to it: files,
// options, the claim, and the steps and acts in their order. The predicates and
// sizes at the end are written down as well: after the steps were performed again
// they tell whether the session is the same, and if the sources have changed so
// that it is not, the predicates are what can be kept.
//
// The text is one item a line, a keyword and words quoted as at the prompt:
//
//	magus session 1
//	file lock.c
//	file lock.spec
//	set minimize greedy
//	claim 1 'procedure drain, abstraction discipline'
//	do step 7
//	do pred add drain limit > 0
//	at 'abstract data'
//	component drain 2 17 0
//	predicate drain 'more == 0'
//	end
//
// The numbers of a component are those of its predicates, MP states and blocks.
// Only steps and acts are done: a saved session is no script, and restoring it
// writes no file and runs nothing.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus"
)

// savedVersion is the version of the format.
const savedVersion = "1"

// saved is a saved session.
type saved struct {
	files       []string
	definitions string
	settings    [][2]string
	claim       int
	claimName   string
	assumed     []assumption
	do          []string // "step N" or the line of an act
	phase       string
	components  []savedComponent
}

type savedComponent struct {
	name                   string
	chosen, states, blocks int
	predicates             []string
}

// String is the text of a saved session; parseSaved reads it.
func (s *saved) String() string {
	var b strings.Builder
	line := func(words ...string) {
		for i, w := range words {
			if i > 0 {
				b.WriteByte(' ')
				w = quote(w)
			}
			b.WriteString(w)
		}
		b.WriteByte('\n')
	}
	b.WriteString("magus session " + savedVersion + "\n")
	for _, f := range s.files {
		line("file", f)
	}
	if s.definitions != "" {
		line("define", strconv.Quote(s.definitions))
	}
	for _, p := range s.settings {
		line("set", p[0], p[1])
	}
	line("claim", strconv.Itoa(s.claim+1), s.claimName)
	for _, a := range s.assumed {
		line("assume", strconv.Itoa(a.component+1), a.text)
	}
	for _, d := range s.do {
		b.WriteString("do " + d + "\n")
	}
	line("at", s.phase)
	for _, c := range s.components {
		line("component", c.name, strconv.Itoa(c.chosen), strconv.Itoa(c.states), strconv.Itoa(c.blocks))
		for _, p := range c.predicates {
			line("predicate", c.name, p)
		}
	}
	b.WriteString("end\n")
	return b.String()
}

// parseSaved reads the text of a saved session.
func parseSaved(file, text string) (*saved, error) {
	p := &savedParser{s: &saved{}}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	fail := func(n, col int, msg string) error { return &syntaxError{pos: position{file, n, col}, msg: msg} }
	if first := strings.Fields(lines[0]); len(first) != 3 || first[0] != "magus" || first[1] != "session" {
		return nil, fail(1, 1, "not a saved session: it begins with magus session "+savedVersion)
	} else if first[2] != savedVersion {
		return nil, fail(1, 1, fmt.Sprintf("a session of version %s; this program reads version %s", first[2], savedVersion))
	}
	for i, line := range lines[1:] {
		if p.ended {
			return nil, fail(i+2, 1, "something after end")
		}
		if err := p.line(line); err != nil {
			col := 1
			var l *lineError
			if errors.As(err, &l) {
				col = l.col
			}
			return nil, fail(i+2, col, err.Error())
		}
	}
	switch {
	case !p.ended:
		return nil, fail(len(lines), 1, "the end is missing: the file is cut off")
	case len(p.s.files) == 0:
		return nil, fail(len(lines), 1, "no files are named")
	}
	return p.s, nil
}

type savedParser struct {
	s     *saved
	ended bool
}

var errSavedLine = errors.New("this is no line of a saved session")

// line reads one line.
func (p *savedParser) line(line string) error {
	if rest, ok := strings.CutPrefix(line, "do "); ok {
		p.s.do = append(p.s.do, rest)
		return isDone(rest)
	}
	ws, err := words(line, func(string) (string, bool) { return "", false })
	if err != nil {
		return err
	}
	args := texts(ws)
	switch {
	case len(args) == 2 && args[0] == "file":
		p.s.files = append(p.s.files, args[1])
	case len(args) == 2 && args[0] == "define":
		p.s.definitions, err = strconv.Unquote(args[1])
	case len(args) == 3 && args[0] == "set" && args[1] == forceOption:
		return errors.New("a saved session lets nothing be replaced")
	case len(args) == 3 && args[0] == "set":
		p.s.settings = append(p.s.settings, [2]string{args[1], args[2]})
	case len(args) == 3 && args[0] == "claim":
		p.s.claim, err = positive(args[1])
		p.s.claimName = args[2]
	case len(args) == 3 && args[0] == "assume":
		a := assumption{text: args[2]}
		a.component, err = positive(args[1])
		p.s.assumed = append(p.s.assumed, a)
	case len(args) == 2 && args[0] == "at":
		p.s.phase = args[1]
	case len(args) == 5 && args[0] == "component":
		err = p.component(args[1:])
	case len(args) == 3 && args[0] == "predicate":
		if n := len(p.s.components); n > 0 && p.s.components[n-1].name == args[1] {
			c := &p.s.components[n-1]
			c.predicates = append(c.predicates, args[2])
			return nil
		}
		return errSavedLine
	case len(args) == 1 && args[0] == "end":
		p.ended = true
	default:
		return errSavedLine
	}
	return err
}

// isDone checks that a line is one of those that change a session and nothing
// else.
func isDone(line string) error {
	ws, err := words(line, func(string) (string, bool) { return "", false })
	if err != nil {
		return err
	}
	const column = len("do ") + 1
	switch {
	case len(ws) == 0:
		return errSavedLine
	case ws[0].text == "pred": // > is an operator there
		return nil
	case !slices.Contains([]string{"step", "split", "minimize", "choose"}, ws[0].text):
		return &lineError{column, fmt.Sprintf("a saved session has only steps and acts in it, not %q", ws[0].text)}
	case slices.ContainsFunc(ws, func(w word) bool { return w.text == ">" }):
		return &lineError{column, "a saved session writes no files"}
	}
	return nil
}

// positive reads a number from 1 and counts it from 0.
func positive(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s is no number from 1", text)
	}
	return n - 1, nil
}

// component reads the sizes of a component.
func (p *savedParser) component(args []string) error {
	c := savedComponent{name: args[0]}
	for i, to := range []*int{&c.chosen, &c.states, &c.blocks} {
		n, err := strconv.Atoi(args[i+1])
		if err != nil || n < 0 {
			return fmt.Errorf("%s is no number", args[i+1])
		}
		*to = n
	}
	p.s.components = append(p.s.components, c)
	return nil
}

// forceOption is the option that lets outputs replace files of others. It is none of a session, which says nothing
// of what is written.
const forceOption = "force"

// saved is the session as it is now.
func (sh *Shell) saved() *saved {
	v := sh.session.View()
	s := &saved{files: sh.files, definitions: sh.definitions, claim: sh.claim,
		claimName: sh.claims[sh.claim].Name, assumed: sh.assumed, phase: v.Phase.String(),
		settings: slices.DeleteFunc(sh.host.Engine.Settings().Assigned(),
			func(s [2]string) bool { return s[0] == forceOption })}
	steps := 0
	flush := func() {
		if steps > 0 {
			s.do = append(s.do, fmt.Sprintf("step %d", steps))
		}
		steps = 0
	}
	for _, m := range sh.history.moments[1 : sh.history.at+1] {
		if m.by == "step" {
			steps++
			continue
		}
		flush()
		s.do = append(s.do, m.by)
	}
	flush()
	for i, c := range v.Components {
		z := sizes(v)[i]
		s.components = append(s.components, savedComponent{c.Name, len(c.Chosen), z.states, z.blocks, conditionsOf(c)})
	}
	return s
}

// save is the command save.
func save(_ context.Context, c *call) error {
	if c.session == nil {
		return errNothing
	}
	if len(c.args) != 1 {
		return c.usage()
	}
	if err := c.host.WriteFile(c.args[0], []byte(c.saved().String())); err != nil {
		return err
	}
	if c.prompting {
		c.printf("restore %s goes on from here\n", quote(c.args[0]))
	}
	return nil
}

// restore is the command restore.
func restore(ctx context.Context, c *call) error {
	if len(c.args) != 1 {
		return c.usage()
	}
	text, err := c.host.ReadFile(c.args[0])
	if err != nil {
		return err
	}
	s, err := parseSaved(c.args[0], string(text))
	if err != nil {
		return err
	}
	return c.restore(ctx, s)
}

// restore makes a saved session the present one.
func (sh *Shell) restore(ctx context.Context, s *saved) error {
	settings := sh.host.Engine.Settings()
	for _, p := range settings.Assigned() {
		if err := settings.Reset(p[0]); err != nil {
			return err
		}
	}
	for _, p := range s.settings {
		if err := settings.Set(p[0], p[1]); err != nil {
			return err
		}
	}
	project, claims, err := sh.host.Engine.Load(ctx, s.files, s.definitions)
	if err != nil {
		return err
	}
	n := slices.IndexFunc(claims, func(c *magus.Claim) bool { return c.Name == s.claimName })
	if n < 0 {
		return fmt.Errorf("the files have no claim %q any more", s.claimName)
	}
	session, err := assuming(ctx, claims[n], s.assumed, sh.host.Engine.Options())
	if err != nil {
		return err
	}
	sh.question = question{s.files, s.definitions, project, claims, n, s.assumed, sh.engine.Unspecified()}
	sh.history.begin(session)
	sh.loader.introduce(ctx)
	same, err := sh.perform(ctx, s)
	if err != nil {
		return err
	}
	if same {
		sh.printf("moment %d, next: %v\n", sh.history.at, sh.session.Next())
		return nil
	}
	sh.printf("the files have changed: the session begins anew\n")
	sh.session.Restore(sh.history.moments[0].snap)
	sh.history.moments, sh.history.at = sh.history.moments[:1], 0
	kept := map[string][]string{}
	for _, c := range s.components {
		kept[c.name] = c.predicates
	}
	sh.loader.adopt(kept)
	return nil
}

// perform performs what led to the saved session, and says whether it is that
// session. The error is that of a ctx that ended.
func (sh *Shell) perform(ctx context.Context, s *saved) (same bool, err error) {
	before := sh.out
	sh.out = discard{}
	defer func() { sh.out = before }()
	for _, line := range s.do {
		err := sh.reader.command(ctx, node{text: line})
		if ctx.Err() != nil || errors.Is(err, ErrInterrupted) {
			return false, err
		}
		if err != nil {
			return false, nil
		}
	}
	now := sh.saved()
	return now.phase == s.phase && slices.EqualFunc(now.components, s.components, func(a, b savedComponent) bool {
		return a.name == b.name && a.chosen == b.chosen && a.states == b.states && a.blocks == b.blocks &&
			slices.Equal(a.predicates, b.predicates)
	}), nil
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
