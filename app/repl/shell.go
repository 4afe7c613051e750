package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"magus"
	"magus/app/draw"
	"magus/cfa"
	"magus/engine/cegar"
)

// ErrInterrupted is the cause with which the context of a command ends when the
// user interrupts it.
var ErrInterrupted = errors.New("interrupted")

// A Shell executes commands.
type Shell struct {
	host  Host
	table []*Command
	out   io.Writer // of the current command
	watch Watch     // how far it is; nil if nobody is told

	files       []string
	definitions string // typed in
	project     *magus.Project
	claims      []*magus.Claim
	claim       int               // the current one
	assumed     []assumption      // by hand, of the current claim
	session     *cegar.Session    // nil before something is loaded
	threads     threadSearch      // of a claim about a program with threads
	breaks      []breakpoint      // in the order of their numbers
	lastBreak   int               // the highest number given
	walk        *walk             // of simulate; nil if there is none
	named       map[string][]byte // LTSs that lts commands wrote, as Aldebaran text
	limit       int               // of nodes drawn without --all
	spent       float64           // on the present claim, in seconds
	unspecified bool              // what is loaded has no specification: there is nothing to check

	reader       *reader
	loader       *loader
	history      *history
	views        *views
	completion   *completion
	watchlist    *watchlist
	expectations *expectations
}

// The parts of a shell. Each has the shell, for what is loaded and where the output goes, and keeps by itself
// what no other part changes.
type (
	// reader executes what is typed, and scripts.
	reader struct {
		*Shell
		vars      map[string]string // let
		including []string          // scripts being read
		prompting bool              // a person reads along
		echo      bool              // input is shown as it is executed
		failed    bool              // a command that was piped
		folder    string            // of the script that runs, as it was named
		last      string            // the last line that an empty one repeats
	}
	// loader loads sources and specifications, and begins a session with a claim of theirs.
	loader struct{ *Shell }
	// history keeps the moments of a session, to go back to.
	history struct {
		*Shell
		moments   []moment // since the session began; not empty if there is one
		at        int      // the current one
		maxWeight int      // of the moments
	}
	// views show the abstractions, the counterexample and the source.
	views struct{ *Shell }
	// completion offers how a line may go on.
	completion struct{ *Shell }
	// watchlist has the expressions that are shown after each step.
	watchlist struct {
		*Shell
		watches   []watchedExpr // in the order of their numbers
		lastWatch int           // the highest number given
	}
	// expectations are what scripts expect, and what came of it.
	expectations struct {
		*Shell
		results      []Expectation  // of scripts
		explained    *magus.Outcome // the last one shown with an expectation that was not met
		lastExpected float64        // when the last expectation was noted
	}
)

// New is a shell with nothing loaded.
func New(h Host) *Shell {
	sh := &Shell{host: h, out: h.Out, named: map[string][]byte{}, limit: draw.DefaultLimit}
	sh.reader = &reader{Shell: sh, vars: map[string]string{}}
	sh.history = &history{Shell: sh, maxWeight: defaultWeight}
	sh.loader, sh.views, sh.completion = &loader{sh}, &views{sh}, &completion{sh}
	sh.watchlist, sh.expectations = &watchlist{Shell: sh}, &expectations{Shell: sh}
	sh.table = Commands()
	return sh
}

// Close frees the session.
func (sh *Shell) Close() {
	if sh.session != nil {
		sh.session.Close()
		sh.session = nil
	}
	sh.threads.end()
	sh.threads = threadSearch{}
}

// printf writes to the current command's output.
func (sh *Shell) printf(format string, args ...any) { fmt.Fprintf(sh.out, format, args...) }

// row writes a line of a table, without blanks at its end.
func (sh *Shell) row(format string, args ...any) {
	fmt.Fprintln(sh.out, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

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
	sh.reader.prompting, sh.reader.echo = mode.Prompt, mode.Echo
	if mode.Prompt { // an interrupt that comes when its command has just ended is not the shell's end
		defer sh.host.Interrupt(func() {})()
	}
	var block []string
	for {
		prompt := sh.reader.prompt()
		if block != nil {
			prompt = "....> "
		}
		line, err := Await(ctx, lines, prompt)
		if ctx.Err() != nil {
			return 3
		}
		if errors.Is(err, ErrInterrupted) {
			block = nil
			continue
		}
		if err != nil {
			if block != nil {
				sh.reader.failed = !sh.reader.prompting
				sh.complain(&syntaxError{msg: firstWord(block[0]) + " without end"})
			}
			return sh.status()
		}
		if sh.reader.echo {
			fmt.Fprintln(sh.host.Out, prompt+line)
		}
		if block = append(block, line); !complete(block) {
			continue
		}
		text := strings.Join(block, "\n")
		block = nil
		if sh.reader.prompting && strings.TrimSpace(text) == "" {
			text = sh.reader.last
		}
		if done, status := sh.reader.typed(ctx, text); done {
			return status
		}
	}
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

// prompt says which of several claims is the present one.
func (sh *reader) prompt() string {
	if len(sh.claims) > 1 {
		return fmt.Sprintf("magus %d/%d> ", sh.claim+1, len(sh.claims))
	}
	return "magus> "
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

// typed executes what was typed at the prompt.
func (sh *reader) typed(ctx context.Context, text string) (done bool, status int) {
	nodes, err := parseScript("", text)
	switch {
	case err != nil:
	case sh.prompting: // also between the commands of a loop
		err = sh.interruptible(ctx, func(ctx context.Context) error { return sh.execute(ctx, nodes) })
	default:
		err = sh.execute(ctx, nodes)
	}
	var end *exit
	if errors.As(err, &end) {
		return true, end.status
	}
	if err != nil {
		sh.failed = !sh.prompting
		sh.complain(err)
	}
	return ctx.Err() != nil, 3
}

// complain prints an error; places at the prompt are not shown.
func (sh *Shell) complain(err error) {
	text := err.Error()
	var s *syntaxError
	if errors.As(err, &s) && s.pos.file == "" {
		text = s.msg
	}
	var sources cfa.Errors
	if errors.As(err, &sources) {
		text = strings.Replace(text, sources.Error(), sources.WithLines(), 1)
	}
	fmt.Fprintln(sh.host.Err, text)
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

// script executes the script of a file.
func (sh *reader) script(ctx context.Context, file string) error {
	if slices.Contains(sh.including, file) {
		return fmt.Errorf("%s includes itself", file)
	}
	text, err := sh.host.ReadFile(file)
	if err != nil {
		return err
	}
	nodes, err := parseScript(filepath.Join(sh.folder, file), string(text))
	if err != nil {
		return err
	}
	sh.including = append(sh.including, file)
	defer func() { sh.including = sh.including[:len(sh.including)-1] }()
	return sh.execute(ctx, nodes)
}

// execute executes statements; an error has the place of its statement.
func (sh *reader) execute(ctx context.Context, nodes []node) error {
	for _, n := range nodes {
		if err := sh.statement(ctx, n); err != nil {
			return withPlace(n.pos, n.text, err)
		}
	}
	return nil
}

// withPlace gives an error a place, if it has none.
func withPlace(pos position, line string, err error) error {
	var s *syntaxError
	var end *exit
	if errors.As(err, &s) || errors.As(err, &end) {
		return err
	}
	var l *lineError
	if errors.As(err, &l) {
		pos.col = l.col
	}
	return &syntaxError{pos, err.Error(), err}
}

// statement executes one statement.
func (sh *reader) statement(ctx context.Context, n node) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	switch firstWord(n.text) {
	case "if":
		return sh.branch(ctx, n)
	case "foreach":
		return sh.loop(ctx, n)
	case "define":
		return sh.interruptible(ctx, func(ctx context.Context) error { return sh.loader.define(ctx, n.body) })
	}
	return sh.command(ctx, n)
}

// branch executes the first arm whose condition holds.
func (sh *reader) branch(ctx context.Context, n node) error {
	for _, a := range n.arms {
		ws, err := sh.words(a.text)
		if err != nil {
			return withPlace(a.pos, a.text, err)
		}
		holds := true
		if ws[0].text != "else" {
			if holds, _, err = sh.expectations.condition(texts(ws[1:])); err != nil {
				return withPlace(a.pos, a.text, err)
			}
		}
		if holds {
			return sh.execute(ctx, a.body)
		}
	}
	return nil
}

// loop executes the block for each word.
func (sh *reader) loop(ctx context.Context, n node) error {
	ws, err := sh.words(n.text)
	if err != nil {
		return err
	}
	if len(ws) < 3 || ws[2].text != "in" || !isName(ws[1].text) {
		return errors.New("expected foreach NAME in WORDS")
	}
	name := ws[1].text
	before, had := sh.vars[name]
	for _, w := range ws[3:] {
		sh.vars[name] = w.text
		if err := sh.execute(ctx, n.arms[0].body); err != nil {
			return err
		}
	}
	if delete(sh.vars, name); had {
		sh.vars[name] = before
	}
	return nil
}

// isName reports whether a variable can have that name.
func isName(text string) bool {
	for i := range len(text) {
		if !isNameByte(text[i], i == 0) {
			return false
		}
	}
	return text != ""
}

// words parts a line into words, with the values of variables.
func (sh *reader) words(line string) ([]word, error) {
	return words(line, sh.variable)
}

// variable is the value of a variable. Besides those that let defines there are
// claims, the numbers of all claims, and components, the names of those of the
// present claim.
func (sh *reader) variable(name string) (string, bool) {
	if v, ok := sh.vars[name]; ok {
		return v, true
	}
	switch {
	case name == "claims" && sh.session != nil:
		numbers := make([]string, len(sh.claims))
		for i := range numbers {
			numbers[i] = strconv.Itoa(i + 1)
		}
		return strings.Join(numbers, " "), true
	case name == "components" && sh.session != nil:
		return strings.Join(sh.views.componentNames(), " "), true
	}
	return "", false
}

// texts are the texts of words.
func texts(ws []word) []string {
	all := make([]string, len(ws))
	for i, w := range ws {
		all[i] = w.text
	}
	return all
}

// interruptible runs f with a context that ends when the user interrupts. If it
// ended, the error is why.
func (sh *Shell) interruptible(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := sh.host.Interrupt(func() { cancel(ErrInterrupted) })
	defer cancel(nil)
	defer stop()
	err := f(ctx)
	if ended := ctx.Err(); ended != nil && errors.Is(err, ended) {
		return context.Cause(ctx)
	}
	return err
}

// toRead is the time in seconds that reading files and beginning with a claim may take beyond a claim's limit, so that
// the shortest limit leaves a session that ends as unknown.
const toRead = 1

// timed calls f, which reads files or begins with a claim, with the time that a claim has.
func (sh *Shell) timed(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := sh.host.Within(ctx, -toRead)
	defer cancel()
	err := f(ctx)
	if ended := ctx.Err(); ended != nil && errors.Is(err, ended) {
		return context.Cause(ctx)
	}
	return err
}

// command executes a line that is a command of the table.
func (sh *reader) command(ctx context.Context, n node) error {
	if line, ok := strings.CutPrefix(strings.TrimSpace(n.text), "!"); ok {
		return sh.system(ctx, line)
	}
	ws, err := sh.words(n.text)
	if err != nil || len(ws) == 0 {
		return err
	}
	c, err := sh.find(ws[0].text)
	if err != nil {
		return &lineError{ws[0].col, err.Error()}
	}
	var way output
	if !c.raw || endsRaw(n.text, ws) {
		if ws, way, err = parseOutput(ws); err != nil {
			return err
		}
	}
	call := &call{Shell: sh.Shell, node: n, words: ws, args: texts(ws[1:])}
	if c.Args == "" && len(call.args) > 0 {
		return call.usage()
	}
	if sh.unspecified && c.checks {
		return errUnspecified
	}
	if sh.last = ""; c.repeats {
		sh.last = strings.TrimSpace(n.text)
	}
	return sh.interruptible(ctx, func(ctx context.Context) error {
		return sh.through(ctx, way, func() error { return c.run(ctx, call) })
	})
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
	cmd, _ := c.find(c.words[0].text)
	if cmd.Args == "" {
		return fmt.Errorf("%s takes no arguments", cmd.Name)
	}
	return fmt.Errorf("expected %s", cmd.Usage())
}

// none tells a person that a list is empty.
func (sh *Shell) none(n int, text string) {
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
