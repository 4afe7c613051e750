package suite

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"magus/internal/pattern"
)

// Where tables and keys of a suite stand.
//
// Idea: the library that reads TOML says of a mistake in the form on which line it is, but not
// where a key stands. So the lines of a text whose form is right are gone through once: those that
// begin a table, and those that begin with a key, but for those within a list or a text of several
// lines. What is not found has no place; messages then name the file alone. Cost: linear.

// A place is a line and a column, both from 1; columns count characters. The zero place is none.
type place struct{ line, column int }

// in is how messages name a place of a file.
func (p place) in(file string) string {
	if p.line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d:%d", file, p.line, p.column)
}

// A table is a part of a text with its keys.
type table struct {
	path string // such as group.claim; "" for what stands before all of them
	at   place
	keys []key
}

// A key is one with its value.
type key struct {
	path      string // behind that of the table
	at, value place
	text      string // the value's first line
}

// find is the key of that path, or the first below it.
func (t *table) find(path string) (key, bool) {
	i := slices.IndexFunc(t.keys, func(k key) bool { return k.path == path || strings.HasPrefix(k.path, path+".") })
	if i < 0 {
		return key{}, false
	}
	return t.keys[i], true
}

var (
	tableLine = pattern.New(`^[ \t]*\[\[?[ \t]*([^\]\[]+?)[ \t]*\]`)
	keyLine   = pattern.New(`^([ \t]*)([A-Za-z0-9_\-. \t"']+?)[ \t]*=[ \t]*(.*)$`)
)

// tablesOf are the tables of a text, in their order.
func tablesOf(text string) []*table {
	all := []*table{{}}
	var open nested
	for n, line := range strings.Split(text, "\n") {
		if !open.isEmpty() {
			open.read(line)
			continue
		}
		column := func(bytes int) place { return place{n + 1, utf8.RuneCountInString(line[:bytes]) + 1} }
		if m := tableLine().FindStringSubmatch(line); m != nil {
			at := column(strings.Index(line, "["))
			all = append(all, &table{path: dotted(m[1]), at: at})
			continue
		}
		if m := keyLine().FindStringSubmatchIndex(line); m != nil {
			last := all[len(all)-1]
			last.keys = append(last.keys, key{dotted(line[m[4]:m[5]]), column(m[4]), column(m[6]), line[m[6]:m[7]]})
			open.read(line[m[6]:])
		}
	}
	return all
}

// dotted is a path of keys without blanks and quotation marks.
func dotted(path string) string {
	parts := strings.Split(path, ".")
	for i, part := range parts {
		parts[i] = strings.Trim(part, " \t\"'")
	}
	return strings.Join(parts, ".")
}

// nested is what is open behind a line: brackets, or a text of several lines.
type nested struct {
	depth int
	quote string
}

func (n *nested) isEmpty() bool { return n.depth == 0 && n.quote == "" }

// read goes on behind a line.
func (n *nested) read(line string) {
	for i := 0; i < len(line); {
		rest := line[i:]
		switch {
		case n.quote != "":
			if n.quote[0] == '"' && rest[0] == '\\' {
				i++
			} else if strings.HasPrefix(rest, n.quote) {
				i += len(n.quote) - 1
				n.quote = ""
			}
		case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, "'''"):
			n.quote = rest[:3]
			i += 2
		case rest[0] == '"' || rest[0] == '\'':
			n.quote = rest[:1]
		case rest[0] == '#':
			i = len(line)
		case strings.IndexByte("[{", rest[0]) >= 0:
			n.depth++
		case strings.IndexByte("]}", rest[0]) >= 0:
			n.depth = max(0, n.depth-1)
		}
		i++
	}
	if len(n.quote) == 1 { // a text ends in its line
		n.quote = ""
	}
}
