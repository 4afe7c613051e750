package repl

// Where the output of a command goes: through filters, into a file.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/internal/phrase"
)

// An output says what happens to what a command prints.
type output struct {
	filters []filter
	pager   bool
	file    string
	appends bool // to what is in the file
}

// goes reports whether the output goes anywhere but to who reads along.
func (o output) goes() bool { return len(o.filters) > 0 || o.pager || o.file != "" }

// A filter takes lines from a text.
type filter func(text string) string

// parseOutput takes | FILTER …, > FILE and >> FILE from the end of a command.
func parseOutput(ws []word) (command []word, o output, err error) {
	isMark := func(w word, text string) bool { return w.text == text && !w.quoted }
	if k := slices.IndexFunc(ws, func(w word) bool { return isMark(w, ">") || isMark(w, ">>") }); k >= 1 {
		if k != len(ws)-2 {
			return nil, o, &lineError{ws[k].col, "expected the name of one file behind " + ws[k].text +
				"; in quotes it is a word"}
		}
		o.file, o.appends = ws[k+1].text, ws[k].text == ">>"
		ws = ws[:k]
	}
	bar := slices.IndexFunc(ws, func(w word) bool { return isMark(w, "|") })
	if bar <= 0 {
		return ws, o, nil
	}
	for rest := ws[bar:]; len(rest) > 0; {
		end := slices.IndexFunc(rest[1:], func(w word) bool { return isMark(w, "|") }) + 1
		if end == 0 {
			end = len(rest)
		}
		if err := o.add(texts(rest[1:end])); err != nil {
			return nil, o, &lineError{rest[0].col, err.Error()}
		}
		rest = rest[end:]
	}
	return ws[:bar], o, nil
}

// endsRaw reports whether the rest of a line that a command takes as it is ends before a
// filter or a file: there is nothing before, or it stands in double quotes, which no expression does.
func endsRaw(line string, ws []word) bool {
	mark := slices.IndexFunc(ws, func(w word) bool {
		return !w.quoted && (w.text == "|" || w.text == ">" || w.text == ">>")
	})
	return mark == 1 || mark > 1 && inQuotes(line, ws[mark-1])
}

// inQuotes reports whether a word begins with double quotes.
func inQuotes(line string, w word) bool {
	letters := []rune(line)
	return w.quoted && w.col <= len(letters) && letters[w.col-1] == '"'
}

// filterNames are what can stand behind |.
func filterNames() []string { return []string{"grep", "head", "less", "tail"} }

// add adds a filter.
func (o *output) add(words []string) error {
	if len(words) == 0 {
		return errors.New("a filter is missing behind |: grep TEXT, head [N], tail [N] or less")
	}
	if o.pager {
		return errors.New("nothing can stand behind less")
	}
	switch name := words[0]; {
	case name == "grep" && len(words) == 2:
		o.filters = append(o.filters, func(text string) string { return grep(text, words[1]) })
	case name == "grep":
		return errors.New("expected grep TEXT; quotes hold a text together")
	case (name == "head" || name == "tail") && len(words) <= 2:
		n := 10
		if len(words) == 2 {
			var err error
			if n, err = strconv.Atoi(strings.TrimPrefix(words[1], "-")); err != nil || n < 0 {
				return fmt.Errorf("%s: expected a number of lines, found %s", name, words[1])
			}
		}
		o.filters = append(o.filters, func(text string) string { return some(text, n, name == "head") })
	case (name == "less" || name == "more") && len(words) == 1:
		o.pager = true
	default:
		return fmt.Errorf("no filter %s%s; there are grep TEXT, head [N], tail [N], less",
			strings.Join(words, " "), phrase.Suggest(name, filterNames()))
	}
	return nil
}

// grep has the lines with a text.
func grep(text, wanted string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.Contains(line, wanted) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// some has the first lines or the last ones.
func some(text string, n int, first bool) string {
	lines := slices.Collect(strings.Lines(text))
	n = min(n, len(lines))
	if first {
		return strings.Join(lines[:n], "")
	}
	return strings.Join(lines[len(lines)-n:], "")
}

// through runs f with its output going where it is to go. If f has an error, what it printed is shown and no
// file is written.
func (sh *console) through(ctx context.Context, o output, f func() error) error {
	if !o.goes() {
		return f()
	}
	var b bytes.Buffer
	before := sh.out
	sh.out = &b
	err := f()
	sh.out = before
	text := b.String()
	for _, filter := range o.filters {
		text = filter(text)
	}
	switch {
	case o.file != "" && err != nil:
		return err
	case o.file != "":
		return sh.host.write(o, text)
	case o.pager && sh.prompting && sh.host.Page != nil && err == nil:
		return sh.host.Page(ctx, text)
	}
	sh.printf("%s", text)
	return err
}

// write writes a text to a file, behind what is there or instead of it.
func (h *Host) write(o output, text string) error {
	if o.appends {
		return h.AppendFile(o.file, []byte(text))
	}
	return h.WriteFile(o.file, []byte(text))
}

// system lets the system execute a command.
func (sh *console) system(ctx context.Context, line string) error {
	switch line = strings.TrimSpace(line); {
	case sh.host.System == nil:
		return errors.New("commands of the system are not executed; magus repl --allow-commands allows them")
	case line == "":
		return errors.New("expected !COMMAND")
	}
	return sh.interruptible(ctx, func(ctx context.Context) error { return sh.host.System(ctx, line, sh.out) })
}
