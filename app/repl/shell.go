package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"magus/app/draw"
)

// ErrInterrupted is the cause with which the context of a command ends when the
// user interrupts it.
var ErrInterrupted = errors.New("interrupted")

// A Shell executes commands. Its parts build on each other in this order: the console and what is
// loaded, which know of no other part; the history, the watches and the views; what steps and loads;
// what completes and reads commands. Only the reader knows the shell, for commands are given it.
type Shell struct {
	*console
	*loaded
	history      *history
	watchlist    *watchlist
	views        *views
	stepper      *stepper
	objects      *objects
	loader       *loader
	settings     *settings
	expectations *expectations
	table        commandTable
	completion   *completion
	reader       *reader
	beside       Beside // who else uses it; nil if nobody does
}

// New is a shell with nothing loaded.
func New(h Host) *Shell {
	out, in := &console{host: h, out: h.Out, limit: draw.DefaultLimit}, &loaded{engine: h.Engine}
	sh := &Shell{console: out, loaded: in, table: Commands()}
	sh.history = &history{console: out, loaded: in, maxWeight: defaultWeight}
	sh.watchlist = &watchlist{console: out, loaded: in}
	sh.views = &views{out, in, sh.history, sh.watchlist}
	sh.stepper = &stepper{console: out, loaded: in, history: sh.history, watchlist: sh.watchlist,
		views: sh.views}
	sh.objects = &objects{in, map[string][]byte{}}
	sh.loader, sh.settings = &loader{out, in, sh.history}, &settings{out}
	sh.expectations = &expectations{console: out, loaded: in, views: sh.views}
	sh.completion = &completion{in, &out.host, sh.table, sh.history, sh.watchlist, sh.stepper, sh.objects,
		sh.settings}
	sh.reader = &reader{console: out, loaded: in, shell: sh, vars: map[string]string{}}
	return sh
}

// Close frees the session.
func (sh *Shell) Close() { sh.close() }

// An exit ends a script or the shell.
type exit struct{ status int }

func (e *exit) Error() string { return fmt.Sprintf("exit %d", e.status) }

// A Mode says how a shell deals with its input.
type Mode struct {
	Prompt bool // a person types: prompts, a banner, an empty line repeats
	Echo   bool // show each line behind the prompt as it is executed
}

// Interact reads commands from lines until their end or exit, and returns the
// exit status. Errors are printed, and the next line is read.
func (sh *Shell) Interact(ctx context.Context, lines Lines, mode Mode) int {
	var out io.Writer
	var ready string // the prompt
	sh.quietly(func() {
		sh.prompting, sh.echo, out, ready = mode.Prompt, mode.Echo, sh.host.Out, sh.reader.prompt()
	})
	if mode.Prompt { // an interrupt that comes when its command has just ended is not the shell's end
		defer sh.host.Interrupt(func() {})()
	}
	var block []string
	for {
		prompt := ready
		if block != nil {
			prompt = "....> "
		}
		line, err := Await(ctx, lines, prompt)
		if ctx.Err() != nil {
			return 3
		}
		if errors.Is(err, ErrInterrupted) {
			block = nil
			sh.interruptOthers()
			continue
		}
		if err != nil {
			return sh.ended(block)
		}
		if mode.Echo {
			fmt.Fprintln(out, prompt+line)
		}
		if block = append(block, line); !complete(block) {
			continue
		}
		text := strings.Join(block, "\n")
		block = nil
		done, status := false, 0
		sh.alone(text, func() {
			if mode.Prompt && strings.TrimSpace(text) == "" {
				text = sh.reader.last
			}
			done, status = sh.reader.typed(ctx, text)
			ready = sh.reader.prompt()
		})
		if done {
			return status
		}
	}
}

// ended is the exit status at the end of the input, in the middle of a block or not.
func (sh *Shell) ended(block []string) (status int) {
	sh.interruptOthers()
	sh.quietly(func() {
		if block != nil {
			sh.reader.failed = !sh.prompting
			sh.complain(&syntaxError{msg: firstWord(block[0]) + " without end"})
		}
		status = sh.status()
	})
	return status
}

// Await reads a line, but waits for it no longer than ctx.
func Await(ctx context.Context, lines Lines, prompt string) (string, error) {
	type result struct {
		line string
		err  error
	}
	read := make(chan result, 1)
	go func() {
		line, err := lines.Line(prompt)
		read <- result{line, err}
	}()
	select {
	case r := <-read:
		return r.line, r.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// status is the exit status at the end of input: 1 if an expectation failed, or else 2 if a command did that
// was piped.
func (sh *Shell) status() int {
	if slices.ContainsFunc(sh.expectations.results, func(e Expectation) bool { return e.Failure != "" }) {
		return 1
	}
	if sh.reader.failed {
		return 2
	}
	return 0
}

// Run executes a script that is in a file. The status is 0 if all expectations
// were met, 1 if not, 2 if the script is wrong or a command failed, 3 if ctx
// ended or the user interrupted it, or what exit says. The names of files are relative to the folder that the
// host reads from; in messages folder is put before those of scripts.
func (sh *Shell) Run(ctx context.Context, folder, file string) (Suite, int) {
	sh.reader.folder = folder
	s := Suite{Script: filepath.Join(folder, file)}
	begin := sh.host.Seconds()
	sh.expectations.lastExpected = begin
	err := sh.reader.script(ctx, file)
	s.Results, s.Seconds = sh.expectations.results, sh.host.Seconds()-begin
	var end *exit
	switch {
	case errors.As(err, &end):
		return s, end.status
	case err == nil:
		return s, sh.status()
	}
	s.Error, s.File = err.Error(), s.Script
	var at *syntaxError
	if errors.As(err, &at) {
		s.File, s.Line = at.pos.file, at.pos.line
	}
	sh.complain(err)
	if ctx.Err() != nil || errors.Is(err, ErrInterrupted) {
		return s, 3
	}
	return s, 2
}

// A call is a command as it was given.
type call struct {
	*Shell
	node  node
	words []word
	args  []string
	copy  int // which copy of the component was named, from 1; 0 for none
}

// usage is the error of a call with the wrong arguments.
func (c *call) usage() error {
	cmd, _ := c.table.find(c.words[0].text)
	if cmd.Args == "" {
		return fmt.Errorf("%s takes no arguments", cmd.Name)
	}
	return fmt.Errorf("expected %s", cmd.Usage())
}

// none tells a person that a list is empty.
func (sh *console) none(n int, text string) {
	if n == 0 {
		sh.printf("%s\n", text)
	}
}

// rest is the text of the line behind the first n arguments, with the values of
// variables; or what stands between double quotes, if that is all of it.
func (c *call) rest(n int) (string, error) {
	if n+1 >= len(c.words) {
		return "", nil
	}
	if n+2 == len(c.words) && inQuotes(c.node.text, c.words[n+1]) {
		return c.words[n+1].text, nil
	}
	line := []rune(c.node.text)
	s := &splitter{line: string(line[c.words[n+1].col-1:]), lookup: c.reader.variable}
	var b strings.Builder
	for s.at < len(s.line) {
		if s.line[s.at] == '#' && s.at > 0 && (s.line[s.at-1] == ' ' || s.line[s.at-1] == '\t') {
			break
		}
		if s.line[s.at] != '$' {
			b.WriteByte(s.line[s.at])
			s.at++
			continue
		}
		text, err := s.variable()
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return strings.TrimSpace(b.String()), nil
}
