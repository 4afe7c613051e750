package main

// Tables as aligned text and as Markdown.

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A column has a heading, and a heading above it that it shares with its
// neighbours of the same group.
type column struct {
	group, name string
	left        bool // aligned to the left
}

// A table is a title, text that says what its columns mean, and rows of cells.
// Each row has a cell for each column.
type table struct {
	title   string
	text    []string // paragraphs
	columns []column
	rows    [][]string
	totals  [][]string // below a rule
	below   []string   // lines below the table
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// columnsOf are columns of one group, aligned to the right.
func columnsOf(group string, names ...string) []column {
	cs := make([]column, len(names))
	for i, n := range names {
		cs[i] = column{group: group, name: n}
	}
	return cs
}

// gap is what stands before column i: a bar where a group begins.
func (t *table) gap(i int) string {
	switch {
	case i == 0:
		return ""
	case t.columns[i].group != t.columns[i-1].group:
		return " | "
	}
	return "  "
}

// write writes the table in one of its forms.
func (t *table) write(w io.Writer, markdown bool) error {
	if markdown {
		return t.writeMarkdown(w)
	}
	return t.writeText(w)
}

// writeText writes the table in lines of aligned cells, without blanks at
// their ends.
func (t *table) writeText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", t.title)
	for _, p := range t.text {
		b.WriteString(wrap(p, 100) + "\n\n")
	}
	if len(t.columns) == 0 {
		_, err := io.WriteString(w, b.String())
		return err
	}
	width := t.widths()
	t.writeGroups(&b, width)
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	t.writeRow(&b, width, names)
	t.writeRule(&b, width)
	for _, row := range t.rows {
		t.writeRow(&b, width, row)
	}
	if len(t.totals) > 0 {
		t.writeRule(&b, width)
	}
	for _, row := range t.totals {
		t.writeRow(&b, width, row)
	}
	b.WriteByte('\n')
	for _, line := range t.below {
		b.WriteString(wrap(line, 100) + "\n")
	}
	if len(t.below) > 0 {
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// widths are those of the widest cells. The last column of a group is widened
// until the group's heading fits.
func (t *table) widths() []int {
	width := make([]int, len(t.columns))
	for i, c := range t.columns {
		width[i] = utf8.RuneCountInString(c.name)
		for _, rows := range [][][]string{t.rows, t.totals} {
			for _, row := range rows {
				width[i] = max(width[i], utf8.RuneCountInString(row[i]))
			}
		}
	}
	for _, s := range t.spans() {
		if missing := utf8.RuneCountInString(t.columns[s.from].group) - t.span(width, s); missing > 0 {
			width[s.to-1] += missing
		}
	}
	return width
}

// A span is the columns from, …, to-1 of one group.
type span struct{ from, to int }

func (t *table) spans() []span {
	var ss []span
	for i := range t.columns {
		if i == 0 || t.columns[i].group != t.columns[i-1].group {
			ss = append(ss, span{i, i})
		}
		ss[len(ss)-1].to = i + 1
	}
	return ss
}

// span is how wide the columns of s are together.
func (t *table) span(width []int, s span) int {
	n := 0
	for i := s.from; i < s.to; i++ {
		n += width[i]
		if i > s.from {
			n += len(t.gap(i))
		}
	}
	return n
}

func (t *table) writeGroups(b *strings.Builder, width []int) {
	line, any := "", false
	for _, s := range t.spans() {
		group := t.columns[s.from].group
		any = any || group != ""
		line += t.gap(s.from) + group + strings.Repeat(" ", t.span(width, s)-utf8.RuneCountInString(group))
	}
	if any {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func (t *table) writeRow(b *strings.Builder, width []int, row []string) {
	line := ""
	for i, cell := range row {
		pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
		if t.columns[i].left {
			line += t.gap(i) + cell + pad
		} else {
			line += t.gap(i) + pad + cell
		}
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}

func (t *table) writeRule(b *strings.Builder, width []int) {
	for i := range width {
		gap := strings.NewReplacer(" ", "-", "|", "+").Replace(t.gap(i))
		b.WriteString(gap + strings.Repeat("-", width[i]))
	}
	b.WriteByte('\n')
}

// writeMarkdown writes the table for a Markdown file; a group stands above the
// name in each heading.
func (t *table) writeMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", t.title)
	for _, p := range t.text {
		b.WriteString(wrap(p, 100) + "\n\n")
	}
	if len(t.columns) == 0 {
		_, err := io.WriteString(w, b.String())
		return err
	}
	names, rule := make([]string, len(t.columns)), make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i], rule[i] = c.name, "--:"
		if c.group != "" {
			names[i] = c.group + "<br>" + c.name
		}
		if c.left {
			rule[i] = "---"
		}
	}
	rows := append([][]string{names, rule}, t.rows...)
	for _, row := range append(rows, t.totals...) {
		for i, cell := range row {
			fmt.Fprintf(&b, "| %s ", markdownEscape.Replace(cell))
			if i == len(row)-1 {
				b.WriteString("|\n")
			}
		}
	}
	b.WriteByte('\n')
	for _, line := range t.below {
		fmt.Fprintf(&b, "- %s\n", strings.ReplaceAll(wrap(line, 98), "\n", "\n  "))
	}
	if len(t.below) > 0 {
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

var markdownEscape = strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`)

// wrap breaks a paragraph into lines of at most width characters where words
// allow it.
func wrap(text string, width int) string {
	var b strings.Builder
	n := 0
	for _, word := range strings.Fields(text) {
		l := utf8.RuneCountInString(word)
		switch {
		case n == 0:
		case n+1+l > width:
			b.WriteByte('\n')
			n = 0
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += l
	}
	return b.String()
}
