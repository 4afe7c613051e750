package harness

// Changes to the program's text. Each stands where the counterexample says
// that something happens; the text there must be what is expected, and not the
// use of a macro, or the change is not made and the value counts as missing.
// What is inserted has no line break, so that lines stay where they are.

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source"
	"magus/evidence/witness"
)

// An edit inserts text.
type edit struct {
	at   int // offset
	text string
}

// apply makes the changes.
func apply(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	var out bytes.Buffer
	done := 0
	for _, e := range edits {
		out.Write(text[done:e.at])
		out.WriteString(e.text)
		done = e.at
	}
	out.Write(text[done:])
	return out.Bytes()
}

// edits are the changes of all units, by unit.
func (w *writer) edits() map[string][]edit {
	all := map[string][]edit{}
	w.beginnings(all)
	w.bodies(all)
	labels := map[cfa.Pos]bool{}
	for _, p := range w.replay.Components {
		for _, c := range p.Choices {
			switch _, known := w.sites[choiceSite(c)]; {
			case c.Called:
				w.site(c.Name, cfa.Pos{})
			case !known && !c.Idle && c.By != "":
				w.afterCall(all, c)
			case !known && !c.Idle:
				w.initialise(all, c)
			}
		}
		for _, pos := range p.Labels {
			if !labels[pos] { // several copies may come there
				labels[pos] = true
				w.label(all, pos)
			}
		}
	}
	return all
}

// bodies lets functions that the run did not enter, and those whose call is an
// error, do what the run says instead of what their bodies say.
func (w *writer) bodies(all map[string][]edit) {
	for _, f := range w.replay.Functions {
		if !f.Body.IsValid() {
			continue
		}
		body := ""
		switch {
		case slices.Contains(w.replay.Errors, f.Name):
			body = "magus_error();"
		case (f.Name == "__MAGUS_ACTION__" || f.Name == "__COPPER_HANDSHAKE__") && len(f.Params) == 1 &&
			f.Params[0].Name != "":
			body = "magus_action(" + f.Params[0].Name + "); return;"
		case !slices.Contains(w.replay.Replaced, f.Name):
			continue
		case f.Void:
			body = fmt.Sprintf("if (magus_enter) magus_enter = 0; else { magus_take(%d); return; }",
				w.site(f.Name, cfa.Pos{}))
		default:
			body = fmt.Sprintf("if (magus_enter) magus_enter = 0; else return %s;",
				taken(w.site(f.Name, cfa.Pos{}), w.floats(f.Name)))
		}
		if w.insert(all, f.Body, "{", " "+body, "") {
			w.edited = append(w.edited, fmt.Sprintf("%v: %s does what the run says", f.Pos, f.Name))
		} else {
			w.missing = append(w.missing, fmt.Sprintf("%v: the body of %s cannot be replaced here", f.Pos, f.Name))
		}
	}
}

// initialise gives a variable, or one that is part of it, the value that it
// has in the run.
func (w *writer) initialise(all map[string][]edit, c witness.Choice) {
	name, pos := c.Name, c.Pos
	value := taken(w.site(name, pos), c.Float)
	base := name[:baseLen(name)]
	if base == name && w.insert(all, pos, name, fmt.Sprintf(" = (__typeof__(%s))%s", name, value), ",;") ||
		base != name && base != "" && w.insertBefore(all, pos, base,
			fmt.Sprintf("; %s = (__typeof__(%s))%s", name, name, value)) {
		w.edited = append(w.edited, fmt.Sprintf("%v: %s is initialised", pos, name))
	} else {
		w.missing = append(w.missing, fmt.Sprintf("%v: the value of the uninitialised variable %s", pos, name))
	}
}

// baseLen is the length of the variable in the name of a part of it, as in
// list[2].key.
func baseLen(name string) int {
	if i := strings.IndexAny(name, ".[*-@# "); i >= 0 {
		return i
	}
	return len(name)
}

// afterCall lets a call change a variable: f(&x) becomes a statement
// expression that gives x its value after the call.
func (w *writer) afterCall(all map[string][]edit, c witness.Choice) {
	for _, s := range w.units {
		at := w.find(s, c.Pos, c.By)
		if at < 0 {
			continue
		}
		end := callEnd(s.Text, at+len(c.By))
		if end < 0 {
			break
		}
		n := w.site(c.Name, c.Pos)
		void := slices.ContainsFunc(w.replay.Functions, func(f source.Function) bool { return f.Name == c.By && f.Void })
		before, after := "({ __auto_type magus_result = ", " magus_result; })"
		if void {
			before, after = "({ ", " })"
		}
		set := fmt.Sprintf("; %s = (__typeof__(%s))%s", c.Name, c.Name, taken(n, c.Float))
		list := all[s.Name]
		if i := slices.IndexFunc(list, func(e edit) bool { return e.at == end && strings.HasSuffix(e.text, after) }); i >= 0 {
			list[i].text = set + list[i].text
		} else {
			all[s.Name] = append(list, edit{at, before}, edit{end, set + ";" + after})
		}
		w.edited = append(w.edited, fmt.Sprintf("%v: %s changes %s", c.Pos, c.By, c.Name))
		return
	}
	w.missing = append(w.missing, fmt.Sprintf("%v: what %s changes %s to", c.Pos, c.By, c.Name))
}

// callEnd is the end of the arguments that begin at or behind an offset, or -1.
func callEnd(text []byte, at int) int {
	depth := 0
	for i := at; i < len(text); i++ {
		switch c := text[i]; c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '/':
			i = commentEnd(text, i)
		case ' ', '\t', '\n', '\r':
		default:
			if depth == 0 {
				return -1
			}
		}
	}
	return -1
}

// commentEnd is the last byte of the comment that begins at an offset, or the
// offset.
func commentEnd(text []byte, at int) int {
	for _, c := range [][2]string{{"/*", "*/"}, {"//", "\n"}} {
		if begin, end := c[0], c[1]; bytes.HasPrefix(text[at:], []byte(begin)) {
			n := bytes.Index(text[at+2:], []byte(end))
			if n < 0 {
				return len(text)
			}
			return at + 2 + n + len(end) - 1
		}
	}
	return at
}

// label reports an error label.
func (w *writer) label(all map[string][]edit, pos cfa.Pos) {
	for _, name := range w.replay.Labels {
		if w.insert(all, pos, name, fmt.Sprintf(": magus_error(); magus_label%d", len(w.edited)), ":") {
			w.edited = append(w.edited, fmt.Sprintf("%v: the label %s is reported", pos, name))
			return
		}
	}
}

// insert puts text behind a word at a place, if the word stands there and is
// followed by one of some characters, if any are given.
func (w *writer) insert(all map[string][]edit, pos cfa.Pos, word, text, followed string) bool {
	for _, s := range w.units {
		if at := w.find(s, pos, word); at >= 0 && (followed == "" || follows(s.Text[at+len(word):], followed)) {
			all[s.Name] = append(all[s.Name], edit{at + len(word), text})
			return true
		}
	}
	return false
}

// insertBefore puts text before the semicolon that ends the declaration of a
// name.
func (w *writer) insertBefore(all map[string][]edit, pos cfa.Pos, word, text string) bool {
	for _, s := range w.units {
		if at := w.find(s, pos, word); at >= 0 {
			if n := bytes.IndexByte(s.Text[at:], ';'); n >= 0 {
				all[s.Name] = append(all[s.Name], edit{at + n, text})
				return true
			}
		}
	}
	return false
}

// find is the offset of a word at a place in a unit, or -1.
func (w *writer) find(s source.Source, pos cfa.Pos, word string) int {
	for _, line := range w.lines[s.Name] {
		at := line.at + pos.Col - 1
		if line.pos.File == pos.File && line.pos.Line == pos.Line && at <= len(s.Text) &&
			bytes.HasPrefix(s.Text[at:], []byte(word)) {
			return at
		}
	}
	return -1
}

// follows reports whether the next character that is no blank is one of some.
func follows(text []byte, some string) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	return len(text) > 0 && strings.IndexByte(some, text[0]) >= 0
}

// A line is where a line of the text begins, and where its readers see it.
type line struct {
	at  int
	pos cfa.Pos
}

// read finds the lines of the units. Of what a preprocessor wrote, the lines
// that do not come from the system's headers are the program's own.
func (w *writer) read() {
	for _, s := range w.units {
		w.files[s.Name] = true
		var origins []cfa.Pos
		if s.Marked() {
			origins = source.Origins(s)
		}
		at := 0
		for n, text := range bytes.SplitAfter(s.Text, []byte("\n")) {
			pos := cfa.Pos{File: s.Name, Line: n + 1, Col: 1}
			if n < len(origins) {
				pos = origins[n]
				w.files[pos.File] = !ofSystem(pos)
			}
			w.lines[s.Name] = append(w.lines[s.Name], line{at, pos})
			at += len(text)
		}
	}
}
