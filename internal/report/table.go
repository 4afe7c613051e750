package report

import (
	"cmp"
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
	// narrow are the columns that are cut if the table is too wide; the last column
	// is continued on further lines.
	narrow []int
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
	leastNarrow = 16 // of a column that is cut
	leastLast   = 24 // of the last one
)

// write puts the rows below each other, each line after the indentation.
func (t *table) write(b *strings.Builder, indent string, how Text) {
	width := t.fit(t.widths(), how.Width-utf8.RuneCountInString(indent))
	last := len(width) - 1
	for n, row := range t.rows {
		lines := strings.Split(row[last], "\n")
		if width[last] > 0 {
			lines = strings.Split(wrap(strings.Fields(row[last]), width[last], ""), "\n")
		}
		t.line(b, indent, n, append(slices.Clone(row[:last]), lines[0]), width, how)
		for _, more := range lines[1:] {
			t.line(b, indent, n, append(make([]string, last), more), width, how)
		}
	}
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
	narrow := func(least int) { // from the widest
		for over > 0 {
			widest := -1
			for _, i := range t.narrow {
				if width[i] > least && (widest < 0 || width[i] > width[widest]) {
					widest = i
				}
			}
			if widest < 0 {
				return
			}
			less(widest, max(least, width[widest]-4))
		}
	}
	less(last, 2*leastLast)
	narrow(2 * leastNarrow)
	less(last, leastLast)
	narrow(leastNarrow)
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
// allow it; every line but the first is indented.
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
