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
//
// Where there is a width, no line is longer. Columns that may stand below their row do
// so, one after the other, until the others have room; then those that may be narrow
// become narrower; and if that is not enough, a row is a list of headings and cells.
type table struct {
	right []bool // columns that are aligned to the right
	rows  [][]string
	// styles are those of rows and cells.
	styles map[cell]Style
	// narrow are the columns that are made narrower if the table is too wide; they and
	// the last column are continued on further lines.
	narrow []int
	// below are the columns that stand on lines of their own, from the column hang on, if
	// there is little room beside the others, in the order in which they go there.
	below []int
	hang  int
	hangs map[int]int // by row: the same, where the row has one of its own and there is room
	once  []int       // columns that are told below a row only if they differ from the row before
	// joined are rows that belong to the one before: nothing stands between them.
	joined map[int]bool
}

// A cell is one of a row, or with the column -1 the row.
type cell struct{ row, column int }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// join adds a row that belongs to the one before.
func (t *table) join(cells ...string) {
	if t.joined == nil {
		t.joined = map[int]bool{}
	}
	t.joined[len(t.rows)] = true
	t.add(cells...)
}

// style gives a cell of the last row a style, or with the column -1 all of them.
func (t *table) style(column int, s Style) {
	if t.styles == nil {
		t.styles = map[cell]Style{}
	}
	t.styles[cell{len(t.rows) - 1, column}] = s
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
	width, below := t.widths(), []int(nil)
	if how.Width > 0 {
		most := how.Width - utf8.RuneCountInString(indent)
		below = t.sent(width, most)
		if t.fit(width, most) > 0 {
			t.lists(b, indent, how)
			return
		}
	}
	for n, row := range t.rows {
		cells := make([][]string, len(row))
		lines := 1
		for i, text := range row {
			if width[i] > 0 {
				cells[i] = t.broken(i, text, width[i])
				lines = max(lines, len(cells[i]))
			}
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
		if n > 0 && !t.joined[n+1] {
			t.under(b, indent, n, width, below, how)
		}
	}
}

// sent are the columns that stand below the others, which have no width any more.
func (t *table) sent(width []int, most int) []int {
	var sent []int
	for _, i := range t.below {
		if !t.isNarrow(width, most) {
			break
		}
		if width[i] > 0 {
			width[i] = 0
			sent = append(sent, i)
		}
	}
	slices.Sort(sent)
	return sent
}

// isNarrow reports whether there is little room.
func (t *table) isNarrow(width []int, most int) bool {
	last := len(width) - 1
	for i, w := range width {
		switch {
		case i == last:
			w = min(w, leastBeside)
		case slices.Contains(t.narrow, i):
			w = min(w, max(2*leastNarrow, t.least(i)))
		}
		if w > 0 {
			most -= w + 2
		}
	}
	return most+2 < 0
}

// under writes cells of a row below it and those joined to it, of which n is the last:
// the last column as it is, the others behind their headings.
func (t *table) under(b *strings.Builder, indent string, n int, width, below []int, how Text) {
	first := n
	for t.joined[first] {
		first--
	}
	before := func(columns int) (at int) {
		for _, w := range width[:columns] {
			if w > 0 {
				at += w + 2
			}
		}
		return at
	}
	at := before(t.hang)
	if own, ok := t.hangs[first]; ok {
		if right := before(own); how.Width <= 0 || how.Width-len(indent)-right-2 >= leastLast {
			at = right
		}
	}
	var parts []string
	style := t.styles[cell{first, -1}]
	for _, i := range below {
		text := t.rows[first][i]
		if i == len(width)-1 {
			text = t.rows[n][i]
		}
		if text == "" || slices.Contains(t.once, i) && t.rows[first-1][i] == text {
			continue
		}
		if i < len(width)-1 {
			text = t.rows[0][i] + ": " + text
		}
		parts = append(parts, text)
		style = cmp.Or(style, t.styles[cell{first, i}])
	}
	if parts == nil {
		return
	}
	indent += strings.Repeat(" ", at+2)
	fmt.Fprintf(b, "%s%s\n", indent, how.paint(style, how.fill(strings.Join(parts, ", "), len(indent), indent)))
}

// lists writes each row as its cells behind their headings.
func (t *table) lists(b *strings.Builder, indent string, how Text) {
	for n, row := range t.rows[1:] {
		var parts []string
		for i, text := range row {
			if head := t.rows[0][i]; head != "" && text != "" {
				text = head + ": " + text
			}
			if text != "" {
				parts = append(parts, text)
			}
		}
		text := how.fill(strings.Join(parts, ", "), len(indent), indent+hanging)
		fmt.Fprintf(b, "%s%s\n", indent, how.paint(t.styles[cell{n + 1, -1}], text))
	}
}

// broken is the text of a cell in lines of a width.
func (t *table) broken(i int, text string, width int) []string {
	if utf8.RuneCountInString(text) <= width {
		return []string{text}
	}
	indent := hanging
	if i == len(t.right)-1 {
		indent = ""
	}
	return strings.Split(wrap(strings.Fields(text), 0, width, indent, true), "\n")
}

// least is how narrow a column can be made, so that it breaks few words.
func (t *table) least(i int) int {
	least := leastNarrow
	for _, row := range t.rows {
		for w := range strings.FieldsSeq(row[i]) {
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
		blanks := strings.Repeat(" ", max(0, width[i]-utf8.RuneCountInString(text)))
		style := cmp.Or(t.styles[cell{n, i}], t.styles[cell{n, -1}])
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

// fit makes columns narrower so that lines have at most that many letters, and gives how
// many letters they have too many then.
func (t *table) fit(width []int, most int) (over int) {
	over = -most - 2
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
	return over
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

// wrap joins words with blanks into lines of at most width runes. The first line begins
// at a column, the others with an indentation. Longer words are broken, or else lines are
// longer.
func wrap(words []string, column, width int, indent string, broken bool) string {
	var b strings.Builder
	before := column // where the line's first word begins
	for _, w := range words {
		n := utf8.RuneCountInString(w)
		switch {
		case column == before:
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = utf8.RuneCountInString(indent)
			before = column
		default:
			b.WriteByte(' ')
			column++
		}
		for broken && column+n > width {
			letters, room := []rune(w), max(1, width-column)
			if room >= len(letters) {
				break
			}
			b.WriteString(string(letters[:room]) + "\n" + indent)
			w, n = string(letters[room:]), n-room
			column = utf8.RuneCountInString(indent)
			before = column
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
