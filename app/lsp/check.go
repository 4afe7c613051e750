package lsp

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"magus"
	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/app/report"
	"magus/cfa"
	"magus/engine/cegar"
)

// The commands of the lenses. Both have two arguments: the key of a group and the name
// of a claim.
const (
	checkCommand = "magus.check"
	stopCommand  = "magus.stop"
)

// checkTime is how long a check may take where nobody has said how long.
const checkTime = time.Minute

// checks are the checks that the editor has asked for, with what came out.
type checks struct {
	server *server
	mu     sync.Mutex
	all    map[checkID]*check
	slots  chan struct{} // one for each check that may go on
	tokens int
}

// A checkID names a claim of a group.
type checkID struct{ group, claim string }

// A check is under way, or has ended.
type check struct {
	group  group
	stop   context.CancelFunc // nil: it has ended
	title  string             // what came out
	stale  bool               // the texts have changed since
	found  []finding
	number int
}

func newChecks(s *server) *checks {
	return &checks{server: s, all: map[checkID]*check{}, slots: make(chan struct{}, 2)}
}

// outdate forgets what came out of checks that a file may have been part of, and stops
// those that go on.
func (cs *checks) outdate(path string) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.all {
		if !c.group.contains(path) && filepath.Ext(path) != ".h" {
			continue
		}
		c.stale, c.found = true, nil
		if c.stop != nil {
			c.stop()
		}
	}
}

// stopAll stops all checks.
func (cs *checks) stopAll() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.all {
		if c.stop != nil {
			c.stop()
		}
	}
}

// findings are what came out of a group's checks.
func (cs *checks) findings(g group) (all []finding) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for id, c := range cs.all {
		if id.group == g.key() {
			all = append(all, c.found...)
		}
	}
	slices.SortFunc(all, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.from, b.from), cmp.Compare(a.message, b.message))
	})
	return all
}

// CodeLens implements [protocol.Server]: above each claim stands what is known of it, and
// a click checks it. In C claims stand above their procedures.
func (s *server) CodeLens(ctx context.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	detach(ctx)
	path := pathOf(p.TextDocument.URI)
	t := s.docs.text(path)
	lenses := []protocol.CodeLens{}
	if t == nil || input.KindOf(path) == input.Other {
		return lenses, nil
	}
	groups := s.groups(path)
	for _, g := range groups {
		x := s.indexes.of(ctx, g)
		for _, c := range x.claims {
			at, ok := x.lensPlace(c, path)
			if !ok {
				continue
			}
			with := ""
			if len(groups) > 1 {
				with = " with " + others(g, path)
			}
			r := t.span(at, at)
			lenses = append(lenses, protocol.CodeLens{Range: r, Command: s.checks.lens(g, c.Name, with)})
		}
		if input.KindOf(path) == input.C {
			lenses = append(lenses, protocol.CodeLens{Range: t.span(0, 0), Command: s.checks.lens(g, ofRules, "")})
		}
	}
	return lenses, nil
}

// others are the short names of a group's other files.
func others(g group, path string) string {
	var names []string
	for _, f := range g.files {
		if f != path {
			names = append(names, filepath.Base(f))
		}
	}
	return strings.Join(names, ", ")
}

// lensPlace is where a claim stands in a file: itself, or its first procedure.
func (x *index) lensPlace(c *magus.Claim, path string) (offset int, ok bool) {
	if c.Pos.File == path {
		f := x.server.remark(c.Pos, isInformation, "", path)
		return f.from, true
	}
	for _, name := range c.Procedures {
		if f, known := x.functions[name]; known && f.Body.IsValid() && f.Pos.File == path {
			return x.server.remark(f.Pos, isInformation, "", path).from, true
		}
	}
	return 0, false
}

// lens is what stands above a claim.
func (cs *checks) lens(g group, claim, with string) protocol.Command {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	id := checkID{g.key(), claim}
	c := protocol.Command{Command: checkCommand, Arguments: []protocol.LSPAny{quote(id.group), quote(id.claim)}}
	switch old := cs.all[id]; {
	case old == nil && claim == ofRules:
		c.Title = "check the rules"
	case old == nil:
		c.Title = "check this claim"
	case old.stop != nil:
		c.Title, c.Command = "checking … (stop)", stopCommand
	case old.stale:
		c.Title = "check again (before the change: " + old.title + ")"
	default:
		c.Title = old.title
	}
	c.Title += with
	return c
}

// quote is a text as a value of the protocol.
func quote(s string) protocol.LSPAny {
	b, err := protocol.Marshal(s)
	if err != nil { // a text always has a value
		return protocol.LSPAny(`""`)
	}
	return b
}

// ExecuteCommand implements [protocol.Server]. A check answers when it has ended, with the
// verdict.
func (s *server) ExecuteCommand(ctx context.Context, p *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	detach(ctx)
	var words [2]string
	if len(p.Arguments) != 2 {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes a group and a claim", p.Command)
	}
	for i := range words {
		if err := protocol.Unmarshal(p.Arguments[i], &words[i]); err != nil {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
		}
	}
	id := checkID{words[0], words[1]}
	switch p.Command {
	case stopCommand:
		s.checks.stop(id)
		return nil, nil
	case checkCommand:
		return quote(s.checks.run(ctx, id)), nil
	}
	return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "no command %s", p.Command)
}

// stop stops a check.
func (cs *checks) stop(id checkID) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if c := cs.all[id]; c != nil && c.stop != nil {
		c.stop()
	}
}

// run makes a check and gives what came out, "" if it was stopped or could not be made.
func (cs *checks) run(ctx context.Context, id checkID) string {
	s := cs.server
	g, ok := s.indexes.group(id.group)
	if !ok {
		return ""
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cs.mu.Lock()
	if old := cs.all[id]; old != nil && old.stop != nil {
		cs.mu.Unlock()
		return "" // it goes on
	}
	cs.tokens++
	c := &check{group: g, stop: cancel, number: cs.tokens}
	cs.all[id] = c
	cs.mu.Unlock()
	s.refresh()

	title, found := cs.within(ctx, g, func(ctx context.Context, host job.Host, o *options.Options) (string, []finding) {
		if id.claim == ofRules {
			return cs.rules(ctx, host, o, g, c.number)
		}
		return cs.claim(ctx, host, o, g, id.claim, c.number)
	})
	title = s.short(title)
	cs.mu.Lock()
	c.stop = nil
	if c.stale || ctx.Err() != nil {
		title, found = "stopped", nil
	}
	c.title, c.found = title, found
	cs.mu.Unlock()
	s.refresh()
	s.again()
	return title
}

// enter waits until a check may begin; false if it was stopped before.
func (cs *checks) enter(ctx context.Context) bool {
	select {
	case cs.slots <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// within makes a check of a group once it is its turn, within the limits of the group's settings.
func (cs *checks) within(ctx context.Context, g group,
	check func(context.Context, job.Host, *options.Options) (string, []finding)) (title string, found []finding) {
	if !cs.enter(ctx) {
		return "", nil
	}
	defer func() { <-cs.slots }()
	host := cs.server.settings.Host
	o, err := g.settings(host.Options())
	if err != nil {
		return err.Error(), nil
	}
	ctx, cancel := job.Budget(ctx, host, cmp.Or(o.Timeout, checkTime), o.MemoryLimit)
	defer cancel()
	host.Dir = ""
	return check(ctx, host, o)
}

// claim checks a claim of a group.
func (cs *checks) claim(ctx context.Context, host job.Host, o *options.Options, g group, claim string,
	number int) (title string, found []finding) {
	s := cs.server
	r, err := job.StartOf(ctx, host, o, g.files, func(c *magus.Claim) bool { return c.Name == claim })
	if err != nil {
		return "cannot be checked", s.findingsOf(err, g.files[0])
	}
	defer r.Close()
	if r.Claims() == 0 {
		return "unknown: " + r.Report().Reason, nil
	}
	w := s.progressOf(claim, number)
	result := r.Check(ctx, 0, w)
	w.end(result.Claim.Verdict)
	return s.outcome(r.Question.Claims[0], result.Claim)
}

// outcome is what a lens says of a claim, and what is to be said about the text.
func (s *server) outcome(c *magus.Claim, got report.Claim) (title string, found []finding) {
	file := cmp.Or(c.Pos.File, "")
	if file == "" && len(got.Procedures) > 0 && got.Procedures[0].Place != nil {
		file = got.Procedures[0].Place.File
	}
	title = fmt.Sprintf("%s (%.2f s)", got.Verdict, got.Statistics.Seconds)
	switch {
	case got.Counterexample != nil:
		title = fmt.Sprintf("violates: %s", strings.Join(got.Counterexample.Trace, ", "))
		if x := got.Counterexample; x.Standing != nil || x.IsWhole() {
			title = "violates: " + x.Wrong()
		}
		found = append(found, s.violation(got, file))
	case got.Verdict == magus.Unknown.String():
		title = "unknown: " + got.Reason
		at := c.Pos
		if got.Place != nil {
			at = cfa.Pos{File: got.Place.File, Line: got.Place.Line, Col: got.Place.Column}
		}
		found = append(found, s.remark(at, isWarning, c.Name+": unknown: "+got.Reason, file))
	}
	for _, d := range got.Doubts {
		at := c.Pos
		if d.Place != nil {
			at = cfa.Pos{File: d.Place.File, Line: d.Place.Line, Col: d.Place.Column}
		}
		found = append(found, s.remark(at, isWarning, d.Text, file))
	}
	return title, found
}

// refresh has the editor ask for the lenses and hints again.
func (s *server) refresh() {
	if s.refreshes {
		s.work.Go(func() { _ = s.client.CodeLensRefresh(s.ctx) })
	}
	if s.rehints {
		s.work.Go(func() { _ = s.client.InlayHintRefresh(s.ctx) })
	}
}

// A meter shows the editor how far a check is. It is a [job.Watcher].
type meter struct {
	server   *server
	token    protocol.String
	progress job.Progress
	shown    bool
}

// progressOf begins to show the progress of a check, if the editor can.
func (s *server) progressOf(claim string, number int) *meter {
	m := &meter{server: s, token: protocol.String(fmt.Sprintf("magus/check/%d", number))}
	begin := &protocol.WorkDoneProgressCreateParams{Token: m.token}
	if !s.progress || s.client.WorkDoneProgressCreate(s.ctx, begin) != nil {
		return m
	}
	m.shown = true
	m.say(&protocol.WorkDoneProgressBegin{Kind: "begin", Title: claim})
	return m
}

// say sends a message of the progress.
func (m *meter) say(value any) {
	if b, err := protocol.Marshal(value); err == nil && m.shown {
		_ = m.server.client.Progress(m.server.ctx, &protocol.ProgressParams{Token: m.token, Value: b})
	}
}

// end ends the progress.
func (m *meter) end(verdict string) {
	m.say(&protocol.WorkDoneProgressEnd{Kind: "end", Message: &verdict})
}

// BeginClaim implements [job.Watcher].
func (m *meter) BeginClaim(name string) { m.progress.BeginClaim(name) }

// BeginPhase implements [job.Watcher].
func (m *meter) BeginPhase(p cegar.Phase) {
	m.progress.BeginPhase(p)
	text := m.progress.String()
	m.say(&protocol.WorkDoneProgressReport{Kind: "report", Message: &text})
}

// EndPhase implements [job.Watcher].
func (m *meter) EndPhase(e cegar.Event) { m.progress.EndPhase(e) }
