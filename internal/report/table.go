package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A table is text in columns. Columns are as wide as their widest cell, two
// blanks apart, and lines have no blanks at their ends. An empty column, its
// heading aside, is left out.
type table struct {
	right []bool // columns that are aligned to the right
	rows  [][]string
	// styles are those of rows and cells.
	styles map[place]Style
	// narrow are the columns that are made narrower if the table is too wide; they and
	// the last column are continued on further lines.
	narrow []int
	// below is the column under which the last one stands, on lines of its own, if there
	// is little room beside the others; 0: it never does.
	below int
}

// A place is a cell, or with the column -1 a row.
type place struct{ row, column int }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// style gives a cell of the last row a style, or with the column -1 all of them.
func (t *table) style(column int, s Style) {
	if t.styles == nil {
		t.styles = map[place]Style{}
	}
	t.styles[place{len(t.rows) - 1, column}] = s
}

const (
	leastNarrow = 16 // of a column that is made narrower, but for longer words
	mostWord    = 30 // of them
	leastLast   = 24 // of the last one
	leastBeside = 36 // of the last one, if it can stand below the others
	hanging     = "  "
)

// write puts the rows below each other, each line after the indentation.
func (t *table) write(b *strings.Builder, indent string, how Text) {
	width, most := t.widths(), how.Width-utf8.RuneCountInString(indent)
	last := len(width) - 1
	below := how.Width > 0 && t.crowded(width, most)
	if below {
		width[last] = 0
	}
	width = t.fit(width, most)
	for n, row := range t.rows {
		cells := make([][]string, len(row))
		lines := 1
		for i, text := range row {
			if i == last && below {
				continue
			}
			cells[i] = t.broken(i, text, width[i])
			lines = max(lines, len(cells[i]))
		}
		for k := range lines {
			line := make([]string, len(row))
			for i := range row {
				if k < len(cells[i]) {
					line[i] = cells[i][k]
				}
			}
			t.line(b, indent, n, line, width, how)
		}
		if below && n > 0 && row[last] != "" {
			t.under(b, indent, n, width, most, how)
		}
	}
}

// crowded reports whether the last column stands below the others.
func (t *table) crowded(width []int, most int) bool {
	last := len(width) - 1
	if t.below == 0 || width[last] == 0 {
		return false
	}
	for i, w := range width[:last] {
		if slices.Contains(t.narrow, i) {
			w = min(w, max(2*leastNarrow, t.least(i)))
		}
		if w > 0 {
			most -= w + 2
		}
	}
	return most < min(width[last], leastBeside)
}

// under writes the last cell of a row below the others.
func (t *table) under(b *strings.Builder, indent string, n int, width []int, most int, how Text) {
	at := 0
	for _, w := range width[:t.below] {
		if w > 0 {
			at += w + 2
		}
	}
	text := strings.Fields(t.rows[n][len(width)-1])
	for _, l := range strings.Split(wrap(text, max(leastLast, most-at-2), ""), "\n") {
		fmt.Fprintf(b, "%s%s%s\n", indent, strings.Repeat(" ", at+2), how.paint(t.styles[place{n, -1}], l))
	}
}

// broken is the text of a cell in lines of a width.
func (t *table) broken(i int, text string, width int) []string {
	if width == 0 || utf8.RuneCountInString(text) <= width {
		return []string{text}
	}
	if i == len(t.right)-1 {
		return strings.Split(wrap(strings.Fields(text), width, ""), "\n")
	}
	if !slices.Contains(t.narrow, i) {
		return []string{text}
	}
	return strings.Split(wrap(strings.Fields(text), width-len(hanging), hanging), "\n")
}

// least is how narrow a column can be made, so that it breaks few words.
func (t *table) least(i int) int {
	least := leastNarrow
	for _, row := range t.rows {
		for _, w := range strings.Fields(row[i]) {
			least = max(least, min(mostWord, utf8.RuneCountInString(w)+len(hanging)))
		}
	}
	return least
}

// line writes one line of a row.
func (t *table) line(b *strings.Builder, indent string, n int, cells []string, width []int, how Text) {
	line, pad := indent, ""
	sep := ""
	for i, text := range cells {
		if width[i] == 0 {
			continue
		}
		text = clip(text, width[i])
		blanks := strings.Repeat(" ", max(0, width[i]-utf8.RuneCountInString(text)))
		style := cmp.Or(t.styles[place{n, i}], t.styles[place{n, -1}])
		if t.right[i] {
			text, blanks = blanks+how.paint(style, text), ""
		} else {
			text = how.paint(style, text)
		}
		if strings.TrimSpace(text) != "" {
			line, pad = line+pad+sep+text, ""
		} else {
			pad += sep + text
		}
		pad += blanks
		sep = "  "
	}
	b.WriteString(line)
	b.WriteByte('\n')
}

// fit makes columns narrower so that lines have at most that many letters, if they
// can; 0 is no bound.
func (t *table) fit(width []int, most int) []int {
	if most <= 0 {
		return width
	}
	over := -most - 2
	for _, w := range width {
		if w > 0 {
			over += w + 2
		}
	}
	last := len(width) - 1
	less := func(i, least int) {
		if cut := min(over, width[i]-least); cut > 0 {
			width[i], over = width[i]-cut, over-cut
		}
	}
	narrow := func(least func(i int) int) { // from the widest
		for over > 0 {
			widest := -1
			for _, i := range t.narrow {
				if width[i] > least(i) && (widest < 0 || width[i] > width[widest]) {
					widest = i
				}
			}
			if widest < 0 {
				return
			}
			less(widest, max(least(widest), width[widest]-4))
		}
	}
	less(last, 2*leastLast)
	narrow(func(int) int { return 2 * leastNarrow })
	less(last, leastLast)
	narrow(t.least)
	narrow(func(int) int { return leastNarrow })
	return width
}

func (t *table) widths() []int {
	width := make([]int, len(t.right))
	for i := range width {
		used := false
		for n, row := range t.rows {
			width[i] = max(width[i], utf8.RuneCountInString(row[i]))
			used = used || n > 0 && row[i] != ""
		}
		if !used {
			width[i] = 0
		}
	}
	return width
}

// wrap joins words with blanks into lines of at most width runes where words
// allow it; every line but the first is indented, which the width does not count.
func wrap(words []string, width int, indent string) string {
	var b strings.Builder
	column := 0
	for i, w := range words {
		n := utf8.RuneCountInString(w)
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(w)
		column += n
	}
	return b.String()
}

// clip shortens a text to at most n runes.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	if n <= 3 {
		return string([]rune(s)[:max(0, n)])
	}
	return strings.TrimRight(string([]rune(s)[:n-3]), " ") + "..."
}
