package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"magus/param"
)

// startOf says how many processes a configuration has, and what its parameters are.
func startOf(m *param.Model, c param.Config) string {
	var parts []string
	switch n := m.Processes(c); {
	case len(m.Locals()) == 0:
	case n == 1:
		parts = append(parts, "1 process")
	default:
		parts = append(parts, fmt.Sprintf("%d processes", n))
	}
	for i, n := range m.Names {
		if n.Kind == param.Parameter {
			parts = append(parts, fmt.Sprintf("%s = %d", n.Text, c[i]))
		}
	}
	if len(parts) == 0 {
		return "a run"
	}
	return strings.Join(parts, ", ")
}

// shownNames are the most columns for variables in a table; what does not change in a run is left out
// where there are more.
const shownNames = 12

// writeRows writes a run as a table: a line for each process that moves, and the variables after each
// step.
func writeRows(b *strings.Builder, m *param.Model, rows []param.Row) {
	shown := shownVariables(m, rows)
	header := []string{"step", "rule"}
	if len(m.Locals()) > 0 {
		header = append(header, "process", "from", "to")
	}
	for _, v := range shown {
		header = append(header, m.Names[v].Text)
	}
	table := [][]string{header}
	for i, r := range rows {
		line := []string{fmt.Sprint(i), ""}
		if r.Rule >= 0 {
			line[1] = m.RuleName(r.Rule)
		}
		first := true
		for _, move := range append(r.Moves[:len(r.Moves):len(r.Moves)], param.Move{})[:max(1, len(r.Moves))] {
			if len(m.Locals()) > 0 {
				line = append(line, moveCells(m, i, r, move)...)
			}
			for _, v := range shown {
				cell := ""
				if first {
					cell = valueOf(m, v, r.Config[v])
				}
				line = append(line, cell)
			}
			table = append(table, line)
			line, first = []string{"", ""}, false
		}
	}
	writeTable(b, table)
}

// moveCells are process, from and to. In the first row they say where all processes are.
func moveCells(m *param.Model, i int, r param.Row, move param.Move) []string {
	if i == 0 {
		var parts []string
		for _, q := range m.Locals() {
			if n := r.Config[q]; n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, m.Names[q].Text))
			}
		}
		return []string{"", "", strings.Join(parts, ", ")}
	}
	if len(r.Moves) == 0 {
		return []string{"", "", ""}
	}
	name := func(q int) string {
		if q < 0 {
			return "-"
		}
		return m.Names[q].Text
	}
	return []string{fmt.Sprint(move.Process), name(move.From), name(move.To)}
}

func valueOf(m *param.Model, v int, value int64) string {
	if m.Names[v].Kind == param.Bool {
		return fmt.Sprint(value == 1)
	}
	return fmt.Sprint(value)
}

func shownVariables(m *param.Model, rows []param.Row) []int {
	var all, changing []int
	for i, n := range m.Names {
		if n.Kind == param.Local || n.Kind == param.Parameter {
			continue
		}
		all = append(all, i)
		for _, r := range rows {
			if r.Config[i] != rows[0].Config[i] {
				changing = append(changing, i)
				break
			}
		}
	}
	if len(all) <= shownNames {
		return all
	}
	return changing
}

// writeTable aligns columns, with two blanks before and between them.
func writeTable(b *strings.Builder, table [][]string) {
	width := map[int]int{}
	for _, line := range table {
		for i, cell := range line {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, line := range table {
		text := ""
		for i, cell := range line {
			text += "  " + cell + strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
}
