package repl

// Execution of what is typed, and of scripts.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// reader executes what is typed, and scripts, on a shell.
type reader struct {
	*console
	*loaded
	shell     *Shell            // that commands are executed on
	vars      map[string]string // let
	including []string          // scripts being read
	failed    bool              // a command that was piped
	folder    string            // of the script that runs, as it was named
	last      string            // the last line that an empty one repeats
}

// prompt says which of several claims is the present one.
func (sh *reader) prompt() string {
	if len(sh.claims) > 1 {
		return fmt.Sprintf("magus %d/%d> ", sh.claim+1, len(sh.claims))
	}
	return "magus> "
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
		return sh.interruptible(ctx, func(ctx context.Context) error { return sh.shell.loader.define(ctx, n.body) })
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
			if holds, _, err = sh.shell.expectations.condition(texts(ws[1:])); err != nil {
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
		return strings.Join(sh.componentNames(), " "), true
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

// command executes a line that is a command of the table.
func (sh *reader) command(ctx context.Context, n node) error {
	if line, ok := strings.CutPrefix(strings.TrimSpace(n.text), "!"); ok {
		return sh.system(ctx, line)
	}
	ws, err := sh.words(n.text)
	if err != nil || len(ws) == 0 {
		return err
	}
	if isNumber(ws[0].text) && len(ws) == 1 {
		return sh.choice(ctx, n, ws[0])
	}
	c, err := sh.shell.table.find(ws[0].text)
	if err != nil {
		return &lineError{ws[0].col, err.Error()}
	}
	var way output
	if !c.raw || endsRaw(n.text, ws) {
		if ws, way, err = parseOutput(ws); err != nil {
			return err
		}
	}
	call := &call{Shell: sh.shell, node: n, words: ws, args: texts(ws[1:])}
	if c.Args == "" && len(call.args) > 0 {
		return call.usage()
	}
	if sh.unspecified && c.checks {
		return errUnspecified
	}
	if sh.last = ""; c.repeats {
		sh.last = strings.TrimSpace(n.text)
	}
	sh.menu = ""
	return sh.interruptible(ctx, func(ctx context.Context) error {
		return sh.through(ctx, way, func() error {
			if !c.list || way.goes() {
				return c.run(ctx, call)
			}
			return sh.screenful(func() error { return c.run(ctx, call) })
		})
	})
}

// choice executes a number: the command of the list that was printed last takes it.
func (sh *reader) choice(ctx context.Context, n node, number word) error {
	if sh.menu == "" {
		return &lineError{number.col, "no command " + number.text +
			"; a number is one behind a list: simulate, choose, claims or history"}
	}
	n.text = sh.menu + " " + number.text
	return sh.command(ctx, n)
}

// isNumber reports whether a word has digits only.
func isNumber(text string) bool { return strings.Trim(text, "0123456789") == "" && text != "" }
