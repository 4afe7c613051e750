package repl

// Help and lists in lines that fit on the screen.

import (
	"strings"
	"unicode/utf8"
)

const (
	usualWidth  = 80 // of lines where no screen is known
	leastWidth  = 30 // of lines, however narrow the screen is
	narrowWidth = 60 // below it what stands in a second column comes below the first
)

// width is that of the lines of help.
func (sh *console) width() int {
	if w := sh.host.Text.Width; w > 0 {
		return max(w-1, leastWidth)
	}
	return usualWidth
}

// reflowed is a text with its lines broken to a width: paragraphs anew, and lines that begin with blanks each for
// itself. Those have two columns where there are two blanks in them; what goes on stands below the second one.
func reflowed(text string, width int) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		if !strings.Contains("\n"+paragraph, "\n ") {
			writeFilled(&b, "", paragraph, 0, width)
			continue
		}
		for _, row := range rows(paragraph) {
			name, what, column := columns(row)
			writeFilled(&b, name, what, column, width)
		}
	}
	return b.String()
}

// rows are the lines of a list, each with the lines below that go on in its second column.
func rows(paragraph string) (all []string) {
	for line := range strings.Lines(paragraph) {
		line = strings.TrimRight(line, "\n")
		column := 0
		if len(all) > 0 {
			_, _, column = columns(all[len(all)-1])
		}
		if indent := len(line) - len(strings.TrimLeft(line, " ")); column > 0 && indent == column && indent > 2 {
			all[len(all)-1] += " " + strings.TrimSpace(line)
			continue
		}
		all = append(all, line)
	}
	return all
}

// columns are the two columns of a row, and where the second one begins.
func columns(row string) (name, what string, column int) {
	indent := len(row) - len(strings.TrimLeft(row, " "))
	at := strings.Index(row[indent:], "  ")
	if at < 0 {
		return row, "", 0
	}
	name = row[:indent+at]
	what = strings.TrimLeft(row[indent+at:], " ")
	return name, what, utf8.RuneCountInString(row) - utf8.RuneCountInString(what)
}

// writeFilled writes a name and, from a column on, a text in lines of at most a width. On a narrow screen, and
// behind a name that is long, the text begins in a line of its own.
func writeFilled(b *strings.Builder, name, text string, column, width int) {
	if text == "" {
		b.WriteString(name + "\n")
		return
	}
	if name != "" && column > 0 && (width < narrowWidth || utf8.RuneCountInString(name) >= column) {
		b.WriteString(name + "\n")
		name = ""
		if width < narrowWidth {
			column = 4
		}
	}
	line := name + strings.Repeat(" ", max(0, column-utf8.RuneCountInString(name)))
	empty := true
	for _, word := range strings.Fields(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			b.WriteString(line + "\n")
			line, empty = strings.Repeat(" ", column), true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	b.WriteString(line + "\n")
}
