package report

import (
	"strings"
	"unicode/utf8"
)

// A table is text in columns. Columns are as wide as their widest cell, two
// blanks apart, and lines have no blanks at their ends. An empty column, its
// heading aside, is left out.
type table struct {
	right []bool // columns that are aligned to the right
	rows  [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// write puts the rows below each other, each line after the indentation.
func (t *table) write(b *strings.Builder, indent string) {
	width := t.widths()
	for _, row := range t.rows {
		line := indent
		sep := ""
		for i, cell := range row {
			if width[i] == 0 {
				continue
			}
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if t.right[i] {
				line += sep + pad + cell
			} else {
				line += sep + cell + pad
			}
			sep = "  "
		}
		b.WriteString(strings.TrimRight(line, " "))
		b.WriteByte('\n')
	}
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
	return strings.TrimRight(string([]rune(s)[:n-3]), " ") + "..."
}
