package repl

// Others who use the shell of a terminal: a page in a browser.
//
// Idea: a command has the shell alone, whoever gave it. So nothing in the shell is locked: who
// serves others says by a [Beside] how the lines of the terminal are executed, and executes those
// of others by [Shell.Do] in the same way. What is shown to others is a [Present], which is taken
// between commands and does not change later.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/app/draw"
	"magus/app/report"
	"magus/engine/cegar"
	"magus/internal/graph"
)

// A Beside is who else uses the shell of a terminal.
type Beside interface {
	// Alone executes a line of the terminal while nobody else does anything.
	Alone(line string, execute func())
	// Quietly calls f while nobody else does anything.
	Quietly(f func())
	// Interrupted is called when the user interrupts at the prompt.
	Interrupted()
}

// Share lets somebody else use the shell.
func (sh *Shell) Share(b Beside) { sh.beside = b }

// alone executes a line of the terminal.
func (sh *Shell) alone(line string, execute func()) {
	if sh.beside == nil {
		execute()
		return
	}
	sh.beside.Alone(line, execute)
}

// quietly calls f while nobody else does anything.
func (sh *Shell) quietly(f func()) {
	if sh.beside == nil {
		f()
		return
	}
	sh.beside.Quietly(f)
}

// interruptOthers ends what others do.
func (sh *Shell) interruptOthers() {
	if sh.beside != nil {
		sh.beside.Interrupted()
	}
}

// A Closed says that the shell was left, with its exit status.
type Closed struct{ Status int }

func (e *Closed) Error() string { return fmt.Sprintf("exit %d", e.Status) }

// Do executes one command that somebody else gives, as if it was typed. It is refused unless
// allowed says that commands of its name are, and if it would write a file. Its error is what is
// wrong; a [Closed] ends the shell.
func (sh *Shell) Do(ctx context.Context, line string, allowed func(name string) bool) error {
	if err := sh.mayDo(line, allowed); err != nil {
		return err
	}
	before, last := sh.prompting, sh.reader.last
	sh.prompting = true
	defer func() { sh.prompting, sh.reader.last = before, last }()
	err := sh.interruptible(ctx, func(ctx context.Context) error {
		return sh.reader.execute(ctx, []node{{text: line}})
	})
	var end *exit
	if errors.As(err, &end) {
		return &Closed{end.status}
	}
	return withoutPrompt(err)
}

// mayDo is the error of a line that others may not give.
func (sh *Shell) mayDo(line string, allowed func(name string) bool) error {
	first := firstWord(line)
	switch {
	case strings.ContainsAny(line, "\n\r\x00"):
		return errors.New("one command at a time")
	case first == "":
		return errors.New("no command")
	case strings.HasPrefix(first, "!"), opens(first), first == "end", first == "elif", first == "else":
		return fmt.Errorf("%s is for the terminal only", first)
	}
	ws, err := sh.reader.words(line)
	if err != nil || len(ws) == 0 {
		return errors.Join(err, errors.New("no command"))
	}
	c, err := sh.table.find(ws[0].text)
	if err != nil {
		return err
	}
	if !allowed(c.Name) {
		return fmt.Errorf("%s is for the terminal only", c.Name)
	}
	if !c.raw || endsRaw(line, ws) {
		_, way, err := parseOutput(ws)
		if err != nil {
			return err
		}
		if way.file != "" || way.pager {
			return errors.New("files and pagers are for the terminal only")
		}
	}
	return nil
}

// Show is what a command prints that only looks.
func (sh *Shell) Show(ctx context.Context, line string) (string, error) {
	var b bytes.Buffer
	before, last := *sh.console, sh.reader.last
	sh.out, sh.host.Out, sh.host.Err, sh.host.Text, sh.host.Watch = &b, &b, &b, report.Text{}, nil
	defer func() { *sh.console, sh.reader.last = before, last }()
	err := sh.reader.execute(ctx, []node{{text: line}})
	return b.String(), withoutPrompt(err)
}

// A Present is what a shell is about at a moment.
type Present struct {
	Files   []string
	Claims  []string
	Claim   int // of Claims
	Assumed []string
	View    cegar.View
	Moments []Past
	At      int // of Moments
	// Unspecified says that there is nothing to check.
	Unspecified bool
	// WholeRuns says that it is a search of whole runs, and not of threads.
	WholeRuns bool
	// Threads says that the claim has a search, or had when it was last asked: the moments are
	// not those of the loop then, and Steps is how many steps the search has made.
	Threads bool
	Steps   int
	Script  string // that leads here, for magus run
	// Branches are the ways that the session has gone; one if nothing was done instead.
	Branches []Branch
}

// A Past is a moment of the history.
type Past struct {
	Head  string   // the phase, or who did it
	By    string   // the command, as a script has it
	Lines []string // what happened and why
	// Seconds is how long the phase took, 0 for what was done by hand.
	Seconds float64
}

// pastOf is a moment as others are told it.
func pastOf(m moment) Past { return Past{m.head(), m.by, slices.Clone(m.lines), m.seconds} }

// Present is what the shell is about now; false if nothing is loaded.
func (sh *Shell) Present(ctx context.Context) (p Present, ok bool) {
	if sh.session == nil {
		return Present{}, false
	}
	p = Present{Files: slices.Clone(sh.files), Claim: sh.claim, View: sh.session.View(), At: sh.history.at,
		Unspecified: sh.unspecified, Script: sh.replayed()}
	for _, c := range sh.claims {
		p.Claims = append(p.Claims, c.Name)
	}
	for _, a := range sh.assumed {
		p.Assumed = append(p.Assumed, sh.componentNames()[a.component]+": "+a.text)
	}
	for _, m := range sh.history.moments {
		p.Moments = append(p.Moments, pastOf(m))
	}
	p.Branches = sh.Branches()
	if s, err := sh.threadSession(ctx); err == nil && s != nil {
		_, threads := ofThreads(s)
		p.Threads, p.WholeRuns, p.Steps = true, !threads, sh.threads.steps
		p.View.Outcome, p.View.Phase = s.Outcome(), s.Next()
	}
	return p, true
}

// replayed is a script that leads to the present moment.
func (sh *Shell) replayed() string {
	s := sh.saved()
	var b strings.Builder
	line := func(words ...string) {
		for i, w := range words {
			if i > 0 {
				w = quote(w)
			}
			words[i] = w
		}
		b.WriteString(strings.Join(words, " ") + "\n")
	}
	for _, o := range s.settings {
		line("set", o[0], o[1])
	}
	line(append([]string{"load"}, s.files...)...)
	if s.definitions != "" {
		b.WriteString("define\n" + strings.TrimSuffix(s.definitions, "\n") + "\nend\n")
	}
	if s.claim > 0 {
		line("claim", strconv.Itoa(s.claim+1))
	}
	for _, a := range s.assumed {
		b.WriteString("assume " + sh.claims[s.claim].Procedures[a.component] + " " + a.text + "\n")
	}
	if sh.threads.steps > 0 {
		line("step", strconv.Itoa(sh.threads.steps))
	}
	for _, d := range s.do {
		b.WriteString(d + "\n")
	}
	return b.String()
}

// ViewAt is what the session knew at a moment. The session stays where it is.
func (sh *Shell) ViewAt(ctx context.Context, moment int) (cegar.View, error) {
	h := sh.history
	if sh.session == nil || moment < 0 || moment >= len(h.moments) {
		return cegar.View{}, fmt.Errorf("no moment %d", moment)
	}
	at, walk := h.at, sh.walk
	if err := h.travel(ctx, moment); err != nil {
		return cegar.View{}, err
	}
	v := sh.session.View()
	err := h.travel(context.WithoutCancel(ctx), at) // at once: the present moment has its snapshot
	sh.walk = walk
	return v, err
}

// Pictured is the picture of an object, named as for the command dot.
func (sh *Shell) Pictured(ctx context.Context, object []string) (*draw.Picture, error) {
	c := &call{Shell: sh, words: []word{{text: "dot"}}, args: object[1:]}
	p, err := c.picture(ctx, object[0])
	if err == nil && len(c.args) > 0 {
		err = c.usage()
	}
	return p, err
}

// Reasons is how many clauses of the order a search of threads has so far; 0 if there is no such search.
func (sh *Shell) Reasons(ctx context.Context) int {
	s, p, _, err := (&call{Shell: sh}).searched(ctx)
	if err != nil || p == nil {
		return 0
	}
	search, _ := s.Search()
	all, err := search.Reasons(ctx)
	if err != nil {
		return 0
	}
	return len(all)
}

// ReasonDrawn is the event order graph of a clause, by its number from 1.
func (sh *Shell) ReasonDrawn(ctx context.Context, number string) (*graph.Drawing, error) {
	return (&call{Shell: sh, words: []word{{text: "eog"}}}).reasonDrawn(ctx, number)
}
